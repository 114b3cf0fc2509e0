/* process.c: other programs. */
#include <signal.h>
#include <sys/wait.h>

#include "tool.h"

static void
show(GPtrArray *argv)
{
	GString *line = g_string_new(NULL);

	for (guint i = 0; g_ptr_array_index(argv, i) != NULL; i++) {
		char *word = g_shell_quote(g_ptr_array_index(argv, i));

		g_string_append_printf(line, "%s%s", i == 0 ? "" : " ", word);
		g_free(word);
	}
	g_printerr("%s\n", line->str);
	g_string_free(line, TRUE);
}

gboolean
process_run(Process *process, GPtrArray *argv, gboolean capture, gboolean verbose, GError **error)
{
	GSpawnFlags flags = G_SPAWN_SEARCH_PATH;
	GError *why = NULL;
	int status;

	*process = (Process){ 0 };
	if (verbose)
		show(argv);
	if (!capture)
		flags |= G_SPAWN_CHILD_INHERITS_STDIN;
	if (!g_spawn_sync(NULL, (char **)argv->pdata, NULL, flags, NULL, NULL,
	    capture ? &process->out : NULL, capture ? &process->err : NULL, &status, &why)) {
		g_set_error(error, TOOL_ERROR, TOOL_IO, "cannot start %s: %s",
			(char *)g_ptr_array_index(argv, 0), why->message);
		g_error_free(why);
		return FALSE;
	}
	if (WIFSIGNALED(status))
		process->signal = WTERMSIG(status);
	process->code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	return TRUE;
}

char *
process_end(const Process *process)
{
	if (process->signal == 0)
		return g_strdup("");
	if (process->signal == SIGALRM)
		return g_strdup("the generated program took longer than it may; --timeout=S gives "
			"it S seconds, 0 any number");
	return g_strconcat("the generated program was ended by: ", g_strsignal(process->signal),
		NULL);
}

void
process_clear(Process *process)
{
	g_free(process->out);
	g_free(process->err);
	*process = (Process){ 0 };
}
