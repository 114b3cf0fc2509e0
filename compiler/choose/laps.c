/* laps.c: how rows are served that begin and end anywhere, if they are no shorter than a block.
 *
 * A thread's cells are a block's width apart there, so that no vector has to lie right.  `march`
 * does so by its own threads, with as many cells as registers hold; shorter rows then have a
 * cell of a row a thread.  `accumulate` has shapes for it, and shares no planes: what lies
 * beside cells comes from other lanes.  Where what a plane gives to the cells of several has
 * parts in common, more rows have more of them.  Of doubles, a vector of which is two, whole
 * rows are better off so, too (measured: tests/bench/RESULTS.md).
 */
#include "choose/limits.h"
#include "kernel/count.h"
#include "kernel/lower.h"
#include "kernel/source.h"

#define CELLS_BYTES 16 /* of a row of a thread's */
#define DOUBLE_BYTES 8
#define CHUNK 24       /* planes of a block, at least; twice as many at most */
#define MARCH_KEPT 128 /* registers of a thread, by the count */

typedef struct {
	int threads[IR_MAX_RANK];
	int rows;
	int registers; /* of a thread, by the count: else too few blocks run at once */
	gboolean shares;
} LappedShape;

static const LappedShape shapes[] = {
	{ { 32, 4, 1 }, 4, 125, TRUE },
	{ { 32, 8, 1 }, 2, 120, FALSE },
	{ { 32, 8, 1 }, 1, 120, FALSE },
};

/* FAR: what a cell loads for itself alone, which the count does not know. */
static gboolean
has_registers(const Planner *p, const Plan *lapped, int far, int most)
{
	Arena *arena = arena_new();
	KKernel *k = lower_march_lapped(arena, lapped);
	gboolean has = FALSE;

	if (k != NULL) {
		const KCount count = kir_count(k);

		has = count.held + count.names + far * lapped->cells[0] * lapped->cells[1]
			<= registers_kept(p, lapped, most);
		kir_free(k);
	}
	arena_free(arena);
	return has;
}

static void
lap_march(const Planner *p, Plan *plan, Plan *lapped, int far)
{
	int rows = plan->n_axes > 1;

	if (plan->cells_any > 1)
		lapped->cells[0] = plan->cells_any;
	while (lapped->cells[0] > 1 && !has_registers(p, lapped, far, MARCH_KEPT))
		lapped->cells[rows && lapped->cells[1] > 1] /= 2;
	if (lapped->cells[0] == 1)
		return;
	set_span(lapped);
	plan->lapped = lapped;
	plan->cells_any = 1;
}

static void
lap_accumulate(const Planner *p, Plan *plan, Plan *lapped, int far)
{
	int along = plan->axis[IR_MAX_RANK - 1], bytes = type_info[plan->stage->target->type].bytes;
	gboolean shares = accumulate_shares(plan, p->arena);

	lapped->exchange = EXCHANGE_L1;
	lapped->feed = FEED_HALO;
	lapped->load = LOAD_DIRECT;
	lapped->shared = 0;
	lapped->unroll = lapped->blocks = 1;
	lapped->always = bytes == DOUBLE_BYTES;
	lapped->warm = stage_reach(plan->stage, along, 0) + stage_reach(plan->stage, along, 1);
	for (gsize i = 0; i < G_N_ELEMENTS(shapes) && plan->lapped == NULL; i++) {
		set_threads(lapped, shapes[i].threads);
		set_cells(lapped, (const int[]){ MAX(CELLS_BYTES / bytes, 2), shapes[i].rows,
			CHUNK });
		set_span(lapped);
		if ((shares || !shapes[i].shares)
			&& has_registers(p, lapped, far, shapes[i].registers))
			plan->lapped = lapped;
	}
}

gboolean
plan_lapped(const Planner *p, Plan *plan)
{
	gboolean marches = plan->strategy == STRATEGY_MARCH;
	Plan *lapped;

	if (!marches && (plan->strategy != STRATEGY_ACCUMULATE || plan->n_axes < IR_MAX_RANK))
		return TRUE;
	if (plan->padded || plan->rest != NULL || plan->persistent != 0 || plan->cells[0] == 1)
		return TRUE;
	lapped = arena_copy(p->arena, plan, sizeof *plan);
	(marches ? lap_march : lap_accumulate)(p, plan, lapped, march_needs(plan, p->arena).far);
	return TRUE;
}
