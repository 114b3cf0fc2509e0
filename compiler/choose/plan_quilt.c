/* plan_quilt.c: several steps of a volume in one sweep of blocks that all run at once.
 */
#include "choose/limits.h"

#include "kernel/lower.h"
#include "kernel/source.h"

#define QUILT_REGISTERS 236 /* of 32 bits, for what a thread keeps; of 255 */
#define ALL_PLANES 32 /* of a walk, at least: it goes through all that there are */

/* What does well: tests/bench/RESULTS.md. */
static const int usual_threads[] = { 16, 16, 1 };
#define USUAL_ROWS 2 /* of a thread */
#define USUAL_STEPS 2
#define USUAL_AHEAD 3 /* planes; two at least */
#define USUAL_TOGETHER 2 /* turns */
#define LEAST_REACH 3 /* of a step, if nobody asks: `tile` and `weave` do as well with less */

static const char *
refuses(const Planner *p, const Stage *stage)
{
	const char *why = planning_weave.refuses(p, stage);

	return why == NULL && stage->grid->rank < 3 ? "its grid has not three axes" : why;
}

static void
take_usual(Plan *plan, const Block *block)
{
	const int bytes = type_info[plan->stage->target->type].bytes;
	const int cells[] = { MAX(VECTOR_BYTES / bytes, 1), USUAL_ROWS, ALL_PLANES };

	set_threads(plan, block->threads != NULL ? block->threads : usual_threads);
	set_cells(plan, block->cells != NULL ? block->cells : cells);
	plan->strategy = STRATEGY_QUILT;
	plan->exchange = EXCHANGE_SHARED;
	plan->unroll = USUAL_TOGETHER;
}

static gboolean
refuse(const Planner *p, const Plan *plan, const char *why)
{
	diag_error(p->diag, plan->stage->at, "strategy 'quilt' cannot make '%s': %s", plan->name,
		why);
	diag_help(p->diag, "write strategy=weave, or leave it away");
	return FALSE;
}

/* FALSE: there is no such tile. */
static gboolean
measure(const Planner *p, Plan *plan, KCount *count)
{
	const TileShape s = weave_shape(plan, p->arena);

	return measure_tiles(p, plan, &s, lower_quilt, count)
		|| refuse_tiles(p, plan, &s, "16x16", "4x2");
}

static gboolean
has_room(const Planner *p, const Plan *plan)
{
	return plan->shared <= shared_limit(p);
}

/* FALSE: there is no such tile, or no room for it; nobody is told. */
static gboolean
fits(const Planner *p, Plan *plan, KCount *count)
{
	gboolean fine;

	diag_mute(p->diag);
	fine = measure(p, plan, count);
	return diag_unmute(p->diag) == 0 && fine && has_room(p, plan);
}

static gboolean
plan_quilt(const Planner *p, Plan *plan, const Block *block)
{
	const char *why;
	KCount count;

	take_usual(plan, block);
	if (wish(p, plan->name, "store") == NULL)
		plan->streaming = plan_usually_streams(plan);
	plan->time = wish_number(p, plan, "time", 16, USUAL_STEPS);
	plan->ahead = wish_number(p, plan, "ahead", 8, USUAL_AHEAD);
	plan->unroll = wish_number(p, plan, "unroll", MAX_TOGETHER, USUAL_TOGETHER);
	if (plan->time == 0 || plan->ahead == 0 || plan->unroll == 0 || !layers_suit(p, plan)
		|| !cells_suit(p, plan, plan->cells[0] * plan->cells[1]))
		return FALSE;
	plan->ahead = MAX(plan->ahead, 2);
	why = quilt_refuses(plan, p->arena);
	if (why != NULL)
		return refuse(p, plan, why);
	if (!plan_rest(p, plan) || !measure(p, plan, &count))
		return FALSE;
	return has_room(p, plan) || refuse_shared(p, plan, "planes", "",
		"write fewer threads (threads=16x8) or fewer planes (ahead=2)");
}

/* A map that reaches far, and moves more than the field that it steps, where registers hold two
 * steps of it. */
static gboolean
suits(const Planner *p, const Plan *plan, const Block *block)
{
	Plan tried = *plan;
	KCount count;

	if (block->threads != NULL || block->cells != NULL || plan->n_stages > 1
		|| stage_radius(plan->stage) < LEAST_REACH || plan->stage->target->history == 0)
		return FALSE;
	take_usual(&tried, block);
	tried.time = USUAL_STEPS;
	tried.ahead = USUAL_AHEAD;
	return quilt_refuses(&tried, p->arena) == NULL && fits(p, &tried, &count)
		&& count_registers(&count) <= registers_kept(p, &tried, QUILT_REGISTERS);
}

/* ---- the other way ---- */

/* PLAN by a walk along another axis; NULL, and *WHY: it cannot be. */
static const Plan *
turn(const Planner *p, const Plan *plan, const char **why)
{
	Plan *turned = arena_copy(p->arena, plan, sizeof *plan);
	KCount count;

	turned->fewer = NULL;
	walk_turn(turned);
	*why = walk_refuses(turned, plan->strategy);
	if (*why == NULL)
		*why = quilt_refuses(turned, p->arena);
	if (*why == NULL && !fits(p, turned, &count))
		*why = "its tiles do not fit there";
	return *why == NULL ? turned : NULL;
}

gboolean
plan_turned(const Planner *p, Plan *plan)
{
	const char *why;
	int none;

	if (plan->strategy != STRATEGY_QUILT)
		return TRUE;
	none = wish_name(p, plan, "turned", turned_name, 2);
	if (none == 0)
		plan->turned = turn(p, plan, &why);
	if (none != 0 || plan->turned != NULL || wish(p, plan->name, "turned") == NULL)
		return none >= 0;
	diag_error(p->diag, plan->stage->at, "'%s' cannot walk along '%s' as well (turned=%s): %s",
		plan->name, plan->stage->grid->axis[plan->axis[1]], turned_name[0], why);
	diag_help(p->diag, "write turned=%s", turned_name[1]);
	return FALSE;
}

const Planning planning_quilt = { refuses, plan_quilt, suits, STRATEGY_MARCH, NULL, NULL };
