/* solver.h: what can solve Poisson's equation; the compiled stencils and the
 * reference both look like this to main.c. */
#pragma once

#include "stencilrt.h"

/* A u = f at the inner points of a grid, whose points on the walls are given.
 * A point is c[0] times itself and c[1], c[2], c[3] times its neighbours across
 * faces, edges and corners; f is the source times the square of the spacing. */
typedef struct {
	int n[3];        /* points along z, y, x; at least 3 */
	double c[4];
	double omega;    /* how far a step of Jacobi's goes; 1: all the way */
} Problem;

enum {
	BEFORE_FINEST = 2, BEFORE = 1, AFTER = 1, /* smoothing steps of a cycle */
	COARSEST = 30,                            /* on a grid that has no coarser one */
};

/* The largest number of grids that problems can have. */
enum { MAX_LEVELS = 30 };

/* Whether a grid of N points has one with every other of them and inner points. */
static inline int
can_be_halved(const int n[3])
{
	for (int i = 0; i < 3; i++)
		if (n[i] < 5 || n[i] % 2 == 0)
			return 0;
	return 1;
}

typedef struct {
	const char *name;
	double epsilon;  /* of its arithmetic */
	/* NULL: it was said why not.  GPU is NULL for the CPU. */
	void *(*create)(const Problem *problem, stencil_context *gpu);
	void (*destroy)(void *solver); /* NULL is fine */
	/* The functions below: 0, or -1 when something failed, and it was said what. */
	int (*set)(void *solver, const double *u, const double *f);
	int (*get)(void *solver, double *u);
	/* The root of the sum of the squares of f - A u. */
	int (*residual)(void *solver, double *norm);
	/* One V-cycle. */
	int (*cycle)(void *solver);
} Solver;

extern const Solver solver32, solver64, reference;
