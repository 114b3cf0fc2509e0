/* sizes.h: the extents of all grids of a stencil. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "describe.h"
#include "runner.h"

#define SIZES_MAX_GRIDS 16

typedef struct {
	int64_t extent[SIZES_MAX_GRIDS][STENCIL_MAX_RANK];
} Sizes;

/* All zero: nothing is known yet. */
Sizes sizes_unknown(void);

/* "y=61,x=97", "coarse.y=9": sets extents that the caller may choose, in every
 * grid with an axis of that name unless one is named. */
stencil_status sizes_parse(Sizes *sizes, const stencil_description *d, const char *text);

/* Gives the axes that are still unknown PATTERN's extents, which is for a grid
 * of three axes; of fewer axes it serves the last ones. */
void sizes_fill(Sizes *sizes, const stencil_description *d, const int64_t *pattern);

/* Gives them the hints of the program, or extents by the rank of their grid (1, 2, 3): GPU's on a
 * GPU, smaller ones elsewhere; there hints are cut, on the host to MOST times those. */
void sizes_fill_usual(Sizes *sizes, const stencil_description *d, const RunnerOptions *o,
	const int64_t gpu[STENCIL_MAX_RANK], int most);

/* Fixed and derived extents from the others. */
void sizes_derive(Sizes *sizes, const stencil_description *d);

/* 1 if the caller chooses the extent. */
int sizes_is_free(const stencil_description *d, int grid, int axis);

/* Cells of GRID; of the largest grid where GRID is -1. */
int64_t sizes_cells(const Sizes *sizes, const stencil_description *d, int grid);

/* Writes the members of the argument struct. */
void sizes_store(const Sizes *sizes, const stencil_description *d, void *args);

/* "y=61 x=97", the free extents of all grids. */
void sizes_print(const Sizes *sizes, const stencil_description *d, char *text, size_t room);
