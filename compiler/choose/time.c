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

/* Why no launch of the stencil makes several steps in one sweep. */
static void
note_single(const Planner *p)
{
	GPtrArray *makers = stencil_makers(p->s);
	const Stage *stage = makers->len > 0 ? g_ptr_array_index(makers, 0) : NULL;
	const char *why = stage == NULL ? "it computes nothing"
		: steps_refuse(p->s, stage, stage->grid->rank, STEPS_TEMPS);

	g_ptr_array_unref(makers);
	if (why == NULL && p->request->strategy != NULL)
		why = "the strategy that is asked for makes one step a sweep";
	diag_note(p->diag, p->s->at, "'%s': %s", p->s->name, why != NULL ? why
		: "its plan makes one step a sweep");
	if (why == NULL)
		note_strategies(p, stage);
}

gboolean
choose_check_time(const PlanRequest *request, const Program *p, GPtrArray *const *plans, Diag *diag)
{
	if (request->time <= 1 || p->stencils->len == 0)
		return TRUE;
	for (guint i = 0; i < p->stencils->len; i++)
		if (makes_steps(plans[i]))
			return TRUE;
	diag_error(diag, (Span){ 0 }, "--time=%d: no stencil of this program can make %d steps in "
		"one sweep", request->time, request->time);
	for (guint i = 0; i < p->stencils->len; i++) {
		const Stencil *s = g_ptr_array_index(p->stencils, i);
		const Planner own = { s, request, s->arena, diag };

		note_single(&own);
		note_looks(s, diag);
	}
	diag_help(diag, "leave --time away, or write --time=1");
	return FALSE;
}
