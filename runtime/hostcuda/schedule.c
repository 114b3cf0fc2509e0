/* schedule.c: turns.
 *
 * A sweep gives every thread of the cluster that can run one turn, up to its
 * next wait, in the order that was asked for.  When a whole sweep moved nobody,
 * a bulk copy under way is let in; when there is none, it is a deadlock.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu.h"

__thread EmuThread *emu_current;
__thread uint3 stencil_emu_thread_index, stencil_emu_block_index;
__thread dim3 stencil_emu_block_extent, stencil_emu_grid_extent;
__thread void *stencil_emu_shared;

static struct {
	pthread_mutex_t lock;
	stencil_emu_stats sum;
} statistics = { .lock = PTHREAD_MUTEX_INITIALIZER };

void
emu_count(const stencil_emu_stats *some)
{
	stencil_emu_stats *sum = &statistics.sum;

	pthread_mutex_lock(&statistics.lock);
	sum->launches += some->launches;
	sum->blocks += some->blocks;
	sum->threads += some->threads;
	sum->barriers += some->barriers;
	sum->cluster_barriers += some->cluster_barriers;
	sum->warp_operations += some->warp_operations;
	sum->copies += some->copies;
	sum->copied_bytes += some->copied_bytes;
	sum->skewed += some->skewed;
	sum->switches += some->switches;
	sum->allocations += some->allocations;
	sum->allocated_bytes += some->allocated_bytes;
	sum->pinned += some->pinned;
	sum->streams += some->streams;
	sum->events += some->events;
	if (some->shared_bytes > sum->shared_bytes)
		sum->shared_bytes = some->shared_bytes;
	pthread_mutex_unlock(&statistics.lock);
}

stencil_emu_stats
stencil_emu_statistics(void)
{
	stencil_emu_stats sum;

	pthread_mutex_lock(&statistics.lock);
	sum = statistics.sum;
	pthread_mutex_unlock(&statistics.lock);
	return sum;
}

void
stencil_emu_statistics_clear(void)
{
	stencil_emu_stats *sum = &statistics.sum;

	pthread_mutex_lock(&statistics.lock);
	*sum = (stencil_emu_stats){
		.allocations = sum->allocations,
		.allocated_bytes = sum->allocated_bytes,
		.pinned = sum->pinned,
		.streams = sum->streams,
		.events = sum->events,
	};
	pthread_mutex_unlock(&statistics.lock);
}

static _Noreturn void
out_of_memory(void)
{
	fputs("stencilemu: out of memory\n", stderr);
	_exit(1);
}

void *
emu_allocate(size_t bytes)
{
	void *memory;

	quiet_begin();
	memory = malloc(bytes ? bytes : 1);
	quiet_end();
	if (memory == NULL)
		out_of_memory();
	return memory;
}

void *
emu_grow(void *array, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return array;
	*room = 2 * *room + 8;
	quiet_begin();
	array = realloc(array, *room * size);
	quiet_end();
	if (array == NULL)
		out_of_memory();
	return array;
}

void
emu_take_out(void *array, size_t total, size_t at, size_t count, size_t size)
{
	char *hole = (char *)array + at * size;

	if (count == 0)
		return;
	quiet_begin();
	memmove(hole, hole + count * size, (total - at - count) * size);
	quiet_end();
}

/* TSan forgets what happened in memory that is freed, and takes the free itself
 * for a write: under it memory stays until the launch has ended. */
void
emu_keep(EmuCluster *cluster, void *memory)
{
	if (!under_tsan()) {
		free(memory);
		return;
	}
	cluster->kept = emu_grow(cluster->kept, cluster->kept_count, &cluster->kept_room,
		sizeof *cluster->kept);
	cluster->kept[cluster->kept_count++] = memory;
}

/* splitmix64 */
uint64_t
emu_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

EmuThread *
emu_self(EmuSite site, const char *what)
{
	if (emu_current == NULL)
		emu_report(site, "%s outside a kernel", what);
	return emu_current;
}

static void
give_turn_back(EmuThread *thread, int ends)
{
	fiber_switch(&thread->fiber, &thread->parent->cluster->scheduler, ends);
}

void
emu_wait(EmuThread *thread, const char *what, EmuSite site, bool (*poll)(EmuThread *))
{
	thread->state = EMU_WAITING;
	thread->waits_for = what;
	thread->site = site;
	thread->poll = poll;
	give_turn_back(thread, 0);
	thread->poll = NULL;
}

void
stencil_emu_yield(const char *file, int line)
{
	EmuSite site = { file, line };
	EmuThread *thread = emu_self(site, "a pause");

	thread->spins = true;
	thread->waits_for = "in a loop of tests";
	thread->site = site;
	give_turn_back(thread, 0);
}

void
stencil_emu_found(void)
{
	emu_self((EmuSite){ NULL, 0 }, "a find")->found = true;
}

/* The first function on a fiber's stack. */
static void
thread_main(void)
{
	EmuThread *thread = emu_current;
	EmuCluster *cluster = thread->parent->cluster;
	EmuLaunch *launch = cluster->launch;

	fiber_entered(&cluster->scheduler);
	order_acquire(&cluster->set_up_token);
	launch->invoke(launch->call);
	copies_thread_ends(thread);
	bulk_thread_ends(thread);
	cluster->alive--;
	thread->parent->alive--;
	thread->state = EMU_ENDED;
	warp_thread_ends(thread);
	barrier_thread_ends(thread);
	cluster_thread_ends(thread);
	order_release(&launch->end_token);
	give_turn_back(thread, 1);
	abort();
}

/* TSan gives a new thread the identity of one it was told has ended, and then
 * takes what that one did for its own: so it is told as late as possible. */
static void
retire(EmuCluster *cluster, void *tsan)
{
	void **place = &cluster->retired[cluster->retired_count++ % EMU_RETIRED];

	if (*place)
		__tsan_destroy_fiber(*place);
	*place = tsan;
}

static void
turn(EmuCluster *cluster, EmuThread *thread)
{
	if (thread->fiber.stack == NULL)
		fiber_start(&thread->fiber, emu_options()->stack, thread_main);
	emu_current = thread;
	stencil_emu_thread_index = thread->index;
	stencil_emu_block_index = thread->parent->index;
	stencil_emu_shared = thread->parent->shared;
	fiber_switch(&cluster->scheduler, &thread->fiber, 0);
	emu_current = NULL;
	cluster->stats.switches += 2;
	if (thread->state != EMU_ENDED)
		return;
	fiber_done(&thread->fiber);
	if (thread->fiber.tsan)
		retire(cluster, thread->fiber.tsan);
}

static void
shuffle_turns(EmuCluster *cluster)
{
	for (unsigned i = cluster->threads; i > 1; i--) {
		unsigned j = (unsigned)((emu_random(&cluster->random) >> 32) * i >> 32);
		uint32_t other = cluster->order[i - 1];

		cluster->order[i - 1] = cluster->order[j];
		cluster->order[j] = other;
	}
}

/* How many threads moved on, and whether any at least looked again. */
static unsigned
sweep(EmuCluster *cluster, bool *spun)
{
	unsigned moved = 0;

	*spun = false;
	if (emu_options()->order == STENCIL_EMU_SHUFFLED)
		shuffle_turns(cluster);
	for (unsigned i = 0; i < cluster->threads; i++) {
		EmuThread *thread = &cluster->thread[cluster->order[i]];

		if (thread->state == EMU_WAITING && thread->poll && thread->poll(thread))
			emu_wake(thread);
		if (thread->state != EMU_READY)
			continue;
		thread->spins = thread->found = false;
		turn(cluster, thread);
		if (thread->state == EMU_READY && thread->spins && !thread->found)
			*spun = true;
		else
			moved++;
	}
	return moved;
}

static void
run_cluster(EmuCluster *cluster)
{
	/* Sweeps in which everybody only looks again; of very many threads fewer. */
	enum { PATIENCE = 10000, LOOKS = 1 << 23 };
	unsigned idle = 0;

	while (cluster->alive) {
		bool spun;

		if (sweep(cluster, &spun) || bulk_deliver(cluster))
			idle = 0;
		else if (!spun || ++idle == PATIENCE || (uint64_t)idle * cluster->alive > LOOKS)
			emu_report_deadlock(cluster);
	}
}

static uint3
index_of(uint64_t i, dim3 extent)
{
	return (uint3){ (unsigned)(i % extent.x), (unsigned)(i / extent.x % extent.y),
		(unsigned)(i / extent.x / extent.y) };
}

uint3
emu_first_block(const EmuLaunch *launch, uint64_t cluster)
{
	dim3 together = launch->together;
	uint3 at = index_of(cluster, (dim3){ launch->grid.x / together.x,
		launch->grid.y / together.y, launch->grid.z / together.z });

	return (uint3){ at.x * together.x, at.y * together.y, at.z * together.z };
}

/* The one after AT. */
static uint3
index_after(uint3 at, dim3 extent)
{
	if (++at.x < extent.x)
		return at;
	at.x = 0;
	if (++at.y < extent.y)
		return at;
	at.y = 0;
	at.z++;
	return at;
}

static void
set_up_thread(EmuBlock *block, unsigned linear, uint3 index)
{
	EmuThread *thread = &block->thread[linear];

	memset(thread, 0, offsetof(EmuThread, loads));
	thread->parent = block;
	thread->linear = linear;
	thread->index = index;
	thread->loads.count = thread->loads.committed = 0;
	thread->stores.count = thread->stores.committed = 0;
}

/* Shared memory of exactly the size asked for, full of NaNs, at the end of
 * which ASan stands guard. */
static void *
shared_memory(size_t bytes)
{
	enum { ALIGNMENT = 128 };
	void *memory = NULL;

	if (posix_memalign(&memory, ALIGNMENT, bytes ? bytes : 1) != 0)
		emu_allocate(SIZE_MAX);
	memset(memory, 0xff, bytes);
	return memory;
}

static void
set_up_block(EmuCluster *cluster, unsigned rank, uint3 first)
{
	const EmuLaunch *launch = cluster->launch;
	unsigned threads = launch->block_threads;
	unsigned warps = (threads + EMU_WARP - 1) / EMU_WARP;
	EmuBlock *block = &cluster->block[rank];
	uint3 at = index_of(rank, launch->together);

	at.x += first.x;
	at.y += first.y;
	at.z += first.z;
	*block = (EmuBlock){
		.cluster = cluster,
		.rank = rank,
		.index = at,
		.alive = threads,
		.thread = cluster->thread + rank * threads,
		.shared = shared_memory(launch->config->dynamicSmemBytes),
		.lane = cluster->lane + rank * warps * EMU_WARP,
		.warp = cluster->warp + rank * warps,
		.token = under_tsan() ? emu_allocate(TOKEN_LANES + 2 * EMU_WARP * warps) : NULL,
	};
	at = (uint3){ 0 };
	for (unsigned i = 0; i < threads; i++, at = index_after(at, launch->block)) {
		set_up_thread(block, i, at);
		block->warp[i / EMU_WARP].living |= 1u << i % EMU_WARP;
	}
}

static void
set_up_cluster(EmuCluster *cluster, uint64_t number)
{
	const EmuLaunch *launch = cluster->launch;
	const EmuOptions *options = emu_options();
	unsigned warps = (launch->block_threads + EMU_WARP - 1) / EMU_WARP;

	cluster->alive = cluster->threads;
	cluster->arrived = cluster->generation = 0;
	cluster->token = under_tsan() ? emu_allocate(2) : NULL;
	cluster->random = options->seed * 0x9e3779b97f4a7c15u + number;
	memset(cluster->lane, 0, cluster->blocks * warps * EMU_WARP * sizeof *cluster->lane);
	memset(cluster->warp, 0, cluster->blocks * warps * sizeof *cluster->warp);
	for (unsigned i = 0; i < cluster->threads; i++)
		cluster->order[i] = options->order == STENCIL_EMU_REVERSE
			? cluster->threads - 1 - i : i;
	for (unsigned rank = 0; rank < cluster->blocks; rank++)
		set_up_block(cluster, rank, emu_first_block(launch, number));
	order_release(&cluster->set_up_token);
}

static void
tear_down_cluster(EmuCluster *cluster)
{
	for (unsigned rank = 0; rank < cluster->blocks; rank++) {
		EmuBlock *block = &cluster->block[rank];

		if (__asan_unpoison_memory_region)
			__asan_unpoison_memory_region(block->shared,
				cluster->launch->config->dynamicSmemBytes);
		emu_keep(cluster, block->shared);
		emu_keep(cluster, block->token);
	}
	emu_keep(cluster, cluster->token);
	cluster->stats.blocks += cluster->blocks;
	cluster->stats.threads += cluster->threads;
}

/* The next cluster to run, or false. */
static bool
take_cluster(EmuLaunch *launch, uint64_t *number)
{
	uint64_t taken = __atomic_fetch_add(&launch->next, 1, __ATOMIC_RELAXED);

	if (taken >= launch->clusters)
		return false;
	*number = launch->order ? launch->order[taken]
		: launch->reverse ? launch->clusters - 1 - taken : taken;
	return true;
}

void
emu_run_clusters(EmuLaunch *launch)
{
	EmuCluster *cluster = emu_allocate(sizeof *cluster);
	unsigned warps = (launch->block_threads + EMU_WARP - 1) / EMU_WARP;
	EmuWatch watch;
	uint64_t number;

	*cluster = (EmuCluster){
		.launch = launch,
		.blocks = launch->cluster_blocks,
		.threads = launch->cluster_blocks * launch->block_threads,
	};
	cluster->block = emu_allocate(cluster->blocks * sizeof *cluster->block);
	cluster->thread = emu_allocate(cluster->threads * sizeof *cluster->thread);
	memset(cluster->thread, 0, cluster->threads * sizeof *cluster->thread);
	cluster->lane = emu_allocate(cluster->blocks * warps * EMU_WARP * sizeof *cluster->lane);
	cluster->warp = emu_allocate(cluster->blocks * warps * sizeof *cluster->warp);
	cluster->order = emu_allocate(cluster->threads * sizeof *cluster->order);
	fiber_adopt(&cluster->scheduler);
	stencil_emu_block_extent = launch->block;
	stencil_emu_grid_extent = launch->grid;
	overflow_watch(&watch);
	while (take_cluster(launch, &number)) {
		set_up_cluster(cluster, number);
		run_cluster(cluster);
		clash_look(launch, number);
		tear_down_cluster(cluster);
	}
	overflow_watch_ends(&watch);
	order_acquire(&launch->end_token);
	/* Of one launch no two threads are one to TSan; of two launches they may be: these come
	 * one after the other anyway. */
	for (size_t i = 0; i < EMU_RETIRED && cluster->retired[i]; i++)
		if (launch->alone)
			fiber_give_context(cluster->retired[i]);
		else
			__tsan_destroy_fiber(cluster->retired[i]);
	for (size_t i = 0; i < cluster->kept_count; i++)
		free(cluster->kept[i]);
	for (unsigned i = 0; i < cluster->threads; i++) {
		free(cluster->thread[i].loads.copy);
		free(cluster->thread[i].stores.copy);
	}
	emu_count(&cluster->stats);
	free(cluster->kept);
	free(cluster->bulk);
	free(cluster->block);
	free(cluster->thread);
	free(cluster->lane);
	free(cluster->warp);
	free(cluster->order);
	free(cluster);
}
