/* cuda_entry.c: the function that runs a stencil on a GPU: launches in order, the
 * loop over the steps, the end of the run.
 */
#include "emit/cuda.h"
#include "emit/rows.h"
#include "kernel/place.h"
#include "plan/strategy.h"

#include <string.h>

/* Its blocks are cut to the device at the launch. */
static gboolean
is_cut(const Plan *p)
{
	return p->rest != NULL || p->warm > 0;
}

/* The axis of the box along dimension D of the blocks: pieces of lines come last; -1: none. */
static int
axis_of_blocks(const Plan *p, int d)
{
	return d < plan_block_axes(p) ? p->axis[d]
		: d == p->n_axes && p->piece > 0 ? p->stage->axis : -1;
}

void
entry_shape(const Unit *u, const Plan *p, const char *name)
{
	wr_line(u->w, "%sstencil_shape %s = { { %d, %d, %d }, { %d, %d, %d }, { %d, %d, %d }, "
		"%" G_GSIZE_FORMAT " };", is_cut(p) ? "" : "const ", name, p->threads[0],
		p->threads[1], p->threads[2], p->span[0], p->span[1], p->span[2],
		axis_of_blocks(p, 0), axis_of_blocks(p, 1), axis_of_blocks(p, 2), p->shared);
}

/* No row is shorter than a block. */
static const char *
are_long(const Unit *u, int launch)
{
	const Launch *of = g_ptr_array_index(u->sched->launches, launch);
	const Plan *plan = variant_plan(of->plan, VARIANT_LAPPED);

	return arena_printf(u->arena, "stencil_extent_of(&%s, %d) >= %d", u->cells[launch],
		plan->axis[0], plan->span[0]);
}

/* Cuts SHAPE, PLAN's, into chunks for that kernel; of volumes by HOW (stencil_fill_waves). */
static void
fill_device(const Unit *u, int launch, const Launched *l, Variant v, const char *shape,
	const Plan *plan, const char *how)
{
	const gboolean layers = plan->n_axes > 2;

	wr_line(u->w, "STENCIL_TRY(stencil_fill_%s(ctx, \"%s\", &%s, %d, &%s, %s%s));",
		layers ? "waves" : "rows", l->name[v], shape, plan->warm, u->cells[launch],
		l->function[v], layers ? how : "");
}

/* That of the launch of a single step whose rows lie anywhere. */
static void
emit_lapped_shape(const Unit *u, int launch, const Launched *l)
{
	const Launch *of = g_ptr_array_index(u->sched->launches, launch);
	const Plan *plan = variant_plan(of->plan, VARIANT_LAPPED);
	const char *shape = l->kernel[VARIANT_LAPPED]->shape;

	entry_shape(u, plan, shape);
	if (plan->warm == 0)
		return;
	wr_open(u->w, "if (%s)", are_long(u, launch));
	fill_device(u, launch, l, VARIANT_LAPPED, shape, plan, arena_printf(u->arena,
		", 0, 0, %d", 2 * plan->span[plan->n_axes - 1]));
	wr_close(u->w, "");
}

/* Kernels of a launch have its own shape: not those for any rows that have fewer cells of each,
 * but for how far they walk. */
static gboolean
has_own_shape(const Unit *u, const Plan *single, const Launched *l)
{
	return l->kernel[VARIANT_WIDE] != NULL || single->warm > 0
		|| variant_any(u->arena, single)->cells[0] == single->cells[0];
}

/* That of the launch of a single step. */
static void
emit_launch_shape(const Unit *u, guint launch, const Launched *l, Shape *shape)
{
	const Launch *of = g_ptr_array_index(u->sched->launches, launch);
	const Plan *single = variant_plan(of->plan, VARIANT_WIDE);
	Variant v = l->kernel[VARIANT_WIDE] != NULL ? VARIANT_WIDE : VARIANT_ANY;

	shape->name = u->shape[launch];
	if (has_own_shape(u, single, l))
		entry_shape(u, single, shape->name);
	if (single->warm > 0)
		fill_device(u, (int)launch, l, v, shape->name, single, ", 0");
	if (l->kernel[VARIANT_LAPPED] != NULL)
		emit_lapped_shape(u, (int)launch, l);
	if (single->persistent == 0)
		return;
	shape->blocks = names_takef(u->names, "%s_blocks", of->plan->name);
	wr_line(u->w, "int64_t %s = %d;", shape->blocks, MAX(single->persistent, 0));
}

static const char *
partials_read(const Unit *u, const Plan *p)
{
	GString *text = g_string_new(NULL);

	for (int i = 0; i < p->n_stages; i++)
		g_string_append_printf(text, "%s, ", emit_partials(u->arena, p, i, "const "));
	return arena_take(u->arena, text);
}

static const char *
results_written(const Unit *u, const Plan *p)
{
	GString *text = g_string_new(NULL);

	for (int i = 0; i < p->n_stages; i++)
		g_string_append_printf(text, ", %s", unit_member(u, MEMBER_RESULT,
			p->stages[i].stage->result, 0));
	return arena_take(u->arena, text);
}

static void
emit_reduce_launch(const Unit *u, const Kernel *k, const char *progress)
{
	const char *kernel = u->kernel[k->index], *cells = u->cells[k->index];
	const char *blocks = arena_printf(u->arena, "stencil_partials(stencil_count(&%s))", cells);
	const Plan *p = k->launch->plan;

	wr_line(u->w, "STENCIL_TRY(stencil_launch_flat(ctx, \"%s\", %s, %d, %" G_GSIZE_FORMAT
		", %s, %s));", kernel, blocks, p->threads[0], p->shared, kernel,
		kernel_arguments(k, cells));
	wr_line(u->w, "STENCIL_TRY(stencil_launch_flat(ctx, \"%s_total\", 1, %d, %" G_GSIZE_FORMAT
		", %s_total, %s(int)%s%s%s));", kernel, p->threads[0], p->shared, kernel,
		partials_read(u, p), blocks, results_written(u, p), progress);
}

const char *
entry_row_fits(const Unit *u, const Kernel *k, int width)
{
	return arena_printf(u->arena, "stencil_row_fits(&c->%s, %d, %d)",
		u->grid[k->stage->grid->index], k->launch->plan->axis[0], width);
}

const char *
entry_fits(const Unit *u, const Kernel *k, int width)
{
	int x = k->launch->plan->axis[0];
	GString *text = g_string_new(NULL);
	const char *row = entry_row_fits(u, k, width);

	g_string_append_printf(text, k->padded ? "(padded || %s)" : "%s", row);
	for (guint i = 0; i < k->arrays->len; i++) {
		const Array *a = g_ptr_array_index(k->arrays, i);

		if (place_is_dense(a->field, x) && a->field->grid == k->stage->grid && !a->mask)
			g_string_append_printf(text, " && stencil_field_fits(%s, &c->%s, %d)",
				unit_level(u, a->field, a->level), u->layout[a->field->index],
				width);
		else if (a->vector > 1 && a->field->grid == k->stage->grid && !a->mask)
			g_string_append_printf(text, " && stencil_together_fits(%s, &c->%s, %d, "
				"%d)", unit_level(u, a->field, a->level),
				u->layout[a->field->index], x, a->vector);
	}
	return arena_take(u->arena, text);
}

void
entry_variant(const Unit *u, const Launched *l, Variant v, const Shape *shape, const char *cells)
{
	if (shape->blocks != NULL) {
		wr_line(u->w, "STENCIL_TRY(stencil_launch_walk(ctx, \"%s\", %s, &%s, %s, %s, %s));",
			l->name[v], shape->name, shape->blocks, cells, l->function[v],
			kernel_arguments(l->kernel[v], NULL));
		return;
	}
	if (l->mail[v] > 0)
		wr_line(u->w, "STENCIL_TRY(stencil_mail_begin(ctx, \"%s\", &mail, "
			"stencil_extent_of(&%s, %d)));", l->name[v], cells,
			variant_plan(l->kernel[v]->launch->plan, v)->axis[2]);
	wr_line(u->w, "STENCIL_TRY(stencil_launch%s(ctx, \"%s\", %s, %s, %s, %s));",
		l->mail[v] > 0 ? "_at_once" : "", l->name[v], shape->name, cells, l->function[v],
		kernel_arguments(l->kernel[v], NULL));
}

/* One of *CASES so far, or else. */
static void
open_case(const Unit *u, int *cases, const char *test)
{
	if ((*cases)++ == 0)
		wr_open(u->w, "if (%s)", test);
	else
		wr_reopen(u->w, "else if (%s)", test);
}

/* CELLS and what completes vectors of WIDTH. */
static const char *
whole_cells(const Unit *u, const Plan *plan, int width, const char *cells)
{
	const int from = vectors_begin(plan, width);

	if (from == width)
		return arena_printf(u->arena, "stencil_whole(%s, %d, %d)", cells, plan->axis[0],
			width);
	return arena_printf(u->arena, "stencil_whole_lines(%s, %d, %d, %d)", cells,
		plan->axis[0], width, from);
}

void
entry_launch(const Unit *u, int launch, const Launched *l, const Shape *shape)
{
	const char *cells = u->cells[launch];
	const Launch *of = g_ptr_array_index(u->sched->launches, launch);
	const Plan *single = variant_plan(of->plan, VARIANT_ANY);
	const Plan *any = variant_any(u->arena, single);
	Shape own = *shape;
	int cases = 0;

	if (l->kernel[VARIANT_WIDE] != NULL) {
		const Kernel *wide = l->kernel[VARIANT_WIDE];
		int width = l->width[VARIANT_WIDE];

		open_case(u, &cases, arena_printf(u->arena, "%s%s",
			u->sched->padding.ferries ? "!enters && !leaves && " : "",
			entry_fits(u, wide, width)));
		entry_variant(u, l, VARIANT_WIDE, shape, whole_cells(u, of->plan, width, cells));
	}
	if (l->kernel[VARIANT_LAPPED] != NULL) {
		const Shape laps = { .name = l->kernel[VARIANT_LAPPED]->shape };

		open_case(u, &cases, are_long(u, launch));
		entry_variant(u, l, VARIANT_LAPPED, &laps, cells);
	}
	if (cases > 0)
		wr_reopen(u->w, "else");
	if (any->cells[0] != single->cells[0]) {
		own.name = arena_printf(u->arena, "%s_any", shape->name);
		entry_shape(u, any, own.name);
		if (single->warm > 0) /* its blocks walk as far as those of SHAPE */
			wr_line(u->w, "%s.span[%d] = %s.span[%d];", own.name, single->n_axes - 1,
				shape->name, single->n_axes - 1);
	}
	entry_variant(u, l, VARIANT_ANY, &own, cells);
	if (cases > 0)
		wr_close(u->w, "");
}

static void
emit_launch(const Unit *u, int i, const Launched *l, const Shape *shape)
{
	const Launch *launch = g_ptr_array_index(u->sched->launches, i);

	if (launch->stage->kind == STAGE_REDUCE)
		emit_reduce_launch(u, l->kernel[VARIANT_ANY],
			u->s->until.condition != NULL ? ", progress" : "");
	else
		entry_launch(u, i, l, shape);
}

/* The launches that number I stands for, where it does not fit. */
static int
n_parts(const Unit *u, guint i)
{
	int n = 1;

	while (++i < u->sched->launches->len
		&& ((const Launch *)g_ptr_array_index(u->sched->launches, i))->part)
		n++;
	return n;
}

static void
emit_step(const Unit *u, const Launched *launched, const Shape *shapes)
{
	for (guint i = 0; i < u->sched->launches->len; i++) {
		const Launch *l = g_ptr_array_index(u->sched->launches, i);

		if (launched[i].kernel[VARIANT_TILED] != NULL) {
			const int n = n_parts(u, i);

			emit_pipe(u, (int)i, n, launched, shapes);
			i += (guint)n - 1;
			continue;
		}
		if (l->tested_only)
			wr_open(u->w, "if (%s)", unit_tested(u));
		emit_launch(u, (int)i, &launched[i], &shapes[i]);
		if (l->tested_only)
			wr_close(u->w, "");
	}
}

/* What only looks at the steps, beside sweeps of several. */
void
entry_looks(const Unit *u, const Launched *launched, const Shape *shapes)
{
	gboolean any = FALSE;

	for (guint i = 0; i < u->sched->launches->len; i++) {
		const Launch *l = g_ptr_array_index(u->sched->launches, i);

		if (!l->tested_only)
			continue;
		if (!any)
			wr_open(u->w, "if (%s)", unit_tested(u));
		any = TRUE;
		emit_launch(u, (int)i, &launched[i], &shapes[i]);
	}
	if (any)
		wr_close(u->w, "");
}

void
entry_until(const Unit *u, const Kernel *until)
{
	if (until == NULL)
		return;
	wr_line(u->w, "if (%s)", unit_test_due(u));
	wr_line(u->w, "\tSTENCIL_TRY(stencil_launch_flat(ctx, \"%s_until\", 1, 1, 0, %s_until, "
		"%s));", u->sched->name, u->sched->name, kernel_arguments(until, NULL));
}

/* "progress, 1": how often more than a launch a sweep moves the buffers of F on. */
static const char *
progress_skips(const Unit *u, const Field *f)
{
	int skips = schedule_skips(u->sched, f);

	return skips > 0 ? arena_printf(u->arena, "progress, %d", skips) : "progress";
}

/* The fields of which there are COPIES where rows are padded, or the others. */
static void
emit_settle(const Unit *u, const char *steps, gboolean copies)
{
	gboolean until = u->s->until.condition != NULL;

	for (guint i = 0; i < u->s->fields->len; i++) {
		const Field *f = g_ptr_array_index(u->s->fields, i);
		const char *levels = unit_ring(u, f) == ring_size(f) ? ""
			: arena_printf(u->arena, "_levels<%d>", f->history + 1);

		if (ring_size(f) > 1 && rows_copied(u, f) == copies)
			wr_line(u->w, "STENCIL_TRY(stencil_settle%s(ctx, %s, c->%s, c->%s, %d, "
				"%s, %s));", levels, u->pointer[i], u->layout[i],
				u->grid[f->grid->index], f->components, unit_turns(u, f, steps),
				until ? progress_skips(u, f) : "NULL");
	}
}

void
entry_end(const Unit *u, const char *steps)
{
	gboolean until = u->s->until.condition != NULL, pads = u->sched->padding.grid != NULL
		&& u->sched->direct == NULL;

	emit_settle(u, steps, FALSE);
	if (u->sched->direct != NULL) {
		if (until)
			emit_settle(u, steps, TRUE);
		emit_rows_back(u, until ? NULL : steps);
	} else if (pads && !until && rows_copy_any(u, TRUE)) {
		wr_open(u->w, "if (padded)");
		emit_rows_back(u, steps);
		wr_reopen(u->w, "else");
	} else if (pads && !until) {
		wr_open(u->w, "if (!padded)");
	}
	if (u->sched->direct == NULL)
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

/* Whether a step reads the caller's rows and makes padded ones, or the other way round. */
static void
emit_ferry(const Unit *u)
{
	if (!u->sched->padding.ferries)
		return;
	wr_line(u->w, "const int enters = padded && step == 0, leaves = padded && step == %s - 1;",
		unit_member(u, MEMBER_STEPS, NULL, 0));
	wr_blank(u->w);
}

/* FN for the fields of U that stay. */
static void
each_that_stays(const Unit *u, void (*fn)(const Unit *u, const Field *f, GString *out),
	GString *out)
{
	for (guint i = 0; i < u->s->fields->len; i++)
		if (((const Field *)g_ptr_array_index(u->s->fields, i))->stays)
			fn(u, g_ptr_array_index(u->s->fields, i), out);
}

static void
put_parameter(const Unit *u, const Field *f, GString *out)
{
	g_string_append_printf(out, ", %s *%s, const stencil_layout *%s_layout", storage_of(f),
		u->pointer[f->index], u->layout[f->index]);
}

static void
put_argument(const Unit *u, const Field *f, GString *out)
{
	g_string_append_printf(out, ", %s, &c->%s", u->pointer[f->index], u->layout[f->index]);
}

static void
put_layout(const Unit *u, const Field *f, GString *out)
{
	(void)out;
	wr_line(u->w, "c->%s = *%s_layout;", u->layout[f->index], u->layout[f->index]);
}

static void
emit_signature(const Unit *u)
{
	GString *more = g_string_new(NULL);

	wr_line(u->w, unit_is_inner(u) ? "static stencil_status" : "stencil_status");
	if (unit_is_first(u))
		each_that_stays(u, put_parameter, more);
	wr_line(u->w, "%s(stencil_context *ctx, const %s_args *a%s)", u->sched->name, u->s->name,
		more->str);
	g_string_free(more, TRUE);
}

/* Calls that have another function: with a box, or of few steps where what stays were not worth
 * it, or had no room. */
static void
emit_boxed(const Unit *u)
{
	const Stencil *s = u->s;
	GString *test = g_string_new(NULL);

	if (s->default_grid != NULL)
		g_string_append_printf(test, "!stencil_box_is_whole(&c->box, &c->%s, %d)",
			u->grid[s->default_grid->index], s->default_grid->rank);
	if (s->first != NULL)
		g_string_append_printf(test, "%s%s < %d", test->len > 0 ? " || " : "",
			unit_member(u, MEMBER_STEPS, NULL, 0), FIRST_FROM);
	wr_line(u->w, "if (%s)", test->str);
	wr_line(u->w, "\treturn %s(ctx, a);", u->sched->boxed->name);
	g_string_free(test, TRUE);
}

/* What stays is made; rows go on beside as those of copies do. */
static void
emit_first(const Unit *u)
{
	GString *more;

	if (u->sched->first == NULL)
		return;
	more = g_string_new(NULL);
	each_that_stays(u, put_argument, more);
	wr_line(u->w, "STENCIL_TRY(%s(ctx, a%s));", u->sched->first->name, more->str);
	emit_rows_of_first(u);
	g_string_free(more, TRUE);
}

void
emit_cuda_main(Unit *u, const Launched *launched, Kernel *until)
{
	Writer *w = u->w;
	const Stencil *s = u->s;
	const char *name = u->sched->name;
	gboolean memory = u->sched->slots->len > 0;
	Shape *shapes = arena_array(u->arena, Shape, u->sched->launches->len + 1);

	emit_signature(u);
	wr_body(w);
	wr_line(w, "%s_call call = {}, *const c = &call;", name);
	if (memory)
		wr_line(w, "void *memory;");
	wr_blank(w);
	wr_line(w, "if (ctx == NULL)");
	wr_line(w, "\treturn stencil_fail(NULL, STENCIL_BAD_ARGUMENT, \"%s: no context\");",
		s->name);
	wr_line(w, "STENCIL_TRY(%s_prepare(ctx, a, c));", name);
	if (unit_is_first(u))
		each_that_stays(u, put_layout, NULL);
	if (u->sched->boxed != NULL)
		emit_boxed(u);
	wr_blank(w);
	if (u->sched->padding.grid != NULL)
		wr_line(w, "const %s_call packed = call;", name);
	wr_line(w, "const stencil_on_device device(ctx);");
	wr_blank(w);
	wr_line(w, "STENCIL_TRY(device.status);");
	if (s->stepped && u->sched->padding.grid != NULL)
		emit_padded_memory(u);
	else if (memory)
		emit_memory(u);
	wr_blank(w);
	emit_buffers(u);
	emit_boxes(u);
	for (guint i = 0; i < u->sched->launches->len; i++) {
		const Launch *l = g_ptr_array_index(u->sched->launches, i);

		if (l->stage->kind == STAGE_REDUCE)
			continue;
		emit_launch_shape(u, i, &launched[i], &shapes[i]);
	}
	wr_blank(w);
	emit_first(u);
	emit_rows_in(u);
	if (until != NULL)
		wr_line(w, "STENCIL_TRY(stencil_begin(ctx, progress, %s));",
			unit_member(u, MEMBER_STEPS, NULL, 0));
	if (s->stepped && launched[0].kernel[VARIANT_TILED] != NULL) {
		emit_sweeps(u, launched, shapes, until);
	} else if (s->stepped) {
		wr_open(w, "for (int64_t step = 0; step < %s; step++)",
			unit_member(u, MEMBER_STEPS, NULL, 0));
		emit_ferry(u);
		emit_step(u, launched, shapes);
		emit_rows_filled(u);
		entry_until(u, until);
		wr_close(w, "");
		entry_end(u, unit_member(u, MEMBER_STEPS, NULL, 0));
	} else {
		emit_step(u, launched, shapes);
	}
	wr_line(w, "return STENCIL_OK;");
	wr_close(w, "");
	wr_blank(w);
}
