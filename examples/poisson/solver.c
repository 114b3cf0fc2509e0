/* solver.c: multigrid by compiled stencils; compiled once for each type of the
 * numbers: BITS is 32 or 64.  WITH_GPU: for the GPU, too. */
#include "solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if BITS == 32
#include "poisson32.h"
typedef float Real;
#define NAMED(prefix, suffix) prefix##32##suffix
#define EPSILON 0x1p-24
#else
#include "poisson64.h"
typedef double Real;
#define NAMED(prefix, suffix) prefix##64##suffix
#define EPSILON 0x1p-53
#endif

typedef struct {
	int n[3];
	size_t points, bytes;
	Real *u, *f, *r;
} Level;

typedef struct {
	stencil_context *gpu;
	Real c[4], share;
	int n_levels;
	Level level[MAX_LEVELS];
	Real *staged;     /* on the host: a grid on its way to the device, or from it */
	double *squares;  /* in the memory the grids are in */
} Multigrid;

/* ---- memory of the CPU or of the GPU ---- */

static int
failed(const Multigrid *m, stencil_status status)
{
	if (status == STENCIL_OK)
		return 0;
	fprintf(stderr, "poisson: %s\n", m->gpu ? stencil_error(m->gpu) : stencil_last_error());
	return -1;
}

static int
clear(Multigrid *m, Real *field, size_t bytes)
{
	if (m->gpu)
		return failed(m, stencil_fill(m->gpu, field, 0, bytes));
	memset(field, 0, bytes);
	return 0;
}

/* Memory that holds zeros; NULL: it was said why not. */
static void *
take(Multigrid *m, size_t bytes)
{
	void *memory = NULL;

	if (!m->gpu) {
		memory = calloc(bytes, 1);
		if (!memory)
			fprintf(stderr, "poisson: out of memory\n");
	} else if (failed(m, stencil_malloc(m->gpu, &memory, bytes))
	    || clear(m, memory, bytes)) {
		stencil_free(m->gpu, memory);
		return NULL;
	}
	return memory;
}

static void
give(Multigrid *m, void *memory)
{
	if (m->gpu)
		stencil_free(m->gpu, memory);
	else
		free(memory);
}

/* From the host to where the grids are, and back. */
static int
put(Multigrid *m, void *to, const void *from, size_t bytes)
{
	if (m->gpu)
		return failed(m, stencil_upload(m->gpu, to, from, bytes));
	memcpy(to, from, bytes);
	return 0;
}

static int
fetch(Multigrid *m, void *to, const void *from, size_t bytes)
{
	if (m->gpu)
		return failed(m, stencil_download(m->gpu, to, from, bytes))
			|| failed(m, stencil_context_synchronize(m->gpu)) ? -1 : 0;
	memcpy(to, from, bytes);
	return 0;
}

/* ---- the operators ---- */

/* Calls the stencil NAME, which has ARGS, where the memory is. */
#ifdef WITH_GPU
#define CALL(m, name, args) failed((m), (m)->gpu ? NAMED(name, )((m)->gpu, (args)) \
	: NAMED(name, _host)(args))
#else
#define CALL(m, name, args) failed((m), NAMED(name, _host)(args))
#endif

/* Declares ARGS of the stencil NAME for LEVEL. */
#define ARGUMENTS(name, args, level) \
	NAMED(name, _args) args; \
	NAMED(name, _args_init)(&args); \
	args.fine_nz = (level)->n[0]; \
	args.fine_ny = (level)->n[1]; \
	args.fine_nx = (level)->n[2]

static int
smooth(Multigrid *m, const Level *level, int steps)
{
	ARGUMENTS(smooth, a, level);
	a.u = level->u;
	a.f = level->f;
	a.share = m->share;
	memcpy(a.c, m->c, sizeof a.c);
	a.steps = steps;
	return CALL(m, smooth, &a);
}

static int
find_residual(Multigrid *m, const Level *level)
{
	ARGUMENTS(residual, a, level);
	a.u = level->u;
	a.f = level->f;
	a.r = level->r;
	memcpy(a.c, m->c, sizeof a.c);
	return CALL(m, residual, &a);
}

static int
restrict_residual(Multigrid *m, const Level *level)
{
	ARGUMENTS(restrict, a, level);
	a.r = level->r;
	a.f = level[1].f;
	return CALL(m, restrict, &a);
}

static int
add_correction(Multigrid *m, const Level *level)
{
	ARGUMENTS(prolong, a, level);
	a.u = level->u;
	a.e = level[1].u;
	return CALL(m, prolong, &a);
}

static int
add_squares(Multigrid *m, const Level *level)
{
	ARGUMENTS(norm, a, level);
	a.r = level->r;
	a.squares = m->squares;
	return CALL(m, norm, &a);
}

static int
cycle_from(Multigrid *m, const Level *level)
{
	int finest = level == m->level;

	if (level == &m->level[m->n_levels - 1])
		return smooth(m, level, COARSEST);
	if (smooth(m, level, finest ? BEFORE_FINEST : BEFORE)
	    || find_residual(m, level)
	    || restrict_residual(m, level)
	    || clear(m, level[1].u, level[1].bytes)
	    || cycle_from(m, level + 1)
	    || add_correction(m, level))
		return -1;
	return smooth(m, level, AFTER);
}

/* ---- the interface ---- */

static void
destroy(void *solver)
{
	Multigrid *m = solver;

	if (!m)
		return;
	for (int i = 0; i < m->n_levels; i++) {
		give(m, m->level[i].u);
		give(m, m->level[i].f);
		give(m, m->level[i].r);
	}
	give(m, m->squares);
	free(m->staged);
	free(m);
}

/* Takes the memory of a grid; the points on the walls of f and r stay zero. */
static int
add_level(Multigrid *m, const int n[3])
{
	Level *level = &m->level[m->n_levels++];

	memcpy(level->n, n, sizeof level->n);
	level->points = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
	level->bytes = level->points * sizeof(Real);
	level->u = take(m, level->bytes);
	level->f = take(m, level->bytes);
	level->r = take(m, level->bytes);
	return level->u && level->f && level->r ? 0 : -1;
}

static void *
create(const Problem *problem, stencil_context *gpu)
{
	Multigrid *m = calloc(1, sizeof *m);
	int n[3], more = 1;

	if (!m)
		return NULL;
	m->gpu = gpu;
	m->share = (Real)(problem->omega / problem->c[0]);
	for (int i = 0; i < 4; i++)
		m->c[i] = (Real)problem->c[i];
	memcpy(n, problem->n, sizeof n);
	while (more) {
		if (add_level(m, n)) {
			destroy(m);
			return NULL;
		}
		more = can_be_halved(n);
		for (int i = 0; i < 3; i++)
			n[i] = (n[i] + 1) / 2;
	}
	m->staged = malloc(m->level->bytes);
	m->squares = take(m, sizeof *m->squares);
	if (!m->staged || !m->squares) {
		destroy(m);
		return NULL;
	}
	return m;
}

static int
put_rounded(Multigrid *m, Real *to, const double *from)
{
	for (size_t i = 0; i < m->level->points; i++)
		m->staged[i] = (Real)from[i];
	return put(m, to, m->staged, m->level->bytes);
}

static int
set(void *solver, const double *u, const double *f)
{
	Multigrid *m = solver;

	return put_rounded(m, m->level->u, u) || put_rounded(m, m->level->f, f) ? -1 : 0;
}

static int
get(void *solver, double *u)
{
	Multigrid *m = solver;

	if (fetch(m, m->staged, m->level->u, m->level->bytes))
		return -1;
	for (size_t i = 0; i < m->level->points; i++)
		u[i] = (double)m->staged[i];
	return 0;
}

static int
residual(void *solver, double *norm)
{
	Multigrid *m = solver;
	double squares;

	if (find_residual(m, m->level) || add_squares(m, m->level)
	    || fetch(m, &squares, m->squares, sizeof squares))
		return -1;
	*norm = sqrt(squares);
	return 0;
}

static int
cycle(void *solver)
{
	Multigrid *m = solver;

	return cycle_from(m, m->level);
}

const Solver NAMED(solver, ) = {
	sizeof(Real) == 4 ? "float" : "double", EPSILON, create, destroy, set, get, residual, cycle,
};
