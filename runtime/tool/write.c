/* write.c: what a command makes, into a file or to standard output, as stencilc writes its own. */
#include <stdio.h>
#include <string.h>

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
