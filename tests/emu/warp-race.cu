/* Lanes exchange through shared memory without __syncwarp.
 *
 * run: thread => ThreadSanitizer: data race
 */
#include "canary.h"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared();

	tile[threadIdx.x] = in[cell()];
	if (!bug)
		__syncwarp();
	out[cell()] = tile[threadIdx.x ^ 1];
}

static float
expect(unsigned i)
{
	return input(i ^ 1);
}

int
main()
{
	canary(kernel, BLOCK, 1, expect);
}
