/* A tile is one element wider than the shared memory it lies in.
 *
 * run: address => AddressSanitizer: heap-buffer-overflow
 */
#include "canary.h"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared();

	for (unsigned i = threadIdx.x; i < BLOCK + 2 + bug; i += blockDim.x)
		tile[i] = in[(blockIdx.x * blockDim.x + i) % CELLS];
	__syncthreads();
	out[cell()] = tile[threadIdx.x];
}

int
main()
{
	canary(kernel, BLOCK + 2, 1, same);
}
