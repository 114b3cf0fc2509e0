/* tile_place.h: where the threads of a tile are, and what a block walks through. */
#pragma once

#include "kernel/kir.h"
#include "kernel/lower.h"

/* PLAN, or as if a plane was a row of it that walks along the third axis: what is read and
 * where it ends is nothing along the axis between. */
const Plan *tile_in_space(Arena *arena, const Plan *plan);

/* Where tiles meet, whole sectors are stored; the first of a row takes no more than that allows,
 * but for S's inset_more. */
void shape_meets_at_sectors(TileShape *s, const Plan *plan);

/* Why S is no tile: it stores no cells; it holds PLANES (of a plane, FLAT: rows) of a step, of
 * MOST; a thread's COLUMNS of F are no copy.  NULL: that is no reason. */
const char *shape_lacks_cells(const TileShape *s, Arena *arena);
const char *shape_lacks_planes(Arena *arena, gboolean flat, int planes, int most);
const char *shape_lacks_copies(Arena *arena, int columns, const Field *f);

/* Along one axis of the plan. */
typedef struct {
	const KExpr *tile;      /* the tile's first cell, overlap and all */
	const KExpr *at;        /* the thread's */
	const KExpr *from, *to; /* what the tile stores */
} TilePlace;

/* Along axis NUMBER of the plan in space, of tiles that begin OVERLAP cells before what they store.
 * They end where the grid does, and store up to there; where it wraps they go on. */
TilePlace tile_place(KKernel *k, const Grid *grid, const TileShape *s, int number, int overlap,
	gboolean wraps);

/* The lane AWAY, 1 or -1, from the thread's, of a block whose rows are LANES threads. */
const KExpr *tile_lane(KKernel *k, int lanes, int away);

/* Rows or planes that a block walks through, so many as the launch chooses. */
typedef struct {
	const KExpr *first, *end;
} Chunk;

/* Those of block BLOCK, of all from LO on and before HI, named as TITLE says; who has none leaves,
 * if that may be. */
Chunk chunk_of(KKernel *k, const KExpr *lo, const KExpr *hi, const KExpr *block,
	const char *const title[2], gboolean may_be_none);

/* A turn for each of its planes along AXIS, those from FROM on that come in before it, and BEHIND
 * more: *TURN, which is known not to be negative, and the plane *Z. */
GPtrArray *chunk_walk(KKernel *k, const Chunk *c, const KExpr *from, int behind, int axis,
	const KExpr **turn, const KExpr **z);

/* Shared planes of TYPE that come from memory, GROUP cells at once, COLUMN being the thread's in
 * them and X in the grid: they begin as far into a sector as the tile does there, since half a
 * sector that lies otherwise is brought as a whole one. */
const KTile *tile_planes(KKernel *k, const char *want, Type type, int group, const int size[3],
	const TileShape *s, int overlap, const KExpr *x, const KExpr *column);
