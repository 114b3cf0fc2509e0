/* relax.c: reference of relax.st. */
// compare: exact
// A product by 0.25 is exact, and so is a maximum.
#include "reference.h"
#include "relax.h"

void
relax_reference(const relax_args *a)
{
	int64_t ny = a->ny, nx = a->nx, done = 0;

	while (done < a->steps) {
		float *u = copy_of(a->u, (size_t)(ny * nx) * sizeof(float)), change = 0;

		EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) {
			int64_t i = y * nx + x;

			a->u[i] = 0.25f * (u[i - nx] + u[i + nx] + u[i - 1] + u[i + 1] - a->f[i]);
			change = fmaxf(change, fabsf(a->u[i] - u[i]));
		}
		free(u);
		*a->change = change;
		done++;
		if (done % 3 == 0 && change < a->tolerance)
			break;
	}
	*a->steps_done = done;
}

static void
relax_fill(Check *c, relax_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = 5 * check_steps(c);
	a->tolerance = 0.05f;
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->f, F32, a->ny * a->nx, -0.1, 0.1);
	FIELD(c, a->change, F32, 1, -9, -1);
	FIELD(c, a->steps_done, I64, 1, -9, -1);
}

CHECK_STENCIL(relax)
