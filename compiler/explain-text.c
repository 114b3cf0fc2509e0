/* explain-text.c: the report as tables. */
#include "explain.h"

#define SHOWN 12   /* candidates that could run, */
#define SHOWN_OUT 24 /* and that are ruled out */

/* ---- a launch ---- */

static void
put_header(GString *out)
{
	g_string_append(out, "      GCells/s  limited by          bytes  redundant  regs  shared "
		"blocks  occupancy       plan\n");
}

static void
put_figures(const Candidate *c, GString *out)
{
	const Prediction *p = &c->cost;
	char *label = explain_label(c);

	g_string_append_printf(out, "    %c %8.1f  %-18s %6.2f %9.0f%% %5d %7" G_GINT64_FORMAT
		" %6d %4.0f%% %-9s  %s\n", c->chosen ? '*' : ' ', explain_rate(p->seconds),
		ceiling_name[p->limit], p->bytes, 100 * (explain_redundancy(p) - 1), p->registers,
		p->shared, p->residency.blocks, 100 * p->residency.occupancy,
		limit_name[p->residency.limit], label);
	g_free(label);
}

static void
put_running(const ExplainLaunch *l, GString *out)
{
	guint shown = 0, more = 0;

	put_header(out);
	for (guint i = 0; i < l->candidates->len; i++) {
		const Candidate *c = g_ptr_array_index(l->candidates, i);

		if (c->killed != NULL)
			continue;
		if (shown < SHOWN || c->chosen) {
			put_figures(c, out);
			shown++;
		} else {
			more++;
		}
	}
	if (more > 0)
		g_string_append_printf(out, "      and %u slower ones\n", more);
}

static void
put_ruled_out(const ExplainLaunch *l, GString *out)
{
	guint shown = 0, more = 0;

	for (guint i = 0; i < l->candidates->len; i++) {
		const Candidate *c = g_ptr_array_index(l->candidates, i);
		char *label;

		if (c->killed == NULL || c->chosen)
			continue;
		if (shown == 0)
			g_string_append(out, "    ruled out:\n");
		if (shown++ >= SHOWN_OUT) {
			more++;
			continue;
		}
		label = explain_label(c);
		g_string_append_printf(out, "      %s: %s\n", label, c->killed);
		g_free(label);
	}
	if (more > 0)
		g_string_append_printf(out, "      and %u others\n", more);
}

/* Where the time of the chosen plan goes, picoseconds a cell and step. */
static void
put_times(const Prediction *p, GString *out)
{
	g_string_append(out, "    picoseconds a cell and step:");
	for (int i = 0; i < CEILING_N; i++) {
		g_string_append_printf(out, " %s %.2f", ceiling_name[i], 1e12 * p->ceiling[i]);
		if (i == CEILING_SHARED && p->conflicts > 0)
			g_string_append_printf(out, " (%.0f%% conflicts of banks)",
				100 * p->conflicts);
		g_string_append_c(out, ',');
	}
	g_string_append_printf(out, " barriers and launches %.2f; together %.2f\n",
		1e12 * p->overhead, 1e12 * p->seconds);
}

static void
put_stages(const Plan *plan, GString *out)
{
	for (int i = 0; i < plan->n_stages; i++)
		g_string_append_printf(out, "%s%s%s", i > 0 ? ", " : "", plan->stages[i].name,
			plan->stages[i].passing ? " (in registers)" : "");
}

/* How what is left of the steps, and of the rows, is made. */
static void
put_left(const ExplainLaunch *l, GString *out)
{
	const Plan *plan = l->plan;
	char *label;

	if (l->between != NULL)
		g_string_append_printf(out, "    %s\n", l->between);
	if (plan->slim != NULL)
		g_string_append_printf(out, "    rows that are no whole tile: by blocks of %dx%d "
			"threads%s\n", plan->slim->threads[0], plan->slim->threads[1],
			plan->always ? "" : ", where that is done sooner");
	if (plan->turned != NULL)
		g_string_append_printf(out, "    where there are more blocks than run at once: "
			"they walk along %s\n", plan_walks_along(plan->turned));
	if (plan->fewer == NULL)
		return;
	label = predict_label(plan->fewer);
	g_string_append_printf(out, "    what is left of the steps: %s; then one by one\n", label);
	g_free(label);
}

/* Blocks compute cells that others compute, too. */
static gboolean
has_overlap(const ExplainLaunch *l)
{
	return l->chosen->killed == NULL && explain_redundancy(&l->chosen->cost) > 1;
}

static void
put_launch(const ExplainLaunch *l, GString *out)
{
	Arena *arena = arena_new();
	const Prediction *p = &l->chosen->cost;
	const char *chunks = explain_chunks(l, arena);
	char *label = explain_label(l->chosen);

	g_string_append_printf(out, "\n  launch %s, kernel %s, computes ", l->plan->name,
		l->kernel);
	put_stages(l->plan, out);
	g_string_append_c(out, '\n');
	if (l->plan->apart != NULL)
		g_string_append_printf(out, "    apart from the one before: %s\n", l->plan->apart);
	g_string_append_printf(out, "    operations a cell%s: %d as written, %d after the "
		"passes", l->integers ? ", of integers" : "", l->ops_written, l->ops);
	if (l->ops_kernel >= 0)
		g_string_append_printf(out, ", %.4g by this kernel%s", l->ops_kernel,
			has_overlap(l) ? ", overlap apart" : "");
	g_string_append_c(out, '\n');
	g_string_append_printf(out, "    chosen: %s: %s\n", label, explain_why(l, arena));
	put_left(l, out);
	if (chunks != NULL)
		g_string_append_printf(out, "    walks: %s\n", chunks);
	if (l->chosen->killed == NULL) {
		g_string_append_printf(out, "    bytes a cell and step: %.2f, at best %.2f; "
			"%.2f if all halos came from memory\n", p->bytes, p->ideal, p->halos);
		if (l->best_threads > 0)
			g_string_append_printf(out, "    threads of a block: registers and shared "
				"memory allow %d, and of blocks of %d most run at a time\n",
				l->most_threads, l->best_threads);
		put_times(p, out);
	}
	if (explain_has_table(l))
		put_running(l, out);
	put_ruled_out(l, out);
	g_free(label);
	arena_free(arena);
}

/* ---- the whole ---- */

static void
put_measures(const ExplainStencil *x, GString *out)
{
	if (x->measures->len > 0)
		g_string_append(out, "\n  measured; bytes: what a copy moves a cell in "
			"that time\n      GCells/s  predicted   bytes  plan\n");
	for (guint i = 0; i < x->measures->len; i++) {
		const ExplainMeasure *m = g_ptr_array_index(x->measures, i);

		g_string_append_printf(out, "      %8.1f", m->measured);
		if (m->predicted > 0)
			g_string_append_printf(out, "  %9.1f", m->predicted);
		else
			g_string_append(out, "          -");
		if (m->effective > 0)
			g_string_append_printf(out, "  %6.2f", m->effective);
		else
			g_string_append(out, "       -");
		g_string_append_printf(out, "  %s\n", m->variant);
	}
}

static void
put_stencil(const Explain *x, const ExplainStencil *s, GString *out)
{
	Arena *arena = arena_new();
	const guint n = s->launches->len - s->n_looking;

	g_string_append_printf(out, "stencil %s on %s (%s), nvcc -arch=%s: %u launch%s %s",
		s->s->name, x->device->id, x->device->title, x->arch, n, n == 1 ? "" : "es",
		explain_pace(s, arena));
	if (s->n_looking > 0)
		g_string_append_printf(out, ", and %u %s", s->n_looking, explain_looks(s, arena));
	g_string_append_c(out, '\n');
	if (s->seconds > 0)
		g_string_append_printf(out, "  %.0f cells; predicted%s%s: %.1f GCells/s\n",
			s->cells, s->n_looking > 0 ? ", the steps alone" : "",
			s->copies > 0 && s->s->steps == 0 ? ", without the copies" : "",
			explain_rate(s->seconds));
	if (s->layout != NULL)
		g_string_append_printf(out, "  layout: %s\n", s->layout);
	if (s->n_first > 0)
		g_string_append_printf(out, "  before the first step: %s\n",
			explain_first(s, arena));
	if (s->n_boxed > 0)
		g_string_append_printf(out, "  %s: %u launch%s of their own\n",
			explain_other_calls(s), s->n_boxed, s->n_boxed == 1 ? "" : "es");
	arena_free(arena);
	for (guint i = 0; i < s->launches->len; i++)
		put_launch(g_ptr_array_index(s->launches, i), out);
	put_measures(s, out);
}

void
explain_text(const Explain *x, GString *out)
{
	for (guint i = 0; i < x->stencils->len; i++) {
		if (i > 0)
			g_string_append_c(out, '\n');
		put_stencil(x, g_ptr_array_index(x->stencils, i), out);
	}
}
