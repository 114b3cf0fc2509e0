/* plan_stream.c: blocks whose planes fit the shared memory. */
#include "choose/limits.h"

#include <string.h>

#include "base/round.h"
#include "kernel/lower.h"
#include "kernel/source.h"

#define WALK 80 /* planes, in whole turns; where these come by themselves, the least */
#define ROWS_REGISTERS 150 /* counted: of 255, nvcc makes less than 170 of them */
#define ROWS_CARRIED 112   /* from plane to plane: nvcc finds the others' registers (measured) */
#define MUCH 16            /* loads of a vector of cells, by `march`, that others have made, too */
#define ENOUGH 640         /* threads of a processor: their registers are most of it */
#define MAX_AHEAD 8
#define MAX_BLOCKS 8

/* They are tried in order. */
static const Shape stream_shapes[] = {
	{ { 16, 8, 1 } }, { { 8, 8, 1 } }, { { 8, 4, 1 } }, { { 4, 4, 1 } },
};

/* Where all of a plane comes by itself, of words of so many bytes: of the only field that is
 * read, or of one beside others of which each cell reads its own (tests/bench/RESULTS.md). */
typedef struct {
	int bytes;
	gboolean alone;
	int reaches; /* cells that the star does, at least */
	Feed feed;
	Shape shape;
	int rows;    /* of a thread */
} WholePlanes;

static const WholePlanes whole_planes[] = {
	{ 4, TRUE, 3, FEED_ASYNC, { { 16, 16, 1 } }, 1 },
	{ 4, FALSE, 3, FEED_BULK, { { 16, 8, 1 } }, 2 },
	{ 8, TRUE, 2, FEED_ASYNC, { { 32, 4, 1 } }, 2 },
};

static const char *
refuses(const Planner *p, const Stage *stage)
{
	return stage->grid->rank == 2 ? band_refuses(p, stage) : stream_refuses(stage);
}

static const char *
registers_refuse(const Planner *p, const Stage *stage)
{
	(void)p;
	return stream_refuses(stage);
}

/* Loads of a vector of cells that are made of planes, too: one of each field, and all of one that
 * is read at one point, which no other thread does. */
static int
loads_anyway(const Planner *p, const Plan *plan)
{
	const int x = plan->axis[0];
	GPtrArray *far = g_ptr_array_new();
	GPtrArray *sources = stage_sources(plan->stage, x, p->arena, far);
	int loads = (int)sources->len;

	for (guint i = 0; i < sources->len; i++) {
		const KSource *source = g_ptr_array_index(sources, i);

		loads += source->taps->len == 1 && source->lo[x] != source->hi[x];
	}
	g_ptr_array_unref(sources);
	g_ptr_array_unref(far);
	return loads;
}

gboolean
stream_reads_much(const Planner *p, const Plan *plan)
{
	static const int threads[] = { 32, 4, 1 };
	const int bytes = type_info[plan->stage->target->type].bytes;
	Plan near = *plan;
	KCount count;
	int loads = -loads_anyway(p, plan);

	if (bytes < 4 || stream_reads(plan->stage, plan->axis[0], plan->axis[1]).sources < 2)
		return FALSE;
	near.strategy = STRATEGY_MARCH;
	near.unroll = 1;
	set_threads(&near, threads);
	set_cells(&near, (const int[]){ VECTOR_BYTES / bytes, 1, MUCH });
	count = kir_count_free(lower_march(p->arena, &near, TRUE));
	for (int i = 0; i < K_WIDTHS; i++)
		loads += count.turn[LANES_ALL].loads[i];
	return loads >= MUCH;
}

/* Two rows share most of what they read of shared memory, the half of all that a thread
 * does with it, where the registers for them leave enough threads. */
static gboolean
takes_two_rows(const Planner *p, const Plan *plan)
{
	Plan two = *plan;
	KCount count;

	if (plan->strategy != STRATEGY_STREAM_REGISTERS)
		return FALSE;
	two.cells[1] = 2;
	count = kir_count_free(lower_stream(p->arena, &two, TRUE));
	return count.carried <= registers_kept(p, plan, ROWS_CARRIED)
		&& (count_registers(&count) <= registers_kept(p, plan, ROWS_REGISTERS)
		|| stream_reads_much(p, plan));
}

static void
set_shape(Plan *plan, const Block *block, const int *threads)
{
	int bytes = type_info[plan->stage->target->type].bytes, turn = MAX(plan->unroll, 1);

	set_threads(plan, threads);
	set_cells(plan, block->cells != NULL ? block->cells
		: (const int[]){ CLAMP(VECTOR_BYTES / bytes, 2, 8), 1, WALK / turn * turn });
}

/* Shared memory leaves a processor fewer threads than registers would. */
static gboolean
is_crowded(const Planner *p, const Plan *plan)
{
	const gsize blocks = shared_limit(p) / MAX(plan->shared, 1);

	return blocks * (gsize)(plan->threads[0] * plan->threads[1]) < ENOUGH;
}

/* Points of planes behind a cell's own stay in registers where that is asked for, or shared memory
 * is short: they take as many registers as they save there (tests/bench/RESULTS.md). */
static void
hold_points(const Planner *p, Plan *plan)
{
	const char *hold = wish(p, plan->name, "hold");

	if (plan->strategy != STRATEGY_STREAM_REGISTERS
		|| stream_reads(plan->stage, plan->axis[0], plan->axis[1]).points == 0)
		return;
	plan->points = hold != NULL ? strcmp(hold, hold_name[0]) == 0 : is_crowded(p, plan);
	plan->shared = stream_shared(plan, p->arena);
}

/* They are asked for, and there are none. */
static gboolean
refuse_points(const Planner *p, const Plan *plan)
{
	const char *hold = wish(p, plan->name, "hold");

	if (plan->strategy != STRATEGY_STREAM_REGISTERS || hold == NULL || plan->points
		|| strcmp(hold, hold_name[0]) != 0)
		return FALSE;
	diag_error(p->diag, plan->stage->at, "hold=registers is not for '%s': no field is read at "
		"one point of each plane but a cell's own, beside its column", plan->name);
	diag_help(p->diag, "write hold=shared, or leave hold away");
	return TRUE;
}

/* FALSE, and reported, where it is no block. */
static gboolean
set_block(const Planner *p, Plan *plan, const Block *block, const int *threads)
{
	set_shape(plan, block, threads);
	if (block->cells == NULL && plan->threads[2] == 1 && takes_two_rows(p, plan))
		plan->cells[1] = 2;
	if (!layers_suit(p, plan) || !cells_suit(p, plan, plan->cells[0] * plan->cells[1]))
		return FALSE;
	plan->shared = stream_shared(plan, p->arena);
	hold_points(p, plan);
	return TRUE;
}

/* As many planes a turn as a thread has of its own column, and whole rounds of those on their
 * way: none of them is moved then, and nothing waits at the end of a turn for what has just
 * been asked for. */
int
stream_unroll(const Plan *plan)
{
	int held = plan->feed == FEED_PREFETCH ? plan->ahead : plan->feed < FEED_ASYNC;
	int planes = stage_breadth(plan->stage, plan->axis[2]) + 1 + held;

	if (plan->strategy != STRATEGY_STREAM_REGISTERS || planes > MAX_TOGETHER)
		planes = 4;
	return held > 0 ? MIN(ROUND_UP(planes, held), MAX_TOGETHER / held * held) : planes;
}

/* Of WHOLE_PLANES, what serves PLAN; NULL: nothing. */
static const WholePlanes *
planes_for(const Planner *p, const Plan *plan)
{
	const StreamReads reads = stream_reads(plan->stage, plan->axis[0], plan->axis[1]);
	int bytes = type_info[plan->stage->target->type].bytes;

	if (reads.beside != 1 || reads.far > 0 || march_reach_of(plan).diagonal)
		return NULL;
	for (gsize i = 0; i < G_N_ELEMENTS(whole_planes); i++) {
		const WholePlanes *w = &whole_planes[i];

		if (w->bytes == bytes && w->alone == (reads.sources == 1)
			&& stage_radius(plan->stage) >= w->reaches
			&& (w->feed != FEED_BULK || arch_copies(p->request->arch)))
			return w;
	}
	return NULL;
}

/* All of a plane comes by itself, as many planes ahead as make those that are there as many
 * as a thread has of its own column.  FALSE: two such blocks are too much for a
 * multiprocessor, or it is not what is wanted. */
static gboolean
comes_by_itself(const Planner *p, Plan *plan, const Block *block)
{
	static const char *const words[] = { "feed", "load", "ahead", "unroll", "blocks" };
	int ahead = stage_reach(plan->stage, plan->axis[2], 1);
	const WholePlanes *whole;
	Plan likely = *plan;

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (wish(p, plan->name, words[i]) != NULL)
			return FALSE;
	if (plan->strategy != STRATEGY_STREAM_REGISTERS || block->threads != NULL
		|| block->cells != NULL || ahead < 1 || ahead > MAX_AHEAD
		|| ahead != stage_reach(plan->stage, plan->axis[2], 0))
		return FALSE;
	whole = planes_for(p, plan);
	if (whole == NULL)
		return FALSE;
	likely.feed = whole->feed;
	likely.ahead = ahead;
	likely.blocks = 1;
	likely.unroll = stream_unroll(&likely);
	set_shape(&likely, block, whole->shape.threads);
	likely.cells[1] = whole->rows;
	if (likely.feed == FEED_BULK && stream_bulk_refuses(&likely, p->arena) != NULL)
		return FALSE;
	likely.shared = stream_shared(&likely, p->arena);
	if (2 * likely.shared > shared_limit(p))
		return FALSE;
	*plan = likely;
	return TRUE;
}

gboolean
plan_feed(const Planner *p, Plan *plan)
{
	int feed = wish_name(p, plan, "feed", feed_name, FEED_N);
	int load = wish_name(p, plan, "load", load_name, LOAD_N);

	if (feed < 0 || load < 0)
		return FALSE;
	plan->load = (Load)load;
	plan->feed = (Feed)feed;
	if (wish(p, plan->name, "feed") == NULL) {
		if (plan->load == LOAD_REMAP || wish(p, plan->name, "ahead") != NULL)
			plan->feed = FEED_ASYNC;
		return TRUE;
	}
	if (plan->load != LOAD_REMAP || (plan->feed != FEED_HALO && plan->feed != FEED_BULK))
		return TRUE;
	diag_error(p->diag, plan->stage->at, "feed=%s and load=remap exclude each other for "
		"'%s': %s", feed_name[plan->feed], plan->name, plan->feed == FEED_BULK
		? "what the copy engine brings no thread loads" : "to threads that are numbered "
		"anew over a plane no part of it is a halo");
	diag_help(p->diag, "write feed=async, feed=prefetch or feed=direct, or load=direct");
	return FALSE;
}

gboolean
refuse_bulk(const Planner *p, const Plan *plan)
{
	const char *why = plan->feed == FEED_BULK ? stream_bulk_refuses(plan, p->arena) : NULL;

	if (why == NULL)
		return FALSE;
	diag_error(p->diag, plan->stage->at, "strategy '%s' cannot compute '%s' with feed=bulk: %s",
		strategies[plan->strategy].name, plan->name, why);
	diag_help(p->diag, "write feed=async, or threads=16x8");
	return TRUE;
}

gboolean
refuse_ahead(const Planner *p, const Plan *plan)
{
	const char *ahead = wish(p, plan->name, "ahead");

	if (ahead == NULL || wish(p, plan->name, "feed") == NULL || plan->feed >= FEED_PREFETCH)
		return FALSE;
	diag_error(p->diag, plan->stage->at, "feed=%s and ahead=%s exclude each other for '%s': "
		"no plane comes before its turn", feed_name[plan->feed], ahead, plan->name);
	diag_help(p->diag, "write feed=prefetch or feed=async, or leave ahead away");
	return TRUE;
}

static gboolean
find_block(const Planner *p, Plan *plan, const Block *block)
{
	gsize limit = shared_limit(p);

	if (!plan_feed(p, plan) || refuse_ahead(p, plan))
		return FALSE;
	if (comes_by_itself(p, plan, block))
		return TRUE;
	plan->ahead = wish_number(p, plan, "ahead", MAX_AHEAD, 2);
	if (plan->ahead == 0)
		return FALSE;
	plan->unroll = wish_number(p, plan, "unroll", MAX_TOGETHER, stream_unroll(plan));
	plan->blocks = wish_number(p, plan, "blocks", MAX_BLOCKS, 1);
	if (plan->unroll == 0 || plan->blocks == 0)
		return FALSE;
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

/* Blocks whose planes come by themselves fill a processor alone, and how many of them there
 * are is best left to the launch. */
static gboolean
plan_block(const Planner *p, Plan *plan, const Block *block)
{
	if (!find_block(p, plan, block) || refuse_bulk(p, plan) || refuse_points(p, plan))
		return FALSE;
	if (plan->feed >= FEED_ASYNC)
		plan->warm = stage_breadth(plan->stage, plan->axis[2]);
	return TRUE;
}

static gboolean
plan_stream(const Planner *p, Plan *plan, const Block *block)
{
	plan->strategy = STRATEGY_STREAM;
	return plan->n_axes == 2 ? plan_band(p, plan, block) : plan_block(p, plan, block);
}

static gboolean
plan_stream_registers(const Planner *p, Plan *plan, const Block *block)
{
	plan->strategy = STRATEGY_STREAM_REGISTERS;
	return plan_block(p, plan, block);
}

/* Stars that reach far, and much that is read of several fields: what each thread of `march` loads
 * beside its own column is then most of what it loads (tests/bench/RESULTS.md). */
static gboolean
suits(const Planner *p, const Plan *plan, const Block *block)
{
	const int *smallest = stream_shapes[G_N_ELEMENTS(stream_shapes) - 1].threads;
	Plan likely = *plan;

	likely.strategy = STRATEGY_STREAM_REGISTERS;
	if (comes_by_itself(p, &likely, block))
		return TRUE;
	if (block->threads != NULL || block->cells != NULL
		|| ((stage_radius(plan->stage) < FAR_STAR || march_reach_of(plan).diagonal)
		&& !stream_reads_much(p, plan)))
		return FALSE;
	likely.feed = FEED_HALO;
	set_shape(&likely, block, smallest);
	return stream_shared(&likely, p->arena) <= shared_limit(p);
}

static const TilePoint stream_tile = { "stream", 3, TRUE, 0 };
static const TilePoint registers_tile = { "stream-registers", 2, FALSE, 0 };

const Planning planning_stream = { refuses, plan_stream, NULL, STRATEGY_MARCH, NULL,
	&stream_tile };
const Planning planning_stream_registers = { registers_refuse, plan_stream_registers, suits,
	STRATEGY_MARCH, NULL, &registers_tile };
