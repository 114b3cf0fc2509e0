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
	CASES_ALL,      /* sizes x layouts x steps */
} CaseSet;

/* Case I of D, sizes that are given in KNOWN being kept, and STEPS where that is
 * not negative; 0 where there are no more. */
int case_get(const stencil_description *d, const Sizes *known, int64_t steps, CaseSet set, int i,
	Case *c);

/* "y=61 x=97, steps 1+2, pitch, box". */
void case_print(const Case *c, const stencil_description *d, char *text, size_t room);
