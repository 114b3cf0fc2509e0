/* Made from wave.st by stencilc, for CUDA.
 *
 *   nvcc -std=c++17 -fmad=false -Xcompiler=-ffp-contract=off -arch=sm_90
 *
 * It is planned for that architecture; others run it, too.
 */
#include "wave.h"

#include "stencil_kernel.h"

/* What a call of wave works on, worked out from its arguments. */
typedef struct {
	stencil_grid grid;
	stencil_box box;
	stencil_layout p;
	stencil_layout vel;
	size_t at_p_next; /* in the workspace */
	size_t at_p_rows; /* in the workspace */
	size_t at_p_tm1_rows; /* in the workspace */
	size_t at_vel_rows; /* in the workspace */
	size_t workspace; /* bytes of it */
} wave_call;

/* The sizes of the grids, of the fields and of the workspace. */
static stencil_status
wave_measure(stencil_context *ctx, const wave_args *a, wave_call *c)
{
	if (a == NULL)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "wave: no arguments");

	const char *const grid_names[] = { "nz", "ny", "nx" };
	const int64_t grid_extents[] = { a->nz, a->ny, a->nx };

	STENCIL_TRY(stencil_measure_grid(ctx, "wave", &c->grid, 3, grid_names, grid_extents));
	STENCIL_TRY(stencil_lay_out(ctx, "wave", "p", &c->p, &c->grid, 7, 1, 0, a->p_pitch,
		sizeof(float)));
	STENCIL_TRY(stencil_lay_out(ctx, "wave", "vel", &c->vel, &c->grid, 7, 1, 0, a->vel_pitch,
		sizeof(float)));
	c->workspace = 0;
	STENCIL_TRY(stencil_set_aside(ctx, "wave", c->p.bytes, &c->workspace, &c->at_p_next));
	return STENCIL_OK;
}

/* Gives C padded rows: the bytes of workspace that they take.  0: rows are whole
 * vectors as they are, or there is no such memory. */
static size_t
wave_pad(wave_call *c)
{
	if (stencil_row_fits(&c->grid, 2, 4) && stencil_layout_fits(&c->p, 4) &&
		stencil_layout_fits(&c->vel, 4))
		return 0;
	if (!stencil_pad_rows(&c->p, &c->grid, 7, 1, 0, sizeof(float)))
		return 0;
	if (!stencil_pad_rows(&c->vel, &c->grid, 7, 1, 0, sizeof(float)))
		return 0;
	c->workspace = 0;
	if (stencil_set_aside(NULL, "wave", c->p.bytes, &c->workspace, &c->at_p_next) != STENCIL_OK)
		return 0;
	if (stencil_set_aside(NULL, "wave", c->p.bytes, &c->workspace, &c->at_p_rows) != STENCIL_OK)
		return 0;
	if (stencil_set_aside(NULL, "wave", c->p.bytes, &c->workspace, &c->at_p_tm1_rows) !=
		STENCIL_OK)
		return 0;
	if (stencil_set_aside(NULL, "wave", c->vel.bytes, &c->workspace, &c->at_vel_rows) !=
		STENCIL_OK)
		return 0;
	return c->workspace;
}

/* Everything that can be wrong with a call; nothing is written before. */
static stencil_status
wave_prepare(stencil_context *ctx, const wave_args *a, wave_call *c)
{
	STENCIL_TRY(wave_measure(ctx, a, c));

	const char *const axes[] = { "z", "y", "x" };

	c->box = a->box;
	STENCIL_TRY(stencil_check_box(ctx, "wave", &c->box, &c->grid, 3, axes));
	STENCIL_TRY(stencil_check_steps(ctx, "wave", a->steps, 0));

	const stencil_range ranges[] = {
		{ "p", a->p, c->p.bytes, sizeof(float), 1 },
		{ "p_tm1", a->p_tm1, c->p.bytes, sizeof(float), 1 },
		{ "vel", a->vel, c->vel.bytes, sizeof(float), 0 },
		{ "workspace", a->workspace, a->workspace_size, 16, 1 },
	};

	STENCIL_TRY(stencil_check_ranges(ctx, "wave", ranges, 3 + (a->workspace != NULL)));
	return STENCIL_OK;
}

STENCIL_WEAK void
wave_args_init(wave_args *a)
{
	memset(a, 0, sizeof *a);
}

STENCIL_WEAK size_t
wave_workspace(const wave_args *a)
{
	wave_call c;

	if (wave_measure(NULL, a, &c) != STENCIL_OK)
		return 0;

	const size_t packed = c.workspace, padded = wave_pad(&c);

	return padded > packed ? padded : packed;
}

/* p at t+1; stream-registers, 16x8x1 threads */
static __global__ void __launch_bounds__(128)
wave_k0_p_x4(const stencil_cells cells, const float *__restrict__ p, const float *__restrict__ vel,
	const float *__restrict__ p_tm1, float *__restrict__ p_next, const stencil_layout p_layout,
	const stencil_layout vel_layout, const stencil_grid grid, const stencil_cells region,
	const float dt2h2)
{
	const int64_t p_y = p_layout.stride[1];
	const int64_t vel_y = vel_layout.stride[1];
	const int64_t p_z = p_layout.stride[0];
	const int64_t vel_z = vel_layout.stride[0];
	const int32_t x = cells.lo[2] + (int32_t)blockIdx.x * 64 + (int32_t)threadIdx.x * 4;
	const int32_t y = cells.lo[1] + (int32_t)blockIdx.y * 8 + (int32_t)threadIdx.y;
	const int32_t z_first = cells.lo[0] + (int32_t)blockIdx.z * 80;
	const int32_t x_block = cells.lo[2] + (int32_t)blockIdx.x * 64;
	const int32_t y_block = cells.lo[1] + (int32_t)blockIdx.y * 8;
	const int32_t thread = (int32_t)threadIdx.y * 16 + (int32_t)threadIdx.x;
	const int64_t p_from = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * p_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x, grid.first[2]) + 3, grid.last[2]) -
		3 - grid.origin[2]);
	const int32_t own_row = (int32_t)threadIdx.y;
	const int32_t own_column = (int32_t)threadIdx.x * 4;
	const int32_t halo_row = thread / 16 < 4 ? thread / 16 : thread / 16 + 8;
	const int32_t halo_column = (thread % 16 + 1) * 4;
	const int32_t x_2 = x_block + (halo_column - 4);
	const int32_t y_2 = y_block + (halo_row - 4);
	const int64_t p_from_2 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y_2, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * p_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_2, grid.first[2]) + 3,
		grid.last[2]) - 3 - grid.origin[2]);
	const int32_t piece = thread + 128;
	const bool is_piece = piece < 144;
	const int32_t halo_row_2 = stencil_max_i32(piece - 128, 0) / 2 + 4;
	const int32_t halo_column_2 = (stencil_max_i32(piece - 128, 0) % 2 < 1 ?
		stencil_max_i32(piece - 128, 0) % 2 : stencil_max_i32(piece - 128, 0) % 2 + 16) * 4;
	const int32_t x_3 = x_block + (halo_column_2 - 4);
	const int32_t y_3 = y_block + (halo_row_2 - 4);
	const int64_t p_from_3 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y_3, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * p_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_3, grid.first[2]) + 3,
		grid.last[2]) - 3 - grid.origin[2]);
	const int64_t vel_from = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * vel_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x, grid.first[2]) + 3, grid.last[2]) -
		3 - grid.origin[2]);
	const int32_t computed = stencil_keep((y >= region.lo[1] && y < region.hi[1] &&
		x >= region.lo[2] && x < region.hi[2] ? 1 : 0) +
		(y >= region.lo[1] && y < region.hi[1] && x + 1 >= region.lo[2] &&
		x + 1 < region.hi[2] ? 2 : 0) +
		(y >= region.lo[1] && y < region.hi[1] && x + 2 >= region.lo[2] &&
		x + 2 < region.hi[2] ? 4 : 0) +
		(y >= region.lo[1] && y < region.hi[1] && x + 3 >= region.lo[2] &&
		x + 3 < region.hi[2] ? 8 : 0));
	const int64_t p_to = (int64_t)(y - grid.origin[1]) * p_y + (int64_t)(x - grid.origin[2]);
	const float *const p_at = stencil_keep(p + p_from);
	const float *const p_at_2 = stencil_keep(p + p_from_2);
	const float *const p_at_3 = stencil_keep(p + p_from_3);
	const float *const vel_at = stencil_keep(vel + vel_from);
	const float *const p_at_4 = stencil_keep(p_tm1 + p_from);
	float *const p_at_5 = stencil_keep(p_next + p_to);

	float vel_r[1][1][4];
	float p_r[9][9][12];
	float (*const p_s)[16][72] = (float (*)[16][72])stencil_at(stencil_shared(), 0);
	float p_next_r[1][4];
	const int32_t z_in = z_first - 4;
	const int64_t p_plane = (int64_t)(stencil_min_i32(stencil_max_i32(z_in, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	const stencil_vector<float, 4> p_v = stencil_load_early<float, 4>(p_at + p_plane);
	STENCIL_UNROLL
	for (int e = 0; e < 4; e++)
		p_r[0][4][4 + e] = p_v.at[e];
	const int32_t z_in_2 = z_first - 3;
	const int64_t p_plane_2 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_2, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	const stencil_vector<float, 4> p_v_2 = stencil_load_early<float, 4>(p_at + p_plane_2);
	STENCIL_UNROLL
	for (int e_2 = 0; e_2 < 4; e_2++)
		p_r[1][4][4 + e_2] = p_v_2.at[e_2];
	const int32_t z_in_3 = z_first - 2;
	const int64_t p_plane_3 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_3, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	const stencil_vector<float, 4> p_v_3 = stencil_load_early<float, 4>(p_at + p_plane_3);
	STENCIL_UNROLL
	for (int e_3 = 0; e_3 < 4; e_3++)
		p_r[2][4][4 + e_3] = p_v_3.at[e_3];
	const int32_t z_in_4 = z_first - 1;
	const int64_t p_plane_4 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_4, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	const stencil_vector<float, 4> p_v_4 = stencil_load_early<float, 4>(p_at + p_plane_4);
	STENCIL_UNROLL
	for (int e_4 = 0; e_4 < 4; e_4++)
		p_r[3][4][4 + e_4] = p_v_4.at[e_4];
	const int64_t p_plane_5 = (int64_t)(stencil_min_i32(stencil_max_i32(z_first, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	const stencil_vector<float, 4> p_v_5 = stencil_load_early<float, 4>(p_at + p_plane_5);
	STENCIL_UNROLL
	for (int e_5 = 0; e_5 < 4; e_5++)
		p_r[4][4][4 + e_5] = p_v_5.at[e_5];
	const int32_t z_in_5 = z_first + 1;
	const int64_t p_plane_6 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_5, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	const stencil_vector<float, 4> p_v_6 = stencil_load_early<float, 4>(p_at + p_plane_6);
	STENCIL_UNROLL
	for (int e_6 = 0; e_6 < 4; e_6++)
		p_r[5][4][4 + e_6] = p_v_6.at[e_6];
	const int32_t z_in_6 = z_first + 2;
	const int64_t p_plane_7 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_6, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	const stencil_vector<float, 4> p_v_7 = stencil_load_early<float, 4>(p_at + p_plane_7);
	STENCIL_UNROLL
	for (int e_7 = 0; e_7 < 4; e_7++)
		p_r[6][4][4 + e_7] = p_v_7.at[e_7];
	const int32_t z_in_7 = z_first + 3;
	const int64_t p_plane_8 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_7, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	const stencil_vector<float, 4> p_v_8 = stencil_load_early<float, 4>(p_at + p_plane_8);
	STENCIL_UNROLL
	for (int e_8 = 0; e_8 < 4; e_8++)
		p_r[7][4][4 + e_8] = p_v_8.at[e_8];
	const int32_t z_in_8 = z_first + 4;
	const int64_t p_plane_9 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_8, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	const stencil_vector<float, 4> p_v_9 = stencil_load_early<float, 4>(p_at + p_plane_9);
	STENCIL_UNROLL
	for (int e_9 = 0; e_9 < 4; e_9++)
		p_r[8][4][4 + e_9] = p_v_9.at[e_9];
	stencil_vector<float, 4> p_v_10;

	STENCIL_UNROLL
	for (int e_10 = 0; e_10 < 4; e_10++)
		p_v_10.at[e_10] = p_r[4][4][4 + e_10];
	stencil_store(&p_s[0][own_row + 4][own_column + 4], p_v_10);
	float p_tm1_r[1][1][4];
	stencil_copy16(&p_s[0][halo_row][halo_column], p_at_2 + p_plane_5);
	if (is_piece) {
		stencil_copy16(&p_s[0][halo_row_2][halo_column_2], p_at_3 + p_plane_5);
	}
	stencil_copy_commit();
	const int32_t planes = stencil_min_i32(cells.hi[0] - z_first, 80);
	STENCIL_UNROLL_BY(10)
	for (int32_t plane = 0; plane < planes; plane++) {
		const int32_t z = z_first + plane;
		const int64_t vel_plane = (int64_t)(stencil_min_i32(stencil_max_i32(z,
			grid.first[0]), grid.last[0]) - grid.origin[0]) * vel_z;
		const stencil_vector<float, 4> vel_v = stencil_load_early<float,
			4>(vel_at + vel_plane);
		STENCIL_UNROLL
		for (int e_11 = 0; e_11 < 4; e_11++)
			vel_r[0][0][e_11] = vel_v.at[e_11];
		const int64_t p_plane_10 = (int64_t)(stencil_min_i32(stencil_max_i32(z,
			grid.first[0]), grid.last[0]) - grid.origin[0]) * p_z;
		const stencil_vector<float, 4> p_v_11 = stencil_load_early<float,
			4>(p_at_4 + p_plane_10);
		STENCIL_UNROLL
		for (int e_12 = 0; e_12 < 4; e_12++)
			p_tm1_r[0][0][e_12] = p_v_11.at[e_12];
		stencil_copy_wait<0>();
		__syncthreads();
		const int32_t z_in_9 = z + 5;
		const int64_t p_plane_11 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_9,
			grid.first[0]), grid.last[0]) - grid.origin[0]) * p_z;
		const stencil_vector<float, 4> p_v_12 = stencil_load_early<float,
			4>(p_at + p_plane_11);
		STENCIL_UNROLL
		for (int e_13 = 0; e_13 < 4; e_13++)
			p_next_r[0][e_13] = p_v_12.at[e_13];
		if (plane + 1 < planes) {
			const int32_t slot = (plane + 1) % 2;
			const int32_t z_in_10 = z + 1;
			const int64_t p_plane_12 =
				(int64_t)(stencil_min_i32(stencil_max_i32(z_in_10, grid.first[0]),
				grid.last[0]) - grid.origin[0]) * p_z;
			stencil_copy16(&p_s[slot][halo_row][halo_column], p_at_2 + p_plane_12);
			if (is_piece) {
				stencil_copy16(&p_s[slot][halo_row_2][halo_column_2],
					p_at_3 + p_plane_12);
			}
		}
		stencil_copy_commit();
		const int32_t slot_2 = plane % 2;
		const stencil_vector<float, 4> p_v_13 = stencil_load<float,
			4>(&p_s[slot_2][own_row][own_column + 4]);
		STENCIL_UNROLL
		for (int e_14 = 0; e_14 < 4; e_14++)
			p_r[4][0][4 + e_14] = p_v_13.at[e_14];
		const stencil_vector<float, 4> p_v_14 = stencil_load<float,
			4>(&p_s[slot_2][own_row + 1][own_column + 4]);
		STENCIL_UNROLL
		for (int e_15 = 0; e_15 < 4; e_15++)
			p_r[4][1][4 + e_15] = p_v_14.at[e_15];
		const stencil_vector<float, 4> p_v_15 = stencil_load<float,
			4>(&p_s[slot_2][own_row + 2][own_column + 4]);
		STENCIL_UNROLL
		for (int e_16 = 0; e_16 < 4; e_16++)
			p_r[4][2][4 + e_16] = p_v_15.at[e_16];
		const stencil_vector<float, 4> p_v_16 = stencil_load<float,
			4>(&p_s[slot_2][own_row + 3][own_column + 4]);
		STENCIL_UNROLL
		for (int e_17 = 0; e_17 < 4; e_17++)
			p_r[4][3][4 + e_17] = p_v_16.at[e_17];
		const stencil_vector<float, 4> p_v_17 = stencil_load<float,
			4>(&p_s[slot_2][own_row + 4][own_column]);
		STENCIL_UNROLL
		for (int e_18 = 0; e_18 < 4; e_18++)
			p_r[4][4][e_18] = p_v_17.at[e_18];
		const stencil_vector<float, 4> p_v_18 = stencil_load<float,
			4>(&p_s[slot_2][own_row + 4][own_column + 8]);
		STENCIL_UNROLL
		for (int e_19 = 0; e_19 < 4; e_19++)
			p_r[4][4][8 + e_19] = p_v_18.at[e_19];
		const stencil_vector<float, 4> p_v_19 = stencil_load<float,
			4>(&p_s[slot_2][own_row + 5][own_column + 4]);
		STENCIL_UNROLL
		for (int e_20 = 0; e_20 < 4; e_20++)
			p_r[4][5][4 + e_20] = p_v_19.at[e_20];
		const stencil_vector<float, 4> p_v_20 = stencil_load<float,
			4>(&p_s[slot_2][own_row + 6][own_column + 4]);
		STENCIL_UNROLL
		for (int e_21 = 0; e_21 < 4; e_21++)
			p_r[4][6][4 + e_21] = p_v_20.at[e_21];
		const stencil_vector<float, 4> p_v_21 = stencil_load<float,
			4>(&p_s[slot_2][own_row + 7][own_column + 4]);
		STENCIL_UNROLL
		for (int e_22 = 0; e_22 < 4; e_22++)
			p_r[4][7][4 + e_22] = p_v_21.at[e_22];
		const stencil_vector<float, 4> p_v_22 = stencil_load<float,
			4>(&p_s[slot_2][own_row + 8][own_column + 4]);
		STENCIL_UNROLL
		for (int e_23 = 0; e_23 < 4; e_23++)
			p_r[4][8][4 + e_23] = p_v_22.at[e_23];
		float p_new_r[1][4];
		const bool in_plane = z >= region.lo[0] && z < region.hi[0];
		const int32_t computed_2 = in_plane ? computed : 0;
		STENCIL_UNROLL
		for (int32_t i = 0; i < 4; i++) {
#line 12 "../src/examples/wave.st"
			const float vel_c = vel_r[0][0][i];
#line 12 "../src/examples/wave.st"
			const float p_c = p_r[4][4][i + 4];
#line 7 "../src/examples/wave.st"
			const float v = -2.8472223f * p_c;
#line 12 "../src/examples/wave.st"
			p_new_r[0][i] = fmaf(dt2h2 * vel_c * vel_c, v + fmaf(-0.0017857143f, p_r[0][4][i + 4] + p_r[8][4][i + 4], fmaf(0.025396826f, p_r[1][4][i + 4] + p_r[7][4][i + 4], fmaf(-0.2f, p_r[2][4][i + 4] + p_r[6][4][i + 4], 1.6f * (p_r[3][4][i + 4] + p_r[5][4][i + 4])))) + (v + fmaf(-0.0017857143f, p_r[4][0][i + 4] + p_r[4][8][i + 4], fmaf(0.025396826f, p_r[4][1][i + 4] + p_r[4][7][i + 4], fmaf(-0.2f, p_r[4][2][i + 4] + p_r[4][6][i + 4], 1.6f * (p_r[4][3][i + 4] + p_r[4][5][i + 4]))))) + (v + fmaf(-0.0017857143f, p_r[4][4][i] + p_r[4][4][i + 8], fmaf(0.025396826f, p_r[4][4][i + 1] + p_r[4][4][i + 7], fmaf(-0.2f, p_r[4][4][i + 2] + p_r[4][4][i + 6], 1.6f * (p_r[4][4][i + 3] + p_r[4][4][i + 5]))))), fmaf(2.0f, p_c, -p_tm1_r[0][0][i]));
#line 358 "wave.cu"
			p_new_r[0][i] = computed_2 >> i & 1 ? p_new_r[0][i] : p_r[4][4][i + 4];
		}
		if (y < cells.hi[1] && x < cells.hi[2]) {
			stencil_vector<float, 4> p_v_23;

			STENCIL_UNROLL
			for (int e_24 = 0; e_24 < 4; e_24++)
				p_v_23.at[e_24] = p_new_r[0][e_24];
			stencil_store_global(p_at_5 + (int64_t)(z - grid.origin[0]) * p_z, p_v_23);
		}
		const int32_t slot_3 = (plane + 1) % 2;
		stencil_vector<float, 4> p_v_24;

		STENCIL_UNROLL
		for (int e_25 = 0; e_25 < 4; e_25++)
			p_v_24.at[e_25] = p_r[5][4][4 + e_25];
		stencil_store(&p_s[slot_3][own_row + 4][own_column + 4], p_v_24);
		STENCIL_UNROLL
		for (int32_t p_2 = 0; p_2 < 8; p_2++) {
			STENCIL_UNROLL
			for (int32_t i_2 = 0; i_2 < 4; i_2++) {
				p_r[p_2][4][i_2 + 4] = p_r[p_2 + 1][4][i_2 + 4];
			}
		}
		p_r[8][4][4] = p_next_r[0][0];
		p_r[8][4][5] = p_next_r[0][1];
		p_r[8][4][6] = p_next_r[0][2];
		p_r[8][4][7] = p_next_r[0][3];
	}
	stencil_copy_wait<0>();
}

/* p at t+1; stream-registers, 16x8x1 threads */
static __global__ void __launch_bounds__(128)
wave_k0_p(const stencil_cells cells, const float *__restrict__ p, const float *__restrict__ vel,
	const float *__restrict__ p_tm1, float *__restrict__ p_next, const stencil_layout p_layout,
	const stencil_layout vel_layout, const stencil_grid grid, const stencil_cells region,
	const float dt2h2)
{
	const int64_t p_y = p_layout.stride[1];
	const int64_t vel_y = vel_layout.stride[1];
	const int64_t p_z = p_layout.stride[0];
	const int64_t vel_z = vel_layout.stride[0];
	const int32_t x = cells.lo[2] + (int32_t)blockIdx.x * 64 + (int32_t)threadIdx.x;
	const int32_t y = cells.lo[1] + (int32_t)blockIdx.y * 8 + (int32_t)threadIdx.y;
	const int32_t z_first = cells.lo[0] + (int32_t)blockIdx.z * 80;
	const int32_t x_block = cells.lo[2] + (int32_t)blockIdx.x * 64;
	const int32_t y_block = cells.lo[1] + (int32_t)blockIdx.y * 8;
	const int32_t thread = (int32_t)threadIdx.y * 16 + (int32_t)threadIdx.x;
	const int64_t p_from = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * p_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int32_t x_2 = x + 16;
	const int64_t p_from_2 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * p_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_2, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int32_t x_3 = x + 32;
	const int64_t p_from_3 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * p_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_3, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int32_t x_4 = x + 48;
	const int64_t p_from_4 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * p_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_4, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int32_t own_row = (int32_t)threadIdx.y;
	const int32_t own_column = (int32_t)threadIdx.x;
	const int32_t halo_row = thread / 64 < 4 ? thread / 64 : thread / 64 + 8;
	const int32_t halo_column = thread % 64 + 4;
	const int32_t x_5 = x_block + (halo_column - 4);
	const int32_t y_2 = y_block + (halo_row - 4);
	const int64_t p_from_5 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y_2, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * p_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_5, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int32_t piece = thread + 128;
	const int32_t halo_row_2 = piece / 64 < 4 ? piece / 64 : piece / 64 + 8;
	const int32_t halo_column_2 = piece % 64 + 4;
	const int32_t x_6 = x_block + (halo_column_2 - 4);
	const int32_t y_3 = y_block + (halo_row_2 - 4);
	const int64_t p_from_6 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y_3, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * p_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_6, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int32_t piece_2 = thread + 256;
	const int32_t halo_row_3 = piece_2 / 64 < 4 ? piece_2 / 64 : piece_2 / 64 + 8;
	const int32_t halo_column_3 = piece_2 % 64 + 4;
	const int32_t x_7 = x_block + (halo_column_3 - 4);
	const int32_t y_4 = y_block + (halo_row_3 - 4);
	const int64_t p_from_7 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y_4, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * p_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_7, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int32_t piece_3 = thread + 384;
	const int32_t halo_row_4 = piece_3 / 64 < 4 ? piece_3 / 64 : piece_3 / 64 + 8;
	const int32_t halo_column_4 = piece_3 % 64 + 4;
	const int32_t x_8 = x_block + (halo_column_4 - 4);
	const int32_t y_5 = y_block + (halo_row_4 - 4);
	const int64_t p_from_8 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y_5, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * p_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_8, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int32_t piece_4 = thread + 512;
	const bool is_piece = piece_4 < 576;
	const int32_t halo_row_5 = stencil_max_i32(piece_4 - 512, 0) / 8 + 4;
	const int32_t halo_column_5 = stencil_max_i32(piece_4 - 512, 0) % 8 < 4 ?
		stencil_max_i32(piece_4 - 512, 0) % 8 : stencil_max_i32(piece_4 - 512, 0) % 8 + 64;
	const int32_t x_9 = x_block + (halo_column_5 - 4);
	const int32_t y_6 = y_block + (halo_row_5 - 4);
	const int64_t p_from_9 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y_6, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * p_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_9, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int64_t vel_from = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * vel_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int64_t vel_from_2 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * vel_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_2, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int64_t vel_from_3 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * vel_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_3, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int64_t vel_from_4 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * vel_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_4, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int32_t computed = stencil_keep((y >= region.lo[1] && y < region.hi[1] &&
		x >= region.lo[2] && x < region.hi[2] ? 1 : 0) +
		(y >= region.lo[1] && y < region.hi[1] && x + 16 >= region.lo[2] &&
		x + 16 < region.hi[2] ? 2 : 0) +
		(y >= region.lo[1] && y < region.hi[1] && x + 32 >= region.lo[2] &&
		x + 32 < region.hi[2] ? 4 : 0) +
		(y >= region.lo[1] && y < region.hi[1] && x + 48 >= region.lo[2] &&
		x + 48 < region.hi[2] ? 8 : 0));

	float vel_r[1][1][1][4];
	float p_r[9][9][9][4];
	float (*const p_s)[16][72] = (float (*)[16][72])stencil_at(stencil_shared(), 0);
	float p_next_r[1][4];
	const int32_t z_in = z_first - 4;
	const int64_t p_plane = (int64_t)(stencil_min_i32(stencil_max_i32(z_in, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	p_r[0][4][4][0] = stencil_load_early<float, 1>(&p[p_plane + p_from]).at[0];
	p_r[0][4][4][1] = stencil_load_early<float, 1>(&p[p_plane + p_from_2]).at[0];
	p_r[0][4][4][2] = stencil_load_early<float, 1>(&p[p_plane + p_from_3]).at[0];
	p_r[0][4][4][3] = stencil_load_early<float, 1>(&p[p_plane + p_from_4]).at[0];
	const int32_t z_in_2 = z_first - 3;
	const int64_t p_plane_2 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_2, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	p_r[1][4][4][0] = stencil_load_early<float, 1>(&p[p_plane_2 + p_from]).at[0];
	p_r[1][4][4][1] = stencil_load_early<float, 1>(&p[p_plane_2 + p_from_2]).at[0];
	p_r[1][4][4][2] = stencil_load_early<float, 1>(&p[p_plane_2 + p_from_3]).at[0];
	p_r[1][4][4][3] = stencil_load_early<float, 1>(&p[p_plane_2 + p_from_4]).at[0];
	const int32_t z_in_3 = z_first - 2;
	const int64_t p_plane_3 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_3, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	p_r[2][4][4][0] = stencil_load_early<float, 1>(&p[p_plane_3 + p_from]).at[0];
	p_r[2][4][4][1] = stencil_load_early<float, 1>(&p[p_plane_3 + p_from_2]).at[0];
	p_r[2][4][4][2] = stencil_load_early<float, 1>(&p[p_plane_3 + p_from_3]).at[0];
	p_r[2][4][4][3] = stencil_load_early<float, 1>(&p[p_plane_3 + p_from_4]).at[0];
	const int32_t z_in_4 = z_first - 1;
	const int64_t p_plane_4 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_4, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	p_r[3][4][4][0] = stencil_load_early<float, 1>(&p[p_plane_4 + p_from]).at[0];
	p_r[3][4][4][1] = stencil_load_early<float, 1>(&p[p_plane_4 + p_from_2]).at[0];
	p_r[3][4][4][2] = stencil_load_early<float, 1>(&p[p_plane_4 + p_from_3]).at[0];
	p_r[3][4][4][3] = stencil_load_early<float, 1>(&p[p_plane_4 + p_from_4]).at[0];
	const int64_t p_plane_5 = (int64_t)(stencil_min_i32(stencil_max_i32(z_first, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	p_r[4][4][4][0] = stencil_load_early<float, 1>(&p[p_plane_5 + p_from]).at[0];
	p_r[4][4][4][1] = stencil_load_early<float, 1>(&p[p_plane_5 + p_from_2]).at[0];
	p_r[4][4][4][2] = stencil_load_early<float, 1>(&p[p_plane_5 + p_from_3]).at[0];
	p_r[4][4][4][3] = stencil_load_early<float, 1>(&p[p_plane_5 + p_from_4]).at[0];
	const int32_t z_in_5 = z_first + 1;
	const int64_t p_plane_6 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_5, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	p_r[5][4][4][0] = stencil_load_early<float, 1>(&p[p_plane_6 + p_from]).at[0];
	p_r[5][4][4][1] = stencil_load_early<float, 1>(&p[p_plane_6 + p_from_2]).at[0];
	p_r[5][4][4][2] = stencil_load_early<float, 1>(&p[p_plane_6 + p_from_3]).at[0];
	p_r[5][4][4][3] = stencil_load_early<float, 1>(&p[p_plane_6 + p_from_4]).at[0];
	const int32_t z_in_6 = z_first + 2;
	const int64_t p_plane_7 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_6, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	p_r[6][4][4][0] = stencil_load_early<float, 1>(&p[p_plane_7 + p_from]).at[0];
	p_r[6][4][4][1] = stencil_load_early<float, 1>(&p[p_plane_7 + p_from_2]).at[0];
	p_r[6][4][4][2] = stencil_load_early<float, 1>(&p[p_plane_7 + p_from_3]).at[0];
	p_r[6][4][4][3] = stencil_load_early<float, 1>(&p[p_plane_7 + p_from_4]).at[0];
	const int32_t z_in_7 = z_first + 3;
	const int64_t p_plane_8 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_7, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	p_r[7][4][4][0] = stencil_load_early<float, 1>(&p[p_plane_8 + p_from]).at[0];
	p_r[7][4][4][1] = stencil_load_early<float, 1>(&p[p_plane_8 + p_from_2]).at[0];
	p_r[7][4][4][2] = stencil_load_early<float, 1>(&p[p_plane_8 + p_from_3]).at[0];
	p_r[7][4][4][3] = stencil_load_early<float, 1>(&p[p_plane_8 + p_from_4]).at[0];
	const int32_t z_in_8 = z_first + 4;
	const int64_t p_plane_9 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_8, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * p_z;
	p_r[8][4][4][0] = stencil_load_early<float, 1>(&p[p_plane_9 + p_from]).at[0];
	p_r[8][4][4][1] = stencil_load_early<float, 1>(&p[p_plane_9 + p_from_2]).at[0];
	p_r[8][4][4][2] = stencil_load_early<float, 1>(&p[p_plane_9 + p_from_3]).at[0];
	p_r[8][4][4][3] = stencil_load_early<float, 1>(&p[p_plane_9 + p_from_4]).at[0];
	p_s[0][own_row + 4][own_column + 4] = p_r[4][4][4][0];
	p_s[0][own_row + 4][own_column + 20] = p_r[4][4][4][1];
	p_s[0][own_row + 4][own_column + 36] = p_r[4][4][4][2];
	p_s[0][own_row + 4][own_column + 52] = p_r[4][4][4][3];
	float p_tm1_r[1][1][1][4];
	stencil_copy4(&p_s[0][halo_row][halo_column], &p[p_plane_5 + p_from_5]);
	stencil_copy4(&p_s[0][halo_row_2][halo_column_2], &p[p_plane_5 + p_from_6]);
	stencil_copy4(&p_s[0][halo_row_3][halo_column_3], &p[p_plane_5 + p_from_7]);
	stencil_copy4(&p_s[0][halo_row_4][halo_column_4], &p[p_plane_5 + p_from_8]);
	if (is_piece) {
		stencil_copy4(&p_s[0][halo_row_5][halo_column_5], &p[p_plane_5 + p_from_9]);
	}
	stencil_copy_commit();
	const int32_t planes = stencil_min_i32(cells.hi[0] - z_first, 80);
	STENCIL_UNROLL_BY(10)
	for (int32_t plane = 0; plane < planes; plane++) {
		const int32_t z = z_first + plane;
		const int64_t vel_plane = (int64_t)(stencil_min_i32(stencil_max_i32(z,
			grid.first[0]), grid.last[0]) - grid.origin[0]) * vel_z;
		vel_r[0][0][0][0] = stencil_load_early<float, 1>(&vel[vel_plane + vel_from]).at[0];
		vel_r[0][0][0][1] = stencil_load_early<float,
			1>(&vel[vel_plane + vel_from_2]).at[0];
		vel_r[0][0][0][2] = stencil_load_early<float,
			1>(&vel[vel_plane + vel_from_3]).at[0];
		vel_r[0][0][0][3] = stencil_load_early<float,
			1>(&vel[vel_plane + vel_from_4]).at[0];
		const int64_t p_plane_10 = (int64_t)(stencil_min_i32(stencil_max_i32(z,
			grid.first[0]), grid.last[0]) - grid.origin[0]) * p_z;
		p_tm1_r[0][0][0][0] = stencil_load_early<float,
			1>(&p_tm1[p_plane_10 + p_from]).at[0];
		p_tm1_r[0][0][0][1] = stencil_load_early<float,
			1>(&p_tm1[p_plane_10 + p_from_2]).at[0];
		p_tm1_r[0][0][0][2] = stencil_load_early<float,
			1>(&p_tm1[p_plane_10 + p_from_3]).at[0];
		p_tm1_r[0][0][0][3] = stencil_load_early<float,
			1>(&p_tm1[p_plane_10 + p_from_4]).at[0];
		stencil_copy_wait<0>();
		__syncthreads();
		const int32_t z_in_9 = z + 5;
		const int64_t p_plane_11 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_9,
			grid.first[0]), grid.last[0]) - grid.origin[0]) * p_z;
		p_next_r[0][0] = stencil_load_early<float, 1>(&p[p_plane_11 + p_from]).at[0];
		p_next_r[0][1] = stencil_load_early<float, 1>(&p[p_plane_11 + p_from_2]).at[0];
		p_next_r[0][2] = stencil_load_early<float, 1>(&p[p_plane_11 + p_from_3]).at[0];
		p_next_r[0][3] = stencil_load_early<float, 1>(&p[p_plane_11 + p_from_4]).at[0];
		if (plane + 1 < planes) {
			const int32_t slot = (plane + 1) % 2;
			const int32_t z_in_10 = z + 1;
			const int64_t p_plane_12 =
				(int64_t)(stencil_min_i32(stencil_max_i32(z_in_10, grid.first[0]),
				grid.last[0]) - grid.origin[0]) * p_z;
			stencil_copy4(&p_s[slot][halo_row][halo_column], &p[p_plane_12 + p_from_5]);
			stencil_copy4(&p_s[slot][halo_row_2][halo_column_2], &p[p_plane_12 +
				p_from_6]);
			stencil_copy4(&p_s[slot][halo_row_3][halo_column_3], &p[p_plane_12 +
				p_from_7]);
			stencil_copy4(&p_s[slot][halo_row_4][halo_column_4], &p[p_plane_12 +
				p_from_8]);
			if (is_piece) {
				stencil_copy4(&p_s[slot][halo_row_5][halo_column_5], &p[p_plane_12 +
					p_from_9]);
			}
		}
		stencil_copy_commit();
		const int32_t slot_2 = plane % 2;
		p_r[4][0][4][0] = p_s[slot_2][own_row][own_column + 4];
		p_r[4][0][4][1] = p_s[slot_2][own_row][own_column + 20];
		p_r[4][0][4][2] = p_s[slot_2][own_row][own_column + 36];
		p_r[4][0][4][3] = p_s[slot_2][own_row][own_column + 52];
		p_r[4][1][4][0] = p_s[slot_2][own_row + 1][own_column + 4];
		p_r[4][1][4][1] = p_s[slot_2][own_row + 1][own_column + 20];
		p_r[4][1][4][2] = p_s[slot_2][own_row + 1][own_column + 36];
		p_r[4][1][4][3] = p_s[slot_2][own_row + 1][own_column + 52];
		p_r[4][2][4][0] = p_s[slot_2][own_row + 2][own_column + 4];
		p_r[4][2][4][1] = p_s[slot_2][own_row + 2][own_column + 20];
		p_r[4][2][4][2] = p_s[slot_2][own_row + 2][own_column + 36];
		p_r[4][2][4][3] = p_s[slot_2][own_row + 2][own_column + 52];
		p_r[4][3][4][0] = p_s[slot_2][own_row + 3][own_column + 4];
		p_r[4][3][4][1] = p_s[slot_2][own_row + 3][own_column + 20];
		p_r[4][3][4][2] = p_s[slot_2][own_row + 3][own_column + 36];
		p_r[4][3][4][3] = p_s[slot_2][own_row + 3][own_column + 52];
		p_r[4][4][0][0] = p_s[slot_2][own_row + 4][own_column];
		p_r[4][4][0][1] = p_s[slot_2][own_row + 4][own_column + 16];
		p_r[4][4][0][2] = p_s[slot_2][own_row + 4][own_column + 32];
		p_r[4][4][0][3] = p_s[slot_2][own_row + 4][own_column + 48];
		p_r[4][4][1][0] = p_s[slot_2][own_row + 4][own_column + 1];
		p_r[4][4][1][1] = p_s[slot_2][own_row + 4][own_column + 17];
		p_r[4][4][1][2] = p_s[slot_2][own_row + 4][own_column + 33];
		p_r[4][4][1][3] = p_s[slot_2][own_row + 4][own_column + 49];
		p_r[4][4][2][0] = p_s[slot_2][own_row + 4][own_column + 2];
		p_r[4][4][2][1] = p_s[slot_2][own_row + 4][own_column + 18];
		p_r[4][4][2][2] = p_s[slot_2][own_row + 4][own_column + 34];
		p_r[4][4][2][3] = p_s[slot_2][own_row + 4][own_column + 50];
		p_r[4][4][3][0] = p_s[slot_2][own_row + 4][own_column + 3];
		p_r[4][4][3][1] = p_s[slot_2][own_row + 4][own_column + 19];
		p_r[4][4][3][2] = p_s[slot_2][own_row + 4][own_column + 35];
		p_r[4][4][3][3] = p_s[slot_2][own_row + 4][own_column + 51];
		p_r[4][4][5][0] = p_s[slot_2][own_row + 4][own_column + 5];
		p_r[4][4][5][1] = p_s[slot_2][own_row + 4][own_column + 21];
		p_r[4][4][5][2] = p_s[slot_2][own_row + 4][own_column + 37];
		p_r[4][4][5][3] = p_s[slot_2][own_row + 4][own_column + 53];
		p_r[4][4][6][0] = p_s[slot_2][own_row + 4][own_column + 6];
		p_r[4][4][6][1] = p_s[slot_2][own_row + 4][own_column + 22];
		p_r[4][4][6][2] = p_s[slot_2][own_row + 4][own_column + 38];
		p_r[4][4][6][3] = p_s[slot_2][own_row + 4][own_column + 54];
		p_r[4][4][7][0] = p_s[slot_2][own_row + 4][own_column + 7];
		p_r[4][4][7][1] = p_s[slot_2][own_row + 4][own_column + 23];
		p_r[4][4][7][2] = p_s[slot_2][own_row + 4][own_column + 39];
		p_r[4][4][7][3] = p_s[slot_2][own_row + 4][own_column + 55];
		p_r[4][4][8][0] = p_s[slot_2][own_row + 4][own_column + 8];
		p_r[4][4][8][1] = p_s[slot_2][own_row + 4][own_column + 24];
		p_r[4][4][8][2] = p_s[slot_2][own_row + 4][own_column + 40];
		p_r[4][4][8][3] = p_s[slot_2][own_row + 4][own_column + 56];
		p_r[4][5][4][0] = p_s[slot_2][own_row + 5][own_column + 4];
		p_r[4][5][4][1] = p_s[slot_2][own_row + 5][own_column + 20];
		p_r[4][5][4][2] = p_s[slot_2][own_row + 5][own_column + 36];
		p_r[4][5][4][3] = p_s[slot_2][own_row + 5][own_column + 52];
		p_r[4][6][4][0] = p_s[slot_2][own_row + 6][own_column + 4];
		p_r[4][6][4][1] = p_s[slot_2][own_row + 6][own_column + 20];
		p_r[4][6][4][2] = p_s[slot_2][own_row + 6][own_column + 36];
		p_r[4][6][4][3] = p_s[slot_2][own_row + 6][own_column + 52];
		p_r[4][7][4][0] = p_s[slot_2][own_row + 7][own_column + 4];
		p_r[4][7][4][1] = p_s[slot_2][own_row + 7][own_column + 20];
		p_r[4][7][4][2] = p_s[slot_2][own_row + 7][own_column + 36];
		p_r[4][7][4][3] = p_s[slot_2][own_row + 7][own_column + 52];
		p_r[4][8][4][0] = p_s[slot_2][own_row + 8][own_column + 4];
		p_r[4][8][4][1] = p_s[slot_2][own_row + 8][own_column + 20];
		p_r[4][8][4][2] = p_s[slot_2][own_row + 8][own_column + 36];
		p_r[4][8][4][3] = p_s[slot_2][own_row + 8][own_column + 52];
		float p_new_r[1][4];
		const bool in_plane = z >= region.lo[0] && z < region.hi[0];
		const int32_t computed_2 = in_plane ? computed : 0;
		STENCIL_UNROLL
		for (int32_t i = 0; i < 4; i++) {
#line 12 "../src/examples/wave.st"
			const float vel_c = vel_r[0][0][0][i];
#line 12 "../src/examples/wave.st"
			const float p_c = p_r[4][4][4][i];
#line 7 "../src/examples/wave.st"
			const float v = -2.8472223f * p_c;
#line 12 "../src/examples/wave.st"
			p_new_r[0][i] = fmaf(dt2h2 * vel_c * vel_c, v + fmaf(-0.0017857143f, p_r[0][4][4][i] + p_r[8][4][4][i], fmaf(0.025396826f, p_r[1][4][4][i] + p_r[7][4][4][i], fmaf(-0.2f, p_r[2][4][4][i] + p_r[6][4][4][i], 1.6f * (p_r[3][4][4][i] + p_r[5][4][4][i])))) + (v + fmaf(-0.0017857143f, p_r[4][0][4][i] + p_r[4][8][4][i], fmaf(0.025396826f, p_r[4][1][4][i] + p_r[4][7][4][i], fmaf(-0.2f, p_r[4][2][4][i] + p_r[4][6][4][i], 1.6f * (p_r[4][3][4][i] + p_r[4][5][4][i]))))) + (v + fmaf(-0.0017857143f, p_r[4][4][0][i] + p_r[4][4][8][i], fmaf(0.025396826f, p_r[4][4][1][i] + p_r[4][4][7][i], fmaf(-0.2f, p_r[4][4][2][i] + p_r[4][4][6][i], 1.6f * (p_r[4][4][3][i] + p_r[4][4][5][i]))))), fmaf(2.0f, p_c, -p_tm1_r[0][0][0][i]));
#line 708 "wave.cu"
			p_new_r[0][i] = computed_2 >> i & 1 ? p_new_r[0][i] : p_r[4][4][4][i];
		}
		STENCIL_UNROLL
		for (int32_t i_2 = 0; i_2 < 4; i_2++) {
			if (y < cells.hi[1] && x + i_2 * 16 < cells.hi[2]) {
				p_next[(int64_t)(z - grid.origin[0]) * p_z +
					(int64_t)(y - grid.origin[1]) * p_y +
					(int64_t)(x + i_2 * 16 - grid.origin[2])] = p_new_r[0][i_2];
			}
		}
		const int32_t slot_3 = (plane + 1) % 2;
		p_s[slot_3][own_row + 4][own_column + 4] = p_r[5][4][4][0];
		p_s[slot_3][own_row + 4][own_column + 20] = p_r[5][4][4][1];
		p_s[slot_3][own_row + 4][own_column + 36] = p_r[5][4][4][2];
		p_s[slot_3][own_row + 4][own_column + 52] = p_r[5][4][4][3];
		STENCIL_UNROLL
		for (int32_t p_2 = 0; p_2 < 8; p_2++) {
			STENCIL_UNROLL
			for (int32_t i_3 = 0; i_3 < 4; i_3++) {
				p_r[p_2][4][4][i_3] = p_r[p_2 + 1][4][4][i_3];
			}
		}
		p_r[8][4][4][0] = p_next_r[0][0];
		p_r[8][4][4][1] = p_next_r[0][1];
		p_r[8][4][4][2] = p_next_r[0][2];
		p_r[8][4][4][3] = p_next_r[0][3];
	}
	stencil_copy_wait<0>();
}

stencil_status
wave(stencil_context *ctx, const wave_args *a)
{
	wave_call call, *const c = &call;
	void *memory;

	if (ctx == NULL)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "wave: no context");
	STENCIL_TRY(wave_prepare(ctx, a, c));

	const wave_call packed = call;
	const stencil_on_device device(ctx);

	STENCIL_TRY(device.status);

	int padded = a->steps >= 32 && wave_pad(c) > 0 &&
		stencil_room_for_rows(ctx, a->workspace, a->workspace_size, c->workspace, &memory);

	if (!padded) {
		call = packed;
		STENCIL_TRY(stencil_memory(ctx, "wave", a->workspace, a->workspace_size,
			c->workspace, &memory));
	}

	float *const p[3] = { padded ? (float *)stencil_at(memory, c->at_p_rows) : a->p,
		padded ? (float *)stencil_at(memory, c->at_p_tm1_rows) : a->p_tm1,
		(float *)stencil_at(memory, c->at_p_next) };
	const float *const vel = padded ? (const float *)stencil_at(memory, c->at_vel_rows) :
		a->vel;
	const stencil_cells p_cells = { { 0, 0, 0 },
		{ c->grid.extent[0], c->grid.extent[1], c->grid.extent[2] } };
	const stencil_cells p_region = {
		{ (int32_t)(stencil_max_i64(4, c->box.lo[0])),
		(int32_t)(stencil_max_i64(4, c->box.lo[1])),
		(int32_t)(stencil_max_i64(4, c->box.lo[2])) },
		{ (int32_t)(stencil_min_i64(c->box.hi[0], (int64_t)c->grid.extent[0] - 4)),
		(int32_t)(stencil_min_i64(c->box.hi[1], (int64_t)c->grid.extent[1] - 4)),
		(int32_t)(stencil_min_i64(c->box.hi[2], (int64_t)c->grid.extent[2] - 4)) } };
	const stencil_shape p_shape = { { 16, 8, 1 }, { 64, 8, 80 }, { 2, 1, 0 }, 9216 };

	if (padded) {
		STENCIL_TRY(stencil_copy_rows(ctx, a->p, packed.p, p[0], c->p, c->grid, 4, 1));
		STENCIL_TRY(stencil_copy_rows(ctx, a->p_tm1, packed.p, p[1], c->p, c->grid, 4, 1));
		STENCIL_TRY(stencil_copy_rows(ctx, a->vel, packed.vel, (float *)vel, c->vel,
			c->grid, 4, 1));
	}

	for (int64_t step = 0; step < a->steps; step++) {
		if ((padded || stencil_row_fits(&c->grid, 2, 4)) &&
			stencil_field_fits(p[stencil_slot(0, step, 3)], &c->p, 4) &&
			stencil_field_fits(vel, &c->vel, 4) &&
			stencil_field_fits(p[stencil_slot(-1, step, 3)], &c->p, 4) &&
			stencil_field_fits(p[stencil_slot(1, step, 3)], &c->p, 4)) {
			STENCIL_TRY(stencil_launch(ctx, "wave_k0_p_x4", p_shape,
				stencil_whole(p_cells, 2, 4), wave_k0_p_x4,
				p[stencil_slot(0, step, 3)], vel, p[stencil_slot(-1, step, 3)],
				p[stencil_slot(1, step, 3)], c->p, c->vel,
				stencil_whole_grid(c->grid, 2, 4), p_region, a->dt2h2));
		} else {
			STENCIL_TRY(stencil_launch(ctx, "wave_k0_p", p_shape, p_cells, wave_k0_p,
				p[stencil_slot(0, step, 3)], vel, p[stencil_slot(-1, step, 3)],
				p[stencil_slot(1, step, 3)], c->p, c->vel, c->grid, p_region,
				a->dt2h2));
		}
	}
	if (padded) {
		STENCIL_TRY(stencil_copy_rows(ctx, p[stencil_slot(0, a->steps, 3)], c->p, a->p,
			packed.p, c->grid, 1, 1));
		STENCIL_TRY(stencil_copy_rows(ctx, p[stencil_slot(-1, a->steps, 3)], c->p, a->p_tm1,
			packed.p, c->grid, 1, 1));
	} else {
		STENCIL_TRY(stencil_settle(ctx, p, c->p, c->grid, 1, a->steps, NULL));
	}
	return STENCIL_OK;
}
