/* j3d17pt.c: reference of j3d17pt.st. */
// compare: relative 2e-5
// Associative.  The weights add up to 1.01: at most 18 roundings of 2^-24 of
// the largest value a step on the compiled side, 7 steps 8e-6.
#include "reference.h"
#include "j3d17pt.h"

static double
corners(const float *plane, int64_t nx)
{
	return (double)plane[-nx - 1] + plane[-nx + 1] + plane[nx - 1] + plane[nx + 1];
}

void
j3d17pt_reference(const j3d17pt_args *a)
{
	static const double w[9] = { .04, .06, .08, .10, .13, .10, .08, .06, .04 };
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx;
	size_t bytes = (size_t)(nz * plane) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, bytes);

		EACH(z, 1, nz - 1) EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) {
			const float *c = u + z * plane + y * nx + x;
			double s = 0.041 * corners(c - plane, nx) + 0.039 * corners(c + plane, nx);

			for (int k = 0; k < 9; k++)
				s += w[k] * c[(k / 3 - 1) * nx + k % 3 - 1];
			a->u[z * plane + y * nx + x] = (float)s;
		}
		free(u);
	}
}

static void
j3d17pt_fill(Check *c, j3d17pt_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(j3d17pt)
