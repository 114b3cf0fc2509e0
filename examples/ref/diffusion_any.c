/* diffusion_any.c: reference of diffusion_any.st. */
// compare: relative 1e-5
// Moving sums are made directly here; in single precision they drift by one
// rounding of 2^-24 of 11 times the largest value a cell, and weigh little.
#include "reference.h"
#include "diffusion_any.h"

enum { DISTANCE = 3 };

/* How much the luma changes at a cell. */
static double
activity(const double *luma, const diffusion_any_args *a, int64_t y, int64_t x)
{
	int64_t ny = a->ny, nx = a->nx;

	return fabs(luma[y * nx + clamp_at(x + 1, nx)] - luma[y * nx + clamp_at(x - 1, nx)])
		+ fabs(luma[clamp_at(y + 1, ny) * nx + x] - luma[clamp_at(y - 1, ny) * nx + x]);
}

static double
calm_at(const double *luma, const diffusion_any_args *a, int64_t y, int64_t x)
{
	const int64_t r = a->r;
	double sum = 0;

	WITHIN(j, -r, r) WITHIN(i, -r, r)
		sum += activity(luma, a, clamp_at(y + j, a->ny), clamp_at(x + i, a->nx));
	return a->k / (a->k + sum / ((double)((2 * r + 1) * (2 * r + 1))));
}

void
diffusion_any_reference(const diffusion_any_args *a)
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
diffusion_any_fill(Check *c, diffusion_any_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->k = 0.5f;
	a->r = (int)check_random(c, 0, 5.999);
	FIELD(c, a->src, F32, 3 * a->ny * a->nx, 0, 1);
	FIELD(c, a->dst, F32, 3 * a->ny * a->nx, 0, 1);
}

CHECK_STENCIL(diffusion_any)
