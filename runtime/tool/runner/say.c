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
		: status == STENCIL_OUT_OF_MEMORY ? EXIT_MEMORY : EXIT_IO;
}

/* The bytes of the character of UTF-8 that TEXT begins with; 0: it begins with none. */
static int
character_length(const unsigned char *text)
{
	static const struct {
		unsigned char first, last, least, most; /* of the first byte, of the second */
		int length;
	} kinds[] = {
		{ 0x01, 0x7f, 0, 0xff, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
		{ 0xe1, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
	};
	size_t k = 0;

	while (k < sizeof kinds / sizeof *kinds && (*text < kinds[k].first
		|| *text > kinds[k].last))
		k++;
	if (k == sizeof kinds / sizeof *kinds || text[1] < kinds[k].least
		|| text[1] > kinds[k].most)
		return 0;
	for (int i = 2; i < kinds[k].length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	return kinds[k].length;
}

void
runner_json_string(const char *text)
{
	putchar('"');
	while (*text != '\0') {
		int length = character_length((const unsigned char *)text);

		if ((unsigned char)*text < ' ')
			printf("\\u%04x", (unsigned)*text);
		else if (length == 0) /* the name of a file may hold any bytes */
			printf("\\ufffd");
		else
			printf(*text == '"' || *text == '\\' ? "\\%.*s" : "%.*s", length, text);
		text += length == 0 ? 1 : length;
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
