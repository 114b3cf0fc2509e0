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
	EACH(y, 0, a->ny) EACH(x, 0, a->nx) {
		static const int weight[4] = { 0, 3, 2, 1 };
		int sum = 0;

		WITHIN(j, -1, 1) WITHIN(i, 1, 3)
			sum += (j == 0 ? 2 : 1) * weight[i]
				* (at(a, y + j, x + i) - at(a, y + j, x - i));
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
