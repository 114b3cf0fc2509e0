/* A cell of the tile's halo is read and never written.
 *
 * run: none => wrong cells
 */
#include "canary.h"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared();

	tile[threadIdx.x] = in[cell()];
	if (!bug && threadIdx.x == 0)
		tile[blockDim.x] = in[(cell() + blockDim.x) % CELLS];
	__syncthreads();
	out[cell()] = tile[threadIdx.x + 1] * 0 + tile[threadIdx.x];
}

int
main()
{
	canary(kernel, BLOCK + 1, 1, same);
}
