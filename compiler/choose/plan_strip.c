/* plan_strip.c: several steps a sweep, as many as registers and columns allow. */
#include "choose/planner.h"

#include "kernel/lower.h"
#include "kernel/source.h"

static const char *
refuses(const Planner *p, const Stage *stage)
{
	return strip_refuses(p->s, stage);
}

/* Cells of a lane: 32 bytes of registers. */
static int
strip_vector(const Stage *stage)
{
	return 32 / type_info[type_kind(stage->target->type)].bytes;
}

/* Vectors of VX cells, of which a warp stores what T steps leave of its columns. */
static gboolean
plan_strip(const Planner *p, Plan *plan, const Block *block)
{
	int radius = MAX(stage_radius(plan->stage), 1);

	plan->strategy = STRATEGY_STRIP;
	set_threads(plan, block->threads != NULL ? block->threads : (const int[]){ 32, 1, 1 });
	set_cells(plan, block->cells != NULL ? block->cells
		: (const int[]){ strip_vector(plan->stage), 64, 1 });
	plan->time = wish_number(p, plan, "time", 16, radius == 1 ? 6 : radius == 2 ? 4 : 2);
	plan->ahead = wish_number(p, plan, "ahead", 8, 2);
	if (plan->time == 0 || plan->ahead == 0 || !cells_suit(p, plan, plan->cells[0]))
		return FALSE;
	plan->span[0] = plan->threads[1] * strip_columns(plan, p->arena);
	plan->span[1] = plan->cells[1];
	for (int face = 0; face < 2; face++) {
		plan->rim[0][face] = stage_reach(plan->stage, plan->axis[0], face);
		plan->rim[1][face] = -1;
	}
	if (plan->threads[0] == 32 && plan->span[0] > 0 && plan->cells[0] >= radius)
		return plan_rest(p, plan);
	diag_error(p->diag, plan->stage->at, "strategy 'strip' cannot compute '%s' by %d steps "
		"with %d threads and %d cells each in a row: it takes warps of 32 threads, and %d "
		"cells of a warp's row are left to store", plan->name, plan->time, plan->threads[0],
		plan->cells[0], plan->span[0] / MAX(plan->threads[1], 1));
	diag_help(p->diag, "write threads=32x4, fewer steps (time=4), or more cells (cells=8x256)");
	return FALSE;
}

static gboolean
suits(const Planner *p, const Plan *plan, const Block *block)
{
	(void)p;
	return block->threads == NULL && block->cells == NULL
		&& stage_radius(plan->stage) <= strip_vector(plan->stage);
}

const Planning planning_strip = { refuses, plan_strip, suits, STRATEGY_MARCH, NULL };
