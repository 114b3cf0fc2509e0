/* Made from bands.st by stencilc, for CUDA.
 *
 *   nvcc -std=c++17 -fmad=false -Xcompiler=-ffp-contract=off -arch=sm_90
 *
 * It is planned for that architecture; others run it, too.
 */
#include "bands.h"

#include "stencil_kernel.h"

/* What a call of bands works on, worked out from its arguments. */
typedef struct {
	stencil_grid grid;
	stencil_box box;
	stencil_layout u;
	size_t at_u_next; /* in the workspace */
	size_t workspace; /* bytes of it */
} bands_call;

/* The sizes of the grids, of the fields and of the workspace. */
static stencil_status
bands_measure(stencil_context *ctx, const bands_args *a, bands_call *c)
{
	if (a == NULL)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "bands: no arguments");

	const char *const grid_names[] = { "ny", "nx" };
	const int64_t grid_extents[] = { a->ny, a->nx };

	STENCIL_TRY(stencil_measure_grid(ctx, "bands", &c->grid, 2, grid_names, grid_extents));
	STENCIL_TRY(stencil_lay_out(ctx, "bands", "u", &c->u, &c->grid, 3, 1, 0, a->u_pitch,
		sizeof(float)));
	c->workspace = 0;
	STENCIL_TRY(stencil_set_aside(ctx, "bands", c->u.bytes, &c->workspace, &c->at_u_next));
	return STENCIL_OK;
}

/* Everything that can be wrong with a call; nothing is written before. */
static stencil_status
bands_prepare(stencil_context *ctx, const bands_args *a, bands_call *c)
{
	STENCIL_TRY(bands_measure(ctx, a, c));

	const char *const axes[] = { "y", "x" };

	c->box = a->box;
	STENCIL_TRY(stencil_check_box(ctx, "bands", &c->box, &c->grid, 2, axes));
	STENCIL_TRY(stencil_check_steps(ctx, "bands", a->steps, 0));

	const stencil_range ranges[] = {
		{ "u", a->u, c->u.bytes, sizeof(float), 1 },
		{ "workspace", a->workspace, a->workspace_size, 16, 1 },
	};

	STENCIL_TRY(stencil_check_ranges(ctx, "bands", ranges, 1 + (a->workspace != NULL)));
	return STENCIL_OK;
}

STENCIL_WEAK void
bands_args_init(bands_args *a)
{
	memset(a, 0, sizeof *a);
}

size_t
bands_workspace(const bands_args *a)
{
	bands_call c = {};

	return bands_measure(NULL, a, &c) == STENCIL_OK ? c.workspace : 0;
}

/* u at t+1; stream, 32x8 threads */
static __global__ void __launch_bounds__(256)
bands_k0_u_t3(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_layout u_layout, const stencil_grid grid, const stencil_cells region,
	const int32_t rows)
{
	const int64_t u_y = u_layout.stride[0];
	const int32_t tile = cells.lo[1] + (int32_t)blockIdx.x * 26;
	const int32_t left = cells.lo[1] < tile ? tile : 0;
	const int32_t right = tile + 26 < cells.hi[1] ? tile + 26 : cells.hi[1] + 3;
	const int32_t x = stencil_min_i32(stencil_max_i32(tile - 3, 0), cells.hi[1] - 29) +
		(int32_t)threadIdx.x;
	const int64_t across = (int64_t)(x - grid.origin[1]);
	const bool stores = x >= left && x < right;
	const int32_t strip = stencil_min_i32(stencil_max_i32(tile - 3, 0), cells.hi[1] - 29);
	const int32_t x_read = (int32_t)stencil_fold_clamp_hi(stencil_fold_clamp_lo(x - 1,
		grid.first[1]), grid.last[1]);
	const int32_t column = stencil_min_i32(stencil_max_i32(x_read - strip, 0), 31);
	const int32_t column_2 = (int32_t)threadIdx.x;
	const int32_t x_read_2 = (int32_t)stencil_fold_clamp_hi(stencil_fold_clamp_lo(x + 1,
		grid.first[1]), grid.last[1]);
	const int32_t column_3 = stencil_min_i32(stencil_max_i32(x_read_2 - strip, 0), 31);
	const int32_t first = cells.lo[0] + (int32_t)blockIdx.y * rows;
	if (first >= cells.hi[0])
		return;
	const int32_t end = stencil_min_i32(first + rows, cells.hi[0]);
	const int32_t from = stencil_max_i32(first - 3, grid.first[0]);
	const int32_t turns = (end - from + 10) / 8;

	float (*const u_rows_s)[16][32] = (float (*)[16][32])stencil_at(stencil_shared(), 0);
	float u_next_r;
	float u_near_r[3][3];
	float u_r;
	u_next_r = stencil_load_early<float,
		1>(&u[(stencil_fold_clamp_hi(from + (int32_t)threadIdx.y, grid.last[0]) -
		grid.origin[0]) * u_y + across]).at[0];
	for (int32_t turn = 0; turn < turns; turn++) {
		const int32_t row_in = turn * 8 + (int32_t)threadIdx.y;
		/* rows come to shared memory, and the next ones are asked for */
		const int32_t slot = row_in % 16;
		u_rows_s[0][slot][column_2] = u_next_r;
		if (turn + 1 < turns) {
			u_next_r = stencil_load_early<float,
				1>(&u[(stencil_fold_clamp_hi(from + row_in + 8, grid.last[0]) -
				grid.origin[0]) * u_y + across]).at[0];
		}
		__syncthreads();
		/* the steps, each on rows behind those of the one before */
		STENCIL_UNROLL
		for (int32_t s = 0; s < 2; s++) {
			const int32_t row = row_in - (s + 1);
			const int32_t q = from + row;
			if (row >= 0 && grid.last[0] >= q) {
				const int32_t slot_2 = row % 16;
				if (q >= region.lo[0]) {
					const int32_t slot_3 = stencil_max_i32(row - 1, 0) % 16;
					u_near_r[0][1] = u_rows_s[s % 2][slot_3][column_2];
					u_near_r[1][0] = u_rows_s[s % 2][slot_2][column];
					u_near_r[1][1] = u_rows_s[s % 2][slot_2][column_2];
					u_near_r[1][2] = u_rows_s[s % 2][slot_2][column_3];
					const int32_t q_read =
						(int32_t)stencil_fold_clamp_hi(from + row + 1,
						grid.last[0]);
					const int32_t slot_4 = stencil_max_i32(q_read - from, 0) %
						16;
					const bool beyond = grid.last[0] < from + row + 1;
					u_near_r[2][1] = u_rows_s[s % 2][slot_4][column_2];
					u_near_r[2][1] = beyond ? 1.0f : u_near_r[2][1];
					u_r = fmaf(0.1f, u_near_r[0][1] + u_near_r[2][1] +
						u_near_r[1][0] + u_near_r[1][2],
						0.6f * u_near_r[1][1]);
				} else {
					u_r = u_rows_s[s % 2][slot_2][column_2];
				}
				u_rows_s[(s + 1) % 2][slot_2][column_2] = u_r;
			}
			__syncthreads();
		}
		const int32_t row_2 = row_in - 3;
		const int32_t q_2 = from + row_2;
		if (q_2 >= first && q_2 < end && stores) {
			const int32_t slot_5 = row_2 % 16;
			if (q_2 >= region.lo[0]) {
				const int32_t slot_6 = stencil_max_i32(row_2 - 1, 0) % 16;
				u_near_r[0][1] = u_rows_s[0][slot_6][column_2];
				u_near_r[1][0] = u_rows_s[0][slot_5][column];
				u_near_r[1][1] = u_rows_s[0][slot_5][column_2];
				u_near_r[1][2] = u_rows_s[0][slot_5][column_3];
				const int32_t q_read_2 =
					(int32_t)stencil_fold_clamp_hi(from + row_2 + 1,
					grid.last[0]);
				const int32_t slot_7 = stencil_max_i32(q_read_2 - from, 0) % 16;
				const bool beyond_2 = grid.last[0] < from + row_2 + 1;
				u_near_r[2][1] = u_rows_s[0][slot_7][column_2];
				u_near_r[2][1] = beyond_2 ? 1.0f : u_near_r[2][1];
				u_r = fmaf(0.1f, u_near_r[0][1] + u_near_r[2][1] + u_near_r[1][0] +
					u_near_r[1][2], 0.6f * u_near_r[1][1]);
			} else {
				u_r = u_rows_s[0][slot_5][column_2];
			}
			u_next[(int64_t)(q_2 - grid.origin[0]) * u_y + across] = u_r;
		}
		__syncthreads();
	}
}

/* u at t+1; march, 32x8 threads */
static __global__ void __launch_bounds__(256, 1)
bands_k0_u_x4(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_layout u_layout, const stencil_grid grid, const stencil_cells region)
{
	const int64_t u_y = u_layout.stride[0];
	const int32_t x = cells.lo[1] + (int32_t)blockIdx.x * 128 + (int32_t)threadIdx.x * 4;
	const int32_t y = cells.lo[0] + (int32_t)blockIdx.y * 16 + (int32_t)threadIdx.y * 2;
	if (x >= cells.hi[1])
		return;
	if (y >= cells.hi[0])
		return;
	const int32_t y_m1 = y - 1;
	const int64_t u_row_m1 = (stencil_fold_clamp_lo(y_m1, grid.first[0]) - grid.origin[0]) *
		u_y;
	const int64_t u_row = (int64_t)(y - grid.origin[0]) * u_y;
	const int32_t y_p1 = y + 1;
	const int64_t u_row_p1 = (stencil_fold_clamp_hi(y_p1, grid.last[0]) - grid.origin[0]) * u_y;
	const int32_t y_p2 = stencil_min_i32(y + 2, cells.hi[0]);
	const int64_t u_row_p2 = (stencil_fold_clamp_hi(y_p2, grid.last[0]) - grid.origin[0]) * u_y;
	const int64_t u_column = (int64_t)(x - grid.origin[1]);
	const int32_t x_m1 = x - 1;
	const int64_t u_column_m1 = stencil_fold_clamp_lo(x_m1, grid.first[1]) - grid.origin[1];
	const int32_t x_p4 = x + 4;
	const int64_t u_column_p4 = stencil_fold_clamp_hi(x_p4, grid.last[1]) - grid.origin[1];

	float u_r[1][4][6];
	/* what the cells read */
	const stencil_vector<float, 4> u_v = stencil_load<float, 4>(u + u_row_m1 + u_column);
	STENCIL_UNROLL
	for (int e = 0; e < 4; e++)
		u_r[0][0][1 + e] = u_v.at[e];
	u_r[0][1][0] = u[u_row + u_column_m1];
	const stencil_vector<float, 4> u_v_2 = stencil_load<float, 4>(u + u_row + u_column);
	STENCIL_UNROLL
	for (int e = 0; e < 4; e++)
		u_r[0][1][1 + e] = u_v_2.at[e];
	u_r[0][1][5] = u[u_row + u_column_p4];
	u_r[0][2][0] = u[u_row_p1 + u_column_m1];
	const stencil_vector<float, 4> u_v_3 = stencil_load<float, 4>(u + u_row_p1 + u_column);
	STENCIL_UNROLL
	for (int e = 0; e < 4; e++)
		u_r[0][2][1 + e] = u_v_3.at[e];
	u_r[0][2][5] = u[u_row_p1 + u_column_p4];
	const stencil_vector<float, 4> u_v_4 = stencil_load<float, 4>(u + u_row_p2 + u_column);
	STENCIL_UNROLL
	for (int e = 0; e < 4; e++)
		u_r[0][3][1 + e] = u_v_4.at[e];
	const bool beyond = grid.last[0] < y_p1;
	u_r[0][2][0] = beyond ? 1.0f : u_r[0][2][0];
	u_r[0][2][1] = beyond ? 1.0f : u_r[0][2][1];
	u_r[0][2][2] = beyond ? 1.0f : u_r[0][2][2];
	u_r[0][2][3] = beyond ? 1.0f : u_r[0][2][3];
	u_r[0][2][4] = beyond ? 1.0f : u_r[0][2][4];
	u_r[0][2][5] = beyond ? 1.0f : u_r[0][2][5];
	const bool beyond_2 = grid.last[0] < y_p2;
	u_r[0][3][1] = beyond_2 ? 1.0f : u_r[0][3][1];
	u_r[0][3][2] = beyond_2 ? 1.0f : u_r[0][3][2];
	u_r[0][3][3] = beyond_2 ? 1.0f : u_r[0][3][3];
	u_r[0][3][4] = beyond_2 ? 1.0f : u_r[0][3][4];
	/* the cells */
	float u_new_r[2][4];
	STENCIL_UNROLL
	for (int32_t j = 0; j < 2; j++) {
		STENCIL_UNROLL
		for (int32_t i = 0; i < 4; i++) {
			u_new_r[j][i] = fmaf(0.1f,
				u_r[0][j][i + 1] + u_r[0][j + 2][i + 1] + u_r[0][j + 1][i] +
				u_r[0][j + 1][i + 2], 0.6f * u_r[0][j + 1][i + 1]);
			u_new_r[j][i] = y + j >= region.lo[0] && y + j < region.hi[0] &&
				x + i >= region.lo[1] &&
				x + i < region.hi[1] ? u_new_r[j][i] : u_r[0][j + 1][i + 1];
		}
	}
	STENCIL_UNROLL
	for (int32_t j_2 = 0; j_2 < 2; j_2++) {
		if (y + j_2 < cells.hi[0]) {
			stencil_vector<float, 4> u_v_5;

			STENCIL_UNROLL
			for (int e = 0; e < 4; e++)
				u_v_5.at[e] = u_new_r[j_2][e];
			stencil_store_global(u_next + (int64_t)(y + j_2 - grid.origin[0]) * u_y +
				(int64_t)(x - grid.origin[1]), u_v_5);
		}
	}
}

/* u at t+1; march, 32x8 threads */
static __global__ void __launch_bounds__(256, 1)
bands_k0_u(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_layout u_layout, const stencil_grid grid, const stencil_cells region)
{
	const int64_t u_y = u_layout.stride[0];
	const int32_t lane = (int32_t)stencil_lane();
	const int32_t x = cells.lo[1] + (int32_t)blockIdx.x * 128 + (int32_t)threadIdx.x;
	const int32_t y = cells.lo[0] + (int32_t)blockIdx.y * 16 + (int32_t)threadIdx.y * 2;
	if (y >= cells.hi[0])
		return;
	const int32_t y_m1 = y - 1;
	const int64_t u_row_m1 = (stencil_fold_clamp_lo(y_m1, grid.first[0]) - grid.origin[0]) *
		u_y;
	const int64_t u_row = (int64_t)(y - grid.origin[0]) * u_y;
	const int32_t lane_m1 = (lane + 31) % 32;
	const bool leftmost = lane < 1;
	const int32_t x0 = stencil_min_i32(x, cells.hi[1]);
	const bool leftmost_2 = lane < 1 || x0 - 1 < grid.first[1];
	const int32_t x_m1 = x0 - 1;
	const int64_t u_column_m1 = stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_m1,
		grid.first[1]), grid.last[1]) - grid.origin[1];
	const int32_t x1 = stencil_min_i32(x + 32, cells.hi[1]);
	const bool beyond = x1 - 1 < grid.first[1];
	const int32_t x_m1_2 = x1 - 1;
	const int64_t u_column_m1_2 = stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_m1_2,
		grid.first[1]), grid.last[1]) - grid.origin[1];
	const int32_t x2 = stencil_min_i32(x + 64, cells.hi[1]);
	const bool beyond_2 = x2 - 1 < grid.first[1];
	const int32_t x_m1_3 = x2 - 1;
	const int64_t u_column_m1_3 = stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_m1_3,
		grid.first[1]), grid.last[1]) - grid.origin[1];
	const int32_t x3 = stencil_min_i32(x + 96, cells.hi[1]);
	const bool beyond_3 = x3 - 1 < grid.first[1];
	const int32_t x_m1_4 = x3 - 1;
	const int64_t u_column_m1_4 = stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_m1_4,
		grid.first[1]), grid.last[1]) - grid.origin[1];
	const int32_t lane_p1 = (lane + 1) % 32;
	const bool rightmost = lane >= 31;
	const bool beyond_4 = grid.last[1] < x0 + 1;
	const int32_t x_p1 = x0 + 1;
	const int64_t u_column_p1 = stencil_fold_clamp_hi(x_p1, grid.last[1]) - grid.origin[1];
	const bool beyond_5 = grid.last[1] < x1 + 1;
	const int32_t x_p1_2 = x1 + 1;
	const int64_t u_column_p1_2 = stencil_fold_clamp_hi(x_p1_2, grid.last[1]) - grid.origin[1];
	const bool beyond_6 = grid.last[1] < x2 + 1;
	const int32_t x_p1_3 = x2 + 1;
	const int64_t u_column_p1_3 = stencil_fold_clamp_hi(x_p1_3, grid.last[1]) - grid.origin[1];
	const bool rightmost_2 = lane >= 31 || grid.last[1] < x3 + 1;
	const int32_t x_p1_4 = x3 + 1;
	const int64_t u_column_p1_4 = stencil_fold_clamp_hi(x_p1_4, grid.last[1]) - grid.origin[1];
	const int32_t y_p1 = y + 1;
	const int64_t u_row_p1 = (stencil_fold_clamp_hi(y_p1, grid.last[0]) - grid.origin[0]) * u_y;
	const int32_t y_p2 = stencil_min_i32(y + 2, cells.hi[0]);
	const int64_t u_row_p2 = (stencil_fold_clamp_hi(y_p2, grid.last[0]) - grid.origin[0]) * u_y;
	const int64_t u_column = stencil_fold_clamp_hi(x0, grid.last[1]) - grid.origin[1];
	const int64_t u_column_2 = stencil_fold_clamp_hi(x1, grid.last[1]) - grid.origin[1];
	const int64_t u_column_3 = stencil_fold_clamp_hi(x2, grid.last[1]) - grid.origin[1];
	const int64_t u_column_4 = stencil_fold_clamp_hi(x3, grid.last[1]) - grid.origin[1];

	float u_r[1][4][3][4];
	/* what the cells read */
	if (leftmost_2) {
		u_r[0][1][0][0] = u[u_row + u_column_m1];
	}
	if (beyond) {
		u_r[0][1][0][1] = u[u_row + u_column_m1_2];
	}
	if (beyond_2) {
		u_r[0][1][0][2] = u[u_row + u_column_m1_3];
	}
	if (beyond_3) {
		u_r[0][1][0][3] = u[u_row + u_column_m1_4];
	}
	if (beyond_4) {
		u_r[0][1][2][0] = u[u_row + u_column_p1];
	}
	if (beyond_5) {
		u_r[0][1][2][1] = u[u_row + u_column_p1_2];
	}
	if (beyond_6) {
		u_r[0][1][2][2] = u[u_row + u_column_p1_3];
	}
	if (rightmost_2) {
		u_r[0][1][2][3] = u[u_row + u_column_p1_4];
	}
	if (leftmost_2) {
		u_r[0][2][0][0] = u[u_row_p1 + u_column_m1];
	}
	if (beyond) {
		u_r[0][2][0][1] = u[u_row_p1 + u_column_m1_2];
	}
	if (beyond_2) {
		u_r[0][2][0][2] = u[u_row_p1 + u_column_m1_3];
	}
	if (beyond_3) {
		u_r[0][2][0][3] = u[u_row_p1 + u_column_m1_4];
	}
	if (beyond_4) {
		u_r[0][2][2][0] = u[u_row_p1 + u_column_p1];
	}
	if (beyond_5) {
		u_r[0][2][2][1] = u[u_row_p1 + u_column_p1_2];
	}
	if (beyond_6) {
		u_r[0][2][2][2] = u[u_row_p1 + u_column_p1_3];
	}
	if (rightmost_2) {
		u_r[0][2][2][3] = u[u_row_p1 + u_column_p1_4];
	}
	u_r[0][0][1][0] = u[u_row_m1 + u_column];
	u_r[0][0][1][1] = u[u_row_m1 + u_column_2];
	u_r[0][0][1][2] = u[u_row_m1 + u_column_3];
	u_r[0][0][1][3] = u[u_row_m1 + u_column_4];
	u_r[0][1][1][0] = u[u_row + u_column];
	u_r[0][1][1][1] = u[u_row + u_column_2];
	u_r[0][1][1][2] = u[u_row + u_column_3];
	u_r[0][1][1][3] = u[u_row + u_column_4];
	u_r[0][2][1][0] = u[u_row_p1 + u_column];
	u_r[0][2][1][1] = u[u_row_p1 + u_column_2];
	u_r[0][2][1][2] = u[u_row_p1 + u_column_3];
	u_r[0][2][1][3] = u[u_row_p1 + u_column_4];
	u_r[0][3][1][0] = u[u_row_p2 + u_column];
	u_r[0][3][1][1] = u[u_row_p2 + u_column_2];
	u_r[0][3][1][2] = u[u_row_p2 + u_column_3];
	u_r[0][3][1][3] = u[u_row_p2 + u_column_4];
	const bool beyond_7 = grid.last[0] < y_p1;
	u_r[0][2][0][0] = beyond_7 ? 1.0f : u_r[0][2][0][0];
	u_r[0][2][0][1] = beyond_7 ? 1.0f : u_r[0][2][0][1];
	u_r[0][2][0][2] = beyond_7 ? 1.0f : u_r[0][2][0][2];
	u_r[0][2][0][3] = beyond_7 ? 1.0f : u_r[0][2][0][3];
	u_r[0][2][1][0] = beyond_7 ? 1.0f : u_r[0][2][1][0];
	u_r[0][2][1][1] = beyond_7 ? 1.0f : u_r[0][2][1][1];
	u_r[0][2][1][2] = beyond_7 ? 1.0f : u_r[0][2][1][2];
	u_r[0][2][1][3] = beyond_7 ? 1.0f : u_r[0][2][1][3];
	u_r[0][2][2][0] = beyond_7 ? 1.0f : u_r[0][2][2][0];
	u_r[0][2][2][1] = beyond_7 ? 1.0f : u_r[0][2][2][1];
	u_r[0][2][2][2] = beyond_7 ? 1.0f : u_r[0][2][2][2];
	u_r[0][2][2][3] = beyond_7 ? 1.0f : u_r[0][2][2][3];
	const bool beyond_8 = grid.last[0] < y_p2;
	u_r[0][3][1][0] = beyond_8 ? 1.0f : u_r[0][3][1][0];
	u_r[0][3][1][1] = beyond_8 ? 1.0f : u_r[0][3][1][1];
	u_r[0][3][1][2] = beyond_8 ? 1.0f : u_r[0][3][1][2];
	u_r[0][3][1][3] = beyond_8 ? 1.0f : u_r[0][3][1][3];
	const float beside = stencil_shuffle(u_r[0][1][1][0], lane_m1);
	u_r[0][1][0][0] = leftmost_2 ? u_r[0][1][0][0] : beside;
	const float beside_2 = stencil_shuffle(u_r[0][1][1][1], lane_m1);
	u_r[0][1][0][1] = beyond ? u_r[0][1][0][1] : leftmost ? beside : beside_2;
	const float beside_3 = stencil_shuffle(u_r[0][1][1][2], lane_m1);
	u_r[0][1][0][2] = beyond_2 ? u_r[0][1][0][2] : leftmost ? beside_2 : beside_3;
	const float beside_4 = stencil_shuffle(u_r[0][1][1][3], lane_m1);
	u_r[0][1][0][3] = beyond_3 ? u_r[0][1][0][3] : leftmost ? beside_3 : beside_4;
	const float beside_5 = stencil_shuffle(u_r[0][1][1][0], lane_p1);
	const float beside_6 = stencil_shuffle(u_r[0][1][1][1], lane_p1);
	u_r[0][1][2][0] = beyond_4 ? u_r[0][1][2][0] : rightmost ? beside_6 : beside_5;
	const float beside_7 = stencil_shuffle(u_r[0][1][1][2], lane_p1);
	u_r[0][1][2][1] = beyond_5 ? u_r[0][1][2][1] : rightmost ? beside_7 : beside_6;
	const float beside_8 = stencil_shuffle(u_r[0][1][1][3], lane_p1);
	u_r[0][1][2][2] = beyond_6 ? u_r[0][1][2][2] : rightmost ? beside_8 : beside_7;
	u_r[0][1][2][3] = rightmost_2 ? u_r[0][1][2][3] : beside_8;
	const float beside_9 = stencil_shuffle(u_r[0][2][1][0], lane_m1);
	u_r[0][2][0][0] = leftmost_2 ? u_r[0][2][0][0] : beside_9;
	const float beside_10 = stencil_shuffle(u_r[0][2][1][1], lane_m1);
	u_r[0][2][0][1] = beyond ? u_r[0][2][0][1] : leftmost ? beside_9 : beside_10;
	const float beside_11 = stencil_shuffle(u_r[0][2][1][2], lane_m1);
	u_r[0][2][0][2] = beyond_2 ? u_r[0][2][0][2] : leftmost ? beside_10 : beside_11;
	const float beside_12 = stencil_shuffle(u_r[0][2][1][3], lane_m1);
	u_r[0][2][0][3] = beyond_3 ? u_r[0][2][0][3] : leftmost ? beside_11 : beside_12;
	const float beside_13 = stencil_shuffle(u_r[0][2][1][0], lane_p1);
	const float beside_14 = stencil_shuffle(u_r[0][2][1][1], lane_p1);
	u_r[0][2][2][0] = beyond_4 ? u_r[0][2][2][0] : rightmost ? beside_14 : beside_13;
	const float beside_15 = stencil_shuffle(u_r[0][2][1][2], lane_p1);
	u_r[0][2][2][1] = beyond_5 ? u_r[0][2][2][1] : rightmost ? beside_15 : beside_14;
	const float beside_16 = stencil_shuffle(u_r[0][2][1][3], lane_p1);
	u_r[0][2][2][2] = beyond_6 ? u_r[0][2][2][2] : rightmost ? beside_16 : beside_15;
	u_r[0][2][2][3] = rightmost_2 ? u_r[0][2][2][3] : beside_16;
	/* the cells */
	float u_new_r[2][4];
	STENCIL_UNROLL
	for (int32_t j = 0; j < 2; j++) {
		STENCIL_UNROLL
		for (int32_t i = 0; i < 4; i++) {
			u_new_r[j][i] = fmaf(0.1f,
				u_r[0][j][1][i] + u_r[0][j + 2][1][i] + u_r[0][j + 1][0][i] +
				u_r[0][j + 1][2][i], 0.6f * u_r[0][j + 1][1][i]);
			u_new_r[j][i] = y + j >= region.lo[0] && y + j < region.hi[0] &&
				x + i * 32 >= region.lo[1] &&
				x + i * 32 < region.hi[1] ? u_new_r[j][i] : u_r[0][j + 1][1][i];
		}
	}
	STENCIL_UNROLL
	for (int32_t j_2 = 0; j_2 < 2; j_2++) {
		STENCIL_UNROLL
		for (int32_t i_2 = 0; i_2 < 4; i_2++) {
			if (y + j_2 < cells.hi[0] && x + i_2 * 32 < cells.hi[1]) {
				u_next[(int64_t)(y + j_2 - grid.origin[0]) * u_y +
					(int64_t)(x + i_2 * 32 - grid.origin[1])] =
					u_new_r[j_2][i_2];
			}
		}
	}
}

stencil_status
bands(stencil_context *ctx, const bands_args *a)
{
	bands_call call = {}, *const c = &call;
	void *memory;

	if (ctx == NULL)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "bands: no context");
	STENCIL_TRY(bands_prepare(ctx, a, c));

	const stencil_on_device device(ctx);

	STENCIL_TRY(device.status);
	STENCIL_TRY(stencil_memory(ctx, "bands", a->workspace, a->workspace_size,
		c->workspace, &memory));

	float *const u[2] = { a->u, (float *)stencil_at(memory, c->at_u_next) };
	const stencil_cells u_cells = { { 0, 0, 0 }, { c->grid.extent[0], c->grid.extent[1], 1 } };
	const stencil_cells u_region = {
		{ (int32_t)stencil_max_i64(1, c->box.lo[0]), (int32_t)c->box.lo[1], 0 },
		{ (int32_t)c->box.hi[0], (int32_t)c->box.hi[1], 1 } };
	const stencil_shape u_shape = { { 32, 8, 1 }, { 128, 16, 1 }, { 1, 0, -1 }, 0 };

	stencil_shape tiled = { { 32, 8, 1 }, { 26, 64, 0 }, { 1, 0, -1 }, 4096 };
	int64_t step = 0;
	const int fits = stencil_row_fits(&c->grid, 1, 1) &&
		stencil_field_fits(u[stencil_slot(0, step, 2)], &c->u, 1) &&
		stencil_field_fits(u[stencil_slot(1, step, 2)], &c->u, 1) &&
		stencil_ends_fit(&u_region, &c->grid, 1, 0, 0) &&
		stencil_extent_of(&u_cells, 1) >= 32 &&
		stencil_ends_fit(&u_region, &c->grid, 0, INT32_MAX, 0);
	stencil_cells inner = u_cells;
	stencil_inset(&inner, 1, 0, 3);
	STENCIL_TRY(stencil_inset_for_fewer(ctx, &inner, 1, 26, 3, 4.8));

	if (fits)
		STENCIL_TRY(stencil_fill_device(ctx, "bands_k0_u_t3", &tiled, &inner, bands_k0_u_t3, 0));

	for (int64_t done = 0; done < a->steps; step++) {
		if (fits && a->steps - done >= 3) {
			STENCIL_TRY(stencil_launch(ctx, "bands_k0_u_t3", tiled, inner,
				bands_k0_u_t3, u[stencil_slot(0, step, 2)],
				u[stencil_slot(1, step, 2)], c->u, c->grid, u_region,
				(int32_t)tiled.span[1]));
			done += 3;
		} else {
			if (stencil_row_fits(&c->grid, 1, 4) &&
				stencil_field_fits(u[stencil_slot(0, step, 2)], &c->u, 4) &&
				stencil_field_fits(u[stencil_slot(1, step, 2)], &c->u, 4)) {
				STENCIL_TRY(stencil_launch(ctx, "bands_k0_u_x4", u_shape,
					stencil_whole_lines(u_cells, 1, 4, 32), bands_k0_u_x4,
					u[stencil_slot(0, step, 2)], u[stencil_slot(1, step, 2)],
					c->u, c->grid, u_region));
			} else {
				STENCIL_TRY(stencil_launch(ctx, "bands_k0_u", u_shape, u_cells,
					bands_k0_u, u[stencil_slot(0, step, 2)],
					u[stencil_slot(1, step, 2)], c->u, c->grid, u_region));
			}
			done++;
		}
	}
	STENCIL_TRY(stencil_settle(ctx, u, c->u, c->grid, 1, step, NULL));
	return STENCIL_OK;
}
