/* Made from heat.st by stencilc, for CUDA.
 *
 *   nvcc -std=c++17 -fmad=false -Xcompiler=-ffp-contract=off -arch=sm_90
 *
 * It is planned for that architecture; others run it, too.
 */
#include "heat.h"

#include "stencil_kernel.h"

/* What a call of heat works on, worked out from its arguments. */
typedef struct {
	stencil_grid grid;
	stencil_box box;
	stencil_layout u;
	size_t at_u_next; /* in the workspace */
	size_t at_u_rows; /* in the workspace */
	size_t workspace; /* bytes of it */
} heat_call;

/* The sizes of the grids, of the fields and of the workspace. */
static stencil_status
heat_measure(stencil_context *ctx, const heat_args *a, heat_call *c)
{
	if (a == NULL)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "heat: no arguments");

	const char *const grid_names[] = { "ny", "nx" };
	const int64_t grid_extents[] = { a->ny, a->nx };

	STENCIL_TRY(stencil_measure_grid(ctx, "heat", &c->grid, 2, grid_names, grid_extents));
	STENCIL_TRY(stencil_lay_out(ctx, "heat", "u", &c->u, &c->grid, 3, 1, 0, a->u_pitch,
		sizeof(float)));
	c->workspace = 0;
	STENCIL_TRY(stencil_set_aside(ctx, "heat", c->u.bytes, &c->workspace, &c->at_u_next));
	return STENCIL_OK;
}

/* Gives C padded rows: the bytes of workspace that they take.  0: rows are whole
 * vectors as they are, or there is no such memory. */
static size_t
heat_pad(heat_call *c)
{
	if (stencil_row_fits(&c->grid, 1, 8) && stencil_layout_fits(&c->u, 8))
		return 0;
	if (!stencil_pad_rows(&c->u, &c->grid, 3, 1, 0, sizeof(float), 0))
		return 0;
	c->workspace = 0;
	if (stencil_set_aside(NULL, "heat", c->u.bytes, &c->workspace, &c->at_u_next) != STENCIL_OK)
		return 0;
	if (stencil_set_aside(NULL, "heat", c->u.bytes, &c->workspace, &c->at_u_rows) != STENCIL_OK)
		return 0;
	return c->workspace;
}

/* Everything that can be wrong with a call; nothing is written before. */
static stencil_status
heat_prepare(stencil_context *ctx, const heat_args *a, heat_call *c)
{
	STENCIL_TRY(heat_measure(ctx, a, c));

	const char *const axes[] = { "y", "x" };

	c->box = a->box;
	STENCIL_TRY(stencil_check_box(ctx, "heat", &c->box, &c->grid, 2, axes));
	STENCIL_TRY(stencil_check_steps(ctx, "heat", a->steps, 0));
	STENCIL_TRY(stencil_need(ctx, "heat", "u", "y", "wrap", c->grid.extent[0], 1, 1));

	const stencil_range ranges[] = {
		{ "u", a->u, c->u.bytes, sizeof(float), 1 },
		{ "workspace", a->workspace, a->workspace_size, 16, 1 },
	};

	STENCIL_TRY(stencil_check_ranges(ctx, "heat", ranges, 1 + (a->workspace != NULL)));
	return STENCIL_OK;
}

STENCIL_WEAK void
heat_args_init(heat_args *a)
{
	memset(a, 0, sizeof *a);
	a->k = 0.2f;
	a->warm = 1.0f;
}

size_t
heat_workspace(const heat_args *a)
{
	heat_call c = {};

	if (heat_measure(NULL, a, &c) != STENCIL_OK)
		return 0;

	const size_t packed = c.workspace, padded = heat_pad(&c);

	return padded > packed ? padded : packed;
}

/* u at t+1; strip, 32x4 threads */
static __global__ void __launch_bounds__(128)
heat_k0_u_t8(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_layout u_layout, const stencil_grid grid, const int32_t rows,
	const float warm, const float k)
{
	const int64_t u_y = u_layout.stride[0];
	const int32_t strip = cells.lo[1] + ((int32_t)blockIdx.x * 4 + (int32_t)threadIdx.y) * 240;
	if (strip >= cells.hi[1])
		return;
	const int32_t first = strip - 8;
	const int32_t x = first + (int32_t)stencil_lane() * 8;
	const int64_t column = stencil_fold_clamp_hi(stencil_fold_clamp_lo(x, grid.first[1]) + 3,
		grid.last[1]) - 3 - grid.origin[1];
	const int64_t column_2 = stencil_fold_clamp_hi(stencil_fold_clamp_lo(first +
		(int32_t)stencil_lane() * 4, grid.first[1]) + 3, grid.last[1]) - 3 - grid.origin[1];
	const int64_t column_3 = stencil_fold_clamp_hi(stencil_fold_clamp_lo(x + 4, grid.first[1]) +
		3, grid.last[1]) - 3 - grid.origin[1];
	const int64_t column_4 = stencil_fold_clamp_hi(stencil_fold_clamp_lo(first +
		((int32_t)stencil_lane() + 32) * 4, grid.first[1]) + 3, grid.last[1]) - 3 -
		grid.origin[1];
	const int32_t top = cells.lo[0] + (int32_t)blockIdx.y * rows;
	if (top >= cells.hi[0])
		return;
	const int32_t bottom = stencil_min_i32(top + rows, cells.hi[0]);
	const int32_t last_lane = ((int32_t)stencil_lane() + 31) % 32;
	const bool at_face = grid.first[1] >= x;
	const int32_t next_lane = ((int32_t)stencil_lane() + 1) % 32;
	const bool at_face_2 = x + 7 >= grid.last[1];
	const int32_t strip_end = stencil_min_i32(strip + 240, cells.hi[1]);
	const bool stores = (int32_t)stencil_lane() * 8 >= 8 && x < strip_end;
	const bool stores_2 = (int32_t)stencil_lane() * 8 + 4 >= 8 && x + 4 < strip_end;

	float u_r[9][3][10];
	STENCIL_UNROLL
	for (int32_t t_4 = 0; t_4 < 8; t_4++) {
		STENCIL_UNROLL
		for (int32_t r = 0; r < 3; r++) {
			STENCIL_UNROLL
			for (int32_t c = 0; c < 10; c++) {
				u_r[t_4][r][c] = 0;
			}
		}
	}
	float (*const ring_s)[8][256] = (float (*)[8][256])stencil_at(stencil_shared(), 0);
	const int32_t y_in = top - 8;
	const int64_t row = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][0][(int32_t)stencil_lane() * 4],
		u + row + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][0][((int32_t)stencil_lane() + 32) * 4],
		u + row + column_4);
	stencil_copy_commit();
	const int32_t y_in_2 = top - 7;
	const int64_t row_2 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_2, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][1][(int32_t)stencil_lane() * 4],
		u + row_2 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][1][((int32_t)stencil_lane() + 32) * 4],
		u + row_2 + column_4);
	stencil_copy_commit();
	const int32_t y_in_3 = top - 6;
	const int64_t row_3 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_3, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][2][(int32_t)stencil_lane() * 4],
		u + row_3 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][2][((int32_t)stencil_lane() + 32) * 4],
		u + row_3 + column_4);
	stencil_copy_commit();
	const int32_t y_in_4 = top - 5;
	const int64_t row_4 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_4, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][3][(int32_t)stencil_lane() * 4],
		u + row_4 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][3][((int32_t)stencil_lane() + 32) * 4],
		u + row_4 + column_4);
	stencil_copy_commit();
	const int32_t y_in_5 = top - 4;
	const int64_t row_5 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_5, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][4][(int32_t)stencil_lane() * 4],
		u + row_5 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][4][((int32_t)stencil_lane() + 32) * 4],
		u + row_5 + column_4);
	stencil_copy_commit();
	const int32_t y_in_6 = top - 3;
	const int64_t row_6 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_6, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][5][(int32_t)stencil_lane() * 4],
		u + row_6 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][5][((int32_t)stencil_lane() + 32) * 4],
		u + row_6 + column_4);
	stencil_copy_commit();
	const int32_t y_in_7 = top - 2;
	const int64_t row_7 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_7, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][6][(int32_t)stencil_lane() * 4],
		u + row_7 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][6][((int32_t)stencil_lane() + 32) * 4],
		u + row_7 + column_4);
	stencil_copy_commit();
	const int32_t inside_from = stencil_min_i32(top + 8, bottom + 8);
	const int32_t inside_to = stencil_max_i32(inside_from, bottom + 8);
	/* rows before those that all steps compute */
	for (int32_t y = top - 8; y < inside_from; y++) {
		/* a row comes */
		const int32_t number = y - (top - 8);
		stencil_copy_wait<6>();
		stencil_syncwarp();
		const int32_t slot = number % 8;
		const stencil_vector<float, 4> ring_v = stencil_load<float,
			4>(&ring_s[(int32_t)threadIdx.y][slot][(int32_t)stencil_lane() * 8]);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_r[0][2][1 + e] = ring_v.at[e];
		const stencil_vector<float, 4> ring_v_2 = stencil_load<float,
			4>(&ring_s[(int32_t)threadIdx.y][slot][(int32_t)stencil_lane() * 8 + 4]);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_r[0][2][5 + e] = ring_v_2.at[e];
		const int32_t y_in_8 = y + 7;
		const int64_t row_8 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_8, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
		const int32_t slot_2 = (number + 7) % 8;
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_2][(int32_t)stencil_lane() * 4],
			u + row_8 + column_2);
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_2][((int32_t)stencil_lane() +
			32) * 4], u + row_8 + column_4);
		stencil_copy_commit();
		/* each step makes one of its own */
		STENCIL_UNROLL
		for (int32_t t = 0; t < 8; t++) {
			u_r[t][1][0] = stencil_shuffle(u_r[t][1][8], last_lane);
			u_r[t][1][0] = at_face ? warm : u_r[t][1][0];
			u_r[t][1][9] = stencil_shuffle(u_r[t][1][1], next_lane);
			u_r[t][1][9] = at_face_2 ? u_r[t][1][8] : u_r[t][1][9];
			STENCIL_UNROLL
			for (int32_t i = 0; i < 8; i++) {
				const float u_c = u_r[t][1][i + 1];
				u_r[t + 1][2][i + 1] = fmaf(k,
					fmaf(-4.0f, u_c, u_r[t][0][i + 1] + u_r[t][2][i + 1] +
					u_r[t][1][i] + u_r[t][1][i + 2]), u_c);
			}
			STENCIL_UNROLL
			for (int32_t r_2 = 0; r_2 < 2; r_2++) {
				STENCIL_UNROLL
				for (int32_t c_2 = 0; c_2 < 8; c_2++) {
					u_r[t][r_2][c_2 + 1] = u_r[t][r_2 + 1][c_2 + 1];
				}
			}
		}
		/* the last one's is stored */
		const int32_t y_out = y - 8;
		if (y_out >= top) {
			const int64_t row_out = (int64_t)(y_out - grid.origin[0]) * u_y;
			if (stores) {
				stencil_vector<float, 4> u_v;

				STENCIL_UNROLL
				for (int e = 0; e < 4; e++)
					u_v.at[e] = u_r[8][2][1 + e];
				stencil_store_global(u_next + row_out + column, u_v);
			}
			if (stores_2) {
				stencil_vector<float, 4> u_v_2;

				STENCIL_UNROLL
				for (int e = 0; e < 4; e++)
					u_v_2.at[e] = u_r[8][2][5 + e];
				stencil_store_global(u_next + row_out + column_3, u_v_2);
			}
		}
		/* all rows move on */
	}
	/* these: nothing need be asked */
	STENCIL_UNROLL_BY(3)
	for (int32_t y_2 = inside_from; y_2 < inside_to; y_2++) {
		/* a row comes */
		const int32_t number_2 = y_2 - (top - 8);
		stencil_copy_wait<6>();
		stencil_syncwarp();
		const int32_t slot_3 = number_2 % 8;
		const stencil_vector<float, 4> ring_v_3 = stencil_load<float,
			4>(&ring_s[(int32_t)threadIdx.y][slot_3][(int32_t)stencil_lane() * 8]);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_r[0][2][1 + e] = ring_v_3.at[e];
		const stencil_vector<float, 4> ring_v_4 = stencil_load<float,
			4>(&ring_s[(int32_t)threadIdx.y][slot_3][(int32_t)stencil_lane() * 8 + 4]);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_r[0][2][5 + e] = ring_v_4.at[e];
		const int32_t y_in_9 = y_2 + 7;
		const int64_t row_9 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_9, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
		const int32_t slot_4 = (number_2 + 7) % 8;
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_4][(int32_t)stencil_lane() * 4],
			u + row_9 + column_2);
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_4][((int32_t)stencil_lane() +
			32) * 4], u + row_9 + column_4);
		stencil_copy_commit();
		/* each step makes one of its own */
		STENCIL_UNROLL
		for (int32_t t_2 = 0; t_2 < 8; t_2++) {
			u_r[t_2][1][0] = stencil_shuffle(u_r[t_2][1][8], last_lane);
			u_r[t_2][1][0] = at_face ? warm : u_r[t_2][1][0];
			u_r[t_2][1][9] = stencil_shuffle(u_r[t_2][1][1], next_lane);
			u_r[t_2][1][9] = at_face_2 ? u_r[t_2][1][8] : u_r[t_2][1][9];
			STENCIL_UNROLL
			for (int32_t i_2 = 0; i_2 < 8; i_2++) {
				const float u_c_2 = u_r[t_2][1][i_2 + 1];
				u_r[t_2 + 1][2][i_2 + 1] =
					fmaf(k, fmaf(-4.0f, u_c_2,
					u_r[t_2][0][i_2 + 1] + u_r[t_2][2][i_2 + 1] +
					u_r[t_2][1][i_2] + u_r[t_2][1][i_2 + 2]), u_c_2);
			}
			STENCIL_UNROLL
			for (int32_t r_3 = 0; r_3 < 2; r_3++) {
				STENCIL_UNROLL
				for (int32_t c_3 = 0; c_3 < 8; c_3++) {
					u_r[t_2][r_3][c_3 + 1] = u_r[t_2][r_3 + 1][c_3 + 1];
				}
			}
		}
		/* the last one's is stored */
		const int32_t y_out_2 = y_2 - 8;
		const int64_t row_out_2 = (int64_t)(y_out_2 - grid.origin[0]) * u_y;
		if (stores) {
			stencil_vector<float, 4> u_v_3;

			STENCIL_UNROLL
			for (int e = 0; e < 4; e++)
				u_v_3.at[e] = u_r[8][2][1 + e];
			stencil_store_global(u_next + row_out_2 + column, u_v_3);
		}
		if (stores_2) {
			stencil_vector<float, 4> u_v_4;

			STENCIL_UNROLL
			for (int e = 0; e < 4; e++)
				u_v_4.at[e] = u_r[8][2][5 + e];
			stencil_store_global(u_next + row_out_2 + column_3, u_v_4);
		}
		/* all rows move on */
	}
	/* rows behind them */
	for (int32_t y_3 = inside_to; y_3 < bottom + 8; y_3++) {
		/* a row comes */
		const int32_t number_3 = y_3 - (top - 8);
		stencil_copy_wait<6>();
		stencil_syncwarp();
		const int32_t slot_5 = number_3 % 8;
		const stencil_vector<float, 4> ring_v_5 = stencil_load<float,
			4>(&ring_s[(int32_t)threadIdx.y][slot_5][(int32_t)stencil_lane() * 8]);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_r[0][2][1 + e] = ring_v_5.at[e];
		const stencil_vector<float, 4> ring_v_6 = stencil_load<float,
			4>(&ring_s[(int32_t)threadIdx.y][slot_5][(int32_t)stencil_lane() * 8 + 4]);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_r[0][2][5 + e] = ring_v_6.at[e];
		const int32_t y_in_10 = y_3 + 7;
		const int64_t row_10 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_10, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
		const int32_t slot_6 = (number_3 + 7) % 8;
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_6][(int32_t)stencil_lane() * 4],
			u + row_10 + column_2);
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_6][((int32_t)stencil_lane() +
			32) * 4], u + row_10 + column_4);
		stencil_copy_commit();
		/* each step makes one of its own */
		STENCIL_UNROLL
		for (int32_t t_3 = 0; t_3 < 8; t_3++) {
			u_r[t_3][1][0] = stencil_shuffle(u_r[t_3][1][8], last_lane);
			u_r[t_3][1][0] = at_face ? warm : u_r[t_3][1][0];
			u_r[t_3][1][9] = stencil_shuffle(u_r[t_3][1][1], next_lane);
			u_r[t_3][1][9] = at_face_2 ? u_r[t_3][1][8] : u_r[t_3][1][9];
			STENCIL_UNROLL
			for (int32_t i_3 = 0; i_3 < 8; i_3++) {
				const float u_c_3 = u_r[t_3][1][i_3 + 1];
				u_r[t_3 + 1][2][i_3 + 1] =
					fmaf(k, fmaf(-4.0f, u_c_3,
					u_r[t_3][0][i_3 + 1] + u_r[t_3][2][i_3 + 1] +
					u_r[t_3][1][i_3] + u_r[t_3][1][i_3 + 2]), u_c_3);
			}
			STENCIL_UNROLL
			for (int32_t r_4 = 0; r_4 < 2; r_4++) {
				STENCIL_UNROLL
				for (int32_t c_4 = 0; c_4 < 8; c_4++) {
					u_r[t_3][r_4][c_4 + 1] = u_r[t_3][r_4 + 1][c_4 + 1];
				}
			}
		}
		/* the last one's is stored */
		const int32_t y_out_3 = y_3 - 8;
		if (y_out_3 >= top) {
			const int64_t row_out_3 = (int64_t)(y_out_3 - grid.origin[0]) * u_y;
			if (stores) {
				stencil_vector<float, 4> u_v_5;

				STENCIL_UNROLL
				for (int e = 0; e < 4; e++)
					u_v_5.at[e] = u_r[8][2][1 + e];
				stencil_store_global(u_next + row_out_3 + column, u_v_5);
			}
			if (stores_2) {
				stencil_vector<float, 4> u_v_6;

				STENCIL_UNROLL
				for (int e = 0; e < 4; e++)
					u_v_6.at[e] = u_r[8][2][5 + e];
				stencil_store_global(u_next + row_out_3 + column_3, u_v_6);
			}
		}
		/* all rows move on */
	}
	stencil_copy_wait<0>();
}

/* u at t+1; strip, 32x4 threads */
static __global__ void __launch_bounds__(128)
heat_k0_u_r8(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_layout u_layout, const stencil_grid grid, const int32_t rows,
	const float warm, const float k)
{
	const int64_t u_y = u_layout.stride[0];
	const int32_t strip = cells.lo[1] + ((int32_t)blockIdx.x * 4 + (int32_t)threadIdx.y) * 240;
	if (strip >= cells.hi[1])
		return;
	const int32_t first = strip - 8;
	const int32_t left = first + 256 - (grid.last[1] + 1);
	const int32_t back = stencil_max_i32(left, 0) % 8;
	const int32_t x = first + (int32_t)stencil_lane() * 8 - back;
	const int32_t row_end = (grid.last[1] + 8) / 8 * 8;
	const int64_t column = stencil_min_i64(stencil_fold_clamp_lo(first +
		(int32_t)stencil_lane() * 8, grid.first[1]), row_end - 4) - grid.origin[1];
	const int64_t column_2 = stencil_min_i64(stencil_fold_clamp_lo(first +
		(int32_t)stencil_lane() * 4, grid.first[1]), row_end - 4) - grid.origin[1];
	const int64_t column_3 = stencil_min_i64(stencil_fold_clamp_lo(first +
		(int32_t)stencil_lane() * 8 + 4, grid.first[1]), row_end - 4) - grid.origin[1];
	const int64_t column_4 = stencil_min_i64(stencil_fold_clamp_lo(first +
		((int32_t)stencil_lane() + 32) * 4, grid.first[1]), row_end - 4) - grid.origin[1];
	const int32_t top = cells.lo[0] + (int32_t)blockIdx.y * rows;
	if (top >= cells.hi[0])
		return;
	const int32_t bottom = stencil_min_i32(top + rows, cells.hi[0]);
	const bool lies_across = 0 < back;
	const int32_t last_lane = ((int32_t)stencil_lane() + 31) % 32;
	const bool at_face = grid.first[1] >= x;
	const int32_t next_lane = ((int32_t)stencil_lane() + 1) % 32;
	const bool at_face_2 = x + 7 >= grid.last[1];
	const int32_t strip_end = stencil_min_i32(strip + 240, cells.hi[1]);
	const int32_t row_stop = stencil_min_i32(strip_end, grid.last[1] + 1);
	const bool stores = (int32_t)stencil_lane() * 8 >= 8 && x < strip_end;
	const bool stores_2 = (int32_t)stencil_lane() * 8 + 4 >= 8 && x + 4 < strip_end;

	float u_r[9][3][10];
	STENCIL_UNROLL
	for (int32_t t_4 = 0; t_4 < 8; t_4++) {
		STENCIL_UNROLL
		for (int32_t r = 0; r < 3; r++) {
			STENCIL_UNROLL
			for (int32_t c = 0; c < 10; c++) {
				u_r[t_4][r][c] = 0;
			}
		}
	}
	float (*const ring_s)[8][256] = (float (*)[8][256])stencil_at(stencil_shared(), 0);
	const int32_t y_in = top - 8;
	const int64_t row = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][0][(int32_t)stencil_lane() * 4],
		u + row + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][0][((int32_t)stencil_lane() + 32) * 4],
		u + row + column_4);
	stencil_copy_commit();
	const int32_t y_in_2 = top - 7;
	const int64_t row_2 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_2, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][1][(int32_t)stencil_lane() * 4],
		u + row_2 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][1][((int32_t)stencil_lane() + 32) * 4],
		u + row_2 + column_4);
	stencil_copy_commit();
	const int32_t y_in_3 = top - 6;
	const int64_t row_3 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_3, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][2][(int32_t)stencil_lane() * 4],
		u + row_3 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][2][((int32_t)stencil_lane() + 32) * 4],
		u + row_3 + column_4);
	stencil_copy_commit();
	const int32_t y_in_4 = top - 5;
	const int64_t row_4 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_4, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][3][(int32_t)stencil_lane() * 4],
		u + row_4 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][3][((int32_t)stencil_lane() + 32) * 4],
		u + row_4 + column_4);
	stencil_copy_commit();
	const int32_t y_in_5 = top - 4;
	const int64_t row_5 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_5, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][4][(int32_t)stencil_lane() * 4],
		u + row_5 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][4][((int32_t)stencil_lane() + 32) * 4],
		u + row_5 + column_4);
	stencil_copy_commit();
	const int32_t y_in_6 = top - 3;
	const int64_t row_6 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_6, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][5][(int32_t)stencil_lane() * 4],
		u + row_6 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][5][((int32_t)stencil_lane() + 32) * 4],
		u + row_6 + column_4);
	stencil_copy_commit();
	const int32_t y_in_7 = top - 2;
	const int64_t row_7 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_7, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][6][(int32_t)stencil_lane() * 4],
		u + row_7 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][6][((int32_t)stencil_lane() + 32) * 4],
		u + row_7 + column_4);
	stencil_copy_commit();
	const int32_t inside_from = stencil_min_i32(top + 8, bottom + 8);
	const int32_t inside_to = stencil_max_i32(inside_from, bottom + 8);
	/* rows before those that all steps compute */
	for (int32_t y = top - 8; y < inside_from; y++) {
		/* a row comes */
		const int32_t number = y - (top - 8);
		stencil_copy_wait<6>();
		stencil_syncwarp();
		if (lies_across) {
			const int32_t slot = number % 8;
			u_r[0][2][1] = ring_s[(int32_t)threadIdx.y][slot][stencil_max_i32((int32_t)stencil_lane() * 8 - back, 0)];
			u_r[0][2][2] = ring_s[(int32_t)threadIdx.y][slot][stencil_max_i32((int32_t)stencil_lane() * 8 + 1 - back, 0)];
			u_r[0][2][3] = ring_s[(int32_t)threadIdx.y][slot][stencil_max_i32((int32_t)stencil_lane() * 8 + 2 - back, 0)];
			u_r[0][2][4] = ring_s[(int32_t)threadIdx.y][slot][stencil_max_i32((int32_t)stencil_lane() * 8 + 3 - back, 0)];
			u_r[0][2][5] = ring_s[(int32_t)threadIdx.y][slot][stencil_max_i32((int32_t)stencil_lane() * 8 + 4 - back, 0)];
			u_r[0][2][6] = ring_s[(int32_t)threadIdx.y][slot][stencil_max_i32((int32_t)stencil_lane() * 8 + 5 - back, 0)];
			u_r[0][2][7] = ring_s[(int32_t)threadIdx.y][slot][stencil_max_i32((int32_t)stencil_lane() * 8 + 6 - back, 0)];
			u_r[0][2][8] = ring_s[(int32_t)threadIdx.y][slot][stencil_max_i32((int32_t)stencil_lane() * 8 + 7 - back, 0)];
		} else {
			const int32_t slot_2 = number % 8;
			const stencil_vector<float, 4> ring_v = stencil_load<float,
				4>(&ring_s[(int32_t)threadIdx.y][slot_2][(int32_t)stencil_lane() *
				8]);
			STENCIL_UNROLL
			for (int e = 0; e < 4; e++)
				u_r[0][2][1 + e] = ring_v.at[e];
			const stencil_vector<float, 4> ring_v_2 = stencil_load<float,
				4>(&ring_s[(int32_t)threadIdx.y][slot_2][(int32_t)stencil_lane() *
				8 + 4]);
			STENCIL_UNROLL
			for (int e = 0; e < 4; e++)
				u_r[0][2][5 + e] = ring_v_2.at[e];
		}
		const int32_t y_in_8 = y + 7;
		const int64_t row_8 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_8, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
		const int32_t slot_3 = (number + 7) % 8;
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_3][(int32_t)stencil_lane() * 4],
			u + row_8 + column_2);
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_3][((int32_t)stencil_lane() +
			32) * 4], u + row_8 + column_4);
		stencil_copy_commit();
		/* each step makes one of its own */
		STENCIL_UNROLL
		for (int32_t t = 0; t < 8; t++) {
			u_r[t][1][0] = stencil_shuffle(u_r[t][1][8], last_lane);
			u_r[t][1][0] = at_face ? warm : u_r[t][1][0];
			u_r[t][1][9] = stencil_shuffle(u_r[t][1][1], next_lane);
			u_r[t][1][9] = at_face_2 ? u_r[t][1][8] : u_r[t][1][9];
			STENCIL_UNROLL
			for (int32_t i = 0; i < 8; i++) {
				const float u_c = u_r[t][1][i + 1];
				u_r[t + 1][2][i + 1] = fmaf(k,
					fmaf(-4.0f, u_c, u_r[t][0][i + 1] + u_r[t][2][i + 1] +
					u_r[t][1][i] + u_r[t][1][i + 2]), u_c);
			}
			STENCIL_UNROLL
			for (int32_t r_2 = 0; r_2 < 2; r_2++) {
				STENCIL_UNROLL
				for (int32_t c_2 = 0; c_2 < 8; c_2++) {
					u_r[t][r_2][c_2 + 1] = u_r[t][r_2 + 1][c_2 + 1];
				}
			}
		}
		/* the last one's is stored */
		const int32_t y_out = y - 8;
		if (y_out >= top) {
			const int64_t row_out = (int64_t)(y_out - grid.origin[0]) * u_y;
			if (lies_across) {
				if (x >= strip && x < row_stop) {
					u_next[row_out + (column - back)] = u_r[8][2][1];
				}
				if (x + 1 >= strip && x + 1 < row_stop) {
					u_next[row_out + (column - back + 1)] = u_r[8][2][2];
				}
				if (x + 2 >= strip && x + 2 < row_stop) {
					u_next[row_out + (column - back + 2)] = u_r[8][2][3];
				}
				if (x + 3 >= strip && x + 3 < row_stop) {
					u_next[row_out + (column - back + 3)] = u_r[8][2][4];
				}
				if (x + 4 >= strip && x + 4 < row_stop) {
					u_next[row_out + (column_3 - back)] = u_r[8][2][5];
				}
				if (x + 5 >= strip && x + 5 < row_stop) {
					u_next[row_out + (column_3 - back + 1)] = u_r[8][2][6];
				}
				if (x + 6 >= strip && x + 6 < row_stop) {
					u_next[row_out + (column_3 - back + 2)] = u_r[8][2][7];
				}
				if (x + 7 >= strip && x + 7 < row_stop) {
					u_next[row_out + (column_3 - back + 3)] = u_r[8][2][8];
				}
			} else {
				if (stores) {
					stencil_vector<float, 4> u_v;

					STENCIL_UNROLL
					for (int e = 0; e < 4; e++)
						u_v.at[e] = u_r[8][2][1 + e];
					stencil_store_global(u_next + row_out + column, u_v);
				}
				if (stores_2) {
					stencil_vector<float, 4> u_v_2;

					STENCIL_UNROLL
					for (int e = 0; e < 4; e++)
						u_v_2.at[e] = u_r[8][2][5 + e];
					stencil_store_global(u_next + row_out + column_3, u_v_2);
				}
			}
		}
		/* all rows move on */
	}
	/* these: nothing need be asked */
	STENCIL_UNROLL_BY(3)
	for (int32_t y_2 = inside_from; y_2 < inside_to; y_2++) {
		/* a row comes */
		const int32_t number_2 = y_2 - (top - 8);
		stencil_copy_wait<6>();
		stencil_syncwarp();
		if (lies_across) {
			const int32_t slot_4 = number_2 % 8;
			u_r[0][2][1] = ring_s[(int32_t)threadIdx.y][slot_4][stencil_max_i32((int32_t)stencil_lane() * 8 - back, 0)];
			u_r[0][2][2] = ring_s[(int32_t)threadIdx.y][slot_4][stencil_max_i32((int32_t)stencil_lane() * 8 + 1 - back, 0)];
			u_r[0][2][3] = ring_s[(int32_t)threadIdx.y][slot_4][stencil_max_i32((int32_t)stencil_lane() * 8 + 2 - back, 0)];
			u_r[0][2][4] = ring_s[(int32_t)threadIdx.y][slot_4][stencil_max_i32((int32_t)stencil_lane() * 8 + 3 - back, 0)];
			u_r[0][2][5] = ring_s[(int32_t)threadIdx.y][slot_4][stencil_max_i32((int32_t)stencil_lane() * 8 + 4 - back, 0)];
			u_r[0][2][6] = ring_s[(int32_t)threadIdx.y][slot_4][stencil_max_i32((int32_t)stencil_lane() * 8 + 5 - back, 0)];
			u_r[0][2][7] = ring_s[(int32_t)threadIdx.y][slot_4][stencil_max_i32((int32_t)stencil_lane() * 8 + 6 - back, 0)];
			u_r[0][2][8] = ring_s[(int32_t)threadIdx.y][slot_4][stencil_max_i32((int32_t)stencil_lane() * 8 + 7 - back, 0)];
		} else {
			const int32_t slot_5 = number_2 % 8;
			const stencil_vector<float, 4> ring_v_3 = stencil_load<float,
				4>(&ring_s[(int32_t)threadIdx.y][slot_5][(int32_t)stencil_lane() *
				8]);
			STENCIL_UNROLL
			for (int e = 0; e < 4; e++)
				u_r[0][2][1 + e] = ring_v_3.at[e];
			const stencil_vector<float, 4> ring_v_4 = stencil_load<float,
				4>(&ring_s[(int32_t)threadIdx.y][slot_5][(int32_t)stencil_lane() *
				8 + 4]);
			STENCIL_UNROLL
			for (int e = 0; e < 4; e++)
				u_r[0][2][5 + e] = ring_v_4.at[e];
		}
		const int32_t y_in_9 = y_2 + 7;
		const int64_t row_9 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_9, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
		const int32_t slot_6 = (number_2 + 7) % 8;
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_6][(int32_t)stencil_lane() * 4],
			u + row_9 + column_2);
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_6][((int32_t)stencil_lane() +
			32) * 4], u + row_9 + column_4);
		stencil_copy_commit();
		/* each step makes one of its own */
		STENCIL_UNROLL
		for (int32_t t_2 = 0; t_2 < 8; t_2++) {
			u_r[t_2][1][0] = stencil_shuffle(u_r[t_2][1][8], last_lane);
			u_r[t_2][1][0] = at_face ? warm : u_r[t_2][1][0];
			u_r[t_2][1][9] = stencil_shuffle(u_r[t_2][1][1], next_lane);
			u_r[t_2][1][9] = at_face_2 ? u_r[t_2][1][8] : u_r[t_2][1][9];
			STENCIL_UNROLL
			for (int32_t i_2 = 0; i_2 < 8; i_2++) {
				const float u_c_2 = u_r[t_2][1][i_2 + 1];
				u_r[t_2 + 1][2][i_2 + 1] =
					fmaf(k, fmaf(-4.0f, u_c_2,
					u_r[t_2][0][i_2 + 1] + u_r[t_2][2][i_2 + 1] +
					u_r[t_2][1][i_2] + u_r[t_2][1][i_2 + 2]), u_c_2);
			}
			STENCIL_UNROLL
			for (int32_t r_3 = 0; r_3 < 2; r_3++) {
				STENCIL_UNROLL
				for (int32_t c_3 = 0; c_3 < 8; c_3++) {
					u_r[t_2][r_3][c_3 + 1] = u_r[t_2][r_3 + 1][c_3 + 1];
				}
			}
		}
		/* the last one's is stored */
		const int32_t y_out_2 = y_2 - 8;
		const int64_t row_out_2 = (int64_t)(y_out_2 - grid.origin[0]) * u_y;
		if (lies_across) {
			if (x >= strip && x < row_stop) {
				u_next[row_out_2 + (column - back)] = u_r[8][2][1];
			}
			if (x + 1 >= strip && x + 1 < row_stop) {
				u_next[row_out_2 + (column - back + 1)] = u_r[8][2][2];
			}
			if (x + 2 >= strip && x + 2 < row_stop) {
				u_next[row_out_2 + (column - back + 2)] = u_r[8][2][3];
			}
			if (x + 3 >= strip && x + 3 < row_stop) {
				u_next[row_out_2 + (column - back + 3)] = u_r[8][2][4];
			}
			if (x + 4 >= strip && x + 4 < row_stop) {
				u_next[row_out_2 + (column_3 - back)] = u_r[8][2][5];
			}
			if (x + 5 >= strip && x + 5 < row_stop) {
				u_next[row_out_2 + (column_3 - back + 1)] = u_r[8][2][6];
			}
			if (x + 6 >= strip && x + 6 < row_stop) {
				u_next[row_out_2 + (column_3 - back + 2)] = u_r[8][2][7];
			}
			if (x + 7 >= strip && x + 7 < row_stop) {
				u_next[row_out_2 + (column_3 - back + 3)] = u_r[8][2][8];
			}
		} else {
			if (stores) {
				stencil_vector<float, 4> u_v_3;

				STENCIL_UNROLL
				for (int e = 0; e < 4; e++)
					u_v_3.at[e] = u_r[8][2][1 + e];
				stencil_store_global(u_next + row_out_2 + column, u_v_3);
			}
			if (stores_2) {
				stencil_vector<float, 4> u_v_4;

				STENCIL_UNROLL
				for (int e = 0; e < 4; e++)
					u_v_4.at[e] = u_r[8][2][5 + e];
				stencil_store_global(u_next + row_out_2 + column_3, u_v_4);
			}
		}
		/* all rows move on */
	}
	/* rows behind them */
	for (int32_t y_3 = inside_to; y_3 < bottom + 8; y_3++) {
		/* a row comes */
		const int32_t number_3 = y_3 - (top - 8);
		stencil_copy_wait<6>();
		stencil_syncwarp();
		if (lies_across) {
			const int32_t slot_7 = number_3 % 8;
			u_r[0][2][1] = ring_s[(int32_t)threadIdx.y][slot_7][stencil_max_i32((int32_t)stencil_lane() * 8 - back, 0)];
			u_r[0][2][2] = ring_s[(int32_t)threadIdx.y][slot_7][stencil_max_i32((int32_t)stencil_lane() * 8 + 1 - back, 0)];
			u_r[0][2][3] = ring_s[(int32_t)threadIdx.y][slot_7][stencil_max_i32((int32_t)stencil_lane() * 8 + 2 - back, 0)];
			u_r[0][2][4] = ring_s[(int32_t)threadIdx.y][slot_7][stencil_max_i32((int32_t)stencil_lane() * 8 + 3 - back, 0)];
			u_r[0][2][5] = ring_s[(int32_t)threadIdx.y][slot_7][stencil_max_i32((int32_t)stencil_lane() * 8 + 4 - back, 0)];
			u_r[0][2][6] = ring_s[(int32_t)threadIdx.y][slot_7][stencil_max_i32((int32_t)stencil_lane() * 8 + 5 - back, 0)];
			u_r[0][2][7] = ring_s[(int32_t)threadIdx.y][slot_7][stencil_max_i32((int32_t)stencil_lane() * 8 + 6 - back, 0)];
			u_r[0][2][8] = ring_s[(int32_t)threadIdx.y][slot_7][stencil_max_i32((int32_t)stencil_lane() * 8 + 7 - back, 0)];
		} else {
			const int32_t slot_8 = number_3 % 8;
			const stencil_vector<float, 4> ring_v_5 = stencil_load<float,
				4>(&ring_s[(int32_t)threadIdx.y][slot_8][(int32_t)stencil_lane() *
				8]);
			STENCIL_UNROLL
			for (int e = 0; e < 4; e++)
				u_r[0][2][1 + e] = ring_v_5.at[e];
			const stencil_vector<float, 4> ring_v_6 = stencil_load<float,
				4>(&ring_s[(int32_t)threadIdx.y][slot_8][(int32_t)stencil_lane() *
				8 + 4]);
			STENCIL_UNROLL
			for (int e = 0; e < 4; e++)
				u_r[0][2][5 + e] = ring_v_6.at[e];
		}
		const int32_t y_in_10 = y_3 + 7;
		const int64_t row_10 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_10, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
		const int32_t slot_9 = (number_3 + 7) % 8;
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_9][(int32_t)stencil_lane() * 4],
			u + row_10 + column_2);
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_9][((int32_t)stencil_lane() +
			32) * 4], u + row_10 + column_4);
		stencil_copy_commit();
		/* each step makes one of its own */
		STENCIL_UNROLL
		for (int32_t t_3 = 0; t_3 < 8; t_3++) {
			u_r[t_3][1][0] = stencil_shuffle(u_r[t_3][1][8], last_lane);
			u_r[t_3][1][0] = at_face ? warm : u_r[t_3][1][0];
			u_r[t_3][1][9] = stencil_shuffle(u_r[t_3][1][1], next_lane);
			u_r[t_3][1][9] = at_face_2 ? u_r[t_3][1][8] : u_r[t_3][1][9];
			STENCIL_UNROLL
			for (int32_t i_3 = 0; i_3 < 8; i_3++) {
				const float u_c_3 = u_r[t_3][1][i_3 + 1];
				u_r[t_3 + 1][2][i_3 + 1] =
					fmaf(k, fmaf(-4.0f, u_c_3,
					u_r[t_3][0][i_3 + 1] + u_r[t_3][2][i_3 + 1] +
					u_r[t_3][1][i_3] + u_r[t_3][1][i_3 + 2]), u_c_3);
			}
			STENCIL_UNROLL
			for (int32_t r_4 = 0; r_4 < 2; r_4++) {
				STENCIL_UNROLL
				for (int32_t c_4 = 0; c_4 < 8; c_4++) {
					u_r[t_3][r_4][c_4 + 1] = u_r[t_3][r_4 + 1][c_4 + 1];
				}
			}
		}
		/* the last one's is stored */
		const int32_t y_out_3 = y_3 - 8;
		if (y_out_3 >= top) {
			const int64_t row_out_3 = (int64_t)(y_out_3 - grid.origin[0]) * u_y;
			if (lies_across) {
				if (x >= strip && x < row_stop) {
					u_next[row_out_3 + (column - back)] = u_r[8][2][1];
				}
				if (x + 1 >= strip && x + 1 < row_stop) {
					u_next[row_out_3 + (column - back + 1)] = u_r[8][2][2];
				}
				if (x + 2 >= strip && x + 2 < row_stop) {
					u_next[row_out_3 + (column - back + 2)] = u_r[8][2][3];
				}
				if (x + 3 >= strip && x + 3 < row_stop) {
					u_next[row_out_3 + (column - back + 3)] = u_r[8][2][4];
				}
				if (x + 4 >= strip && x + 4 < row_stop) {
					u_next[row_out_3 + (column_3 - back)] = u_r[8][2][5];
				}
				if (x + 5 >= strip && x + 5 < row_stop) {
					u_next[row_out_3 + (column_3 - back + 1)] = u_r[8][2][6];
				}
				if (x + 6 >= strip && x + 6 < row_stop) {
					u_next[row_out_3 + (column_3 - back + 2)] = u_r[8][2][7];
				}
				if (x + 7 >= strip && x + 7 < row_stop) {
					u_next[row_out_3 + (column_3 - back + 3)] = u_r[8][2][8];
				}
			} else {
				if (stores) {
					stencil_vector<float, 4> u_v_5;

					STENCIL_UNROLL
					for (int e = 0; e < 4; e++)
						u_v_5.at[e] = u_r[8][2][1 + e];
					stencil_store_global(u_next + row_out_3 + column, u_v_5);
				}
				if (stores_2) {
					stencil_vector<float, 4> u_v_6;

					STENCIL_UNROLL
					for (int e = 0; e < 4; e++)
						u_v_6.at[e] = u_r[8][2][5 + e];
					stencil_store_global(u_next + row_out_3 + column_3, u_v_6);
				}
			}
		}
		/* all rows move on */
	}
	stencil_copy_wait<0>();
}

/* u at t+1; strip, 32x4 threads */
static __global__ void __launch_bounds__(128, 2)
heat_k0_u_f4(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_layout u_layout, const stencil_grid grid, const int32_t rows,
	const float warm, const float k)
{
	const int64_t u_y = u_layout.stride[0];
	const int32_t strip = cells.lo[1] + ((int32_t)blockIdx.x * 4 + (int32_t)threadIdx.y) * 240;
	if (strip >= cells.hi[1])
		return;
	const int32_t first = strip - 8;
	const int32_t left = first + 256 - (grid.last[1] + 1);
	const int32_t back = stencil_max_i32(left, 0) % 8;
	const int32_t x = first + (int32_t)stencil_lane() * 8 - back;
	const int32_t row_end = (grid.last[1] + 8) / 8 * 8;
	const int64_t column = stencil_min_i64(stencil_fold_clamp_lo(first +
		(int32_t)stencil_lane() * 8, grid.first[1]), row_end - 4) - grid.origin[1];
	const int64_t column_2 = stencil_min_i64(stencil_fold_clamp_lo(first +
		(int32_t)stencil_lane() * 4, grid.first[1]), row_end - 4) - grid.origin[1];
	const int64_t column_3 = stencil_min_i64(stencil_fold_clamp_lo(first +
		(int32_t)stencil_lane() * 8 + 4, grid.first[1]), row_end - 4) - grid.origin[1];
	const int64_t column_4 = stencil_min_i64(stencil_fold_clamp_lo(first +
		((int32_t)stencil_lane() + 32) * 4, grid.first[1]), row_end - 4) - grid.origin[1];
	const int32_t top = cells.lo[0] + (int32_t)blockIdx.y * rows;
	if (top >= cells.hi[0])
		return;
	const int32_t bottom = stencil_min_i32(top + rows, cells.hi[0]);
	const bool lies_across = 0 < back;
	const int32_t last_lane = ((int32_t)stencil_lane() + 31) % 32;
	const bool at_face = grid.first[1] >= x;
	const int32_t next_lane = ((int32_t)stencil_lane() + 1) % 32;
	const bool at_face_2 = x + 7 >= grid.last[1];
	const int32_t strip_end = stencil_min_i32(strip + 240, cells.hi[1]);
	const int32_t row_stop = stencil_min_i32(strip_end, grid.last[1] + 1);
	const bool stores = (int32_t)stencil_lane() * 8 >= 8 && x < strip_end;
	const bool stores_2 = (int32_t)stencil_lane() * 8 + 4 >= 8 && x + 4 < strip_end;

	float u_r[5][3][10];
	STENCIL_UNROLL
	for (int32_t t_4 = 0; t_4 < 4; t_4++) {
		STENCIL_UNROLL
		for (int32_t r = 0; r < 3; r++) {
			STENCIL_UNROLL
			for (int32_t c = 0; c < 10; c++) {
				u_r[t_4][r][c] = 0;
			}
		}
	}
	float (*const ring_s)[8][256] = (float (*)[8][256])stencil_at(stencil_shared(), 0);
	const int32_t y_in = top - 4;
	const int64_t row = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][0][(int32_t)stencil_lane() * 4],
		u + row + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][0][((int32_t)stencil_lane() + 32) * 4],
		u + row + column_4);
	stencil_copy_commit();
	const int32_t y_in_2 = top - 3;
	const int64_t row_2 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_2, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][1][(int32_t)stencil_lane() * 4],
		u + row_2 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][1][((int32_t)stencil_lane() + 32) * 4],
		u + row_2 + column_4);
	stencil_copy_commit();
	const int32_t y_in_3 = top - 2;
	const int64_t row_3 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_3, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][2][(int32_t)stencil_lane() * 4],
		u + row_3 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][2][((int32_t)stencil_lane() + 32) * 4],
		u + row_3 + column_4);
	stencil_copy_commit();
	const int32_t y_in_4 = top - 1;
	const int64_t row_4 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_4, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][3][(int32_t)stencil_lane() * 4],
		u + row_4 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][3][((int32_t)stencil_lane() + 32) * 4],
		u + row_4 + column_4);
	stencil_copy_commit();
	const int64_t row_5 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(top, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][4][(int32_t)stencil_lane() * 4],
		u + row_5 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][4][((int32_t)stencil_lane() + 32) * 4],
		u + row_5 + column_4);
	stencil_copy_commit();
	const int32_t y_in_5 = top + 1;
	const int64_t row_6 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_5, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][5][(int32_t)stencil_lane() * 4],
		u + row_6 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][5][((int32_t)stencil_lane() + 32) * 4],
		u + row_6 + column_4);
	stencil_copy_commit();
	const int32_t y_in_6 = top + 2;
	const int64_t row_7 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_6, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][6][(int32_t)stencil_lane() * 4],
		u + row_7 + column_2);
	stencil_copy16(&ring_s[(int32_t)threadIdx.y][6][((int32_t)stencil_lane() + 32) * 4],
		u + row_7 + column_4);
	stencil_copy_commit();
	const int32_t inside_from = stencil_min_i32(top + 4, bottom + 4);
	const int32_t inside_to = stencil_max_i32(inside_from, bottom + 4);
	/* rows before those that all steps compute */
	for (int32_t y = top - 4; y < inside_from; y++) {
		/* a row comes */
		const int32_t number = y - (top - 4);
		stencil_copy_wait<6>();
		stencil_syncwarp();
		if (lies_across) {
			const int32_t slot = number % 8;
			u_r[0][2][1] = ring_s[(int32_t)threadIdx.y][slot][stencil_max_i32((int32_t)stencil_lane() * 8 - back, 0)];
			u_r[0][2][2] = ring_s[(int32_t)threadIdx.y][slot][stencil_max_i32((int32_t)stencil_lane() * 8 + 1 - back, 0)];
			u_r[0][2][3] = ring_s[(int32_t)threadIdx.y][slot][stencil_max_i32((int32_t)stencil_lane() * 8 + 2 - back, 0)];
			u_r[0][2][4] = ring_s[(int32_t)threadIdx.y][slot][stencil_max_i32((int32_t)stencil_lane() * 8 + 3 - back, 0)];
			u_r[0][2][5] = ring_s[(int32_t)threadIdx.y][slot][stencil_max_i32((int32_t)stencil_lane() * 8 + 4 - back, 0)];
			u_r[0][2][6] = ring_s[(int32_t)threadIdx.y][slot][stencil_max_i32((int32_t)stencil_lane() * 8 + 5 - back, 0)];
			u_r[0][2][7] = ring_s[(int32_t)threadIdx.y][slot][stencil_max_i32((int32_t)stencil_lane() * 8 + 6 - back, 0)];
			u_r[0][2][8] = ring_s[(int32_t)threadIdx.y][slot][stencil_max_i32((int32_t)stencil_lane() * 8 + 7 - back, 0)];
		} else {
			const int32_t slot_2 = number % 8;
			const stencil_vector<float, 4> ring_v = stencil_load<float,
				4>(&ring_s[(int32_t)threadIdx.y][slot_2][(int32_t)stencil_lane() *
				8]);
			STENCIL_UNROLL
			for (int e = 0; e < 4; e++)
				u_r[0][2][1 + e] = ring_v.at[e];
			const stencil_vector<float, 4> ring_v_2 = stencil_load<float,
				4>(&ring_s[(int32_t)threadIdx.y][slot_2][(int32_t)stencil_lane() *
				8 + 4]);
			STENCIL_UNROLL
			for (int e = 0; e < 4; e++)
				u_r[0][2][5 + e] = ring_v_2.at[e];
		}
		const int32_t y_in_7 = y + 7;
		const int64_t row_8 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_7, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
		const int32_t slot_3 = (number + 7) % 8;
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_3][(int32_t)stencil_lane() * 4],
			u + row_8 + column_2);
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_3][((int32_t)stencil_lane() +
			32) * 4], u + row_8 + column_4);
		stencil_copy_commit();
		/* each step makes one of its own */
		STENCIL_UNROLL
		for (int32_t t = 0; t < 4; t++) {
			u_r[t][1][0] = stencil_shuffle(u_r[t][1][8], last_lane);
			u_r[t][1][0] = at_face ? warm : u_r[t][1][0];
			u_r[t][1][9] = stencil_shuffle(u_r[t][1][1], next_lane);
			u_r[t][1][9] = at_face_2 ? u_r[t][1][8] : u_r[t][1][9];
			STENCIL_UNROLL
			for (int32_t i = 0; i < 8; i++) {
				const float u_c = u_r[t][1][i + 1];
				u_r[t + 1][2][i + 1] = fmaf(k,
					fmaf(-4.0f, u_c, u_r[t][0][i + 1] + u_r[t][2][i + 1] +
					u_r[t][1][i] + u_r[t][1][i + 2]), u_c);
			}
			STENCIL_UNROLL
			for (int32_t r_2 = 0; r_2 < 2; r_2++) {
				STENCIL_UNROLL
				for (int32_t c_2 = 0; c_2 < 8; c_2++) {
					u_r[t][r_2][c_2 + 1] = u_r[t][r_2 + 1][c_2 + 1];
				}
			}
		}
		/* the last one's is stored */
		const int32_t y_out = y - 4;
		if (y_out >= top) {
			const int64_t row_out = (int64_t)(y_out - grid.origin[0]) * u_y;
			if (lies_across) {
				if (x >= strip && x < row_stop) {
					u_next[row_out + (column - back)] = u_r[4][2][1];
				}
				if (x + 1 >= strip && x + 1 < row_stop) {
					u_next[row_out + (column - back + 1)] = u_r[4][2][2];
				}
				if (x + 2 >= strip && x + 2 < row_stop) {
					u_next[row_out + (column - back + 2)] = u_r[4][2][3];
				}
				if (x + 3 >= strip && x + 3 < row_stop) {
					u_next[row_out + (column - back + 3)] = u_r[4][2][4];
				}
				if (x + 4 >= strip && x + 4 < row_stop) {
					u_next[row_out + (column_3 - back)] = u_r[4][2][5];
				}
				if (x + 5 >= strip && x + 5 < row_stop) {
					u_next[row_out + (column_3 - back + 1)] = u_r[4][2][6];
				}
				if (x + 6 >= strip && x + 6 < row_stop) {
					u_next[row_out + (column_3 - back + 2)] = u_r[4][2][7];
				}
				if (x + 7 >= strip && x + 7 < row_stop) {
					u_next[row_out + (column_3 - back + 3)] = u_r[4][2][8];
				}
			} else {
				if (stores) {
					stencil_vector<float, 4> u_v;

					STENCIL_UNROLL
					for (int e = 0; e < 4; e++)
						u_v.at[e] = u_r[4][2][1 + e];
					stencil_store_global(u_next + row_out + column, u_v);
				}
				if (stores_2) {
					stencil_vector<float, 4> u_v_2;

					STENCIL_UNROLL
					for (int e = 0; e < 4; e++)
						u_v_2.at[e] = u_r[4][2][5 + e];
					stencil_store_global(u_next + row_out + column_3, u_v_2);
				}
			}
		}
		/* all rows move on */
	}
	/* these: nothing need be asked */
	STENCIL_UNROLL_BY(3)
	for (int32_t y_2 = inside_from; y_2 < inside_to; y_2++) {
		/* a row comes */
		const int32_t number_2 = y_2 - (top - 4);
		stencil_copy_wait<6>();
		stencil_syncwarp();
		if (lies_across) {
			const int32_t slot_4 = number_2 % 8;
			u_r[0][2][1] = ring_s[(int32_t)threadIdx.y][slot_4][stencil_max_i32((int32_t)stencil_lane() * 8 - back, 0)];
			u_r[0][2][2] = ring_s[(int32_t)threadIdx.y][slot_4][stencil_max_i32((int32_t)stencil_lane() * 8 + 1 - back, 0)];
			u_r[0][2][3] = ring_s[(int32_t)threadIdx.y][slot_4][stencil_max_i32((int32_t)stencil_lane() * 8 + 2 - back, 0)];
			u_r[0][2][4] = ring_s[(int32_t)threadIdx.y][slot_4][stencil_max_i32((int32_t)stencil_lane() * 8 + 3 - back, 0)];
			u_r[0][2][5] = ring_s[(int32_t)threadIdx.y][slot_4][stencil_max_i32((int32_t)stencil_lane() * 8 + 4 - back, 0)];
			u_r[0][2][6] = ring_s[(int32_t)threadIdx.y][slot_4][stencil_max_i32((int32_t)stencil_lane() * 8 + 5 - back, 0)];
			u_r[0][2][7] = ring_s[(int32_t)threadIdx.y][slot_4][stencil_max_i32((int32_t)stencil_lane() * 8 + 6 - back, 0)];
			u_r[0][2][8] = ring_s[(int32_t)threadIdx.y][slot_4][stencil_max_i32((int32_t)stencil_lane() * 8 + 7 - back, 0)];
		} else {
			const int32_t slot_5 = number_2 % 8;
			const stencil_vector<float, 4> ring_v_3 = stencil_load<float,
				4>(&ring_s[(int32_t)threadIdx.y][slot_5][(int32_t)stencil_lane() *
				8]);
			STENCIL_UNROLL
			for (int e = 0; e < 4; e++)
				u_r[0][2][1 + e] = ring_v_3.at[e];
			const stencil_vector<float, 4> ring_v_4 = stencil_load<float,
				4>(&ring_s[(int32_t)threadIdx.y][slot_5][(int32_t)stencil_lane() *
				8 + 4]);
			STENCIL_UNROLL
			for (int e = 0; e < 4; e++)
				u_r[0][2][5 + e] = ring_v_4.at[e];
		}
		const int32_t y_in_8 = y_2 + 7;
		const int64_t row_9 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_8, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
		const int32_t slot_6 = (number_2 + 7) % 8;
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_6][(int32_t)stencil_lane() * 4],
			u + row_9 + column_2);
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_6][((int32_t)stencil_lane() +
			32) * 4], u + row_9 + column_4);
		stencil_copy_commit();
		/* each step makes one of its own */
		STENCIL_UNROLL
		for (int32_t t_2 = 0; t_2 < 4; t_2++) {
			u_r[t_2][1][0] = stencil_shuffle(u_r[t_2][1][8], last_lane);
			u_r[t_2][1][0] = at_face ? warm : u_r[t_2][1][0];
			u_r[t_2][1][9] = stencil_shuffle(u_r[t_2][1][1], next_lane);
			u_r[t_2][1][9] = at_face_2 ? u_r[t_2][1][8] : u_r[t_2][1][9];
			STENCIL_UNROLL
			for (int32_t i_2 = 0; i_2 < 8; i_2++) {
				const float u_c_2 = u_r[t_2][1][i_2 + 1];
				u_r[t_2 + 1][2][i_2 + 1] =
					fmaf(k, fmaf(-4.0f, u_c_2,
					u_r[t_2][0][i_2 + 1] + u_r[t_2][2][i_2 + 1] +
					u_r[t_2][1][i_2] + u_r[t_2][1][i_2 + 2]), u_c_2);
			}
			STENCIL_UNROLL
			for (int32_t r_3 = 0; r_3 < 2; r_3++) {
				STENCIL_UNROLL
				for (int32_t c_3 = 0; c_3 < 8; c_3++) {
					u_r[t_2][r_3][c_3 + 1] = u_r[t_2][r_3 + 1][c_3 + 1];
				}
			}
		}
		/* the last one's is stored */
		const int32_t y_out_2 = y_2 - 4;
		const int64_t row_out_2 = (int64_t)(y_out_2 - grid.origin[0]) * u_y;
		if (lies_across) {
			if (x >= strip && x < row_stop) {
				u_next[row_out_2 + (column - back)] = u_r[4][2][1];
			}
			if (x + 1 >= strip && x + 1 < row_stop) {
				u_next[row_out_2 + (column - back + 1)] = u_r[4][2][2];
			}
			if (x + 2 >= strip && x + 2 < row_stop) {
				u_next[row_out_2 + (column - back + 2)] = u_r[4][2][3];
			}
			if (x + 3 >= strip && x + 3 < row_stop) {
				u_next[row_out_2 + (column - back + 3)] = u_r[4][2][4];
			}
			if (x + 4 >= strip && x + 4 < row_stop) {
				u_next[row_out_2 + (column_3 - back)] = u_r[4][2][5];
			}
			if (x + 5 >= strip && x + 5 < row_stop) {
				u_next[row_out_2 + (column_3 - back + 1)] = u_r[4][2][6];
			}
			if (x + 6 >= strip && x + 6 < row_stop) {
				u_next[row_out_2 + (column_3 - back + 2)] = u_r[4][2][7];
			}
			if (x + 7 >= strip && x + 7 < row_stop) {
				u_next[row_out_2 + (column_3 - back + 3)] = u_r[4][2][8];
			}
		} else {
			if (stores) {
				stencil_vector<float, 4> u_v_3;

				STENCIL_UNROLL
				for (int e = 0; e < 4; e++)
					u_v_3.at[e] = u_r[4][2][1 + e];
				stencil_store_global(u_next + row_out_2 + column, u_v_3);
			}
			if (stores_2) {
				stencil_vector<float, 4> u_v_4;

				STENCIL_UNROLL
				for (int e = 0; e < 4; e++)
					u_v_4.at[e] = u_r[4][2][5 + e];
				stencil_store_global(u_next + row_out_2 + column_3, u_v_4);
			}
		}
		/* all rows move on */
	}
	/* rows behind them */
	for (int32_t y_3 = inside_to; y_3 < bottom + 4; y_3++) {
		/* a row comes */
		const int32_t number_3 = y_3 - (top - 4);
		stencil_copy_wait<6>();
		stencil_syncwarp();
		if (lies_across) {
			const int32_t slot_7 = number_3 % 8;
			u_r[0][2][1] = ring_s[(int32_t)threadIdx.y][slot_7][stencil_max_i32((int32_t)stencil_lane() * 8 - back, 0)];
			u_r[0][2][2] = ring_s[(int32_t)threadIdx.y][slot_7][stencil_max_i32((int32_t)stencil_lane() * 8 + 1 - back, 0)];
			u_r[0][2][3] = ring_s[(int32_t)threadIdx.y][slot_7][stencil_max_i32((int32_t)stencil_lane() * 8 + 2 - back, 0)];
			u_r[0][2][4] = ring_s[(int32_t)threadIdx.y][slot_7][stencil_max_i32((int32_t)stencil_lane() * 8 + 3 - back, 0)];
			u_r[0][2][5] = ring_s[(int32_t)threadIdx.y][slot_7][stencil_max_i32((int32_t)stencil_lane() * 8 + 4 - back, 0)];
			u_r[0][2][6] = ring_s[(int32_t)threadIdx.y][slot_7][stencil_max_i32((int32_t)stencil_lane() * 8 + 5 - back, 0)];
			u_r[0][2][7] = ring_s[(int32_t)threadIdx.y][slot_7][stencil_max_i32((int32_t)stencil_lane() * 8 + 6 - back, 0)];
			u_r[0][2][8] = ring_s[(int32_t)threadIdx.y][slot_7][stencil_max_i32((int32_t)stencil_lane() * 8 + 7 - back, 0)];
		} else {
			const int32_t slot_8 = number_3 % 8;
			const stencil_vector<float, 4> ring_v_5 = stencil_load<float,
				4>(&ring_s[(int32_t)threadIdx.y][slot_8][(int32_t)stencil_lane() *
				8]);
			STENCIL_UNROLL
			for (int e = 0; e < 4; e++)
				u_r[0][2][1 + e] = ring_v_5.at[e];
			const stencil_vector<float, 4> ring_v_6 = stencil_load<float,
				4>(&ring_s[(int32_t)threadIdx.y][slot_8][(int32_t)stencil_lane() *
				8 + 4]);
			STENCIL_UNROLL
			for (int e = 0; e < 4; e++)
				u_r[0][2][5 + e] = ring_v_6.at[e];
		}
		const int32_t y_in_9 = y_3 + 7;
		const int64_t row_10 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_in_9, grid.first[0], grid.extent[0]), grid.last[0], grid.extent[0]), grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y;
		const int32_t slot_9 = (number_3 + 7) % 8;
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_9][(int32_t)stencil_lane() * 4],
			u + row_10 + column_2);
		stencil_copy16(&ring_s[(int32_t)threadIdx.y][slot_9][((int32_t)stencil_lane() +
			32) * 4], u + row_10 + column_4);
		stencil_copy_commit();
		/* each step makes one of its own */
		STENCIL_UNROLL
		for (int32_t t_3 = 0; t_3 < 4; t_3++) {
			u_r[t_3][1][0] = stencil_shuffle(u_r[t_3][1][8], last_lane);
			u_r[t_3][1][0] = at_face ? warm : u_r[t_3][1][0];
			u_r[t_3][1][9] = stencil_shuffle(u_r[t_3][1][1], next_lane);
			u_r[t_3][1][9] = at_face_2 ? u_r[t_3][1][8] : u_r[t_3][1][9];
			STENCIL_UNROLL
			for (int32_t i_3 = 0; i_3 < 8; i_3++) {
				const float u_c_3 = u_r[t_3][1][i_3 + 1];
				u_r[t_3 + 1][2][i_3 + 1] =
					fmaf(k, fmaf(-4.0f, u_c_3,
					u_r[t_3][0][i_3 + 1] + u_r[t_3][2][i_3 + 1] +
					u_r[t_3][1][i_3] + u_r[t_3][1][i_3 + 2]), u_c_3);
			}
			STENCIL_UNROLL
			for (int32_t r_4 = 0; r_4 < 2; r_4++) {
				STENCIL_UNROLL
				for (int32_t c_4 = 0; c_4 < 8; c_4++) {
					u_r[t_3][r_4][c_4 + 1] = u_r[t_3][r_4 + 1][c_4 + 1];
				}
			}
		}
		/* the last one's is stored */
		const int32_t y_out_3 = y_3 - 4;
		if (y_out_3 >= top) {
			const int64_t row_out_3 = (int64_t)(y_out_3 - grid.origin[0]) * u_y;
			if (lies_across) {
				if (x >= strip && x < row_stop) {
					u_next[row_out_3 + (column - back)] = u_r[4][2][1];
				}
				if (x + 1 >= strip && x + 1 < row_stop) {
					u_next[row_out_3 + (column - back + 1)] = u_r[4][2][2];
				}
				if (x + 2 >= strip && x + 2 < row_stop) {
					u_next[row_out_3 + (column - back + 2)] = u_r[4][2][3];
				}
				if (x + 3 >= strip && x + 3 < row_stop) {
					u_next[row_out_3 + (column - back + 3)] = u_r[4][2][4];
				}
				if (x + 4 >= strip && x + 4 < row_stop) {
					u_next[row_out_3 + (column_3 - back)] = u_r[4][2][5];
				}
				if (x + 5 >= strip && x + 5 < row_stop) {
					u_next[row_out_3 + (column_3 - back + 1)] = u_r[4][2][6];
				}
				if (x + 6 >= strip && x + 6 < row_stop) {
					u_next[row_out_3 + (column_3 - back + 2)] = u_r[4][2][7];
				}
				if (x + 7 >= strip && x + 7 < row_stop) {
					u_next[row_out_3 + (column_3 - back + 3)] = u_r[4][2][8];
				}
			} else {
				if (stores) {
					stencil_vector<float, 4> u_v_5;

					STENCIL_UNROLL
					for (int e = 0; e < 4; e++)
						u_v_5.at[e] = u_r[4][2][1 + e];
					stencil_store_global(u_next + row_out_3 + column, u_v_5);
				}
				if (stores_2) {
					stencil_vector<float, 4> u_v_6;

					STENCIL_UNROLL
					for (int e = 0; e < 4; e++)
						u_v_6.at[e] = u_r[4][2][5 + e];
					stencil_store_global(u_next + row_out_3 + column_3, u_v_6);
				}
			}
		}
		/* all rows move on */
	}
	stencil_copy_wait<0>();
}

/* u at t+1; march, 32x8 threads */
static __global__ void __launch_bounds__(256, 1)
heat_k0_u_x4(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_layout u_layout, const stencil_grid grid, const stencil_cells region,
	const float warm, const float k)
{
	const int64_t u_y = u_layout.stride[0];
	const int32_t x = cells.lo[1] + (int32_t)blockIdx.x * 128 + (int32_t)threadIdx.x * 4;
	const int32_t y = cells.lo[0] + (int32_t)blockIdx.y * 16 + (int32_t)threadIdx.y * 2;
	if (x >= cells.hi[1])
		return;
	if (y >= cells.hi[0])
		return;
	const int32_t y_m1 = y - 1;
	const int64_t u_row_m1 = (stencil_fold_wrap_lo(y_m1, grid.first[0], grid.extent[0]) -
		grid.origin[0]) * u_y;
	const int64_t u_row = (int64_t)(y - grid.origin[0]) * u_y;
	const int32_t y_p1 = y + 1;
	const int64_t u_row_p1 = (stencil_fold_wrap_hi(y_p1, grid.last[0], grid.extent[0]) -
		grid.origin[0]) * u_y;
	const int32_t y_p2 = stencil_min_i32(y + 2, cells.hi[0]);
	const int64_t u_row_p2 = (stencil_fold_wrap_hi(y_p2, grid.last[0], grid.extent[0]) -
		grid.origin[0]) * u_y;
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
	const bool beyond = x_m1 < grid.first[1];
	u_r[0][1][0] = beyond ? warm : u_r[0][1][0];
	u_r[0][2][0] = beyond ? warm : u_r[0][2][0];
	/* the cells */
	float u_new_r[2][4];
	STENCIL_UNROLL
	for (int32_t j = 0; j < 2; j++) {
		STENCIL_UNROLL
		for (int32_t i = 0; i < 4; i++) {
			const float u_c = u_r[0][j + 1][i + 1];
			u_new_r[j][i] = fmaf(k, fmaf(-4.0f, u_c,
				u_r[0][j][i + 1] + u_r[0][j + 2][i + 1] + u_r[0][j + 1][i] +
				u_r[0][j + 1][i + 2]), u_c);
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
heat_k0_u(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_layout u_layout, const stencil_grid grid, const stencil_cells region,
	const float warm, const float k)
{
	const int64_t u_y = u_layout.stride[0];
	const int32_t lane = (int32_t)stencil_lane();
	const int32_t x = cells.lo[1] + (int32_t)blockIdx.x * 128 + (int32_t)threadIdx.x;
	const int32_t y = cells.lo[0] + (int32_t)blockIdx.y * 16 + (int32_t)threadIdx.y * 2;
	if (y >= cells.hi[0])
		return;
	const int32_t y_m1 = y - 1;
	const int64_t u_row_m1 = (stencil_fold_wrap_lo(y_m1, grid.first[0], grid.extent[0]) -
		grid.origin[0]) * u_y;
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
	const int64_t u_row_p1 = (stencil_fold_wrap_hi(y_p1, grid.last[0], grid.extent[0]) -
		grid.origin[0]) * u_y;
	const int32_t y_p2 = stencil_min_i32(y + 2, cells.hi[0]);
	const int64_t u_row_p2 = (stencil_fold_wrap_hi(y_p2, grid.last[0], grid.extent[0]) -
		grid.origin[0]) * u_y;
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
	const bool beyond_7 = x_m1 < grid.first[1];
	u_r[0][1][0][0] = beyond_7 ? warm : u_r[0][1][0][0];
	const bool beyond_8 = x_m1_2 < grid.first[1];
	u_r[0][1][0][1] = beyond_8 ? warm : u_r[0][1][0][1];
	const bool beyond_9 = x_m1_3 < grid.first[1];
	u_r[0][1][0][2] = beyond_9 ? warm : u_r[0][1][0][2];
	const bool beyond_10 = x_m1_4 < grid.first[1];
	u_r[0][1][0][3] = beyond_10 ? warm : u_r[0][1][0][3];
	u_r[0][2][0][0] = beyond_7 ? warm : u_r[0][2][0][0];
	u_r[0][2][0][1] = beyond_8 ? warm : u_r[0][2][0][1];
	u_r[0][2][0][2] = beyond_9 ? warm : u_r[0][2][0][2];
	u_r[0][2][0][3] = beyond_10 ? warm : u_r[0][2][0][3];
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
			const float u_c = u_r[0][j + 1][1][i];
			u_new_r[j][i] = fmaf(k, fmaf(-4.0f, u_c,
				u_r[0][j][1][i] + u_r[0][j + 2][1][i] + u_r[0][j + 1][0][i] +
				u_r[0][j + 1][2][i]), u_c);
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
heat(stencil_context *ctx, const heat_args *a)
{
	heat_call call = {}, *const c = &call;
	void *memory;

	if (ctx == NULL)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "heat: no context");
	STENCIL_TRY(heat_prepare(ctx, a, c));

	const heat_call packed = call;
	const stencil_on_device device(ctx);

	STENCIL_TRY(device.status);

	int padded = a->steps >= 8 && heat_pad(c) > 0 &&
		stencil_room_for_rows(ctx, a->workspace, a->workspace_size, c->workspace, &memory);

	if (!padded) {
		call = packed;
		STENCIL_TRY(stencil_memory(ctx, "heat", a->workspace, a->workspace_size,
			c->workspace, &memory));
	}

	float *const u[2] = { padded ? (float *)stencil_at(memory, c->at_u_rows) : a->u,
		(float *)stencil_at(memory, c->at_u_next) };
	const stencil_cells u_cells = { { 0, 0, 0 }, { c->grid.extent[0], c->grid.extent[1], 1 } };
	const stencil_cells u_region = { { (int32_t)c->box.lo[0], (int32_t)c->box.lo[1], 0 },
		{ (int32_t)c->box.hi[0], (int32_t)c->box.hi[1], 1 } };
	const stencil_shape u_shape = { { 32, 8, 1 }, { 128, 16, 1 }, { 1, 0, -1 }, 0 };

	if (padded) {
		STENCIL_TRY(stencil_copy_rows(ctx, a->u, packed.u, u[0], c->u, c->grid, 8, 1));
	}

	stencil_shape tiled = { { 32, 4, 1 }, { 960, 64, 0 }, { 1, 0, -1 }, 32768 };
	int64_t step = 0;
	const int ragged = !stencil_row_fits(&c->grid, 1, 8);
	const stencil_cells whole = stencil_whole(u_cells, 1, 8);
	const int fits = (padded || stencil_row_fits(&c->grid, 1, 8)) &&
		stencil_field_fits(u[stencil_slot(0, step, 2)], &c->u, 8) &&
		stencil_field_fits(u[stencil_slot(1, step, 2)], &c->u, 8) &&
		(!ragged || stencil_extent_of(&whole, 1) >= 256) &&
		stencil_ends_fit(&u_region, &c->grid, 1, 0, 0) &&
		stencil_ends_fit(&u_region, &c->grid, 0, 0, 0) && stencil_extent_of(&whole, 0) >= 8;

	if (fits && ragged)
		STENCIL_TRY(stencil_fill_device(ctx, "heat_k0_u_r8", &tiled, &whole, heat_k0_u_r8));
	else if (fits)
		STENCIL_TRY(stencil_fill_device(ctx, "heat_k0_u_t8", &tiled, &whole, heat_k0_u_t8));

	const int64_t by_fewer = fits ? stencil_steps_by_fewer(a->steps, 8, 4, padded ? 1 : 2) :
		a->steps;
	stencil_shape fewer = { { 32, 4, 1 }, { 960, 64, 0 }, { 1, 0, -1 }, 32768 };
	const stencil_cells fewer_whole = stencil_whole(u_cells, 1, 8);
	const int fewer_fits = by_fewer >= 4 && (padded || stencil_row_fits(&c->grid, 1, 8)) &&
		stencil_field_fits(u[stencil_slot(0, step, 2)], &c->u, 8) &&
		stencil_field_fits(u[stencil_slot(1, step, 2)], &c->u, 8) &&
		(stencil_row_fits(&c->grid, 1, 8) || stencil_extent_of(&fewer_whole, 1) >= 256) &&
		stencil_ends_fit(&u_region, &c->grid, 1, 0, 0) &&
		stencil_ends_fit(&u_region, &c->grid, 0, 0, 0) &&
		stencil_extent_of(&fewer_whole, 0) >= 4;

	if (fewer_fits)
		STENCIL_TRY(stencil_fill_device(ctx, "heat_k0_u_f4", &fewer, &fewer_whole, heat_k0_u_f4));

	for (int64_t done = 0; done < a->steps; step++) {
		if (fewer_fits && done < by_fewer && a->steps - done >= 4) {
			STENCIL_TRY(stencil_launch(ctx, "heat_k0_u_f4", fewer, fewer_whole,
				heat_k0_u_f4, u[stencil_slot(0, step, 2)],
				u[stencil_slot(1, step, 2)], c->u, c->grid, (int32_t)fewer.span[1],
				a->warm, a->k));
			done += 4;
		} else if (fits && a->steps - done >= 8) {
			if (ragged) {
				STENCIL_TRY(stencil_launch(ctx, "heat_k0_u_r8", tiled, whole,
					heat_k0_u_r8, u[stencil_slot(0, step, 2)],
					u[stencil_slot(1, step, 2)], c->u, c->grid,
					(int32_t)tiled.span[1], a->warm, a->k));
			} else {
				STENCIL_TRY(stencil_launch(ctx, "heat_k0_u_t8", tiled, whole,
					heat_k0_u_t8, u[stencil_slot(0, step, 2)],
					u[stencil_slot(1, step, 2)], c->u, c->grid,
					(int32_t)tiled.span[1], a->warm, a->k));
			}
			done += 8;
		} else {
			if (stencil_row_fits(&c->grid, 1, 4) &&
				stencil_field_fits(u[stencil_slot(0, step, 2)], &c->u, 4) &&
				stencil_field_fits(u[stencil_slot(1, step, 2)], &c->u, 4)) {
				STENCIL_TRY(stencil_launch(ctx, "heat_k0_u_x4", u_shape,
					stencil_whole_lines(u_cells, 1, 4, 32), heat_k0_u_x4,
					u[stencil_slot(0, step, 2)], u[stencil_slot(1, step, 2)],
					c->u, c->grid, u_region, a->warm, a->k));
			} else {
				STENCIL_TRY(stencil_launch(ctx, "heat_k0_u", u_shape, u_cells,
					heat_k0_u, u[stencil_slot(0, step, 2)],
					u[stencil_slot(1, step, 2)], c->u, c->grid, u_region,
					a->warm, a->k));
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
