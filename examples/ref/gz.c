/* gz.c: reference of gz.st. */
// compare: exact
// Of the two products the left one is rounded, the right one fused.
#include "reference.h"
#include "gz.h"

void
gz_reference(const gz_args *a)
{
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, far = a->ny * a->nx;

	EACH(z, 0, nz) EACH(y, 0, ny) EACH(x, 0, nx) {
		int64_t i = (z * ny + y) * nx + x;
		const float *u = a->img + i;

		if (z < nz - 2)
			a->blurred[i] = fmaf(a->coef[1], u[0] + u[2 * far], a->coef[0] * u[far]);
	}
}

static void
gz_fill(Check *c, gz_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	a->coef[0] = 0.47f;
	a->coef[1] = 0.26f;
	FIELD(c, a->img, F32, a->nz * a->ny * a->nx, -1, 1);
	FIELD(c, a->blurred, F32, a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(gz)
