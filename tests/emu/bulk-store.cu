/* The block ends while the copy engine may still read its shared memory.
 *
 * run: none STENCIL_EMU_COPY=early => bulk copies: .*never waited for
 * run: none STENCIL_EMU_COPY=late => bulk copies: .*never waited for
 */
#include "canary.h"

#include "stencil_bulk.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared();

	tile[threadIdx.x] = in[cell()];
	stencil_bulk_fence();
	__syncthreads();
	if (threadIdx.x == 0) {
		stencil_bulk_store(out + cell(), tile, BLOCK * sizeof(float));
		stencil_bulk_commit();
		if (!bug)
			stencil_bulk_wait_read<0>();
	}
}

int
main()
{
	canary(kernel, BLOCK, 1, same);
}
