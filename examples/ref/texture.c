/* texture.c: reference of texture.st. */
// compare: exact
// Integers, and a product in window order.
#include "reference.h"
#include "texture.h"

void
texture_reference(const texture_args *a)
{
	int64_t ny = a->ny, nx = a->nx;

	EACH(y, 0, ny) EACH(x, 0, nx) {
		int64_t at = y * nx + x;
		int sum = 0, least = 255, most = 0, flat = 1, edge = 0;
		float gain = 1;

		WITHIN(j, -1, 1) WITHIN(i, -1, 1) {
			int v = a->img[reflect_at(y + j, ny) * nx + reflect_at(x + i, nx)];

			sum += v;
			gain *= 0.5f + (float)v / 255.0f;
			least = v < least ? v : least;
			most = v > most ? v : most;
			flat &= abs(v - a->img[at]) <= a->step / 4;
		}
		for (int i = -2; i <= 1; i++)
			edge |= abs(a->img[y * nx + reflect_at(x + i + 1, nx)]
				- a->img[y * nx + reflect_at(x + i, nx)]) > a->step;
		a->total[at] = sum;
		a->gain[at] = gain;
		a->darkest[at] = (uint8_t)least;
		a->lightest[at] = (uint8_t)most;
		a->edge[at] = (uint8_t)edge;
		a->flat[at] = (uint8_t)flat;
	}
}

static void
texture_fill(Check *c, texture_args *a)
{
	int64_t n;

	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 2);
	n = a->ny * a->nx;
	a->step = (int32_t)check_random(c, 40, 800);
	FIELD(c, a->img, U8, n, 0, 255);
	FIELD(c, a->total, I32, n, -9, 9);
	FIELD(c, a->gain, F32, n, -9, 9);
	FIELD(c, a->darkest, U8, n, 0, 255);
	FIELD(c, a->lightest, U8, n, 0, 255);
	FIELD(c, a->edge, BOOL, n, 0, 1);
	FIELD(c, a->flat, BOOL, n, 0, 1);
}

CHECK_STENCIL(texture)
