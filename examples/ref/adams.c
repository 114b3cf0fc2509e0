/* adams.c: reference of adams.st. */
// compare: exact
// 23a - 16b + 5c is one rounded product and two fused ones; 4u is exact.
#include "reference.h"
#include "adams.h"

static float
laplacian(const float *u, int64_t nx)
{
	return u[-nx] + u[nx] + u[-1] + u[1] - 4 * u[0];
}

void
adams_reference(const adams_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u0 = copy_of(a->u, bytes), *u1 = copy_of(a->u_tm1, bytes);
		float *u2 = copy_of(a->u_tm2, bytes);

		EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) {
			int64_t i = y * nx + x;
			float s = 23 * laplacian(u0 + i, nx);

			s = fmaf(-16, laplacian(u1 + i, nx), s);
			s = fmaf(5, laplacian(u2 + i, nx), s);
			a->u[i] = u0[i] + a->k * s / 12;
		}
		memcpy(a->u_tm1, u0, bytes);
		memcpy(a->u_tm2, u1, bytes);
		free(u0);
		free(u1);
		free(u2);
	}
}

static void
adams_fill(Check *c, adams_args *a)
{
	int64_t n;

	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	n = a->ny * a->nx;
	FIELD(c, a->u, F32, n, -1, 1);
	FIELD(c, a->u_tm1, F32, n, -1, 1);
	FIELD(c, a->u_tm2, F32, n, -1, 1);
}

CHECK_STENCIL(adams)
