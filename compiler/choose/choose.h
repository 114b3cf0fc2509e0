/* choose.h: a plan for every stage. */
#pragma once

#include "plan/plan.h"

extern const char *const chooser_name[CHOOSER_N + 1]; /* NULL behind the last */

/* A Plan per stage, in order, in ARENA.  NULL, and the reason reported, where a
 * wish cannot be granted. */
GPtrArray *choose_plans(const Stencil *s, const PlanRequest *request, Arena *arena, Diag *diag);

/* The stencil that PLANS, of choose_plans(S), are of: S, or S with planar fields. */
const Stencil *choose_stencil(const Stencil *s, const GPtrArray *plans);

/* The usual plans of S as it is, whatever is asked for. */
GPtrArray *choose_direct(const Stencil *s, const PlanRequest *request, Arena *arena, Diag *diag);

/* Bytes of a cell that a call by PLANS, of choose_plans(S), copies where they are of planar fields;
 * 0: they are not. */
double choose_copies(const Stencil *s, const GPtrArray *plans);

/* How interleaved fields lie while they are stepped by PLANS, and why; NULL: there are none. */
const char *choose_layout_text(const Stencil *s, const PlanRequest *request,
	const GPtrArray *plans, Arena *arena, Diag *diag);

/* Warns of kernels of PLANS, of which something is asked for, that take more registers than the
 * device has, by the estimate. */
void choose_check_registers(const PlanRequest *request, const GPtrArray *plans, Arena *arena,
	Diag *diag);

/* How the steps between two tests of `until` are made, and which one is by itself; NULL: PLAN
 * makes single steps, or nothing looks at them. */
const char *choose_between_text(const Stencil *s, const Plan *plan, Arena *arena);

/* FALSE, and reported: several steps of a sweep are asked for, and no stencil of P makes steps:
 * known before there are plans. */
gboolean choose_may_step(const PlanRequest *request, const Program *p, Diag *diag);

/* FALSE, and reported: several steps of a sweep are asked for, and no plan of any stencil
 * of P makes several (PLANS: a GPtrArray of plans per stencil). */
gboolean choose_check_time(const PlanRequest *request, const Program *p,
	GPtrArray *const *plans, Diag *diag);
