/* generate SEED: prints a random program of the language.
 *
 * Programs are right by construction: every name is declared before it is used,
 * every value is converted to the type it is stored as, every boundary is legal.
 * The last line, "// uses: ...", names what the program is made of, so that
 * coverage can be counted over many seeds.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "generate.h"

/* ---- chance ---- */

unsigned
gen_random(Gen *g)
{
	g->state ^= g->state << 13;
	g->state ^= g->state >> 7;
	g->state ^= g->state << 17;
	return (unsigned)(g->state >> 32);
}

int
gen_below(Gen *g, int n)
{
	return (int)(gen_random(g) % (unsigned)n);
}

int
gen_between(Gen *g, int lo, int hi)
{
	return lo + gen_below(g, hi - lo + 1);
}

gboolean
gen_chance(Gen *g, int percent)
{
	return gen_below(g, 100) < percent;
}

/* ---- text ---- */

void
gen_uses(Gen *g, const char *feature)
{
	g_hash_table_add(g->uses, (gpointer)g_intern_string(feature));
}

void
gen_line(Gen *g, int depth, const char *format, ...)
{
	va_list args;

	for (int i = 0; i < depth; i++)
		g_string_append_c(g->out, '\t');
	va_start(args, format);
	g_string_append_vprintf(g->out, format, args);
	va_end(args);
	g_string_append_c(g->out, '\n');
}

static int
by_name(gconstpointer a, gconstpointer b)
{
	return g_strcmp0(*(const char *const *)a, *(const char *const *)b);
}

static void
put_uses(Gen *g)
{
	GPtrArray *names = g_ptr_array_new();
	GHashTableIter it;
	gpointer key;

	g_hash_table_iter_init(&it, g->uses);
	while (g_hash_table_iter_next(&it, &key, NULL))
		g_ptr_array_add(names, key);
	g_ptr_array_sort(names, by_name);
	g_string_append(g->out, "// uses:");
	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(g->out, " %s", (char *)g_ptr_array_index(names, i));
	g_string_append_c(g->out, '\n');
	g_ptr_array_unref(names);
}

int
main(int argc, char **argv)
{
	Gen g = { 0 };
	guint64 seed;

	if (argc != 2) {
		fprintf(stderr, "usage: generate SEED\n");
		return 2;
	}
	seed = g_ascii_strtoull(argv[1], NULL, 10);
	g.state = seed * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)
		+ G_GUINT64_CONSTANT(0x2545f4914f6cdd1d);
	for (int i = 0; i < 8; i++)
		gen_random(&g);
	g.out = g_string_new(NULL);
	g.uses = g_hash_table_new(NULL, NULL);
	g.fields = g_array_new(FALSE, TRUE, sizeof(GenField));
	gen_line(&g, 0, "// seed %" G_GUINT64_FORMAT, seed);
	gen_program(&g);
	put_uses(&g);
	fputs(g.out->str, stdout);
	g_string_free(g.out, TRUE);
	g_hash_table_destroy(g.uses);
	g_array_unref(g.fields);
	return 0;
}
