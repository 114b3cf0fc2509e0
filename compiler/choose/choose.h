/* choose.h: a plan for every stage. */
#pragma once

#include "plan/plan.h"

/* A Plan per stage, in order, in ARENA.  NULL, and the reason reported, where a
 * wish cannot be granted. */
GPtrArray *choose_plans(const Stencil *s, const PlanRequest *request, Arena *arena, Diag *diag);
