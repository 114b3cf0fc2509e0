/* prolong.c: reference of prolong.st. */
// compare: exact
// Eight values are added, in pairs of pairs; the rest is exact but for the last sum.
#include "reference.h"
#include "prolong.h"

/* The sum of the 2^DIMS coarse cells around fine cell AT, along the last DIMS
 * axes; N: extents of the coarse grid, CELL: the place along the axes before. */
static float
around(const prolong_args *a, const int64_t *n, const int64_t *at, int64_t *cell, int dims)
{
	int axis = 3 - dims;
	float low, high;

	if (dims == 0)
		return a->c[(cell[0] * n[1] + cell[1]) * n[2] + cell[2]];
	cell[axis] = at[axis] / 2;
	low = around(a, n, at, cell, dims - 1);
	cell[axis] = clamp_at((at[axis] + 1) / 2, n[axis]);
	high = around(a, n, at, cell, dims - 1);
	return low + high;
}

void
prolong_reference(const prolong_args *a)
{
	int64_t nz = a->fine_nz, ny = a->fine_ny, nx = a->fine_nx;
	int64_t n[3] = { (nz + 1) / 2, (ny + 1) / 2, (nx + 1) / 2 };

	EACH(t, 0, a->steps) EACH(z, 0, nz) EACH(y, 0, ny) EACH(x, 0, nx) {
		int64_t at[3] = { z, y, x }, cell[3];

		a->u[(z * ny + y) * nx + x] += 0.125f * around(a, n, at, cell, 3);
	}
}

static void
prolong_fill(Check *c, prolong_args *a)
{
	int64_t nz = a->fine_nz = check_extent(c, 0, 1);
	int64_t ny = a->fine_ny = check_extent(c, 1, 1);
	int64_t nx = a->fine_nx = check_extent(c, 2, 1);

	a->steps = check_steps(c);
	FIELD(c, a->u, F32, nz * ny * nx, -1, 1);
	FIELD(c, a->c, F32, (nz + 1) / 2 * ((ny + 1) / 2) * ((nx + 1) / 2), -1, 1);
}

CHECK_STENCIL(prolong)
