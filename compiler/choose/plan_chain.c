/* plan_chain.c: many steps a sweep, as many warps as make them. */
#include "choose/limits.h"

#include <string.h>

#include "analyze/cost.h"
#include "kernel/lower.h"
#include "kernel/source.h"
#include "kernel/steps.h"

#define MAX_WARPS 16
#define USUAL_WARPS 4
#define MAX_SPARE 8
#define MAX_STEPS 32
#define MAX_ROWS 16
#define HELD_COLUMNS 13 /* of doubles, where rows are held as they are, or a row's quotients
                         * are taken at once */

/* What does well by measurement: tests/bench/RESULTS.md. */
typedef struct {
	gboolean real;           /* or they are integers */
	int bytes, radius, taps; /* of a value in registers, of a cell; at most */
	CostLong lasts;          /* and at most */
	int past;                /* steps that it looks back, before the last one */
	int columns, warps, time, slot, unroll, blocks;
} Usual;

static const Usual usual[] = {
	{ TRUE, 4, 1, 5, COST_SHORT, 0, 12, 4, 16, 8, 4, 3 },
	{ TRUE, 4, 1, 9, COST_TOGETHER, 0, 12, 4, 12, 8, 2, 3 },
	{ TRUE, 4, 1, 9, COST_HEAVY, 0, 8, 4, 4, 4, 1, 1 },
	{ TRUE, 8, 1, 5, COST_SHORT, 0, 17, 8, 16, 5, 5, 1 },
	{ TRUE, 8, 1, 9, COST_SHORT, 0, 17, 8, 16, 3, 3, 1 },
	{ TRUE, 4, 2, 25, COST_SHORT, 0, 12, 4, 8, 8, 2, 2 },
	{ TRUE, 8, 2, 25, COST_SHORT, 0, 13, 8, 8, 6, 3, 1 },
	{ TRUE, 4, 1, 6, COST_SHORT, 1, 12, 4, 20, 6, 3, 2 },
	{ TRUE, 8, 1, 6, COST_SHORT, 1, 9, 4, 16, 3, 3, 2 },
	{ FALSE, 4, 1, 5, COST_SHORT, 0, 12, 4, 8, 8, 4, 3 },
	{ FALSE, 4, 1, 9, COST_TOGETHER, 0, 12, 4, 8, 8, 2, 3 },
	{ FALSE, 8, 1, 5, COST_SHORT, 0, 17, 8, 16, 5, 5, 1 },
	{ TRUE, 8, 8, G_MAXINT, COST_HEAVY, 0, 8, 4, 4, 4, 1, 1 }, /* not measured */
};

static const char *
refuses(const Planner *p, const Stage *stage)
{
	const char *why = steps_refuse(p->s, stage, 2, STEPS_MAPS);

	if (why == NULL && stencil_n_makers(p->s) > 1)
		why = "a step is more than one map";
	if (why == NULL && type_info[stage->target->type].bytes < 2)
		why = "its cells are of one byte";
	return why;
}

/* Why PLAN is no chain of S, by strips of EDGES; NULL: it is one. */
static const char *
lacks(const Planner *p, const Plan *plan, const ChainShape *s, const StripShape *edges)
{
	const int warps = plan->threads[1], columns = plan->cells[0];

	if (plan->threads[0] != WARP || warps < 2 || warps > MAX_WARPS || plan->threads[2] != 1)
		return "it takes 2 to " G_STRINGIFY(MAX_WARPS) " warps of " G_STRINGIFY(WARP)
			" threads";
	if (columns > LANE_COLUMNS)
		return "a lane has at most " G_STRINGIFY(LANE_COLUMNS) " cells of a row";
	if (columns < stage_radius(plan->stage))
		return lanes_lack(p->arena, stage_radius(plan->stage), columns);
	if (plan->time % warps != 0)
		return arena_printf(p->arena, "%d warps make as many steps each, and %d is no "
			"multiple of %d", warps, plan->time, warps);
	if (s->stored <= 0)
		return "no cells of a row are left to store";
	return edges->images ? NULL : "what it reads beyond the grid is not at hand";
}

/* The most warps up to the usual number, or the fewest beyond it, that may share the steps; or
 * the usual number. */
static int
sharing_warps(const Plan *plan)
{
	for (int warps = USUAL_WARPS; warps >= 2; warps--)
		if (plan->time % warps == 0)
			return warps;
	for (int warps = USUAL_WARPS; warps <= MAX_WARPS; warps++)
		if (plan->time % warps == 0)
			return warps;
	return USUAL_WARPS;
}

/* WHY: it lacks something. */
static gboolean
refuse_shape(const Planner *p, const Plan *plan, const char *why)
{
	const char *help = remedy_text(p, plan, arena_printf(p->arena, "32x%d",
		sharing_warps(plan)), "16x64");

	diag_error(p->diag, plan->stage->at, "strategy 'chain' cannot compute '%s' by %d steps "
		"with %dx%d threads and %d cells each in a row: %s", plan->name, plan->time,
		plan->threads[0], plan->threads[1], plan->cells[0], why);
	diag_help(p->diag, "%s", help);
	return FALSE;
}

static const Usual *
find_usual(const Stage *stage)
{
	int bytes = type_info[type_kind(stage->target->type)].bytes, taps = cost_of(stage).loads;
	const Usual *u = usual;

	while (u + 1 < usual + G_N_ELEMENTS(usual) && (u->real != type_is_real(
		stage->target->type) || u->bytes < bytes
		|| u->radius < stage_radius(stage) || u->taps < taps
		|| u->lasts < cost_long(stage) || u->past != stage->target->history))
		u++;
	return u;
}

/* Of a warp's steps. */
static StripShape
warp_shape(const Planner *p, const Plan *plan, int time)
{
	Plan tried = *plan;

	tried.time = time;
	return strip_shape(&tried, p->arena);
}

/* Rows that are held as they are move on with each one, but in as many turns at once. */
static int
usual_unroll(const Planner *p, const Plan *plan, const Usual *u)
{
	const StripShape s = warp_shape(p, plan, 1);
	const int rows = MAX(2 * s.radius, 1);

	return plan->slot % rows == 0 && s.needless ? MAX(u->unroll, rows) : u->unroll;
}

/* Rows as they are take more registers, but where they only stand in for sums; or serve a
 * later step as well. */
static gboolean
holds_rows(const Planner *p, const Plan *plan, const Usual *u)
{
	Plan tried = *plan;
	StripShape s;

	set_cells(&tried, (const int[]){ u->columns, 64, 1 });
	s = warp_shape(p, &tried, u->time / u->warps);
	return !s.needless && s.turn > 2 * s.radius;
}

/* Steps of doubles, near by, that are chained even so: a strip has as few registers to spare. */
static gboolean
is_near(const Usual *u)
{
	return u->bytes == 8 && u->radius == 1 && u->lasts == COST_SHORT;
}

/* Beside which the rows that a lane holds are few. */
static gboolean
has_functions(const Usual *u)
{
	return u->radius == 1 && u->lasts == COST_HEAVY;
}

static int
usual_columns(const Planner *p, const Plan *plan, const Usual *u)
{
	const gboolean shares = cost_of(plan->stage).ops[COST_SHARE] > 0;

	return is_near(u) && u->past == 0 && (shares || holds_rows(p, plan, u)) ? HELD_COLUMNS
		: u->columns;
}

/* Of the usual ones, as many as have a step each. */
static int
usual_warps(const Planner *p, const Usual *u)
{
	const int steps = stencil_steps_between(p->s);
	int warps = u->warps;

	while (warps > 2 && warps > steps)
		warps /= 2;
	return warps;
}

/* As many rows a slot as usual, or as fit the shared memory. */
static gboolean
plan_chain(const Planner *p, Plan *plan, const Block *block)
{
	const Usual *u = find_usual(plan->stage);
	gsize limit = shared_limit(p);
	const char *why;
	StripShape edges;
	ChainShape s;

	plan->strategy = STRATEGY_CHAIN;
	plan->width = VECTOR_BYTES / type_info[plan->stage->target->type].bytes;
	set_threads(plan, block->threads != NULL ? block->threads
		: (const int[]){ 32, usual_warps(p, u), 1 });
	set_cells(plan, block->cells != NULL ? block->cells
		: (const int[]){ usual_columns(p, plan, u), 64, 1 });
	plan->time = wish_number(p, plan, "time", MAX_STEPS, u->time);
	plan->ahead = wish_number(p, plan, "ahead", MAX_SPARE, 1);
	plan->slot = wish_number(p, plan, "slot", MAX_ROWS, u->slot);
	plan->unroll = wish_number(p, plan, "unroll", MAX_ROWS, plan->slot > 0
		? usual_unroll(p, plan, u) : u->unroll);
	plan->blocks = wish_number(p, plan, "blocks", 8, u->blocks);
	if (plan->time == 0 || plan->ahead == 0 || plan->slot == 0 || plan->unroll == 0
		|| plan->blocks == 0)
		return FALSE;
	plan->feed = FEED_ASYNC;
	s = chain_shape(plan, p->arena);
	edges = strip_shape(plan, p->arena);
	why = lacks(p, plan, &s, &edges);
	if (why != NULL)
		return refuse_shape(p, plan, why);
	plan->shared = lowered_shared(p->arena, plan, lower_chain);
	for (; plan->shared > limit && plan->slot > 1 && wish(p, plan->name, "slot") == NULL;
		plan->shared = lowered_shared(p->arena, plan, lower_chain))
		plan->slot--;
	if (plan->shared > limit)
		return refuse_shared(p, plan, "rows", "", "write fewer rows a slot (slot=1) or "
			"fewer cells (cells=8x64)");
	if (wish(p, plan->name, "blocks") == NULL)
		plan->blocks = blocks_spare(p, plan, plan->blocks);
	memcpy(plan->rim, edges.rim, sizeof edges.rim);
	plan->least[0] = s.columns;
	plan->least[1] = edges.least[1];
	plan->span[0] = s.stored;
	plan->span[1] = plan->cells[1];
	return plan_rest(p, plan);
}

/* Nothing is asked for that a chain is not made of. */
static gboolean
may_be(const Planner *p, const Plan *plan, const Block *block, const Usual *u)
{
	const char *time = wish(p, plan->name, "time"), *feed = wish(p, plan->name, "feed");
	gint64 steps = time != NULL ? g_ascii_strtoll(time, NULL, 10) : u->time;

	return block->threads == NULL && block->cells == NULL && steps > 0
		&& steps % u->warps == 0
		&& (feed == NULL || strcmp(feed, feed_name[FEED_ASYNC]) == 0);
}

static gboolean
holds_little(const Planner *p, const Plan *plan, const Usual *u)
{
	if (plan->stage->target->history > 0)
		return u->past > 0;
	return !u->real || is_near(u) || has_functions(u) || !holds_rows(p, plan, u);
}

/* What was measured to be faster than a strip, and rows of many strips. */
static gboolean
suits(const Planner *p, const Plan *plan, const Block *block)
{
	const Stage *stage = plan->stage;
	const Usual *u = find_usual(stage);
	gint64 typical = stage->grid->typical[plan->axis[0]];

	return may_be(p, plan, block, u) && stencil_steps_between(p->s) >= u->time / 2
		&& arch_copies(p->request->arch)
		&& holds_little(p, plan, u)
		&& u->real == type_is_real(stage->target->type)
		&& type_info[stage->target->type].bytes >= 4
		&& u->radius <= 2
		&& (typical == 0 || typical >= 2 * WARP * u->columns);
}

const Planning planning_chain = { refuses, plan_chain, suits, STRATEGY_MARCH, NULL, NULL };
