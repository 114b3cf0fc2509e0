/* j3d13pt_f64.c: reference of j3d13pt_f64.st. */
// compare: exact
// A pair is one rounded product and one fused; the centre is fused with the
// first pair; the other pairs are added one by one.
#include "reference.h"
#include "j3d13pt_f64.h"

void
j3d13pt_f64_reference(const j3d13pt_f64_args *a)
{
	static const double lo[6] = { .08, .10, .09, .04, .05, .03 };
	static const double hi[6] = { .09, .07, .11, .03, .04, .05 };
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx;
	const int64_t far[6] = { plane, nx, 1, 2 * plane, 2 * nx, 2 };
	size_t bytes = (size_t)(nz * plane) * sizeof(double);

	for (int64_t t = 0; t < a->steps; t++) {
		double *u = copy_of(a->u, bytes);

		EACH(z, 2, nz - 2) EACH(y, 2, ny - 2) EACH(x, 2, nx - 2) {
			const double *c = u + z * plane + y * nx + x;
			double pair[6], s;

			for (int k = 0; k < 6; k++)
				pair[k] = fma(hi[k], c[far[k]], lo[k] * c[-far[k]]);
			s = fma(0.22, c[0], pair[0]);
			for (int k = 1; k < 6; k++)
				s += pair[k];
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
