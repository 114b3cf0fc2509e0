/* stencil_bulk.cuh: the copy engine moves rows of bytes; one thread asks it to.
 * Compute capability 9.0.
 *
 * Addresses are aligned to 16 and sizes are multiples of 16.  What comes into
 * shared memory is heard of by an mbarrier that was told to expect the bytes.
 * What goes out is committed in groups and waited for by the thread that asked;
 * ordinary stores to shared memory need stencil_bulk_fence() by each thread that
 * made them, then a barrier, before the engine may read them.
 */
#ifndef STENCIL_BULK_CUH
#define STENCIL_BULK_CUH

#include "stencil_async.cuh"
#include "stencil_mbarrier.cuh"

#ifdef STENCIL_EMULATED

static inline void
stencil_bulk_load(void *shared, const void *global, unsigned bytes, stencil_mbarrier *bar,
	STENCIL_EMU_SITE)
{
	stencil_emu_bulk_load(shared, global, bytes, bar, file, line);
}

static inline void
stencil_bulk_send(void *shared, const void *from, unsigned bytes, stencil_mbarrier *bar,
	unsigned rank, STENCIL_EMU_SITE)
{
	shared = stencil_emu_cluster_map(shared, rank, file, line);
	bar = (stencil_mbarrier *)stencil_emu_cluster_map(bar, rank, file, line);
	stencil_emu_bulk_load(shared, from, bytes, bar, file, line);
}

static inline void
stencil_bulk_store(void *global, const void *shared, unsigned bytes, STENCIL_EMU_SITE)
{
	stencil_emu_bulk_store(global, shared, bytes, file, line);
}

static inline void
stencil_bulk_store_once(void *global, const void *shared, unsigned bytes, STENCIL_EMU_SITE)
{
	stencil_emu_bulk_store(global, shared, bytes, file, line);
}

static inline void
stencil_bulk_commit(void)
{
	stencil_emu_bulk_commit();
}

template <int keep>
static inline void
stencil_bulk_wait_read(void)
{
	stencil_emu_bulk_wait(keep, 1);
}

template <int keep>
static inline void
stencil_bulk_wait(void)
{
	stencil_emu_bulk_wait(keep, 0);
}

static inline void
stencil_bulk_fence(void)
{
}

#else

static __device__ __forceinline__ void
stencil_bulk_load(void *shared, const void *global, unsigned bytes, stencil_mbarrier *bar)
{
	unsigned at = (unsigned)__cvta_generic_to_shared(shared);

	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
		"[%0], [%1], %2, [%3];"
		:: "r"(at), "l"(global), "r"(bytes), "r"(stencil_mbarrier_address(bar)) : "memory");
}

/* From this block's shared memory to the place SHARED in block RANK's, whose
 * mbarrier at BAR's place hears of it. */
static __device__ __forceinline__ void
stencil_bulk_send(void *shared, const void *from, unsigned bytes, stencil_mbarrier *bar,
	unsigned rank)
{
	unsigned at = (unsigned)__cvta_generic_to_shared(shared);
	unsigned source = (unsigned)__cvta_generic_to_shared(from);

	asm volatile("{\n\t"
		".reg .b32 there, bar;\n\t"
		"mapa.shared::cluster.u32 there, %0, %4;\n\t"
		"mapa.shared::cluster.u32 bar, %3, %4;\n\t"
		"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
		"[there], [%1], %2, [bar];\n\t"
		"}" :: "r"(at), "r"(source), "r"(bytes), "r"(stencil_mbarrier_address(bar)),
		"r"(rank) : "memory");
}

static __device__ __forceinline__ void
stencil_bulk_store(void *global, const void *shared, unsigned bytes)
{
	unsigned at = (unsigned)__cvta_generic_to_shared(shared);

	asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
		:: "l"(global), "r"(at), "r"(bytes) : "memory");
}

/* What nobody reads again for a while. */
static __device__ __forceinline__ void
stencil_bulk_store_once(void *global, const void *shared, unsigned bytes)
{
	unsigned at = (unsigned)__cvta_generic_to_shared(shared);

	asm volatile("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint "
		"[%0], [%1], %2, %3;"
		:: "l"(global), "r"(at), "r"(bytes), "l"(stencil_copy_first_out()) : "memory");
}

/* Makes a group of the stores since the last one. */
static __device__ __forceinline__ void
stencil_bulk_commit(void)
{
	asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/* Until the engine has read all but the KEEP youngest groups: their place in
 * shared memory is free again. */
template <int keep>
static __device__ __forceinline__ void
stencil_bulk_wait_read(void)
{
	asm volatile("cp.async.bulk.wait_group.read %0;" :: "n"(keep) : "memory");
}

/* Until all but the KEEP youngest groups are in global memory. */
template <int keep>
static __device__ __forceinline__ void
stencil_bulk_wait(void)
{
	asm volatile("cp.async.bulk.wait_group %0;" :: "n"(keep) : "memory");
}

static __device__ __forceinline__ void
stencil_bulk_fence(void)
{
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

#endif
#endif
