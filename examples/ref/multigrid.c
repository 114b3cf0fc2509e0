/* multigrid.c: reference of multigrid.st. */
// compare: exact
// All weights are powers of two: only the additions round, in window order.
#include "reference.h"
#include "multigrid.h"

void
restrict_residual_reference(const restrict_residual_args *a)
{
	static const float w[3] = { 0.25f, 0.5f, 0.25f };
	int64_t nz = a->fine_nz, ny = a->fine_ny, nx = a->fine_nx;
	int64_t cz = (nz + 1) / 2, cy = (ny + 1) / 2, cx = (nx + 1) / 2;

	EACH(z, 0, cz) EACH(y, 0, cy) EACH(x, 0, cx) {
		float s = 0;

		WITHIN(k, 2 * z - 1, 2 * z + 1)
		WITHIN(j, 2 * y - 1, 2 * y + 1)
		WITHIN(i, 2 * x - 1, 2 * x + 1)
			if (inside(k, nz) && inside(j, ny) && inside(i, nx))
				s += w[k - 2 * z + 1] * w[j - 2 * y + 1] * w[i - 2 * x + 1]
					* a->r[(k * ny + j) * nx + i];
		a->rc[(z * cy + y) * cx + x] = s;
	}
}

static void
restrict_residual_fill(Check *c, restrict_residual_args *a)
{
	a->fine_nz = check_extent(c, 0, 1);
	a->fine_ny = check_extent(c, 1, 1);
	a->fine_nx = check_extent(c, 2, 1);
	FIELD(c, a->r, F32, a->fine_nz * a->fine_ny * a->fine_nx, -1, 1);
	FIELD(c, a->rc, F32,
		((a->fine_nz + 1) / 2) * ((a->fine_ny + 1) / 2) * ((a->fine_nx + 1) / 2), -1, 1);
}

CHECK_STENCIL(restrict_residual)
