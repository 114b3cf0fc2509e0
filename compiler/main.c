/* main.c: the command line of stencilc, and nothing else. */
#include <locale.h>
#include <string.h>

#include "base/crash.h"
#include "base/output.h"
#include "base/standard.h"
#include "options.h"
#include "pipeline.h"

typedef struct {
	int argc;
	char **argv;
} Words;

/* What was asked for, on standard output. */
static int
answer(const GString *text, Diag *diag)
{
	OutputSet *set = output_set_new();
	GError *error = NULL;
	int code = EXIT_FINE;

	if (!output_add(set, "-", text->str, text->len, &error)
		|| !output_commit(set, &error)) {
		diag_error(diag, (Span){ 0 }, "%s", error->message);
		g_error_free(error);
		code = EXIT_IO;
	}
	output_set_free(set);
	return code;
}

static int
run(gpointer user)
{
	const Words *words = user;
	Diag *diag;
	Options *options;
	GString *text;
	int code;

	crash_guard("stencilc", EXIT_FAULT, EXIT_MEMORY);
	diag = diag_new();
	options = options_new();
	text = g_string_new(NULL);
	code = options_parse(options, words->argc, words->argv, diag, text);
	if (code < 0)
		code = pipeline_run(options, diag);
	else if (text->len > 0 && code == EXIT_FINE)
		code = answer(text, diag);
	diag_free(diag);
	options_free(options);
	g_string_free(text, TRUE);
	return code;
}

int
main(int argc, char **argv)
{
	Words words = { argc, argv };

	standard_keep();
	setlocale(LC_CTYPE, "");
	return run_deep(run, &words);
}
