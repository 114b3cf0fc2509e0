/* gradientx.c: reference of gradientx.st. */
// compare: exact
// Integers; the division truncates.
#include "reference.h"
#include "gradientx.h"

static int
at(const gradientx_args *a, int64_t y, int64_t x)
{
	return a->img[clamp_at(y, a->ny) * a->nx + clamp_at(x, a->nx)];
}

void
gradientx_reference(const gradientx_args *a)
{
	for (int64_t y = 0; y < a->ny; y++)
		for (int64_t x = 0; x < a->nx; x++) {
			static const int weight[4] = { 0, 3, 2, 1 };
			int sum = 0;

			for (int j = -1; j <= 1; j++)
				for (int i = 1; i <= 3; i++)
					sum += (2 - abs(j)) * weight[i] * (at(a, y + j, x + i) - at(a, y + j, x - i));
			a->res[y * a->nx + x] = to_u8(128 + sum / 32);
		}
}

static void
gradientx_fill(Check *c, gradientx_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->img, U8, a->ny * a->nx, 0, 255);
	FIELD(c, a->res, U8, a->ny * a->nx, 0, 255);
}

CHECK_STENCIL(gradientx)
