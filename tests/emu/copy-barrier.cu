/* Copies of other threads are read without a barrier after the wait.
 *
 * run: thread STENCIL_EMU_COPY=early => ThreadSanitizer: data race
 * run: thread STENCIL_EMU_COPY=late => ThreadSanitizer: data race
 */
#include "canary.h"

#include "stencil_async.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared();

	stencil_copy4(tile + threadIdx.x, in + cell());
	stencil_copy_commit();
	stencil_copy_wait<0>();
	if (!bug)
		__syncthreads();
	out[cell()] = tile[blockDim.x - 1 - threadIdx.x];
}

int
main()
{
	canary(kernel, BLOCK, 1, mirrored);
}
