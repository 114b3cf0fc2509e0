/* devices.c: the GPUs of this machine. */
#include <stdio.h>

#include "base/json.h"
#include "stencilrt.h"
#include "tool.h"

static void
say_json(int device, const stencil_device_info *d)
{
	GString *name = g_string_new(NULL);

	json_append_string(name, d->name);
	printf("%s{\"device\": %d, \"name\": %s, \"arch\": \"sm_%d%d\", "
		"\"multiprocessors\": %d, \"memory\": %zu, \"l2\": %zu, \"shared_per_sm\": %zu, "
		"\"shared_per_block\": %zu, \"registers_per_sm\": %d, \"threads_per_sm\": %d, "
		"\"clock_khz\": %d, \"memory_clock_khz\": %d, \"bus_bits\": %d}",
		device > 0 ? ",\n" : "", device, name->str, d->major, d->minor, d->multiprocessors,
		d->memory, d->l2, d->shared_per_sm, d->shared_per_block_optin, d->registers_per_sm,
		d->threads_per_sm, d->clock_khz, d->memory_clock_khz, d->bus_bits);
	g_string_free(name, TRUE);
}

static void
say_text(int device, const stencil_device_info *d)
{
	printf("%d: %s (sm_%d%d): %d multiprocessors, %.1f GiB, L2 %.0f MiB, "
		"%zu KiB of shared memory and %d registers per multiprocessor\n",
		device, d->name, d->major, d->minor, d->multiprocessors,
		(double)d->memory / (1 << 30), (double)d->l2 / (1 << 20), d->shared_per_sm >> 10,
		d->registers_per_sm);
}

int
command_devices(const Options *options, const Places *places)
{
	stencil_status status;
	int n;

	if (g_strcmp0(options->action, "calibrate") == 0)
		return devices_calibrate(options, places);
	if (g_strcmp0(options->action, "query") == 0)
		return devices_query(options);
	status = stencil_device_count(&n);
	if (options->json)
		printf("[");
	for (int i = 0; status == STENCIL_OK && i < n; i++) {
		stencil_device_info info;

		status = stencil_device_query(i, &info);
		if (status == STENCIL_OK)
			(options->json ? say_json : say_text)(i, &info);
	}
	if (options->json)
		printf("]\n");
	if (status != STENCIL_OK)
		return tool_trouble(g_error_new(TOOL_ERROR, TOOL_IO, "%s", stencil_last_error()));
	if (n == 0 && !options->json)
		printf("no GPU: %s\n", stencil_last_error());
	return TOOL_FINE;
}

static gboolean
find_device(const Options *options, const Places *places, Device fallback, Device *device,
	GError **error)
{
	const char *why;
	int n = 0;

	*device = options->device;
	if (options->device != DEVICE_UNSET && options->device != DEVICE_GPU)
		return TRUE;
	if (options->sanitize || options->races) {
		*device = fallback;
		return TRUE;
	}
	if (stencil_device_count(&n) != STENCIL_OK)
		n = 0;
	why = stencil_last_error();
	if (n > 0 && places->nvcc != NULL) {
		*device = DEVICE_GPU;
		return TRUE;
	}
	*device = fallback;
	if (options->device == DEVICE_UNSET)
		return TRUE;
	if (n == 0)
		g_set_error(error, TOOL_ERROR, TOOL_IO,
			"no GPU can be used here: %s; try --device=cpu or --device=emulate", why);
	else
		g_set_error(error, TOOL_ERROR, TOOL_IO,
			"--device=gpu needs nvcc, which cannot be found: NVCC names one, or else "
			"it is in the PATH or in /usr/local/cuda/bin");
	return FALSE;
}

gboolean
tool_device(const Options *options, const Places *places, Device fallback, Device *device,
	GError **error)
{
	gboolean kernels = options->strategy != NULL || options->time != NULL
		|| options->plan != NULL || options->all_plans;

	if (!find_device(options, places, fallback, device, error))
		return FALSE;
	if (*device != DEVICE_CPU || !kernels)
		return TRUE;
	g_set_error(error, TOOL_ERROR, TOOL_USAGE, "--strategy, --time, --plan and --all-plans are "
		"of kernels, and the CPU has none: --device=emulate runs them");
	return FALSE;
}
