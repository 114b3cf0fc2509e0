/* array.h: the memory of one field level or result, on the host and on a device.
 *
 * An array is rows of cells with padding after each row but the last, between
 * two guards.  Everything that is no cell holds POISON, and must do so for ever.
 * Without guards the allocation is exact, so that sanitizers see the first byte
 * outside it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "random.h"
#include "sizes.h"

enum { ARRAY_POISON = 0xe5, ARRAY_GUARD = 256 };

typedef struct {
	stencil_type type;
	int64_t rows, width, pitch; /* elements: cells in a row; from row to row */
	size_t front, back;         /* bytes before and after the cells */
	/* How a cell's coordinates are found: of the axes that the field varies
	 * along, slowest first. */
	int rank;
	int axis[STENCIL_MAX_RANK];
	int64_t extent[STENCIL_MAX_RANK];
	int64_t components;
	int interleaved;
} Layout;

typedef struct {
	int guards;  /* 1: guards around the cells; 0: exact allocations */
	int pitched; /* rows are longer than the cells in them */
	int shifted; /* the first cell is aligned to its own size only */
} LayoutOptions;

Layout layout_of_field(const stencil_field_description *f, const Sizes *sizes,
	const LayoutOptions *options);
Layout layout_of_result(const stencil_result_description *r, const LayoutOptions *options);

/* Bytes of the whole allocation. */
size_t layout_bytes(const Layout *layout);

/* Where the first cell of row ROW lies in the allocation MEMORY. */
void *layout_row(const Layout *layout, void *memory, int64_t row);

/* Coordinates (per axis of the grid; others stay) and component of element X of
 * row ROW. */
void layout_place(const Layout *layout, int64_t row, int64_t x, int64_t *coordinate,
	int64_t *component);

/* An allocation of host memory, all POISON; NULL: out of memory. */
void *layout_allocate(const Layout *layout);

/* Fills the cells with data for a field; FEW: integers from 0 to 3. */
void layout_fill(const Layout *layout, void *memory, Random *random, int few);

/* 1 if everything in MEMORY that is no cell is still POISON; else *AT is the
 * offset of a byte that is not, from the first cell. */
int layout_pads_intact(const Layout *layout, const void *memory, ptrdiff_t *at);
