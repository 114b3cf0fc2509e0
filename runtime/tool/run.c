/* run.c: stencil run. */
#include <signal.h>

#include "tool.h"

static GPtrArray *
runner_words(const Options *o, Device device, const char *runner)
{
	GPtrArray *words = words_new(o, runner, "run");

	words_pass(words, "timeout", o->timeout);
	words_pass(words, "repeat", o->repeat);
	words_pass_list(words, "in", o->in);
	words_pass_list(words, "out", o->out);
	words_flag(words, "--host", device == DEVICE_CPU);
	words_flag(words, "--emulated", device == DEVICE_EMULATE);
	words_flag(words, "--json", o->json);
	g_ptr_array_add(words, NULL);
	return words;
}

/* Runs RUNNER; what it says is ours. */
static gboolean
start(const Options *o, Device device, const char *runner, int *code, GError **error)
{
	GPtrArray *argv = runner_words(o, device, runner);
	Process process;
	gboolean fine = process_run(&process, argv, FALSE, o->verbose, error);

	g_ptr_array_unref(argv);
	if (!fine)
		return FALSE;
	*code = process.code;
	if (process.signal != 0) {
		char *end = process_end(&process);

		g_set_error(error, TOOL_ERROR, process.signal == SIGALRM ? TOOL_WRONG : TOOL_FAULT,
			"%s", end);
		g_free(end);
		return FALSE;
	}
	return TRUE;
}

/* By the strategy and the plan that are asked for; NULL and ERROR set where that fails. */
static char *
make_runner(const Build *build, GError **error)
{
	const Options *o = build->options;
	const char *name = o->plan != NULL ? "plan" : o->strategy != NULL ? o->strategy
		: TOOL_DEFAULT;
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	gboolean refused;
	char *runner;

	if (g_strcmp0(o->strategy, TOOL_DEFAULT) != 0)
		words_pass(words, "strategy", o->strategy);
	words_pass_list(words, "plan", o->plan);
	g_ptr_array_add(words, NULL);
	runner = build_variant(build, name, (char **)words->pdata, &refused, error);
	g_ptr_array_unref(words);
	return runner;
}

int
command_run(const Options *options, const Places *places)
{
	Build build = { .options = options, .places = places, .source = options->files[0] };
	char *folder = NULL, *runner = NULL;
	int code = TOOL_FINE;
	GError *error = NULL;

	if (tool_device(options, places, DEVICE_CPU, &build.device, &error)
	    && tool_spare(options, places, &error)
	    && (folder = tool_folder(options, &error)) != NULL) {
		build.folder = g_strdup(folder);
		if (build_start(&build, &error))
			runner = make_runner(&build, &error);
		if (runner != NULL)
			start(options, build.device, runner, &code, &error);
	}
	g_free(runner);
	build_clear(&build);
	tool_remove(options, folder);
	return error != NULL ? tool_trouble(error) : code;
}
