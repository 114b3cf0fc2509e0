/* read.c: plan files, which people write by hand. */
#include <string.h>

#include "base/nearest.h"
#include "plan/plan.h"

typedef struct {
	const Source *source;
	Diag *diag;
	GHashTable *given; /* "group" and "group\nword": the Span where */
	char *group;       /* that the line stands in; NULL: none yet */
	GString *plain;    /* what was read, as GLib has key files */
} Reader;

/* The name of LINE if it is [NAME], to be freed; else NULL. */
static char *
group_name(const char *line)
{
	gsize length = strlen(line);
	char *name;

	if (length < 3 || line[0] != '[' || line[length - 1] != ']')
		return NULL;
	name = g_strndup(line + 1, length - 2);
	for (const char *p = name; *p != '\0'; p++)
		if (*p == '[' || *p == ']' || g_ascii_iscntrl(*p)) {
			g_free(name);
			return NULL;
		}
	return name;
}

/* What KEY stands for is given at AT; FALSE: it was before, which is reported. */
static gboolean
give(Reader *r, Span at, char *key, const char *name)
{
	Span *first = g_hash_table_lookup(r->given, key);

	if (first == NULL) {
		g_hash_table_insert(r->given, key, g_memdup2(&at, sizeof at));
		return TRUE;
	}
	diag_error(r->diag, at, "'%s' is given twice", name);
	diag_note(r->diag, *first, "here for the first time");
	if (strcmp(key, name) == 0)
		diag_help(r->diag, "of what --list-plans prints one plan is to be taken: each "
			"begins with '# plan NAME'");
	g_free(key);
	return FALSE;
}

static gboolean
is_word(Reader *r, Span at, const char *name)
{
	Nearest near = nearest_begin(name);

	if (g_strv_contains(plan_words, name))
		return TRUE;
	diag_error(r->diag, at, "there is no word of a plan '%s'", name);
	for (int i = 0; plan_words[i] != NULL; i++)
		nearest_offer(&near, plan_words[i]);
	if (near.best != NULL)
		diag_help(r->diag, "did you mean '%s'?", near.best);
	return FALSE;
}

static void
read_word(Reader *r, Span at, const char *word, const char *value)
{
	if (r->group == NULL) {
		diag_error(r->diag, at, "'%s' stands before the first group", word);
		diag_help(r->diag, "a plan begins with [STENCIL.LAUNCH], as --dump=plan prints it");
	} else if (is_word(r, at, word)
		&& give(r, at, g_strdup_printf("%s\n%s", r->group, word), word)) {
		g_string_append_printf(r->plain, "%s=%s\n", word, value);
	}
}

static void
read_line(Reader *r, int number, char *line)
{
	Span at = { r->source, number, 1, number, (int)strlen(line) + 1 };
	char *sign, *group;

	g_strstrip(line);
	sign = strchr(line, '=');
	if (*line == '\0' || *line == '#')
		return;
	group = group_name(line);
	if (group != NULL) {
		g_free(r->group);
		r->group = group;
		if (give(r, at, g_strdup(group), group))
			g_string_append_printf(r->plain, "[%s]\n", group);
	} else if (sign != NULL) {
		*sign = '\0';
		read_word(r, at, g_strchomp(line), g_strchug(sign + 1));
	} else {
		diag_error(r->diag, at,
			"neither [STENCIL.LAUNCH], nor word=value, nor # comment");
	}
}

GKeyFile *
plan_read(const Source *source, Diag *diag)
{
	Reader r = { .source = source, .diag = diag, .plain = g_string_new(NULL),
		.given = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free) };
	char **lines = g_strsplit(source->text, "\n", -1);
	int errors = diag_errors(diag), n = (int)g_strv_length(lines);
	GKeyFile *file = g_key_file_new();

	if (strlen(source->text) < source->size)
		diag_error(diag, (Span){ source, n, 1, n, 1 }, "a byte that is 0: no plan has one");
	for (int i = 0; lines[i] != NULL; i++)
		read_line(&r, i + 1, lines[i]);
	if (diag_errors(diag) > errors
		|| !g_key_file_load_from_data(file, r.plain->str, r.plain->len, 0, NULL))
		g_clear_pointer(&file, g_key_file_unref);
	g_strfreev(lines);
	g_hash_table_unref(r.given);
	g_string_free(r.plain, TRUE);
	g_free(r.group);
	return file;
}

/* LINE is WORD=...; blanks may stand around both. */
static gboolean
says_word(const char *line, const char *word)
{
	const gsize n = strlen(word);

	return strncmp(line, word, n) == 0 && line[n + strspn(line + n, " \t")] == '=';
}

Span
plan_place(const Source *source, const char *group, const char *word)
{
	char **lines = g_strsplit(source != NULL ? source->text : "", "\n", -1);
	gboolean within = FALSE;
	Span at = { 0 };

	for (int i = 0; lines[i] != NULL && at.file == NULL; i++) {
		char *name = group_name(g_strstrip(lines[i]));

		if (name != NULL)
			within = strcmp(name, group) == 0;
		if (within && (word != NULL ? says_word(lines[i], word) : name != NULL))
			at = (Span){ source, i + 1, 1, i + 1, (int)strlen(lines[i]) + 1 };
		g_free(name);
	}
	g_strfreev(lines);
	return at;
}
