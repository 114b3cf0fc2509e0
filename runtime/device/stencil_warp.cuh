/* stencil_warp.cuh: values handed from lane to lane of a warp.
 *
 * MASK names the lanes that take part: each has to call, and a lane may only be
 * read if it is named.  Up and down are by DISTANCE; where that leads out of the
 * warp, the lane gets its own value.
 */
#ifndef STENCIL_WARP_CUH
#define STENCIL_WARP_CUH

#define STENCIL_ALL_LANES 0xffffffffu

#ifdef STENCIL_EMULATED

#include "emu_warp.h"

#define STENCIL_WARP_FN static inline
#define STENCIL_WARP_SITE , STENCIL_EMU_SITE
#define STENCIL_WARP_PASS , file, line

#else

#define STENCIL_WARP_FN static __device__ __forceinline__
#define STENCIL_WARP_SITE
#define STENCIL_WARP_PASS

#endif

/* Of this thread in its warp. */
STENCIL_WARP_FN unsigned
stencil_lane(void)
{
	return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32u;
}

/* Any arithmetic type; those narrower than int travel as int. */
template <typename T>
STENCIL_WARP_FN T
stencil_shuffle(T value, unsigned lane, unsigned mask = STENCIL_ALL_LANES STENCIL_WARP_SITE)
{
	return (T)__shfl_sync(mask, +value, (int)lane, 32 STENCIL_WARP_PASS);
}

/* The number of this thread's warp in the block: told by a lane, so that the compiler
 * below knows that it is the same for all. */
STENCIL_WARP_FN unsigned
stencil_warp(unsigned mask = STENCIL_ALL_LANES STENCIL_WARP_SITE)
{
	return stencil_shuffle((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y
		* threadIdx.z)) / 32u, 0, mask STENCIL_WARP_PASS);
}

template <typename T>
STENCIL_WARP_FN T
stencil_shuffle_up(T value, unsigned distance,
	unsigned mask = STENCIL_ALL_LANES STENCIL_WARP_SITE)
{
	return (T)__shfl_up_sync(mask, +value, distance, 32 STENCIL_WARP_PASS);
}

template <typename T>
STENCIL_WARP_FN T
stencil_shuffle_down(T value, unsigned distance,
	unsigned mask = STENCIL_ALL_LANES STENCIL_WARP_SITE)
{
	return (T)__shfl_down_sync(mask, +value, distance, 32 STENCIL_WARP_PASS);
}

template <typename T>
STENCIL_WARP_FN T
stencil_shuffle_xor(T value, unsigned bits, unsigned mask = STENCIL_ALL_LANES STENCIL_WARP_SITE)
{
	return (T)__shfl_xor_sync(mask, +value, (int)bits, 32 STENCIL_WARP_PASS);
}

STENCIL_WARP_FN bool
stencil_any(bool predicate, unsigned mask = STENCIL_ALL_LANES STENCIL_WARP_SITE)
{
	return __any_sync(mask, predicate STENCIL_WARP_PASS) != 0;
}

STENCIL_WARP_FN bool
stencil_all(bool predicate, unsigned mask = STENCIL_ALL_LANES STENCIL_WARP_SITE)
{
	return __all_sync(mask, predicate STENCIL_WARP_PASS) != 0;
}

/* A bit for each lane that says yes. */
STENCIL_WARP_FN unsigned
stencil_ballot(bool predicate, unsigned mask = STENCIL_ALL_LANES STENCIL_WARP_SITE)
{
	return __ballot_sync(mask, predicate STENCIL_WARP_PASS);
}

/* Memory written before by the lanes of MASK is seen by them after. */
STENCIL_WARP_FN void
stencil_syncwarp(unsigned mask = STENCIL_ALL_LANES STENCIL_WARP_SITE)
{
	__syncwarp(mask STENCIL_WARP_PASS);
}

#undef STENCIL_WARP_FN
#undef STENCIL_WARP_SITE
#undef STENCIL_WARP_PASS

#endif
