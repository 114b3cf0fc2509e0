/* place.h: from coordinates to memory, shared by the lowerings. */
#pragma once

#include "kernel/kir.h"
#include "kernel/source.h"

/* One axis of what is read. */
typedef struct {
	const Grid *grid;
	int axis;
	const Boundary *boundary; /* NULL: no computed cell reads beyond the grid */
	gboolean may[2];          /* Q may lie beyond that face */
	gboolean far;             /* and by more than a boundary can bring back: cells that
	                           * nobody computes lie there */
} Way;

/* The coordinate that is read for Q: folded by the boundary, within the grid
 * whatever Q is. */
const KExpr *place_land(KKernel *k, const Way *way, const KExpr *q);

/* The coordinate that is INWARD from the outermost one of GRID at END of AXIS: 0: from its first
 * one, 1: from its last. */
const KExpr *place_inward(KKernel *k, const Grid *grid, int axis, int end, int inward);

/* Q lies beyond the outermost one. */
const KExpr *place_outside(KKernel *k, const Grid *grid, int axis, int end, const KExpr *q);

/* END of where STAGE, or the kernel's first (NULL), is computed along AXIS: 0: the first
 * coordinate, 1: the one behind the last.  Q lies beyond it; and between both. */
const KExpr *place_region(KKernel *k, const Grid *grid, int axis, const Stage *stage, int end);
const KExpr *place_uncomputed(KKernel *k, const Grid *grid, int axis, const Stage *stage, int end,
	const KExpr *q);
const KExpr *place_computed(KKernel *k, const Grid *grid, int axis, const Stage *stage,
	const KExpr *q);
/* And all N from Q on do so. */
const KExpr *place_all_computed(KKernel *k, const Grid *grid, int axis, const Stage *stage,
	const KExpr *q, int n);

/* Q lies beyond a face that reads a constant; NULL: it never does. */
const KExpr *place_beyond(KKernel *k, const Way *way, int face, const KExpr *q);

/* Where the place DISTANCE beyond a face of KIND is read instead, from the outermost cell. */
int place_image(EdgeKind kind, int distance);

/* Along an axis that is read REACH cells on, faces being of KIND: beyond END is read what is made
 * of cells near that, or is constant. */
static inline gboolean
place_has_ghosts(const int reach[2], const EdgeKind kind[2], int end)
{
	return reach[end] > 0 && kind[end] != EDGE_KEEP && kind[end] != EDGE_WRAP;
}

/* How far towards END lies what is read at the distance D, or what stands for it beyond the other
 * end. */
int place_towards(const int reach[2], const EdgeKind kind[2], int end, int d);

/* Elements from the origin of the field's memory to coordinate Q along AXIS.  MADE, here and
 * below: of the level that the step makes, where that lies in other rows. */
const KExpr *place_offset(KKernel *k, const Field *f, gboolean made, int axis, const KExpr *q);

/* Elements from there to Q, or to where the grid goes on with it: the other end, if it goes AROUND;
 * else the outermost cell, if Q MAY lie beyond a face. */
const KExpr *place_landed(KKernel *k, const Field *f, int axis, const Boundary *around,
	const gboolean may[2], const KExpr *q);

/* Elements from a cell to its neighbour along AXIS, all of which are the cell's: 1, or the
 * components of an interleaved field; 0: there are others in between. */
int place_apart(const Field *f, int axis);

/* Elements that lie together and are aligned where WIDTH cells of a row are. */
int place_together(const Field *f, int width);

/* Elements from a coordinate along AXIS to the next. */
const KExpr *place_stride(KKernel *k, const Field *f, gboolean made, int axis);

/* Elements to component C; NULL for the first. */
const KExpr *place_component(KKernel *k, const Field *f, gboolean made, int c);

/* TRUE if neighbours along AXIS are neighbours in memory. */
gboolean place_is_dense(const Field *f, int axis);

/* A + B; either may be NULL, which is 0. */
const KExpr *place_sum(KKernel *k, const KExpr *a, const KExpr *b);

/* Q's place along M's axis, as a tap maps it. */
const KExpr *place_mapped(KKernel *k, const AxisMap *m, const KExpr *q);

/* Puts into PLACE what TAP reads at the cell AT: any tap, element by element.  Along the axes
 * WITHIN (AXIS_BIT) of the cell nothing of it lies beyond the grid. */
void place_load_tap(KKernel *k, GPtrArray *body, const Expr *tap, const KVar *const *at,
	unsigned within, const KExpr *place);

/* What B says is read beyond END of AXIS, which is a number. */
const KExpr *place_constant(KKernel *k, const Boundary *b, int axis, int end);

/* After a load of what stands at coordinates Q of N axes, of which the last, the slowest, counts:
 * what constant faces read instead.  One whose Q is NULL is none of the field's. */
void place_constants(KKernel *k, GPtrArray *body, int n, const Way *way, const KExpr *const *q,
	const KExpr *place);

/* What all constant faces of N WAYS read; NULL: there is none, or they do not read the same. */
const KExpr *place_only_constant(KKernel *k, int n, const Way *way);

/* Likewise of F's axes, each of which has a WAY and a Q. */
void place_all_constants(KKernel *k, GPtrArray *body, const Field *f, const Way *way,
	const KExpr *const *q, const KExpr *place);
