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

/* Copies a field of GRID, whose rows get whole vectors of WIDTH cells; 1: just those
 * that there are. */
template <typename T>
static inline stencil_status
stencil_copy_rows(stencil_context *ctx, const T *from, const stencil_layout &from_at, T *to,
	const stencil_layout &to_at, const stencil_grid &grid, int width, int components)
{
	const stencil_shape shape = { { 32, 8, 1 }, { 32 * STENCIL_COPIED, 8, 1 }, { 2, 1, 0 }, 0 };
	stencil_cells cells = { { 0, 0, 0 }, { 1, 1, 1 } };
	int32_t length;
	int axis = 3;

	for (int a = 3; a-- > 0;)
		if (from_at.stride[a] != 0)
			cells.hi[--axis] = grid.extent[a];
	length = cells.hi[2];
	cells.hi[2] += (width - length % width) % width;
	return stencil_launch(ctx, "rows", shape, cells, stencil_rows_kernel<T>, from, to,
		stencil_last_axes(from_at), stencil_last_axes(to_at), length, components);
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
