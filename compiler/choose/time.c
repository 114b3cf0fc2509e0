/* time.c: whether the steps of a sweep that are asked for are those of some plan. */
#include "choose/choose.h"
#include "choose/planner.h"

#include "kernel/steps.h"

/* As many as are asked for, or what a finer wish says. */
static gboolean
makes_steps(const GPtrArray *plans)
{
	for (guint i = 0; i < plans->len; i++)
		if (((const Plan *)g_ptr_array_index(plans, i))->time > 1)
			return TRUE;
	return FALSE;
}

/* Why no strategy makes several steps of S, of which STAGE is the first. */
static void
note_strategies(const Planner *p, const Stage *stage)
{
	for (StrategyId id = 0; id < STRATEGY_N; id++) {
		const char *why = strategies[id].steps ? plannings[id]->refuses(p, stage) : NULL;

		if (why != NULL)
			diag_note(p->diag, p->s->at, "'%s', %s: %s", p->s->name,
				strategies[id].name, why);
	}
}

/* Why the strategy that is asked for makes no several steps of S, of which STAGE is the first;
 * *OTHER: others of a cell a thread do. */
static void
note_strategy(const Planner *p, const Stage *stage, gboolean *other)
{
	const StrategyId id = strategy_find(p->request->strategy);
	const char *why = id != STRATEGY_N && plannings[id]->tile != NULL
		? point_refuses(p, stage, id) : NULL;

	*other = why != NULL && planning_an5d.refuses(p, stage) == NULL;
	if (why != NULL)
		diag_note(p->diag, p->s->at, "'%s', %s: %s", p->s->name, strategies[id].name, why);
	else
		diag_note(p->diag, p->s->at, "'%s': the strategy that is asked for makes one step "
			"a sweep", p->s->name);
}

/* Why no launch of the stencil makes several steps in one sweep; TRUE: by another of the papers'
 * strategies it does. */
static gboolean
note_single(const Planner *p)
{
	gboolean other = FALSE;
	const Stage *stage = stencil_first_maker(p->s);
	const char *why = stage == NULL ? "it computes nothing"
		: steps_refuse(p->s, stage, stage->grid->rank, STEPS_TEMPS);

	if (why == NULL && p->request->strategy != NULL) {
		note_strategy(p, stage, &other);
		return other;
	}
	diag_note(p->diag, p->s->at, "'%s': %s", p->s->name, why != NULL ? why
		: "its plan makes one step a sweep");
	if (why == NULL)
		note_strategies(p, stage);
	return FALSE;
}

/* No stencil of P makes the steps of a sweep that are asked for. */
static void
report(const PlanRequest *request, const Program *p, Diag *diag)
{
	gboolean other = FALSE;

	diag_error(diag, (Span){ 0 }, "--time=%d: no stencil of this program can make %d steps in "
		"one sweep", request->time, request->time);
	for (guint i = 0; i < p->stencils->len; i++) {
		const Stencil *s = g_ptr_array_index(p->stencils, i);
		const Planner own = { s->planar != NULL ? s->planar : s, request, s->arena, diag };

		other = note_single(&own) || other;
		note_looks(s, diag);
	}
	diag_help(diag, "%sleave --time away, or write --time=1", other
		? "use strategy 'stream-registers' or 'an5d', " : "");
}

gboolean
choose_may_step(const PlanRequest *request, const Program *p, Diag *diag)
{
	if (request->time <= 1 || p->stencils->len == 0)
		return TRUE;
	for (guint i = 0; i < p->stencils->len; i++)
		if (((const Stencil *)g_ptr_array_index(p->stencils, i))->stepped)
			return TRUE;
	report(request, p, diag);
	return FALSE;
}

gboolean
choose_check_time(const PlanRequest *request, const Program *p, GPtrArray *const *plans, Diag *diag)
{
	if (request->time <= 1 || p->stencils->len == 0)
		return TRUE;
	for (guint i = 0; i < p->stencils->len; i++)
		if (makes_steps(plans[i]))
			return TRUE;
	report(request, p, diag);
	return FALSE;
}
