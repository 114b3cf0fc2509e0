/* j2d5pt_f64.c: reference of j2d5pt_f64.st. */
// compare: exact
// Products are fused with the sum that they are added to, left to right.
#include "reference.h"
#include "j2d5pt_f64.h"

void
j2d5pt_f64_reference(const j2d5pt_f64_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(double);

	for (int64_t t = 0; t < a->steps; t++) {
		double *u = copy_of(a->u, bytes);

		EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) {
			const double *c = u + y * nx + x;
			double s = 0.31 * c[0];

			s = fma(0.16, c[-nx], s);
			s = fma(0.18, c[nx], s);
			s = fma(0.17, c[-1], s);
			a->u[y * nx + x] = fma(0.18, c[1], s);
		}
		free(u);
	}
}

static void
j2d5pt_f64_fill(Check *c, j2d5pt_f64_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F64, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(j2d5pt_f64)
