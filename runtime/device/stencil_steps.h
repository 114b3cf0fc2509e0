/* stencil_steps.h: which sweeps make the steps of a call.  Included by stencil_kernel.h. */
#ifndef STENCIL_STEPS_H
#define STENCIL_STEPS_H

/* Of STEPS those up to the next one that is one of EVERY so many, DONE being made. */
STENCIL_FN int64_t
stencil_steps_left(int64_t steps, int64_t done, int64_t every)
{
	const int64_t next = every - done % every;

	return steps - done < next ? steps - done : next;
}

/* How many of STEPS go by sweeps of FEWER, the others by sweeps of MOST, then one by one, so
 * that they are made soonest.  In eighths of a copy a single step takes 9, and either sweep as
 * long as one of MOST: 8, and 1 for each step.  A number of launches that is no multiple of
 * SLOTS takes a copy at the end, as long as a step. */
STENCIL_FN int64_t
stencil_steps_by_fewer(int64_t steps, int most, int fewer, int slots)
{
	int64_t best = 0, least = INT64_MAX;

	for (int64_t n = 0; n < most && n * fewer <= steps; n++) {
		const int64_t left = steps - n * fewer;
		const int64_t sweeps = n + left / most, single = left % most;
		const int64_t copies = (sweeps + single) % slots != 0;
		const int64_t cost = (8 + most) * sweeps + 9 * (single + copies);

		if (cost < least) {
			least = cost;
			best = n;
		}
	}
	return best * fewer;
}

#endif
