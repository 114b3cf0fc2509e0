/* generate.c: the chance and the text of a random program. */
#include <stdarg.h>

#include "generate.h"

/* ---- chance ---- */

int
gen_below(Gen *g, int n)
{
	return choices_below(g->choices, n);
}

int
gen_between(Gen *g, int lo, int hi)
{
	return lo + gen_below(g, hi - lo + 1);
}

gboolean
gen_chance(Gen *g, int percent)
{
	return gen_below(g, 100) >= 100 - percent;
}

int
gen_offset(Gen *g, int r)
{
	int k = gen_below(g, 2 * r + 1);

	return k % 2 ? (k + 1) / 2 : -(k / 2);
}

void
gen_begin(Gen *g, GenSpan label)
{
	choices_begin(g->choices, (int)label);
}

void
gen_end(Gen *g)
{
	choices_end(g->choices);
}

gboolean
gen_more(Gen *g, GenSpan label, int n, int lo, int hi, int percent)
{
	if (n >= hi)
		return FALSE;
	gen_begin(g, label);
	if (n < lo || gen_chance(g, percent))
		return TRUE;
	gen_end(g);
	return FALSE;
}

/* ---- text ---- */

void
gen_uses(Gen *g, const char *feature)
{
	g_hash_table_add(g->uses, (gpointer)g_intern_string(feature));
}

void
gen_uses2(Gen *g, const char *group, const char *feature)
{
	char *name = g_strdup_printf("%s-%s", group, feature);

	gen_uses(g, name);
	g_free(name);
}

void
gen_line(Gen *g, const char *format, ...)
{
	va_list args;

	for (int i = 0; i <= g->s->depth; i++)
		g_string_append_c(g->s->body, '\t');
	va_start(args, format);
	g_string_append_vprintf(g->s->body, format, args);
	va_end(args);
	g_string_append_c(g->s->body, '\n');
}

static int
by_name(gconstpointer a, gconstpointer b)
{
	return g_strcmp0(*(const char *const *)a, *(const char *const *)b);
}

static void
put_uses(Gen *g, GString *to)
{
	GPtrArray *names = g_ptr_array_new();
	GHashTableIter it;
	gpointer key;

	g_hash_table_iter_init(&it, g->uses);
	while (g_hash_table_iter_next(&it, &key, NULL))
		g_ptr_array_add(names, key);
	g_ptr_array_sort(names, by_name);
	g_string_append(to, "// uses:");
	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(to, " %s", (char *)g_ptr_array_index(names, i));
	g_string_append_c(to, '\n');
	g_ptr_array_unref(names);
}

GString *
gen_text(Gen *g)
{
	GString *text = g_string_new(NULL);

	gen_program(g);
	g_string_append_printf(text, "// seed %" G_GUINT64_FORMAT "\n", g->seed);
	g_string_append(text, g->decls->str);
	put_uses(g, text);
	return text;
}

/* ---- the whole ---- */

Gen *
gen_new(guint64 seed, const GArray *given, const char *folder)
{
	Gen *g = g_new0(Gen, 1);

	g->seed = seed;
	g->folder = folder;
	g->choices = choices_new(seed, given);
	g->decls = g_string_new(NULL);
	g->library = g_string_new(NULL);
	g->uses = g_hash_table_new(NULL, NULL);
	g->callees = g_ptr_array_new_with_free_func((GDestroyNotify)gen_stencil_free);
	return g;
}

void
gen_free(Gen *g)
{
	choices_free(g->choices);
	g_string_free(g->decls, TRUE);
	g_string_free(g->library, TRUE);
	g_hash_table_destroy(g->uses);
	g_ptr_array_unref(g->callees);
	gen_stencil_free(g->s);
	g_free(g);
}
