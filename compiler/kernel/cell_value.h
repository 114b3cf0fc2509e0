/* cell_value.h: a thread's cells, all at once, and what their stage's value asks beside what the
 * kernel has of fields: what varies along some axes only, which step it is, where the cell is.
 */
#pragma once

#include "kernel/profile.h"

typedef struct {
	GPtrArray *each;            /* what is done to one of the cells, */
	const KExpr *column, *row;  /* of the thread, this one */
	Expr *value;
	GHashTable *bound;          /* by the leaf; the caller adds what it has, for k_value */
	const KVar *at[K_AT_N];
} CellValue;

/* What PLAN's stages ask of that before the walk: PROFILES and DRIVEN get it. */
void cell_values_begin(KKernel *k, const Plan *plan, const Profiles *p, GHashTable *profiles,
	GHashTable *driven);

/* Of STAGE, one step on from STEP, by threads whose cells are those of P; PROFILES and DRIVEN: what
 * was worked out before the walk. */
CellValue cell_value(KKernel *k, GPtrArray *body, const Stage *stage, const KExpr *step,
	const Profiles *p, GHashTable *profiles, GHashTable *driven);
