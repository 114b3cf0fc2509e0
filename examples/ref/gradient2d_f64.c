/* gradient2d_f64.c: reference of gradient2d_f64.st. */
// compare: exact
// Square root and division are correctly rounded, squares are fused.
#include "reference.h"
#include "gradient2d_f64.h"

void
gradient2d_f64_reference(const gradient2d_f64_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(double);

	for (int64_t t = 0; t < a->steps; t++) {
		double *u = copy_of(a->u, bytes);

		EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) {
			const double *c = u + y * nx + x;
			const double d[4] = { c[0] - c[-nx], c[0] - c[nx],
				c[0] - c[-1], c[0] - c[1] };
			double s = a->flat;

			for (int k = 0; k < 4; k++)
				s = fma(d[k], d[k], s);
			a->u[y * nx + x] = fma(0.25, c[0], 1 / sqrt(s));
		}
		free(u);
	}
}

static void
gradient2d_f64_fill(Check *c, gradient2d_f64_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F64, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(gradient2d_f64)
