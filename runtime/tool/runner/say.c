/* say.c: what the runner prints, as text and as JSON. */
#include <stdio.h>
#include <string.h>

#include "runner.h"

int
runner_trouble(const char *what, stencil_status status)
{
	const char *said = stencil_last_error();
	const size_t n = strlen(what);
	const int is_named = strncmp(said, what, n) == 0 && said[n] == ':';

	fflush(stdout);
	fprintf(stderr, "error: %s%s%s\n", is_named ? "" : what, is_named ? "" : ": ", said);
	return status == STENCIL_BAD_ARGUMENT || status == STENCIL_REQUIRE_FAILED ? EXIT_USAGE
		: EXIT_IO;
}

void
runner_json_string(const char *text)
{
	putchar('"');
	for (; *text != '\0'; text++) {
		if ((unsigned char)*text < ' ')
			printf("\\u%04x", (unsigned)*text);
		else
			printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
	}
	putchar('"');
}

const stencil_description *
runner_pick(const RunnerOptions *options)
{
	for (int i = 0; options->stencil != NULL && i < stencil_n_descriptions; i++)
		if (strcmp(options->stencil, stencil_descriptions[i].name) == 0)
			return &stencil_descriptions[i];
	if (options->stencil == NULL && stencil_n_descriptions == 1)
		return &stencil_descriptions[0];
	fprintf(stderr, options->stencil != NULL ? "error: there is no stencil '%s'; there is:"
		: "error: there are several stencils, choose one with --stencil=NAME:",
		options->stencil);
	for (int i = 0; i < stencil_n_descriptions; i++)
		fprintf(stderr, " %s", stencil_descriptions[i].name);
	fputc('\n', stderr);
	return NULL;
}
