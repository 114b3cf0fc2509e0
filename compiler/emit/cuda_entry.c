/* cuda_entry.c: the function that runs a stencil on a GPU: launches in order, the
 * loop over the steps, the end of the run.
 */
#include "emit/cuda.h"
#include "emit/rows.h"
#include "kernel/place.h"
#include "plan/strategy.h"

#include <string.h>

/* How the blocks of a launch lie. */
typedef struct {
	const char *name;
	const char *blocks; /* how many there are, where each walks over several parts; NULL */
} Shape;

static void
emit_shape(const Unit *u, const Plan *p, const char *name)
{
	wr_line(u->w, "%sstencil_shape %s = { { %d, %d, %d }, { %d, %d, %d }, { %d, %d, %d }, "
		"%" G_GSIZE_FORMAT " };", p->rest != NULL ? "" : "const ", name, p->threads[0],
		p->threads[1], p->threads[2],
		p->span[0], p->span[1], p->span[2],
		p->n_axes > 0 ? p->axis[0] : -1, p->n_axes > 1 ? p->axis[1] : -1,
		p->n_axes > 2 ? p->axis[2] : -1, p->shared);
}

/* That of the launch of a single step. */
static void
emit_launch_shape(const Unit *u, const Plan *plan, Shape *shape)
{
	const Plan *single = variant_plan(plan, VARIANT_ANY);

	shape->name = names_takef(u->names, "%s_shape", plan->name);
	emit_shape(u, single, shape->name);
	if (single->persistent == 0)
		return;
	shape->blocks = names_takef(u->names, "%s_blocks", plan->name);
	wr_line(u->w, "int64_t %s = %d;", shape->blocks, MAX(single->persistent, 0));
}

static void
emit_reduce_launch(const Unit *u, const Kernel *k, const char *progress)
{
	const Stage *s = k->stage;
	const char *kernel = u->kernel[k->index], *cells = u->cells[k->index];
	const char *blocks = arena_printf(u->arena, "stencil_partials(stencil_count(&%s))", cells);
	const Plan *p = k->launch->plan;

	wr_line(u->w, "STENCIL_TRY(stencil_launch_flat(ctx, \"%s\", %s, %d, %" G_GSIZE_FORMAT
		", %s, %s));", kernel, blocks, p->threads[0], p->shared, kernel,
		kernel_arguments(k, cells));
	wr_line(u->w, "STENCIL_TRY(stencil_launch_flat(ctx, \"%s_total\", 1, %d, %" G_GSIZE_FORMAT
		", %s_total, (const %s *)partials, (int)%s, %s%s));", kernel, p->threads[0],
		p->shared,
		kernel, reduce_ctype(s), blocks, unit_member(u, MEMBER_RESULT, s->result, 0),
		progress);
}

static const char *
row_fits_text(const Unit *u, const Kernel *k, int width)
{
	return arena_printf(u->arena, "stencil_row_fits(&c->%s, %d, %d)",
		u->grid[k->stage->grid->index], k->launch->plan->axis[0], width);
}

/* Whether all that a launch moves lies and ends at whole vectors; of padded rows, all that
 * it needs of them. */
static const char *
fits_text(const Unit *u, const Kernel *k, int width)
{
	int x = k->launch->plan->axis[0];
	GString *text = g_string_new(NULL);
	const char *all, *row = row_fits_text(u, k, width);

	g_string_append_printf(text, k->whole > 0 ? "(padded || %s)" : "%s", row);
	for (guint i = 0; i < k->arrays->len; i++) {
		const Array *a = g_ptr_array_index(k->arrays, i);

		if (place_is_dense(a->field, x) && a->field->grid == k->stage->grid && !a->mask)
			g_string_append_printf(text, " && stencil_field_fits(%s, &c->%s, %d)",
				unit_level(u, a->field, a->level), u->layout[a->field->index],
				width);
	}
	all = arena_strdup(u->arena, text->str);
	g_string_free(text, TRUE);
	return all;
}

static void
emit_variant(const Unit *u, const Launched *l, Variant v, const Shape *shape, const char *cells)
{
	if (shape->blocks != NULL) {
		wr_line(u->w, "STENCIL_TRY(stencil_launch_walk(ctx, \"%s\", %s, &%s, %s, %s, %s));",
			l->name[v], shape->name, shape->blocks, cells, l->name[v],
			kernel_arguments(l->kernel[v], NULL));
		return;
	}
	wr_line(u->w, "STENCIL_TRY(stencil_launch(ctx, \"%s\", %s, %s, %s, %s));", l->name[v],
		shape->name, cells, l->name[v], kernel_arguments(l->kernel[v], NULL));
}

static void
emit_one_launch(const Unit *u, int launch, const Launched *l, const Shape *shape)
{
	const char *cells = u->cells[launch];

	if (l->kernel[VARIANT_WIDE] != NULL) {
		const Kernel *wide = l->kernel[VARIANT_WIDE];
		int width = l->width[VARIANT_WIDE];

		wr_open(u->w, "if (%s)", fits_text(u, wide, width));
		emit_variant(u, l, VARIANT_WIDE, shape, arena_printf(u->arena,
			"stencil_whole(%s, %d, %d)", cells, wide->launch->plan->axis[0], width));
		wr_reopen(u->w, "else");
	}
	emit_variant(u, l, VARIANT_ANY, shape, cells);
	if (l->kernel[VARIANT_WIDE] != NULL)
		wr_close(u->w, "");
}

static void
emit_step(const Unit *u, const Launched *launched, const Shape *shapes)
{
	const char *progress = u->s->until.condition != NULL ? ", progress" : "";

	for (guint i = 0; i < u->sched->launches->len; i++) {
		const Launch *l = g_ptr_array_index(u->sched->launches, i);

		if (l->tested_only)
			wr_open(u->w, "if (%s)", unit_tested(u));
		if (l->stage->kind == STAGE_REDUCE)
			emit_reduce_launch(u, launched[i].kernel[VARIANT_ANY], progress);
		else
			emit_one_launch(u, (int)i, &launched[i], &shapes[i]);
		if (l->tested_only)
			wr_close(u->w, "");
	}
}

static void
emit_until_launch(const Unit *u, const Kernel *until)
{
	wr_line(u->w, "if ((step + 1) %% %" G_GINT64_FORMAT " == 0)", u->s->until.every);
	wr_line(u->w, "\tSTENCIL_TRY(stencil_launch_flat(ctx, \"%s_until\", 1, 1, 0, %s_until, "
		"%s));",
		u->s->name, u->s->name, kernel_arguments(until, NULL));
}

/* The fields of which there are COPIES where rows are padded, or the others. */
static void
emit_settle(const Unit *u, const char *steps, gboolean copies)
{
	const char *progress = u->s->until.condition != NULL ? "progress" : "NULL";

	for (guint i = 0; i < u->s->fields->len; i++) {
		const Field *f = g_ptr_array_index(u->s->fields, i);
		const char *levels = unit_ring(u, f) == ring_size(f) ? ""
			: arena_printf(u->arena, "_levels<%d>", f->history + 1);

		if (ring_size(f) > 1 && rows_copied(u, f) == copies)
			wr_line(u->w, "STENCIL_TRY(stencil_settle%s(ctx, %s, c->%s, c->%s, %d, "
				"%s, %s));", levels, u->pointer[i], u->layout[i],
				u->grid[f->grid->index], f->components, unit_turns(u, f, steps),
				progress);
	}
}

/* The caller's buffers get their levels: those that he has, or copies of them.  Which
 * buffer has which level is known where nothing can stop the steps early. */
static void
emit_end(const Unit *u, const char *steps)
{
	gboolean until = u->s->until.condition != NULL, pads = u->sched->padding.grid != NULL;

	emit_settle(u, steps, FALSE);
	if (pads && !until) {
		wr_open(u->w, "if (padded)");
		emit_rows_back(u, steps);
		wr_reopen(u->w, "else");
	}
	emit_settle(u, steps, TRUE);
	if (pads && until) {
		wr_open(u->w, "if (padded)");
		emit_rows_back(u, NULL);
	}
	if (pads)
		wr_close(u->w, "");
	if (u->s->until.condition != NULL) {
		const char *done = unit_member(u, MEMBER_STEPS_DONE, NULL, 0);

		wr_line(u->w, "if (%s != NULL)", done);
		wr_line(u->w, "\tSTENCIL_TRY(stencil_post_count(ctx, &progress->steps, %s));",
			done);
	}
}

static const char *
rim_text(const Unit *u, int cells)
{
	return cells < 0 ? "INT32_MAX" : arena_printf(u->arena, "%d", cells);
}

/* Whether the cells that stage N computes along axis NUMBER end where they may. */
static void
append_ends(const Unit *u, const Plan *plan, int n, int number, const char *cells, GString *text)
{
	const int *rim = plan->rim[number];
	const Stage *stage = plan->stages[n].stage;
	const char *region = u->region[stage->index];
	char *part;

	if (rim[0] < 0 && rim[1] < 0)
		return;
	part = g_strdup_printf(" && stencil_ends_fit(&%s, &c->%s, %d, %s, %s)",
		region != NULL ? region : cells, u->grid[stage->grid->index], plan->axis[number],
		rim_text(u, rim[0]), rim_text(u, rim[1]));
	if (strstr(text->str, part) == NULL)
		g_string_append(text, part);
	g_free(part);
}

/* Not every GPU has the shared memory of its blocks: one that has less takes the steps
 * one by one. */
static gboolean
needs_room(const Plan *plan)
{
	return plan->shared > arch_shared_limit(NULL);
}

/* Whether the kernel of several steps may run. */
static void
emit_fits(const Unit *u, const Launched *l, const char *cells)
{
	gboolean pads = l->kernel[VARIANT_RAGGED] != NULL;
	const Kernel *tiled = l->kernel[pads ? VARIANT_RAGGED : VARIANT_TILED];
	const Plan *plan = tiled->launch->plan;
	GString *text = g_string_new(fits_text(u, tiled, l->width[VARIANT_TILED]));

	if (pads)
		wr_line(u->w, "const int ragged = !%s;",
			row_fits_text(u, tiled, l->width[VARIANT_TILED]));

	for (int i = 0; i < plan->n_axes; i++) {
		int axis = plan->axis[i];

		for (int n = 0; n < plan->n_stages; n++)
			append_ends(u, plan, n, i, cells, text);
		if (plan->least[i] > 0)
			g_string_append_printf(text, " && stencil_extent_of(&%s, %d) >= %d", cells,
				axis, plan->least[i]);
	}
	wr_line(u->w, "%sint fits = %s;", needs_room(plan) ? "" : "const ", text->str);
	g_string_free(text, TRUE);
}

/* The box that the blocks cover by their spans, out of CELLS. */
static const char *
emit_inset(const Unit *u, const Plan *plan, const char *cells)
{
	gboolean any = FALSE;

	for (int i = 0; i < plan->n_axes; i++) {
		if (plan->inset[i][0] + plan->inset[i][1] == 0)
			continue;
		if (!any)
			wr_line(u->w, "stencil_cells inner = %s;", cells);
		any = TRUE;
		wr_line(u->w, "stencil_inset(&inner, %d, %d, %d);", plan->axis[i],
			plan->inset[i][0], plan->inset[i][1]);
		if (i == 0 && plan->inset_more > 0)
			wr_line(u->w, "stencil_inset_for_fewer(&inner, %d, %d, %d);",
				plan->axis[i], plan->span[i], plan->inset_more);
	}
	return any ? "inner" : cells;
}

/* Cuts the blocks of a kernel of several steps to the device. */
static void
emit_fill(const Unit *u, const Launched *l, Variant v, const char *cells)
{
	const Plan *plan = l->kernel[v]->launch->plan;

	if (plan->warm > 0)
		wr_line(u->w, "\tSTENCIL_TRY(stencil_fill_waves(ctx, \"%s\", &tiled, %d, &%s, "
			"%s));",
			l->name[v], plan->warm, cells, l->name[v]);
	else
		wr_line(u->w, "\tSTENCIL_TRY(stencil_fill_device(ctx, \"%s\", &tiled, &%s, "
			"%s));",
			l->name[v], cells, l->name[v]);
}

/* Its launch, or of padded rows that of the one for those. */
static void
emit_several(const Unit *u, const Launched *l, const char *cells)
{
	const Shape tiled = { "tiled", NULL };

	if (l->kernel[VARIANT_RAGGED] == NULL) {
		emit_variant(u, l, VARIANT_TILED, &tiled, cells);
		return;
	}
	wr_open(u->w, "if (ragged)");
	emit_variant(u, l, VARIANT_RAGGED, &tiled, cells);
	wr_reopen(u->w, "else");
	emit_variant(u, l, VARIANT_TILED, &tiled, cells);
	wr_close(u->w, "");
}

/* TRUE if a sweep moves the buffers of some field on by more than one. */
static gboolean
counts_sweeps(const Unit *u)
{
	for (guint i = 0; i < u->s->fields->len; i++)
		if (schedule_skips(u->sched, g_ptr_array_index(u->s->fields, i)) > 0)
			return TRUE;
	return FALSE;
}

/* The steps, several in one launch where rows fit; STEP counts the launches, which
 * is what the buffers go round by. */
static void
emit_tiled(const Unit *u, const Launched *l, const Shape *shapes)
{
	const Kernel *tiled = l->kernel[VARIANT_TILED];
	const Plan *plan = tiled->launch->plan;
	const char *steps = unit_member(u, MEMBER_STEPS, NULL, 0), *cells = u->cells[0];
	Writer *w = u->w;

	emit_shape(u, plan, "tiled");
	wr_line(w, "int64_t step = 0%s;", counts_sweeps(u) ? ", sweeps = 0" : "");
	if (l->kernel[VARIANT_RAGGED] != NULL) {
		wr_line(w, "const stencil_cells whole = stencil_whole(%s, %d, %d);", cells,
			plan->axis[0], l->width[VARIANT_TILED]);
		cells = "whole";
	}
	emit_fits(u, l, cells);
	cells = emit_inset(u, plan, cells);
	wr_blank(w);
	if (needs_room(plan)) {
		wr_line(w, "if (fits)");
		wr_line(w, "\tSTENCIL_TRY(stencil_fit_shared(ctx, \"%s\", &tiled, &fits));",
			u->s->name);
	}
	if (l->kernel[VARIANT_RAGGED] != NULL) {
		wr_line(w, "if (fits && ragged)");
		emit_fill(u, l, VARIANT_RAGGED, cells);
		wr_line(w, "else if (fits)");
	} else {
		wr_line(w, "if (fits)");
	}
	emit_fill(u, l, VARIANT_TILED, cells);
	wr_blank(w);
	wr_open(w, "for (int64_t done = 0; done < %s; step++)", steps);
	wr_open(w, "if (fits && %s - done >= %d)", steps, plan->time);
	emit_several(u, l, cells);
	wr_line(w, "done += %d;", plan->time);
	if (counts_sweeps(u))
		wr_line(w, "sweeps++;");
	wr_reopen(w, "else");
	for (guint i = 0; i < u->sched->launches->len; i++)
		emit_one_launch(u, (int)i, &l[i], &shapes[i]);
	wr_line(w, "done++;");
	wr_close(w, "");
	wr_close(w, "");
	emit_end(u, "step");
}

void
emit_cuda_main(Unit *u, const Launched *launched, Kernel *until)
{
	Writer *w = u->w;
	const Stencil *s = u->s;
	gboolean memory = u->sched->slots->len > 0;
	Shape *shapes = arena_array(u->arena, Shape, u->sched->launches->len + 1);

	wr_line(w, "stencil_status");
	wr_line(w, "%s(stencil_context *ctx, const %s_args *a)", s->name, s->name);
	wr_body(w);
	wr_line(w, "%s_call call, *const c = &call;", s->name);
	if (memory)
		wr_line(w, "void *memory;");
	wr_blank(w);
	wr_line(w, "if (ctx == NULL)");
	wr_line(w, "\treturn stencil_fail(NULL, STENCIL_BAD_ARGUMENT, \"%s: no context\");",
		s->name);
	wr_line(w, "STENCIL_TRY(%s_prepare(ctx, a, c));", s->name);
	wr_blank(w);
	if (u->sched->padding.grid != NULL)
		wr_line(w, "const %s_call packed = call;", s->name);
	wr_line(w, "const stencil_on_device device(ctx);");
	wr_blank(w);
	wr_line(w, "STENCIL_TRY(device.status);");
	if (s->stepped && u->sched->padding.grid != NULL)
		emit_padded_memory(u);
	else if (memory)
		wr_line(w, "STENCIL_TRY(stencil_memory(ctx, \"%s\", a->workspace, "
			"a->workspace_size, "
			"c->workspace, &memory));", s->name);
	wr_blank(w);
	emit_buffers(u);
	emit_boxes(u);
	for (guint i = 0; i < u->sched->launches->len; i++) {
		const Launch *l = g_ptr_array_index(u->sched->launches, i);

		if (l->stage->kind == STAGE_REDUCE)
			continue;
		emit_launch_shape(u, l->plan, &shapes[i]);
	}
	wr_blank(w);
	emit_rows_in(u);
	if (until != NULL)
		wr_line(w, "STENCIL_TRY(stencil_begin(ctx, progress, %s));",
			unit_member(u, MEMBER_STEPS, NULL, 0));
	if (launched[0].kernel[VARIANT_TILED] != NULL) {
		emit_tiled(u, launched, shapes);
	} else if (s->stepped) {
		wr_open(w, "for (int64_t step = 0; step < %s; step++)",
			unit_member(u, MEMBER_STEPS, NULL, 0));
		emit_step(u, launched, shapes);
		if (until != NULL)
			emit_until_launch(u, until);
		wr_close(w, "");
		emit_end(u, unit_member(u, MEMBER_STEPS, NULL, 0));
	} else {
		emit_step(u, launched, shapes);
	}
	wr_line(w, "return STENCIL_OK;");
	wr_close(w, "");
	wr_blank(w);
}
