/* march.h: what the parts of lower_march.c share.
 *
 * What a thread reads of a source is a block of places: planes along the stream,
 * rows, columns, relative to its own first cell.  A place that several planes'
 * cells read is loaded once, when its plane comes within reach, and kept while it
 * moves down the queue; all others are loaded where they are used.  Places
 * outside the grid hold what the boundary says, so the arithmetic knows nothing of
 * edges.
 *
 * Of an interleaved field, whose components lie side by side, a thread that has vectors reads
 * all together: its block's columns are elements then, APART from cell to cell.
 */
#pragma once

#include "kernel/kir.h"
#include "kernel/lower.h"
#include "kernel/phase.h"
#include "kernel/place.h"
#include "kernel/scatter.h"

#define WORD_BYTES 4

typedef struct {
	const KSource *source;
	const KTile *tile;  /* [planes][rows][columns], or [planes][rows][distances][cells] */
	int planes, rows, columns;
	int left;           /* columns before the thread's own first one */
	int apart, own;     /* columns from a cell to the next; of all of the thread's */
	gboolean *needed;   /* per plane, row, column */
	gboolean *kept;     /* per row, column: stays in the queue */
	gboolean shuffles;  /* the columns beside a thread's own come from other lanes */
	gboolean late;      /* by planes: of the cells that are complete */
	const KTile *asked; /* rows that are dealt out: what a lane has loaded of each; */
	const KTile *dealt; /* those of each warp, in shared memory, */
	int lead;           /* with so many columns before its own; */
	int *slot;          /* which of them a plane's row is; -1: none */
} Block;

typedef gboolean MarchWanted(const Block *b, int plane, int row, int column);

/* What comes into the registers comes in turns, so that nothing waits for memory
 * before all of it is asked for. */
typedef enum {
	TURN_ENDS,   /* loads of the lanes that no other can hand anything */
	TURN_LOADS,  /* all other loads */
	TURN_EDGES,  /* what constant faces read instead */
	TURN_LANES,  /* columns from the lanes beside */
	TURN_N
} Turn;

/* What is common to the loads of one row. */
typedef struct {
	const Block *block;
	int plane, number;        /* of the block */
	MarchWanted *wanted;      /* of its columns */
	Turn turn;
	GPtrArray *body;
	const KExpr *origin, *line; /* where its plane begins; the row and the component in it */
	const KExpr *start;       /* both */
	int component;            /* besides */
	Way way[IR_MAX_RANK];     /* y, z */
	const KExpr *q[IR_MAX_RANK];
	int n_ways;
	gboolean beyond;          /* only what lies beyond a face, of vectors that are there */
	GPtrArray **fix;          /* bodies for that, by face */
} Row;

/* Which of a thread's cells: its column and row. */
typedef struct {
	const KExpr *in, *jn;
} MarchCell;

/* What one of the launch's stages makes of a cell. */
typedef struct {
	const Stage *stage;
	const Stage *bounds; /* the first stage that is stored whose region is the same; else it */
	const char *name;
	gboolean passing;    /* only for stages behind it: not stored */
	GPtrArray *far, *passed; /* taps that are no block's: of other grids and the like; of
	                          * what earlier stages have in registers */
	Block *own;          /* holds the value that a cell keeps; NULL: none */
	const KTile *out;    /* [rows][cells], or of all components, APART from cell to cell */
	int apart;
	gboolean waits;      /* it is stored with a later one, all of whose components are there */
	const KTile *dealt;  /* where warps put it to be stored; NULL: it is as it is */
} Part;

typedef struct {
	KKernel *k;
	const Stage *stage; /* the first: the others share its grid and axes */
	const Plan *plan;
	Part *parts;        /* a stage each */
	GHashTable *far;    /* their far taps: Expr → FarTap */
	GPtrArray *far_blocks;
	gboolean vector;
	gboolean together;  /* vectors of all components of what is interleaved */
	gboolean anywhere;  /* vectors, and yet rows may lie and end anywhere */
	int x, y, z;        /* axes of the grid: of rows, of columns, of the stream; -1: none */
	int px, py, pz;     /* cells of a thread; PZ planes of them are at hand at once: 1, where
	                     * it walks along them */
	const KExpr *pn;    /* which of these */
	gboolean shuffles;  /* a warp is a stretch of one row, and all of it takes part */
	gboolean stays;     /* threads beyond the cells take part: what they have is shared */
	int step;           /* columns from cell to cell of a thread, as they lie in memory */
	const KExpr *x0, *y0; /* its first cell */
	const KExpr *x_load;  /* where it loads: a lane beyond the cells still hands on */
	const KExpr *x_own;   /* where those begin that it stores, some of which another thread
	                       * may compute, too; NULL: it stores what it computes */
	const KExpr *lane;
	const KExpr *z_first; /* where the walk begins; NULL: there is none */
	GPtrArray *common;    /* what holds for all walks of the kernel; NULL: there is one */
	gboolean inside;      /* all that the block reads and stores is within the grid, and all
	                       * its cells are computed */
	gboolean moved;       /* inside, but for what is read along x: the block ends with the
	                       * row, if it would else go beyond */
	gboolean amid;        /* moved, and what is read along x is within the grid, too */
	gboolean laps;        /* rows are no shorter than a block, and the last one ends with its
	                       * row: all of a thread's cells are there along x */
	gboolean deals;     /* so, and rows are dealt out among the lanes of a warp, as vectors */
	const KExpr *warp, *x_lane; /* then: which one; where a lane loads and stores the first of
	                             * its cells, which are a warp's width apart there */
	const KExpr *row_ends; /* the ends of its stretches no other block has; NULL: it is so */
	gboolean single;      /* a thread has one cell */
	gboolean plain;       /* cells at edges are computed somehow, also those that keep what
	                       * they were: they will be once more */
	const KVar *zvar;   /* the plane */
	GPtrArray *sources;
	Block *blocks;
	Scatter *scatter;   /* NULL: all planes that a cell reads are at hand; else only the one
	                     * that has come, and ZVAR is the plane that is complete with it */
	const KExpr *newest, *end; /* that one; the end of the walk's cells; NULL: none asks */
	const KExpr *ready; /* ZVAR is that: there were planes enough before; NULL: it is */
	Phase phase[IR_MAX_RANK]; /* of a thread's cells, */
	gboolean phased;    /* which hold */
	int dropped;        /* of the queues: 0, what is not a thread's own, or all */
} March;

/* ---- march_block.c ---- */

/* The axes, the cells of a thread, the blocks. */
void march_gather(March *m);
void march_free(March *m);

/* Distances along AXIS that S is read at: the lowest, the highest; 0 where it does
 * not vary along it. */
int march_reach(const KSource *s, int axis, gboolean high);

int march_place(const Block *b, int plane, int row, int column);

/* The column of a block, whose threads have vectors, that holds COMPONENT of a thread's cell,
 * or of one beside them. */
int march_column(const Block *b, int cell, int component);

/* The first and last plane at which a place is needed; FALSE: at none. */
gboolean march_span(const Block *b, int row, int column, int *first, int *last);

/* PLANE of B's tile, as the thread's plane at hand has it. */
const KExpr *march_plane(const March *m, const Block *b, int plane);

/* Columns of F that one vector moves. */
int march_vector(const March *m, const Field *f);

/* TRUE if the block is the same at every plane of the walk. */
gboolean march_stands(const March *m, const Block *b);

/* TRUE if cells before (FACE 0) or behind the stage's region may be missing. */
gboolean march_is_partial(const Stage *stage, int axis, int face);
gboolean march_is_whole(const Stage *stage);

/* How many cells a block has along the plan's axis NUMBER, and the first of them. */
const KExpr *march_block_span(const March *m, int number);
const KExpr *march_block_start(const March *m, int number);

/* A thread's first cell: counted from that, and where it is, named before the walk. */
const KExpr *march_thread_start(const March *m, int number);
const KExpr *march_first_cell(const March *m, int number, const char *want);

/* ---- march_needs.c ---- */

/* Registers of the queues, of the columns that are kept. */
int march_kept_registers(const March *m);

/* ---- march_far.c ---- */

/* Which stage reads each far tap first, and the blocks of other grids that cells share places
 * of. */
void march_far_gather(March *m);
void march_far_free(March *m);

/* Cells of a thread read the same of a coarser grid. */
gboolean march_shares_coarser(const March *m);

/* Loads all blocks. */
void march_far_load(const March *m, GPtrArray *body);

/* A block has what TAP reads. */
gboolean march_far_has(const March *m, const Expr *tap);

/* PART is the first to read TAP. */
gboolean march_far_is_first(const March *m, const Part *part, const Expr *tap);

/* Room for what PART loads cell by cell and later stages read, too: for BODY and what is in it. */
void march_far_make(const March *m, const Part *part, GPtrArray *body);

/* What TAP reads at CELL, which is AT, loaded if it is not there. */
const KExpr *march_far_value(const March *m, const Part *part, const Expr *tap,
	const MarchCell *cell, GPtrArray *body, const KVar *const *at);

/* ---- lower_march.c ---- */

/* TRUE if PART is stored with all other components of its cells. */
static inline gboolean
march_is_together(const Part *part)
{
	return part->apart > 1;
}

/* The element of PART's values that is the cell's. */
const KExpr *march_value_at(const March *m, const Part *part, const MarchCell *cell);

/* TRUE if cells that are not computed are written all the same. */
gboolean march_fills(const Stage *s);

/* The coordinate of CELL along AXIS. */
const KExpr *march_coordinate(const March *m, int axis, const MarchCell *cell);

/* Tests of Q along AXIS: PART computes the cell; it is there.  NULL: that holds. */
const KExpr *march_within(const March *m, const Part *part, int axis, const KExpr *q);
const KExpr *march_exists(const March *m, int axis, const KExpr *q);

/* TEST, if any, as a constant of BODY. */
const KExpr *march_named(const March *m, GPtrArray *body, const char *want, const KExpr *test);

/* The loops over a thread's cells: gives the body of the innermost. */
GPtrArray *march_over_cells(const March *m, GPtrArray *body, MarchCell *cell, gboolean rows,
	gboolean columns);

/* The thread's walk over its planes, at the end of the kernel's body. */
void march_walk(March *m);

/* Computes a thread's cells of the plane, whose places are made, and stores them. */
void march_compute(const March *m, GPtrArray *body);

/* ---- march_store.c ---- */

/* The index of the thread's cell in the target of S, but for what the row adds; MADE as
 * place_offset() has it. */
const KExpr *march_index(const March *m, const Stage *s, const MarchCell *cell, gboolean made);

/* Stores what PART makes of a thread's cells, IN_PLANE those of the plane being computed. */
void march_store(const March *m, const Part *part, GPtrArray *body, const KExpr *in_plane);

/* ---- march_queue.c ---- */

/* Moves what is kept down the queues. */
void march_shift(const March *m, GPtrArray *body);

/* ---- march_laps.c ---- */

/* TRUE if blocks may lap each other. */
gboolean march_may_lap(const March *m);

/* What lies DX beside cell I of a thread is in its block, and so in the grid. */
gboolean march_lap_within(const March *m, int i, int dx);

/* What lies DX beside cell I of a thread comes into PLACE. */
void march_lap_load(const March *m, const Row *row, const KExpr *place, int i, int dx);

/* Likewise what lies DISTANCE beside those of a warp, at the lanes that no other hands it:
 * before the first cell of a thread, and behind the last; NULL: it is not wanted. */
void march_lap_ends(const March *m, const Row *row, int distance, const KExpr *before,
	const KExpr *behind);

/* The place of X, a lane's first column, in ROW's plane, and what lies BESIDE it (NULL: nothing
 * does), but for what a kept address adds, which comes last. */
const KExpr *march_lap_place(const March *m, const Row *row, const KExpr *x,
	const KExpr *beside);

/* Elements of F from column FROM to X. */
const KExpr *march_lap_distance(const March *m, const Field *f, const KExpr *from,
	const KExpr *x);

/* ---- march_deal.c ---- */

/* TRUE if those of F may be dealt out. */
gboolean march_may_deal_field(const March *m, const Field *f);

/* TRUE if rows may be dealt out, and anything is read beside a cell. */
gboolean march_may_deal(const March *m);

/* What that takes, the cells being known; and where the walk begins. */
void march_deal_begin(March *m);
/* Of that, where the lanes are; and where what goes is put. */
void march_deal_lanes(March *m);
void march_deal_results(March *m);
void march_deal_tiles(const March *m, GPtrArray *body);

/* The row's turn: it is loaded, it goes to shared memory, and, all lanes having done so, what is
 * wanted of it comes from there. */
void march_deal_row(const March *m, const Row *row);

/* What a thread makes goes to shared memory, for all lanes to see; and where it is there. */
void march_deal_put(const March *m, const Part *part, GPtrArray *body);
const KExpr *march_deal_made(const March *m, const Part *part, const KExpr *row,
	const KExpr *column);

/* ---- march_edges.c ---- */

/* No cell is read where one is stored: other threads may read what a thread reads. */
gboolean march_may_share(const March *m);

/* TRUE if blocks at the ends of rows may be moved to lie within them. */
gboolean march_may_move(const March *m);

/* Fills the kernel by the walks that the plan's edges ask for. */
void march_edges(const March *m);

/* ---- march_load.c ---- */

/* What is read along AXIS may be beyond the grid. */
gboolean march_may_leave(const March *m, int axis);

/* How S may be read beyond the grid along AXIS. */
Way march_way(const March *m, const KSource *s, int axis, gboolean low, gboolean high,
	gboolean far);

/* TRUE for the lanes whose neighbours DISTANCE away are in another warp, and where
 * OUT (NULL: nowhere) holds. */
const KExpr *march_no_lane(const March *m, int distance, const KExpr *out);

/* Makes the WANTED places of a plane, the cells' own plane being at Z. */
void march_load_plane(const March *m, GPtrArray *body, const KExpr *z, const Block *b, int plane,
	MarchWanted *wanted, Turn turn);

/* What is loaded before the walk, and what comes in at each of its planes. */
MarchWanted march_fills_queue, march_comes_in;

/* ---- march_scatter.c ---- */

/* What is kept comes to life, before the walk. */
void march_scatter_begin(const March *m, GPtrArray *body);

/* The plane at hand being Q: which plane is complete with it. */
void march_scatter_turn(March *m, GPtrArray *body, const KExpr *q, const KExpr *z_first);

/* The first and last planes of a walk give to few of its cells: what they give to others is left
 * out where that saves more than to ask takes. */
gboolean march_scatter_asks(const March *m, const Part *part);

/* What is part of several values gets registers for all cells. */
void march_scatter_names(const March *m, GPtrArray *body);

/* Where the cells that V is of are the walk's. */
GPtrArray *march_scatter_due(const March *m, GPtrArray *body, const ScatterValue *v);

/* What the plane gives to CELL, or ONLY that value of it: sets PLACE, if it completes the cell.
 * BOUND: what the taps of the stage stand for. */
void march_scatter_cell(const March *m, GPtrArray *body, const MarchCell *cell,
	const ScatterValue *only, const KExpr *place, GHashTable *bound, const KVar *const *at);
