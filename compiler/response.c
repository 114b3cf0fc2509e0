/* response.c: reads the words of files. */
#include "response.h"

#include <string.h>

#include "base/source.h"
#include "options.h"

#define MAX_DEPTH 10

static int expand(GPtrArray *words, const char *word, Diag *diag, int depth);

static int
expand_text(GPtrArray *words, const Source *source, Diag *diag, int depth)
{
	GError *error = NULL;
	char **list = NULL;
	int n = 0, failed = 0;

	if (!g_shell_parse_argv(source->text, &n, &list, &error)
		&& !g_error_matches(error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING)) {
		diag_error(diag, (Span){ 0 }, "'@%s': %s", source->name, error->message);
		failed = EXIT_USAGE;
	}
	for (int i = 0; i < n && !failed; i++)
		failed = expand(words, list[i], diag, depth);
	g_clear_error(&error);
	g_strfreev(list);
	return failed;
}

static int
expand_file(GPtrArray *words, const char *path, Diag *diag, int depth)
{
	Arena *arena;
	GError *error = NULL;
	Source *source;
	int failed;

	if (depth > MAX_DEPTH) {
		diag_error(diag, (Span){ 0 }, "'@%s': response files more than %d deep", path,
			MAX_DEPTH);
		return EXIT_USAGE;
	}
	arena = arena_new();
	source = source_read(arena, path, NULL, &error);
	if (source) {
		failed = expand_text(words, source, diag, depth);
	} else {
		diag_error(diag, (Span){ 0 }, "%s", error->message);
		g_error_free(error);
		failed = EXIT_IO;
	}
	arena_free(arena);
	return failed;
}

static int
expand(GPtrArray *words, const char *word, Diag *diag, int depth)
{
	if (*word == '@' && word[1] != '\0')
		return expand_file(words, word + 1, diag, depth + 1);
	g_ptr_array_add(words, g_strdup(word));
	return 0;
}

int
response_expand(GPtrArray *words, const char *word, Diag *diag)
{
	return expand(words, word, diag, 0);
}
