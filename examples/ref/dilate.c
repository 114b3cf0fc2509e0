/* dilate.c: reference of dilate.st. */
// compare: exact
// Integers.
#include "reference.h"
#include "dilate.h"

static int
at(const dilate_args *a, int64_t y, int64_t x)
{
	return a->img[clamp_at(y, a->ny) * a->nx + clamp_at(x, a->nx)];
}

void
dilate_reference(const dilate_args *a)
{
	EACH(y, 0, a->ny) EACH(x, 0, a->nx) {
		int most = 0;

		WITHIN(j, -2, 2) WITHIN(i, -2, 2)
			if (at(a, y + j, x + i) > most)
				most = at(a, y + j, x + i);
		a->res[y * a->nx + x] = (uint8_t)most;
	}
}

static void
dilate_fill(Check *c, dilate_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->img, U8, a->ny * a->nx, 0, 255);
	FIELD(c, a->res, U8, a->ny * a->nx, 0, 255);
}

CHECK_STENCIL(dilate)
