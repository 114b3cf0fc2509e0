/* walk.c: the axis that blocks walk along: of a volume not the slowest, where that is asked for
 * (`stream=y`).
 */
#include "choose/planner.h"

#include <string.h>

/* Those that take the axes as the plan has them. */
static const gboolean turns[STRATEGY_N] = {
	[STRATEGY_MARCH] = TRUE, [STRATEGY_TILE] = TRUE, [STRATEGY_WEAVE] = TRUE,
	[STRATEGY_QUILT] = TRUE,
};

/* Says which axes there are but that of rows. */
static gboolean
refuse(const Planner *p, const Plan *plan, const char *text)
{
	const char *const *name = plan->stage->grid->axis;

	diag_error(p->diag, plan->stage->at, "'%s' cannot walk along '%s': %s", plan->name, text,
		plan->n_axes > 1 ? "that is no axis of its planes or rows" : "it has one axis");
	if (plan->n_axes > 2)
		diag_help(p->diag, "write stream=%s or stream=%s", name[plan->axis[2]],
			name[plan->axis[1]]);
	else if (plan->n_axes > 1)
		diag_help(p->diag, "write stream=%s", name[plan->axis[1]]);
	else
		diag_help(p->diag, "leave stream away");
	return FALSE;
}

static void
swap(Plan *plan, int at, int other)
{
	const int axis = plan->axis[at];

	plan->axis[at] = plan->axis[other];
	plan->axis[other] = axis;
}

void
walk_turn(Plan *plan)
{
	swap(plan, plan->n_axes - 2, plan->n_axes - 1);
}

gboolean
walk_set(const Planner *p, Plan *plan)
{
	const char *text = wish(p, plan->name, "stream");
	int last = plan->n_axes - 1, at = last;

	if (text == NULL)
		return TRUE;
	while (at > 0 && strcmp(text, plan->stage->grid->axis[plan->axis[at]]) != 0)
		at--;
	if (at <= 0)
		return refuse(p, plan, text);
	swap(plan, at, last);
	return TRUE;
}

static gboolean
is_constant_beyond(const Expr *tap, gconstpointer axis)
{
	const Boundary *b = tap->tap.boundary;
	const int a = *(const int *)axis;

	return b != NULL && (b->kind[a][0] == EDGE_CONSTANT || b->kind[a][1] == EDGE_CONSTANT);
}

/* At a corner the slowest axis says what is constant, where these strategies ask that of planes
 * last. */
static gboolean
has_corners(const Plan *plan)
{
	gboolean constant[2] = { FALSE, FALSE };

	for (int i = 0; i < plan->n_stages; i++)
		for (int n = 0; n < 2; n++)
			constant[n] = constant[n] || expr_has_tap(plan->stages[i].stage->value,
				is_constant_beyond, &plan->axis[n + 1]);
	return constant[0] && constant[1];
}

const char *
walk_refuses(const Plan *plan, StrategyId id)
{
	if (!plan_is_turned(plan) || id == STRATEGY_NAIVE)
		return NULL;
	if (!turns[id])
		return "its blocks walk along the slowest axis, or none";
	return id != STRATEGY_MARCH && has_corners(plan)
		? "what is constant beyond both of its other axes is the slowest one's at a corner"
		: NULL;
}
