/* unread.c: what nobody reads is not made.
 *
 * Temps that are written down and never read, and those that a stencil makes which is
 * called for something else.
 */
#include "opt/opt.h"

/* By field and component: who makes it is not done in vain. */
typedef gboolean **Reads;

static void
note_tap(Expr *e, gpointer user)
{
	Reads reads = user;

	if (e->op == EXPR_TAP)
		reads[e->tap.field->index][e->tap.component] = TRUE;
}

static gboolean
is_unread(Reads reads, const Stage *stage)
{
	return stage->kind != STAGE_REDUCE && stage->target->role == FIELD_TEMP
		&& !reads[stage->target->index][stage->component];
}

/* Stages read what those before them made. */
static void
drop_stages(Stencil *s)
{
	Arena *arena = arena_new();
	Reads reads = arena_array(arena, gboolean *, s->fields->len + 1);

	for (guint i = 0; i < s->fields->len; i++)
		reads[i] = arena_array(arena, gboolean, ((const Field *)g_ptr_array_index(
			s->fields, i))->components);
	for (guint i = s->stages->len; i-- > 0;) {
		const Stage *stage = g_ptr_array_index(s->stages, i);

		if (is_unread(reads, stage))
			g_ptr_array_remove_index(s->stages, i);
		else
			stage_taps(stage, note_tap, reads);
	}
	opt_number_stages(s);
	arena_free(arena);
}

static gboolean
is_made(const Stencil *s, const Field *f)
{
	for (guint i = 0; i < s->stages->len; i++)
		if (((const Stage *)g_ptr_array_index(s->stages, i))->target == f)
			return TRUE;
	return FALSE;
}

/* What F's boundaries need of its grid. */
static void
drop_needs(Stencil *s, const Field *f)
{
	for (guint i = s->needs->len; i-- > 0;)
		if (((const EdgeNeed *)g_ptr_array_index(s->needs, i))->field == f)
			g_ptr_array_remove_index(s->needs, i);
}

/* Temps come last, behind the fields that the caller knows. */
static void
drop_fields(Stencil *s)
{
	for (guint i = s->fields->len; i-- > 0;) {
		const Field *f = g_ptr_array_index(s->fields, i);

		if (f->role != FIELD_TEMP || is_made(s, f))
			continue;
		drop_needs(s, f);
		g_ptr_array_remove_index(s->fields, i);
	}
	for (guint i = 0; i < s->fields->len; i++)
		((Field *)g_ptr_array_index(s->fields, i))->index = (int)i;
}

void
opt_unread(Stencil *s)
{
	drop_stages(s);
	drop_fields(s);
}
