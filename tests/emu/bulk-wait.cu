/* A bulk load is read before the mbarrier says it has come.
 *
 * run: none STENCIL_EMU_COPY=late => wrong cells
 * run: thread STENCIL_EMU_COPY=early => ThreadSanitizer: data race
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
		stencil_mbarrier_arrive_expect(bar, bytes);
		stencil_bulk_load(tile, in + blockIdx.x * blockDim.x, bytes, bar);
	}
	__syncthreads();
	if (!bug)
		stencil_mbarrier_wait(bar, 0);
	out[cell()] = tile[threadIdx.x];
	stencil_mbarrier_wait(bar, 0);
}

int
main()
{
	canary(kernel, BLOCK + 4, 1, same);
}
