/* fdd7.c: reference of fdd7.st. */
// compare: relative 5e-6
// Associative.  About 40 roundings of 2^-24 of at most the largest term.
#include "reference.h"
#include "fdd7.h"

enum { R = 7 };

void
fdd7_reference(const fdd7_args *a)
{
	static const double c[R + 1] = { -266681.0 / 88200, 7.0 / 4, -7.0 / 24, 7.0 / 108,
		-7.0 / 528, 7.0 / 3300, -7.0 / 30888, 1.0 / 84084 };
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx;

	EACH(z, R, nz - R) EACH(y, R, ny - R) EACH(x, R, nx - R) {
		const float *u = a->u + z * plane + y * nx + x;
		double s = 3 * c[0] * u[0];

		for (int k = 1; k <= R; k++)
			s += c[k] * ((double)u[-k * plane] + u[k * plane] + u[-k * nx]
				+ u[k * nx] + u[-k] + u[k]);
		a->lap[z * plane + y * nx + x] = (float)s;
	}
}

static void
fdd7_fill(Check *c, fdd7_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	FIELD(c, a->u, F32, a->nz * a->ny * a->nx, -1, 1);
	FIELD(c, a->lap, F32, a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(fdd7)
