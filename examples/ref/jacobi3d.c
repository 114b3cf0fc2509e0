/* jacobi3d.c: reference of jacobi3d.st. */
// compare: relative 1e-5
// Associative.  A mean of six: at most 6 roundings of 2^-24 of the largest
// value a step on the compiled side, 7 steps 2.5e-6.
#include "reference.h"
#include "jacobi3d.h"

void
jacobi3d_reference(const jacobi3d_args *a)
{
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx;
	size_t bytes = (size_t)(nz * plane) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, bytes);

		EACH(z, 1, nz - 1) EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) {
			const float *c = u + z * plane + y * nx + x;

			a->u[z * plane + y * nx + x] = (float)(a->w
				* ((double)c[-plane] + c[plane] + c[-nx] + c[nx] + c[-1] + c[1]));
		}
		free(u);
	}
}

static void
jacobi3d_fill(Check *c, jacobi3d_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(jacobi3d)
