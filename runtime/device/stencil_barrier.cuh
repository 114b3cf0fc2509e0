/* stencil_barrier.cuh: barriers of a block, whole, or split into arrive and wait.
 *
 * Barriers 1 to 15 are for any number of whole warps; 0 is __syncthreads.  Who
 * arrives goes on at once, who syncs waits until THREADS threads did either.
 * Memory written before is seen after.  Not bar.sync: synccheck takes that, for
 * as many threads as the block has, for one they all have to reach.
 */
#ifndef STENCIL_BARRIER_CUH
#define STENCIL_BARRIER_CUH

#ifdef STENCIL_EMULATED

#include "emu_device.h"

static inline void
stencil_barrier_sync(int id, int threads, STENCIL_EMU_SITE)
{
	stencil_emu_barrier(id, threads, 1, file, line);
}

static inline void
stencil_barrier_arrive(int id, int threads, STENCIL_EMU_SITE)
{
	stencil_emu_barrier(id, threads, 0, file, line);
}

#else

static __device__ __forceinline__ void
stencil_barrier_sync(int id, int threads)
{
	asm volatile("barrier.sync %0, %1;" :: "r"(id), "r"(threads) : "memory");
}

static __device__ __forceinline__ void
stencil_barrier_arrive(int id, int threads)
{
	asm volatile("barrier.arrive %0, %1;" :: "r"(id), "r"(threads) : "memory");
}

#endif
#endif
