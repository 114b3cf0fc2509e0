/* cases.h: which sizes, layouts and numbers of steps a stencil is tried with. */
#pragma once

#include "sizes.h"

enum { CASE_MAX_CALLS = 2 };

typedef struct {
	Sizes sizes;
	int pitched, shifted, boxed, own_workspace;
	int64_t t0;
	int n_calls;
	int64_t steps[CASE_MAX_CALLS]; /* of consecutive calls on the same memory */
} Case;

typedef enum {
	CASES_COVERING, /* every size twice, layouts and steps in turn */
	CASES_QUICK,    /* the same, small sizes only */
	CASES_LARGE,    /* large sizes only, plain, with many steps: what tiles are for */
	CASES_FILLING,  /* a size that leaves no GPU idle, plain, one call of many steps */
	CASES_ALL,      /* sizes x layouts x steps */
} CaseSet;

/* What there is to choose: sizes that are given in KNOWN are kept, and STEPS where
 * that is not negative.  The extents that the caller may choose are FACTOR times
 * those of the tables: of GRID, of all grids where that is -1. */
typedef struct {
	const stencil_description *what;
	Sizes known;
	int64_t steps;
	CaseSet set;
	int few_steps; /* of large sizes, too */
	int large_once; /* of a covering set: in one layout, not in two */
	int64_t factor; /* 0: 1 */
	int grid;
} Cases;

/* Case I; 0 where there are no more. */
int case_get(const Cases *cases, int i, Case *c);

/* Where the tables' sizes are all refused: sets the I-th larger factor that is to be
 * tried, and the case to try it with; 0 where there are no more. */
int case_grow(Cases *cases, int i, Case *c);

/* "y=61 x=97, steps 1+2, pitch, box". */
void case_print(const Case *c, const stencil_description *d, char *text, size_t room);
