/* line.h: the lines of a scan: where they may be cut, and what can be brought before. */
#pragma once

#include "ir/ir.h"

#define LINE_TILE 32 /* lines and cells of a tile: a warp's */
#define LINE_DONE 128 /* bytes besides: which cells of a tile are there */

/* TRUE if the lines of the scan STAGE that have a first cell go on from there to the end of a
 * box, whatever that is: no other cell is computed.  Then BOX, unless NULL, becomes the box of
 * those that are. */
gboolean line_runs(const Stencil *s, const Stage *stage, Region *box);

/* Why lines of the scan STAGE cannot be cut into pieces that each begin with the value
 * that the recurrence has anywhere; NULL: they can. */
const char *line_whole(const Stencil *s, const Stage *stage);

/* TRUE if they can, and come out otherwise rounded then. */
gboolean line_restarts(const Stencil *s, const Stage *stage);

/* The parts of the scan's value that do not read the line itself, and that tell more than
 * scalars and coordinates: each may be known before the line gets there. */
GPtrArray *line_feeds(const Stage *stage);

/* The scan's value with MARKS in place of FEEDS. */
Expr *line_fed(const Stage *stage, const GPtrArray *feeds, Expr *const *marks, Arena *arena);

/* Bytes of a warp's tiles, one for each feed and one that becomes the line, but where that
 * can take a feed's place. */
gsize line_bytes(const Stage *stage, const GPtrArray *feeds);

/* The feed whose tile takes the line's values, too, as they are of its kind; -1: none. */
int line_place(const Stage *stage, const GPtrArray *feeds);

/* Bytes of the tile of values of TYPE. */
gsize line_tile_bytes(Type type);

/* Cells that a thread asks for together, rows of a tile (ROWS) or along its line: where lines
 * are not CUT there are few threads, and more is asked for at a time. */
int line_together(gboolean rows, gboolean cut, guint feeds);

/* Taps under E. */
int line_taps(Expr *e);
