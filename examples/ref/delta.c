/* delta.c: reference of delta.st. */
// compare: exact
// Integers.  Division truncates, a shift to the right is arithmetic.
#include "reference.h"
#include "delta.h"

void
delta_reference(const delta_args *a)
{
	int64_t n = a->nx;

	for (int64_t x = 0; x < n; x++) {
		int both = a->sound[mirror_at(x - 1, n)] + a->sound[mirror_at(x + 1, n)];
		int shifted = (int)floor((a->sound[x] - both / 2) / 16.0);

		a->code[x] = (int8_t)to_integer(shifted, -128, 127);
		a->clipped[x] = shifted < -128 || shifted > 127;
		a->coarse[x] = (int16_t)(a->sound[x] / 256 * 256);
	}
}

static void
delta_fill(Check *c, delta_args *a)
{
	a->nx = check_extent(c, 0, 2);
	FIELD(c, a->sound, I16, a->nx, -3000, 3000);
	FIELD(c, a->code, I8, a->nx, -128, 127);
	FIELD(c, a->clipped, BOOL, a->nx, 0, 1);
	FIELD(c, a->coarse, I16, a->nx, -9, 9);
}

CHECK_STENCIL(delta)
