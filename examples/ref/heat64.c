/* heat64.c: reference of heat64.st. */
// compare: exact
// 0.1*k meets nothing wider than k, so it is a product of single precision;
// the rest is double, 6u and the last product fused.
#include "reference.h"
#include "heat64.h"

void
heat64_reference(const heat64_args *a)
{
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx;
	size_t bytes = (size_t)(nz * plane) * sizeof(double);

	for (int64_t t = 0; t < a->steps; t++) {
		double *u = copy_of(a->u, bytes);

		EACH(z, 0, nz) EACH(y, 0, ny) EACH(x, 0, nx) {
			int64_t i = z * plane + y * nx + x;
			double s = u[mirror_at(z - 1, nz) * plane + y * nx + x]
				+ u[mirror_at(z + 1, nz) * plane + y * nx + x]
				+ u[z * plane + mirror_at(y - 1, ny) * nx + x]
				+ u[z * plane + mirror_at(y + 1, ny) * nx + x]
				+ u[z * plane + y * nx + mirror_at(x - 1, nx)]
				+ u[z * plane + y * nx + mirror_at(x + 1, nx)];

			s = fma(-6, u[i], s);
			a->u[i] = fma((double)(0.1f * a->k[i]), s, u[i]);
		}
		free(u);
	}
}

static void
heat64_fill(Check *c, heat64_args *a)
{
	int64_t n;

	a->nz = check_extent(c, 0, 2);
	a->ny = check_extent(c, 1, 2);
	a->nx = check_extent(c, 2, 2);
	a->steps = check_steps(c);
	n = a->nz * a->ny * a->nx;
	FIELD(c, a->u, F64, n, -1, 1);
	FIELD(c, a->k, F32, n, 0, 1);
}

CHECK_STENCIL(heat64)
