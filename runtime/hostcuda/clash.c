/* clash.c: two clusters of a launch that store different values in one place.
 *
 * On a GPU either may come last.  Clusters are run one after the other, and after each
 * all device memory is compared with what it was before: what changed is the cluster's.  An
 * equal value may be stored by many; blocks of one cluster can wait for each other, and are
 * one here.
 */
#include <stdlib.h>
#include <string.h>

#include "emu.h"

#define NOBODY  0
#define ANYBODY UINT32_MAX

/* A block of device memory: what it held before the cluster that runs, and whose each byte
 * is: NOBODY's, ANYBODY's, or the cluster's of that number plus one. */
typedef struct {
	EmuSpan span;
	char *before;
	uint32_t *owner;
} Watched;

struct EmuClash {
	Watched *block;
	size_t count;
};

/* Nobody's: of most bytes nobody ever asks, and pages that are not touched cost nothing. */
static uint32_t *
no_owners(size_t count)
{
	uint32_t *owner = calloc(count, sizeof *owner);

	return owner ? owner : emu_allocate(SIZE_MAX);
}

/* Whether the launch is one of those that are watched: of every so many that could be one, the
 * first time the first, then each in turn, so that no launch of a call that makes as many is
 * left out for ever. */
static bool
is_due(const EmuLaunch *launch)
{
	static unsigned launches;
	unsigned every = emu_options()->clashes, n;

	if (every == 0 || under_tsan() || launch->clusters < 2 || launch->clusters >= ANYBODY)
		return false;
	n = __atomic_fetch_add(&launches, 1, __ATOMIC_RELAXED);
	return n % every == n / every % every;
}

EmuClash *
clash_watch(const EmuLaunch *launch)
{
	EmuSpan *spans;
	EmuClash *clash;

	if (!is_due(launch))
		return NULL;
	clash = emu_allocate(sizeof *clash);
	clash->count = heap_device_blocks(&spans);
	clash->block = emu_allocate(clash->count * sizeof *clash->block);
	for (size_t i = 0; i < clash->count; i++) {
		Watched *w = &clash->block[i];

		w->span = spans[i];
		w->before = emu_allocate(spans[i].bytes);
		memcpy(w->before, spans[i].start, spans[i].bytes);
		w->owner = no_owners(spans[i].bytes);
	}
	free(spans);
	return clash;
}

void
clash_watch_ends(EmuClash *clash)
{
	if (clash == NULL)
		return;
	for (size_t i = 0; i < clash->count; i++) {
		free(clash->block[i].before);
		free(clash->block[i].owner);
	}
	free(clash->block);
	free(clash);
}

void
stencil_emu_atomic(const volatile void *at, size_t bytes)
{
	const EmuClash *clash = emu_current ? emu_current->parent->cluster->launch->clash : NULL;

	for (size_t i = 0; clash && i < clash->count; i++) {
		const Watched *w = &clash->block[i];
		size_t offset = (size_t)((const volatile char *)at - w->span.start);

		for (size_t k = offset; k < w->span.bytes && k < offset + bytes; k++)
			w->owner[k] = ANYBODY;
	}
}

static _Noreturn void
report(const EmuLaunch *launch, const Watched *w, size_t offset, uint64_t cluster)
{
	uint3 one = emu_first_block(launch, w->owner[offset] - 1);
	uint3 other = emu_first_block(launch, cluster);

	emu_report((EmuSite){ NULL, 0 }, "blocks (%u,%u,%u) and (%u,%u,%u) of a launch store "
		"different values in one place: byte %zu of the %zu at %p", one.x, one.y, one.z,
		other.x, other.y, other.z, offset, w->span.bytes, (void *)w->span.start);
}

/* Of a piece that changed. */
static void
take(const EmuLaunch *launch, Watched *w, size_t from, size_t end, uint64_t cluster)
{
	for (size_t k = from; k < end; k++) {
		if (w->span.start[k] == w->before[k] || w->owner[k] == ANYBODY)
			continue;
		if (w->owner[k] != NOBODY && w->owner[k] != cluster + 1)
			report(launch, w, k, cluster);
		w->owner[k] = (uint32_t)(cluster + 1);
	}
	memcpy(w->before + from, w->span.start + from, end - from);
}

void
clash_look(const EmuLaunch *launch, uint64_t cluster)
{
	enum { PIECE = 256 };
	EmuClash *clash = launch->clash;

	for (size_t i = 0; clash && i < clash->count; i++) {
		Watched *w = &clash->block[i];

		for (size_t from = 0; from < w->span.bytes; from += PIECE) {
			size_t left = w->span.bytes - from, n = left < PIECE ? left : PIECE;

			if (memcmp(w->span.start + from, w->before + from, n) != 0)
				take(launch, w, from, from + n, cluster);
		}
	}
}
