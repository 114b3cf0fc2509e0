/* main.c: solves Poisson's equation in a box by multigrid, and shows beside the
 * factor of each V-cycle what the reference needs it to be.
 *
 *   poisson [-7dg] [-c CYCLES] [N | NZ NY NX]
 *
 *   -7   the seven-point stencil; else the 27 points of finite elements
 *   -d   double precision
 *   -g   on the GPU
 *
 * Exit status: 0 the factors agree within 5 %; 1 they do not, or something
 * failed, and it was said what; 2 wrong usage.
 */
#include "solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double agreement = 0.05;
/* Rounding blurs a residual that is not this many times as large as it. */
static const double clear_of_rounding = 6;

typedef struct {
	Problem problem;
	const Solver *solver;
	int on_gpu, cycles;
} Run;

/* The grids of a problem: where to begin, what to solve, and the solution. */
typedef struct {
	size_t points;
	double *start, *f, *exact;
} Grids;

/* ---- the problem ---- */

/* -div grad phi = psi with phi = sin(pi x) sin(pi y) sin(pi z) + x y z, the walls
 * being given; inside, the solvers begin with noise. */
static void
fill(Grids *g, const Problem *p)
{
	const double pi = acos(-1), spacing = 1.0 / (p->n[2] - 1);
	double waves = 0;
	unsigned random = 1;
	size_t i = 0;

	for (int a = 0; a < 3; a++)
		waves += pow(pi / (p->n[a] - 1), 2);
	for (int z = 0; z < p->n[0]; z++)
		for (int y = 0; y < p->n[1]; y++)
			for (int x = 0; x < p->n[2]; x++, i++) {
				int wall = z == 0 || z == p->n[0] - 1 || y == 0
					|| y == p->n[1] - 1 || x == 0 || x == p->n[2] - 1;
				double wave = wall ? 0 : sin(pi * z / (p->n[0] - 1))
					* sin(pi * y / (p->n[1] - 1)) * sin(pi * x / (p->n[2] - 1));

				random = random * 1664525u + 1013904223u;
				g->exact[i] = wave + spacing * spacing * spacing * z * y * x;
				g->f[i] = waves * wave;
				g->start[i] = wall ? g->exact[i] : random / 4294967296.0 - 0.5;
			}
}

static void
free_grids(Grids *g)
{
	free(g->start);
	free(g->f);
	free(g->exact);
}

static int
make_grids(Grids *g, const Problem *p)
{
	g->points = (size_t)p->n[0] * (size_t)p->n[1] * (size_t)p->n[2];
	g->start = malloc(g->points * sizeof(double));
	g->f = malloc(g->points * sizeof(double));
	g->exact = malloc(g->points * sizeof(double));
	if (!g->start || !g->f || !g->exact) {
		fprintf(stderr, "poisson: out of memory\n");
		free_grids(g);
		return -1;
	}
	fill(g, p);
	return 0;
}

/* ---- the comparison ---- */

/* How much of a residual's norm rounding is, if the solution is like EXACT. */
static double
rounding(const Run *run, const Grids *g)
{
	double squares = 0;

	for (size_t i = 0; i < g->points; i++)
		squares += g->exact[i] * g->exact[i];
	return run->solver->epsilon * 2 * run->problem.c[0] * sqrt(squares);
}

/* Solves with both side by side; 0 if they agree as long as can be told. */
static int
solve(const Run *run, const Grids *g, void *ours, void *theirs)
{
	const Solver *solver = run->solver;
	double floor = clear_of_rounding * rounding(run, g), norm, before, wanted, wanted_before;
	int differ = 0, compared = 0;

	if (solver->set(ours, g->start, g->f) || solver->residual(ours, &before)
	    || reference.set(theirs, g->start, g->f)
	    || reference.residual(theirs, &wanted_before))
		return -1;
	printf("cycle    residual    factor   reference\n    0  %10.3e\n", before);
	for (int i = 1; i <= run->cycles && before > 0; i++) {
		if (solver->cycle(ours) || solver->residual(ours, &norm)
		    || reference.cycle(theirs) || reference.residual(theirs, &wanted))
			return -1;
		double factor = norm / before, right = wanted / wanted_before;
		int known = wanted > floor, wrong = !(fabs(factor - right) <= agreement * right);

		printf("%5d  %10.3e  %8.4f  %10.4f%s\n", i, norm, factor, right,
			!known ? "  (rounding)" : wrong ? "  DIFFERS" : "");
		compared += known;
		differ += known && wrong;
		before = norm;
		wanted_before = wanted;
	}
	if (compared == 0) {
		fprintf(stderr, "poisson: no factor is clear of rounding: take a larger grid\n");
		return -1;
	}
	if (differ > 0) {
		fprintf(stderr, "poisson: %d of %d factors differ\n", differ, compared);
		return -1;
	}
	printf("%d factors agree within %.0f %%\n", compared, 100 * agreement);
	return 0;
}

/* Overwrites START with the solution that was found. */
static int
show_error(const Run *run, Grids *g, void *solver)
{
	double worst = 0;

	if (run->solver->get(solver, g->start))
		return -1;
	for (size_t i = 0; i < g->points; i++)
		worst = fmax(worst, fabs(g->start[i] - g->exact[i]));
	printf("greatest error against the solution: %.4e\n", worst);
	return 0;
}

static int
run_problem(const Run *run, stencil_context *gpu)
{
	const Problem *p = &run->problem;
	Grids g;
	int status = -1;

	if (make_grids(&g, p))
		return -1;
	void *ours = run->solver->create(p, gpu);
	void *theirs = reference.create(p, NULL);
	printf("%d x %d x %d points, %s, on the %s, %d-point stencil\n", p->n[0], p->n[1], p->n[2],
		run->solver->name, gpu ? "GPU" : "CPU", p->c[3] != 0 ? 27 : 7);
	if (ours && theirs && solve(run, &g, ours, theirs) == 0)
		status = show_error(run, &g, ours);
	run->solver->destroy(ours);
	reference.destroy(theirs);
	free_grids(&g);
	return status;
}

/* ---- the command line ---- */

static const Problem finite_elements = {
	{ 65, 65, 65 }, { 8.0 / 3, 0, -1.0 / 6, -1.0 / 12 }, 1,
};
static const Problem finite_differences = {
	{ 65, 65, 65 }, { 6, -1, 0, 0 }, 6.0 / 7,
};

/* 0, or -1 if the words make no sense. */
static int
parse(Run *run, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "7dgc:")) != -1)
		switch (option) {
		case '7': run->problem = finite_differences; break;
		case 'd': run->solver = &solver64; break;
		case 'g': run->on_gpu = 1; break;
		case 'c': run->cycles = atoi(optarg); break;
		default: return -1;
		}
	if (argc - optind != 0 && argc - optind != 1 && argc - optind != 3)
		return -1;
	for (int a = 0; optind < argc && a < 3; a++) {
		run->problem.n[a] = atoi(argv[argc - optind == 3 ? optind + a : optind]);
		if (run->problem.n[a] < 3)
			return -1;
	}
	return run->cycles > 0 ? 0 : -1;
}

int
main(int argc, char **argv)
{
	Run run = { finite_elements, &solver32, 0, 8 };
	stencil_context *gpu = NULL;
	int status = -1;

	if (parse(&run, argc, argv)) {
		fprintf(stderr, "usage: poisson [-7dg] [-c CYCLES] [N | NZ NY NX]\n");
		return 2;
	}
	if (!run.on_gpu || stencil_context_create(&gpu, 0) == STENCIL_OK)
		status = run_problem(&run, gpu);
	else
		fprintf(stderr, "poisson: %s\n", stencil_last_error());
	stencil_context_destroy(gpu);
	return status != 0;
}
