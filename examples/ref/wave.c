/* wave.c: reference of wave.st. */
// compare: relative 5e-5
// Associative.  A step adds about 30 roundings of 2^-24 of at most 8 times the
// largest value; that grows as fast as the values do.
#include "reference.h"
#include "wave.h"

/* Second derivative along an axis of stride D. */
static double
second(const float *p, int64_t d)
{
	static const double w[5] = { -205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560 };
	double s = w[0] * p[0];

	for (int k = 1; k < 5; k++)
		s += w[k] * ((double)p[-k * d] + p[k * d]);
	return s;
}

void
wave_reference(const wave_args *a)
{
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx;
	size_t bytes = (size_t)(nz * plane) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *p = copy_of(a->p, bytes), *old = copy_of(a->p_tm1, bytes);

		memcpy(a->p_tm1, p, bytes);
		EACH(z, 4, nz - 4) EACH(y, 4, ny - 4) EACH(x, 4, nx - 4) {
			int64_t i = z * plane + y * nx + x;
			double laplacian = second(p + i, plane) + second(p + i, nx)
				+ second(p + i, 1);

			a->p[i] = (float)(2.0 * p[i] - old[i]
				+ (double)a->dt2h2 * a->vel[i] * a->vel[i] * laplacian);
		}
		free(p);
		free(old);
	}
}

static void
wave_fill(Check *c, wave_args *a)
{
	int64_t n;

	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	a->steps = check_steps(c);
	a->dt2h2 = 0.1f;
	n = a->nz * a->ny * a->nx;
	FIELD(c, a->p, F32, n, -1, 1);
	FIELD(c, a->p_tm1, F32, n, -1, 1);
	FIELD(c, a->vel, F32, n, 0.5, 1);
}

CHECK_STENCIL(wave)
