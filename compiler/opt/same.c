/* same.c: temps that are the same everywhere are not made: what reads one has its value.
 *
 * Those are components that are computed at every cell, of constants, scalars, tables and the
 * step.  A tap stands for that value wherever it reaches, but for a boundary that says another
 * one.  Wants contracted products: a value is rounded as it would be stored, and is no factor
 * or term of what reads it.
 */
#include "opt/opt.h"

#include "analyze/uniform.h"
#include "opt/fold.h"

typedef struct {
	Expr ***value; /* by field and component; NULL: it is none of those */
	gboolean any;  /* was read */
} Same;

/* TRUE if what lies beyond the grid is VALUE, too. */
static gboolean
boundary_agrees(const Expr *tap, const Expr *value)
{
	const Boundary *b = tap->tap.boundary;
	const Field *f = tap->tap.field;

	for (int a = 0; b != NULL && a < f->grid->rank; a++)
		for (int side = 0; side < 2 && (f->axes & AXIS_BIT(a)); side++)
			if (b->kind[a][side] == EDGE_CONSTANT && b->value[a][side] != value)
				return FALSE;
	return TRUE;
}

static Expr *
read_value(Stencil *s, Expr *e, gpointer user)
{
	Same *same = user;
	Expr *value = e->op == EXPR_TAP
		? same->value[e->tap.field->index][e->tap.component] : NULL;

	(void)s;
	if (value == NULL || !boundary_agrees(e, value))
		return e;
	same->any = TRUE;
	return value;
}

static void
rewrite_root(Stencil *s, Expr **root, Same *same)
{
	const Type type = (*root)->type;
	Expr *read = expr_rewrite(s, *root, read_value, same, NULL);

	if (read == *root)
		return;
	*root = fold_expr(s, read);
	if ((*root)->type != type)
		*root = expr_unary(s, (*root)->at, EXPR_CONVERT, type, *root);
}

/* The call asks for no extent of its grid because of F's boundaries. */
static gboolean
needs_nothing(const Stencil *s, const Field *f)
{
	for (guint i = 0; i < s->needs->len; i++)
		if (((const EdgeNeed *)g_ptr_array_index(s->needs, i))->field == f)
			return FALSE;
	return TRUE;
}

static gboolean
is_same(const Stencil *s, const Stage *stage)
{
	GHashTable *uniform;
	gboolean same;

	if (!opt_makes_temp(s, stage) || !needs_nothing(s, stage->target))
		return FALSE;
	uniform = uniform_nodes(stage->value, FALSE);
	same = g_hash_table_contains(uniform, stage->value);
	g_hash_table_unref(uniform);
	return same;
}

void
opt_same(Stencil *s)
{
	Arena *arena = arena_new();
	Same same = { arena_array(arena, Expr **, s->fields->len + 1), FALSE };

	for (guint i = 0; i < s->fields->len; i++)
		same.value[i] = arena_array(arena, Expr *, ((const Field *)g_ptr_array_index(
			s->fields, i))->components);
	for (guint i = 0; i < s->stages->len; i++) {
		Stage *stage = g_ptr_array_index(s->stages, i);
		Expr **root[2];
		const int n = stage_roots(stage, root);

		for (int k = 0; k < n; k++)
			rewrite_root(s, root[k], &same);
		if (is_same(s, stage))
			same.value[stage->target->index][stage->component] = stage->value;
	}
	arena_free(arena);
	if (same.any)
		opt_unread(s);
}
