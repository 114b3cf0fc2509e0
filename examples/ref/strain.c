/* strain.c: reference of strain.st. */
// compare: exact
// Nothing here can be fused.
#include "reference.h"
#include "strain.h"

void
strain_reference(const strain_args *a)
{
	int64_t ny = a->ny, nx = a->nx, n = ny * nx;

	EACH(y, 0, ny) EACH(x, 0, nx) {
		float g[2][2];

		for (int i = 0; i < 2; i++) {
			const float *v = a->v + i * n;

			g[i][0] = (v[clamp_at(y + 1, ny) * nx + x]
				- v[clamp_at(y - 1, ny) * nx + x]) / (2 * a->h);
			g[i][1] = (v[y * nx + clamp_at(x + 1, nx)]
				- v[y * nx + clamp_at(x - 1, nx)]) / (2 * a->h);
		}
		EACH(i, 0, 2) EACH(j, 0, 2)
			a->e[(2 * i + j) * n + y * nx + x] = 0.5f * (g[i][j] + g[j][i]);
	}
}

static void
strain_fill(Check *c, strain_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->h = 0.3f;
	FIELD(c, a->v, F32, 2 * a->ny * a->nx, -1, 1);
	FIELD(c, a->e, F32, 4 * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(strain)
