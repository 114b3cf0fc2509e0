/* tile.h: what a block of threads has to stage so that no tap leaves it. */
#pragma once

#include "ir/ir.h"

/* The cells of one component and level of a field that a block reads, under one
 * boundary: the block's own and a halo, along the axes of the field. */
typedef struct {
	Field *field;
	int component, level;
	Boundary *boundary;  /* NULL: no tap can leave the grid */
	int lo[IR_MAX_RANK]; /* halo below, per axis; at least 0 */
	int hi[IR_MAX_RANK];
} Tile;

/* The tiles of a stage, in the order of their first tap: one for every source
 * with a tap off its centre.  Taps of other grids have none. */
GPtrArray *stage_tiles(const Stage *stage, Arena *arena);

/* The tile that TAP is read from; NULL: none. */
const Tile *tile_of_tap(const GPtrArray *tiles, const Stage *stage, const Expr *tap);

/* Cells along an axis, of a block of THREADS there; 1 where the field does not vary. */
int tile_extent(const Tile *tile, int axis, int threads);

/* Bytes of the tiles for a block of BLOCK threads per axis, each tile aligned to
 * 16; 0 in *AT is the offset of the first.  AT (an offset per tile) may be NULL. */
gsize tiles_bytes(const GPtrArray *tiles, const int *block, gsize *at);
