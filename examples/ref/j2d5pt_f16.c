/* j2d5pt_f16.c: reference of j2d5pt_f16.st. */
// compare: exact
// Products are fused in single precision, as in j2d5pt; a cell is rounded once.
#include "reference.h"
#include "j2d5pt_f16.h"

void
j2d5pt_f16_reference(const j2d5pt_f16_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(stencil_f16);

	for (int64_t t = 0; t < a->steps; t++) {
		stencil_f16 *u = copy_of(a->u, bytes);

		EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) {
			const stencil_f16 *c = u + y * nx + x;
			float s = 0.31f * load_f16(c[0]);

			s = fmaf(0.16f, load_f16(c[-nx]), s);
			s = fmaf(0.18f, load_f16(c[nx]), s);
			s = fmaf(0.17f, load_f16(c[-1]), s);
			a->u[y * nx + x] = store_f16(fmaf(0.18f, load_f16(c[1]), s));
		}
		free(u);
	}
}

static void
j2d5pt_f16_fill(Check *c, j2d5pt_f16_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F16, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(j2d5pt_f16)
