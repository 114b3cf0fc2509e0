/* staggered.c: reference of staggered.st. */
// compare: exact
// Of a difference's two products the left one is rounded, the right one fused;
// every update is one fused operation.
#include "reference.h"
#include "staggered.h"

/* The derivative of U along AXIS (0: z) half a cell ahead of cell (Z, Y, X)
 * moved by BACK cells along it. */
static float
ahead(const float *u, const staggered_args *a, int axis, int64_t z, int64_t y, int64_t x, int back)
{
	int64_t n[3] = { a->nz, a->ny, a->nx }, at[3] = { z, y, x };
	float tap[4];

	for (int k = -1; k <= 2; k++) {
		int64_t p[3] = { z, y, x };

		p[axis] = ((at[axis] + k + back) % n[axis] + n[axis]) % n[axis];
		tap[k + 1] = u[(p[0] * n[1] + p[1]) * n[2] + p[2]];
	}
	return fmaf((float)(-1.0 / 24), tap[3] - tap[0], (float)(9.0 / 8) * (tap[2] - tap[1]));
}

void
staggered_reference(const staggered_args *a)
{
	int64_t nz = a->nz, ny = a->ny, nx = a->nx;
	float *v[3] = { a->vz, a->vy, a->vx };

	for (int64_t t = 0; t < a->steps; t++) {
		EACH(z, 0, nz) EACH(y, 0, ny) EACH(x, 0, nx) {
			int64_t i = (z * ny + y) * nx + x;

			for (int d = 0; d < 3; d++)
				v[d][i] = fmaf(-(a->dt / a->rho[i]),
					ahead(a->p, a, d, z, y, x, 0), v[d][i]);
		}
		EACH(z, 0, nz) EACH(y, 0, ny) EACH(x, 0, nx) {
			int64_t i = (z * ny + y) * nx + x;
			float s = ahead(a->vz, a, 0, z, y, x, -1)
				+ ahead(a->vy, a, 1, z, y, x, -1)
				+ ahead(a->vx, a, 2, z, y, x, -1);

			a->p[i] = fmaf(-(a->dt * a->kappa[i]), s, a->p[i]);
		}
	}
}

static void
staggered_fill(Check *c, staggered_args *a)
{
	int64_t n;

	a->nz = check_extent(c, 0, 2);
	a->ny = check_extent(c, 1, 2);
	a->nx = check_extent(c, 2, 2);
	a->steps = check_steps(c);
	n = a->nz * a->ny * a->nx;
	FIELD(c, a->p, F32, n, -1, 1);
	FIELD(c, a->vz, F32, n, -1, 1);
	FIELD(c, a->vy, F32, n, -1, 1);
	FIELD(c, a->vx, F32, n, -1, 1);
	FIELD(c, a->rho, F32, n, 0.8, 1.2);
	FIELD(c, a->kappa, F32, n, 0.8, 1.2);
}

CHECK_STENCIL(staggered)
