/* gol9pt_f64.c: reference of gol9pt_f64.st. */
// compare: relative 2e-14
// Associative.  The weights add up to 1: a step adds at most 9 roundings of
// 2^-53 of the largest value on each side, 7 steps 1.4e-14.
#include "reference.h"
#include "gol9pt_f64.h"

void
gol9pt_f64_reference(const gol9pt_f64_args *a)
{
	static const double w[3][3] = { { .06, .13, .07 }, { .14, .20, .15 }, { .05, .12, .08 } };
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(double);

	for (int64_t t = 0; t < a->steps; t++) {
		double *u = copy_of(a->u, bytes);

		EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) {
			double s = 0;

			WITHIN(j, -1, 1) WITHIN(i, -1, 1)
				s += w[j + 1][i + 1] * u[(y + j) * nx + x + i];
			a->u[y * nx + x] = s;
		}
		free(u);
	}
}

static void
gol9pt_f64_fill(Check *c, gol9pt_f64_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F64, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(gol9pt_f64)
