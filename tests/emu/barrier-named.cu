/* A named barrier counts one warp too many: the producers never come.
 *
 * run: none => deadlock: .*wait for each other
 */
#include "canary.h"

#include "stencil_barrier.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared();
	unsigned half = blockDim.x / 2;
	int threads = (int)blockDim.x + (bug ? 32 : 0);

	if (threadIdx.x < half) {
		tile[threadIdx.x] = in[cell()];
		tile[half + threadIdx.x] = in[cell() + half];
		stencil_barrier_arrive(1, threads);
	} else {
		stencil_barrier_sync(1, threads);
		out[cell()] = tile[threadIdx.x];
		out[cell() - half] = tile[threadIdx.x - half];
	}
}

int
main()
{
	canary(kernel, BLOCK, 1, same);
}
