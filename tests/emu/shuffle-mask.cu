/* The mask names fewer lanes than call.
 *
 * run: none => __shfl_down_sync: .*mask 0x0000ffff does not name
 */
#include "canary.h"

#include "stencil_warp.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	float value = in[cell()];
	float other = stencil_shuffle_down(value, 1, bug ? 0xffffu : STENCIL_ALL_LANES);

	out[cell()] = stencil_lane() < 15 ? other : value;
}

static float
expect(unsigned i)
{
	return i % 32 < 15 ? input(i + 1) : input(i);
}

int
main()
{
	canary(kernel, 0, 1, expect);
}
