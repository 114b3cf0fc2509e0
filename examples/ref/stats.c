/* stats.c: reference of stats.st. */
// compare: exact
// But for total and growth, whose order is not specified.
#include "reference.h"
#include "stats.h"

void
stats_reference(const stats_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	double total = 0, growth = 1;
	float least = INFINITY, most = -INFINITY, steepest = -INFINITY;
	int64_t positive = 0;
	int broken = 0, calm = 1;

	EACH(y, 0, ny) EACH(x, 0, nx) {
		float u = a->u[y * nx + x];

		total += (double)u;
		growth *= (double)fmaf(0.01f, u, 1);
		least = fminf(least, u);
		most = fmaxf(most, u);
		broken |= isnan(u);
		calm &= fabsf(u) < a->limit;
		positive += u > 0;
		if (x < nx - 1)
			steepest = fmaxf(steepest, fabsf(a->u[y * nx + x + 1] - u));
	}
	*a->total = total;
	*a->growth = growth;
	*a->least = least;
	*a->most = most;
	*a->broken = (uint8_t)broken;
	*a->calm = (uint8_t)calm;
	*a->positive = positive;
	*a->steepest = steepest;
}

static void
stats_fill(Check *c, stats_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->least, F32, 1, 5, 9);
	FIELD(c, a->most, F32, 1, 5, 9);
	FIELD(c, a->broken, BOOL, 1, 0, 1);
	FIELD(c, a->calm, BOOL, 1, 0, 1);
	FIELD(c, a->positive, I64, 1, -9, -1);
	FIELD(c, a->steepest, F32, 1, 5, 9);
	check_tolerate(c, 1e-12); /* a thousand terms, 2^-53 each */
	FIELD(c, a->total, F64, 1, 5, 9);
	FIELD(c, a->growth, F64, 1, 5, 9);
}

CHECK_STENCIL(stats)
