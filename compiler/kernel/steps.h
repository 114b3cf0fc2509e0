/* steps.h: what several steps in one sweep ask of a stencil, whatever the shape. */
#pragma once

#include "ir/ir.h"

/* Why a step of STENCIL, of which STAGE, over a grid of RANK axes, is a part, cannot be
 * one of several of a sweep; NULL: it can, by a launch of all its stages.  Not SEVERAL: of
 * one map that reads nothing but what it steps. */
const char *steps_refuse(const Stencil *stencil, const Stage *stage, int rank, gboolean several);
