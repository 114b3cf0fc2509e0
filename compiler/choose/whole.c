/* whole.c: what a launch of all stages of a step, or of a pipeline, stands for: one launch
 * after the other.
 */
#include "choose/planner.h"

#include "choose/predict.h"

/* Its model is a paper's, of kernels of one stage. */
static gboolean
has_papers_plans(const Planner *p)
{
	return p->request->device != NULL && p->request->model != CHOOSER_OURS
		&& p->request->model != CHOOSER_N;
}

gboolean
launch_is_open(const Planner *p, const Plan *first)
{
	static const char *const keys[] = { "strategy", "threads", "cells", "stages" };

	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
		if (wish(p, first->name, keys[i]) != NULL)
			return FALSE;
	return p->request->strategy == NULL && (p->request->time != 1 || !p->s->stepped)
		&& !has_papers_plans(p);
}

const Plan *
launch_rest(const Planner *p, const GPtrArray *plans, guint first, guint n)
{
	Plan *rest = NULL;

	for (guint i = n; i-- > 0;) {
		Plan *part = arena_copy(p->arena, g_ptr_array_index(plans, first + i),
			sizeof *part);

		part->then = rest;
		part->time = i == 0;
		part->why = NULL;
		rest = part;
	}
	return rest;
}

gboolean
launch_is_faster(const Planner *p, const Plan *all, double gain)
{
	Prediction whole, part;
	double seconds = 0;

	if (p->request->device == NULL)
		return TRUE;
	if (predict(p->request->device, all, p->arena, &whole) != NULL)
		return FALSE;
	for (const Plan *rest = all->rest; rest != NULL; rest = rest->then) {
		if (predict(p->request->device, rest, p->arena, &part) != NULL)
			return FALSE;
		seconds += part.seconds;
	}
	return whole.seconds < gain * seconds;
}
