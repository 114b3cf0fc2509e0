/* driven.h: what of a stage's value the step alone decides, and takes long: `sin(w*t)` of a source.
 * It is worked out once for each step of a sweep, before the walk.
 */
#pragma once

#include "kernel/kir.h"

/* A table for what is worked out; the caller's.  NULL: no cell of PLAN's stages asks which step
 * it is. */
GHashTable *driven_table(const Plan *plan);

/* Into KNOWN, by the part of STAGE's value: registers, one for each of STEPS. */
void driven_load(KKernel *k, GPtrArray *body, const Stage *stage, int steps, GHashTable *known);

/* STAGE's value, with those of KNOWN at STEP, which BOUND gets, for what they stand for; AT: the
 * step, where it is asked for all the same. */
Expr *driven_bind(KKernel *k, GPtrArray *body, const Stage *stage, const KExpr *step,
	GHashTable *known, GHashTable *bound, const KVar *at[K_AT_N]);
