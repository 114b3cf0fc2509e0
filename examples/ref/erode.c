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
	for (int64_t y = 0; y < a->ny; y++)
		for (int64_t x = 0; x < a->nx; x++) {
			int least = 255;

			for (int j = -1; j <= 1; j++)
				for (int i = -1; i <= 1; i++)
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
