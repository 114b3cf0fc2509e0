/* sponge.c: reference of sponge.st. */
// compare: exact
// 2p - damp*q and + c2*lap are fused; the outer product is rounded.
#include "reference.h"
#include "sponge.h"

void
sponge_reference(const sponge_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *p = copy_of(a->p, bytes), *q = copy_of(a->p_tm1, bytes);

		EACH(y, 0, ny) EACH(x, 0, nx) {
			float c = p[y * nx + x], damp = a->sy[y] * a->sx[x];
			float lap = p[clamp_at(y - 1, ny) * nx + x]
				+ p[clamp_at(y + 1, ny) * nx + x]
				+ p[y * nx + clamp_at(x - 1, nx)]
				+ p[y * nx + clamp_at(x + 1, nx)]
				- 4 * c;

			a->p[y * nx + x] = damp
				* fmaf(a->c2, lap, fmaf(-damp, q[y * nx + x], 2 * c));
		}
		memcpy(a->p_tm1, p, bytes);
		free(p);
		free(q);
	}
}

static void
sponge_fill(Check *c, sponge_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->p, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->p_tm1, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->sy, F32, a->ny, 0.8, 1);
	FIELD(c, a->sx, F32, a->nx, 0.8, 1);
}

CHECK_STENCIL(sponge)
