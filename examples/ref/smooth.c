/* smooth.c: reference of smooth.st. */
// compare: exact
// variant: -Dpasses=4 -Dorder=4
// All products but 0.75*s are exact, and that one is rounded.
#include "reference.h"
#include "smooth.h"

#ifdef WITH_passes
enum { PASSES = WITH_passes, ORDER = WITH_order };
#else
enum { PASSES = 3, ORDER = 2 };
#endif

/* What cell X of a row becomes in one pass. */
static float
passed(const float *row, int64_t x, int64_t nx)
{
	float c = row[x], l = row[clamp_at(x - 1, nx)], r = row[clamp_at(x + 1, nx)];

	if (ORDER == 2)
		return 0.25f * l + 0.5f * c + 0.25f * r;
	return 0.75f * c + 0.125f * (l + r) + 0.0625f * (row[clamp_at(x - 2, nx)] - c)
		+ 0.0625f * (row[clamp_at(x + 2, nx)] - c);
}

void
smooth_reference(const smooth_args *a)
{
	int64_t n = a->ny * a->nx, nx = a->nx;
	float *s = copy_of(a->u, (size_t)n * sizeof(float));
	float *before = copy_of(a->u, (size_t)n * sizeof(float));

	for (int pass = 0; pass < PASSES; pass++) {
		memcpy(before, s, (size_t)n * sizeof(float));
		for (int64_t i = 0; i < n; i++)
			s[i] = passed(before + i / nx * nx, i % nx, nx);
	}
	for (int64_t i = 0; i < n; i++)
		a->v[i] = PASSES % 2 == 1 ? s[i] : 0.5f * (s[i] + before[i]);
	free(s);
	free(before);
}

static void
smooth_fill(Check *c, smooth_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->v, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(smooth)
