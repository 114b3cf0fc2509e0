/* forest.c: reference of forest.st. */
// compare: exact
// Integers modulo 2^32.
#include "reference.h"
#include "forest.h"

enum { EMPTY, TREE, FIRE };

static uint32_t
mix(uint32_t h)
{
	return (h ^ h >> 15) * 0x2c1b3c6du;
}

static int
chance(int64_t y, int64_t x, int64_t t)
{
	uint32_t h = (uint32_t)x * 0x297a2d39u ^ (uint32_t)y * 0x5bd1e995u
		^ (uint32_t)(t + 1) * 0x1b873593u;

	return (int)(mix(mix(h)) >> 8 & 1023);
}

static int
burning(const uint8_t *cell, int64_t y, int64_t x, const forest_args *a)
{
	return inside(y, a->ny) && inside(x, a->nx) && cell[y * a->nx + x] == FIRE;
}

void
forest_reference(const forest_args *a)
{
	int64_t ny = a->ny, nx = a->nx;

	for (int64_t t = 0; t < a->steps; t++) {
		uint8_t *cell = copy_of(a->cell, (size_t)(ny * nx));

		EACH(y, 0, ny) EACH(x, 0, nx) {
			int luck = chance(y, x, a->t0 + t), next = EMPTY;

			if (cell[y * nx + x] == TREE)
				next = luck < a->strikes
					|| burning(cell, y - 1, x, a) || burning(cell, y + 1, x, a)
					|| burning(cell, y, x - 1, a) || burning(cell, y, x + 1, a)
					? FIRE : TREE;
			else if (cell[y * nx + x] != FIRE && luck % 512 < a->growth)
				next = TREE;
			a->cell[y * nx + x] = (uint8_t)next;
		}
		free(cell);
	}
}

static void
forest_fill(Check *c, forest_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	a->t0 = 40;
	FIELD(c, a->cell, U8, a->ny * a->nx, 0, 2);
}

CHECK_STENCIL(forest)
