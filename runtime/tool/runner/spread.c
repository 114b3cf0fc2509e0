#include "spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nudge-sums.h"
#include "value.h"

/* What nudged builds read; here because the runner has no other such build. */
uint64_t stencil_nudge_seed;
int stencil_nudge_sums;

/* Runs the nudged calls from the initial contents. */
static stencil_status
run_nudged(Problem *p, const int64_t *steps, int n)
{
	stencil_status status = STENCIL_OK;
	int64_t done;

	problem_reset_host(p);
	for (int i = 0; status == STENCIL_OK && i < n; i++)
		status = problem_call_host(p, p->what->nudged, steps[i], &done);
	return status;
}

static double
distance(double a, double b)
{
	if (isnan(a) && isnan(b))
		return 0;
	double d = fabs(a - b);
	return a == b ? 0 : isnan(d) ? (double)INFINITY : d;
}

/* Widens the spread by the distance of the host's cells from those in SEEN. */
static void
widen(Array *array)
{
	const Layout *layout = &array->layout;

	for (int64_t row = 0; row < layout->rows; row++) {
		const void *here = layout_row(layout, array->host, row);
		const void *there = layout_row(layout, array->seen, row);

		for (int64_t x = 0; x < layout->width; x++) {
			double *spread = &array->spread[row * layout->width + x];
			double d = distance(value_get(layout->type, here, (size_t)x),
				value_get(layout->type, there, (size_t)x));

			if (d > *spread)
				*spread = d;
		}
	}
}

stencil_status
spread_measure(Problem *p, int sums, const int64_t *steps, int n)
{
	stencil_status status = STENCIL_OK;

	stencil_nudge_sums = sums;
	for (int i = 0; i < p->n_arrays; i++) {
		Array *array = &p->arrays[i];

		memcpy(array->seen, array->host, layout_bytes(&array->layout));
		free(array->spread);
		array->spread = calloc((size_t)(array->layout.rows * array->layout.width),
			sizeof(double));
		if (array->spread == NULL)
			return stencil_fail(NULL, STENCIL_OUT_OF_MEMORY,
				"no memory for the bounds of the cells");
	}
	for (int k = 0; status == STENCIL_OK && k < NUDGE_SEEDS; k++) {
		stencil_nudge_seed = p->options.seed * NUDGE_SEEDS + (uint64_t)k;
		status = run_nudged(p, steps, n);
		for (int i = 0; status == STENCIL_OK && i < p->n_arrays; i++)
			widen(&p->arrays[i]);
	}
	for (int i = 0; i < p->n_arrays; i++)
		memcpy(p->arrays[i].host, p->arrays[i].seen, layout_bytes(&p->arrays[i].layout));
	return status;
}
