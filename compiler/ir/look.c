/* look.c: what makes the steps, and what only looks at them. */
#include "ir/look.h"

static void
add_read(Expr *e, gpointer user)
{
	if (e->op == EXPR_TAP)
		g_hash_table_add(user, e->tap.field);
	else if (e->op == EXPR_RESULT)
		g_hash_table_add(user, e->result);
}

static gboolean
may_look(const Stage *stage)
{
	return stage->kind == STAGE_REDUCE || stage->target->role == FIELD_TEMP;
}

static gconstpointer
made_by(const Stage *stage)
{
	return stage->kind == STAGE_REDUCE ? (gconstpointer)stage->result : stage->target;
}

/* Stages read what those before them made. */
gboolean *
stencil_looks(const Stencil *s)
{
	gboolean *looks = g_new0(gboolean, s->stages->len + 1);
	GHashTable *read = g_hash_table_new(NULL, NULL); /* by those that make steps */

	for (guint i = s->stages->len; i-- > 0 && s->stepped;) {
		const Stage *stage = g_ptr_array_index(s->stages, i);

		looks[i] = may_look(stage) && !g_hash_table_contains(read, made_by(stage));
		if (!looks[i])
			stage_taps(stage, add_read, read);
	}
	g_hash_table_unref(read);
	return looks;
}

GPtrArray *
stages_that_make(const Stencil *s, const gboolean *looks)
{
	GPtrArray *makers = g_ptr_array_new();

	for (guint i = 0; i < s->stages->len; i++)
		if (!looks[i])
			g_ptr_array_add(makers, g_ptr_array_index(s->stages, i));
	return makers;
}

GPtrArray *
stencil_makers(const Stencil *s)
{
	gboolean *looks = stencil_looks(s);
	GPtrArray *makers = stages_that_make(s, looks);

	g_free(looks);
	return makers;
}

const Stage *
stencil_first_maker(const Stencil *s)
{
	GPtrArray *makers = stencil_makers(s);
	const Stage *first = makers->len > 0 ? g_ptr_array_index(makers, 0) : NULL;

	g_ptr_array_unref(makers);
	return first;
}

int
stencil_n_makers(const Stencil *s)
{
	GPtrArray *makers = stencil_makers(s);
	int n = (int)makers->len;

	g_ptr_array_unref(makers);
	return n;
}

static gboolean
is_gone(const Expr *tap, gconstpointer user)
{
	const Field *f = tap->tap.field;

	(void)user;
	return f->role == FIELD_INOUT && f->stepped && tap->tap.level < 1 - f->history;
}

gboolean
stencil_looks_back(const Stencil *s)
{
	gboolean gone = FALSE, *looks = stencil_looks(s);

	for (guint i = 0; i < s->stages->len && !gone; i++)
		gone = looks[i]
			&& stage_has_tap(g_ptr_array_index(s->stages, i), is_gone, NULL);
	g_free(looks);
	return gone;
}

int
stencil_steps_between(const Stencil *s)
{
	if (s->until.condition == NULL)
		return G_MAXINT;
	return (int)MIN(s->until.every - stencil_looks_back(s), G_MAXINT);
}
