/* j2d9pt_f64.c: reference of j2d9pt_f64.st. */
// compare: exact
// Products are fused with the sum that they are added to, left to right.
#include "reference.h"
#include "j2d9pt_f64.h"

void
j2d9pt_f64_reference(const j2d9pt_f64_args *a)
{
	static const double w[9] = { .26, .13, .14, .11, .12, .05, .07, .06, .06 };
	int64_t ny = a->ny, nx = a->nx;
	const int64_t tap[9] = { 0, -nx, nx, -1, 1, -2 * nx, 2 * nx, -2, 2 };
	size_t bytes = (size_t)(ny * nx) * sizeof(double);

	for (int64_t t = 0; t < a->steps; t++) {
		double *u = copy_of(a->u, bytes);

		EACH(y, 2, ny - 2) EACH(x, 2, nx - 2) {
			const double *c = u + y * nx + x;
			double s = w[0] * c[0];

			for (int k = 1; k < 9; k++)
				s = fma(w[k], c[tap[k]], s);
			a->u[y * nx + x] = s;
		}
		free(u);
	}
}

static void
j2d9pt_f64_fill(Check *c, j2d9pt_f64_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F64, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(j2d9pt_f64)
