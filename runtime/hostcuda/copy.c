/* copy.c: cp.async, and copies of either kind in general.
 *
 * Early, the bytes move when a copy is issued; late, when a wait demands them,
 * and until then the target is full of NaNs: a program has to be right both
 * ways.
 */
#include <string.h>

#include "emu.h"

#define SECTOR 32 /* bytes */

/* Through a pointer, lest the compiler expand them: the sanitizers look on. */
static void *(*const volatile move_bytes)(void *, const void *, size_t) = memcpy;
static void *(*const volatile fill_bytes)(void *, int, size_t) = memset;

void
copy_move(const EmuCopy *copy)
{
	if (copy->bytes)
		move_bytes(copy->to, copy->from, copy->bytes);
	if (copy->zeros)
		fill_bytes(copy->to + copy->bytes, 0, copy->zeros);
}

void
copy_spoil(const EmuCopy *copy)
{
	fill_bytes(copy->to, 0xff, copy->bytes + copy->zeros);
}

EmuBlock *
shared_owner(EmuCluster *cluster, const void *at, size_t bytes)
{
	size_t size = cluster->launch->config->dynamicSmemBytes;

	for (unsigned rank = 0; rank < cluster->blocks; rank++) {
		uintptr_t start = (uintptr_t)cluster->block[rank].shared, place = (uintptr_t)at;

		if (place >= start && place + bytes <= start + size)
			return &cluster->block[rank];
	}
	return NULL;
}

void
copy_check(const EmuCopy *copy, size_t alignment)
{
	uintptr_t to = (uintptr_t)copy->to, from = (uintptr_t)copy->from;

	if (to & (alignment - 1) || (copy->bytes && from & (alignment - 1)))
		emu_report(copy->site, "an asynchronous copy from %p to %p: not aligned to %zu",
			(const void *)copy->from, (void *)copy->to, alignment);
	if (__asan_region_is_poisoned == NULL)
		return;
	if (copy->bytes && __asan_region_is_poisoned((void *)(uintptr_t)copy->from, copy->bytes))
		emu_report(copy->site, "an asynchronous copy reads %zu bytes at %p, not all of "
			"them allocated", copy->bytes, (const void *)copy->from);
	if (__asan_region_is_poisoned(copy->to, copy->bytes + copy->zeros))
		emu_report(copy->site, "an asynchronous copy writes %zu bytes at %p, not all of "
			"them allocated", copy->bytes + copy->zeros, (void *)copy->to);
}

void
copies_add(EmuCopies *copies, EmuCopy copy)
{
	copies->copy = emu_grow(copies->copy, copies->count, &copies->room, sizeof copy);
	copy.group = copies->committed;
	copies->copy[copies->count++] = copy;
}

void
copies_wait(EmuCopies *copies, size_t keep)
{
	size_t done = 0;

	while (done < copies->count && copies->copy[done].group + keep < copies->committed) {
		if (!copies->copy[done].moved)
			copy_move(&copies->copy[done]);
		done++;
	}
	emu_take_out(copies->copy, copies->count, 0, done, sizeof *copies->copy);
	copies->count -= done;
}

void
stencil_emu_copy(void *shared, const void *global, unsigned size, unsigned bytes,
	const char *file, int line)
{
	EmuSite site = { file, line };
	EmuThread *thread = emu_self(site, "an asynchronous copy");
	EmuCluster *cluster = thread->parent->cluster;
	EmuCopy copy = {
		.to = shared, .from = global,
		.bytes = bytes, .zeros = size - bytes,
		.moved = !emu_options()->late,
		.site = site,
	};

	if ((size != 4 && size != 8 && size != 16) || bytes > size)
		emu_report(site, "an asynchronous copy of %u of %u bytes", bytes, size);
	if (shared_owner(cluster, shared, size) != thread->parent)
		emu_report(site, "an asynchronous copy to %p, outside the block's shared memory",
			shared);
	copy_check(&copy, size);
	cluster->stats.copies++;
	cluster->stats.copied_bytes += bytes;
	cluster->stats.skewed += size == 16
		&& ((uintptr_t)shared ^ (uintptr_t)global) % SECTOR != 0;
	if (copy.moved)
		copy_move(&copy);
	else
		copy_spoil(&copy);
	copies_add(&thread->loads, copy);
}

void
stencil_emu_copy_commit(void)
{
	emu_self((EmuSite){ NULL, 0 }, "a commit of copies")->loads.committed++;
}

void
stencil_emu_copy_wait(unsigned keep)
{
	copies_wait(&emu_self((EmuSite){ NULL, 0 }, "a wait for copies")->loads, keep);
}

void
copies_thread_ends(EmuThread *thread)
{
	const EmuCopies *loads = &thread->loads;
	const EmuCopy *first = loads->copy;

	if (loads->count)
		emu_report(first->site, "asynchronous copies: the thread ends with %zu under way, "
			"%s", loads->count, first->group == loads->committed
			? "the first never committed" : "the first never waited for");
}
