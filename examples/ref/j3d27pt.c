/* j3d27pt.c: reference of j3d27pt.st. */
// compare: relative 2e-5
// Associative.  The weights add up to 1: at most 27 roundings of 2^-24 of the
// largest value a step on the compiled side, 7 steps 1.2e-5.
#include "reference.h"
#include "j3d27pt.h"

void
j3d27pt_reference(const j3d27pt_args *a)
{
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx;
	size_t bytes = (size_t)(nz * plane) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, bytes);

		EACH(z, 1, nz - 1) EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) {
			const float *c = u + z * plane + y * nx + x;
			double sum[4] = { 0 }; /* by the number of axes off centre */

			WITHIN(k, -1, 1) WITHIN(j, -1, 1) WITHIN(i, -1, 1)
				sum[k * k + j * j + i * i] += c[k * plane + j * nx + i];
			a->u[z * plane + y * nx + x] = (float)(0.2 * sum[0]
				+ 0.05 * sum[1] + 0.025 * (sum[2] + sum[3]));
		}
		free(u);
	}
}

static void
j3d27pt_fill(Check *c, j3d27pt_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(j3d27pt)
