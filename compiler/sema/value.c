/* value.c: untyped numbers and the types they take.
 *
 * A literal has no type until it meets one (language, Values).  Literals that
 * meet only literals are evaluated at once, in i64 or f64; an operation that
 * also has run-time parts, such as i*0.5, stays open as a tree until a real
 * operand or its destination gives it a type.
 */
#include "sema/internal.h"

#include <math.h>

#include "opt/fold.h"

static Value *
value_new(Sema *s, ValueKind kind, Span at)
{
	Value *v = arena_make(s->arena, Value);

	v->kind = kind;
	v->at = at;
	return v;
}

Value *
value_error(Sema *s, Span at)
{
	return value_new(s, V_ERROR, at);
}

Value *
value_int(Sema *s, Span at, gint64 integer)
{
	Value *v = value_new(s, V_INT, at);

	v->integer = integer;
	return v;
}

Value *
value_real(Sema *s, Span at, double real)
{
	Value *v = value_new(s, V_REAL, at);

	v->real = real;
	return v;
}

Value *
value_typed(Sema *s, Span at, Expr *e)
{
	Value *v = value_new(s, V_TYPED, at);

	v->expr = e;
	return v;
}

Expr *
constant_expr(Sema *s, Span at, const Constant *k)
{
	return type_is_real(k->type) ? expr_real(s->st, at, k->type, k->real)
		: expr_int(s->st, at, k->type, k->integer);
}

Value *
value_constant(Sema *s, Span at, const Constant *k)
{
	return value_typed(s, at, constant_expr(s, at, k));
}

gboolean
value_is_real(const Value *v)
{
	return v->kind == V_REAL || v->kind == V_OPEN_REAL
		|| (v->kind == V_TYPED && type_is_real(v->expr->type));
}

gboolean
value_literal(const Value *v)
{
	return v->kind == V_INT || v->kind == V_REAL;
}

/* An integer literal as a constant of TYPE. */
static Expr *
literal_int(Sema *s, const Value *v, Type type)
{
	if (type_is_real(type)) {
		if (isfinite(type_round(type, (double)v->integer)))
			return expr_real(s->st, v->at, type, (double)v->integer);
		diag_error(s->diag, v->at, "%" G_GINT64_FORMAT " does not fit %s", v->integer,
			type_info[type].name);
		return NULL;
	}
	if (v->integer < type_min(type) || v->integer > type_max(type)) {
		diag_error(s->diag, v->at, "%" G_GINT64_FORMAT " does not fit %s", v->integer,
			type_info[type].name);
		diag_note(s->diag, (Span){ 0 },
			"%s holds %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, type_info[type].name,
			type_min(type), type_max(type));
		return NULL;
	}
	return expr_int(s->st, v->at, type, v->integer);
}

static Expr *
literal_real(Sema *s, const Value *v, Type type)
{
	if (!type_is_real(type)) {
		diag_error(s->diag, v->at, "a real number does not become %s by itself",
			type_info[type].name);
		diag_help(s->diag, "write the conversion: %s(...)", type_info[type].name);
		return NULL;
	}
	if (isfinite(v->real) && !isfinite(type_round(type, v->real))) {
		diag_error(s->diag, v->at, "%g does not fit %s", v->real, type_info[type].name);
		return NULL;
	}
	return expr_real(s->st, v->at, type, v->real);
}

/* TRUE for an open value that only chooses between literals. */
static gboolean
chooses_literals(const Value *v)
{
	if (value_literal(v))
		return TRUE;
	return (v->kind == V_OPEN_INT || v->kind == V_OPEN_REAL) && v->op == EXPR_SELECT
		&& chooses_literals(v->arg[1]) && chooses_literals(v->arg[2]);
}

/* The operand that an operator does not unite with the others: a condition, a
 * shift count. */
static gboolean
operand_stands_apart(ExprOp op, int i)
{
	return op == EXPR_SELECT ? i == 0 : (op == EXPR_SHL || op == EXPR_SHR) && i == 1;
}

/* `%`, bits and shifts, whose value is an integer whatever it is to become. */
static gboolean
stays_integer(ExprOp op)
{
	return expr_op_info[op].shape == SHAPE_INTEGER || expr_op_info[op].shape == SHAPE_SHIFT;
}

static Expr *
coerce_open(Sema *s, Value *v, Type kind, Type literal)
{
	Expr *arg[3];

	if (type_is_real(kind) && stays_integer(v->op)) {
		Expr *e = coerce_open(s, v, TYPE_I32, TYPE_I32);

		return e != NULL ? expr_unary(s->st, v->at, EXPR_CONVERT, kind, e) : NULL;
	}
	for (int i = 0; i < v->n; i++) {
		Value *a = v->arg[i];

		if (operand_stands_apart(v->op, i))
			arg[i] = a->kind == V_TYPED ? a->expr : value_settle(s, a);
		else if (value_literal(a) && type_kind(literal) == kind && literal != kind) {
			/* rounded once, to the type of the destination */
			Expr *e = a->kind == V_INT ? literal_int(s, a, literal)
						   : literal_real(s, a, literal);
			arg[i] = e;
		} else if (literal != kind && a->kind != V_TYPED && !value_literal(a))
			arg[i] = coerce_open(s, a, kind, literal);
		else
			arg[i] = value_coerce(s, a, kind);
		if (arg[i] == NULL)
			return NULL;
	}
	return v->n == 1 ? expr_unary(s->st, v->at, v->op, kind, arg[0])
		: v->n == 2 ? expr_binary(s->st, v->at, v->op, kind, arg[0], arg[1])
		: expr_ternary(s->st, v->at, v->op, kind, arg[0], arg[1], arg[2]);
}

/* V as an operand of compute kind KIND.  A typed value of another kind is
 * converted; whether that may happen unasked is the caller's business. */
Expr *
value_coerce(Sema *s, Value *v, Type kind)
{
	switch (v->kind) {
	case V_ERROR:
		return NULL;
	case V_INT:
		return literal_int(s, v, kind);
	case V_REAL:
		return literal_real(s, v, kind);
	case V_OPEN_INT:
		return coerce_open(s, v, kind, kind);
	case V_OPEN_REAL:
		if (!type_is_real(kind)) {
			diag_error(s->diag, v->at, "a real value does not become %s by itself",
				type_info[kind].name);
			diag_help(s->diag, "write the conversion: %s(...)", type_info[kind].name);
			return NULL;
		}
		return coerce_open(s, v, kind, kind);
	case V_TYPED:
		if (type_kind(v->expr->type) == kind)
			return v->expr;
		return expr_unary(s->st, v->at, EXPR_CONVERT, kind, v->expr);
	}
	g_assert_not_reached();
}

/* V in the type it has when it meets nothing. */
Expr *
value_settle(Sema *s, Value *v)
{
	if (v->kind == V_TYPED)
		return v->expr;
	if (v->kind == V_INT && (v->integer < G_MININT32 || v->integer > G_MAXINT32)) {
		diag_error(s->diag, v->at, "%" G_GINT64_FORMAT " does not fit i32", v->integer);
		diag_help(
			s->diag, "write i64(%" G_GINT64_FORMAT ") for a 64-bit number", v->integer);
		return NULL;
	}
	return value_coerce(s, v, value_is_real(v) ? TYPE_F32 : TYPE_I32);
}

/* V as a condition: what is not bool is compared with 0. */
Expr *
value_bool(Sema *s, Value *v)
{
	Expr *e;

	if (v->kind == V_INT)
		return expr_int(s->st, v->at, TYPE_BOOL, v->integer != 0);
	e = value_settle(s, v);
	if (e == NULL || e->type == TYPE_BOOL)
		return e;
	return expr_unary(s->st, v->at, EXPR_CONVERT, TYPE_BOOL, e);
}

static void
narrowing(Sema *s, Type from, Type to, Span at, const char *what)
{
	diag_error(s->diag, at, "%s is %s, and %s does not become %s by itself", what,
		type_info[to].name, type_info[from].name, type_info[to].name);
	if (at.file != NULL) /* not of a -D, which takes numbers only */
		diag_help(s->diag, "write the conversion: %s(...)", type_info[to].name);
}

/* V for a destination of TYPE (WHAT names it) by the rules of Storing. */
Expr *
value_store(Sema *s, Value *v, Type type, Span at, const char *what)
{
	Type kind = type_kind(type);
	Expr *e;

	switch (v->kind) {
	case V_ERROR:
		return NULL;
	case V_INT:
		return literal_int(s, v, type);
	case V_REAL:
		if (!type_is_real(type)) {
			narrowing(s, TYPE_F32, type, v->at, what);
			return NULL;
		}
		return literal_real(s, v, type);
	case V_OPEN_INT:
		if (!chooses_literals(v) && !type_is_real(type) && !type_widens(TYPE_I32, type)
			&& type != TYPE_I32) {
			narrowing(s, TYPE_I32, type, at, what);
			return NULL;
		}
		e = coerce_open(s, v, kind, chooses_literals(v) ? type : kind);
		break;
	case V_OPEN_REAL:
		if (!type_is_real(type)) {
			narrowing(s, TYPE_F32, type, at, what);
			return NULL;
		}
		e = coerce_open(s, v, kind, chooses_literals(v) ? type : kind);
		break;
	case V_TYPED:
		e = v->expr;
		if (e->type != type && !type_widens(e->type, type)) {
			narrowing(s, e->type, type, at, what);
			return NULL;
		}
		break;
	default:
		g_assert_not_reached();
	}
	if (e == NULL || e->type == type)
		return e;
	return expr_unary(s->st, at, EXPR_CONVERT, type, e);
}

/* T(e): what the user writes to narrow.  A literal is rounded once. */
Expr *
value_convert(Sema *s, Value *v, Type type, Span at)
{
	Expr *e;

	if (v->kind == V_ERROR)
		return NULL;
	if (value_literal(v) && type_is_real(type))
		return expr_real(s->st, at, type, v->kind == V_INT ? (double)v->integer : v->real);
	if (v->kind == V_INT)
		e = expr_int(s->st, at, TYPE_I64, v->integer);
	else if (v->kind == V_REAL)
		e = expr_real(s->st, at, TYPE_F64, v->real);
	else if (v->kind == V_OPEN_REAL && type == TYPE_F64)
		e = value_coerce(s, v, TYPE_F64);
	else if (v->kind == V_OPEN_INT && type == TYPE_I64)
		e = value_coerce(s, v, TYPE_I64);
	else
		e = value_settle(s, v);
	if (e == NULL)
		return NULL;
	return expr_unary(s->st, at, EXPR_CONVERT, type, e);
}

static void
find_scalar(Expr *e, gpointer user)
{
	const Scalar **found = user;

	if (e->op == EXPR_SCALAR && *found == NULL)
		*found = e->scalar;
}

/* E would be a constant but for a scalar.  WHOLE: an integer, too. */
static void
help_constant(Sema *s, Expr *e, gboolean whole)
{
	const Scalar *scalar = NULL;

	expr_visit(&e, 1, find_scalar, &scalar);
	if (scalar != NULL)
		diag_help(s->diag, "'%s' is given at run time; what is fixed before is `const %s "
			"%s`", scalar->name, type_info[whole ? TYPE_I32 : scalar->type].name,
			scalar->name);
}

/* WHAT would be E. */
static void
report_not_constant(Sema *s, Expr *e, Span at, const char *what)
{
	diag_error(s->diag, at, "%s is not a constant", what);
	diag_note(s->diag, (Span){ 0 }, "it must be known when the program is compiled");
	help_constant(s, e, FALSE);
}

gboolean
value_const(Sema *s, Value *v, Type type, Constant *out, const char *what)
{
	Expr *e = value_store(s, v, type, v->at, what);

	if (e == NULL)
		return FALSE;
	e = fold_expr(s->st, e);
	if (e->op != EXPR_CONST) {
		report_not_constant(s, e, v->at, what);
		return FALSE;
	}
	out->type = type;
	if (type_is_real(type))
		out->real = e->real;
	else
		out->integer = e->integer;
	return TRUE;
}

gboolean
value_const_int(Sema *s, Value *v, gint64 *out, const char *what)
{
	Constant k;

	if (v->kind == V_ERROR)
		return FALSE;
	if (v->kind == V_INT) {
		*out = v->integer;
		return TRUE;
	}
	if (value_is_real(v)) {
		diag_error(s->diag, v->at, "%s must be an integer", what);
		if (v->kind == V_TYPED)
			help_constant(s, v->expr, TRUE);
		return FALSE;
	}
	if (!value_const(s, v, TYPE_I64, &k, what))
		return FALSE;
	*out = k.integer;
	return TRUE;
}
