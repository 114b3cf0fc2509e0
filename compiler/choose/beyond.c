/* beyond.c: what a sweep reads beyond the grid: it takes registers that no count knows. */
#include "choose/planner.h"

#include "kernel/source.h"

/* Of a face across axis NUMBER of the plan. */
static int
beyond_face(EdgeKind kind, int number)
{
	if (kind == EDGE_WRAP)
		return number < 2 ? BEYOND_WRAPS : 0;
	return kind == EDGE_CONSTANT ? BEYOND_IMAGES | BEYOND_CONSTANTS : BEYOND_IMAGES;
}

int
plan_reads_beyond(const Planner *p, const Plan *plan)
{
	GPtrArray *far = g_ptr_array_new(), *sources = stage_sources(plan->stage, plan->axis[0],
		p->arena, far);
	int beyond = 0;

	for (guint i = 0; i < sources->len; i++) {
		const KSource *s = g_ptr_array_index(sources, i);

		for (int n = 0; n < 2 * plan->n_axes; n++)
			if (source_leaves(s, plan->axis[n / 2]))
				beyond |= beyond_face(s->boundary->kind[plan->axis[n / 2]][n % 2],
					n / 2);
	}
	g_ptr_array_unref(sources);
	g_ptr_array_unref(far);
	return beyond;
}
