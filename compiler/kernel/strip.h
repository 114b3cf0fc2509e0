/* strip.h: what the parts of lower_strip.c share with one another, and with
 * lower_chain.c.
 */
#pragma once

#include "kernel/cell_value.h"
#include "kernel/kir.h"
#include "kernel/lower.h"
#include "kernel/maps.h"
#include "kernel/scatter.h"
#include "kernel/source.h"
#include "kernel/tile_place.h"

/* A component of a field that the steps read or write; or what it was before that. */
typedef struct StripField {
	const KSource *source;
	const Boundary *boundary; /* NULL: no tap can leave the grid */
	const Stage *stage;  /* that makes its next level; NULL: it stays as it is, or is what
	                      * a field was before */
	const struct StripField *now; /* that field; NULL: it is none such */
	int before;          /* steps before that */
	gboolean comes;      /* from memory: it is not made on the way */
	gboolean goes;       /* to memory: others read what its stage makes */
	int rim[2][2];       /* cells at each end that its stage does not compute, at most */
	int history;         /* of a field that is stepped: the most of these */
	EdgeKind kind[2][2]; /* what is read beyond the faces, across and down */
	int reach[2][2];     /* how far it is read beside a cell, likewise */
	int beside[2];       /* columns beside the lane's own that its queue has */
	int group;           /* columns that one instruction moves */
	int rows;            /* of it that a step has at hand, the newest being the last; of
	                      * one that stays, that all have */
	int lag;             /* rows that its newest one is behind the turn's */
	const KTile *queue;  /* [step][row][column], those before the first step being the
	                      * first; the last step's holds what is stored.  Of one that stays:
	                      * [row][column] */
	const KTile *ahead;  /* rows on their way, in registers: [row][column] */
	const KTile *ring;   /* ... in shared memory: [warp][row % slots][column]; or NULL */
	const KTile *leaving; /* a loose row on its way out: [warp][column] */
	const KExpr *column[LANE_COLUMNS];  /* where a group of the lane's columns lies in a row */
	const KExpr *fetched[LANE_COLUMNS]; /* one that the lane brings to RING, or takes out of
	                                   * LEAVING */
} StripField;

typedef struct {
	KKernel *k;
	const Plan *plan;
	const Grid *grid;
	int axis[3];         /* of the grid: x, y; the one whose planes blocks have one each */
	const KExpr *plane;  /* the block's; NULL: there are none */
	gboolean line;       /* it has no y: a sweep is one row, in one turn */
	int vx, time;
	int radius;          /* rows that a step is behind the one before: one at least */
	int beside;          /* columns that a step reads, on each side at most */
	int halo;            /* columns of a strip, on each side, that it does not store */
	gboolean chained;    /* the stages of a step are not alike */
	gboolean hops;       /* columns come from any lanes, not only from those side by side */
	gboolean once;       /* they are no step, but made once */
	gboolean loose;      /* likewise, and rows begin and end anywhere */
	Maps *maps;          /* of such, and of a line; or NULL */
	int latest;          /* likewise: the largest lag */
	int above, below;    /* rows that come in before those of a chunk, and turns after */
	const Boundary *around[2]; /* of the fields that wrap; NULL: none does */
	int keep[2][2];      /* cells at each end that nobody computes, at most */
	gboolean backs;      /* where rows end within a vector a warp moves back: they end with a
	                      * lane all the same */
	const KExpr *back;   /* so many columns; NULL: no row does */
	StripField *field;   /* what a field was before comes after it */
	int n_fields;
	int n_coming;        /* of them come from memory; what is made on the way is behind them */
	const KExpr *first, *x0; /* the first column that the warp stores; that the lane has */
	Chunk chunk;         /* the block's rows */
	GPtrArray *sources, *far;
	GHashTable *driven;   /* registers of what the step decides, by the part of a value */
	GHashTable *profiles; /* registers of what varies along x only, by the tap */
	gboolean wide;       /* rows take along what lies beside the lane's columns */
	Scatter *sums;       /* NULL: all rows that a cell reads are at hand */
	const KTile *edge;   /* [step][rows since][column that stays]; NULL: its row is at hand */
} Strip;

/* The ends of the grid, along the walk, that rows may be near: from this one on. */
typedef enum { NEAR_BOTH, NEAR_LAST, NEAR_NONE } Near;

/* Of a block. */
static inline int
strip_warps(const Plan *plan)
{
	return plan->n_axes == 1 ? plan->threads[0] / WARP : plan->threads[1];
}

/* The field that is at hand where F is; whether the steps change it. */
static inline const StripField *
strip_now(const StripField *f)
{
	return f->now != NULL ? f->now : f;
}

static inline gboolean
strip_is_stepped(const StripField *f)
{
	return strip_now(f)->stage != NULL;
}

/* Its rows go on with their other end, and are read beside a cell. */
static inline gboolean
strip_goes_around(const StripField *f)
{
	return f->kind[0][0] == EDGE_WRAP && f->reach[0][0] + f->reach[0][1] > 0;
}

/* ---- lower_strip.c ---- */

/* Cells of the lane's that one instruction moves within the processor. */
int strip_vector(const Strip *s, const StripField *f);

/* By the plan; to be released. */
void strip_set_shape(Strip *s, KKernel *k, const Plan *plan);
void strip_release(Strip *s);

/* The queue of a field, cleared. */
void strip_make_queue(Strip *s, StripField *f);

/* The block's rows, which may be none. */
void strip_set_chunk(Strip *s, gboolean may_be_none);

const KExpr *strip_param(const Strip *s, KParamKind kind, int number);

/* Boundaries that a lane serves from its own cells, and rows of a field that is stepped
 * from those at hand. */
gboolean strip_has_ghosts(const StripField *f, int number, int end);
gboolean strip_has_ghost_rows(const StripField *f, Near near);

/* The first of the rows beyond END, REACH - M being the last, that the turn makes which computes
 * the row M before it; more than that: none.  What earlier turns have made has moved on with the
 * queue. */
int strip_first_ghost(const StripField *f, int end, int m, int reach);

/* How many rows below the one that a map computes F has to be there if the map reads DY
 * below, and how many above: beyond the grid those that stand for them. */
int strip_rows_below(const StripField *f, int dy);
int strip_rows_above(const StripField *f, int dy);

/* STAGE's value in row Q, for the lane's columns. */
CellValue strip_value(const Strip *s, GPtrArray *body, const Stage *stage, const KExpr *step,
	const KExpr *q);

/* The cell COLUMN of the lane, of the row DY below the one that STEP computes. */
const KExpr *strip_near(const Strip *s, const StripField *f, const KExpr *step, int dy,
	const KExpr *column);

/* ---- strip_rows.c: rows in, rows out ---- */

/* The end of rows; of ragged ones that of their last vector. */
const KExpr *strip_row_end(const Strip *s);

/* Where the strip's columns and the lane's lie in memory. */
void strip_set_columns(Strip *s, int stored);

/* The row of F that begins at START into the lane's columns at TO. */
void strip_load(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *start,
	const KExpr *const *to);

/* Where the row that F takes in the turn of row Y begins. */
const KExpr *strip_row_start(const Strip *s, GPtrArray *body, const StripField *f,
	const KExpr *y);

/* The rows that are on their way before the first. */
void strip_send_first(Strip *s);

/* The rows of a line. */
void strip_load_line(const Strip *s);

/* What the turn of row Y finds: the newest rows of all fields; one more of each is sent
 * for. */
void strip_take_rows(const Strip *s, GPtrArray *body, const KExpr *y);

/* Rooms for rows that leave cell by cell. */
void strip_make_leaving(Strip *s);

/* What the last step has made of row Q, and of those as much before it as fields lag; not
 * INSIDE: it may be none of the chunk. */
void strip_store_row(const Strip *s, GPtrArray *body, const KExpr *q, gboolean inside);

/* ---- strip_lags.c: stages that read what others make in the same step ---- */

/* Whether the stages of PLAN are not alike: PASSED are taps of what others make. */
gboolean strip_is_chained(const Plan *plan, const GPtrArray *passed);

/* Lags and rows of such; their overlap, once all that they were before has its lags, too. */
void strip_lags_set(Strip *s);
void strip_lags_overlap(Strip *s);

/* The fewest that those are which stages read of F, or of what stands for them beyond the
 * grid; G_MAXINT: they read none. */
int strip_lags_youngest(const Strip *s, const StripField *f);

/* ---- strip_made.c ---- */

/* One step of such on from STEP, as strip_step. */
void strip_made_step(const Strip *s, GPtrArray *body, const KExpr *step, const KExpr *y, Near near);

/* ---- strip_step.c ---- */

/* Makes room for the next turn's rows of all fields that are stepped, at LEVEL, the first
 * in their queues being 0; of those that are behind by HISTORY steps at least. */
void strip_move_rows(const Strip *s, GPtrArray *body, const KExpr *level, int history);

/* The columns of SIDE beside the lane's own of row ROW of a field that is stepped, at LEVEL
 * of its queue: all that are asked for. */
void strip_beside(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *level,
	int row, int side);

/* A lane has many values, so that few registers are left. */
gboolean strip_has_many(const Strip *s);

/* The lane's column that is the Ith to be asked that, */
int strip_column(const Strip *s, int i);

/* The lane's column C is none of those that STAGE, or the launch's first, computes; NULL: it is. */
const KExpr *strip_kept(const Strip *s, const Stage *stage, int c);

/* One step on from STEP, the turn being that of row Y.  NEAR: the ends of the region that the row
 * and all that it reads are not known to be within. */
void strip_step(const Strip *s, GPtrArray *body, const KExpr *step, const KExpr *y, Near near);

/* The columns beside the lane's own of row ROW of a field that stays: all that are
 * asked for. */
void strip_widen(const Strip *s, GPtrArray *body, const StripField *f, int row);

/* ---- strip_sums.c ---- */

/* Values held instead of rows, where that suits; what of them is held, cleared. */
void strip_sums_set(Strip *s);
void strip_sums_begin(Strip *s);

/* Only rows beyond the grid forbid them, and rows as they are do as well: as many values
 * are held, and no part of one serves several. */
gboolean strip_sums_needless(const Strip *s);

/* What the newest row of STEP completes of the cells of COLUMN; of one that is NEXT. */
void strip_sums_cell(const Strip *s, GPtrArray *body, const KExpr *next, const KExpr *step,
	const KExpr *column);

/* What COLUMN, which nobody computes, keeps; the newest row's cells are kept, too. */
const KExpr *strip_sums_kept(const Strip *s, const KExpr *step, int column);
void strip_sums_move(const Strip *s, GPtrArray *body, const KExpr *step);

/* Row Q, which nobody computes, as what comes before NEXT_STEP has made. */
void strip_sums_fetch(const Strip *s, GPtrArray *body, const KExpr *q, const KExpr *next_step);
