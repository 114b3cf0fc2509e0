/* heat2d.c: reference of heat2d.st. */
// compare: exact
// 16*(...) and 2u are exact; 30u and the last product are fused.
#include "reference.h"
#include "heat2d.h"

void
heat2d_reference(const heat2d_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, bytes);

		EACH(y, 1, ny - 1) EACH(x, 2, nx - 2) {
			const float *c = u + y * nx + x;
			float s = 16 * (c[-1] + c[1]) - (c[-2] + c[2]);
			float d2x = fmaf(-30, c[0], s) / 12, d2y = c[-nx] + c[nx] - 2 * c[0];

			a->u[y * nx + x] = fmaf(a->k, d2x + d2y, c[0]);
		}
		free(u);
	}
}

/* The number of steps is the program's own; were it not 3, the case would fail. */
static void
heat2d_fill(Check *c, heat2d_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	if (a->steps != 3)
		check_expect(c, STENCIL_BAD_ARGUMENT);
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(heat2d)
