/* stencil_keep.cuh: a value that stays what it is.
 *
 * The compiler works sums and tests out anew where they are used, in every turn of a
 * loop, to have fewer registers in use.  Of what it is handed here it knows nothing.
 */
#ifndef STENCIL_KEEP_CUH
#define STENCIL_KEEP_CUH

#include <stdint.h>

#ifdef __CUDACC__

/* ptxas (13.0, sm_90) takes one instruction for the largest, or least, of three numbers, and
 * forgets it where one of them is the negative of another: max(max(-a, b), c) comes out as
 * max(max(a, b), c).
 *
 * A, or what comes before END where that is less: in loops the compiler makes of
 * min(min(a, end - 1), last) a max(max(~a, -end), ~last), if it is told that it is a min. */
static __device__ __forceinline__ int32_t
stencil_below(int32_t a, int32_t end)
{
	int32_t least;

	asm("min.s32 %0, %1, %2;" : "=r"(least) : "r"(a), "r"(end - 1));
	return least;
}

/* -A, of which ptxas does not know that it is. */
static __device__ __forceinline__ int32_t
stencil_minus(int32_t a)
{
	int32_t minus;

	asm("mul.lo.s32 %0, %1, -1;" : "=r"(minus) : "r"(a));
	return minus;
}

static __device__ __forceinline__ int32_t
stencil_keep(int32_t value)
{
	asm("" : "+r"(value));
	return value;
}

/* One of global memory. */
template <typename T>
static __device__ __forceinline__ T *
stencil_keep(T *address)
{
	asm("" : "+l"(address));
	__builtin_assume(__isGlobal(address));
	return address;
}

#else

#include "stencil_ops.h"

static inline int32_t
stencil_below(int32_t a, int32_t end)
{
	return stencil_min_i32(a, end - 1);
}

static inline int32_t
stencil_minus(int32_t a)
{
	return stencil_neg_i32(a);
}

template <typename T>
static inline T
stencil_keep(T value)
{
	return value;
}

#endif

#endif
