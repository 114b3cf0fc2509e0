/* star25.c: reference of star25.st. */
// compare: relative 2e-5
// Associative.  The weights add up to 1: at most 26 roundings of 2^-24 of
// the largest value a step on the compiled side, 7 steps 1.1e-5.
#include "reference.h"
#include "star25.h"

void
star25_reference(const star25_args *a)
{
	static const double w[5] = { .28, .06, .03, .02, .01 };
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx;
	const int64_t far[3] = { plane, nx, 1 };
	size_t bytes = (size_t)(nz * plane) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, bytes);

		EACH(z, 4, nz - 4) EACH(y, 4, ny - 4) EACH(x, 4, nx - 4) {
			const float *c = u + z * plane + y * nx + x;
			double s = w[0] * c[0];

			EACH(d, 0, 3) WITHIN(k, 1, 4)
				s += w[k] * c[-k * far[d]] + w[k] * c[k * far[d]];
			a->u[z * plane + y * nx + x] = (float)s;
		}
		free(u);
	}
}

static void
star25_fill(Check *c, star25_args *a)
{
	a->nz = check_extent(c, 0, 9);
	a->ny = check_extent(c, 1, 9);
	a->nx = check_extent(c, 2, 9);
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(star25)
