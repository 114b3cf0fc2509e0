/* diffusion.c: reference of diffusion.st. */
// compare: relative 1e-5
// Moving sums are made directly here; in single precision they drift by one
// rounding of 2^-24 of 5 times the largest value a cell, and weigh little.
#include "reference.h"
#include "diffusion.h"

enum { R = 2, DISTANCE = 3 };

/* How much the luma changes at a cell. */
static double
activity(const double *luma, const diffusion_args *a, int64_t y, int64_t x)
{
	int64_t ny = a->ny, nx = a->nx;

	return fabs(luma[y * nx + clamp_at(x + 1, nx)] - luma[y * nx + clamp_at(x - 1, nx)])
		+ fabs(luma[clamp_at(y + 1, ny) * nx + x] - luma[clamp_at(y - 1, ny) * nx + x]);
}

static double
calm_at(const double *luma, const diffusion_args *a, int64_t y, int64_t x)
{
	double sum = 0;

	WITHIN(j, -R, R) WITHIN(i, -R, R)
		sum += activity(luma, a, clamp_at(y + j, a->ny), clamp_at(x + i, a->nx));
	return a->k / (a->k + sum / ((2 * R + 1) * (2 * R + 1)));
}

void
diffusion_reference(const diffusion_args *a)
{
	int64_t ny = a->ny, nx = a->nx, n = ny * nx;
	double *luma = zeros((size_t)n * sizeof *luma), *calm = zeros((size_t)n * sizeof *calm);

	for (int64_t i = 0; i < n; i++)
		luma[i] = 0.299 * a->src[i] + 0.587 * a->src[n + i] + 0.114 * a->src[2 * n + i];
	for (int64_t i = 0; i < n; i++)
		calm[i] = calm_at(luma, a, i / nx, i % nx);
	for (int64_t at = 0; at < 3 * n; at++) {
		int64_t cell = at % n, y = cell / nx, x = cell % nx;
		const float *src = a->src + at / n * n;
		double flow = 0;

		WITHIN(j, -1, 1) WITHIN(i, -1, 1) {
			int64_t there = clamp_at(y + j * DISTANCE, ny) * nx
				+ clamp_at(x + i * DISTANCE, nx);

			flow += 0.5 * (calm[cell] + calm[there]) * ((double)src[there] - src[cell]);
		}
		a->dst[at] = (float)(src[cell] + 0.0625 * flow);
	}
	free(luma);
	free(calm);
}

static void
diffusion_fill(Check *c, diffusion_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->k = 0.5f;
	FIELD(c, a->src, F32, 3 * a->ny * a->nx, 0, 1);
	FIELD(c, a->dst, F32, 3 * a->ny * a->nx, 0, 1);
}

CHECK_STENCIL(diffusion)
