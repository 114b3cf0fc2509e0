/* launch.c: a launch's limits, and the OS threads that run it. */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "emu.h"

enum {
	DEFAULT_SHARED = 48 << 10,
	PORTABLE_CLUSTER = 8,
	MAX_BLOCK = 1024, MAX_BLOCK_Z = 64,
	MAX_GRID_X = 0x7fffffff, MAX_GRID_YZ = 65535
};

/* What cudaFuncSetAttribute was told. */
typedef struct {
	const void *kernel;
	int shared;                 /* the most dynamic bytes a launch may ask for */
	bool large_clusters;
} KernelFacts;

static struct {
	pthread_mutex_t lock;
	KernelFacts *kernel;
	size_t count, room;
} known = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The lock is held. */
static KernelFacts *
find_kernel(const void *kernel)
{
	for (size_t i = 0; i < known.count; i++)
		if (known.kernel[i].kernel == kernel)
			return &known.kernel[i];
	if (known.count == known.room) {
		size_t room = 2 * known.room + 16;
		KernelFacts *more = realloc(known.kernel, room * sizeof *more);

		if (more == NULL)
			return NULL;
		known.kernel = more;
		known.room = room;
	}
	known.kernel[known.count] = (KernelFacts){ kernel, DEFAULT_SHARED, false };
	return &known.kernel[known.count++];
}

static KernelFacts
kernel_facts(const void *kernel)
{
	KernelFacts facts = { kernel, DEFAULT_SHARED, false };

	pthread_mutex_lock(&known.lock);
	for (size_t i = 0; i < known.count; i++)
		if (known.kernel[i].kernel == kernel)
			facts = known.kernel[i];
	pthread_mutex_unlock(&known.lock);
	return facts;
}

static cudaError_t
set_attribute(const void *kernel, cudaFuncAttribute attribute, int value)
{
	KernelFacts *facts = find_kernel(kernel);

	if (facts == NULL)
		return cudaErrorMemoryAllocation;
	switch (attribute) {
	case cudaFuncAttributeMaxDynamicSharedMemorySize:
		if (value < 0 || value > emu_options()->shared)
			return cudaErrorInvalidValue;
		facts->shared = value;
		return cudaSuccess;
	case cudaFuncAttributeNonPortableClusterSizeAllowed:
		facts->large_clusters = value != 0;
		return cudaSuccess;
	case cudaFuncAttributePreferredSharedMemoryCarveout:
		return value < -1 || value > 100 ? cudaErrorInvalidValue : cudaSuccess;
	}
	return cudaErrorInvalidValue;
}

cudaError_t
cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value)
{
	cudaError_t error = emu_enter();

	if (error != cudaSuccess)
		return error;
	if (kernel == NULL)
		return emu_leave(cudaErrorInvalidDeviceFunction);
	pthread_mutex_lock(&known.lock);
	error = set_attribute(kernel, attribute, value);
	pthread_mutex_unlock(&known.lock);
	return emu_leave(error);
}

cudaError_t
cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel)
{
	cudaError_t error = emu_enter();

	if (error != cudaSuccess)
		return error;
	if (attributes == NULL || kernel == NULL)
		return emu_leave(cudaErrorInvalidValue);
	*attributes = (cudaFuncAttributes){
		.maxThreadsPerBlock = MAX_BLOCK,
		.numRegs = 32,
		.ptxVersion = 90,
		.binaryVersion = 90,
		.maxDynamicSharedSizeBytes = kernel_facts(kernel).shared,
		.preferredShmemCarveout = -1,
	};
	return emu_leave(cudaSuccess);
}

/* Blocks of so many THREADS, at least one, that a multiprocessor runs at once. */
static unsigned
active_blocks(unsigned threads, size_t shared_bytes)
{
	enum { SM_THREADS = 2048, SM_BLOCKS = 32, SM_SHARED = 228 << 10, RESERVED = 1 << 10 };
	size_t fit;

	if (threads > MAX_BLOCK || shared_bytes > (size_t)emu_options()->shared)
		return 0;
	fit = SM_SHARED / (shared_bytes + RESERVED);
	if (fit > SM_THREADS / threads)
		fit = SM_THREADS / threads;
	return fit > SM_BLOCKS ? SM_BLOCKS : (unsigned)fit;
}

cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int threads,
	size_t shared_bytes)
{
	cudaError_t error = emu_enter();

	if (error != cudaSuccess)
		return error;
	if (blocks == NULL || kernel == NULL || threads < 1)
		return emu_leave(cudaErrorInvalidValue);
	*blocks = (int)active_blocks((unsigned)threads, shared_bytes);
	return emu_leave(cudaSuccess);
}

static bool
empty(dim3 d)
{
	return d.x == 0 || d.y == 0 || d.z == 0;
}

static cudaError_t
read_attributes(EmuLaunch *launch)
{
	const cudaLaunchConfig_t *config = launch->config;

	launch->cluster = (dim3){ 1, 1, 1 };
	if (config->numAttrs && config->attrs == NULL)
		return cudaErrorInvalidValue;
	for (unsigned i = 0; i < config->numAttrs; i++) {
		const cudaLaunchAttribute *attribute = &config->attrs[i];

		switch (attribute->id) {
		case cudaLaunchAttributeClusterDimension:
			launch->cluster = (dim3){ attribute->val.clusterDim.x,
				attribute->val.clusterDim.y, attribute->val.clusterDim.z };
			break;
		case cudaLaunchAttributeCooperative:
			launch->cooperative = attribute->val.cooperative != 0;
			break;
		case cudaLaunchAttributeIgnore:
		case cudaLaunchAttributeProgrammaticStreamSerialization:
		case cudaLaunchAttributePriority:
			break;
		default:
			return cudaErrorInvalidValue;
		}
	}
	return cudaSuccess;
}

static uint64_t
volume(dim3 d)
{
	return (uint64_t)d.x * d.y * d.z;
}

/* A cooperative launch of clusters is nothing that we emulate. */
static cudaError_t
check_cooperative(const EmuLaunch *launch)
{
	unsigned active = active_blocks((unsigned)volume(launch->block),
		launch->config->dynamicSmemBytes);

	if (volume(launch->cluster) > 1)
		return cudaErrorNotSupported;
	return volume(launch->grid) > (uint64_t)active * (unsigned)emu_options()->processors
		? cudaErrorCooperativeLaunchTooLarge : cudaSuccess;
}

/* The limits of compute capability 9.0. */
static cudaError_t
check(const EmuLaunch *launch, const KernelFacts *facts)
{
	dim3 grid = launch->grid, block = launch->block, cluster = launch->cluster;

	if (empty(grid) || empty(block) || empty(cluster))
		return cudaErrorInvalidConfiguration;
	if (block.x > MAX_BLOCK || block.y > MAX_BLOCK || block.z > MAX_BLOCK_Z
		|| volume(block) > MAX_BLOCK)
		return cudaErrorInvalidConfiguration;
	if (grid.x > MAX_GRID_X || grid.y > MAX_GRID_YZ || grid.z > MAX_GRID_YZ)
		return cudaErrorInvalidConfiguration;
	if (launch->config->dynamicSmemBytes > (size_t)facts->shared)
		return cudaErrorInvalidValue;
	if (volume(cluster) > (facts->large_clusters ? EMU_MAX_CLUSTER : PORTABLE_CLUSTER))
		return cudaErrorInvalidClusterSize;
	if (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
		return cudaErrorInvalidClusterSize;
	return launch->cooperative ? check_cooperative(launch) : cudaSuccess;
}

static void *
worker(void *launch)
{
	emu_run_clusters(launch);
	return NULL;
}

static unsigned
worker_count(const EmuLaunch *launch)
{
	unsigned threads = emu_options()->threads;
	cpu_set_t cores;

	if (threads == 0)
		threads = sched_getaffinity(0, sizeof cores, &cores) == 0
			? (unsigned)CPU_COUNT(&cores) : 1;
	return launch->clusters < threads ? (unsigned)launch->clusters : threads;
}

/* A random order of all clusters, the same for the same seed. */
static void
shuffle_clusters(EmuLaunch *launch)
{
	uint64_t random = emu_options()->seed;

	launch->order = emu_allocate(launch->clusters * sizeof *launch->order);
	for (uint64_t i = 0; i < launch->clusters; i++) {
		uint64_t j = emu_random(&random) % (i + 1);

		launch->order[i] = launch->order[j];
		launch->order[j] = (uint32_t)i;
	}
}

/* This OS thread works too; where no other can be had, alone. */
static void
run(EmuLaunch *launch)
{
	enum { MOST = 256 };
	pthread_t other[MOST];
	unsigned workers, started = 0;

	launch->clash = clash_watch(launch);
	workers = launch->clash ? 1 : worker_count(launch);
	launch->alone = workers == 1;
	launch->reverse = emu_options()->order == STENCIL_EMU_REVERSE;
	if (emu_options()->order == STENCIL_EMU_SHUFFLED)
		shuffle_clusters(launch);
	while (started + 1 < workers && started < MOST
		&& pthread_create(&other[started], NULL, worker, launch) == 0)
		started++;
	emu_run_clusters(launch);
	while (started > 0)
		pthread_join(other[--started], NULL);
	free(launch->order);
	clash_watch_ends(launch->clash);
}

/* What cudaLaunchKernelEx calls: INVOKE(CALL) runs the kernel as one thread. */
cudaError_t
stencil_emu_launch(const cudaLaunchConfig_t *config, const void *kernel,
	void (*invoke)(void *call), void *call)
{
	cudaError_t error = emu_enter();
	KernelFacts facts = kernel_facts(kernel);

	if (error != cudaSuccess)
		return error;
	if (config == NULL || kernel == NULL)
		return emu_leave(cudaErrorInvalidValue);

	EmuLaunch launch = {
		.config = config,
		.grid = config->gridDim,
		.block = config->blockDim,
		.invoke = invoke,
		.call = call,
	};

	error = read_attributes(&launch);
	if (error == cudaSuccess)
		error = check(&launch, &facts);
	if (error != cudaSuccess)
		return emu_leave(error);
	launch.together = launch.cooperative ? launch.grid : launch.cluster;
	launch.block_threads = (unsigned)volume(launch.block);
	launch.cluster_blocks = (unsigned)volume(launch.together);
	launch.clusters = volume(launch.grid) / launch.cluster_blocks;
	run(&launch);
	emu_count(&(stencil_emu_stats){
		.launches = 1,
		.shared_bytes = config->dynamicSmemBytes,
	});
	return emu_leave(cudaSuccess);
}
