/* plan_naive.c: a thread per cell; one or more per line of a scan; a block per partial
 * result of a reduction.
 */
#include "choose/facts.h"
#include "choose/limits.h"
#include "choose/work.h"

#define REDUCE_THREADS 256

static const Shape naive_shape[IR_MAX_RANK + 1] = {
	{ { 1, 1, 1 } }, { { 256, 1, 1 } }, { { 32, 8, 1 } }, { { 32, 8, 1 } },
};

/* A block of as many threads, few of which have no cell where rows are short. */
static void
set_usual_threads(Plan *plan)
{
	const Shape *usual = &naive_shape[plan->n_axes];
	int threads[IR_MAX_RANK] = { 1, 1, 1 }, left = 1;

	for (int i = 0; i < IR_MAX_RANK; i++)
		left *= usual->threads[i];
	for (int i = 0; i < plan->n_axes; i++) {
		const gint64 extent = facts_extent(plan->stage->grid, plan->axis[i]);
		const int most = i == 0 && !facts_is_narrow(plan) ? usual->threads[0] : left;

		while (threads[i] < MIN(extent, most))
			threads[i] *= 2;
		left /= threads[i];
	}
	set_threads(plan, threads);
}

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
	if (block->threads != NULL)
		set_threads(plan, block->threads);
	else
		set_usual_threads(plan);
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
