/* nudge-sums.h: what the host text that `stencilc --nudge-sums` writes calls: a sum moved as far
 * as it may come out in another order, one way or the other.
 *
 * With the first two seeds of a spread all go one way, which is the furthest where all
 * coefficients have one sign; with the others as a hash of the value and the seed says.
 */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
extern uint64_t stencil_nudge_seed;
extern int stencil_nudge_sums; /* 0: they stay as they are */
#ifdef __cplusplus
}
#endif

enum { NUDGE_SEEDS = 8 };

static inline int
nudge_sum_up(double sum)
{
	const uint64_t turn = stencil_nudge_seed % NUDGE_SEEDS;
	uint64_t bits;

	if (turn < 2)
		return turn == 0;
	memcpy(&bits, &sum, sizeof bits);
	bits = (bits ^ stencil_nudge_seed) * 0x9e3779b97f4a7c15u;
	return ((bits ^ (bits >> 29)) * 0xbf58476d1ce4e5b9u) >> 63 != 0;
}

/* REACH is in units of half a last digit of 1. */
static inline double
stencil_nudge_f64(double sum, double reach)
{
	const double by = reach * 0x1p-54;

	if (stencil_nudge_sums == 0 || !isfinite(by))
		return sum;
	return nudge_sum_up(sum) ? sum + by : sum - by;
}

static inline float
stencil_nudge_f32(float sum, float reach)
{
	const float by = reach * 0x1p-25f;

	if (stencil_nudge_sums == 0 || !isfinite(by))
		return sum;
	return nudge_sum_up((double)sum) ? sum + by : sum - by;
}
