/* explain.c: stencil explain. */
#include "tool.h"

int
command_explain(const Options *options, const Places *places)
{
	GError *error = NULL;
	char *folder = NULL, *text = NULL;

	if (tool_spare(options, places, &error))
		folder = tool_folder(options, &error);
	if (folder != NULL)
		text = tool_explain(options, places, folder, &error);
	tool_remove(options, folder);
	if (text == NULL)
		return tool_trouble(error);
	tool_write(options->output, text, &error);
	g_free(text);
	return error != NULL ? tool_trouble(error) : TOOL_FINE;
}
