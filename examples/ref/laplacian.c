/* laplacian.c: references of laplacian.st. */
// compare: exact
// The weights are powers of two: only the additions round, in window order.
#include "reference.h"
#include "laplacian.h"

/* Half of IN (NY x NX), smoothed; to be freed. */
static float *
reduced(const float *in, int64_t ny, int64_t nx)
{
	static const float w[3] = { 0.25f, 0.5f, 0.25f };
	int64_t my = (ny + 1) / 2, mx = (nx + 1) / 2;
	float *out = zeros((size_t)(my * mx) * sizeof(float));

	EACH(y, 0, my) EACH(x, 0, mx) {
		float s = 0;

		WITHIN(j, -1, 1) WITHIN(i, -1, 1)
			s += w[j + 1] * w[i + 1]
				* in[clamp_at(2 * y + j, ny) * nx + clamp_at(2 * x + i, nx)];
		out[y * mx + x] = s;
	}
	return out;
}

/* OUT = IN + SIGN * what ABOVE has there. */
static void
add_above(float *out, const float *in, const float *above, float sign, int64_t ny, int64_t nx)
{
	int64_t mx = (nx + 1) / 2;

	EACH(y, 0, ny) EACH(x, 0, nx)
		out[y * nx + x] = in[y * nx + x] + sign * above[y / 2 * mx + x / 2];
}

void
split_reference(const split_args *a)
{
	int64_t ny = a->full_ny, nx = a->full_nx, my = (ny + 1) / 2, mx = (nx + 1) / 2;
	float *b = reduced(a->img, ny, nx), *r = reduced(b, my, mx);

	memcpy(a->rest, r, (size_t)((my + 1) / 2 * ((mx + 1) / 2)) * sizeof(float));
	add_above(a->fine, a->img, b, -1, ny, nx);
	add_above(a->middle, b, r, -1, my, mx);
	free(b);
	free(r);
}

void
join_reference(const join_args *a)
{
	int64_t ny = a->full_ny, nx = a->full_nx, my = (ny + 1) / 2, mx = (nx + 1) / 2;
	float *b = zeros((size_t)(my * mx) * sizeof(float));

	add_above(b, a->middle, a->rest, 1, my, mx);
	add_above(a->img, a->fine, b, 1, ny, nx);
	free(b);
}

static int64_t
cells(int64_t ny, int64_t nx, int64_t by)
{
	return (ny + by - 1) / by * ((nx + by - 1) / by);
}

static void
split_fill(Check *c, split_args *a)
{
	int64_t ny = a->full_ny = check_extent(c, 0, 1), nx = a->full_nx = check_extent(c, 1, 1);

	FIELD(c, a->img, F32, cells(ny, nx, 1), -1, 1);
	FIELD(c, a->fine, F32, cells(ny, nx, 1), -1, 1);
	FIELD(c, a->middle, F32, cells(ny, nx, 2), -1, 1);
	FIELD(c, a->rest, F32, cells(ny, nx, 4), -1, 1);
}

static void
join_fill(Check *c, join_args *a)
{
	int64_t ny = a->full_ny = check_extent(c, 0, 1), nx = a->full_nx = check_extent(c, 1, 1);

	FIELD(c, a->img, F32, cells(ny, nx, 1), -1, 1);
	FIELD(c, a->fine, F32, cells(ny, nx, 1), -1, 1);
	FIELD(c, a->middle, F32, cells(ny, nx, 2), -1, 1);
	FIELD(c, a->rest, F32, cells(ny, nx, 4), -1, 1);
}

CHECK_STENCILS(split, join)
