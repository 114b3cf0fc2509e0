/* census.c: reference of census.st. */
// compare: exact
// Counts and a minimum.
#include "reference.h"
#include "census.h"

void
census_reference(const census_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	float least = INFINITY;
	int64_t with_far = 0;

	EACH(y, 0, ny) EACH(x, 0, nx) {
		int64_t v = mirror_at(y + 1, ny), at = mirror_at(x - 2, nx);
		const float *u = a->u + v * nx + at;

		if (at == 0 || at == nx - 1)
			continue;
		with_far++;
		least = fminf(least, u[-1] + u[1]);
	}
	*a->with_sides = nx > 2 ? ny * (nx - 2) : 0;
	*a->with_far = with_far;
	*a->least = least;
}

static void
census_fill(Check *c, census_args *a)
{
	a->ny = check_extent(c, 0, 2);
	a->nx = check_extent(c, 1, 3);
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->with_sides, I64, 1, -9, -1);
	FIELD(c, a->with_far, I64, 1, -9, -1);
	FIELD(c, a->least, F32, 1, 5, 9);
}

CHECK_STENCIL(census)
