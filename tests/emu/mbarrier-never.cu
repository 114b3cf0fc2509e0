/* More bytes are announced than come.
 *
 * run: none STENCIL_EMU_COPY=early => deadlock: .*wait for each other
 * run: none STENCIL_EMU_COPY=late => deadlock: .*wait for each other
 * run: none => for an mbarrier's phase
 */
#include "canary.h"

#include "stencil_bulk.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	stencil_mbarrier *bar = (stencil_mbarrier *)stencil_shared();
	float *tile = (float *)(bar + 2);
	const unsigned bytes = BLOCK * sizeof(float);

	if (threadIdx.x == 0) {
		stencil_mbarrier_init(bar, 1);
		stencil_mbarrier_fence();
		stencil_mbarrier_arrive_expect(bar, bytes + (bug ? 16 : 0));
		stencil_bulk_load(tile, in + blockIdx.x * blockDim.x, bytes, bar);
	}
	__syncthreads();
	stencil_mbarrier_wait(bar, 0);
	out[cell()] = tile[threadIdx.x];
}

int
main()
{
	canary(kernel, BLOCK + 4, 1, same);
}
