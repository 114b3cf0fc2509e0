/* plan_stream.c: blocks whose planes fit the shared memory. */
#include "choose/planner.h"

#include "kernel/lower.h"
#include "kernel/source.h"

#define VECTOR_BYTES 16
#define FAR 3 /* cells that a star reaches */
#define MAX_AHEAD 8
#define MAX_BLOCKS 8

/* They are tried in order. */
static const Shape stream_shapes[] = {
	{ { 16, 8, 1 } }, { { 8, 8, 1 } }, { { 8, 4, 1 } }, { { 4, 4, 1 } },
};

static const char *
refuses(const Planner *p, const Stage *stage)
{
	(void)p;
	return stream_refuses(stage);
}

static void
set_shape(Plan *plan, const Block *block, const int *threads)
{
	int bytes = type_info[plan->stage->target->type].bytes;

	set_threads(plan, threads);
	set_cells(plan, block->cells != NULL ? block->cells
		: (const int[]){ CLAMP(VECTOR_BYTES / bytes, 2, 8), 1, 32 });
}

/* FALSE, and reported, where it is no block. */
static gboolean
set_block(const Planner *p, Plan *plan, const Block *block, const int *threads)
{
	set_shape(plan, block, threads);
	if (!layers_suit(p, plan) || !cells_suit(p, plan, plan->cells[0] * plan->cells[1]))
		return FALSE;
	plan->shared = stream_shared(plan, p->arena);
	return TRUE;
}

static gboolean
plan_block(const Planner *p, Plan *plan, const Block *block)
{
	gsize limit = arch_shared_limit(p->request->arch);
	int feed = wish_name(p, plan, "feed", feed_name, FEED_N);

	plan->unroll = wish_number(p, plan, "unroll", MAX_TOGETHER, 4);
	plan->ahead = wish_number(p, plan, "ahead", MAX_AHEAD, 2);
	plan->blocks = wish_number(p, plan, "blocks", MAX_BLOCKS, 1);
	if (feed < 0 || plan->unroll == 0 || plan->ahead == 0 || plan->blocks == 0)
		return FALSE;
	plan->feed = (Feed)feed;
	for (gsize i = 0; i < G_N_ELEMENTS(stream_shapes); i++) {
		if (!set_block(p, plan, block, block->threads != NULL ? block->threads
			: stream_shapes[i].threads))
			return FALSE;
		if (plan->shared <= limit)
			return TRUE;
		if (block->threads != NULL)
			break;
	}
	return refuse_planes(p, plan, "strategy 'march'");
}

static gboolean
plan_stream(const Planner *p, Plan *plan, const Block *block)
{
	plan->strategy = STRATEGY_STREAM;
	return plan_block(p, plan, block);
}

static gboolean
plan_stream_registers(const Planner *p, Plan *plan, const Block *block)
{
	plan->strategy = STRATEGY_STREAM_REGISTERS;
	return plan_block(p, plan, block);
}

/* Stars that reach far: what each thread of `march` loads beside its own column is then
 * most of what it loads (tests/bench/RESULTS.md). */
static gboolean
suits(const Planner *p, const Plan *plan, const Block *block)
{
	const int *smallest = stream_shapes[G_N_ELEMENTS(stream_shapes) - 1].threads;
	Plan likely = *plan;

	if (block->threads != NULL || block->cells != NULL || stage_radius(plan->stage) < FAR
		|| march_reach_of(plan).diagonal)
		return FALSE;
	likely.strategy = STRATEGY_STREAM_REGISTERS;
	likely.feed = FEED_HALO;
	set_shape(&likely, block, smallest);
	return stream_shared(&likely, p->arena) <= arch_shared_limit(p->request->arch);
}

const Planning planning_stream = { refuses, plan_stream, NULL, STRATEGY_MARCH, NULL };
const Planning planning_stream_registers = { refuses, plan_stream_registers, suits,
	STRATEGY_MARCH, NULL };
