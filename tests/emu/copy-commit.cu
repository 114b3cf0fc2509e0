/* The copies are never made a group, so the wait waits for nothing.
 *
 * run: none STENCIL_EMU_COPY=early => asynchronous copies: .*never committed
 * run: none STENCIL_EMU_COPY=late => asynchronous copies: .*never committed
 */
#include "canary.h"

#include "stencil_async.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared();

	stencil_copy4(tile + threadIdx.x, in + cell());
	if (!bug)
		stencil_copy_commit();
	stencil_copy_wait<0>();
	__syncthreads();
	out[cell()] = tile[blockDim.x - 1 - threadIdx.x];
}

int
main()
{
	canary(kernel, BLOCK, 1, mirrored);
}
