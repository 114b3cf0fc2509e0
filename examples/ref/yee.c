/* yee.c: reference of yee.st. */
// compare: exact
// Every update is one fused multiply-add.
#include "reference.h"
#include "yee.h"

/* Component C of the curl, with differences over a step of DIRECTION; *INNER:
 * the cell has the neighbours for it.  curl[c] = d u[p]/dq - d u[q]/dp, where
 * p, q are (y, x) for c = z, (x, z) for y, and (z, y) for x. */
static float
curl(const float *u, const yee_args *a, int64_t c, int64_t i, int direction, int *inner)
{
	static const int axes[3][2] = { { 1, 2 }, { 2, 0 }, { 0, 1 } };
	int64_t n[3] = { a->nz, a->ny, a->nx }, cells = n[0] * n[1] * n[2];
	int64_t at[3] = { i / (n[1] * n[2]), i / n[2] % n[1], i % n[2] };
	int64_t far[3] = { n[1] * n[2], n[2], 1 };
	int p = axes[c][0], q = axes[c][1];
	const float *up = u + p * cells + i, *uq = u + q * cells + i;

	*inner = inside(at[p] + direction, n[p]) && inside(at[q] + direction, n[q]);
	if (!*inner)
		return 0;
	return direction > 0 ? (up[far[q]] - up[0]) - (uq[far[p]] - uq[0])
		: (up[0] - up[-far[q]]) - (uq[0] - uq[-far[p]]);
}

void
yee_reference(const yee_args *a)
{
	int64_t n = a->nz * a->ny * a->nx;
	int inner;

	for (int64_t t = 0; t < a->steps; t++) {
		EACH(c, 0, 3) EACH(i, 0, n) {
			float d = curl(a->e, a, c, i, 1, &inner);

			if (inner)
				a->h[c * n + i] = fmaf(-a->ch[i], d, a->h[c * n + i]);
		}
		EACH(c, 0, 3) EACH(i, 0, n) {
			float d = curl(a->h, a, c, i, -1, &inner);

			if (inner)
				a->e[c * n + i] = fmaf(a->ce[i], d, a->e[c * n + i]);
		}
	}
}

static void
yee_fill(Check *c, yee_args *a)
{
	int64_t n;

	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	a->steps = check_steps(c);
	n = a->nz * a->ny * a->nx;
	FIELD(c, a->e, F32, 3 * n, -1, 1);
	FIELD(c, a->h, F32, 3 * n, -1, 1);
	FIELD(c, a->ce, F32, n, 0.3, 0.5);
	FIELD(c, a->ch, F32, n, 0.3, 0.5);
}

CHECK_STENCIL(yee)
