/* reference.c: the same multigrid, from the textbook: plain loops in double.
 *
 * The correction of a coarse grid is spread by trilinear interpolation, and the
 * residual gathered by its adjoint.
 */
#include "solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	int n[3];
	double *u, *f, *r;
} Level;

typedef struct {
	Problem problem;
	int n_levels;
	Level level[MAX_LEVELS];
} Multigrid;

#define INNER(i, n) for (int i = 1; i < (n) - 1; i++)
#define NEAR(d) for (int d = -1; d <= 1; d++)

static size_t
points_of(const Level *l)
{
	return (size_t)l->n[0] * (size_t)l->n[1] * (size_t)l->n[2];
}

static size_t
at(const Level *l, int z, int y, int x)
{
	return ((size_t)z * (size_t)l->n[1] + (size_t)y) * (size_t)l->n[2] + (size_t)x;
}

/* r = f - A u inside; the walls of r stay zero. */
static void
find_residual(const Multigrid *m, const Level *l)
{
	INNER(z, l->n[0]) INNER(y, l->n[1]) INNER(x, l->n[2]) {
		double sum = 0;

		NEAR(k) NEAR(j) NEAR(i)
			sum += m->problem.c[abs(k) + abs(j) + abs(i)]
				* l->u[at(l, z + k, y + j, x + i)];
		l->r[at(l, z, y, x)] = l->f[at(l, z, y, x)] - sum;
	}
}

static void
smooth(const Multigrid *m, const Level *l, int steps)
{
	for (int step = 0; step < steps; step++) {
		find_residual(m, l);
		for (size_t i = 0; i < points_of(l); i++)
			l->u[i] += m->problem.omega / m->problem.c[0] * l->r[i];
	}
}

/* How much a coarse point at 2*C has to do with the fine one at X. */
static double
share(int c, int x)
{
	return 1 - 0.5 * abs(2 * c - x);
}

/* Every fine residual goes to the coarse points around it: the adjoint of the
 * interpolation, divided by 8 points per point; times 4, as f is on the coarse grid. */
static void
restrict_residual(const Level *fine, const Level *coarse)
{
	memset(coarse->f, 0, points_of(coarse) * sizeof(double));
	INNER(z, fine->n[0]) INNER(y, fine->n[1]) INNER(x, fine->n[2])
		for (int k = z / 2; k <= (z + 1) / 2; k++)
			for (int j = y / 2; j <= (y + 1) / 2; j++)
				for (int i = x / 2; i <= (x + 1) / 2; i++)
					coarse->f[at(coarse, k, j, i)] += 4.0 / 8
						* share(k, z) * share(j, y) * share(i, x)
						* fine->r[at(fine, z, y, x)];
}

static void
add_correction(const Level *fine, const Level *coarse)
{
	INNER(z, fine->n[0]) INNER(y, fine->n[1]) INNER(x, fine->n[2])
		for (int k = z / 2; k <= (z + 1) / 2; k++)
			for (int j = y / 2; j <= (y + 1) / 2; j++)
				for (int i = x / 2; i <= (x + 1) / 2; i++)
					fine->u[at(fine, z, y, x)] += share(k, z) * share(j, y)
						* share(i, x) * coarse->u[at(coarse, k, j, i)];
}

static void
cycle_from(const Multigrid *m, int depth)
{
	const Level *fine = &m->level[depth], *coarse = fine + 1;

	if (depth == m->n_levels - 1) {
		smooth(m, fine, COARSEST);
		return;
	}
	smooth(m, fine, depth == 0 ? BEFORE_FINEST : BEFORE);
	find_residual(m, fine);
	restrict_residual(fine, coarse);
	memset(coarse->u, 0, points_of(coarse) * sizeof(double));
	cycle_from(m, depth + 1);
	add_correction(fine, coarse);
	smooth(m, fine, AFTER);
}

/* ---- the interface ---- */

static void
destroy(void *solver)
{
	Multigrid *m = solver;

	for (int i = 0; m && i < m->n_levels; i++) {
		free(m->level[i].u);
		free(m->level[i].f);
		free(m->level[i].r);
	}
	free(m);
}

static void *
create(const Problem *problem, stencil_context *gpu)
{
	Multigrid *m = calloc(1, sizeof *m);
	int n[3], more = 1;

	(void)gpu;
	if (!m)
		return NULL;
	m->problem = *problem;
	memcpy(n, problem->n, sizeof n);
	while (more) {
		Level *l = &m->level[m->n_levels++];

		memcpy(l->n, n, sizeof l->n);
		l->u = calloc(points_of(l), sizeof(double));
		l->f = calloc(points_of(l), sizeof(double));
		l->r = calloc(points_of(l), sizeof(double));
		if (!l->u || !l->f || !l->r) {
			fprintf(stderr, "poisson: out of memory\n");
			destroy(m);
			return NULL;
		}
		more = can_be_halved(n);
		for (int i = 0; i < 3; i++)
			n[i] = (n[i] + 1) / 2;
	}
	return m;
}

static int
set(void *solver, const double *u, const double *f)
{
	Multigrid *m = solver;

	memcpy(m->level->u, u, points_of(m->level) * sizeof *u);
	memcpy(m->level->f, f, points_of(m->level) * sizeof *f);
	return 0;
}

static int
get(void *solver, double *u)
{
	Multigrid *m = solver;

	memcpy(u, m->level->u, points_of(m->level) * sizeof *u);
	return 0;
}

static int
residual(void *solver, double *norm)
{
	Multigrid *m = solver;
	double squares = 0;

	find_residual(m, m->level);
	for (size_t i = 0; i < points_of(m->level); i++)
		squares += m->level->r[i] * m->level->r[i];
	*norm = sqrt(squares);
	return 0;
}

static int
cycle(void *solver)
{
	cycle_from(solver, 0);
	return 0;
}

const Solver reference = {
	"reference", 0x1p-53, create, destroy, set, get, residual, cycle,
};
