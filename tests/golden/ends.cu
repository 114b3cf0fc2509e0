/* Made from ends.st by stencilc, for CUDA.
 *
 *   nvcc -std=c++17 -fmad=false -Xcompiler=-ffp-contract=off -arch=sm_90
 *
 * It is planned for that architecture; others run it, too.
 */
#include "ends.h"

#include "stencil_kernel.h"

/* What a call of ends works on, worked out from its arguments. */
typedef struct {
	stencil_grid grid;
	stencil_box box;
	stencil_layout u;
	size_t at_u_next; /* in the workspace */
	size_t at_u_rows; /* in the workspace */
	size_t workspace; /* bytes of it */
} ends_call;

/* The sizes of the grids, of the fields and of the workspace. */
static stencil_status
ends_measure(stencil_context *ctx, const ends_args *a, ends_call *c)
{
	if (a == NULL)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "ends: no arguments");

	const char *const grid_names[] = { "nx" };
	const int64_t grid_extents[] = { a->nx };

	STENCIL_TRY(stencil_measure_grid(ctx, "ends", &c->grid, 1, grid_names, grid_extents));
	STENCIL_TRY(stencil_lay_out(ctx, "ends", "u", &c->u, &c->grid, 1, 1, 0, 0, sizeof(float)));
	c->workspace = 0;
	STENCIL_TRY(stencil_set_aside(ctx, "ends", c->u.bytes, &c->workspace, &c->at_u_next));
	return STENCIL_OK;
}

/* Gives C padded rows: the bytes of workspace that they take.  0: rows are whole
 * vectors as they are, or there is no such memory. */
static size_t
ends_pad(ends_call *c)
{
	if (stencil_row_fits(&c->grid, 0, 4))
		return 0;
	if (!stencil_pad_rows(&c->u, &c->grid, 1, 1, 0, sizeof(float), 0))
		return 0;
	c->workspace = 0;
	if (stencil_set_aside(NULL, "ends", c->u.bytes, &c->workspace, &c->at_u_next) != STENCIL_OK)
		return 0;
	if (stencil_set_aside(NULL, "ends", c->u.bytes, &c->workspace, &c->at_u_rows) != STENCIL_OK)
		return 0;
	return c->workspace;
}

/* Everything that can be wrong with a call; nothing is written before. */
static stencil_status
ends_prepare(stencil_context *ctx, const ends_args *a, ends_call *c)
{
	STENCIL_TRY(ends_measure(ctx, a, c));

	const char *const axes[] = { "x" };

	c->box = a->box;
	STENCIL_TRY(stencil_check_box(ctx, "ends", &c->box, &c->grid, 1, axes));
	STENCIL_TRY(stencil_check_steps(ctx, "ends", a->steps, 0));
	STENCIL_TRY(stencil_need(ctx, "ends", "u", "x", "mirror", c->grid.extent[0], 1, 1 + 1));

	const stencil_range ranges[] = {
		{ "u", a->u, c->u.bytes, sizeof(float), 1 },
		{ "workspace", a->workspace, a->workspace_size, 16, 1 },
	};

	STENCIL_TRY(stencil_check_ranges(ctx, "ends", ranges, 1 + (a->workspace != NULL)));
	return STENCIL_OK;
}

STENCIL_WEAK void
ends_args_init(ends_args *a)
{
	memset(a, 0, sizeof *a);
}

size_t
ends_workspace(const ends_args *a)
{
	ends_call c = {};

	if (ends_measure(NULL, a, &c) != STENCIL_OK)
		return 0;

	const size_t packed = c.workspace, padded = ends_pad(&c);

	return padded > packed ? padded : packed;
}

/* u at t+1; march, 32 threads */
static __global__ void __launch_bounds__(32)
ends_k0_u_x4(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_grid grid, const stencil_cells region)
{
	const int32_t x = cells.lo[0] + (int32_t)blockIdx.x * 128 + (int32_t)threadIdx.x * 4;
	if (x >= cells.hi[0])
		return;
	const int32_t x_block = cells.lo[0] + (int32_t)blockIdx.x * 128;
	const bool is_inside = x_block - 1 >= grid.first[0] && grid.last[0] >= x_block + 128 &&
		cells.hi[0] >= x_block + 128 && x_block >= region.lo[0] &&
		region.hi[0] >= x_block + 128;

	if (is_inside) {
		const int32_t x_m1_2 = x - 1;
		const int64_t u_column_m1 = (int64_t)(x_m1_2 - grid.origin[0]);
		const int64_t u_column = (int64_t)(x - grid.origin[0]);
		const int32_t x_p4_2 = x + 4;
		const int64_t u_column_p4 = (int64_t)(x_p4_2 - grid.origin[0]);
		float u_r[1][1][6];
		/* what the cells read */
		u_r[0][0][0] = u[u_column_m1];
		const stencil_vector<float, 4> u_v = stencil_load<float, 4>(u + u_column);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_r[0][0][1 + e] = u_v.at[e];
		u_r[0][0][5] = u[u_column_p4];
		/* the cells */
		float u_new_r[1][4];
		STENCIL_UNROLL
		for (int32_t i = 0; i < 4; i++) {
			u_new_r[0][i] = fmaf(0.25f, u_r[0][0][i] + u_r[0][0][i + 2],
				0.5f * u_r[0][0][i + 1]);
		}
		stencil_vector<float, 4> u_v_2;

		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_v_2.at[e] = u_new_r[0][e];
		stencil_store_global(u_next + (int64_t)(x - grid.origin[0]), u_v_2);
	} else {
		const int32_t x_m1 = x - 1;
		const int64_t u_column_m1_2 =
			stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_mirror_lo(x_m1,
			grid.first[0]), grid.first[0]), grid.last[0]) - grid.origin[0];
		const int64_t u_column_2 = (int64_t)(x - grid.origin[0]);
		const int32_t x_p4 = x + 4;
		const int64_t u_column_p4_2 = stencil_fold_clamp_hi(x_p4, grid.last[0]) -
			grid.origin[0];
		float u_r_2[1][1][6];
		/* what the cells read */
		u_r_2[0][0][0] = u[u_column_m1_2];
		const stencil_vector<float, 4> u_v_3 = stencil_load<float, 4>(u + u_column_2);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_r_2[0][0][1 + e] = u_v_3.at[e];
		u_r_2[0][0][5] = u[u_column_p4_2];
		/* the cells */
		float u_new_r_2[1][4];
		STENCIL_UNROLL
		for (int32_t i_2 = 0; i_2 < 4; i_2++) {
			u_new_r_2[0][i_2] = fmaf(0.25f, u_r_2[0][0][i_2] + u_r_2[0][0][i_2 + 2],
				0.5f * u_r_2[0][0][i_2 + 1]);
			u_new_r_2[0][i_2] = x + i_2 >= region.lo[0] &&
				x + i_2 < region.hi[0] ? u_new_r_2[0][i_2] : u_r_2[0][0][i_2 + 1];
		}
		stencil_vector<float, 4> u_v_4;

		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			u_v_4.at[e] = u_new_r_2[0][e];
		stencil_store_global(u_next + (int64_t)(x - grid.origin[0]), u_v_4);
	}
}

/* u at t+1; march, 32 threads */
static __global__ void __launch_bounds__(32, 1)
ends_k0_u_laps(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_grid grid, const stencil_cells region)
{
	const int32_t lane = (int32_t)stencil_lane();
	const int32_t x_block = stencil_min_i32(cells.lo[0] + (int32_t)blockIdx.x * 128,
		cells.hi[0] - 128);
	const int32_t x = x_block + (int32_t)threadIdx.x;
	const bool leftmost = lane < 1;
	const bool rightmost = lane >= 31;
	const bool outermost = leftmost || rightmost;
	const int32_t x_side = leftmost ? x - 1 : x + 97;
	const int64_t u_side = stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_clamp_hi(stencil_fold_mirror_lo(x_side, grid.first[0]), grid.last[0]), grid.first[0]), grid.last[0]) - x;
	const int64_t u_from = (int64_t)(x - grid.origin[0]);
	const int32_t lane_m1 = (lane + 31) % 32;
	const int32_t lane_p1 = (lane + 1) % 32;

	float u_r[1][1][3][4];
	/* what the cells read */
	if (outermost) {
		u_r[0][0][0][0] = u[u_side + u_from];
		u_r[0][0][2][3] = u_r[0][0][0][0];
	}
	u_r[0][0][1][0] = u[u_from];
	u_r[0][0][1][1] = u[(int64_t)32 + u_from];
	u_r[0][0][1][2] = u[(int64_t)64 + u_from];
	u_r[0][0][1][3] = u[(int64_t)96 + u_from];
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
	/* the cells */
	float u_new_r[1][4];
	STENCIL_UNROLL
	for (int32_t i = 0; i < 4; i++) {
		u_new_r[0][i] = fmaf(0.25f, u_r[0][0][0][i] + u_r[0][0][2][i],
			0.5f * u_r[0][0][1][i]);
		u_new_r[0][i] = x + i * 32 >= region.lo[0] &&
			x + i * 32 < region.hi[0] ? u_new_r[0][i] : u_r[0][0][1][i];
	}
	STENCIL_UNROLL
	for (int32_t i_2 = 0; i_2 < 4; i_2++) {
		u_next[(int64_t)(x + i_2 * 32 - grid.origin[0])] = u_new_r[0][i_2];
	}
}

/* u at t+1; march, 32 threads */
static __global__ void __launch_bounds__(32)
ends_k0_u(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_grid grid, const stencil_cells region)
{
	const int32_t lane = (int32_t)stencil_lane();
	const int32_t x = cells.lo[0] + (int32_t)blockIdx.x * 32 + (int32_t)threadIdx.x;
	const int32_t x_block = cells.lo[0] + (int32_t)blockIdx.x * 32;
	const bool is_inside = x_block - 1 >= grid.first[0] && grid.last[0] >= x_block + 32 &&
		cells.hi[0] >= x_block + 32 && x_block >= region.lo[0] &&
		region.hi[0] >= x_block + 32;

	if (is_inside) {
		const int32_t lane_m1 = (lane + 31) % 32;
		const bool leftmost = lane < 1;
		const int32_t x_m1_2 = x - 1;
		const int64_t u_column_m1 = (int64_t)(x_m1_2 - grid.origin[0]);
		const int32_t lane_p1 = (lane + 1) % 32;
		const bool rightmost = lane >= 31;
		const int32_t x_p1_2 = x + 1;
		const int64_t u_column_p1 = (int64_t)(x_p1_2 - grid.origin[0]);
		const int64_t u_column = (int64_t)(x - grid.origin[0]);
		float u_r[1][1][3][1];
		/* what the cells read */
		if (leftmost) {
			u_r[0][0][0][0] = u[u_column_m1];
		}
		if (rightmost) {
			u_r[0][0][2][0] = u[u_column_p1];
		}
		u_r[0][0][1][0] = u[u_column];
		const float beside = stencil_shuffle(u_r[0][0][1][0], lane_m1);
		u_r[0][0][0][0] = leftmost ? u_r[0][0][0][0] : beside;
		const float beside_2 = stencil_shuffle(u_r[0][0][1][0], lane_p1);
		u_r[0][0][2][0] = rightmost ? u_r[0][0][2][0] : beside_2;
		/* the cells */
		float u_new_r[1][1];
		u_new_r[0][0] = fmaf(0.25f, u_r[0][0][0][0] + u_r[0][0][2][0],
			0.5f * u_r[0][0][1][0]);
		u_next[(int64_t)(x - grid.origin[0])] = u_new_r[0][0];
	} else {
		const int32_t lane_m1_2 = (lane + 31) % 32;
		const int32_t x0 = stencil_min_i32(x, cells.hi[0]);
		const bool leftmost_2 = lane < 1 || x0 - 1 < grid.first[0];
		const int32_t x_m1 = x0 - 1;
		const int64_t u_column_m1_2 =
			stencil_fold_clamp_hi(stencil_fold_clamp_lo(stencil_fold_clamp_hi(stencil_fold_mirror_lo(x_m1, grid.first[0]), grid.last[0]), grid.first[0]), grid.last[0]) - grid.origin[0];
		const int32_t lane_p1_2 = (lane + 1) % 32;
		const bool rightmost_2 = lane >= 31;
		const int32_t x_p1 = x0 + 1;
		const int64_t u_column_p1_2 = stencil_fold_clamp_hi(x_p1, grid.last[0]) -
			grid.origin[0];
		const int64_t u_column_2 = stencil_fold_clamp_hi(x0, grid.last[0]) - grid.origin[0];
		float u_r_2[1][1][3][1];
		/* what the cells read */
		if (leftmost_2) {
			u_r_2[0][0][0][0] = u[u_column_m1_2];
		}
		if (rightmost_2) {
			u_r_2[0][0][2][0] = u[u_column_p1_2];
		}
		u_r_2[0][0][1][0] = u[u_column_2];
		const float beside_3 = stencil_shuffle(u_r_2[0][0][1][0], lane_m1_2);
		u_r_2[0][0][0][0] = leftmost_2 ? u_r_2[0][0][0][0] : beside_3;
		const float beside_4 = stencil_shuffle(u_r_2[0][0][1][0], lane_p1_2);
		u_r_2[0][0][2][0] = rightmost_2 ? u_r_2[0][0][2][0] : beside_4;
		/* the cells */
		float u_new_r_2[1][1];
		u_new_r_2[0][0] = fmaf(0.25f, u_r_2[0][0][0][0] + u_r_2[0][0][2][0],
			0.5f * u_r_2[0][0][1][0]);
		u_new_r_2[0][0] = x >= region.lo[0] &&
			x < region.hi[0] ? u_new_r_2[0][0] : u_r_2[0][0][1][0];
		if (x < cells.hi[0]) {
			u_next[(int64_t)(x - grid.origin[0])] = u_new_r_2[0][0];
		}
	}
}

stencil_status
ends(stencil_context *ctx, const ends_args *a)
{
	ends_call call = {}, *const c = &call;
	void *memory;

	if (ctx == NULL)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "ends: no context");
	STENCIL_TRY(ends_prepare(ctx, a, c));

	const ends_call packed = call;
	const stencil_on_device device(ctx);

	STENCIL_TRY(device.status);

	int padded = a->steps >= 4 && ends_pad(c) > 0 &&
		stencil_room_for_rows(ctx, a->workspace, a->workspace_size, c->workspace, &memory);

	if (!padded) {
		call = packed;
		STENCIL_TRY(stencil_memory(ctx, "ends", a->workspace, a->workspace_size,
			c->workspace, &memory));
	}

	float *const u[2] = { padded ? (float *)stencil_at(memory, c->at_u_rows) : a->u,
		(float *)stencil_at(memory, c->at_u_next) };
	const stencil_cells u_cells = { { 0, 0, 0 }, { c->grid.extent[0], 1, 1 } };
	const stencil_cells u_region = { { (int32_t)c->box.lo[0], 0, 0 },
		{ (int32_t)stencil_min_i64(c->box.hi[0], (int64_t)c->grid.extent[0] - 1), 1, 1 } };
	const stencil_shape u_shape = { { 32, 1, 1 }, { 128, 1, 1 }, { 0, -1, -1 }, 0 };
	const stencil_shape u_shape_laps = { { 32, 1, 1 }, { 128, 1, 1 }, { 0, -1, -1 }, 0 };

	for (int64_t step = 0; step < a->steps; step++) {
		const int enters = padded && step == 0, leaves = padded && step == a->steps - 1;

		if (!enters && !leaves && (padded || stencil_row_fits(&c->grid, 0, 4)) &&
			stencil_field_fits(u[stencil_slot(0, step, 2)], &c->u, 4) &&
			stencil_field_fits(u[stencil_slot(1, step, 2)], &c->u, 4)) {
			STENCIL_TRY(stencil_launch(ctx, "ends_k0_u_x4", u_shape,
				stencil_whole_lines(u_cells, 0, 4, 32), ends_k0_u_x4,
				u[stencil_slot(0, step, 2)], u[stencil_slot(1, step, 2)],
				stencil_whole_grid(c->grid, 0, 4), u_region));
		} else if (stencil_extent_of(&u_cells, 0) >= 128) {
			STENCIL_TRY(stencil_launch(ctx, "ends_k0_u_laps", u_shape_laps, u_cells,
				ends_k0_u_laps, enters ? a->u : u[stencil_slot(0, step, 2)],
				leaves ? a->u : u[stencil_slot(1, step, 2)],
				stencil_whole_grid(c->grid, 0, 1), u_region));
		} else {
			const stencil_shape u_shape_any =
				{ { 32, 1, 1 }, { 32, 1, 1 }, { 0, -1, -1 }, 0 };
			STENCIL_TRY(stencil_launch(ctx, "ends_k0_u", u_shape_any, u_cells,
				ends_k0_u, enters ? a->u : u[stencil_slot(0, step, 2)],
				leaves ? a->u : u[stencil_slot(1, step, 2)], c->grid, u_region));
		}
		if (enters) {
			STENCIL_TRY(stencil_copy_ends(ctx, u[stencil_slot(1, step, 2)], c->u,
				c->grid, 4, 0, 1));
		}
	}
	if (!padded) {
		STENCIL_TRY(stencil_settle(ctx, u, c->u, c->grid, 1, a->steps, NULL));
	}
	return STENCIL_OK;
}
