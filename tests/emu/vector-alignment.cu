/* Four cells at once from an address that is not a multiple of 16.
 *
 * run: none => a vector of 16 bytes at .*not aligned
 */
#include "canary.h"

#include "stencil_vector.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	if (threadIdx.x % 4 == 0) {
		unsigned shift = bug && cell() + 4 < CELLS ? 1 : 0;

		stencil_store(out + cell(), stencil_load<float, 4>(in + cell() + shift));
	}
}

int
main()
{
	canary(kernel, 0, 1, same);
}
