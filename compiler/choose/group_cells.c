/* group_cells.c: launches that compute the same, one cell a thread.
 *
 * Where a thread has no registers for several cells of several maps, these have launches of their
 * own.  What one after the other computes of what it reads, one of a cell a thread computes once.
 */
#include "choose/limits.h"
#include "choose/model.h"
#include "choose/predict.h"
#include "choose/work.h"
#include "schedule/fuse.h"

#define LOAD 4          /* instructions, */
#define MUCH 100        /* of a cell: with fewer, memory is waited for */
#define SHARED 0.85     /* of them are left where those that are the same come once: worth a look */
#define SHARED_GAIN 1.2 /* over launches apart, by an estimate */

const char *
cells_refuse(const Plan *plan)
{
	for (int i = 0; i < plan->n_stages; i++) {
		const Stage *s = plan->stages[i].stage;

		if (s->kind != STAGE_MAP)
			return "maps share a launch of this strategy with maps only";
		if (s->region.n_guards > 0)
			return "which cells are missing is only known at run time";
		if (!fuse_same_box(plan->stage, s))
			return "its stages compute other cells";
		if (fuse_reads(plan->stages, i, s))
			return "a stage reads what one before it in the launch makes";
	}
	return NULL;
}

/* A map of which nobody says how it is computed. */
static gboolean
is_left_to_us(const Planner *p, const Plan *plan)
{
	return plan->stage->kind == STAGE_MAP && plan->time == 0 && plan->why == NULL
		&& (plan_is_of(plan, FAMILY_CELLS) || plan->strategy == STRATEGY_MARCH)
		&& model_is_free(p, plan) && wish(p, plan->name, "stages") == NULL;
}

/* Instructions of a cell of PLAN, about, what its stages have in common counted once. */
static int
instructions_of(const Plan *plan)
{
	const Cost cost = work_cost(plan);

	return cost_all(cost.ops) + LOAD * cost.loads;
}

/* Much of what PLAN and NEXT compute is the same. */
static gboolean
is_alike(const Plan *both, const Plan *plan, const Plan *next)
{
	const int apart = instructions_of(plan) + instructions_of(next);

	return apart >= MUCH && instructions_of(both) < SHARED * apart;
}

/* PLAN with the stage of NEXT, by `naive'; NULL: it cannot be. */
static Plan *
with_stage(const Planner *p, const Plan *plan, const Plan *next)
{
	Plan both = *plan;
	const Word word = { "strategy", strategies[STRATEGY_NAIVE].name };

	add_stages(p, &both, &next, 1);
	if (fuse_refuses(plan->stages, plan->n_stages, next->stage, p->arena) != NULL
		|| cells_refuse(&both) != NULL || !parameters_suit(p, &both)
		|| !((plan_is_of(plan, FAMILY_CELLS) && plan_is_of(next, FAMILY_CELLS))
			|| is_alike(&both, plan, next)))
		return NULL;
	return plan_with(p, &both, &word, 1);
}

/* Both as one launch; NULL: that is not predicted to gain enough. */
static const Plan *
together(const Planner *p, const Plan *plan, const Plan *next)
{
	const Device *d = p->request->device;
	Prediction whole, apart[2];
	const Plan *both = with_stage(p, plan, next);

	if (both == NULL || predict(d, both, p->arena, &whole) != NULL
		|| predict(d, plan, p->arena, &apart[0]) != NULL
		|| predict(d, next, p->arena, &apart[1]) != NULL)
		return NULL;
	return whole.seconds * SHARED_GAIN < apart[0].seconds + apart[1].seconds ? both : NULL;
}

void
share_cells(const Planner *p, GPtrArray *plans)
{
	gboolean *looks;

	if (p->request->device == NULL || p->request->model != CHOOSER_OURS)
		return;
	looks = stencil_looks(p->s);
	for (guint i = 0; i + 1 < plans->len;) {
		const Plan *plan = g_ptr_array_index(plans, i);
		const Plan *next = g_ptr_array_index(plans, i + 1);
		const Plan *both = looks[plan->stage->index] == looks[next->stage->index]
			&& is_left_to_us(p, plan) && is_left_to_us(p, next) && next->n_stages == 1
			? together(p, plan, next) : NULL;

		if (both == NULL) {
			i++;
			continue;
		}
		plans->pdata[i] = (gpointer)both;
		g_ptr_array_remove_index(plans, i + 1);
	}
	g_free(looks);
}
