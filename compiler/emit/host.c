/* host.c: plain C11 with OpenMP: every stage as loops, in order, one cell after the
 * other.  What this file makes is the meaning of a program.
 */
#include "emit/text.h"

/* ---- the function of a stage ---- */

/* Loops along the axes that the plan's threads run along, outermost first; those
 * before the last are run in parallel, and the last where it is the only one or
 * ALL is set.  Gives their number. */
static int
open_loops(const Kernel *k, gboolean all)
{
	const Plan *plan = k->launch->plan;
	int n = plan_block_axes(plan), parallel = all || n == 1 ? n : n - 1;

	if (parallel > 0)
		wr_line(k->u->w, "STENCIL_PARALLEL(%d)", parallel);
	for (int i = n; i-- > 0;) {
		const char *name = k->coord[plan->axis[i]];

		wr_open(k->u->w, "for (int32_t %s = cells.lo[%d]; %s < cells.hi[%d]; %s++)", name,
			plan->axis[i], name, plan->axis[i], name);
	}
	return n;
}

static void
emit_line(Kernel *k)
{
	Writer *w = k->u->w;
	const char *state = emit_scan_begin(k);

	wr_blank(w);
	emit_scan_open(k, "0", kernel_extent(k, k->stage->grid, k->stage->axis));
	kernel_lines(k, k->local);
	if (k->local->len > 0)
		wr_blank(w);
	emit_scan_cell(k, state);
	wr_close(w, "");
}

static void
emit_stage_loops(Kernel *k)
{
	Writer *w = k->u->w;
	gboolean scan = k->stage->kind == STAGE_SCAN;
	int n = open_loops(k, scan);

	if (n == 0)
		wr_line(w, "(void)cells;");
	if (scan) {
		emit_line(k);
	} else {
		kernel_lines(k, k->local);
		if (k->local->len > 0)
			wr_blank(w);
		emit_map_cell(k, NULL);
	}
	while (n-- > 0)
		wr_close(w, "");
}

/* A fixed number of chunks of the box, joined in their order. */
static void
emit_reduce_loops(Kernel *k)
{
	Writer *w = k->u->w;
	const Stage *s = k->stage;
	const char *type = reduce_ctype(s), *part = names_take(k->names, "part");
	const char *n = names_take(k->names, "n"), *chunk = names_take(k->names, "chunk");
	const char *i = names_take(k->names, "i"), *rest = names_take(k->names, "rest");
	const char *total = names_take(k->names, "total");
	const char *result = kernel_param(k, arena_printf(k->arena, "%s *__restrict__ ",
		type_info[s->result->type].storage), s->result->name,
		unit_member(k->u, MEMBER_RESULT, s->result, 0));

	wr_line(w, "const int64_t %s = stencil_count(&cells);", n);
	wr_line(w, "%s %s[STENCIL_CHUNKS], %s = %s;", type, part, total,
		reduce_identity(k->arena, s));
	wr_blank(w);
	wr_line(w, "STENCIL_PARALLEL(1)");
	wr_open(w, "for (int %s = 0; %s < STENCIL_CHUNKS; %s++)", chunk, chunk, chunk);
	wr_line(w, "%s sum = %s;", type, reduce_identity(k->arena, s));
	wr_blank(w);
	wr_open(w, "for (int64_t %s = stencil_chunk(%s, %s); %s < stencil_chunk(%s, %s + 1); %s++)",
		i, n, chunk, i, n, chunk, i);
	wr_line(w, "int64_t %s = %s;", rest, i);
	emit_unrolled(k, rest, 0);
	kernel_lines(k, k->local);
	wr_blank(w);
	emit_reduce_cell(k, "sum");
	wr_close(w, "");
	wr_line(w, "%s[%s] = sum;", part, chunk);
	wr_close(w, "");
	wr_line(w, "for (int %s = 0; %s < STENCIL_CHUNKS; %s++)", chunk, chunk, chunk);
	wr_line(w, "\t%s = %s;", total, reduce_join(k->arena, s, total,
		arena_printf(k->arena, "%s[%s]", part, chunk)));
	wr_line(w, "%s[0] = %s;", result, reduce_store(k->arena, s, total));
}

static Kernel *
emit_function(const Unit *u, int launch)
{
	Kernel *k = kernel_new(u, launch);
	Writer *w = u->w;

	if (k->stage->kind == STAGE_SCAN)
		k->carried = names_takef(k->names, "%s_before", k->stage->target->name);
	if (k->stage->kind == STAGE_REDUCE) {
		names_take(k->names, "sum");
		kernel_param(k, arena_printf(k->arena, "%s *__restrict__ ",
			type_info[k->stage->result->type].storage), k->stage->result->name,
			unit_member(u, MEMBER_RESULT, k->stage->result, 0));
	}
	kernel_collect(k);
	emit_launch_comment(k, k->launch->plan);
	wr_line(w, "static void");
	wr_line(w, "%s(%s)", u->kernel[launch], kernel_signature(k, "const stencil_cells cells"));
	wr_body(w);
	kernel_lines(k, k->fixed);
	if (k->fixed->len > 0)
		wr_blank(w);
	if (k->stage->kind == STAGE_REDUCE)
		emit_reduce_loops(k);
	else
		emit_stage_loops(k);
	wr_close(w, "");
	wr_blank(w);
	return k;
}

/* ---- the main function ---- */

static void
emit_until(Unit *u)
{
	Writer *w = u->w;
	const Until *until = &u->s->until;
	ExprStyle style = { .leaf = unit_leaf, .user = u };
	ExprPrinter *p = expr_printer_new(u->arena, u->names, &style);

	wr_open(w, "if ((step + 1) %% %" G_GINT64_FORMAT " == 0)", until->every);
	expr_declare(p, w, &until->condition, 1);
	wr_user_line(w, until->at, "stop = %s;", expr_text(p, until->condition, PREC_SELECT));
	wr_close(w, "");
	expr_printer_free(p);
}

static void
emit_step(Unit *u, Kernel **kernels)
{
	Writer *w = u->w;

	for (guint i = 0; i < u->sched->launches->len; i++) {
		const Launch *l = g_ptr_array_index(u->sched->launches, i);

		if (l->tested_only)
			wr_line(w, "if (%s)", unit_tested(u));
		wr_line(w, "%s%s(%s);", l->tested_only ? "\t" : "", u->kernel[i],
			kernel_arguments(kernels[i], u->cells[i]));
	}
}

static void
emit_settle(Unit *u)
{
	Writer *w = u->w;

	for (guint i = 0; i < u->s->fields->len; i++) {
		const Field *f = g_ptr_array_index(u->s->fields, i);
		GString *slots = g_string_new(NULL);
		int r = ring_size(f);

		for (int n = 0; n < r && r > 1; n++)
			g_string_append_printf(slots, "%s%s[%d]", n > 0 ? ", " : "", u->pointer[i],
				n);
		if (r > 1) {
			wr_body(w);
			wr_line(w, "void *const slot[] = { %s };", slots->str);
			wr_line(w, "unsigned char back[%ssizeof(%s)];", r == 2 ? ""
				: arena_printf(u->arena, "%d * ", r - 1), storage_of(f));
			wr_blank(w);
			wr_line(w, "stencil_settle(slot, %d, &c->%s, &c->%s, %d, sizeof(%s), step, "
				"back);", r, u->layout[i], u->grid[f->grid->index], f->components,
				storage_of(f));
			wr_close(w, "");
		}
		g_string_free(slots, TRUE);
	}
}

static void
emit_main(Unit *u, Kernel **kernels)
{
	Writer *w = u->w;
	const Stencil *s = u->s;
	gboolean memory = u->sched->slots->len > 0, until = s->until.condition != NULL;

	wr_line(w, "stencil_status");
	wr_line(w, "%s_host(const %s_args *a)", s->name, s->name);
	wr_body(w);
	wr_line(w, "%s_call call = { 0 }, *const c = &call;", s->name);
	if (memory)
		wr_line(w, "void *memory, *owned;");
	if (s->stepped)
		wr_line(w, "int64_t step;");
	if (until)
		wr_line(w, "int stop = 0;");
	wr_blank(w);
	wr_line(w, "STENCIL_TRY(%s_prepare(NULL, a, c));", s->name);
	if (memory)
		wr_line(w, "STENCIL_TRY(stencil_memory(\"%s\", a->workspace, a->workspace_size, "
			"c->workspace, &memory, &owned));", s->name);
	wr_blank(w);
	emit_buffers(u);
	emit_boxes(u);
	wr_blank(w);
	if (s->stepped) {
		wr_open(w, "for (step = 0; step < %s%s; step++)",
			unit_member(u, MEMBER_STEPS, NULL, 0),
			until ? " && !stop" : "");
		emit_step(u, kernels);
		if (until)
			emit_until(u);
		wr_close(w, "");
		emit_settle(u);
	} else {
		emit_step(u, kernels);
	}
	if (until) {
		wr_line(w, "if (%s != NULL)", unit_member(u, MEMBER_STEPS_DONE, NULL, 0));
		wr_line(w, "\t*%s = step;", unit_member(u, MEMBER_STEPS_DONE, NULL, 0));
	}
	if (memory)
		wr_line(w, "free(owned);");
	wr_line(w, "return STENCIL_OK;");
	wr_close(w, "");
	wr_blank(w);
}

void
emit_host(const Program *p, Schedule *const *scheds, const EmitOptions *o, Writer *w)
{
	wr_line(w, "/* Made from %s by stencilc, for the host. */", o->source);
	emit_top(p, o, w);
	for (guint i = 0; i < p->stencils->len; i++) {
		Unit *u = unit_new(scheds[i], TARGET_HOST, o, w);
		guint n = scheds[i]->launches->len;
		Kernel **kernels = g_new0(Kernel *, n + 1);

		emit_entry(u);
		for (guint k = 0; k < n; k++)
			kernels[k] = emit_function(u, (int)k);
		emit_main(u, kernels);
		for (guint k = 0; k < n; k++)
			kernel_free(kernels[k]);
		g_free(kernels);
		unit_free(u);
	}
}
