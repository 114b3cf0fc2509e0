/* uniform.h: what of a value is the same for all cells of a step. */
#pragma once

#include "ir/ir.h"

/* The nodes under ROOT that are (Expr): made of scalars, tables and the step, by operators. */
GHashTable *uniform_nodes(Expr *root);
