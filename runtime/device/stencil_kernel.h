/* stencil_kernel.h: the words that generated code is written in, besides those
 * of stencil_ops.h: grids and boxes of cells, what a tap outside the grid reads,
 * and where a cell lies in memory.  C11, C++17 and CUDA.
 *
 * Coordinates of cells are those of the whole grid and fit 32 bits; an index
 * into a field is 64 bits wide.
 */
#ifndef STENCIL_KERNEL_H
#define STENCIL_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "stencil_ops.h"

/* A function of the user's that no header declares. */
#if defined(__CUDACC__)
#define STENCIL_EXTERN extern "C" __host__ __device__
#elif defined(__cplusplus)
#define STENCIL_EXTERN extern "C"
#else
#define STENCIL_EXTERN extern
#endif

/* Cells of a grid, half-open per axis. */
typedef struct {
	int32_t lo[3], hi[3];
} stencil_cells;

/* A grid, or the part of it that the fields at hand hold. */
typedef struct {
	int32_t origin[3]; /* the cell that the fields' pointers point at */
	int32_t extent[3]; /* of the whole grid */
	int32_t first[3];  /* the outermost cells at those faces that are edges of the */
	int32_t last[3];   /* grid; INT32_MIN and INT32_MAX at the others */
} stencil_grid;

/* How a field lies in memory, in elements. */
typedef struct {
	int64_t stride[3]; /* from cell to cell, per axis; 0: it does not vary along it */
	int64_t component; /* from component to component */
	size_t bytes;      /* from its first byte to its last */
} stencil_layout;

/* TRUE past the end of a box: I may have wrapped around. */
STENCIL_FN int
stencil_past(int32_t i, int32_t hi)
{
	return (uint32_t)i >= (uint32_t)hi;
}

/* ---- a tap at distance K from cell I, along one axis ----
 *
 * NAME_lo serves k < 0, NAME_hi k > 0.  The result is the distance to the cell
 * that is read instead, K itself while the tap stays within the grid.  */

STENCIL_FN int stencil_out_lo(int32_t i, int32_t k, int32_t first) { return i + k < first; }
STENCIL_FN int stencil_out_hi(int32_t i, int32_t k, int32_t last) { return i > last - k; }

STENCIL_FN int32_t
stencil_clamp_lo(int32_t i, int32_t k, int32_t first)
{
	return i + k < first ? first - i : k;
}

STENCIL_FN int32_t
stencil_clamp_hi(int32_t i, int32_t k, int32_t last)
{
	return i > last - k ? last - i : k;
}

STENCIL_FN int32_t
stencil_reflect_lo(int32_t i, int32_t k, int32_t first)
{
	return i + k < first ? 2 * (first - i) - 1 - k : k;
}

STENCIL_FN int32_t
stencil_reflect_hi(int32_t i, int32_t k, int32_t last)
{
	return i > last - k ? 2 * (last - i) + 1 - k : k;
}

STENCIL_FN int32_t
stencil_mirror_lo(int32_t i, int32_t k, int32_t first)
{
	return i + k < first ? 2 * (first - i) - k : k;
}

STENCIL_FN int32_t
stencil_mirror_hi(int32_t i, int32_t k, int32_t last)
{
	return i > last - k ? 2 * (last - i) - k : k;
}

STENCIL_FN int32_t
stencil_wrap_lo(int32_t i, int32_t k, int32_t first, int32_t extent)
{
	return i + k < first ? k + extent : k;
}

STENCIL_FN int32_t
stencil_wrap_hi(int32_t i, int32_t k, int32_t last, int32_t extent)
{
	return i > last - k ? k - extent : k;
}

/* ---- the same for a coordinate Q that may lie anywhere ---- */

STENCIL_FN int64_t
stencil_fold_clamp_lo(int64_t q, int32_t first)
{
	return q < first ? first : q;
}

STENCIL_FN int64_t
stencil_fold_clamp_hi(int64_t q, int32_t last)
{
	return q > last ? last : q;
}

STENCIL_FN int64_t
stencil_fold_reflect_lo(int64_t q, int32_t first)
{
	return q < first ? 2 * (int64_t)first - 1 - q : q;
}

STENCIL_FN int64_t
stencil_fold_reflect_hi(int64_t q, int32_t last)
{
	return q > last ? 2 * (int64_t)last + 1 - q : q;
}

STENCIL_FN int64_t
stencil_fold_mirror_lo(int64_t q, int32_t first)
{
	return q < first ? 2 * (int64_t)first - q : q;
}

STENCIL_FN int64_t
stencil_fold_mirror_hi(int64_t q, int32_t last)
{
	return q > last ? 2 * (int64_t)last - q : q;
}

STENCIL_FN int64_t
stencil_fold_wrap_lo(int64_t q, int32_t first, int32_t extent)
{
	return q < first ? q + extent : q;
}

STENCIL_FN int64_t
stencil_fold_wrap_hi(int64_t q, int32_t last, int32_t extent)
{
	return q > last ? q - extent : q;
}

#ifdef __cplusplus

/* Likewise of 32 bits, where neither Q nor what it becomes leaves them: kernels have no
 * others, and to a GPU they are half the work. */
#define STENCIL_FOLD(name, beyond, folded) \
STENCIL_FN int32_t \
stencil_fold_##name(int32_t q, int32_t end) \
{ \
	return q beyond end ? folded : q; \
}

STENCIL_FOLD(clamp_lo, <, end)
STENCIL_FOLD(clamp_hi, >, end)
STENCIL_FOLD(reflect_lo, <, end - 1 - (q - end))
STENCIL_FOLD(reflect_hi, >, end + 1 - (q - end))
STENCIL_FOLD(mirror_lo, <, end - (q - end))
STENCIL_FOLD(mirror_hi, >, end - (q - end))
#undef STENCIL_FOLD

STENCIL_FN int32_t
stencil_fold_wrap_lo(int32_t q, int32_t first, int32_t extent)
{
	return q < first ? q + extent : q;
}

STENCIL_FN int32_t
stencil_fold_wrap_hi(int32_t q, int32_t last, int32_t extent)
{
	return q > last ? q - extent : q;
}

#endif

/* Q, or the nearest to it from LO to HI. */
STENCIL_FN int64_t
stencil_within(int64_t q, int64_t lo, int64_t hi)
{
	return q < lo ? lo : q > hi ? hi : q;
}

/* ---- boxes ---- */

/* The first of the cells from FIRST to END - 1 that lies from LO to HI - 1; END: none does. */
STENCIL_FN int32_t
stencil_first_in(int32_t first, int32_t end, int32_t lo, int32_t hi)
{
	const int32_t at = lo > first ? lo : first;

	return at < hi && at < end ? at : end;
}

/* What is past the last of them; FIRST: none does. */
STENCIL_FN int32_t
stencil_end_in(int32_t first, int32_t end, int32_t lo, int32_t hi)
{
	const int32_t at = hi < end ? hi : end;

	return at > lo && at > first ? at : first;
}

STENCIL_FN int64_t
stencil_extent_of(const stencil_cells *cells, int axis)
{
	int64_t n = (int64_t)cells->hi[axis] - cells->lo[axis];

	return n > 0 ? n : 0;
}

/* The number of cells of a box. */
STENCIL_FN int64_t
stencil_count(const stencil_cells *cells)
{
	return stencil_extent_of(cells, 0) * stencil_extent_of(cells, 1)
		* stencil_extent_of(cells, 2);
}

/* I / N, neither of which is negative; by 32 bits, which is much faster, where these do. */
STENCIL_FN int64_t
stencil_split(int64_t i, int64_t n)
{
	return i <= UINT32_MAX ? (int64_t)((uint32_t)i / (uint32_t)n) : i / n;
}

/* Splits the number I of a cell in a box, the last axis fastest: takes off what
 * belongs to the axis and gives the coordinate along it. */
STENCIL_FN int32_t
stencil_unroll(int64_t *i, const stencil_cells *cells, int axis)
{
	const int64_t n = stencil_extent_of(cells, axis), rest = stencil_split(*i, n);
	const int64_t at = cells->lo[axis] + (*i - rest * n);

	*i = rest;
	return (int32_t)at;
}

/* Rows along an axis as runs of so many cells, of which 32 lie side by side in each turn. */
#define STENCIL_RUN_LANES 32
#define STENCIL_RUN_TURNS 8
#define STENCIL_RUN (STENCIL_RUN_LANES * STENCIL_RUN_TURNS)

STENCIL_FN int64_t
stencil_runs_of_row(const stencil_cells *cells, int axis)
{
	return (stencil_extent_of(cells, axis) + STENCIL_RUN - 1) / STENCIL_RUN;
}

/* The number of runs of a box. */
STENCIL_FN int64_t
stencil_runs(const stencil_cells *cells, int axis)
{
	const int64_t row = stencil_extent_of(cells, axis);

	return row > 0 ? stencil_runs_of_row(cells, axis) * (stencil_count(cells) / row) : 0;
}

/* Takes off the number I of a run what belongs to the axis; gives the coordinate of its cell
 * LANE, and in TURNS how many turns there are from it on. */
STENCIL_FN int32_t
stencil_unroll_run(int64_t *i, const stencil_cells *cells, int axis, int lane, int *turns)
{
	const int64_t runs = stencil_runs_of_row(cells, axis);
	const int64_t row = stencil_split(*i, runs);
	const int64_t first = cells->lo[axis] + (*i - row * runs) * STENCIL_RUN + lane;
	const int64_t left = cells->hi[axis] - first;

	*i = row;
	*turns = left <= 0 ? 0 : left >= STENCIL_RUN ? STENCIL_RUN_TURNS
		: (int)((left + STENCIL_RUN_LANES - 1) / STENCIL_RUN_LANES);
	return (int32_t)first;
}

/* The buffer, of R, in which level LEVEL (1: the next) lies at step STEP. */
STENCIL_FN int
stencil_slot(int level, int64_t step, int r)
{
	return (int)stencil_floor_mod_i64(-level - step, r);
}

/* OFFSET bytes into MEMORY. */
STENCIL_FN void *
stencil_at(void *memory, size_t offset)
{
	return (char *)memory + offset;
}

#include "stencil_steps.h"
#include "stencil_entry.h"
#if defined(__CUDACC__) || defined(STENCIL_EMULATED)
#include "stencil_launch.h"
#else
#include "stencil_loop.h"
#endif
#endif
