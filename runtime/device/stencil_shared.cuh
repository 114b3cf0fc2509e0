/* stencil_shared.cuh: the block's dynamic shared memory.
 *
 * The one way to it: a plan carves what it needs out of the bytes that the
 * launch asked for.  Emulated, it is a heap block of exactly that size, full of
 * NaNs at the start, so ASan sees one element too far and an unset cell shows.
 */
#ifndef STENCIL_SHARED_CUH
#define STENCIL_SHARED_CUH

#ifdef STENCIL_EMULATED

#include "emu_device.h"

/* Its first byte, aligned to 128. */
static inline void *
stencil_shared(void)
{
	return stencil_emu_shared;
}

#define stencil_shared_pinned stencil_shared

#else

extern __shared__ __align__(128) unsigned char stencil_shared_bytes[];

static __device__ __forceinline__ void *
stencil_shared(void)
{
	return stencil_shared_bytes;
}

/* Likewise for what one lane asks the copy engine and barriers for now and then: ptxas
 * would work the address out anew, and wait for it, each time. */
static __device__ __forceinline__ void *
stencil_shared_pinned(void)
{
	unsigned at = (unsigned)__cvta_generic_to_shared(stencil_shared_bytes);

	asm volatile("" : "+r"(at));
	return __cvta_shared_to_generic(at);
}

#endif
#endif
