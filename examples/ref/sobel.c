/* sobel.c: reference of sobel.st. */
// compare: exact
// Integers below 2^24 and a rounded root.
#include "reference.h"
#include "sobel.h"

static int
at(const sobel_args *a, int64_t y, int64_t x)
{
	return a->img[clamp_at(y, a->ny) * a->nx + clamp_at(x, a->nx)];
}

void
sobel_reference(const sobel_args *a)
{
	EACH(y, 0, a->ny) EACH(x, 0, a->nx) {
		int gx = 0, gy = 0;

		for (int k = -1; k <= 1; k++) {
			gx += (k == 0 ? 2 : 1) * (at(a, y + k, x + 1) - at(a, y + k, x - 1));
			gy += (k == 0 ? 2 : 1) * (at(a, y + 1, x + k) - at(a, y - 1, x + k));
		}
		a->res[y * a->nx + x] = to_u8(sqrtf((float)(gx * gx + gy * gy)));
	}
}

static void
sobel_fill(Check *c, sobel_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->img, U8, a->ny * a->nx, 0, 255);
	FIELD(c, a->res, U8, a->ny * a->nx, 0, 255);
}

CHECK_STENCIL(sobel)
