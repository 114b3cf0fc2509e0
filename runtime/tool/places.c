/* places.c: where programs, headers and libraries are.
 *
 * An environment variable wins; then what lies beside this program, so that a
 * build tree and a relocated installation work; then what was configured.
 */
#include "tool.h"

#include <string.h>

/* TRUE if a shell could run COMMAND: its first word is a program. */
static gboolean
can_run(const char *command)
{
	char **words = NULL, *found = NULL;

	if (g_shell_parse_argv(command, NULL, &words, NULL))
		found = g_find_program_in_path(words[0]);
	g_strfreev(words);
	g_free(found);
	return found != NULL;
}

/* VARIABLE's value ("ccache gcc"), if it can be run; else the first of NAMES in
 * the PATH. */
static char *
find_program(const char *variable, const char *const *names)
{
	const char *given = g_getenv(variable);

	if (given != NULL && *given != '\0')
		return can_run(given) ? g_strdup(given) : NULL;
	for (; *names != NULL; names++) {
		char *found = g_find_program_in_path(*names);
		char *quoted = found != NULL ? g_shell_quote(found) : NULL;

		g_free(found);
		if (quoted != NULL)
			return quoted;
	}
	return NULL;
}

/* The folder that this program lies in. */
static char *
own_folder(const char *argv0)
{
	char *self = g_file_read_link("/proc/self/exe", NULL), *folder;

	if (self == NULL)
		self = g_find_program_in_path(argv0);
	folder = self != NULL ? g_path_get_dirname(self) : g_strdup(".");
	g_free(self);
	/* A program that libtool has not installed yet. */
	if (g_str_has_suffix(folder, "/.libs"))
		folder[strlen(folder) - strlen("/.libs")] = '\0';
	return folder;
}

static char *
find_stencilc(const char *folder)
{
	static const char *const names[] = { "stencilc", NULL };
	char *beside = g_build_filename(folder, "stencilc", NULL);

	char *quoted = g_shell_quote(beside);
	gboolean there = g_file_test(beside, G_FILE_TEST_IS_EXECUTABLE);

	g_free(beside);
	if (g_getenv("STENCILC") == NULL && there)
		return quoted;
	g_free(quoted);
	return find_program("STENCILC", names);
}

static char *
find_data(const char *folder)
{
	const char *given = g_getenv("STENCIL_DATADIR");
	char *near = g_build_filename(folder, "..", "share", "stencilc", NULL);
	char *there = g_build_filename(near, "device", NULL);
	gboolean found = g_file_test(there, G_FILE_TEST_IS_DIR);

	g_free(there);
	if (given == NULL && found)
		return near;
	g_free(near);
	return g_strdup(given != NULL ? given : STENCIL_PKGDATADIR);
}

static char **
find_libraries(const char *folder)
{
	GPtrArray *list = g_ptr_array_new();
	const char *given = g_getenv("STENCIL_LIBDIR");

	if (given != NULL) {
		g_ptr_array_add(list, g_strdup(given));
		g_ptr_array_add(list, g_build_filename(given, ".libs", NULL));
	} else {
		g_ptr_array_add(list, g_build_filename(folder, "..", "lib", NULL));
		g_ptr_array_add(list, g_build_filename(folder, "..", "lib", "stencilc", NULL));
		g_ptr_array_add(list, g_strdup(STENCIL_LIBDIR));
		g_ptr_array_add(list, g_build_filename(STENCIL_LIBDIR, "stencilc", NULL));
	}
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(list, FALSE);
}

Places *
places_find(const char *argv0)
{
	static const char *const cc[] = { "gcc", "cc", "clang", NULL };
	static const char *const cxx[] = { "g++", "c++", "clang++", NULL };
	static const char *const nvcc[] = { "nvcc", "/usr/local/cuda/bin/nvcc", NULL };
	Places *places = g_new0(Places, 1);
	char *folder = own_folder(argv0);

	places->stencilc = find_stencilc(folder);
	places->cc = find_program("CC", cc);
	places->cxx = find_program("CXX", cxx);
	places->nvcc = find_program("NVCC", nvcc);
	places->emulated = g_strdup(g_getenv("STENCIL_CXXFLAGS"));
	places->data = find_data(folder);
	places->libraries = find_libraries(folder);
	g_free(folder);
	return places;
}

void
places_free(Places *places)
{
	g_free(places->stencilc);
	g_free(places->cc);
	g_free(places->cxx);
	g_free(places->nvcc);
	g_free(places->emulated);
	g_free(places->data);
	g_strfreev(places->libraries);
	g_free(places);
}

char *
places_library(const Places *places, const char *name)
{
	for (char **folder = places->libraries; *folder != NULL; folder++) {
		char *path = g_build_filename(*folder, name, NULL);

		if (g_file_test(path, G_FILE_TEST_EXISTS))
			return path;
		g_free(path);
	}
	return NULL;
}
