/* model.h: plans as a model has them, where nobody asks for another.  Part of the planner. */
#pragma once

#include "choose/candidates.h"
#include "choose/planner.h"

/* PLAN as it would be with SETTINGS in place of those of the request; NULL, and nothing is
 * reported, where they cannot be granted; *WHY: the reason for that. */
Plan *plan_quietly(const Planner *p, const Plan *plan, const GPtrArray *settings,
	const char **why);

/* A word of a plan. */
typedef struct {
	const char *key, *value;
} Word;

/* PLAN with the N WORDS, finer than all that is asked for; NULL, and nothing is reported, where
 * they cannot be granted. */
Plan *plan_with(const Planner *p, const Plan *plan, const Word *words, int n);

/* A copy of the request's settings; and one more for the launch of PLAN, finer than all. */
GPtrArray *settings_copy(const PlanRequest *request);
void settings_add(const Planner *p, GPtrArray *settings, const Plan *plan, const char *key,
	const char *value);

/* What the request's model would rather have for the launches of PLANS: GROUPED: which
 * stages share one is known.  Without a device in the request: nothing. */
void model_plans(const Planner *p, GPtrArray *plans, gboolean grouped);

/* PLAN; or, where nothing is predicted of it, what our model would rather have. */
const Plan *model_sound(const Planner *p, const Plan *plan);

/* TRUE if nothing but the steps of a sweep is asked for. */
gboolean model_is_free(const Planner *p, const Plan *plan);

/* PLAN, the usual one, in another shape, of a block or of its walks, by which it is predicted to
 * gain much; NULL: there is none. */
const Plan *model_reshaped(const Planner *p, const Plan *plan);

/* How many operations a cell of PLAN has, if they are so many, or functions of several stages, that
 * by several cells a thread nvcc spills; else 0. */
int model_heavy(const Plan *plan);

/* C takes more registers than nvcc was seen to hold. */
gboolean model_may_spill(const Candidate *c);

/* How many times as fast as the USUAL plan OTHER has to be predicted to take its place. */
double model_gain(const Plan *usual, const Candidate *other);
