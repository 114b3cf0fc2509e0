/* cluster.c: the barrier of a cluster, and its blocks' shared memory. */
#include <string.h>

#include "emu.h"

/* The blocks of a cooperative launch are no cluster, though they are run like one. */
static EmuThread *
self_in_cluster(EmuSite site, const char *what)
{
	EmuThread *thread = emu_self(site, what);

	if (thread->parent->cluster->launch->cooperative)
		emu_report(site, "%s in a cooperative launch, which has no clusters here", what);
	return thread;
}

unsigned
stencil_emu_cluster_rank(void)
{
	return self_in_cluster((EmuSite){ NULL, 0 }, "a cluster's rank")->parent->rank;
}

unsigned
stencil_emu_cluster_size(void)
{
	return self_in_cluster((EmuSite){ NULL, 0 }, "a cluster's size")->parent->cluster->blocks;
}

void *
stencil_emu_cluster_map(const void *shared, unsigned rank, const char *file, int line)
{
	EmuSite site = { file, line };
	EmuThread *thread = self_in_cluster(site, "another block's shared memory");
	EmuCluster *cluster = thread->parent->cluster;
	EmuBlock *target;
	size_t offset;

	if (rank >= cluster->blocks)
		emu_report(site, "there is no block %u in a cluster of %u", rank, cluster->blocks);
	if (shared_owner(cluster, shared, 1) != thread->parent)
		emu_report(site, "%p is not in the block's own shared memory, to be mapped",
			shared);
	target = &cluster->block[rank];
	if (target->alive == 0)
		emu_report(site, "cluster: block %u has ended, its shared memory is gone", rank);
	if (target != thread->parent) {
		target->mapped = cluster->generation + 1;
		target->mapped_at = site;
	}
	offset = (size_t)((const char *)shared - (const char *)thread->parent->shared);
	return (char *)target->shared + offset;
}

/* A thread that has ended is not waited for. */
static void
complete(EmuCluster *cluster)
{
	if (cluster->arrived < cluster->alive || cluster->arrived == 0)
		return;
	cluster->arrived = 0;
	cluster->generation++;
	cluster->stats.cluster_barriers++;
}

static bool
passed(EmuThread *thread)
{
	return thread->parent->cluster->generation != thread->cluster_generation;
}

void
stencil_emu_cluster_arrive(const char *file, int line)
{
	EmuSite site = { file, line };
	EmuThread *thread = self_in_cluster(site, "a cluster's barrier");
	EmuCluster *cluster = thread->parent->cluster;

	if (thread->in_cluster_barrier)
		emu_report(site, "arrives twice at the cluster's barrier without a wait between");
	thread->in_cluster_barrier = true;
	thread->cluster_generation = cluster->generation;
	if (cluster->token)
		order_release(cluster->token + cluster->generation % 2);
	cluster->arrived++;
	complete(cluster);
}

void
stencil_emu_cluster_wait(const char *file, int line)
{
	EmuSite site = { file, line };
	EmuThread *thread = self_in_cluster(site, "a cluster's barrier");
	EmuCluster *cluster = thread->parent->cluster;

	if (!thread->in_cluster_barrier)
		emu_report(site, "waits at the cluster's barrier without having arrived");
	if (!passed(thread))
		emu_wait(thread, "at the cluster's barrier", site, passed);
	thread->in_cluster_barrier = false;
	if (cluster->token)
		order_acquire(cluster->token + thread->cluster_generation % 2);
}

/* Nobody may use the shared memory of a block that has ended: it is spoilt, and
 * for ASan it is no memory any longer. */
static void
block_ends(EmuBlock *block)
{
	const EmuCluster *cluster = block->cluster;
	EmuCopy whole = {
		.to = block->shared,
		.bytes = cluster->launch->config->dynamicSmemBytes,
	};

	if (block->mapped == cluster->generation + 1)
		emu_report(block->mapped_at, "cluster: block %u ends while others may use its "
			"shared memory: no barrier of the cluster came after this", block->rank);
	copy_spoil(&whole);
	if (__asan_poison_memory_region && whole.bytes)
		__asan_poison_memory_region(whole.to, whole.bytes);
}

void
cluster_thread_ends(EmuThread *thread)
{
	EmuBlock *block = thread->parent;
	EmuCluster *cluster = block->cluster;

	if (thread->in_cluster_barrier && !passed(thread))
		cluster->arrived--;
	if (cluster->blocks > 1) {
		if (block->token)
			order_release(block->token + TOKEN_END);
		if (block->alive == 0) {
			if (block->token)
				order_acquire(block->token + TOKEN_END);
			block_ends(block);
		}
	}
	complete(cluster);
}
