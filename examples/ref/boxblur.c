/* boxblur.c: reference of boxblur.st. */
// compare: exact
// variant: -Dr=1
// Integers: however the sums are made, they are the same.
#include "reference.h"
#include "boxblur.h"

#ifdef WITH_r
enum { R = WITH_r };
#else
enum { R = 3 };
#endif

void
boxblur_reference(const boxblur_args *a)
{
	int64_t ny = a->ny, nx = a->nx;

	EACH(y, 0, ny) EACH(x, 0, nx) {
		int s = 0;

		WITHIN(j, -R, R) WITHIN(i, -R, R)
			s += a->img[clamp_at(y + j, ny) * nx + clamp_at(x + i, nx)];
		a->blurred[y * nx + x] = (uint8_t)(s / ((2 * R + 1) * (2 * R + 1)));
	}
}

static void
boxblur_fill(Check *c, boxblur_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->img, U8, a->ny * a->nx, 0, 255);
	FIELD(c, a->blurred, U8, a->ny * a->nx, 0, 255);
}

CHECK_STENCIL(boxblur)
