/* CUDA's own vectors are aligned too.
 *
 * run: undefined => misaligned address
 */
#include "canary.h"

static __global__ void
kernel(const float *in, float *out)
{
	if (threadIdx.x % 4 == 0) {
		const float4 *from = (const float4 *)(in + cell() + (bug && cell() + 4 < CELLS));

		*(float4 *)(out + cell()) = make_float4(from->x, from->y, from->z, from->w);
	}
}

int
main()
{
	canary(kernel, 0, 1, same);
}
