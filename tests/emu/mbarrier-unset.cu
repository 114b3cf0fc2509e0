/* An mbarrier is used that nobody initialised.
 *
 * run: none => no mbarrier was initialised
 */
#include "canary.h"

#include "stencil_mbarrier.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	stencil_mbarrier *bar = (stencil_mbarrier *)stencil_shared();

	if (!bug && threadIdx.x == 0)
		stencil_mbarrier_init(bar, BLOCK);
	__syncthreads();
	stencil_mbarrier_arrive(bar);
	stencil_mbarrier_wait(bar, 0);
	out[cell()] = in[cell()];
}

int
main()
{
	canary(kernel, 4, 1, same);
}
