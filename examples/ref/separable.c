/* separable.c: reference of separable.st. */
// compare: exact
// In a window the first product is rounded and the others are fused.
#include "reference.h"
#include "separable.h"

void
separable_reference(const separable_args *a)
{
	static const float blur[5] = { .1f, .2f, .4f, .2f, .1f };
	int64_t ny = a->ny, nx = a->nx;
	float *rows = zeros((size_t)(ny * nx) * sizeof(float));

	EACH(y, 0, ny) EACH(x, 0, nx) {
		float s = blur[0] * a->img[mirror_at(y - 2, ny) * nx + x];

		for (int k = -1; k <= 2; k++)
			s = fmaf(blur[k + 2], a->img[mirror_at(y + k, ny) * nx + x], s);
		rows[y * nx + x] = s;
	}
	EACH(y, 0, ny) EACH(x, 0, nx) {
		const float *row = rows + y * nx;
		float s = a->slope[1] * row[mirror_at(x - 1, nx)];

		s = fmaf(a->slope[2], row[x], s);
		s = fmaf(a->slope[3], row[mirror_at(x + 1, nx)], s);
		a->edges[y * nx + x] = a->gain * s;
	}
	free(rows);
}

static void
separable_fill(Check *c, separable_args *a)
{
	a->ny = check_extent(c, 0, 3);
	a->nx = check_extent(c, 1, 2);
	for (int k = 0; k < 5; k++)
		a->slope[k] = (float)check_random(c, -1, 1);
	FIELD(c, a->img, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->edges, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(separable)
