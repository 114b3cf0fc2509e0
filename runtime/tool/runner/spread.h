/* spread.h: how far rounding of functions, and of sums in any order, may move each cell. */
#pragma once

#include "problem.h"

/* After the N calls of STEPS by the host's own function: gives the arrays a spread, the largest
 * distance of a cell from the same cell computed by the nudged host (see nudge.h) with several
 * seeds, whose sums are moved, too, if SUMS (see nudge-sums.h).  The host's memory stays. */
stencil_status spread_measure(Problem *p, int sums, const int64_t *steps, int n);
