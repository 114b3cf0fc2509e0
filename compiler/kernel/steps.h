/* steps.h: what several steps in one sweep ask of a stencil, whatever the shape. */
#pragma once

#include "ir/ir.h"

/* Why a step of STENCIL, which is STAGE, a map over a grid of RANK axes, cannot be one
 * of several of a sweep; NULL: it can. */
const char *steps_refuse(const Stencil *stencil, const Stage *stage, int rank);
