/* write.c: what a command makes, into a file or to standard output, as stencilc writes its own. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "tool.h"

gboolean
tool_write(const char *path, const char *text, GError **error)
{
	OutputSet *set = output_set_new();
	GError *why = NULL;

	fflush(stdout); /* what was said before comes before */
	if (!output_add(set, path != NULL ? path : "-", text, strlen(text), &why)
	    || !output_commit(set, &why)) {
		g_set_error(error, TOOL_ERROR, TOOL_IO, "%s", why->message);
		g_error_free(why);
	}
	output_set_free(set);
	return why == NULL;
}

gboolean
tool_can_write(const char *path, GError **error)
{
	char *folder;
	int number = 0;

	if (path == NULL || strcmp(path, "-") == 0)
		return TRUE;
	folder = g_path_get_dirname(path);
	if (g_file_test(path, G_FILE_TEST_IS_DIR))
		number = EISDIR;
	else if (access(g_file_test(path, G_FILE_TEST_EXISTS) ? path : folder, W_OK) != 0)
		number = errno;
	g_free(folder);
	if (number != 0)
		g_set_error(error, TOOL_ERROR, TOOL_IO, "cannot write '%s': %s", path,
			g_strerror(number));
	return number == 0;
}
