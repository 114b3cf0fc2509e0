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

/* Bytes that the current device's memory moves in a clock of a processor. */
static inline stencil_status
stencil_memory_rate(stencil_context *ctx, const char *name, double *rate)
{
	static const cudaDeviceAttr attributes[] = { cudaDevAttrMemoryClockRate,
		cudaDevAttrGlobalMemoryBusWidth, cudaDevAttrClockRate,
		cudaDevAttrMultiProcessorCount };
	int device, value[4];

	STENCIL_TRY(stencil_check_cuda(ctx, cudaGetDevice(&device), name));
	for (int i = 0; i < 4; i++)
		STENCIL_TRY(stencil_check_cuda(ctx, cudaDeviceGetAttribute(&value[i],
			attributes[i], device), name));
	*rate = 2.0 * value[0] * value[1] / 8 / ((double)value[2] * value[3]);
	return STENCIL_OK;
}

/* Bytes a clock of a processor: a memory that moves fewer writes parts of sectors so slowly that
 * it costs sweeps that do not wait for it alone (measured: an H100 moves 12.8, an H200 18.8). */
#define STENCIL_BEARS_PARTS 18

/* Takes MORE cells off below where so much less takes fewer blocks of SPAN cells, which then meet
 * within sectors: not where memory, which had to move BELOW bytes a clock of a processor for
 * keeping up with all else, writes the parts for longer than a block more takes. */
static inline stencil_status
stencil_inset_for_fewer(stencil_context *ctx, const char *name, stencil_cells *cells, int axis,
	int span, int more, double below)
{
	const int n = cells->hi[axis] - cells->lo[axis];
	double rate;

	if (n <= more || (n - more + span - 1) / span >= (n + span - 1) / span)
		return STENCIL_OK;
	STENCIL_TRY(stencil_memory_rate(ctx, name, &rate));
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

#endif
