/* cuda_sweep.c: the loop over the steps where one launch may make several: as many sweeps
 * as there are steps for, some of fewer for what is left, then single steps.
 */
#include "emit/cuda.h"
#include "emit/rows.h"
#include "ir/look.h"

#include <string.h>

/* A kernel that makes several steps at once. */
typedef struct {
	const Launched *l;
	const Plan *plan;
	Variant whole;             /* of rows that are whole vectors, */
	Variant ragged;            /* and of padded ones; VARIANT_N: it is given whole ones only */
	const Plan *slim;          /* of smaller blocks beside; NULL: there are none */
	const char *cells;         /* that its blocks cover by their spans */
	const char *asked;         /* "it is asked for && ", or "" */
} Sweep;

#define MOST_SWEEPS 3

static const SweepNames *
names_of(const Sweep *s)
{
	return &sweep_names[s->whole];
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

static const Kernel *
any_kernel(const Sweep *s)
{
	return s->l->kernel[s->ragged != VARIANT_N ? s->ragged : s->whole];
}

static gboolean
has_both(const Sweep *s)
{
	return s->ragged != VARIANT_N && s->ragged != s->whole;
}

/* Names the cells that whole vectors cover.  The last tile of a row is moved back to end with
 * them: of padded rows to where it begins with a whole sector, as the others do. */
static void
emit_box(const Unit *u, Sweep *s)
{
	const Plan *plan = s->plan;
	int width = s->l->width[s->whole];
	int sector = SECTOR / (int)type_info[plan->stage->target->type].bytes;
	const char *text = arena_printf(u->arena, "%d", width);

	if (s->ragged == VARIANT_N)
		return;
	if (has_both(s)) {
		wr_line(u->w, "const int ragged = !%s;", entry_row_fits(u, any_kernel(s), width));
		if (plan->inset[0][1] > 0 && sector > width)
			text = arena_printf(u->arena, "ragged ? %d : %d", sector, width);
	}
	wr_line(u->w, "const stencil_cells %s = stencil_whole(%s, %d, %s);", names_of(s)->whole,
		s->cells, plan->axis[0], text);
	s->cells = names_of(s)->whole;
}

/* Whether rows that end within a vector are long enough. */
static void
append_ragged(const Unit *u, const Sweep *s, GString *text)
{
	const Plan *plan = s->plan;
	const char *whole = has_both(s) ? "!ragged" : entry_row_fits(u, any_kernel(s),
		s->l->width[s->whole]);

	if (plan->least_ragged == 0 || plan->beside > 0)
		return;
	if (s->whole == VARIANT_LOOSE)
		g_string_append_printf(text, " && stencil_extent_of(&%s, %d) >= %d", s->cells,
			plan->axis[0], plan->least_ragged);
	else if (s->ragged != VARIANT_N)
		g_string_append_printf(text, " && (%s || stencil_extent_of(&%s, %d) >= %d)", whole,
			s->cells, plan->axis[0], plan->least_ragged);
}

/* Whether the kernel may run, and is asked for. */
static void
emit_fits(const Unit *u, const Sweep *s)
{
	const Plan *plan = s->plan;
	const int width = s->l->width[s->whole];
	GString *text = g_string_new(s->asked);

	g_string_append(text, entry_fits(u, any_kernel(s), width));
	append_ragged(u, s, text);
	for (int i = 0; i < plan_block_axes(plan); i++) {
		for (int n = 0; n < plan->n_stages; n++)
			append_ends(u, plan, n, i, s->cells, text);
		if (plan->least[i] > 0)
			g_string_append_printf(text, " && stencil_extent_of(&%s, %d) >= %d",
				s->cells, plan->axis[i], plan->least[i]);
		if (i < 2 && s->l->mail[s->whole] > 0)
			g_string_append_printf(text, " && stencil_are_next(&%s, %d, %d, %d)",
				s->cells, plan->axis[i], plan->span[i],
				s->l->mail_reach[s->whole][i]);
	}
	wr_line(u->w, "%sint %s = %s;", needs_room(plan) || s->l->mail[s->whole] > 0 ? ""
		: "const ", names_of(s)->fits, text->str);
	g_string_free(text, TRUE);
}

/* The box that the blocks cover by their spans. */
static void
emit_inset(const Unit *u, Sweep *s)
{
	const Plan *plan = s->plan;
	gboolean any = FALSE;

	for (int i = 0; i < plan->n_axes; i++) {
		if (plan->inset[i][0] + plan->inset[i][1] == 0)
			continue;
		if (!any)
			wr_line(u->w, "stencil_cells %s = %s;", names_of(s)->inner, s->cells);
		any = TRUE;
		wr_line(u->w, "stencil_inset(&%s, %d, %d, %d);", names_of(s)->inner, plan->axis[i],
			plan->inset[i][0], plan->inset[i][1]);
		if (i == 0 && plan->inset_more > 0)
			wr_line(u->w, "STENCIL_TRY(stencil_inset_for_fewer(ctx, &%s, %d, %d, %d, "
				"%.1f));", names_of(s)->inner, plan->axis[i], plan->span[i],
				plan->inset_more, plan->whole_below);
	}
	if (any)
		s->cells = names_of(s)->inner;
}

/* Cuts the blocks of its kernel to the device. */
static void
emit_fill(const Unit *u, const Sweep *s, Variant v)
{
	const char *name = s->l->name[v], *function = s->l->function[v];
	const int each = plan_blocks_each(s->plan);

	if (s->l->mail[v] > 0)
		wr_line(u->w, "\tSTENCIL_TRY(stencil_fill_at_once(ctx, \"%s\", &%s, &%s, %s, "
			"&%s));", name, names_of(s)->shape, s->cells, function, names_of(s)->fits);
	else if (s->plan->planes)
		wr_line(u->w, "\tSTENCIL_TRY(stencil_fill_rows(ctx, \"%s\", &%s, %d, &%s, "
			"%s));", name, names_of(s)->shape, s->plan->warm, s->cells, function);
	else if (s->plan->n_axes > 2)
		wr_line(u->w, "\tSTENCIL_TRY(stencil_fill_waves(ctx, \"%s\", &%s, %d, &%s, "
			"%s%s));", name, names_of(s)->shape, s->plan->warm, s->cells, function,
			s->plan->alone ? ", STENCIL_EDGES_50, 1" : "");
	else
		wr_line(u->w, "\tSTENCIL_TRY(stencil_fill_device(ctx, \"%s\", &%s, &%s, "
			"%s%s));", name, names_of(s)->shape, s->cells, function,
			each == 1 ? "" : arena_printf(u->arena, ", %d", each));
}

/* And the smaller ones beside to what these leave. */
static void
emit_fill_slim(const Unit *u, const Sweep *s)
{
	const char *name = s->l->name[VARIANT_SLIM];

	if (s->slim == NULL)
		return;
	wr_line(u->w, "if (%s)", names_of(s)->fits);
	wr_line(u->w, "\tSTENCIL_TRY(stencil_fill_slim(ctx, \"%s\", &%s, &slim, %d, &%s, %s, "
		"%d, %d));", name, names_of(s)->shape, s->plan->warm, s->cells,
		s->l->function[VARIANT_SLIM], s->plan->alone, s->plan->always);
}

/* What its blocks write to each other: planes that lie as the grid's do. */
static void
emit_mail(const Unit *u, const Sweep *s)
{
	const Launched *l = s->l;
	const Variant v = s->whole;

	if (l->mail[v] == 0)
		return;
	wr_line(u->w, "if (%s)", names_of(s)->fits);
	wr_line(u->w, "\tSTENCIL_TRY(stencil_mail_open(ctx, \"%s\", &mail, "
		"stencil_mail_words(%d, %d, &%s, %d, %d)));", l->name[v], l->mail[v],
		l->mail_words[v], s->cells, s->plan->axis[0], s->plan->axis[1]);
}

static void
emit_fills(const Unit *u, const Sweep *s)
{
	Writer *w = u->w;

	if (s->plan->n_axes == 1) /* nothing to cut */
		return;
	if (needs_room(s->plan)) {
		wr_line(w, "if (%s)", names_of(s)->fits);
		wr_line(w, "\tSTENCIL_TRY(stencil_fit_shared(ctx, \"%s\", &%s, &%s));",
			u->s->name, names_of(s)->shape, names_of(s)->fits);
	}
	if (has_both(s)) {
		wr_line(w, "if (%s && ragged)", names_of(s)->fits);
		emit_fill(u, s, s->ragged);
		wr_line(w, "else if (%s)", names_of(s)->fits);
	} else {
		wr_line(w, "if (%s)", names_of(s)->fits);
	}
	emit_fill(u, s, s->whole);
	emit_fill_slim(u, s);
	emit_mail(u, s);
	wr_blank(w);
}

/* What is to be known before the loop; STEP counts the launches, which is what the buffers
 * go round by. */
static void
emit_ready(const Unit *u, Sweep *s, const char *step)
{
	entry_shape(u, s->plan, names_of(s)->shape);
	if (s->slim != NULL)
		entry_shape(u, s->slim, sweep_names[VARIANT_SLIM].shape);
	if (step != NULL)
		wr_line(u->w, "int64_t %s;", step);
	if (step != NULL && s->l->mail[s->whole] > 0)
		wr_line(u->w, "stencil_mail mail = {};");
	emit_box(u, s);
	emit_fits(u, s);
	emit_inset(u, s);
	wr_blank(u->w);
	emit_fills(u, s);
}

/* Its launch, or of padded rows that of the one for those. */
static void
emit_most(const Unit *u, const Sweep *s)
{
	const Shape shape = { names_of(s)->shape, NULL };

	if (!has_both(s)) {
		entry_variant(u, s->l, s->whole, &shape, s->cells);
		return;
	}
	wr_open(u->w, "if (ragged)");
	entry_variant(u, s->l, s->ragged, &shape, s->cells);
	wr_reopen(u->w, "else");
	entry_variant(u, s->l, s->whole, &shape, s->cells);
	wr_close(u->w, "");
}

/* Smaller blocks find room where the others leave some. */
static void
emit_launches(const Unit *u, const Sweep *s)
{
	const Shape slim = { sweep_names[VARIANT_SLIM].shape, NULL };

	if (s->slim == NULL) {
		emit_most(u, s);
		return;
	}
	wr_line(u->w, "stencil_beside beside(ctx, slim.rows > 0);");
	wr_blank(u->w);
	wr_line(u->w, "STENCIL_TRY(beside.status);");
	emit_most(u, s);
	wr_open(u->w, "if (slim.rows > 0)");
	wr_line(u->w, "beside.turn();");
	entry_variant(u, s->l, VARIANT_SLIM, &slim, s->cells);
	wr_line(u->w, "STENCIL_TRY(beside.end());");
	wr_close(u->w, "");
}

gboolean
counts_sweeps(const Unit *u)
{
	for (guint i = 0; i < u->s->fields->len; i++)
		if (schedule_skips(u->sched, g_ptr_array_index(u->s->fields, i)) > 0)
			return TRUE;
	return FALSE;
}

static void
emit_turn(const Unit *u, const Sweep *s)
{
	emit_rows_ends(u);
	emit_launches(u, s);
	wr_line(u->w, "done += %d;", s->plan->time);
	if (counts_sweeps(u))
		wr_line(u->w, "sweeps++;");
}

/* The steps that sweeps may make: "steps - done", or those before the next look, without the
 * last one where that has to be by itself. */
static const char *
steps_left(const Unit *u)
{
	const char *steps = unit_member(u, MEMBER_STEPS, NULL, 0);
	const char *own = stencil_looks_back(u->s) ? " - 1" : "";

	if (u->s->until.condition == NULL)
		return arena_printf(u->arena, "%s - done%s", steps, own);
	wr_line(u->w, "const int64_t left = stencil_steps_left(%s, done, %" G_GINT64_FORMAT
		")%s;", steps, u->s->until.every, own);
	wr_blank(u->w);
	return "left";
}

/* Whether the steps of a call are made without a stop, and all of them may be by sweeps. */
static gboolean
goes_through(const Unit *u)
{
	return u->s->until.condition == NULL && !stencil_looks_back(u->s);
}

/* The launches that the buffers of all fields go round in: "2", "1" where a result is copied in
 * any case or is not sent round by launches alone. */
static const char *
slots_text(const Unit *u)
{
	int slots = 0;

	for (guint i = 0; i < u->s->fields->len; i++) {
		const Field *field = g_ptr_array_index(u->s->fields, i);
		const int ring = ring_size(field) > 1 ? unit_ring(u, field) : 0;

		if (ring > 0 && slots > 0 && ring != slots)
			return "1";
		slots = MAX(slots, ring);
	}
	return slots == 0 || counts_sweeps(u) ? "1" : u->sched->padding.grid == NULL
		? arena_printf(u->arena, "%d", slots)
		: u->sched->direct != NULL ? "1" : arena_printf(u->arena, "padded ? 1 : %d", slots);
}

/* Names the steps that smaller sweeps make, which are the first ones; where there are stops
 * they make what the others leave before each.  Returns how they are asked for. */
static const char *
emit_by_fewer(const Unit *u, const Plan *plan)
{
	const char *steps = unit_member(u, MEMBER_STEPS, NULL, 0);

	if (!goes_through(u))
		return "";
	wr_line(u->w, "const int64_t by_fewer = fits ? stencil_steps_by_fewer(%s, %d, %d, %s) "
		": %s;", steps, plan->time, plan->fewer->time, slots_text(u), steps);
	return arena_printf(u->arena, "by_fewer >= %d && ", plan->fewer->time);
}

static void
emit_single(const Unit *u, const Launched *l, const Shape *shapes)
{
	for (guint i = 0; i < u->sched->launches->len; i++)
		if (!((const Launch *)g_ptr_array_index(u->sched->launches, i))->tested_only)
			entry_launch(u, (int)i, &l[i], &shapes[i]);
	wr_line(u->w, "done++;");
}

void
emit_pipe(const Unit *u, int launch, int n, const Launched *l, const Shape *shapes)
{
	const Plan *plan = l[launch].kernel[VARIANT_TILED]->launch->plan;
	Sweep sweep[] = {
		{ &l[launch], plan, VARIANT_TILED, VARIANT_N, NULL, u->cells[launch], "" },
		{ &l[launch], plan->loose, VARIANT_LOOSE, VARIANT_N, NULL, u->cells[launch],
			"!fits && " },
	};
	const gsize n_sweeps = plan->loose != NULL ? 2 : 1;

	wr_body(u->w);
	for (gsize i = 0; i < n_sweeps; i++)
		emit_ready(u, &sweep[i], NULL);
	for (gsize i = 0; i < n_sweeps; i++) {
		(i == 0 ? wr_open : wr_reopen)(u->w, "%sif (%s)", i == 0 ? "" : "else ",
			names_of(&sweep[i])->fits);
		emit_launches(u, &sweep[i]);
	}
	wr_reopen(u->w, "else");
	for (int i = launch; i < launch + n; i++)
		entry_launch(u, i, &l[i], &shapes[i]);
	wr_close(u->w, "");
	wr_close(u->w, "");
}

/* The sweeps of L, the smaller ones last, and how many there are. */
static int
list_sweeps(const Unit *u, const Launched *l, Sweep *sweep)
{
	const Plan *plan = l->kernel[VARIANT_TILED]->launch->plan;
	const Variant ragged = l->kernel[VARIANT_RAGGED] != NULL ? VARIANT_RAGGED
		: l->kernel[VARIANT_TILED]->padded ? VARIANT_TILED : VARIANT_N;
	const char *cells = u->cells[0];
	int n = 0;

	sweep[n++] = (Sweep){ l, plan, VARIANT_TILED, ragged, plan->slim, cells,
		"" };
	if (plan->turned != NULL)
		sweep[n++] = (Sweep){ l, plan->turned, VARIANT_TURNED, plan->padded
			? VARIANT_TURNED : VARIANT_N, NULL, cells, "!fits && " };
	if (plan->fewer != NULL)
		sweep[n++] = (Sweep){ l, plan->fewer, VARIANT_FEWER, plan->padded ? VARIANT_FEWER
			: VARIANT_N, NULL, cells, "" };
	return n;
}

/* What is to be known of all N of them before the loop. */
static void
emit_all_ready(const Unit *u, Sweep *sweep, int n)
{
	for (Sweep *s = sweep; s < sweep + n; s++) {
		if (s->whole == VARIANT_FEWER)
			s->asked = emit_by_fewer(u, sweep->plan);
		emit_ready(u, s, s > sweep ? NULL : counts_sweeps(u) ? "step = 0, sweeps = 0"
			: "step = 0");
	}
}

/* The one of N sweeps that is asked after I others. */
static const Sweep *
nth_asked(const Unit *u, const Sweep *sweep, int n, int i)
{
	if (sweep[n - 1].whole != VARIANT_FEWER || !goes_through(u))
		return &sweep[i];
	return &sweep[(i + n - 1) % n];
}

void
emit_sweeps(const Unit *u, const Launched *l, const Shape *shapes, const Kernel *until)
{
	Sweep sweep[MOST_SWEEPS];
	const int n = list_sweeps(u, l, sweep);
	const char *left;
	Writer *w = u->w;

	emit_all_ready(u, sweep, n);
	wr_open(w, "for (int64_t done = 0; done < %s; step++)",
		unit_member(u, MEMBER_STEPS, NULL, 0));
	left = steps_left(u);
	for (int i = 0; i < n; i++) {
		const Sweep *s = nth_asked(u, sweep, n, i);
		const gboolean first_ones = s->whole == VARIANT_FEWER && goes_through(u);

		(i == 0 ? wr_open : wr_reopen)(w, "%sif (%s%s && %s >= %d)", i == 0 ? ""
			: "else ", names_of(s)->fits, first_ones ? " && done < by_fewer" : "", left,
			s->plan->time);
		emit_turn(u, s);
	}
	wr_reopen(w, "else");
	emit_single(u, l, shapes);
	wr_close(w, "");
	entry_looks(u, l, shapes);
	entry_until(u, until);
	wr_close(w, "");
	entry_end(u, "step");
}
