/* degrain_rgb.c: reference of degrain_rgb.st. */
// compare: exact
// Halving is exact; v*min(1, |v|/k) is fused with the sum it is added to.
#include "reference.h"
#include "degrain_rgb.h"

enum { LEVELS = 4 };

/* One wavelet step along y (DY = r) or x (DX = r). */
static void
step(const degrain_rgb_args *a, const float *s, float *hi, float *lo, int dy, int dx)
{
	int64_t ny = a->ny, nx = a->nx;

	EACH(y, 0, ny) EACH(x, 0, nx) {
		float after = s[clamp_at(y + dy, ny) * nx + clamp_at(x + dx, nx)];
		float before = s[clamp_at(y - dy, ny) * nx + clamp_at(x - dx, nx)];
		float c = s[y * nx + x], h = (c - (after + before) * 0.5f) * 0.5f;

		hi[y * nx + x] = h;
		lo[y * nx + x] = c - h;
	}
}

/* SUM plus the detail V, softened. */
static float
add_softened(float sum, float v, float k)
{
	return fmaf(v, fminf(1, fabsf(v) / k), sum);
}

/* One component: from SRC to DST. */
static void
degrain_plane(const degrain_rgb_args *a, const float *src, float *dst)
{
	int64_t n = a->ny * a->nx;
	size_t bytes = (size_t)n * sizeof(float);
	float *smooth = copy_of(src, bytes), *detail = zeros(bytes);
	float *hy = zeros(bytes), *ly = zeros(bytes);
	float *hh = zeros(bytes), *lh = zeros(bytes), *hl = zeros(bytes);

	for (int l = 0; l < LEVELS; l++) {
		int r = 1 << l;

		step(a, smooth, hy, ly, 0, r);
		step(a, hy, hh, lh, r, 0);
		step(a, ly, hl, smooth, r, 0);
		for (int64_t i = 0; i < n; i++) {
			detail[i] = add_softened(detail[i], hh[i], a->k);
			detail[i] = add_softened(detail[i], lh[i], a->k);
			detail[i] = add_softened(detail[i], hl[i], a->k);
		}
	}
	for (int64_t i = 0; i < n; i++)
		dst[i] = smooth[i] + detail[i];
	free(smooth);
	free(detail);
	free(hy);
	free(ly);
	free(hh);
	free(lh);
	free(hl);
}

void
degrain_rgb_reference(const degrain_rgb_args *a)
{
	EACH(c, 0, 3)
		degrain_plane(a, a->src + c * a->ny * a->nx, a->dst + c * a->ny * a->nx);
}

static void
degrain_rgb_fill(Check *c, degrain_rgb_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->k = 0.3f;
	FIELD(c, a->src, F32, 3 * a->ny * a->nx, -1, 1);
	FIELD(c, a->dst, F32, 3 * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(degrain_rgb)
