/* stays.h: what the steps make anew, and is always the same. */
#pragma once

#include "ir/ir.h"

/* Where a value's home is, from the cell that asks, and what lies beyond the grid there. */
typedef struct {
	int offset[IR_MAX_RANK];
	Boundary *edges; /* NULL: it does not leave the grid */
} Place;

/* Values that are the same function of the cells around their homes. */
typedef struct {
	Expr *home;         /* that function, of its own cell */
	unsigned axes;      /* that it varies along */
	const char *of;     /* the field that it is of */
	double spared;      /* instructions of a step, if it is not made there */
	GPtrArray *members; /* Expr, */
	GPtrArray *places;  /* and Place of each */
	Field *field;       /* that it is to be */
} Family;

typedef struct {
	gboolean *temps;     /* by Field.index: those that stay */
	GPtrArray *families; /* Family */
} Staying;

/* STAGE reads the fields of families in place of their members. */
void stays_put(Stencil *s, Stage *stage, const Staying *what);

/* STAGE makes a temp that stays. */
gboolean stays_made(const Staying *what, const Stage *stage);

/* They become fields of S that only Stencil.first writes. */
void stays_make(Stencil *s, const Staying *what);
