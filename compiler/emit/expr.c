#include "emit/expr.h"

#include <string.h>

#include "analyze/range.h"
#include "analyze/sign.h"
#include "emit/flow.h"

#define MAX_LEVELS 120 /* of operators in one text: compilers have limits of their own */

/* Which sums are declared part by part: those of what was declared, or all. */
typedef enum { FLOW_NONE, FLOW_LATE, FLOW_ALL } Flows;

struct ExprPrinter {
	Arena *arena;
	Names *names;
	ExprStyle style;
	GHashTable *uses;     /* Expr → number of uses */
	GHashTable *declared; /* Expr → name */
	GHashTable *levels;   /* Expr → levels of operators in its text */
	GHashTable *ranges;
	Flows flows;
	Writer *w;
};

ExprPrinter *
expr_printer_new(Arena *arena, Names *names, const ExprStyle *style)
{
	ExprPrinter *p = g_new0(ExprPrinter, 1);

	p->arena = arena;
	p->names = names;
	p->style = *style;
	p->uses = g_hash_table_new(NULL, NULL);
	p->declared = g_hash_table_new(NULL, NULL);
	p->levels = g_hash_table_new(NULL, NULL);
	p->ranges = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return p;
}

void
expr_printer_free(ExprPrinter *p)
{
	g_hash_table_unref(p->uses);
	g_hash_table_unref(p->declared);
	g_hash_table_unref(p->levels);
	g_hash_table_unref(p->ranges);
	g_free(p);
}

/* ---- operators ---- */

/* How an operator is written.  Without a function: C's infix operator, for
 * integers where it is exact.  With one: FUNCTION, FUNCTIONf for f32. */
static const struct {
	const char *infix;
	Prec prec;
	const char *function;
	gboolean fast; /* stencil_fast_NAME_f32 exists */
} op_text[EXPR_N_OPS] = {
	[EXPR_ADD] = { "+", PREC_ADD, NULL, FALSE },
	[EXPR_SUB] = { "-", PREC_ADD, NULL, FALSE },
	[EXPR_MUL] = { "*", PREC_MUL, NULL, FALSE },
	[EXPR_DIV] = { "/", PREC_MUL, NULL, TRUE },
	[EXPR_REM] = { "%", PREC_MUL, NULL, FALSE },
	[EXPR_BITAND] = { "&", PREC_BITAND, NULL, FALSE },
	[EXPR_BITOR] = { "|", PREC_BITOR, NULL, FALSE },
	[EXPR_BITXOR] = { "^", PREC_BITXOR, NULL, FALSE },
	[EXPR_LT] = { "<", PREC_LESS, NULL, FALSE },
	[EXPR_LE] = { "<=", PREC_LESS, NULL, FALSE },
	[EXPR_GT] = { ">", PREC_LESS, NULL, FALSE },
	[EXPR_GE] = { ">=", PREC_LESS, NULL, FALSE },
	[EXPR_EQ] = { "==", PREC_EQUAL, NULL, FALSE },
	[EXPR_NE] = { "!=", PREC_EQUAL, NULL, FALSE },
	[EXPR_AND] = { "&&", PREC_AND, NULL, FALSE },
	[EXPR_OR] = { "||", PREC_OR, NULL, FALSE },
	[EXPR_ABS] = { NULL, 0, "fabs", FALSE },
	[EXPR_FMA] = { NULL, 0, "fma", FALSE },
	[EXPR_SQRT] = { NULL, 0, "sqrt", TRUE },
	[EXPR_RSQRT] = { NULL, 0, NULL, TRUE },
	[EXPR_CBRT] = { NULL, 0, "cbrt", FALSE },
	[EXPR_EXP] = { NULL, 0, "exp", TRUE },
	[EXPR_EXP2] = { NULL, 0, "exp2", TRUE },
	[EXPR_LOG] = { NULL, 0, "log", TRUE },
	[EXPR_LOG2] = { NULL, 0, "log2", TRUE },
	[EXPR_SIN] = { NULL, 0, "sin", TRUE },
	[EXPR_COS] = { NULL, 0, "cos", TRUE },
	[EXPR_TAN] = { NULL, 0, "tan", TRUE },
	[EXPR_ASIN] = { NULL, 0, "asin", FALSE },
	[EXPR_ACOS] = { NULL, 0, "acos", FALSE },
	[EXPR_ATAN] = { NULL, 0, "atan", FALSE },
	[EXPR_ATAN2] = { NULL, 0, "atan2", FALSE },
	[EXPR_SINH] = { NULL, 0, "sinh", FALSE },
	[EXPR_COSH] = { NULL, 0, "cosh", FALSE },
	[EXPR_TANH] = { NULL, 0, "tanh", FALSE },
	[EXPR_POW] = { NULL, 0, "pow", TRUE },
	[EXPR_HYPOT] = { NULL, 0, "hypot", FALSE },
	[EXPR_FLOOR] = { NULL, 0, "floor", FALSE },
	[EXPR_CEIL] = { NULL, 0, "ceil", FALSE },
	[EXPR_ROUND] = { NULL, 0, "round", FALSE },
	[EXPR_TRUNC] = { NULL, 0, "trunc", FALSE },
};

static Text node_text(ExprPrinter *p, const Expr *e);

static Text
text_of(ExprPrinter *p, const Expr *e)
{
	const char *name = g_hash_table_lookup(p->declared, e);

	return name != NULL ? (Text){ name, PREC_PRIMARY } : node_text(p, e);
}

const char *
expr_text(ExprPrinter *p, const Expr *e, Prec prec)
{
	return text_at(p->arena, text_of(p, e), prec);
}

/* FUNCTION(operands), as in memory where they are of the types STORED; NULL: as values. */
static const char *
applied_text(ExprPrinter *p, const char *function, const Expr *e, const Type *stored)
{
	const char *text = arena_printf(p->arena, "%s(", function);

	for (int i = 0; i < e->n_args; i++) {
		const char *arg = expr_text(p, e->arg[i], PREC_SELECT);

		text = arena_printf(p->arena, "%s%s%s", text, i > 0 ? ", " : "",
			stored != NULL ? store_text(p->arena, stored[i], arg) : arg);
	}
	return arena_printf(p->arena, "%s)", text);
}

static Text
call_text(ExprPrinter *p, const char *function, const Expr *e)
{
	return (Text){ applied_text(p, function, e, NULL), PREC_PRIMARY };
}

/* A call of the user's function, whose parameters and result are as in memory. */
static Text
extern_text(ExprPrinter *p, const Expr *e)
{
	const Extern *f = e->callee;

	return load_text(p->arena, f->type, applied_text(p, f->name, e, f->param));
}

static gboolean
is_truth(const Expr *e)
{
	ExprShape shape = expr_op_info[e->op].shape;

	return shape == SHAPE_COMPARE || shape == SHAPE_LOGIC;
}

/* An operand of an operator of bits or of a comparison, which in C++ must not look
 * like a bool, and which compilers want in parentheses. */
static const char *
careful_text(ExprPrinter *p, const Expr *e)
{
	if (is_truth(e) && g_hash_table_lookup(p->declared, e) == NULL)
		return arena_printf(p->arena, "(int32_t)%s", expr_text(p, e, PREC_UNARY));
	return expr_text(p, e, PREC_ADD);
}

/* E, an integer, is a constant, or is multiplied by one, and there is its negative, too. */
static gboolean
may_be_subtracted(ExprPrinter *p, const Expr *e)
{
	const Expr *times = e->op == EXPR_MUL ? e->arg[0] : e;

	return times->op == EXPR_CONST
		&& expr_range(p->ranges, e).lo > type_min(type_kind(e->type));
}

/* LEFT and the integer E, which is RIGHT: what is added a negative number of times is
 * subtracted. */
static Text
sum_text(ExprPrinter *p, const char *left, const Expr *e, const char *right)
{
	const gboolean less = right[0] == '-' && g_ascii_isdigit(right[1])
		&& may_be_subtracted(p, e);

	if (less)
		right += g_str_has_prefix(right, "-1 * ") ? strlen("-1 * ") : 1;
	return (Text){ arena_printf(p->arena, "%s %c %s", left, less ? '-' : '+', right),
		PREC_ADD };
}

static Text
infix_text(ExprPrinter *p, const Expr *e)
{
	const char *infix = op_text[e->op].infix, *left, *right;
	Prec prec = op_text[e->op].prec;
	ExprShape shape = expr_op_info[e->op].shape;

	if (shape == SHAPE_COMPARE || prec == PREC_BITAND || prec == PREC_BITXOR
		|| prec == PREC_BITOR) {
		Prec inner = shape == SHAPE_COMPARE ? PREC_ADD : PREC_UNARY;

		left = e->arg[0]->op == e->op && shape != SHAPE_COMPARE
			? expr_text(p, e->arg[0], prec)
			: is_truth(e->arg[0]) ? careful_text(p, e->arg[0])
			: expr_text(p, e->arg[0], inner);
		right = is_truth(e->arg[1]) ? careful_text(p, e->arg[1])
			: expr_text(p, e->arg[1], inner);
	} else if (shape == SHAPE_LOGIC) {
		left = expr_text(p, e->arg[0], e->arg[0]->op == e->op ? prec : PREC_BITAND);
		right = expr_text(p, e->arg[1], e->arg[1]->op == e->op ? prec : PREC_BITAND);
	} else {
		left = expr_text(p, e->arg[0], prec);
		right = expr_text(p, e->arg[1], prec + 1);
		if (e->op == EXPR_ADD && !type_is_real(e->type))
			return sum_text(p, left, e->arg[1], right);
	}
	return (Text){ arena_printf(p->arena, "%s %s %s", left, infix, right), prec };
}

static Text
convert_text(ExprPrinter *p, const Expr *e)
{
	const Expr *a = e->arg[0];
	Type to = e->type, kind = type_kind(to), from = type_kind(a->type);
	gboolean cast = FALSE;

	if (to == a->type)
		return text_of(p, a);
	if (!type_is_real(to) && !type_is_real(a->type)) {
		Range r = expr_range(p->ranges, a);

		if (to == TYPE_BOOL && !(r.lo >= 0 && r.hi <= 1))
			return (Text){ arena_printf(p->arena, "%s != 0",
				expr_text(p, a, PREC_ADD)), PREC_EQUAL };
		if (r.lo >= type_min(to) && r.hi <= type_max(to)) {
			if (kind == from)
				return text_of(p, a);
			cast = TRUE;
		}
	} else if (to == TYPE_F32 || to == TYPE_F64) {
		if (kind == from)
			return text_of(p, a);
		cast = TRUE;
	}
	if (cast)
		return (Text){ arena_printf(p->arena, "(%s)%s", kind_ctype(to),
			expr_text(p, a, PREC_UNARY)), PREC_UNARY };
	return call_text(p, arena_printf(p->arena, "stencil_%s_from_%s", type_info[to].name,
		type_info[from].name), e);
}

static Text
select_text(ExprPrinter *p, const Expr *e)
{
	return (Text){ arena_printf(p->arena, "%s ? %s : %s", expr_text(p, e->arg[0], PREC_OR),
		expr_text(p, e->arg[1], PREC_SELECT + 1), expr_text(p, e->arg[2], PREC_SELECT)),
		PREC_SELECT };
}

/* A unary operator before its operand; "- -a" is not written. */
static Text
prefix_text(ExprPrinter *p, const char *op, const char *operand)
{
	if (operand[0] == op[0])
		operand = arena_printf(p->arena, "(%s)", operand);
	return (Text){ arena_printf(p->arena, "%s%s", op, operand), PREC_UNARY };
}

/* E is a quotient or a root of what may be zero in many cells. */
static gboolean
may_be_of_zero(const Expr *e)
{
	if (e->op != EXPR_SQRT && (e->op != EXPR_DIV || expr_is_power_of_two(e->arg[1])))
		return FALSE;
	return expr_has(e->arg[0], expr_is_own) && !expr_is_seldom_zero(e->arg[0]);
}

static gboolean
is_constant(const Expr *e, gint64 value)
{
	return e->op == EXPR_CONST && e->integer == value;
}

/* What E, of integers, is the negative of; NULL: it is not written as such. */
static const Expr *
negated(const Expr *e)
{
	if (e->op == EXPR_NEG)
		return e->arg[0];
	if (e->op == EXPR_SUB && is_constant(e->arg[0], 0))
		return e->arg[1];
	for (int i = 0; i < 2 && e->op == EXPR_MUL; i++)
		if (is_constant(e->arg[i], -1))
			return e->arg[1 - i];
	return NULL;
}

static Text
arith_text(ExprPrinter *p, const Expr *e)
{
	Type kind = type_kind(e->type);
	const char *function = op_text[e->op].function;
	gboolean real = type_is_real(kind);
	gboolean apart = p->style.apart && real && may_be_of_zero(e);

	if (p->style.fast && kind == TYPE_F32 && op_text[e->op].fast)
		return call_text(p, arena_printf(p->arena, "stencil_fast_%s_f32",
			expr_op_info[e->op].spelling), e);
	if (p->style.minus && kind == TYPE_I32 && negated(e) != NULL)
		return (Text){ arena_printf(p->arena, "stencil_minus(%s)", expr_text(p, negated(e),
			PREC_SELECT)), PREC_PRIMARY };
	if (e->op == EXPR_NEG && (real || expr_is_exact(p->ranges, e)))
		return prefix_text(p, "-", expr_text(p, e->arg[0], PREC_UNARY));
	if (op_text[e->op].infix != NULL && (real ? !apart : expr_is_exact(p->ranges, e)))
		return infix_text(p, e);
	if (function != NULL && real && !apart)
		return call_text(p, arena_printf(p->arena, kind == TYPE_F32 ? "%sf" : "%s",
			function), e);
	return call_text(p, arena_printf(p->arena, "stencil_%s_%s", expr_op_info[e->op].spelling,
		type_info[kind].name), e);
}

static Text
node_text(ExprPrinter *p, const Expr *e)
{
	switch (expr_op_info[e->op].shape) {
	case SHAPE_LEAF:
		if (e->op != EXPR_CONST)
			return p->style.leaf(e, p->style.user);
		return type_is_real(e->type) ? real_text(p->arena, e->type, e->real)
			: integer_text(p->arena, e->type, e->integer);
	case SHAPE_INTEGER:
		if (e->op == EXPR_BITNOT)
			return prefix_text(p, "~", is_truth(e->arg[0]) ? careful_text(p, e->arg[0])
				: expr_text(p, e->arg[0], PREC_UNARY));
		if (e->op != EXPR_REM)
			return infix_text(p, e);
		return arith_text(p, e);
	case SHAPE_ARITH:
	case SHAPE_REAL:
	case SHAPE_SHIFT:
		return arith_text(p, e);
	case SHAPE_LOGIC:
		if (e->op == EXPR_NOT)
			return prefix_text(p, "!", expr_text(p, e->arg[0], PREC_UNARY));
		return infix_text(p, e);
	case SHAPE_COMPARE:
		return infix_text(p, e);
	case SHAPE_SELECT:
		return select_text(p, e);
	case SHAPE_CONVERT:
		return convert_text(p, e);
	case SHAPE_CALL:
		return extern_text(p, e);
	}
	g_assert_not_reached();
}

/* ---- declarations ---- */

static void
add_use(ExprPrinter *p, const Expr *e, int n)
{
	int uses = GPOINTER_TO_INT(g_hash_table_lookup(p->uses, e));

	g_hash_table_insert(p->uses, (gpointer)e, GINT_TO_POINTER(uses + n));
}

/* A comparison of a narrow value that its type decides: compilers warn of it, unless
 * the value stands in an int32_t. */
static gboolean
is_decided(ExprPrinter *p, const Expr *e)
{
	Range a, b;

	if (expr_op_info[e->op].shape != SHAPE_COMPARE || type_is_real(e->arg[0]->type))
		return FALSE;
	a = expr_range(p->ranges, e->arg[0]);
	b = expr_range(p->ranges, e->arg[1]);
	return a.hi <= b.lo || b.hi <= a.lo;
}

static void
count_uses(Expr *e, gpointer user)
{
	ExprPrinter *p = user;

	for (int i = 0; i < e->n_args; i++)
		add_use(p, e->arg[i], is_decided(p, e) ? 2 : 1);
}

/* TRUE if the text of E would be nested too deeply.  To be asked of its operands
 * first. */
static gboolean
is_deep(ExprPrinter *p, const Expr *e)
{
	int levels = 0;

	for (int i = 0; i < e->n_args; i++)
		if (!g_hash_table_contains(p->declared, e->arg[i]))
			levels = MAX(levels,
				GPOINTER_TO_INT(g_hash_table_lookup(p->levels, e->arg[i])));
	g_hash_table_insert(p->levels, (gpointer)e, GINT_TO_POINTER(levels + 1));
	return levels + 1 > MAX_LEVELS;
}

/* TRUE if writing E again costs nothing. */
static gboolean
is_plain(const Expr *e)
{
	return e->op != EXPR_TAP && expr_op_info[e->op].shape == SHAPE_LEAF;
}

/* E is a sum that is to stand where it is in the order. */
static gboolean
is_part(const ExprPrinter *p, const Expr *e)
{
	if (p->flows == FLOW_NONE || !flow_is_part(e))
		return FALSE;
	if (p->flows == FLOW_ALL)
		return TRUE;
	for (int i = 0; i < e->n_args; i++)
		if (g_hash_table_contains(p->declared, e->arg[i])
			&& expr_op_info[e->arg[i]->op].shape != SHAPE_LEAF)
			return TRUE;
	return FALSE;
}

static void
declare(Expr *e, gpointer user)
{
	ExprPrinter *p = user;
	int uses = GPOINTER_TO_INT(g_hash_table_lookup(p->uses, e));
	const char *name = e->name;

	if (is_plain(e) || g_hash_table_contains(p->declared, e)
		|| (!is_deep(p, e) && uses < 2 && name == NULL && !is_part(p, e)))
		return;
	if (name == NULL && p->style.name != NULL)
		name = p->style.name(e, p->style.user);
	name = names_take(p->names, name != NULL ? name : "v");
	wr_user_line(p->w, e->at, "const %s %s = %s;", kind_ctype(e->type), name,
		node_text(p, e).text);
	g_hash_table_insert(p->declared, e, (gpointer)name);
}

void
expr_assume(ExprPrinter *p, const Expr *e, gint64 lo, gint64 hi)
{
	Range *r = g_new(Range, 1);

	*r = (Range){ lo, hi };
	g_hash_table_insert(p->ranges, (gpointer)e, r);
}

void
expr_forget(ExprPrinter *p)
{
	g_hash_table_remove_all(p->uses);
	g_hash_table_remove_all(p->declared);
	g_hash_table_remove_all(p->levels);
}

/* Of ROOTS only, in this block. */
static void
begin_declaring(ExprPrinter *p, Writer *w, Expr *const *roots, int n)
{
	expr_forget(p); /* what another block declared is not seen in this one */
	for (int i = 0; i < n; i++)
		add_use(p, roots[i], 1);
	expr_visit(roots, n, count_uses, p);
	p->w = w;
}

void
expr_declare(ExprPrinter *p, Writer *w, Expr *const *roots, int n)
{
	begin_declaring(p, w, roots, n);
	expr_visit(roots, n, declare, p);
	p->w = NULL;
}

void
expr_declare_cell(ExprPrinter *p, Writer *w, Expr *const *values, int n)
{
	GPtrArray *order = flow_order(values, n);

	if (order == NULL) {
		expr_declare(p, w, values, n);
		return;
	}
	begin_declaring(p, w, values, n);
	p->flows = n > 1 ? FLOW_ALL : FLOW_LATE;
	for (guint i = 0; i < order->len; i++)
		declare(g_ptr_array_index(order, i), p);
	p->flows = FLOW_NONE;
	p->w = NULL;
	g_ptr_array_unref(order);
}
