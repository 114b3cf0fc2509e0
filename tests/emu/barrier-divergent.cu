/* Only some threads come to a barrier.
 *
 * run: none => divergent barrier: .*others of the block at
 * run: address => divergent barrier: .*others of the block at
 */
#include "canary.h"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared();

	tile[threadIdx.x] = in[cell()];
	if (bug && threadIdx.x < 16)
		__syncthreads();
	__syncthreads();
	out[cell()] = tile[blockDim.x - 1 - threadIdx.x];
}

int
main()
{
	canary(kernel, BLOCK, 1, mirrored);
}
