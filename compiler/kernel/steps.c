/* steps.c: which stencils can make several steps in one sweep.
 *
 * In a plane (`strip`) a step may read fields that stay as they are, beside the one
 * that it steps; in a volume (`tile`) it may not.
 */
#include "kernel/steps.h"

#include "kernel/lower.h"
#include "kernel/source.h"

static void
find_leaf(Expr *e, gpointer user)
{
	const char **why = user;

	if (e->op == EXPR_COORD || e->op == EXPR_STEP || e->op == EXPR_RESULT)
		*why = "its cells ask where they are, or when";
}

static gboolean
is_target(const Stage *stage, const KSource *s)
{
	return s->field == stage->target && s->component == stage->component && s->level == 0;
}

/* A field that stays as it is while the steps go on, and lies like the one stepped. */
static gboolean
stays(const Stage *stage, const KSource *s)
{
	const Field *f = s->field;

	return f->role == FIELD_IN && f->axes == stage->axes && !f->masked
		&& (f->components == 1 || !f->interleaved);
}

static const char *
ends_refuse(const Stage *stage, const GPtrArray *sources, int axis)
{
	gboolean around = FALSE, beyond = FALSE;

	for (guint i = 0; i < sources->len; i++) {
		const KSource *s = g_ptr_array_index(sources, i);
		const EdgeKind *kind = s->boundary != NULL ? s->boundary->kind[axis] : NULL;

		if (kind == NULL || (s->lo[axis] == 0 && s->hi[axis] == 0))
			continue;
		if ((kind[0] == EDGE_WRAP || kind[1] == EDGE_WRAP) && kind[0] != kind[1])
			return "an axis wraps at one end only";
		around = around || (kind[0] == EDGE_WRAP && is_target(stage, s));
		beyond = beyond || kind[0] != EDGE_WRAP;
	}
	return around && beyond ? "an axis wraps for some of its fields only" : NULL;
}

/* Why the taps of STAGE do not suit; NULL: they do. */
static const char *
taps_refuse(const Stage *stage, const GPtrArray *sources, const GPtrArray *far)
{
	const char *why = NULL;
	int targets = 0;

	if (far->len > 0 || (stage->grid->rank > 2 && sources->len != 1))
		return "it reads more than the field that it steps";
	for (guint i = 0; i < sources->len; i++) {
		const KSource *s = g_ptr_array_index(sources, i);

		targets += is_target(stage, s);
		if (!is_target(stage, s) && (stage->grid->rank > 2 || !stays(stage, s)))
			return "it reads more than the field that it steps";
		for (guint j = 0; j < i; j++) {
			const KSource *other = g_ptr_array_index(sources, j);

			if (other->field == s->field && other->component == s->component)
				return "it reads a field under two boundaries";
		}
	}
	if (targets == 0)
		return "it does not read the field that it steps";
	for (int a = 0; a < stage->grid->rank && why == NULL; a++)
		why = ends_refuse(stage, sources, a);
	return why;
}

const char *
steps_refuse(const Stencil *stencil, const Stage *stage, int rank)
{
	static const char *const axes[] = { "no axes", "one axis", "two axes", "three axes" };
	const char *why = march_refuses(stage);
	GPtrArray *far = g_ptr_array_new(), *sources = NULL;
	Arena *arena = arena_new();

	expr_visit((Expr *const *)&stage->value, 1, find_leaf, &why);
	if (why == NULL && (stencil->stages->len != 1 || !stage->target->stepped
		|| stage->target->history > 0 || stage->target->components > 1))
		why = "a step is more than one map of one field";
	if (why == NULL && (stencil->until.condition != NULL || stencil->uses_step))
		why = "every step counts by itself";
	if (why == NULL && (stage->grid->rank != rank || stage->axes != (1u << rank) - 1))
		why = arena_printf(stencil->arena, "its grid has not %s", axes[rank]);
	if (why == NULL) {
		sources = stage_sources(stage, stage->grid->rank - 1, arena, far);
		why = taps_refuse(stage, sources, far);
		g_ptr_array_unref(sources);
	}
	g_ptr_array_unref(far);
	arena_free(arena);
	return why;
}
