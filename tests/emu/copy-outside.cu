/* A copy brings more than there is.
 *
 * run: none => an asynchronous copy to .*outside the block's shared memory
 */
#include "canary.h"

#include "stencil_async.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared();

	stencil_copy4(tile + threadIdx.x + bug, in + cell());
	stencil_copy_commit();
	stencil_copy_wait<0>();
	__syncthreads();
	out[cell()] = tile[threadIdx.x + bug];
}

int
main()
{
	canary(kernel, BLOCK, 1, same);
}
