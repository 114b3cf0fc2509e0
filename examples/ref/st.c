/* st.c: reference of st.st. */
// compare: exact
// Products of differences.
#include "reference.h"
#include "st.h"

void
st_reference(const st_args *a)
{
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx;
	const int64_t far[3] = { plane, nx, 1 };

	EACH(z, 0, nz) EACH(y, 0, ny) EACH(x, 0, nx) {
		int64_t at = z * plane + y * nx + x;
		int inner[3] = { z > 0 && z < nz - 1, y > 0 && y < ny - 1, x > 0 && x < nx - 1 };
		float g[3] = { 0 };
		int q = 0;

		for (int k = 0; k < 3; k++)
			if (inner[k])
				g[k] = 0.5f * (a->img[at + far[k]] - a->img[at - far[k]]);
		for (int i = 0; i < 3; i++)
			for (int j = i; j < 3; j++, q++)
				if (inner[i] && inner[j])
					a->s[q * nz * plane + at] = g[i] * g[j];
	}
}

static void
st_fill(Check *c, st_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	FIELD(c, a->img, F32, a->nz * a->ny * a->nx, -1, 1);
	FIELD(c, a->s, F32, 6 * a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(st)
