/* Threads have ended while the others wait at a barrier.
 *
 * run: none => divergent barrier: .*ended
 */
#include "canary.h"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared();

	tile[threadIdx.x] = in[cell()];
	if (bug && threadIdx.x >= blockDim.x / 2)
		return;
	__syncthreads();
	out[cell()] = tile[blockDim.x - 1 - threadIdx.x];
}

int
main()
{
	canary(kernel, BLOCK, 1, mirrored);
}
