/* A row is loaded in bulk where the last one is still being read.
 *
 * run: thread => ThreadSanitizer: data race
 * run: none STENCIL_EMU_COPY=late STENCIL_EMU_ORDER=forward => wrong cells
 * run: none STENCIL_EMU_COPY=early STENCIL_EMU_ORDER=forward => wrong cells
 */
#include "canary.h"

#include "stencil_bulk.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	stencil_mbarrier *bar = (stencil_mbarrier *)stencil_shared();
	float *tile = (float *)(bar + 2), sum = 0;
	const unsigned bytes = BLOCK * sizeof(float), first = blockIdx.x * BLOCK;

	if (threadIdx.x == 0) {
		stencil_mbarrier_init(bar, 1);
		stencil_mbarrier_fence();
		stencil_mbarrier_arrive_expect(bar, bytes);
		stencil_bulk_load(tile, in + first, bytes, bar);
	}
	__syncthreads();
	stencil_mbarrier_wait(bar, 0);
	if (!bug)
		sum = tile[threadIdx.x];
	__syncthreads();
	if (threadIdx.x == 0) {
		stencil_mbarrier_arrive_expect(bar, bytes);
		stencil_bulk_load(tile, in + (first + BLOCK) % CELLS, bytes, bar);
	}
	__syncwarp();
	if (bug)
		sum = tile[threadIdx.x];
	stencil_mbarrier_wait(bar, 1);
	out[cell()] = sum;
}

int
main()
{
	canary(kernel, BLOCK + 4, 1, same);
}
