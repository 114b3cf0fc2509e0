/* sign.c: a sum of squares and of something that keeps it from zero, and what is made of it. */
#include "analyze/sign.h"

#define MOST_LEVELS 12 /* of a graph whose parts are walked through as often as asked for */

typedef enum { SIGN_ANY, SIGN_NOT_NEGATIVE, SIGN_POSITIVE } Sign;

static gboolean
is_above_zero(const Expr *e)
{
	return e->op == EXPR_CONST && type_is_real(e->type) && e->real > 0;
}

static Sign sign_of(const Expr *e, int levels);

static Sign
sign_of_product(const Expr *a, const Expr *b, int levels)
{
	return MAX(a == b ? SIGN_NOT_NEGATIVE : SIGN_ANY,
		MIN(sign_of(a, levels), sign_of(b, levels)));
}

static Sign
sign_of_sum(Sign a, Sign b)
{
	return MIN(a, b) == SIGN_ANY ? SIGN_ANY : MAX(a, b);
}

static Sign
sign_of(const Expr *e, int levels)
{
	Expr *const *arg = e->arg;

	if (levels-- == 0)
		return SIGN_ANY;
	switch ((int)e->op) {
	case EXPR_CONST:
		return is_above_zero(e) ? SIGN_POSITIVE : type_is_real(e->type) && e->real == 0
			? SIGN_NOT_NEGATIVE : SIGN_ANY;
	case EXPR_SCALAR: /* who adds it to squares means it to keep them from zero */
		return SIGN_POSITIVE;
	case EXPR_MUL:
	case EXPR_DIV:
		return sign_of_product(arg[0], arg[1], levels);
	case EXPR_ADD:
		return sign_of_sum(sign_of(arg[0], levels), sign_of(arg[1], levels));
	case EXPR_FMA:
		return sign_of_sum(sign_of_product(arg[0], arg[1], levels),
			sign_of(arg[2], levels));
	case EXPR_MAX: /* of what is no number and a constant it is the constant */
		if (is_above_zero(arg[0]) || is_above_zero(arg[1]))
			return SIGN_POSITIVE;
		return MIN(sign_of(arg[0], levels), sign_of(arg[1], levels));
	case EXPR_MIN:
		return MIN(sign_of(arg[0], levels), sign_of(arg[1], levels));
	case EXPR_SELECT:
		return MIN(sign_of(arg[1], levels), sign_of(arg[2], levels));
	case EXPR_SQRT:
	case EXPR_ABS:
		return MAX(sign_of(arg[0], levels), SIGN_NOT_NEGATIVE);
	case EXPR_EXP:
	case EXPR_EXP2:
		return SIGN_POSITIVE;
	default:
		return SIGN_ANY;
	}
}

gboolean
expr_is_seldom_zero(const Expr *e)
{
	return sign_of(e, MOST_LEVELS) == SIGN_POSITIVE;
}
