/* inline.c: a call of a stencil: its body becomes stages of the caller.
 *
 * Fields are bound to the caller's, grids to those of the arguments; what the
 * callee declares (boundaries, associative, defaults) holds for its own text.
 */
#include "sema/internal.h"

#include <string.h>

typedef struct {
	Ctx *c;            /* the caller's */
	Frame *f;          /* the callee's */
	const AstStmt *stmt;
} Call;

/* ---- fields ---- */

/* The field that an argument names: a whole one, a component, a time level. */
static gboolean
actual_field(Call *k, const AstExpr *arg, const AstParam *p, FieldView *out, const Symbol **found)
{
	Ctx *c = k->c;
	Sema *s = c->s;
	const AstExpr *base = arg->kind == AST_SUBSCRIPT ? arg->arg[0] : arg;
	Symbol *sym = base->kind == AST_NAME ? scope_find(c->scope, base->name) : NULL;
	Subscript sub = { 0 };
	Ctx inner = *c;

	if (!sym || sym->kind != SYM_FIELD) {
		if (!sym && base->kind == AST_NAME)
			sema_unknown(c, base->name, base->at, "field");
		else {
			diag_error(s->diag, arg->at, "a field is expected for '%s'", p->name);
			diag_help(s->diag, "give the value a name: temp %s v = ...",
				type_info[p->type].name);
		}
		return FALSE;
	}
	*found = sym;
	*out = sym->field;
	inner.space = (Space){ sym->field.decl, sym->field.info->field->grid,
		sym->field.info->field->axes };
	if (arg->kind != AST_SUBSCRIPT)
		return TRUE;
	if (!sema_subscript(&inner, &arg->list, &sub))
		return FALSE;
	for (int a = 0; a < IR_MAX_RANK; a++)
		if (sub.has_map[a]) {
			diag_error(s->diag, sub.map_at[a],
				"a field is passed as a whole, not moved along an axis");
			return FALSE;
		}
	if (sub.n_component > 0) {
		if (!field_component(c, &sym->field, base->name, sub.n_component, sub.component,
				sub.component_at, &out->first))
			return FALSE;
		out->dims.n = 0;
	}
	if (sub.has_time && sym->field.role != PARAM_INOUT) {
		diag_error(s->diag, sub.time_at, "'%s' has no time levels: only an inout field has",
			base->name);
		return FALSE;
	}
	if (sub.time > 1) {
		diag_error(s->diag, sub.time_at, "there is no time level t+%d: the newest is t+1",
			sub.time);
		return FALSE;
	}
	out->level += sub.time;
	if (-out->level > out->info->field->history)
		out->info->field->history = -out->level;
	return TRUE;
}

static gboolean
check_role(Call *k, const AstExpr *arg, const AstParam *p, const FieldView *v)
{
	Diag *diag = k->c->s->diag;

	if (p->kind == PARAM_INOUT) {
		diag_error(diag, k->stmt->at, "'%s' is an iterated stencil and cannot be called",
			k->f->top->name);
		diag_note(diag, p->at, "it has an inout field");
		return FALSE;
	}
	if (p->kind == PARAM_IN)
		return TRUE;
	if (v->role == PARAM_IN) {
		diag_error(diag, arg->at, "an `in` field cannot be passed as the `out` field '%s'",
			p->name);
		return FALSE;
	}
	if (v->role == PARAM_INOUT && v->level != 1) {
		diag_error(diag, arg->at, "an inout field is assigned at the next time level only");
		diag_help(diag, "pass it as [t+1]");
		return FALSE;
	}
	return TRUE;
}

static gboolean
check_shape(Call *k, const AstExpr *arg, const AstParam *p, const FieldView *v, const Dims *dims)
{
	Diag *diag = k->c->s->diag;
	gboolean same = v->dims.n == dims->n || (v->dims.n == 0 && dims_product(dims) == 1)
		|| (dims->n == 0 && dims_product(&v->dims) == 1);

	if (v->info->field->type != p->type) {
		diag_error(diag, arg->at, "this field is %s, and '%s' is %s",
			type_info[v->info->field->type].name, p->name, type_info[p->type].name);
		return FALSE;
	}
	for (int i = 0; i < dims->n && v->dims.n == dims->n; i++)
		same = same && v->dims.size[i] == dims->size[i];
	if (!same) {
		diag_error(diag, arg->at,
			"this field has %" G_GINT64_FORMAT
			" component%s, and '%s' has %" G_GINT64_FORMAT,
			dims_product(&v->dims), dims_product(&v->dims) == 1 ? "" : "s", p->name,
			dims_product(dims));
		return FALSE;
	}
	return TRUE;
}

/* The callee's grid becomes the grid of its argument. */
static gboolean
bind_grid(Call *k, const AstExpr *arg, const AstParam *p, const FieldView *v, GridDecl *decl,
	unsigned axes)
{
	Diag *diag = k->c->s->diag;
	Grid *actual = v->info->field->grid;
	Grid *bound = g_hash_table_lookup(k->f->grids, decl);

	if (actual->rank != decl->rank || axes != v->info->field->axes) {
		diag_error(diag, arg->at, "this field has other axes than '%s'", p->name);
		diag_note(diag, p->at, "the parameter is declared here");
		return FALSE;
	}
	if (bound && bound != actual) {
		diag_error(diag, arg->at,
			"this field is on another grid than the arguments before it");
		diag_note(diag, p->at, "the parameter is declared here");
		return FALSE;
	}
	g_hash_table_insert(k->f->grids, decl, actual);
	return TRUE;
}

static gboolean
bind_field(Call *k, const AstParam *p, const AstExpr *arg)
{
	Sema *s = k->c->s;
	Ctx inner = ctx_statement(s, k->f, k->f->scope);
	const Symbol *found;
	FieldView v;
	GridDecl *decl;
	unsigned axes;
	Dims dims;
	Symbol *sym;

	if (!actual_field(k, arg, p, &v, &found) || !check_role(k, arg, p, &v)
	    || !sema_on(s, k->f, k->f->scope, &p->on, p->name_at, &decl, &axes)
	    || !sema_dims(&inner, &p->dims, &dims, LIMIT_COMPONENTS, "a field")
	    || !check_shape(k, arg, p, &v, &dims) || !bind_grid(k, arg, p, &v, decl, axes))
		return FALSE;
	if (p->kind == PARAM_IN || !v.temp)
		sema_use(s, found);
	if (p->kind == PARAM_IN)
		g_hash_table_add(s->used, (gpointer)v.info->decl);
	sym = scope_add(s, k->f->scope, SYM_FIELD, p->name, p->name_at, p);
	v.dims = dims;
	v.role = p->kind;
	v.temp = FALSE;
	v.decl = decl;
	v.slot = slot_new(s, v.slot);
	sym->field = v;
	return TRUE;
}

/* ---- everything else ---- */

static void
find_result(Expr *e, gpointer user)
{
	Result **found = user;

	if (e->op == EXPR_RESULT)
		*found = e->result;
}

static gboolean
bind_scalar(Call *k, const AstParam *p, const AstExpr *arg)
{
	Sema *s = k->c->s;
	Ctx scalar = ctx_scalar(k->c, "a scalar argument");
	char *what = g_strdup_printf("'%s'", p->name);
	Symbol *sym;
	Expr *e;

	scalar.results = TRUE;
	scalar.seq = s->seq;
	e = value_store(s, expand(&scalar, arg), p->type, arg->at, what);
	g_free(what);
	if (!e)
		return FALSE;
	sym = scope_add(s, k->f->scope, SYM_NUMBER, p->name, p->name_at, p);
	sym->value = value_typed(s, arg->at, e);
	expr_visit(&e, 1, find_result, &sym->result);
	return TRUE;
}

static gboolean
bind_table(Call *k, const AstParam *p, const AstExpr *arg)
{
	Sema *s = k->c->s;
	Ctx inner = ctx_statement(s, k->f, k->f->scope);
	Symbol *actual = arg->kind == AST_NAME ? scope_find(k->c->scope, arg->name) : NULL;
	gboolean constant = actual && actual->kind == SYM_CONST && actual->top->dims.n > 0;
	Type type;
	Symbol *sym;
	Dims dims;

	if (!actual || (actual->kind != SYM_TABLE && !constant)) {
		diag_error(s->diag, arg->at, "a table is expected for '%s'", p->name);
		return FALSE;
	}
	sema_use(s, actual);
	if (!sema_dims(&inner, &p->dims, &dims, LIMIT_TABLE, "a table")
		|| (constant && !sema_constant(s, actual)))
		return FALSE;
	type = constant ? actual->top->type : actual->table->type;
	if (type != p->type || dims.n != actual->dims.n
		|| memcmp(dims.size, actual->dims.size, sizeof dims.size) != 0) {
		diag_error(s->diag, arg->at, "this table has another type or shape than '%s'",
			p->name);
		diag_note(s->diag, p->at, "the parameter is declared here");
		return FALSE;
	}
	sym = scope_add(s, k->f->scope, actual->kind, p->name, p->name_at, p);
	sym->file = actual->file;
	sym->top = actual->top;
	sym->state = actual->state;
	sym->constant = actual->constant;
	sym->table = actual->table;
	sym->dims = dims;
	return TRUE;
}

static gboolean
bind_const(Call *k, const AstParam *p, const AstExpr *arg)
{
	Sema *s = k->c->s;
	Ctx scalar = ctx_scalar(k->c, "a compile-time argument");
	Constant value;
	Symbol *sym;
	char *what = g_strdup_printf("'%s'", p->name);
	gboolean good = value_const(s, expand(&scalar, arg), p->type, &value, what);

	g_free(what);
	if (!good)
		return FALSE;
	sym = scope_add(s, k->f->scope, SYM_NUMBER, p->name, p->name_at, p);
	sym->value = value_constant(s, arg->at, &value);
	return TRUE;
}

/* An axis is passed by its place in its grid. */
static gboolean
bind_axis(Call *k, const AstParam *p, const AstExpr *arg)
{
	Sema *s = k->c->s;
	Symbol *actual = arg->kind == AST_NAME ? scope_find(k->c->scope, arg->name) : NULL;
	int axis = -1;
	Symbol *sym;

	if (actual && actual->kind == SYM_AXIS) {
		sema_use(s, actual);
		axis = actual->axis;
	}
	if (!actual && arg->kind == AST_NAME)
		file_axis(k->c->frame->file, arg->name, &axis);
	if (axis < 0) {
		diag_error(s->diag, arg->at, "an axis is expected for '%s'", p->name);
		return FALSE;
	}
	sym = scope_add(s, k->f->scope, SYM_AXIS, p->name, p->name_at, p);
	sym->axis = axis;
	return TRUE;
}

static gboolean
bind_result(Call *k, const AstParam *p, const AstExpr *arg)
{
	Sema *s = k->c->s;
	Symbol *actual = arg->kind == AST_NAME ? scope_find(k->c->scope, arg->name) : NULL;
	Symbol *sym;

	if (!actual || actual->kind != SYM_RESULT || actual->result->type != p->type) {
		diag_error(s->diag, arg->at, "a result of type %s is expected for '%s'",
			type_info[p->type].name, p->name);
		return FALSE;
	}
	sema_use(s, actual);
	sym = scope_add(s, k->f->scope, SYM_RESULT, p->name, p->name_at, p);
	sym->result = actual->result;
	return TRUE;
}

static gboolean
bind_argument(Call *k, const AstParam *p, const AstExpr *arg)
{
	switch (p->kind) {
	case PARAM_IN: case PARAM_OUT: case PARAM_INOUT:
		return bind_field(k, p, arg);
	case PARAM_SCALAR:
		return p->dims.n > 0 ? bind_table(k, p, arg) : bind_scalar(k, p, arg);
	case PARAM_CONST:  return bind_const(k, p, arg);
	case PARAM_AXIS:   return bind_axis(k, p, arg);
	case PARAM_RESULT: return bind_result(k, p, arg);
	}
	g_assert_not_reached();
}

static gboolean
default_number(Call *k, Ctx *inner, const AstParam *p)
{
	Sema *s = k->c->s;
	Constant value;

	if (!value_const(s, expand(inner, p->init->value), p->type, &value, "the default"))
		return FALSE;
	scope_add(s, k->f->scope, SYM_NUMBER, p->name, p->name_at, p)->value =
		value_constant(s, p->at, &value);
	return TRUE;
}

/* It is then a table of constants, as one of the file is. */
static gboolean
default_table(Call *k, Ctx *inner, const AstParam *p)
{
	Sema *s = k->c->s;
	AstTop *top = arena_make(s->arena, AstTop);
	Constant *values;
	Symbol *sym;
	Dims dims;

	if (!sema_dims(inner, &p->dims, &dims, LIMIT_TABLE, "a table"))
		return FALSE;
	values = arena_array(s->arena, Constant, dims_product(&dims));
	if (!sema_table_default(inner, p, &dims, values))
		return FALSE;
	top->kind = TOP_CONST;
	top->type = p->type;
	top->dims = p->dims;
	sym = scope_add(s, k->f->scope, SYM_CONST, p->name, p->name_at, p);
	sym->top = top;
	sym->dims = dims;
	sym->constant = values;
	sym->state = CONST_DONE;
	return TRUE;
}

/* What the caller leaves out takes its default. */
static gboolean
bind_default(Call *k, const AstParam *p)
{
	Ctx inner = ctx_statement(k->c->s, k->f, k->f->scope);

	inner.scalar_only = "a default";
	if (p->init && p->dims.n > 0)
		return default_table(k, &inner, p);
	if (p->init && p->init->value)
		return default_number(k, &inner, p);
	diag_error(k->c->s->diag, k->stmt->at, "the call of '%s' has no argument for '%s'",
		k->f->top->name, p->name);
	diag_note(k->c->s->diag, p->at, "the parameter is declared here");
	return FALSE;
}

/* Arguments in the order of what they depend on: the sizes of a field may be
 * made of constants that come later. */
static int
binding_round(AstParamKind kind)
{
	return kind == PARAM_CONST || kind == PARAM_AXIS ? 0 : 1;
}

static gboolean
bind_all(Call *k)
{
	const AstTop *top = k->f->top;
	const AstList *args = &k->stmt->args;
	gboolean good = TRUE;

	if (args->n > top->params.n) {
		diag_error(k->c->s->diag, k->stmt->at, "'%s' takes %d arguments, and %d are given",
			top->name, top->params.n, args->n);
		diag_note(k->c->s->diag, top->name_at, "it is declared here");
		return FALSE;
	}
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < top->params.n; i++) {
			const AstParam *p = top->params.item[i];

			if (binding_round(p->kind) == round)
				good = (i < args->n ? bind_argument(k, p, args->item[i])
						    : bind_default(k, p))
					&& good;
		}
	return good;
}

static Symbol *
find_stencil(Ctx *c, const AstStmt *stmt)
{
	Symbol *sym = scope_find(c->scope, stmt->name);

	if (sym && sym->kind == SYM_STENCIL)
		return sym;
	if (!sym)
		sema_unknown(c, stmt->name, stmt->name_at, "stencil");
	else {
		diag_error(c->s->diag, stmt->name_at, "'%s' is %s, and a stencil is expected here",
			stmt->name, symbol_what(sym));
		diag_note(c->s->diag, sym->at, "it is declared here");
	}
	return NULL;
}

void
sema_call(Ctx *c, const AstStmt *stmt)
{
	Sema *s = c->s;
	Symbol *sym = find_stencil(c, stmt);
	Frame *f;
	Call k;
	int depth = 0;
	Ctx inner;

	if (!sym) {
		sema_meant(c, stmt);
		return;
	}
	for (const Frame *up = c->frame; up; up = up->caller) {
		depth++;
		if (up->top == sym->top || depth > LIMIT_CALLS) {
			if (depth > LIMIT_CALLS)
				diag_error(s->diag, stmt->at,
					"calls of stencils are nested too deeply (at most %d)",
					LIMIT_CALLS);
			return; /* recursion was reported with the declarations */
		}
	}
	s->work += 9;
	sema_use(s, sym);
	g_hash_table_add(s->expanded, (gpointer)sym->top);
	f = arena_make(s->arena, Frame);
	f->caller = c->frame;
	f->top = sym->top;
	f->file = sym->file;
	f->scope = scope_new(s, sym->file->scope);
	f->grids = g_hash_table_new(NULL, NULL);
	f->associative = s->in->associative >= 0 ? s->in->associative : sym->top->associative;
	f->call_at = stmt->at;
	k = (Call){ c, f, stmt };
	if (bind_all(&k) && sema_halo(s, f)) {
		int errors = diag_errors(s->diag);

		inner = ctx_statement(s, f, f->scope);
		sema_block(&inner, &f->top->stmts);
		if (diag_errors(s->diag) > errors)
			diag_note(s->diag, stmt->at, "'%s' is called here", f->top->name);
	} else
		sema_meant(c, stmt);
	g_hash_table_destroy(f->grids);
	f->grids = NULL;
}
