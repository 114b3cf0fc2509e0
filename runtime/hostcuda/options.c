/* options.c: the environment, read once, and the calls that overrule it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu.h"

static EmuOptions options;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const char *
text(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

static uint64_t
number(const char *name, uint64_t otherwise)
{
	const char *value = text(name);

	return *value ? strtoull(value, NULL, 0) : otherwise;
}

static _Noreturn void
wrong(const char *name)
{
	fprintf(stderr, "stencilemu: %s=%s: what is this?\n", name, text(name));
	exit(2);
}

static void
read_order(void)
{
	const char *value = text("STENCIL_EMU_ORDER");

	if (strcmp(value, "reverse") == 0)
		options.order = STENCIL_EMU_REVERSE;
	else if (strncmp(value, "shuffle", 7) == 0) {
		options.order = STENCIL_EMU_SHUFFLED;
		options.seed = value[7] == ':' ? strtoull(value + 8, NULL, 0) : 1;
	} else if (*value && strcmp(value, "forward") != 0)
		wrong("STENCIL_EMU_ORDER");
}

static void
read_copy(void)
{
	const char *value = text("STENCIL_EMU_COPY");

	options.late = strcmp(value, "late") == 0;
	if (*value && !options.late && strcmp(value, "early") != 0)
		wrong("STENCIL_EMU_COPY");
}

static void
read_fail(void)
{
	const char *value = text("STENCIL_EMU_FAIL");
	char *rest;

	options.fail_at = strtoull(value, &rest, 0);
	options.fail_code = cudaErrorUnknown;
	if (*rest == ':')
		options.fail_code = (int)strtol(rest + 1, &rest, 0);
	options.fail_lost = strcmp(rest, ":lost") == 0;
	if (*rest && !options.fail_lost)
		wrong("STENCIL_EMU_FAIL");
}

static void
read_environment(void)
{
	read_order();
	read_copy();
	read_fail();
	options.threads = (unsigned)number("STENCIL_EMU_THREADS", under_tsan() ? 1 : 0);
	options.stack = (size_t)number("STENCIL_EMU_STACK", 1 << 20);
	options.memory = (size_t)number("STENCIL_EMU_MEMORY", (uint64_t)1 << 40);
	options.devices = (int)number("STENCIL_EMU_DEVICES", 1);
	options.shared = (int)number("STENCIL_EMU_SHARED", 227 << 10);
	options.processors = (int)number("STENCIL_EMU_PROCESSORS", 132);
	options.aborts = number("STENCIL_EMU_ABORT", 0) != 0;
	options.clashes = (unsigned)number("STENCIL_EMU_CLASHES", 0);
}

EmuOptions *
emu_options(void)
{
	pthread_once(&once, read_environment);
	return &options;
}

void
stencil_emu_set_order(stencil_emu_order order, uint64_t seed)
{
	emu_options()->order = order;
	emu_options()->seed = seed;
}

void
stencil_emu_set_late_copies(int late)
{
	emu_options()->late = late != 0;
}

void
stencil_emu_set_threads(unsigned threads)
{
	emu_options()->threads = threads;
}

void
stencil_emu_set_devices(int count)
{
	emu_options()->devices = count;
}
