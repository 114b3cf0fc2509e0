/* bound.h: integers that are known at the call: bounds of boxes as symbolic
 * expressions in the extents of the grids and the caller's box.
 *
 * Nodes are immutable and hash-consed per table, and kept in a normal form, so
 * equal pointers are equal bounds, and simple inequalities can be decided.
 */
#pragma once

#include <glib.h>

#include "base/arena.h"

struct Grid;

typedef enum {
	BOUND_CONST,  /* value */
	BOUND_EXTENT, /* size of grid along axis */
	BOUND_BOX_LO, /* the caller's compute box, default grid, along axis */
	BOUND_BOX_HI,
	BOUND_SUM,    /* value + sum of factor[i]*arg[i]; args are not CONST or SUM */
	BOUND_FLOOR,  /* floor(arg[0] / value), value > 1 */
	BOUND_MIN,    /* of all args, at least two */
	BOUND_MAX,
} BoundKind;

typedef struct Bound Bound;
struct Bound {
	BoundKind kind;
	guint id; /* order of creation */
	gint64 value;
	struct Grid *grid;
	int axis;
	int n;
	const Bound **arg;
	gint64 *factor;
	const Bound *limit; /* boxes: the default grid's extent there, NULL until
	                     * bound_extent was asked for it; GRID likewise */
};

typedef struct BoundTable BoundTable;

BoundTable *bound_table_new(Arena *arena);
void bound_table_free(BoundTable *table);

const Bound *bound_const(BoundTable *table, gint64 value);
/* Derived grids become ceil(base/div)*mul, fixed extents constants. */
const Bound *bound_extent(BoundTable *table, struct Grid *grid, int axis);
const Bound *bound_box(BoundTable *table, int axis, gboolean high);
const Bound *bound_add(BoundTable *table, const Bound *a, gint64 c);
const Bound *bound_sum(BoundTable *table, const Bound *a, const Bound *b);
const Bound *bound_scale(BoundTable *table, const Bound *a, gint64 k);
const Bound *bound_floor(BoundTable *table, const Bound *a, gint64 d); /* floor(a/d), d > 0 */
const Bound *bound_ceil(BoundTable *table, const Bound *a, gint64 d);
const Bound *bound_min(BoundTable *table, const Bound *a, const Bound *b);
const Bound *bound_max(BoundTable *table, const Bound *a, const Bound *b);

/* B for a call without a box, whose default grid is GRID. */
const Bound *bound_unboxed(BoundTable *table, const Bound *b, struct Grid *grid);

/* TRUE if a <= b whatever the extents (>= 1) are; FALSE: not known. */
gboolean bound_at_most(const Bound *a, const Bound *b);

/* The value when every extent and box is given by LOOK. */
typedef gint64 (*BoundLook)(const Bound *leaf, gpointer user);
gint64 bound_value(const Bound *bound, BoundLook look, gpointer user);

/* "max(1, nz - 2)"; extents are n+axis or GRID_n+axis, boxes lo.z and hi.z. */
void bound_print(const Bound *bound, GString *out);
