/* stencil_mbarrier.cuh: barriers in shared memory that count arrivals and bytes.
 * Compute capability 9.0; 8.0 counts arrivals only, in one block, and before 8.0
 * two words do.
 *
 * A phase ends when COUNT threads have arrived and all bytes announced have
 * come; the next begins at once.  Phases have parity 0, 1, 0, ...: who waits for
 * a parity waits for the end of the phase that has it.  One thread initialises,
 * calls stencil_mbarrier_fence, and a barrier (of the cluster, if other blocks
 * arrive) shows it to the others.
 */
#ifndef STENCIL_MBARRIER_CUH
#define STENCIL_MBARRIER_CUH

#include <stdint.h>

#include "stencil_arch.cuh"

typedef uint64_t stencil_mbarrier;

#if STENCIL_ARCH < 800

/* The words: arrivals, modulo those of two phases, and those of one phase. */
static __device__ __forceinline__ void
stencil_mbarrier_init(stencil_mbarrier *bar, unsigned count)
{
	unsigned *words = (unsigned *)bar;

	words[0] = 0;
	words[1] = count;
}

static __device__ __forceinline__ void
stencil_mbarrier_fence(void)
{
}

static __device__ __forceinline__ void
stencil_mbarrier_arrive(stencil_mbarrier *bar)
{
	unsigned *words = (unsigned *)bar;

	__threadfence_block();
	atomicInc(words, 2 * words[1] - 1);
}

static __device__ __forceinline__ void
stencil_mbarrier_follow_copies(stencil_mbarrier *)
{
}

static __device__ __forceinline__ bool
stencil_mbarrier_test(stencil_mbarrier *bar, unsigned parity)
{
	const volatile unsigned *words = (const volatile unsigned *)bar;
	const bool over = (words[0] >= words[1]) != (parity != 0);

	__threadfence_block();
#if STENCIL_ARCH >= 700
	if (!over)
		__nanosleep(20);
#endif
	return over;
}

static __device__ __forceinline__ void
stencil_mbarrier_wait(stencil_mbarrier *bar, unsigned parity)
{
	while (!stencil_mbarrier_test(bar, parity)) {
	}
}

#elif defined STENCIL_EMULATED

#include "emu_async.h"

static inline void
stencil_mbarrier_init(stencil_mbarrier *bar, unsigned count, STENCIL_EMU_SITE)
{
	stencil_emu_mbarrier_init(bar, count, file, line);
}

static inline void
stencil_mbarrier_fence(void)
{
}

static inline void
stencil_mbarrier_invalidate(stencil_mbarrier *bar, STENCIL_EMU_SITE)
{
	stencil_emu_mbarrier_invalidate(bar, file, line);
}

static inline void
stencil_mbarrier_arrive(stencil_mbarrier *bar, STENCIL_EMU_SITE)
{
	stencil_emu_mbarrier_arrive(bar, 0, 1, file, line);
}

static inline void
stencil_mbarrier_follow_copies(stencil_mbarrier *)
{
	stencil_emu_copy_commit();
	stencil_emu_copy_wait(0);
}

static inline void
stencil_mbarrier_arrive_at(stencil_mbarrier *bar, unsigned rank, STENCIL_EMU_SITE)
{
	bar = (stencil_mbarrier *)stencil_emu_cluster_map(bar, rank, file, line);
	stencil_emu_mbarrier_arrive(bar, 0, 1, file, line);
}

static inline void
stencil_mbarrier_expect(stencil_mbarrier *bar, unsigned bytes, STENCIL_EMU_SITE)
{
	stencil_emu_mbarrier_arrive(bar, bytes, 0, file, line);
}

static inline void
stencil_mbarrier_arrive_expect(stencil_mbarrier *bar, unsigned bytes, STENCIL_EMU_SITE)
{
	stencil_emu_mbarrier_arrive(bar, bytes, 1, file, line);
}

static inline bool
stencil_mbarrier_test(stencil_mbarrier *bar, unsigned parity, STENCIL_EMU_SITE)
{
	return stencil_emu_mbarrier_test(bar, parity, file, line) != 0;
}

static inline void
stencil_mbarrier_wait(stencil_mbarrier *bar, unsigned parity, STENCIL_EMU_SITE)
{
	stencil_emu_mbarrier_wait(bar, parity, file, line);
}

static inline void
stencil_mbarrier_wait_cluster(stencil_mbarrier *bar, unsigned parity, STENCIL_EMU_SITE)
{
	stencil_emu_mbarrier_wait(bar, parity, file, line);
}

#else

static __device__ __forceinline__ unsigned
stencil_mbarrier_address(const stencil_mbarrier *bar)
{
	return (unsigned)__cvta_generic_to_shared(bar);
}

static __device__ __forceinline__ void
stencil_mbarrier_init(stencil_mbarrier *bar, unsigned count)
{
	asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
		:: "r"(stencil_mbarrier_address(bar)), "r"(count) : "memory");
}

/* Shows what this thread initialised to the copy engine and the cluster. */
static __device__ __forceinline__ void
stencil_mbarrier_fence(void)
{
#if STENCIL_ARCH >= 900
	asm volatile("fence.mbarrier_init.release.cluster;\n\t"
		"fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/* Its memory may be used otherwise. */
static __device__ __forceinline__ void
stencil_mbarrier_invalidate(stencil_mbarrier *bar)
{
	asm volatile("mbarrier.inval.shared::cta.b64 [%0];"
		:: "r"(stencil_mbarrier_address(bar)) : "memory");
}

static __device__ __forceinline__ void
stencil_mbarrier_arrive(stencil_mbarrier *bar)
{
	asm volatile("{\n\t"
		".reg .b64 state;\n\t"
		"mbarrier.arrive.shared::cta.b64 state, [%0];\n\t"
		"}" :: "r"(stencil_mbarrier_address(bar)) : "memory");
}

/* The phase does not end before this thread's asynchronous copies have come
 * (stencil_async.cuh); whoever arrives later ends it no sooner. */
static __device__ __forceinline__ void
stencil_mbarrier_follow_copies(stencil_mbarrier *bar)
{
	asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];"
		:: "r"(stencil_mbarrier_address(bar)) : "memory");
}

/* At the barrier that lies at this place in block RANK of the cluster. */
static __device__ __forceinline__ void
stencil_mbarrier_arrive_at(stencil_mbarrier *bar, unsigned rank)
{
	asm volatile("{\n\t"
		".reg .b32 there;\n\t"
		"mapa.shared::cluster.u32 there, %0, %1;\n\t"
		"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n\t"
		"}" :: "r"(stencil_mbarrier_address(bar)), "r"(rank) : "memory");
}

/* Announces BYTES of this phase, without arriving. */
static __device__ __forceinline__ void
stencil_mbarrier_expect(stencil_mbarrier *bar, unsigned bytes)
{
	asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
		:: "r"(stencil_mbarrier_address(bar)), "r"(bytes) : "memory");
}

static __device__ __forceinline__ void
stencil_mbarrier_arrive_expect(stencil_mbarrier *bar, unsigned bytes)
{
	asm volatile("{\n\t"
		".reg .b64 state;\n\t"
		"mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1;\n\t"
		"}" :: "r"(stencil_mbarrier_address(bar)), "r"(bytes) : "memory");
}

#if STENCIL_ARCH >= 900
#define STENCIL_TEST "mbarrier.try_wait"
#else
#define STENCIL_TEST "mbarrier.test_wait"
#endif

/* Whether the phase is over; may pause a little before it says no. */
static __device__ __forceinline__ bool
stencil_mbarrier_test(stencil_mbarrier *bar, unsigned parity)
{
	unsigned over;

	asm volatile("{\n\t"
		".reg .pred over;\n\t"
		STENCIL_TEST ".parity.shared::cta.b64 over, [%1], %2;\n\t"
		"selp.u32 %0, 1, 0, over;\n\t"
		"}" : "=r"(over) : "r"(stencil_mbarrier_address(bar)), "r"(parity) : "memory");
	return over != 0;
}

#undef STENCIL_TEST

static __device__ __forceinline__ void
stencil_mbarrier_wait(stencil_mbarrier *bar, unsigned parity)
{
	while (!stencil_mbarrier_test(bar, parity)) {
	}
}

/* Where other blocks of the cluster arrive: sees what they wrote before. */
static __device__ __forceinline__ void
stencil_mbarrier_wait_cluster(stencil_mbarrier *bar, unsigned parity)
{
	unsigned over;

	do
		asm volatile("{\n\t"
			".reg .pred over;\n\t"
			"mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
			"over, [%1], %2;\n\t"
			"selp.u32 %0, 1, 0, over;\n\t"
			"}" : "=r"(over) : "r"(stencil_mbarrier_address(bar)), "r"(parity)
			: "memory");
	while (!over);
}

#endif
#endif
