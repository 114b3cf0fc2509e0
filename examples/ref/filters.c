/* filters.c: reference of filters.st. */
// compare: exact
// A median only chooses.
#include "reference.h"
#include "filters.h"

void
despeckle_reference(const despeckle_args *a)
{
	int64_t nx = a->nx;

	for (int64_t i = 0; i < a->ny * nx; i++) {
		const float *row = a->img + i / nx * nx;
		int64_t x = i % nx;
		float p = row[mirror_at(x - 1, nx)], q = row[x], r = row[mirror_at(x + 1, nx)];

		a->clean[i] = p < q ? (q < r ? q : p < r ? r : p) : (p < r ? p : q < r ? r : q);
	}
}

static void
despeckle_fill(Check *c, despeckle_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 2);
	FIELD(c, a->img, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->clean, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(despeckle)
