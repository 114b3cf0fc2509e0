/* cells_any.c: how many cells of a row a thread has where rows are no whole vectors.
 *
 * Cells are moved one by one there, and each has an address of its own: as many as registers hold.
 * These kernels are the longest to count, and no strategy, block or launch is chosen by them: only
 * what is chosen comes here.
 */
#include "choose/limits.h"

#include "kernel/lower.h"

#define ANY_KEPT 575    /* counted, of 255: the addresses of cells, */
#define NAME_KEPT 8     /* which are most of their names, weigh more (measured) */
#define DOUBLE_KEPT 550 /* likewise, of cells that are two words, */
#define NARROW_KEPT 450 /* and less than one */
#define SUMS_KEPT 160   /* of `accumulate': 153 nvcc holds, of 205 it spilled 184 bytes, */
#define FACES_KEPT 146  /* and with what is asked at faces, which the count does not know: 143
                         * nvcc holds, of 150 it spilled 1440 */
#define LONE_KEPT 150   /* of a lone cell that has columns from other lanes */

/* Interleaved fields have no such kernel.  Of other fields cells share no columns, so that fewer
 * cost little; what is asked at the faces of a volume the count does not know. */
static int
march_kept(const Planner *p, const Plan *plan)
{
	const MarchNeeds needs = march_needs(plan, p->arena);
	int most = registers_kept(p, plan, MARCH_REGISTERS);

	if ((plan->n_stages == 1 || !needs.together) && (plan->n_axes < 3 || !needs.leaves))
		most = registers_kept(p, plan, MARCH_COUNTED);
	if (plan->n_axes == 2 && march_reach_of(plan).rows > 2
		&& (plan_reads_beyond(p, plan) & BEYOND_CONSTANTS) != 0) /* the count knows none */
		most /= 2;
	return most;
}

static gboolean
march_holds(const Planner *p, const Plan *any, int most)
{
	(void)p;
	return (any->registers_any > 0 ? any->registers_any : march_registers(any, FALSE))
		<= most;
}

static int
stream_kept(const Planner *p, const Plan *plan)
{
	const int bytes = type_info[plan->stage->target->type].bytes;

	return registers_kept(p, plan, bytes < 4 ? NARROW_KEPT : bytes < 8 ? ANY_KEPT
		: DOUBLE_KEPT);
}

static gboolean
stream_holds(const Planner *p, const Plan *any, int most)
{
	const KCount count = kir_count_free(lower_stream(p->arena, any, FALSE));

	return count.held + NAME_KEPT * count.names <= most;
}

static int
accumulate_kept(const Planner *p, const Plan *plan)
{
	return registers_kept(p, plan, plan->n_axes == IR_MAX_RANK
		&& march_needs(plan, p->arena).leaves ? FACES_KEPT : SUMS_KEPT);
}

/* 0: as many as where rows are whole vectors. */
static int
fewest_cells(const Planner *p, const Plan *plan, int most,
	gboolean (*holds)(const Planner *p, const Plan *any, int most))
{
	Plan any = *plan;

	any.edges = EDGES_GUARD; /* where cells are split, it is counted as if they were not */
	while (any.cells[0] > 1 && !holds(p, &any, most)) {
		any.cells[0] /= 2;
		any.registers_any = 0;
	}
	return any.cells[0] < plan->cells[0] ? any.cells[0] : 0;
}

static int
cells_any_of(const Planner *p, const Plan *plan)
{
	if (plan->strategy == STRATEGY_STREAM_REGISTERS)
		return fewest_cells(p, plan, stream_kept(p, plan), stream_holds);
	if (plan->strategy == STRATEGY_MARCH && !march_moves_narrow(plan))
		return fewest_cells(p, plan, march_kept(p, plan), march_holds);
	if (plan->strategy == STRATEGY_ACCUMULATE && plan->exchange != EXCHANGE_SHARED)
		return fewest_cells(p, plan, accumulate_kept(p, plan), march_holds);
	return 0;
}

/* One cell of REST, if more might not be held by registers: the count knows no faces, and no blocks
 * of another shape serve the rest of a sweep there. */
static gboolean
is_spared(const Planner *p, const Plan *rest)
{
	return rest->strategy == STRATEGY_MARCH && rest->n_axes == 2
		&& march_reach_of(rest).rows > 1
		&& (plan_reads_beyond(p, rest) & BEYOND_IMAGES) != 0
		&& !march_needs(rest, p->arena).narrow;
}

/* Lanes that hand columns on are all there, so that each clamps the columns that it loads: nvcc
 * works out all their addresses before a walk over planes. */
static gboolean
is_better_alone(const Planner *p, const Plan *plan)
{
	const Plan *any = variant_any(p->arena, plan);

	return any->strategy == STRATEGY_MARCH && any->n_axes == IR_MAX_RANK && any->cells[0] == 1
		&& march_registers(any, FALSE) > registers_kept(p, plan, LONE_KEPT);
}

/* Which other plans may have, too. */
static void
set_any(const Planner *p, Plan *rest)
{
	rest->cells_any = is_spared(p, rest) ? 1 : cells_any_of(p, rest);
	rest->alone_any = is_better_alone(p, rest);
}

void
plan_cells_any(const Planner *p, Plan *plan)
{
	plan->cells_any = cells_any_of(p, plan);
	if (plan->rest != NULL)
		plan->rest = rest_with(p, plan->rest, set_any);
}

void
plan_alone_any(const Planner *p, Plan *plan)
{
	plan->alone_any = is_better_alone(p, plan);
}
