/* candidates.h: the plans that are worth considering for a launch. */
#pragma once

#include "choose/predict.h"

typedef struct {
	const char *words;   /* what of the plan was asked for: "tile time=3 cells=4x4" */
	const Plan *plan;    /* NULL where the planner refuses it */
	const char *killed;  /* what rules it out, with its figures; NULL: nothing does */
	Prediction cost;     /* where nothing rules it out */
	gboolean chosen;     /* it is the plan that the launch has */
	gboolean listed;     /* and chosen for much only: too little is measured of its kind */
} Candidate;

#define LISTED_GAIN 1.5 /* times as fast as what is usual: the model is not off by as much */

/* The candidates of the launch of PLAN, one of choose_plans(S, REQUEST): the best predicted
 * first, the one that was chosen wherever it belongs, those that are ruled out last.
 * What REQUEST asks for they all have.  GAIN: only those that may be so many times as
 * fast as PLAN, by what is known of them before they are planned; 0: all.  Freed with
 * g_ptr_array_unref; the candidates are in ARENA. */
GPtrArray *candidates_of(const Stencil *s, const PlanRequest *request, const Device *d,
	const Plan *plan, double gain, Arena *arena);
