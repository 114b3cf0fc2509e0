/* Made from wave.st by stencilc, for the host. */
#include "wave.h"

#include "stencil_kernel.h"

/* What a call of wave works on, worked out from its arguments. */
typedef struct {
	stencil_grid grid;
	stencil_box box;
	stencil_layout p;
	stencil_layout vel;
	size_t at_p_next; /* in the workspace */
	size_t at_p_next2; /* in the workspace */
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
	STENCIL_TRY(stencil_set_aside(ctx, "wave", c->p.bytes, &c->workspace, &c->at_p_next2));
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
	if (!stencil_pad_rows(&c->p, &c->grid, 7, 1, 0, sizeof(float), 0))
		return 0;
	if (!stencil_pad_rows(&c->vel, &c->grid, 7, 1, 0, sizeof(float), 0))
		return 0;
	c->workspace = 0;
	if (stencil_set_aside(NULL, "wave", c->p.bytes, &c->workspace, &c->at_p_next) != STENCIL_OK)
		return 0;
	if (stencil_set_aside(NULL, "wave", c->p.bytes, &c->workspace, &c->at_p_next2) !=
		STENCIL_OK)
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
	wave_call c = { 0 };

	if (wave_measure(NULL, a, &c) != STENCIL_OK)
		return 0;

	const size_t packed = c.workspace, padded = wave_pad(&c);

	return padded > packed ? padded : packed;
}

/* p at t+1 */
static void
wave_k0_p(const stencil_cells cells, const float *__restrict__ vel, const float *__restrict__ p,
	const float *__restrict__ p_tm1, float *__restrict__ p_next, const stencil_layout p_layout,
	const stencil_layout vel_layout, const stencil_grid grid, const stencil_cells region,
	const float dt2h2)
{
	const int64_t p_z = p_layout.stride[0];
	const int64_t p_y = p_layout.stride[1];
	const int64_t vel_z = vel_layout.stride[0];
	const int64_t vel_y = vel_layout.stride[1];

	STENCIL_PARALLEL(2)
	for (int32_t z = cells.lo[0]; z < cells.hi[0]; z++) {
		for (int32_t y = cells.lo[1]; y < cells.hi[1]; y++) {
			for (int32_t x = cells.lo[2]; x < cells.hi[2]; x++) {
				const int64_t p_i = (z - grid.origin[0]) * p_z +
					(y - grid.origin[1]) * p_y + (x - grid.origin[2]);
				const int64_t vel_i = (z - grid.origin[0]) * vel_z +
					(y - grid.origin[1]) * vel_y + (x - grid.origin[2]);

				if (z >= region.lo[0] && z < region.hi[0] && y >= region.lo[1] &&
					y < region.hi[1] && x >= region.lo[2] && x < region.hi[2]) {
					const float vel_c = vel[vel_i];
					const float p_c = p[p_i];
					const float v = -2.8472223f * p_c;
					p_next[p_i] = fmaf(dt2h2 * vel_c * vel_c,
						v + fmaf(-0.0017857143f,
						p[p_i - 4 * p_z] + p[p_i + 4 * p_z],
						fmaf(0.025396826f,
						p[p_i - 3 * p_z] + p[p_i + 3 * p_z],
						fmaf(-0.2f, p[p_i - 2 * p_z] + p[p_i + 2 * p_z],
						1.6f * (p[p_i - p_z] + p[p_i + p_z])))) +
						(v + fmaf(-0.0017857143f,
						p[p_i - 4 * p_y] + p[p_i + 4 * p_y],
						fmaf(0.025396826f,
						p[p_i - 3 * p_y] + p[p_i + 3 * p_y],
						fmaf(-0.2f, p[p_i - 2 * p_y] + p[p_i + 2 * p_y],
						1.6f * (p[p_i - p_y] + p[p_i + p_y]))))) +
						(v + fmaf(-0.0017857143f, p[p_i - 4] + p[p_i + 4],
						fmaf(0.025396826f, p[p_i - 3] + p[p_i + 3],
						fmaf(-0.2f, p[p_i - 2] + p[p_i + 2],
						1.6f * (p[p_i - 1] + p[p_i + 1]))))),
						fmaf(2.0f, p_c, -p_tm1[p_i]));
				} else {
					p_next[p_i] = p[p_i];
				}
			}
		}
	}
}

stencil_status
wave_host(const wave_args *a)
{
	wave_call call = { 0 }, *const c = &call;
	void *memory, *owned;
	int64_t step;

	STENCIL_TRY(wave_prepare(NULL, a, c));
	STENCIL_TRY(stencil_memory("wave", a->workspace, a->workspace_size,
		c->workspace, &memory, &owned));

	float *const p[3] = { a->p, a->p_tm1, (float *)stencil_at(memory, c->at_p_next) };
	const stencil_cells p_cells = { { 0, 0, 0 },
		{ c->grid.extent[0], c->grid.extent[1], c->grid.extent[2] } };
	const stencil_cells p_region = {
		{ (int32_t)stencil_max_i64(4, c->box.lo[0]),
		(int32_t)stencil_max_i64(4, c->box.lo[1]),
		(int32_t)stencil_max_i64(4, c->box.lo[2]) },
		{ (int32_t)stencil_min_i64(c->box.hi[0], (int64_t)c->grid.extent[0] - 4),
		(int32_t)stencil_min_i64(c->box.hi[1], (int64_t)c->grid.extent[1] - 4),
		(int32_t)stencil_min_i64(c->box.hi[2], (int64_t)c->grid.extent[2] - 4) } };

	for (step = 0; step < a->steps; step++) {
		wave_k0_p(p_cells, a->vel, p[stencil_slot(0, step, 3)],
			p[stencil_slot(-1, step, 3)], p[stencil_slot(1, step, 3)], c->p, c->vel,
			c->grid, p_region, a->dt2h2);
	}
	{
		void *const slot[] = { p[0], p[1], p[2] };
		unsigned char back[2 * sizeof(float)];

		stencil_settle(slot, 3, &c->p, &c->grid, 1, sizeof(float), step, back);
	}
	free(owned);
	return STENCIL_OK;
}
