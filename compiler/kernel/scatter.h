/* scatter.h: a stage's value taken apart by planes.
 *
 * While a plane of the sources is at hand, all cells that read it get what it gives: a
 * value that is complete with it is kept, cell by cell, until the plane that needs it
 * last has come.  So only one plane of a source is held at a time, or the last few where
 * more are asked for.  Sums are put in the order of the planes where that is allowed; for
 * all others the order stays, and so do all bits.
 */
#pragma once

#include "kernel/kir.h"
#include "kernel/source.h"

typedef struct {
	Expr *mark;        /* stands for it in the values behind it: a tap of nothing */
	Expr *value;
	int plane, last;   /* that completes it, and that needs it last; of PLANES */
	gboolean named;    /* of one plane only: others of that plane share it */
	const KTile *tile; /* [planes since][row][cell]; of those that are named, where all cells
	                    * have them before the others are made */
} ScatterValue;

typedef struct {
	int lo, hi;        /* distances of the first and last plane */
	int planes;
	GPtrArray *values; /* ScatterValue: the named ones, the stage's own, then those that
	                    * are kept, the last planes' first */
	const ScatterValue *result;
	GHashTable *marks; /* mark → ScatterValue */
	GHashTable *taps;  /* tap of a value → that of the stage */
	int kept;          /* values of a cell that are kept at a time */
} Scatter;

/* What PLAN's stage gives plane by plane along AXIS, HELD planes before the newest being at
 * hand, too: a tap of a value says which of them it reads.  NULL, and *WHY: it is no such
 * stage. */
Scatter *scatter_new(const Plan *plan, int axis, int held, GPtrArray *sources, Arena *arena,
	const char **why);
void scatter_free(Scatter *s);

/* What a cell's values are made of: what a TAP of them reads of the planes at hand, and the
 * register that keeps V since the plane that many before this one has completed it. */
typedef struct {
	const KExpr *(*read)(const Expr *tap, gconstpointer user);
	const KExpr *(*kept)(const ScatterValue *v, int since, gconstpointer user);
	gconstpointer user;
} ScatterCell;

/* All that the plane that has come completes of a cell, its own value going to PLACE; or ONLY one
 * value, of which those that are named and parts of it have tiles, too.  AT as k_value() has it. */
void scatter_complete(KKernel *k, GPtrArray *body, const Scatter *s, const ScatterCell *cell,
	const ScatterValue *only, const KExpr *place, const KVar *const *at);

/* SOURCE is read at the cells that are complete, not at the plane that has come. */
gboolean scatter_is_late(const KSource *source, int axis);
