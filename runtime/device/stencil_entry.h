/* stencil_entry.h: what every generated function does with its arguments before
 * it starts: sizes, layouts, the workspace, and the checks.  Host code only, C11
 * and C++17; nothing here writes to a field.
 *
 * WHO is the stencil's name; messages begin with it.  CTX is NULL on the host.
 */
#ifndef STENCIL_ENTRY_H
#define STENCIL_ENTRY_H

#include <stdlib.h>

#include "stencilrt.h"

/* So that a program may link both targets of one stencil. */
#define STENCIL_WEAK __attribute__((weak))

/* Leaves the function that it stands in where CALL fails. */
#define STENCIL_TRY(call) \
	do { \
		const stencil_status stencil_tried = (call); \
		if (stencil_tried != STENCIL_OK) \
			return stencil_tried; \
	} while (0)

#define STENCIL_ALIGN 256 /* of everything in the workspace */

#define STENCIL_PARTIALS 1024 /* at most, of 8 bytes, of a reduction */

/* How far a run got; on the device, where there is an `until`. */
typedef struct {
	int64_t steps;   /* executed, once the run is over */
	int64_t stopped; /* early; then */
	int64_t launches, sweeps; /* that made them, which is what buffers go round by */
} stencil_progress;

/* A stretch of memory that a call reads or writes. */
typedef struct {
	const char *name;
	const void *start;
	size_t bytes;
	size_t align; /* of its elements */
	int written;
} stencil_range;

/* GRID as a whole, all faces edges of it.  Every extent is from 1 to INT32_MAX;
 * NAMES says what the caller calls them. */
static inline stencil_status
stencil_measure_grid(stencil_context *ctx, const char *who, stencil_grid *grid, int rank,
	const char *const *names, const int64_t *extent)
{
	for (int a = 0; a < 3; a++) {
		const int64_t n = a < rank ? extent[a] : 1;

		if (n < 1 || n > INT32_MAX)
			return stencil_fail(ctx, STENCIL_BAD_ARGUMENT,
				"%s: %s is %lld; it must be from 1 to %d",
				who, names[a], (long long)n, INT32_MAX);
		grid->origin[a] = 0;
		grid->extent[a] = (int32_t)n;
		grid->first[a] = 0;
		grid->last[a] = (int32_t)(n - 1);
	}
	return STENCIL_OK;
}

/* An extent of a grid made from another: ceil(n * multiply / divide). */
static inline int64_t
stencil_derived(int32_t n, int32_t multiply, int32_t divide)
{
	return ((int64_t)n * multiply + divide - 1) / divide;
}

/* *TOTAL += a * b; FALSE where that is no size. */
static inline int
stencil_add_product(int64_t *total, int64_t a, int64_t b)
{
	return !__builtin_mul_overflow(a, b, &a) && !__builtin_add_overflow(*total, a, total);
}

/* The layout of a field that varies along AXES (a bit each) of GRID, of
 * COMPONENTS components of ELEMENT bytes, planar or interleaved.  PITCH: elements
 * from row to row, 0: none between them; only for fields of two axes or more. */
static inline stencil_status
stencil_lay_out(stencil_context *ctx, const char *who, const char *name, stencil_layout *layout,
	const stencil_grid *grid, unsigned axes, int components, int interleaved,
	int64_t pitch, size_t element)
{
	int64_t next = interleaved ? components : 1, last = 0, bytes = 0;
	int rows = 0;

	for (int a = 2; a >= 0; a--) {
		layout->stride[a] = 0;
		if (!(axes & 1u << a))
			continue;
		layout->stride[a] = next;
		if (!stencil_add_product(&last, next, grid->extent[a] - 1)
			|| __builtin_mul_overflow(next, (int64_t)grid->extent[a], &next))
			goto too_large;
		if (rows++ == 0 && pitch != 0) {
			if (pitch < next)
				return stencil_fail(ctx, STENCIL_BAD_ARGUMENT,
					"%s: %s_pitch is %lld, shorter than a row of %lld elements",
					who, name, (long long)pitch, (long long)next);
			next = pitch;
		}
	}
	layout->component = interleaved ? 1 : next;
	if (!stencil_add_product(&last, layout->component, components - 1)
		|| !stencil_add_product(&last, 1, 1)
		|| !stencil_add_product(&bytes, last, (int64_t)element)
		|| (uint64_t)bytes > PTRDIFF_MAX)
		goto too_large;
	layout->bytes = (size_t)bytes;
	return STENCIL_OK;
too_large:
	return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "%s: %s does not fit into memory", who,
		name);
}

/* ---- rows of whole vectors ---- */

#define STENCIL_ROW_BYTES 128 /* that padded rows, and components, are a multiple of */

/* Rows of the grid begin and end at whole vectors of WIDTH cells. */
static inline int
stencil_row_fits(const stencil_grid *grid, int axis, int width)
{
	return grid->extent[axis] % width == 0 && grid->origin[axis] % width == 0;
}

/* So do they in memory, whose first cell is aligned. */
static inline int
stencil_layout_fits(const stencil_layout *at, int width)
{
	for (int a = 0; a < 3; a++)
		if (at->stride[a] > 1 && at->stride[a] % width != 0)
			return 0;
	return at->component % width == 0;
}

/* Bytes before the first of padded rows, which go on with BESIDE cells of their other end on
 * both sides, one of ELEMENTS each: rows still begin where memory is aligned. */
static inline size_t
stencil_row_lead(int beside, int elements, size_t element)
{
	const size_t bytes = (size_t)beside * element;

	return (bytes + STENCIL_ROW_BYTES - 1) / STENCIL_ROW_BYTES * STENCIL_ROW_BYTES
		* (size_t)elements;
}

/* The layout of such a field (stencil_lay_out) with padded rows; FALSE: it is too large. */
static inline int
stencil_pad_rows(stencil_layout *layout, const stencil_grid *grid, unsigned axes, int components,
	int interleaved, size_t element, int beside)
{
	const int64_t unit = STENCIL_ROW_BYTES / (int64_t)element;
	const int64_t more = (int64_t)(stencil_row_lead(beside, 1, element) / element) + beside;
	int64_t next = interleaved ? components : 1, bytes;
	int rows = 0;

	for (int a = 2; a >= 0; a--) {
		int64_t cells = grid->extent[a];

		layout->stride[a] = 0;
		if (!(axes & 1u << a))
			continue;
		if (rows++ == 0)
			cells = (cells + unit - 1) / unit * unit + (more + unit - 1) / unit * unit;
		layout->stride[a] = next;
		if (cells > INT32_MAX / 2 || __builtin_mul_overflow(next, cells, &next))
			return 0;
	}
	layout->component = interleaved ? 1 : next;
	if (__builtin_mul_overflow(next, interleaved ? 1 : components, &next)
		|| __builtin_mul_overflow(next, (int64_t)element, &bytes)
		|| (uint64_t)bytes > PTRDIFF_MAX)
		return 0;
	layout->bytes = (size_t)bytes;
	return 1;
}

/* ---- the workspace ---- */

/* Sets BYTES of the workspace aside: *AT is their offset, *TOTAL what it takes
 * so far. */
static inline stencil_status
stencil_set_aside(stencil_context *ctx, const char *who, size_t bytes, size_t *total, size_t *at)
{
	*at = *total;
	if (bytes > PTRDIFF_MAX - STENCIL_ALIGN - *total)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT,
			"%s: the workspace does not fit into memory", who);
	*total += (bytes + STENCIL_ALIGN - 1) / STENCIL_ALIGN * STENCIL_ALIGN;
	return STENCIL_OK;
}

/* *BOX as the caller gave it, the whole grid where it is all zero. */
static inline stencil_status
stencil_check_box(stencil_context *ctx, const char *who, stencil_box *box,
	const stencil_grid *grid, int rank, const char *const *axis)
{
	int any = 0;

	for (int a = 0; a < 3; a++)
		any |= box->lo[a] != 0 || box->hi[a] != 0;
	for (int a = 0; a < rank; a++) {
		if (!any)
			box->hi[a] = grid->extent[a];
		if (box->lo[a] < 0 || box->lo[a] > box->hi[a] || box->hi[a] > grid->extent[a])
			return stencil_fail(ctx, STENCIL_BAD_ARGUMENT,
				"%s: the box is %lld..%lld along %s, not within 0..%d",
				who, (long long)box->lo[a], (long long)box->hi[a], axis[a],
				grid->extent[a]);
	}
	return STENCIL_OK;
}

/* 1 if that is all of GRID. */
static inline int
stencil_box_is_whole(const stencil_box *box, const stencil_grid *grid, int rank)
{
	int whole = 1;

	for (int a = 0; a < rank; a++)
		whole &= box->lo[a] == 0 && box->hi[a] == grid->extent[a];
	return whole;
}

/* Step counts, and the time index after the last step, fit 32 bits. */
static inline stencil_status
stencil_check_steps(stencil_context *ctx, const char *who, int64_t steps, int64_t t0)
{
	if (steps < 0 || steps > INT32_MAX)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT,
			"%s: steps is %lld; it must be from 0 to %d", who, (long long)steps,
			INT32_MAX);
	if (t0 < INT32_MIN || t0 > INT32_MAX - steps)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT,
			"%s: t0 is %lld: t does not fit 32 bits", who, (long long)t0);
	return STENCIL_OK;
}

/* A boundary KIND that reads REACH cells back into the grid needs LEAST of them. */
static inline stencil_status
stencil_need(stencil_context *ctx, const char *who, const char *field, const char *axis,
	const char *kind, int32_t extent, int64_t reach, int64_t least)
{
	if (reach < 1 || extent >= least)
		return STENCIL_OK;
	return stencil_fail(ctx, STENCIL_BAD_ARGUMENT,
		"%s: the grid of %s has %d cells along %s; its boundary '%s' and taps that reach "
		"%lld "
		"cells outside need at least %lld", who, field, extent, axis, kind,
		(long long)reach, (long long)least);
}

static inline int
stencil_overlap(const stencil_range *a, const stencil_range *b)
{
	const uintptr_t i = (uintptr_t)a->start, j = (uintptr_t)b->start;

	return a->bytes > 0 && b->bytes > 0 && (i < j ? a->bytes > j - i : b->bytes > i - j);
}

/* No pointer is null or out of line, and none of two that overlap is written. */
static inline stencil_status
stencil_check_ranges(stencil_context *ctx, const char *who, const stencil_range *range, int n)
{
	for (int i = 0; i < n; i++) {
		const stencil_range *r = &range[i];

		if (r->start == NULL)
			return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "%s: %s is a null pointer",
				who, r->name);
		if ((uintptr_t)r->start % r->align != 0)
			return stencil_fail(ctx, STENCIL_BAD_ARGUMENT,
				"%s: %s is not aligned to %zu bytes", who, r->name, r->align);
		for (int j = 0; j < i; j++) {
			if (!(r->written || range[j].written) || !stencil_overlap(r, &range[j]))
				continue;
			return stencil_fail(ctx, STENCIL_BAD_ARGUMENT,
				"%s: %s and %s overlap, and %s is written", who, range[j].name,
				r->name,
				r->written ? r->name : range[j].name);
		}
	}
	return STENCIL_OK;
}

#endif
