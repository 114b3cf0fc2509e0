/* Made from points.st by stencilc, for CUDA.
 *
 *   nvcc -std=c++17 -fmad=false -Xcompiler=-ffp-contract=off -arch=sm_90
 *
 * It is planned for that architecture; others run it, too.
 */
#include "points.h"

#include "stencil_kernel.h"

/* What a call of points works on, worked out from its arguments. */
typedef struct {
	stencil_grid grid;
	stencil_box box;
	stencil_layout a;
	stencil_layout b;
	stencil_layout c;
	size_t workspace; /* bytes of it */
} points_call;

/* The sizes of the grids, of the fields and of the workspace. */
static stencil_status
points_measure(stencil_context *ctx, const points_args *a, points_call *c)
{
	if (a == NULL)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "points: no arguments");

	const char *const grid_names[] = { "ny", "nx" };
	const int64_t grid_extents[] = { a->ny, a->nx };

	STENCIL_TRY(stencil_measure_grid(ctx, "points", &c->grid, 2, grid_names, grid_extents));
	STENCIL_TRY(stencil_lay_out(ctx, "points", "a", &c->a, &c->grid, 3, 1, 0, a->a_pitch,
		sizeof(float)));
	STENCIL_TRY(stencil_lay_out(ctx, "points", "b", &c->b, &c->grid, 3, 1, 0, a->b_pitch,
		sizeof(float)));
	STENCIL_TRY(stencil_lay_out(ctx, "points", "c", &c->c, &c->grid, 3, 1, 0, a->c_pitch,
		sizeof(float)));
	c->workspace = 0;
	return STENCIL_OK;
}

/* Everything that can be wrong with a call; nothing is written before. */
static stencil_status
points_prepare(stencil_context *ctx, const points_args *a, points_call *c)
{
	STENCIL_TRY(points_measure(ctx, a, c));

	const char *const axes[] = { "y", "x" };

	c->box = a->box;
	STENCIL_TRY(stencil_check_box(ctx, "points", &c->box, &c->grid, 2, axes));

	const stencil_range ranges[] = {
		{ "a", a->a, c->a.bytes, sizeof(float), 0 },
		{ "b", a->b, c->b.bytes, sizeof(float), 0 },
		{ "c", a->c, c->c.bytes, sizeof(float), 1 },
		{ "workspace", a->workspace, a->workspace_size, 16, 1 },
	};

	STENCIL_TRY(stencil_check_ranges(ctx, "points", ranges, 3 + (a->workspace != NULL)));
	return STENCIL_OK;
}

STENCIL_WEAK void
points_args_init(points_args *a)
{
	memset(a, 0, sizeof *a);
}

size_t
points_workspace(const points_args *a)
{
	points_call c = {};

	return points_measure(NULL, a, &c) == STENCIL_OK ? c.workspace : 0;
}

/* c; march, 32x8 threads */
static __global__ void __launch_bounds__(256)
points_k0_c_x4(const stencil_walk walk, const float *__restrict__ a, const float *__restrict__ b,
	float *__restrict__ c, const stencil_layout a_layout, const stencil_layout b_layout,
	const stencil_layout c_layout, const stencil_grid grid, const stencil_cells region)
{
	const stencil_cells cells = walk.cells;

	for (uint32_t n = blockIdx.x; n < walk.parts; n += gridDim.x) {
		const stencil_part part = stencil_part_of(walk, n);
		const int64_t a_y = a_layout.stride[0];
		const int64_t b_y = b_layout.stride[0];
		const int64_t c_y = c_layout.stride[0];
		const int32_t x = cells.lo[1] + part.at[0] * 128 +
			stencil_keep((int32_t)threadIdx.x) * 4;
		const int32_t y = cells.lo[0] + part.at[1] * 16 +
			stencil_keep((int32_t)threadIdx.y) * 2;
		if (x >= cells.hi[1])
			continue;
		if (y >= cells.hi[0])
			continue;
		const int64_t a_row = (int64_t)(y - grid.origin[0]) * a_y;
		const int32_t y_p1 = stencil_below(y + 1, cells.hi[0]);
		const int64_t a_row_p1 = (stencil_fold_clamp_hi(y_p1, grid.last[0]) -
			grid.origin[0]) * a_y;
		const int64_t b_row = (int64_t)(y - grid.origin[0]) * b_y;
		const int64_t b_row_p1 = (stencil_fold_clamp_hi(y_p1, grid.last[0]) -
			grid.origin[0]) * b_y;
		const int64_t a_column = (int64_t)(x - grid.origin[1]);
		const bool full = x >= region.lo[1] && x < region.hi[1] && x + 3 >= region.lo[1] &&
			x + 3 < region.hi[1];

		float a_r[1][2][4];
		float b_r[1][2][4];
		/* what the cells read */
		const stencil_vector<float, 4> a_v = stencil_load<float, 4>(a + a_row + a_column);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			a_r[0][0][e] = a_v.at[e];
		const stencil_vector<float, 4> a_v_2 = stencil_load<float,
			4>(a + a_row_p1 + a_column);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			a_r[0][1][e] = a_v_2.at[e];
		const stencil_vector<float, 4> b_v = stencil_load<float, 4>(b + b_row + a_column);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			b_r[0][0][e] = b_v.at[e];
		const stencil_vector<float, 4> b_v_2 = stencil_load<float,
			4>(b + b_row_p1 + a_column);
		STENCIL_UNROLL
		for (int e = 0; e < 4; e++)
			b_r[0][1][e] = b_v_2.at[e];
		/* the cells */
		float c_new_r[2][4];
		STENCIL_UNROLL
		for (int32_t j = 0; j < 2; j++) {
			STENCIL_UNROLL
			for (int32_t i = 0; i < 4; i++) {
				c_new_r[j][i] = fmaf(a_r[0][j][i], b_r[0][j][i], 0.5f);
			}
		}
		STENCIL_UNROLL
		for (int32_t j_2 = 0; j_2 < 2; j_2++) {
			if (y + j_2 < cells.hi[0] && y + j_2 >= region.lo[0] &&
				y + j_2 < region.hi[0]) {
				if (full) {
					stencil_vector<float, 4> c_v;

					STENCIL_UNROLL
					for (int e = 0; e < 4; e++)
						c_v.at[e] = c_new_r[j_2][e];
					stencil_store_global(c +
						(int64_t)(y + j_2 - grid.origin[0]) * c_y +
						(int64_t)(x - grid.origin[1]), c_v);
				} else {
					STENCIL_UNROLL
					for (int32_t i_2 = 0; i_2 < 4; i_2++) {
						if (x + i_2 >= region.lo[1] &&
							x + i_2 < region.hi[1]) {
							c[(int64_t)(y + j_2 - grid.origin[0]) *
								c_y + (int64_t)(x + i_2 -
								grid.origin[1])] = c_new_r[j_2][i_2];
						}
					}
				}
			}
		}
	}
}

/* c; march, 32x8 threads */
static __global__ void __launch_bounds__(256)
points_k0_c(const stencil_walk walk, const float *__restrict__ a, const float *__restrict__ b,
	float *__restrict__ c, const stencil_layout a_layout, const stencil_layout b_layout,
	const stencil_layout c_layout, const stencil_grid grid, const stencil_cells region)
{
	const stencil_cells cells = walk.cells;

	for (uint32_t n = blockIdx.x; n < walk.parts; n += gridDim.x) {
		const stencil_part part = stencil_part_of(walk, n);
		const int64_t a_y = a_layout.stride[0];
		const int64_t b_y = b_layout.stride[0];
		const int64_t c_y = c_layout.stride[0];
		const int32_t x = cells.lo[1] + part.at[0] * 128 +
			stencil_keep((int32_t)threadIdx.x);
		const int32_t y = cells.lo[0] + part.at[1] * 16 +
			stencil_keep((int32_t)threadIdx.y) * 2;
		if (x >= cells.hi[1])
			continue;
		if (y >= cells.hi[0])
			continue;
		const int64_t a_row = (int64_t)(y - grid.origin[0]) * a_y;
		const int32_t y_p1 = stencil_below(y + 1, cells.hi[0]);
		const int64_t a_row_p1 = (stencil_fold_clamp_hi(y_p1, grid.last[0]) -
			grid.origin[0]) * a_y;
		const int64_t b_row = (int64_t)(y - grid.origin[0]) * b_y;
		const int64_t b_row_p1 = (stencil_fold_clamp_hi(y_p1, grid.last[0]) -
			grid.origin[0]) * b_y;
		const int64_t a_column = (int64_t)(x - grid.origin[1]);
		const int32_t x1 = stencil_below(x + 32, cells.hi[1]);
		const int64_t a_column_2 = (int64_t)(x1 - grid.origin[1]);
		const int32_t x2 = stencil_below(x + 64, cells.hi[1]);
		const int64_t a_column_3 = (int64_t)(x2 - grid.origin[1]);
		const int32_t x3 = stencil_below(x + 96, cells.hi[1]);
		const int64_t a_column_4 = (int64_t)(x3 - grid.origin[1]);

		float a_r[1][2][1][4];
		float b_r[1][2][1][4];
		/* what the cells read */
		a_r[0][0][0][0] = a[a_row + a_column];
		a_r[0][0][0][1] = a[a_row + a_column_2];
		a_r[0][0][0][2] = a[a_row + a_column_3];
		a_r[0][0][0][3] = a[a_row + a_column_4];
		a_r[0][1][0][0] = a[a_row_p1 + a_column];
		a_r[0][1][0][1] = a[a_row_p1 + a_column_2];
		a_r[0][1][0][2] = a[a_row_p1 + a_column_3];
		a_r[0][1][0][3] = a[a_row_p1 + a_column_4];
		b_r[0][0][0][0] = b[b_row + a_column];
		b_r[0][0][0][1] = b[b_row + a_column_2];
		b_r[0][0][0][2] = b[b_row + a_column_3];
		b_r[0][0][0][3] = b[b_row + a_column_4];
		b_r[0][1][0][0] = b[b_row_p1 + a_column];
		b_r[0][1][0][1] = b[b_row_p1 + a_column_2];
		b_r[0][1][0][2] = b[b_row_p1 + a_column_3];
		b_r[0][1][0][3] = b[b_row_p1 + a_column_4];
		/* the cells */
		float c_new_r[2][4];
		STENCIL_UNROLL
		for (int32_t j = 0; j < 2; j++) {
			STENCIL_UNROLL
			for (int32_t i = 0; i < 4; i++) {
				c_new_r[j][i] = fmaf(a_r[0][j][0][i], b_r[0][j][0][i], 0.5f);
			}
		}
		STENCIL_UNROLL
		for (int32_t j_2 = 0; j_2 < 2; j_2++) {
			STENCIL_UNROLL
			for (int32_t i_2 = 0; i_2 < 4; i_2++) {
				if (y + j_2 < cells.hi[0] && y + j_2 >= region.lo[0] &&
					y + j_2 < region.hi[0] && x + i_2 * 32 < cells.hi[1] &&
					x + i_2 * 32 >= region.lo[1] && x + i_2 * 32 < region.hi[1])
					{
					c[(int64_t)(y + j_2 - grid.origin[0]) * c_y +
						(int64_t)(x + i_2 * 32 - grid.origin[1])] =
						c_new_r[j_2][i_2];
				}
			}
		}
	}
}

stencil_status
points(stencil_context *ctx, const points_args *a)
{
	points_call call = {}, *const c = &call;

	if (ctx == NULL)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "points: no context");
	STENCIL_TRY(points_prepare(ctx, a, c));

	const stencil_on_device device(ctx);

	STENCIL_TRY(device.status);

	const stencil_cells c_cells = { { (int32_t)c->box.lo[0], (int32_t)c->box.lo[1], 0 },
		{ (int32_t)c->box.hi[0], (int32_t)c->box.hi[1], 1 } };
	const stencil_shape c_shape = { { 32, 8, 1 }, { 128, 16, 1 }, { 1, 0, -1 }, 0 };
	int64_t c_blocks = 0;

	if (stencil_row_fits(&c->grid, 1, 4) && stencil_field_fits(a->a, &c->a, 4) &&
		stencil_field_fits(a->b, &c->b, 4) && stencil_field_fits(a->c, &c->c, 4)) {
		STENCIL_TRY(stencil_launch_walk(ctx, "points_k0_c_x4", c_shape, &c_blocks,
			stencil_whole_lines(c_cells, 1, 4, 32), points_k0_c_x4, a->a, a->b, a->c,
			c->a, c->b, c->c, c->grid, c_cells));
	} else {
		STENCIL_TRY(stencil_launch_walk(ctx, "points_k0_c", c_shape, &c_blocks, c_cells,
			points_k0_c, a->a, a->b, a->c, c->a, c->b, c->c, c->grid, c_cells));
	}
	return STENCIL_OK;
}
