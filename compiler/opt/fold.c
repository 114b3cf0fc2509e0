/* fold.c: constant folding.
 *
 * Afterwards no operator has only constant operands, calls of extern functions
 * excepted, and none of the identities below applies.  All of them hold for
 * every value, bit for bit (of a NaN: that it is one).  So x + 0 and x * 0 stay
 * where they are real, nothing is reassociated, and a conversion of a product
 * stays even to its own type: it keeps the product from being contracted.
 */
#include "opt/fold.h"

#include <math.h>

#include "opt/opt.h"

static gboolean
is_const(const Expr *e)
{
	return e->op == EXPR_CONST;
}

static gboolean
is_int(const Expr *e, gint64 value)
{
	return is_const(e) && !type_is_real(e->type) && e->integer == value;
}

static gboolean
is_real(const Expr *e, double value)
{
	return is_const(e) && type_is_real(e->type) && e->real == value
		&& signbit(e->real) == signbit(value);
}

static Expr *
zero_like(Stencil *s, const Expr *e)
{
	return expr_int(s, e->at, e->type, 0);
}

static Expr *
truth(Stencil *s, const Expr *e, gboolean value)
{
	return expr_int(s, e->at, TYPE_BOOL, value);
}

/* E, all operands being constants, as a constant; NULL: it has no value. */
static Expr *
fold_constant(Stencil *s, const Expr *e)
{
	FoldValue arg[3] = { { 0 } }, value;
	Type type[3];

	if (e->n_args == 0 || e->op == EXPR_CALL)
		return NULL;
	for (int i = 0; i < e->n_args; i++) {
		if (!is_const(e->arg[i]))
			return NULL;
		type[i] = e->arg[i]->type;
		if (type_is_real(type[i]))
			arg[i].real = e->arg[i]->real;
		else
			arg[i].integer = e->arg[i]->integer;
	}
	if (!fold_value(e->op, e->type, type, arg, &value))
		return NULL;
	return type_is_real(e->type) ? expr_real(s, e->at, e->type, value.real)
		: expr_int(s, e->at, e->type, value.integer);
}

/* ---- identities: what E is the same as, or NULL ---- */

static Expr *
fold_neutral(const Expr *e)
{
	Expr *a = e->arg[0], *b = e->arg[1];

	switch ((int)e->op) {
	case EXPR_ADD:
		return is_int(b, 0) || is_real(b, -0.0) ? a
			: is_int(a, 0) || is_real(a, -0.0) ? b : NULL;
	case EXPR_SUB:
		return is_int(b, 0) || is_real(b, 0.0) ? a : NULL;
	case EXPR_MUL:
		return is_int(b, 1) || is_real(b, 1) ? a
			: is_int(a, 1) || is_real(a, 1) ? b : NULL;
	case EXPR_DIV:
		return is_int(b, 1) || is_real(b, 1) ? a : NULL;
	case EXPR_BITAND:
		return a == b || is_int(b, -1) ? a : is_int(a, -1) ? b : NULL;
	case EXPR_BITOR:
		return a == b || is_int(b, 0) ? a : is_int(a, 0) ? b : NULL;
	case EXPR_BITXOR:
		return is_int(b, 0) ? a : is_int(a, 0) ? b : NULL;
	case EXPR_AND:
		return a == b || is_int(b, 1) ? a : is_int(a, 1) ? b : NULL;
	case EXPR_OR:
		return a == b || is_int(b, 0) ? a : is_int(a, 0) ? b : NULL;
	case EXPR_MIN:
	case EXPR_MAX:
		return a == b ? a : NULL;
	case EXPR_SHL:
	case EXPR_SHR:
		return is_const(b) && (b->integer & (type_kind(a->type) == TYPE_I32 ? 31 : 63)) == 0
			? a : NULL;
	default:
		return NULL;
	}
}

static Expr *
fold_absorbing(Stencil *s, const Expr *e)
{
	Expr *a = e->arg[0], *b = e->arg[1];

	switch ((int)e->op) {
	case EXPR_SUB:
	case EXPR_BITXOR:
		return a == b && !type_is_real(a->type) ? zero_like(s, e) : NULL;
	case EXPR_MUL:
	case EXPR_BITAND:
		return is_int(a, 0) || is_int(b, 0) ? zero_like(s, e) : NULL;
	case EXPR_BITOR:
		return is_int(a, -1) || is_int(b, -1) ? expr_int(s, e->at, e->type, -1) : NULL;
	case EXPR_DIV:
		return is_int(a, 0) || is_int(b, 0) ? zero_like(s, e) : NULL;
	case EXPR_REM:
		return is_int(b, 0) ? a : is_int(a, 0) || is_int(b, 1) || is_int(b, -1)
			? zero_like(s, e) : NULL;
	case EXPR_SHL:
	case EXPR_SHR:
		return is_int(a, 0) ? zero_like(s, e) : NULL;
	case EXPR_AND:
		return is_int(a, 0) || is_int(b, 0) ? truth(s, e, FALSE) : NULL;
	case EXPR_OR:
		return is_int(a, 1) || is_int(b, 1) ? truth(s, e, TRUE) : NULL;
	default:
		return NULL;
	}
}

/* A value compared with itself: all is known but where it may be a NaN. */
static Expr *
fold_same(Stencil *s, const Expr *e)
{
	gboolean real = type_is_real(e->arg[0]->type);

	if (e->arg[0] != e->arg[1])
		return NULL;
	switch ((int)e->op) {
	case EXPR_LT:
	case EXPR_GT:
		return truth(s, e, FALSE);
	case EXPR_LE:
	case EXPR_GE:
	case EXPR_EQ:
		return real ? NULL : truth(s, e, TRUE);
	case EXPR_NE:
		return real ? NULL : truth(s, e, FALSE);
	default:
		return NULL;
	}
}

/* The comparison that is true where E is false, or E's own operator. */
static ExprOp
opposite(const Expr *e)
{
	static const ExprOp of[EXPR_N_OPS] = {
		[EXPR_LT] = EXPR_GE, [EXPR_GE] = EXPR_LT, [EXPR_LE] = EXPR_GT,
		[EXPR_GT] = EXPR_LE, [EXPR_EQ] = EXPR_NE, [EXPR_NE] = EXPR_EQ,
	};
	gboolean total = expr_op_info[e->op].shape == SHAPE_COMPARE
		&& (!type_is_real(e->arg[0]->type) || e->op == EXPR_EQ || e->op == EXPR_NE);

	return total ? of[e->op] : e->op;
}

static Expr *
fold_unary(Stencil *s, const Expr *e)
{
	Expr *a = e->arg[0];

	switch ((int)e->op) {
	case EXPR_NEG:
	case EXPR_BITNOT:
		return a->op == e->op ? a->arg[0] : NULL;
	case EXPR_NOT:
		if (a->op == EXPR_NOT)
			return a->arg[0];
		if (opposite(a) == a->op)
			return NULL;
		return expr_binary(s, e->at, opposite(a), TYPE_BOOL, a->arg[0], a->arg[1]);
	case EXPR_ABS:
		if (a->op == EXPR_ABS)
			return a;
		return a->op == EXPR_NEG ? expr_unary(s, e->at, EXPR_ABS, e->type, a->arg[0])
					 : NULL;
	case EXPR_FLOOR:
	case EXPR_CEIL:
	case EXPR_ROUND:
	case EXPR_TRUNC:
		return a->op == EXPR_FLOOR || a->op == EXPR_CEIL || a->op == EXPR_ROUND
			|| a->op == EXPR_TRUNC ? a : NULL;
	default:
		return NULL;
	}
}

static Expr *
fold_select(Stencil *s, const Expr *e)
{
	Expr *c = e->arg[0], *a = e->arg[1], *b = e->arg[2];

	if (is_const(c))
		return c->integer != 0 ? a : b;
	if (a == b)
		return a;
	if (c->op == EXPR_NOT)
		return expr_ternary(s, e->at, EXPR_SELECT, e->type, c->arg[0], b, a);
	return NULL;
}

/* TRUE if every value of FROM is one of TO. */
static gboolean
is_exact(Type from, Type to)
{
	if (type_is_real(from) || !type_is_real(to))
		return type_widens(from, to);
	return to == TYPE_F64 && type_kind(from) == TYPE_I32;
}

static Expr *
fold_conversion(Stencil *s, const Expr *e)
{
	Expr *a = e->arg[0];

	if (type_kind(a->type) == type_kind(e->type) && is_exact(a->type, e->type)
	    && !(a->op == EXPR_MUL && type_is_real(a->type)))
		return a;
	if (a->op == EXPR_CONVERT && is_exact(a->arg[0]->type, a->type)
	    && type_kind(a->arg[0]->type) != type_kind(a->type))
		return expr_unary(s, e->at, EXPR_CONVERT, e->type, a->arg[0]);
	return NULL;
}

static Expr *
fold_extent(Stencil *s, const Expr *e)
{
	const Bound *b = bound_extent(s->bounds, e->extent.grid, e->extent.axis);

	return b->kind == BOUND_CONST ? expr_int(s, e->at, e->type, b->value) : NULL;
}

static Expr *
fold_identity(Stencil *s, const Expr *e)
{
	Expr *same = NULL;

	switch (expr_op_info[e->op].shape) {
	case SHAPE_LEAF:
		return e->op == EXPR_EXTENT ? fold_extent(s, e) : NULL;
	case SHAPE_SELECT:
		return fold_select(s, e);
	case SHAPE_CONVERT:
		return fold_conversion(s, e);
	case SHAPE_CALL:
		return NULL;
	default:
		break;
	}
	if (e->n_args == 1)
		return fold_unary(s, e);
	if (e->n_args == 2)
		same = fold_neutral(e);
	if (e->n_args == 2 && same == NULL)
		same = fold_absorbing(s, e);
	if (e->n_args == 2 && same == NULL)
		same = fold_same(s, e);
	return same;
}

static Expr *
fold_node(Stencil *s, Expr *e, gpointer user)
{
	(void)user;
	for (;;) {
		Expr *now = fold_constant(s, e);

		if (now != NULL)
			return now;
		now = fold_identity(s, e);
		if (now == NULL)
			return e;
		e = now;
	}
}

Expr *
fold_expr(Stencil *s, Expr *e)
{
	return expr_rewrite(s, e, fold_node, NULL, NULL);
}

static void
fold_root(Stencil *s, Stage *stage, Expr **root, gpointer memo)
{
	Type type = (*root)->type;

	(void)stage;
	*root = expr_rewrite(s, *root, fold_node, NULL, memo);
	if ((*root)->type != type)
		*root = expr_unary(s, (*root)->at, EXPR_CONVERT, type, *root);
}

void
opt_fold(Stencil *s)
{
	GHashTable *memo = g_hash_table_new(NULL, NULL);

	opt_roots(s, fold_root, memo);
	g_hash_table_unref(memo);
}
