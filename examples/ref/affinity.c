/* affinity.c: reference of affinity.st. */
// compare: exact
// 1 + (k*d)*d is one fused operation.
#include "reference.h"
#include "affinity.h"

void
affinity_reference(const affinity_args *a)
{
	int64_t ny = a->ny, nx = a->nx;

	for (int j = -1; j <= 1; j++)
		for (int i = -1; i <= 1; i++)
			for (int64_t y = 0; y < ny; y++)
				for (int64_t x = 0; x < nx; x++) {
					float *w = a->w + (3 * (j + 1) + i + 1) * ny * nx, d;

					if (!inside(y + j, ny) || !inside(x + i, nx))
						continue;
					d = a->u[(y + j) * nx + x + i] - a->u[y * nx + x];
					w[y * nx + x] = 1 / fmaf(a->k * d, d, 1);
				}
}

static void
affinity_fill(Check *c, affinity_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->w, F32, 9 * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(affinity)
