/* Made from spots.st by stencilc, for CUDA.
 *
 *   nvcc -std=c++17 -fmad=false -Xcompiler=-ffp-contract=off -arch=sm_90
 *
 * It is planned for that architecture; others run it, too.
 */
#include "spots.h"

#include "stencil_kernel.h"

/* What a call of spots works on, worked out from its arguments. */
typedef struct {
	stencil_grid grid;
	stencil_box box;
	stencil_layout u;
	stencil_layout v;
	stencil_layout r;
	size_t at_u_next; /* in the workspace */
	size_t at_v_next; /* in the workspace */
	size_t at_r; /* in the workspace */
	size_t at_u_rows; /* in the workspace */
	size_t at_v_rows; /* in the workspace */
	size_t workspace; /* bytes of it */
} spots_call;

/* The sizes of the grids, of the fields and of the workspace. */
static stencil_status
spots_measure(stencil_context *ctx, const spots_args *a, spots_call *c)
{
	if (a == NULL)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "spots: no arguments");

	const char *const grid_names[] = { "ny", "nx" };
	const int64_t grid_extents[] = { a->ny, a->nx };

	STENCIL_TRY(stencil_measure_grid(ctx, "spots", &c->grid, 2, grid_names, grid_extents));
	STENCIL_TRY(stencil_lay_out(ctx, "spots", "u", &c->u, &c->grid, 3, 1, 0, a->u_pitch,
		sizeof(float)));
	STENCIL_TRY(stencil_lay_out(ctx, "spots", "v", &c->v, &c->grid, 3, 1, 0, a->v_pitch,
		sizeof(float)));
	STENCIL_TRY(stencil_lay_out(ctx, "spots", "r", &c->r, &c->grid, 3, 1, 0, 0, sizeof(float)));
	c->workspace = 0;
	STENCIL_TRY(stencil_set_aside(ctx, "spots", c->u.bytes, &c->workspace, &c->at_u_next));
	STENCIL_TRY(stencil_set_aside(ctx, "spots", c->v.bytes, &c->workspace, &c->at_v_next));
	STENCIL_TRY(stencil_set_aside(ctx, "spots", c->r.bytes, &c->workspace, &c->at_r));
	return STENCIL_OK;
}

/* Gives C padded rows: the bytes of workspace that they take.  0: rows are whole
 * vectors as they are, or there is no such memory. */
static size_t
spots_pad(spots_call *c)
{
	if (stencil_row_fits(&c->grid, 1, 4) && stencil_layout_fits(&c->u, 4) &&
		stencil_layout_fits(&c->v, 4))
		return 0;
	if (!stencil_pad_rows(&c->u, &c->grid, 3, 1, 0, sizeof(float), 0))
		return 0;
	if (!stencil_pad_rows(&c->v, &c->grid, 3, 1, 0, sizeof(float), 0))
		return 0;
	if (!stencil_pad_rows(&c->r, &c->grid, 3, 1, 0, sizeof(float), 0))
		return 0;
	c->workspace = 0;
	if (stencil_set_aside(NULL, "spots", c->u.bytes, &c->workspace, &c->at_u_next) !=
		STENCIL_OK)
		return 0;
	if (stencil_set_aside(NULL, "spots", c->v.bytes, &c->workspace, &c->at_v_next) !=
		STENCIL_OK)
		return 0;
	if (stencil_set_aside(NULL, "spots", c->r.bytes, &c->workspace, &c->at_r) != STENCIL_OK)
		return 0;
	if (stencil_set_aside(NULL, "spots", c->u.bytes, &c->workspace, &c->at_u_rows) !=
		STENCIL_OK)
		return 0;
	if (stencil_set_aside(NULL, "spots", c->v.bytes, &c->workspace, &c->at_v_rows) !=
		STENCIL_OK)
		return 0;
	return c->workspace;
}

/* Everything that can be wrong with a call; nothing is written before. */
static stencil_status
spots_prepare(stencil_context *ctx, const spots_args *a, spots_call *c)
{
	STENCIL_TRY(spots_measure(ctx, a, c));

	const char *const axes[] = { "y", "x" };

	c->box = a->box;
	STENCIL_TRY(stencil_check_box(ctx, "spots", &c->box, &c->grid, 2, axes));
	STENCIL_TRY(stencil_check_steps(ctx, "spots", a->steps, 0));

	const stencil_range ranges[] = {
		{ "u", a->u, c->u.bytes, sizeof(float), 1 },
		{ "v", a->v, c->v.bytes, sizeof(float), 1 },
		{ "workspace", a->workspace, a->workspace_size, 16, 1 },
	};

	STENCIL_TRY(stencil_check_ranges(ctx, "spots", ranges, 2 + (a->workspace != NULL)));
	return STENCIL_OK;
}

STENCIL_WEAK void
spots_args_init(spots_args *a)
{
	memset(a, 0, sizeof *a);
	a->rate = 0.25f;
}

size_t
spots_workspace(const spots_args *a)
{
	spots_call c = {};

	if (spots_measure(NULL, a, &c) != STENCIL_OK)
		return 0;

	const size_t packed = c.workspace, padded = spots_pad(&c);

	return padded > packed ? padded : packed;
}

/* r; u at t+1; v at t+1; march, 32x8 threads */
static __global__ void __launch_bounds__(256)
spots_k0_r_x4(const stencil_cells cells, const float *__restrict__ u, const float *__restrict__ v,
	float *__restrict__ u_next, float *__restrict__ v_next, const stencil_layout u_layout,
	const stencil_layout v_layout, const stencil_grid grid, const stencil_cells region,
	const stencil_cells region_2, const float rate)
{
	const int64_t u_y = u_layout.stride[0];
	const int64_t v_y = v_layout.stride[0];
	const int32_t x = cells.lo[1] + (int32_t)blockIdx.x * 128 + (int32_t)threadIdx.x * 4;
	const int32_t y = cells.lo[0] + (int32_t)blockIdx.y * 8 + (int32_t)threadIdx.y;
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
	const int64_t v_row = (int64_t)(y - grid.origin[0]) * v_y;
	const int64_t u_column = (int64_t)(x - grid.origin[1]);
	const int32_t x_m1 = x - 1;
	const int64_t v_column_m1 = stencil_fold_clamp_lo(x_m1, grid.first[1]) - grid.origin[1];
	const int32_t x_p4 = x + 4;
	const int64_t v_column_p4 = stencil_fold_clamp_hi(x_p4, grid.last[1]) - grid.origin[1];

	float u_r[1][3][4];
	float v_r[1][1][6];
	/* what the cells read */
	const stencil_vector<float, 4> u_v = stencil_load<float, 4>(u + u_row_m1 + u_column);
	STENCIL_UNROLL
	for (int e = 0; e < 4; e++)
		u_r[0][0][e] = u_v.at[e];
	const stencil_vector<float, 4> u_v_2 = stencil_load<float, 4>(u + u_row + u_column);
	STENCIL_UNROLL
	for (int e = 0; e < 4; e++)
		u_r[0][1][e] = u_v_2.at[e];
	const stencil_vector<float, 4> u_v_3 = stencil_load<float, 4>(u + u_row_p1 + u_column);
	STENCIL_UNROLL
	for (int e = 0; e < 4; e++)
		u_r[0][2][e] = u_v_3.at[e];
	v_r[0][0][0] = v[v_row + v_column_m1];
	const stencil_vector<float, 4> v_v = stencil_load<float, 4>(v + v_row + u_column);
	STENCIL_UNROLL
	for (int e = 0; e < 4; e++)
		v_r[0][0][1 + e] = v_v.at[e];
	v_r[0][0][5] = v[v_row + v_column_p4];
	/* r */
	float r_new_r[1][4];
	STENCIL_UNROLL
	for (int32_t i = 0; i < 4; i++) {
#line 6 "spots.st"
		const float v_c = v_r[0][0][i + 1];
#line 6 "spots.st"
		r_new_r[0][i] = u_r[0][1][i] * v_c * v_c;
#line 181 "spots.cu"
	}
	/* u */
	float u_new_r[1][4];
	STENCIL_UNROLL
	for (int32_t i_2 = 0; i_2 < 4; i_2++) {
#line 6 "spots.st"
		const float u_c = u_r[0][1][i_2];
#line 7 "spots.st"
		u_new_r[0][i_2] = fmaf(rate, fmaf(-2.0f, u_c, u_r[0][0][i_2] + u_r[0][2][i_2]), u_c) - r_new_r[0][i_2];
#line 191 "spots.cu"
		u_new_r[0][i_2] = y >= region.lo[0] && y < region.hi[0] &&
			x + i_2 >= region.lo[1] &&
			x + i_2 < region.hi[1] ? u_new_r[0][i_2] : u_r[0][1][i_2];
	}
	stencil_vector<float, 4> u_v_4;

	STENCIL_UNROLL
	for (int e = 0; e < 4; e++)
		u_v_4.at[e] = u_new_r[0][e];
	stencil_store_global(u_next + (int64_t)(y - grid.origin[0]) * u_y +
		(int64_t)(x - grid.origin[1]), u_v_4);
	/* v */
	float v_new_r[1][4];
	STENCIL_UNROLL
	for (int32_t i_3 = 0; i_3 < 4; i_3++) {
#line 6 "spots.st"
		const float v_c_2 = v_r[0][0][i_3 + 1];
#line 8 "spots.st"
		v_new_r[0][i_3] = fmaf(rate, fmaf(-2.0f, v_c_2, v_r[0][0][i_3] + v_r[0][0][i_3 + 2]), v_c_2) + r_new_r[0][i_3];
#line 211 "spots.cu"
		v_new_r[0][i_3] = y >= region_2.lo[0] && y < region_2.hi[0] &&
			x + i_3 >= region_2.lo[1] &&
			x + i_3 < region_2.hi[1] ? v_new_r[0][i_3] : v_r[0][0][i_3 + 1];
	}
	stencil_vector<float, 4> v_v_2;

	STENCIL_UNROLL
	for (int e = 0; e < 4; e++)
		v_v_2.at[e] = v_new_r[0][e];
	stencil_store_global(v_next + (int64_t)(y - grid.origin[0]) * v_y +
		(int64_t)(x - grid.origin[1]), v_v_2);
}

/* r; u at t+1; v at t+1; march, 32x8 threads */
static __global__ void __launch_bounds__(256)
spots_k0_r(const stencil_cells cells, const float *__restrict__ v, const float *__restrict__ u,
	float *__restrict__ u_next, float *__restrict__ v_next, const stencil_layout u_layout,
	const stencil_layout v_layout, const stencil_grid grid, const stencil_cells region,
	const stencil_cells region_2, const float rate)
{
	const int64_t u_y = u_layout.stride[0];
	const int64_t v_y = v_layout.stride[0];
	const int32_t lane = (int32_t)stencil_lane();
	const int32_t x = cells.lo[1] + (int32_t)blockIdx.x * 128 + (int32_t)threadIdx.x;
	const int32_t y = cells.lo[0] + (int32_t)blockIdx.y * 8 + (int32_t)threadIdx.y;
	if (y >= cells.hi[0])
		return;
	const int32_t y_m1 = y - 1;
	const int64_t u_row_m1 = (stencil_fold_clamp_lo(y_m1, grid.first[0]) - grid.origin[0]) *
		u_y;
	const int64_t u_row = (int64_t)(y - grid.origin[0]) * u_y;
	const int32_t y_p1 = y + 1;
	const int64_t u_row_p1 = (stencil_fold_clamp_hi(y_p1, grid.last[0]) - grid.origin[0]) * u_y;
	const int64_t v_row = (int64_t)(y - grid.origin[0]) * v_y;
	const int32_t lane_m1 = (lane + 31) % 32;
	const bool leftmost = lane < 1;
	const int32_t x0_2 = stencil_min_i32(x, cells.hi[1]);
	const int32_t x_m1 = x0_2 - 1;
	const int64_t v_column_m1 = stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_m1,
		grid.first[1]), grid.last[1]) - grid.origin[1];
	const int32_t x1_2 = stencil_min_i32(x + 32, cells.hi[1]);
	const int32_t x2_2 = stencil_min_i32(x + 64, cells.hi[1]);
	const int32_t x3_2 = stencil_min_i32(x + 96, cells.hi[1]);
	const int32_t lane_p1 = (lane + 1) % 32;
	const bool rightmost = lane >= 31;
	const int32_t x_p1 = x3_2 + 1;
	const int64_t v_column_p1 = stencil_fold_clamp_hi(x_p1, grid.last[1]) - grid.origin[1];
	const int32_t x0 = stencil_below(x, cells.hi[1]);
	const int64_t u_column = stencil_fold_clamp_hi(x0, grid.last[1]) - grid.origin[1];
	const int32_t x1 = stencil_below(x + 32, cells.hi[1]);
	const int64_t u_column_2 = stencil_fold_clamp_hi(x1, grid.last[1]) - grid.origin[1];
	const int32_t x2 = stencil_below(x + 64, cells.hi[1]);
	const int64_t u_column_3 = stencil_fold_clamp_hi(x2, grid.last[1]) - grid.origin[1];
	const int32_t x3 = stencil_below(x + 96, cells.hi[1]);
	const int64_t u_column_4 = stencil_fold_clamp_hi(x3, grid.last[1]) - grid.origin[1];
	const int64_t v_column = stencil_fold_clamp_hi(x0_2, grid.last[1]) - grid.origin[1];
	const int64_t v_column_2 = stencil_fold_clamp_hi(x1_2, grid.last[1]) - grid.origin[1];
	const int64_t v_column_3 = stencil_fold_clamp_hi(x2_2, grid.last[1]) - grid.origin[1];
	const int64_t v_column_4 = stencil_fold_clamp_hi(x3_2, grid.last[1]) - grid.origin[1];

	float u_r[1][3][1][4];
	float v_r[1][1][3][4];
	/* what the cells read */
	if (leftmost) {
		v_r[0][0][0][0] = v[v_row + v_column_m1];
	}
	if (rightmost) {
		v_r[0][0][2][3] = v[v_row + v_column_p1];
	}
	u_r[0][0][0][0] = u[u_row_m1 + u_column];
	u_r[0][0][0][1] = u[u_row_m1 + u_column_2];
	u_r[0][0][0][2] = u[u_row_m1 + u_column_3];
	u_r[0][0][0][3] = u[u_row_m1 + u_column_4];
	u_r[0][1][0][0] = u[u_row + u_column];
	u_r[0][1][0][1] = u[u_row + u_column_2];
	u_r[0][1][0][2] = u[u_row + u_column_3];
	u_r[0][1][0][3] = u[u_row + u_column_4];
	u_r[0][2][0][0] = u[u_row_p1 + u_column];
	u_r[0][2][0][1] = u[u_row_p1 + u_column_2];
	u_r[0][2][0][2] = u[u_row_p1 + u_column_3];
	u_r[0][2][0][3] = u[u_row_p1 + u_column_4];
	v_r[0][0][1][0] = v[v_row + v_column];
	v_r[0][0][1][1] = v[v_row + v_column_2];
	v_r[0][0][1][2] = v[v_row + v_column_3];
	v_r[0][0][1][3] = v[v_row + v_column_4];
	const float beside = stencil_shuffle(v_r[0][0][1][0], lane_m1);
	v_r[0][0][0][0] = leftmost ? v_r[0][0][0][0] : beside;
	const float beside_2 = stencil_shuffle(v_r[0][0][1][1], lane_m1);
	v_r[0][0][0][1] = leftmost ? beside : beside_2;
	const float beside_3 = stencil_shuffle(v_r[0][0][1][2], lane_m1);
	v_r[0][0][0][2] = leftmost ? beside_2 : beside_3;
	const float beside_4 = stencil_shuffle(v_r[0][0][1][3], lane_m1);
	v_r[0][0][0][3] = leftmost ? beside_3 : beside_4;
	const float beside_5 = stencil_shuffle(v_r[0][0][1][0], lane_p1);
	const float beside_6 = stencil_shuffle(v_r[0][0][1][1], lane_p1);
	v_r[0][0][2][0] = rightmost ? beside_6 : beside_5;
	const float beside_7 = stencil_shuffle(v_r[0][0][1][2], lane_p1);
	v_r[0][0][2][1] = rightmost ? beside_7 : beside_6;
	const float beside_8 = stencil_shuffle(v_r[0][0][1][3], lane_p1);
	v_r[0][0][2][2] = rightmost ? beside_8 : beside_7;
	v_r[0][0][2][3] = rightmost ? v_r[0][0][2][3] : beside_8;
	/* r */
	float r_new_r[1][4];
	STENCIL_UNROLL
	for (int32_t i = 0; i < 4; i++) {
#line 6 "spots.st"
		const float v_c = v_r[0][0][1][i];
#line 6 "spots.st"
		r_new_r[0][i] = u_r[0][1][0][i] * v_c * v_c;
#line 321 "spots.cu"
	}
	/* u */
	float u_new_r[1][4];
	STENCIL_UNROLL
	for (int32_t i_2 = 0; i_2 < 4; i_2++) {
#line 6 "spots.st"
		const float u_c = u_r[0][1][0][i_2];
#line 7 "spots.st"
		u_new_r[0][i_2] = fmaf(rate, fmaf(-2.0f, u_c, u_r[0][0][0][i_2] + u_r[0][2][0][i_2]), u_c) - r_new_r[0][i_2];
#line 331 "spots.cu"
		u_new_r[0][i_2] = y >= region.lo[0] && y < region.hi[0] &&
			x + i_2 * 32 >= region.lo[1] &&
			x + i_2 * 32 < region.hi[1] ? u_new_r[0][i_2] : u_r[0][1][0][i_2];
	}
	STENCIL_UNROLL
	for (int32_t i_4 = 0; i_4 < 4; i_4++) {
		if (x + i_4 * 32 < cells.hi[1]) {
			u_next[(int64_t)(y - grid.origin[0]) * u_y +
				(int64_t)(x + i_4 * 32 - grid.origin[1])] = u_new_r[0][i_4];
		}
	}
	/* v */
	float v_new_r[1][4];
	STENCIL_UNROLL
	for (int32_t i_3 = 0; i_3 < 4; i_3++) {
#line 6 "spots.st"
		const float v_c_2 = v_r[0][0][1][i_3];
#line 8 "spots.st"
		v_new_r[0][i_3] = fmaf(rate, fmaf(-2.0f, v_c_2, v_r[0][0][0][i_3] + v_r[0][0][2][i_3]), v_c_2) + r_new_r[0][i_3];
#line 351 "spots.cu"
		v_new_r[0][i_3] = y >= region_2.lo[0] && y < region_2.hi[0] &&
			x + i_3 * 32 >= region_2.lo[1] &&
			x + i_3 * 32 < region_2.hi[1] ? v_new_r[0][i_3] : v_r[0][0][1][i_3];
	}
	STENCIL_UNROLL
	for (int32_t i_5 = 0; i_5 < 4; i_5++) {
		if (x + i_5 * 32 < cells.hi[1]) {
			v_next[(int64_t)(y - grid.origin[0]) * v_y +
				(int64_t)(x + i_5 * 32 - grid.origin[1])] = v_new_r[0][i_5];
		}
	}
}

stencil_status
spots(stencil_context *ctx, const spots_args *a)
{
	spots_call call = {}, *const c = &call;
	void *memory;

	if (ctx == NULL)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "spots: no context");
	STENCIL_TRY(spots_prepare(ctx, a, c));

	const spots_call packed = call;
	const stencil_on_device device(ctx);

	STENCIL_TRY(device.status);

	int padded = a->steps >= 32 && spots_pad(c) > 0 &&
		stencil_room_for_rows(ctx, a->workspace, a->workspace_size, c->workspace, &memory);

	if (!padded) {
		call = packed;
		STENCIL_TRY(stencil_memory(ctx, "spots", a->workspace, a->workspace_size,
			c->workspace, &memory));
	}

	float *const u[2] = { padded ? (float *)stencil_at(memory, c->at_u_rows) : a->u,
		(float *)stencil_at(memory, c->at_u_next) };
	float *const v[2] = { padded ? (float *)stencil_at(memory, c->at_v_rows) : a->v,
		(float *)stencil_at(memory, c->at_v_next) };
	const stencil_cells r_cells = { { 0, 0, 0 }, { c->grid.extent[0], c->grid.extent[1], 1 } };
	const stencil_cells u_region = {
		{ (int32_t)stencil_max_i64(1, c->box.lo[0]), (int32_t)c->box.lo[1], 0 },
		{ (int32_t)stencil_min_i64(c->box.hi[0], (int64_t)c->grid.extent[0] - 1),
		(int32_t)c->box.hi[1], 1 } };
	const stencil_cells v_region = {
		{ (int32_t)c->box.lo[0], (int32_t)stencil_max_i64(1, c->box.lo[1]), 0 },
		{ (int32_t)c->box.hi[0], (int32_t)stencil_min_i64(c->box.hi[1],
		(int64_t)c->grid.extent[1] - 1), 1 } };
	const stencil_shape r_shape = { { 32, 8, 1 }, { 128, 8, 1 }, { 1, 0, -1 }, 0 };

	if (padded) {
		STENCIL_TRY(stencil_copy_rows(ctx, a->u, packed.u, u[0], c->u, c->grid, 4, 1));
		STENCIL_TRY(stencil_copy_rows(ctx, a->v, packed.v, v[0], c->v, c->grid, 4, 1));
	}

	for (int64_t step = 0; step < a->steps; step++) {
		if ((padded || stencil_row_fits(&c->grid, 1, 4)) &&
			stencil_field_fits(u[stencil_slot(0, step, 2)], &c->u, 4) &&
			stencil_field_fits(v[stencil_slot(0, step, 2)], &c->v, 4) &&
			stencil_field_fits(u[stencil_slot(1, step, 2)], &c->u, 4) &&
			stencil_field_fits(v[stencil_slot(1, step, 2)], &c->v, 4)) {
			STENCIL_TRY(stencil_launch(ctx, "spots_k0_r_x4", r_shape,
				stencil_whole_lines(r_cells, 1, 4, 32), spots_k0_r_x4,
				u[stencil_slot(0, step, 2)], v[stencil_slot(0, step, 2)],
				u[stencil_slot(1, step, 2)], v[stencil_slot(1, step, 2)], c->u,
				c->v, stencil_whole_grid(c->grid, 1, 4), u_region, v_region,
				a->rate));
		} else {
			STENCIL_TRY(stencil_launch(ctx, "spots_k0_r", r_shape, r_cells, spots_k0_r,
				v[stencil_slot(0, step, 2)], u[stencil_slot(0, step, 2)],
				u[stencil_slot(1, step, 2)], v[stencil_slot(1, step, 2)], c->u,
				c->v, c->grid, u_region, v_region, a->rate));
		}
	}
	if (padded) {
		STENCIL_TRY(stencil_copy_rows(ctx, u[stencil_slot(0, a->steps, 2)], c->u, a->u,
			packed.u, c->grid, 1, 1));
		STENCIL_TRY(stencil_copy_rows(ctx, v[stencil_slot(0, a->steps, 2)], c->v, a->v,
			packed.v, c->grid, 1, 1));
	} else {
		STENCIL_TRY(stencil_settle(ctx, u, c->u, c->grid, 1, a->steps, NULL));
		STENCIL_TRY(stencil_settle(ctx, v, c->v, c->grid, 1, a->steps, NULL));
	}
	return STENCIL_OK;
}
