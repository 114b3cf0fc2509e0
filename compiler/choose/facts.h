/* facts.h: what the models of the papers want to know of a group of stages that
 * one kernel is to compute; put together from analyze.
 *
 * Axes are numbered innermost first here, as in a block of threads.
 */
#pragma once

#include "ir/ir.h"
#include "plan/plan.h"

/* Doubles of the text that a warp's own registers hold: 63 of 32 bits, since sm_75. */
#define FREE_LITERALS 31

/* A field's component and time level that is read. */
typedef struct {
	const Field *field;
	int component, level;
	int reach[IR_MAX_RANK][2];    /* how far from the cell, per axis and side */
	int taps;                     /* different cells */
	int plane_taps[IR_MAX_RANK];  /* those in the cell's own plane across an axis */
	int points[IR_MAX_RANK];      /* the most in one of the other planes */
	gboolean straight[IR_MAX_RANK]; /* other planes are read on the axis only */
} SourceFacts;

typedef struct {
	int rank;                     /* of the grid */
	gint64 extent[IR_MAX_RANK];   /* typical, or a guess; 1 beyond the rank */
	int n_sources;
	const SourceFacts *source;    /* in the order in which they are first read */
	int reach[IR_MAX_RANK][2];    /* the most of any source */
	int targets;                  /* fields and components written */
	int bytes;                    /* of the largest value that is read or written */
	gboolean stepped;             /* several time steps may be taken together */
	gboolean accumulates;         /* linear in every source, and associative */
} StencilFacts;

/* The facts of STAGES (Stage), in ARENA.  NULL: the models do not know such stages: none
 * at all, a scan, a reduction, several grids, taps that are scaled, a stage that
 * reads what another one writes. */
const StencilFacts *facts_collect(const GPtrArray *stages, Arena *arena);

/* Cells of GRID along AXIS: as the program fixes or hints it, or a guess. */
gint64 facts_extent(const Grid *grid, int axis);

/* PLAN's rows are so short that a warp of any strategy but `naive` would be idle. */
gboolean facts_is_narrow(const Plan *plan);

/* Bytes of the narrowest field that its launch makes or reads. */
int facts_narrowest(const Plan *plan);

/* Bytes of the widest field that STAGE reads; 0: it reads none. */
int facts_widest_read(const Stage *stage);

/* STAGE reads one field, all of the cells around its own and no others. */
gboolean facts_read_small_box(const Stage *stage);

/* The order of the stencil, along the axes from FROM on. */
int facts_radius(const StencilFacts *f, int from);
