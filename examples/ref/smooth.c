/* smooth.c: reference of smooth.st, for three passes of order 2. */
// compare: exact
// All products are exact.
#include "reference.h"
#include "smooth.h"

void
smooth_reference(const smooth_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(float);
	float *s = copy_of(a->u, bytes);

	for (int pass = 0; pass < 3; pass++) {
		for (int64_t i = 0; i < ny * nx; i++) {
			const float *row = s + i / nx * nx;
			int64_t x = i % nx;

			a->v[i] = 0.25f * row[clamp_at(x - 1, nx)] + 0.5f * row[x]
				+ 0.25f * row[clamp_at(x + 1, nx)];
		}
		memcpy(s, a->v, bytes);
	}
	free(s);
}

static void
smooth_fill(Check *c, smooth_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->v, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(smooth)
