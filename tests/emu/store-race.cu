/* Two blocks write the same cell.
 *
 * run: thread => ThreadSanitizer: data race
 */
#include "canary.h"

static __global__ void
kernel(const float *in, float *out)
{
	out[cell()] = in[cell()];
	if (bug && threadIdx.x == 0)
		out[0] = in[0];
}

int
main()
{
	canary(kernel, 0, 1, same);
}
