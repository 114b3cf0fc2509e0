/* line.h: the lines of a scan: where they may be cut, and what can be brought before. */
#pragma once

#include "plan/plan.h"

#define LINE_TILE 32 /* lines and cells of a tile: a warp's */
#define LINE_DONE 128 /* bytes besides: which cells of a tile are there */

/* TRUE if a line of the scan STAGE that has begun goes on, without a break, up to the end of the
 * box that its value is computed in. */
gboolean line_goes_on(const Stencil *s, const Stage *stage);

/* TRUE if the lines of the scan STAGE that have a first cell go on from there to the end of a
 * box, whatever that is: no other cell is computed.  Then BOX, unless NULL, becomes the box of
 * those that are. */
gboolean line_runs(const Stencil *s, const Stage *stage, Region *box);

/* Why lines of the scan STAGE cannot be cut into pieces that each begin with the value
 * that the recurrence has anywhere; NULL: they can. */
const char *line_whole(const Stencil *s, const Stage *stage);

/* TRUE if they can, and come out otherwise rounded then. */
gboolean line_restarts(const Stencil *s, const Stage *stage);

/* What the scan STAGE, which has no first value of its own, reads before its first cell, where that
 * is a constant; NULL: nothing. */
Expr *line_before(const Stage *stage);

/* The scans among the N stages of a launch: those that come first. */
int line_scans(const PlanStage *stages, int n);

/* The parts of the values of N scans that do not read lines themselves, and that tell more than
 * scalars and coordinates: each may be known before the lines get there. */
GPtrArray *line_feeds(const PlanStage *stages, int n);
/* Those of scan AT. */
GPtrArray *line_own_feeds(const PlanStage *stages, int n, int at);

/* The scan's value with MARKS in place of FEEDS. */
Expr *line_fed(const Stage *stage, const GPtrArray *feeds, Expr *const *marks, Arena *arena);

/* Bytes of a warp's tiles, one for each feed and one that becomes the line of each of N scans, but
 * where that can take a feed's place. */
gsize line_bytes(const PlanStage *stages, int n, const GPtrArray *feeds);

/* The feed whose tile takes the values of scan AT, too, as they are of its kind, and no scan
 * behind it asks for the feed; -1: none. */
int line_place(const PlanStage *stages, int n, const GPtrArray *feeds, int at);

/* Bytes of the tile of values of TYPE. */
gsize line_tile_bytes(Type type);

/* Registers that a thread of PLAN loads for a cell of its first N stages. */
int line_loads(const Plan *plan, int n);

/* Maps behind the scans read fields that no scan does. */
gboolean line_maps_load(const Plan *plan);

/* Cells that a thread of PLAN asks for together, rows of a tile or along its lines: where these are
 * not cut there are few threads, and more is asked for at a time; of several stages as much as
 * registers hold. */
int line_together(const Plan *plan);

/* Taps under E. */
int line_taps(Expr *e);
