/* arith.c: operators and built-in functions on values: what meets what. */
#include "sema/internal.h"

#include <math.h>

#include "opt/fold.h"

static const struct {
	ExprOp op;
	const char *text;
} operators[] = {
	[AST_NEG] = { EXPR_NEG, "-" }, [AST_PLUS] = { EXPR_N_OPS, "+" },
	[AST_NOT] = { EXPR_NOT, "!" }, [AST_BITNOT] = { EXPR_BITNOT, "~" },
	[AST_ADD] = { EXPR_ADD, "+" }, [AST_SUB] = { EXPR_SUB, "-" },
	[AST_MUL] = { EXPR_MUL, "*" }, [AST_DIV] = { EXPR_DIV, "/" },
	[AST_REM] = { EXPR_REM, "%" }, [AST_SHL] = { EXPR_SHL, "<<" },
	[AST_SHR] = { EXPR_SHR, ">>" }, [AST_LT] = { EXPR_LT, "<" },
	[AST_LE] = { EXPR_LE, "<=" }, [AST_GT] = { EXPR_GT, ">" },
	[AST_GE] = { EXPR_GE, ">=" }, [AST_EQ] = { EXPR_EQ, "==" },
	[AST_NE] = { EXPR_NE, "!=" }, [AST_BITAND] = { EXPR_BITAND, "&" },
	[AST_BITXOR] = { EXPR_BITXOR, "^" }, [AST_BITOR] = { EXPR_BITOR, "|" },
	[AST_AND] = { EXPR_AND, "&&" }, [AST_OR] = { EXPR_OR, "||" },
};

/* ---- literals alone ---- */

static Value *
literal_overflow(Sema *s, Span at)
{
	diag_error(s->diag, at, "the value of this constant does not fit 64 bits");
	return value_error(s, at);
}

static double
literal_number(const Value *v)
{
	return v->kind == V_INT ? (double)v->integer : v->real;
}

static Value *
literal_divide(Sema *s, Span at, ExprOp op, gint64 a, gint64 b)
{
	if (a == G_MININT64 && b == -1)
		return op == EXPR_REM ? value_int(s, at, 0) : literal_overflow(s, at);
	if (op == EXPR_REM)
		return value_int(s, at, a % b);
	if (a % b != 0 && s->whole == 0) {
		diag_warn(s->diag, WARN_INTEGER_DIVISION, at,
			"%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT
			" is an integer division: it gives %" G_GINT64_FORMAT,
			a, b, a / b);
		diag_help(s->diag,
			"write %" G_GINT64_FORMAT ".0/%" G_GINT64_FORMAT " for the real quotient",
			a, b);
	}
	return value_int(s, at, a / b);
}

static Value *
literal_integers(Sema *s, Span at, ExprOp op, gint64 a, gint64 b)
{
	gint64 r;

	switch (op) {
	case EXPR_ADD:
		return __builtin_add_overflow(a, b, &r) ? literal_overflow(s, at)
							: value_int(s, at, r);
	case EXPR_SUB:
		return __builtin_sub_overflow(a, b, &r) ? literal_overflow(s, at)
							: value_int(s, at, r);
	case EXPR_MUL:
		return __builtin_mul_overflow(a, b, &r) ? literal_overflow(s, at)
							: value_int(s, at, r);
	case EXPR_DIV:
	case EXPR_REM: return literal_divide(s, at, op, a, b);
	case EXPR_MIN: return value_int(s, at, MIN(a, b));
	case EXPR_MAX: return value_int(s, at, MAX(a, b));
	case EXPR_BITAND: return value_int(s, at, a & b);
	case EXPR_BITOR:  return value_int(s, at, a | b);
	case EXPR_BITXOR: return value_int(s, at, a ^ b);
	case EXPR_SHL:
	case EXPR_SHR:
		b &= 63;
		if (op == EXPR_SHR)
			return value_int(s, at, a >> b);
		r = (gint64)((guint64)a << b);
		return r >> b == a ? value_int(s, at, r) : literal_overflow(s, at);
	default:
		return NULL;
	}
}

static Value *
literal_compare(Sema *s, Span at, ExprOp op, const Value *a, const Value *b)
{
	gboolean ints = a->kind == V_INT && b->kind == V_INT;
	double x = literal_number(a), y = literal_number(b);
	int less = ints ? a->integer < b->integer : x < y;
	int equal = ints ? a->integer == b->integer : x == y;
	gboolean r;

	switch (op) {
	case EXPR_LT: r = less; break;
	case EXPR_LE: r = less || equal; break;
	case EXPR_GT: r = !less && !equal; break;
	case EXPR_GE: r = !less; break;
	case EXPR_EQ: r = equal; break;
	default:      r = !equal; break;
	}
	return value_typed(s, at, expr_int(s->st, at, TYPE_BOOL, r));
}

static Value *
value_open(Sema *s, Span at, gboolean real, ExprOp op, int n, Value **arg)
{
	Value *v = value_error(s, at);

	v->kind = real ? V_OPEN_REAL : V_OPEN_INT;
	v->op = op;
	v->n = n;
	for (int i = 0; i < n; i++)
		v->arg[i] = arg[i];
	return v;
}

static Expr *
node_of(Sema *s, Span at, ExprOp op, Type type, int n, Expr **e)
{
	return n == 1 ? expr_unary(s->st, at, op, type, e[0])
		: n == 2 ? expr_binary(s->st, at, op, type, e[0], e[1])
		: expr_ternary(s->st, at, op, type, e[0], e[1], e[2]);
}

/* Evaluates OP on reals in f64 by folding it there. */
static Value *
literal_reals(Sema *s, Span at, ExprOp op, int n, Value **arg)
{
	Expr *e[3] = { NULL };
	Expr *folded;

	for (int i = 0; i < n; i++)
		e[i] = expr_real(s->st, arg[i]->at, TYPE_F64, literal_number(arg[i]));
	folded = fold_expr(s->st, node_of(s, at, op, TYPE_F64, n, e));
	if (folded->op != EXPR_CONST)
		return value_open(s, at, TRUE, op, n, arg);
	if (!isfinite(folded->real)) {
		diag_error(s->diag, at, "this constant has no finite value");
		return value_error(s, at);
	}
	return value_real(s, at, folded->real);
}

/* ---- values that meet ---- */

static Type
wider_kind(Type a, Type b)
{
	if (type_is_real(a) == type_is_real(b))
		return MAX(a, b); /* I32 < I64, F32 < F64 in the order of types.def */
	return type_is_real(a) ? a : b;
}

/* The kind in which the N operands compute, or TYPE_N where only untyped
 * numbers and integers meet and something is untyped. *REAL: it is real. */
static Type
meeting_kind(int n, Value **arg, gboolean *real)
{
	Type kind = TYPE_N;

	*real = FALSE;
	for (int i = 0; i < n; i++) {
		if (arg[i]->kind == V_TYPED) {
			Type k = type_kind(arg[i]->expr->type);
			kind = kind == TYPE_N ? k : wider_kind(kind, k);
		}
		*real = *real || value_is_real(arg[i]);
	}
	if (kind != TYPE_N && *real && !type_is_real(kind))
		return TYPE_N; /* integers and real literals: open */
	return kind;
}

static Value *
make_node(Sema *s, Span at, ExprOp op, Type type, Type kind, int n, Value **arg)
{
	Expr *e[3] = { NULL };

	for (int i = 0; i < n; i++) {
		e[i] = value_coerce(s, arg[i], kind);
		if (e[i] == NULL)
			return value_error(s, at);
	}
	return value_typed(s, at, node_of(s, at, op, type, n, e));
}

/* Arithmetic of N operands of one kind.  WANT_REAL: integers become real. */
static Value *
meet(Sema *s, Span at, ExprOp op, int n, Value **arg, gboolean want_real)
{
	gboolean real;
	Type kind = meeting_kind(n, arg, &real);

	if (kind != TYPE_N && (type_is_real(kind) || !want_real))
		return make_node(s, at, op, kind, kind, n, arg);
	return value_open(s, at, real || want_real, op, n, arg);
}

static gboolean
any_error(int n, Value **arg)
{
	for (int i = 0; i < n; i++)
		if (arg[i]->kind == V_ERROR)
			return TRUE;
	return FALSE;
}

static gboolean
all_literal(int n, Value **arg)
{
	for (int i = 0; i < n; i++)
		if (!value_literal(arg[i]))
			return FALSE;
	return TRUE;
}

static gboolean
all_int(int n, Value **arg)
{
	for (int i = 0; i < n; i++)
		if (value_is_real(arg[i]))
			return FALSE;
	return TRUE;
}

static Value *
want_integers(Sema *s, Span at, const char *text, int n, Value **arg)
{
	for (int i = 0; i < n; i++)
		if (value_is_real(arg[i])) {
			diag_error(s->diag, arg[i]->at, "'%s' is for integers", text);
			if (g_str_equal(text, "%"))
				diag_help(s->diag, "for reals write a - b*trunc(a/b)");
			else if (g_str_equal(text, "^"))
				diag_help(s->diag, "a power is pow(a, b)");
			return value_error(s, at);
		}
	return NULL;
}

static gboolean
is_zero(Sema *s, Value *v)
{
	Expr *e;

	if (value_literal(v))
		return literal_number(v) == 0;
	if (v->kind != V_TYPED)
		return FALSE;
	e = v->expr;
	if (e->op == EXPR_TAP || e->op == EXPR_SCALAR)
		return FALSE;
	e = fold_expr(s->st, e);
	return e->op == EXPR_CONST && (type_is_real(e->type) ? e->real == 0 : e->integer == 0);
}

static Value *
compare(Sema *s, Span at, ExprOp op, Value **arg)
{
	gboolean real;
	Type kind;

	if (all_literal(2, arg))
		return literal_compare(s, at, op, arg[0], arg[1]);
	kind = meeting_kind(2, arg, &real);
	if (kind == TYPE_N)
		kind = real ? TYPE_F32 : TYPE_I32;
	return make_node(s, at, op, TYPE_BOOL, kind, 2, arg);
}

static Value *
logic(Sema *s, Span at, ExprOp op, Value *a, Value *b)
{
	Expr *x = value_bool(s, a), *y = b ? value_bool(s, b) : NULL;

	if (x == NULL || (b && y == NULL))
		return value_error(s, at);
	return value_typed(s, at, b ? expr_binary(s->st, at, op, TYPE_BOOL, x, y)
		: expr_unary(s->st, at, op, TYPE_BOOL, x));
}

/* The left operand's kind decides; the count may be of any integer type. */
static Value *
shift(Sema *s, Span at, ExprOp op, Value **arg)
{
	Type kind;
	Expr *a, *b;

	if (arg[0]->kind != V_TYPED)
		return value_open(s, at, FALSE, op, 2, arg);
	a = value_settle(s, arg[0]);
	b = value_settle(s, arg[1]);
	if (a == NULL || b == NULL)
		return value_error(s, at);
	kind = type_kind(a->type);
	return value_typed(s, at, expr_binary(s->st, at, op, kind, a, b));
}

Value *
value_unary(Sema *s, Span at, AstOp ast, Value *a)
{
	ExprOp op = operators[ast].op;
	Value *bad;

	if (a->kind == V_ERROR)
		return a;
	if (ast == AST_NOT)
		return logic(s, at, op, a, NULL);
	if (ast == AST_BITNOT && (bad = want_integers(s, at, "~", 1, &a)) != NULL)
		return bad;
	if (a->kind == V_INT && ast == AST_NEG)
		return a->integer == G_MININT64 ? literal_overflow(s, at)
						: value_int(s, at, -a->integer);
	if (a->kind == V_INT)
		return value_int(s, at, ast == AST_BITNOT ? ~a->integer : a->integer);
	if (a->kind == V_REAL)
		return value_real(s, at, ast == AST_NEG ? -a->real : a->real);
	if (ast == AST_PLUS)
		return a->kind == V_TYPED ? value_typed(s, at, a->expr) : a;
	return meet(s, at, op, 1, &a, FALSE);
}

Value *
value_binary(Sema *s, Span at, AstOp ast, Value *a, Value *b)
{
	ExprOp op = operators[ast].op;
	ExprShape shape = expr_op_info[op].shape;
	Value *arg[2] = { a, b };
	Value *bad;

	if (any_error(2, arg))
		return value_error(s, at);
	if (shape == SHAPE_LOGIC)
		return logic(s, at, op, a, b);
	if ((shape == SHAPE_INTEGER || shape == SHAPE_SHIFT)
	    && (bad = want_integers(s, at, operators[ast].text, 2, arg)) != NULL)
		return bad;
	if ((op == EXPR_DIV || op == EXPR_REM) && is_zero(s, b)) {
		diag_error(s->diag, b->at, "division by a constant zero");
		return value_error(s, at);
	}
	if (shape == SHAPE_COMPARE)
		return compare(s, at, op, arg);
	if (all_literal(2, arg))
		return all_int(2, arg) ? literal_integers(s, at, op, a->integer, b->integer)
			: literal_reals(s, at, op, 2, arg);
	if (shape == SHAPE_SHIFT)
		return shift(s, at, op, arg);
	return meet(s, at, op, 2, arg, FALSE);
}

Value *
value_select(Sema *s, Span at, Value *c, Value *a, Value *b)
{
	Value *arg[3] = { c, a, b };
	gboolean real;
	Expr *condition, *x, *y;
	Type kind;

	if (any_error(3, arg))
		return value_error(s, at);
	condition = value_bool(s, c);
	if (condition == NULL)
		return value_error(s, at);
	arg[0] = value_typed(s, c->at, condition);
	kind = meeting_kind(2, arg + 1, &real);
	if (kind == TYPE_N)
		return value_open(s, at, real, EXPR_SELECT, 3, arg);
	x = value_coerce(s, a, kind);
	y = value_coerce(s, b, kind);
	if (x == NULL || y == NULL)
		return value_error(s, at);
	return value_typed(s, at, expr_ternary(s->st, at, EXPR_SELECT, kind, condition, x, y));
}

static Value *
literal_abs(Sema *s, Span at, Value *v)
{
	if (v->kind == V_REAL)
		return value_real(s, at, fabs(v->real));
	return v->integer == G_MININT64 ? literal_overflow(s, at)
					: value_int(s, at, ABS(v->integer));
}

static Value *
literal_sign(Sema *s, Span at, Value *v)
{
	double x = literal_number(v);
	int sign = (x > 0) - (x < 0);

	return v->kind == V_REAL ? value_real(s, at, sign) : value_int(s, at, sign);
}

/* A built-in function of one operator. */
Value *
value_function(Sema *s, Span at, ExprOp op, Value **arg)
{
	int n = expr_op_info[op].arity;
	gboolean real = expr_op_info[op].shape == SHAPE_REAL;

	if (any_error(n, arg))
		return value_error(s, at);
	if (all_literal(n, arg)) {
		if (op == EXPR_ABS)
			return literal_abs(s, at, arg[0]);
		if (op == EXPR_SIGN)
			return literal_sign(s, at, arg[0]);
		if (!real && all_int(n, arg))
			return literal_integers(s, at, op, arg[0]->integer, arg[1]->integer);
		return literal_reals(s, at, op, n, arg);
	}
	return meet(s, at, op, n, arg, real);
}
