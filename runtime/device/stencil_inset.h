/* stencil_inset.h: the box that the blocks of a sweep cover by their spans, where the first
 * and the last of them serve more.  Included by stencil_launch.h.
 */
#ifndef STENCIL_INSET_H
#define STENCIL_INSET_H

#include <cuda_runtime.h>

/* Takes BELOW and ABOVE cells off a box. */
static inline void
stencil_inset(stencil_cells *cells, int axis, int below, int above)
{
	cells->lo[axis] += below;
	cells->hi[axis] -= above;
}

/* Bytes a clock of a processor: a memory that moves fewer writes parts of sectors so slowly that
 * it costs sweeps that do not wait for it alone (measured: an H100 moves 12.8, an H200 18.8). */
#define STENCIL_BEARS_PARTS 18

/* Takes MORE cells off below where so much less takes fewer blocks of SPAN cells, which then meet
 * within sectors: not where memory, which had to move BELOW bytes a clock of a processor for
 * keeping up with all else, writes the parts for longer than a block more takes. */
static inline stencil_status
stencil_inset_for_fewer(stencil_context *ctx, stencil_cells *cells, int axis, int span, int more,
	double below)
{
	const int n = cells->hi[axis] - cells->lo[axis];
	double rate;

	if (n <= more || (n - more + span - 1) / span >= (n + span - 1) / span)
		return STENCIL_OK;
	STENCIL_TRY(stencil_memory_rate(ctx, &rate));
	if (rate * rate >= below * STENCIL_BEARS_PARTS)
		cells->lo[axis] += more;
	return STENCIL_OK;
}

/* CELLS and what completes its vectors along AXIS. */
static inline stencil_cells
stencil_whole(stencil_cells cells, int axis, int width)
{
	cells.lo[axis] -= cells.lo[axis] % width;
	cells.hi[axis] += (width - cells.hi[axis] % width) % width;
	return cells;
}

/* Likewise, from where LINE cells begin, which are read and written together. */
static inline stencil_cells
stencil_whole_lines(stencil_cells cells, int axis, int width, int line)
{
	cells = stencil_whole(cells, axis, width);
	cells.lo[axis] -= cells.lo[axis] % line;
	return cells;
}

#endif
