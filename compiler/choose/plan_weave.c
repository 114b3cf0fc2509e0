/* plan_weave.c: several maps and fields of a volume, all of a step or of several steps in
 * one sweep.
 */
#include "choose/facts.h"
#include "choose/limits.h"

#include <string.h>

#include "kernel/lower.h"
#include "kernel/source.h"
#include "kernel/steps.h"

#define CHUNK 32 /* planes, at least */
#define WEAVE_REGISTERS 212 /* of 32 bits, for what a thread keeps; of 255 */
#define PIPE_REGISTERS 108 /* where nothing is stepped: two blocks run at once */
#define OTHER_MAPS 21 /* that several maps of a cell a thread take besides, as nvcc makes them */
#define WEAVE_SHARED (160 * 1024) /* bytes of shared memory that the usual tiles take */

/* Where that is so much less than the time of its launches, both of whole vectors, a pipe takes
 * rows that lie anywhere. */
#define LOOSE 0.77
#define NARROW_LOOSE 0.6 /* of cells that are too small for a copy */

/* What does well: tests/bench/RESULTS.md. */
static const int usual_threads[] = { 16, 16, 1 };
static const int cell_threads[] = { 32, 32, 1 }; /* of a cell each, */
#define FEWER_THREADS 4 /* and so many rows fewer while registers do not hold what they keep */
static const int row_threads[] = { 256, 1, 1 }; /* of a plane, whatever they have */
#define LEAST_THREADS 8 /* of them, one below the other */
#define USUAL_ROWS 2 /* of a thread, while registers hold them */
#define USUAL_STEPS 3
#define LONE_STEPS 4 /* of one map, which keeps less, */
#define LONE_ROWS 3 /* and of 4-byte cells so many */
#define LONE_REACH 1 /* of it, if nobody asks: as it was measured */
#define LEAST_STEPS 2
#define MOST_COMPUTED 2 /* cells of a plane for each that is stored */
#define MOST_MAPS 16 /* of a step: registers hold no planes of more */
#define USUAL_AHEAD 3 /* planes, */
#define LESS_AHEAD (128 * 1024) /* but fewer than take more shared memory than that, */
#define LESS_OF_ALL (225 * 1024) /* or than blocks do that run at once, where nothing is stepped */

/* ---- what it cannot ---- */

/* Why there is no room in the workspace for what fields were before the last step. */
static const char *
past_refuses(const Stencil *s)
{
	GPtrArray *makers = stencil_makers(s);
	int history = 0, radius = 0;

	for (guint i = 0; i < makers->len; i++) {
		const Stage *stage = g_ptr_array_index(makers, i);

		history = MAX(history, stage->target->history);
		radius = MAX(radius, stage_radius(stage));
	}
	g_ptr_array_unref(makers);
	return history > 0 && radius > PAST_REACH ? "a step reads what there was before the last "
		"one, and farther than " G_STRINGIFY(PAST_REACH) " cells" : NULL;
}

static const char *
refuses(const Planner *p, const Stage *stage)
{
	const int rank = stage->grid->rank == 2 ? 2 : 3;
	const PlanStage alone = { stage, NULL, FALSE };
	const char *why;

	if (!p->s->stepped)
		return pipe_by_refuses(p->s, &alone, 1, STRATEGY_WEAVE);
	why = steps_refuse(p->s, stage, rank, STEPS_TEMPS);
	return why != NULL || rank == 2 ? why : past_refuses(p->s);
}

/* ---- shape ---- */

static int
usual_steps(const Plan *plan)
{
	return plan_n_stored(plan) < plan->n_stages ? LEAST_STEPS
		: plan->n_stages > 1 ? USUAL_STEPS : LONE_STEPS;
}

static void
take_usual(Plan *plan, const Block *block, const TilePoint *point)
{
	const gboolean flat = plan->n_axes == 2;
	const int bytes = plan_widest(plan);
	const int rows = plan_n_stored(plan) == 1 && bytes == 4 ? LONE_ROWS : USUAL_ROWS;
	const int cells[] = { MAX(VECTOR_BYTES / bytes, 1), flat ? CHUNK : rows, CHUNK };
	const int one[] = { LEAST_COPY / MIN(facts_narrowest(plan), LEAST_COPY), flat ? CHUNK : 1,
		CHUNK };

	set_threads(plan, block->threads != NULL ? block->threads : flat ? row_threads
		: point != NULL ? cell_threads : usual_threads);
	set_cells(plan, block->cells != NULL ? block->cells : point != NULL ? one : cells);
}

static gboolean
has_tiles(const Planner *p, const Plan *plan)
{
	const TileShape s = weave_shape(plan, p->arena);

	return tiles_lack(plan, &s) == NULL;
}

/* Fewer steps, where nobody has asked for them, while a tile computes more cells for others
 * to store than it stores itself. */
static void
spare_work(const Planner *p, Plan *plan)
{
	gboolean wastes = wish(p, plan->name, "time") == NULL;

	while (plan->time > 1 && wastes) {
		const TileShape s = weave_shape(plan, p->arena);

		wastes = s.least[0] * s.least[1] > MOST_COMPUTED * s.span[0] * s.span[1];
		plan->time -= wastes;
	}
}

/* FALSE: there is no such tile. */
static gboolean
measure(const Planner *p, Plan *plan, KCount *count)
{
	const TileShape s = weave_shape(plan, p->arena);

	return measure_tiles(p, plan, &s, lower_weave, count)
		|| refuse_tiles(p, plan, &s, plan->n_axes == 2 ? "256" : "16x16",
		arena_printf(p->arena, "4x%d", plan->n_axes == 2 ? CHUNK : USUAL_ROWS));
}

/* For what a thread keeps. */
static int
registers_left(const Planner *p, const Plan *plan, const TilePoint *point)
{
	return registers_of_all(p, plan, p->s->stepped ? WEAVE_REGISTERS : PIPE_REGISTERS)
		- (point != NULL && plan->n_stages > 1 ? OTHER_MAPS : 0);
}

/* Of a cell each: fewer threads have more registers. */
static gboolean
spare_threads(const Planner *p, Plan *plan)
{
	if (plan->n_axes == 2)
		return FALSE;
	plan->threads[1] -= FEWER_THREADS;
	if (plan->threads[1] >= LEAST_THREADS && has_tiles(p, plan))
		return TRUE;
	plan->threads[1] += FEWER_THREADS;
	return FALSE;
}

/* Fewer rows of a thread, while tiles of them store any, then fewer steps, where nobody has
 * asked for them. */
static gboolean
spare_registers(const Planner *p, Plan *plan, const Block *block, const TilePoint *point)
{
	gboolean asked = wish(p, plan->name, "time") != NULL;

	if (plan->n_axes > 2 && plan->cells[1] > 1 && block->cells == NULL) {
		plan->cells[1]--;
		if (asked || has_tiles(p, plan))
			return TRUE;
		plan->cells[1]++;
	}
	if (point != NULL && block->threads == NULL && spare_threads(p, plan))
		return TRUE;
	if (asked || plan->time <= 1)
		return FALSE;
	plan->time--;
	if (point != NULL && plan->n_axes > 2 && block->threads == NULL)
		plan->threads[1] = cell_threads[1];
	return TRUE;
}

/* And then fewer threads. */
static gboolean
shrink(const Planner *p, Plan *plan, const Block *block, const TilePoint *point)
{
	Plan lower = *plan;

	if (spare_registers(p, plan, block, point))
		return TRUE;
	lower.threads[1] /= 2;
	if (plan->threads[1] <= LEAST_THREADS || block->threads != NULL || !has_tiles(p, &lower))
		return FALSE;
	plan->threads[1] /= 2;
	return TRUE;
}

/* How threads get what lies beside their own cells of a row.  FALSE, and reported, where they
 * cannot in the way that is asked for. */
static gboolean
choose_exchange(const Planner *p, Plan *plan, const TilePoint *point)
{
	const gboolean lanes = WARP % plan->threads[0] == 0;
	int exchange = wish_name(p, plan, "exchange", exchange_name, EXCHANGE_N);

	if (exchange < 0)
		return FALSE;
	if (exchange == EXCHANGE_L1) /* nothing is said */
		exchange = lanes && point == NULL ? EXCHANGE_SHUFFLE : EXCHANGE_SHARED;
	plan->exchange = (Exchange)exchange;
	if (exchange != EXCHANGE_SHUFFLE || lanes)
		return TRUE;
	diag_error(p->diag, plan->stage->at, "strategy 'weave' cannot compute '%s' with "
		"exchange=shuffle: a row of %d threads is no part of a warp", plan->name,
		plan->threads[0]);
	diag_help(p->diag, "write threads=16x16, or exchange=shared");
	return FALSE;
}

/* Planes on their way take more shared memory than does well; those of a pipe, whose blocks wait
 * for memory, leave little of it for what else goes that way. */
static gboolean
takes_much(const Planner *p, const Plan *plan, const KCount *count)
{
	const int taken = plan_threads(plan) * MAX(count_registers(count), 1);

	return plan->shared > LESS_AHEAD || (!p->s->stepped
		&& plan->shared * (gsize)registers_limit(p) > LESS_OF_ALL * (gsize)taken);
}

gboolean
plan_weave_at(const Planner *p, Plan *plan, const Block *block, const TilePoint *point)
{
	gsize limit = shared_limit(p);
	KCount count;

	plan->strategy = STRATEGY_WEAVE;
	take_usual(plan, block, point);
	plan->time = p->s->stepped ? wish_number(p, plan, "time", 16, usual_steps(plan)) : 1;
	plan->ahead = wish_number(p, plan, "ahead", 8, USUAL_AHEAD);
	plan->unroll = 1;
	if (plan->time == 0 || plan->ahead == 0 || !row_suits(p, plan)
		|| !cells_suit(p, plan, plan->cells[0] * (plan->n_axes > 2 ? plan->cells[1] : 1)))
		return FALSE;
	if (!choose_exchange(p, plan, point))
		return FALSE;
	while (!has_tiles(p, plan) && spare_registers(p, plan, block, point))
		;
	spare_work(p, plan);
	if (!plan_rest(p, plan) || !measure(p, plan, &count))
		return FALSE;
	while (count_registers(&count) > registers_left(p, plan, point)
		&& spare_registers(p, plan, block, point)) {
		spare_work(p, plan);
		if (!measure(p, plan, &count))
			return FALSE;
	}
	if (takes_much(p, plan, &count) && wish(p, plan->name, "ahead") == NULL) {
		plan->ahead = USUAL_AHEAD - 1;
		if (!measure(p, plan, &count))
			return FALSE;
	}
	while (plan->shared > limit)
		if (!shrink(p, plan, block, point))
			return refuse_shared(p, plan, plan->n_axes == 2 ? "rows" : "planes", "",
				plan->n_axes == 2 ? "write fewer threads (threads=64) or fewer "
				"rows (ahead=1)" : "write fewer threads (threads=16x8) or fewer "
				"planes (ahead=1)");
		else if (!measure(p, plan, &count))
			return FALSE;
	return TRUE;
}

/* Cells that come and go one by one cost more than vectors, and the most where copies do not move
 * them. */
static double
loose_gain(const Plan *pipe)
{
	return facts_narrowest(pipe) < LEAST_COPY ? NARROW_LOOSE : LOOSE;
}

/* Threads of a warp bring what they have of a row side by side, a turn before they take it at
 * least. */
gboolean
weave_loosen(const Planner *p, Plan *pipe)
{
	KCount count;
	TileShape s;

	if (WARP % pipe->threads[0] != 0 || (launch_is_open(p, pipe)
		&& !launch_is_faster(p, pipe, loose_gain(pipe))))
		return FALSE;
	pipe->ragged = TRUE;
	pipe->ahead = MAX(pipe->ahead, 2);
	s = weave_shape(pipe, p->arena);
	return measure_tiles(p, pipe, &s, lower_weave, &count)
		&& pipe->shared <= shared_limit(p);
}

static gboolean
plan_weave(const Planner *p, Plan *plan, const Block *block)
{
	return plan_weave_at(p, plan, block, NULL);
}

/* Several maps that share a launch, or one that reads what stays as it is, where a tile of two
 * steps fits; one step pays for few. */
static gboolean
suits(const Planner *p, const Plan *plan, const Block *block)
{
	Plan tried = *plan;
	KCount count;
	gboolean fits;

	if (plan->n_axes < 3 || block->threads != NULL || block->cells != NULL
		|| plan->n_stages > MOST_MAPS
		|| (plan->n_stages < 2 && (!p->s->stepped
		|| stage_radius(plan->stage) > LONE_REACH))
		|| plan_widest(plan) < 4 || shared_limit(p) < WEAVE_SHARED)
		return FALSE;
	take_usual(&tried, block, NULL);
	tried.cells[1] = 1;
	tried.time = p->s->stepped ? LEAST_STEPS : 1;
	tried.ahead = USUAL_AHEAD - 1;
	tried.exchange = EXCHANGE_SHUFFLE;
	if (weave_shape(&tried, p->arena).chained ? plan->rest == NULL : !p->s->stepped)
		return FALSE;
	diag_mute(p->diag);
	fits = measure(p, &tried, &count);
	return diag_unmute(p->diag) == 0 && fits
		&& tried.shared <= shared_limit(p)
		&& count_registers(&count) <= registers_of_all(p, &tried, WEAVE_REGISTERS);
}

const Planning planning_weave = { refuses, plan_weave, suits, STRATEGY_MARCH, NULL, NULL };
