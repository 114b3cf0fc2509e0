/* explain.c: stencil explain. */
#include <stdio.h>
#include <string.h>

#include "tool.h"

int
command_explain(const Options *options, const Places *places)
{
	GError *error = NULL, *why = NULL;
	char *folder = tool_folder(options, &error), *text = NULL;

	if (folder != NULL)
		text = tool_explain(options, places, folder, &error);
	tool_remove(options, folder);
	if (text == NULL)
		return tool_trouble(error);
	if (options->output == NULL || strcmp(options->output, "-") == 0)
		printf("%s", text);
	else if (!g_file_set_contents(options->output, text, -1, &why)) {
		g_set_error(&error, TOOL_ERROR, TOOL_IO, "%s", why->message);
		g_error_free(why);
	}
	g_free(text);
	return error != NULL ? tool_trouble(error) : TOOL_FINE;
}
