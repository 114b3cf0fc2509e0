/* box25_f64.c: reference of box25_f64.st. */
// compare: relative 5e-14
// Associative.  The weights add up to 1: at most 27 roundings of 2^-53 of
// the largest value a step on each side, 7 steps 4.2e-14.
#include "reference.h"
#include "box25_f64.h"

void
box25_f64_reference(const box25_f64_args *a)
{
	static const double thousandths[5][5] = {
		{ 11, 23, 31, 19, 13 },
		{ 29, 47, 59, 53, 21 },
		{ 37, 61, 97, 67, 41 },
		{ 27, 49, 63, 51, 33 },
		{ 18, 34, 45, 36, 35 },
	};
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(double);

	for (int64_t t = 0; t < a->steps; t++) {
		double *u = copy_of(a->u, bytes);

		EACH(y, 2, ny - 2) EACH(x, 2, nx - 2) {
			double s = 0;

			WITHIN(j, -2, 2) WITHIN(i, -2, 2)
				s += thousandths[j + 2][i + 2] * u[(y + j) * nx + x + i];
			a->u[y * nx + x] = s / 1000;
		}
		free(u);
	}
}

static void
box25_f64_fill(Check *c, box25_f64_args *a)
{
	a->ny = check_extent(c, 0, 5);
	a->nx = check_extent(c, 1, 5);
	a->steps = check_steps(c);
	FIELD(c, a->u, F64, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(box25_f64)
