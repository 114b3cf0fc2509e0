/* where.h: coordinates of cells, and which step it is, for stages whose cells ask for them. */
#pragma once

#include "kernel/kir.h"

/* A cell: N places, each along an axis of the grid.  What lies around an axis that wraps is its
 * other end. */
typedef struct {
	const Grid *grid;
	int n;
	int axis[IR_MAX_RANK];
	const KExpr *place[IR_MAX_RANK];
	gboolean around[IR_MAX_RANK];
} Where;

gboolean where_is_asked(const Stage *stage);

/* Cells of STAGE ask which step it is. */
gboolean when_is_asked(const Stage *stage);

/* AT[K_AT_STEP]: LATER steps after the first that the launch makes, if VALUE asks. */
void when_find(KKernel *k, GPtrArray *body, Expr *value, const KExpr *later,
	const KVar *at[K_AT_N]);

/* USED, by the grid's axis: those along which VALUE asks. */
void where_axes(Expr *value, gboolean used[IR_MAX_RANK]);

/* AT, by the grid's axis: of those that are USED. */
void where_let(KKernel *k, GPtrArray *body, const Where *w, const gboolean used[IR_MAX_RANK],
	const KVar *at[IR_MAX_RANK]);

/* Likewise, for the value of the cell: what STAGE asks for. */
void where_find(KKernel *k, GPtrArray *body, const Stage *stage, const Where *w,
	const KVar *at[IR_MAX_RANK]);
