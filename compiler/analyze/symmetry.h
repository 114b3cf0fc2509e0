/* symmetry.h: equal coefficients of a linear form. */
#pragma once

#include "analyze/footprint.h"
#include "analyze/linear.h"

/* The terms with one coefficient. */
typedef struct {
	Expr *coefficient;
	int n;
	const LinearTerm **term; /* in the order of the form */
} CoefficientClass;

/* The classes in the order of their first terms; CoefficientClass, freed with
 * the array.  With fewer classes than terms, taps can be added before they are
 * multiplied. */
GPtrArray *symmetry_classes(const Linear *form);

/* The following look at the terms of FORM whose taps are of SET.  They are FALSE
 * where a tap is scaled, or one cell is read by two boundaries. */

/* TRUE if mirroring the taps along AXIS leaves every coefficient as it is, and
 * not all of them are in the cell's own plane. */
gboolean symmetry_mirror(const Linear *form, const TapSet *set, int axis);

/* TRUE if the coefficients are constants and the outer product of one vector
 * per axis, at least two of which have more than one element.  Decided exactly;
 * a tap that is not there has the coefficient 0. */
gboolean symmetry_separable(const Linear *form, const TapSet *set);
