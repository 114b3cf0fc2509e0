/* smaller.c: what nobody has asked for gives way to the limits of the device.
 *
 * The planners themselves spare shared memory and registers.  What is left too large for
 * the device is planned once more by smaller blocks, then by plainer strategies, of which the
 * last takes what there is.
 */
#include "choose/limits.h"

#include <string.h>

static const StrategyId plainer[] = { STRATEGY_MARCH, STRATEGY_SHARED, STRATEGY_NAIVE };

/* A launch that is to be planned once more. */
typedef struct {
	const Planner *p;
	const Plan *bare;
	Plan *plan; /* that it has */
	BlockUse use; /* that has to suit the device */
} Again;

/* As many steps a sweep as are asked for are made, or none are. */
static gboolean
keeps_steps(const Again *a, const Plan *tried)
{
	const char *time = wish(a->p, a->plan->name, "time");

	return time == NULL || strcmp(time, "1") == 0 || (tried->time > 0) == (a->plan->time > 0);
}

/* FALSE: the launch stays as it is, and nothing is said. */
static gboolean
replan(const Again *a, const Block *block, StrategyId id, const TilePoint *point)
{
	Diag *diag = a->p->diag;
	Plan tried = *a->bare;
	gboolean fine;

	if (id == STRATEGY_NAIVE)
		set_axes(&tried);
	diag_mute(diag);
	fine = plan_between(a->p, &tried, block, id, point);
	set_derived(&tried);
	fine = diag_unmute(diag) == 0 && fine && keeps_steps(a, &tried)
		&& !limits_are_broken(a->p, &tried, a->use);
	if (fine)
		*a->plan = tried;
	return fine;
}

static gboolean
by_smaller_blocks(const Again *a, const Block *block, StrategyId id, const TilePoint *point)
{
	int threads[IR_MAX_RANK];
	const Block smaller = { threads, block->cells };

	memcpy(threads, a->plan->threads, sizeof threads);
	while (block->threads == NULL && threads_halve(a->plan, threads))
		if (replan(a, &smaller, id, point))
			return TRUE;
	return FALSE;
}

/* What takes several stages, if PLAN has them. */
static gboolean
may_be(const Again *a, StrategyId id)
{
	return (a->plan->n_stages == 1 || plannings[id]->crowded != NULL)
		&& launch_refuses(a->p, a->bare, id) == NULL;
}

void
plan_smaller(const Planner *p, const Plan *bare, Plan *plan, const Block *block, StrategyId id,
	const TilePoint *point, gboolean free)
{
	Again again = { p, bare, plan, USE_ESTIMATED };
	gboolean fine = by_smaller_blocks(&again, block, id, point);

	for (gsize i = 0; i < G_N_ELEMENTS(plainer) && free && !fine; i++)
		fine = may_be(&again, plainer[i]) && (replan(&again, block, plainer[i], NULL)
			|| by_smaller_blocks(&again, block, plainer[i], NULL));
	again.use = USE_KNOWN;
	if (!fine && limits_are_broken(p, plan, USE_KNOWN))
		by_smaller_blocks(&again, block, id, point);
}
