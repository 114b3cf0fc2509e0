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

		for (int64_t y = 0; y < ny; y++)
			for (int64_t x = 0; x < nx; x++) {
				int near = 0;

				for (int64_t j = y - 1; j <= y + 1; j++)
					for (int64_t i = x - 1; i <= x + 1; i++)
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
