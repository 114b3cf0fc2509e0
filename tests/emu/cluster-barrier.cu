/* A neighbour's shared memory is read before the cluster has come together.
 *
 * run: thread => ThreadSanitizer: data race
 * run: none STENCIL_EMU_ORDER=forward => wrong cells
 */
#include "canary.h"

#include "stencil_cluster.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared();
	unsigned next = (stencil_cluster_rank() + 1) % stencil_cluster_size();

	tile[threadIdx.x] = in[cell()];
	if (bug)
		__syncthreads();
	else
		stencil_cluster_sync();
	out[cell()] = stencil_cluster_map(tile, next)[threadIdx.x];
	stencil_cluster_sync();
}

int
main()
{
	canary(kernel, BLOCK, BLOCKS, of_next_block);
}
