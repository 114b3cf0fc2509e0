/* Made from shells.st by stencilc, for CUDA.
 *
 *   nvcc -std=c++17 -fmad=false -Xcompiler=-ffp-contract=off -arch=sm_90
 *
 * It is planned for that architecture; others run it, too.
 */
#include "shells.h"

#include "stencil_kernel.h"

/* What a call of shells works on, worked out from its arguments. */
typedef struct {
	stencil_grid grid;
	stencil_box box;
	stencil_layout u;
	stencil_layout v;
	size_t workspace; /* bytes of it */
} shells_call;

/* The sizes of the grids, of the fields and of the workspace. */
static stencil_status
shells_measure(stencil_context *ctx, const shells_args *a, shells_call *c)
{
	if (a == NULL)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "shells: no arguments");

	const char *const grid_names[] = { "nz", "ny", "nx" };
	const int64_t grid_extents[] = { a->nz, a->ny, a->nx };

	STENCIL_TRY(stencil_measure_grid(ctx, "shells", &c->grid, 3, grid_names, grid_extents));
	STENCIL_TRY(stencil_lay_out(ctx, "shells", "u", &c->u, &c->grid, 7, 1, 0, a->u_pitch,
		sizeof(float)));
	STENCIL_TRY(stencil_lay_out(ctx, "shells", "v", &c->v, &c->grid, 7, 1, 0, a->v_pitch,
		sizeof(float)));
	c->workspace = 0;
	return STENCIL_OK;
}

/* Everything that can be wrong with a call; nothing is written before. */
static stencil_status
shells_prepare(stencil_context *ctx, const shells_args *a, shells_call *c)
{
	STENCIL_TRY(shells_measure(ctx, a, c));

	const char *const axes[] = { "z", "y", "x" };

	c->box = a->box;
	STENCIL_TRY(stencil_check_box(ctx, "shells", &c->box, &c->grid, 3, axes));

	const stencil_range ranges[] = {
		{ "u", a->u, c->u.bytes, sizeof(float), 0 },
		{ "v", a->v, c->v.bytes, sizeof(float), 1 },
		{ "workspace", a->workspace, a->workspace_size, 16, 1 },
	};

	STENCIL_TRY(stencil_check_ranges(ctx, "shells", ranges, 2 + (a->workspace != NULL)));
	return STENCIL_OK;
}

STENCIL_WEAK void
shells_args_init(shells_args *a)
{
	memset(a, 0, sizeof *a);
}

size_t
shells_workspace(const shells_args *a)
{
	shells_call c = {};

	return shells_measure(NULL, a, &c) == STENCIL_OK ? c.workspace : 0;
}

/* v; accumulate, 8x4x1 threads */
static __global__ void __launch_bounds__(32)
shells_k0_v_x4(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ v,
	const stencil_layout u_layout, const stencil_layout v_layout, const stencil_grid grid,
	const stencil_cells region, const stencil_table<float, 4> c)
{
	const int64_t u_y = u_layout.stride[1];
	const int64_t v_y = v_layout.stride[1];
	const int64_t u_z = u_layout.stride[0];
	const int64_t v_z = v_layout.stride[0];
	const int32_t x = cells.lo[2] + (int32_t)blockIdx.x * 32 + (int32_t)threadIdx.x * 4;
	const int32_t y = cells.lo[1] + (int32_t)blockIdx.y * 4 + (int32_t)threadIdx.y;
	const int32_t z_first = cells.lo[0] + (int32_t)blockIdx.z * 8;
	const int32_t z_read = z_first - 1;
	const int32_t x_block = cells.lo[2] + (int32_t)blockIdx.x * 32;
	const int32_t y_block = cells.lo[1] + (int32_t)blockIdx.y * 4;
	const int32_t thread = (int32_t)threadIdx.y * 8 + (int32_t)threadIdx.x;
	const int64_t u_from = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * u_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x, grid.first[2]) + 3, grid.last[2]) -
		3 - grid.origin[2]);
	const int32_t own_row = (int32_t)threadIdx.y;
	const int32_t own_column = (int32_t)threadIdx.x * 4;
	const bool is_piece = thread < 28;
	const int32_t halo_row = thread < 20 ? (thread / 10 < 1 ? thread / 10 : thread / 10 + 4) :
		stencil_max_i32(thread - 20, 0) / 2 + 1;
	const int32_t halo_column = (thread < 20 ? thread % 10 : stencil_max_i32(thread - 20, 0) %
		2 < 1 ? stencil_max_i32(thread - 20, 0) % 2 : stencil_max_i32(thread - 20, 0) % 2 +
		8) * 4;
	const int32_t x_2 = x_block + (halo_column - 4);
	const int32_t y_2 = y_block + (halo_row - 1);
	const int64_t u_from_2 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y_2, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * u_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_2, grid.first[2]) + 3,
		grid.last[2]) - 3 - grid.origin[2]);
	const bool full = x >= region.lo[2] && x < region.hi[2] && x + 3 >= region.lo[2] &&
		x + 3 < region.hi[2];
	const int64_t v_to = (int64_t)(y - grid.origin[1]) * v_y + (int64_t)(x - grid.origin[2]);
	const float *const u_at = stencil_keep(u + u_from);
	const float *const u_at_2 = stencil_keep(u + u_from_2);
	float *const v_at = stencil_keep(v + v_to);

	/* planes that the first cells read */
	float u_r[1][3][6];
	float (*const u_s)[6][40] = (float (*)[6][40])stencil_at(stencil_shared(), 0);
	float u_next_r[1][4];
	const int64_t u_plane = (int64_t)(stencil_min_i32(stencil_max_i32(z_read, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * u_z;
	const stencil_vector<float, 4> u_v = stencil_load_early<float, 4>(u_at + u_plane);
	STENCIL_UNROLL
	for (int e = 0; e < 4; e++)
		u_next_r[0][e] = u_v.at[e];
	stencil_vector<float, 4> u_v_2;

	STENCIL_UNROLL
	for (int e = 0; e < 4; e++)
		u_v_2.at[e] = u_next_r[0][e];
	stencil_store(&u_s[0][own_row + 1][own_column + 4], u_v_2);
	if (is_piece) {
		stencil_copy16(&u_s[0][halo_row][halo_column], u_at_2 + u_plane);
	}
	stencil_copy_commit();
	float sum_r[1][1][4];
	STENCIL_UNROLL
	for (int32_t i_2 = 0; i_2 < 4; i_2++) {
		sum_r[0][0][i_2] = 0;
	}
	float sum_r_2[1][1][4];
	STENCIL_UNROLL
	for (int32_t i_3 = 0; i_3 < 4; i_3++) {
		sum_r_2[0][0][i_3] = 0;
	}
	/* one plane after the other */
	const int32_t planes = stencil_keep(stencil_min_i32(cells.hi[0] - z_first, 8) + 2);
	STENCIL_UNROLL_BY(2)
	for (int32_t plane = 0; plane < planes; plane++) {
		const int32_t z = z_read + plane;
		const bool complete = z - 1 >= z_first;
		const int32_t z_2 = stencil_max_i32(z - 1, z_first);
		stencil_copy_wait<0>();
		__syncthreads();
		/* what comes next is asked for */
		const int32_t z_in = z + 1;
		const int64_t u_plane_2 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in,
			grid.first[0]), grid.last[0]) - grid.origin[0]) * u_z;
		const stencil_vector<float, 4> u_v_3 = stencil_load_early<float,
			4>(u_at + u_plane_2);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_next_r[0][e] = u_v_3.at[e];
		if (plane + 1 < planes) {
			const int32_t slot = (plane + 1) % 2;
			const int32_t z_in_2 = z + 1;
			const int64_t u_plane_3 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_2,
				grid.first[0]), grid.last[0]) - grid.origin[0]) * u_z;
			if (is_piece) {
				stencil_copy16(&u_s[slot][halo_row][halo_column],
					u_at_2 + u_plane_3);
			}
		}
		stencil_copy_commit();
		/* what the cells read, from shared memory */
		const int32_t slot_2 = plane % 2;
		u_r[0][0][0] = u_s[slot_2][own_row][own_column + 3];
		const stencil_vector<float, 4> u_v_4 = stencil_load<float,
			4>(&u_s[slot_2][own_row][own_column + 4]);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_r[0][0][1 + e] = u_v_4.at[e];
		u_r[0][0][5] = u_s[slot_2][own_row][own_column + 8];
		u_r[0][1][0] = u_s[slot_2][own_row + 1][own_column + 3];
		const stencil_vector<float, 4> u_v_5 = stencil_load<float,
			4>(&u_s[slot_2][own_row + 1][own_column + 4]);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_r[0][1][1 + e] = u_v_5.at[e];
		u_r[0][1][5] = u_s[slot_2][own_row + 1][own_column + 8];
		u_r[0][2][0] = u_s[slot_2][own_row + 2][own_column + 3];
		const stencil_vector<float, 4> u_v_6 = stencil_load<float,
			4>(&u_s[slot_2][own_row + 2][own_column + 4]);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_r[0][2][1 + e] = u_v_6.at[e];
		u_r[0][2][5] = u_s[slot_2][own_row + 2][own_column + 8];
		/* the cells */
		float v_new_r[1][4];
		const bool in_plane = z_2 >= region.lo[0] && z_2 < region.hi[0];
		STENCIL_UNROLL
		for (int32_t i = 0; i < 4; i++) {
			const float part = (u_r[0][0][i] + u_r[0][0][i + 2] +
				(u_r[0][2][i] + u_r[0][2][i + 2]));
			const float part_2 = (u_r[0][0][i + 1] + u_r[0][2][i + 1] +
				(u_r[0][1][i] + u_r[0][1][i + 2]));
			const float part_3 = fmaf(c.v[3], part,
				fmaf(c.v[2], part_2, c.v[1] * u_r[0][1][i + 1]));
			v_new_r[0][i] = sum_r[0][0][i] + part_3;
			sum_r[0][0][i] = fmaf(c.v[2], part,
				fmaf(c.v[1], part_2, fmaf(c.v[0], u_r[0][1][i + 1],
				sum_r_2[0][0][i])));
			sum_r_2[0][0][i] = part_3;
		}
		if (complete && in_plane && y < cells.hi[1] && y >= region.lo[1] &&
			y < region.hi[1] && x < cells.hi[2]) {
			if (full) {
				stencil_vector<float, 4> v_v;

				STENCIL_UNROLL
				for (int e = 0; e < 4; e++)
					v_v.at[e] = v_new_r[0][e];
				stencil_store_global(v_at + (int64_t)(z_2 - grid.origin[0]) * v_z,
					v_v);
			} else {
				STENCIL_UNROLL
				for (int32_t i_4 = 0; i_4 < 4; i_4++) {
					if (x + i_4 < cells.hi[2] && x + i_4 >= region.lo[2] &&
						x + i_4 < region.hi[2]) {
						v[(int64_t)(z_2 - grid.origin[0]) * v_z +
							(int64_t)(y - grid.origin[1]) * v_y +
							(int64_t)(x + i_4 - grid.origin[2])] =
							v_new_r[0][i_4];
					}
				}
			}
		}
		/* what has come goes to shared memory */
		const int32_t slot_3 = (plane + 1) % 2;
		stencil_vector<float, 4> u_v_7;

		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_v_7.at[e] = u_next_r[0][e];
		stencil_store(&u_s[slot_3][own_row + 1][own_column + 4], u_v_7);
	}
	stencil_copy_wait<0>();
}

/* v; accumulate, 32x4x1 threads */
static __global__ void __launch_bounds__(128, 1)
shells_k0_v_laps(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ v,
	const stencil_layout u_layout, const stencil_layout v_layout, const stencil_grid grid,
	const int32_t rows, const stencil_table<float, 4> c)
{
	const int64_t u_y = u_layout.stride[1];
	const int64_t v_y = v_layout.stride[1];
	const int64_t u_z = u_layout.stride[0];
	const int64_t v_z = v_layout.stride[0];
	const int32_t lane = (int32_t)stencil_lane();
	const int32_t x_block = stencil_min_i32(cells.lo[2] + (int32_t)blockIdx.x * 128,
		cells.hi[2] - 128);
	const int32_t x = x_block + (int32_t)threadIdx.x;
	const int32_t y = cells.lo[1] + (int32_t)blockIdx.y * 16 + (int32_t)threadIdx.y * 4;
	if (y >= cells.hi[1])
		return;
	const int32_t z_first = cells.lo[0] + (int32_t)blockIdx.z * rows;
	if (z_first >= cells.hi[0])
		return;
	const int32_t y_m1 = y - 1;
	const int64_t u_row_m1 = (stencil_fold_clamp_lo(y_m1, grid.first[1]) - grid.origin[1]) *
		u_y;
	const bool leftmost = lane < 1;
	const bool rightmost = lane >= 31;
	const bool outermost = leftmost || rightmost;
	const int32_t x_side = leftmost ? x - 1 : x + 97;
	const int32_t u_side = stencil_keep((int32_t)(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_side, grid.first[2]), grid.last[2]) - x));
	const int64_t u_from = u_row_m1 + (int64_t)(x - grid.origin[2]);
	const int64_t u_row = (int64_t)(y - grid.origin[1]) * u_y;
	const int64_t u_from_2 = u_row + (int64_t)(x - grid.origin[2]);
	const int32_t y_p1 = y + 1;
	const int64_t u_row_p1 = (stencil_fold_clamp_hi(y_p1, grid.last[1]) - grid.origin[1]) * u_y;
	const int64_t u_from_3 = u_row_p1 + (int64_t)(x - grid.origin[2]);
	const int32_t y_p2 = stencil_min_i32(y + 2, cells.hi[1]);
	const int64_t u_row_p2 = (stencil_fold_clamp_hi(y_p2, grid.last[1]) - grid.origin[1]) * u_y;
	const int64_t u_from_4 = u_row_p2 + (int64_t)(x - grid.origin[2]);
	const int32_t y_p3 = stencil_min_i32(y + 3, cells.hi[1]);
	const int64_t u_row_p3 = (stencil_fold_clamp_hi(y_p3, grid.last[1]) - grid.origin[1]) * u_y;
	const int64_t u_from_5 = u_row_p3 + (int64_t)(x - grid.origin[2]);
	const int32_t y_p4 = stencil_min_i32(y + 4, cells.hi[1]);
	const int64_t u_row_p4 = (stencil_fold_clamp_hi(y_p4, grid.last[1]) - grid.origin[1]) * u_y;
	const int64_t u_from_6 = u_row_p4 + (int64_t)(x - grid.origin[2]);
	const int32_t lane_m1 = (lane + 31) % 32;
	const int32_t lane_p1 = (lane + 1) % 32;
	const int64_t v_to = (int64_t)(y - grid.origin[1]) * v_y + (int64_t)(x - grid.origin[2]);
	const float *const u_at = stencil_keep(u + u_from);
	const float *const u_at_2 = stencil_keep(u + u_from_2);
	const float *const u_at_3 = stencil_keep(u + u_from_3);
	const float *const u_at_4 = stencil_keep(u + u_from_4);
	const float *const u_at_5 = stencil_keep(u + u_from_5);
	const float *const u_at_6 = stencil_keep(u + u_from_6);
	float *const v_at = stencil_keep(v + v_to);

	float u_r[1][6][3][4];
	/* one plane after the other */
	const int32_t end = stencil_min_i32(z_first + rows, cells.hi[0]);
	float sum_r[1][4][4];
	STENCIL_UNROLL
	for (int32_t j_2 = 0; j_2 < 4; j_2++) {
		STENCIL_UNROLL
		for (int32_t i_2 = 0; i_2 < 4; i_2++) {
			sum_r[0][j_2][i_2] = 0;
		}
	}
	float sum_r_2[1][4][4];
	STENCIL_UNROLL
	for (int32_t j_3 = 0; j_3 < 4; j_3++) {
		STENCIL_UNROLL
		for (int32_t i_3 = 0; i_3 < 4; i_3++) {
			sum_r_2[0][j_3][i_3] = 0;
		}
	}
	STENCIL_UNROLL_BY(1)
	for (int32_t plane = z_first - 1; plane < end + 1; plane++) {
		const bool complete = plane - 1 >= z_first;
		const int32_t z = stencil_max_i32(plane - 1, z_first);
		/* what comes within reach */
		const int64_t u_plane = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(plane,
			grid.first[0]), grid.last[0]) - grid.origin[0]) * u_z;
		if (outermost) {
			u_r[0][0][0][0] = u_at[u_plane + (int64_t)u_side];
			u_r[0][0][2][3] = u_r[0][0][0][0];
		}
		if (outermost) {
			u_r[0][1][0][0] = u_at_2[u_plane + (int64_t)u_side];
			u_r[0][1][2][3] = u_r[0][1][0][0];
		}
		if (outermost) {
			u_r[0][2][0][0] = u_at_3[u_plane + (int64_t)u_side];
			u_r[0][2][2][3] = u_r[0][2][0][0];
		}
		if (outermost) {
			u_r[0][3][0][0] = u_at_4[u_plane + (int64_t)u_side];
			u_r[0][3][2][3] = u_r[0][3][0][0];
		}
		if (outermost) {
			u_r[0][4][0][0] = u_at_5[u_plane + (int64_t)u_side];
			u_r[0][4][2][3] = u_r[0][4][0][0];
		}
		if (outermost) {
			u_r[0][5][0][0] = u_at_6[u_plane + (int64_t)u_side];
			u_r[0][5][2][3] = u_r[0][5][0][0];
		}
		u_r[0][0][1][0] = u_at[u_plane];
		u_r[0][0][1][1] = u_at[u_plane + (int64_t)32];
		u_r[0][0][1][2] = u_at[u_plane + (int64_t)64];
		u_r[0][0][1][3] = u_at[u_plane + (int64_t)96];
		u_r[0][1][1][0] = u_at_2[u_plane];
		u_r[0][1][1][1] = u_at_2[u_plane + (int64_t)32];
		u_r[0][1][1][2] = u_at_2[u_plane + (int64_t)64];
		u_r[0][1][1][3] = u_at_2[u_plane + (int64_t)96];
		u_r[0][2][1][0] = u_at_3[u_plane];
		u_r[0][2][1][1] = u_at_3[u_plane + (int64_t)32];
		u_r[0][2][1][2] = u_at_3[u_plane + (int64_t)64];
		u_r[0][2][1][3] = u_at_3[u_plane + (int64_t)96];
		u_r[0][3][1][0] = u_at_4[u_plane];
		u_r[0][3][1][1] = u_at_4[u_plane + (int64_t)32];
		u_r[0][3][1][2] = u_at_4[u_plane + (int64_t)64];
		u_r[0][3][1][3] = u_at_4[u_plane + (int64_t)96];
		u_r[0][4][1][0] = u_at_5[u_plane];
		u_r[0][4][1][1] = u_at_5[u_plane + (int64_t)32];
		u_r[0][4][1][2] = u_at_5[u_plane + (int64_t)64];
		u_r[0][4][1][3] = u_at_5[u_plane + (int64_t)96];
		u_r[0][5][1][0] = u_at_6[u_plane];
		u_r[0][5][1][1] = u_at_6[u_plane + (int64_t)32];
		u_r[0][5][1][2] = u_at_6[u_plane + (int64_t)64];
		u_r[0][5][1][3] = u_at_6[u_plane + (int64_t)96];
		const float beside = stencil_shuffle(u_r[0][0][1][0], lane_m1);
		u_r[0][0][0][0] = leftmost ? u_r[0][0][0][0] : beside;
		const float beside_2 = stencil_shuffle(u_r[0][0][1][1], lane_m1);
		u_r[0][0][0][1] = leftmost ? beside : beside_2;
		const float beside_3 = stencil_shuffle(u_r[0][0][1][2], lane_m1);
		u_r[0][0][0][2] = leftmost ? beside_2 : beside_3;
		const float beside_4 = stencil_shuffle(u_r[0][0][1][3], lane_m1);
		u_r[0][0][0][3] = leftmost ? beside_3 : beside_4;
		const float beside_5 = stencil_shuffle(u_r[0][0][1][0], lane_p1);
		const float beside_6 = stencil_shuffle(u_r[0][0][1][1], lane_p1);
		u_r[0][0][2][0] = rightmost ? beside_6 : beside_5;
		const float beside_7 = stencil_shuffle(u_r[0][0][1][2], lane_p1);
		u_r[0][0][2][1] = rightmost ? beside_7 : beside_6;
		const float beside_8 = stencil_shuffle(u_r[0][0][1][3], lane_p1);
		u_r[0][0][2][2] = rightmost ? beside_8 : beside_7;
		u_r[0][0][2][3] = rightmost ? u_r[0][0][2][3] : beside_8;
		const float beside_9 = stencil_shuffle(u_r[0][1][1][0], lane_m1);
		u_r[0][1][0][0] = leftmost ? u_r[0][1][0][0] : beside_9;
		const float beside_10 = stencil_shuffle(u_r[0][1][1][1], lane_m1);
		u_r[0][1][0][1] = leftmost ? beside_9 : beside_10;
		const float beside_11 = stencil_shuffle(u_r[0][1][1][2], lane_m1);
		u_r[0][1][0][2] = leftmost ? beside_10 : beside_11;
		const float beside_12 = stencil_shuffle(u_r[0][1][1][3], lane_m1);
		u_r[0][1][0][3] = leftmost ? beside_11 : beside_12;
		const float beside_13 = stencil_shuffle(u_r[0][1][1][0], lane_p1);
		const float beside_14 = stencil_shuffle(u_r[0][1][1][1], lane_p1);
		u_r[0][1][2][0] = rightmost ? beside_14 : beside_13;
		const float beside_15 = stencil_shuffle(u_r[0][1][1][2], lane_p1);
		u_r[0][1][2][1] = rightmost ? beside_15 : beside_14;
		const float beside_16 = stencil_shuffle(u_r[0][1][1][3], lane_p1);
		u_r[0][1][2][2] = rightmost ? beside_16 : beside_15;
		u_r[0][1][2][3] = rightmost ? u_r[0][1][2][3] : beside_16;
		const float beside_17 = stencil_shuffle(u_r[0][2][1][0], lane_m1);
		u_r[0][2][0][0] = leftmost ? u_r[0][2][0][0] : beside_17;
		const float beside_18 = stencil_shuffle(u_r[0][2][1][1], lane_m1);
		u_r[0][2][0][1] = leftmost ? beside_17 : beside_18;
		const float beside_19 = stencil_shuffle(u_r[0][2][1][2], lane_m1);
		u_r[0][2][0][2] = leftmost ? beside_18 : beside_19;
		const float beside_20 = stencil_shuffle(u_r[0][2][1][3], lane_m1);
		u_r[0][2][0][3] = leftmost ? beside_19 : beside_20;
		const float beside_21 = stencil_shuffle(u_r[0][2][1][0], lane_p1);
		const float beside_22 = stencil_shuffle(u_r[0][2][1][1], lane_p1);
		u_r[0][2][2][0] = rightmost ? beside_22 : beside_21;
		const float beside_23 = stencil_shuffle(u_r[0][2][1][2], lane_p1);
		u_r[0][2][2][1] = rightmost ? beside_23 : beside_22;
		const float beside_24 = stencil_shuffle(u_r[0][2][1][3], lane_p1);
		u_r[0][2][2][2] = rightmost ? beside_24 : beside_23;
		u_r[0][2][2][3] = rightmost ? u_r[0][2][2][3] : beside_24;
		const float beside_25 = stencil_shuffle(u_r[0][3][1][0], lane_m1);
		u_r[0][3][0][0] = leftmost ? u_r[0][3][0][0] : beside_25;
		const float beside_26 = stencil_shuffle(u_r[0][3][1][1], lane_m1);
		u_r[0][3][0][1] = leftmost ? beside_25 : beside_26;
		const float beside_27 = stencil_shuffle(u_r[0][3][1][2], lane_m1);
		u_r[0][3][0][2] = leftmost ? beside_26 : beside_27;
		const float beside_28 = stencil_shuffle(u_r[0][3][1][3], lane_m1);
		u_r[0][3][0][3] = leftmost ? beside_27 : beside_28;
		const float beside_29 = stencil_shuffle(u_r[0][3][1][0], lane_p1);
		const float beside_30 = stencil_shuffle(u_r[0][3][1][1], lane_p1);
		u_r[0][3][2][0] = rightmost ? beside_30 : beside_29;
		const float beside_31 = stencil_shuffle(u_r[0][3][1][2], lane_p1);
		u_r[0][3][2][1] = rightmost ? beside_31 : beside_30;
		const float beside_32 = stencil_shuffle(u_r[0][3][1][3], lane_p1);
		u_r[0][3][2][2] = rightmost ? beside_32 : beside_31;
		u_r[0][3][2][3] = rightmost ? u_r[0][3][2][3] : beside_32;
		const float beside_33 = stencil_shuffle(u_r[0][4][1][0], lane_m1);
		u_r[0][4][0][0] = leftmost ? u_r[0][4][0][0] : beside_33;
		const float beside_34 = stencil_shuffle(u_r[0][4][1][1], lane_m1);
		u_r[0][4][0][1] = leftmost ? beside_33 : beside_34;
		const float beside_35 = stencil_shuffle(u_r[0][4][1][2], lane_m1);
		u_r[0][4][0][2] = leftmost ? beside_34 : beside_35;
		const float beside_36 = stencil_shuffle(u_r[0][4][1][3], lane_m1);
		u_r[0][4][0][3] = leftmost ? beside_35 : beside_36;
		const float beside_37 = stencil_shuffle(u_r[0][4][1][0], lane_p1);
		const float beside_38 = stencil_shuffle(u_r[0][4][1][1], lane_p1);
		u_r[0][4][2][0] = rightmost ? beside_38 : beside_37;
		const float beside_39 = stencil_shuffle(u_r[0][4][1][2], lane_p1);
		u_r[0][4][2][1] = rightmost ? beside_39 : beside_38;
		const float beside_40 = stencil_shuffle(u_r[0][4][1][3], lane_p1);
		u_r[0][4][2][2] = rightmost ? beside_40 : beside_39;
		u_r[0][4][2][3] = rightmost ? u_r[0][4][2][3] : beside_40;
		const float beside_41 = stencil_shuffle(u_r[0][5][1][0], lane_m1);
		u_r[0][5][0][0] = leftmost ? u_r[0][5][0][0] : beside_41;
		const float beside_42 = stencil_shuffle(u_r[0][5][1][1], lane_m1);
		u_r[0][5][0][1] = leftmost ? beside_41 : beside_42;
		const float beside_43 = stencil_shuffle(u_r[0][5][1][2], lane_m1);
		u_r[0][5][0][2] = leftmost ? beside_42 : beside_43;
		const float beside_44 = stencil_shuffle(u_r[0][5][1][3], lane_m1);
		u_r[0][5][0][3] = leftmost ? beside_43 : beside_44;
		const float beside_45 = stencil_shuffle(u_r[0][5][1][0], lane_p1);
		const float beside_46 = stencil_shuffle(u_r[0][5][1][1], lane_p1);
		u_r[0][5][2][0] = rightmost ? beside_46 : beside_45;
		const float beside_47 = stencil_shuffle(u_r[0][5][1][2], lane_p1);
		u_r[0][5][2][1] = rightmost ? beside_47 : beside_46;
		const float beside_48 = stencil_shuffle(u_r[0][5][1][3], lane_p1);
		u_r[0][5][2][2] = rightmost ? beside_48 : beside_47;
		u_r[0][5][2][3] = rightmost ? u_r[0][5][2][3] : beside_48;
		/* what it gives to the cells */
		float v_new_r[4][4];
		STENCIL_UNROLL
		for (int32_t j = 0; j < 4; j++) {
			STENCIL_UNROLL
			for (int32_t i = 0; i < 4; i++) {
				const float part = (u_r[0][j][0][i] + u_r[0][j][2][i] +
					(u_r[0][j + 2][0][i] + u_r[0][j + 2][2][i]));
				const float part_2 = (u_r[0][j][1][i] + u_r[0][j + 2][1][i] +
					(u_r[0][j + 1][0][i] + u_r[0][j + 1][2][i]));
				const float part_3 = fmaf(c.v[3], part,
					fmaf(c.v[2], part_2, c.v[1] * u_r[0][j + 1][1][i]));
				v_new_r[j][i] = sum_r[0][j][i] + part_3;
				sum_r[0][j][i] = fmaf(c.v[2], part,
					fmaf(c.v[1], part_2, fmaf(c.v[0], u_r[0][j + 1][1][i],
					sum_r_2[0][j][i])));
				sum_r_2[0][j][i] = part_3;
			}
		}
		STENCIL_UNROLL
		for (int32_t j_4 = 0; j_4 < 4; j_4++) {
			STENCIL_UNROLL
			for (int32_t i_4 = 0; i_4 < 4; i_4++) {
				if (complete && y + j_4 < cells.hi[1]) {
					v_at[(int64_t)(z - grid.origin[0]) * v_z + (int64_t)j_4 *
						v_y + (int64_t)(i_4 * 32)] = v_new_r[j_4][i_4];
				}
			}
		}
	}
}

/* v; accumulate, 8x4x1 threads */
static __global__ void __launch_bounds__(32)
shells_k0_v(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ v,
	const stencil_layout u_layout, const stencil_layout v_layout, const stencil_grid grid,
	const stencil_cells region, const stencil_table<float, 4> c)
{
	const int64_t u_y = u_layout.stride[1];
	const int64_t u_z = u_layout.stride[0];
	const int64_t v_z = v_layout.stride[0];
	const int64_t v_y = v_layout.stride[1];
	const int32_t x = cells.lo[2] + (int32_t)blockIdx.x * 32 + (int32_t)threadIdx.x;
	const int32_t y = cells.lo[1] + (int32_t)blockIdx.y * 4 + (int32_t)threadIdx.y;
	const int32_t z_first = cells.lo[0] + (int32_t)blockIdx.z * 8;
	const int32_t z_read = z_first - 1;
	const int32_t x_block = cells.lo[2] + (int32_t)blockIdx.x * 32;
	const int32_t y_block = cells.lo[1] + (int32_t)blockIdx.y * 4;
	const int32_t thread = (int32_t)threadIdx.y * 8 + (int32_t)threadIdx.x;
	const int64_t u_from = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * u_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int32_t x_2 = x + 8;
	const int64_t u_from_2 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * u_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_2, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int32_t x_3 = x + 16;
	const int64_t u_from_3 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * u_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_3, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int32_t x_4 = x + 24;
	const int64_t u_from_4 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * u_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_4, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int32_t own_row = (int32_t)threadIdx.y;
	const int32_t own_column = (int32_t)threadIdx.x;
	const int32_t halo_row = thread / 34 < 1 ? thread / 34 : thread / 34 + 4;
	const int32_t halo_column = thread % 34;
	const int32_t x_5 = x_block + (halo_column - 1);
	const int32_t y_2 = y_block + (halo_row - 1);
	const int64_t u_from_5 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y_2, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * u_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_5, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int32_t piece = thread + 32;
	const int32_t halo_row_2 = piece / 34 < 1 ? piece / 34 : piece / 34 + 4;
	const int32_t halo_column_2 = piece % 34;
	const int32_t x_6 = x_block + (halo_column_2 - 1);
	const int32_t y_3 = y_block + (halo_row_2 - 1);
	const int64_t u_from_6 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y_3, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * u_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_6, grid.first[2]), grid.last[2]) -
		grid.origin[2]);
	const int32_t piece_2 = thread + 64;
	const bool is_piece = piece_2 < 76;
	const int32_t halo_row_3 = piece_2 < 68 ?
		(piece_2 / 34 < 1 ? piece_2 / 34 : piece_2 / 34 + 4) :
		stencil_max_i32(piece_2 - 68, 0) / 2 + 1;
	const int32_t halo_column_3 = piece_2 < 68 ? piece_2 % 34 :
		stencil_max_i32(piece_2 - 68, 0) % 2 < 1 ? stencil_max_i32(piece_2 - 68, 0) % 2 :
		stencil_max_i32(piece_2 - 68, 0) % 2 + 32;
	const int32_t x_7 = x_block + (halo_column_3 - 1);
	const int32_t y_4 = y_block + (halo_row_3 - 1);
	const int64_t u_from_7 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(y_4, grid.first[1]),
		grid.last[1]) - grid.origin[1]) * u_y +
		(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_7, grid.first[2]), grid.last[2]) -
		grid.origin[2]);

	/* planes that the first cells read */
	float u_r[1][3][3][4];
	float (*const u_s)[6][34] = (float (*)[6][34])stencil_at(stencil_shared(), 0);
	float u_next_r[1][4];
	const int64_t u_plane = (int64_t)(stencil_min_i32(stencil_max_i32(z_read, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * u_z;
	u_next_r[0][0] = stencil_load_early<float, 1>(&u[u_plane + u_from]).at[0];
	u_next_r[0][1] = stencil_load_early<float, 1>(&u[u_plane + u_from_2]).at[0];
	u_next_r[0][2] = stencil_load_early<float, 1>(&u[u_plane + u_from_3]).at[0];
	u_next_r[0][3] = stencil_load_early<float, 1>(&u[u_plane + u_from_4]).at[0];
	u_s[0][own_row + 1][own_column + 1] = u_next_r[0][0];
	u_s[0][own_row + 1][own_column + 9] = u_next_r[0][1];
	u_s[0][own_row + 1][own_column + 17] = u_next_r[0][2];
	u_s[0][own_row + 1][own_column + 25] = u_next_r[0][3];
	stencil_copy4(&u_s[0][halo_row][halo_column], &u[u_plane + u_from_5]);
	stencil_copy4(&u_s[0][halo_row_2][halo_column_2], &u[u_plane + u_from_6]);
	if (is_piece) {
		stencil_copy4(&u_s[0][halo_row_3][halo_column_3], &u[u_plane + u_from_7]);
	}
	stencil_copy_commit();
	float sum_r[1][1][4];
	STENCIL_UNROLL
	for (int32_t i_2 = 0; i_2 < 4; i_2++) {
		sum_r[0][0][i_2] = 0;
	}
	float sum_r_2[1][1][4];
	STENCIL_UNROLL
	for (int32_t i_3 = 0; i_3 < 4; i_3++) {
		sum_r_2[0][0][i_3] = 0;
	}
	/* one plane after the other */
	const int32_t planes = stencil_keep(stencil_min_i32(cells.hi[0] - z_first, 8) + 2);
	STENCIL_UNROLL_BY(2)
	for (int32_t plane = 0; plane < planes; plane++) {
		const int32_t z = z_read + plane;
		const bool complete = z - 1 >= z_first;
		const int32_t z_2 = stencil_max_i32(z - 1, z_first);
		stencil_copy_wait<0>();
		__syncthreads();
		/* what comes next is asked for */
		const int32_t z_in = z + 1;
		const int64_t u_plane_2 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in,
			grid.first[0]), grid.last[0]) - grid.origin[0]) * u_z;
		u_next_r[0][0] = stencil_load_early<float, 1>(&u[u_plane_2 + u_from]).at[0];
		u_next_r[0][1] = stencil_load_early<float, 1>(&u[u_plane_2 + u_from_2]).at[0];
		u_next_r[0][2] = stencil_load_early<float, 1>(&u[u_plane_2 + u_from_3]).at[0];
		u_next_r[0][3] = stencil_load_early<float, 1>(&u[u_plane_2 + u_from_4]).at[0];
		if (plane + 1 < planes) {
			const int32_t slot = (plane + 1) % 2;
			const int32_t z_in_2 = z + 1;
			const int64_t u_plane_3 = (int64_t)(stencil_min_i32(stencil_max_i32(z_in_2,
				grid.first[0]), grid.last[0]) - grid.origin[0]) * u_z;
			stencil_copy4(&u_s[slot][halo_row][halo_column], &u[u_plane_3 + u_from_5]);
			stencil_copy4(&u_s[slot][halo_row_2][halo_column_2], &u[u_plane_3 +
				u_from_6]);
			if (is_piece) {
				stencil_copy4(&u_s[slot][halo_row_3][halo_column_3], &u[u_plane_3 +
					u_from_7]);
			}
		}
		stencil_copy_commit();
		/* what the cells read, from shared memory */
		const int32_t slot_2 = plane % 2;
		u_r[0][0][0][0] = u_s[slot_2][own_row][own_column];
		u_r[0][0][0][1] = u_s[slot_2][own_row][own_column + 8];
		u_r[0][0][0][2] = u_s[slot_2][own_row][own_column + 16];
		u_r[0][0][0][3] = u_s[slot_2][own_row][own_column + 24];
		u_r[0][0][1][0] = u_s[slot_2][own_row][own_column + 1];
		u_r[0][0][1][1] = u_s[slot_2][own_row][own_column + 9];
		u_r[0][0][1][2] = u_s[slot_2][own_row][own_column + 17];
		u_r[0][0][1][3] = u_s[slot_2][own_row][own_column + 25];
		u_r[0][0][2][0] = u_s[slot_2][own_row][own_column + 2];
		u_r[0][0][2][1] = u_s[slot_2][own_row][own_column + 10];
		u_r[0][0][2][2] = u_s[slot_2][own_row][own_column + 18];
		u_r[0][0][2][3] = u_s[slot_2][own_row][own_column + 26];
		u_r[0][1][0][0] = u_s[slot_2][own_row + 1][own_column];
		u_r[0][1][0][1] = u_s[slot_2][own_row + 1][own_column + 8];
		u_r[0][1][0][2] = u_s[slot_2][own_row + 1][own_column + 16];
		u_r[0][1][0][3] = u_s[slot_2][own_row + 1][own_column + 24];
		u_r[0][1][1][0] = u_s[slot_2][own_row + 1][own_column + 1];
		u_r[0][1][1][1] = u_s[slot_2][own_row + 1][own_column + 9];
		u_r[0][1][1][2] = u_s[slot_2][own_row + 1][own_column + 17];
		u_r[0][1][1][3] = u_s[slot_2][own_row + 1][own_column + 25];
		u_r[0][1][2][0] = u_s[slot_2][own_row + 1][own_column + 2];
		u_r[0][1][2][1] = u_s[slot_2][own_row + 1][own_column + 10];
		u_r[0][1][2][2] = u_s[slot_2][own_row + 1][own_column + 18];
		u_r[0][1][2][3] = u_s[slot_2][own_row + 1][own_column + 26];
		u_r[0][2][0][0] = u_s[slot_2][own_row + 2][own_column];
		u_r[0][2][0][1] = u_s[slot_2][own_row + 2][own_column + 8];
		u_r[0][2][0][2] = u_s[slot_2][own_row + 2][own_column + 16];
		u_r[0][2][0][3] = u_s[slot_2][own_row + 2][own_column + 24];
		u_r[0][2][1][0] = u_s[slot_2][own_row + 2][own_column + 1];
		u_r[0][2][1][1] = u_s[slot_2][own_row + 2][own_column + 9];
		u_r[0][2][1][2] = u_s[slot_2][own_row + 2][own_column + 17];
		u_r[0][2][1][3] = u_s[slot_2][own_row + 2][own_column + 25];
		u_r[0][2][2][0] = u_s[slot_2][own_row + 2][own_column + 2];
		u_r[0][2][2][1] = u_s[slot_2][own_row + 2][own_column + 10];
		u_r[0][2][2][2] = u_s[slot_2][own_row + 2][own_column + 18];
		u_r[0][2][2][3] = u_s[slot_2][own_row + 2][own_column + 26];
		/* the cells */
		float v_new_r[1][4];
		const bool in_plane = z_2 >= region.lo[0] && z_2 < region.hi[0];
		STENCIL_UNROLL
		for (int32_t i = 0; i < 4; i++) {
			const float part = (u_r[0][0][0][i] + u_r[0][0][2][i] +
				(u_r[0][2][0][i] + u_r[0][2][2][i]));
			const float part_2 = (u_r[0][0][1][i] + u_r[0][2][1][i] +
				(u_r[0][1][0][i] + u_r[0][1][2][i]));
			const float part_3 = fmaf(c.v[3], part,
				fmaf(c.v[2], part_2, c.v[1] * u_r[0][1][1][i]));
			v_new_r[0][i] = sum_r[0][0][i] + part_3;
			sum_r[0][0][i] = fmaf(c.v[2], part,
				fmaf(c.v[1], part_2, fmaf(c.v[0], u_r[0][1][1][i],
				sum_r_2[0][0][i])));
			sum_r_2[0][0][i] = part_3;
		}
		STENCIL_UNROLL
		for (int32_t i_4 = 0; i_4 < 4; i_4++) {
			if (complete && in_plane && y < cells.hi[1] && y >= region.lo[1] &&
				y < region.hi[1] && x + i_4 * 8 < cells.hi[2] &&
				x + i_4 * 8 >= region.lo[2] && x + i_4 * 8 < region.hi[2]) {
				v[(int64_t)(z_2 - grid.origin[0]) * v_z +
					(int64_t)(y - grid.origin[1]) * v_y +
					(int64_t)(x + i_4 * 8 - grid.origin[2])] = v_new_r[0][i_4];
			}
		}
		/* what has come goes to shared memory */
		const int32_t slot_3 = (plane + 1) % 2;
		u_s[slot_3][own_row + 1][own_column + 1] = u_next_r[0][0];
		u_s[slot_3][own_row + 1][own_column + 9] = u_next_r[0][1];
		u_s[slot_3][own_row + 1][own_column + 17] = u_next_r[0][2];
		u_s[slot_3][own_row + 1][own_column + 25] = u_next_r[0][3];
	}
	stencil_copy_wait<0>();
}

stencil_status
shells(stencil_context *ctx, const shells_args *a)
{
	shells_call call = {}, *const c = &call;

	if (ctx == NULL)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "shells: no context");
	STENCIL_TRY(shells_prepare(ctx, a, c));

	const stencil_on_device device(ctx);

	STENCIL_TRY(device.status);

	const stencil_cells v_cells = {
		{ (int32_t)stencil_max_i64(1, c->box.lo[0]),
		(int32_t)stencil_max_i64(1, c->box.lo[1]),
		(int32_t)stencil_max_i64(1, c->box.lo[2]) },
		{ (int32_t)stencil_min_i64(c->box.hi[0], (int64_t)c->grid.extent[0] - 1),
		(int32_t)stencil_min_i64(c->box.hi[1], (int64_t)c->grid.extent[1] - 1),
		(int32_t)stencil_min_i64(c->box.hi[2], (int64_t)c->grid.extent[2] - 1) } };
	const stencil_shape v_shape = { { 8, 4, 1 }, { 32, 4, 8 }, { 2, 1, 0 }, 1920 };
	stencil_shape v_shape_laps = { { 32, 4, 1 }, { 128, 16, 24 }, { 2, 1, 0 }, 0 };
	if (stencil_extent_of(&v_cells, 2) >= 128) {
		STENCIL_TRY(stencil_fill_waves(ctx, "shells_k0_v_laps", &v_shape_laps, 2, &v_cells,
			shells_k0_v_laps, 0, 0, 48));
	}

	if (stencil_row_fits(&c->grid, 2, 4) && stencil_field_fits(a->u, &c->u, 4) &&
		stencil_field_fits(a->v, &c->v, 4)) {
		STENCIL_TRY(stencil_launch(ctx, "shells_k0_v_x4", v_shape,
			stencil_whole_lines(v_cells, 2, 4, 32), shells_k0_v_x4, a->u, a->v, c->u,
			c->v, c->grid, v_cells, stencil_table<float, 4>(&a->c[0])));
	} else if (stencil_extent_of(&v_cells, 2) >= 128) {
		STENCIL_TRY(stencil_launch(ctx, "shells_k0_v_laps", v_shape_laps, v_cells,
			shells_k0_v_laps, a->u, a->v, c->u, c->v, c->grid,
			(int32_t)v_shape_laps.span[2], stencil_table<float, 4>(&a->c[0])));
	} else {
		STENCIL_TRY(stencil_launch(ctx, "shells_k0_v", v_shape, v_cells, shells_k0_v, a->u,
			a->v, c->u, c->v, c->grid, v_cells, stencil_table<float, 4>(&a->c[0])));
	}
	return STENCIL_OK;
}
