/* channel.c: reference of channel.st. */
// compare: exact
// 6u, k*spread and flow*(...) are fused with the sums they belong to.
#include "reference.h"
#include "channel.h"

void
channel_reference(const channel_args *a)
{
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx;
	size_t bytes = (size_t)(nz * plane) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, bytes);

		/* the ceiling keeps its value */
		EACH(z, 0, nz - 1) EACH(y, 0, ny) EACH(x, 0, nx) {
			const float *p = u + z * plane, *row = p + y * nx;
			float c = row[x], west = row[wrap_at(x - 1, nx)];
			float s = z == 0 ? a->hot : p[y * nx + x - plane];

			s += p[plane + y * nx + x];
			s += p[clamp_at(y - 1, ny) * nx + x];
			s += p[clamp_at(y + 1, ny) * nx + x];
			s += west;
			s += row[wrap_at(x + 1, nx)];
			s = fmaf(-6, c, s);
			a->u[z * plane + y * nx + x] = fmaf(-a->flow, c - west, fmaf(a->k, s, c));
		}
		free(u);
	}
}

static void
channel_fill(Check *c, channel_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(channel)
