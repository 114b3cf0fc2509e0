/* minmod.c: reference of minmod.st. */
// compare: exact
// The products that correct u are fused with it.
#include "reference.h"
#include "minmod.h"

static float
flux(const float *u, int64_t x, int64_t n, float c)
{
	float l = u[x] - u[wrap_at(x - 1, n)], r = u[wrap_at(x + 1, n)] - u[x];
	float slope = l * r <= 0 ? 0 : fabsf(l) < fabsf(r) ? l : r;

	return fmaf(0.5f * (1 - c), slope, u[x]);
}

void
minmod_advection_reference(const minmod_advection_args *a)
{
	int64_t n = a->nx;

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, (size_t)n * sizeof(float));

		for (int64_t x = 0; x < n; x++)
			a->u[x] = fmaf(-a->c, flux(u, x, n, a->c)
				- flux(u, wrap_at(x - 1, n), n, a->c), u[x]);
		free(u);
	}
}

static void
minmod_advection_fill(Check *c, minmod_advection_args *a)
{
	a->nx = check_extent(c, 0, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, a->nx, -1, 1);
}

CHECK_STENCIL(minmod_advection)
