/* The cluster's barrier is arrived at and not waited for.
 *
 * run: none => arrives twice at the cluster's barrier
 */
#include "canary.h"

#include "stencil_cluster.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared();
	unsigned next = (stencil_cluster_rank() + 1) % stencil_cluster_size();

	tile[threadIdx.x] = in[cell()];
	stencil_cluster_arrive();
	if (!bug)
		stencil_cluster_wait();
	out[cell()] = stencil_cluster_map(tile, next)[threadIdx.x];
	stencil_cluster_sync();
}

int
main()
{
	canary(kernel, BLOCK, BLOCKS, of_next_block);
}
