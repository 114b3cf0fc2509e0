/* range.h: which values an integer expression can have, so that C's own operators
 * can be printed where they cannot overflow.
 */
#pragma once

#include "ir/ir.h"

typedef struct {
	gint64 lo, hi;
} Range;

/* MEMO (Expr → Range) is filled; free its values with g_free.  E is of an integer
 * type. */
Range expr_range(GHashTable *memo, const Expr *e);

/* TRUE if C's operator for E (neg, add, sub, mul, div, rem, abs) is E's meaning for
 * all values that its operands can have. */
gboolean expr_is_exact(GHashTable *memo, const Expr *e);
