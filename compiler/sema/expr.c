/* expr.c: expressions of the language as values.
 *
 * An expression is read where its context says: in a scope, on a grid, at a
 * cell that the subscripts of the calls around it may have moved.
 */
#include "sema/internal.h"

#include <string.h>

static const char a_field[] = "a field or a table";

static Value *
wrong_kind(Ctx *c, const Symbol *sym, Span at, const char *wanted)
{
	diag_error(c->s->diag, at, "'%s' is %s, and %s is expected here", sym->name,
		symbol_what(sym), wanted);
	diag_note(c->s->diag, sym->at, "it is declared here");
	if (sym->kind == SYM_SCALAR && wanted == a_field)
		diag_help(c->s->diag, "a field is declared with 'in', 'out' or 'inout'");
	return value_error(c->s, at);
}

/* ---- names ---- */

/* Where no cell is, and what is read need not be constant all the same, or is a choice. */
static const char *const of_no_cell[] = {
	"require", "until", "a boundary", "a scalar argument", "a compile-time if", NULL,
};

static Value *
axis_without_cell(Ctx *c, const char *name, Span at)
{
	const char *what = c->scalar_only;

	if (g_strv_contains(of_no_cell, what)) {
		diag_error(c->s->diag, at, "%s has no cell: the coordinate '%s' is not known", what,
			name);
		sema_help_choice(c);
		return value_error(c->s, at);
	}
	diag_error(c->s->diag, at, "%s must be known when compiling, and '%s' is an axis",
		g_str_equal(what, "a subscript") ? "an offset" : what, name);
	diag_note(c->s->diag, (Span){ 0 },
		"an axis is each cell's own coordinate; it is made of numbers, constants, `const` "
		"parameters and loop variables");
	return value_error(c->s, at);
}

static Value *
expand_coordinate(Ctx *c, int axis, const char *name, Span at)
{
	Expr like = { .op = EXPR_COORD, .type = TYPE_I32, .at = at };

	if (c->scalar_only)
		return axis_without_cell(c, name, at);
	if (!(c->space.axes & AXIS_BIT(axis))) {
		diag_error(c->s->diag, at, "this statement has no axis '%s'", name);
		return value_error(c->s, at);
	}
	like.coord = c->at[axis];
	return value_typed(c->s, at, expr_node(c->s->st, &like));
}

static Value *
expand_step(Ctx *c, Span at)
{
	Expr like = { .op = EXPR_STEP, .type = TYPE_I32, .at = at, .step = c->time };

	if (c->scalar_only) {
		diag_error(c->s->diag, at, "%s cannot use 't'", c->scalar_only);
		sema_help_choice(c);
		return value_error(c->s, at);
	}
	c->s->st->uses_step = TRUE;
	return value_typed(c->s, at, expr_node(c->s->st, &like));
}

static Value *
expand_unbound(Ctx *c, const AstExpr *e)
{
	int axis;

	if (g_str_equal(e->name, "t"))
		return expand_step(c, e->at);
	axis = sema_axis(c, e->name);
	if (axis >= 0)
		return expand_coordinate(c, axis, e->name, e->at);
	if (file_axis(c->scope->file, e->name, NULL)) {
		if (c->scalar_only)
			return axis_without_cell(c, e->name, e->at);
		sema_other_axis(c, e->name, e->at);
		return value_error(c->s, e->at);
	}
	sema_unknown(c, e->name, e->at, "name");
	return value_error(c->s, e->at);
}

static Value *
expand_result(Ctx *c, Symbol *sym, Span at)
{
	Expr like = {
		.op = EXPR_RESULT, .type = sym->result->type, .at = at, .result = sym->result
	};
	int assigned;

	if (c->scalar_only && !c->results) {
		diag_error(
			c->s->diag, at, "%s cannot use the result '%s'", c->scalar_only, sym->name);
		return value_error(c->s, at);
	}
	assigned = g_array_index(c->s->result_assigned, int, sym->result->index);
	if (assigned == 0 || assigned > c->seq) {
		diag_error(c->s->diag, at, "'%s' is read before it is assigned", sym->name);
		return value_error(c->s, at);
	}
	return value_typed(c->s, at, expr_node(c->s->st, &like));
}

/* A number that is bound to a name: that of a loop, or what was given for a scalar. */
static Value *
expand_number(Ctx *c, const Symbol *sym, Span at)
{
	if (c->scalar_only && !c->results && sym->result) {
		diag_error(c->s->diag, at, "%s cannot use '%s', which is made of the result '%s'",
			c->scalar_only, sym->name, sym->result->name);
		return value_error(c->s, at);
	}
	return sym->value;
}

static Value *
expand_constant(Ctx *c, Symbol *sym, Span at)
{
	Constant *k = sema_constant(c->s, sym);

	if (!k)
		return value_error(c->s, at);
	if (sym->dims.n > 0)
		return wrong_kind(c, sym, at, "a value");
	return value_constant(c->s, at, k);
}

/* A value that belongs to one cell is not known at another. */
static Value *
expand_fixed(Ctx *c, Symbol *sym, Span at)
{
	gboolean moved = c->time != sym->value_time;

	for (int a = 0; a < IR_MAX_RANK; a++)
		moved = moved || memcmp(&c->at[a], &sym->value_map[a], sizeof c->at[a]) != 0;
	if (moved && sym->value->kind == V_TYPED && sym->value->expr->op != EXPR_CONST) {
		diag_error(c->s->diag, at, "'%s' is a value of one cell: it has no neighbours",
			sym->name);
		diag_help(
			c->s->diag, "declare the parameter without a type: it is then substituted");
		return value_error(c->s, at);
	}
	return sym->value;
}

static void
local_has_no_neighbours(Ctx *c, const Symbol *sym, Span at)
{
	diag_error(c->s->diag, at, "'%s' is a local value: it has no neighbours", sym->name);
	diag_help(c->s->diag, "make it a field: temp %s %s = ...",
		type_info[sym->stmt->type].name, sym->name);
}

static Value *
expand_local_name(Ctx *c, Symbol *sym, Span at)
{
	Expr *e;

	if (c->shifted) {
		local_has_no_neighbours(c, sym, at);
		return value_error(c->s, at);
	}
	e = sema_local(c, sym, at);
	return e ? value_typed(c->s, at, e) : value_error(c->s, at);
}

static Value *
expand_argument(Ctx *c, const Symbol *sym)
{
	Ctx inner = *c;

	inner.scope = sym->scope;
	inner.frame = sym->frame;
	return expand(&inner, sym->expr);
}

static Value *
expand_scalar(Ctx *c, Symbol *sym, Span at)
{
	Expr like = {
		.op = EXPR_SCALAR, .type = sym->scalar->type, .at = at, .scalar = sym->scalar
	};

	sym->scalar->used = TRUE;
	return value_typed(c->s, at, expr_node(c->s->st, &like));
}

static Value *
expand_symbol(Ctx *c, Symbol *sym, Span at)
{
	static const Subscript here;

	sema_use(c->s, sym);
	switch (sym->kind) {
	case SYM_FIELD:  return expand_field(c, &sym->field, sym->name, &here, at);
	case SYM_SCALAR: return expand_scalar(c, sym, at);
	case SYM_CONST:  return expand_constant(c, sym, at);
	case SYM_NUMBER: return expand_number(c, sym, at);
	case SYM_VALUE:  return expand_fixed(c, sym, at);
	case SYM_AXIS:   return expand_coordinate(c, sym->axis, sym->name, at);
	case SYM_LOCAL:  return expand_local_name(c, sym, at);
	case SYM_ARG:    return expand_argument(c, sym);
	case SYM_RESULT: return expand_result(c, sym, at);
	case SYM_BROKEN: return value_error(c->s, at);
	case SYM_TABLE: case SYM_GRID: case SYM_DEF: case SYM_EXTERN: case SYM_STENCIL:
		return wrong_kind(c, sym, at, "a value");
	}
	g_assert_not_reached();
}

/* ---- subscripts ---- */

static Value *
expand_element(Ctx *c, Symbol *sym, const AstExpr *e)
{
	Sema *s = c->s;
	Expr like = { .op = EXPR_ELEMENT, .at = e->at };
	Constant *k = NULL;
	gint64 index;

	if (sym->kind == SYM_CONST && !(k = sema_constant(s, sym)))
		return value_error(s, e->at);
	if (!sema_constants_subscript(c, &e->list, &sym->dims, sym->name, e->at, &index))
		return value_error(s, e->at);
	if (k)
		return value_constant(s, e->at, &k[index]);
	sym->table->used = TRUE;
	like.type = sym->table->type;
	like.element.table = sym->table;
	like.element.index = (int)index;
	return value_typed(s, e->at, expr_node(s->st, &like));
}

static gboolean
is_table(const Symbol *sym)
{
	return sym->kind == SYM_TABLE || (sym->kind == SYM_CONST && sym->top->dims.n > 0);
}

/* One number for all cells. */
static gboolean
is_number(const Symbol *sym)
{
	return sym->kind == SYM_SCALAR || sym->kind == SYM_NUMBER || sym->kind == SYM_RESULT
		|| (sym->kind == SYM_CONST && !is_table(sym));
}

/* What an argument stands for where it is a name: through calls within calls.  The name of a number
 * stays an expression, which has no taps to shift. */
static Symbol *
follow_argument(Sema *s, Symbol *sym)
{
	while (sym && sym->kind == SYM_ARG && sym->expr->kind == AST_NAME) {
		Symbol *next = scope_find(sym->scope, sym->expr->name);

		if (!next || is_number(next))
			return sym;
		sema_use(s, sym);
		sym = next;
	}
	return sym;
}

/* Reads E, a whole expression, at the cell that SUB names. */
static Value *
expand_shifted(Ctx *c, const AstExpr *e, const Subscript *sub, Span at,
	Value *(*read)(Ctx *, const AstExpr *))
{
	gboolean ok = TRUE;
	Value *v;

	ctx_shift(c, sub, &ok);
	if (!ok)
		return value_error(c->s, at);
	v = read(c, e);
	if (sub->n_component > 0 && v->kind != V_ERROR && !*c->component_used) {
		diag_error(c->s->diag, sub->component_at,
			"component out of range: nothing here has components");
		return value_error(c->s, at);
	}
	return v;
}

static Value *
subscript_name(Ctx *c, const AstExpr *e)
{
	const AstExpr *base = e->arg[0];
	Symbol *sym = follow_argument(c->s, scope_find(c->scope, base->name));
	Subscript sub;
	Ctx inner = *c;

	if (!sym) {
		if (sema_axis(c, base->name) >= 0 || g_str_equal(base->name, "t"))
			diag_error(c->s->diag, base->at, "'%s' is %s and takes no subscript",
				base->name,
				g_str_equal(base->name, "t") ? "the time step" : "an axis");
		else
			sema_unknown(c, base->name, base->at, "field or table");
		return value_error(c->s, e->at);
	}
	sema_use(c->s, sym);
	if (sym->kind == SYM_BROKEN)
		return value_error(c->s, e->at);
	if (is_table(sym))
		return expand_element(c, sym, e);
	if (sym->kind == SYM_LOCAL || sym->kind == SYM_VALUE) {
		if (sym->kind == SYM_LOCAL)
			local_has_no_neighbours(c, sym, e->at);
		else
			diag_error(c->s->diag, e->at,
				"'%s' is a value of one cell: it has no neighbours", base->name);
		return value_error(c->s, e->at);
	}
	if (sym->kind != SYM_FIELD && sym->kind != SYM_ARG)
		return wrong_kind(c, sym, base->at, a_field);
	if (!sema_subscript(c, &e->list, &sub))
		return value_error(c->s, e->at);
	if (sym->kind == SYM_FIELD)
		return expand_field(c, &sym->field, base->name, &sub, e->at);
	inner.scope = sym->scope;
	inner.frame = sym->frame;
	return expand_shifted(&inner, sym->expr, &sub, e->at, expand);
}

static Value *
expand_subscript(Ctx *c, const AstExpr *e)
{
	Subscript sub;
	Ctx inner = *c;

	if (e->arg[0]->kind == AST_NAME)
		return subscript_name(c, e);
	if (!sema_subscript(c, &e->list, &sub))
		return value_error(c->s, e->at);
	return expand_shifted(&inner, e->arg[0], &sub, e->at, expand_call);
}

/* ---- windows ---- */

static const struct {
	AstOp op;        /* for sum, prod, any, all */
	ExprOp function; /* for min, max */
	int empty;       /* value of no term; -1: an error */
	gboolean logic;
	const char *name;
} windows[] = {
	[WINDOW_SUM]  = { AST_ADD, EXPR_N_OPS, 0, FALSE, "sum" },
	[WINDOW_PROD] = { AST_MUL, EXPR_N_OPS, 1, FALSE, "prod" },
	[WINDOW_MIN]  = { AST_ADD, EXPR_MIN, -1, FALSE, "min" },
	[WINDOW_MAX]  = { AST_ADD, EXPR_MAX, -1, FALSE, "max" },
	[WINDOW_ANY]  = { AST_OR, EXPR_N_OPS, 0, TRUE, "any" },
	[WINDOW_ALL]  = { AST_AND, EXPR_N_OPS, 1, TRUE, "all" },
};

typedef struct {
	const AstExpr *e;
	Value *sum;
	int terms;
} Window;

/* Whole numbers in FROM..TO; more than LIMIT_TERMS where there are too many. */
gint64
range_length(gint64 from, gint64 to)
{
	guint64 apart = (guint64)to - (guint64)from;

	return to < from ? 0 : apart > LIMIT_TERMS ? LIMIT_TERMS + 1 : (gint64)apart + 1;
}

static gboolean
window_too_large(Ctx *c, Span at)
{
	diag_error(c->s->diag, at, "this window has too many terms (at most %d)", LIMIT_TERMS);
	return FALSE;
}

static gboolean
window_term(Ctx *c, Window *w)
{
	Value *term = expand(c, w->e->arg[0]);
	Value *pair[2] = { w->sum, term };

	if (++w->terms > LIMIT_TERMS)
		return window_too_large(c, w->e->at);
	if (term->kind != V_ERROR && windows[w->e->window].logic) {
		Expr *b = value_bool(c->s, term);

		pair[1] = term = b ? value_typed(c->s, term->at, b) : value_error(c->s, term->at);
	}
	if (term->kind == V_ERROR)
		return FALSE;
	if (!w->sum)
		w->sum = term;
	else if (windows[w->e->window].function != EXPR_N_OPS)
		w->sum = value_function(c->s, w->e->at, windows[w->e->window].function, pair);
	else
		w->sum = value_binary(c->s, w->e->at, windows[w->e->window].op, w->sum, term);
	return w->sum->kind != V_ERROR;
}

static gboolean
window_range(Ctx *c, Window *w, int level)
{
	const AstRange *range;
	Ctx inner = *c;
	Symbol *index;
	gint64 from, to, n;

	if (level == w->e->list.n)
		return window_term(c, w);
	range = w->e->list.item[level];
	if (!expand_const_int(c, range->from, &from, "the start of a window")
	    || !expand_const_int(c, range->to, &to, "the end of a window"))
		return FALSE;
	n = range_length(from, to);
	if (n > LIMIT_TERMS)
		return window_too_large(c, range->at);
	inner.scope = scope_new(c->s, c->scope);
	index = scope_add(c->s, inner.scope, SYM_NUMBER, range->name, range->name_at, NULL);
	for (gint64 i = 0; i < n; i++) {
		index->value = value_int(c->s, range->name_at, from + i);
		if (!sema_goes_on(c->s, range->at) || !window_range(&inner, w, level + 1))
			return FALSE;
	}
	return TRUE;
}

static Value *
expand_window(Ctx *c, const AstExpr *e)
{
	Sema *s = c->s;
	Window w = { e, NULL, 0 };

	if (e->on_grid) {
		diag_error(s->diag, e->at,
			"a reduction over the grid is the whole right side of a result");
		diag_help(s->diag, "declare `result float r` and write r = %s[grid](...)",
			windows[e->window].name);
		return value_error(s, e->at);
	}
	AST_EACH(AstRange, range, &e->list)
		sema_check_name(s, c->scope->file, range->name, range->name_at);
	if (!window_range(c, &w, 0))
		return value_error(s, e->at);
	if (w.sum)
		return w.sum;
	if (windows[e->window].empty < 0) {
		diag_error(s->diag, e->at, "%s of no terms has no value", windows[e->window].name);
		return value_error(s, e->at);
	}
	if (windows[e->window].logic)
		return value_typed(
			s, e->at, expr_int(s->st, e->at, TYPE_BOOL, windows[e->window].empty));
	return value_int(s, e->at, windows[e->window].empty);
}

/* ---- all of them ---- */

static Value *
expand_convert(Ctx *c, const AstExpr *e)
{
	Value *v = expand(c, e->arg[0]);
	Expr *x = v->kind == V_ERROR ? NULL : value_convert(c->s, v, e->type, e->at);

	return x ? value_typed(c->s, e->at, x) : value_error(c->s, e->at);
}

static Value *
expand_any(Ctx *c, const AstExpr *e)
{
	Sema *s = c->s;
	Symbol *sym;

	switch (e->kind) {
	case AST_INT:       return value_int(s, e->at, e->integer);
	case AST_REAL:      return value_real(s, e->at, e->real);
	case AST_NAME:
		sym = scope_find(c->scope, e->name);
		return sym ? expand_symbol(c, sym, e->at) : expand_unbound(c, e);
	case AST_SUBSCRIPT: return expand_subscript(c, e);
	case AST_CALL:      return expand_call(c, e);
	case AST_CONVERT:   return expand_convert(c, e);
	case AST_UNARY:     return value_unary(s, e->at, e->op, expand(c, e->arg[0]));
	case AST_BINARY: {
		Value *a = expand(c, e->arg[0]), *b = expand(c, e->arg[1]);

		return value_binary(s, e->at, e->op, a, b);
	}
	case AST_SELECT: {
		Value *k = expand(c, e->arg[0]), *a = expand(c, e->arg[1]),
		      *b = expand(c, e->arg[2]);

		return value_select(s, e->at, k, a, b);
	}
	case AST_WINDOW:    return expand_window(c, e);
	}
	g_assert_not_reached();
}

gboolean
sema_goes_on(Sema *s, Span at)
{
	s->work++;
	if (s->full || (s->depth <= LIMIT_DEPTH && s->st->n_exprs <= LIMIT_NODES
		&& s->work <= LIMIT_WORK))
		return !s->full;
	s->full = TRUE;
	if (s->depth > LIMIT_DEPTH)
		diag_error(s->diag, at, "this expression is nested too deeply (at most %d levels, "
			"calls expanded)", LIMIT_DEPTH);
	else
		diag_error(s->diag, at, "this stencil is too large (at most %d %s)",
			s->work > LIMIT_WORK ? LIMIT_WORK : LIMIT_NODES,
			s->work > LIMIT_WORK
				? "expressions and statements, calls and loops expanded"
				: "different values");
	return FALSE;
}

Value *
expand(Ctx *c, const AstExpr *e)
{
	Sema *s = c->s;
	Value *v;

	if (!sema_goes_on(s, e->at))
		return value_error(s, e->at);
	s->depth++;
	v = expand_any(c, e);
	s->depth--;
	/* a value may stand for several places: blame the nearest text */
	if (v->at.file != e->at.file || v->at.line != e->at.line || v->at.col != e->at.col) {
		Value *here = arena_copy(s->arena, v, sizeof *v);

		here->at = e->at;
		return here;
	}
	return v;
}

gboolean
expand_const_int(Ctx *c, const AstExpr *e, gint64 *out, const char *what)
{
	Ctx inner = *c;
	Value *v;

	if (!inner.scalar_only)
		inner.scalar_only = what;
	c->s->whole++;
	v = expand(&inner, e);
	c->s->whole--;
	return value_const_int(c->s, v, out, what);
}
