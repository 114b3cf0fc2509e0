/* blur.c: reference of blur.st. */
// compare: exact
// Integers.
#include "reference.h"
#include "blur.h"

static int
at(const blur_args *a, int64_t y, int64_t x)
{
	return a->img[clamp_at(y, a->ny) * a->nx + clamp_at(x, a->nx)];
}

void
blur_reference(const blur_args *a)
{
	EACH(y, 0, a->ny) EACH(x, 0, a->nx) {
		int sum = 0;

		WITHIN(j, -1, 1) WITHIN(i, -1, 1)
			sum += at(a, y + j, x + i);
		a->res[y * a->nx + x] = (uint8_t)(sum / 9);
	}
}

static void
blur_fill(Check *c, blur_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->img, U8, a->ny * a->nx, 0, 255);
	FIELD(c, a->res, U8, a->ny * a->nx, 0, 255);
}

CHECK_STENCIL(blur)
