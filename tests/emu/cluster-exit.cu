/* A block ends while its neighbours may still read its shared memory.
 *
 * run: none STENCIL_EMU_ORDER=forward => cluster: block [0-9]* ends while
 * run: none => cluster: block [0-9]* (ends while|has ended)
 * run: address => cluster: block [0-9]* (ends while|has ended)
 */
#include "canary.h"

#include "stencil_cluster.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared(), *there;
	unsigned next = (stencil_cluster_rank() + 1) % stencil_cluster_size();

	tile[threadIdx.x] = in[cell()];
	stencil_cluster_sync();
	there = stencil_cluster_map(tile, next);
	__syncthreads();
	out[cell()] = there[threadIdx.x];
	if (!bug)
		stencil_cluster_sync();
}

int
main()
{
	canary(kernel, BLOCK, BLOCKS, of_next_block);
}
