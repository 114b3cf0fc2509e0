/* call.c: calls of built-in functions, defs and externs. */
#include "sema/internal.h"

#include <string.h>

enum { MAX_NOTED = 8 }; /* calls within calls that an error names */

static const struct {
	const char *name;
	ExprOp op;
} builtins[] = {
	{ "sqrt", EXPR_SQRT },
	{ "rsqrt", EXPR_RSQRT },
	{ "cbrt", EXPR_CBRT },
	{ "exp", EXPR_EXP },
	{ "exp2", EXPR_EXP2 },
	{ "log", EXPR_LOG },
	{ "log2", EXPR_LOG2 },
	{ "sin", EXPR_SIN },
	{ "cos", EXPR_COS },
	{ "tan", EXPR_TAN },
	{ "asin", EXPR_ASIN },
	{ "acos", EXPR_ACOS },
	{ "atan", EXPR_ATAN },
	{ "atan2", EXPR_ATAN2 },
	{ "sinh", EXPR_SINH },
	{ "cosh", EXPR_COSH },
	{ "tanh", EXPR_TANH },
	{ "pow", EXPR_POW },
	{ "hypot", EXPR_HYPOT },
	{ "fma", EXPR_FMA },
	{ "abs", EXPR_ABS },
	{ "min", EXPR_MIN },
	{ "max", EXPR_MAX },
	{ "floor", EXPR_FLOOR },
	{ "ceil", EXPR_CEIL },
	{ "round", EXPR_ROUND },
	{ "trunc", EXPR_TRUNC },
	{ "sign", EXPR_SIGN },
};

const char *
call_builtin_name(int i)
{
	static const char *const others[] = { "clamp", "size" };
	int n = G_N_ELEMENTS(builtins);

	if (i < n)
		return builtins[i].name;
	return i < n + (int)G_N_ELEMENTS(others) ? others[i - n] : NULL;
}

static gboolean
check_count(Ctx *c, const AstExpr *e, int wanted)
{
	if (e->list.n == wanted)
		return TRUE;
	diag_error(c->s->diag, e->at, "'%s' takes %d argument%s, and %d %s given", e->name, wanted,
		wanted == 1 ? "" : "s", e->list.n, e->list.n == 1 ? "is" : "are");
	return FALSE;
}

static Value *
call_size(Ctx *c, const AstExpr *e)
{
	Expr like = { .op = EXPR_EXTENT, .type = TYPE_I32, .at = e->at };
	Ctx inner = *c;
	int axis;

	if (!check_count(c, e, 1))
		return value_error(c->s, e->at);
	if (!c->space.decl) {
		diag_error(c->s->diag, e->at, "%s has no grid whose size could be meant",
			c->scalar_only ? c->scalar_only : "this place");
		diag_help(c->s->diag, "size(x) is of the grid without a name there; an extent may "
			"also be a parameter: int n");
		return value_error(c->s, e->at);
	}
	if (!inner.space.grid)
		inner.space.grid = sema_grid(c->s, c->frame, inner.space.decl, e->at);
	if (!inner.space.grid)
		return value_error(c->s, e->at);
	/* the size is known along every axis, also where the statement has no cells */
	inner.space.axes = ~0u;
	axis = sema_axis_argument(&inner, e->list.item[0]);
	if (axis < 0)
		return value_error(c->s, e->at);
	like.extent.grid = inner.space.grid;
	like.extent.axis = axis;
	if (inner.space.grid->fixed[axis])
		return value_typed(c->s, e->at,
			expr_int(c->s->st, e->at, TYPE_I32, inner.space.grid->fixed[axis]));
	return value_typed(c->s, e->at, expr_node(c->s->st, &like));
}

/* clamp(v, lo, hi) is min(max(v, lo), hi). */
static Value *
call_clamp(Ctx *c, const AstExpr *e)
{
	Value *arg[3], *pair[2];

	if (!check_count(c, e, 3))
		return value_error(c->s, e->at);
	for (int i = 0; i < 3; i++)
		arg[i] = expand(c, e->list.item[i]);
	pair[0] = value_function(c->s, e->at, EXPR_MAX, arg);
	pair[1] = arg[2];
	return value_function(c->s, e->at, EXPR_MIN, pair);
}

/* min and max take two arguments or more, from the left. */
static Value *
call_chain(Ctx *c, const AstExpr *e, ExprOp op)
{
	Value *pair[2];

	if (e->list.n < 2) {
		check_count(c, e, 2);
		return value_error(c->s, e->at);
	}
	pair[0] = expand(c, e->list.item[0]);
	for (int i = 1; i < e->list.n; i++) {
		pair[1] = expand(c, e->list.item[i]);
		pair[0] = value_function(c->s, e->at, op, pair);
	}
	return pair[0];
}

static Value *
call_builtin(Ctx *c, const AstExpr *e, ExprOp op)
{
	Value *arg[3];

	if (op == EXPR_MIN || op == EXPR_MAX)
		return call_chain(c, e, op);
	if (!check_count(c, e, expr_op_info[op].arity))
		return value_error(c->s, e->at);
	for (int i = 0; i < e->list.n; i++)
		arg[i] = expand(c, e->list.item[i]);
	return value_function(c->s, e->at, op, arg);
}

static gboolean
bind_typed(Ctx *c, const AstDefParam *p, Symbol *sym, const AstExpr *arg)
{
	char *what = g_strdup_printf("the parameter '%s'", p->name);
	Expr *x = value_store(c->s, expand(c, arg), p->type, arg->at, what);

	g_free(what);
	if (!x)
		return FALSE;
	sym->kind = SYM_VALUE;
	sym->value = value_typed(c->s, arg->at, x);
	memcpy(sym->value_map, c->at, sizeof c->at);
	sym->value_time = c->time;
	return TRUE;
}

/* After an error in the body of DEF: where it was called, by a few calls within calls. */
static void
note_call(Sema *s, const AstTop *def, const AstExpr *e)
{
	if (s->noted_errors != diag_errors(s->diag))
		s->noted_calls = 0;
	s->noted_errors = diag_errors(s->diag);
	if (s->noted_calls++ < MAX_NOTED)
		diag_note(s->diag, e->at, "'%s' is called here", def->name);
}

static Value *
call_def(Ctx *c, const Symbol *def, const AstExpr *e)
{
	Sema *s = c->s;
	const AstTop *top = def->top;
	Ctx inner = *c;
	gboolean good = TRUE;
	int errors = diag_errors(s->diag);
	Value *v;
	Expr *x;

	if (!check_count(c, e, top->params.n)) {
		diag_note(s->diag, top->name_at, "it is declared here");
		return value_error(s, e->at);
	}
	inner.scope = scope_new(s, def->file->scope);
	for (int i = 0; i < e->list.n; i++) {
		const AstDefParam *p = top->params.item[i];
		Symbol *sym = scope_add(s, inner.scope, SYM_ARG, p->name, p->at, NULL);

		sym->expr = e->list.item[i];
		sym->scope = c->scope;
		sym->frame = c->frame;
		if (p->typed)
			good = bind_typed(c, p, sym, e->list.item[i]) && good;
	}
	if (!good)
		return value_error(s, e->at);
	v = expand(&inner, top->body);
	if (v->kind == V_ERROR && diag_errors(s->diag) > errors)
		note_call(s, top, e);
	if (!top->typed || v->kind == V_ERROR)
		return v;
	x = value_store(s, v, top->type, top->body->at, "the function's value");
	return x ? value_typed(s, e->at, x) : value_error(s, e->at);
}

static Extern *
extern_of(Sema *s, const Symbol *sym)
{
	Extern *x;

	for (guint i = 0; i < s->st->externs->len; i++) {
		x = g_ptr_array_index(s->st->externs, i);
		if (x->name == sym->name)
			return x;
	}
	x = arena_make(s->st->arena, Extern);
	x->name = sym->name;
	x->header = sym->top->path;
	x->type = sym->top->type;
	x->n_params = sym->top->params.n;
	x->param = arena_array(s->st->arena, Type, MAX(x->n_params, 1));
	for (int i = 0; i < x->n_params; i++)
		x->param[i] = ((AstDefParam *)sym->top->params.item[i])->type;
	x->index = (int)s->st->externs->len;
	x->at = sym->at;
	g_ptr_array_add(s->st->externs, x);
	return x;
}

static Value *
call_extern(Ctx *c, const Symbol *sym, const AstExpr *e)
{
	Sema *s = c->s;
	Expr like = { .op = EXPR_CALL, .type = sym->top->type, .at = e->at };

	if (!check_count(c, e, sym->top->params.n))
		return value_error(s, e->at);
	like.n_args = e->list.n;
	like.arg = arena_array(s->arena, Expr *, MAX(e->list.n, 1));
	for (int i = 0; i < e->list.n; i++) {
		const AstDefParam *p = sym->top->params.item[i];

		like.arg[i] = value_store(s, expand(c, e->list.item[i]), p->type,
			((AstExpr *)e->list.item[i])->at, "this argument");
		if (!like.arg[i])
			return value_error(s, e->at);
	}
	like.callee = extern_of(s, sym);
	return value_typed(s, e->at, expr_node(s->st, &like));
}

Value *
expand_call(Ctx *c, const AstExpr *e)
{
	Symbol *sym = scope_find(c->scope, e->name);

	if (sym) {
		sema_use(c->s, sym);
		if (sym->kind == SYM_DEF)
			return call_def(c, sym, e);
		if (sym->kind == SYM_EXTERN)
			return call_extern(c, sym, e);
		diag_error(c->s->diag, e->op_at, "'%s' is %s, and a function is expected here",
			e->name, symbol_what(sym));
		diag_note(c->s->diag, sym->at, "it is declared here");
		if (sym->kind == SYM_STENCIL)
			diag_help(c->s->diag, "a stencil is called as a statement of its own");
		if (sym->kind == SYM_FIELD || sym->kind == SYM_TABLE)
			diag_help(c->s->diag, "a neighbour, or an element, is written in brackets: "
				"%s[...]", e->name);
		return value_error(c->s, e->at);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(builtins); i++)
		if (g_str_equal(builtins[i].name, e->name))
			return call_builtin(c, e, builtins[i].op);
	if (g_str_equal(e->name, "clamp"))
		return call_clamp(c, e);
	if (g_str_equal(e->name, "size"))
		return call_size(c, e);
	sema_unknown(c, e->name, e->op_at, "function");
	return value_error(c->s, e->at);
}
