/* check.c: what can be said once a stencil, or all of them, are complete. */
#include "sema/internal.h"

#include "opt/fold.h"

/* ---- one stencil ---- */

static void
check_outputs(Sema *s)
{
	for (guint i = 0; i < s->infos->len; i++) {
		FieldInfo *info = g_ptr_array_index(s->infos, i);
		Field *f = info->field;

		for (int k = 0; k < f->components && f->role == FIELD_OUT; k++) {
			if (info->component[k].assigned > 0)
				continue;
			if (f->n_dims > 0)
				diag_error(s->diag, f->at,
					"component %d of the out field '%s' is never assigned", k,
					f->name);
			else
				diag_error(s->diag, f->at, "the out field '%s' is never assigned",
					f->name);
			break;
		}
	}
	for (guint i = 0; i < s->st->results->len; i++) {
		Result *r = g_ptr_array_index(s->st->results, i);

		if (g_array_index(s->result_assigned, int, r->index) == 0)
			diag_error(s->diag, r->at, "the result '%s' is never assigned", r->name);
	}
}

/* u's older levels are members u_tm1, u_tm2, ...: nothing else may be called so. */
static void
check_history_names(Sema *s)
{
	for (guint i = 0; i < s->st->fields->len; i++) {
		Field *f = g_ptr_array_index(s->st->fields, i);

		for (int k = 1; k <= f->history; k++) {
			char *name = g_strdup_printf("%s_tm%d", f->name, k);

			if (g_hash_table_contains(s->c_names, g_intern_string(name)))
				diag_error(s->diag, f->at,
					"'%s' is the name of an older level of '%s'", name,
					f->name);
			g_free(name);
		}
	}
}

static void
check_halo_used(Sema *s, const Frame *f)
{
	GridDecl *grid = f->file->default_grid;

	for (int a = 0; grid && a < grid->rank; a++) {
		s->st->halo[a] = f->halo[a];
		s->st->has_halo = s->st->has_halo || f->halo[a] >= 0;
		if (f->halo[a] <= f->reach[a])
			continue;
		diag_warn(s->diag, WARN_HALO_PADDING, f->top->halo_at,
			"the halo along '%s' is %d, and no tap reaches farther than %d",
			grid->axis[a], f->halo[a], f->reach[a]);
	}
}

typedef struct {
	Stencil *st;
	Expr *found;
} Doubles;

static void
find_double(Expr *e, gpointer user)
{
	Doubles *d = user;

	if (!d->found && e->type == TYPE_F64 && e->n_args > 0 && e->op != EXPR_CONVERT
	    && fold_expr(d->st, e)->op != EXPR_CONST)
		d->found = e;
}

/* f64 arithmetic where no field, scalar or table asks for it. */
static void
check_double(Sema *s)
{
	gboolean single = FALSE, wide = FALSE;

	for (guint i = 0; i < s->st->fields->len; i++) {
		Type t = ((Field *)g_ptr_array_index(s->st->fields, i))->type;

		single = single || (type_is_real(t) && t != TYPE_F64);
		wide = wide || t == TYPE_F64;
	}
	for (guint i = 0; i < s->st->stages->len && single && !wide; i++) {
		Stage *stage = g_ptr_array_index(s->st->stages, i);
		Expr *roots[2] = { stage->value, stage->start };
		Doubles d = { s->st, NULL };

		if (stage->kind == STAGE_REDUCE)
			continue; /* it accumulates in f64 anyway */
		expr_visit(roots, stage->start ? 2 : 1, find_double, &d);
		if (d.found)
			diag_warn(s->diag, WARN_DOUBLE, d.found->at,
				"this is computed in f64, and every field is of a smaller type");
	}
}

void
check_stencil(Sema *s, Frame *f)
{
	check_outputs(s);
	check_history_names(s);
	if (!s->st->stepped && s->st->until.condition) {
		diag_error(s->diag, s->st->until.at,
			"`until` needs steps, and nothing is assigned at t+1");
		diag_help(s->diag, "assign an inout field: u[t+1] = ...");
	}
	if (!s->st->stepped && f->top->steps)
		diag_warn(s->diag, WARN_NO_EFFECT, f->top->steps->at,
			"nothing is assigned at t+1: there are no steps");
	if (diag_errors(s->diag) > 0)
		return;
	if (s->st->stages->len == 0)
		diag_warn(s->diag, WARN_NO_EFFECT, f->top->name_at,
			"the stencil '%s' computes nothing", f->top->name);
	check_halo_used(s, f);
	check_double(s);
}

/* ---- all stencils ---- */

static void
unused(Sema *s, Warning id, const void *decl, Span at, const char *what, const char *name)
{
	if (!g_hash_table_contains(s->used, decl))
		diag_warn(s->diag, id, at, "the %s '%s' is never used", what, name);
}

static const struct {
	const char *what;
	Warning id;
} param_kinds[] = {
	[PARAM_IN] = { "field", WARN_UNUSED_FIELD },
	[PARAM_OUT] = { "field", WARN_UNUSED_FIELD },
	[PARAM_INOUT] = { "field", WARN_UNUSED_FIELD },
	[PARAM_SCALAR] = { "parameter", WARN_UNUSED_PARAMETER },
	[PARAM_CONST] = { "parameter", WARN_UNUSED_PARAMETER },
	[PARAM_AXIS] = { "parameter", WARN_UNUSED_PARAMETER },
	[PARAM_RESULT] = { "result", WARN_UNUSED_PARAMETER },
};

/* FACES say SIDE of AXIS by itself. */
static gboolean
says_face(const AstList *faces, const char *axis, const char *side)
{
	AST_EACH(AstFace, it, faces)
		if (it->side && it->axis == axis && g_str_equal(it->side, side))
			return TRUE;
	return FALSE;
}

/* An axis of a boundary both of whose faces are given beside it. */
static void
hidden_faces(Sema *s, const AstStmt *stmt)
{
	AST_EACH(AstFace, it, &stmt->faces) {
		if (!it->axis || it->side || !says_face(&stmt->faces, it->axis, "lo")
			|| !says_face(&stmt->faces, it->axis, "hi"))
			continue;
		diag_warn(s->diag, WARN_NO_EFFECT, it->at,
			"this boundary of '%s' has no effect: both of its faces are given by "
			"themselves", it->axis);
	}
}

static void
unused_stmts(Sema *s, const AstList *stmts)
{
	AST_EACH(AstStmt, stmt, stmts) {
		hidden_faces(s, stmt);
		if (stmt->kind == STMT_TEMP && g_hash_table_contains(s->temps, stmt))
			unused(s, WARN_UNUSED_FIELD, stmt, stmt->name_at, "temp", stmt->name);
		if (stmt->kind == STMT_LOCAL && g_hash_table_contains(s->locals, stmt))
			unused(s, WARN_UNUSED_LOCAL, stmt, stmt->name_at, "local", stmt->name);
		unused_stmts(s, &stmt->body);
		unused_stmts(s, &stmt->other);
	}
}

/* Warns of what no expansion of a stencil of the main file used. */
void
check_unused(Sema *s)
{
	AST_EACH(AstTop, top, &s->main->ast->tops) {
		if (top->kind != TOP_STENCIL || !g_hash_table_contains(s->expanded, top))
			continue;
		AST_EACH(AstParam, p, &top->params)
			unused(s, param_kinds[p->kind].id, p, p->name_at, param_kinds[p->kind].what,
				p->name);
		unused_stmts(s, &top->stmts);
	}
}

/* ---- names of the C interface ---- */

/* Each stencil declares names of its own that begin with its name. */
void
check_functions(Sema *s, const Program *p)
{
	static const char *const suffixes[] = { "_host", "_args", "_args_init", "_workspace" };
	GHashTable *stencils = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < p->stencils->len; i++) {
		Stencil *a = g_ptr_array_index(p->stencils, i);

		g_hash_table_insert(stencils, (gpointer)a->name, a);
	}
	for (guint i = 0; i < p->stencils->len; i++)
		for (gsize n = 0; n < G_N_ELEMENTS(suffixes); n++) {
			const Stencil *a = g_ptr_array_index(p->stencils, i), *b;
			char *name = g_strconcat(a->name, suffixes[n], NULL);

			b = g_hash_table_lookup(stencils, name);
			if (b) {
				diag_error(s->diag, b->at,
					"'%s' is also a name that the stencil '%s' "
					"declares in C",
					b->name, a->name);
				diag_note(s->diag, a->at, "'%s' is declared here", a->name);
			}
			g_free(name);
		}
	g_hash_table_unref(stencils);
}

/* ---- -D ---- */

static gboolean
can_be_defined(Sema *s, const char *name)
{
	GHashTableIter it;
	gpointer value;

	g_hash_table_iter_init(&it, s->files);
	while (g_hash_table_iter_next(&it, NULL, &value)) {
		FileUnit *file = value;

		AST_EACH(AstTop, top, &file->ast->tops) {
			if (top->kind == TOP_CONST && top->name == name)
				return TRUE;
			if (top->kind == TOP_STENCIL)
				AST_EACH(AstParam, p, &top->params)
					if ((p->kind == PARAM_CONST || p->kind == PARAM_AXIS)
						&& p->name == name)
						return TRUE;
		}
	}
	return FALSE;
}

/* The parameter NAME of a stencil that a call gives; NULL: none. */
static const AstParam *
given_at_run_time(Sema *s, const char *name)
{
	AST_EACH(AstTop, top, &s->main->ast->tops)
		if (top->kind == TOP_STENCIL)
			AST_EACH(AstParam, p, &top->params)
				if (p->name == name)
					return p;
	return NULL;
}

static void
refuse_define(Sema *s, const SemaDefine *d, const AstParam *p)
{
	if (p->kind != PARAM_SCALAR) {
		diag_error(s->diag, p->name_at, "-D cannot set '%s': it is a %s", p->name,
			param_kinds[p->kind].what);
		return;
	}
	diag_error(s->diag, p->name_at, "-D cannot set '%s': it is a %s, given at run time",
		p->name, p->dims.n > 0 ? "table" : "scalar");
	if (p->dims.n > 0)
		diag_help(s->diag, "'stencil run --set=%s=...' gives it", p->name);
	else
		diag_help(s->diag, "'stencil run --set=%s=%s' gives it; 'const %s %s' is known "
			"when compiling", p->name, d->value, type_info[p->type].name, p->name);
}

/* A -D that nothing declares is an error. */
void
check_defines(Sema *s)
{
	for (guint i = 0; s->in->defines && i < s->in->defines->len; i++) {
		const SemaDefine *d = g_ptr_array_index(s->in->defines, i);
		const char *name = g_intern_string(d->name);
		Ctx c = { .s = s, .scope = s->main->scope };
		const AstParam *given;

		if (can_be_defined(s, name))
			continue;
		given = given_at_run_time(s, name);
		if (given)
			refuse_define(s, d, given);
		else
			sema_unknown(&c, name, (Span){ 0 }, "constant or parameter of -D");
	}
}
