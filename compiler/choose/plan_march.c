/* plan_march.c: vectors of 16 bytes, and a walk as long as registers allow. */
#include "choose/facts.h"
#include "choose/limits.h"
#include "choose/model.h"

#include "analyze/cost.h"
#include "choose/work.h"
#include "kernel/lower.h"
#include "kernel/packed.h"
#include "kernel/where.h"

#define WORD_BYTES 4
#define FEW 40              /* per cent of them, kept of sources: the rest is not looked at */
#define MOST_WIDENED 8      /* cells of a row that are wider than what they are made of */
#define MUCH 30             /* operations of a cell of integers */
#define WHOLE_REGISTERS 128 /* of all planes of a thread, by the count */
#define FEW_READ 64         /* values of a cell: they are held */
#define MOST_ALONE 512      /* loads of a thread for cells that share none: nvcc (13.0) took 205 s
                             * for 1600, and spilled, and 10 for 400 */
#define MOST_SHARED 144     /* that several stages load: nvcc asks for all at once, and, of 158
                             * and what each of them loads besides, spills */
#define MOST_COARSE 384     /* likewise where no grid is finer: 10 s for 512 that each cell picks
                             * one of 16 from, 2 for 256 */
#define MOST_TOGETHER 64    /* likewise, which several stages make something of: of two cells of 64
                             * a thread nvcc took twice as long, for twice the registers */
#define MOST_FUNCTIONS 512  /* of all cells of a thread: nvcc has several side by side; of 1600 it
                             * spilled 3700 bytes and took 280 s, of 400 none and 28 */
#define MOST_OPERATIONS 6500 /* likewise: of 14600 it spilled 5100 bytes, of 7300 1360, of 6300
                              * none */
#define ONE_COUNTED 200     /* of a lone cell: boxes of 11 167 (nvcc: 238), of 13 223 (it spills) */

static const Shape march_shape[IR_MAX_RANK + 1] = {
	{ { 1, 1, 1 } }, { { 256, 1, 1 } }, { { 32, 8, 1 } }, { { 32, 4, 1 } },
};

/* Of many registers smaller blocks leave fewer unused. */
static const Shape light_shape = { { 32, 4, 1 } }, line_shape = { { 128, 1, 1 } };

/* Stars of 8-byte cells, of one field, that read the nearest planes only take few enough. */
static const Shape double_shape = { { 32, 8, 1 } };

static gboolean
is_real(const Expr *e)
{
	return type_is_real(e->type);
}

/* Bytes made of integers: cells take few operations, and two of them one. */
static gboolean
march_is_light(const Plan *plan)
{
	for (int i = 0; i < plan->n_stages; i++) {
		const Stage *s = plan->stages[i].stage;

		if (type_info[s->target->type].bytes > 1 || expr_has(s->value, is_real))
			return FALSE;
	}
	return TRUE;
}

gboolean
march_goes_by_pairs(const Plan *plan)
{
	gboolean pairs;
	Arena *arena;
	KKernel *k;

	if (plan->strategy != STRATEGY_MARCH || !march_is_light(plan))
		return FALSE;
	arena = arena_new();
	k = lower_march(arena, plan, TRUE);
	pairs = packed_to_the_end(k);
	kir_free(k);
	arena_free(arena);
	return pairs;
}

static const Shape *
usual_shape(const Plan *plan)
{
	const MarchReach reach = march_reach_of(plan);

	if (plan->n_axes == 2 && march_is_light(plan))
		return &light_shape;
	if (plan->n_axes == 1 && plan->n_stages > 1)
		return &line_shape;
	if (plan->n_axes == 3 && plan->n_stages == 1 && plan_widest(plan) == 8
		&& reach.rows == 1 && !reach.diagonal
		&& stream_reads(plan->stage, plan->axis[0], plan->axis[1]).beside == 1)
		return &double_shape;
	return &march_shape[plan->n_axes];
}

/* Roots and quotients of many cells at once hide what each of them waits for. */
static gboolean
is_slow(const Plan *plan, MarchReach reach)
{
	return plan->n_stages == 1 && reach.rows == 1 && plan_widest(plan) == 4
		&& cost_long(plan->stage) == COST_TOGETHER;
}

/* What a cell makes of its place is no other's: much of it takes registers of its own. */
static gboolean
makes_much_of_place(const Plan *plan)
{
	const Cost cost = cost_of(plan->stage);

	return where_is_asked(plan->stage) && cost.ops[COST_INTEGER] + cost.ops[COST_CHOOSE] > MUCH;
}

/* A word of a row, so that the lanes of a warp read side by side. */
static void
cells_of_finer_grid(Plan *plan, int bytes)
{
	const gboolean narrow = bytes < WORD_BYTES, volume = plan->n_axes > 2;

	plan->cells[0] = MAX(WORD_BYTES / bytes, 1);
	plan->cells[1] = plan->n_axes < 2 ? 1 : narrow && !volume ? 4 : 2;
	plan->cells[2] = volume ? 2 : 1;
}

/* Of a row: a vector of what is made or, in a volume, of what is read around a cell, where that is
 * narrower. */
static int
usual_columns(const Plan *plan, MarchReach reach)
{
	const int made = plan_widest(plan);
	const int read = plan->n_axes == IR_MAX_RANK && plan->n_stages == 1 && reach.rows == 1
		&& !reach.diagonal ? facts_widest_read(plan->stage) : 0;

	return read > 0 && read < made ? MIN(VECTOR_BYTES / read, MOST_WIDENED)
		: MAX(VECTOR_BYTES / made, 2);
}

/* Rows of a plane and planes of a walk that do well: tests/bench/RESULTS.md. */
static void
usual_march_cells(Plan *plan)
{
	int *cells = plan->cells;
	MarchReach reach = march_reach_of(plan);

	if (reach.finer) {
		cells_of_finer_grid(plan, plan_widest(plan));
		return;
	}
	cells[0] = usual_columns(plan, reach);
	cells[1] = plan->n_axes < 2 ? 1 : plan->n_axes > 2 ? MAX(8 / cells[0], 1)
		: reach.rows > 1 || march_is_light(plan) || is_slow(plan, reach) ? 4 : 2;
	if (plan->n_stages > 1 /* which have enough to do with a row */
		|| (march_is_light(plan) && makes_much_of_place(plan)))
		cells[1] = MAX(cells[1] / 2, 1);
	cells[2] = plan->n_axes < 3 ? 1 : reach.diagonal ? 8 : 4;
	if (plan->n_axes == 3 && reach.rows > 2 && !reach.diagonal) { /* a queue of many planes */
		cells[1] = 1;
		cells[2] = 16;
	}
}

int
march_registers(const Plan *plan, gboolean vector)
{
	Arena *arena = arena_new();
	const KCount count = kir_count_free(lower_march(arena, plan, vector));

	arena_free(arena);
	return count_registers(&count);
}

/* The values of several stages, of all their cells, are counted where it may matter. */
static gboolean
is_crowded(const Planner *p, const Plan *plan)
{
	const MarchNeeds needs = march_needs(plan, p->arena);
	int registers = needs.registers, most = registers_kept(p, plan, MARCH_REGISTERS);

	if (needs.shared > registers_kept(p, plan, MOST_SHARED))
		return TRUE;
	if (registers > most || plan->n_stages == 1
		|| registers <= most * FEW / 100)
		return registers > most;
	if (needs.together && plan->cells[0] > 1) /* the count knows no register of several */
		return !needs.narrow && march_registers(plan, TRUE) > most;
	return march_registers(plan, FALSE) > most;
}

/* Fewer rows, then narrower vectors; FALSE: it is one cell. */
static gboolean
spare_cells(Plan *plan)
{
	int axis = plan->n_axes > 1 && plan->cells[1] > 1;

	if (plan->cells[axis] == 1)
		return FALSE;
	plan->cells[axis] /= 2;
	return TRUE;
}

/* By the estimate, of a device that gives a thread few of them. */
static gboolean
is_beyond(const Planner *p, const Plan *plan)
{
	const int most = registers_kept(p, plan, G_MAXINT);

	return most < G_MAXINT && march_registers(plan, TRUE) > most;
}

/* What each cell calls makes a text of branches, which nvcc mixes with those of other cells; and
 * what several compute alike it keeps for all of them.  Of heavier cells the model sees to it. */
static gboolean
computes_much(const Plan *plan)
{
	const int cells = plan->cells[0] * plan->cells[1];
	const Cost cost = work_cost(plan);

	return cost_functions(cost.ops) > MOST_FUNCTIONS / cells
		|| (plan->n_stages == 1 && model_heavy(plan) == 0
		&& cost_all(cost.ops) > MOST_OPERATIONS / cells);
}

/* Cells that share nothing, or little but a vector, make the text longer only. */
static gboolean
is_long(const Planner *p, const Plan *plan)
{
	const MarchNeeds needs = march_needs(plan, p->arena);
	const int most = needs.lone && plan->n_stages > 1 ? MOST_TOGETHER
		: march_reach_of(plan).finer ? MOST_ALONE : MOST_COARSE;

	return needs.alone > most / (plan->cells[0] * plan->cells[1]);
}

/* Fewer rows, then narrower vectors, until a thread's registers hold what it keeps; and fewer
 * rows until they hold what is computed, for rows of any length. */
static void
choose_march_cells(const Planner *p, Plan *plan)
{
	usual_march_cells(plan);
	while ((is_crowded(p, plan) || is_long(p, plan) || computes_much(plan)
		|| is_beyond(p, plan)) && spare_cells(plan))
		;
	while (plan->n_axes > 1 && plan->cells[1] > 1
		&& (plan->n_stages == 1 || !march_needs(plan, p->arena).together)) {
		plan->registers_any = march_registers(plan, FALSE);
		if (plan->registers_any <= registers_kept(p, plan, MARCH_COUNTED))
			return;
		plan->cells[1] /= 2;
		plan->registers_any = 0;
	}
}

gboolean
march_overflows(const Planner *p, const Plan *plan)
{
	Plan one = *plan;
	MarchNeeds needs;

	one.strategy = STRATEGY_MARCH;
	set_cells(&one, (const int[]){ 1, 1, 1 });
	needs = march_needs(&one, p->arena);
	return MAX(needs.registers, needs.alone) > FEW_READ && march_registers(&one, FALSE)
		> registers_kept(p, plan, ONE_COUNTED);
}

/* The planes of a thread, if all come before the first of them is computed: registers hold them,
 * and nothing of other grids is waited for; else 1. */
static int
usual_unroll(const Planner *p, const Plan *plan)
{
	const int planes = plan->cells[IR_MAX_RANK - 1];
	const int most = registers_kept(p, plan, WHOLE_REGISTERS);
	Plan whole = *plan;

	whole.unroll = planes;
	if (!plan_comes_whole(&whole) || plan->n_stages > 1 || planes > MAX_TOGETHER
		|| plan->cells[0] * plan->cells[1] * planes > WHOLE_REGISTERS
		|| plan_usually_splits(plan))
		return 1;
	return march_least_whole(&whole, p->arena) <= most
		&& march_registers(&whole, TRUE) <= most ? planes : 1;
}

/* Fewer of them where the registers of a block are fewer than all may want. */
static void
spare_threads(const Planner *p, Plan *plan)
{
	if (!threads_fit(p, plan, G_MAXINT))
		threads_spare(p, plan, march_registers(plan, TRUE) + uncounted_registers(plan));
}

static const char *
refuses(const Planner *p, const Stage *stage)
{
	(void)p;
	return march_refuses(stage);
}

/* Of the launch's stages, whose cells are known; FALSE, and reported, where it cannot be. */
static gboolean
set_edges(const Planner *p, Plan *plan)
{
	int edges = wish_name(p, plan, "edges", edges_name, EDGES_N);
	const char *why = edges == EDGES_OVERWRITE ? march_overwrite_refuses(plan) : NULL;

	if (edges < 0)
		return FALSE;
	plan->edges = wish(p, plan->name, "edges") == NULL && plan_usually_splits(plan)
		? EDGES_SPLIT : (Edges)edges;
	if (why == NULL)
		return TRUE;
	diag_error(p->diag, plan->stage->at, "edges=overwrite cannot be for '%s': %s", plan->name,
		why);
	diag_help(p->diag, "write edges=guard or edges=split");
	return FALSE;
}

static gboolean
plan_march(const Planner *p, Plan *plan, const Block *block)
{
	int exchange = plan->exchange == EXCHANGE_SHARED ? 0 /* the word is for the plan that
		* this one is the rest of, or stands in for */
		: wish_name(p, plan, "exchange", exchange_name, EXCHANGE_SHARED);

	if (exchange < 0 || !wish_persistent(p, plan, &plan->persistent))
		return FALSE;
	plan->strategy = STRATEGY_MARCH;
	plan->registers_any = 0;
	plan->exchange = (Exchange)exchange;
	set_threads(plan, block->threads != NULL ? block->threads
		: usual_shape(plan)->threads);
	if (!layers_suit(p, plan))
		return FALSE;
	if (block->cells != NULL)
		set_cells(plan, block->cells);
	else
		choose_march_cells(p, plan);
	if (block->threads == NULL)
		spare_threads(p, plan);
	plan->unroll = wish_number(p, plan, "unroll", MAX_TOGETHER, usual_unroll(p, plan));
	if (plan->unroll == 0)
		return FALSE;
	return cells_suit(p, plan, plan->cells[0] * plan->cells[1]) && set_edges(p, plan);
}

static gboolean
suits(const Planner *p, const Plan *plan, const Block *block)
{
	(void)p;
	(void)plan;
	return block->threads == NULL || block->threads[2] == 1;
}

/* The last stage of PLAN makes a component of an interleaved field that others of it make,
 * too: apart each of them would move the vectors of all. */
static gboolean
completes(const Plan *plan)
{
	const Field *last = plan->stages[plan->n_stages - 1].stage->target;

	for (int i = 0; i < plan->n_stages - 1 && last->interleaved; i++)
		if (plan->stages[i].stage->target == last)
			return TRUE;
	return FALSE;
}

/* Vectors of fewer cells, and planes that are loaded again, cost more than a launch; where
 * nothing is loaded by vectors, they do not. */
static const char *
crowded(const Planner *p, const Plan *plan, const Plan *fewer)
{
	const MarchNeeds needs = march_needs(plan, p->arena);

	if (p->request->device != NULL && march_overflows(p, plan))
		return "a thread would keep more registers than it has, even for one cell";
	if (!is_crowded(p, plan)
		&& ((completes(plan) && plan->cells[0] > 1)
			|| ((plan->cells[0] == fewer->cells[0] || needs.lone)
				&& needs.dropped <= march_needs(fewer, p->arena).dropped)))
		return NULL;
	return arena_printf(p->arena, "a thread would keep more than %d registers",
		registers_kept(p, plan, MARCH_REGISTERS));
}

const Planning planning_march = { refuses, plan_march, suits, STRATEGY_NAIVE, crowded, NULL };
