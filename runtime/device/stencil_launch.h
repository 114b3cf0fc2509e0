/* stencil_launch.h: launches, reductions, the time levels and the end of a run
 * of generated CUDA code.  The GPU and the emulation.
 */
#ifndef STENCIL_LAUNCH_H
#define STENCIL_LAUNCH_H

#include <stdio.h>

#include <cuda_runtime.h>

#include "stencil_anywhere.cuh"
#include "stencil_async.cuh"
#include "stencil_edges.cuh"
#include "stencil_inset.h"
#include "stencil_packed.cuh"
#include "stencil_keep.cuh"
#include "stencil_mail.cuh"
#include "stencil_relay.cuh"
#include "stencil_shared.cuh"
#include "stencil_together.cuh"
#include "stencil_vector.cuh"
#include "stencil_warp.cuh"

/* The context's device, current while this lives. */
struct stencil_on_device {
	stencil_context *ctx;
	int before;
	stencil_status status;

	explicit stencil_on_device(stencil_context *of)
		: ctx(of), before(0), status(stencil_enter(of, &before))
	{
	}
	~stencil_on_device()
	{
		if (status == STENCIL_OK)
			stencil_leave(ctx, before);
	}
	stencil_on_device(const stencil_on_device &) = delete;
	stencil_on_device &operator=(const stencil_on_device &) = delete;
};

/* ---- launching ---- */

/* Threads of a block, and the axis of the box that each dimension of the grid of
 * blocks runs along; -1: none. */
struct stencil_shape {
	unsigned threads[3];
	unsigned span[3]; /* cells of a block */
	int axis[3];
	size_t shared; /* bytes of dynamic shared memory */
	unsigned group = 0; /* layers of blocks, of which those at the edges go first; 0: none */
	int32_t rows = 0;   /* cells along the second axis that they serve; 0: all of the box, */
	int32_t skip = 0;   /* from here on, which others serve */
	int64_t at_once = 0; /* blocks, where that is known, */
	int64_t takes = 0;   /* and what they take (stencil_cut) */
};

#define STENCIL_SHARED_FREE 49152 /* bytes that a launch may ask for without saying so before */
#define STENCIL_MAX_BLOCKS 65535  /* along y and z */
#define STENCIL_MAX_WIDE (INT32_MAX - 65536) /* cells along an axis that threads of several
                                              * cells serve: coordinates must not wrap */

/* The blocks that cover CELLS along dimension D, at most what a launch takes. */
static inline unsigned
stencil_blocks(const stencil_shape *shape, int d, const stencil_cells *cells)
{
	int64_t n;

	if (shape->axis[d] < 0)
		return 1;
	n = shape->span[d];
	n = ((d == 1 && shape->rows > 0 ? shape->rows : stencil_extent_of(cells, shape->axis[d]))
		+ n - 1) / n;
	return (unsigned)(d > 0 && n > STENCIL_MAX_BLOCKS ? STENCIL_MAX_BLOCKS : n);
}

/* Where the next launch starts along dimension D; FALSE: at the end.  CELLS is
 * what is left, ALL the whole box. */
static inline int
stencil_advance(const stencil_shape *shape, int d, stencil_cells *cells, const stencil_cells *all)
{
	const int a = shape->axis[d];
	int64_t next;

	if (a < 0)
		return 0;
	next = cells->lo[a] + (int64_t)STENCIL_MAX_BLOCKS * shape->span[d];
	cells->lo[a] = next < all->hi[a] ? (int32_t)next : all->lo[a];
	return next < all->hi[a];
}

/* What CALL, made for the kernel NAME, gave. */
static inline stencil_status
stencil_check_launch(stencil_context *ctx, cudaError_t code, const char *name, const char *call)
{
	char what[256];

	if (code == cudaSuccess)
		return STENCIL_OK;
	snprintf(what, sizeof what, "%s: %s", name, call);
	return stencil_check_cuda(ctx, code, what);
}

/* Bytes of shared memory that the current device has for a block. */
static inline stencil_status
stencil_most_shared(stencil_context *ctx, const char *name, size_t *bytes)
{
	int device, most = 0;

	STENCIL_TRY(stencil_check_cuda(ctx, cudaGetDevice(&device), name));
	STENCIL_TRY(stencil_check_cuda(ctx, cudaDeviceGetAttribute(&most,
		cudaDevAttrMaxSharedMemoryPerBlockOptin, device), name));
	*bytes = (size_t)most;
	return STENCIL_OK;
}

/* *FITS becomes FALSE where that is less than blocks of SHAPE take. */
static inline stencil_status
stencil_fit_shared(stencil_context *ctx, const char *name, const stencil_shape *shape, int *fits)
{
	size_t most;

	STENCIL_TRY(stencil_most_shared(ctx, name, &most));
	*fits = *fits && shape->shared <= most;
	return STENCIL_OK;
}

/* Lets KERNEL have the shared memory of its blocks. */
template <typename... Want>
static inline stencil_status
stencil_allow_shared(stencil_context *ctx, const char *name, const stencil_shape *shape,
	void (*kernel)(Want...))
{
	cudaError_t code;
	size_t most;

	if (shape->shared <= STENCIL_SHARED_FREE)
		return STENCIL_OK;
	code = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
		(int)shape->shared);
	if (code == cudaErrorInvalidValue) {
		STENCIL_TRY(stencil_most_shared(ctx, name, &most));
		if (shape->shared > most)
			return stencil_fail(ctx, STENCIL_CUDA_ERROR, "%s: a block takes %zu "
				"bytes of shared memory, and this GPU has %zu; name it to "
				"stencilc, by --device or --arch", name, shape->shared, most);
	}
	return stencil_check_launch(ctx, code, name, "cudaFuncSetAttribute");
}

/* The processors of the current device. */
static inline stencil_status
stencil_processors(stencil_context *ctx, const char *name, int *processors)
{
	int device;

	STENCIL_TRY(stencil_check_cuda(ctx, cudaGetDevice(&device), name));
	return stencil_check_cuda(ctx, cudaDeviceGetAttribute(processors,
		cudaDevAttrMultiProcessorCount, device), name);
}

/* The blocks of KERNEL that the current device runs at once, at least one. */
template <typename... Want>
static inline stencil_status
stencil_at_once(stencil_context *ctx, const char *name, const stencil_shape *shape,
	void (*kernel)(Want...), int64_t *at_once)
{
	int blocks, processors;

	STENCIL_TRY(stencil_allow_shared(ctx, name, shape, kernel));
	STENCIL_TRY(stencil_processors(ctx, name, &processors));
	STENCIL_TRY(stencil_check_cuda(ctx, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks,
		kernel, (int)(shape->threads[0] * shape->threads[1]), shape->shared), name));
	*at_once = (int64_t)(blocks > 0 ? blocks : 1) * processors;
	return STENCIL_OK;
}

/* ---- kernels that move WIDTH cells of a row at once ---- */

/* Rows are whole vectors of WIDTH cells, of which at most 16 bytes are aligned. */
template <typename T>
static inline int
stencil_field_fits(const T *field, const stencil_layout *at, int width)
{
	return stencil_layout_fits(at, width)
		&& (uintptr_t)field % (sizeof(T) * width < 16 ? sizeof(T) * width : 16) == 0;
}

/* Likewise vectors of WIDTH elements, of all components of cells that lie side by side along
 * AXIS. */
template <typename T>
static inline int
stencil_together_fits(const T *field, const stencil_layout *at, int axis, int width)
{
	for (int a = 0; a < 3; a++)
		if (a != axis && at->stride[a] % width != 0)
			return 0;
	return (uintptr_t)field % (sizeof(T) * width) == 0;
}

/* What a region leaves out of the grid along AXIS is at most BELOW and ABOVE cells. */
static inline int
stencil_ends_fit(const stencil_cells *region, const stencil_grid *grid, int axis, int below,
	int above)
{
	return region->lo[axis] <= below && region->hi[axis] >= grid->extent[axis] - above;
}

#include "stencil_fill.h"

/* What is launched between turn() and end() is beside what came before in this life; what comes
 * after waits for both, also where a launch fails in between. */
struct stencil_beside {
	stencil_context *ctx;
	int turned;
	stencil_status status;

	stencil_beside(stencil_context *of, int any)
		: ctx(of), turned(0), status(any ? stencil_beside_begin(of) : STENCIL_OK)
	{
	}
	~stencil_beside()
	{
		if (turned)
			(void)end();
	}
	void turn()
	{
		stencil_beside_turn(ctx);
		turned = !turned;
	}
	stencil_status end()
	{
		turn();
		return stencil_beside_end(ctx);
	}
	stencil_beside(const stencil_beside &) = delete;
	stencil_beside &operator=(const stencil_beside &) = delete;
};

/* Fails where coordinates of a block of more cells than threads might wrap. */
static inline stencil_status
stencil_check_wide(stencil_context *ctx, const char *name, const stencil_shape &shape,
	const stencil_cells &all)
{
	for (int d = 0; d < 3; d++)
		if (shape.axis[d] >= 0 && shape.span[d] != shape.threads[d]
			&& all.hi[shape.axis[d]] > STENCIL_MAX_WIDE)
			return stencil_fail(ctx, STENCIL_BAD_ARGUMENT,
				"%s: an axis of %d cells is too long for this kernel, which takes "
				"%d; compile with --strategy=naive", name, all.hi[shape.axis[d]],
				STENCIL_MAX_WIDE);
	return STENCIL_OK;
}

static inline int
stencil_is_empty(const stencil_shape &shape, const stencil_cells &cells)
{
	for (int d = 0; d < 3; d++)
		if (shape.axis[d] >= 0 && stencil_extent_of(&cells, shape.axis[d]) == 0)
			return 1;
	return 0;
}

/* A launch of SHAPE's blocks over the cells, or over as many of them as one takes. */
static inline cudaLaunchConfig_t
stencil_config(stencil_context *ctx, const stencil_shape &shape, const stencil_cells &cells)
{
	cudaLaunchConfig_t config = {};

	config.gridDim = dim3(stencil_blocks(&shape, 0, &cells), stencil_blocks(&shape, 1, &cells),
		stencil_blocks(&shape, 2, &cells));
	config.blockDim = dim3(shape.threads[0], shape.threads[1], shape.threads[2]);
	config.dynamicSmemBytes = shape.shared;
	config.stream = (cudaStream_t)stencil_context_stream(ctx);
	return config;
}

/* Runs KERNEL(cells, arguments...) over the box, in as many launches as its size
 * takes. */
template <typename... Want, typename... Given>
static inline stencil_status
stencil_launch(stencil_context *ctx, const char *name, const stencil_shape &shape,
	const stencil_cells &all, void (*kernel)(stencil_cells, Want...), const Given &...given)
{
	stencil_cells cells = all;

	if (stencil_is_empty(shape, all))
		return STENCIL_OK;
	STENCIL_TRY(stencil_check_wide(ctx, name, shape, all));
	STENCIL_TRY(stencil_allow_shared(ctx, name, &shape, kernel));
	do {
		do {
			const cudaLaunchConfig_t config = stencil_config(ctx, shape, cells);

			STENCIL_TRY(stencil_check_launch(ctx,
				cudaLaunchKernelEx(&config, kernel, cells, Want(given)...), name,
				"cudaLaunchKernelEx"));
		} while (stencil_advance(&shape, 1, &cells, &all));
	} while (stencil_advance(&shape, 2, &cells, &all));
	return STENCIL_OK;
}

#include "stencil_at_once.h"

/* ---- kernels whose blocks walk over the box ---- */

/* The parts of a box, each as large as a block: how many, and how many along the first
 * dimensions. */
typedef struct {
	stencil_cells cells;
	uint32_t parts, across[2];
} stencil_walk;

typedef struct {
	int32_t at[3];
} stencil_part;

/* Where the part N lies, in blocks. */
static __device__ __forceinline__ stencil_part
stencil_part_of(const stencil_walk &walk, uint32_t n)
{
	const uint32_t row = n / walk.across[0];

	return { { (int32_t)(n % walk.across[0]), (int32_t)(row % walk.across[1]),
		(int32_t)(row / walk.across[1]) } };
}

/* Runs KERNEL(walk, arguments...) over the box by at most BLOCKS blocks; where that is 0, it
 * becomes the number of those that the current device runs at once. */
template <typename... Want, typename... Given>
static inline stencil_status
stencil_launch_walk(stencil_context *ctx, const char *name, const stencil_shape &shape,
	int64_t *blocks, const stencil_cells &cells, void (*kernel)(stencil_walk, Want...),
	const Given &...given)
{
	stencil_walk walk = { cells, 0, { 1, 1 } };
	cudaLaunchConfig_t config = {};
	int64_t parts = 1;

	STENCIL_TRY(stencil_check_wide(ctx, name, shape, cells));
	for (int d = 0; d < 3 && shape.axis[d] >= 0; d++) {
		const int64_t n = (stencil_extent_of(&cells, shape.axis[d]) + shape.span[d] - 1)
			/ shape.span[d];

		if (n == 0)
			return STENCIL_OK;
		if (d < 2)
			walk.across[d] = (uint32_t)n;
		parts = parts > INT32_MAX ? parts : parts * n;
	}
	if (parts > INT32_MAX)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "%s: blocks cannot walk over so "
			"many parts; compile with --set persistent=no", name);
	if (*blocks == 0)
		STENCIL_TRY(stencil_at_once(ctx, name, &shape, kernel, blocks));
	walk.parts = (uint32_t)parts;
	config.gridDim = dim3((unsigned)(parts < *blocks ? parts : *blocks));
	config.blockDim = dim3(shape.threads[0], shape.threads[1], shape.threads[2]);
	config.dynamicSmemBytes = shape.shared;
	config.stream = (cudaStream_t)stencil_context_stream(ctx);
	return stencil_check_launch(ctx, cudaLaunchKernelEx(&config, kernel, walk,
		Want(given)...), name, "cudaLaunchKernelEx");
}

/* Runs KERNEL(arguments...) on BLOCKS × THREADS. */
template <typename... Want, typename... Given>
static inline stencil_status
stencil_launch_flat(stencil_context *ctx, const char *name, unsigned blocks, unsigned threads,
	size_t shared, void (*kernel)(Want...), const Given &...given)
{
	cudaLaunchConfig_t config = {};

	config.gridDim = dim3(blocks);
	config.blockDim = dim3(threads);
	config.dynamicSmemBytes = shared;
	config.stream = (cudaStream_t)stencil_context_stream(ctx);
	return stencil_check_launch(ctx, cudaLaunchKernelEx(&config, kernel, Want(given)...), name,
		"cudaLaunchKernelEx");
}

/* The coordinate of this thread in a box that starts at LO; stencil_past() says
 * whether it is one. */
static __device__ __forceinline__ int32_t
stencil_here(int32_t lo, unsigned block, unsigned threads, unsigned thread)
{
	return (int32_t)((uint32_t)lo + block * threads + thread);
}

/* A run-time table as a parameter of a kernel. */
template <typename T, int N>
struct stencil_table {
	T v[N];

	explicit stencil_table(const T *from) { memcpy(v, from, sizeof v); }
};

/* The memory for NEED bytes of scratch: the caller's, which then has to be large
 * enough, or the context's. */
static inline stencil_status
stencil_memory(stencil_context *ctx, const char *who, void *given, size_t size, size_t need,
	void **memory)
{
	*memory = given;
	if (given == NULL)
		return need > 0 ? stencil_scratch(ctx, need, memory) : STENCIL_OK;
	if (size < need)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT,
			"%s: the workspace has %zu bytes, and %zu are needed", who, size, need);
	return STENCIL_OK;
}

/* ---- reductions: equal boxes give equal bits ---- */

#define STENCIL_REDUCE_THREADS 256

struct stencil_op_sum {
	static __device__ double join(double a, double b) { return a + b; }
	static __device__ int64_t join(int64_t a, int64_t b) { return stencil_add_i64(a, b); }
};

struct stencil_op_prod {
	static __device__ double join(double a, double b) { return a * b; }
	static __device__ int64_t join(int64_t a, int64_t b) { return stencil_mul_i64(a, b); }
};

struct stencil_op_min {
	static __device__ double join(double a, double b) { return stencil_min_f64(a, b); }
	static __device__ int64_t join(int64_t a, int64_t b) { return stencil_min_i64(a, b); }
};

struct stencil_op_max {
	static __device__ double join(double a, double b) { return stencil_max_f64(a, b); }
	static __device__ int64_t join(int64_t a, int64_t b) { return stencil_max_i64(a, b); }
};

/* The number of partial results, and of blocks, for CELLS cells. */
static inline unsigned
stencil_partials(int64_t cells)
{
	const int64_t n = (cells + 4 * STENCIL_REDUCE_THREADS - 1) / (4 * STENCIL_REDUCE_THREADS);

	return (unsigned)(n < 1 ? 1 : n > STENCIL_PARTIALS ? STENCIL_PARTIALS : n);
}

/* The threads' values of a block, joined in a fixed order; in thread 0. */
template <typename Op, typename T>
static __device__ T
stencil_join_block(T value)
{
	T *const shared = (T *)stencil_shared();
	const unsigned me = threadIdx.x;

	shared[me] = value;
	for (unsigned half = STENCIL_REDUCE_THREADS / 2; half > 0; half /= 2) {
		__syncthreads();
		if (me < half)
			shared[me] = Op::join(shared[me], shared[me + half]);
	}
	return shared[me];
}

/* The N partial results joined, by one block; in thread 0. */
template <typename Op, typename T>
static __device__ T
stencil_join_partials(const T *partial, int n, T value)
{
	for (int i = (int)threadIdx.x; i < n; i += STENCIL_REDUCE_THREADS)
		value = Op::join(value, partial[i]);
	return stencil_join_block<Op>(value);
}

/* ---- the run of an iterated stencil ---- */

template <typename Progress>
static __global__ void
stencil_begin_kernel(Progress *progress, int64_t steps)
{
	progress->steps = steps;
	progress->stopped = 0;
}

static inline stencil_status
stencil_begin(stencil_context *ctx, stencil_progress *progress, int64_t steps)
{
	return stencil_launch_flat(ctx, "begin", 1, 1, 0, stencil_begin_kernel<stencil_progress>,
		progress, steps);
}

/* By the thread that tests `until`: later launches do nothing. */
template <typename Progress>
static __device__ void
stencil_stop(Progress *progress, int64_t steps, int64_t launches, int64_t sweeps)
{
	progress->steps = steps;
	progress->launches = launches;
	progress->sweeps = sweeps;
	progress->stopped = 1;
}

/* The buffers of the time levels of a field. */
template <typename T, int R>
struct stencil_levels {
	T *slot[R];
};

/* Puts level -K, of N, into buffer K, cell by cell, the buffers having gone round TURNS times:
 * where the run stopped early, once for each launch and SKIPS times more for each sweep. */
template <int N, typename T, int R>
static __global__ void
stencil_settle_kernel(const stencil_cells cells, const stencil_levels<T, R> levels,
	const stencil_layout at, const int components, int64_t turns,
	const stencil_progress *progress, const int skips)
{
	const int32_t x = stencil_here(cells.lo[2], blockIdx.x, 32, threadIdx.x);
	const int32_t y = stencil_here(cells.lo[1], blockIdx.y, 8, threadIdx.y);
	const int32_t z = stencil_here(cells.lo[0], blockIdx.z, 1, threadIdx.z);

	if (stencil_past(x, cells.hi[2]) || stencil_past(y, cells.hi[1])
		|| stencil_past(z, cells.hi[0]))
		return;
	if (progress != NULL && progress->stopped)
		turns = progress->launches + skips * progress->sweeps;
	if (turns % R == 0)
		return;
	for (int c = 0; c < components; c++) {
		const int64_t i = z * at.stride[0] + y * at.stride[1] + x * at.stride[2]
			+ c * at.component;
		T value[N];

		for (int k = 0; k < N; k++)
			value[k] = levels.slot[stencil_slot(-k, turns, R)][i];
		for (int k = 0; k < N; k++)
			levels.slot[k][i] = value[k];
	}
}

#define STENCIL_SETTLE 16 /* bytes that a thread moves of each level */

/* What lies in FROM and is to lie in TO; they may be some of the same buffers. */
template <int N>
struct stencil_moves {
	const uint4 *from[N];
	uint4 *to[N];
};

template <int N>
static __global__ void
stencil_move_kernel(const stencil_cells vectors, const stencil_moves<N> moves)
{
	const int32_t i = stencil_here(vectors.lo[2], blockIdx.x, 256, threadIdx.x);
	uint4 value[N];

	if (stencil_past(i, vectors.hi[2]))
		return;
	STENCIL_UNROLL
	for (int k = 0; k < N; k++)
		value[k] = moves.from[k][i];
	STENCIL_UNROLL
	for (int k = 0; k < N; k++)
		moves.to[k][i] = value[k];
}

/* TRUE if the cells of a field, all that there is between its first and its last byte, are
 * whole vectors. */
static inline int
stencil_is_compact(const stencil_layout &at, const stencil_grid &grid, size_t bytes)
{
	for (int a = 0; a < 3; a++)
		if (at.stride[a] != 0)
			bytes *= (size_t)grid.extent[a];
	return bytes == at.bytes && bytes % STENCIL_SETTLE == 0
		&& bytes / STENCIL_SETTLE <= STENCIL_MAX_WIDE;
}

/* Puts level -K, of N, into buffer K, where all buffers are whole vectors.  *DONE: they are. */
template <int N, typename T, int R>
static inline stencil_status
stencil_settle_vectors(stencil_context *ctx, T *const (&slot)[R], const stencil_layout &at,
	const stencil_grid &grid, int components, int64_t turns, int *done)
{
	const stencil_shape shape = { { 256, 1, 1 }, { 256, 1, 1 }, { 2, -1, -1 }, 0 };
	stencil_cells vectors = { { 0, 0, 0 }, { 1, 1, 1 } };
	stencil_moves<N> moves;

	*done = stencil_is_compact(at, grid, sizeof(T) * (size_t)components);
	for (int k = 0; k < R; k++)
		*done = *done && (uintptr_t)slot[k] % STENCIL_SETTLE == 0;
	if (!*done)
		return STENCIL_OK;
	for (int k = 0; k < N; k++) {
		moves.from[k] = (const uint4 *)slot[stencil_slot(-k, turns, R)];
		moves.to[k] = (uint4 *)slot[k];
	}
	vectors.hi[2] = (int32_t)(at.bytes / STENCIL_SETTLE);
	return stencil_launch(ctx, "settle", shape, vectors, stencil_move_kernel<N>, moves);
}

/* Once the steps are made, by TURNS of the buffers.  PROGRESS: NULL where nothing can stop
 * them early. */
template <int N, typename T, int R>
static inline stencil_status
stencil_settle_levels(stencil_context *ctx, T *const (&slot)[R], const stencil_layout &at,
	const stencil_grid &grid, int components, int64_t turns, const stencil_progress *progress,
	int skips = 0)
{
	const stencil_shape shape = { { 32, 8, 1 }, { 32, 8, 1 }, { 2, 1, 0 }, 0 };
	stencil_levels<T, R> levels;
	stencil_cells cells = { { 0, 0, 0 }, { 1, 1, 1 } };
	stencil_layout rows = at;
	int axis = 3, done = 0;

	if (progress == NULL && turns % R == 0)
		return STENCIL_OK;
	if (progress == NULL)
		STENCIL_TRY((stencil_settle_vectors<N>(ctx, slot, at, grid, components, turns,
			&done)));
	if (done)
		return STENCIL_OK;
	for (int k = 0; k < R; k++)
		levels.slot[k] = slot[k];
	/* Threads of a warp go along the last axis that there is. */
	rows.stride[0] = rows.stride[1] = rows.stride[2] = 0;
	for (int a = 3; a-- > 0;) {
		if (at.stride[a] == 0)
			continue;
		rows.stride[--axis] = at.stride[a];
		cells.hi[axis] = grid.extent[a];
	}
	return stencil_launch(ctx, "settle", shape, cells, stencil_settle_kernel<N, T, R>,
		levels, rows, components, turns, progress, skips);
}

/* Of all buffers but one, as the steps leave them where each is a launch. */
template <typename T, int R>
static inline stencil_status
stencil_settle(stencil_context *ctx, T *const (&slot)[R], const stencil_layout &at,
	const stencil_grid &grid, int components, int64_t turns, const stencil_progress *progress,
	int skips = 0)
{
	return stencil_settle_levels<R - 1>(ctx, slot, at, grid, components, turns, progress,
		skips);
}

#include "stencil_rows.cuh"
#endif
