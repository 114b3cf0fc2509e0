/* laps.c: how `accumulate` walks along rows that begin and end anywhere.
 *
 * A thread's cells are a warp apart there, and what lies beside them comes from other lanes:
 * no vector has to lie right, and planes need not be shared.  Where what a plane gives to the
 * cells of several has parts in common, more rows have more of them so.  Of doubles, a vector
 * of which is two, whole rows are better off so, too (measured: tests/bench/RESULTS.md).
 */
#include "choose/limits.h"
#include "kernel/count.h"
#include "kernel/lower.h"
#include "kernel/source.h"

#define CELLS_BYTES 16 /* of a row of a thread's */
#define DOUBLE_BYTES 8
#define CHUNK 24       /* planes of a block, at least; twice as many at most */

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

static gboolean
has_registers(const Planner *p, const Plan *lapped, int most)
{
	Arena *arena = arena_new();
	KKernel *k = lower_march_lapped(arena, lapped);
	gboolean has = FALSE;

	if (k != NULL) {
		const KCount count = kir_count(k);

		has = count.held + count.names <= registers_kept(p, lapped, most);
		kir_free(k);
	}
	arena_free(arena);
	return has;
}

static void
set_shape(Plan *lapped, const LappedShape *shape)
{
	int bytes = type_info[lapped->stage->target->type].bytes;

	set_threads(lapped, shape->threads);
	set_cells(lapped, (const int[]){ MAX(CELLS_BYTES / bytes, 2), shape->rows, CHUNK });
	set_span(lapped);
}

gboolean
plan_lapped(const Planner *p, Plan *plan)
{
	int along = plan->axis[IR_MAX_RANK - 1];
	gboolean shares;
	Plan *lapped;

	if (plan->strategy != STRATEGY_ACCUMULATE || plan->n_axes < IR_MAX_RANK || plan->padded
		|| plan->cells[0] == 1)
		return TRUE;
	shares = accumulate_shares(plan, p->arena);
	lapped = arena_copy(p->arena, plan, sizeof *plan);
	lapped->exchange = EXCHANGE_L1;
	lapped->feed = FEED_HALO;
	lapped->load = LOAD_DIRECT;
	lapped->shared = 0;
	lapped->unroll = lapped->blocks = 1;
	lapped->always = type_info[plan->stage->target->type].bytes == DOUBLE_BYTES;
	lapped->warm = stage_reach(plan->stage, along, 0) + stage_reach(plan->stage, along, 1);
	for (gsize i = 0; i < G_N_ELEMENTS(shapes) && plan->lapped == NULL; i++) {
		set_shape(lapped, &shapes[i]);
		if ((shares || !shapes[i].shares)
			&& has_registers(p, lapped, shapes[i].registers))
			plan->lapped = lapped;
	}
	return TRUE;
}
