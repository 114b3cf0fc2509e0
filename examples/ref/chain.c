/* chain.c: reference of chain.st. */
// compare: exact
// Differences.
#include "reference.h"
#include "chain.h"

void
chain_reference(const chain_args *a)
{
	int64_t ny = a->ny, nx = a->nx;

	EACH(y, 0, ny) EACH(x, 0, nx) {
		const float *u = a->u + y * nx + x;

		if (x < nx - 1)
			a->slope[y * nx + x] = u[1] - u[0];
		if (y > 0 && y < ny - 1 && x > 0 && x < nx - 1) {
			float below = (u[nx + 1] - u[nx]) - (u[nx] - u[nx - 1]);
			float above = (u[-nx + 1] - u[-nx]) - (u[-nx] - u[-nx - 1]);

			a->rise[y * nx + x] = below - above;
		}
	}
}

static void
chain_fill(Check *c, chain_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->rise, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->slope, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(chain)
