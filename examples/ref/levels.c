/* levels.c: reference of levels.st. */
// compare: exact
// A product by 0.5 is exact.
#include "reference.h"
#include "levels.h"

/* What slope is at column X of a row; NaN: missing, since no input is NaN. */
static float
slope(const float *u, int64_t x, int64_t nx)
{
	return x > 0 && x < nx - 1 ? u[x + 1] - u[x - 1] : NAN;
}

void
levels_reference(const levels_args *a)
{
	int64_t ny = a->full_ny, nx = a->full_nx;

	EACH(y, 0, ny) EACH(x, 0, nx) {
		const float *over = a->u + y / 2 * 2 * nx;
		float coarse = 0.5f * (slope(over, x / 2 * 2, nx) + slope(over, x / 2 * 2 + 1, nx));
		float detail = slope(a->u + y * nx, x, nx) - coarse;

		if (!isnan(detail))
			a->detail[y * nx + x] = detail;
	}
}

static void
levels_fill(Check *c, levels_args *a)
{
	a->full_ny = check_extent(c, 0, 1);
	a->full_nx = check_extent(c, 1, 1);
	FIELD(c, a->u, F32, a->full_ny * a->full_nx, -1, 1);
	FIELD(c, a->detail, F32, a->full_ny * a->full_nx, -1, 1);
}

CHECK_STENCIL(levels)
