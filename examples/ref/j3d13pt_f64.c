/* j3d13pt_f64.c: reference of j3d13pt_f64.st. */
// compare: exact
// The first term is one rounded product, the others are fused one after the other.
#include "reference.h"
#include "j3d13pt_f64.h"

void
j3d13pt_f64_reference(const j3d13pt_f64_args *a)
{
	static const double weight[13] = { .22, .04, .08, .09, .03, .05, .10,
		.07, .04, .03, .09, .11, .05 };
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx;
	const int64_t at[13] = { 0, -2 * plane, -plane, plane, 2 * plane, -2 * nx, -nx, nx,
		2 * nx, -2, -1, 1, 2 };
	size_t bytes = (size_t)(nz * plane) * sizeof(double);

	for (int64_t t = 0; t < a->steps; t++) {
		double *u = copy_of(a->u, bytes);

		EACH(z, 2, nz - 2) EACH(y, 2, ny - 2) EACH(x, 2, nx - 2) {
			const double *c = u + z * plane + y * nx + x;
			double s = weight[0] * c[0];

			for (int k = 1; k < 13; k++)
				s = fma(weight[k], c[at[k]], s);
			a->u[z * plane + y * nx + x] = s;
		}
		free(u);
	}
}

static void
j3d13pt_f64_fill(Check *c, j3d13pt_f64_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F64, a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(j3d13pt_f64)
