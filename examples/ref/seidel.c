/* seidel.c: reference of seidel.st. */
// compare: exact
// Products by 0.25 and 0.5 are exact.
#include "reference.h"
#include "seidel.h"

void
seidel_reference(const seidel_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	float *u = a->u, *v = a->v;

	for (int64_t t = 0; t < a->steps; t++) {
		float *old = copy_of(u, (size_t)(ny * nx) * sizeof(float));

		EACH(y, 1, ny - 1) EACH(i, y * nx + 1, y * nx + nx - 1)
			u[i] = 0.25f * (u[i - 1] + old[i + 1] + old[i - nx] + old[i + nx]);
		for (int64_t y = ny - 1; y >= 0; y--)
			for (int64_t x = 0; x < nx; x++)
				v[y * nx + x] = 0.5f * (y < ny - 1 ? v[(y + 1) * nx + x] : a->above)
					+ 0.5f * u[y * nx + x];
		free(old);
	}
}

static void
seidel_fill(Check *c, seidel_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->v, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(seidel)
