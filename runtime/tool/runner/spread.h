/* spread.h: how far rounding of functions, and of sums in any order, may move each cell. */
#pragma once

#include "problem.h"

/* Gives the arrays a spread: the largest distance of a cell after the N calls of
 * STEPS from the same cell computed by the nudged host (see nudge.h) with several seeds, whose
 * sums are moved, too, if SUMS (see nudge-sums.h).
 * Leaves in the host's memory what the host's own function computes. */
stencil_status spread_measure(Problem *p, int sums, const int64_t *steps, int n);
