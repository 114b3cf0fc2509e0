/* plan_accumulate.c: planes are read once; what cells keep of them fits into registers. */
#include "choose/facts.h"
#include "choose/limits.h"

#include "analyze/cost.h"
#include "kernel/lower.h"
#include "kernel/source.h"

#define KEPT_REGISTERS 160 /* of 32 bits, of a thread; of 255; */
#define NUMBERS_KEPT 224   /* and where cells take their numbers together */
#define MAX_AHEAD 8
#define MAX_BLOCKS 8
#define CHUNK 32        /* planes of a block, */
#define ROWS 16         /* rows of one, at least, */
#define FAR_CELLS 6     /* of a column, and of a row, that a cell reads beside its own, */
#define FAR_HALVES 4    /* likewise where they are of 16 bits, */
#define WIDE_CELLS 8    /* of a row of floats, which two vectors share */
#define MOST_CELLS 10   /* and no more than leave registers for whole vectors */
#define SHARED_CHUNK 52 /* and where planes are shared: ten blocks a column of 512 */

/* By exchange: through the cache, and in shared memory. */
static const Shape shapes[IR_MAX_RANK + 1][2] = {
	[2] = { { { 128, 1, 1 } }, { { 128, 1, 1 } } },
	[3] = { { { 32, 8, 1 } }, { { 32, 4, 1 } } },
};

static const char *
refuses(const Planner *p, const Stage *stage)
{
	Plan plan = { .stage = stage };

	for (int a = stage->grid->rank; a-- > 0;)
		if (stage->axes & AXIS_BIT(a))
			plan.axis[plan.n_axes++] = a;
	return accumulate_refuses(&plan, p->arena);
}

static gboolean
is_box(const Plan *plan)
{
	return plan->n_axes == 3 && march_reach_of(plan).diagonal;
}

/* More doubles in the text than are free in registers all along: they are made for each use. */
static gboolean
has_many_numbers(const Plan *plan)
{
	return expr_long_ones(plan->stage->value) > FREE_LITERALS;
}

/* What is made for one cell serves all of a thread's. */
static gboolean
shares_numbers(const Plan *plan)
{
	return plan->exchange == EXCHANGE_SHARED && is_box(plan) && has_many_numbers(plan);
}

/* Of 16 bits: what rows have in common is converted anew where it is read anew. */
static gboolean
is_half(const Plan *plan)
{
	const Type type = plan->stage->target->type;

	return type_is_real(type) && type_info[type].bytes < 4;
}

/* Maps that read many rows of a plane, and many cells of one: measured (tests/bench/RESULTS.md). */
static gboolean
reads_far(const Plan *plan)
{
	const int least = is_half(plan) ? FAR_HALVES : FAR_CELLS;
	gboolean far = plan->n_axes == 2;

	for (int i = 0; i < 2 && far; i++) {
		const int cells = stage_breadth(plan->stage, plan->axis[i]);

		far = cells >= least && cells <= MOST_CELLS;
	}
	return far;
}

/* What cells side by side have in common of the rows of a box is more than whole vectors hold. */
static gboolean
shares_rows(const Plan *plan)
{
	const int row = stage_breadth(plan->stage, plan->axis[0]);
	const int star = row + stage_breadth(plan->stage, plan->axis[1]) + 1;

	return reads_far(plan) && cost_of(plan->stage).loads > star
		&& !is_half(plan)
		&& (type_info[plan->stage->target->type].bytes > 4 || row >= WIDE_CELLS);
}

static void
set_cells_of(Plan *plan, const Block *block)
{
	int bytes = type_info[plan->stage->target->type].bytes, n = plan->n_axes;
	int cells[IR_MAX_RANK] = { CLAMP(VECTOR_BYTES / bytes, 2, 8), 1, 1 };

	if (bytes >= 4 && is_box(plan)) /* what rows share */
		cells[1] = 2;
	if (shares_rows(plan))
		cells[0] *= 2;
	if (shares_numbers(plan)) { /* rows take fewer registers than columns */
		cells[0] = 1;
		cells[1] = 4;
	}
	cells[n - 1] = plan->exchange == EXCHANGE_SHARED ? SHARED_CHUNK : n == 2 ? ROWS : CHUNK;
	set_cells(plan, block->cells != NULL ? block->cells : cells);
}

/* That a thread has of a plane; where it walks over rows, of each of them. */
static int
rows_of(const Plan *plan)
{
	return plan->n_axes > 2 ? plan->cells[1] : 1;
}

/* FALSE, and reported, where it is no block. */
static gboolean
block_suits(const Planner *p, const Plan *plan)
{
	if (plan->n_axes == 2 && plan->threads[1] > 1) {
		diag_error(p->diag, plan->stage->at, "strategy 'accumulate' walks along %s with "
			"'%s': a block has one row of threads, not %d",
			plan->stage->grid->axis[plan->axis[1]], plan->name, plan->threads[1]);
		diag_help(p->diag, "write threads=128");
		return FALSE;
	}
	return (plan->n_axes == 2 || layers_suit(p, plan))
		&& cells_suit(p, plan, plan->cells[0] * rows_of(plan));
}

/* FALSE, and reported, where planes cannot lie in shared memory. */
static gboolean
may_share(const Planner *p, const Plan *plan)
{
	const char *why = plan->n_axes < 3 ? "its grid has not three axes"
		: stream_refuses(plan->stage);

	if (why == NULL)
		return TRUE;
	diag_error(p->diag, plan->stage->at, "strategy 'accumulate' cannot compute '%s' with "
		"exchange=shared: %s", plan->name, why);
	diag_help(p->diag, "write exchange=l1");
	return FALSE;
}

/* FALSE, and reported, where the block's planes do not fit there. */
static gboolean
share(const Planner *p, Plan *plan)
{
	if (refuse_bulk(p, plan) || refuse_ahead(p, plan))
		return FALSE;
	plan->shared = stream_shared(plan, p->arena);
	return plan->shared <= shared_limit(p)
		|| refuse_planes(p, plan, "exchange=l1");
}

/* Of the larger one of its kernels; of planes of that of whole vectors, as nvcc has half of what is
 * counted for the others, whose names are of one row at a time. */
static int
registers_of(const Plan *plan)
{
	const Variant last = plan->n_axes == 2 ? VARIANT_WIDE : VARIANT_ANY;
	int most = 0;

	for (Variant variant = VARIANT_WIDE; variant <= last; variant++) {
		Arena *arena = arena_new();
		KKernel *k = lower_variant(arena, plan, variant);

		if (k != NULL) {
			const KCount count = kir_count_free(k);

			most = MAX(most, count_registers(&count));
		}
		arena_free(arena);
	}
	return most;
}

/* Of boxes in space that share nothing, and so have most to do with what they read. */
static gboolean
usually_shares(const Planner *p, const Plan *plan)
{
	return is_box(plan) && type_info[plan->stage->target->type].bytes == 4
		&& stream_refuses(plan->stage) == NULL && !accumulate_shares(plan, p->arena);
}

/* Planes at once.  Of two nvcc has all numbers in registers, and spills: 343 of them, a cell a
 * thread, take 254 registers so, and 114 one by one. */
static int
usually_together(const Plan *plan)
{
	return has_many_numbers(plan) ? 1 : 2;
}

/* Fewer cells a thread, as long as they take more registers than there should be. */
static void
fit_registers(const Planner *p, Plan *plan)
{
	int most = registers_kept(p, plan, shares_numbers(plan) ? NUMBERS_KEPT : KEPT_REGISTERS);

	while (plan->cells[0] * rows_of(plan) > 1 && registers_of(plan) > most)
		plan->cells[rows_of(plan) > 1] /= 2;
}

static gboolean
plan_accumulate(const Planner *p, Plan *plan, const Block *block)
{
	int exchange = wish_name(p, plan, "exchange", exchange_name, EXCHANGE_N);

	plan->strategy = STRATEGY_ACCUMULATE;
	plan->scatter = TRUE;
	if (wish(p, plan->name, "exchange") == NULL && usually_shares(p, plan))
		exchange = EXCHANGE_SHARED;
	/* through the cache two planes take registers that more warps have use for */
	plan->unroll = wish_number(p, plan, "unroll", MAX_TOGETHER,
		is_box(plan) && exchange == EXCHANGE_SHARED ? usually_together(plan) : 1);
	plan->ahead = wish_number(p, plan, "ahead", MAX_AHEAD, 2);
	plan->blocks = wish_number(p, plan, "blocks", MAX_BLOCKS, 1);
	if (exchange < 0 || !plan_feed(p, plan) || plan->unroll == 0 || plan->ahead == 0
		|| plan->blocks == 0)
		return FALSE;
	plan->exchange = (Exchange)exchange;
	if (exchange != EXCHANGE_SHARED) {
		plan->feed = FEED_HALO;
		plan->load = LOAD_DIRECT;
	}
	set_threads(plan, block->threads != NULL ? block->threads
		: shapes[plan->n_axes][exchange == EXCHANGE_SHARED].threads);
	set_cells_of(plan, block);
	if (plan->n_axes == 2) /* as many as fill the device */
		plan->warm = stage_breadth(plan->stage, plan->axis[1]);
	if (!block_suits(p, plan) || (exchange == EXCHANGE_SHARED && !may_share(p, plan)))
		return FALSE;
	if (block->cells == NULL)
		fit_registers(p, plan);
	return exchange != EXCHANGE_SHARED || share(p, plan);
}

/* Boxes in space: `march` reads each plane as often as there are planes in them, or works
 * out anew what planes have in common.  Of floats and doubles it is measured (tests/bench/
 * RESULTS.md), of single steps for small boxes only; a stage that others may share a launch
 * with is better there. */
static gboolean
suits(const Planner *p, const Plan *plan, const Block *block)
{
	const Field *target = plan->stage->target;

	return block->threads == NULL && block->cells == NULL
		&& (is_box(plan) || reads_far(plan)) && p->s->stages->len == 1
		&& (type_info[target->type].bytes >= 4 || (is_half(plan) && reads_far(plan)))
		&& (target->role == FIELD_OUT
		|| (target->role == FIELD_INOUT && (reads_far(plan)
		|| facts_read_small_box(plan->stage))));
}

static const TilePoint tile = { "accumulate", 2, FALSE, 1 };

const Planning planning_accumulate = { refuses, plan_accumulate, suits, STRATEGY_MARCH, NULL,
	&tile };
