/* column.c: reference of column.st. */
// compare: exact
// below - above: the first product is rounded, the second fused.
#include "reference.h"
#include "column.h"

void
column_reference(const column_args *a)
{
	int64_t nz = a->nz, plane = a->ny * a->nx;
	size_t bytes = (size_t)(nz * plane) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->temperature, bytes);

		EACH(z, 0, nz) EACH(i, 0, plane) {
			int64_t up = clamp_at(z - 1, nz), down = clamp_at(z + 1, nz);
			float c = u[z * plane + i];
			float kd = 0.5f * (a->k[z] + a->k[down]), ku = 0.5f * (a->k[up] + a->k[z]);
			float below = kd * (u[down * plane + i] - c);
			float gain = fmaf(-ku, c - u[up * plane + i], below);
			float heat = z == 0 ? a->dt * a->heat[i] : 0;

			a->temperature[z * plane + i] = fmaf(a->dt, gain, c) + heat;
		}
		free(u);
	}
}

static void
column_fill(Check *c, column_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	a->steps = check_steps(c);
	FIELD(c, a->temperature, F32, a->nz * a->ny * a->nx, -1, 1);
	FIELD(c, a->k, F32, a->nz, 0, 2);
	FIELD(c, a->heat, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(column)
