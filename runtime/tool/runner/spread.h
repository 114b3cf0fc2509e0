/* spread.h: how far rounding of functions may move each cell of a problem. */
#pragma once

#include "problem.h"

/* Gives the arrays a spread: the largest distance of a cell after the N calls of
 * STEPS from the same cell computed by NUDGED (see nudge.h) with several seeds.
 * Leaves in the host's memory what the host's own function computes. */
stencil_status spread_measure(Problem *p, stencil_host_call *nudged, const int64_t *steps, int n);
