/* integral.c: reference of integral.st. */
// compare: exact
// Integers.
#include "reference.h"
#include "integral.h"

void
integral_reference(const integral_args *a)
{
	int64_t ny = a->ny, nx = a->nx;

	for (int64_t y = 0; y < ny; y++)
		for (int64_t x = 0; x < nx; x++) {
			int64_t s = 0;

			for (int64_t j = 0; j <= y; j++)
				for (int64_t i = 0; i <= x; i++)
					s += a->img[j * nx + i];
			a->s[y * nx + x] = s;
		}
}

static void
integral_fill(Check *c, integral_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->img, U16, a->ny * a->nx, 0, 65535);
	FIELD(c, a->s, I64, a->ny * a->nx, -9, 9);
}

CHECK_STENCIL(integral)
