/* explain-html.c: the report as a page that needs nothing else: no script, no other file. */
#include "explain-page.h"

#define SHOWN 14     /* candidates of a table */
#define SHOWN_OUT 40 /* and of those that are ruled out */

/* ---- the top ---- */

static void
put_card(GString *out, const char *figure, const char *what)
{
	g_string_append(out, "<div class=\"card\"><b>");
	markup_text(out, figure);
	g_string_append(out, "</b><span>");
	markup_text(out, what);
	g_string_append(out, "</span></div>\n");
}

static void G_GNUC_PRINTF(3, 4)
put_figure(GString *out, const char *what, const char *format, ...)
{
	va_list args;
	char *figure;

	va_start(args, format);
	figure = g_strdup_vprintf(format, args);
	va_end(args);
	put_card(out, figure, what);
	g_free(figure);
}

/* The launch that takes longest. */
static const ExplainLaunch *
longest(const ExplainStencil *s)
{
	const ExplainLaunch *found = NULL;

	for (guint i = 0; i < s->launches->len; i++) {
		const ExplainLaunch *l = g_ptr_array_index(s->launches, i);

		if (found == NULL || l->cells * l->chosen->cost.seconds
			> found->cells * found->chosen->cost.seconds)
			found = l;
	}
	return found;
}

static void
put_count(guint n, const char *when, GString *out)
{
	char *label = g_strdup_printf("launch%s %s", n == 1 ? "" : "es", when);

	put_figure(out, label, "%u", n);
	g_free(label);
}

/* Launches of what is made, and of what is asked for apart. */
static void
put_counts(const ExplainStencil *s, GString *out)
{
	Arena *arena = arena_new();

	put_count(s->launches->len - s->n_looking, explain_pace(s, arena), out);
	if (s->n_looking > 0)
		put_count(s->n_looking, explain_looks(s, arena), out);
	arena_free(arena);
}

static void
put_cards(const ExplainStencil *s, GString *out)
{
	const ExplainLaunch *l = longest(s);
	const Prediction *p = l != NULL && l->chosen->killed == NULL ? &l->chosen->cost : NULL;

	g_string_append(out, "<div class=\"cards\">\n");
	if (s->seconds > 0)
		put_figure(out, "GCells/s predicted, all time steps counted",
			explain_rate(s->seconds) < 100 ? "%.1f" : "%.0f", explain_rate(s->seconds));
	if (p != NULL) {
		put_card(out, ceiling_name[p->limit], "is what limits it");
		put_figure(out, "bytes a cell and step, of so many at best",
			p->bytes < 10 ? "%.2f / %.2f" : "%.1f / %.1f", p->bytes, p->ideal);
		put_figure(out, "of the multiprocessors' threads are there", "%.0f %%",
			100 * p->residency.occupancy);
	}
	if (l != NULL && l->ops_kernel >= 0)
		put_figure(out, "operations a cell, as written, after the passes and by the kernel",
			"%d / %d / %.4g", l->ops_written, l->ops, l->ops_kernel);
	else if (l != NULL)
		put_figure(out, "operations a cell, as written and after the passes", "%d / %d",
			l->ops_written, l->ops);
	put_counts(s, out);
	g_string_append(out, "</div>\n");
}

/* ---- candidates ---- */

static void
put_row(const Candidate *c, double best, GString *out)
{
	const Prediction *p = &c->cost;
	char *label = explain_label(c);

	g_string_append_printf(out, "<tr%s><td class=\"l\">", c->chosen ? " class=\"chosen\"" : "");
	markup_text(out, label);
	g_string_append_printf(out, "</td><td>%.1f<span class=\"rail\"><span class=\"bar\" "
		"style=\"width:%.0f%%\"></span></span></td><td class=\"l\">",
		explain_rate(p->seconds), MAX(80 * best / p->seconds, 1));
	markup_text(out, ceiling_name[p->limit]);
	g_string_append_printf(out, "</td><td>%.2f</td><td>%.0f %%</td><td>%d</td><td>%.1f</td>"
		"<td>%d</td><td>%.0f %%<span class=\"of\">%s</span></td></tr>\n", p->bytes,
		100 * (explain_redundancy(p) - 1), p->registers, (double)p->shared / 1024,
		p->residency.blocks, 100 * p->residency.occupancy, limit_name[p->residency.limit]);
	g_free(label);
}

static void
put_candidates(const ExplainLaunch *l, GString *out)
{
	static const char *const head = "<div class=\"panel scroll\"><table>\n<thead><tr>"
		"<th class=\"l\">plan</th><th>GCells/s</th><th class=\"l\">limited by</th>"
		"<th>bytes a cell</th><th>redundant</th><th>registers</th>"
		"<th>shared, KiB</th><th>blocks</th><th>occupancy, by</th>"
		"</tr></thead>\n<tbody>\n";
	guint shown = 0, more = 0;
	double best = 0;

	g_string_append(out, head);
	for (guint i = 0; i < l->candidates->len; i++) {
		const Candidate *c = g_ptr_array_index(l->candidates, i);

		if (c->killed != NULL)
			continue;
		best = best > 0 ? best : c->cost.seconds;
		if (shown < SHOWN || c->chosen) {
			put_row(c, best, out);
			shown++;
		} else {
			more++;
		}
	}
	g_string_append(out, "</tbody></table></div>\n");
	if (more > 0)
		g_string_append_printf(out, "<p class=\"note\">and %u slower ones</p>\n", more);
}

static void
put_ruled_out(const ExplainLaunch *l, GString *out)
{
	guint n = 0, shown = 0;

	for (guint i = 0; i < l->candidates->len; i++)
		n += ((const Candidate *)g_ptr_array_index(l->candidates, i))->killed != NULL;
	if (n == 0)
		return;
	g_string_append_printf(out, "<details><summary>%u ruled out, each with the limit that "
		"killed it</summary>\n<div class=\"panel scroll\"><table><tbody>\n", n);
	for (guint i = 0; i < l->candidates->len && shown < SHOWN_OUT; i++) {
		const Candidate *c = g_ptr_array_index(l->candidates, i);
		char *label;

		if (c->killed == NULL)
			continue;
		label = explain_label(c);
		g_string_append(out, "<tr><td class=\"l\">");
		markup_text(out, label);
		g_string_append(out, "</td><td class=\"why\">");
		markup_text(out, c->killed);
		g_string_append(out, "</td></tr>\n");
		g_free(label);
		shown++;
	}
	g_string_append(out, "</tbody></table></div>");
	if (n > shown)
		g_string_append_printf(out, "<p class=\"note\">and %u others</p>", n - shown);
	g_string_append(out, "</details>\n");
}

/* ---- a launch ---- */

static void
put_launch_head(const ExplainLaunch *l, GString *out)
{
	Arena *arena = arena_new();
	const Plan *fewer = l->plan->fewer;
	const char *chunks = explain_chunks(l, arena);
	char *label = explain_label(l->chosen), *left = fewer != NULL ? predict_label(fewer) : NULL;

	g_string_append(out, "<h2>Launch ");
	markup_text(out, l->plan->name);
	g_string_append(out, "</h2>\n<p><b>");
	markup_text(out, label);
	g_string_append(out, "</b>: ");
	markup_text(out, explain_why(l, arena));
	g_string_append(out, ".</p>\n<p class=\"note\">Kernel <code>");
	markup_text(out, l->kernel);
	g_string_append(out, "</code>, which computes ");
	for (int i = 0; i < l->plan->n_stages; i++)
		markup_format(out, "%s%s%s", i > 0 ? ", " : "", l->plan->stages[i].name,
			l->plan->stages[i].passing ? " (in registers)" : "");
	if (l->plan->apart != NULL)
		markup_format(out, "; apart from the launch before: %s", l->plan->apart);
	if (l->between != NULL)
		markup_format(out, "; %s", l->between);
	if (l->plan->turned != NULL)
		markup_format(out, ". Where there are more blocks than run at once they walk along "
			"<code>%s</code>", plan_walks_along(l->plan->turned));
	if (chunks != NULL)
		markup_format(out, ". It walks: %s", chunks);
	if (left != NULL)
		markup_format(out, ". What is left of the steps: %s; then one by one", left);
	g_string_append(out, ".</p>\n");
	g_free(left);
	g_free(label);
	arena_free(arena);
}

static void
put_times(const ExplainLaunch *l, GString *out)
{
	const Prediction *p = &l->chosen->cost;

	draw_times(l, out);
	g_string_append_printf(out, "<p class=\"note\">A cell and step moves %.2f bytes, at best "
		"%.2f, and %.2f if all halos came from memory.", p->bytes, p->ideal, p->halos);
	if (l->best_threads > 0)
		g_string_append_printf(out, " Registers and shared memory allow a block %d "
			"threads; of blocks of %d most run at a time.", l->most_threads,
			l->best_threads);
	g_string_append(out, "</p>\n");
	if (p->conflicts > 0)
		g_string_append_printf(out, "<p class=\"note\">Of the time of shared memory, "
			"%.0f %% are conflicts of banks.</p>\n", 100 * p->conflicts);
}

static void
put_launch(const ExplainLaunch *l, GString *out)
{
	put_launch_head(l, out);
	if (explain_has_table(l))
		put_candidates(l, out);
	put_ruled_out(l, out);
	if (l->chosen->killed == NULL) {
		g_string_append(out, "<div class=\"two\" style=\"margin-top:1rem\">\n"
			"<div class=\"panel\"><h3>Where the time goes</h3>\n");
		put_times(l, out);
		g_string_append(out, "</div>\n");
		if (l->blocks.known > 1) {
			g_string_append(out, "<div class=\"panel\"><h3>Blocks of threads</h3>\n");
			draw_blocks(l, out);
			g_string_append(out, "</div>\n");
		}
		g_string_append(out, "</div>\n");
	}
}

/* ---- a stencil ---- */

static void
put_panel(const char *title, const GString *drawing, GString *out)
{
	if (drawing->len > 0)
		g_string_append_printf(out, "<h2>%s</h2>\n<div class=\"panel\">\n%s</div>\n", title,
			drawing->str);
}

static void
put_roofs(const Explain *x, const ExplainStencil *s, GString *out)
{
	GString *roof = g_string_new(NULL);

	draw_roofline(x, s, roof);
	if (roof->len > 0) {
		g_string_append_printf(out, "<h2>Under the roofs</h2>\n<div class=\"two\">\n"
			"<div class=\"panel\">\n%s</div>\n<div class=\"panel\">\n", roof->str);
		put_points(x, s, out);
		g_string_append(out, "<p class=\"note\">Filled: a launch as predicted, over the "
			"operations it makes a byte of memory.  Empty: what memory would allow if "
			"every value were moved once in each step; several steps a sweep pass "
			"that.</p>\n</div>\n</div>\n");
	}
	g_string_free(roof, TRUE);
}

static void
put_note(const char *text, GString *out)
{
	g_string_append(out, "<p class=\"note\">");
	markup_text(out, text);
	g_string_append(out, "</p>\n");
}

static void
put_stencil(const Explain *x, const ExplainStencil *s, GString *out)
{
	GString *measures = g_string_new(NULL);
	Arena *arena = arena_new();

	g_string_append(out, "<section class=\"stencil\">\n<h1>");
	markup_text(out, s->s->name);
	g_string_append(out, "</h1>\n<p class=\"sub\">");
	markup_format(out, "%s on %s (nvcc -arch=%s), %.4g million cells", x->name,
		x->device->title, x->arch, s->cells * 1e-6);
	g_string_append(out, "</p>\n");
	put_cards(s, out);
	if (s->layout != NULL)
		put_note(arena_printf(arena, "Layout: %s.", s->layout), out);
	if (s->n_first > 0)
		put_note(arena_printf(arena, "Before the first step: %s.", explain_first(s,
			arena)), out);
	if (s->n_boxed > 0)
		put_note(arena_printf(arena, "Launches of their own for %s: %u.",
			explain_other_calls(s), s->n_boxed), out);
	put_roofs(x, s, out);
	draw_measures(s, measures);
	put_panel("Measured and predicted", measures, out);
	for (guint i = 0; i < s->launches->len; i++)
		put_launch(g_ptr_array_index(s->launches, i), out);
	g_string_append(out, "</section>\n");
	g_string_free(measures, TRUE);
	arena_free(arena);
}

void
explain_html(const Explain *x, GString *out)
{
	g_string_append(out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" "
		"lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
		"content=\"width=device-width, initial-scale=1\"/>\n<title>");
	markup_format(out, "%s: why these plans", x->name);
	g_string_append_printf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n",
		explain_style);
	for (guint i = 0; i < x->stencils->len; i++)
		put_stencil(x, g_ptr_array_index(x->stencils, i), out);
	put_source(x, out);
	g_string_append(out, "<footer>stencilc " PACKAGE_VERSION "; predictions are the model's: "
		"docs/models.md</footer>\n</main>\n</body>\n</html>\n");
}
