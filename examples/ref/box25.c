/* box25.c: reference of box25.st. */
// compare: relative 2e-5
// Associative.  The weights add up to 1: at most 27 roundings of 2^-24 of
// the largest value a step on the compiled side, 7 steps 1.2e-5.
#include "reference.h"
#include "box25.h"

void
box25_reference(const box25_args *a)
{
	static const double thousandths[5][5] = {
		{ 11, 23, 31, 19, 13 },
		{ 29, 47, 59, 53, 21 },
		{ 37, 61, 97, 67, 41 },
		{ 27, 49, 63, 51, 33 },
		{ 18, 34, 45, 36, 35 },
	};
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, bytes);

		EACH(y, 2, ny - 2) EACH(x, 2, nx - 2) {
			double s = 0;

			WITHIN(j, -2, 2) WITHIN(i, -2, 2)
				s += thousandths[j + 2][i + 2] * u[(y + j) * nx + x + i];
			a->u[y * nx + x] = (float)(s / 1000);
		}
		free(u);
	}
}

static void
box25_fill(Check *c, box25_args *a)
{
	a->ny = check_extent(c, 0, 5);
	a->nx = check_extent(c, 1, 5);
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(box25)
