/* grayscott.c: reference of grayscott.st. */
// compare: exact
// Every product is fused with the sum that it is added to, left to right; of
// u*v*v the last one.
#include "reference.h"
#include "grayscott.h"

/* The neighbours of a cell on a torus, and four times it taken away. */
static float
laplacian(const float *u, int64_t ny, int64_t nx, int64_t y, int64_t x)
{
	float sum = u[wrap_at(y - 1, ny) * nx + x] + u[wrap_at(y + 1, ny) * nx + x];

	sum += u[y * nx + wrap_at(x - 1, nx)];
	sum += u[y * nx + wrap_at(x + 1, nx)];
	return fmaf(-4, u[y * nx + x], sum);
}

void
grayscott_reference(const grayscott_args *a)
{
	int64_t ny = a->ny, nx = a->nx;
	size_t bytes = (size_t)(ny * nx) * sizeof(float);

	for (int64_t t = 0; t < a->steps; t++) {
		float *u = copy_of(a->u, bytes), *v = copy_of(a->v, bytes);

		EACH(y, 0, ny) EACH(x, 0, nx) {
			int64_t i = y * nx + x;
			float s;

			s = fmaf(a->du, laplacian(u, ny, nx, y, x), u[i]);
			s = fmaf(-(u[i] * v[i]), v[i], s);
			a->u[i] = fmaf(a->feed, 1 - u[i], s);
			s = fmaf(a->dv, laplacian(v, ny, nx, y, x), v[i]);
			s = fmaf(u[i] * v[i], v[i], s);
			a->v[i] = fmaf(-(a->feed + a->kill), v[i], s);
		}
		free(u);
		free(v);
	}
}

static void
grayscott_fill(Check *c, grayscott_args *a)
{
	a->ny = check_extent(c, 0, 1);
	a->nx = check_extent(c, 1, 1);
	a->steps = check_steps(c);
	FIELD(c, a->u, F32, a->ny * a->nx, 0, 1);
	FIELD(c, a->v, F32, a->ny * a->nx, 0, 1);
}

CHECK_STENCIL(grayscott)
