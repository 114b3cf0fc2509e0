/* A ring of two rows: the second time round the wrong parity is waited for, and
 * it is over already.
 *
 * run: none STENCIL_EMU_COPY=late => wrong cells
 */
#include "canary.h"

#include "stencil_bulk.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	stencil_mbarrier *bar = (stencil_mbarrier *)stencil_shared();
	float *tile = (float *)(bar + 2), sum = 0;
	const unsigned bytes = BLOCK * sizeof(float);

	if (threadIdx.x == 0) {
		stencil_mbarrier_init(bar, 1);
		stencil_mbarrier_fence();
	}
	__syncthreads();
	for (unsigned phase = 0; phase < 2; phase++) {
		if (threadIdx.x == 0) {
			stencil_mbarrier_arrive_expect(bar, bytes);
			stencil_bulk_load(tile, in + blockIdx.x * blockDim.x, bytes, bar);
		}
		__syncthreads();
		stencil_mbarrier_wait(bar, bug ? 0 : phase % 2);
		sum += tile[threadIdx.x] * (float)phase;
		__syncthreads();
	}
	stencil_mbarrier_wait(bar, 1);
	out[cell()] = sum;
}

int
main()
{
	canary(kernel, BLOCK + 4, 1, same);
}
