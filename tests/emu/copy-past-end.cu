/* A copy reads past the end of the field.
 *
 * run: address STENCIL_EMU_COPY=early => an asynchronous copy reads .*not all of them allocated
 * run: address STENCIL_EMU_COPY=late => an asynchronous copy reads .*not all of them allocated
 */
#include "canary.h"

#include "stencil_async.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared();
	bool inside = cell() + 1 < CELLS;

	stencil_copy4_or_zero(tile + threadIdx.x, in + cell() + 1, bug || inside);
	stencil_copy_commit();
	stencil_copy_wait<0>();
	__syncthreads();
	out[cell()] = tile[threadIdx.x];
}

static float
expect(unsigned i)
{
	return i + 1 < CELLS ? input(i + 1) : 0;
}

int
main()
{
	canary(kernel, BLOCK, 1, expect);
}
