/* trial.c: a stencil run in one call, step by step, or box by box. */
#include "relate.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SCALES = 6 };

/* ---- running ---- */

static stencil_status
call(Problem *p, Trial *trial, int64_t steps, int64_t t0)
{
	int64_t done;

	if (trial->what->t0 >= 0)
		memcpy((char *)p->args + trial->what->t0, &t0, sizeof t0);
	if (trial->ctx != NULL)
		return problem_call_device(p, steps, &done);
	feclearexcept(FE_ALL_EXCEPT);
	stencil_status status = problem_call_host(p, trial->what->host, steps, &done);
	trial->underflow |= fetestexcept(FE_UNDERFLOW | FE_OVERFLOW) != 0;
	return status;
}

static stencil_status
reset(Problem *p, const Trial *trial)
{
	problem_reset_host(p);
	return trial->ctx != NULL ? problem_reset_device(p) : STENCIL_OK;
}

/* Piece I of the default grid: halves of the slowest axis, halves of the fastest
 * too where there are more pieces, cut at odd places.  0: it is empty. */
static int
piece(const Trial *trial, const Change *change, int i, stencil_box *box)
{
	int grid = trial->what->default_grid, rank = trial->what->grids[grid].rank;
	int parts[STENCIL_MAX_RANK] = { 1, 1, 1 };

	parts[0] = rank == 1 ? change->pieces : 2;
	if (rank > 1 && change->pieces > 2)
		parts[rank - 1] = 2;
	memset(box, 0, sizeof *box);
	for (int a = 0; a < rank; a++) {
		int64_t n = trial->sizes.extent[grid][a];
		int k = i % parts[a];

		i /= parts[a];
		box->lo[a] = k == 0 ? 0 : (n * k / parts[a]) | 1;
		box->hi[a] = k + 1 == parts[a] ? n : (n * (k + 1) / parts[a]) | 1;
		if (box->lo[a] >= box->hi[a] || box->hi[a] > n)
			return 0;
	}
	return 1;
}

static int
inside(const stencil_box *box, const int64_t *at, int rank)
{
	for (int a = 0; a < rank; a++)
		if (at[a] < box->lo[a] || at[a] >= box->hi[a])
			return 0;
	return 1;
}

/* Copies the cells of the newest level that lie in BOX to GATHERED, by array. */
static void
gather(const Problem *p, const Trial *trial, const stencil_box *box, void **gathered)
{
	int grid = trial->what->default_grid;

	for (int i = 0; i < p->n_arrays; i++) {
		const Array *array = &p->arrays[i];
		const Layout *layout = &array->layout;
		size_t size = stencil_type_size(layout->type);
		int limited = array->field != NULL && array->level == 0
			&& array->field->grid == grid;

		for (int64_t row = 0; row < layout->rows; row++) {
			char *from = layout_row(layout, view_memory(trial, array), row);
			char *to = layout_row(layout, gathered[i], row);

			for (int64_t x = 0; x < layout->width; x++) {
				int64_t at[STENCIL_MAX_RANK] = { 0 }, component;

				layout_place(layout, row, x, at, &component);
				if (!limited || inside(box, at, trial->what->grids[grid].rank))
					memcpy(to + (size_t)x * size, from + (size_t)x * size,
						size);
			}
		}
	}
}

static stencil_status
run_pieces(Problem *p, Trial *trial, const Change *change)
{
	stencil_status status = STENCIL_OK;
	void **gathered = calloc((size_t)p->n_arrays, sizeof *gathered);

	if (gathered == NULL)
		return STENCIL_OUT_OF_MEMORY;
	for (int i = 0; i < p->n_arrays; i++)
		gathered[i] = layout_allocate(&p->arrays[i].layout);
	for (int i = 0; status == STENCIL_OK && i < change->pieces; i++) {
		stencil_box box;

		if (!piece(trial, change, i, &box))
			continue;
		memcpy((char *)p->args + trial->what->box, &box, sizeof box);
		status = reset(p, trial);
		if (status == STENCIL_OK)
			status = call(p, trial, change->steps, 0);
		if (status == STENCIL_OK && trial->ctx != NULL)
			status = problem_download(p);
		if (status == STENCIL_OK)
			gather(p, trial, &box, gathered);
	}
	for (int i = 0; i < p->n_arrays; i++) {
		if (status == STENCIL_OK)
			memcpy(view_memory(trial, &p->arrays[i]), gathered[i],
				layout_bytes(&p->arrays[i].layout));
		free(gathered[i]);
	}
	free(gathered);
	return status;
}

static stencil_status
run_calls(Problem *p, Trial *trial, const Change *change)
{
	stencil_status status = STENCIL_OK;
	int64_t calls = change->single ? change->steps : 1;

	for (int64_t i = 0; status == STENCIL_OK && i < calls; i++)
		status = call(p, trial, change->single ? 1 : change->steps, i);
	if (status == STENCIL_OK && trial->ctx != NULL)
		status = problem_download(p);
	return status;
}

stencil_status
trial_run(Trial *trial, const Change *change, Text *out)
{
	ProblemOptions options = { .seed = 1, .scale = trial->scale, .ctx = trial->ctx,
		.layout = { .guards = 1, .pitched = change->pitched,
			.shifted = change->shifted } };
	Problem *p = problem_new(trial->what, &trial->sizes, &options);
	stencil_status status = STENCIL_OUT_OF_MEMORY;

	trial->underflow = 0;
	if (p == NULL)
		return status;
	view_fill(p, trial, change);
	status = reset(p, trial);
	if (status == STENCIL_OK)
		status = change->pieces > 0 ? run_pieces(p, trial, change)
			: run_calls(p, trial, change);
	for (int i = 0; status == STENCIL_OK && i < p->n_arrays; i++) {
		const Array *array = &p->arrays[i];
		ptrdiff_t at;

		view_print(array, trial, change, out);
		if (!layout_pads_intact(&array->layout, view_memory(trial, array), &at))
			text_append(out, "padding was written\n");
	}
	problem_free(p);
	return status;
}

/* ---- sizes ---- */

void
trial_choose_sizes(Trial *trial)
{
	static const int64_t extents[STENCIL_MAX_RANK][STENCIL_MAX_RANK] = {
		{ 257 }, { 67, 31 }, { 37, 19, 17 } };
	const stencil_description *d = trial->what;

	trial->sizes = sizes_unknown();
	for (int g = 0; g < d->n_grids; g++) {
		const stencil_grid_description *grid = &d->grids[g];

		for (int a = 0; a < grid->rank; a++) {
			int place = 0;

			for (int k = 0; k < grid->rank; k++)
				place += strcmp(grid->axis[k], grid->axis[a]) < 0;
			if (sizes_is_free(d, g, a))
				trial->sizes.extent[g][a] = extents[grid->rank - 1][place];
		}
	}
	sizes_derive(&trial->sizes, d);
}

stencil_status
trial_run_first(Trial *trial, const Change *change, Text *out)
{
	stencil_status status = STENCIL_REQUIRE_FAILED;

	trial->scale = 1;
	for (int i = 0; i < MAX_SCALES && status == STENCIL_REQUIRE_FAILED; i++) {
		trial->scale = ldexp(1, -3 * i);
		status = trial_run(trial, change, out);
	}
	return status;
}
