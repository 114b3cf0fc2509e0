/* fold-value.c: operators applied to constants.
 *
 * Integers wrap and never trap.  Reals are computed in their kind, every result
 * rounded to it; exp, sin and their like are computed in double and rounded.
 */
#include "opt/fold.h"

#include <math.h>

/* ---- integers: computed in 64 bits, wrapped to the kind ---- */

static gint64
wrap(Type kind, guint64 v)
{
	return kind == TYPE_I32 ? (gint64)(gint32)(guint32)v : (gint64)v;
}

static gint64
divide(gint64 a, gint64 b)
{
	return b == 0 ? 0 : b == -1 ? (gint64)(0 - (guint64)a) : a / b;
}

static gint64
remainder_of(gint64 a, gint64 b)
{
	return b == 0 ? a : b == -1 ? 0 : a % b;
}

static gboolean
integer_value(ExprOp op, Type kind, const FoldValue *arg, gint64 *value)
{
	gint64 a = arg[0].integer, b = arg[1].integer;
	guint64 ua = (guint64)a, ub = (guint64)b, v;
	int count = (int)(ub & (kind == TYPE_I32 ? 31 : 63));

	switch ((int)op) {
	case EXPR_NEG:    v = 0 - ua; break;
	case EXPR_ADD:    v = ua + ub; break;
	case EXPR_SUB:    v = ua - ub; break;
	case EXPR_MUL:    v = ua * ub; break;
	case EXPR_DIV:    v = (guint64)divide(a, b); break;
	case EXPR_REM:    v = (guint64)remainder_of(a, b); break;
	case EXPR_MIN:    v = (guint64)MIN(a, b); break;
	case EXPR_MAX:    v = (guint64)MAX(a, b); break;
	case EXPR_ABS:    v = a < 0 ? 0 - ua : ua; break;
	case EXPR_SIGN:   v = (guint64)((a > 0) - (a < 0)); break;
	case EXPR_BITNOT: v = ~ua; break;
	case EXPR_BITAND: v = ua & ub; break;
	case EXPR_BITOR:  v = ua | ub; break;
	case EXPR_BITXOR: v = ua ^ ub; break;
	case EXPR_SHL:    v = ua << count; break;
	case EXPR_SHR:    v = (guint64)(a >> count); break;
	default:          return FALSE;
	}
	*value = wrap(kind, v);
	return TRUE;
}

/* ---- reals ---- */

/* The smaller one, SIGN 1, or the larger, SIGN -1. */
static double
least(double a, double b, int sign)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	if (a == b)
		return (signbit(a) != 0) == (sign > 0) ? a : b;
	return (a < b) == (sign > 0) ? a : b;
}

/* 1/sqrt(a), both rounded to the kind. */
static double
inverse_root(Type kind, double a)
{
	return 1.0 / type_round(kind, sqrt(a));
}

/* What is correctly rounded in double and then to f32 is correctly rounded to
 * f32: + - * / and the square root are innocuous that way, an fma is not. */
static double
fused(Type kind, double a, double b, double c)
{
	return kind == TYPE_F32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
}

static gboolean
real_value(ExprOp op, Type kind, const FoldValue *arg, double *value)
{
	double a = arg[0].real, b = arg[1].real, v;

	switch ((int)op) {
	case EXPR_NEG:   v = -a; break;
	case EXPR_ADD:   v = a + b; break;
	case EXPR_SUB:   v = a - b; break;
	case EXPR_MUL:   v = a * b; break;
	case EXPR_DIV:   v = a / b; break;
	case EXPR_MIN:   v = least(a, b, 1); break;
	case EXPR_MAX:   v = least(a, b, -1); break;
	case EXPR_ABS:   v = fabs(a); break;
	case EXPR_SIGN:  v = (a > 0) - (a < 0); break;
	case EXPR_FMA:   v = fused(kind, a, b, arg[2].real); break;
	case EXPR_SQRT:  v = sqrt(a); break;
	case EXPR_RSQRT: v = inverse_root(kind, a); break;
	case EXPR_CBRT:  v = cbrt(a); break;
	case EXPR_EXP:   v = exp(a); break;
	case EXPR_EXP2:  v = exp2(a); break;
	case EXPR_LOG:   v = log(a); break;
	case EXPR_LOG2:  v = log2(a); break;
	case EXPR_SIN:   v = sin(a); break;
	case EXPR_COS:   v = cos(a); break;
	case EXPR_TAN:   v = tan(a); break;
	case EXPR_ASIN:  v = asin(a); break;
	case EXPR_ACOS:  v = acos(a); break;
	case EXPR_ATAN:  v = atan(a); break;
	case EXPR_ATAN2: v = atan2(a, b); break;
	case EXPR_SINH:  v = sinh(a); break;
	case EXPR_COSH:  v = cosh(a); break;
	case EXPR_TANH:  v = tanh(a); break;
	case EXPR_POW:   v = pow(a, b); break;
	case EXPR_HYPOT: v = hypot(a, b); break;
	case EXPR_FLOOR: v = floor(a); break;
	case EXPR_CEIL:  v = ceil(a); break;
	case EXPR_ROUND: v = round(a); break;
	case EXPR_TRUNC: v = trunc(a); break;
	default:         return FALSE;
	}
	*value = isnan(v) ? (double)NAN : type_round(kind, v);
	return TRUE;
}

/* ---- comparisons and conversions ---- */

static gboolean
compare_value(ExprOp op, gboolean less, gboolean equal, gboolean greater, gint64 *value)
{
	switch ((int)op) {
	case EXPR_LT: *value = less; break;
	case EXPR_LE: *value = less || equal; break;
	case EXPR_GT: *value = greater; break;
	case EXPR_GE: *value = greater || equal; break;
	case EXPR_EQ: *value = equal; break;
	case EXPR_NE: *value = !equal; break;
	default:      return FALSE;
	}
	return TRUE;
}

/* V rounded to odd in double: rounding that again to fewer bits rounds V once. */
static double
odd_double(gint64 v)
{
	guint64 size = v < 0 ? 0 - (guint64)v : (guint64)v;
	int extra = 0;

	while (size >> extra >= (G_GUINT64_CONSTANT(1) << 53))
		extra++;

	guint64 kept = size >> extra;

	if (kept << extra != size)
		kept |= 1;
	return ldexp(v < 0 ? -(double)kept : (double)kept, extra);
}

static gint64
to_integer(Type to, double v)
{
	if (isnan(v))
		return 0;
	v = nearbyint(v);
	if (v <= (double)type_min(to))
		return type_min(to);
	return v >= (double)type_max(to) ? type_max(to) : (gint64)v;
}

FoldValue
fold_convert(Type to, Type from, FoldValue value)
{
	gboolean real = type_is_real(from);

	if (to == TYPE_BOOL)
		return (FoldValue){ .integer = real ? value.real != 0 : value.integer != 0 };
	if (!type_is_real(to))
		return (FoldValue){ .integer = real ? to_integer(to, value.real)
			: CLAMP(value.integer, type_min(to), type_max(to)) };
	if (real)
		return (FoldValue){ .real = type_round(to, value.real) };
	if (to == TYPE_F64)
		return (FoldValue){ .real = (double)value.integer };
	return (FoldValue){ .real = type_round(to, odd_double(value.integer)) };
}

static gboolean
logic_value(ExprOp op, const FoldValue *arg, gint64 *value)
{
	switch ((int)op) {
	case EXPR_NOT: *value = !arg[0].integer; break;
	case EXPR_AND: *value = arg[0].integer && arg[1].integer; break;
	case EXPR_OR:  *value = arg[0].integer || arg[1].integer; break;
	default:       return FALSE;
	}
	return TRUE;
}

gboolean
fold_value(ExprOp op, Type type, const Type *arg_type, const FoldValue *arg, FoldValue *value)
{
	FoldValue a, b;

	switch (expr_op_info[op].shape) {
	case SHAPE_LEAF:
	case SHAPE_CALL:
		return FALSE;
	case SHAPE_CONVERT:
		*value = fold_convert(type, arg_type[0], arg[0]);
		return TRUE;
	case SHAPE_SELECT:
		*value = arg[0].integer ? arg[1] : arg[2];
		return TRUE;
	case SHAPE_LOGIC:
		return logic_value(op, arg, &value->integer);
	case SHAPE_COMPARE:
		a = arg[0];
		b = arg[1];
		if (type_is_real(arg_type[0]))
			return compare_value(op, a.real < b.real, a.real == b.real, a.real > b.real,
				&value->integer);
		return compare_value(op, a.integer < b.integer, a.integer == b.integer,
			a.integer > b.integer, &value->integer);
	case SHAPE_ARITH:
	case SHAPE_REAL:
	case SHAPE_INTEGER:
	case SHAPE_SHIFT:
		if (type_is_real(arg_type[0]))
			return real_value(op, type_kind(arg_type[0]), arg, &value->real);
		return integer_value(op, type_kind(arg_type[0]), arg, &value->integer);
	}
	g_assert_not_reached();
}
