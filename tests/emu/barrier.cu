/* A barrier is missing between writing and reading shared memory.
 *
 * run: thread => ThreadSanitizer: data race
 * run: none STENCIL_EMU_ORDER=forward => wrong cells
 * run: none STENCIL_EMU_ORDER=reverse => wrong cells
 * run: none STENCIL_EMU_ORDER=shuffle:1 => wrong cells
 */
#include "canary.h"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared();

	tile[threadIdx.x] = in[cell()];
	if (!bug)
		__syncthreads();
	out[cell()] = tile[blockDim.x - 1 - threadIdx.x];
}

int
main()
{
	canary(kernel, BLOCK, 1, mirrored);
}
