/* flow.h: the order in which nodes are computed where much of them takes long. */
#pragma once

#include "ir/ir.h"

/* The nodes of the N ROOTS, operands before those that use them, and sums as soon as their terms
 * are there, so that few terms are kept: those that take long have branches, over which compilers
 * move nothing; and of several values each would wait for all before it.  NULL: there is one value,
 * of which little takes long. */
GPtrArray *flow_order(Expr *const *roots, int n);

/* E is a part of such a sum: it is to stand where it is in the order. */
gboolean flow_is_part(const Expr *e);
