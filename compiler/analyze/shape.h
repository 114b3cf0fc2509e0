/* shape.h: the shape of a set of taps. */
#pragma once

#include "analyze/footprint.h"

typedef enum {
	TAPS_CENTRE, /* the cell itself */
	TAPS_STAR,   /* on the axes, at least one off the cell */
	TAPS_BOX,    /* every cell of a box that goes beyond the axes */
	TAPS_OTHER,  /* anything else, scaled taps among them */
} TapShape;

extern const char *const tap_shape_name[];

typedef struct {
	TapShape shape;
	int reach[IR_MAX_RANK][2]; /* how far down and up, per axis of the stage's
	                            * grid; at least 0; only of plain sources */
} Shape;

Shape shape_of(const TapSet *source);
