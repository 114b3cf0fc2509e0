/* distance.c: reference of distance.st. */
// compare: exact
// By breadth: the cells next to cells at distance d - 1 are at distance d.
#include "reference.h"
#include "distance.h"

enum { FAR = 10000 };

/* 1 if a neighbour of cell I is at distance D. */
static int
next_to(const distance_args *a, int64_t i, int32_t d)
{
	const int64_t n[3] = { a->nz, a->ny, a->nx }, far[3] = { n[1] * n[2], n[2], 1 };

	EACH(k, 0, 3) {
		int64_t at = i / far[k] % n[k];

		if ((at > 0 && a->d[i - far[k]] == d) || (at < n[k] - 1 && a->d[i + far[k]] == d))
			return 1;
	}
	return 0;
}

void
distance_reference(const distance_args *a)
{
	int64_t n = a->nz * a->ny * a->nx;
	int found = 1;

	for (int64_t i = 0; i < n; i++)
		a->d[i] = a->solid[i] ? 0 : FAR;
	for (int32_t d = 1; found; d++) {
		found = 0;
		for (int64_t i = 0; i < n; i++) {
			if (a->d[i] < d || !next_to(a, i, d - 1))
				continue;
			a->d[i] = d;
			found = 1;
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
