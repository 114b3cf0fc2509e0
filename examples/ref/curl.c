/* curl.c: reference of curl.st. */
// compare: exact
// v + a*p - b*q is two fused operations, left to right.
#include "reference.h"
#include "curl.h"

void
curl_reference(const curl_args *a)
{
	int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx, n = nz * plane;

	for (int64_t t = 0; t < a->steps; t++) {
		float *v = copy_of(a->v, (size_t)(3 * n) * sizeof(float));
		float *vz = v, *vy = v + n, *vx = v + 2 * n;

		EACH(z, 0, nz) EACH(y, 0, ny) EACH(x, 0, nx) {
			int64_t i = z * plane + y * nx + x;
			int up = z < nz - 1, right = y < ny - 1, on = x < nx - 1;

			if (right && on)
				a->v[i] = fmaf(-a->hy, vx[i + nx] - vx[i],
					fmaf(a->hx, vy[i + 1] - vy[i], vz[i]));
			if (up && on)
				a->v[n + i] = fmaf(-a->hx, vz[i + 1] - vz[i],
					fmaf(a->hz, vx[i + plane] - vx[i], vy[i]));
			if (up && right)
				a->v[2 * n + i] = fmaf(-a->hz, vy[i + plane] - vy[i],
					fmaf(a->hy, vz[i + nx] - vz[i], vx[i]));
		}
		free(v);
	}
}

static void
curl_fill(Check *c, curl_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	a->steps = check_steps(c);
	FIELD(c, a->v, F32, 3 * a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(curl)
