/* gaussian25_f64.c: reference of gaussian25_f64.st. */
// compare: relative 4e-14
// Associative.  A mean of 25 values: at most 26 roundings of 2^-53 of the
// largest value a step on each side, 7 steps 4e-14.
#include "reference.h"
#include "gaussian25_f64.h"

void
gaussian25_f64_reference(const gaussian25_f64_args *a)
{
	static const int g[5] = { 1, 4, 6, 4, 1 };
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(double);

	for (int64_t t = 0; t < a->steps; t++) {
		double *u = copy_of(a->u, bytes);

		EACH(y, 2, ny - 2) EACH(x, 2, nx - 2) {
			double s = 0;

			EACH(j, 0, 5) EACH(i, 0, 5)
				s += g[j] * g[i] * u[(y + j - 2) * nx + x + i - 2];
			a->u[y * nx + x] = s / 256;
		}
		free(u);
	}
}

static void
gaussian25_f64_fill(Check *c, gaussian25_f64_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F64, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(gaussian25_f64)
