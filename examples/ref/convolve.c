/* convolve.c: reference of convolve.st. */
// compare: exact
// In a window the first product is rounded and the others are fused.
#include "reference.h"
#include "convolve.h"

void
convolve_reference(const convolve_args *a)
{
	int64_t ny = a->ny, nx = a->nx;

	EACH(y, 0, ny) EACH(x, 0, nx) {
		float s = 0;

		EACH(j, 0, 5) EACH(i, 0, 3) {
			int64_t v = y - (j - 2), u = x - (i - 1);
			float tap = inside(v, ny) && inside(u, nx) ? a->a[v * nx + u] : 0;

			s = j == 0 && i == 0 ? a->k[j][i] * tap : fmaf(a->k[j][i], tap, s);
		}
		a->b[y * nx + x] = a->bias + s;
	}
}

static void
convolve_fill(Check *c, convolve_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->bias = 0.125f;
	for (int i = 0; i < 15; i++)
		a->k[i / 3][i % 3] = (float)check_random(c, -1, 1);
	FIELD(c, a->a, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->b, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(convolve)
