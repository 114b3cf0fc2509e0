/* Two blocks write different values to the same cell, in every other launch: each of two launches
 * is watched in turn.
 *
 * run: none STENCIL_EMU_CLASHES=2 => blocks \(.,0,0\) and \(.,0,0\) of a launch store different
 */
#include "canary.h"

static __global__ void
kernel(float *out, int launch)
{
	out[cell()] = (float)(10 * launch);
	if (bug && launch % 2 == 1 && threadIdx.x == 0)
		out[2] = (float)(10 * launch + 1 + (int)blockIdx.x);
}

int
main()
{
	enum { LAUNCHES = 4 };
	cudaLaunchConfig_t config = {};
	float *out;

	config.gridDim = dim3(BLOCKS);
	config.blockDim = dim3(BLOCK);
	if (cudaMalloc(&out, CELLS * sizeof *out) != cudaSuccess)
		return 1;
	for (int launch = 0; launch < LAUNCHES; launch++)
		if (cudaLaunchKernelEx(&config, kernel, out, launch) != cudaSuccess)
			return 1;
	return cudaFree(out) != cudaSuccess;
}
