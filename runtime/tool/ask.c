/* ask.c: what stencilc is asked besides to compile: its strategies, its plans, its reasons,
 * the files that it reads. */
#include <string.h>

#include "tool.h"

/* FIRST, and the first word of each line of TEXT. */
static char **
first_words(const char *first, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);
	GPtrArray *words = g_ptr_array_new();

	g_ptr_array_add(words, g_strdup(first));
	for (char **line = lines; *line != NULL; line++)
		if (**line != '\0' && **line != ' ')
			g_ptr_array_add(words, g_strndup(*line, strcspn(*line, " \t")));
	g_ptr_array_add(words, NULL);
	g_strfreev(lines);
	return (char **)g_ptr_array_free(words, FALSE);
}

GError *
tool_refusal(const char *what, int code, const char *said)
{
	const gboolean speaks = code == TOOL_USAGE || code == TOOL_IO;

	return g_error_new(TOOL_ERROR, code > 127 ? TOOL_FAULT : code, "%s%s%s",
		speaks ? "" : what, speaks ? "" : ":\n", said);
}

/* What stencilc prints that is started with ARGV, which is freed; NULL and ERROR set where it
 * fails.  WARN: what it warns of is ours to say. */
static char *
ask(GPtrArray *argv, gboolean warn, GError **error)
{
	Process process;
	char *said = NULL;

	g_ptr_array_add(argv, NULL);
	if (process_run(&process, argv, TRUE, FALSE, error)) {
		if (process.code == 0)
			said = g_steal_pointer(&process.out);
		else
			g_propagate_error(error, tool_refusal("stencilc fails", process.code,
				g_strchomp(process.err)));
		if (process.code == 0 && warn)
			g_printerr("%s", process.err);
		process_clear(&process);
	}
	g_ptr_array_unref(argv);
	return said;
}

char **
tool_strategies(const Places *places, GError **error)
{
	const Options none = { 0 };
	Build build = { .options = &none, .places = places };
	GPtrArray *argv = build_stencilc(&build, "cuda", error);
	char **names = NULL, *said = NULL;

	if (argv != NULL) {
		words_flag(argv, "--print-strategies", TRUE);
		said = ask(argv, FALSE, error);
	}
	if (said != NULL)
		names = first_words(TOOL_DEFAULT, said);
	g_free(said);
	return names;
}

/* `gpu' is this machine's; the emulation runs what is planned for the usual one. */
static void
pass_device(GPtrArray *argv, const Options *o)
{
	if (o->device == DEVICE_GPU)
		words_pass(argv, "device", "native");
	else if (o->device == DEVICE_UNSET)
		words_pass(argv, "device", o->device_name);
}

char *
tool_explain(const Options *options, const Places *places, const char *folder, GError **error)
{
	Build build = { .options = options, .places = places, .source = options->files[0] };
	GPtrArray *argv = build_stencilc(&build, "cuda", error);

	if (argv == NULL)
		return NULL;
	words_pass(argv, "explain", options->format);
	words_pass(argv, "measured", options->measured);
	words_pass(argv, "stencil", options->stencil);
	words_pass(argv, "size", options->size);
	words_pass(argv, "strategy", options->strategy);
	words_pass(argv, "time", options->time);
	words_pass_list(argv, "plan", options->plan);
	words_pass_list(argv, "set", options->set);
	pass_device(argv, options);
	words_flag(argv, "--no-header", TRUE);
	words_flag(argv, "-o", TRUE);
	g_ptr_array_add(argv, g_build_filename(folder, "explained.cu", NULL));
	words_flag(argv, build.source, TRUE);
	return ask(argv, TRUE, error);
}

char *
tool_plans(const Options *options, const Places *places, const char *source, GError **error)
{
	Build build = { .options = options, .places = places, .source = source };
	GPtrArray *argv = build_stencilc(&build, "cuda", error);

	if (argv == NULL)
		return NULL;
	words_flag(argv, "--list-plans", TRUE);
	words_flag(argv, source, TRUE);
	return ask(argv, FALSE, error);
}

/* All that stencilc reads of SOURCE; NULL: it does not compile. */
static char **
files_of(const Options *options, const Places *places, const char *source)
{
	Build build = { .options = options, .places = places, .source = source };
	GPtrArray *argv = build_stencilc(&build, "cuda", NULL);
	char *said = NULL, **names = NULL;

	if (argv != NULL) {
		words_flag(argv, "--list-files", TRUE);
		words_flag(argv, source, TRUE);
		said = ask(argv, FALSE, NULL);
	}
	if (said != NULL)
		names = g_strsplit(said, "\n", -1);
	for (int i = 0; names != NULL && names[i] != NULL; i++) {
		char *name = g_strcompress(names[i]);

		g_free(names[i]);
		names[i] = name;
	}
	g_free(said);
	return names;
}

gboolean
tool_spare(const Options *options, const Places *places, GError **error)
{
	const gboolean writes = options->output != NULL || options->svg != NULL
		|| options->out != NULL;
	gboolean fine = TRUE;

	for (char **file = options->files; writes && fine && *file != NULL; file++) {
		char **names = files_of(options, places, *file);

		fine = options_spare(options, (const char *const *)names, error);
		g_strfreev(names);
	}
	return fine;
}
