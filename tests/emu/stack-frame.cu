/* Two kernels: one whose frame is larger than its stack, so that it begins below
 * it, and one that is large but fits.
 *
 * run: none => ^stencilemu: .*: its stack of 1048576 bytes is used up
 * run: none STENCIL_EMU_STACK=983040 => its stack of 983040 bytes is used up
 */
#include "canary.h"

enum { FRAME = (bug ? 1100 : 300) << 10 };

static __global__ void
kernel(const float *in, float *out)
{
	volatile char frame[FRAME];

	frame[0] = 1;
	out[cell()] = in[cell()] * (float)frame[0];
}

int
main()
{
	canary(kernel, 0, 1, same);
}
