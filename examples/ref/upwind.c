/* upwind.c: reference of upwind.st. */
// compare: exact
// Of two products the left one is rounded, the right one fused; so is dt*(...).
#include "reference.h"
#include "upwind.h"

static float
against(float wind, float before, float here, float after)
{
	return wind > 0 ? here - before : after - here;
}

void
upwind_burgers_reference(const upwind_burgers_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *vy = copy_of(a->vy, bytes), *vx = copy_of(a->vx, bytes);
		const float *from[2] = { vy, vx };
		float *to[2] = { a->vy, a->vx };

		EACH(y, 0, ny) EACH(x, 0, nx) {
			int64_t i = y * nx + x;
			int64_t n = clamp_at(y - 1, ny) * nx + x, s = clamp_at(y + 1, ny) * nx + x;
			int64_t w = y * nx + clamp_at(x - 1, nx), e = y * nx + clamp_at(x + 1, nx);

			for (int k = 0; k < 2; k++) {
				const float *q = from[k];
				float alongy = vy[i] * against(vy[i], q[n], q[i], q[s]);
				float both = fmaf(vx[i], against(vx[i], q[w], q[i], q[e]), alongy);

				to[k][i] = fmaf(-a->dt, both, q[i]);
			}
		}
		free(vy);
		free(vx);
	}
}

static void
upwind_burgers_fill(Check *c, upwind_burgers_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->vy, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->vx, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(upwind_burgers)
