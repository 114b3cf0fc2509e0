/* Calls without an end, and with one.
 *
 * run: none => ^stencilemu: error: block .* thread .*: its stack of 1048576 bytes is used up
 */
#include "canary.h"

enum { DEPTH = bug ? 1 << 30 : 100 };

static __device__ __attribute__((noinline)) int
descend(volatile int *deeper)
{
	volatile int here = *deeper - 1;

	return here > 0 ? descend(&here) + 1 : 1;
}

static __global__ void
kernel(const float *in, float *out)
{
	volatile int depth = DEPTH;

	out[cell()] = in[cell()] * (float)(descend(&depth) / DEPTH);
}

int
main()
{
	canary(kernel, 0, 1, same);
}
