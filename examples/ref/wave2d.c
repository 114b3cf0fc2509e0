/* wave2d.c: reference of wave2d.st. */
// compare: exact
// 2a - b and the sum of the neighbours less 4a are rounded, the product is fused.
#include "reference.h"
#include "wave2d.h"

void
wave2d_reference(const wave2d_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *p = copy_of(a->p, bytes);

		EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) {
			int64_t i = y * nx + x;
			float sum = p[i - nx] + p[i + nx] + p[i - 1] + p[i + 1];

			a->p[i] = fmaf(a->c2, sum - 4 * p[i], 2 * p[i] - a->p_tm1[i]);
		}
		memcpy(a->p_tm1, p, bytes);
		free(p);
	}
}

static void
wave2d_fill(Check *c, wave2d_args *a)
{
	int64_t n;

	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	n = a->ny * a->nx;
	FIELD(c, a->p, F32, n, -1, 1);
	FIELD(c, a->p_tm1, F32, n, -1, 1);
}

CHECK_STENCIL(wave2d)
