/* Made from edges.st by stencilc, for CUDA.
 *
 *   nvcc -std=c++17 -fmad=false -Xcompiler=-ffp-contract=off -arch=sm_90
 *
 * It is planned for that architecture; others run it, too.
 */
#include "edges.h"

#include "stencil_kernel.h"

/* What a call of edges works on, worked out from its arguments. */
typedef struct {
	stencil_grid grid;
	stencil_box box;
	stencil_layout img;
	stencil_layout e;
	stencil_layout b;
	size_t at_b; /* in the workspace */
	size_t workspace; /* bytes of it */
} edges_call;

/* The sizes of the grids, of the fields and of the workspace. */
static stencil_status
edges_measure(stencil_context *ctx, const edges_args *a, edges_call *c)
{
	if (a == NULL)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "edges: no arguments");

	const char *const grid_names[] = { "ny", "nx" };
	const int64_t grid_extents[] = { a->ny, a->nx };

	STENCIL_TRY(stencil_measure_grid(ctx, "edges", &c->grid, 2, grid_names, grid_extents));
	STENCIL_TRY(stencil_lay_out(ctx, "edges", "img", &c->img, &c->grid, 3, 1, 0, a->img_pitch,
		sizeof(uint8_t)));
	STENCIL_TRY(stencil_lay_out(ctx, "edges", "e", &c->e, &c->grid, 3, 1, 0, a->e_pitch,
		sizeof(uint8_t)));
	STENCIL_TRY(stencil_lay_out(ctx, "edges", "b", &c->b, &c->grid, 3, 1, 0, 0,
		sizeof(int16_t)));
	c->workspace = 0;
	STENCIL_TRY(stencil_set_aside(ctx, "edges", c->b.bytes, &c->workspace, &c->at_b));
	return STENCIL_OK;
}

/* Everything that can be wrong with a call; nothing is written before. */
static stencil_status
edges_prepare(stencil_context *ctx, const edges_args *a, edges_call *c)
{
	STENCIL_TRY(edges_measure(ctx, a, c));

	const char *const axes[] = { "y", "x" };

	c->box = a->box;
	STENCIL_TRY(stencil_check_box(ctx, "edges", &c->box, &c->grid, 2, axes));

	const stencil_range ranges[] = {
		{ "img", a->img, c->img.bytes, sizeof(uint8_t), 0 },
		{ "e", a->e, c->e.bytes, sizeof(uint8_t), 1 },
		{ "workspace", a->workspace, a->workspace_size, 16, 1 },
	};

	STENCIL_TRY(stencil_check_ranges(ctx, "edges", ranges, 2 + (a->workspace != NULL)));
	return STENCIL_OK;
}

STENCIL_WEAK void
edges_args_init(edges_args *a)
{
	memset(a, 0, sizeof *a);
	a->level = 64;
}

size_t
edges_workspace(const edges_args *a)
{
	edges_call c = {};

	return edges_measure(NULL, a, &c) == STENCIL_OK ? c.workspace : 0;
}

/* b; shared, 16x4 threads */
static __global__ void __launch_bounds__(64)
edges_k0_b(const stencil_cells cells, const uint8_t *__restrict__ img, int16_t *__restrict__ b,
	const stencil_layout img_layout, const stencil_layout b_layout, const stencil_grid grid)
{
	const int32_t x = stencil_here(cells.lo[1], blockIdx.x, 16, threadIdx.x);
	const int32_t y = stencil_here(cells.lo[0], blockIdx.y, 4, threadIdx.y);

	const int thread = (int)(threadIdx.x + 16 * threadIdx.y);
	uint8_t *const img_tile = (uint8_t *)stencil_at(stencil_shared(), 0);
	const int img_t = ((int)threadIdx.y + 1) * 18 + (int)threadIdx.x + 1;

	const int64_t img_y = img_layout.stride[0];
	const int64_t b_y = b_layout.stride[0];

	for (int i = thread; i < 108; i += 64) {
		const int64_t y_want = stencil_within((int64_t)cells.lo[0] + blockIdx.y * 4 + i /
			18 - 1, (int64_t)cells.lo[0] - 1, (int64_t)cells.hi[0] - 1 + 1);
		const int64_t y_read = stencil_within(stencil_fold_clamp_hi(stencil_fold_clamp_lo(y_want, grid.first[0]), grid.last[0]), grid.first[0], grid.last[0]);
		const int64_t x_want = stencil_within((int64_t)cells.lo[1] + blockIdx.x * 16 + i %
			18 - 1, (int64_t)cells.lo[1] - 1, (int64_t)cells.hi[1] - 1 + 1);
		const int64_t x_read = stencil_within(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_want, grid.first[1]), grid.last[1]), grid.first[1], grid.last[1]);

		img_tile[i] = img[(y_read - grid.origin[0]) * img_y + (x_read - grid.origin[1])];
	}
	__syncthreads();
	if (stencil_past(x, cells.hi[1]) || stencil_past(y, cells.hi[0]))
		return;

	const int64_t b_i = (y - grid.origin[0]) * b_y + (x - grid.origin[1]);

#line 10 "edges.st"
	b[b_i] = (img_tile[img_t - 19] + 2 * img_tile[img_t - 18] + img_tile[img_t - 17] + 2 * img_tile[img_t - 1] + 4 * img_tile[img_t] + 2 * img_tile[img_t + 1] + img_tile[img_t + 17] + 2 * img_tile[img_t + 18] + img_tile[img_t + 19]) / 16;
#line 114 "edges.cu"
}

/* e; shared, 16x4 threads */
static __global__ void __launch_bounds__(64)
edges_k1_e(const stencil_cells cells, const int16_t *__restrict__ b, uint8_t *__restrict__ e,
	const stencil_layout b_layout, const stencil_layout e_layout, const stencil_grid grid,
	const int32_t level)
{
	const int32_t x = stencil_here(cells.lo[1], blockIdx.x, 16, threadIdx.x);
	const int32_t y = stencil_here(cells.lo[0], blockIdx.y, 4, threadIdx.y);

	const int thread = (int)(threadIdx.x + 16 * threadIdx.y);
	int16_t *const b_tile = (int16_t *)stencil_at(stencil_shared(), 0);
	const int b_t = ((int)threadIdx.y + 1) * 18 + (int)threadIdx.x + 1;

	const int64_t b_y = b_layout.stride[0];
	const int64_t e_y = e_layout.stride[0];

	for (int i = thread; i < 108; i += 64) {
		const int64_t y_want = stencil_within((int64_t)cells.lo[0] + blockIdx.y * 4 + i /
			18 - 1, (int64_t)cells.lo[0] - 1, (int64_t)cells.hi[0] - 1 + 1);
		const int64_t y_read = stencil_within(stencil_fold_clamp_hi(stencil_fold_clamp_lo(y_want, grid.first[0]), grid.last[0]), grid.first[0], grid.last[0]);
		const int64_t x_want = stencil_within((int64_t)cells.lo[1] + blockIdx.x * 16 + i %
			18 - 1, (int64_t)cells.lo[1] - 1, (int64_t)cells.hi[1] - 1 + 1);
		const int64_t x_read = stencil_within(stencil_fold_clamp_hi(stencil_fold_clamp_lo(x_want, grid.first[1]), grid.last[1]), grid.first[1], grid.last[1]);

		b_tile[i] = b[(y_read - grid.origin[0]) * b_y + (x_read - grid.origin[1])];
	}
	__syncthreads();
	if (stencil_past(x, cells.hi[1]) || stencil_past(y, cells.hi[0]))
		return;

	const int64_t e_i = (y - grid.origin[0]) * e_y + (x - grid.origin[1]);

#line 11 "edges.st"
	const int32_t b_ym1xp1 = b_tile[b_t - 17];
#line 11 "edges.st"
	const int32_t b_ym1xm1 = b_tile[b_t - 19];
#line 11 "edges.st"
	const int32_t b_yp1xp1 = b_tile[b_t + 19];
#line 11 "edges.st"
	const int32_t b_yp1xm1 = b_tile[b_t + 17];
#line 11 "edges.st"
	const int32_t gx = b_ym1xp1 - b_ym1xm1 + 2 * (b_tile[b_t + 1] - b_tile[b_t - 1]) + (b_yp1xp1 - b_yp1xm1);
#line 12 "edges.st"
	const int32_t gy = b_yp1xm1 - b_ym1xm1 + 2 * (b_tile[b_t + 18] - b_tile[b_t - 18]) + (b_yp1xp1 - b_ym1xp1);
#line 13 "edges.st"
	e[e_i] = stencil_abs_i32(gx) + stencil_abs_i32(gy) > level ? 255 : 0;
#line 163 "edges.cu"
}

stencil_status
edges(stencil_context *ctx, const edges_args *a)
{
	edges_call call = {}, *const c = &call;
	void *memory;

	if (ctx == NULL)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "edges: no context");
	STENCIL_TRY(edges_prepare(ctx, a, c));

	const stencil_on_device device(ctx);

	STENCIL_TRY(device.status);
	STENCIL_TRY(stencil_memory(ctx, "edges", a->workspace, a->workspace_size,
		c->workspace, &memory));

	int16_t *const b = (int16_t *)stencil_at(memory, c->at_b);
	const stencil_cells b_cells = { { 0, 0, 0 }, { c->grid.extent[0], c->grid.extent[1], 1 } };
	const stencil_cells e_cells = { { (int32_t)c->box.lo[0], (int32_t)c->box.lo[1], 0 },
		{ (int32_t)c->box.hi[0], (int32_t)c->box.hi[1], 1 } };
	const stencil_shape b_shape = { { 16, 4, 1 }, { 16, 4, 1 }, { 1, 0, -1 }, 108 };
	const stencil_shape e_shape = { { 16, 4, 1 }, { 16, 4, 1 }, { 1, 0, -1 }, 216 };

	STENCIL_TRY(stencil_launch(ctx, "edges_k0_b", b_shape, b_cells, edges_k0_b, a->img, b,
		c->img, c->b, c->grid));
	STENCIL_TRY(stencil_launch(ctx, "edges_k1_e", e_shape, e_cells, edges_k1_e, b, a->e, c->b,
		c->e, c->grid, a->level));
	return STENCIL_OK;
}
