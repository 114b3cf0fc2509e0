/* resume.c: reference of resume.st. */
// compare: exact
// A product by 0.5 is exact.
#include "reference.h"
#include "resume.h"

/* What far is at column X of a row; 0: it is missing. */
static int
far_at(const float *u, int64_t x, int64_t nx, float *far)
{
	int64_t at = mirror_at(x - 2, nx);

	if (at == 0 || at == nx - 1)
		return 0;
	*far = u[at - 1] + u[at + 1];
	return 1;
}

/* One row; SUM goes on only while no cell is missing. */
static void
row(const float *u, float *v, float *w, int64_t nx)
{
	int started = 0, ended = 0;
	float far = 0, sum = 0;

	for (int64_t x = 0; x < nx; x++) {
		int there = far_at(u, x, nx, &far);

		if (there && !ended) {
			sum = started ? sum + far : far;
			w[x] = sum;
		}
		if (there)
			v[x] = started ? 0.5f * v[x - 1] + far : far;
		ended |= started && !there;
		started |= there;
	}
}

void
resume_reference(const resume_args *a)
{
	EACH(t, 0, a->steps) EACH(y, 0, a->ny)
		row(a->u + y * a->nx, a->v + y * a->nx, a->w + y * a->nx, a->nx);
}

static void
resume_fill(Check *c, resume_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 3);
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->v, F32, a->ny * a->nx, -1, 1);
	FIELD(c, a->w, F32, a->ny * a->nx, -1, 1);
}

CHECK_STENCIL(resume)
