/* main.c: the command line of stencil, and nothing else. */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/crash.h"
#include "base/standard.h"
#include "stencilrt.h"
#include "tool.h"

static const struct {
	const char *name;
	Command command;
	int (*run)(const Options *options, const Places *places);
	const char *summary;
} commands[] = {
	{ "run", COMMAND_RUN, command_run,
		"Compiles a stencil program and runs one stencil of it on data from files or\n"
		"generated data; prints the time and GCells/s, and where the outputs are." },
	{ "verify", COMMAND_VERIFY, command_verify,
		"Compares what a GPU, or its emulation, computes with what the program means\n"
		"(its host function), in every cell of every output.  Without --size it tries\n"
		"several odd sizes, row pitches, boxes and consecutive calls.  Ends with 0 only\n"
		"if all cells agree." },
	{ "bench", COMMAND_BENCH, command_bench,
		"Measures how fast strategies and plans of stencil programs are, beside copies of\n"
		"the same run: GCells/s, all time steps counted, and the part of the copy rate\n"
		"that the fields, read once and written once a step, make of it." },
	{ "explain", COMMAND_EXPLAIN, command_explain,
		"Says why the compiler chooses the plans that it does: candidates, their figures\n"
		"and predicted times, what killed the others; as tables, JSON, or a page." },
	{ "devices", COMMAND_DEVICES, command_devices,
		"Lists the GPUs of this machine.  `devices query' prints the first one as a\n"
		"device file of stencilc, `devices calibrate' measures it for that." },
};

int
tool_trouble(GError *error)
{
	int code = error->domain == TOOL_ERROR ? error->code : TOOL_IO;

	g_printerr("stencil: %s\n", error->message);
	if (code == TOOL_USAGE)
		g_printerr("stencil: see stencil --help, or stencil COMMAND --help\n");
	g_error_free(error);
	return code;
}

static int
help(void)
{
	printf("usage: stencil COMMAND [options] FILE.st ...\n\n");
	for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
		char **lines = g_strsplit(commands[i].summary, "\n", -1);

		for (int k = 0; lines[k] != NULL; k++)
			printf("  %-8s %s\n", k == 0 ? commands[i].name : "", lines[k]);
		g_strfreev(lines);
	}
	printf("\nstencil COMMAND --help lists the options of a command.\n"
		"CC, CXX and NVCC name the compilers, STENCILC the stencil compiler.\n");
	return TOOL_FINE;
}

/* CODE, unless what was printed did not arrive. */
static int
finish(int code)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	g_printerr("stencil: cannot write standard output: %s\n", g_strerror(errno));
	return code == TOOL_FINE ? TOOL_IO : code;
}

/* A command and its arguments. */
typedef struct {
	gsize i;
	const Options *options;
	const char *argv0;
} Work;

static int
work(gpointer user)
{
	const Work *w = user;
	Places *places = places_find(w->argv0);
	int code = commands[w->i].run(w->options, places);

	places_free(places);
	return finish(code);
}

static int
run(gsize i, char **argv, const char *argv0)
{
	GError *error = NULL;
	Options *options = options_parse(commands[i].command, commands[i].summary, argv, &error);
	Work w = { i, options, argv0 };
	int code;

	if (options == NULL)
		return tool_trouble(error);
	code = commands[i].command == COMMAND_DEVICES && g_strcmp0(options->action, "calibrate")
		? work(&w) : supervise(work, &w, &error);
	options_free(options);
	return error != NULL ? tool_trouble(error) : code;
}

int
main(int argc, char **argv)
{
	static const char *const helps[] = { "--help", "-h", "help", NULL };

	standard_keep();
	crash_guard("stencil", TOOL_FAULT, TOOL_MEMORY);
	setlocale(LC_CTYPE, "");
	if (argc < 2 || g_strv_contains(helps, argv[1])) {
		help();
		return finish(argc < 2 ? TOOL_USAGE : TOOL_FINE);
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("stencil %s\n", STENCIL_VERSION);
		return finish(TOOL_FINE);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(commands); i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return run(i, argv + 1, argv[0]);
	g_printerr("stencil: there is no command '%s'; see stencil --help\n", argv[1]);
	return TOOL_USAGE;
}
