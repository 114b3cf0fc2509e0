/* holes.c: reference of holes.st. */
// compare: exact
// Sums; a product by 0.25 is exact.
#include "reference.h"
#include "holes.h"

/* Values that may be missing: NaN is, since no input is. */
static float
present(const float *v, int64_t i, float otherwise, int outside)
{
	return outside ? otherwise : v[i];
}

void
holes_reference(const holes_args *a)
{
	int64_t ny = a->ny, nx = a->nx, n = ny * nx;
	float *mean = zeros((size_t)n * sizeof(float)), *m2 = zeros((size_t)n * sizeof(float));
	float *padded = zeros((size_t)n * sizeof(float));

	for (int64_t i = 0; i < n; i++) {
		int64_t y = i / nx, x = i % nx;

		mean[i] = NAN;
		if (y > 0 && y < ny - 1 && x > 0 && x < nx - 1)
			mean[i] = 0.25f * (a->u[i - nx] + a->u[i + nx] + a->u[i - 1] + a->u[i + 1]);
	}
	for (int64_t i = 0; i < n; i++) {
		int64_t y = i / nx, x = i % nx;

		m2[i] = mean[y * nx + mirror_at(x - 2, nx)] + mean[y * nx + mirror_at(x + 2, nx)];
		padded[i] = present(mean, i - nx, 1, y == 0)
			- present(mean, i + nx, 1, y == ny - 1);
	}
	for (int64_t i = 0; i < n; i++) {
		int64_t y = i / nx, x = i % nx;
		float mirrored = m2[i] + m2[clamp_at(y + 1, ny) * nx + x];
		float both = x > 0 ? padded[i - 1] + m2[i] : NAN;

		if (!isnan(mirrored))
			a->mirrored[i] = mirrored;
		if (!isnan(padded[i]))
			a->padded[i] = padded[i];
		if (!isnan(both))
			a->both[i] = both;
	}
	free(mean);
	free(m2);
	free(padded);
}

static void
holes_fill(Check *c, holes_args *a)
{
	int64_t n;

	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 3);
	n = a->ny * a->nx;
	FIELD(c, a->u, F32, n, -1, 1);
	FIELD(c, a->mirrored, F32, n, -1, 1);
	FIELD(c, a->padded, F32, n, -1, 1);
	FIELD(c, a->both, F32, n, -1, 1);
}

CHECK_STENCIL(holes)
