/* source.c: reference of source.st. */
// compare: exact
// Doubling and quadrupling are exact; c2*lap is fused.
#include "reference.h"
#include "source.h"

void
source_reference(const source_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *p = copy_of(a->p, bytes), *old = copy_of(a->p_tm1, bytes);

		EACH(y, 0, ny) EACH(x, 0, nx) {
			float c = p[y * nx + x], push = 0;
			float lap = p[mirror_at(y - 1, ny) * nx + x]
				+ p[mirror_at(y + 1, ny) * nx + x]
				+ p[y * nx + mirror_at(x - 1, nx)]
				+ p[y * nx + mirror_at(x + 1, nx)]
				- 4 * c;

			if (y == ny / 2 && x == nx / 2)
				push = (float)((a->t0 + t) % a->period) / (float)a->period;
			a->p[y * nx + x] = fmaf(a->c2, lap, 2 * c - old[y * nx + x]) + push;
		}
		memcpy(a->p_tm1, p, bytes);
		free(p);
		free(old);
	}
}

static void
source_fill(Check *c, source_args *a)
{
	a->ny = check_extent(c, 0, 2);
	a->nx = check_extent(c, 1, 2);
	a->steps = check_steps(c);
	a->t0 = 2;
	FIELD(c, a->p, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->p_tm1, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(source)
