/* plan_tile.c: several steps a sweep of a volume, in tiles that registers and shared
 * memory hold.
 */
#include "choose/limits.h"

#include <string.h>

#include "analyze/cost.h"
#include "kernel/lower.h"
#include "kernel/source.h"
#include "kernel/steps.h"

#define ROW_STEPS 8 /* of a plane, of radius 1 */
#define CHUNK 32 /* planes, at least */
#define TILE_REGISTERS 224 /* of 32 bits, for what a thread keeps; of 255 */
#define TOGETHER_STEPS 3 /* at most, where what is divided at once takes registers */
#define TURN_CODE 2000 /* instructions of a turn, which a processor has at hand */
#define TILE_SHARED (160 * 1024) /* bytes of shared memory that the usual tiles take */

static const char *
refuses(const Planner *p, const Stage *stage)
{
	const char *why = steps_refuse(p->s, stage, 3, STEPS_ONE);

	return why == NULL && stage_radius(stage) > TILE_REACH
		? "it reads farther than a tile holds" : why;
}

/* What does well, by the bytes of a cell, the reach of a step and the form, the first
 * that fits: tests/bench/RESULTS.md. */
typedef struct {
	int bytes, reach;
	gboolean scatter; /* FALSE: of either form */
	int beyond;       /* of the grid (planner.h), all of that; 0: whatever it reads */
	int threads[IR_MAX_RANK];
	int rows, time;
	gboolean split;
	int unroll;
} Usual;

static const Usual usual[] = {
	{ 4, 1, FALSE, BEYOND_IMAGES | BEYOND_WRAPS, { 16, 24, 1 }, 3, 4, TRUE, 1 },
	{ 4, 1, FALSE, BEYOND_CONSTANTS, { 16, 16, 1 }, 4, 4, TRUE, 1 },
	{ 4, 1, FALSE, BEYOND_WRAPS, { 16, 24, 1 }, 3, 4, TRUE, 2 },
	{ 4, 1, FALSE, 0, { 16, 16, 1 }, 5, 4, FALSE, 1 },
	{ 4, 2, FALSE, BEYOND_IMAGES, { 16, 16, 1 }, 4, 2, TRUE, 1 },
	{ 4, 2, FALSE, 0, { 16, 24, 1 }, 3, 2, FALSE, 2 },
	{ 8, 1, TRUE, BEYOND_IMAGES, { 32, 8, 1 }, 4, 4, TRUE, 1 },
	{ 8, 1, TRUE, 0, { 32, 12, 1 }, 3, 4, TRUE, 1 },
	{ 8, 1, FALSE, 0, { 32, 8, 1 }, 4, 4, FALSE, 1 },
	{ 8, 2, FALSE, BEYOND_IMAGES, { 32, 8, 1 }, 4, 2, TRUE, 1 },
	{ 8, 2, FALSE, 0, { 32, 12, 1 }, 3, 2, TRUE, 1 },
	{ 2, 1, FALSE, 0, { 16, 16, 1 }, 3, 3, FALSE, 1 },
	{ 2, 2, FALSE, 0, { 16, 16, 1 }, 3, 2, FALSE, 1 },
};

static const int cell_threads[] = { 32, 32, 1 }, row_threads[] = { 256, 1, 1 }; /* of a cell
 * each */

static const Usual *
find_usual(const Planner *p, const Plan *plan, gboolean scatter)
{
	static const Usual other = { 0, 0, FALSE, 0, { 16, 16, 1 }, 4, 2, FALSE, 1 };
	const Stage *stage = plan->stage;
	int beyond = plan_reads_beyond(p, plan);
	int bytes = type_info[stage->target->type].bytes, reach = MAX(stage_radius(stage), 1);

	for (gsize i = 0; i < G_N_ELEMENTS(usual); i++)
		if (usual[i].bytes == bytes && usual[i].reach == reach
			&& (scatter || !usual[i].scatter)
			&& (usual[i].beyond & ~beyond) == 0)
			return &usual[i];
	return &other;
}

/* A plane more of each step stays where cells read what was there before, in registers and in
 * shared memory. */
static int
usual_rows(const Usual *u, const Stage *stage)
{
	const int less = u->reach > 1 ? 1 : 2;

	return stage->target->history > 0 ? MAX(u->rows - less, 2) : u->rows;
}

static void
take_shape(const Usual *u, Plan *plan, const Block *block, const TilePoint *point)
{
	int bytes = type_info[plan->stage->target->type].bytes;
	gboolean flat = plan->n_axes == 2;
	const int one[] = { MAX(LEAST_COPY / bytes, 1), flat ? CHUNK : 1, CHUNK };
	const int usual_cells[] = { VECTOR_BYTES / bytes, usual_rows(u, plan->stage), CHUNK };

	set_threads(plan, block->threads != NULL ? block->threads
		: point == NULL ? u->threads : flat ? row_threads : cell_threads);
	set_cells(plan, block->cells != NULL ? block->cells : point != NULL ? one : usual_cells);
}

/* What nobody has asked for, once the form is known. */
static void
take_usual(const Planner *p, Plan *plan, const Block *block, const TilePoint *point)
{
	const Usual *u = find_usual(p, plan, plan->scatter);

	take_shape(u, plan, block, point);
	if (wish(p, plan->name, "time") == NULL)
		plan->time = cost_long(plan->stage) == COST_TOGETHER
			? MIN(u->time, TOGETHER_STEPS) : plan->n_axes == 2
			? ROW_STEPS / MAX(stage_radius(plan->stage), 1) : u->time;
	if (wish(p, plan->name, "barrier") == NULL)
		plan->split = u->split && point == NULL;
}

/* Arithmetic of cells that wide, or of sums of many terms, bounds blocks, not what they read of
 * each other's (tests/bench/RESULTS.md). */
static gboolean
are_alone(const Plan *plan)
{
	const Field *f = plan->stage->target;

	return plan->strategy == STRATEGY_TILE && f->history == 0
		&& (type_info[f->type].bytes >= 8 || plan->scatter);
}

/* FALSE: there is no such tile. */
static gboolean
measure(const Planner *p, Plan *plan, KCount *count)
{
	const TileShape s = tile_shape(plan, p->arena);

	return measure_tiles(p, plan, &s, lower_tile, count)
		|| refuse_tiles(p, plan, &s, plan->exchange == EXCHANGE_SHARED ? "32x32" : "16x16",
		arena_printf(p->arena, "%dx%d", VECTOR_BYTES
		/ type_info[plan->stage->target->type].bytes, plan->cells[1]));
}

/* Makes what nobody has asked for smaller; FALSE: it is as small as is sensible. */
static gboolean
shrink(const Planner *p, Plan *plan, const Block *block)
{
	if (plan->ahead > 2 && wish(p, plan->name, "ahead") == NULL)
		plan->ahead--;
	else if (plan->time > 2 && wish(p, plan->name, "time") == NULL)
		plan->time--;
	else if (plan->threads[0] * plan->threads[1] > 4 * WARP && block->threads == NULL)
		plan->threads[plan->n_axes - 2] /= 2;
	else
		return FALSE;
	return TRUE;
}

/* Fewer steps, then fewer rows, where nobody has asked for them. */
static gboolean
spare_registers(const Planner *p, Plan *plan, const Block *block)
{
	gboolean fewer = wish(p, plan->name, "time") == NULL;

	if (fewer && plan->time > 2)
		plan->time--;
	else if (block->cells == NULL && plan->n_axes > 2 && plan->cells[1] > 2
		&& plan->cells[1] > stage_radius(plan->stage))
		plan->cells[1]--;
	else if (fewer && plan->time > 1)
		plan->time--;
	else
		return FALSE;
	return TRUE;
}

static const char *
name_of(const TilePoint *point)
{
	return point != NULL ? point->name : strategies[STRATEGY_TILE].name;
}

/* By sums, where that is asked for, or where it pays.  FALSE, and reported: it cannot. */
static gboolean
choose_form(const Planner *p, Plan *plan, const TilePoint *point)
{
	gboolean pays = FALSE;
	const char *why = tile_scatter_refuses(plan, p->arena, &pays);
	int form = wish_name(p, plan, "form", form_name, 2);

	if (form < 0)
		return FALSE;
	if (why == NULL && plan->held)
		why = "its planes are held in shared memory (hold=shared)";
	if (wish(p, plan->name, "form") == NULL)
		form = point != NULL && point->form >= 0 ? point->form : why == NULL && pays;
	plan->scatter = form == 1;
	if (form == 0 || why == NULL)
		return TRUE;
	diag_error(p->diag, plan->stage->at, "strategy '%s' cannot compute '%s' with "
		"form=scatter: %s", name_of(point), plan->name, why);
	diag_help(p->diag, point != NULL ? "write one step a sweep (time=1), or use strategy "
		"'tile'" : "write form=gather");
	return FALSE;
}

/* Where the planes of a step are, and how threads get what lies beside their own cells.
 * FALSE, and reported, where they cannot be there. */
static gboolean
choose_place(const Planner *p, Plan *plan, const TilePoint *point)
{
	int exchange = wish(p, plan->name, "exchange") == NULL && point != NULL ? EXCHANGE_SHARED
		: wish_name(p, plan, "exchange", exchange_name, EXCHANGE_N);
	int hold = wish(p, plan->name, "hold") == NULL && point != NULL ? point->held
		: wish_name(p, plan, "hold", hold_name, 2);
	const char *why = NULL, *help = "write hold=registers";

	if (exchange < 0 || hold < 0)
		return FALSE;
	plan->exchange = exchange == EXCHANGE_SHARED ? EXCHANGE_SHARED : EXCHANGE_SHUFFLE;
	plan->held = hold == 1;
	if (!plan->held)
		return TRUE;
	if (plan->exchange != EXCHANGE_SHARED) {
		why = "its threads get by shuffles what lies beside their own cells";
		help = "write exchange=shared, or hold=registers";
	} else if (plan->stage->target->history > 0) {
		why = "it reads what was there before the last step";
	} else {
		return TRUE;
	}
	diag_error(p->diag, plan->stage->at, "strategy '%s' cannot compute '%s' with "
		"hold=shared: %s", name_of(point), plan->name, why);
	diag_help(p->diag, "%s", help);
	return FALSE;
}

gboolean
plan_tile_at(const Planner *p, Plan *plan, const Block *block, const TilePoint *point)
{
	const Usual *u = find_usual(p, plan, FALSE);
	gsize limit = shared_limit(p);
	int split = wish_name(p, plan, "barrier", barrier_name, 2);
	KCount count;

	plan->strategy = plan->n_axes == 2 ? STRATEGY_AN5D : STRATEGY_TILE;
	take_shape(u, plan, block, point);
	plan->time = wish_number(p, plan, "time", 16, u->time);
	plan->ahead = wish_number(p, plan, "ahead", 8, 3);
	plan->unroll = wish_number(p, plan, "unroll", MAX_TOGETHER, 1);
	plan->split = split == 1;
	if (!choose_place(p, plan, point))
		return FALSE;
	if (plan->time == 0 || plan->ahead == 0 || plan->unroll == 0 || split < 0
		|| !row_suits(p, plan)
		|| !cells_suit(p, plan, plan->cells[0] * (plan->n_axes > 2 ? plan->cells[1] : 1))
		|| !choose_form(p, plan, point))
		return FALSE;
	take_usual(p, plan, block, point);
	if (!plan_rest(p, plan))
		return FALSE;
	plan->alone = are_alone(plan);
	if (!measure(p, plan, &count))
		return FALSE;
	while (count_registers(&count) > registers_of_all(p, plan, TILE_REGISTERS)
		&& spare_registers(p, plan, block))
		if (!measure(p, plan, &count))
			return FALSE;
	while (plan->shared > limit)
		if (!shrink(p, plan, block))
			return refuse_shared(p, plan, "tiles", "", "write fewer steps (time=2) or "
				"fewer planes (ahead=1)");
		else if (!measure(p, plan, &count))
			return FALSE;
	u = find_usual(p, plan, plan->scatter);
	if (wish(p, plan->name, "unroll") == NULL && point == NULL
		&& u->unroll * count.code <= TURN_CODE)
		plan->unroll = u->unroll;
	return TRUE;
}

static gboolean
plan_tile(const Planner *p, Plan *plan, const Block *block)
{
	return plan_tile_at(p, plan, block, NULL);
}

/* Where the usual tile fits. */
static gboolean
suits(const Planner *p, const Plan *plan, const Block *block)
{
	const Usual *u = find_usual(p, plan, FALSE);
	Plan tried = *plan;
	TileShape s;

	if (block->threads != NULL || block->cells != NULL || u->bytes < 4
		|| shared_limit(p) < TILE_SHARED)
		return FALSE;
	set_threads(&tried, u->threads);
	set_cells(&tried, (const int[]){ VECTOR_BYTES / u->bytes, usual_rows(u, plan->stage),
		CHUNK });
	tried.time = u->time;
	s = tile_shape(&tried, p->arena);
	return s.why == NULL && s.whole && s.images;
}

const Planning planning_tile = { refuses, plan_tile, suits, STRATEGY_MARCH, NULL, NULL };
