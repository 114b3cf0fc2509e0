/* planes.h: a stage seen plane by plane along an axis. */
#pragma once

#include "analyze/footprint.h"
#include "analyze/linear.h"

/* TRUE if planes other than the cell's own are only read at the cell's own
 * place in them: no tap is off the cell along AXIS and along another axis too.
 * (A marching kernel then needs no neighbours' cells of other planes.) */
gboolean planes_diagonal_free(const TapSet *source, int axis);

/* The terms of a linear form whose taps are OFFSET planes away along an axis:
 * what that plane contributes to the cell. */
typedef struct {
	int offset;
	int n;
	const LinearTerm **term; /* in the order of the form */
} Plane;

/* The planes of FORM in the order of their offsets; Plane, freed with the array.
 * The sum over them all, and FORM's rest, is the stage's value. */
GPtrArray *planes_split(const Linear *form, int axis);
