/* integral.c: reference of integral.st. */
// compare: exact
// Integers.
#include "reference.h"
#include "integral.h"

void
integral_reference(const integral_args *a)
{
	int64_t ny = a->ny, nx = a->nx;

	EACH(y, 0, ny) EACH(x, 0, nx) {
		int64_t s = 0;

		WITHIN(j, 0, y) WITHIN(i, 0, x)
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
