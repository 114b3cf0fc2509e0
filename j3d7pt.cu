/* Made from j3d7pt.st by stencilc, for CUDA.
 *
 *   nvcc -std=c++17 -fmad=false -Xcompiler=-ffp-contract=off -arch=sm_90
 *
 * It is planned for that architecture; others run it, too.
 */
#include "j3d7pt.h"

#include "stencil_kernel.h"

/* What a call of j3d7pt works on, worked out from its arguments. */
typedef struct {
	stencil_grid grid;
	stencil_box box;
	stencil_layout u;
	size_t at_u_next; /* in the workspace */
	size_t at_u_rows; /* in the workspace */
	size_t workspace; /* bytes of it */
} j3d7pt_call;

/* The sizes of the grids, of the fields and of the workspace. */
static stencil_status
j3d7pt_measure(stencil_context *ctx, const j3d7pt_args *a, j3d7pt_call *c)
{
	if (a == NULL)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "j3d7pt: no arguments");

	const char *const grid_names[] = { "nz", "ny", "nx" };
	const int64_t grid_extents[] = { a->nz, a->ny, a->nx };

	STENCIL_TRY(stencil_measure_grid(ctx, "j3d7pt", &c->grid, 3, grid_names, grid_extents));
	STENCIL_TRY(stencil_lay_out(ctx, "j3d7pt", "u", &c->u, &c->grid, 7, 1, 0, a->u_pitch,
		sizeof(float)));
	c->workspace = 0;
	STENCIL_TRY(stencil_set_aside(ctx, "j3d7pt", c->u.bytes, &c->workspace, &c->at_u_next));
	return STENCIL_OK;
}

/* Gives C padded rows: the bytes of workspace that they take.  0: rows are whole
 * vectors as they are, or there is no such memory. */
static size_t
j3d7pt_pad(j3d7pt_call *c)
{
	if (stencil_row_fits(&c->grid, 2, 4) && stencil_layout_fits(&c->u, 4))
		return 0;
	if (!stencil_pad_rows(&c->u, &c->grid, 7, 1, 0, sizeof(float)))
		return 0;
	c->workspace = 0;
	if (stencil_set_aside(NULL, "j3d7pt", c->u.bytes, &c->workspace, &c->at_u_next) !=
		STENCIL_OK)
		return 0;
	if (stencil_set_aside(NULL, "j3d7pt", c->u.bytes, &c->workspace, &c->at_u_rows) !=
		STENCIL_OK)
		return 0;
	return c->workspace;
}

/* Everything that can be wrong with a call; nothing is written before. */
static stencil_status
j3d7pt_prepare(stencil_context *ctx, const j3d7pt_args *a, j3d7pt_call *c)
{
	STENCIL_TRY(j3d7pt_measure(ctx, a, c));

	const char *const axes[] = { "z", "y", "x" };

	c->box = a->box;
	STENCIL_TRY(stencil_check_box(ctx, "j3d7pt", &c->box, &c->grid, 3, axes));
	STENCIL_TRY(stencil_check_steps(ctx, "j3d7pt", a->steps, 0));

	const stencil_range ranges[] = {
		{ "u", a->u, c->u.bytes, sizeof(float), 1 },
		{ "workspace", a->workspace, a->workspace_size, 16, 1 },
	};

	STENCIL_TRY(stencil_check_ranges(ctx, "j3d7pt", ranges, 1 + (a->workspace != NULL)));
	return STENCIL_OK;
}

STENCIL_WEAK void
j3d7pt_args_init(j3d7pt_args *a)
{
	memset(a, 0, sizeof *a);
}

STENCIL_WEAK size_t
j3d7pt_workspace(const j3d7pt_args *a)
{
	j3d7pt_call c;

	if (j3d7pt_measure(NULL, a, &c) != STENCIL_OK)
		return 0;

	const size_t packed = c.workspace, padded = j3d7pt_pad(&c);

	return padded > packed ? padded : packed;
}

/* u at t+1; tile, 16x16x1 threads */
static __global__ void __launch_bounds__(256)
j3d7pt_k0_u_t4(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_layout u_layout, const stencil_grid grid, const stencil_cells region,
	const int32_t rows)
{
	const int64_t u_y = u_layout.stride[1];
	const int64_t u_z = u_layout.stride[0];
	const int32_t tile = cells.lo[2] + (int32_t)blockIdx.x * 56;
	const int32_t left = cells.lo[2] < tile ? tile : cells.lo[2];
	const int32_t right = tile + 56 < cells.hi[2] ? tile + 56 : cells.hi[2] + 4;
	const int32_t x = stencil_min_i32(stencil_max_i32(tile - 4, cells.lo[2]),
		cells.hi[2] - 60) + (int32_t)threadIdx.x * 4;
	const int32_t tile_2 = cells.lo[1] + (int32_t)blockIdx.y * 72;
	const int32_t top = cells.lo[1] < tile_2 ? tile_2 : cells.lo[1] - 4;
	const int32_t bottom = tile_2 + 72 < cells.hi[1] ? tile_2 + 72 : cells.hi[1] + 4;
	const int32_t y = stencil_min_i32(stencil_max_i32(tile_2 - 4, cells.lo[1] - 4),
		cells.hi[1] - 76) + (int32_t)threadIdx.y * 5;
	const int32_t column = (int32_t)threadIdx.x * 4;
	const int32_t row_beside = (int32_t)threadIdx.y * 2 + 1;
	const int32_t row_ahead = (int32_t)threadIdx.y * 5;
	const int64_t here = (int64_t)(y - grid.origin[1]) * u_y + (int64_t)(x - grid.origin[2]);
	const int32_t row_from = top - y;
	const int32_t row_to = x >= left && x < right ? bottom - y : 0;
	const bool edge = stencil_any(x < region.lo[2] || region.hi[2] < x + 4);
	const bool edge_2 = stencil_any(y < region.lo[1] || region.hi[1] < y + 5);
	const bool edges = edge || edge_2;
	const int32_t first = cells.lo[0] + (int32_t)blockIdx.z * rows;
	if (first >= cells.hi[0])
		return;
	const int32_t last = stencil_min_i32(first + rows, cells.hi[0]);
	const int32_t last_lane = ((int32_t)threadIdx.x + (int32_t)threadIdx.y * 16 + 31) % 32;
	const int32_t next_lane = ((int32_t)threadIdx.x + (int32_t)threadIdx.y * 16 + 1) % 32;
	const bool kept = x < region.lo[2];
	const bool kept_2 = x + 3 >= region.hi[2];
	const bool kept_3 = y < region.lo[1];
	const bool kept_4 = y + 4 >= region.hi[1];

	float u_r[5][3][7][6];
	float (*const u_beside_s)[2][34][64] =
		(float (*)[2][34][64])stencil_at(stencil_shared(), 0);
	float (*const u_ahead_s)[80][64] = (float (*)[80][64])stencil_at(stencil_shared(), 69632);
	STENCIL_UNROLL
	for (int32_t s_2 = 0; s_2 < 4; s_2++) {
		STENCIL_UNROLL
		for (int32_t p = 0; p < 3; p++) {
			STENCIL_UNROLL
			for (int32_t j_3 = 0; j_3 < 5; j_3++) {
				STENCIL_UNROLL
				for (int32_t i_3 = 0; i_3 < 4; i_3++) {
					u_r[s_2][p][j_3 + 1][i_3 + 1] = 0;
				}
			}
		}
	}
	const int32_t from = stencil_max_i32(first - 4, stencil_min_i32(region.lo[0] - 1, first));
	const int64_t start = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(from, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * u_z + here;
	stencil_copy16(&u_ahead_s[0][row_ahead][column], u + start);
	stencil_copy16(&u_ahead_s[0][row_ahead + 1][column], u + start + u_y);
	stencil_copy16(&u_ahead_s[0][row_ahead + 2][column], u + start + 2 * u_y);
	stencil_copy16(&u_ahead_s[0][row_ahead + 3][column], u + start + 3 * u_y);
	stencil_copy16(&u_ahead_s[0][row_ahead + 4][column], u + start + 4 * u_y);
	stencil_copy_commit();
	const int32_t z_in = from + 1;
	const int64_t start_2 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(z_in, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * u_z + here;
	stencil_copy16(&u_ahead_s[1][row_ahead][column], u + start_2);
	stencil_copy16(&u_ahead_s[1][row_ahead + 1][column], u + start_2 + u_y);
	stencil_copy16(&u_ahead_s[1][row_ahead + 2][column], u + start_2 + 2 * u_y);
	stencil_copy16(&u_ahead_s[1][row_ahead + 3][column], u + start_2 + 3 * u_y);
	stencil_copy16(&u_ahead_s[1][row_ahead + 4][column], u + start_2 + 4 * u_y);
	stencil_copy_commit();
	for (int32_t turn = 0; turn < last + 4 - from; turn++) {
		const int32_t z = from + turn;
		const int32_t slot = turn % 2;
		const int32_t slot_2 = (turn + 1) % 2;
		stencil_copy_wait<1>();
		const int32_t slot_out = turn % 3;
		const stencil_vector<float, 4> u_ahead_v = stencil_load<float,
			4>(&u_ahead_s[slot_out][row_ahead][column]);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_r[0][2][1][1 + e] = u_ahead_v.at[e];
		const stencil_vector<float, 4> u_ahead_v_2 = stencil_load<float,
			4>(&u_ahead_s[slot_out][row_ahead + 1][column]);
		STENCIL_UNROLL
		for (int e_2 = 0; e_2 < 4; e_2++)
			u_r[0][2][2][1 + e_2] = u_ahead_v_2.at[e_2];
		const stencil_vector<float, 4> u_ahead_v_3 = stencil_load<float,
			4>(&u_ahead_s[slot_out][row_ahead + 2][column]);
		STENCIL_UNROLL
		for (int e_3 = 0; e_3 < 4; e_3++)
			u_r[0][2][3][1 + e_3] = u_ahead_v_3.at[e_3];
		const stencil_vector<float, 4> u_ahead_v_4 = stencil_load<float,
			4>(&u_ahead_s[slot_out][row_ahead + 3][column]);
		STENCIL_UNROLL
		for (int e_4 = 0; e_4 < 4; e_4++)
			u_r[0][2][4][1 + e_4] = u_ahead_v_4.at[e_4];
		const stencil_vector<float, 4> u_ahead_v_5 = stencil_load<float,
			4>(&u_ahead_s[slot_out][row_ahead + 4][column]);
		STENCIL_UNROLL
		for (int e_5 = 0; e_5 < 4; e_5++)
			u_r[0][2][5][1 + e_5] = u_ahead_v_5.at[e_5];
		const int32_t slot_in = (turn + 2) % 3;
		const int32_t z_in_2 = z + 2;
		const int64_t start_3 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(z_in_2,
			grid.first[0]), grid.last[0]) - grid.origin[0]) * u_z + here;
		stencil_copy16(&u_ahead_s[slot_in][row_ahead][column], u + start_3);
		stencil_copy16(&u_ahead_s[slot_in][row_ahead + 1][column], u + start_3 + u_y);
		stencil_copy16(&u_ahead_s[slot_in][row_ahead + 2][column], u + start_3 + 2 * u_y);
		stencil_copy16(&u_ahead_s[slot_in][row_ahead + 3][column], u + start_3 + 3 * u_y);
		stencil_copy16(&u_ahead_s[slot_in][row_ahead + 4][column], u + start_3 + 4 * u_y);
		stencil_copy_commit();
		STENCIL_UNROLL
		for (int32_t s = 0; s < 4; s++) {
			const int32_t q = z - (s + 1);
			const stencil_vector<float, 4> u_beside_v = stencil_load<float,
				4>(&u_beside_s[s][slot_2][row_beside - 1][column]);
			STENCIL_UNROLL
			for (int e_6 = 0; e_6 < 4; e_6++)
				u_r[s][1][0][1 + e_6] = u_beside_v.at[e_6];
			const stencil_vector<float, 4> u_beside_v_2 = stencil_load<float,
				4>(&u_beside_s[s][slot_2][row_beside + 2][column]);
			STENCIL_UNROLL
			for (int e_7 = 0; e_7 < 4; e_7++)
				u_r[s][1][6][1 + e_7] = u_beside_v_2.at[e_7];
			stencil_vector<float, 4> u_beside_v_3;

			STENCIL_UNROLL
			for (int e_8 = 0; e_8 < 4; e_8++)
				u_beside_v_3.at[e_8] = u_r[s][2][1][1 + e_8];
			stencil_store(&u_beside_s[s][slot][row_beside][column], u_beside_v_3);
			stencil_vector<float, 4> u_beside_v_4;

			STENCIL_UNROLL
			for (int e_9 = 0; e_9 < 4; e_9++)
				u_beside_v_4.at[e_9] = u_r[s][2][5][1 + e_9];
			stencil_store(&u_beside_s[s][slot][row_beside + 1][column], u_beside_v_4);
			u_r[s][1][1][0] = stencil_shuffle(u_r[s][1][1][4], last_lane);
			u_r[s][1][1][5] = stencil_shuffle(u_r[s][1][1][1], next_lane);
			u_r[s][1][2][0] = stencil_shuffle(u_r[s][1][2][4], last_lane);
			u_r[s][1][2][5] = stencil_shuffle(u_r[s][1][2][1], next_lane);
			u_r[s][1][3][0] = stencil_shuffle(u_r[s][1][3][4], last_lane);
			u_r[s][1][3][5] = stencil_shuffle(u_r[s][1][3][1], next_lane);
			u_r[s][1][4][0] = stencil_shuffle(u_r[s][1][4][4], last_lane);
			u_r[s][1][4][5] = stencil_shuffle(u_r[s][1][4][1], next_lane);
			u_r[s][1][5][0] = stencil_shuffle(u_r[s][1][5][4], last_lane);
			u_r[s][1][5][5] = stencil_shuffle(u_r[s][1][5][1], next_lane);
			STENCIL_UNROLL
			for (int32_t j = 0; j < 5; j++) {
				STENCIL_UNROLL
				for (int32_t i = 0; i < 4; i++) {
#line 10 "../src/examples/j3d7pt.st"
					u_r[s + 1][2][j + 1][i + 1] = fmaf(0.102f, u_r[s][1][j + 1][i + 2], fmaf(0.098f, u_r[s][1][j + 1][i], fmaf(0.105f, u_r[s][1][j + 2][i + 1], fmaf(0.095f, u_r[s][1][j][i + 1], fmaf(0.11f, u_r[s][2][j + 1][i + 1], u_r[s][0][j + 1][i + 1])))));
#line 254 "j3d7pt.cu"
				}
			}
			if (edges || (z - 4 < region.lo[0] || z - 1 >= region.hi[0])) {
				if (z - 4 < region.lo[0] || z - 1 >= region.hi[0]) {
					if (q < region.lo[0] || q >= region.hi[0]) {
						STENCIL_UNROLL
						for (int32_t j_4 = 0; j_4 < 5; j_4++) {
							STENCIL_UNROLL
							for (int32_t i_4 = 0; i_4 < 4; i_4++) {
								u_r[s + 1][2][j_4 + 1][i_4 + 1] =
									u_r[s][1][j_4 + 1][i_4 + 1];
							}
						}
					}
				}
				if (edge) {
					STENCIL_UNROLL
					for (int32_t j_5 = 0; j_5 < 5; j_5++) {
						u_r[s + 1][2][j_5 + 1][1] = kept ?
							u_r[s][1][j_5 + 1][1] :
							u_r[s + 1][2][j_5 + 1][1];
					}
					STENCIL_UNROLL
					for (int32_t j_6 = 0; j_6 < 5; j_6++) {
						u_r[s + 1][2][j_6 + 1][4] = kept_2 ?
							u_r[s][1][j_6 + 1][4] :
							u_r[s + 1][2][j_6 + 1][4];
					}
				}
				if (edge_2) {
					STENCIL_UNROLL
					for (int32_t i_5 = 0; i_5 < 4; i_5++) {
						u_r[s + 1][2][1][i_5 + 1] = kept_3 ?
							u_r[s][1][1][i_5 + 1] :
							u_r[s + 1][2][1][i_5 + 1];
					}
					STENCIL_UNROLL
					for (int32_t i_6 = 0; i_6 < 4; i_6++) {
						u_r[s + 1][2][5][i_6 + 1] = kept_4 ?
							u_r[s][1][5][i_6 + 1] :
							u_r[s + 1][2][5][i_6 + 1];
					}
				}
			}
			STENCIL_UNROLL
			for (int32_t j_2 = 0; j_2 < 5; j_2++) {
				STENCIL_UNROLL
				for (int32_t i_2 = 0; i_2 < 4; i_2++) {
#line 10 "../src/examples/j3d7pt.st"
					u_r[s][0][j_2 + 1][i_2 + 1] = fmaf(0.09f, u_r[s][1][j_2 + 1][i_2 + 1], 0.4f * u_r[s][2][j_2 + 1][i_2 + 1]);
#line 305 "j3d7pt.cu"
				}
			}
			STENCIL_UNROLL
			for (int32_t j_7 = 0; j_7 < 5; j_7++) {
				STENCIL_UNROLL
				for (int32_t i_7 = 0; i_7 < 4; i_7++) {
					u_r[s][1][j_7 + 1][i_7 + 1] = u_r[s][2][j_7 + 1][i_7 + 1];
				}
			}
		}
		const int32_t z_out = z - 4;
		if (z_out >= first) {
			const int64_t start_4 = (int64_t)(z_out - grid.origin[0]) * u_z + here;
			if (0 >= row_from && 0 < row_to) {
				stencil_vector<float, 4> u_v;

				STENCIL_UNROLL
				for (int e_10 = 0; e_10 < 4; e_10++)
					u_v.at[e_10] = u_r[4][2][1][1 + e_10];
				stencil_store_global(u_next + start_4, u_v);
			}
			if (1 >= row_from && 1 < row_to) {
				stencil_vector<float, 4> u_v_2;

				STENCIL_UNROLL
				for (int e_11 = 0; e_11 < 4; e_11++)
					u_v_2.at[e_11] = u_r[4][2][2][1 + e_11];
				stencil_store_global(u_next + start_4 + u_y, u_v_2);
			}
			if (2 >= row_from && 2 < row_to) {
				stencil_vector<float, 4> u_v_3;

				STENCIL_UNROLL
				for (int e_12 = 0; e_12 < 4; e_12++)
					u_v_3.at[e_12] = u_r[4][2][3][1 + e_12];
				stencil_store_global(u_next + start_4 + 2 * u_y, u_v_3);
			}
			if (3 >= row_from && 3 < row_to) {
				stencil_vector<float, 4> u_v_4;

				STENCIL_UNROLL
				for (int e_13 = 0; e_13 < 4; e_13++)
					u_v_4.at[e_13] = u_r[4][2][4][1 + e_13];
				stencil_store_global(u_next + start_4 + 3 * u_y, u_v_4);
			}
			if (4 >= row_from && 4 < row_to) {
				stencil_vector<float, 4> u_v_5;

				STENCIL_UNROLL
				for (int e_14 = 0; e_14 < 4; e_14++)
					u_v_5.at[e_14] = u_r[4][2][5][1 + e_14];
				stencil_store_global(u_next + start_4 + 4 * u_y, u_v_5);
			}
		}
		__syncthreads();
	}
	stencil_copy_wait<0>();
}

/* u at t+1; tile, 16x16x1 threads */
static __global__ void __launch_bounds__(256)
j3d7pt_k0_u_r4(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_layout u_layout, const stencil_grid grid, const stencil_cells region,
	const int32_t rows)
{
	const int64_t u_y = u_layout.stride[1];
	const int64_t u_z = u_layout.stride[0];
	const int32_t tile = cells.lo[2] + (int32_t)blockIdx.x * 56;
	const int32_t left = cells.lo[2] < tile ? tile : cells.lo[2];
	const int32_t right = tile + 56 < cells.hi[2] ? tile + 56 : cells.hi[2] + 4;
	const int32_t x = stencil_min_i32(stencil_max_i32(tile - 4, cells.lo[2]),
		cells.hi[2] - 60) + (int32_t)threadIdx.x * 4;
	const int32_t tile_2 = cells.lo[1] + (int32_t)blockIdx.y * 72;
	const int32_t top = cells.lo[1] < tile_2 ? tile_2 : cells.lo[1] - 4;
	const int32_t bottom = tile_2 + 72 < cells.hi[1] ? tile_2 + 72 : cells.hi[1] + 4;
	const int32_t y = stencil_min_i32(stencil_max_i32(tile_2 - 4, cells.lo[1] - 4),
		cells.hi[1] - 76) + (int32_t)threadIdx.y * 5;
	const int32_t column = (int32_t)threadIdx.x * 4;
	const int32_t row_beside = (int32_t)threadIdx.y * 2 + 1;
	const int32_t row_ahead = (int32_t)threadIdx.y * 5;
	const int64_t here = (int64_t)(y - grid.origin[1]) * u_y + (int64_t)(x - grid.origin[2]);
	const int32_t row_from = top - y;
	const int32_t row_to = x >= left && x < right ? bottom - y : 0;
	const bool edge = stencil_any(x < region.lo[2] || region.hi[2] < x + 4);
	const bool edge_2 = stencil_any(y < region.lo[1] || region.hi[1] < y + 5);
	const bool edges = edge || edge_2;
	const int32_t first = cells.lo[0] + (int32_t)blockIdx.z * rows;
	if (first >= cells.hi[0])
		return;
	const int32_t last = stencil_min_i32(first + rows, cells.hi[0]);
	const int32_t last_lane = ((int32_t)threadIdx.x + (int32_t)threadIdx.y * 16 + 31) % 32;
	const int32_t next_lane = ((int32_t)threadIdx.x + (int32_t)threadIdx.y * 16 + 1) % 32;
	const bool kept = x < region.lo[2];
	const bool kept_2 = x + 3 >= region.hi[2];
	const bool kept_3 = x + 2 >= region.hi[2];
	const bool kept_4 = x + 1 >= region.hi[2];
	const bool kept_5 = x >= region.hi[2];
	const bool kept_6 = y < region.lo[1];
	const bool kept_7 = y + 4 >= region.hi[1];

	float u_r[5][3][7][6];
	float (*const u_beside_s)[2][34][64] =
		(float (*)[2][34][64])stencil_at(stencil_shared(), 0);
	float (*const u_ahead_s)[80][64] = (float (*)[80][64])stencil_at(stencil_shared(), 69632);
	STENCIL_UNROLL
	for (int32_t s_2 = 0; s_2 < 4; s_2++) {
		STENCIL_UNROLL
		for (int32_t p = 0; p < 3; p++) {
			STENCIL_UNROLL
			for (int32_t j_3 = 0; j_3 < 5; j_3++) {
				STENCIL_UNROLL
				for (int32_t i_3 = 0; i_3 < 4; i_3++) {
					u_r[s_2][p][j_3 + 1][i_3 + 1] = 0;
				}
			}
		}
	}
	const int32_t from = stencil_max_i32(first - 4, stencil_min_i32(region.lo[0] - 1, first));
	const int64_t start = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(from, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * u_z + here;
	stencil_copy16(&u_ahead_s[0][row_ahead][column], u + start);
	stencil_copy16(&u_ahead_s[0][row_ahead + 1][column], u + start + u_y);
	stencil_copy16(&u_ahead_s[0][row_ahead + 2][column], u + start + 2 * u_y);
	stencil_copy16(&u_ahead_s[0][row_ahead + 3][column], u + start + 3 * u_y);
	stencil_copy16(&u_ahead_s[0][row_ahead + 4][column], u + start + 4 * u_y);
	stencil_copy_commit();
	const int32_t z_in = from + 1;
	const int64_t start_2 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(z_in, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * u_z + here;
	stencil_copy16(&u_ahead_s[1][row_ahead][column], u + start_2);
	stencil_copy16(&u_ahead_s[1][row_ahead + 1][column], u + start_2 + u_y);
	stencil_copy16(&u_ahead_s[1][row_ahead + 2][column], u + start_2 + 2 * u_y);
	stencil_copy16(&u_ahead_s[1][row_ahead + 3][column], u + start_2 + 3 * u_y);
	stencil_copy16(&u_ahead_s[1][row_ahead + 4][column], u + start_2 + 4 * u_y);
	stencil_copy_commit();
	for (int32_t turn = 0; turn < last + 4 - from; turn++) {
		const int32_t z = from + turn;
		const int32_t slot = turn % 2;
		const int32_t slot_2 = (turn + 1) % 2;
		stencil_copy_wait<1>();
		const int32_t slot_out = turn % 3;
		const stencil_vector<float, 4> u_ahead_v = stencil_load<float,
			4>(&u_ahead_s[slot_out][row_ahead][column]);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_r[0][2][1][1 + e] = u_ahead_v.at[e];
		const stencil_vector<float, 4> u_ahead_v_2 = stencil_load<float,
			4>(&u_ahead_s[slot_out][row_ahead + 1][column]);
		STENCIL_UNROLL
		for (int e_2 = 0; e_2 < 4; e_2++)
			u_r[0][2][2][1 + e_2] = u_ahead_v_2.at[e_2];
		const stencil_vector<float, 4> u_ahead_v_3 = stencil_load<float,
			4>(&u_ahead_s[slot_out][row_ahead + 2][column]);
		STENCIL_UNROLL
		for (int e_3 = 0; e_3 < 4; e_3++)
			u_r[0][2][3][1 + e_3] = u_ahead_v_3.at[e_3];
		const stencil_vector<float, 4> u_ahead_v_4 = stencil_load<float,
			4>(&u_ahead_s[slot_out][row_ahead + 3][column]);
		STENCIL_UNROLL
		for (int e_4 = 0; e_4 < 4; e_4++)
			u_r[0][2][4][1 + e_4] = u_ahead_v_4.at[e_4];
		const stencil_vector<float, 4> u_ahead_v_5 = stencil_load<float,
			4>(&u_ahead_s[slot_out][row_ahead + 4][column]);
		STENCIL_UNROLL
		for (int e_5 = 0; e_5 < 4; e_5++)
			u_r[0][2][5][1 + e_5] = u_ahead_v_5.at[e_5];
		const int32_t slot_in = (turn + 2) % 3;
		const int32_t z_in_2 = z + 2;
		const int64_t start_3 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(z_in_2,
			grid.first[0]), grid.last[0]) - grid.origin[0]) * u_z + here;
		stencil_copy16(&u_ahead_s[slot_in][row_ahead][column], u + start_3);
		stencil_copy16(&u_ahead_s[slot_in][row_ahead + 1][column], u + start_3 + u_y);
		stencil_copy16(&u_ahead_s[slot_in][row_ahead + 2][column], u + start_3 + 2 * u_y);
		stencil_copy16(&u_ahead_s[slot_in][row_ahead + 3][column], u + start_3 + 3 * u_y);
		stencil_copy16(&u_ahead_s[slot_in][row_ahead + 4][column], u + start_3 + 4 * u_y);
		stencil_copy_commit();
		STENCIL_UNROLL
		for (int32_t s = 0; s < 4; s++) {
			const int32_t q = z - (s + 1);
			const stencil_vector<float, 4> u_beside_v = stencil_load<float,
				4>(&u_beside_s[s][slot_2][row_beside - 1][column]);
			STENCIL_UNROLL
			for (int e_6 = 0; e_6 < 4; e_6++)
				u_r[s][1][0][1 + e_6] = u_beside_v.at[e_6];
			const stencil_vector<float, 4> u_beside_v_2 = stencil_load<float,
				4>(&u_beside_s[s][slot_2][row_beside + 2][column]);
			STENCIL_UNROLL
			for (int e_7 = 0; e_7 < 4; e_7++)
				u_r[s][1][6][1 + e_7] = u_beside_v_2.at[e_7];
			stencil_vector<float, 4> u_beside_v_3;

			STENCIL_UNROLL
			for (int e_8 = 0; e_8 < 4; e_8++)
				u_beside_v_3.at[e_8] = u_r[s][2][1][1 + e_8];
			stencil_store(&u_beside_s[s][slot][row_beside][column], u_beside_v_3);
			stencil_vector<float, 4> u_beside_v_4;

			STENCIL_UNROLL
			for (int e_9 = 0; e_9 < 4; e_9++)
				u_beside_v_4.at[e_9] = u_r[s][2][5][1 + e_9];
			stencil_store(&u_beside_s[s][slot][row_beside + 1][column], u_beside_v_4);
			u_r[s][1][1][0] = stencil_shuffle(u_r[s][1][1][4], last_lane);
			u_r[s][1][1][5] = stencil_shuffle(u_r[s][1][1][1], next_lane);
			u_r[s][1][2][0] = stencil_shuffle(u_r[s][1][2][4], last_lane);
			u_r[s][1][2][5] = stencil_shuffle(u_r[s][1][2][1], next_lane);
			u_r[s][1][3][0] = stencil_shuffle(u_r[s][1][3][4], last_lane);
			u_r[s][1][3][5] = stencil_shuffle(u_r[s][1][3][1], next_lane);
			u_r[s][1][4][0] = stencil_shuffle(u_r[s][1][4][4], last_lane);
			u_r[s][1][4][5] = stencil_shuffle(u_r[s][1][4][1], next_lane);
			u_r[s][1][5][0] = stencil_shuffle(u_r[s][1][5][4], last_lane);
			u_r[s][1][5][5] = stencil_shuffle(u_r[s][1][5][1], next_lane);
			STENCIL_UNROLL
			for (int32_t j = 0; j < 5; j++) {
				STENCIL_UNROLL
				for (int32_t i = 0; i < 4; i++) {
#line 10 "../src/examples/j3d7pt.st"
					u_r[s + 1][2][j + 1][i + 1] = fmaf(0.102f, u_r[s][1][j + 1][i + 2], fmaf(0.098f, u_r[s][1][j + 1][i], fmaf(0.105f, u_r[s][1][j + 2][i + 1], fmaf(0.095f, u_r[s][1][j][i + 1], fmaf(0.11f, u_r[s][2][j + 1][i + 1], u_r[s][0][j + 1][i + 1])))));
#line 523 "j3d7pt.cu"
				}
			}
			if (edges || (z - 4 < region.lo[0] || z - 1 >= region.hi[0])) {
				if (z - 4 < region.lo[0] || z - 1 >= region.hi[0]) {
					if (q < region.lo[0] || q >= region.hi[0]) {
						STENCIL_UNROLL
						for (int32_t j_4 = 0; j_4 < 5; j_4++) {
							STENCIL_UNROLL
							for (int32_t i_4 = 0; i_4 < 4; i_4++) {
								u_r[s + 1][2][j_4 + 1][i_4 + 1] =
									u_r[s][1][j_4 + 1][i_4 + 1];
							}
						}
					}
				}
				if (edge) {
					STENCIL_UNROLL
					for (int32_t j_5 = 0; j_5 < 5; j_5++) {
						u_r[s + 1][2][j_5 + 1][1] = kept ?
							u_r[s][1][j_5 + 1][1] :
							u_r[s + 1][2][j_5 + 1][1];
					}
					STENCIL_UNROLL
					for (int32_t j_6 = 0; j_6 < 5; j_6++) {
						u_r[s + 1][2][j_6 + 1][4] = kept_2 ?
							u_r[s][1][j_6 + 1][4] :
							u_r[s + 1][2][j_6 + 1][4];
					}
					STENCIL_UNROLL
					for (int32_t j_7 = 0; j_7 < 5; j_7++) {
						u_r[s + 1][2][j_7 + 1][3] = kept_3 ?
							u_r[s][1][j_7 + 1][3] :
							u_r[s + 1][2][j_7 + 1][3];
					}
					STENCIL_UNROLL
					for (int32_t j_8 = 0; j_8 < 5; j_8++) {
						u_r[s + 1][2][j_8 + 1][2] = kept_4 ?
							u_r[s][1][j_8 + 1][2] :
							u_r[s + 1][2][j_8 + 1][2];
					}
					STENCIL_UNROLL
					for (int32_t j_9 = 0; j_9 < 5; j_9++) {
						u_r[s + 1][2][j_9 + 1][1] = kept_5 ?
							u_r[s][1][j_9 + 1][1] :
							u_r[s + 1][2][j_9 + 1][1];
					}
				}
				if (edge_2) {
					STENCIL_UNROLL
					for (int32_t i_5 = 0; i_5 < 4; i_5++) {
						u_r[s + 1][2][1][i_5 + 1] = kept_6 ?
							u_r[s][1][1][i_5 + 1] :
							u_r[s + 1][2][1][i_5 + 1];
					}
					STENCIL_UNROLL
					for (int32_t i_6 = 0; i_6 < 4; i_6++) {
						u_r[s + 1][2][5][i_6 + 1] = kept_7 ?
							u_r[s][1][5][i_6 + 1] :
							u_r[s + 1][2][5][i_6 + 1];
					}
				}
			}
			STENCIL_UNROLL
			for (int32_t j_2 = 0; j_2 < 5; j_2++) {
				STENCIL_UNROLL
				for (int32_t i_2 = 0; i_2 < 4; i_2++) {
#line 10 "../src/examples/j3d7pt.st"
					u_r[s][0][j_2 + 1][i_2 + 1] = fmaf(0.09f, u_r[s][1][j_2 + 1][i_2 + 1], 0.4f * u_r[s][2][j_2 + 1][i_2 + 1]);
#line 592 "j3d7pt.cu"
				}
			}
			STENCIL_UNROLL
			for (int32_t j_10 = 0; j_10 < 5; j_10++) {
				STENCIL_UNROLL
				for (int32_t i_7 = 0; i_7 < 4; i_7++) {
					u_r[s][1][j_10 + 1][i_7 + 1] = u_r[s][2][j_10 + 1][i_7 + 1];
				}
			}
		}
		const int32_t z_out = z - 4;
		if (z_out >= first) {
			const int64_t start_4 = (int64_t)(z_out - grid.origin[0]) * u_z + here;
			if (0 >= row_from && 0 < row_to) {
				stencil_vector<float, 4> u_v;

				STENCIL_UNROLL
				for (int e_10 = 0; e_10 < 4; e_10++)
					u_v.at[e_10] = u_r[4][2][1][1 + e_10];
				stencil_store_global(u_next + start_4, u_v);
			}
			if (1 >= row_from && 1 < row_to) {
				stencil_vector<float, 4> u_v_2;

				STENCIL_UNROLL
				for (int e_11 = 0; e_11 < 4; e_11++)
					u_v_2.at[e_11] = u_r[4][2][2][1 + e_11];
				stencil_store_global(u_next + start_4 + u_y, u_v_2);
			}
			if (2 >= row_from && 2 < row_to) {
				stencil_vector<float, 4> u_v_3;

				STENCIL_UNROLL
				for (int e_12 = 0; e_12 < 4; e_12++)
					u_v_3.at[e_12] = u_r[4][2][3][1 + e_12];
				stencil_store_global(u_next + start_4 + 2 * u_y, u_v_3);
			}
			if (3 >= row_from && 3 < row_to) {
				stencil_vector<float, 4> u_v_4;

				STENCIL_UNROLL
				for (int e_13 = 0; e_13 < 4; e_13++)
					u_v_4.at[e_13] = u_r[4][2][4][1 + e_13];
				stencil_store_global(u_next + start_4 + 3 * u_y, u_v_4);
			}
			if (4 >= row_from && 4 < row_to) {
				stencil_vector<float, 4> u_v_5;

				STENCIL_UNROLL
				for (int e_14 = 0; e_14 < 4; e_14++)
					u_v_5.at[e_14] = u_r[4][2][5][1 + e_14];
				stencil_store_global(u_next + start_4 + 4 * u_y, u_v_5);
			}
		}
		__syncthreads();
	}
	stencil_copy_wait<0>();
}

/* u at t+1; march, 32x4x1 threads */
static __global__ void __launch_bounds__(128)
j3d7pt_k0_u_x4(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_layout u_layout, const stencil_grid grid, const stencil_cells region)
{
	const int64_t u_y = u_layout.stride[1];
	const int64_t u_z = u_layout.stride[0];
	const int32_t x = cells.lo[2] + (int32_t)blockIdx.x * 128 + (int32_t)threadIdx.x * 4;
	const int32_t y = cells.lo[1] + (int32_t)blockIdx.y * 8 + (int32_t)threadIdx.y * 2;
	if (x >= cells.hi[2])
		return;
	if (y >= cells.hi[1])
		return;
	const int32_t z_first = cells.lo[0] + (int32_t)blockIdx.z * 4;
	if (z_first >= cells.hi[0])
		return;
	const int64_t u_row = (int64_t)(y - grid.origin[1]) * u_y;
	const int32_t y_p1 = y + 1;
	const int64_t u_row_p1 = (stencil_fold_clamp_hi(y_p1, grid.last[1]) - grid.origin[1]) * u_y;
	const int64_t u_column = (int64_t)(x - grid.origin[2]);
	const int32_t y_m1 = y - 1;
	const int64_t u_row_m1 = (stencil_fold_clamp_lo(y_m1, grid.first[1]) - grid.origin[1]) *
		u_y;
	const int32_t y_p2 = stencil_min_i32(y + 2, cells.hi[1]);
	const int64_t u_row_p2 = (stencil_fold_clamp_hi(y_p2, grid.last[1]) - grid.origin[1]) * u_y;
	const int32_t x_m1 = x - 1;
	const int64_t u_column_m1 = stencil_fold_clamp_lo(x_m1, grid.first[2]) - grid.origin[2];
	const int32_t x_p4 = x + 4;
	const int64_t u_column_p4 = stencil_fold_clamp_hi(x_p4, grid.last[2]) - grid.origin[2];

	float u_r[3][4][6];
	const int32_t z_m1 = z_first - 1;
	const int64_t u_plane_m1 = (stencil_fold_clamp_lo(z_m1, grid.first[0]) - grid.origin[0]) *
		u_z;
	const int64_t u_plane = (int64_t)(z_first - grid.origin[0]) * u_z;
	const stencil_vector<float, 4> u_v = stencil_load<float,
		4>(u + u_plane_m1 + u_row + u_column);
	STENCIL_UNROLL
	for (int e = 0; e < 4; e++)
		u_r[0][1][1 + e] = u_v.at[e];
	const stencil_vector<float, 4> u_v_2 = stencil_load<float,
		4>(u + u_plane_m1 + u_row_p1 + u_column);
	STENCIL_UNROLL
	for (int e_2 = 0; e_2 < 4; e_2++)
		u_r[0][2][1 + e_2] = u_v_2.at[e_2];
	const stencil_vector<float, 4> u_v_3 = stencil_load<float,
		4>(u + u_plane + u_row + u_column);
	STENCIL_UNROLL
	for (int e_3 = 0; e_3 < 4; e_3++)
		u_r[1][1][1 + e_3] = u_v_3.at[e_3];
	const stencil_vector<float, 4> u_v_4 = stencil_load<float,
		4>(u + u_plane + u_row_p1 + u_column);
	STENCIL_UNROLL
	for (int e_4 = 0; e_4 < 4; e_4++)
		u_r[1][2][1 + e_4] = u_v_4.at[e_4];
	const int32_t end = stencil_min_i32(z_first + 4, cells.hi[0]);
	for (int32_t z = z_first; z < end; z++) {
		const int32_t z_p1 = z + 1;
		const int64_t u_plane_p1 = (stencil_fold_clamp_hi(z_p1, grid.last[0]) -
			grid.origin[0]) * u_z;
		const int64_t u_plane_2 = (int64_t)(z - grid.origin[0]) * u_z;
		const stencil_vector<float, 4> u_v_5 = stencil_load<float,
			4>(u + u_plane_p1 + u_row + u_column);
		STENCIL_UNROLL
		for (int e_5 = 0; e_5 < 4; e_5++)
			u_r[2][1][1 + e_5] = u_v_5.at[e_5];
		const stencil_vector<float, 4> u_v_6 = stencil_load<float,
			4>(u + u_plane_p1 + u_row_p1 + u_column);
		STENCIL_UNROLL
		for (int e_6 = 0; e_6 < 4; e_6++)
			u_r[2][2][1 + e_6] = u_v_6.at[e_6];
		const stencil_vector<float, 4> u_v_7 = stencil_load<float,
			4>(u + u_plane_2 + u_row_m1 + u_column);
		STENCIL_UNROLL
		for (int e_7 = 0; e_7 < 4; e_7++)
			u_r[1][0][1 + e_7] = u_v_7.at[e_7];
		u_r[1][1][0] = u[u_plane_2 + u_row + u_column_m1];
		u_r[1][1][5] = u[u_plane_2 + u_row + u_column_p4];
		u_r[1][2][0] = u[u_plane_2 + u_row_p1 + u_column_m1];
		u_r[1][2][5] = u[u_plane_2 + u_row_p1 + u_column_p4];
		const stencil_vector<float, 4> u_v_8 = stencil_load<float,
			4>(u + u_plane_2 + u_row_p2 + u_column);
		STENCIL_UNROLL
		for (int e_8 = 0; e_8 < 4; e_8++)
			u_r[1][3][1 + e_8] = u_v_8.at[e_8];
		float u_new_r[2][4];
		const bool in_plane = z >= region.lo[0] && z < region.hi[0];
		STENCIL_UNROLL
		for (int32_t j = 0; j < 2; j++) {
			STENCIL_UNROLL
			for (int32_t i = 0; i < 4; i++) {
#line 10 "../src/examples/j3d7pt.st"
				u_new_r[j][i] = fmaf(0.102f, u_r[1][j + 1][i + 2], fmaf(0.098f, u_r[1][j + 1][i], fmaf(0.105f, u_r[1][j + 2][i + 1], fmaf(0.095f, u_r[1][j][i + 1], fmaf(0.11f, u_r[2][j + 1][i + 1], fmaf(0.09f, u_r[0][j + 1][i + 1], 0.4f * u_r[1][j + 1][i + 1]))))));
#line 745 "j3d7pt.cu"
				u_new_r[j][i] = in_plane && y + j >= region.lo[1] &&
					y + j < region.hi[1] && x + i >= region.lo[2] &&
					x + i < region.hi[2] ? u_new_r[j][i] : u_r[1][j + 1][i + 1];
			}
		}
		STENCIL_UNROLL
		for (int32_t j_2 = 0; j_2 < 2; j_2++) {
			if (y + j_2 < cells.hi[1]) {
				stencil_vector<float, 4> u_v_9;

				STENCIL_UNROLL
				for (int e_9 = 0; e_9 < 4; e_9++)
					u_v_9.at[e_9] = u_new_r[j_2][e_9];
				stencil_store_global(u_next + (int64_t)(z - grid.origin[0]) * u_z +
					(int64_t)(y + j_2 - grid.origin[1]) * u_y +
					(int64_t)(x - grid.origin[2]), u_v_9);
			}
		}
		STENCIL_UNROLL
		for (int32_t p = 0; p < 2; p++) {
			STENCIL_UNROLL
			for (int32_t j_3 = 0; j_3 < 4; j_3++) {
				STENCIL_UNROLL
				for (int32_t i_2 = 0; i_2 < 6; i_2++) {
					u_r[p][j_3][i_2] = u_r[p + 1][j_3][i_2];
				}
			}
		}
	}
}

/* u at t+1; march, 32x4x1 threads */
static __global__ void __launch_bounds__(128)
j3d7pt_k0_u(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_layout u_layout, const stencil_grid grid, const stencil_cells region)
{
	const int64_t u_y = u_layout.stride[1];
	const int64_t u_z = u_layout.stride[0];
	const int32_t lane = (int32_t)stencil_lane();
	const int32_t x = cells.lo[2] + (int32_t)blockIdx.x * 128 + (int32_t)threadIdx.x;
	const int32_t y = cells.lo[1] + (int32_t)blockIdx.y * 8 + (int32_t)threadIdx.y * 2;
	if (y >= cells.hi[1])
		return;
	const int32_t z_first = cells.lo[0] + (int32_t)blockIdx.z * 4;
	if (z_first >= cells.hi[0])
		return;
	const int64_t u_row = (int64_t)(y - grid.origin[1]) * u_y;
	const int32_t y_p1 = y + 1;
	const int64_t u_row_p1 = (stencil_fold_clamp_hi(y_p1, grid.last[1]) - grid.origin[1]) * u_y;
	const int32_t x0 = stencil_min_i32(x, cells.hi[2]);
	const int64_t u_column = stencil_fold_clamp_hi(x0, grid.last[2]) - grid.origin[2];
	const int32_t x1 = stencil_min_i32(x + 32, cells.hi[2]);
	const int64_t u_column_2 = stencil_fold_clamp_hi(x1, grid.last[2]) - grid.origin[2];
	const int32_t x2 = stencil_min_i32(x + 64, cells.hi[2]);
	const int64_t u_column_3 = stencil_fold_clamp_hi(x2, grid.last[2]) - grid.origin[2];
	const int32_t x3 = stencil_min_i32(x + 96, cells.hi[2]);
	const int64_t u_column_4 = stencil_fold_clamp_hi(x3, grid.last[2]) - grid.origin[2];
	const int32_t y_m1 = y - 1;
	const int64_t u_row_m1 = (stencil_fold_clamp_lo(y_m1, grid.first[1]) - grid.origin[1]) *
		u_y;
	const int32_t lane_m1 = (lane + 31) % 32;
	const bool leftmost = lane < 1;
	const int32_t x_m1 = x0 - 1;
	const int64_t u_column_m1 = stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_m1,
		grid.first[2]), grid.last[2]) - grid.origin[2];
	const int32_t lane_p1 = (lane + 1) % 32;
	const bool rightmost = lane >= 31;
	const int32_t x_p1 = x3 + 1;
	const int64_t u_column_p1 = stencil_fold_clamp_hi(x_p1, grid.last[2]) - grid.origin[2];
	const int32_t y_p2 = stencil_min_i32(y + 2, cells.hi[1]);
	const int64_t u_row_p2 = (stencil_fold_clamp_hi(y_p2, grid.last[1]) - grid.origin[1]) * u_y;

	float u_r[3][4][3][4];
	const int32_t z_m1 = z_first - 1;
	const int64_t u_plane_m1 = (stencil_fold_clamp_lo(z_m1, grid.first[0]) - grid.origin[0]) *
		u_z;
	const int64_t u_plane = (int64_t)(z_first - grid.origin[0]) * u_z;
	u_r[0][1][1][0] = u[u_plane_m1 + u_row + u_column];
	u_r[0][1][1][1] = u[u_plane_m1 + u_row + u_column_2];
	u_r[0][1][1][2] = u[u_plane_m1 + u_row + u_column_3];
	u_r[0][1][1][3] = u[u_plane_m1 + u_row + u_column_4];
	u_r[0][2][1][0] = u[u_plane_m1 + u_row_p1 + u_column];
	u_r[0][2][1][1] = u[u_plane_m1 + u_row_p1 + u_column_2];
	u_r[0][2][1][2] = u[u_plane_m1 + u_row_p1 + u_column_3];
	u_r[0][2][1][3] = u[u_plane_m1 + u_row_p1 + u_column_4];
	u_r[1][1][1][0] = u[u_plane + u_row + u_column];
	u_r[1][1][1][1] = u[u_plane + u_row + u_column_2];
	u_r[1][1][1][2] = u[u_plane + u_row + u_column_3];
	u_r[1][1][1][3] = u[u_plane + u_row + u_column_4];
	u_r[1][2][1][0] = u[u_plane + u_row_p1 + u_column];
	u_r[1][2][1][1] = u[u_plane + u_row_p1 + u_column_2];
	u_r[1][2][1][2] = u[u_plane + u_row_p1 + u_column_3];
	u_r[1][2][1][3] = u[u_plane + u_row_p1 + u_column_4];
	const int32_t end = stencil_min_i32(z_first + 4, cells.hi[0]);
	for (int32_t z = z_first; z < end; z++) {
		const int32_t z_p1 = z + 1;
		const int64_t u_plane_p1 = (stencil_fold_clamp_hi(z_p1, grid.last[0]) -
			grid.origin[0]) * u_z;
		const int64_t u_plane_2 = (int64_t)(z - grid.origin[0]) * u_z;
		if (leftmost) {
			u_r[1][1][0][0] = u[u_plane_2 + u_row + u_column_m1];
		}
		if (rightmost) {
			u_r[1][1][2][3] = u[u_plane_2 + u_row + u_column_p1];
		}
		if (leftmost) {
			u_r[1][2][0][0] = u[u_plane_2 + u_row_p1 + u_column_m1];
		}
		if (rightmost) {
			u_r[1][2][2][3] = u[u_plane_2 + u_row_p1 + u_column_p1];
		}
		u_r[2][1][1][0] = u[u_plane_p1 + u_row + u_column];
		u_r[2][1][1][1] = u[u_plane_p1 + u_row + u_column_2];
		u_r[2][1][1][2] = u[u_plane_p1 + u_row + u_column_3];
		u_r[2][1][1][3] = u[u_plane_p1 + u_row + u_column_4];
		u_r[2][2][1][0] = u[u_plane_p1 + u_row_p1 + u_column];
		u_r[2][2][1][1] = u[u_plane_p1 + u_row_p1 + u_column_2];
		u_r[2][2][1][2] = u[u_plane_p1 + u_row_p1 + u_column_3];
		u_r[2][2][1][3] = u[u_plane_p1 + u_row_p1 + u_column_4];
		u_r[1][0][1][0] = u[u_plane_2 + u_row_m1 + u_column];
		u_r[1][0][1][1] = u[u_plane_2 + u_row_m1 + u_column_2];
		u_r[1][0][1][2] = u[u_plane_2 + u_row_m1 + u_column_3];
		u_r[1][0][1][3] = u[u_plane_2 + u_row_m1 + u_column_4];
		u_r[1][3][1][0] = u[u_plane_2 + u_row_p2 + u_column];
		u_r[1][3][1][1] = u[u_plane_2 + u_row_p2 + u_column_2];
		u_r[1][3][1][2] = u[u_plane_2 + u_row_p2 + u_column_3];
		u_r[1][3][1][3] = u[u_plane_2 + u_row_p2 + u_column_4];
		const float beside = stencil_shuffle(u_r[1][1][1][0], lane_m1);
		u_r[1][1][0][0] = leftmost ? u_r[1][1][0][0] : beside;
		const float beside_2 = stencil_shuffle(u_r[1][1][1][1], lane_m1);
		u_r[1][1][0][1] = leftmost ? beside : beside_2;
		const float beside_3 = stencil_shuffle(u_r[1][1][1][2], lane_m1);
		u_r[1][1][0][2] = leftmost ? beside_2 : beside_3;
		const float beside_4 = stencil_shuffle(u_r[1][1][1][3], lane_m1);
		u_r[1][1][0][3] = leftmost ? beside_3 : beside_4;
		const float beside_5 = stencil_shuffle(u_r[1][1][1][0], lane_p1);
		const float beside_6 = stencil_shuffle(u_r[1][1][1][1], lane_p1);
		u_r[1][1][2][0] = rightmost ? beside_6 : beside_5;
		const float beside_7 = stencil_shuffle(u_r[1][1][1][2], lane_p1);
		u_r[1][1][2][1] = rightmost ? beside_7 : beside_6;
		const float beside_8 = stencil_shuffle(u_r[1][1][1][3], lane_p1);
		u_r[1][1][2][2] = rightmost ? beside_8 : beside_7;
		u_r[1][1][2][3] = rightmost ? u_r[1][1][2][3] : beside_8;
		const float beside_9 = stencil_shuffle(u_r[1][2][1][0], lane_m1);
		u_r[1][2][0][0] = leftmost ? u_r[1][2][0][0] : beside_9;
		const float beside_10 = stencil_shuffle(u_r[1][2][1][1], lane_m1);
		u_r[1][2][0][1] = leftmost ? beside_9 : beside_10;
		const float beside_11 = stencil_shuffle(u_r[1][2][1][2], lane_m1);
		u_r[1][2][0][2] = leftmost ? beside_10 : beside_11;
		const float beside_12 = stencil_shuffle(u_r[1][2][1][3], lane_m1);
		u_r[1][2][0][3] = leftmost ? beside_11 : beside_12;
		const float beside_13 = stencil_shuffle(u_r[1][2][1][0], lane_p1);
		const float beside_14 = stencil_shuffle(u_r[1][2][1][1], lane_p1);
		u_r[1][2][2][0] = rightmost ? beside_14 : beside_13;
		const float beside_15 = stencil_shuffle(u_r[1][2][1][2], lane_p1);
		u_r[1][2][2][1] = rightmost ? beside_15 : beside_14;
		const float beside_16 = stencil_shuffle(u_r[1][2][1][3], lane_p1);
		u_r[1][2][2][2] = rightmost ? beside_16 : beside_15;
		u_r[1][2][2][3] = rightmost ? u_r[1][2][2][3] : beside_16;
		float u_new_r[2][4];
		const bool in_plane = z >= region.lo[0] && z < region.hi[0];
		STENCIL_UNROLL
		for (int32_t j = 0; j < 2; j++) {
			STENCIL_UNROLL
			for (int32_t i = 0; i < 4; i++) {
#line 10 "../src/examples/j3d7pt.st"
				u_new_r[j][i] = fmaf(0.102f, u_r[1][j + 1][2][i], fmaf(0.098f, u_r[1][j + 1][0][i], fmaf(0.105f, u_r[1][j + 2][1][i], fmaf(0.095f, u_r[1][j][1][i], fmaf(0.11f, u_r[2][j + 1][1][i], fmaf(0.09f, u_r[0][j + 1][1][i], 0.4f * u_r[1][j + 1][1][i]))))));
#line 913 "j3d7pt.cu"
				u_new_r[j][i] = in_plane && y + j >= region.lo[1] &&
					y + j < region.hi[1] && x + i * 32 >= region.lo[2] &&
					x + i * 32 < region.hi[2] ? u_new_r[j][i] :
					u_r[1][j + 1][1][i];
			}
		}
		STENCIL_UNROLL
		for (int32_t j_2 = 0; j_2 < 2; j_2++) {
			STENCIL_UNROLL
			for (int32_t i_2 = 0; i_2 < 4; i_2++) {
				if (y + j_2 < cells.hi[1] && x + i_2 * 32 < cells.hi[2]) {
					u_next[(int64_t)(z - grid.origin[0]) * u_z +
						(int64_t)(y + j_2 - grid.origin[1]) * u_y +
						(int64_t)(x + i_2 * 32 - grid.origin[2])] =
						u_new_r[j_2][i_2];
				}
			}
		}
		STENCIL_UNROLL
		for (int32_t p = 0; p < 2; p++) {
			STENCIL_UNROLL
			for (int32_t j_3 = 0; j_3 < 4; j_3++) {
				STENCIL_UNROLL
				for (int32_t i_3 = 0; i_3 < 3; i_3++) {
					STENCIL_UNROLL
					for (int32_t c = 0; c < 4; c++) {
						u_r[p][j_3][i_3][c] = u_r[p + 1][j_3][i_3][c];
					}
				}
			}
		}
	}
}

stencil_status
j3d7pt(stencil_context *ctx, const j3d7pt_args *a)
{
	j3d7pt_call call, *const c = &call;
	void *memory;

	if (ctx == NULL)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "j3d7pt: no context");
	STENCIL_TRY(j3d7pt_prepare(ctx, a, c));

	const j3d7pt_call packed = call;
	const stencil_on_device device(ctx);

	STENCIL_TRY(device.status);

	int padded = a->steps >= 8 && j3d7pt_pad(c) > 0 &&
		stencil_room_for_rows(ctx, a->workspace, a->workspace_size, c->workspace, &memory);

	if (!padded) {
		call = packed;
		STENCIL_TRY(stencil_memory(ctx, "j3d7pt", a->workspace, a->workspace_size,
			c->workspace, &memory));
	}

	float *const u[2] = { padded ? (float *)stencil_at(memory, c->at_u_rows) : a->u,
		(float *)stencil_at(memory, c->at_u_next) };
	const stencil_cells u_cells = { { 0, 0, 0 },
		{ c->grid.extent[0], c->grid.extent[1], c->grid.extent[2] } };
	const stencil_cells u_region = {
		{ (int32_t)(stencil_max_i64(1, c->box.lo[0])),
		(int32_t)(stencil_max_i64(1, c->box.lo[1])),
		(int32_t)(stencil_max_i64(1, c->box.lo[2])) },
		{ (int32_t)(stencil_min_i64(c->box.hi[0], (int64_t)c->grid.extent[0] - 1)),
		(int32_t)(stencil_min_i64(c->box.hi[1], (int64_t)c->grid.extent[1] - 1)),
		(int32_t)(stencil_min_i64(c->box.hi[2], (int64_t)c->grid.extent[2] - 1)) } };
	const stencil_shape u_shape = { { 32, 4, 1 }, { 128, 8, 4 }, { 2, 1, 0 }, 0 };

	if (padded) {
		STENCIL_TRY(stencil_copy_rows(ctx, a->u, packed.u, u[0], c->u, c->grid, 4, 1));
	}

	stencil_shape tiled = { { 16, 16, 1 }, { 56, 72, 32 }, { 2, 1, 0 }, 131072 };
	int64_t step = 0;
	const stencil_cells whole = stencil_whole(u_cells, 2, 4);
	const int ragged = !stencil_row_fits(&c->grid, 2, 4);
	int fits = (padded || stencil_row_fits(&c->grid, 2, 4)) &&
		stencil_field_fits(u[stencil_slot(0, step, 2)], &c->u, 4) &&
		stencil_field_fits(u[stencil_slot(1, step, 2)], &c->u, 4) &&
		stencil_ends_fit(&u_region, &c->grid, 2, 1, 1) &&
		stencil_extent_of(&whole, 2) >= 64 &&
		stencil_ends_fit(&u_region, &c->grid, 1, 1, 1) &&
		stencil_extent_of(&whole, 1) >= 80;
	stencil_cells inner = whole;
	stencil_inset(&inner, 2, 0, 4);
	stencil_inset(&inner, 1, 4, 4);

	if (fits)
		STENCIL_TRY(stencil_fit_shared(ctx, "j3d7pt", &tiled, &fits));
	if (fits && ragged)
		STENCIL_TRY(stencil_fill_waves(ctx, "j3d7pt_k0_u_r4", &tiled, 8, &inner, j3d7pt_k0_u_r4));
	else if (fits)
		STENCIL_TRY(stencil_fill_waves(ctx, "j3d7pt_k0_u_t4", &tiled, 8, &inner, j3d7pt_k0_u_t4));

	for (int64_t done = 0; done < a->steps; step++) {
		if (fits && a->steps - done >= 4) {
			if (ragged) {
				STENCIL_TRY(stencil_launch(ctx, "j3d7pt_k0_u_r4", tiled, inner,
					j3d7pt_k0_u_r4, u[stencil_slot(0, step, 2)],
					u[stencil_slot(1, step, 2)], c->u,
					stencil_whole_grid(c->grid, 2, 4), u_region,
					(int32_t)tiled.span[2]));
			} else {
				STENCIL_TRY(stencil_launch(ctx, "j3d7pt_k0_u_t4", tiled, inner,
					j3d7pt_k0_u_t4, u[stencil_slot(0, step, 2)],
					u[stencil_slot(1, step, 2)], c->u, c->grid, u_region,
					(int32_t)tiled.span[2]));
			}
			done += 4;
		} else {
			if ((padded || stencil_row_fits(&c->grid, 2, 4)) &&
				stencil_field_fits(u[stencil_slot(0, step, 2)], &c->u, 4) &&
				stencil_field_fits(u[stencil_slot(1, step, 2)], &c->u, 4)) {
				STENCIL_TRY(stencil_launch(ctx, "j3d7pt_k0_u_x4", u_shape,
					stencil_whole(u_cells, 2, 4), j3d7pt_k0_u_x4,
					u[stencil_slot(0, step, 2)], u[stencil_slot(1, step, 2)],
					c->u, stencil_whole_grid(c->grid, 2, 4), u_region));
			} else {
				STENCIL_TRY(stencil_launch(ctx, "j3d7pt_k0_u", u_shape, u_cells,
					j3d7pt_k0_u, u[stencil_slot(0, step, 2)],
					u[stencil_slot(1, step, 2)], c->u, c->grid, u_region));
			}
			done++;
		}
	}
	if (padded) {
		STENCIL_TRY(stencil_copy_rows(ctx, u[stencil_slot(0, step, 2)], c->u, a->u,
			packed.u, c->grid, 1, 1));
	} else {
		STENCIL_TRY(stencil_settle(ctx, u, c->u, c->grid, 1, step, NULL));
	}
	return STENCIL_OK;
}
