/* running.c: reference of running.st. */
// compare: exact
// Integers.
#include "reference.h"
#include "running.h"

/* The sum of the five cells around A, STRIDE apart. */
static int32_t
five(const int32_t *a, int64_t stride)
{
	return a[-2 * stride] + a[-stride] + a[0] + a[stride] + a[2 * stride];
}

void
running_reference(const running_args *a)
{
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx;

	EACH(z, 0, nz) EACH(y, 0, ny) EACH(x, 2, nx - 2) {
		int64_t i = z * plane + y * nx + x;

		a->along_x[i] = five(a->a + i, 1);
	}
	EACH(z, 2, nz - 2) EACH(i, z * plane, (z + 1) * plane)
		a->along_z[i] = five(a->a + i, plane);

	/* along_x lies in columns 2 to nx - 3: back begins at the last of them, and
	 * at column 2 it would need column 1. */
	EACH(row, 0, nz * ny) {
		int64_t from = row * nx;
		int32_t sum = 0;

		for (int64_t x = nx - 3; x >= 3 || (x == 2 && x == nx - 3); x--) {
			sum = x == nx - 3 ? a->along_x[from + x] : sum + a->along_x[from + x - 1];
			a->back[from + x] = sum;
		}
	}
}

static void
running_fill(Check *c, running_args *a)
{
	int64_t n;

	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	n = a->nz * a->ny * a->nx;
	FIELD(c, a->a, I32, n, -1000, 1000);
	FIELD(c, a->along_x, I32, n, -9, 9);
	FIELD(c, a->along_z, I32, n, -9, 9);
	FIELD(c, a->back, I32, n, -9, 9);
}

CHECK_STENCIL(running)
