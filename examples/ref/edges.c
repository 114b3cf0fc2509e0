/* edges.c: reference of edges.st. */
// compare: exact
// Integers.
#include "reference.h"
#include "edges.h"

static const int g[3] = { 1, 2, 1 };

static int
at(const int16_t *b, int64_t y, int64_t x, int64_t ny, int64_t nx)
{
	return b[clamp_at(y, ny) * nx + clamp_at(x, nx)];
}

void
edges_reference(const edges_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	int16_t *b = zeros((size_t)(ny * nx) * sizeof *b);

	for (int64_t y = 0; y < ny; y++)
		for (int64_t x = 0; x < nx; x++) {
			int s = 0;

			for (int j = -1; j <= 1; j++)
				for (int i = -1; i <= 1; i++)
					s += g[j + 1] * g[i + 1]
						* a->img[clamp_at(y + j, ny) * nx + clamp_at(x + i, nx)];
			b[y * nx + x] = (int16_t)(s / 16);
		}
	for (int64_t y = 0; y < ny; y++)
		for (int64_t x = 0; x < nx; x++) {
			int gx = 0, gy = 0;

			for (int k = -1; k <= 1; k++) {
				gx += g[k + 1] * (at(b, y + k, x + 1, ny, nx) - at(b, y + k, x - 1, ny, nx));
				gy += g[k + 1] * (at(b, y + 1, x + k, ny, nx) - at(b, y - 1, x + k, ny, nx));
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
