/* stencil_async.cuh: asynchronous copies from global to shared memory, by each
 * thread for itself.  Compute capability 8.0; older ones copy there and then.
 *
 * A thread issues copies, commits them as a group, and later waits until all but
 * its KEEP youngest groups have come; a barrier then shows them to the others.
 * Both addresses are aligned to the size.  All is waited for before the end.
 */
#ifndef STENCIL_ASYNC_CUH
#define STENCIL_ASYNC_CUH

#include "stencil_arch.cuh"

/*   COPY(bytes, which caches, type of as many) */
#if STENCIL_ARCH < 800

#define STENCIL_COPY(size, cache, type) \
	static __device__ __forceinline__ void \
	stencil_copy##size(void *shared, const void *global) \
	{ \
		*(type *)shared = *(const type *)global; \
	} \
	static __device__ __forceinline__ void \
	stencil_copy##size##_once(void *shared, const void *global) \
	{ \
		*(type *)shared = *(const type *)global; \
	} \
	static __device__ __forceinline__ void \
	stencil_copy##size##_or_zero(void *shared, const void *global, bool inside) \
	{ \
		*(type *)shared = inside ? *(const type *)global : type(); \
	}

static __device__ __forceinline__ void
stencil_copy_commit(void)
{
}

template <int keep>
static __device__ __forceinline__ void
stencil_copy_wait(void)
{
}

#elif defined STENCIL_EMULATED

#include "emu_async.h"

#define STENCIL_COPY(size, cache, type) \
	static inline void \
	stencil_copy##size(void *shared, const void *global, STENCIL_EMU_SITE) \
	{ \
		stencil_emu_copy(shared, global, size, size, file, line); \
	} \
	static inline void \
	stencil_copy##size##_once(void *shared, const void *global, STENCIL_EMU_SITE) \
	{ \
		stencil_emu_copy(shared, global, size, size, file, line); \
	} \
	static inline void \
	stencil_copy##size##_or_zero(void *shared, const void *global, bool inside, \
		STENCIL_EMU_SITE) \
	{ \
		stencil_emu_copy(shared, global, size, inside ? size : 0, file, line); \
	}

static inline void
stencil_copy_commit(void)
{
	stencil_emu_copy_commit();
}

template <int keep>
static inline void
stencil_copy_wait(void)
{
	stencil_emu_copy_wait(keep);
}

#else

/* What goes first where the second-level cache is full. */
static __device__ __forceinline__ unsigned long long
stencil_copy_first_out(void)
{
	unsigned long long policy;

	asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
	return policy;
}

/* The first copies SIZE bytes; the second some that nobody reads again; the third, where
 * INSIDE is false, reads nothing (GLOBAL need not be an address then) and clears them. */
#define STENCIL_COPY(size, cache, type) \
	static __device__ __forceinline__ void \
	stencil_copy##size(void *shared, const void *global) \
	{ \
		unsigned at = (unsigned)__cvta_generic_to_shared(shared); \
		\
		asm volatile("cp.async." cache ".shared.global [%0], [%1], " #size ";" \
			:: "r"(at), "l"(global) : "memory"); \
	} \
	static __device__ __forceinline__ void \
	stencil_copy##size##_once(void *shared, const void *global) \
	{ \
		unsigned at = (unsigned)__cvta_generic_to_shared(shared); \
		\
		asm volatile("cp.async." cache ".shared.global.L2::cache_hint [%0], [%1], " #size \
			", %2;" :: "r"(at), "l"(global), "l"(stencil_copy_first_out()) \
			: "memory"); \
	} \
	static __device__ __forceinline__ void \
	stencil_copy##size##_or_zero(void *shared, const void *global, bool inside) \
	{ \
		unsigned at = (unsigned)__cvta_generic_to_shared(shared); \
		int bytes = inside ? size : 0; \
		\
		asm volatile("cp.async." cache ".shared.global [%0], [%1], " #size ", %2;" \
			:: "r"(at), "l"(global), "r"(bytes) : "memory"); \
	}

/* Makes a group of what was issued since the last one. */
static __device__ __forceinline__ void
stencil_copy_commit(void)
{
	asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int keep>
static __device__ __forceinline__ void
stencil_copy_wait(void)
{
	asm volatile("cp.async.wait_group %0;" :: "n"(keep) : "memory");
}

#endif

STENCIL_COPY(4, "ca", unsigned)
STENCIL_COPY(8, "ca", uint2)
STENCIL_COPY(16, "cg", uint4)
#undef STENCIL_COPY

#endif
