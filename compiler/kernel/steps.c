/* steps.c: which stencils can make several steps in one sweep. */
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

/* Why the taps of STAGE do not suit; NULL: they do. */
static const char *
taps_refuse(const Stage *stage, const GPtrArray *sources, const GPtrArray *far)
{
	const KSource *s = sources->len == 1 ? g_ptr_array_index(sources, 0) : NULL;

	if (far->len > 0 || s == NULL || s->field != stage->target || s->level != 0
		|| s->component != stage->component)
		return "it reads more than the field that it steps";
	for (int a = 0; s->boundary != NULL && a < stage->grid->rank; a++) {
		const EdgeKind *kind = s->boundary->kind[a];
		gboolean wraps = kind[0] == EDGE_WRAP || kind[1] == EDGE_WRAP;

		if (wraps && kind[0] != kind[1])
			return "an axis wraps at one end only";
	}
	return NULL;
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
