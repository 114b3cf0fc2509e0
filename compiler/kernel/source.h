/* source.h: what a kernel reads, field by field. */
#pragma once

#include "plan/plan.h"

/* The taps of one component and level of a field, under one boundary, that stand
 * at constant distances from the cell on the stage's own grid. */
typedef struct {
	Field *field;
	int component, level;
	Boundary *boundary;   /* NULL: no tap can leave the grid */
	int lo[IR_MAX_RANK];  /* distances, per axis: from LO to HI */
	int hi[IR_MAX_RANK];
	gboolean strays[IR_MAX_RANK][2]; /* a tap that has no boundary leaves the grid there:
	                      * beside others that have one, in what a called stencil reads */
	GPtrArray *taps;      /* Expr */
} KSource;

/* The sources of STAGE in the order of their first taps, each with its cell's own
 * place among the distances.  Taps of other grids, scaled ones, and those of
 * fields that do not vary along AXIS go to FAR (Expr).  Free both with the array. */
GPtrArray *stage_sources(const Stage *stage, int axis, Arena *arena, GPtrArray *far);

GPtrArray *sources_new(void);

/* Adds those of stage N of PLAN.  Taps of what an earlier stage of the plan writes go
 * to PASSED. */
void source_add_stage(GPtrArray *sources, const Plan *plan, int n, int axis, Arena *arena,
	GPtrArray *far, GPtrArray *passed);

/* The source of these, made where there is none. */
KSource *source_get(GPtrArray *sources, Arena *arena, Field *field, int component, int level,
	Boundary *boundary);

/* Those of PASSED, taps of what another stage of the step makes: at level 0, as far as they
 * reach. */
void source_add_passed(GPtrArray *sources, Arena *arena, const GPtrArray *passed);

/* The stage of PLAN that makes the next level of what SOURCE reads; NULL: none does. */
const Stage *source_maker(const Plan *plan, const KSource *source);

/* Its number in the launch; -1: none. */
int source_maker_number(const Plan *plan, const KSource *source);

/* It is there before the steps; others than the launch's stages read what the last of them
 * makes. */
gboolean source_comes(const Plan *plan, const KSource *source);
gboolean source_goes(const Plan *plan, const KSource *source);

/* A tap of S may leave the grid along AXIS, at a face that says what it reads then. */
gboolean source_leaves(const KSource *s, int axis);

/* How far STAGE reads beside a cell along AXIS, below (FACE 0) or above; and at most. */
int stage_reach(const Stage *stage, int axis, int face);
/* Both together. */
int stage_breadth(const Stage *stage, int axis);
void stage_reaches(const Stage *stage, int reach[IR_MAX_RANK][2]);
int stage_radius(const Stage *stage);
