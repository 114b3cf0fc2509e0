/* plan_naive.c: a thread per cell; one or more per line of a scan; a block per partial
 * result of a reduction.
 */
#include "choose/limits.h"
#include "choose/work.h"

#define REDUCE_THREADS 256

static const Shape naive_shape[IR_MAX_RANK + 1] = {
	{ { 1, 1, 1 } }, { { 256, 1, 1 } }, { { 32, 8, 1 } }, { { 32, 8, 1 } },
};

static const char *
refuses(const Planner *p, const Stage *stage)
{
	(void)p;
	(void)stage;
	return NULL;
}

/* Fewer of them where their registers are fewer than all may want. */
static void
spare_threads(const Planner *p, Plan *plan)
{
	WarpWork work;

	work_of(p->request->device, plan, &work);
	threads_spare(p, plan, work.registers);
}

static gboolean
plan_naive(const Planner *p, Plan *plan, const Block *block)
{
	const Stage *s = plan->stage;

	plan->strategy = STRATEGY_NAIVE;
	plan->streaming = FALSE;
	if (s->kind == STAGE_SCAN)
		return plan_scan(p, plan, block);
	if (s->kind == STAGE_REDUCE) {
		set_threads(plan, (const int[]){ REDUCE_THREADS, 1, 1 });
		plan->threads[0] = REDUCE_THREADS;
		plan->shared = REDUCE_THREADS * 8;
		return TRUE;
	}
	set_threads(plan, block->threads != NULL ? block->threads
		: naive_shape[plan->n_axes].threads);
	if (block->threads == NULL && !threads_fit(p, plan, G_MAXINT))
		spare_threads(p, plan);
	return TRUE;
}

static gboolean
suits(const Planner *p, const Plan *plan, const Block *block)
{
	(void)p;
	(void)plan;
	(void)block;
	return TRUE;
}

const Planning planning_naive = { refuses, plan_naive, suits, STRATEGY_NAIVE, NULL, NULL };
