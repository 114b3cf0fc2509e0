/* A lane is read whose thread has ended.
 *
 * run: none => reads lane .*has ended
 */
#include "canary.h"

#include "stencil_warp.cuh"

static __global__ void
kernel(const float *in, float *out)
{
	float value = in[cell()];

	out[cell()] = value;
	if (bug && stencil_lane() >= 16)
		return;
	out[cell()] = stencil_shuffle_down(value, 1);
}

static float
expect(unsigned i)
{
	return i % 32 < 31 ? input(i + 1) : input(i);
}

int
main()
{
	canary(kernel, 0, 1, expect);
}
