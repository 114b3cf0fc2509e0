/* parts.c: reference of parts.st. */
// compare: exact
// Differences.
#include "reference.h"
#include "parts.h"

/* Component C of g at a cell, clamped to the grid; NaN: missing. */
static float
g(const parts_args *a, int c, int64_t y, int64_t x)
{
	int64_t ny = a->ny, nx = a->nx, i;

	y = clamp_at(y, ny);
	x = clamp_at(x, nx);
	i = y * nx + x;
	if (c == 0 ? x == nx - 1 : y == ny - 1)
		return NAN;
	return a->u[c == 0 ? i + 1 : i + nx] - a->u[i];
}

static void
store(float *to, float value)
{
	if (!isnan(value))
		*to = value;
}

void
parts_reference(const parts_args *a)
{
	int64_t n = a->ny * a->nx;

	EACH(y, 0, a->ny) EACH(x, 0, a->nx) {
		int64_t i = y * a->nx + x;

		store(&a->d[i], g(a, 0, y + 1, x) - g(a, 0, y, x - 1));
		store(&a->d[n + i], g(a, 1, y + 1, x) - g(a, 1, y, x - 1));
		store(&a->both[i], g(a, 0, y, x + 1) + g(a, 1, y - 1, x));
	}
}

static void
parts_fill(Check *c, parts_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->d, F32, 2 * a->ny * a->nx, -1, 1);
	FIELD(c, a->both, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(parts)
