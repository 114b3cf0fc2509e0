/* plan_an5d.c: several steps a sweep by blocks of a cell a thread, as AN5D has them, and Rawat.
 *
 * One map of one field is a tile (plan_tile.c), with its planes in registers, in shared memory or
 * as sums; several maps, fields that stay, temps and what cells around were before the last step
 * are a weave (plan_weave.c), which has planes in registers only.
 */
#include "choose/planner.h"

#include <string.h>

#include "kernel/lower.h"
#include "kernel/source.h"
#include "kernel/steps.h"

typedef struct {
	const Field *target;
	const char *why;
	gboolean now; /* it reads what is there before the step */
} Look;

static void
look_at(Expr *e, gpointer user)
{
	Look *look = user;
	gboolean own = TRUE;

	if (e->op != EXPR_TAP)
		return;
	for (int a = 0; a < e->tap.field->grid->rank; a++)
		own = own && e->tap.map[a].offset == 0;
	look->now = look->now || e->tap.level == 0;
	if (e->tap.field != look->target)
		look->why = "it reads more than the field that it steps";
	else if (e->tap.level < 0 && !own)
		look->why = "it reads around a cell what was there before the last step";
}

const char *
plane_refuses(const Planner *p, const Stage *stage)
{
	Look look = { stage->target, NULL, FALSE };
	const char *why = steps_refuse(p->s, stage, 2, STEPS_MAPS);

	if (why == NULL && stencil_n_makers(p->s) != 1)
		why = "a step is more than one map of one field";
	if (why != NULL)
		return why;
	expr_visit(&stage->value, 1, look_at, &look);
	return look.why != NULL || look.now ? look.why
		: "it does not read the field that it steps";
}

/* Why the steps are no tile of a plane, or of a row; NULL: they are. */
static const char *
tile_refuses(const Planner *p, const Stage *stage)
{
	const char *why;

	if (stage->grid->rank != 2)
		return planning_tile.refuses(p, stage);
	why = plane_refuses(p, stage);
	return why == NULL && stage_radius(stage) > TILE_REACH
		? "it reads farther than a tile holds" : why;
}

static const char *
refuses(const Planner *p, const Stage *stage)
{
	return tile_refuses(p, stage) == NULL ? NULL : planning_weave.refuses(p, stage);
}

const char *
point_refuses(const Planner *p, const Stage *stage, StrategyId id)
{
	const TilePoint *point = plannings[id]->tile;
	const char *why;

	if (!point->held && point->form != 1)
		return refuses(p, stage);
	why = tile_refuses(p, stage);
	return why != NULL ? why : plannings[id]->refuses(p, stage);
}

gboolean
plan_point(const Planner *p, Plan *plan, const Block *block, const TilePoint *point)
{
	return tile_refuses(p, plan->stage) == NULL ? plan_tile_at(p, plan, block, point)
		: plan_weave_at(p, plan, block, point);
}

static const TilePoint an5d_tile = { "an5d", 2, FALSE, -1 };

static gboolean
plan_an5d(const Planner *p, Plan *plan, const Block *block)
{
	return plan_point(p, plan, block, &an5d_tile);
}

const Planning planning_an5d = { refuses, plan_an5d, NULL, STRATEGY_MARCH, NULL, NULL };
