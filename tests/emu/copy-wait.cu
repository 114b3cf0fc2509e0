/* The wait leaves the newest group under way.
 *
 * run: none STENCIL_EMU_COPY=late => wrong cells
 */
#include "canary.h"

#include "stencil_async.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared();

	stencil_copy4(tile + threadIdx.x, in + cell());
	stencil_copy_commit();
	stencil_copy_wait<bug>();
	__syncthreads();
	out[cell()] = tile[blockDim.x - 1 - threadIdx.x];
	stencil_copy_wait<0>();
}

int
main()
{
	canary(kernel, BLOCK, 1, mirrored);
}
