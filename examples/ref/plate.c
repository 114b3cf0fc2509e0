/* plate.c: reference of plate.st. */
// compare: exact
// Doubling and quadrupling are exact; the last two products are fused.
#include "reference.h"
#include "plate.h"

/* The Laplacian of U at every cell that has four neighbours. */
static float *
laplacian(const float *u, int64_t ny, int64_t nx)
{
	float *l = zeros((size_t)(ny * nx) * sizeof(float));

	EACH(y, 1, ny - 1) EACH(i, y * nx + 1, y * nx + nx - 1)
		l[i] = u[i - nx] + u[i + nx] + u[i - 1] + u[i + 1] - 4 * u[i];
	return l;
}

void
plate_reference(const plate_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, bytes), *old = copy_of(a->u_tm1, bytes);
		float *once = laplacian(u, ny, nx), *bend = laplacian(once, ny, nx);

		EACH(y, 3, ny - 3) EACH(x, 2, nx - 2) {
			int64_t i = y * nx + x;
			float s = fmaf(-a->stiffness, bend[i], 2 * u[i] - old[i]);

			a->u[i] = fmaf(-a->loss, bend[i + nx] - bend[i - nx], s);
		}
		memcpy(a->u_tm1, u, bytes);
		free(u);
		free(old);
		free(once);
		free(bend);
	}
}

static void
plate_fill(Check *c, plate_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->u_tm1, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(plate)
