/* faces.c: reference of faces.st. */
// compare: exact
// The first product is rounded, the others are fused, in window order.
#include "reference.h"
#include "faces.h"

void
faces_reference(const faces_args *a)
{
	int64_t nz = a->nz, ny = a->ny, nx = a->nx;

	/* z.lo keep: plane 0 is not computed */
	EACH(z, 1, nz) EACH(y, 0, ny) EACH(x, 0, nx) {
		float s = 0;

		WITHIN(k, -1, 1) WITHIN(j, -1, 1) WITHIN(i, -1, 1) {
			int64_t v = y + 2 * j, u = x + 2 * i;
			float weight = (float)(9 * k + 3 * j + i), tap;

			v = v < 0 ? 0 : reflect_at(v, ny);
			u = u < 0 ? -u : u >= nx ? u - nx : u;
			tap = z + k >= nz ? a->lid : a->a[((z + k) * ny + v) * nx + u];
			s = k == -1 && j == -1 && i == -1 ? weight * tap
				: fmaf(weight, tap, s);
		}
		a->b[(z * ny + y) * nx + x] = s;
	}
}

static void
faces_fill(Check *c, faces_args *a)
{
	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 2);
	a->nx = check_extent(c, 2, 3);
	FIELD(c, a->a, F32, a->nz * a->ny * a->nx, -1, 1);
	FIELD(c, a->b, F32, a->nz * a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(faces)
