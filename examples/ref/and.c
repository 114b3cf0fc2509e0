/* and.c: reference of and.st. */
// compare: relative 2e-5
// In double precision.  A step adds about 40 roundings of 2^-24, in terms that
// are at most 12 dt times the largest value; 7 steps.
#include "reference.h"
#include "and.h"

/* The blurred image at a cell: three points along each axis, beginning at the
 * cell; beyond the last cell along y and z the last one counts. */
static double
blurred(const float *u, const anisotropic_args *a, int64_t z, int64_t y, int64_t x)
{
	static const double w[3] = { 0.25, 0.5, 0.25 };
	double s = 0;

	EACH(k, 0, 3) EACH(j, 0, 3) EACH(i, 0, 3)
		s += w[k] * w[j] * w[i] * u[(clamp_at(z + k, a->nz) * a->ny
			+ clamp_at(y + j, a->ny)) * a->nx + x + i];
	return s;
}

static double
change(const float *u, const anisotropic_args *a, int64_t z, int64_t y, int64_t x)
{
	int64_t nx = a->nx, plane = a->ny * nx;
	const int64_t far[3] = { plane, nx, 1 };
	const float *c = u + z * plane + y * nx + x;
	double g[3], scale, pde = 0;

	/* The blurred image exists where x < nx - 2: x + 1 is such a place. */
	g[0] = 0.5 * (blurred(u, a, z + 1, y, x) - blurred(u, a, z - 1, y, x));
	g[1] = 0.5 * (blurred(u, a, z, y + 1, x) - blurred(u, a, z, y - 1, x));
	g[2] = 0.5 * (blurred(u, a, z, y, x + 1) - blurred(u, a, z, y, x - 1));
	scale = 1 / ((double)a->contrast * a->contrast + g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
	for (int i = 0; i < 3; i++) {
		pde += (1 - scale * g[i] * g[i]) * ((double)c[-far[i]] - 2.0 * c[0] + c[far[i]]);
		for (int j = i + 1; j < 3; j++)
			pde -= 2 * scale * g[i] * g[j] * 0.25 * ((double)c[far[i] + far[j]]
				- c[far[i] - far[j]] - c[far[j] - far[i]] + c[-far[i] - far[j]]);
	}
	return pde;
}

void
anisotropic_reference(const anisotropic_args *a)
{
	int64_t nz = a->nz, ny = a->ny, nx = a->nx;

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->img, (size_t)(nz * ny * nx) * sizeof(float));

		EACH(z, 1, nz - 1) EACH(y, 1, ny - 1) EACH(x, 1, nx - 3) {
			int64_t i = (z * ny + y) * nx + x;

			a->img[i] = (float)(u[i] + a->dt * change(u, a, z, y, x));
		}
		free(u);
	}
}

static void
anisotropic_fill(Check *c, anisotropic_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	a->steps = check_steps(c);
	FIELD(c, a->img, F32, a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(anisotropic)
