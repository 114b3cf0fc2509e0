/* explain.h: why these plans: what there was to choose from, and what the model says of it.
 *
 * explain.c collects the facts; explain-text.c, explain-json.c and explain-html.c say
 * them.  What they print is the same from run to run.
 */
#pragma once

#include "choose/blocks.h"
#include "choose/candidates.h"
#include "unit.h"

/* A launch. */
typedef struct {
	const Plan *plan;
	const char *kernel;            /* its function in the output */
	const char *whole;             /* why a scan's lines are not cut; NULL: they may be */
	const char *model;             /* whose choice it is, of --model; NULL: our own */
	GPtrArray *candidates;         /* Candidate, the best first, those ruled out last */
	const char *between;           /* how it goes between two tests of `until`; NULL */
	gboolean looks;                /* it only looks at the steps: once a call, or where
	                                * `until` is tested */
	int n_apart;                   /* the launches that a plan of several stages stands for, */
	double apart;                  /* and their seconds a cell and step; 0: none, or unknown */
	const Candidate *chosen;       /* never NULL; its KILLED: the model does not know it */
	gboolean integers;             /* what is counted: they are more than those of reals */
	int ops_written, ops;          /* of a cell: in the program, and after the passes */
	double ops_kernel;             /* and by the chosen kernel, of a cell and step; less than
	                                * 0: there is no kernel IR */
	int first_line, last_line;     /* of its stages in the program; 0: elsewhere */
	double cells;
	double bytes;                  /* of a value; of the largest that it writes */
	int most_threads, best_threads; /* of a block, and those that a multiprocessor has most of:
	                                * section 4.6 of Cornwall et al. */
	BlockTable blocks;
} ExplainLaunch;

/* A measurement of `stencil bench', and what the model says of the same plan. */
typedef struct {
	const char *variant;
	double measured, predicted;    /* GCells/s; 0: it is not known */
	double effective;              /* bytes a cell that a copy moves in that time: section 6.2
	                                * of Krotkiewski and Dabrowski; 0: likewise */
} ExplainMeasure;

typedef struct {
	const Stencil *s;
	GPtrArray *launches;           /* ExplainLaunch */
	GPtrArray *measures;           /* ExplainMeasure */
	double cells;                  /* of the largest launch */
	double seconds;                /* of a step, all launches but those that only look at it,
	                                * and its part of the copies, if the number of steps is
	                                * known; 0: it is not */
	const char *layout;            /* of interleaved fields that are stepped, and why; NULL:
	                                * there are none */
	double copies;                 /* bytes of a cell that a call copies to make them planar */
	guint n_looking;               /* those */
	guint n_boxed;                 /* launches of calls with a box, if these have their own, */
	guint n_first;                 /* and those before the first step */
	int time;                      /* steps of a sweep; 1: single ones, or none are made */
} ExplainStencil;

typedef struct {
	const Device *device;
	const char *arch;              /* that the kernels are planned for */
	const char *name;              /* of the program, as messages have it */
	const Source *source;
	char *output;                  /* CUDA C; whoever frees the facts frees it */
	GPtrArray *stencils;           /* ExplainStencil */
} Explain;

/* explain.c: everything in the unit's arena but for OUTPUT.  An error is reported where there
 * is no stencil of the name that is asked for. */
Explain *explain_new(Unit *u);
void explain_free(Explain *x);

/* Seconds a cell and step that copies of BYTES a cell take, of so many STEPS; 0: it is not
 * known how many. */
double explain_copying(const Device *d, double bytes, double steps);

/* GCells/s of a cell and step in SECONDS; 0 for nothing. */
double explain_rate(double seconds);

/* How often the launches are: "a sweep of 5 steps", "a step", "a call"; and those that only look
 * at the steps.  In ARENA. */
const char *explain_pace(const ExplainStencil *x, Arena *arena);
const char *explain_looks(const ExplainStencil *x, Arena *arena);

/* "2 launches make k_stays and k_stays2, which each step would make anew", */
const char *explain_first(const ExplainStencil *x, Arena *arena);

/* and the calls that do not: "calls with a box, or of few steps". */
const char *explain_other_calls(const ExplainStencil *x);

/* What a table calls a candidate: its plan's words, or those it was asked for by.  To be
 * freed. */
char *explain_label(const Candidate *c);

/* Something is predicted of a candidate, if not of the one that is chosen. */
gboolean explain_has_table(const ExplainLaunch *l);

/* How often a cell is computed. */
double explain_redundancy(const Prediction *p);

/* How the chosen plan cuts the axis that it walks along: "12 chunks of 683 rows along y"; NULL: it
 * does not walk, or the model knows nothing of it.  In ARENA. */
const char *explain_chunks(const ExplainLaunch *l, Arena *arena);

/* Why the chosen plan is that; in ARENA. */
const char *explain_why(const ExplainLaunch *l, Arena *arena);

/* explain-measured.c: the measurements of FILE, JSON of `stencil bench', into what there is
 * of each stencil.  Those of another size or device are warned of; it is an error, and
 * reported, that FILE cannot be read, is something else, or has none of this program. */
void explain_measured(Unit *u, const char *file, Explain *x);

/* To OUT, all of it. */
void explain_text(const Explain *x, GString *out);
void explain_json(const Explain *x, GString *out);
void explain_html(const Explain *x, GString *out);
