/* names.c: which names of a program are axes, and a walk over all of it. */
#include "rewrite.h"

#include <string.h>

void
rewrite_refuse(Rewrite *r, const char *why)
{
	if (!r->why)
		r->why = why;
}

gboolean
rewrite_is_axis(const Rewrite *r, const char *name)
{
	if (g_hash_table_contains(r->axes, name))
		return TRUE;
	if (r->top && r->top->kind == TOP_STENCIL) {
		AST_EACH(AstParam, p, &r->top->params)
			if (p->kind == PARAM_AXIS && p->name == name)
				return TRUE;
	} else if (r->top && r->top->kind == TOP_DEF) {
		AST_EACH(AstDefParam, p, &r->top->params)
			if (p->name == name && g_hash_table_contains(r->axis_params, p))
				return TRUE;
	}
	return FALSE;
}

/* TRUE if TEST holds of a name in E. */
static gboolean
has_name(const Rewrite *r, const AstExpr *e, gboolean (*test)(const Rewrite *, const char *))
{
	if (!e)
		return FALSE;
	if (e->kind == AST_NAME)
		return test(r, e->name);
	for (int i = 0; i < 3; i++)
		if (has_name(r, e->arg[i], test))
			return TRUE;
	if (e->kind == AST_WINDOW)
		return FALSE;
	AST_EACH(AstExpr, item, &e->list)
		if (has_name(r, item, test))
			return TRUE;
	return FALSE;
}

gboolean
rewrite_has_axis(const Rewrite *r, const AstExpr *e)
{
	return has_name(r, e, rewrite_is_axis);
}

static gboolean
is_time(const Rewrite *r, const char *name)
{
	(void)r;
	return strcmp(name, "t") == 0;
}

/* ---- the walk ---- */

static void walk_expr(Rewrite *r, const Visitor *v, AstExpr *e);

static void
walk_subscript(Rewrite *r, const Visitor *v, AstExpr *e)
{
	if (e->arg[0]->kind != AST_NAME)
		walk_expr(r, v, e->arg[0]);
	AST_EACH(AstExpr, entry, &e->list) {
		if (rewrite_has_axis(r, entry)) {
			if (v->entry)
				v->entry(r, entry);
		} else if (v->component && !has_name(r, entry, is_time)) {
			v->component(r, e, entry_i);
		}
	}
}

/* TRUE if argument I of a call of NAME stands for an axis there. */
static gboolean
takes_axis(const Rewrite *r, const char *name, int i)
{
	const AstTop *def = g_hash_table_lookup(r->defs, name);

	if (strcmp(name, "size") == 0)
		return TRUE;
	return def && i < def->params.n
		&& g_hash_table_contains(r->axis_params, def->params.item[i]);
}

static void
walk_call(Rewrite *r, const Visitor *v, AstExpr *e)
{
	if (v->call && g_hash_table_contains(r->defs, e->name))
		v->call(r, e);
	AST_EACH(AstExpr, argument, &e->list)
		if (argument->kind != AST_NAME || !takes_axis(r, e->name, argument_i))
			walk_expr(r, v, argument);
}

static void
walk_expr(Rewrite *r, const Visitor *v, AstExpr *e)
{
	if (!e)
		return;
	switch (e->kind) {
	case AST_INT:
	case AST_REAL:
		return;
	case AST_NAME:
		if (v->coordinate && rewrite_is_axis(r, e->name))
			v->coordinate(r, e);
		return;
	case AST_SUBSCRIPT:
		walk_subscript(r, v, e);
		return;
	case AST_CALL:
		walk_call(r, v, e);
		return;
	case AST_CONVERT:
	case AST_UNARY:
	case AST_BINARY:
	case AST_SELECT:
	case AST_WINDOW:
		for (int i = 0; i < 3; i++)
			walk_expr(r, v, e->arg[i]);
		return;
	}
}

static void
walk_stmts(Rewrite *r, const Visitor *v, AstList *stmts)
{
	AST_EACH(AstStmt, s, stmts) {
		if (v->statement)
			v->statement(r, s);
		walk_expr(r, v, s->target);
		walk_expr(r, v, s->expr);
		walk_expr(r, v, s->start);
		AST_EACH(AstExpr, argument, &s->args)
			if (argument->kind != AST_NAME)
				walk_expr(r, v, argument);
		walk_stmts(r, v, &s->body);
		walk_stmts(r, v, &s->other);
	}
}

static void
find_fields(Rewrite *r, AstList *stmts)
{
	AST_EACH(AstStmt, s, stmts) {
		if (s->kind == STMT_TEMP)
			g_hash_table_insert(r->fields, (gpointer)s->name, &s->dims);
		find_fields(r, &s->body);
		find_fields(r, &s->other);
	}
}

static void
walk_top(Rewrite *r, const Visitor *v, AstTop *top)
{
	r->top = top;
	g_hash_table_remove_all(r->fields);
	if (top->kind == TOP_DEF)
		walk_expr(r, v, top->body);
	if (top->kind == TOP_STENCIL) {
		AST_EACH(AstParam, p, &top->params)
			if (p->kind <= PARAM_INOUT)
				g_hash_table_insert(r->fields, (gpointer)p->name, &p->dims);
		find_fields(r, &top->stmts);
		walk_stmts(r, v, &top->stmts);
		if (v->stencil)
			v->stencil(r, top);
	}
	r->top = NULL;
}

void
rewrite_walk(Rewrite *r, const Visitor *visitor)
{
	for (guint i = 0; i < r->files->len; i++) {
		AstFile *file = g_ptr_array_index(r->files, i);

		AST_EACH(AstTop, top, &file->tops)
			walk_top(r, visitor, top);
	}
}

/* ---- which parameters of defs are axes ---- */

/* TRUE if E uses NAME where an axis may stand. */
static gboolean
used_as_axis(const Rewrite *r, const AstExpr *e, const char *name, gboolean in_entry)
{
	if (!e)
		return FALSE;
	if (e->kind == AST_NAME)
		return in_entry && e->name == name;
	for (int i = 0; i < 3; i++)
		if (used_as_axis(r, e->arg[i], name, in_entry))
			return TRUE;
	if (e->kind == AST_WINDOW)
		return FALSE;
	AST_EACH(AstExpr, item, &e->list) {
		gboolean inside = in_entry || e->kind == AST_SUBSCRIPT
			|| (e->kind == AST_CALL && takes_axis(r, e->name, item_i));

		if (used_as_axis(r, item, name, inside))
			return TRUE;
	}
	return FALSE;
}

static void
note_axis_params(Rewrite *r, AstExpr *call)
{
	const AstTop *def = g_hash_table_lookup(r->defs, call->name);

	AST_EACH(AstExpr, argument, &call->list) {
		AstDefParam *p = argument_i < def->params.n ? def->params.item[argument_i] : NULL;

		if (p && argument->kind == AST_NAME && rewrite_is_axis(r, argument->name)
		    && used_as_axis(r, def->body, p->name, FALSE))
			g_hash_table_add(r->axis_params, p);
	}
}

void
rewrite_find_names(Rewrite *r)
{
	static const Visitor calls = { .call = note_axis_params };
	guint before;

	for (guint i = 0; i < r->files->len; i++) {
		AstFile *file = g_ptr_array_index(r->files, i);

		AST_EACH(AstTop, top, &file->tops) {
			if (top->kind == TOP_DEF)
				g_hash_table_insert(r->defs, (gpointer)top->name, top);
			AST_EACH(AstAxis, axis, &top->axes)
				g_hash_table_add(r->axes, (gpointer)axis->name);
		}
	}
	do {
		before = g_hash_table_size(r->axis_params);
		rewrite_walk(r, &calls);
	} while (g_hash_table_size(r->axis_params) > before);
}
