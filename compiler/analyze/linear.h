/* linear.h: a stage's value as a linear form in the taps of one field:
 *
 *	value = sum of coefficient*tap + rest
 *
 * where neither the coefficients nor the rest read that field.  That is the
 * form over the real numbers: the rounding of products and sums is ignored, and
 * what a stage stores may be rounded to its type at last.  Conversions inside
 * must be exact.  Sums and products of integers count as those of the ring that
 * they are computed in.
 */
#pragma once

#include "ir/ir.h"

/* What a coefficient depends on. */
typedef enum {
	COEFFICIENT_CONSTANT, /* known to the compiler */
	COEFFICIENT_RUN_TIME, /* the same at every cell: scalars, tables, results, ... */
	COEFFICIENT_VARYING,  /* on the cell: taps of other fields, coordinates */
} CoefficientKind;

typedef struct {
	Expr *tap;         /* as in the stage */
	Expr *coefficient; /* in the form's own pool: equal ones are one node; the
	                    * types of its operators mean nothing */
	CoefficientKind kind;
	double value;      /* COEFFICIENT_CONSTANT */
} LinearTerm;

typedef struct {
	Field *field;
	int n;
	LinearTerm *term;  /* one for each tap of the field, in the order of the walk */
	Expr *rest;        /* NULL: none; like the coefficients */
	CoefficientKind kind; /* the least simple one of the coefficients */
	Stencil *pool;
} Linear;

/* NULL: it is not linear in FIELD. */
Linear *linear_form(const Stage *stage, Field *field);
void linear_free(Linear *form);
