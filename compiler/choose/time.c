/* time.c: whether the steps of a sweep that are asked for are those of some plan. */
#include "choose/choose.h"
#include "choose/planner.h"

#include "kernel/steps.h"

/* As many as are asked for, or what a finer wish says. */
static gboolean
makes_steps(const GPtrArray *plans)
{
	for (guint i = 0; i < plans->len; i++)
		if (((const Plan *)g_ptr_array_index(plans, i))->time > 0)
			return TRUE;
	return FALSE;
}

/* Why no launch of S makes several steps in one sweep. */
static const char *
why_single(const PlanRequest *request, const Stencil *s)
{
	GPtrArray *makers = stencil_makers(s);
	const Stage *stage = makers->len > 0 ? g_ptr_array_index(makers, 0) : NULL;
	const char *why;

	g_ptr_array_unref(makers);
	if (stage == NULL)
		return "it computes nothing";
	why = steps_refuse(s, stage, stage->grid->rank, steps_most(stage->grid->rank));
	return why != NULL ? why : request->strategy != NULL
		? "the strategy that is asked for makes one step a sweep"
		: "its plan makes one step a sweep";
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

		diag_note(diag, s->at, "'%s': %s", s->name, why_single(request, s));
		note_looks(s, diag);
	}
	diag_help(diag, "leave --time away, or write --time=1");
	return FALSE;
}
