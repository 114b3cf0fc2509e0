/* fewer.c: what is left of the steps.
 *
 * Single steps take as long as whole sweeps where memory is the bound: what no sweep of all
 * its steps is left for goes by smaller ones, and by single steps at the end.
 */
#include "choose/limits.h"

#define FEW_BLOCKS 2 /* of a multiprocessor: by itself nvcc has some cells spill for more */

/* Which strategy makes it: a strip, the plainest that there is; a tile only as it is. */
static StrategyId
fewer_strategy(const Plan *plan)
{
	return plan->strategy == STRATEGY_CHAIN ? STRATEGY_STRIP : plan->strategy;
}

/* By the same threads and cells where a tile is one, and by vectors as the rows are; what
 * else is said of the plan is not said of it. */
static GPtrArray *
fewer_settings(const Planner *p, const Plan *plan, StrategyId id)
{
	GPtrArray *settings = g_ptr_array_new();
	const int columns = MAX(plan->width, 1);

	if (id == STRATEGY_STRIP) {
		g_ptr_array_add(settings, arena_printf(p->arena, "cells=%dx64", columns));
		return settings;
	}
	g_ptr_array_add(settings, arena_printf(p->arena, "threads=%dx%d", plan->threads[0],
		plan->threads[1]));
	g_ptr_array_add(settings, arena_printf(p->arena, "cells=%dx%dx%d", plan->cells[0],
		plan->cells[1], plan->cells[2]));
	g_ptr_array_add(settings, arena_printf(p->arena, "exchange=%s",
		exchange_name[plan->exchange]));
	if (plan_is_turned(plan))
		g_ptr_array_add(settings, arena_printf(p->arena, "stream=%s",
			plan_walks_along(plan)));
	return settings;
}

/* NULL: there is none of N steps. */
static const Plan *
make_fewer(const Planner *p, const Plan *plan, int n)
{
	const StrategyId id = fewer_strategy(plan);
	PlanRequest request = { .device = p->request->device, .arch = p->request->arch,
		.strategy = strategies[id].name, .time = n,
		.settings = fewer_settings(p, plan, id) };
	const Planner own = { p->s, &request, p->arena, p->diag };
	Plan *fewer = arena_make(p->arena, Plan);
	gboolean fine;

	*fewer = (Plan){ .stage = plan->stage, .name = plan->name, .n_stages = plan->n_stages,
		.stages = plan->stages, .rest = plan_is_chained(plan) ? plan->rest : NULL };
	diag_mute(p->diag);
	fine = plan_launch(&own, fewer);
	fine = diag_unmute(p->diag) == 0 && fine && fewer->strategy == id && fewer->time == n;
	g_ptr_array_unref((GPtrArray *)request.settings);
	if (id == STRATEGY_STRIP)
		fewer->blocks = FEW_BLOCKS;
	fewer->paddable = plan->paddable;
	fewer->padded = plan->padded;
	fewer->ended = plan->ended;
	fewer->beside = plan->beside;
	fewer->from = plan->from;
	fewer->usual_from = plan->usual_from;
	fewer->whole_below = plan->whole_below;
	return fine ? fewer : NULL;
}

/* Steps of the smaller sweeps, if nobody says: known where there are as many steps between
 * two looks, which they are the rest of. */
static int
usual_fewer(const Planner *p, const Plan *plan)
{
	const int steps = stencil_steps_between(p->s);

	return steps == G_MAXINT ? plan_usual_fewer(plan)
		: fewer_between(steps % plan->time, plan->time - 1);
}

gboolean
plan_fewer(const Planner *p, Plan *plan)
{
	int n;

	if (plan->rest == NULL || plan->time < 2)
		return TRUE;
	n = wish_number(p, plan, "fewer", plan->time - 1, usual_fewer(p, plan));
	if (n > 1)
		plan->fewer = make_fewer(p, plan, n);
	if (plan->fewer != NULL && wish(p, plan->name, "fewer") == NULL
		&& limits_are_broken(p, plan->fewer, limits_use(p)))
		plan->fewer = NULL;
	return n > 0;
}
