/* eos.c: reference of eos.st. */
// compare: exact
// The user's function is compiled without contraction; each update is fused.
#include "reference.h"
#include "eos.h"

static float
pressure(const eos_args *a, int64_t y, int64_t x)
{
	int64_t i = clamp_at(y, a->ny) * a->nx + clamp_at(x, a->nx);
	float rho = a->density[i], stiff = 0.1f * rho, p = 0.4f * rho * a->energy[i];

	return p + stiff * stiff;
}

void
eos_reference(const eos_args *a)
{
	float half = 0.5f * a->dt;

	EACH(t, 0, a->steps) EACH(y, 0, a->ny) EACH(x, 0, a->nx) {
		int64_t i = y * a->nx + x;

		a->vy[i] = fmaf(-half, pressure(a, y + 1, x) - pressure(a, y - 1, x), a->vy[i]);
		a->vx[i] = fmaf(-half, pressure(a, y, x + 1) - pressure(a, y, x - 1), a->vx[i]);
	}
}

static void
eos_fill(Check *c, eos_args *a)
{
	int64_t n;

	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	n = a->ny * a->nx;
	FIELD(c, a->density, F32, n, 0.5, 2);
	FIELD(c, a->energy, F32, n, 0.5, 2);
	FIELD(c, a->vy, F32, n, -1, 1);
	FIELD(c, a->vx, F32, n, -1, 1);
}

CHECK_STENCIL(eos)
