/* More shared memory than a kernel may have without asking first.
 *
 * run: none => launch: invalid argument
 */
#include "canary.h"

static __global__ void
kernel(const float *in, float *out)
{
	out[cell()] = in[cell()];
}

int
main()
{
	unsigned floats = 96 << 8;

	if (!bug)
		cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
			(int)(floats * sizeof(float)));
	canary(kernel, floats, 1, same);
}
