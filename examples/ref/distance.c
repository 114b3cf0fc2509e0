/* distance.c: reference of distance.st. */
// compare: exact
// By breadth: the cells next to cells at distance d - 1 are at distance d.
#include "reference.h"
#include "distance.h"

enum { FAR = 10000 };

void
distance_reference(const distance_args *a)
{
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx, n = nz * plane;
	int found = 1;

	for (int64_t i = 0; i < n; i++)
		a->d[i] = a->solid[i] ? 0 : FAR;
	for (int32_t d = 1; found; d++) {
		found = 0;
		for (int64_t i = 0; i < n; i++) {
			int64_t z = i / plane, y = i / nx % ny, x = i % nx;

			if (a->d[i] < d)
				continue;
			if ((z > 0 && a->d[i - plane] == d - 1) || (z < nz - 1 && a->d[i + plane] == d - 1)
			    || (y > 0 && a->d[i - nx] == d - 1) || (y < ny - 1 && a->d[i + nx] == d - 1)
			    || (x > 0 && a->d[i - 1] == d - 1) || (x < nx - 1 && a->d[i + 1] == d - 1)) {
				a->d[i] = d;
				found = 1;
			}
		}
	}
}

static void
distance_fill(Check *c, distance_args *a)
{
	int64_t n;
	uint8_t *solid;

	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	n = a->nz * a->ny * a->nx;
	FIELD(c, a->solid, U8, n, 0, 255);
	solid = (uint8_t *)a->solid; /* few cells are solid */
	for (int64_t i = 0; i < n; i++)
		solid[i] = solid[i] >= 253;
	FIELD(c, a->d, I32, n, -9, 9);
}

CHECK_STENCIL(distance)
