/* j2d5pt.c: reference of j2d5pt.st. */
// compare: exact
// Products are fused with the sum that they are added to, left to right.
#include "reference.h"
#include "j2d5pt.h"

void
j2d5pt_reference(const j2d5pt_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, bytes);

		EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) {
			const float *c = u + y * nx + x;
			float s = 0.31f * c[0];

			s = fmaf(0.16f, c[-nx], s);
			s = fmaf(0.18f, c[nx], s);
			s = fmaf(0.17f, c[-1], s);
			a->u[y * nx + x] = fmaf(0.18f, c[1], s);
		}
		free(u);
	}
}

static void
j2d5pt_fill(Check *c, j2d5pt_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(j2d5pt)
