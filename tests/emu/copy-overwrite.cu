/* The next row is asked for while others still read this one.
 *
 * run: none STENCIL_EMU_COPY=early STENCIL_EMU_ORDER=forward => wrong cells
 * run: none STENCIL_EMU_COPY=early STENCIL_EMU_ORDER=reverse => wrong cells
 * run: none STENCIL_EMU_COPY=late STENCIL_EMU_ORDER=shuffle:7 => wrong cells
 */
#include "canary.h"

#include "stencil_async.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	float *tile = (float *)stencil_shared(), first;

	stencil_copy4(tile + threadIdx.x, in + cell());
	stencil_copy_commit();
	stencil_copy_wait<0>();
	__syncthreads();
	first = bug ? 0 : tile[blockDim.x - 1 - threadIdx.x];
	if (!bug)
		__syncthreads();
	stencil_copy4(tile + threadIdx.x, in + (cell() + 1) % CELLS);
	stencil_copy_commit();
	if (bug)
		first = tile[blockDim.x - 1 - threadIdx.x];
	stencil_copy_wait<0>();
	out[cell()] = first;
}

int
main()
{
	canary(kernel, BLOCK, 1, mirrored);
}
