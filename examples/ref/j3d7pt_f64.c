/* j3d7pt_f64.c: reference of j3d7pt_f64.st. */
// compare: exact
// Products are fused with the sum that they are added to, left to right.
#include "reference.h"
#include "j3d7pt_f64.h"

void
j3d7pt_f64_reference(const j3d7pt_f64_args *a)
{
	static const double w[7] = { .40, .09, .11, .095, .105, .098, .102 };
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx;
	const int64_t tap[7] = { 0, -plane, plane, -nx, nx, -1, 1 };
	size_t bytes = (size_t)(nz * plane) * sizeof(double);

	for (int64_t t = 0; t < a->steps; t++) {
		double *u = copy_of(a->u, bytes);

		EACH(z, 1, nz - 1) EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) {
			int64_t at = z * plane + y * nx + x;
			double s = w[0] * u[at];

			for (int k = 1; k < 7; k++)
				s = fma(w[k], u[at + tap[k]], s);
			a->u[at] = s;
		}
		free(u);
	}
}

static void
j3d7pt_f64_fill(Check *c, j3d7pt_f64_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F64, a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(j3d7pt_f64)
