/* footprint.h: what a stage reads, cell by cell. */
#pragma once

#include "ir/ir.h"

/* The taps of one component and time level of a field in a stage's value (a
 * scan's start is read once a line and does not count). */
typedef struct {
	Field *field;
	int component, level;
	int n;
	Expr **tap;     /* in order of their offsets, the slowest axis first */
	gboolean plain; /* every tap stands at constant offsets from the cell */
} TapSet;

/* The sources of STAGE in the order in which they are first read; TapSet, freed
 * with the array. */
GPtrArray *footprint_tap_sets(const Stage *stage);

/* How far from the cell TAP is along an axis of the stage's grid; 0 where its
 * field does not vary along it. */
int tap_offset(const Expr *tap, int axis);

/* TRUE if TAP is of the stage's own grid, at a distance that does not depend on the cell. */
gboolean tap_is_near(const Stage *stage, const Expr *tap);

/* The fewest bytes per cell, the grid being large, that must be read for
 * SOURCE: each of its elements once.  Nothing for fields that lack an axis of
 * the stage. */
double footprint_read(const Stage *stage, const TapSet *source);
/* And those that STAGE must write, its mask counted. */
double footprint_written(const Stage *stage);

/* How often a step has to move a level of the caller's field F, at least: what
 * it finds there is read once, what it makes written once.  What is made and
 * read within the step does not count, nor does what is only copied. */
double footprint_traffic(const Stencil *s, const Field *f);

/* Layers of cells at each end of each axis that STAGE cannot compute, going by
 * its own taps and the keep faces they would leave at (a tap without a boundary
 * has no other); scaled taps are not counted. */
void footprint_margin(const Stage *stage, int margin[IR_MAX_RANK][2]);
