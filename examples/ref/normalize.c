/* normalize.c: reference of normalize.st. */
// compare: exact
// Minima and maxima are exact, division is correctly rounded.
#include "reference.h"
#include "normalize.h"

void
normalize_reference(const normalize_args *a)
{
	int64_t n = a->ny * a->nx;
	float least = a->img[0], most = a->img[0];

	for (int64_t i = 1; i < n; i++) {
		least = a->img[i] < least ? a->img[i] : least;
		most = a->img[i] > most ? a->img[i] : most;
	}
	*a->least = least;
	*a->most = most;
	for (int64_t i = 0; i < n; i++)
		a->stretched[i] = (a->img[i] - least) / (most - least);
}

static void
normalize_fill(Check *c, normalize_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->img, F32, a->ny * a->nx, 0, 1);
	FIELD(c, a->stretched, F32, a->ny * a->nx, 0, 1);
	FIELD(c, a->least, F32, 1, 5, 9);
	FIELD(c, a->most, F32, 1, 5, 9);
}

CHECK_STENCIL(normalize)
