/* recursive.c: reference of recursive.st. */
// compare: exact
// k*a is rounded, (1-k)*previous is fused with it.
#include "reference.h"
#include "recursive.h"

/* Filters N cells, STRIDE apart, in the direction of STRIDE, in place. */
static void
filter(float *v, int64_t n, int64_t stride, float k)
{
	for (int64_t i = 1; i < n; i++)
		v[i * stride] = fmaf(1 - k, v[(i - 1) * stride], k * v[i * stride]);
}

void
recursive_reference(const recursive_args *a)
{
	int64_t ny = a->ny, nx = a->nx;

	memcpy(a->smooth, a->img, (size_t)(ny * nx) * sizeof(float));
	for (int64_t y = 0; y < ny; y++) {
		filter(a->smooth + y * nx, nx, 1, a->k);
		filter(a->smooth + y * nx + nx - 1, nx, -1, a->k);
	}
	for (int64_t x = 0; x < nx; x++) {
		filter(a->smooth + x, ny, nx, a->k);
		filter(a->smooth + (ny - 1) * nx + x, ny, -nx, a->k);
	}
}

static void
recursive_fill(Check *c, recursive_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->img, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->smooth, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(recursive)
