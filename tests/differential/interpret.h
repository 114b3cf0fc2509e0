/* interpret.h: random programs, with random plans, by the interpreter of kernels
 * against what the programs mean.
 */
#pragma once

#include "kernel/lower.h"
#include "opt/fold.h"
#include "schedule/schedule.h"

/* ---- programs: interpret-text.c ---- */

/* As `generate SEED` prints it. */
GString *random_program(guint64 seed);

/* ---- chance: interpret.c ---- */

typedef struct {
	guint64 state;
} Chance;

/* Three numbers make it. */
Chance chance_new(guint64 a, guint64 b, guint64 c);
int below(Chance *c, int n);
int between(Chance *c, int lo, int hi);
gboolean chance(Chance *c, int percent);

/* ---- plans: interpret-plan.c ---- */

/* TRUE if several steps of S in one sweep are not out of the question. */
gboolean may_sweep(const Stencil *s);
/* The words of a plan, as of --set, for the stages of S. */
GPtrArray *random_plan(const Stencil *s, Chance *c);
/* PLAN has run: its words are counted. */
void count_plan(const Plan *plan, Variant variant);
/* "# march, threads: ..." a line; gives the number of those that have never been seen,
 * which are named. */
int print_counts(void);

/* ---- sizes and values: interpret-world.c ---- */

typedef struct {
	gint64 stride[IR_MAX_RANK], component, elements;
} Layout;

/* A field at a time level. */
typedef struct {
	void *data, *copy;   /* COPY: what a kernel writes to */
	guint8 *raw, *raw_copy;
} Held;

typedef struct {
	const Stencil *s;
	gint64 (*extent)[IR_MAX_RANK]; /* by Grid.index */
	gint64 box[2][IR_MAX_RANK];
	gint64 step;
	Layout *layout;     /* by Field.index */
	Held **buffer;    /* [Field.index][1 - level] */
	FoldValue *scalar, **table, *result; /* by index */
	gboolean tame;      /* all reals are numbers of a middling size */
} World;

/* PLAN: whose tiles the sizes shall suit, at times.  NULL: no size suits the boundaries. */
World *world_new(const Stencil *s, const Plan *plan, Chance *c, gboolean tame);
void world_free(World *w);
Held *buffer_of(const World *w, const Field *f, int level);
gint64 bound_at(const World *w, const Bound *b);
/* "z 3, y 17, x 64" */
char *world_text(const World *w);

FoldValue element_load(Type type, const void *data, gint64 at);
void element_store(Type type, void *data, gint64 at, FoldValue v);

/* ---- what a program means: interpret-meaning.c ---- */

/* The value of a leaf that is no tap and no coordinate. */
FoldValue leaf_value(const World *w, const Expr *leaf);
/* Computes STAGE at every cell of its region, and what becomes of the others. */
void stage_means(const World *w, const Stage *stage, gboolean everywhere);
/* All levels of STAGE's target are one step older: the next one is free. */
void stage_ages(const World *w, const Stage *stage);

/* ---- launches: interpret-launch.c ---- */

/* TRUE if kernels of PLAN may add in another order than the program. */
gboolean plan_reorders(const Plan *plan);

/* The kernels of all launches of a plan. */
typedef struct Kernels Kernels;

/* NULL: *WHY says what is wrong with one of them. */
Kernels *kernels_new(const Schedule *sched, char **why);
void kernels_free(Kernels *all);
/* Runs those whose launch W suits, and counts their plans; *N of them.  FALSE: *WHY says
 * what went wrong. */
gboolean kernels_run(Kernels *all, World *w, Chance *c, int *n, char **why);
