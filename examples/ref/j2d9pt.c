/* j2d9pt.c: reference of j2d9pt.st. */
// compare: exact
// Products are fused with the sum that they are added to, left to right.
#include "reference.h"
#include "j2d9pt.h"

void
j2d9pt_reference(const j2d9pt_args *a)
{
	static const float w[9] = { .26f, .13f, .14f, .11f, .12f, .05f, .07f, .06f, .06f };
	int64_t ny = a->ny, nx = a->nx;
	const int64_t tap[9] = { 0, -nx, nx, -1, 1, -2 * nx, 2 * nx, -2, 2 };
	size_t bytes = (size_t)(ny * nx) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, bytes);

		EACH(y, 2, ny - 2) EACH(x, 2, nx - 2) {
			const float *c = u + y * nx + x;
			float s = w[0] * c[0];

			for (int k = 1; k < 9; k++)
				s = fmaf(w[k], c[tap[k]], s);
			a->u[y * nx + x] = s;
		}
		free(u);
	}
}

static void
j2d9pt_fill(Check *c, j2d9pt_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(j2d9pt)
