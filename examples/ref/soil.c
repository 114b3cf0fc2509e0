/* soil.c: reference of soil.st. */
// compare: exact
// What goes out along an axis is fused, what comes in is rounded; the product with dt is fused.
#include "reference.h"
#include "soil.h"

static float
mean(float a, float b)
{
	return 2 * a * b / (a + b);
}

/* Along an axis whose next cell is STEP further. */
static float
gain(const float *u, const float *k, int64_t step)
{
	const float in = mean(k[0], k[step]) * (u[step] - u[0]);

	return fmaf(-mean(k[-step], k[0]), u[0] - u[-step], in);
}

void
soil_reference(const soil_args *a)
{
	const int64_t ny = a->ny, nx = a->nx;
	const size_t bytes = (size_t)(ny * nx) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, bytes);

		EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) {
			const int64_t at = y * nx + x;

			a->u[at] = fmaf(a->dt, gain(u + at, a->k + at, nx)
				+ gain(u + at, a->k + at, 1), u[at]);
		}
		free(u);
	}
}

static void
soil_fill(Check *c, soil_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	a->dt = 0.1f;
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->k, F32, a->ny * a->nx, 0.5, 2);
}

CHECK_STENCIL(soil)
