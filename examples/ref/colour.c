/* colour.c: references of colour.st. */
// compare: exact
// Integers.
#include "reference.h"
#include "colour.h"

/* Floor of V/256, the arithmetic shift, without relying on C's. */
static int
over_256(int v)
{
	return (int)floor(v / 256.0);
}

void
to_ycc_reference(const to_ycc_args *a)
{
	int64_t n = a->ny * a->nx;

	for (int64_t i = 0; i < n; i++) {
		int r = a->rgb[3 * i], g = a->rgb[3 * i + 1], b = a->rgb[3 * i + 2];

		a->ycc[i] = to_u8(over_256(77 * r + 150 * g + 29 * b + 128));
		a->ycc[n + i] = to_u8(over_256(128 * b - 43 * r - 85 * g + 128) + 128);
		a->ycc[2 * n + i] = to_u8(over_256(128 * r - 107 * g - 21 * b + 128) + 128);
	}
}

void
sharpen_reference(const sharpen_args *a)
{
	int64_t ny = a->ny, nx = a->nx;

	EACH(y, 0, ny) EACH(x, 0, nx) EACH(c, 0, 3) {
		int around = a->rgb[3 * (clamp_at(y - 1, ny) * nx + x) + c]
			+ a->rgb[3 * (clamp_at(y + 1, ny) * nx + x) + c]
			+ a->rgb[3 * (y * nx + clamp_at(x - 1, nx)) + c]
			+ a->rgb[3 * (y * nx + clamp_at(x + 1, nx)) + c];
		int64_t i = 3 * (y * nx + x) + c;

		a->sharp[i] = to_u8(2 * a->rgb[i] - around / 4);
	}
}

static void
to_ycc_fill(Check *c, to_ycc_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->rgb, U8, 3 * a->ny * a->nx, 0, 255);
	FIELD(c, a->ycc, U8, 3 * a->ny * a->nx, 0, 255);
}

static void
sharpen_fill(Check *c, sharpen_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->rgb, U8, 3 * a->ny * a->nx, 0, 255);
	FIELD(c, a->sharp, U8, 3 * a->ny * a->nx, 0, 255);
}

CHECK_STENCILS(to_ycc, sharpen)
