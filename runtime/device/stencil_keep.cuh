/* stencil_keep.cuh: a value that stays what it is.
 *
 * The compiler works sums and tests out anew where they are used, in every turn of a
 * loop, to have fewer registers in use.  Of what it is handed here it knows nothing.
 */
#ifndef STENCIL_KEEP_CUH
#define STENCIL_KEEP_CUH

#include <stdint.h>

#ifdef __CUDACC__

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

template <typename T>
static inline T
stencil_keep(T value)
{
	return value;
}

#endif

#endif
