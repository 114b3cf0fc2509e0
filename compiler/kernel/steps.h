/* steps.h: what several steps in one sweep ask of a stencil, whatever the shape. */
#pragma once

#include "ir/ir.h"

/* What a step may be made of. */
typedef enum {
	STEPS_ONE,   /* one map, that reads nothing but what it steps */
	STEPS_MAPS,  /* maps of fields */
	STEPS_TEMPS, /* maps of fields, and of temps on the way */
} StepsOf;

/* Why a step of STENCIL, of which STAGE, over a grid of RANK axes, is a part, cannot be
 * one of several of a sweep; NULL: it can, by a launch of all its stages. */
const char *steps_refuse(const Stencil *stencil, const Stage *stage, int rank, StepsOf of);
