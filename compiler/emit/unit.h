/* unit.h: what the emitters of one stencil share; private to emit/. */
#pragma once

#include "emit/args.h"
#include "emit/emit.h"
#include "emit/expr.h"
#include "kernel/lower.h"

typedef enum { TARGET_HOST, TARGET_CUDA } Target;

/* One stencil on its way to one target. */
typedef struct {
	const Stencil *s;
	const Schedule *sched;
	const EmitOptions *options;
	Target target;
	gboolean tiles;            /* some launch stages tiles in shared memory */
	Arena *arena;
	Writer *w;
	gboolean has_extremes;     /* its cells take the least or the largest of integers */
	GPtrArray *members;        /* of the argument struct */
	/* members of the struct NAME_call, which entry.c declares */
	const char **grid;         /* per grid */
	const char **layout;       /* per field */
	const char **mask_layout;  /* per field; NULL: it has none */
	const char **slot;         /* per slot: its offset */
	/* what the function that runs the stencil calls its memory */
	Names *names;              /* of that function */
	const char **pointer;      /* per field: "a->u", "b"; an array of a ring's buffers */
	const char **mask;         /* per field */
	/* per launch: its function, and the boxes that it is given */
	const char **kernel;
	const char **cells;        /* what it runs over */
	const char **shape;        /* how the blocks of a single step lie */
	const char **region;       /* per stage: where the value is computed; NULL: all over
	                            * the launch's CELLS */
	const char **start;        /* likewise: where a scan can start; NULL: all over the grid */
} Unit;

/* What the function that runs the stencil calls what it knows of a kernel of several steps: how its
 * blocks lie, whether it may run, and over which cells: whole vectors, and what spans cover. */
typedef struct {
	const char *shape, *fits, *whole, *inner;
} SweepNames;

extern const SweepNames sweep_names[VARIANT_N]; /* NULL: its launch's are told apart by the steps */

Unit *unit_new(const Schedule *sched, Target target, const EmitOptions *o, Writer *w);
void unit_free(Unit *u);

/* TRUE if another unit's function calls this one's, which nobody else sees. */
gboolean unit_is_inner(const Unit *u);

/* It makes what stays, for another (Stencil.first). */
gboolean unit_is_first(const Unit *u);

/* "a->w" for the member of that kind. */
const char *unit_member(const Unit *u, MemberKind kind, const void *of, int number);

/* "c->grid.extent[0]", or the constant where it is one. */
const char *unit_extent(const Unit *u, const Grid *grid, int axis);

/* Buffers that the field's levels go round in, and how far they have gone after STEPS. */
int unit_ring(const Unit *u, const Field *field);
const char *unit_turns(const Unit *u, const Field *field, const char *steps);

/* The memory of a field's level while the steps run: "u[stencil_slot(1, step, 2)]". */
const char *unit_level(const Unit *u, const Field *field, int level);

/* A pointer to the first value of a table in the argument struct. */
const char *unit_table(const Unit *u, const Table *table);

/* A scalar of the argument struct, a result, a table's element, as values, where
 * no kernel has them as parameters.  USER of a style's leaf is the Unit. */
Text unit_leaf(const Expr *e, gpointer user);

/* TRUE if a launch of STAGE, a scan, runs over those cells only that it computes, which BOX
 * (unless NULL) becomes: no other needs anything. */
gboolean scan_is_boxed(const Unit *u, const Stage *stage, Region *box);

/* L runs over its whole grid: cells that a stage of it does not compute need something too, or the
 * boxes of its stages differ. */
gboolean launch_is_everywhere(const Unit *u, const Launch *l);

/* The first stage of L that is stored. */
const Stage *launch_stored(const Launch *l);

/* TRUE if the missing cells of a temp hold something, since tiles in shared memory
 * take them along with the others. */
gboolean fills_missing(const Unit *u, const Stage *stage);

/* TRUE if cells that STAGE does not compute are written: they keep what they had, or are filled. */
gboolean stores_gaps(const Unit *u, const Stage *stage);

/* The steps that are made at the end of a turn of the loop: "step + 1", or, where sweeps of
 * several make them, "done". */
const char *unit_done(const Unit *u);
/* The index of the step that a launch of STAGE makes first; of one that only looks at steps, and
 * where STAGE is NULL, of the last that was made. */
const char *unit_step(const Unit *u, const Stage *stage);

/* "(step + 1) % 50 == 0": whether `until` is tested then. */
const char *unit_test_due(const Unit *u);

/* "(step + 1) % 50 == 0 || step + 1 == a->steps": likewise, and at the last step. */
const char *unit_tested(const Unit *u);

/* ---- entry.c: the parts of the output that do not depend on the target ---- */

/* The struct NAME_call, NAME_measure, NAME_prepare, NAME_args_init, NAME_workspace. */
void emit_entry(Unit *u);

/* "const float *", "float *": what points at a field's elements. */
const char *storage_of(const Field *field);

/* "stencil_set_aside(ctx, ...)": room for SLOT in the workspace of `c`. */
const char *unit_set_aside(const Unit *u, const char *ctx, const Slot *slot);

/* In the function that runs the stencil: its buffers as local pointers into MEMORY. */
void emit_buffers(Unit *u);

/* In that function: the boxes of all launches. */
void emit_boxes(Unit *u);
