/* One cell too many is written.
 *
 * run: address => AddressSanitizer: heap-buffer-overflow
 */
#include "canary.h"

static __global__ void
kernel(const float *in, float *out)
{
	out[cell()] = in[cell()];
	if (bug && cell() == CELLS - 1)
		out[cell() + 1] = 0;
}

int
main()
{
	canary(kernel, 0, 1, same);
}
