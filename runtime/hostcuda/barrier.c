/* barrier.c: __syncthreads and named barriers.
 *
 * The last to arrive wakes the others.  What a GPU leaves undefined is
 * reported: threads at different __syncthreads, threads that have ended while
 * others wait, counts that differ.
 */
#include <string.h>

#include "emu.h"

static bool
same_site(EmuSite a, EmuSite b)
{
	return a.line == b.line && (a.file == b.file || strcmp(a.file, b.file) == 0);
}

/* A barrier's two TSan tokens take turns, so that a thread that is early for
 * the next generation does not seem to order those late for this one. */
static char *
token_of(EmuBlock *block, int id)
{
	return block->token + TOKEN_BARRIERS + 2 * id + block->barrier[id].generation % 2;
}

static void
check_all(EmuThread *thread, const EmuBarrier *barrier, EmuSite site)
{
	const EmuBlock *block = thread->parent;

	if (block->alive != block->cluster->launch->block_threads)
		emu_report(site, "divergent barrier: waits at __syncthreads, but %u threads of the "
			"block have ended", block->cluster->launch->block_threads - block->alive);
	if (barrier->arrived && !same_site(barrier->site, site))
		emu_report(site, "divergent barrier: waits at __syncthreads, others of the block "
			"at %s:%d", barrier->site.file, barrier->site.line);
}

static void
check_named(const EmuBarrier *barrier, int id, int threads, EmuSite site)
{
	if (id < 1 || id >= EMU_BARRIERS)
		emu_report(site, "there is no barrier %d: 1 to %d", id, EMU_BARRIERS - 1);
	if (threads <= 0 || threads % EMU_WARP || threads > 1024)
		emu_report(site, "barrier %d for %d threads: not whole warps", id, threads);
	if (barrier->arrived && barrier->expected != (unsigned)threads)
		emu_report(site, "barrier %d for %d threads, for others (%s:%d) it is for %u", id,
			threads, barrier->site.file, barrier->site.line, barrier->expected);
}

static const char *const barrier_name[EMU_BARRIERS] = {
	"at __syncthreads", "at barrier 1", "at barrier 2", "at barrier 3", "at barrier 4",
	"at barrier 5", "at barrier 6", "at barrier 7", "at barrier 8", "at barrier 9",
	"at barrier 10", "at barrier 11", "at barrier 12", "at barrier 13", "at barrier 14",
	"at barrier 15"
};

static void
wake_all(EmuBlock *block, const char *what)
{
	for (unsigned i = 0; i < block->cluster->launch->block_threads; i++)
		if (block->thread[i].state == EMU_WAITING && block->thread[i].waits_for == what)
			emu_wake(&block->thread[i]);
}

void
stencil_emu_barrier(int id, int threads, int waits, const char *file, int line)
{
	EmuSite site = { file, line };
	EmuThread *thread = emu_self(site, "a barrier");
	EmuBlock *block = thread->parent;
	EmuBarrier *barrier = &block->barrier[id & (EMU_BARRIERS - 1)];
	char *token = block->token;

	if (threads == 0)
		check_all(thread, barrier, site);
	else
		check_named(barrier, id, threads, site);
	if (token) {
		token = token_of(block, id);
		order_release(token);
	}
	if (barrier->arrived++ == 0) {
		barrier->site = site;
		barrier->expected = threads ? (unsigned)threads
			: block->cluster->launch->block_threads;
	}
	if (barrier->arrived == barrier->expected) {
		barrier->arrived = 0;
		barrier->generation++;
		block->cluster->stats.barriers++;
		wake_all(block, barrier_name[id]);
	} else if (waits) {
		emu_wait(thread, barrier_name[id], site, NULL);
	}
	if (token && waits)
		order_acquire(token);
}

void
barrier_thread_ends(EmuThread *thread)
{
	const EmuBarrier *barrier = &thread->parent->barrier[0];

	if (barrier->arrived)
		emu_report(barrier->site, "divergent barrier: a thread of the block has ended "
			"while %u wait at __syncthreads", barrier->arrived);
}
