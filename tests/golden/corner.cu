/* Made from corner.st by stencilc, for CUDA.
 *
 *   nvcc -std=c++17 -fmad=false -Xcompiler=-ffp-contract=off -arch=sm_90
 *
 * It is planned for that architecture; others run it, too.
 */
#include "corner.h"

#include "stencil_kernel.h"

/* What a call of corner works on, worked out from its arguments. */
typedef struct {
	stencil_grid grid_fine;
	stencil_grid grid_coarse;
	stencil_layout u;
	stencil_layout c;
	stencil_layout m;
	stencil_layout m_mask; /* a byte per cell: 1 computed, 0 missing */
	stencil_layout s;
	stencil_layout s_mask; /* a byte per cell: 1 computed, 0 missing */
	size_t at_u_next; /* in the workspace */
	size_t at_m; /* in the workspace */
	size_t at_m_mask; /* in the workspace */
	size_t at_s; /* in the workspace */
	size_t at_s_mask; /* in the workspace */
	size_t at_partials; /* in the workspace */
	size_t at_progress; /* in the workspace */
	size_t workspace; /* bytes of it */
} corner_call;

/* The sizes of the grids, of the fields and of the workspace. */
static stencil_status
corner_measure(stencil_context *ctx, const corner_args *a, corner_call *c)
{
	if (a == NULL)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "corner: no arguments");

	const char *const grid_fine_names[] = { "fine_ny", "fine_nx" };
	const int64_t grid_fine_extents[] = { a->fine_ny, a->fine_nx };

	STENCIL_TRY(stencil_measure_grid(ctx, "corner", &c->grid_fine, 2, grid_fine_names,
		grid_fine_extents));
	const char *const grid_coarse_names[] =
		{ "the extent of coarse along y", "the extent of coarse along x" };
	const int64_t grid_coarse_extents[] =
		{ stencil_derived(c->grid_fine.extent[0], 1, 2),
		stencil_derived(c->grid_fine.extent[1], 1, 2) };

	STENCIL_TRY(stencil_measure_grid(ctx, "corner", &c->grid_coarse, 2, grid_coarse_names,
		grid_coarse_extents));
	STENCIL_TRY(stencil_lay_out(ctx, "corner", "u", &c->u, &c->grid_fine, 3, 1, 0, a->u_pitch,
		sizeof(float)));
	STENCIL_TRY(stencil_lay_out(ctx, "corner", "c", &c->c, &c->grid_coarse, 3, 1, 0, a->c_pitch,
		sizeof(stencil_f16)));
	STENCIL_TRY(stencil_lay_out(ctx, "corner", "m", &c->m, &c->grid_fine, 3, 1, 0, 0,
		sizeof(float)));
	STENCIL_TRY(stencil_lay_out(ctx, "corner", "m", &c->m_mask, &c->grid_fine, 3, 1, 0, 0, 1));
	STENCIL_TRY(stencil_lay_out(ctx, "corner", "s", &c->s, &c->grid_fine, 3, 1, 0, 0,
		sizeof(float)));
	STENCIL_TRY(stencil_lay_out(ctx, "corner", "s", &c->s_mask, &c->grid_fine, 3, 1, 0, 0, 1));
	c->workspace = 0;
	STENCIL_TRY(stencil_set_aside(ctx, "corner", c->u.bytes, &c->workspace, &c->at_u_next));
	STENCIL_TRY(stencil_set_aside(ctx, "corner", c->m.bytes, &c->workspace, &c->at_m));
	STENCIL_TRY(stencil_set_aside(ctx, "corner",
		c->m_mask.bytes, &c->workspace, &c->at_m_mask));
	STENCIL_TRY(stencil_set_aside(ctx, "corner", c->s.bytes, &c->workspace, &c->at_s));
	STENCIL_TRY(stencil_set_aside(ctx, "corner",
		c->s_mask.bytes, &c->workspace, &c->at_s_mask));
	STENCIL_TRY(stencil_set_aside(ctx, "corner",
		STENCIL_PARTIALS * sizeof(double), &c->workspace, &c->at_partials));
	STENCIL_TRY(stencil_set_aside(ctx, "corner",
		sizeof(stencil_progress), &c->workspace, &c->at_progress));
	return STENCIL_OK;
}

/* Everything that can be wrong with a call; nothing is written before. */
static stencil_status
corner_prepare(stencil_context *ctx, const corner_args *a, corner_call *c)
{
	STENCIL_TRY(corner_measure(ctx, a, c));
	STENCIL_TRY(stencil_check_steps(ctx, "corner", a->steps, 0));
	STENCIL_TRY(stencil_need(ctx, "corner", "m", "x", "mirror", c->grid_fine.extent[1], 2,
		2 + 1));
	STENCIL_TRY(stencil_need(ctx, "corner", "u", "y", "wrap",
		c->grid_fine.extent[0], -(int64_t)c->grid_fine.extent[0] + 2 *
		stencil_floor_div_i64((int64_t)c->grid_fine.extent[0] + 1,
		2), -(int64_t)c->grid_fine.extent[0] + 2 *
		stencil_floor_div_i64((int64_t)c->grid_fine.extent[0] + 1, 2)));

	const stencil_range ranges[] = {
		{ "u", a->u, c->u.bytes, sizeof(float), 1 },
		{ "c", a->c, c->c.bytes, sizeof(stencil_f16), 1 },
		{ "change", a->change, sizeof(double), sizeof(double), 1 },
		{ "workspace", a->workspace, a->workspace_size, 16, 1 },
	};

	STENCIL_TRY(stencil_check_ranges(ctx, "corner", ranges, 3 + (a->workspace != NULL)));
	return STENCIL_OK;
}

STENCIL_WEAK void
corner_args_init(corner_args *a)
{
	memset(a, 0, sizeof *a);
	a->tol = 0.001f;
	a->steps = 10;
}

size_t
corner_workspace(const corner_args *a)
{
	corner_call c = {};

	return corner_measure(NULL, a, &c) == STENCIL_OK ? c.workspace : 0;
}

/* m; naive, 32x8 threads */
static __global__ void __launch_bounds__(256)
corner_k0_m(const stencil_cells cells, const float *__restrict__ u,
	const stencil_progress *__restrict__ progress, float *__restrict__ m,
	uint8_t *__restrict__ m_mask, const stencil_layout m_layout, const stencil_layout u_layout,
	const stencil_layout m_mask_layout, const stencil_grid grid_fine,
	const stencil_cells region, const float tol)
{
	if (progress->stopped)
		return;
	const int32_t x = stencil_here(cells.lo[1], blockIdx.x, 32, threadIdx.x);
	const int32_t y = stencil_here(cells.lo[0], blockIdx.y, 8, threadIdx.y);

	if (stencil_past(x, cells.hi[1]) || stencil_past(y, cells.hi[0]))
		return;

	const int64_t m_y = m_layout.stride[0];
	const int64_t u_y = u_layout.stride[0];
	const int64_t m_mask_y = m_mask_layout.stride[0];
	const int64_t m_i = (y - grid_fine.origin[0]) * m_y + (x - grid_fine.origin[1]);
	const int64_t u_i = (y - grid_fine.origin[0]) * u_y + (x - grid_fine.origin[1]);
	const int64_t m_mask_i = (y - grid_fine.origin[0]) * m_mask_y + (x - grid_fine.origin[1]);

	if (x < region.hi[1]) {
		m[m_i] = (stencil_out_lo(x, -1, grid_fine.first[1]) ? tol : u[u_i - 1]) -
			u[u_i + 1];
		m_mask[m_mask_i] = 1;
	} else {
		m_mask[m_mask_i] = 0;
	}
}

/* s, a scan along y, downwards; naive, 64 threads */
static __global__ void __launch_bounds__(64)
corner_k1_s(const stencil_cells cells, const uint8_t *__restrict__ m_mask,
	const float *__restrict__ m, const float *__restrict__ u,
	const stencil_progress *__restrict__ progress, float *__restrict__ s,
	uint8_t *__restrict__ s_mask, const stencil_layout s_layout,
	const stencil_layout m_mask_layout, const stencil_layout m_layout,
	const stencil_layout u_layout, const stencil_layout s_mask_layout,
	const stencil_grid grid_fine, const stencil_cells start)
{
	if (progress->stopped)
		return;
	const int32_t x = stencil_here(cells.lo[1], blockIdx.x, 64, threadIdx.x);
	const int32_t y_first = cells.lo[0], y_end = cells.hi[0];

	if (stencil_past(x, cells.hi[1]))
		return;

	const int64_t s_y = s_layout.stride[0];
	const int64_t m_mask_y = m_mask_layout.stride[0];
	const int64_t m_y = m_layout.stride[0];
	const int64_t u_y = u_layout.stride[0];
	const int64_t s_mask_y = s_mask_layout.stride[0];

	int state = 0; /* 0: not started, 1: running, 2: broken off */
	float s_before = 0;

	for (int32_t y = y_end - 1; y >= y_first; y--) {
		const int64_t s_i = (y - grid_fine.origin[0]) * s_y + (x - grid_fine.origin[1]);
		const int32_t x_m2 = stencil_mirror_lo(x, -2, grid_fine.first[1]);
		const int64_t m_mask_i = (y - grid_fine.origin[0]) * m_mask_y +
			(x - grid_fine.origin[1]);
		const int64_t m_i = (y - grid_fine.origin[0]) * m_y + (x - grid_fine.origin[1]);
		const int64_t u_i = (y - grid_fine.origin[0]) * u_y + (x - grid_fine.origin[1]);
		const int64_t s_mask_i = (y - grid_fine.origin[0]) * s_mask_y +
			(x - grid_fine.origin[1]);

		if (state == 0 && x < start.hi[1]) {
			s_before = u[u_i + 3];
			state = 1;
			s[s_i] = s_before;
			s_mask[s_mask_i] = 1;
		} else if (state == 1 && m_mask[m_mask_i + x_m2] != 0) {
			s_before = fmaf(0.5f, s_before, m[m_i + x_m2]);
			s[s_i] = s_before;
			s_mask[s_mask_i] = 1;
		} else {
			if (state == 1)
				state = 2;
			s_mask[s_mask_i] = 0;
		}
	}
}

/* u at t+1; naive, 32x8 threads */
static __global__ void __launch_bounds__(256)
corner_k2_u(const stencil_cells cells, const uint8_t *__restrict__ s_mask,
	const float *__restrict__ u, const float *__restrict__ s,
	const stencil_progress *__restrict__ progress, float *__restrict__ u_next,
	const stencil_layout u_layout, const stencil_layout s_mask_layout,
	const stencil_layout s_layout, const stencil_grid grid_fine, const stencil_cells region)
{
	if (progress->stopped)
		return;
	const int32_t x = stencil_here(cells.lo[1], blockIdx.x, 32, threadIdx.x);
	const int32_t y = stencil_here(cells.lo[0], blockIdx.y, 8, threadIdx.y);

	if (stencil_past(x, cells.hi[1]) || stencil_past(y, cells.hi[0]))
		return;

	const int64_t u_y = u_layout.stride[0];
	const int64_t s_mask_y = s_mask_layout.stride[0];
	const int64_t s_y = s_layout.stride[0];
	const int64_t u_i = (y - grid_fine.origin[0]) * u_y + (x - grid_fine.origin[1]);
	const int64_t s_mask_i = (y - grid_fine.origin[0]) * s_mask_y + (x - grid_fine.origin[1]);
	const int64_t s_i = (y - grid_fine.origin[0]) * s_y + (x - grid_fine.origin[1]);

	if (x >= region.lo[1] && x < region.hi[1] && s_mask[s_mask_i - 1] != 0 &&
		s_mask[s_mask_i + 1] != 0) {
		u_next[u_i] = fmaf(0.5f, u[u_i], 0.25f * (s[s_i - 1] + s[s_i + 1]));
	} else {
		u_next[u_i] = u[u_i];
	}
}

/* c; naive, 32x8 threads */
static __global__ void __launch_bounds__(256)
corner_k3_c(const stencil_cells cells, const float *__restrict__ u_next,
	const stencil_progress *__restrict__ progress, stencil_f16 *__restrict__ c,
	const stencil_layout c_layout, const stencil_layout u_layout,
	const stencil_grid grid_coarse, const stencil_grid grid_fine, const float tol)
{
	if (progress->stopped)
		return;
	const int32_t x = stencil_here(cells.lo[1], blockIdx.x, 32, threadIdx.x);
	const int32_t y = stencil_here(cells.lo[0], blockIdx.y, 8, threadIdx.y);

	if (stencil_past(x, cells.hi[1]) || stencil_past(y, cells.hi[0]))
		return;

	const int64_t c_y = c_layout.stride[0];
	const int64_t u_y = u_layout.stride[0];
	const int64_t c_i = (y - grid_coarse.origin[0]) * c_y + (x - grid_coarse.origin[1]);
	const int64_t y_of_fine = 2 * (int64_t)y;
	const int64_t x_of_fine = 2 * (int64_t)x;
	const int64_t y_of_fine_2 = 2 * (int64_t)y + 1;
	const int64_t y_of_fine_2_in = stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_of_fine_2,
		grid_fine.first[0], grid_fine.extent[0]), grid_fine.last[0], grid_fine.extent[0]);
	const int64_t x_of_fine_2 = 2 * (int64_t)x + 1;

	c[c_i] = stencil_f16_store(u_next[(y_of_fine - grid_fine.origin[0]) * u_y +
		(x_of_fine - grid_fine.origin[1])] +
		(x_of_fine_2 < grid_fine.first[1] ? tol :
		u_next[(y_of_fine_2_in - grid_fine.origin[0]) * u_y +
		(x_of_fine_2 - grid_fine.origin[1])]));
}

/* change: max over the grid; naive, 256 threads */
static __global__ void __launch_bounds__(256)
corner_k4_change(const stencil_cells cells, const float *__restrict__ u_next,
	const float *__restrict__ u, const stencil_progress *__restrict__ progress,
	double *__restrict__ partial, const stencil_layout u_layout, const stencil_grid grid_fine)
{
	if (progress->stopped)
		return;
	const int64_t n = stencil_runs(&cells, 1);
	double sum = -HUGE_VAL;

	const int64_t u_y = u_layout.stride[0];
	for (int64_t i = (int64_t)blockIdx.x * 8 + threadIdx.x / STENCIL_RUN_LANES; i < n;
		i += (int64_t)gridDim.x * 8) {
		int64_t rest = i;
		int turns;
		const int32_t first = stencil_unroll_run(&rest, &cells, 1,
			(int)threadIdx.x % STENCIL_RUN_LANES, &turns);
		const int32_t y = stencil_unroll(&rest, &cells, 0);
		(void)y;
		STENCIL_UNROLL_BY(STENCIL_RUN_TURNS)
		for (int turn = 0; turn < turns; turn++) {
			const int32_t x = first + turn * STENCIL_RUN_LANES;
			(void)x;
			const int64_t u_i = (y - grid_fine.origin[0]) * u_y +
				(x - grid_fine.origin[1]);

			sum = stencil_max_f64(sum, fabsf(u_next[u_i] - u[u_i]));
		}
	}
	sum = stencil_join_block<stencil_op_max>(sum);
	if (threadIdx.x == 0)
		partial[blockIdx.x] = sum;
}

/* The partial results as one, by one block. */
static __global__ void __launch_bounds__(256)
corner_k4_change_total(const double *__restrict__ partial, const int n, double *__restrict__ result,
	const stencil_progress *__restrict__ progress)
{
	if (progress->stopped)
		return;
	const double total = stencil_join_partials<stencil_op_max>(partial, n, (double)-HUGE_VAL);
	if (threadIdx.x == 0)
		result[0] = stencil_f64_from_f64(total);
}

/* until, every 4 steps: later launches do nothing once it holds */
static __global__ void __launch_bounds__(1)
corner_until(const double *__restrict__ change, stencil_progress *__restrict__ progress,
	const int64_t steps, const float tol)
{
	if (progress->stopped)
		return;
	if (change[0] < (double)tol)
		stencil_stop(progress, steps, steps, 0);
}

stencil_status
corner(stencil_context *ctx, const corner_args *a)
{
	corner_call call = {}, *const c = &call;
	void *memory;

	if (ctx == NULL)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "corner: no context");
	STENCIL_TRY(corner_prepare(ctx, a, c));

	const stencil_on_device device(ctx);

	STENCIL_TRY(device.status);
	STENCIL_TRY(stencil_memory(ctx, "corner", a->workspace, a->workspace_size,
		c->workspace, &memory));

	float *const u[2] = { a->u, (float *)stencil_at(memory, c->at_u_next) };
	float *const m = (float *)stencil_at(memory, c->at_m);
	uint8_t *const m_mask = (uint8_t *)stencil_at(memory, c->at_m_mask);
	float *const s = (float *)stencil_at(memory, c->at_s);
	uint8_t *const s_mask = (uint8_t *)stencil_at(memory, c->at_s_mask);
	void *const partials = stencil_at(memory, c->at_partials);
	stencil_progress *const progress = (stencil_progress *)stencil_at(memory, c->at_progress);
	const stencil_cells m_cells = { { 0, 0, 0 },
		{ c->grid_fine.extent[0], c->grid_fine.extent[1], 1 } };
	const stencil_cells m_region = { { 0, 0, 0 },
		{ c->grid_fine.extent[0], c->grid_fine.extent[1] - 1, 1 } };
	const stencil_cells s_cells = { { 0, 0, 0 },
		{ c->grid_fine.extent[0], c->grid_fine.extent[1], 1 } };
	const stencil_cells s_start = { { 0, 0, 0 },
		{ c->grid_fine.extent[0], c->grid_fine.extent[1] - 3, 1 } };
	const stencil_cells u_cells = { { 0, 0, 0 },
		{ c->grid_fine.extent[0], c->grid_fine.extent[1], 1 } };
	const stencil_cells u_region = { { 0, 1, 0 },
		{ c->grid_fine.extent[0], c->grid_fine.extent[1] - 1, 1 } };
	const stencil_cells c_cells = { { 0, 0, 0 },
		{ (int32_t)stencil_floor_div_i64((int64_t)c->grid_fine.extent[0] + 1, 2),
		(int32_t)stencil_floor_div_i64((int64_t)c->grid_fine.extent[1], 2), 1 } };
	const stencil_cells change_cells =
		{ { 0, 0, 0 }, { c->grid_fine.extent[0], c->grid_fine.extent[1], 1 } };
	const stencil_shape m_shape = { { 32, 8, 1 }, { 32, 8, 1 }, { 1, 0, -1 }, 0 };
	const stencil_shape s_shape = { { 64, 1, 1 }, { 64, 1, 1 }, { 1, -1, -1 }, 0 };
	const stencil_shape u_shape = { { 32, 8, 1 }, { 32, 8, 1 }, { 1, 0, -1 }, 0 };
	const stencil_shape c_shape = { { 32, 8, 1 }, { 32, 8, 1 }, { 1, 0, -1 }, 0 };

	STENCIL_TRY(stencil_begin(ctx, progress, a->steps));
	for (int64_t step = 0; step < a->steps; step++) {
		STENCIL_TRY(stencil_launch(ctx, "corner_k0_m", m_shape, m_cells, corner_k0_m,
			u[stencil_slot(0, step, 2)], progress, m, m_mask, c->m, c->u, c->m_mask,
			c->grid_fine, m_region, a->tol));
		STENCIL_TRY(stencil_launch(ctx, "corner_k1_s", s_shape, s_cells, corner_k1_s,
			m_mask, m, u[stencil_slot(0, step, 2)], progress, s, s_mask, c->s,
			c->m_mask, c->m, c->u, c->s_mask, c->grid_fine, s_start));
		STENCIL_TRY(stencil_launch(ctx, "corner_k2_u", u_shape, u_cells, corner_k2_u,
			s_mask, u[stencil_slot(0, step, 2)], s, progress,
			u[stencil_slot(1, step, 2)], c->u, c->s_mask, c->s, c->grid_fine,
			u_region));
		STENCIL_TRY(stencil_launch(ctx, "corner_k3_c", c_shape, c_cells, corner_k3_c,
			u[stencil_slot(1, step, 2)], progress, a->c, c->c, c->u, c->grid_coarse,
			c->grid_fine, a->tol));
		if ((step + 1) % 4 == 0 || step + 1 == a->steps) {
			STENCIL_TRY(stencil_launch_flat(ctx, "corner_k4_change",
				stencil_partials(stencil_count(&change_cells)), 256, 2048,
				corner_k4_change, change_cells, u[stencil_slot(1, step, 2)],
				u[stencil_slot(0, step, 2)], progress, (double *)partials, c->u,
				c->grid_fine));
			STENCIL_TRY(stencil_launch_flat(ctx, "corner_k4_change_total", 1, 256, 2048,
				corner_k4_change_total, (const double *)partials,
				(int)stencil_partials(stencil_count(&change_cells)), a->change,
				progress));
		}
		if ((step + 1) % 4 == 0)
			STENCIL_TRY(stencil_launch_flat(ctx, "corner_until", 1, 1, 0, corner_until,
			a->change, progress, step + 1, a->tol));
	}
	STENCIL_TRY(stencil_settle(ctx, u, c->u, c->grid_fine, 1, a->steps, progress));
	if (a->steps_done != NULL)
		STENCIL_TRY(stencil_post_count(ctx, &progress->steps, a->steps_done));
	return STENCIL_OK;
}
