/* j3d7pt.c: reference of j3d7pt.st. */
// compare: exact
// Products are fused with the sum that they are added to, left to right.
#include "reference.h"
#include "j3d7pt.h"

void
j3d7pt_reference(const j3d7pt_args *a)
{
	static const float w[7] = { .40f, .09f, .11f, .095f, .105f, .098f, .102f };
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx;
	const int64_t tap[7] = { 0, -plane, plane, -nx, nx, -1, 1 };
	size_t bytes = (size_t)(nz * plane) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, bytes);

		EACH(z, 1, nz - 1) EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) {
			int64_t at = z * plane + y * nx + x;
			float s = w[0] * u[at];

			for (int k = 1; k < 7; k++)
				s = fmaf(w[k], u[at + tap[k]], s);
			a->u[at] = s;
		}
		free(u);
	}
}

static void
j3d7pt_fill(Check *c, j3d7pt_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(j3d7pt)
