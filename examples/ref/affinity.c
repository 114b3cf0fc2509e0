/* affinity.c: reference of affinity.st. */
// compare: exact
// 1 + (k*d)*d is one fused operation.
#include "reference.h"
#include "affinity.h"

void
affinity_reference(const affinity_args *a)
{
	int64_t ny = a->ny, nx = a->nx;

	WITHIN(j, -1, 1) WITHIN(i, -1, 1) EACH(y, 0, ny) EACH(x, 0, nx) {
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
