/* assign.c: the statements that make stages: assignments, scans, reductions. */
#include "sema/internal.h"

#include <string.h>

/* ---- targets ---- */

static gboolean
target_level(
	Ctx *c, const FieldView *view, const char *name, const Subscript *sub, Span at, int *level)
{
	Sema *s = c->s;

	*level = view->level;
	switch (view->role) {
	case PARAM_IN:
		diag_error(s->diag, at, "'%s' is an `in` field and cannot be assigned", name);
		diag_note(s->diag, view->info->field->at, "it is declared here");
		return FALSE;
	case PARAM_INOUT:
		if (sub->time == 1) {
			*level = 1;
			return TRUE;
		}
		if (sub->time > 1)
			diag_error(s->diag, sub->time_at,
				"there is no time level t+%d: the newest is t+1", sub->time);
		else
			diag_error(s->diag, at,
				"an inout field is assigned at the next time level only");
		diag_help(s->diag, "write %s[t+1] = ...", name);
		return FALSE;
	default:
		if (!sub->has_time)
			return TRUE;
		diag_error(s->diag, sub->time_at,
			"'%s' has no time levels: only an inout field has", name);
		return FALSE;
	}
}

/* BASE is assigned, and nobody has declared it: what reads it is not to blame. */
static void
unknown_target(Ctx *c, const AstExpr *base)
{
	if (sema_axis(c, base->name) >= 0 || g_str_equal(base->name, "t")) {
		diag_error(c->s->diag, base->at, "'%s' cannot be assigned", base->name);
		return;
	}
	sema_unknown(c, base->name, base->at, "field");
	diag_help(c->s->diag, "what is new is declared with its type: 'float %s = ...', or 'temp "
		"float %s = ...' where other cells read it", base->name, base->name);
	c->scope = scope_declare(c->s, c->scope);
	scope_add(c->s, c->scope, SYM_BROKEN, base->name, base->at, NULL);
}

static gboolean
find_target(Ctx *c, const AstExpr *target, Symbol **sym, int *component, int *level)
{
	const AstExpr *base = target->kind == AST_SUBSCRIPT ? target->arg[0] : target;
	Subscript sub = { 0 };
	Ctx inner = *c;

	*sym = scope_find(c->scope, base->name);
	if (!*sym) {
		unknown_target(c, base);
		return FALSE;
	}
	if ((*sym)->kind == SYM_RESULT && target->kind == AST_NAME)
		return TRUE;
	if ((*sym)->kind == SYM_BROKEN)
		return FALSE;
	if ((*sym)->kind != SYM_FIELD) {
		diag_error(c->s->diag, base->at, "'%s' is %s and cannot be assigned", base->name,
			symbol_what(*sym));
		diag_note(c->s->diag, (*sym)->at, "it is declared here");
		if ((*sym)->kind == SYM_LOCAL)
			diag_help(c->s->diag, "its value is the one that it is declared with; give "
				"the next one a name of its own");
		return FALSE;
	}
	if (!(*sym)->field.temp)
		sema_use(c->s, *sym);
	inner.space = (Space){ (*sym)->field.decl, (*sym)->field.info->field->grid,
		(*sym)->field.info->field->axes };
	if (target->kind == AST_SUBSCRIPT && !sema_subscript(&inner, &target->list, &sub))
		return FALSE;
	for (int a = 0; a < IR_MAX_RANK; a++)
		if (sub.has_map[a]) {
			diag_error(c->s->diag, sub.map_at[a],
				"a target names no axis: every cell is assigned");
			diag_help(c->s->diag, "what is read may be moved instead: '%s%s = a[x-1]'",
				base->name, (*sym)->field.role == PARAM_INOUT ? "[t+1]" : "");
			return FALSE;
		}
	if (sub.n_component > 0 && (*sym)->field.dims.n == 0) {
		diag_error(c->s->diag, sub.component_at, "'%s' has no components", base->name);
		diag_help(c->s->diag, "every cell is assigned: write '%s%s = ...'", base->name,
			(*sym)->field.role == PARAM_INOUT ? "[t+1]" : "");
		return FALSE;
	}
	return target_level(c, &(*sym)->field, base->name, &sub, target->at, level)
		&& field_component(c, &(*sym)->field, base->name, sub.n_component, sub.component,
			sub.n_component ? sub.component_at : target->at, component);
}

/* Every component and level is assigned once. */
static gboolean
claim_target(Ctx *c, FieldInfo *info, int component, Span at)
{
	Component *k = &info->component[component];

	if (k->assigned > 0 && !k->meant) {
		diag_error(c->s->diag, at, "'%s' is assigned twice", info->field->name);
		diag_note(c->s->diag, k->at, "the first assignment is here");
		diag_help(c->s->diag, "use a temp for the value in between");
		return FALSE;
	}
	return TRUE;
}

static void
assigned(Ctx *c, FieldInfo *info, int component, Span at)
{
	info->component[component].assigned = ++c->s->seq;
	info->component[component].meant = FALSE;
	info->component[component].at = at;
}

/* ---- what was reported, and is not to be blamed again where it is read ---- */

/* Which component TARGET names is not known: all that nobody else assigns. */
static void
meant_target(Ctx *c, const AstExpr *target, Span at)
{
	const AstExpr *base = target->kind == AST_SUBSCRIPT ? target->arg[0] : target;
	Symbol *sym = base->kind == AST_NAME ? scope_find(c->scope, base->name) : NULL;

	if (sym && sym->kind == SYM_RESULT) {
		int *done = &g_array_index(c->s->result_assigned, int, sym->result->index);

		if (*done == 0)
			*done = ++c->s->seq;
	}
	if (!sym || sym->kind != SYM_FIELD)
		return;
	for (int k = 0; k < dims_product(&sym->field.dims); k++) {
		Component *it = &sym->field.info->component[sym->field.first + k];

		if (it->assigned == 0)
			*it = (Component){ .assigned = ++c->s->seq, .meant = TRUE, .at = at };
	}
}

/* The arguments that the stencil assigns; of an unknown one all. */
static void
meant_arguments(Ctx *c, const AstStmt *stmt)
{
	const Symbol *sym = scope_find(c->scope, stmt->name);
	const AstList *params = sym && sym->kind == SYM_STENCIL ? &sym->top->params : NULL;

	for (int i = 0; i < stmt->args.n; i++) {
		const AstParam *p = params && i < params->n ? params->item[i] : NULL;

		if (!p || p->kind == PARAM_OUT || p->kind == PARAM_INOUT || p->kind == PARAM_RESULT)
			meant_target(c, stmt->args.item[i], stmt->at);
	}
}

void
sema_meant(Ctx *c, const AstStmt *stmt)
{
	if (stmt->kind == STMT_ASSIGN || stmt->kind == STMT_SCAN)
		meant_target(c, stmt->target, stmt->at);
	else if (stmt->kind == STMT_CALL)
		meant_arguments(c, stmt);
	AST_EACH(AstStmt, inner, &stmt->body)
		sema_meant(c, inner);
	AST_EACH(AstStmt, inner, &stmt->other)
		sema_meant(c, inner);
}

/* ---- stages ---- */

static void
add_stage(Ctx *c, const Stage *like)
{
	Stage *stage = arena_copy(c->s->st->arena, like, sizeof *like);

	stage->index = (int)c->s->st->stages->len;
	stage->associative = c->frame->associative;
	g_ptr_array_add(c->s->st->stages, stage);
}

static gboolean
scan_axis(Ctx *c, const AstStmt *stmt, Stage *stage)
{
	AstExpr axis = { .kind = AST_NAME, .at = stmt->name_at, .name = stmt->name };

	stage->kind = STAGE_SCAN;
	stage->direction = stmt->downwards ? -1 : 1;
	/* lines of reals that begin again are off by roundings, as other sums in another order */
	stage->anywhere = stmt->start_kind == START_ANYWHERE
		&& (c->s->in->associative != 0 || !type_is_real(stage->target->type));
	stage->axis = sema_axis_argument(c, &axis);
	return stage->axis >= 0;
}

/* Makes the stage that assigns the right side of STMT to a component of VIEW. */
void
sema_assign_field(Ctx *c, FieldView *view, int component, int level, const AstStmt *stmt)
{
	Sema *s = c->s;
	Field *f = view->info->field;
	Stage stage = { .kind = STAGE_MAP, .target = f, .component = component, .level = level,
		.grid = f->grid, .axes = f->axes, .at = stmt->at };
	Ctx inner = *c;
	char *what = g_strdup_printf("'%s'", f->name);
	gboolean good = TRUE;

	inner.space = (Space){ view->decl, f->grid, f->axes };
	inner.seq = s->seq;
	inner.target = &view->info->component[component];
	if (stmt->kind == STMT_SCAN) {
		good = scan_axis(&inner, stmt, &stage);
		inner.scan = &stage;
	}
	if (good
		&& claim_target(c, view->info, component,
			stmt->target ? stmt->target->at : stmt->name_at)) {
		stage.value =
			value_store(s, expand(&inner, stmt->expr), f->type, stmt->expr->at, what);
		inner.scan = NULL;
		if (stmt->start)
			stage.start = value_store(
				s, expand(&inner, stmt->start), f->type, stmt->start->at, what);
		if (stage.value && (stage.start || !stmt->start))
			add_stage(c, &stage);
		if (level == 1) {
			f->stepped = TRUE;
			s->st->stepped = TRUE;
		}
	}
	assigned(c, view->info, component, stmt->at);
	g_free(what);
}

/* ---- reductions ---- */

static const ReduceOp reduce_of[] = {
	[WINDOW_SUM] = REDUCE_SUM, [WINDOW_PROD] = REDUCE_PROD, [WINDOW_MIN] = REDUCE_MIN,
	[WINDOW_MAX] = REDUCE_MAX, [WINDOW_ANY] = REDUCE_ANY, [WINDOW_ALL] = REDUCE_ALL,
};

static Expr *
reduce_term(Ctx *c, const AstExpr *value)
{
	Value *v = expand(c, value->arg[0]);

	if (v->kind == V_ERROR)
		return NULL;
	return value->window == WINDOW_ANY || value->window == WINDOW_ALL ? value_bool(c->s, v)
		: value_settle(c->s, v);
}

static void
try_reduce(Ctx *c, gpointer value)
{
	(void)reduce_term(c, value);
}

static void
assign_result(Ctx *c, Symbol *sym, const AstStmt *stmt)
{
	Sema *s = c->s;
	const AstExpr *value = stmt->expr;
	int *done = &g_array_index(s->result_assigned, int, sym->result->index);
	Stage stage = { .kind = STAGE_REDUCE, .result = sym->result, .at = stmt->at };
	Ctx inner = *c;

	sema_use(s, sym);
	if (stmt->kind == STMT_SCAN) {
		diag_error(s->diag, stmt->target->at, "'%s' is a result: a scan assigns a field",
			sym->name);
		return;
	}
	if (value->kind != AST_WINDOW || !value->on_grid) {
		diag_error(s->diag, value->at, "a result is a reduction over the grid");
		diag_help(s->diag, "write %s = sum[grid](...), or prod, min, max, any, all",
			sym->name);
		return;
	}
	if (*done) {
		diag_error(s->diag, stmt->at, "the result '%s' is assigned twice", sym->name);
		return;
	}
	/* Where no field is on a grid there is the default one. */
	if (g_hash_table_size(c->frame->grids) == 0 && c->frame->file->default_grid
		&& !sema_grid(s, c->frame, c->frame->file->default_grid, value->at))
		return;
	if (!sema_find_space(c, try_reduce, (gpointer)value, &inner.space)) {
		diag_error(s->diag, value->at, "there is no grid to reduce over");
		return;
	}
	inner.seq = s->seq;
	stage.grid = inner.space.grid;
	stage.axes = inner.space.axes;
	stage.reduce = reduce_of[value->window];
	stage.value = reduce_term(&inner, value);
	*done = ++s->seq;
	if (stage.value)
		add_stage(c, &stage);
}

void
sema_assign(Ctx *c, const AstStmt *stmt)
{
	Symbol *sym;
	int component, level;

	if (!find_target(c, stmt->target, &sym, &component, &level))
		sema_meant(c, stmt);
	else if (sym->kind == SYM_RESULT) {
		assign_result(c, sym, stmt);
		sema_meant(c, stmt);
	} else
		sema_assign_field(c, &sym->field, component, level, stmt);
}
