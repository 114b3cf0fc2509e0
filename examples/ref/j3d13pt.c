/* j3d13pt.c: reference of j3d13pt.st. */
// compare: exact
// A pair is one rounded product and one fused; the centre is fused with the
// first pair; the other pairs are added one by one.
#include "reference.h"
#include "j3d13pt.h"

void
j3d13pt_reference(const j3d13pt_args *a)
{
	static const float lo[6] = { .08f, .10f, .09f, .04f, .05f, .03f };
	static const float hi[6] = { .09f, .07f, .11f, .03f, .04f, .05f };
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx;
	const int64_t far[6] = { plane, nx, 1, 2 * plane, 2 * nx, 2 };
	size_t bytes = (size_t)(nz * plane) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, bytes);

		EACH(z, 2, nz - 2) EACH(y, 2, ny - 2) EACH(x, 2, nx - 2) {
			const float *c = u + z * plane + y * nx + x;
			float pair[6], s;

			for (int k = 0; k < 6; k++)
				pair[k] = fmaf(hi[k], c[far[k]], lo[k] * c[-far[k]]);
			s = fmaf(0.22f, c[0], pair[0]);
			for (int k = 1; k < 6; k++)
				s += pair[k];
			a->u[z * plane + y * nx + x] = s;
		}
		free(u);
	}
}

static void
j3d13pt_fill(Check *c, j3d13pt_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(j3d13pt)
