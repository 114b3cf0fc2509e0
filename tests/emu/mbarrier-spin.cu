/* The same, in a loop of tests.
 *
 * run: none => deadlock: .*wait for each other
 */
#include "canary.h"

#include "stencil_mbarrier.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	stencil_mbarrier *bar = (stencil_mbarrier *)stencil_shared();

	if (threadIdx.x == 0) {
		stencil_mbarrier_init(bar, BLOCK + bug);
		stencil_mbarrier_fence();
	}
	__syncthreads();
	stencil_mbarrier_arrive(bar);
	while (!stencil_mbarrier_test(bar, 0)) {
	}
	out[cell()] = in[cell()];
}

int
main()
{
	canary(kernel, 4, 1, same);
}
