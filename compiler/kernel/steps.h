/* steps.h: what several steps in one sweep ask of a stencil, whatever the shape. */
#pragma once

#include "plan/plan.h"

/* What a step may be made of. */
typedef enum {
	STEPS_ONE,   /* one map, that reads nothing but what it steps */
	STEPS_MAPS,  /* maps of what they step */
	STEPS_TEMPS, /* maps of any fields, and of temps on the way; cells may ask where they are */
	STEPS_ONCE,  /* no step: maps of temps and of what the caller gets, each made once */
} StepsOf;

/* Why a step of STENCIL, of which STAGE, over a grid of RANK axes, is a part, cannot be
 * one of several of a sweep; NULL: it can, by a launch of all its stages. */
const char *steps_refuse(const Stencil *stencil, const Stage *stage, int rank, StepsOf of);

/* Why the N stages, of a stencil that makes no steps, cannot be one launch over a grid of RANK
 * axes though they read around a cell what others of them make; NULL: they can. */
const char *pipe_refuses(const Stencil *stencil, const PlanStage *stages, int n, int rank);

/* Why STAGES, N of a volume, do not go plane by plane of its slowest axis; NULL: they do. */
const char *planes_refuse(const Stencil *stencil, const PlanStage *stages, int n);
