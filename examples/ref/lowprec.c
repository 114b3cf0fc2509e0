/* lowprec.c: reference of lowprec.st. */
// compare: exact
// Single precision inside, one rounding to half when it is stored.
#include "reference.h"
#include "lowprec.h"

void
lowprec_reference(const lowprec_args *a)
{
	int64_t ny = a->ny, nx = a->nx;

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = zeros((size_t)(ny * nx) * sizeof(float));

		for (int64_t i = 0; i < ny * nx; i++)
			u[i] = load_f16(a->u[i]);
		EACH(y, 0, ny) EACH(x, 0, nx) {
			float c = u[y * nx + x];
			float lap = u[reflect_at(y - 1, ny) * nx + x]
				+ u[reflect_at(y + 1, ny) * nx + x]
				+ u[y * nx + reflect_at(x - 1, nx)]
				+ u[y * nx + reflect_at(x + 1, nx)]
				- 4 * c;

			a->u[y * nx + x] = store_f16(fmaf(load_bf16(a->k[y * nx + x]), lap, c));
		}
		free(u);
	}
}

static void
lowprec_fill(Check *c, lowprec_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F16, a->ny * a->nx, -1, 1);
	FIELD(c, a->k, BF16, a->ny * a->nx, 0, 0.25);
}

CHECK_STENCIL(lowprec)
