/* fuzz-command.c: the command line.
 *
 * The first part of the input is a line of words, quoted as for a shell; the parts
 * behind bytes 0x1e are files: what begins with the digit N names the Nth, "-" the
 * first ("1.st", "@2", "3.dev").  Nothing is read from disk or written there.  A
 * run ends well or with a message, never with a defect.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/source.h"
#include "options.h"
#include "pipeline.h"
#include "tests/fuzz/fuzz.h"

#define SEPARATOR "\x1e"

static char **parts;
static gboolean written;

static const char *
part_of(const char *path)
{
	guint n = strcmp(path, "-") == 0 ? 1 : (guint)g_ascii_digit_value(*path);

	return n > 0 && n < g_strv_length(parts) ? parts[n] : NULL;
}

/* ---- in place of the disk ---- */

Source *__wrap_source_read(Arena *arena, const char *path, const char *name, GError **error);
gboolean __wrap_output_add(OutputSet *set, const char *path, const char *text, gsize size,
	GError **error);
gboolean __wrap_output_commit(OutputSet *set, GError **error);
gboolean __wrap_g_file_test(const char *path, GFileTest test);
char *__wrap_realpath(const char *path, char *to);

Source *
__wrap_source_read(Arena *arena, const char *path, const char *name, GError **error)
{
	const char *text = part_of(path);
	Source *source;

	if (!text) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "there is no '%s'", path);
		return NULL;
	}
	source = arena_make(arena, Source);
	*source = (Source){
		.name = arena_strdup(arena, name ? name : path),
		.path = strcmp(path, "-") != 0 ? arena_strdup(arena, path) : NULL,
		.text = arena_strdup(arena, text),
		.size = strlen(text),
	};
	return source;
}

gboolean
__wrap_output_add(OutputSet *set, const char *path, const char *text, gsize size, GError **error)
{
	(void)set;
	(void)error;
	if (strlen(text) != size)
		fuzz_fail(path, "a file of another length than its text");
	return TRUE;
}

gboolean
__wrap_output_commit(OutputSet *set, GError **error)
{
	(void)set;
	(void)error;
	written = TRUE;
	return TRUE;
}

gboolean
__wrap_g_file_test(const char *path, GFileTest test)
{
	(void)test;
	return part_of(path) != NULL;
}

char *
__wrap_realpath(const char *path, char *to)
{
	(void)to;
	return strdup(path);
}

/* ---- a run ---- */

static void
run(int argc, char **argv)
{
	Diag *diag = diag_new();
	Options *options = options_new();
	GString *said = g_string_new(NULL), *out = g_string_new(NULL);
	int code;

	diag_set_sink(diag, said);
	code = options_parse(options, argc, argv, diag, out);
	if (code < 0) {
		options->verify = TRUE;
		written = FALSE;
		code = pipeline_run(options, diag);
		if (code == EXIT_FINE && !written)
			fuzz_fail("a run that ends well", "nothing is written");
	}
	diag_free(diag);
	if (code == EXIT_FAULT)
		fuzz_fail("a defect", said->str);
	if (code != EXIT_FINE && said->len == 0)
		fuzz_fail("a run that fails", "without a message");
	options_free(options);
	g_string_free(out, TRUE);
	g_string_free(said, TRUE);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = g_strndup((const char *)data, size), *line, **argv = NULL;
	int argc = 0;

	parts = g_strsplit(text, SEPARATOR, 10);
	line = g_strconcat("stencilc ", size > 0 ? parts[0] : "", NULL);
	if (g_shell_parse_argv(line, &argc, &argv, NULL))
		run(argc, argv);
	g_strfreev(argv);
	g_strfreev(parts);
	g_free(line);
	g_free(text);
	fuzz_forget_names();
	return 0;
}
