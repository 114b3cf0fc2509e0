/* uniform.h: what of a value is the same for all cells of a step. */
#pragma once

#include "ir/ir.h"

/* The nodes under ROOT that are (Expr): made of scalars and tables by operators, and of the step,
 * unless they are to be the same for ALL_STEPS, too. */
GHashTable *uniform_nodes(Expr *root, gboolean all_steps);
