/* A row that begins at the second cell is loaded in bulk.
 *
 * run: none => an asynchronous copy from .*not aligned to 16
 */
#include "canary.h"

#include "stencil_bulk.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	stencil_mbarrier *bar = (stencil_mbarrier *)stencil_shared();
	float *tile = (float *)(bar + 2);
	const unsigned bytes = (BLOCK - 4) * sizeof(float);

	if (threadIdx.x == 0) {
		stencil_mbarrier_init(bar, 1);
		stencil_mbarrier_fence();
		stencil_mbarrier_arrive_expect(bar, bytes);
		stencil_bulk_load(tile, in + blockIdx.x * blockDim.x + bug, bytes, bar);
	}
	__syncthreads();
	stencil_mbarrier_wait(bar, 0);
	out[cell()] = threadIdx.x < BLOCK - 4 ? tile[threadIdx.x] : in[cell()];
}

int
main()
{
	canary(kernel, BLOCK + 4, 1, same);
}
