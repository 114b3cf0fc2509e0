/* calibrate.c: stencil devices query, stencil devices calibrate: a device file. */
#include <stdio.h>
#include <stdlib.h>

#include "runner/device-file.h"
#include "tool.h"

int
devices_query(const Options *options)
{
	static const DeviceRates unknown;
	stencil_device_info info;
	GError *error = NULL;
	char *text = NULL;
	size_t size;
	int n = 0;
	FILE *out;

	if (stencil_device_count(&n) != STENCIL_OK || n == 0
		|| stencil_device_query(0, &info) != STENCIL_OK)
		return tool_trouble(g_error_new(TOOL_ERROR, TOOL_IO, "there is no GPU to ask: %s",
			stencil_last_error()));
	out = open_memstream(&text, &size);
	if (out != NULL)
		device_file_print(out, &info, &unknown);
	if (out == NULL || fclose(out) != 0)
		g_set_error(&error, TOOL_ERROR, TOOL_MEMORY, "out of memory");
	else
		tool_write(options->output, text, &error);
	free(text);
	return error != NULL ? tool_trouble(error) : TOOL_FINE;
}

/* Runs PROGRAM and puts what it prints where -o says. */
static void
measure(const Options *options, const char *program, GError **error)
{
	GPtrArray *argv = g_ptr_array_new();
	Process process;

	g_ptr_array_add(argv, (gpointer)program);
	g_ptr_array_add(argv, NULL);
	if (process_run(&process, argv, TRUE, options->verbose, error)) {
		if (process.code == 0)
			tool_write(options->output, process.out, error);
		else
			g_set_error(error, TOOL_ERROR, TOOL_IO, "the measurement fails: %s",
				g_strchomp(process.err));
		process_clear(&process);
	}
	g_ptr_array_unref(argv);
}

int
devices_calibrate(const Options *options, const Places *places)
{
	Options wanted = *options;
	Build build = { .options = options, .places = places, .source = "calibrate.cu" };
	GError *error = NULL;
	char *program = NULL;

	if (options->device == DEVICE_UNSET)
		wanted.device = DEVICE_GPU;
	if (!tool_device(&wanted, places, DEVICE_UNSET, &build.device, &error)
	    || !tool_can_write(options->output, &error))
		return tool_trouble(error);
	if (build.device != DEVICE_GPU && build.device != DEVICE_EMULATE)
		return tool_trouble(g_error_new(TOOL_ERROR, TOOL_USAGE, "a GPU is measured, or its "
			"emulation (--device=emulate)"));
	if (build.device == DEVICE_EMULATE && places->cxx == NULL)
		return tool_trouble(g_error_new(TOOL_ERROR, TOOL_IO, "cannot find a compiler for "
			"C++"));
	build.folder = tool_folder(options, &error);
	if (build.folder != NULL)
		program = build_calibration(&build, &error);
	if (program != NULL)
		measure(options, program, &error);
	g_free(program);
	tool_remove(options, build.folder);
	return error != NULL ? tool_trouble(error) : TOOL_FINE;
}
