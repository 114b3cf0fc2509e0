/* Made from j2d5pt_f64.st by stencilc, for CUDA.
 *
 *   nvcc -std=c++17 -fmad=false -Xcompiler=-ffp-contract=off -arch=sm_90
 *
 * It is planned for that architecture; others run it, too.
 */
#include "j2d5pt_f64.h"

#include "stencil_kernel.h"

/* What a call of j2d5pt_f64 works on, worked out from its arguments. */
typedef struct {
	stencil_grid grid;
	stencil_box box;
	stencil_layout u;
	size_t at_u_next; /* in the workspace */
	size_t workspace; /* bytes of it */
} j2d5pt_f64_call;

/* The sizes of the grids, of the fields and of the workspace. */
static stencil_status
j2d5pt_f64_measure(stencil_context *ctx, const j2d5pt_f64_args *a, j2d5pt_f64_call *c)
{
	if (a == NULL)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "j2d5pt_f64: no arguments");

	const char *const grid_names[] = { "ny", "nx" };
	const int64_t grid_extents[] = { a->ny, a->nx };

	STENCIL_TRY(stencil_measure_grid(ctx, "j2d5pt_f64", &c->grid, 2, grid_names, grid_extents));
	STENCIL_TRY(stencil_lay_out(ctx, "j2d5pt_f64", "u", &c->u, &c->grid, 3, 1, 0, a->u_pitch,
		sizeof(double)));
	c->workspace = 0;
	STENCIL_TRY(stencil_set_aside(ctx, "j2d5pt_f64", c->u.bytes, &c->workspace, &c->at_u_next));
	return STENCIL_OK;
}

/* Everything that can be wrong with a call; nothing is written before. */
static stencil_status
j2d5pt_f64_prepare(stencil_context *ctx, const j2d5pt_f64_args *a, j2d5pt_f64_call *c)
{
	STENCIL_TRY(j2d5pt_f64_measure(ctx, a, c));

	const char *const axes[] = { "y", "x" };

	c->box = a->box;
	STENCIL_TRY(stencil_check_box(ctx, "j2d5pt_f64", &c->box, &c->grid, 2, axes));
	STENCIL_TRY(stencil_check_steps(ctx, "j2d5pt_f64", a->steps, 0));

	const stencil_range ranges[] = {
		{ "u", a->u, c->u.bytes, sizeof(double), 1 },
		{ "workspace", a->workspace, a->workspace_size, 16, 1 },
	};

	STENCIL_TRY(stencil_check_ranges(ctx, "j2d5pt_f64", ranges, 1 + (a->workspace != NULL)));
	return STENCIL_OK;
}

STENCIL_WEAK void
j2d5pt_f64_args_init(j2d5pt_f64_args *a)
{
	memset(a, 0, sizeof *a);
}

STENCIL_WEAK size_t
j2d5pt_f64_workspace(const j2d5pt_f64_args *a)
{
	j2d5pt_f64_call c;

	return j2d5pt_f64_measure(NULL, a, &c) == STENCIL_OK ? c.workspace : 0;
}

/* u at t+1; an5d, 256x1 threads */
static __global__ void __launch_bounds__(256)
j2d5pt_f64_k0_u_t8(const stencil_cells cells, const double *__restrict__ u,
	double *__restrict__ u_next, const stencil_layout u_layout, const stencil_grid grid,
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

	double u_r[9][3][1][3];
	double (*const u_beside_s)[2][1][258] =
		(double (*)[2][1][258])stencil_at(stencil_shared(), 0);
	double (*const u_ahead_s)[1][256] = (double (*)[1][256])stencil_at(stencil_shared(), 33024);
	STENCIL_UNROLL
	for (int32_t s_2 = 0; s_2 < 8; s_2++) {
		STENCIL_UNROLL
		for (int32_t p = 0; p < 3; p++) {
			u_r[s_2][p][0][1] = 0;
		}
	}
	const int32_t from = stencil_max_i32(first - 8, stencil_min_i32(region.lo[0] - 1, first));
	const int64_t start = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(from, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * u_y + here;
	stencil_copy8(&u_ahead_s[0][0][column], &u[start]);
	stencil_copy_commit();
	const int32_t z_in = from + 1;
	const int64_t start_2 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(z_in, grid.first[0]),
		grid.last[0]) - grid.origin[0]) * u_y + here;
	stencil_copy8(&u_ahead_s[1][0][column], &u[start_2]);
	stencil_copy_commit();
	for (int32_t turn = 0; turn < last + 8 - from; turn++) {
		const int32_t y = from + turn;
		const int32_t slot = turn % 2;
		const int32_t slot_2 = (turn + 1) % 2;
		stencil_copy_wait<1>();
		const int32_t slot_out = turn % 3;
		u_r[0][2][0][1] = u_ahead_s[slot_out][0][column];
		const int32_t slot_in = (turn + 2) % 3;
		const int32_t z_in_2 = y + 2;
		const int64_t start_3 = (stencil_fold_clamp_hi(stencil_fold_clamp_lo(z_in_2,
			grid.first[0]), grid.last[0]) - grid.origin[0]) * u_y + here;
		stencil_copy8(&u_ahead_s[slot_in][0][column], &u[start_3]);
		stencil_copy_commit();
		STENCIL_UNROLL
		for (int32_t s = 0; s < 8; s++) {
			const int32_t q = y - (s + 1);
			u_r[s][1][0][0] = u_beside_s[s][slot_2][0][column];
			u_r[s][1][0][2] = u_beside_s[s][slot_2][0][column + 2];
			u_beside_s[s][slot][0][column + 1] = u_r[s][2][0][1];
#line 8 "../src/examples/j2d5pt_f64.st"
			u_r[s + 1][2][0][1] = fma(0.18, u_r[s][1][0][2], fma(0.17, u_r[s][1][0][0], fma(0.18, u_r[s][2][0][1], u_r[s][0][0][1])));
#line 139 "j2d5pt_f64.cu"
			if (edge || (y - 8 < region.lo[0] || y - 1 >= region.hi[0])) {
				if (y - 8 < region.lo[0] || y - 1 >= region.hi[0]) {
					if (q < region.lo[0] || q >= region.hi[0]) {
						u_r[s + 1][2][0][1] = u_r[s][1][0][1];
					}
				}
				if (edge) {
					u_r[s + 1][2][0][1] = kept ? u_r[s][1][0][1] :
						u_r[s + 1][2][0][1];
					u_r[s + 1][2][0][1] = kept_2 ? u_r[s][1][0][1] :
						u_r[s + 1][2][0][1];
				}
			}
#line 8 "../src/examples/j2d5pt_f64.st"
			u_r[s][0][0][1] = fma(0.16, u_r[s][1][0][1], 0.31 * u_r[s][2][0][1]);
#line 155 "j2d5pt_f64.cu"
			u_r[s][1][0][1] = u_r[s][2][0][1];
		}
		const int32_t z_out = y - 8;
		if (z_out >= first) {
			const int64_t start_4 = (int64_t)(z_out - grid.origin[0]) * u_y + here;
			if (0 < row_to) {
				u_next[start_4] = u_r[8][2][0][1];
			}
		}
		__syncthreads();
	}
	stencil_copy_wait<0>();
}

/* u at t+1; march, 32x8 threads */
static __global__ void __launch_bounds__(256)
j2d5pt_f64_k0_u_x2(const stencil_cells cells, const double *__restrict__ u,
	double *__restrict__ u_next, const stencil_layout u_layout, const stencil_grid grid,
	const stencil_cells region)
{
	const int64_t u_y = u_layout.stride[0];
	const int32_t x = cells.lo[1] + (int32_t)blockIdx.x * 64 + (int32_t)threadIdx.x * 2;
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
	const int32_t x_p2 = x + 2;
	const int64_t u_column_p2 = stencil_fold_clamp_hi(x_p2, grid.last[1]) - grid.origin[1];

	double u_r[1][4][4];
	const stencil_vector<double, 2> u_v = stencil_load<double, 2>(u + u_row_m1 + u_column);
	STENCIL_UNROLL
	for (int e = 0; e < 2; e++)
		u_r[0][0][1 + e] = u_v.at[e];
	u_r[0][1][0] = u[u_row + u_column_m1];
	const stencil_vector<double, 2> u_v_2 = stencil_load<double, 2>(u + u_row + u_column);
	STENCIL_UNROLL
	for (int e_2 = 0; e_2 < 2; e_2++)
		u_r[0][1][1 + e_2] = u_v_2.at[e_2];
	u_r[0][1][3] = u[u_row + u_column_p2];
	u_r[0][2][0] = u[u_row_p1 + u_column_m1];
	const stencil_vector<double, 2> u_v_3 = stencil_load<double, 2>(u + u_row_p1 + u_column);
	STENCIL_UNROLL
	for (int e_3 = 0; e_3 < 2; e_3++)
		u_r[0][2][1 + e_3] = u_v_3.at[e_3];
	u_r[0][2][3] = u[u_row_p1 + u_column_p2];
	const stencil_vector<double, 2> u_v_4 = stencil_load<double, 2>(u + u_row_p2 + u_column);
	STENCIL_UNROLL
	for (int e_4 = 0; e_4 < 2; e_4++)
		u_r[0][3][1 + e_4] = u_v_4.at[e_4];
	double u_new_r[2][2];
	STENCIL_UNROLL
	for (int32_t j = 0; j < 2; j++) {
		STENCIL_UNROLL
		for (int32_t i = 0; i < 2; i++) {
#line 8 "../src/examples/j2d5pt_f64.st"
			u_new_r[j][i] = fma(0.18, u_r[0][j + 1][i + 2], fma(0.17, u_r[0][j + 1][i], fma(0.18, u_r[0][j + 2][i + 1], fma(0.16, u_r[0][j][i + 1], 0.31 * u_r[0][j + 1][i + 1]))));
#line 225 "j2d5pt_f64.cu"
			u_new_r[j][i] = y + j >= region.lo[0] && y + j < region.hi[0] &&
				x + i >= region.lo[1] &&
				x + i < region.hi[1] ? u_new_r[j][i] : u_r[0][j + 1][i + 1];
		}
	}
	STENCIL_UNROLL
	for (int32_t j_2 = 0; j_2 < 2; j_2++) {
		if (y + j_2 < cells.hi[0]) {
			stencil_vector<double, 2> u_v_5;

			STENCIL_UNROLL
			for (int e_5 = 0; e_5 < 2; e_5++)
				u_v_5.at[e_5] = u_new_r[j_2][e_5];
			stencil_store_global(u_next + (int64_t)(y + j_2 - grid.origin[0]) * u_y +
				(int64_t)(x - grid.origin[1]), u_v_5);
		}
	}
}

/* u at t+1; march, 32x8 threads */
static __global__ void __launch_bounds__(256)
j2d5pt_f64_k0_u(const stencil_cells cells, const double *__restrict__ u,
	double *__restrict__ u_next, const stencil_layout u_layout, const stencil_grid grid,
	const stencil_cells region)
{
	const int64_t u_y = u_layout.stride[0];
	const int32_t lane = (int32_t)stencil_lane();
	const int32_t x = cells.lo[1] + (int32_t)blockIdx.x * 64 + (int32_t)threadIdx.x;
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
	const int32_t x_m1 = x0 - 1;
	const int64_t u_column_m1 = stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_m1,
		grid.first[1]), grid.last[1]) - grid.origin[1];
	const int32_t x1 = stencil_min_i32(x + 32, cells.hi[1]);
	const int32_t lane_p1 = (lane + 1) % 32;
	const bool rightmost = lane >= 31;
	const int32_t x_p1 = x1 + 1;
	const int64_t u_column_p1 = stencil_fold_clamp_hi(x_p1, grid.last[1]) - grid.origin[1];
	const int32_t y_p1 = y + 1;
	const int64_t u_row_p1 = (stencil_fold_clamp_hi(y_p1, grid.last[0]) - grid.origin[0]) * u_y;
	const int32_t y_p2 = stencil_min_i32(y + 2, cells.hi[0]);
	const int64_t u_row_p2 = (stencil_fold_clamp_hi(y_p2, grid.last[0]) - grid.origin[0]) * u_y;
	const int64_t u_column = stencil_fold_clamp_hi(x0, grid.last[1]) - grid.origin[1];
	const int64_t u_column_2 = stencil_fold_clamp_hi(x1, grid.last[1]) - grid.origin[1];

	double u_r[1][4][3][2];
	if (leftmost) {
		u_r[0][1][0][0] = u[u_row + u_column_m1];
	}
	if (rightmost) {
		u_r[0][1][2][1] = u[u_row + u_column_p1];
	}
	if (leftmost) {
		u_r[0][2][0][0] = u[u_row_p1 + u_column_m1];
	}
	if (rightmost) {
		u_r[0][2][2][1] = u[u_row_p1 + u_column_p1];
	}
	u_r[0][0][1][0] = u[u_row_m1 + u_column];
	u_r[0][0][1][1] = u[u_row_m1 + u_column_2];
	u_r[0][1][1][0] = u[u_row + u_column];
	u_r[0][1][1][1] = u[u_row + u_column_2];
	u_r[0][2][1][0] = u[u_row_p1 + u_column];
	u_r[0][2][1][1] = u[u_row_p1 + u_column_2];
	u_r[0][3][1][0] = u[u_row_p2 + u_column];
	u_r[0][3][1][1] = u[u_row_p2 + u_column_2];
	const double beside = stencil_shuffle(u_r[0][1][1][0], lane_m1);
	u_r[0][1][0][0] = leftmost ? u_r[0][1][0][0] : beside;
	const double beside_2 = stencil_shuffle(u_r[0][1][1][1], lane_m1);
	u_r[0][1][0][1] = leftmost ? beside : beside_2;
	const double beside_3 = stencil_shuffle(u_r[0][1][1][0], lane_p1);
	const double beside_4 = stencil_shuffle(u_r[0][1][1][1], lane_p1);
	u_r[0][1][2][0] = rightmost ? beside_4 : beside_3;
	u_r[0][1][2][1] = rightmost ? u_r[0][1][2][1] : beside_4;
	const double beside_5 = stencil_shuffle(u_r[0][2][1][0], lane_m1);
	u_r[0][2][0][0] = leftmost ? u_r[0][2][0][0] : beside_5;
	const double beside_6 = stencil_shuffle(u_r[0][2][1][1], lane_m1);
	u_r[0][2][0][1] = leftmost ? beside_5 : beside_6;
	const double beside_7 = stencil_shuffle(u_r[0][2][1][0], lane_p1);
	const double beside_8 = stencil_shuffle(u_r[0][2][1][1], lane_p1);
	u_r[0][2][2][0] = rightmost ? beside_8 : beside_7;
	u_r[0][2][2][1] = rightmost ? u_r[0][2][2][1] : beside_8;
	double u_new_r[2][2];
	STENCIL_UNROLL
	for (int32_t j = 0; j < 2; j++) {
		STENCIL_UNROLL
		for (int32_t i = 0; i < 2; i++) {
#line 8 "../src/examples/j2d5pt_f64.st"
			u_new_r[j][i] = fma(0.18, u_r[0][j + 1][2][i], fma(0.17, u_r[0][j + 1][0][i], fma(0.18, u_r[0][j + 2][1][i], fma(0.16, u_r[0][j][1][i], 0.31 * u_r[0][j + 1][1][i]))));
#line 323 "j2d5pt_f64.cu"
			u_new_r[j][i] = y + j >= region.lo[0] && y + j < region.hi[0] &&
				x + i * 32 >= region.lo[1] &&
				x + i * 32 < region.hi[1] ? u_new_r[j][i] : u_r[0][j + 1][1][i];
		}
	}
	STENCIL_UNROLL
	for (int32_t j_2 = 0; j_2 < 2; j_2++) {
		STENCIL_UNROLL
		for (int32_t i_2 = 0; i_2 < 2; i_2++) {
			if (y + j_2 < cells.hi[0] && x + i_2 * 32 < cells.hi[1]) {
				u_next[(int64_t)(y + j_2 - grid.origin[0]) * u_y +
					(int64_t)(x + i_2 * 32 - grid.origin[1])] =
					u_new_r[j_2][i_2];
			}
		}
	}
}

stencil_status
j2d5pt_f64(stencil_context *ctx, const j2d5pt_f64_args *a)
{
	j2d5pt_f64_call call, *const c = &call;
	void *memory;

	if (ctx == NULL)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "j2d5pt_f64: no context");
	STENCIL_TRY(j2d5pt_f64_prepare(ctx, a, c));

	const stencil_on_device device(ctx);

	STENCIL_TRY(device.status);
	STENCIL_TRY(stencil_memory(ctx, "j2d5pt_f64", a->workspace, a->workspace_size,
		c->workspace, &memory));

	double *const u[2] = { a->u, (double *)stencil_at(memory, c->at_u_next) };
	const stencil_cells u_cells = { { 0, 0, 0 }, { c->grid.extent[0], c->grid.extent[1], 1 } };
	const stencil_cells u_region = {
		{ (int32_t)(stencil_max_i64(1, c->box.lo[0])),
		(int32_t)(stencil_max_i64(1, c->box.lo[1])), 0 },
		{ (int32_t)(stencil_min_i64(c->box.hi[0], (int64_t)c->grid.extent[0] - 1)),
		(int32_t)(stencil_min_i64(c->box.hi[1], (int64_t)c->grid.extent[1] - 1)), 1 } };
	const stencil_shape u_shape = { { 32, 8, 1 }, { 64, 16, 1 }, { 1, 0, -1 }, 0 };

	stencil_shape tiled = { { 256, 1, 1 }, { 240, 32, 0 }, { 1, 0, -1 }, 39168 };
	int64_t step = 0;
	const int fits = stencil_row_fits(&c->grid, 1, 1) &&
		stencil_field_fits(u[stencil_slot(0, step, 2)], &c->u, 1) &&
		stencil_field_fits(u[stencil_slot(1, step, 2)], &c->u, 1) &&
		stencil_ends_fit(&u_region, &c->grid, 1, 1, 1) &&
		stencil_extent_of(&u_cells, 1) >= 256;
	stencil_cells inner = u_cells;
	stencil_inset(&inner, 1, 8, 8);

	if (fits)
		STENCIL_TRY(stencil_fill_device(ctx, "j2d5pt_f64_k0_u_t8", &tiled, &inner,
		j2d5pt_f64_k0_u_t8));

	for (int64_t done = 0; done < a->steps; step++) {
		if (fits && a->steps - done >= 8) {
			STENCIL_TRY(stencil_launch(ctx, "j2d5pt_f64_k0_u_t8", tiled, inner,
				j2d5pt_f64_k0_u_t8, u[stencil_slot(0, step, 2)],
				u[stencil_slot(1, step, 2)], c->u, c->grid, u_region,
				(int32_t)tiled.span[1]));
			done += 8;
		} else {
			if (stencil_row_fits(&c->grid, 1, 2) &&
				stencil_field_fits(u[stencil_slot(0, step, 2)], &c->u, 2) &&
				stencil_field_fits(u[stencil_slot(1, step, 2)], &c->u, 2)) {
				STENCIL_TRY(stencil_launch(ctx, "j2d5pt_f64_k0_u_x2", u_shape,
					stencil_whole(u_cells, 1, 2), j2d5pt_f64_k0_u_x2,
					u[stencil_slot(0, step, 2)], u[stencil_slot(1, step, 2)],
					c->u, c->grid, u_region));
			} else {
				STENCIL_TRY(stencil_launch(ctx, "j2d5pt_f64_k0_u", u_shape, u_cells,
					j2d5pt_f64_k0_u, u[stencil_slot(0, step, 2)],
					u[stencil_slot(1, step, 2)], c->u, c->grid, u_region));
			}
			done++;
		}
	}
	STENCIL_TRY(stencil_settle(ctx, u, c->u, c->grid, 1, step, NULL));
	return STENCIL_OK;
}
