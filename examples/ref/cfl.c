/* cfl.c: reference of cfl.st. */
// compare: exact
// Both products are fused with what they are added to; 2u is exact.
#include "reference.h"
#include "cfl.h"

void
cfl_reference(const cfl_args *a)
{
	int64_t nx = a->nx;
	float c = a->speed * a->dt / a->h;

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, (size_t)nx * sizeof(float));

		for (int64_t x = 0; x < nx; x++) {
			float west = u[wrap_at(x - 1, nx)], east = u[wrap_at(x + 1, nx)];
			float s = fmaf(-(0.5f * c), east - west, u[x]);

			a->u[x] = fmaf(0.5f * c * c, east - 2 * u[x] + west, s);
		}
		free(u);
	}
}

/* Cases with fewer than four cells, or with a time step that is too long, are
 * to be refused. */
static void
cfl_fill(Check *c, cfl_args *a)
{
	a->nx = check_extent(c, 0, 1);
	a->steps = check_steps(c);
	a->speed = -1;
	a->h = 0.5f;
	a->dt = (float)check_random(c, 0, 0.8);
	FIELD(c, a->u, F32, a->nx, -1, 1);
	if (a->nx < 4 || a->dt > 0.5f)
		check_expect(c, STENCIL_REQUIRE_FAILED);
}

CHECK_STENCIL(cfl)
