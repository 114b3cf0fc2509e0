/* stencil_cluster.cuh: blocks that run together and see each other's shared
 * memory.  Compute capability 9.0.
 *
 * Before the first look into another block, and before a block ends that others
 * look into, all come to the cluster's barrier.  The threads of a warp come to
 * it together.
 */
#ifndef STENCIL_CLUSTER_CUH
#define STENCIL_CLUSTER_CUH

#ifdef STENCIL_EMULATED

#include "emu_async.h"

static inline unsigned
stencil_cluster_rank(void)
{
	return stencil_emu_cluster_rank();
}

static inline unsigned
stencil_cluster_size(void)
{
	return stencil_emu_cluster_size();
}

template <typename T>
static inline T *
stencil_cluster_map(T *shared, unsigned rank, STENCIL_EMU_SITE)
{
	return (T *)stencil_emu_cluster_map(shared, rank, file, line);
}

static inline void
stencil_cluster_arrive(STENCIL_EMU_SITE)
{
	stencil_emu_cluster_arrive(file, line);
}

static inline void
stencil_cluster_wait(STENCIL_EMU_SITE)
{
	stencil_emu_cluster_wait(file, line);
}

static inline void
stencil_cluster_sync(STENCIL_EMU_SITE)
{
	stencil_emu_cluster_arrive(file, line);
	stencil_emu_cluster_wait(file, line);
}

#else

/* Of this block in its cluster; x runs fastest. */
static __device__ __forceinline__ unsigned
stencil_cluster_rank(void)
{
	unsigned rank;

	asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
	return rank;
}

/* Blocks of a cluster. */
static __device__ __forceinline__ unsigned
stencil_cluster_size(void)
{
	unsigned size;

	asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
	return size;
}

/* The same place in the shared memory of block RANK. */
template <typename T>
static __device__ __forceinline__ T *
stencil_cluster_map(T *shared, unsigned rank)
{
	T *there;

	asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(shared), "r"(rank));
	return there;
}

static __device__ __forceinline__ void
stencil_cluster_arrive(void)
{
	asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

static __device__ __forceinline__ void
stencil_cluster_wait(void)
{
	asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

static __device__ __forceinline__ void
stencil_cluster_sync(void)
{
	stencil_cluster_arrive();
	stencil_cluster_wait();
}

#endif
#endif
