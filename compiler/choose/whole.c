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

Plan *
rest_with(const Planner *p, const Plan *rest, void (*set)(const Planner *p, Plan *part))
{
	Plan *own = arena_copy(p->arena, rest, sizeof *rest);

	set(p, own);
	if (rest->then != NULL)
		own->then = rest_with(p, rest->then, set);
	return own;
}

int
rest_seconds(const Device *d, const Plan *rest, Arena *arena, double *seconds)
{
	int n = 0;

	*seconds = 0;
	for (; rest != NULL; rest = rest->then, n++) {
		Prediction part;

		if (predict(d, rest, arena, &part) != NULL)
			return 0;
		*seconds += part.seconds;
	}
	return n;
}

double
launches_seconds(const Planner *p, const GPtrArray *plans)
{
	double seconds = 0;

	for (guint i = 0; i < plans->len; i++) {
		Prediction part;

		if (predict(p->request->device, g_ptr_array_index(plans, i), p->arena, &part)
			!= NULL)
			return 0;
		seconds += part.seconds;
	}
	return seconds;
}

gboolean
launch_is_faster(const Planner *p, const Plan *all, double gain)
{
	const Device *d = p->request->device;
	Prediction whole;
	double seconds;

	if (d == NULL)
		return TRUE;
	return predict(d, all, p->arena, &whole) == NULL
		&& rest_seconds(d, all->rest, p->arena, &seconds) > 0
		&& whole.seconds < gain * seconds;
}
