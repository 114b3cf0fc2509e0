#include "times.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double
times_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void
times_sort(double *seconds, int n)
{
	qsort(seconds, (size_t)n, sizeof *seconds, by_size);
}

double
times_median(const double *seconds, int n)
{
	double *sorted = malloc((size_t)n * sizeof *sorted), middle = 0;

	if (sorted != NULL) {
		memcpy(sorted, seconds, (size_t)n * sizeof *sorted);
		times_sort(sorted, n);
		middle = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
	}
	free(sorted);
	return middle;
}
