/* lbm.c: reference of lbm.st. */
// compare: exact
// Products by -1, 0, 1 are exact.  along is used three times, so 1 + along is
// not fused; 0.5*along*along, 1.5*energy, the relaxation and rest - g are.
#include "reference.h"
#include "lbm.h"

static const int ex[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 };
static const int ey[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };

void
lbm_reference(const lbm_args *a)
{
	static const double weight[9] = { 4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9,
		1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36 };
	int64_t ny = a->ny, nx = a->nx, n = ny * nx;

	for (int64_t t = 0; t < a->steps; t++) {
		float *f = copy_of(a->f, (size_t)(9 * n) * sizeof(float));

		for (int64_t i = 0; i < n; i++) {
			int64_t y = i / nx, x = i % nx;
			float g[9], rho = 0, jx = 0, jy = 0, ux, uy, energy;

			for (int q = 0; q < 9; q++) {
				int64_t from = wrap_at(y - ey[q], ny) * nx + wrap_at(x - ex[q], nx);

				g[q] = f[q * n + from];
				rho = q == 0 ? g[q] : rho + g[q];
				jx += (float)ex[q] * g[q];
				jy += (float)ey[q] * g[q];
			}
			ux = jx / rho;
			uy = jy / rho;
			energy = fmaf(uy, uy, ux * ux);
			for (int q = 0; q < 9; q++) {
				float along = 3 * ((float)ex[q] * ux + (float)ey[q] * uy);
				float s = fmaf(0.5f * along, along, 1 + along);

				s = fmaf(-1.5f, energy, s);
				s = fmaf((float)weight[q] * rho, s, -g[q]);
				a->f[q * n + i] = fmaf(a->omega, s, g[q]);
			}
		}
		free(f);
	}
}

static void
lbm_fill(Check *c, lbm_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->f, F32, 9 * a->ny * a->nx, 0.1, 0.2);
}

CHECK_STENCIL(lbm)
