/* A buffer is used again without a barrier between: right in most orders.
 *
 * run: thread => ThreadSanitizer: data race
 */
#include "canary.h"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared(), sum = 0;

	for (int pass = 0; pass < 2; pass++) {
		tile[threadIdx.x] = in[cell()] * (float)pass;
		__syncthreads();
		sum += tile[blockDim.x - 1 - threadIdx.x];
		if (!bug)
			__syncthreads();
	}
	out[cell()] = sum;
}

int
main()
{
	canary(kernel, BLOCK, 1, mirrored);
}
