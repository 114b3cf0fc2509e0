/* life.c: reference of life.st. */
// compare: exact
// Integers.
#include "reference.h"
#include "life.h"

void
life_reference(const life_args *a)
{
	int64_t ny = a->ny, nx = a->nx;

	for (int64_t t = 0; t < a->steps; t++) {
		uint8_t *c = copy_of(a->c, (size_t)(ny * nx));

		EACH(y, 0, ny) EACH(x, 0, nx) {
			int neighbours = -c[y * nx + x];

			WITHIN(j, -1, 1) WITHIN(i, -1, 1)
				neighbours += c[wrap_at(y + j, ny) * nx + wrap_at(x + i, nx)];
			a->c[y * nx + x] = neighbours == 3 || (neighbours == 2 && c[y * nx + x]);
		}
		free(c);
	}
}

static void
life_fill(Check *c, life_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->c, U8, a->ny * a->nx, 0, 1);
}

CHECK_STENCIL(life)
