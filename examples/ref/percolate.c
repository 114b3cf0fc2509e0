/* percolate.c: reference of percolate.st. */
// compare: exact
// Logic.
#include "reference.h"
#include "percolate.h"

void
percolate_reference(const percolate_args *a)
{
	int64_t ny = a->ny, nx = a->nx, done = 0;

	while (done < a->steps) {
		uint8_t *wet = copy_of(a->wet, (size_t)(ny * nx));
		int spreads = 0;

		EACH(y, 0, ny) EACH(x, 0, nx) {
			int near = 0;

			WITHIN(j, y - 1, y + 1) WITHIN(i, x - 1, x + 1)
				if (inside(j, ny) && inside(i, nx) && wet[j * nx + i])
					near = 1;
			a->wet[y * nx + x] = a->open[y * nx + x] && near;
			if (a->wet[y * nx + x] != wet[y * nx + x])
				spreads = 1;
		}
		free(wet);
		done++;
		*a->spreads = (uint8_t)spreads;
		if (done % 2 == 0 && !spreads)
			break;
	}
	*a->steps_done = done;
}

static void
percolate_fill(Check *c, percolate_args *a)
{
	int64_t n;

	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = 4 * check_steps(c);
	n = a->ny * a->nx;
	FIELD(c, a->open, BOOL, n, 0.2, 1);
	FIELD(c, a->wet, BOOL, n, 0, 0.6);
	FIELD(c, a->spreads, BOOL, 1, 0, 1);
	FIELD(c, a->steps_done, I64, 1, -9, -1);
}

CHECK_STENCIL(percolate)
