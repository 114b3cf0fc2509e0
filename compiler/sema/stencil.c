/* stencil.c: a stencil that becomes a function: its parameters, its clauses,
 * its body, and what it leaves unsaid.
 */
#include "sema/internal.h"

#include <string.h>

/* ---- contexts ---- */

/* Where statements of F's body are read; the target gives the cells later. */
Ctx
ctx_statement(Sema *s, Frame *f, Scope *scope)
{
	Ctx c = { .s = s, .frame = f, .scope = scope, .seq = s->seq };

	for (int a = 0; a < IR_MAX_RANK; a++)
		c.at[a] = axis_map_identity(a);
	return c;
}

/* After a message of something that only a cell knows. */
void
sema_help_choice(Ctx *c)
{
	if (g_str_equal(c->scalar_only, "a compile-time if"))
		diag_help(c->s->diag, "a choice of a cell or a step is an expression: "
			"condition ? a : b");
	else if (g_str_equal(c->scalar_only, "until"))
		diag_help(c->s->diag, "it looks at results and scalars; how many steps are done is "
			"for the caller to say");
	else if (g_str_equal(c->scalar_only, "require")
		|| g_str_equal(c->scalar_only, "a boundary"))
		diag_help(c->s->diag, "it is made of constants, scalars and extents, as size(x)");
}

/* Where WHAT is read, which has no cell: size(x) means the default grid. */
Ctx
ctx_scalar(const Ctx *c, const char *what)
{
	Ctx scalar = *c;

	scalar.scalar_only = what;
	scalar.space = (Space){ 0 };
	if (c->frame) {
		scalar.space.decl = c->frame->file->default_grid;
		if (scalar.space.decl)
			scalar.space.grid = g_hash_table_lookup(c->frame->grids, scalar.space.decl);
	}
	return scalar;
}

/* ---- parameters ---- */

static const FieldRole role_of[] = {
	[PARAM_IN] = FIELD_IN, [PARAM_OUT] = FIELD_OUT, [PARAM_INOUT] = FIELD_INOUT,
};

static void
param_field(Ctx *c, const AstParam *p)
{
	Sema *s = c->s;
	FieldView view = { .role = p->kind };
	unsigned axes;
	Grid *grid;
	Symbol *sym;

	grid = sema_on(s, c->frame, c->scope, &p->on, p->name_at, &view.decl, &axes)
		&& sema_dims(c, &p->dims, &view.dims, LIMIT_COMPONENTS, "a field")
		? sema_grid(s, c->frame, view.decl, p->name_at) : NULL;
	if (!grid) {
		scope_add(s, c->scope, SYM_BROKEN, p->name, p->name_at, p);
		return;
	}
	view.info = sema_field(
		s, p->name, role_of[p->kind], p->type, grid, axes, &view.dims, p->name_at, p);
	view.info->field->interleaved = p->interleaved;
	view.info->field->doc = p->doc;
	view.slot = view.info->slot;
	sym = scope_add(s, c->scope, SYM_FIELD, p->name, p->name_at, p);
	sym->field = view;
}

static void
param_scalar(Ctx *c, const AstParam *p)
{
	Sema *s = c->s;
	Scalar *scalar = arena_make(s->st->arena, Scalar);
	Constant k;
	Ctx inner = *c;

	inner.scalar_only = "a default";
	scalar->name = sema_c_name(s, p->name, FALSE);
	scalar->doc = p->doc;
	scalar->type = p->type;
	scalar->index = (int)s->st->scalars->len;
	scalar->at = p->name_at;
	if (p->init && !p->init->value)
		diag_error(s->diag, p->init->at, "'%s' is a scalar: a list cannot be its default",
			p->name);
	else if (p->init
		&& value_const(s, expand(&inner, p->init->value), p->type, &k, "the default"))
		scalar->init = constant_expr(s, p->init->at, &k);
	g_ptr_array_add(s->st->scalars, scalar);
	scope_add(s, c->scope, SYM_SCALAR, p->name, p->name_at, p)->scalar = scalar;
}

/* A list gives every element, a single value is the value of all. */
gboolean
sema_table_default(Ctx *c, const AstParam *p, const Dims *dims, Constant *k)
{
	if (!p->init->value)
		return sema_init(c, p->init, dims, p->type, k);
	if (!value_const(c->s, expand(c, p->init->value), p->type, &k[0], "the default"))
		return FALSE;
	for (int i = 1; i < dims_product(dims); i++)
		k[i] = k[0];
	return TRUE;
}

static void
table_default(Ctx *c, const AstParam *p, const Dims *dims, Table *table)
{
	Sema *s = c->s;
	Constant *k = arena_array(s->arena, Constant, table->size);

	if (!sema_table_default(c, p, dims, k))
		return;
	table->init = arena_array(s->st->arena, Expr *, table->size);
	for (int i = 0; i < table->size; i++)
		table->init[i] = constant_expr(s, p->init->at, &k[i]);
}

static void
param_table(Ctx *c, const AstParam *p)
{
	Sema *s = c->s;
	Table *table = arena_make(s->st->arena, Table);
	Ctx inner = *c;
	Dims dims;
	Symbol *sym;

	inner.scalar_only = "a default";
	if (!sema_dims(c, &p->dims, &dims, LIMIT_TABLE, "a table"))
		return;
	table->name = sema_c_name(s, p->name, FALSE);
	table->doc = p->doc;
	table->type = p->type;
	table->n_dims = dims.n;
	memcpy(table->dim_lo, dims.lo, sizeof dims.lo);
	memcpy(table->dim_size, dims.size, sizeof dims.size);
	table->size = (int)dims_product(&dims);
	table->index = (int)s->st->tables->len;
	table->at = p->name_at;
	if (p->init)
		table_default(&inner, p, &dims, table);
	g_ptr_array_add(s->st->tables, table);
	sym = scope_add(s, c->scope, SYM_TABLE, p->name, p->name_at, p);
	sym->table = table;
	sym->dims = dims;
}

static void
param_const(Ctx *c, const AstParam *p)
{
	Sema *s = c->s;
	SemaDefine *define = sema_define(s, p->name);
	Ctx inner = *c;
	Value *v = NULL;
	Constant k;
	Symbol *sym;

	inner.scalar_only = "a compile-time parameter";
	if (define && !sema_define_number(s, define, &v)) {
		diag_error(s->diag, (Span){ 0 }, "-D%s=%s: a number is expected", define->name,
			define->value);
		return;
	}
	if (v ? !sema_defined(s, define, v, p->type, &k)
	      : !value_const(
		      s, expand(&inner, p->init->value), p->type, &k, "the parameter's value"))
		return;
	sym = scope_add(s, c->scope, SYM_NUMBER, p->name, p->name_at, p);
	sym->value = value_constant(s, p->name_at, &k);
}

static void
param_axis(Ctx *c, const AstParam *p)
{
	Sema *s = c->s;
	SemaDefine *define = sema_define(s, p->name);
	const GPtrArray *grids = c->frame->file->grids;
	int axis = 0;

	if (!file_axis(c->frame->file, g_intern_string(define->value), &axis)) {
		diag_error(s->diag, (Span){ 0 }, "-D%s=%s: no grid has such an axis", define->name,
			define->value);
		sema_help_axes(s, (GridDecl *const *)grids->pdata, grids->len);
	}
	scope_add(s, c->scope, SYM_AXIS, p->name, p->name_at, p)->axis = axis;
}

static void
param_result(Ctx *c, const AstParam *p)
{
	Sema *s = c->s;
	Result *r = arena_make(s->st->arena, Result);
	int never = 0;

	r->name = sema_c_name(s, p->name, FALSE);
	r->doc = p->doc;
	r->type = p->type;
	r->index = (int)s->st->results->len;
	r->at = p->name_at;
	g_ptr_array_add(s->st->results, r);
	g_array_append_val(s->result_assigned, never);
	scope_add(s, c->scope, SYM_RESULT, p->name, p->name_at, p)->result = r;
}

static void
add_param(Ctx *c, const AstParam *p)
{
	switch (p->kind) {
	case PARAM_IN: case PARAM_OUT: case PARAM_INOUT:
		param_field(c, p);
		break;
	case PARAM_SCALAR:
		if (p->dims.n > 0)
			param_table(c, p);
		else
			param_scalar(c, p);
		break;
	case PARAM_CONST:  param_const(c, p); break;
	case PARAM_AXIS:   param_axis(c, p); break;
	case PARAM_RESULT: param_result(c, p); break;
	}
}

/* The first compile-time parameter that has a value by a call only; NULL: none. */
const AstParam *
stencil_open_parameter(Sema *s, const AstTop *top)
{
	AST_EACH(AstParam, p, &top->params) {
		gboolean defined = g_hash_table_contains(s->defines, p->name);

		if ((p->kind == PARAM_CONST && !p->init && !defined)
			|| (p->kind == PARAM_AXIS && !defined))
			return p;
	}
	return NULL;
}

/* ---- clauses ---- */

gboolean
sema_halo(Sema *s, Frame *f)
{
	Ctx c = ctx_statement(s, f, f->scope);
	GridDecl *grid = f->file->default_grid;
	gint64 n;

	for (int a = 0; a < IR_MAX_RANK; a++)
		f->halo[a] = -1;
	c.scalar_only = "the halo";
	if (f->top->halo) {
		if (!expand_const_int(&c, f->top->halo, &n, "the halo"))
			return FALSE;
		if (n < 0 || n > LIMIT_OFFSET) {
			diag_error(s->diag, f->top->halo->at, "a halo is between 0 and %d",
				LIMIT_OFFSET);
			return FALSE;
		}
		for (int a = 0; a < IR_MAX_RANK; a++)
			f->halo[a] = (int)n;
	}
	AST_EACH(AstAxis, axis, &f->top->halo_axes) {
		int found = -1;

		for (int a = 0; grid && a < grid->rank; a++)
			if (grid->axis[a] == axis->name)
				found = a;
		if (found < 0) {
			diag_error(s->diag, axis->at, "'%s' is not an axis of the default grid",
				axis->name);
			sema_help_axes(s, &grid, grid ? 1 : 0);
			return FALSE;
		}
		if (f->halo[found] >= 0) {
			diag_error(s->diag, axis->at, "the halo along '%s' is given twice",
				axis->name);
			return FALSE;
		}
		if (!expand_const_int(&c, axis->value, &n, "the halo"))
			return FALSE;
		if (n < 0 || n > LIMIT_OFFSET) {
			diag_error(
				s->diag, axis->value->at, "a halo is from 0 to %d", LIMIT_OFFSET);
			return FALSE;
		}
		f->halo[found] = (int)n;
	}
	return TRUE;
}

static void
add_steps(Ctx *c)
{
	const AstExpr *steps = c->frame->top->steps;
	gint64 n;

	if (!steps || !expand_const_int(c, steps, &n, "the number of steps"))
		return;
	if (n < 0 || n > G_MAXINT32)
		diag_error(c->s->diag, steps->at, "the number of steps is between 0 and %d",
			G_MAXINT32);
	else
		c->s->st->steps = n;
}

/* ---- the whole ---- */

/* Components of a stepped field that nobody assigns keep their value. */
static void
add_carries(Sema *s, Frame *f)
{
	for (guint i = 0; i < s->infos->len; i++) {
		FieldInfo *info = g_ptr_array_index(s->infos, i);
		Field *field = info->field;

		for (int k = 0; k < field->components && field->stepped; k++) {
			Expr like = { .op = EXPR_TAP, .type = field->type, .at = field->at };
			Stage *stage;

			if (info->component[k].assigned > 0)
				continue;
			diag_warn(s->diag, WARN_CARRIED, field->at,
				"component %d of '%s' is not assigned and keeps its value", k,
				field->name);
			like.tap.field = field;
			like.tap.component = k;
			like.tap.boundary = &info->slot->face;
			for (int a = 0; a < IR_MAX_RANK; a++)
				like.tap.map[a] = axis_map_identity(a);
			stage = arena_make(s->st->arena, Stage);
			stage->target = field;
			stage->component = k;
			stage->level = 1;
			stage->grid = field->grid;
			stage->axes = field->axes;
			stage->value = expr_node(s->st, &like);
			stage->carry = TRUE;
			stage->associative = f->associative;
			stage->index = (int)s->st->stages->len;
			stage->at = field->at;
			g_ptr_array_add(s->st->stages, stage);
			info->component[k].assigned = ++s->seq;
		}
	}
}

static int
grid_order(gconstpointer a, gconstpointer b)
{
	const Grid *x = *(Grid *const *)a, *y = *(Grid *const *)b;

	if ((x->name == NULL) != (y->name == NULL))
		return x->name == NULL ? -1 : 1;
	return x->index - y->index;
}

static void
number_grids(Stencil *st)
{
	g_ptr_array_sort(st->grids, grid_order);
	for (guint i = 0; i < st->grids->len; i++)
		((Grid *)g_ptr_array_index(st->grids, i))->index = (int)i;
}

/* The members nx, coarse_nx ... of the C interface. */
static void
reserve_extents(Sema *s, FileUnit *file)
{
	for (guint i = 0; i < file->grids->len; i++) {
		const GridDecl *d = g_ptr_array_index(file->grids, i);

		for (int a = 0; a < d->rank; a++) {
			char *name = g_strdup_printf(
				"%s%sn%s", d->name ? d->name : "", d->name ? "_" : "", d->axis[a]);

			sema_c_name(s, g_intern_string(name), FALSE);
			g_free(name);
		}
	}
}

static void
begin(Sema *s, FileUnit *file, const AstTop *top)
{
	s->st = stencil_new(top->name);
	s->st->doc = top->doc;
	s->st->at = top->name_at;
	s->infos = g_ptr_array_new();
	s->c_names = g_hash_table_new(NULL, NULL);
	s->result_assigned = g_array_new(FALSE, FALSE, sizeof(int));
	s->seq = 0;
	s->depth = 0;
	s->full = FALSE;
	s->work = 0;
	reserve_extents(s, file);
}

static void
end(Sema *s)
{
	g_ptr_array_unref(s->infos);
	g_hash_table_destroy(s->c_names);
	g_array_unref(s->result_assigned);
	s->st = s->scratch;
}

void
sema_stencil(Sema *s, FileUnit *file, const AstTop *top, Program *program)
{
	Frame f = { .top = top, .file = file };
	int errors = diag_errors(s->diag);
	Ctx c;

	begin(s, file, top);
	sema_check_function_name(s, top);
	g_hash_table_add(s->expanded, (gpointer)top);
	f.scope = scope_new(s, file->scope);
	f.grids = g_hash_table_new(NULL, NULL);
	f.associative = s->in->associative >= 0 ? s->in->associative : top->associative;
	c = ctx_statement(s, &f, f.scope);
	/* sizes of fields may be made of compile-time parameters that follow */
	AST_EACH(AstParam, p, &top->params) {
		sema_check_name(s, file, p->name, p->name_at);
		if (p->kind == PARAM_CONST || p->kind == PARAM_AXIS)
			add_param(&c, p);
	}
	AST_EACH(AstParam, p, &top->params)
		if (p->kind != PARAM_CONST && p->kind != PARAM_AXIS)
			add_param(&c, p);
	if (sema_halo(s, &f) && diag_errors(s->diag) == errors) {
		add_steps(&c);
		sema_block(&c, &top->stmts);
		add_carries(s, &f);
		if (diag_errors(s->diag) == errors)
			check_stencil(s, &f);
		if (diag_errors(s->diag) == errors)
			sema_regions(s);
	}
	number_grids(s->st);
	g_hash_table_destroy(f.grids);
	if (diag_errors(s->diag) == errors)
		g_ptr_array_add(program->stencils, s->st);
	else
		stencil_free(s->st);
	end(s);
}
