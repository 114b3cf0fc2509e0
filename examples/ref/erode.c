/* erode.c: reference of erode.st. */
// compare: exact
// Integers.
#include "reference.h"
#include "erode.h"

static int
at(const erode_args *a, int64_t y, int64_t x)
{
	return a->img[clamp_at(y, a->ny) * a->nx + clamp_at(x, a->nx)];
}

void
erode_reference(const erode_args *a)
{
	EACH(y, 0, a->ny) EACH(x, 0, a->nx) {
		int least = 255;

		WITHIN(j, -1, 1) WITHIN(i, -1, 1)
			if (at(a, y + j, x + i) < least)
				least = at(a, y + j, x + i);
		a->res[y * a->nx + x] = (uint8_t)least;
	}
}

static void
erode_fill(Check *c, erode_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->img, U8, a->ny * a->nx, 0, 255);
	FIELD(c, a->res, U8, a->ny * a->nx, 0, 255);
}

CHECK_STENCIL(erode)
