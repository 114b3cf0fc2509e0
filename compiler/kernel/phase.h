/* phase.h: what repeats along an axis: x % 2, and where in a coarser cell a cell lies. */
#pragma once

#include "kernel/kir.h"

/* The cells of a thread along an axis of the grid, of which the first is RESIDUE more than a
 * multiple of PERIOD; 1: nothing is known of it. */
typedef struct {
	int period, residue;
} Phase;

/* The period becomes a multiple of those along AXIS that a thread of CELLS has whole numbers of:
 * of what STAGE asks of its cells' places, and of the maps of its taps. */
void phase_meet(Phase *phase, const Stage *stage, int axis, int cells);

/* ROOT, of a cell that is PLACE cells behind the thread's first one along each axis, with what
 * its place alone decides bound to what that comes to. */
Expr *phase_bind(KKernel *k, GPtrArray *body, Expr *root, const Phase *phase,
	const KExpr *const *place, GHashTable *bound);
