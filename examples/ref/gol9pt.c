/* gol9pt.c: reference of gol9pt.st. */
// compare: relative 1e-5
// Associative.  The weights add up to 1: a step adds at most 9 roundings of
// 2^-24 of the largest value on each side, 7 steps 7.5e-6.
#include "reference.h"
#include "gol9pt.h"

void
gol9pt_reference(const gol9pt_args *a)
{
	static const double w[3][3] = { { .06, .13, .07 }, { .14, .20, .15 }, { .05, .12, .08 } };
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, bytes);

		EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) {
			double s = 0;

			WITHIN(j, -1, 1) WITHIN(i, -1, 1)
				s += w[j + 1][i + 1] * u[(y + j) * nx + x + i];
			a->u[y * nx + x] = (float)s;
		}
		free(u);
	}
}

static void
gol9pt_fill(Check *c, gol9pt_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(gol9pt)
