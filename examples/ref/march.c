/* march.c: reference of march.st. */
// compare: exact
// A product by 0.5 is exact.
#include "reference.h"
#include "march.h"

void
march_reference(const march_args *a)
{
	int64_t ny = a->ny, nx = a->nx;

	for (int64_t y = 0; y < ny; y++) {
		const float *s = a->slope + y * nx;
		float *h = a->height + y * nx;

		for (int64_t x = 1; x < nx - 1; x++)
			h[x] = x == 1 ? s[2] - s[0] : h[x - 1] + 0.5f * (s[x] + s[x + 1]);
	}
	for (int64_t x = 1; x < nx - 1; x++)
		for (int64_t y = ny - 1; y >= 0 && ny > 1; y--) {
			const float *h = a->height + x;

			a->depth[y * nx + x] = y == ny - 1 ? h[(y - 1) * nx]
				: fminf(a->depth[(y + 1) * nx + x], h[y * nx]);
		}
}

static void
march_fill(Check *c, march_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->slope, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->height, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->depth, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(march)
