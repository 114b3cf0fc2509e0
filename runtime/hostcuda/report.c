/* report.c: what the emulation says before it ends a program. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu.h"

static _Noreturn void
end(void)
{
	fflush(stdout);
	if (emu_options()->aborts)
		abort();
	_exit(STENCIL_EMU_STATUS);
}

/* "file:12: block (0,0,0) thread (3,0,0)" */
static void
print_place(FILE *out, EmuSite site)
{
	const EmuThread *self = emu_current;

	if (site.file)
		fprintf(out, "%s:%d: ", site.file, site.line);
	if (self)
		fprintf(out, "block (%u,%u,%u) thread (%u,%u,%u): ", self->parent->index.x,
			self->parent->index.y, self->parent->index.z, self->index.x, self->index.y,
			self->index.z);
}

void
emu_report(EmuSite site, const char *format, ...)
{
	va_list arguments;

	flockfile(stderr);
	fputs("stencilemu: error: ", stderr);
	print_place(stderr, site);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	if (emu_current && __sanitizer_print_stack_trace)
		__sanitizer_print_stack_trace();
	end();
}

void
stencil_emu_misaligned(const void *at, size_t bytes, const char *file, int line)
{
	emu_report((EmuSite){ file, line }, "a vector of %zu bytes at %p, which is not aligned",
		bytes, at);
}

static bool
same_wait(const EmuThread *a, const EmuThread *b)
{
	return a->state == b->state && a->parent == b->parent && a->waits_for == b->waits_for
		&& a->site.file == b->site.file && a->site.line == b->site.line;
}

/* One line for all threads of a block that wait for the same thing. */
static void
print_group(const EmuCluster *cluster, unsigned first)
{
	const EmuThread *thread = &cluster->thread[first];
	uint3 block = thread->parent->index;
	unsigned count = 0;

	for (unsigned i = 0; i < cluster->threads; i++) {
		if (!same_wait(thread, &cluster->thread[i]))
			continue;
		if (i < first)
			return;
		count++;
	}
	fprintf(stderr, "  block (%u,%u,%u): %u thread%s from (%u,%u,%u) on ", block.x, block.y,
		block.z, count, count == 1 ? "" : "s", thread->index.x, thread->index.y,
		thread->index.z);
	if (thread->state == EMU_ENDED)
		fputs("ended\n", stderr);
	else
		fprintf(stderr, "wait%s %s, %s:%d\n", count == 1 ? "s" : "", thread->waits_for,
			thread->site.file ? thread->site.file : "?", thread->site.line);
}

void
emu_report_deadlock(EmuCluster *cluster)
{
	enum { SHOWN = 8192 };

	flockfile(stderr);
	fprintf(stderr, "stencilemu: error: deadlock: %u of %u threads wait for each other\n",
		cluster->alive, cluster->threads);
	for (unsigned i = 0; i < cluster->threads && i < SHOWN; i++)
		print_group(cluster, i);
	end();
}
