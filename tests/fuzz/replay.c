/* replay.c: a fuzzer's target on files that are there already: replay [-OPTION...] PATH...
 *
 * A folder stands for the files in it.  For where there is no libFuzzer.
 */
#include <stdio.h>

#include "tests/fuzz/fuzz.h"

static int
replay_file(const char *path)
{
	GError *error = NULL;
	char *text;
	gsize size;

	if (!g_file_get_contents(path, &text, &size, &error))
		fuzz_fail(path, error->message);
	fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput((const uint8_t *)text, size);
	g_free(text);
	return 1;
}

static int
replay_folder(GDir *folder, const char *path)
{
	const char *name;
	int n = 0;

	while ((name = g_dir_read_name(folder)) != NULL) {
		char *file = g_build_filename(path, name, NULL);

		n += replay_file(file);
		g_free(file);
	}
	g_dir_close(folder);
	return n;
}

int
main(int argc, char **argv)
{
	int n = 0;

	for (int i = 1; i < argc; i++) {
		GDir *folder = argv[i][0] != '-' ? g_dir_open(argv[i], 0, NULL) : NULL;

		if (argv[i][0] != '-')
			n += folder ? replay_folder(folder, argv[i]) : replay_file(argv[i]);
	}
	printf("%d files\n", n);
	return 0;
}
