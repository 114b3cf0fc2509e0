/* places.c: an installation may be moved as a whole. */
#include "places.h"

#include <string.h>

/* The folder that bin, share and include are in; NULL: not where they should be. */
static char *
own_prefix(void)
{
	char *self = g_file_read_link("/proc/self/exe", NULL);
	char *bin = self ? g_path_get_dirname(self) : NULL;
	char *prefix = bin ? g_path_get_dirname(bin) : NULL;
	char *data = prefix ? g_build_filename(prefix, "share", "stencilc", "device", NULL) : NULL;
	gboolean found = data && g_file_test(data, G_FILE_TEST_IS_DIR);

	g_free(self);
	g_free(bin);
	g_free(data);
	if (!found)
		g_clear_pointer(&prefix, g_free);
	return prefix;
}

/* PATH as a word of a shell: what build systems put into a command as it is. */
static char *
shell_word(char *path)
{
	char *word = strpbrk(path, " \t\n\"'\\$`&|;<>()*?[]#~") ? g_shell_quote(path)
		: g_strdup(path);

	g_free(path);
	return word;
}

char *
places_text(const char *name)
{
	char *prefix = own_prefix();
	char *data = prefix ? g_build_filename(prefix, "share", "stencilc", NULL)
		: g_strdup(STENCIL_PKGDATADIR);
	char *include = prefix ? g_build_filename(prefix, "include", NULL)
		: g_strdup(STENCIL_INCLUDEDIR);
	char *lib = prefix ? g_build_filename(prefix, "lib", NULL) : g_strdup(STENCIL_LIBDIR);
	char *text;

	if (strcmp(name, "runtime-cflags") == 0) {
		include = shell_word(include);
		data = shell_word(data);
		text = g_strdup_printf("-I%s -I%s/device", include, data);
	} else if (strcmp(name, "runtime-libs") == 0) {
		lib = shell_word(lib);
		text = g_strdup_printf("-L%s -lstencilrt -lm", lib);
	} else {
		text = g_strdup(data);
	}
	g_free(prefix);
	g_free(data);
	g_free(include);
	g_free(lib);
	return text;
}
