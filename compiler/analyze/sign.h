/* sign.h: reals that are hardly ever zero. */
#pragma once

#include "ir/ir.h"

/* E is a number above zero, or no number, whatever its taps are, if its scalars are. */
gboolean expr_is_seldom_zero(const Expr *e);
