/* elastic.c: reference of elastic.st. */
// compare: exact
// dt*(...) is fused with what it is added to, and 2*mu*e with lambda's part.
#include "reference.h"
#include "elastic.h"

typedef struct {
	int64_t n[3], far[3], cells;
} Box;

/* The difference of U along AXIS at cell I, ahead (+1) or behind (-1); clears
 * *INNER where there is no such neighbour. */
static float
difference(const float *u, const Box *b, int64_t axis, int64_t i, int direction, int *inner)
{
	int64_t at = i / b->far[axis] % b->n[axis];

	if (!inside(at + direction, b->n[axis])) {
		*inner = 0;
		return 0;
	}
	return direction > 0 ? u[i + b->far[axis]] - u[i] : u[i] - u[i - b->far[axis]];
}

/* Velocity component K from the stresses: its own normal stress ahead, the
 * shear stresses that it shares with the other axes behind, in order. */
static void
push(const elastic_args *a, const Box *b, int64_t k, int64_t i)
{
	static const int shear[3][3] = { { -1, 0, 1 }, { 0, -1, 2 }, { 1, 2, -1 } };
	int inner = 1;
	float *v = a->v + k * b->cells, sum;

	sum = difference(a->n + k * b->cells, b, k, i, 1, &inner);
	EACH(d, 0, 3)
		if (d != k)
			sum += difference(a->s + shear[k][d] * b->cells, b, d, i, -1, &inner);
	if (inner)
		v[i] = fmaf(a->dt * a->buoyancy[i], sum, v[i]);
}

static void
strain(const elastic_args *a, const Box *b, int64_t i)
{
	static const int pair[3][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
	int inner = 1;
	float e[3], all;

	for (int k = 0; k < 3; k++)
		e[k] = difference(a->v + k * b->cells, b, k, i, -1, &inner);
	all = a->lambda[i] * (e[0] + e[1] + e[2]);
	for (int k = 0; k < 3 && inner; k++) {
		float *n = a->n + k * b->cells;

		n[i] = fmaf(a->dt, fmaf(2 * a->mu[i], e[k], all), n[i]);
	}
	for (int q = 0; q < 3; q++) {
		float *s = a->s + q * b->cells, sum;
		int k = pair[q][0], d = pair[q][1];

		inner = 1;
		sum = difference(a->v + k * b->cells, b, d, i, 1, &inner);
		sum += difference(a->v + d * b->cells, b, k, i, 1, &inner);
		if (inner)
			s[i] = fmaf(a->dt * a->mu[i], sum, s[i]);
	}
}

void
elastic_reference(const elastic_args *a)
{
	Box b = { { a->nz, a->ny, a->nx }, { a->ny * a->nx, a->nx, 1 }, a->nz * a->ny * a->nx };

	for (int64_t t = 0; t < a->steps; t++) {
		EACH(k, 0, 3) EACH(i, 0, b.cells)
			push(a, &b, k, i);
		for (int64_t i = 0; i < b.cells; i++)
			strain(a, &b, i);
	}
}

static void
elastic_fill(Check *c, elastic_args *a)
{
	int64_t n;

	a->nz = check_extent(c, 0, 1);
	a->ny = check_extent(c, 1, 1);
	a->nx = check_extent(c, 2, 1);
	a->steps = check_steps(c);
	n = a->nz * a->ny * a->nx;
	FIELD(c, a->v, F32, 3 * n, -1, 1);
	FIELD(c, a->n, F32, 3 * n, -1, 1);
	FIELD(c, a->s, F32, 3 * n, -1, 1);
	FIELD(c, a->buoyancy, F32, n, 0.5, 1);
	FIELD(c, a->lambda, F32, n, 0.5, 1);
	FIELD(c, a->mu, F32, n, 0.5, 1);
}

CHECK_STENCIL(elastic)
