/* Made from jacobi3d.st by stencilc, for CUDA.
 *
 *   nvcc -std=c++17 -fmad=false -Xcompiler=-ffp-contract=off -arch=sm_90
 *
 * It is planned for that architecture; others run it, too.
 */
#include "jacobi3d.h"

#include "stencil_kernel.h"

/* What a call of jacobi3d works on, worked out from its arguments. */
typedef struct {
	stencil_grid grid;
	stencil_box box;
	stencil_layout u;
	size_t at_u_next; /* in the workspace */
	size_t workspace; /* bytes of it */
} jacobi3d_call;

/* The sizes of the grids, of the fields and of the workspace. */
static stencil_status
jacobi3d_measure(stencil_context *ctx, const jacobi3d_args *a, jacobi3d_call *c)
{
	if (a == NULL)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "jacobi3d: no arguments");

	const char *const grid_names[] = { "nz", "ny", "nx" };
	const int64_t grid_extents[] = { a->nz, a->ny, a->nx };

	STENCIL_TRY(stencil_measure_grid(ctx, "jacobi3d", &c->grid, 3, grid_names, grid_extents));
	STENCIL_TRY(stencil_lay_out(ctx, "jacobi3d", "u", &c->u, &c->grid, 7, 1, 0, a->u_pitch,
		sizeof(float)));
	c->workspace = 0;
	STENCIL_TRY(stencil_set_aside(ctx, "jacobi3d", c->u.bytes, &c->workspace, &c->at_u_next));
	return STENCIL_OK;
}

/* Everything that can be wrong with a call; nothing is written before. */
static stencil_status
jacobi3d_prepare(stencil_context *ctx, const jacobi3d_args *a, jacobi3d_call *c)
{
	STENCIL_TRY(jacobi3d_measure(ctx, a, c));

	const char *const axes[] = { "z", "y", "x" };

	c->box = a->box;
	STENCIL_TRY(stencil_check_box(ctx, "jacobi3d", &c->box, &c->grid, 3, axes));
	STENCIL_TRY(stencil_check_steps(ctx, "jacobi3d", a->steps, 0));

	const stencil_range ranges[] = {
		{ "u", a->u, c->u.bytes, sizeof(float), 1 },
		{ "workspace", a->workspace, a->workspace_size, 16, 1 },
	};

	STENCIL_TRY(stencil_check_ranges(ctx, "jacobi3d", ranges, 1 + (a->workspace != NULL)));
	return STENCIL_OK;
}

STENCIL_WEAK void
jacobi3d_args_init(jacobi3d_args *a)
{
	memset(a, 0, sizeof *a);
	a->w = 0.16666667f;
}

size_t
jacobi3d_workspace(const jacobi3d_args *a)
{
	jacobi3d_call c = {};

	return jacobi3d_measure(NULL, a, &c) == STENCIL_OK ? c.workspace : 0;
}

/* u at t+1; naive, 32x8x1 threads */
static __global__ void __launch_bounds__(256)
jacobi3d_k0_u(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ u_next,
	const stencil_layout u_layout, const stencil_grid grid, const stencil_cells region,
	const float w)
{
	const int32_t x = stencil_here(cells.lo[2], blockIdx.x, 32, threadIdx.x);
	const int32_t y = stencil_here(cells.lo[1], blockIdx.y, 8, threadIdx.y);
	const int32_t z = stencil_here(cells.lo[0], blockIdx.z, 1, threadIdx.z);

	if (stencil_past(x, cells.hi[2]) || stencil_past(y, cells.hi[1]) ||
		stencil_past(z, cells.hi[0]))
		return;

	const int64_t u_z = u_layout.stride[0];
	const int64_t u_y = u_layout.stride[1];
	const int64_t u_i = (z - grid.origin[0]) * u_z + (y - grid.origin[1]) * u_y +
		(x - grid.origin[2]);

	if (z >= region.lo[0] && z < region.hi[0] && y >= region.lo[1] && y < region.hi[1] &&
		x >= region.lo[2] && x < region.hi[2]) {
#line 8 "jacobi3d.st"
		u_next[u_i] = w * (u[u_i - u_z] + u[u_i + u_z] + u[u_i - u_y] + u[u_i + u_y] + u[u_i - 1] + u[u_i + 1]);
#line 98 "jacobi3d.cu"
	} else {
		u_next[u_i] = u[u_i];
	}
}

stencil_status
jacobi3d(stencil_context *ctx, const jacobi3d_args *a)
{
	jacobi3d_call call = {}, *const c = &call;
	void *memory;

	if (ctx == NULL)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "jacobi3d: no context");
	STENCIL_TRY(jacobi3d_prepare(ctx, a, c));

	const stencil_on_device device(ctx);

	STENCIL_TRY(device.status);
	STENCIL_TRY(stencil_memory(ctx, "jacobi3d", a->workspace, a->workspace_size,
		c->workspace, &memory));

	float *const u[2] = { a->u, (float *)stencil_at(memory, c->at_u_next) };
	const stencil_cells u_cells = { { 0, 0, 0 },
		{ c->grid.extent[0], c->grid.extent[1], c->grid.extent[2] } };
	const stencil_cells u_region = {
		{ (int32_t)stencil_max_i64(1, c->box.lo[0]),
		(int32_t)stencil_max_i64(1, c->box.lo[1]),
		(int32_t)stencil_max_i64(1, c->box.lo[2]) },
		{ (int32_t)stencil_min_i64(c->box.hi[0], (int64_t)c->grid.extent[0] - 1),
		(int32_t)stencil_min_i64(c->box.hi[1], (int64_t)c->grid.extent[1] - 1),
		(int32_t)stencil_min_i64(c->box.hi[2], (int64_t)c->grid.extent[2] - 1) } };
	const stencil_shape u_shape = { { 32, 8, 1 }, { 32, 8, 1 }, { 2, 1, 0 }, 0 };

	for (int64_t step = 0; step < a->steps; step++) {
		STENCIL_TRY(stencil_launch(ctx, "jacobi3d_k0_u", u_shape, u_cells, jacobi3d_k0_u,
			u[stencil_slot(0, step, 2)], u[stencil_slot(1, step, 2)], c->u, c->grid,
			u_region, a->w));
	}
	STENCIL_TRY(stencil_settle(ctx, u, c->u, c->grid, 1, a->steps, NULL));
	return STENCIL_OK;
}
