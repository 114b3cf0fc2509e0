/* Made from corner.st by stencilc, for the host. */
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

STENCIL_WEAK size_t
corner_workspace(const corner_args *a)
{
	corner_call c = { 0 };

	return corner_measure(NULL, a, &c) == STENCIL_OK ? c.workspace : 0;
}

/* m */
static void
corner_k0_m(const stencil_cells cells, const float *__restrict__ u, float *__restrict__ m,
	uint8_t *__restrict__ m_mask, const stencil_layout m_layout, const stencil_layout u_layout,
	const stencil_layout m_mask_layout, const stencil_grid grid_fine,
	const stencil_cells region, const float tol)
{
	const int64_t m_y = m_layout.stride[0];
	const int64_t u_y = u_layout.stride[0];
	const int64_t m_mask_y = m_mask_layout.stride[0];

	STENCIL_PARALLEL(1)
	for (int32_t y = cells.lo[0]; y < cells.hi[0]; y++) {
		for (int32_t x = cells.lo[1]; x < cells.hi[1]; x++) {
			const int64_t m_i = (y - grid_fine.origin[0]) * m_y +
				(x - grid_fine.origin[1]);
			const int64_t u_i = (y - grid_fine.origin[0]) * u_y +
				(x - grid_fine.origin[1]);
			const int64_t m_mask_i = (y - grid_fine.origin[0]) * m_mask_y +
				(x - grid_fine.origin[1]);

			if (x < region.hi[1]) {
				m[m_i] = (stencil_out_lo(x, -1, grid_fine.first[1]) ? tol :
					u[u_i - 1]) - u[u_i + 1];
				m_mask[m_mask_i] = 1;
			} else {
				m_mask[m_mask_i] = 0;
			}
		}
	}
}

/* s, a scan along y, downwards */
static void
corner_k1_s(const stencil_cells cells, const uint8_t *__restrict__ m_mask,
	const float *__restrict__ m, const float *__restrict__ u, float *__restrict__ s,
	uint8_t *__restrict__ s_mask, const stencil_layout s_layout,
	const stencil_layout m_mask_layout, const stencil_layout m_layout,
	const stencil_layout u_layout, const stencil_layout s_mask_layout,
	const stencil_grid grid_fine, const stencil_cells start)
{
	const int64_t s_y = s_layout.stride[0];
	const int64_t m_mask_y = m_mask_layout.stride[0];
	const int64_t m_y = m_layout.stride[0];
	const int64_t u_y = u_layout.stride[0];
	const int64_t s_mask_y = s_mask_layout.stride[0];

	STENCIL_PARALLEL(1)
	for (int32_t x = cells.lo[1]; x < cells.hi[1]; x++) {
		int state = 0; /* 0: not started, 1: running, 2: broken off */
		float s_before = 0;

		for (int32_t y = grid_fine.extent[0] - 1; y >= 0; y--) {
			const int64_t s_i = (y - grid_fine.origin[0]) * s_y +
				(x - grid_fine.origin[1]);
			const int32_t x_m2 = stencil_mirror_lo(x, -2, grid_fine.first[1]);
			const int64_t m_mask_i = (y - grid_fine.origin[0]) * m_mask_y +
				(x - grid_fine.origin[1]);
			const int64_t m_i = (y - grid_fine.origin[0]) * m_y +
				(x - grid_fine.origin[1]);
			const int64_t u_i = (y - grid_fine.origin[0]) * u_y +
				(x - grid_fine.origin[1]);
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
}

/* u at t+1 */
static void
corner_k2_u(const stencil_cells cells, const uint8_t *__restrict__ s_mask,
	const float *__restrict__ u, const float *__restrict__ s, float *__restrict__ u_next,
	const stencil_layout u_layout, const stencil_layout s_mask_layout,
	const stencil_layout s_layout, const stencil_grid grid_fine, const stencil_cells region)
{
	const int64_t u_y = u_layout.stride[0];
	const int64_t s_mask_y = s_mask_layout.stride[0];
	const int64_t s_y = s_layout.stride[0];

	STENCIL_PARALLEL(1)
	for (int32_t y = cells.lo[0]; y < cells.hi[0]; y++) {
		for (int32_t x = cells.lo[1]; x < cells.hi[1]; x++) {
			const int64_t u_i = (y - grid_fine.origin[0]) * u_y +
				(x - grid_fine.origin[1]);
			const int64_t s_mask_i = (y - grid_fine.origin[0]) * s_mask_y +
				(x - grid_fine.origin[1]);
			const int64_t s_i = (y - grid_fine.origin[0]) * s_y +
				(x - grid_fine.origin[1]);

			if (x >= region.lo[1] && x < region.hi[1] && s_mask[s_mask_i - 1] != 0 &&
				s_mask[s_mask_i + 1] != 0) {
				u_next[u_i] = fmaf(0.5f, u[u_i], 0.25f * (s[s_i - 1] + s[s_i + 1]));
			} else {
				u_next[u_i] = u[u_i];
			}
		}
	}
}

/* c */
static void
corner_k3_c(const stencil_cells cells, const float *__restrict__ u_next,
	stencil_f16 *__restrict__ c, const stencil_layout c_layout, const stencil_layout u_layout,
	const stencil_grid grid_coarse, const stencil_grid grid_fine, const float tol)
{
	const int64_t c_y = c_layout.stride[0];
	const int64_t u_y = u_layout.stride[0];

	STENCIL_PARALLEL(1)
	for (int32_t y = cells.lo[0]; y < cells.hi[0]; y++) {
		for (int32_t x = cells.lo[1]; x < cells.hi[1]; x++) {
			const int64_t c_i = (y - grid_coarse.origin[0]) * c_y +
				(x - grid_coarse.origin[1]);
			const int64_t y_of_fine = 2 * (int64_t)y;
			const int64_t x_of_fine = 2 * (int64_t)x;
			const int64_t y_of_fine_2 = 2 * (int64_t)y + 1;
			const int64_t y_of_fine_2_in =
				stencil_fold_wrap_hi(stencil_fold_wrap_lo(y_of_fine_2,
				grid_fine.first[0], grid_fine.extent[0]), grid_fine.last[0],
				grid_fine.extent[0]);
			const int64_t x_of_fine_2 = 2 * (int64_t)x + 1;

			c[c_i] = stencil_f16_store(u_next[(y_of_fine - grid_fine.origin[0]) * u_y +
				(x_of_fine - grid_fine.origin[1])] +
				(x_of_fine_2 < grid_fine.first[1] ? tol :
				u_next[(y_of_fine_2_in - grid_fine.origin[0]) * u_y +
				(x_of_fine_2 - grid_fine.origin[1])]));
		}
	}
}

/* change: max over the grid */
static void
corner_k4_change(const stencil_cells cells, const float *__restrict__ u_next,
	const float *__restrict__ u, double *__restrict__ change, const stencil_layout u_layout,
	const stencil_grid grid_fine)
{
	const int64_t u_y = u_layout.stride[0];

	const int64_t n = stencil_count(&cells);
	double part[STENCIL_CHUNKS], total = -HUGE_VAL;

	STENCIL_PARALLEL(1)
	for (int chunk = 0; chunk < STENCIL_CHUNKS; chunk++) {
		double sum = -HUGE_VAL;

		for (int64_t i = stencil_chunk(n, chunk); i < stencil_chunk(n, chunk + 1); i++) {
			int64_t rest = i;
			const int32_t x = stencil_unroll(&rest, &cells, 1);
			const int32_t y = stencil_unroll(&rest, &cells, 0);
			(void)x;
			(void)y;
			const int64_t u_i = (y - grid_fine.origin[0]) * u_y +
				(x - grid_fine.origin[1]);

			sum = stencil_max_f64(sum, fabsf(u_next[u_i] - u[u_i]));
		}
		part[chunk] = sum;
	}
	for (int chunk = 0; chunk < STENCIL_CHUNKS; chunk++)
		total = stencil_max_f64(total, part[chunk]);
	change[0] = stencil_f64_from_f64(total);
}

stencil_status
corner_host(const corner_args *a)
{
	corner_call call = { 0 }, *const c = &call;
	void *memory, *owned;
	int64_t step;
	int stop = 0;

	STENCIL_TRY(corner_prepare(NULL, a, c));
	STENCIL_TRY(stencil_memory("corner", a->workspace, a->workspace_size,
		c->workspace, &memory, &owned));

	float *const u[2] = { a->u, (float *)stencil_at(memory, c->at_u_next) };
	float *const m = (float *)stencil_at(memory, c->at_m);
	uint8_t *const m_mask = (uint8_t *)stencil_at(memory, c->at_m_mask);
	float *const s = (float *)stencil_at(memory, c->at_s);
	uint8_t *const s_mask = (uint8_t *)stencil_at(memory, c->at_s_mask);
	const stencil_cells m_cells = { { 0, 0, 0 },
		{ c->grid_fine.extent[0], c->grid_fine.extent[1], 1 } };
	const stencil_cells m_region = { { 0, 0, 0 },
		{ c->grid_fine.extent[0], c->grid_fine.extent[1] - 1, 1 } };
	const stencil_cells s_cells = { { 0, 0, 0 }, { 1, c->grid_fine.extent[1], 1 } };
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

	for (step = 0; step < a->steps && !stop; step++) {
		corner_k0_m(m_cells, u[stencil_slot(0, step, 2)], m, m_mask, c->m, c->u, c->m_mask,
			c->grid_fine, m_region, a->tol);
		corner_k1_s(s_cells, m_mask, m, u[stencil_slot(0, step, 2)], s, s_mask, c->s,
			c->m_mask, c->m, c->u, c->s_mask, c->grid_fine, s_start);
		corner_k2_u(u_cells, s_mask, u[stencil_slot(0, step, 2)], s,
			u[stencil_slot(1, step, 2)], c->u, c->s_mask, c->s, c->grid_fine, u_region);
		corner_k3_c(c_cells, u[stencil_slot(1, step, 2)], a->c, c->c, c->u, c->grid_coarse,
			c->grid_fine, a->tol);
		if ((step + 1) % 4 == 0 || step + 1 == a->steps)
			corner_k4_change(change_cells, u[stencil_slot(1, step, 2)],
			u[stencil_slot(0, step, 2)], a->change, c->u, c->grid_fine);
		if ((step + 1) % 4 == 0) {
			stop = a->change[0] < (double)a->tol;
		}
	}
	{
		void *const slot[] = { u[0], u[1] };
		unsigned char back[sizeof(float)];

		stencil_settle(slot, 2, &c->u, &c->grid_fine, 1, sizeof(float), step, back);
	}
	if (a->steps_done != NULL)
		*a->steps_done = step;
	free(owned);
	return STENCIL_OK;
}
