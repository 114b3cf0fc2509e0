/* shrink SEED FOLDER COMMAND ...: makes a random program that fails small.
 *
 * COMMAND FILE ends with 0 where FILE fails as it should.  The program is made
 * again from fewer and smaller decisions, as long as it fails: parts are left
 * out, an expression stands for one that holds it, numbers become 0.  The smallest
 * that fails is FOLDER/rndSEED.st in the end.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "generate.h"

typedef struct {
	guint64 seed;
	const char *folder;
	char **command;
	GHashTable *seen;  /* texts that were tried */
	GArray *choices;   /* of the smallest so far */
	GArray *spans;
	int tried, kept;
} Shrink;

/* ---- trials ---- */

static gboolean
fails(const Shrink *s, const GString *text, const GString *library)
{
	char *path = g_strdup_printf("%s/rnd%" G_GUINT64_FORMAT ".st", s->folder, s->seed);
	char *lib = g_strdup_printf("%s/lib%" G_GUINT64_FORMAT ".st", s->folder, s->seed);
	GPtrArray *argv = g_ptr_array_new();
	int status = 1;

	for (char **word = s->command; *word; word++)
		g_ptr_array_add(argv, *word);
	g_ptr_array_add(argv, path);
	g_ptr_array_add(argv, NULL);
	if (!g_file_set_contents(path, text->str, (gssize)text->len, NULL)
	    || !g_file_set_contents(lib, library->str, (gssize)library->len, NULL)
	    || !g_spawn_sync(NULL, (char **)argv->pdata, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
		    NULL, NULL, &status, NULL)) {
		fprintf(stderr, "shrink: cannot write to %s or run %s\n", s->folder, s->command[0]);
		status = 1;
	}
	g_ptr_array_unref(argv);
	g_free(path);
	g_free(lib);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Fewer decisions, then smaller ones. */
static gboolean
is_smaller(const GArray *a, const GArray *b)
{
	if (a->len != b->len)
		return a->len < b->len;
	for (guint i = 0; i < a->len; i++) {
		guint32 x = g_array_index(a, guint32, i), y = g_array_index(b, guint32, i);

		if (x != y)
			return x < y;
	}
	return FALSE;
}

/* Keeps the program of GIVEN, which it frees, if it is smaller and fails. */
static gboolean
try_choices(Shrink *s, GArray *given)
{
	Gen *g = gen_new(s->seed, given, s->folder);
	GString *text = gen_text(g);
	gboolean better = (!s->choices || is_smaller(g->choices->made, s->choices))
		&& g_hash_table_add(s->seen, g_strconcat(g->library->str, text->str, NULL))
		&& (s->tried++, fails(s, text, g->library));

	if (better) {
		if (s->choices) {
			g_array_unref(s->choices);
			g_array_unref(s->spans);
		}
		s->choices = g_array_ref(g->choices->made);
		s->spans = g_array_ref(g->choices->spans);
		s->kept++;
	}
	gen_free(g);
	g_string_free(text, TRUE);
	if (given)
		g_array_unref(given);
	return better;
}

/* The choices with BEGIN to END replaced by N of their own, from FROM on. */
static GArray *
spliced(const Shrink *s, guint begin, guint end, guint from, guint n)
{
	GArray *to = g_array_new(FALSE, FALSE, sizeof(guint32));

	if (begin > 0)
		g_array_append_vals(to, s->choices->data, begin);
	if (n > 0)
		g_array_append_vals(to, &g_array_index(s->choices, guint32, from), n);
	if (end < s->choices->len)
		g_array_append_vals(to, &g_array_index(s->choices, guint32, end),
			s->choices->len - end);
	return to;
}

/* ---- ways to make it smaller ---- */

static gboolean
leave_out(Shrink *s)
{
	gboolean better = FALSE;

	for (guint i = s->spans->len; i-- > 0;) {
		Span span;

		if (i >= s->spans->len)
			continue;
		span = g_array_index(s->spans, Span, i);
		better |= try_choices(s, spliced(s, span.begin, span.end, 0, 0));
	}
	return better;
}

static gboolean
hoist(Shrink *s)
{
	gboolean better = FALSE;

	for (guint i = 0; i < s->spans->len; i++) {
		for (guint k = i + 1; k < s->spans->len; k++) {
			Span outer = g_array_index(s->spans, Span, i);
			Span inner = g_array_index(s->spans, Span, k);

			if (inner.begin >= outer.end)
				break;
			if (inner.label != outer.label)
				continue;
			if (try_choices(s, spliced(s, outer.begin, outer.end, inner.begin,
				    inner.end - inner.begin))) {
				better = TRUE;
				break;
			}
		}
	}
	return better;
}

static gboolean
zero_spans(Shrink *s)
{
	gboolean better = FALSE;

	for (guint i = 0; i < s->spans->len; i++) {
		Span span = g_array_index(s->spans, Span, i);
		GArray *given = spliced(s, 0, 0, 0, 0);

		memset(&g_array_index(given, guint32, span.begin), 0,
			(span.end - span.begin) * sizeof(guint32));
		better |= try_choices(s, given);
	}
	return better;
}

static gboolean
lower_numbers(Shrink *s)
{
	gboolean better = FALSE;

	for (guint i = 0; i < s->choices->len; i++) {
		guint32 value = g_array_index(s->choices, guint32, i);
		const guint32 lower[] = { 0, 1, value / 2, value - 1 };

		for (guint k = 0; k < G_N_ELEMENTS(lower) && i < s->choices->len; k++) {
			GArray *given;

			if (lower[k] >= g_array_index(s->choices, guint32, i))
				continue;
			given = spliced(s, 0, 0, 0, 0);
			g_array_index(given, guint32, i) = lower[k];
			if (try_choices(s, given)) {
				better = TRUE;
				break;
			}
		}
	}
	return better;
}

/* ---- the whole ---- */

static void
shrink(Shrink *s)
{
	gboolean better = TRUE;

	while (better) {
		better = leave_out(s);
		better |= zero_spans(s);
		better |= hoist(s);
		better |= lower_numbers(s);
		fprintf(stderr, "shrink: %d tried, %d kept, %u decisions\n", s->tried, s->kept,
			s->choices->len);
	}
}

/* The last file tried need not be the smallest. */
static void
write_smallest(Shrink *s)
{
	Gen *g = gen_new(s->seed, s->choices, s->folder);
	GString *text = gen_text(g);

	fails(s, text, g->library);
	g_string_free(text, TRUE);
	gen_free(g);
}

int
main(int argc, char **argv)
{
	Shrink s = { 0 };
	int code = 0;

	if (argc < 4) {
		fprintf(stderr, "usage: shrink SEED FOLDER COMMAND ...\n");
		return 2;
	}
	s.seed = g_ascii_strtoull(argv[1], NULL, 10);
	s.folder = argv[2];
	s.command = argv + 3;
	s.seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (try_choices(&s, NULL)) {
		shrink(&s);
		write_smallest(&s);
		g_array_unref(s.choices);
		g_array_unref(s.spans);
	} else {
		fprintf(stderr, "shrink: the program of seed %s does not fail\n", argv[1]);
		code = 1;
	}
	g_hash_table_destroy(s.seen);
	return code;
}
