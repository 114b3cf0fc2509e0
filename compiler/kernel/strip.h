/* strip.h: what the parts of lower_strip.c share with one another, and with
 * lower_chain.c.
 */
#pragma once

#include "kernel/kir.h"
#include "kernel/lower.h"
#include "kernel/source.h"

#define STRIP_WARP 32

/* A component of a field that the steps read or write. */
typedef struct {
	const KSource *source;
	const Stage *stage;  /* that makes its next level; NULL: it stays as it is */
	EdgeKind kind[2][2]; /* what is read beyond the faces, across and down */
	int reach[2][2];     /* how far it is read beside a cell, likewise */
	int group;           /* columns that one instruction moves */
	int rows;            /* of it that a step has at hand; of one that stays, that all have */
	int lag;             /* rows that its newest one is behind the turn's */
	const KTile *queue;  /* [step][row][column]; the last step's holds what is stored.  Of
	                      * one that stays: [row][column] */
	const KTile *ahead;  /* rows on their way, in registers: [row][column] */
	const KTile *ring;   /* ... in shared memory: [warp][row % slots][column]; or NULL */
	const KExpr *column[STRIP_WARP];  /* where a group of the lane's columns begins */
	const KExpr *fetched[STRIP_WARP]; /* where one begins that the lane brings to RING */
} StripField;

typedef struct {
	KKernel *k;
	const Plan *plan;
	const Grid *grid;
	int axis[2];         /* of the grid: x, y */
	int vx, time, radius;
	int halo;            /* columns of a strip, on each side, that it does not store */
	const Boundary *around[2]; /* of the fields that wrap; NULL: none does */
	int keep[2][2];      /* cells at each end that nobody computes, at most */
	StripField *field;
	int n_fields;
	const KExpr *x0, *top; /* the lane's first column, the chunk's first row */
	GPtrArray *sources, *far;
} Strip;

/* ---- lower_strip.c ---- */

/* By the plan; to be released. */
void strip_set_shape(Strip *s, KKernel *k, const Plan *plan);
void strip_release(Strip *s);

/* The queue of a field, cleared. */
void strip_make_queue(const Strip *s, StripField *f);

const KExpr *strip_param(const Strip *s, KParamKind kind, int number);

/* Boundaries that a lane serves from its own cells, and rows of a field that is stepped
 * from those at hand. */
gboolean strip_has_ghosts(const StripField *f, int number, int end);

/* Where the place DISTANCE beyond a face is read instead, from the outermost one. */
int strip_image(EdgeKind kind, int distance);

/* The cell COLUMN of the lane, of the row DY below the one that STEP computes. */
const KExpr *strip_near(const Strip *s, const StripField *f, const KExpr *step, int dy,
	const KExpr *column);

/* ---- strip_rows.c: rows in, rows out ---- */

/* Where the strip's columns and the lane's lie in memory. */
void strip_set_columns(Strip *s, int stored);

/* Where the row that F takes in the turn of row Y begins. */
const KExpr *strip_row_start(const Strip *s, GPtrArray *body, const StripField *f,
	const KExpr *y);

/* The rows that are on their way before the first. */
void strip_send_first(Strip *s);

/* What the turn of row Y finds: the newest rows of all fields; one more of each is sent
 * for. */
void strip_take_rows(const Strip *s, GPtrArray *body, const KExpr *y);

/* What the last step has made of row Q. */
void strip_store_row(const Strip *s, GPtrArray *body, const KExpr *q);

/* ---- strip_step.c ---- */

/* One step on from STEP, the turn being that of row Y.  INSIDE: the row is within the
 * region, and so is all that it reads. */
void strip_step(const Strip *s, GPtrArray *body, const KExpr *step, const KExpr *y,
	gboolean inside);

/* The columns beside the lane's own of row ROW of a field that stays: all that are
 * asked for. */
void strip_widen(const Strip *s, GPtrArray *body, const StripField *f, int row);
