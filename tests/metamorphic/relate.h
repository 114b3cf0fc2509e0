/* relate.h: a stencil under a change of coordinates, run and looked at. */
#pragma once

#include "problem.h"

enum { MAX_TEXT = 256 };

/* How data lie and how they are computed, the meaning being the same. */
typedef struct {
	int mirror, components, pitched, shifted;
	int64_t roll;
	int scaled;        /* fields and results times powers of two, as the facts say */
	int single;        /* as many calls of one step each */
	int pieces;        /* boxes computed one by one, each from the start; 0: none */
	int64_t steps;
} Change;

typedef struct {
	const stencil_description *what;
	stencil_context *ctx; /* NULL: on the host */
	const char *facts;    /* the whole file; "": none */
	double scale;         /* of scalars */
	Sizes sizes;
	int underflow;        /* or overflow, in the last run on the host */
} Trial;

/* A line a cell; a result whose order of summing is not promised has a ~ before it. */
typedef struct {
	char *text; /* NULL: empty */
	size_t used, room;
} Text;

void text_append(Text *t, const char *line);

/* ---- view.c ---- */

/* What stands after "STENCIL RELATION " in the facts; NULL: nothing is said. */
const char *fact(const Trial *trial, const char *relation, char *text);

/* Fills the arrays' initial contents, seen through CHANGE. */
void view_fill(Problem *p, const Trial *trial, const Change *change);

/* Where a run of TRIAL leaves an array. */
void *view_memory(const Trial *trial, const Array *array);

/* Appends what ARRAY holds, seen through CHANGE. */
void view_print(const Array *array, const Trial *trial, const Change *change, Text *out);

/* ---- trial.c ---- */

/* Extents by the place of the axis in the order of names. */
void trial_choose_sizes(Trial *trial);

/* Runs the stencil under CHANGE; what came out is appended to OUT. */
stencil_status trial_run(Trial *trial, const Change *change, Text *out);

/* The same, with smaller scalars where the program refuses them, from now on. */
stencil_status trial_run_first(Trial *trial, const Change *change, Text *out);
