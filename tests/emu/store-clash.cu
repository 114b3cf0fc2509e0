/* Two blocks write different values to the same cell, where nothing is wrong with equal values,
 * nor with atomics.
 *
 * run: none STENCIL_EMU_CLASHES=1 => blocks \(.,0,0\) and \(.,0,0\) of a launch store different
 * run: none STENCIL_EMU_CLASHES=3 => blocks \(.,0,0\) and \(.,0,0\) of a launch store different
 * run: address STENCIL_EMU_CLASHES=1 => blocks \(.,0,0\) and \(.,0,0\) of a launch store different
 */
#include "canary.h"

static __global__ void
kernel(const float *in, float *out)
{
	out[cell()] = in[cell()];
	if (threadIdx.x == 0)
		out[1] = in[1];
	if (bug && threadIdx.x == 0)
		out[2] = (float)blockIdx.x;
	atomicMax((int *)out, -1 - (int)cell() % 2);
	atomicExch((int *)out, __float_as_int(in[0]));
}

int
main()
{
	canary(kernel, 0, 1, same);
}
