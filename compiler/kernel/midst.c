/* midst.c: tests of where the grid ends, and folds there, far from all of its faces. */
#include "kernel/midst.h"

typedef enum { LIMIT_NONE, LIMIT_LOW, LIMIT_HIGH } LimitSide;

static LimitSide
limit_side(const KExpr *e)
{
	if (e->op == K_ADD && e->arg[1]->op == K_INT)
		e = e->arg[0];
	if (e->op != K_PARAM)
		return LIMIT_NONE;
	switch (e->param->kind) {
	case KP_CELLS_LO:
	case KP_REGION_LO:
	case KP_FIRST:
		return LIMIT_LOW;
	case KP_CELLS_HI:
	case KP_REGION_HI:
	case KP_LAST:
		return LIMIT_HIGH;
	default:
		return LIMIT_NONE;
	}
}

static const KExpr *
truth(KKernel *k, gboolean value)
{
	return k_int(k, value);
}

/* Likewise of how far it is from there to a cell. */
static LimitSide
distance_side(const KExpr *e)
{
	return e->op == K_SUB && limit_side(e->arg[1]) == LIMIT_NONE ? limit_side(e->arg[0])
		: limit_side(e);
}

/* The residue of a cell, which is the one that is counted on. */
static gboolean
is_phase(const KExpr *e)
{
	if (e->op != K_REM)
		return FALSE;
	for (e = e->arg[0]; e->op == K_ADD; e = e->arg[0])
		;
	return limit_side(e) == LIMIT_LOW;
}

static const KExpr *
compared(KKernel *k, KOp op, const KExpr *a, const KExpr *b)
{
	LimitSide left = distance_side(a), right = distance_side(b);

	if (is_phase(a) || is_phase(b))
		return truth(k, op == K_GE);
	if (left != LIMIT_NONE)
		return truth(k, (left == LIMIT_LOW) == (op == K_LT));
	if (right != LIMIT_NONE)
		return truth(k, (right == LIMIT_HIGH) == (op == K_LT));
	return k_binary(k, op, a, b);
}

static const KExpr *
joined(KKernel *k, KOp op, const KExpr *a, const KExpr *b)
{
	gboolean decides = op == K_OR; /* the value that settles it */

	if (a->op == K_INT)
		return (a->value != 0) == decides ? a : b;
	if (b->op == K_INT)
		return (b->value != 0) == decides ? b : a;
	return k_binary(k, op, a, b);
}

const KExpr *
midst_of(KKernel *k, const KExpr *e)
{
	const KExpr *a = e->n > 0 ? midst_of(k, e->arg[0]) : NULL;
	const KExpr *b = e->n > 1 ? midst_of(k, e->arg[1]) : NULL;

	switch (e->op) {
	case K_INT:
	case K_VAR:
	case K_PARAM:
	case K_ELEMENT:
	case K_SHUFFLE:
	case K_VALUE:
		return e;
	case K_SELECT:
		return a->op != K_INT ? e : a->value != 0 ? b : midst_of(k, e->arg[2]);
	case K_ANY:
		return k_any(k, a);
	case K_NOT:
		return a->op == K_INT ? truth(k, a->value == 0) : k_not(k, a);
	case K_WIDE:
	case K_SHORT:
	case K_FOLD:
		return a;
	case K_LT:
	case K_GE:
		return compared(k, e->op, a, b);
	case K_AND:
	case K_OR:
		return joined(k, e->op, a, b);
	case K_MIN:
		return limit_side(b) == LIMIT_HIGH ? a : limit_side(a) == LIMIT_HIGH ? b
			: k_binary(k, e->op, a, b);
	case K_MAX:
		return limit_side(b) == LIMIT_LOW ? a : limit_side(a) == LIMIT_LOW ? b
			: k_binary(k, e->op, a, b);
	default:
		return k_binary(k, e->op, a, b);
	}
}
