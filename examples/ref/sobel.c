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
	for (int64_t y = 0; y < a->ny; y++)
		for (int64_t x = 0; x < a->nx; x++) {
			int gx = 0, gy = 0;

			for (int k = -1; k <= 1; k++) {
				gx += (2 - abs(k)) * (at(a, y + k, x + 1) - at(a, y + k, x - 1));
				gy += (2 - abs(k)) * (at(a, y + 1, x + k) - at(a, y - 1, x + k));
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
