/* upsample.c: reference of upsample.st. */
// compare: exact
// Integers.
#include "reference.h"
#include "upsample.h"

void
upsample_reference(const upsample_args *a)
{
	int64_t ny = a->small_ny, nx = a->small_nx;

	EACH(y, 0, ny) EACH(x, 0, nx) {
		const uint8_t *row = a->img + y * nx;
		int here = row[x], west = row[clamp_at(x - 1, nx)], east = row[clamp_at(x + 1, nx)];

		for (int j = 0; j < 3; j++) {
			uint8_t *big = a->big + (3 * y + j) * 3 * nx + 3 * x;

			big[0] = (uint8_t)((2 * here + west + 1) / 3);
			big[1] = (uint8_t)here;
			big[2] = (uint8_t)((2 * here + east + 1) / 3);
		}
	}
}

static void
upsample_fill(Check *c, upsample_args *a)
{
	a->small_ny = check_extent(c, 0, 1);
	a->small_nx = check_extent(c, 1, 1);
	FIELD(c, a->img, U8, a->small_ny * a->small_nx, 0, 255);
	FIELD(c, a->big, U8, 9 * a->small_ny * a->small_nx, 0, 255);
}

CHECK_STENCIL(upsample)
