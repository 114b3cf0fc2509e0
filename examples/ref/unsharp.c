/* unsharp.c: reference of unsharp.st. */
// compare: exact
// In a window the first product is rounded and the others are fused.
#include "reference.h"
#include "unsharp.h"

static const float w[5] = { 0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f };

static float
middle(float p, float q, float r)
{
	return p < q ? (q < r ? q : p < r ? r : p) : (p < r ? p : q < r ? r : q);
}

static float
blur_row(const float *row, int64_t x, int64_t nx)
{
	float s = w[0] * row[mirror_at(x - 2, nx)];

	for (int k = -1; k <= 2; k++)
		s = fmaf(w[k + 2], row[mirror_at(x + k, nx)], s);
	return s;
}

void
unsharp_reference(const unsharp_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	float *clean = zeros((size_t)(ny * nx) * sizeof(float));

	for (int64_t i = 0; i < ny * nx; i++) {
		const float *row = a->img + i / nx * nx;

		clean[i] = middle(row[mirror_at(i % nx - 1, nx)], row[i % nx],
			row[mirror_at(i % nx + 1, nx)]);
	}
	EACH(y, 0, ny) EACH(x, 0, nx) {
		float c = clean[y * nx + x];
		float s = w[0] * blur_row(clean + mirror_at(y - 2, ny) * nx, x, nx);

		for (int k = -1; k <= 2; k++)
			s = fmaf(w[k + 2], blur_row(clean + mirror_at(y + k, ny) * nx, x, nx), s);
		a->sharp[y * nx + x] = fmaf(a->amount, c - s, c);
	}
	free(clean);
}

static void
unsharp_fill(Check *c, unsharp_args *a)
{
	a->ny = check_extent(c, 0, 3);
	a->nx = check_extent(c, 1, 3);
	FIELD(c, a->img, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->sharp, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(unsharp)
