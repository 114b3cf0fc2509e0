/* tile.h: what the parts of lower_tile.c share. */
#pragma once

#include "kernel/kir.h"
#include "kernel/lower.h"
#include "kernel/source.h"

#define TILE_PLANES 16 /* that a step may reach over */

typedef struct TileSums TileSums;

/* Part of a value that is worked out a turn before the rest and kept instead of the
 * oldest plane. */
typedef struct {
	Expr *part;         /* NULL: there is none */
	Expr *rest;         /* the value, with the mark instead of the part */
	Expr *mark;
} TileCut;

typedef struct {
	KKernel *k;
	const Plan *plan;   /* in space: of a plane, its rows have no axis (FLAT) */
	gboolean flat;      /* a block is a piece of a row, and walks over rows */
	const Stage *stage;
	const KSource *source; /* of what is there before a step */
	int history;        /* steps before that of which cells read what they were then */
	int vx, rows;       /* cells of a thread, across and down */
	int lanes, groups;  /* threads, likewise */
	int time, group;    /* steps; columns that one instruction moves */
	int reach[IR_MAX_RANK][2]; /* of a step, by axis of the plan: x, y, z */
	EdgeKind kind[IR_MAX_RANK][2]; /* what it reads beyond the faces */
	int lag;            /* planes that a step's result is behind its newest plane */
	int planes;         /* of a step that are at hand */
	gboolean early;     /* rows beside are asked for of the newest plane too */
	int depth;          /* planes whose outer rows, or all of them, are at hand */
	TileSums *sums;     /* NULL: planes are kept, not sums of what they give */
	TileCut cut;
	const KExpr *outside; /* what CUT reads before the first plane, if that is constant */
	const KTile *queue; /* [step][plane][row][column], those before the first step being the
	                     * first; the last step's: what is stored */
	gboolean shares;    /* columns beside a thread's own are in shared memory, too */
	const KTile *beside; /* shared: outer rows, or all of them and what lies around them,
	                      * [step][plane][row][column] */
	const KTile *ahead; /* shared: planes on their way, [plane][row][column] */
	const KTile **past; /* likewise, of what was there before */
	gboolean *asked;    /* by a tap: [plane][row][column] of a step's */
	gboolean *needed;   /* likewise, or for what lies beyond the grid */
	gboolean **behind;  /* likewise, so many columns behind the end of a row that is anywhere:
	                     * from 1 on */
	TileShape shape;    /* where tiles lie */
	const KExpr *at[2]; /* the thread's first cell along x and y */
	const KExpr *tile_at[2]; /* the tile's */
	const KExpr *column, *row, *row_ahead; /* its place in shared memory, in cells */
	const KExpr *turn;  /* planes of the walk before this one */
	const KExpr *edges; /* the warp has cells beyond the region across or down */
	const KExpr *face[2]; /* it has the grid's outermost cells along that axis, and reads on */
	const KExpr *faces; /* any of them */
	const KExpr *gate;  /* NULL: a barrier a turn */
	const KExpr *slot[TILE_PLANES]; /* of beside, by plane */
	GPtrArray *sources, *far;
} TileCode;

/* The place in a step's queue, of all its planes: PLANE counts from the oldest, ROW and COLUMN from
 * the thread's first cell. */
int tile_place_number(const TileCode *t, int plane, int row, int column);

/* Which places of a step's queue some cell of the thread reads, LEAST columns on or more. */
gboolean *tile_asked(const TileCode *t, Arena *arena, int least);

/* ROW and COLUMN count from the thread's first cell, PLANE from the oldest; STEP -1 is what
 * was there before the first. */
const KExpr *tile_queued(const TileCode *t, const KExpr *step, const KExpr *plane,
	const KExpr *row, const KExpr *column);

/* Of the grid, or a box of it, along axis NUMBER of the plan. */
const KExpr *tile_param(const TileCode *t, KParamKind kind, int number);

/* Where TEST holds; OUTER does in BODY. */
GPtrArray *tile_where(KKernel *k, GPtrArray *body, const KExpr *outer, const KExpr *test);

/* Cells beyond END of the region stay, and a step reaches there. */
gboolean tile_keeps(const TileCode *t, int number, int end);

/* One step on from STEP, whose newest plane is Z. */
void tile_step(const TileCode *t, GPtrArray *body, const KExpr *step, const KExpr *z);

/* What is kept instead of the oldest plane, where the plane that is computed is the first. */
void tile_begin_part(const TileCode *t, GPtrArray *body, const KExpr *step);

/* The oldest plane at STEP goes. */
void tile_move_on(const TileCode *t, GPtrArray *body, const KExpr *step);

/* The plane that a cell reads of BEFORE steps before. */
int tile_past_plane(const TileCode *t, int before);

/* ---- tile_ghost.c: what lies beyond the grid ---- */

/* The grid goes on with its other end along axis NUMBER. */
gboolean tile_wraps(const TileCode *t, int number);

/* A step reads beyond END of axis NUMBER what a thread has, or constants. */
gboolean tile_has_ghosts(const TileCode *t, int number, int end);

/* What is read instead is within the cells of a thread and the planes at hand. */
gboolean tile_holds_images(const TileCode *t);

/* Rows may end with any column of a thread, and what is read behind them be at hand. */
gboolean tile_may_end_within(const TileCode *t);

/* Marks it as needed. */
void tile_need_images(TileCode *t, Arena *arena);

/* The coordinate that is INWARD from the outermost one at END of axis NUMBER. */
const KExpr *tile_inward(const TileCode *t, int number, int end, int inward);

/* A lane, or a tile that shares planes, has the outermost cells at END of axis NUMBER. */
const KExpr *tile_at_face(const TileCode *t, int number, int end);

/* Sets the places of STEP beyond the faces, Q being the plane that is computed; those of
 * planes where NEAR holds.  ANY holds in BODY. */
void tile_fill_ghosts(const TileCode *t, GPtrArray *body, const KExpr *any, const KExpr *near,
	const KExpr *step, const KExpr *q);

/* The same beside the newest plane only: columns of rows FIRST to END, which lanes had from
 * those beside them; or rows with the columns beside them. */
void tile_fill_columns(const TileCode *t, GPtrArray *body, const KExpr *step, int first,
	int end);
void tile_fill_rows(const TileCode *t, GPtrArray *body, const KExpr *step);

/* The same for what lies in shared memory: calls WITH for the distances to the outermost
 * cells at END of axis NUMBER, of a place beyond, and of the cell that is read there. */
typedef void (*WithGhost)(const TileCode *t, int end, int distance, int image, gpointer user);

void tile_over_ghosts(const TileCode *t, int number, WithGhost with, gpointer user);

/* ---- tile_share.c: planes that lie in shared memory whole ---- */

/* The rows and columns of a plane there. */
void tile_share_size(const TileCode *t, int *rows, int *columns);

/* What the other threads will ask the newest plane for. */
void tile_share_leave(const TileCode *t, GPtrArray *body, const KExpr *step);

/* What the thread asks for itself, but for its own cells that it has. */
void tile_share_take(const TileCode *t, GPtrArray *body, const KExpr *step);

/* It asks shared memory for that place. */
gboolean tile_shares(const TileCode *t, int plane, int row, int column);

/* ---- tile_sums.c: sums of what each plane gives ---- */

/* NULL: the plan's stage is no sum, or one whose order matters. */
TileSums *tile_sums_new(const Plan *plan, Arena *arena);

/* Before all others in a step. */
void tile_sums_begin(const TileCode *t, GPtrArray *body);

/* Both sides of rows FIRST to END, added. */
void tile_sums_pairs(const TileCode *t, GPtrArray *body, const KExpr *step, int first, int end);

/* All that is constant beyond the grid is the same, or that across and down alone is. */
gboolean tile_sums_hold_constants(const TileCode *t);

/* Some step of the turn whose newest plane is Z has one beyond the grid, or one that others are
 * images of; NULL: there are none. */
const KExpr *tile_sums_near(const TileCode *t, const KExpr *z);

/* Makes PLANE, the newest of STEP, what is read of it beyond the grid: before all others. */
void tile_sums_outside(const TileCode *t, GPtrArray *body, const KExpr *step,
	const KExpr *plane);

/* The sums of STEP in rows FIRST to END, and the plane that is complete.  PLANE is the newest,
 * and NEAR what tile_sums_near says. */
void tile_sums_rows(const TileCode *t, GPtrArray *body, const KExpr *step, const KExpr *plane,
	const KExpr *near, int first, int end);

/* ---- tile_cut.c ---- */

TileCut tile_cut(const TileCode *t, Arena *arena);

/* ---- tile_step.c ---- */

/* Names where the planes' outer rows are in this turn of the walk. */
void tile_slots(TileCode *t, GPtrArray *body);

/* The row and column of the thread in plane SLOT of those on their way to AHEAD. */
const KExpr *tile_ahead(const TileCode *t, const KTile *ahead, const KExpr *slot,
	const KExpr *row, const KExpr *column);

/* Some cell of the thread reads that. */
gboolean tile_is_needed(const TileCode *t, int plane, int row, int column);
