/* explain-source.c: the lines of the program, and the kernels that they became. */
#include "explain-page.h"

#include <string.h>

#include "kernel/lower.h"

#define COLOURS 6

typedef struct {
	GString *out;
	char **program;      /* its lines */
	char **output;       /* lines of CUDA C */
	const char *name;    /* of the program in #line */
	GHashTable *used;    /* lines of the program with a colour: number, colour + 1 */
} Side;

/* ---- which line is whose ---- */

/* The line of the program that follows "#line N "FILE""; 0: of another file. */
static int
directive(const Side *s, const char *line)
{
	char *rest;
	gint64 n;

	if (!g_str_has_prefix(line, "#line "))
		return -1;
	n = g_ascii_strtoll(line + strlen("#line "), &rest, 10);
	if (rest[0] != ' ' || rest[1] != '"' || !g_str_has_prefix(rest + 2, s->name)
		|| strcmp(rest + 2 + strlen(s->name), "\"") != 0)
		return 0;
	return (int)n;
}

static int
colour_of(Side *s, int line)
{
	gpointer known = g_hash_table_lookup(s->used, GINT_TO_POINTER(line));
	int n = (int)g_hash_table_size(s->used) % COLOURS;

	if (known != NULL)
		return GPOINTER_TO_INT(known) - 1;
	g_hash_table_insert(s->used, GINT_TO_POINTER(line), GINT_TO_POINTER(n + 1));
	return n;
}

/* Colours in the order in which the output comes to the lines. */
static void
find_used(Side *s)
{
	for (int i = 0; s->output[i] != NULL; i++) {
		int line = directive(s, s->output[i]);

		if (line > 0)
			colour_of(s, line);
	}
}

/* ---- the program ---- */

static void
put_program(Side *s)
{
	int last = (int)g_strv_length(s->program);

	while (last > 0 && *s->program[last - 1] == '\0')
		last--;
	g_string_append(s->out, "<div class=\"code\"><pre class=\"mono\">");
	for (int i = 0; i < last; i++) {
		gpointer known = g_hash_table_lookup(s->used, GINT_TO_POINTER(i + 1));

		g_string_append_printf(s->out, "<span class=\"l");
		if (known != NULL)
			g_string_append_printf(s->out, " u c%d\" id=\"st-%d",
				GPOINTER_TO_INT(known) - 1, i + 1);
		g_string_append_printf(s->out, "\"><i>%d</i>", i + 1);
		markup_text(s->out, s->program[i]);
		g_string_append(s->out, "</span>");
	}
	g_string_append(s->out, "</pre></div>\n");
}

/* ---- kernels ---- */

/* The line at which the kernel called NAME begins; -1: there is none. */
static int
find_kernel(const Side *s, const char *name)
{
	gsize n = strlen(name);

	for (int i = 1; s->output[i] != NULL; i++)
		if (strncmp(s->output[i], name, n) == 0 && s->output[i][n] == '('
			&& g_str_has_prefix(s->output[i - 1], "static __global__"))
			return i > 1 && g_str_has_prefix(s->output[i - 2], "/*") ? i - 2 : i - 1;
	return -1;
}

static void
put_line(Side *s, const char *text, int line)
{
	if (line > 0) {
		g_string_append_printf(s->out, "<a class=\"l u c%d\" href=\"#st-%d\"><i>%d</i>",
			colour_of(s, line), line, line);
		markup_text(s->out, text);
		g_string_append(s->out, "</a>");
	} else {
		g_string_append(s->out, "<span class=\"l\"><i> </i>");
		markup_text(s->out, text);
		g_string_append(s->out, "</span>");
	}
}

static void
put_kernel(Side *s, const char *name, int from, gboolean open)
{
	int line = 0;

	g_string_append_printf(s->out, "<details%s><summary>", open ? " open=\"open\"" : "");
	markup_format(s->out, "%s", name);
	g_string_append(s->out, "</summary>\n<div class=\"code\"><pre class=\"mono\">");
	for (int i = from; s->output[i] != NULL; i++) {
		int next = directive(s, s->output[i]);

		if (next >= 0) {
			line = next;
			continue;
		}
		put_line(s, s->output[i], line);
		if (strcmp(s->output[i], "}") == 0)
			break;
	}
	g_string_append(s->out, "</pre></div></details>\n");
}

static void
put_launch(Side *s, const ExplainLaunch *l, gboolean *open)
{
	Arena *arena = arena_new();

	for (Variant v = 0; v < VARIANT_N; v++) {
		const char *name = variant_name(arena, l->plan, v, l->kernel);
		int from = find_kernel(s, name);

		if (from < 0)
			continue;
		put_kernel(s, name, from, *open);
		*open = FALSE;
	}
	arena_free(arena);
}

void
put_source(const Explain *x, GString *out)
{
	char *text = g_strndup(x->source->text, x->source->size);
	Side s = { .out = out, .name = x->name };
	gboolean open = TRUE;

	s.program = g_strsplit(text, "\n", -1);
	s.output = g_strsplit(x->output, "\n", -1);
	s.used = g_hash_table_new(NULL, NULL);
	find_used(&s);
	g_string_append(out, "<h2>Program and kernels</h2>\n<p class=\"note\">Lines of a kernel "
		"with a number come from that line of the program.</p>\n"
		"<div class=\"beside\">\n<div class=\"program\">\n");
	put_program(&s);
	g_string_append(out, "</div>\n<div>\n");
	for (guint i = 0; i < x->stencils->len; i++) {
		const ExplainStencil *stencil = g_ptr_array_index(x->stencils, i);

		for (guint k = 0; k < stencil->launches->len; k++)
			put_launch(&s, g_ptr_array_index(stencil->launches, k), &open);
	}
	g_string_append(out, "</div>\n</div>\n");
	g_hash_table_unref(s.used);
	g_strfreev(s.program);
	g_strfreev(s.output);
	g_free(text);
}
