/* tmz.c: reference of tmz.st. */
// compare: exact
// Every update is one fused multiply-add.
#include "reference.h"
#include "tmz.h"

/* A cell that a face of the grid leaves without a neighbour keeps its value. */
void
tmz_reference(const tmz_args *a)
{
	int64_t ny = a->ny, nx = a->nx;

	for (int64_t t = 0; t < a->steps; t++) {
		for (int64_t i = 0; i < (ny - 1) * nx; i++)
			a->hx[i] = fmaf(-a->c, a->ez[i + nx] - a->ez[i], a->hx[i]);
		EACH(y, 0, ny) EACH(i, y * nx, y * nx + nx - 1)
			a->hy[i] = fmaf(a->c, a->ez[i + 1] - a->ez[i], a->hy[i]);
		EACH(y, 1, ny) EACH(i, y * nx + 1, y * nx + nx)
			a->ez[i] = fmaf(a->c, (a->hy[i] - a->hy[i - 1])
				- (a->hx[i] - a->hx[i - nx]), a->ez[i]);
	}
}

static void
tmz_fill(Check *c, tmz_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->ez, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->hx, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->hy, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(tmz)
