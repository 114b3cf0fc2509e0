/* dither.c: reference of dither.st. */
// compare: exact
// Integers.
#include "reference.h"
#include "dither.h"

/* Bayer's 8 x 8 matrix, by its recursion: four copies of the matrix of half the
 * size times 4, plus 0, 2, 3, 1. */
static int
bayer(int64_t y, int64_t x, int size)
{
	static const int quarter[2][2] = { { 0, 2 }, { 3, 1 } };
	int half = size / 2;

	if (size == 1)
		return 0;
	return 4 * bayer(y % half, x % half, half) + quarter[y / half][x / half];
}

void
dither_reference(const dither_args *a)
{
	EACH(y, 0, a->ny) EACH(x, 0, a->nx)
		a->ink[y * a->nx + x] = a->img[y * a->nx + x] * 64
			<= 255 * bayer(y % 8, x % 8, 8) + 127;
}

static void
dither_fill(Check *c, dither_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->img, U8, a->ny * a->nx, 0, 255);
	FIELD(c, a->ink, BOOL, a->ny * a->nx, 0, 1);
}

CHECK_STENCIL(dither)
