/* Half a warp does not come to a shuffle that names all of it.
 *
 * run: none => in __shfl_xor_sync
 * run: none => deadlock: .*wait for each other
 */
#include "canary.h"

#include "stencil_warp.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	float value = in[cell()];

	if (!bug || stencil_lane() < 16)
		value = stencil_shuffle_xor(value, 1);
	__syncthreads();
	out[cell()] = value;
}

static float
expect(unsigned i)
{
	return input(i ^ 1);
}

int
main()
{
	canary(kernel, 0, 1, expect);
}
