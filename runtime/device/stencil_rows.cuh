/* stencil_rows.cuh: copies of fields with padded rows, for as long as the steps go on.
 * Included by stencil_launch.h.
 */
#ifndef STENCIL_ROWS_CUH
#define STENCIL_ROWS_CUH

/* Memory for NEED bytes, the caller's where there is one.  FALSE where it is less than
 * that, or there is no such: the steps have to do without padded rows. */
static inline int
stencil_room_for_rows(stencil_context *ctx, void *given, size_t size, size_t need, void **memory)
{
	*memory = given;
	if (given != NULL)
		return size >= need;
	return stencil_scratch(ctx, need, memory) == STENCIL_OK;
}

/* The grid as kernels take it that compute whole vectors of WIDTH cells. */
static inline stencil_grid
stencil_whole_grid(stencil_grid grid, int axis, int width)
{
	const int32_t more = (width - grid.extent[axis] % width) % width;

	grid.extent[axis] += more;
	grid.last[axis] += more;
	return grid;
}

/* Likewise one whose padded rows go on with BESIDE cells of their other end, on both sides;
 * 0: rows are whole vectors as they are. */
static inline stencil_grid
stencil_wide_grid(stencil_grid grid, int axis, int width, int beside)
{
	if (beside == 0)
		return grid;
	grid = stencil_whole_grid(grid, axis, width);
	grid.first[axis] -= beside;
	grid.last[axis] += beside;
	grid.extent[axis] += 2 * beside;
	return grid;
}

#define STENCIL_COPIED 4 /* cells of a thread */

/* A row has LENGTH cells; what CELLS has behind them becomes 0. */
template <typename T>
static __global__ void
stencil_rows_kernel(const stencil_cells cells, const T *__restrict__ from, T *__restrict__ to,
	const stencil_layout from_at, const stencil_layout to_at, const int32_t length,
	const int components)
{
	const int32_t x = stencil_here(cells.lo[2], blockIdx.x, 32 * STENCIL_COPIED, threadIdx.x);
	const int32_t y = stencil_here(cells.lo[1], blockIdx.y, 8, threadIdx.y);
	const int32_t z = stencil_here(cells.lo[0], blockIdx.z, 1, threadIdx.z);

	if (stencil_past(y, cells.hi[1]) || stencil_past(z, cells.hi[0]))
		return;
	for (int c = 0; c < components; c++) {
		const int64_t i = z * from_at.stride[0] + y * from_at.stride[1]
			+ c * from_at.component;
		const int64_t o = z * to_at.stride[0] + y * to_at.stride[1] + c * to_at.component;
		T value[STENCIL_COPIED];

		STENCIL_UNROLL
		for (int k = 0; k < STENCIL_COPIED; k++)
			value[k] = x + 32 * k < length
				? from[i + (x + 32 * k) * from_at.stride[2]] : T(0);
		STENCIL_UNROLL
		for (int k = 0; k < STENCIL_COPIED; k++)
			if (x + 32 * k < cells.hi[2])
				to[o + (x + 32 * k) * to_at.stride[2]] = value[k];
	}
}

/* What varies along the last axes only: those that the field has. */
static inline stencil_layout
stencil_last_axes(const stencil_layout &at)
{
	stencil_layout rows = at;
	int axis = 3;

	rows.stride[0] = rows.stride[1] = rows.stride[2] = 0;
	for (int a = 3; a-- > 0;)
		if (at.stride[a] != 0)
			rows.stride[--axis] = at.stride[a];
	return rows;
}

/* The cells of a field of GRID whose layout is AT, as one of three axes. */
static inline stencil_cells
stencil_cells_of(const stencil_layout &at, const stencil_grid &grid)
{
	stencil_cells cells = { { 0, 0, 0 }, { 1, 1, 1 } };
	int axis = 3;

	for (int a = 3; a-- > 0;)
		if (at.stride[a] != 0)
			cells.hi[--axis] = grid.extent[a];
	return cells;
}

/* Copies a field of GRID, whose rows get whole vectors of WIDTH cells; 1: just those
 * that there are. */
template <typename T>
static inline stencil_status
stencil_copy_rows(stencil_context *ctx, const T *from, const stencil_layout &from_at, T *to,
	const stencil_layout &to_at, const stencil_grid &grid, int width, int components)
{
	const stencil_shape shape = { { 32, 8, 1 }, { 32 * STENCIL_COPIED, 8, 1 }, { 2, 1, 0 }, 0 };
	stencil_cells cells = stencil_cells_of(from_at, grid);
	const int32_t length = cells.hi[2];

	cells.hi[2] += (width - length % width) % width;
	return stencil_launch(ctx, "rows", shape, cells, stencil_rows_kernel<T>, from, to,
		stencil_last_axes(from_at), stencil_last_axes(to_at), length, components);
}

/* ---- components that lie together, as rows of each, and back ---- */

#define STENCIL_LACED_BYTES 2048 /* of a row that a warp brings at a time, about */
#define STENCIL_LACED_MOST 6144  /* and at most */

/* N elements that lie side by side, by the lanes of a warp; both are aligned to WIDTH of them.
 * OUT: to global memory, else to shared. */
template <int WIDTH, bool OUT, typename T>
static __device__ __forceinline__ void
stencil_move_by(T *to, const T *from, int n, int lane)
{
	const int vectors = n / WIDTH;

	STENCIL_UNROLL_BY(4)
	for (int i = lane; i < vectors; i += 32) {
		const stencil_vector<T, WIDTH> value = stencil_load<T, WIDTH>(from + i * WIDTH);

		if (OUT)
			stencil_store_global(to + i * WIDTH, value);
		else
			stencil_store(to + i * WIDTH, value);
	}
	for (int i = vectors * WIDTH + lane; i < n; i += 32)
		to[i] = from[i];
}

/* Likewise, wherever they are. */
template <bool OUT, typename T>
static __device__ __forceinline__ void
stencil_move_together(T *to, const T *from, int n, int lane)
{
	const uintptr_t at = (uintptr_t)to | (uintptr_t)from;

	if (at % 16 == 0)
		stencil_move_by<16 / (int)sizeof(T), OUT>(to, from, n, lane);
	else if (at % 4 == 0)
		stencil_move_by<(sizeof(T) < 4 ? 4 / (int)sizeof(T) : 1), OUT>(to, from, n, lane);
	else
		stencil_move_by<1, OUT>(to, from, n, lane);
}

/* N cells of a component, of C that lie together in TILE, to ROW, where they lie side by side. */
template <int C, int WIDTH, typename T>
static __device__ __forceinline__ void
stencil_take_apart(T *row, const T *tile, int n, int lane)
{
	const int vectors = n / WIDTH;

	for (int i = lane; i < vectors; i += 32) {
		stencil_vector<T, WIDTH> value;

		STENCIL_UNROLL
		for (int k = 0; k < WIDTH; k++)
			value.at[k] = tile[(i * WIDTH + k) * C];
		stencil_store_global(row + i * WIDTH, value);
	}
	for (int i = vectors * WIDTH + lane; i < n; i += 32)
		row[i] = tile[i * C];
}

/* And back. */
template <int C, int WIDTH, typename T>
static __device__ __forceinline__ void
stencil_put_together(T *tile, const T *row, int n, int lane)
{
	const int vectors = n / WIDTH;

	STENCIL_UNROLL_BY(4)
	for (int i = lane; i < vectors; i += 32) {
		const stencil_vector<T, WIDTH> value = stencil_load<T, WIDTH>(row + i * WIDTH);

		STENCIL_UNROLL
		for (int k = 0; k < WIDTH; k++)
			tile[(i * WIDTH + k) * C] = value.at[k];
	}
	for (int i = vectors * WIDTH + lane; i < n; i += 32)
		tile[i * C] = row[i];
}

/* A warp's part of a row of LENGTH cells, which goes through shared memory: lanes side by side
 * move what lies side by side, in LACED, where the components lie together, and in rows of
 * each. */
template <typename T, int C>
struct stencil_strand {
	static constexpr int bytes = C * (int)sizeof(T);
	static constexpr int span = bytes * 64 < STENCIL_LACED_BYTES
		? STENCIL_LACED_BYTES / bytes / 32 * 32 : 32; /* cells */
	static constexpr int width = sizeof(T) < 4 ? 4 / (int)sizeof(T) : 1;

	int32_t x, y, z;
	int lane, n; /* cells that there are */
	T *tile;

	__device__ __forceinline__
	stencil_strand(const stencil_cells &cells, int32_t length)
		: x(stencil_here(cells.lo[2], blockIdx.x, span, 0)),
		  y(stencil_here(cells.lo[1], blockIdx.y, 8, threadIdx.y)),
		  z(stencil_here(cells.lo[0], blockIdx.z, 1, threadIdx.z)),
		  lane((int)threadIdx.x), n(length - x < span ? length - x : span),
		  tile((T *)stencil_shared() + (int)threadIdx.y * span * C)
	{
	}
	__device__ __forceinline__ int
	past(const stencil_cells &cells) const
	{
		return stencil_past(y, cells.hi[1]) || stencil_past(z, cells.hi[0]);
	}
	__device__ __forceinline__ int64_t
	laced(const stencil_layout &at) const
	{
		return z * at.stride[0] + y * at.stride[1] + (int64_t)x * C;
	}
	__device__ __forceinline__ int64_t
	row(const stencil_layout &at, int c) const
	{
		return z * at.stride[0] + y * at.stride[1] + x + c * at.component;
	}
};

/* What CELLS has behind a row's last cell becomes 0. */
template <int C, typename T>
static __global__ void __launch_bounds__(256)
stencil_unlace_kernel(const stencil_cells cells, const T *__restrict__ from, T *__restrict__ to,
	const stencil_layout from_at, const stencil_layout to_at, const int32_t length)
{
	typedef stencil_strand<T, C> Strand;
	const Strand s(cells, length);
	const int end = cells.hi[2] - s.x < Strand::span ? cells.hi[2] - s.x : Strand::span;

	if (s.past(cells))
		return;
	stencil_move_together<false>(s.tile, from + s.laced(from_at), s.n * C, s.lane);
	stencil_syncwarp();
	for (int c = 0; c < C; c++) {
		T *const row = to + s.row(to_at, c);

		if ((uintptr_t)row % (sizeof(T) * Strand::width) == 0)
			stencil_take_apart<C, Strand::width>(row, s.tile + c, s.n, s.lane);
		else
			stencil_take_apart<C, 1>(row, s.tile + c, s.n, s.lane);
		for (int i = (s.n < 0 ? 0 : s.n) + s.lane; i < end; i += 32)
			row[i] = T(0);
	}
}

template <int C, typename T>
static __global__ void __launch_bounds__(256)
stencil_lace_kernel(const stencil_cells cells, const T *__restrict__ from, T *__restrict__ to,
	const stencil_layout from_at, const stencil_layout to_at, const int32_t length)
{
	typedef stencil_strand<T, C> Strand;
	const Strand s(cells, length);

	if (s.past(cells))
		return;
	for (int c = 0; c < C; c++) {
		const T *const row = from + s.row(from_at, c);

		if ((uintptr_t)row % (sizeof(T) * Strand::width) == 0)
			stencil_put_together<C, Strand::width>(s.tile + c, row, s.n, s.lane);
		else
			stencil_put_together<C, 1>(s.tile + c, row, s.n, s.lane);
	}
	stencil_syncwarp();
	stencil_move_together<true>(to + s.laced(to_at), (const T *)s.tile, s.n * C, s.lane);
}

/* As stencil_copy_rows, of C components that lie together in FROM, and in rows of each in TO, if
 * UNLACE; else the other way round. */
template <int C, bool UNLACE, typename T>
static inline stencil_status
stencil_copy_laced(stencil_context *ctx, const T *from, const stencil_layout &from_at, T *to,
	const stencil_layout &to_at, const stencil_grid &grid, int width)
{
	typedef stencil_strand<T, C> Strand;

	if constexpr (Strand::span * Strand::bytes > STENCIL_LACED_MOST) {
		return stencil_copy_rows(ctx, from, from_at, to, to_at, grid, width, C);
	} else {
		const stencil_shape shape = { { 32, 8, 1 }, { Strand::span, 8, 1 }, { 2, 1, 0 },
			8 * Strand::span * Strand::bytes };
		stencil_cells cells = stencil_cells_of(from_at, grid);
		const int32_t length = cells.hi[2];

		cells.hi[2] += (width - length % width) % width;
		if constexpr (UNLACE)
			return stencil_launch(ctx, "unlace", shape, cells,
				stencil_unlace_kernel<C, T>, from, to, stencil_last_axes(from_at),
				stencil_last_axes(to_at), length);
		else
			return stencil_launch(ctx, "lace", shape, cells, stencil_lace_kernel<C, T>,
				from, to, stencil_last_axes(from_at), stencil_last_axes(to_at),
				length);
	}
}

template <int C, typename T>
static inline stencil_status
stencil_unlace_rows(stencil_context *ctx, const T *from, const stencil_layout &from_at, T *to,
	const stencil_layout &to_at, const stencil_grid &grid, int width)
{
	return stencil_copy_laced<C, true>(ctx, from, from_at, to, to_at, grid, width);
}

template <int C, typename T>
static inline stencil_status
stencil_lace_rows(stencil_context *ctx, const T *from, const stencil_layout &from_at, T *to,
	const stencil_layout &to_at, const stencil_grid &grid, int width)
{
	return stencil_copy_laced<C, false>(ctx, from, from_at, to, to_at, grid, width);
}

/* What goes on beside rows of LENGTH cells: BESIDE before them, and CELLS without those behind. */
template <typename T>
static __global__ void
stencil_ends_kernel(const stencil_cells cells, T *__restrict__ rows, const stencil_layout at,
	const int32_t length, const int32_t beside, const int components)
{
	const int32_t i = stencil_here(cells.lo[2], blockIdx.x, 32, threadIdx.x);
	const int32_t y = stencil_here(cells.lo[1], blockIdx.y, 8, threadIdx.y);
	const int32_t z = stencil_here(cells.lo[0], blockIdx.z, 1, threadIdx.z);

	if (stencil_past(i, cells.hi[2]) || stencil_past(y, cells.hi[1])
		|| stencil_past(z, cells.hi[0]))
		return;

	const int32_t to = i < beside ? i - beside : i - beside + length;
	const int32_t rest = to % length, from = rest < 0 ? rest + length : rest;

	for (int c = 0; c < components; c++) {
		T *const row = rows + (z * at.stride[0] + y * at.stride[1] + c * at.component);

		row[to * at.stride[2]] = row[from * at.stride[2]];
	}
}

/* Padded rows of a field of GRID get what they go on with: BESIDE cells of their other end, on
 * both sides, and those that make them whole vectors of WIDTH. */
template <typename T>
static inline stencil_status
stencil_copy_ends(stencil_context *ctx, T *rows, const stencil_layout &at, const stencil_grid &grid,
	int width, int beside, int components)
{
	const stencil_shape shape = { { 32, 8, 1 }, { 32, 8, 1 }, { 2, 1, 0 }, 0 };
	stencil_cells cells = { { 0, 0, 0 }, { 1, 1, 1 } };
	int32_t length;
	int axis = 3;

	for (int a = 3; a-- > 0;)
		if (at.stride[a] != 0)
			cells.hi[--axis] = grid.extent[a];
	length = cells.hi[2];
	cells.hi[2] = 2 * beside + (width - length % width) % width;
	return stencil_launch(ctx, "ends", shape, cells, stencil_ends_kernel<T>, rows,
		stencil_last_axes(at), length, beside, components);
}

#endif
