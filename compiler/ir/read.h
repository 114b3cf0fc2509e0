/* read.h: what the parts of the reader of printed IR share; private. */
#pragma once

#include "ir/ir.h"
#include "ir/words.h"

typedef struct {
	Words words;
	Stencil *s;
	GPtrArray *nodes; /* Expr: those of the block being read, by number */
	Grid *grid;       /* whose axes maps are about; NULL: none */
} Reader;

/* The thing with this name; NULL and an error if there is none. */
Grid *read_grid_name(Reader *r);  /* no name is next: the default grid */
int read_axis_name(Reader *r, const Grid *g);
Field *read_field_name(Reader *r);
Result *read_result_name(Reader *r);
Type read_type(Reader *r);

/* A constant of TYPE, the type not being written. */
Expr *read_value(Reader *r, Type type);
/* A leaf or a node of the block. */
Expr *read_operand(Reader *r);
/* Lines "%N = ..." up to one that is none. */
void read_nodes(Reader *r);

const Bound *read_bound(Reader *r);
