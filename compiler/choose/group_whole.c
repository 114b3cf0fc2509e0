/* group_whole.c: all maps of a step as one launch that makes several steps a sweep. */
#include "choose/limits.h"
#include "choose/model.h"
#include "choose/predict.h"

#include <string.h>

#include "analyze/cost.h"

#define MANY_STAGES 8 /* with more, planning them again takes too long */
#define MOST_QUOTIENTS 3 /* of a step whose walks are made shorter */

/* A launch of them all is what is asked for, or nothing is said of it. */
static gboolean
stages_suit(const Planner *p, const GPtrArray *plans, guint n)
{
	const Plan *first = g_ptr_array_index(plans, 0);
	const char *text = wish(p, first->name, "stages");
	char **names = g_strsplit(text != NULL ? text : "", "+", -1);
	gboolean all = text == NULL || (g_strv_length(names) == n
		&& stages_are_next(plans, 0, names));

	g_strfreev(names);
	return all;
}

/* The strategy of several maps where nobody says one. */
static StrategyId
of_several(const Planner *p, const Plan *first)
{
	return first->stage->grid->rank < 3 || (launch_may_step(p, first, STRATEGY_STRIP)
		&& plannings[STRATEGY_STRIP]->suits(p, first, &no_block))
		? STRATEGY_STRIP : STRATEGY_WEAVE;
}

gboolean
wants_whole(const Planner *p, const GPtrArray *plans, guint n)
{
	const Plan *first = plans->len > 0 ? g_ptr_array_index(plans, 0) : NULL;
	const char *name;
	StrategyId id;

	if (!p->s->stepped || n < 2)
		return FALSE;
	id = of_several(p, first);
	name = wish_strategy(p, first->name);
	if (name != NULL)
		id = strategy_find(name);
	else if (!launch_is_open(p, first))
		return FALSE;
	return id != STRATEGY_N && launch_may_step(p, first, id) && stages_suit(p, plans, n);
}

/* ALL by half as many steps, a quarter of them and so on, the fastest of these; NULL: it is no
 * faster than its stages apart, or there are too many of them. */
static Plan *
by_fewer_steps(const Planner *p, const Plan *all)
{
	Plan *best = NULL;
	double least = 0;

	if (all->n_stages > MANY_STAGES)
		return NULL;
	for (int time = all->time / 2; time > 0; time /= 2) {
		const Word word = { "time", arena_printf(p->arena, "%d", time) };
		Plan *fewer = plan_with(p, all, &word, 1);
		Prediction cost;

		if (fewer == NULL
			|| predict(p->request->device, fewer, p->arena, &cost) != NULL)
			continue;
		if (best == NULL || cost.seconds < least) {
			best = fewer;
			least = cost.seconds;
		}
	}
	return best != NULL && launch_is_faster(p, best, WHOLE) ? best : NULL;
}

/* Quotients wait for each other, which the model does not know, and few warps are there to wait
 * (srad, 2048 x 2048 on an H200, GCells/s: predicted 162, measured 87, by single
 * steps 132). */
static gboolean
divides_much(const Plan *plan)
{
	int n = 0;

	for (int i = 0; i < plan->n_stages; i++) {
		const Cost cost = cost_of(plan->stages[i].stage);

		n += cost.ops[COST_DIV] + cost.ops[COST_RATIO];
	}
	return n > MOST_QUOTIENTS;
}

/* ALL by fewer steps or, where the grid is small for its walks, by shorter ones; NULL: it is no
 * faster than its stages apart. */
static const Plan *
made_faster(const Planner *p, const Plan *all)
{
	const Plan *other = by_fewer_steps(p, all);

	if (other != NULL || all->n_stages > MANY_STAGES || divides_much(all))
		return other;
	other = model_reshaped(p, all);
	return other != NULL && launch_is_faster(p, other, WHOLE) ? other : NULL;
}

/* A launch of all maps that makes one step, and may make several. */
static gboolean
may_step(const Plan *plan)
{
	return plan->time == 0 && plan->n_stages <= MANY_STAGES;
}

/* The first N of PLANS as one launch, for single steps. */
static Plan *
all_stages(const Planner *p, const GPtrArray *plans, guint n)
{
	Plan *all = arena_copy(p->arena, g_ptr_array_index(plans, 0), sizeof *all);
	PlanStage *stages;

	add_stages(p, all, (const Plan *const *)&plans->pdata[1], n - 1);
	stages = (PlanStage *)all->stages;
	for (int i = 0; i < all->n_stages; i++)
		stages[i].passing = stages[i].stage->target->role == FIELD_TEMP;
	all->rest = launch_rest(p, plans, 0, n);
	all->why = NULL;
	return all;
}

gboolean
join_whole(const Planner *p, GPtrArray *plans, guint n)
{
	const Plan *whole;
	gboolean open;
	Plan *all;

	if (n < 2 && !may_step(g_ptr_array_index(plans, 0)))
		return TRUE;
	open = launch_is_open(p, g_ptr_array_index(plans, 0)) && p->request->time == 0;
	whole = all = all_stages(p, plans, n);
	if (open && !plannings[of_several(p, all)]->suits(p, all, &no_block))
		return TRUE;
	if (!plan_launch(p, all))
		return FALSE;
	if (open && all->time > 0 && !launch_is_faster(p, all, WHOLE))
		whole = made_faster(p, all);
	if (whole == NULL || whole->time == 0)
		return TRUE;
	g_ptr_array_remove_range(plans, 1, n - 1);
	plans->pdata[0] = (gpointer)whole;
	return TRUE;
}
