/* fdd5.c: reference of fdd5.st. */
// compare: relative 5e-6
// Associative.  About 40 roundings of 2^-24 of at most the largest term.
#include "reference.h"
#include "fdd5.h"

enum { R = 5 };

void
fdd5_reference(const fdd5_args *a)
{
	static const double c[R + 1] = { -5269.0 / 1800, 5.0 / 3, -5.0 / 21, 5.0 / 126, -5.0 / 1008,
		1.0 / 3150 };
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
fdd5_fill(Check *c, fdd5_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	FIELD(c, a->u, F32, a->nz * a->ny * a->nx, -1, 1);
	FIELD(c, a->lap, F32, a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(fdd5)
