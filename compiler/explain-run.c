/* explain-run.c: --explain: which report, and where it goes. */
#include "explain.h"

#include <string.h>

#include "analyze/cost.h"

void
explain_note(Unit *u)
{
	u->written = g_hash_table_new(NULL, NULL);
	for (guint i = 0; i < u->program->stencils->len; i++) {
		const Stencil *s = g_ptr_array_index(u->program->stencils, i);

		for (guint k = 0; k < s->stages->len; k++) {
			Stage *stage = g_ptr_array_index(s->stages, k);
			Cost *cost = arena_make(u->arena, Cost);

			*cost = cost_of(stage);
			g_hash_table_insert(u->written, stage, cost);
		}
	}
}

/* Standard output, unless the output itself goes there. */
static void
put(Unit *u, const GString *text)
{
	const Options *o = u->options;
	const char *const taken[] = { o->output, o->header, o->manifest };

	for (gsize i = 0; i < G_N_ELEMENTS(taken); i++)
		if (taken[i] != NULL && strcmp(taken[i], "-") == 0) {
			diag_say(u->diag, text->str);
			return;
		}
	write_text(u, "-", text);
}

void
explain_run(Unit *u)
{
	static void (*const forms[])(const Explain *, GString *) = {
		[EXPLAIN_TEXT] = explain_text, [EXPLAIN_JSON] = explain_json,
		[EXPLAIN_HTML] = explain_html,
	};
	const Options *o = u->options;
	Explain *x = explain_new(u);
	GString *text = g_string_new(NULL);

	if (o->measured != NULL && diag_errors(u->diag) == 0)
		explain_measured(u, o->measured, x);
	if (diag_errors(u->diag) == 0) {
		forms[o->explain](x, text);
		put(u, text);
	}
	g_string_free(text, TRUE);
	explain_free(x);
}
