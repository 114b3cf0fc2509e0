/* patch.c: reference of patch.st. */
// compare: exact
// The last product is fused; 4u is exact.
#include "reference.h"
#include "patch.h"

enum { NY = 24, NX = 20 };

void
patch_reference(const patch_args *a)
{
	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, NY * NX * sizeof(float));

		EACH(y, 0, NY) EACH(x, 0, NX) {
			float c = u[y * NX + x];
			float lap = u[(y + NY - 1) % NY * NX + x] + u[(y + 1) % NY * NX + x]
				+ u[y * NX + (x + NX - 1) % NX] + u[y * NX + (x + 1) % NX] - 4 * c;

			a->u[y * NX + x] = fmaf(a->k * lap, 1 - (float)y / NY, c);
		}
		free(u);
	}
}

static void
patch_fill(Check *c, patch_args *a)
{
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, NY * NX, -1, 1);
}

CHECK_STENCIL(patch)
