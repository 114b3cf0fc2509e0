/* hpp.c: reference of hpp.st. */
// compare: exact
// Bits.
#include "reference.h"
#include "hpp.h"

enum { EAST = 1, NORTH = 2, WEST = 4, SOUTH = 8, WALL = 16 };

static int
bounced(int v)
{
	return (v & EAST ? WEST : 0) | (v & WEST ? EAST : 0)
		| (v & NORTH ? SOUTH : 0) | (v & SOUTH ? NORTH : 0);
}

void
hpp_reference(const hpp_args *a)
{
	int64_t ny = a->ny, nx = a->nx;

	for (int64_t t = 0; t < a->steps; t++) {
		uint8_t *g = copy_of(a->gas, (size_t)(ny * nx));

		EACH(y, 0, ny) EACH(x, 0, nx) {
			int v = (g[y * nx + wrap_at(x - 1, nx)] & EAST)
				| (g[wrap_at(y + 1, ny) * nx + x] & NORTH)
				| (g[y * nx + wrap_at(x + 1, nx)] & WEST)
				| (g[wrap_at(y - 1, ny) * nx + x] & SOUTH);
			int rest = g[y * nx + x] & ~(EAST | NORTH | WEST | SOUTH);

			if (rest & WALL)
				v = bounced(v);
			else if (v == (EAST | WEST))
				v = NORTH | SOUTH;
			else if (v == (NORTH | SOUTH))
				v = EAST | WEST;
			a->gas[y * nx + x] = (uint8_t)(rest | v);
		}
		free(g);
	}
}

static void
hpp_fill(Check *c, hpp_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->gas, U8, a->ny * a->nx, 0, 31);
}

CHECK_STENCIL(hpp)
