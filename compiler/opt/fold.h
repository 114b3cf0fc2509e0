/* fold.h: constants. */
#pragma once

#include "ir/ir.h"

typedef union {
	gint64 integer;
	double real;
} FoldValue;

/* The value of OP, giving TYPE, for constant operands of the given types, with
 * the language's meaning.  FALSE: OP has no value here (a leaf, a call). */
gboolean fold_value(ExprOp op, Type type, const Type *arg_type, const FoldValue *arg,
	FoldValue *value);

/* VALUE, of the type FROM, converted as by TO(value). */
FoldValue fold_convert(Type to, Type from, FoldValue value);

/* E with everything folded that is constant, and with the identities applied
 * that hold for every value.  The result has E's compute kind and may have a
 * narrower type. */
Expr *fold_expr(Stencil *s, Expr *e);
