/* stencil_relay.cuh: warps that hand stretches of memory on, which the copy engine
 * brings and takes away; before compute capability 9.0, which has it, the warp itself.
 *
 * Whole warps call all of them; one lane asks the engine.  Addresses are aligned
 * to 16 and sizes are multiples of 16.
 */
#ifndef STENCIL_RELAY_CUH
#define STENCIL_RELAY_CUH

#include "stencil_arch.cuh"
#include "stencil_gate.cuh"
#if STENCIL_ARCH >= 900
#include "stencil_bulk.cuh"
#else
#include "stencil_async.cuh"
#include "stencil_vector.cuh"
#endif

#ifdef STENCIL_EMULATED
#define STENCIL_RELAY_FN static inline
#else
#define STENCIL_RELAY_FN static __device__ __forceinline__
#endif

#if STENCIL_ARCH >= 900

/* Of one lane of the warp, always the same.  ptxas knows that it is one: where lanes are
 * told apart by number, it asks the engine in a loop over all that may want to. */
STENCIL_RELAY_FN bool
stencil_asks(void)
{
#ifdef STENCIL_EMULATED
	return stencil_lane() == 0;
#else
	unsigned asks;

	asm volatile("{\n\t"
		".reg .pred p;\n\t"
		"elect.sync _|p, 0xffffffff;\n\t"
		"selp.u32 %0, 1, 0, p;\n\t"
		"}" : "=r"(asks));
	return asks != 0;
#endif
}

/* BYTES of global memory arrive at the gate when they are in shared memory. */
STENCIL_RELAY_FN void
stencil_bring(void *shared, const void *global, unsigned bytes, stencil_mbarrier *gate)
{
	if (stencil_asks()) {
		stencil_mbarrier_arrive_expect(gate, bytes);
		stencil_bulk_load(shared, global, bytes, gate);
	} else if (STENCIL_GATE_LANES > 1) {
		stencil_mbarrier_arrive(gate);
	}
}

/* BYTES of what the next call brings to the gate. */
STENCIL_RELAY_FN void
stencil_bring_part(void *shared, const void *global, unsigned bytes, stencil_mbarrier *gate)
{
	if (stencil_asks()) {
		stencil_mbarrier_expect(gate, bytes);
		stencil_bulk_load(shared, global, bytes, gate);
	}
}

/* What the warp wrote to shared memory is what the engine reads from here on. */
STENCIL_RELAY_FN void
stencil_show(void)
{
	stencil_bulk_fence();
	stencil_syncwarp();
}

/* BYTES of shared memory, which must stay what they are until stencil_sent says so. */
STENCIL_RELAY_FN void
stencil_send(void *global, const void *shared, unsigned bytes)
{
	if (stencil_asks())
		stencil_bulk_store(global, shared, bytes);
}

/* Of what nobody reads again for a while. */
STENCIL_RELAY_FN void
stencil_send_once(void *global, const void *shared, unsigned bytes)
{
	if (stencil_asks())
		stencil_bulk_store_once(global, shared, bytes);
}

/* Until all that was sent but what lies between the last KEEP calls may change. */
template <int keep>
STENCIL_RELAY_FN void
stencil_sent(void)
{
	if (stencil_asks()) {
		stencil_bulk_commit();
		stencil_bulk_wait_read<keep>();
	}
}

#else

#if STENCIL_ARCH >= 800

STENCIL_RELAY_FN void
stencil_relay_copy(void *shared, const void *global, unsigned bytes)
{
	for (unsigned at = 16 * stencil_lane(); at < bytes; at += 16 * 32)
		stencil_copy16((char *)shared + at, (const char *)global + at);
}

#else

/* Some vectors are under way before the first is stored: each would wait for the one
 * before. */
STENCIL_RELAY_FN void
stencil_relay_copy(void *shared, const void *global, unsigned bytes)
{
	constexpr int ahead = 4;
	const unsigned *from = (const unsigned *)global, *end = from + bytes / 4;
	unsigned *to = (unsigned *)shared + 4 * stencil_lane();

	for (from += 4 * stencil_lane(); from < end; from += ahead * 128, to += ahead * 128) {
		stencil_vector<unsigned, 4> part[ahead];

		STENCIL_UNROLL
		for (int k = 0; k < ahead; k++)
			if (from + k * 128 < end)
				part[k] = stencil_load<unsigned, 4>(from + k * 128);
		STENCIL_UNROLL
		for (int k = 0; k < ahead; k++)
			if (from + k * 128 < end)
				stencil_store(to + k * 128, part[k]);
	}
}

#endif

STENCIL_RELAY_FN void
stencil_bring_part(void *shared, const void *global, unsigned bytes, stencil_mbarrier *gate)
{
	(void)gate;
	stencil_relay_copy(shared, global, bytes);
}

STENCIL_RELAY_FN void
stencil_bring(void *shared, const void *global, unsigned bytes, stencil_mbarrier *gate)
{
	stencil_relay_copy(shared, global, bytes);
	stencil_mbarrier_follow_copies(gate);
	stencil_gate_arrive(gate);
}

STENCIL_RELAY_FN void
stencil_show(void)
{
	stencil_syncwarp();
}

STENCIL_RELAY_FN void
stencil_send(void *global, const void *shared, unsigned bytes)
{
	for (unsigned at = 4 * stencil_lane(); at < bytes / 4; at += 4 * 32)
		stencil_store_global((unsigned *)global + at,
			stencil_load<unsigned, 4>((const unsigned *)shared + at));
}

STENCIL_RELAY_FN void
stencil_send_once(void *global, const void *shared, unsigned bytes)
{
	for (unsigned at = 4 * stencil_lane(); at < bytes / 4; at += 4 * 32)
		stencil_store_once((unsigned *)global + at,
			stencil_load<unsigned, 4>((const unsigned *)shared + at));
}

/* What lanes have read may change once all have come here. */
template <int keep>
STENCIL_RELAY_FN void
stencil_sent(void)
{
	stencil_syncwarp();
}

#endif

#undef STENCIL_RELAY_FN
#endif
