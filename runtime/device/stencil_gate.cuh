/* stencil_gate.cuh: barriers in two halves, turn after turn.
 *
 * Warps arrive and go on, and wait later: each for the turn before, by its parity.
 * What a warp wrote to shared memory before it arrived is seen by those that waited.
 * Whole warps call all of them.
 */
#ifndef STENCIL_GATE_CUH
#define STENCIL_GATE_CUH

#include "stencil_mbarrier.cuh"
#include "stencil_warp.cuh"

#ifdef STENCIL_EMULATED
#define STENCIL_GATE_FN static inline
#else
#define STENCIL_GATE_FN static __device__ __forceinline__
#endif

/* compute-sanitizer's racecheck does not see that a lane passes on what its warp has
 * written: for it all of them arrive. */
#ifdef STENCIL_RACECHECK
#define STENCIL_GATE_LANES 32
#else
#define STENCIL_GATE_LANES 1
#endif

/* N gates, at each of which WARPS warps arrive in a turn; all threads call it. */
STENCIL_GATE_FN void
stencil_gate_open(stencil_mbarrier *gates, unsigned n, unsigned warps)
{
	if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
		for (unsigned i = 0; i < n; i++)
			stencil_mbarrier_init(gates + i, warps * STENCIL_GATE_LANES);
		stencil_mbarrier_fence();
	}
	__syncthreads();
}

STENCIL_GATE_FN void
stencil_gate_arrive(stencil_mbarrier *gate)
{
	stencil_syncwarp();
	if (stencil_lane() < STENCIL_GATE_LANES)
		stencil_mbarrier_arrive(gate);
}

/* Lanes leave the loop together: the code behind it stays the warp's. */
STENCIL_GATE_FN void
stencil_gate_wait(stencil_mbarrier *gate, unsigned parity)
{
#ifdef STENCIL_EMULATED
	stencil_mbarrier_wait(gate, parity);
#else
	while (!stencil_all(stencil_mbarrier_test(gate, parity))) {
	}
#endif
}

#undef STENCIL_GATE_FN
#endif
