/* generate SEED: prints a random program of the language.
 * generate SEED LAST FOLDER: writes those of SEED to LAST as FOLDER/rndSEED.st;
 * what one imports is written beside it.
 *
 * Programs are right by construction: every name is declared before it is used,
 * every value is converted to the type it is stored as, every boundary is legal.
 * The last line, "// uses: ...", names what the program is made of, so that
 * coverage can be counted over many seeds.
 */
#include <stdio.h>

#include "generate.h"

static gboolean
write_text(const char *folder, const char *prefix, guint64 seed, const GString *text)
{
	char *path = g_strdup_printf("%s/%s%" G_GUINT64_FORMAT ".st", folder, prefix, seed);
	GError *error = NULL;
	gboolean fine = g_file_set_contents(path, text->str, (gssize)text->len, &error);

	if (!fine) {
		fprintf(stderr, "generate: %s\n", error->message);
		g_error_free(error);
	}
	g_free(path);
	return fine;
}

static gboolean
one(guint64 seed, const char *folder)
{
	Gen *g = gen_new(seed, NULL, folder);
	GString *text = gen_text(g);
	gboolean fine = TRUE;

	if (!folder)
		fputs(text->str, stdout);
	else
		fine = write_text(folder, "rnd", seed, text)
			&& (!g->imports || write_text(folder, "lib", seed, g->library));
	g_string_free(text, TRUE);
	gen_free(g);
	return fine;
}

int
main(int argc, char **argv)
{
	guint64 seed, last;

	if (argc != 2 && argc != 4) {
		fprintf(stderr, "usage: generate SEED [LAST FOLDER]\n");
		return 2;
	}
	seed = g_ascii_strtoull(argv[1], NULL, 10);
	last = argc == 4 ? g_ascii_strtoull(argv[2], NULL, 10) : seed;
	for (; seed <= last; seed++)
		if (!one(seed, argc == 4 ? argv[3] : NULL))
			return 1;
	return 0;
}
