/* edges.c: reference of edges.st. */
// compare: exact
// Integers.
#include "reference.h"
#include "edges.h"

static const int g[3] = { 1, 2, 1 };

static int
at(const edges_args *a, const int16_t *b, int64_t y, int64_t x)
{
	return b[clamp_at(y, a->ny) * a->nx + clamp_at(x, a->nx)];
}

void
edges_reference(const edges_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	int16_t *b = zeros((size_t)(ny * nx) * sizeof *b);

	EACH(y, 0, ny) EACH(x, 0, nx) {
		int s = 0;

		WITHIN(j, -1, 1) WITHIN(i, -1, 1)
			s += g[j + 1] * g[i + 1]
				* a->img[clamp_at(y + j, ny) * nx + clamp_at(x + i, nx)];
		b[y * nx + x] = (int16_t)(s / 16);
	}
	EACH(y, 0, ny) EACH(x, 0, nx) {
		int gx = 0, gy = 0;

		for (int k = -1; k <= 1; k++) {
			gx += g[k + 1] * (at(a, b, y + k, x + 1) - at(a, b, y + k, x - 1));
			gy += g[k + 1] * (at(a, b, y + 1, x + k) - at(a, b, y - 1, x + k));
		}
		a->e[y * nx + x] = abs(gx) + abs(gy) > a->level ? 255 : 0;
	}
	free(b);
}

static void
edges_fill(Check *c, edges_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->level = 200;
	FIELD(c, a->img, U8, a->ny * a->nx, 0, 255);
	FIELD(c, a->e, U8, a->ny * a->nx, 0, 255);
}

CHECK_STENCIL(edges)
