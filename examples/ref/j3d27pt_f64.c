/* j3d27pt_f64.c: reference of j3d27pt_f64.st. */
// compare: relative 5e-14
// Associative.  The weights add up to 1: at most 27 roundings of 2^-53 of the
// largest value a step on each side, 7 steps 4.2e-14.
#include "reference.h"
#include "j3d27pt_f64.h"

void
j3d27pt_f64_reference(const j3d27pt_f64_args *a)
{
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx;
	size_t bytes = (size_t)(nz * plane) * sizeof(double);

	for (int64_t t = 0; t < a->steps; t++) {
		double *u = copy_of(a->u, bytes);

		EACH(z, 1, nz - 1) EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) {
			const double *c = u + z * plane + y * nx + x;
			double sum[4] = { 0 }; /* by the number of axes off centre */

			WITHIN(k, -1, 1) WITHIN(j, -1, 1) WITHIN(i, -1, 1)
				sum[k * k + j * j + i * i] += c[k * plane + j * nx + i];
			a->u[z * plane + y * nx + x] = 0.2 * sum[0]
				+ 0.05 * sum[1] + 0.025 * (sum[2] + sum[3]);
		}
		free(u);
	}
}

static void
j3d27pt_f64_fill(Check *c, j3d27pt_f64_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F64, a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(j3d27pt_f64)
