/* Made from gaussian25.st by stencilc, for CUDA.
 *
 *   nvcc -std=c++17 -fmad=false -Xcompiler=-ffp-contract=off -arch=sm_90
 *
 * It is planned for that architecture; others run it, too.
 */
#include "gaussian25.h"

#include "stencil_kernel.h"

/* What a call of gaussian25 works on, worked out from its arguments. */
typedef struct {
	stencil_grid grid;
	stencil_box box;
	stencil_layout u;
	size_t at_u_next; /* in the workspace */
	size_t workspace; /* bytes of it */
} gaussian25_call;

/* The sizes of the grids, of the fields and of the workspace. */
static stencil_status
gaussian25_measure(stencil_context *ctx, const gaussian25_args *a, gaussian25_call *c)
{
	if (a == NULL)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "gaussian25: no arguments");

	const char *const grid_names[] = { "ny", "nx" };
	const int64_t grid_extents[] = { a->ny, a->nx };

	STENCIL_TRY(stencil_measure_grid(ctx, "gaussian25", &c->grid, 2, grid_names, grid_extents));
	STENCIL_TRY(stencil_lay_out(ctx, "gaussian25", "u", &c->u, &c->grid, 3, 1, 0, a->u_pitch,
		sizeof(float)));
	c->workspace = 0;
	STENCIL_TRY(stencil_set_aside(ctx, "gaussian25", c->u.bytes, &c->workspace, &c->at_u_next));
	return STENCIL_OK;
}

/* Everything that can be wrong with a call; nothing is written before. */
static stencil_status
gaussian25_prepare(stencil_context *ctx, const gaussian25_args *a, gaussian25_call *c)
{
	STENCIL_TRY(gaussian25_measure(ctx, a, c));

	const char *const axes[] = { "y", "x" };

	c->box = a->box;
	STENCIL_TRY(stencil_check_box(ctx, "gaussian25", &c->box, &c->grid, 2, axes));
	STENCIL_TRY(stencil_check_steps(ctx, "gaussian25", a->steps, 0));

	const stencil_range ranges[] = {
		{ "u", a->u, c->u.bytes, sizeof(float), 1 },
		{ "workspace", a->workspace, a->workspace_size, 16, 1 },
	};

	STENCIL_TRY(stencil_check_ranges(ctx, "gaussian25", ranges, 1 + (a->workspace != NULL)));
	return STENCIL_OK;
}

STENCIL_WEAK void
gaussian25_args_init(gaussian25_args *a)
{
	memset(a, 0, sizeof *a);
}

STENCIL_WEAK size_t
gaussian25_workspace(const gaussian25_args *a)
{
	gaussian25_call c;

	return gaussian25_measure(NULL, a, &c) == STENCIL_OK ? c.workspace : 0;
}

/* u at t+1; an5d, 256x1 threads */
static __global__ void __launch_bounds__(256)
gaussian25_k0_u_t4(const stencil_cells cells, const float *__restrict__ u,
	float *__restrict__ u_next, const stencil_layout u_layout, const stencil_grid grid,
	const stencil_cells region, const int32_t rows)
{
	const int64_t u_y = u_layout.stride[0];
	const int32_t tile = cells.lo[1] + (int32_t)blockIdx.x * 240;
	const int32_t left = cells.lo[1] < tile ? tile : cells.lo[1] - 8;
	const int32_t right = tile + 240 < cells.hi[1] ? tile + 240 : cells.hi[1] + 8;
	const int32_t x = stencil_min_i32(stencil_max_i32(tile - 8, cells.lo[1] - 8),
		cells.hi[1] - 248) + (int32_t)threadIdx.x;
	const int32_t column = (int32_t)threadIdx.x;
	const int64_t here = (int64_t)(x - grid.origin[1]);
	const int32_t row_to = x >= left && x < right ? 1 : 0;
	const bool edge = stencil_any(x < region.lo[1] || region.hi[1] < x + 1);
	const int32_t first = cells.lo[0] + (int32_t)blockIdx.y * rows;
	if (first >= cells.hi[0])
		return;
	const int32_t last = stencil_min_i32(first + rows, cells.hi[0]);
	const bool kept = x < region.lo[1];
	const bool kept_2 = x >= region.hi[1];

	float u_r[5][5][1][5];
	float (*const u_beside_s)[1][1][260] =
		(float (*)[1][1][260])stencil_at(stencil_shared(), 0);
	float (*const u_ahead_s)[1][256] = (float (*)[1][256])stencil_at(stencil_shared(), 4224);
	STENCIL_UNROLL
	for (int32_t s_2 = 0; s_2 < 4; s_2++) {
		STENCIL_UNROLL
		for (int32_t p = 0; p < 5; p++) {
			u_r[s_2][p][0][2] = 0;
		}
	}
	const int32_t from = stencil_max_i32(first - 8, stencil_min_i32(region.lo[0] - 2, first));
	const int64_t start = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(from, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * u_y + here;
	stencil_copy4(&u_ahead_s[0][0][column], &u[start]);
	stencil_copy_commit();
	const int32_t z_in = from + 1;
	const int64_t start_2 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(z_in, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * u_y + here;
	stencil_copy4(&u_ahead_s[1][0][column], &u[start_2]);
	stencil_copy_commit();
	for (int32_t turn = 0; turn < last + 8 - from; turn++) {
		const int32_t y = from + turn;
		stencil_copy_wait<1>();
		const int32_t slot_out = turn % 11;
		u_r[0][4][0][2] = u_ahead_s[slot_out][0][column];
		const int32_t slot_in = (turn + 2) % 11;
		const int32_t z_in_2 = y + 2;
		const int64_t start_3 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(z_in_2,
			grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y + here;
		stencil_copy4(&u_ahead_s[slot_in][0][column], &u[start_3]);
		stencil_copy_commit();
		STENCIL_UNROLL
		for (int32_t s = 0; s < 4; s++) {
			const int32_t q = y - (s + 1) * 2;
			float pair_r[2][1][1];
			u_beside_s[s][0][0][column + 2] = u_r[s][4][0][2];
			__syncthreads();
			u_r[s][4][0][0] = u_beside_s[s][0][0][column];
			u_r[s][4][0][1] = u_beside_s[s][0][0][column + 1];
			u_r[s][4][0][3] = u_beside_s[s][0][0][column + 3];
			u_r[s][4][0][4] = u_beside_s[s][0][0][column + 4];
#line 11 "../src/examples/gaussian25.st"
			pair_r[0][0][0] = u_r[s][4][0][1] + u_r[s][4][0][3];
#line 11 "../src/examples/gaussian25.st"
			pair_r[1][0][0] = u_r[s][4][0][0] + u_r[s][4][0][4];
#line 143 "gaussian25.cu"
			const float part = fmaf(0.00390625f, pair_r[1][0][0],
				fmaf(0.015625f, pair_r[0][0][0], 0.0234375f * u_r[s][4][0][2]));
#line 11 "../src/examples/gaussian25.st"
			u_r[s + 1][4][0][2] = u_r[s][0][0][2] + part;
#line 148 "gaussian25.cu"
			const float part_2 = fmaf(0.015625f, pair_r[1][0][0],
				fmaf(0.0625f, pair_r[0][0][0], 0.09375f * u_r[s][4][0][2]));
#line 11 "../src/examples/gaussian25.st"
			u_r[s][0][0][2] = u_r[s][1][0][2] + part_2;
#line 11 "../src/examples/gaussian25.st"
			u_r[s][1][0][2] = fmaf(0.0234375f, pair_r[1][0][0], fmaf(0.09375f, pair_r[0][0][0], fmaf(0.140625f, u_r[s][4][0][2], u_r[s][2][0][2])));
#line 11 "../src/examples/gaussian25.st"
			u_r[s][2][0][2] = u_r[s][3][0][2] + part_2;
#line 157 "gaussian25.cu"
			u_r[s][3][0][2] = part;
			if (edge || (y - 8 < region.lo[0] || y - 2 >= region.hi[0])) {
				if (y - 8 < region.lo[0] || y - 2 >= region.hi[0]) {
					if (q < region.lo[0] || q >= region.hi[0]) {
						const int32_t slot_kept =
							(turn + 11 - (s + 1) * 2) % 11;
						const float was = u_ahead_s[slot_kept][0][column];
						u_r[s + 1][4][0][2] = was;
					}
				}
				if (edge) {
					const int32_t slot_kept_2 = (turn + 11 - (s + 1) * 2) % 11;
					const float was_2 = u_ahead_s[slot_kept_2][0][column];
					u_r[s + 1][4][0][2] = kept ? was_2 : u_r[s + 1][4][0][2];
					u_r[s + 1][4][0][2] = kept_2 ? was_2 : u_r[s + 1][4][0][2];
				}
			}
		}
		const int32_t z_out = y - 8;
		if (z_out >= first) {
			const int64_t start_4 = (int64_t)(z_out - grid.origin[0]) * u_y + here;
			if (0 < row_to) {
				u_next[start_4] = u_r[4][4][0][2];
			}
		}
	}
	stencil_copy_wait<0>();
}

/* u at t+1; march, 32x8 threads */
static __global__ void __launch_bounds__(256)
gaussian25_k0_u_x4(const stencil_cells cells, const float *__restrict__ u,
	float *__restrict__ u_next, const stencil_layout u_layout, const stencil_grid grid,
	const stencil_cells region)
{
	const int64_t u_y = u_layout.stride[0];
	const int32_t x = cells.lo[1] + (int32_t)blockIdx.x * 128 + (int32_t)threadIdx.x * 4;
	const int32_t y = cells.lo[0] + (int32_t)blockIdx.y * 32 + (int32_t)threadIdx.y * 4;
	if (x >= cells.hi[1])
		return;
	if (y >= cells.hi[0])
		return;
	const int32_t y_m2 = y - 2;
	const int64_t u_row_m2 = (stencil_fold_clamp_lo(y_m2, grid.first[0]) - grid.origin[0]) *
		u_y;
	const int32_t y_m1 = y - 1;
	const int64_t u_row_m1 = (stencil_fold_clamp_lo(y_m1, grid.first[0]) - grid.origin[0]) *
		u_y;
	const int64_t u_row = (int64_t)(y - grid.origin[0]) * u_y;
	const int32_t y_p1 = y + 1;
	const int64_t u_row_p1 = (stencil_fold_clamp_hi(y_p1, grid.last[0]) - grid.origin[0]) * u_y;
	const int32_t y_p2 = y + 2;
	const int64_t u_row_p2 = (stencil_fold_clamp_hi(y_p2, grid.last[0]) - grid.origin[0]) * u_y;
	const int32_t y_p3 = stencil_min_i32(y + 3, cells.hi[0] + 1);
	const int64_t u_row_p3 = (stencil_fold_clamp_hi(y_p3, grid.last[0]) - grid.origin[0]) * u_y;
	const int32_t y_p4 = stencil_min_i32(y + 4, cells.hi[0] + 1);
	const int64_t u_row_p4 = (stencil_fold_clamp_hi(y_p4, grid.last[0]) - grid.origin[0]) * u_y;
	const int32_t y_p5 = stencil_min_i32(y + 5, cells.hi[0] + 1);
	const int64_t u_row_p5 = (stencil_fold_clamp_hi(y_p5, grid.last[0]) - grid.origin[0]) * u_y;
	const int32_t x_m2 = x - 2;
	const int64_t u_column_m2 = stencil_fold_clamp_lo(x_m2, grid.first[1]) - grid.origin[1];
	const int64_t u_column = (int64_t)(x - grid.origin[1]);
	const int32_t x_p4 = x + 4;
	const int64_t u_column_p4 = stencil_fold_clamp_hi(x_p4 + 1, grid.last[1]) - 1 -
		grid.origin[1];

	float u_r[1][8][8];
	const stencil_vector<float, 2> u_v = stencil_load<float, 2>(u + u_row_m2 + u_column_m2);
	STENCIL_UNROLL
	for (int e = 0; e < 2; e++)
		u_r[0][0][e] = u_v.at[e];
	const stencil_vector<float, 4> u_v_2 = stencil_load<float, 4>(u + u_row_m2 + u_column);
	STENCIL_UNROLL
	for (int e_2 = 0; e_2 < 4; e_2++)
		u_r[0][0][2 + e_2] = u_v_2.at[e_2];
	const stencil_vector<float, 2> u_v_3 = stencil_load<float, 2>(u + u_row_m2 + u_column_p4);
	STENCIL_UNROLL
	for (int e_3 = 0; e_3 < 2; e_3++)
		u_r[0][0][6 + e_3] = u_v_3.at[e_3];
	const stencil_vector<float, 2> u_v_4 = stencil_load<float, 2>(u + u_row_m1 + u_column_m2);
	STENCIL_UNROLL
	for (int e_4 = 0; e_4 < 2; e_4++)
		u_r[0][1][e_4] = u_v_4.at[e_4];
	const stencil_vector<float, 4> u_v_5 = stencil_load<float, 4>(u + u_row_m1 + u_column);
	STENCIL_UNROLL
	for (int e_5 = 0; e_5 < 4; e_5++)
		u_r[0][1][2 + e_5] = u_v_5.at[e_5];
	const stencil_vector<float, 2> u_v_6 = stencil_load<float, 2>(u + u_row_m1 + u_column_p4);
	STENCIL_UNROLL
	for (int e_6 = 0; e_6 < 2; e_6++)
		u_r[0][1][6 + e_6] = u_v_6.at[e_6];
	const stencil_vector<float, 2> u_v_7 = stencil_load<float, 2>(u + u_row + u_column_m2);
	STENCIL_UNROLL
	for (int e_7 = 0; e_7 < 2; e_7++)
		u_r[0][2][e_7] = u_v_7.at[e_7];
	const stencil_vector<float, 4> u_v_8 = stencil_load<float, 4>(u + u_row + u_column);
	STENCIL_UNROLL
	for (int e_8 = 0; e_8 < 4; e_8++)
		u_r[0][2][2 + e_8] = u_v_8.at[e_8];
	const stencil_vector<float, 2> u_v_9 = stencil_load<float, 2>(u + u_row + u_column_p4);
	STENCIL_UNROLL
	for (int e_9 = 0; e_9 < 2; e_9++)
		u_r[0][2][6 + e_9] = u_v_9.at[e_9];
	const stencil_vector<float, 2> u_v_10 = stencil_load<float, 2>(u + u_row_p1 + u_column_m2);
	STENCIL_UNROLL
	for (int e_10 = 0; e_10 < 2; e_10++)
		u_r[0][3][e_10] = u_v_10.at[e_10];
	const stencil_vector<float, 4> u_v_11 = stencil_load<float, 4>(u + u_row_p1 + u_column);
	STENCIL_UNROLL
	for (int e_11 = 0; e_11 < 4; e_11++)
		u_r[0][3][2 + e_11] = u_v_11.at[e_11];
	const stencil_vector<float, 2> u_v_12 = stencil_load<float, 2>(u + u_row_p1 + u_column_p4);
	STENCIL_UNROLL
	for (int e_12 = 0; e_12 < 2; e_12++)
		u_r[0][3][6 + e_12] = u_v_12.at[e_12];
	const stencil_vector<float, 2> u_v_13 = stencil_load<float, 2>(u + u_row_p2 + u_column_m2);
	STENCIL_UNROLL
	for (int e_13 = 0; e_13 < 2; e_13++)
		u_r[0][4][e_13] = u_v_13.at[e_13];
	const stencil_vector<float, 4> u_v_14 = stencil_load<float, 4>(u + u_row_p2 + u_column);
	STENCIL_UNROLL
	for (int e_14 = 0; e_14 < 4; e_14++)
		u_r[0][4][2 + e_14] = u_v_14.at[e_14];
	const stencil_vector<float, 2> u_v_15 = stencil_load<float, 2>(u + u_row_p2 + u_column_p4);
	STENCIL_UNROLL
	for (int e_15 = 0; e_15 < 2; e_15++)
		u_r[0][4][6 + e_15] = u_v_15.at[e_15];
	const stencil_vector<float, 2> u_v_16 = stencil_load<float, 2>(u + u_row_p3 + u_column_m2);
	STENCIL_UNROLL
	for (int e_16 = 0; e_16 < 2; e_16++)
		u_r[0][5][e_16] = u_v_16.at[e_16];
	const stencil_vector<float, 4> u_v_17 = stencil_load<float, 4>(u + u_row_p3 + u_column);
	STENCIL_UNROLL
	for (int e_17 = 0; e_17 < 4; e_17++)
		u_r[0][5][2 + e_17] = u_v_17.at[e_17];
	const stencil_vector<float, 2> u_v_18 = stencil_load<float, 2>(u + u_row_p3 + u_column_p4);
	STENCIL_UNROLL
	for (int e_18 = 0; e_18 < 2; e_18++)
		u_r[0][5][6 + e_18] = u_v_18.at[e_18];
	const stencil_vector<float, 2> u_v_19 = stencil_load<float, 2>(u + u_row_p4 + u_column_m2);
	STENCIL_UNROLL
	for (int e_19 = 0; e_19 < 2; e_19++)
		u_r[0][6][e_19] = u_v_19.at[e_19];
	const stencil_vector<float, 4> u_v_20 = stencil_load<float, 4>(u + u_row_p4 + u_column);
	STENCIL_UNROLL
	for (int e_20 = 0; e_20 < 4; e_20++)
		u_r[0][6][2 + e_20] = u_v_20.at[e_20];
	const stencil_vector<float, 2> u_v_21 = stencil_load<float, 2>(u + u_row_p4 + u_column_p4);
	STENCIL_UNROLL
	for (int e_21 = 0; e_21 < 2; e_21++)
		u_r[0][6][6 + e_21] = u_v_21.at[e_21];
	const stencil_vector<float, 2> u_v_22 = stencil_load<float, 2>(u + u_row_p5 + u_column_m2);
	STENCIL_UNROLL
	for (int e_22 = 0; e_22 < 2; e_22++)
		u_r[0][7][e_22] = u_v_22.at[e_22];
	const stencil_vector<float, 4> u_v_23 = stencil_load<float, 4>(u + u_row_p5 + u_column);
	STENCIL_UNROLL
	for (int e_23 = 0; e_23 < 4; e_23++)
		u_r[0][7][2 + e_23] = u_v_23.at[e_23];
	const stencil_vector<float, 2> u_v_24 = stencil_load<float, 2>(u + u_row_p5 + u_column_p4);
	STENCIL_UNROLL
	for (int e_24 = 0; e_24 < 2; e_24++)
		u_r[0][7][6 + e_24] = u_v_24.at[e_24];
	float u_new_r[4][4];
	STENCIL_UNROLL
	for (int32_t j = 0; j < 4; j++) {
		STENCIL_UNROLL
		for (int32_t i = 0; i < 4; i++) {
#line 11 "../src/examples/gaussian25.st"
			u_new_r[j][i] = (fmaf(4.0f, u_r[0][j + 4][i + 3], fmaf(6.0f, u_r[0][j + 4][i + 2], fmaf(4.0f, u_r[0][j + 4][i + 1], fmaf(4.0f, u_r[0][j + 3][i + 4], fmaf(16.0f, u_r[0][j + 3][i + 3], fmaf(24.0f, u_r[0][j + 3][i + 2], fmaf(16.0f, u_r[0][j + 3][i + 1], fmaf(4.0f, u_r[0][j + 3][i], fmaf(6.0f, u_r[0][j + 2][i + 4], fmaf(24.0f, u_r[0][j + 2][i + 3], fmaf(36.0f, u_r[0][j + 2][i + 2], fmaf(24.0f, u_r[0][j + 2][i + 1], fmaf(6.0f, u_r[0][j + 2][i], fmaf(4.0f, u_r[0][j + 1][i + 4], fmaf(16.0f, u_r[0][j + 1][i + 3], fmaf(24.0f, u_r[0][j + 1][i + 2], fmaf(16.0f, u_r[0][j + 1][i + 1], fmaf(4.0f, u_r[0][j + 1][i], fmaf(4.0f, u_r[0][j][i + 3], fmaf(6.0f, u_r[0][j][i + 2], fmaf(4.0f, u_r[0][j][i + 1], u_r[0][j][i]))) + u_r[0][j][i + 4]))))))))))))))) + u_r[0][j + 4][i]))) + u_r[0][j + 4][i + 4]) / 256.0f;
#line 328 "gaussian25.cu"
			u_new_r[j][i] = y + j >= region.lo[0] && y + j < region.hi[0] &&
				x + i >= region.lo[1] &&
				x + i < region.hi[1] ? u_new_r[j][i] : u_r[0][j + 2][i + 2];
		}
	}
	STENCIL_UNROLL
	for (int32_t j_2 = 0; j_2 < 4; j_2++) {
		if (y + j_2 < cells.hi[0]) {
			stencil_vector<float, 4> u_v_25;

			STENCIL_UNROLL
			for (int e_25 = 0; e_25 < 4; e_25++)
				u_v_25.at[e_25] = u_new_r[j_2][e_25];
			stencil_store_global(u_next + (int64_t)(y + j_2 - grid.origin[0]) * u_y +
				(int64_t)(x - grid.origin[1]), u_v_25);
		}
	}
}

/* u at t+1; march, 32x8 threads */
static __global__ void __launch_bounds__(256)
gaussian25_k0_u(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_layout u_layout, const stencil_grid grid, const stencil_cells region)
{
	const int64_t u_y = u_layout.stride[0];
	const int32_t lane = (int32_t)stencil_lane();
	const int32_t x = cells.lo[1] + (int32_t)blockIdx.x * 128 + (int32_t)threadIdx.x;
	const int32_t y = cells.lo[0] + (int32_t)blockIdx.y * 32 + (int32_t)threadIdx.y * 4;
	if (y >= cells.hi[0])
		return;
	const int32_t y_m2 = y - 2;
	const int64_t u_row_m2 = (stencil_fold_clamp_lo(y_m2, grid.first[0]) - grid.origin[0]) *
		u_y;
	const int32_t lane_m2 = (lane + 30) % 32;
	const bool leftmost = lane < 2;
	const int32_t x0 = stencil_min_i32(x, cells.hi[1] + 1);
	const int32_t x_m2 = x0 - 2;
	const int64_t u_column_m2 = stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_m2,
		grid.first[1]), grid.last[1]) - grid.origin[1];
	const int32_t x1 = stencil_min_i32(x + 32, cells.hi[1] + 1);
	const int32_t x2 = stencil_min_i32(x + 64, cells.hi[1] + 1);
	const int32_t x3 = stencil_min_i32(x + 96, cells.hi[1] + 1);
	const int32_t lane_m1 = (lane + 31) % 32;
	const bool leftmost_2 = lane < 1;
	const int32_t x_m1 = x0 - 1;
	const int64_t u_column_m1 = stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_m1,
		grid.first[1]), grid.last[1]) - grid.origin[1];
	const int32_t lane_p1 = (lane + 1) % 32;
	const bool rightmost = lane >= 31;
	const int32_t x_p1 = x3 + 1;
	const int64_t u_column_p1 = stencil_fold_clamp_hi(x_p1, grid.last[1]) - grid.origin[1];
	const int32_t lane_p2 = (lane + 2) % 32;
	const bool rightmost_2 = lane >= 30;
	const int32_t x_p2 = x3 + 2;
	const int64_t u_column_p2 = stencil_fold_clamp_hi(x_p2, grid.last[1]) - grid.origin[1];
	const int32_t y_m1 = y - 1;
	const int64_t u_row_m1 = (stencil_fold_clamp_lo(y_m1, grid.first[0]) - grid.origin[0]) *
		u_y;
	const int64_t u_row = (int64_t)(y - grid.origin[0]) * u_y;
	const int32_t y_p1 = y + 1;
	const int64_t u_row_p1 = (stencil_fold_clamp_hi(y_p1, grid.last[0]) - grid.origin[0]) * u_y;
	const int32_t y_p2 = y + 2;
	const int64_t u_row_p2 = (stencil_fold_clamp_hi(y_p2, grid.last[0]) - grid.origin[0]) * u_y;
	const int32_t y_p3 = stencil_min_i32(y + 3, cells.hi[0] + 1);
	const int64_t u_row_p3 = (stencil_fold_clamp_hi(y_p3, grid.last[0]) - grid.origin[0]) * u_y;
	const int32_t y_p4 = stencil_min_i32(y + 4, cells.hi[0] + 1);
	const int64_t u_row_p4 = (stencil_fold_clamp_hi(y_p4, grid.last[0]) - grid.origin[0]) * u_y;
	const int32_t y_p5 = stencil_min_i32(y + 5, cells.hi[0] + 1);
	const int64_t u_row_p5 = (stencil_fold_clamp_hi(y_p5, grid.last[0]) - grid.origin[0]) * u_y;
	const int64_t u_column = stencil_fold_clamp_hi(x0, grid.last[1]) - grid.origin[1];
	const int64_t u_column_2 = stencil_fold_clamp_hi(x1, grid.last[1]) - grid.origin[1];
	const int64_t u_column_3 = stencil_fold_clamp_hi(x2, grid.last[1]) - grid.origin[1];
	const int64_t u_column_4 = stencil_fold_clamp_hi(x3, grid.last[1]) - grid.origin[1];

	float u_r[1][8][5][4];
	if (leftmost) {
		u_r[0][0][0][0] = u[u_row_m2 + u_column_m2];
	}
	if (leftmost_2) {
		u_r[0][0][1][0] = u[u_row_m2 + u_column_m1];
	}
	if (rightmost) {
		u_r[0][0][3][3] = u[u_row_m2 + u_column_p1];
	}
	if (rightmost_2) {
		u_r[0][0][4][3] = u[u_row_m2 + u_column_p2];
	}
	if (leftmost) {
		u_r[0][1][0][0] = u[u_row_m1 + u_column_m2];
	}
	if (leftmost_2) {
		u_r[0][1][1][0] = u[u_row_m1 + u_column_m1];
	}
	if (rightmost) {
		u_r[0][1][3][3] = u[u_row_m1 + u_column_p1];
	}
	if (rightmost_2) {
		u_r[0][1][4][3] = u[u_row_m1 + u_column_p2];
	}
	if (leftmost) {
		u_r[0][2][0][0] = u[u_row + u_column_m2];
	}
	if (leftmost_2) {
		u_r[0][2][1][0] = u[u_row + u_column_m1];
	}
	if (rightmost) {
		u_r[0][2][3][3] = u[u_row + u_column_p1];
	}
	if (rightmost_2) {
		u_r[0][2][4][3] = u[u_row + u_column_p2];
	}
	if (leftmost) {
		u_r[0][3][0][0] = u[u_row_p1 + u_column_m2];
	}
	if (leftmost_2) {
		u_r[0][3][1][0] = u[u_row_p1 + u_column_m1];
	}
	if (rightmost) {
		u_r[0][3][3][3] = u[u_row_p1 + u_column_p1];
	}
	if (rightmost_2) {
		u_r[0][3][4][3] = u[u_row_p1 + u_column_p2];
	}
	if (leftmost) {
		u_r[0][4][0][0] = u[u_row_p2 + u_column_m2];
	}
	if (leftmost_2) {
		u_r[0][4][1][0] = u[u_row_p2 + u_column_m1];
	}
	if (rightmost) {
		u_r[0][4][3][3] = u[u_row_p2 + u_column_p1];
	}
	if (rightmost_2) {
		u_r[0][4][4][3] = u[u_row_p2 + u_column_p2];
	}
	if (leftmost) {
		u_r[0][5][0][0] = u[u_row_p3 + u_column_m2];
	}
	if (leftmost_2) {
		u_r[0][5][1][0] = u[u_row_p3 + u_column_m1];
	}
	if (rightmost) {
		u_r[0][5][3][3] = u[u_row_p3 + u_column_p1];
	}
	if (rightmost_2) {
		u_r[0][5][4][3] = u[u_row_p3 + u_column_p2];
	}
	if (leftmost) {
		u_r[0][6][0][0] = u[u_row_p4 + u_column_m2];
	}
	if (leftmost_2) {
		u_r[0][6][1][0] = u[u_row_p4 + u_column_m1];
	}
	if (rightmost) {
		u_r[0][6][3][3] = u[u_row_p4 + u_column_p1];
	}
	if (rightmost_2) {
		u_r[0][6][4][3] = u[u_row_p4 + u_column_p2];
	}
	if (leftmost) {
		u_r[0][7][0][0] = u[u_row_p5 + u_column_m2];
	}
	if (leftmost_2) {
		u_r[0][7][1][0] = u[u_row_p5 + u_column_m1];
	}
	if (rightmost) {
		u_r[0][7][3][3] = u[u_row_p5 + u_column_p1];
	}
	if (rightmost_2) {
		u_r[0][7][4][3] = u[u_row_p5 + u_column_p2];
	}
	u_r[0][0][2][0] = u[u_row_m2 + u_column];
	u_r[0][0][2][1] = u[u_row_m2 + u_column_2];
	u_r[0][0][2][2] = u[u_row_m2 + u_column_3];
	u_r[0][0][2][3] = u[u_row_m2 + u_column_4];
	u_r[0][1][2][0] = u[u_row_m1 + u_column];
	u_r[0][1][2][1] = u[u_row_m1 + u_column_2];
	u_r[0][1][2][2] = u[u_row_m1 + u_column_3];
	u_r[0][1][2][3] = u[u_row_m1 + u_column_4];
	u_r[0][2][2][0] = u[u_row + u_column];
	u_r[0][2][2][1] = u[u_row + u_column_2];
	u_r[0][2][2][2] = u[u_row + u_column_3];
	u_r[0][2][2][3] = u[u_row + u_column_4];
	u_r[0][3][2][0] = u[u_row_p1 + u_column];
	u_r[0][3][2][1] = u[u_row_p1 + u_column_2];
	u_r[0][3][2][2] = u[u_row_p1 + u_column_3];
	u_r[0][3][2][3] = u[u_row_p1 + u_column_4];
	u_r[0][4][2][0] = u[u_row_p2 + u_column];
	u_r[0][4][2][1] = u[u_row_p2 + u_column_2];
	u_r[0][4][2][2] = u[u_row_p2 + u_column_3];
	u_r[0][4][2][3] = u[u_row_p2 + u_column_4];
	u_r[0][5][2][0] = u[u_row_p3 + u_column];
	u_r[0][5][2][1] = u[u_row_p3 + u_column_2];
	u_r[0][5][2][2] = u[u_row_p3 + u_column_3];
	u_r[0][5][2][3] = u[u_row_p3 + u_column_4];
	u_r[0][6][2][0] = u[u_row_p4 + u_column];
	u_r[0][6][2][1] = u[u_row_p4 + u_column_2];
	u_r[0][6][2][2] = u[u_row_p4 + u_column_3];
	u_r[0][6][2][3] = u[u_row_p4 + u_column_4];
	u_r[0][7][2][0] = u[u_row_p5 + u_column];
	u_r[0][7][2][1] = u[u_row_p5 + u_column_2];
	u_r[0][7][2][2] = u[u_row_p5 + u_column_3];
	u_r[0][7][2][3] = u[u_row_p5 + u_column_4];
	const float beside = stencil_shuffle(u_r[0][0][2][0], lane_m2);
	u_r[0][0][0][0] = leftmost ? u_r[0][0][0][0] : beside;
	const float beside_2 = stencil_shuffle(u_r[0][0][2][1], lane_m2);
	u_r[0][0][0][1] = leftmost ? beside : beside_2;
	const float beside_3 = stencil_shuffle(u_r[0][0][2][2], lane_m2);
	u_r[0][0][0][2] = leftmost ? beside_2 : beside_3;
	const float beside_4 = stencil_shuffle(u_r[0][0][2][3], lane_m2);
	u_r[0][0][0][3] = leftmost ? beside_3 : beside_4;
	const float beside_5 = stencil_shuffle(u_r[0][0][2][0], lane_m1);
	u_r[0][0][1][0] = leftmost_2 ? u_r[0][0][1][0] : beside_5;
	const float beside_6 = stencil_shuffle(u_r[0][0][2][1], lane_m1);
	u_r[0][0][1][1] = leftmost_2 ? beside_5 : beside_6;
	const float beside_7 = stencil_shuffle(u_r[0][0][2][2], lane_m1);
	u_r[0][0][1][2] = leftmost_2 ? beside_6 : beside_7;
	const float beside_8 = stencil_shuffle(u_r[0][0][2][3], lane_m1);
	u_r[0][0][1][3] = leftmost_2 ? beside_7 : beside_8;
	const float beside_9 = stencil_shuffle(u_r[0][0][2][0], lane_p1);
	const float beside_10 = stencil_shuffle(u_r[0][0][2][1], lane_p1);
	u_r[0][0][3][0] = rightmost ? beside_10 : beside_9;
	const float beside_11 = stencil_shuffle(u_r[0][0][2][2], lane_p1);
	u_r[0][0][3][1] = rightmost ? beside_11 : beside_10;
	const float beside_12 = stencil_shuffle(u_r[0][0][2][3], lane_p1);
	u_r[0][0][3][2] = rightmost ? beside_12 : beside_11;
	u_r[0][0][3][3] = rightmost ? u_r[0][0][3][3] : beside_12;
	const float beside_13 = stencil_shuffle(u_r[0][0][2][0], lane_p2);
	const float beside_14 = stencil_shuffle(u_r[0][0][2][1], lane_p2);
	u_r[0][0][4][0] = rightmost_2 ? beside_14 : beside_13;
	const float beside_15 = stencil_shuffle(u_r[0][0][2][2], lane_p2);
	u_r[0][0][4][1] = rightmost_2 ? beside_15 : beside_14;
	const float beside_16 = stencil_shuffle(u_r[0][0][2][3], lane_p2);
	u_r[0][0][4][2] = rightmost_2 ? beside_16 : beside_15;
	u_r[0][0][4][3] = rightmost_2 ? u_r[0][0][4][3] : beside_16;
	const float beside_17 = stencil_shuffle(u_r[0][1][2][0], lane_m2);
	u_r[0][1][0][0] = leftmost ? u_r[0][1][0][0] : beside_17;
	const float beside_18 = stencil_shuffle(u_r[0][1][2][1], lane_m2);
	u_r[0][1][0][1] = leftmost ? beside_17 : beside_18;
	const float beside_19 = stencil_shuffle(u_r[0][1][2][2], lane_m2);
	u_r[0][1][0][2] = leftmost ? beside_18 : beside_19;
	const float beside_20 = stencil_shuffle(u_r[0][1][2][3], lane_m2);
	u_r[0][1][0][3] = leftmost ? beside_19 : beside_20;
	const float beside_21 = stencil_shuffle(u_r[0][1][2][0], lane_m1);
	u_r[0][1][1][0] = leftmost_2 ? u_r[0][1][1][0] : beside_21;
	const float beside_22 = stencil_shuffle(u_r[0][1][2][1], lane_m1);
	u_r[0][1][1][1] = leftmost_2 ? beside_21 : beside_22;
	const float beside_23 = stencil_shuffle(u_r[0][1][2][2], lane_m1);
	u_r[0][1][1][2] = leftmost_2 ? beside_22 : beside_23;
	const float beside_24 = stencil_shuffle(u_r[0][1][2][3], lane_m1);
	u_r[0][1][1][3] = leftmost_2 ? beside_23 : beside_24;
	const float beside_25 = stencil_shuffle(u_r[0][1][2][0], lane_p1);
	const float beside_26 = stencil_shuffle(u_r[0][1][2][1], lane_p1);
	u_r[0][1][3][0] = rightmost ? beside_26 : beside_25;
	const float beside_27 = stencil_shuffle(u_r[0][1][2][2], lane_p1);
	u_r[0][1][3][1] = rightmost ? beside_27 : beside_26;
	const float beside_28 = stencil_shuffle(u_r[0][1][2][3], lane_p1);
	u_r[0][1][3][2] = rightmost ? beside_28 : beside_27;
	u_r[0][1][3][3] = rightmost ? u_r[0][1][3][3] : beside_28;
	const float beside_29 = stencil_shuffle(u_r[0][1][2][0], lane_p2);
	const float beside_30 = stencil_shuffle(u_r[0][1][2][1], lane_p2);
	u_r[0][1][4][0] = rightmost_2 ? beside_30 : beside_29;
	const float beside_31 = stencil_shuffle(u_r[0][1][2][2], lane_p2);
	u_r[0][1][4][1] = rightmost_2 ? beside_31 : beside_30;
	const float beside_32 = stencil_shuffle(u_r[0][1][2][3], lane_p2);
	u_r[0][1][4][2] = rightmost_2 ? beside_32 : beside_31;
	u_r[0][1][4][3] = rightmost_2 ? u_r[0][1][4][3] : beside_32;
	const float beside_33 = stencil_shuffle(u_r[0][2][2][0], lane_m2);
	u_r[0][2][0][0] = leftmost ? u_r[0][2][0][0] : beside_33;
	const float beside_34 = stencil_shuffle(u_r[0][2][2][1], lane_m2);
	u_r[0][2][0][1] = leftmost ? beside_33 : beside_34;
	const float beside_35 = stencil_shuffle(u_r[0][2][2][2], lane_m2);
	u_r[0][2][0][2] = leftmost ? beside_34 : beside_35;
	const float beside_36 = stencil_shuffle(u_r[0][2][2][3], lane_m2);
	u_r[0][2][0][3] = leftmost ? beside_35 : beside_36;
	const float beside_37 = stencil_shuffle(u_r[0][2][2][0], lane_m1);
	u_r[0][2][1][0] = leftmost_2 ? u_r[0][2][1][0] : beside_37;
	const float beside_38 = stencil_shuffle(u_r[0][2][2][1], lane_m1);
	u_r[0][2][1][1] = leftmost_2 ? beside_37 : beside_38;
	const float beside_39 = stencil_shuffle(u_r[0][2][2][2], lane_m1);
	u_r[0][2][1][2] = leftmost_2 ? beside_38 : beside_39;
	const float beside_40 = stencil_shuffle(u_r[0][2][2][3], lane_m1);
	u_r[0][2][1][3] = leftmost_2 ? beside_39 : beside_40;
	const float beside_41 = stencil_shuffle(u_r[0][2][2][0], lane_p1);
	const float beside_42 = stencil_shuffle(u_r[0][2][2][1], lane_p1);
	u_r[0][2][3][0] = rightmost ? beside_42 : beside_41;
	const float beside_43 = stencil_shuffle(u_r[0][2][2][2], lane_p1);
	u_r[0][2][3][1] = rightmost ? beside_43 : beside_42;
	const float beside_44 = stencil_shuffle(u_r[0][2][2][3], lane_p1);
	u_r[0][2][3][2] = rightmost ? beside_44 : beside_43;
	u_r[0][2][3][3] = rightmost ? u_r[0][2][3][3] : beside_44;
	const float beside_45 = stencil_shuffle(u_r[0][2][2][0], lane_p2);
	const float beside_46 = stencil_shuffle(u_r[0][2][2][1], lane_p2);
	u_r[0][2][4][0] = rightmost_2 ? beside_46 : beside_45;
	const float beside_47 = stencil_shuffle(u_r[0][2][2][2], lane_p2);
	u_r[0][2][4][1] = rightmost_2 ? beside_47 : beside_46;
	const float beside_48 = stencil_shuffle(u_r[0][2][2][3], lane_p2);
	u_r[0][2][4][2] = rightmost_2 ? beside_48 : beside_47;
	u_r[0][2][4][3] = rightmost_2 ? u_r[0][2][4][3] : beside_48;
	const float beside_49 = stencil_shuffle(u_r[0][3][2][0], lane_m2);
	u_r[0][3][0][0] = leftmost ? u_r[0][3][0][0] : beside_49;
	const float beside_50 = stencil_shuffle(u_r[0][3][2][1], lane_m2);
	u_r[0][3][0][1] = leftmost ? beside_49 : beside_50;
	const float beside_51 = stencil_shuffle(u_r[0][3][2][2], lane_m2);
	u_r[0][3][0][2] = leftmost ? beside_50 : beside_51;
	const float beside_52 = stencil_shuffle(u_r[0][3][2][3], lane_m2);
	u_r[0][3][0][3] = leftmost ? beside_51 : beside_52;
	const float beside_53 = stencil_shuffle(u_r[0][3][2][0], lane_m1);
	u_r[0][3][1][0] = leftmost_2 ? u_r[0][3][1][0] : beside_53;
	const float beside_54 = stencil_shuffle(u_r[0][3][2][1], lane_m1);
	u_r[0][3][1][1] = leftmost_2 ? beside_53 : beside_54;
	const float beside_55 = stencil_shuffle(u_r[0][3][2][2], lane_m1);
	u_r[0][3][1][2] = leftmost_2 ? beside_54 : beside_55;
	const float beside_56 = stencil_shuffle(u_r[0][3][2][3], lane_m1);
	u_r[0][3][1][3] = leftmost_2 ? beside_55 : beside_56;
	const float beside_57 = stencil_shuffle(u_r[0][3][2][0], lane_p1);
	const float beside_58 = stencil_shuffle(u_r[0][3][2][1], lane_p1);
	u_r[0][3][3][0] = rightmost ? beside_58 : beside_57;
	const float beside_59 = stencil_shuffle(u_r[0][3][2][2], lane_p1);
	u_r[0][3][3][1] = rightmost ? beside_59 : beside_58;
	const float beside_60 = stencil_shuffle(u_r[0][3][2][3], lane_p1);
	u_r[0][3][3][2] = rightmost ? beside_60 : beside_59;
	u_r[0][3][3][3] = rightmost ? u_r[0][3][3][3] : beside_60;
	const float beside_61 = stencil_shuffle(u_r[0][3][2][0], lane_p2);
	const float beside_62 = stencil_shuffle(u_r[0][3][2][1], lane_p2);
	u_r[0][3][4][0] = rightmost_2 ? beside_62 : beside_61;
	const float beside_63 = stencil_shuffle(u_r[0][3][2][2], lane_p2);
	u_r[0][3][4][1] = rightmost_2 ? beside_63 : beside_62;
	const float beside_64 = stencil_shuffle(u_r[0][3][2][3], lane_p2);
	u_r[0][3][4][2] = rightmost_2 ? beside_64 : beside_63;
	u_r[0][3][4][3] = rightmost_2 ? u_r[0][3][4][3] : beside_64;
	const float beside_65 = stencil_shuffle(u_r[0][4][2][0], lane_m2);
	u_r[0][4][0][0] = leftmost ? u_r[0][4][0][0] : beside_65;
	const float beside_66 = stencil_shuffle(u_r[0][4][2][1], lane_m2);
	u_r[0][4][0][1] = leftmost ? beside_65 : beside_66;
	const float beside_67 = stencil_shuffle(u_r[0][4][2][2], lane_m2);
	u_r[0][4][0][2] = leftmost ? beside_66 : beside_67;
	const float beside_68 = stencil_shuffle(u_r[0][4][2][3], lane_m2);
	u_r[0][4][0][3] = leftmost ? beside_67 : beside_68;
	const float beside_69 = stencil_shuffle(u_r[0][4][2][0], lane_m1);
	u_r[0][4][1][0] = leftmost_2 ? u_r[0][4][1][0] : beside_69;
	const float beside_70 = stencil_shuffle(u_r[0][4][2][1], lane_m1);
	u_r[0][4][1][1] = leftmost_2 ? beside_69 : beside_70;
	const float beside_71 = stencil_shuffle(u_r[0][4][2][2], lane_m1);
	u_r[0][4][1][2] = leftmost_2 ? beside_70 : beside_71;
	const float beside_72 = stencil_shuffle(u_r[0][4][2][3], lane_m1);
	u_r[0][4][1][3] = leftmost_2 ? beside_71 : beside_72;
	const float beside_73 = stencil_shuffle(u_r[0][4][2][0], lane_p1);
	const float beside_74 = stencil_shuffle(u_r[0][4][2][1], lane_p1);
	u_r[0][4][3][0] = rightmost ? beside_74 : beside_73;
	const float beside_75 = stencil_shuffle(u_r[0][4][2][2], lane_p1);
	u_r[0][4][3][1] = rightmost ? beside_75 : beside_74;
	const float beside_76 = stencil_shuffle(u_r[0][4][2][3], lane_p1);
	u_r[0][4][3][2] = rightmost ? beside_76 : beside_75;
	u_r[0][4][3][3] = rightmost ? u_r[0][4][3][3] : beside_76;
	const float beside_77 = stencil_shuffle(u_r[0][4][2][0], lane_p2);
	const float beside_78 = stencil_shuffle(u_r[0][4][2][1], lane_p2);
	u_r[0][4][4][0] = rightmost_2 ? beside_78 : beside_77;
	const float beside_79 = stencil_shuffle(u_r[0][4][2][2], lane_p2);
	u_r[0][4][4][1] = rightmost_2 ? beside_79 : beside_78;
	const float beside_80 = stencil_shuffle(u_r[0][4][2][3], lane_p2);
	u_r[0][4][4][2] = rightmost_2 ? beside_80 : beside_79;
	u_r[0][4][4][3] = rightmost_2 ? u_r[0][4][4][3] : beside_80;
	const float beside_81 = stencil_shuffle(u_r[0][5][2][0], lane_m2);
	u_r[0][5][0][0] = leftmost ? u_r[0][5][0][0] : beside_81;
	const float beside_82 = stencil_shuffle(u_r[0][5][2][1], lane_m2);
	u_r[0][5][0][1] = leftmost ? beside_81 : beside_82;
	const float beside_83 = stencil_shuffle(u_r[0][5][2][2], lane_m2);
	u_r[0][5][0][2] = leftmost ? beside_82 : beside_83;
	const float beside_84 = stencil_shuffle(u_r[0][5][2][3], lane_m2);
	u_r[0][5][0][3] = leftmost ? beside_83 : beside_84;
	const float beside_85 = stencil_shuffle(u_r[0][5][2][0], lane_m1);
	u_r[0][5][1][0] = leftmost_2 ? u_r[0][5][1][0] : beside_85;
	const float beside_86 = stencil_shuffle(u_r[0][5][2][1], lane_m1);
	u_r[0][5][1][1] = leftmost_2 ? beside_85 : beside_86;
	const float beside_87 = stencil_shuffle(u_r[0][5][2][2], lane_m1);
	u_r[0][5][1][2] = leftmost_2 ? beside_86 : beside_87;
	const float beside_88 = stencil_shuffle(u_r[0][5][2][3], lane_m1);
	u_r[0][5][1][3] = leftmost_2 ? beside_87 : beside_88;
	const float beside_89 = stencil_shuffle(u_r[0][5][2][0], lane_p1);
	const float beside_90 = stencil_shuffle(u_r[0][5][2][1], lane_p1);
	u_r[0][5][3][0] = rightmost ? beside_90 : beside_89;
	const float beside_91 = stencil_shuffle(u_r[0][5][2][2], lane_p1);
	u_r[0][5][3][1] = rightmost ? beside_91 : beside_90;
	const float beside_92 = stencil_shuffle(u_r[0][5][2][3], lane_p1);
	u_r[0][5][3][2] = rightmost ? beside_92 : beside_91;
	u_r[0][5][3][3] = rightmost ? u_r[0][5][3][3] : beside_92;
	const float beside_93 = stencil_shuffle(u_r[0][5][2][0], lane_p2);
	const float beside_94 = stencil_shuffle(u_r[0][5][2][1], lane_p2);
	u_r[0][5][4][0] = rightmost_2 ? beside_94 : beside_93;
	const float beside_95 = stencil_shuffle(u_r[0][5][2][2], lane_p2);
	u_r[0][5][4][1] = rightmost_2 ? beside_95 : beside_94;
	const float beside_96 = stencil_shuffle(u_r[0][5][2][3], lane_p2);
	u_r[0][5][4][2] = rightmost_2 ? beside_96 : beside_95;
	u_r[0][5][4][3] = rightmost_2 ? u_r[0][5][4][3] : beside_96;
	const float beside_97 = stencil_shuffle(u_r[0][6][2][0], lane_m2);
	u_r[0][6][0][0] = leftmost ? u_r[0][6][0][0] : beside_97;
	const float beside_98 = stencil_shuffle(u_r[0][6][2][1], lane_m2);
	u_r[0][6][0][1] = leftmost ? beside_97 : beside_98;
	const float beside_99 = stencil_shuffle(u_r[0][6][2][2], lane_m2);
	u_r[0][6][0][2] = leftmost ? beside_98 : beside_99;
	const float beside_100 = stencil_shuffle(u_r[0][6][2][3], lane_m2);
	u_r[0][6][0][3] = leftmost ? beside_99 : beside_100;
	const float beside_101 = stencil_shuffle(u_r[0][6][2][0], lane_m1);
	u_r[0][6][1][0] = leftmost_2 ? u_r[0][6][1][0] : beside_101;
	const float beside_102 = stencil_shuffle(u_r[0][6][2][1], lane_m1);
	u_r[0][6][1][1] = leftmost_2 ? beside_101 : beside_102;
	const float beside_103 = stencil_shuffle(u_r[0][6][2][2], lane_m1);
	u_r[0][6][1][2] = leftmost_2 ? beside_102 : beside_103;
	const float beside_104 = stencil_shuffle(u_r[0][6][2][3], lane_m1);
	u_r[0][6][1][3] = leftmost_2 ? beside_103 : beside_104;
	const float beside_105 = stencil_shuffle(u_r[0][6][2][0], lane_p1);
	const float beside_106 = stencil_shuffle(u_r[0][6][2][1], lane_p1);
	u_r[0][6][3][0] = rightmost ? beside_106 : beside_105;
	const float beside_107 = stencil_shuffle(u_r[0][6][2][2], lane_p1);
	u_r[0][6][3][1] = rightmost ? beside_107 : beside_106;
	const float beside_108 = stencil_shuffle(u_r[0][6][2][3], lane_p1);
	u_r[0][6][3][2] = rightmost ? beside_108 : beside_107;
	u_r[0][6][3][3] = rightmost ? u_r[0][6][3][3] : beside_108;
	const float beside_109 = stencil_shuffle(u_r[0][6][2][0], lane_p2);
	const float beside_110 = stencil_shuffle(u_r[0][6][2][1], lane_p2);
	u_r[0][6][4][0] = rightmost_2 ? beside_110 : beside_109;
	const float beside_111 = stencil_shuffle(u_r[0][6][2][2], lane_p2);
	u_r[0][6][4][1] = rightmost_2 ? beside_111 : beside_110;
	const float beside_112 = stencil_shuffle(u_r[0][6][2][3], lane_p2);
	u_r[0][6][4][2] = rightmost_2 ? beside_112 : beside_111;
	u_r[0][6][4][3] = rightmost_2 ? u_r[0][6][4][3] : beside_112;
	const float beside_113 = stencil_shuffle(u_r[0][7][2][0], lane_m2);
	u_r[0][7][0][0] = leftmost ? u_r[0][7][0][0] : beside_113;
	const float beside_114 = stencil_shuffle(u_r[0][7][2][1], lane_m2);
	u_r[0][7][0][1] = leftmost ? beside_113 : beside_114;
	const float beside_115 = stencil_shuffle(u_r[0][7][2][2], lane_m2);
	u_r[0][7][0][2] = leftmost ? beside_114 : beside_115;
	const float beside_116 = stencil_shuffle(u_r[0][7][2][3], lane_m2);
	u_r[0][7][0][3] = leftmost ? beside_115 : beside_116;
	const float beside_117 = stencil_shuffle(u_r[0][7][2][0], lane_m1);
	u_r[0][7][1][0] = leftmost_2 ? u_r[0][7][1][0] : beside_117;
	const float beside_118 = stencil_shuffle(u_r[0][7][2][1], lane_m1);
	u_r[0][7][1][1] = leftmost_2 ? beside_117 : beside_118;
	const float beside_119 = stencil_shuffle(u_r[0][7][2][2], lane_m1);
	u_r[0][7][1][2] = leftmost_2 ? beside_118 : beside_119;
	const float beside_120 = stencil_shuffle(u_r[0][7][2][3], lane_m1);
	u_r[0][7][1][3] = leftmost_2 ? beside_119 : beside_120;
	const float beside_121 = stencil_shuffle(u_r[0][7][2][0], lane_p1);
	const float beside_122 = stencil_shuffle(u_r[0][7][2][1], lane_p1);
	u_r[0][7][3][0] = rightmost ? beside_122 : beside_121;
	const float beside_123 = stencil_shuffle(u_r[0][7][2][2], lane_p1);
	u_r[0][7][3][1] = rightmost ? beside_123 : beside_122;
	const float beside_124 = stencil_shuffle(u_r[0][7][2][3], lane_p1);
	u_r[0][7][3][2] = rightmost ? beside_124 : beside_123;
	u_r[0][7][3][3] = rightmost ? u_r[0][7][3][3] : beside_124;
	const float beside_125 = stencil_shuffle(u_r[0][7][2][0], lane_p2);
	const float beside_126 = stencil_shuffle(u_r[0][7][2][1], lane_p2);
	u_r[0][7][4][0] = rightmost_2 ? beside_126 : beside_125;
	const float beside_127 = stencil_shuffle(u_r[0][7][2][2], lane_p2);
	u_r[0][7][4][1] = rightmost_2 ? beside_127 : beside_126;
	const float beside_128 = stencil_shuffle(u_r[0][7][2][3], lane_p2);
	u_r[0][7][4][2] = rightmost_2 ? beside_128 : beside_127;
	u_r[0][7][4][3] = rightmost_2 ? u_r[0][7][4][3] : beside_128;
	float u_new_r[4][4];
	STENCIL_UNROLL
	for (int32_t j = 0; j < 4; j++) {
		STENCIL_UNROLL
		for (int32_t i = 0; i < 4; i++) {
#line 11 "../src/examples/gaussian25.st"
			u_new_r[j][i] = (fmaf(4.0f, u_r[0][j + 4][3][i], fmaf(6.0f, u_r[0][j + 4][2][i], fmaf(4.0f, u_r[0][j + 4][1][i], fmaf(4.0f, u_r[0][j + 3][4][i], fmaf(16.0f, u_r[0][j + 3][3][i], fmaf(24.0f, u_r[0][j + 3][2][i], fmaf(16.0f, u_r[0][j + 3][1][i], fmaf(4.0f, u_r[0][j + 3][0][i], fmaf(6.0f, u_r[0][j + 2][4][i], fmaf(24.0f, u_r[0][j + 2][3][i], fmaf(36.0f, u_r[0][j + 2][2][i], fmaf(24.0f, u_r[0][j + 2][1][i], fmaf(6.0f, u_r[0][j + 2][0][i], fmaf(4.0f, u_r[0][j + 1][4][i], fmaf(16.0f, u_r[0][j + 1][3][i], fmaf(24.0f, u_r[0][j + 1][2][i], fmaf(16.0f, u_r[0][j + 1][1][i], fmaf(4.0f, u_r[0][j + 1][0][i], fmaf(4.0f, u_r[0][j][3][i], fmaf(6.0f, u_r[0][j][2][i], fmaf(4.0f, u_r[0][j][1][i], u_r[0][j][0][i]))) + u_r[0][j][4][i]))))))))))))))) + u_r[0][j + 4][0][i]))) + u_r[0][j + 4][4][i]) / 256.0f;
#line 795 "gaussian25.cu"
			u_new_r[j][i] = y + j >= region.lo[0] && y + j < region.hi[0] &&
				x + i * 32 >= region.lo[1] &&
				x + i * 32 < region.hi[1] ? u_new_r[j][i] : u_r[0][j + 2][2][i];
		}
	}
	STENCIL_UNROLL
	for (int32_t j_2 = 0; j_2 < 4; j_2++) {
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
gaussian25(stencil_context *ctx, const gaussian25_args *a)
{
	gaussian25_call call, *const c = &call;
	void *memory;

	if (ctx == NULL)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "gaussian25: no context");
	STENCIL_TRY(gaussian25_prepare(ctx, a, c));

	const stencil_on_device device(ctx);

	STENCIL_TRY(device.status);
	STENCIL_TRY(stencil_memory(ctx, "gaussian25", a->workspace, a->workspace_size,
		c->workspace, &memory));

	float *const u[2] = { a->u, (float *)stencil_at(memory, c->at_u_next) };
	const stencil_cells u_cells = { { 0, 0, 0 }, { c->grid.extent[0], c->grid.extent[1], 1 } };
	const stencil_cells u_region = {
		{ (int32_t)(stencil_max_i64(2, c->box.lo[0])),
		(int32_t)(stencil_max_i64(2, c->box.lo[1])), 0 },
		{ (int32_t)(stencil_min_i64(c->box.hi[0], (int64_t)c->grid.extent[0] - 2)),
		(int32_t)(stencil_min_i64(c->box.hi[1], (int64_t)c->grid.extent[1] - 2)), 1 } };
	const stencil_shape u_shape = { { 32, 8, 1 }, { 128, 32, 1 }, { 1, 0, -1 }, 0 };

	stencil_shape tiled = { { 256, 1, 1 }, { 240, 32, 0 }, { 1, 0, -1 }, 15488 };
	int64_t step = 0;
	const int fits = stencil_row_fits(&c->grid, 1, 1) &&
		stencil_field_fits(u[stencil_slot(0, step, 2)], &c->u, 1) &&
		stencil_field_fits(u[stencil_slot(1, step, 2)], &c->u, 1) &&
		stencil_ends_fit(&u_region, &c->grid, 1, 2, 2) &&
		stencil_extent_of(&u_cells, 1) >= 256;
	stencil_cells inner = u_cells;
	stencil_inset(&inner, 1, 8, 8);

	if (fits)
		STENCIL_TRY(stencil_fill_device(ctx, "gaussian25_k0_u_t4", &tiled, &inner,
		gaussian25_k0_u_t4));

	for (int64_t done = 0; done < a->steps; step++) {
		if (fits && a->steps - done >= 4) {
			STENCIL_TRY(stencil_launch(ctx, "gaussian25_k0_u_t4", tiled, inner,
				gaussian25_k0_u_t4, u[stencil_slot(0, step, 2)],
				u[stencil_slot(1, step, 2)], c->u, c->grid, u_region,
				(int32_t)tiled.span[1]));
			done += 4;
		} else {
			if (stencil_row_fits(&c->grid, 1, 4) &&
				stencil_field_fits(u[stencil_slot(0, step, 2)], &c->u, 4) &&
				stencil_field_fits(u[stencil_slot(1, step, 2)], &c->u, 4)) {
				STENCIL_TRY(stencil_launch(ctx, "gaussian25_k0_u_x4", u_shape,
					stencil_whole(u_cells, 1, 4), gaussian25_k0_u_x4,
					u[stencil_slot(0, step, 2)], u[stencil_slot(1, step, 2)],
					c->u, c->grid, u_region));
			} else {
				STENCIL_TRY(stencil_launch(ctx, "gaussian25_k0_u", u_shape, u_cells,
					gaussian25_k0_u, u[stencil_slot(0, step, 2)],
					u[stencil_slot(1, step, 2)], c->u, c->grid, u_region));
			}
			done++;
		}
	}
	STENCIL_TRY(stencil_settle(ctx, u, c->u, c->grid, 1, step, NULL));
	return STENCIL_OK;
}
