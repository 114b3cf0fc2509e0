/* Threads that end leave their stack to those that begin: what they both write there is
 * no race, but the cell that all blocks write is one.
 *
 * run: thread => ThreadSanitizer: data race
 */
#include "canary.h"

/* By way of an array that is not in registers. */
static __device__ __attribute__((noinline)) float
turned(volatile float *cells, float value)
{
	for (int i = 0; i < 16; i++)
		cells[i] = i == 0 ? value : cells[i - 1];
	return cells[15];
}

static __global__ void
kernel(const float *in, float *out)
{
	volatile float cells[16];

	out[cell()] = turned(cells, in[cell()]);
	if (bug && threadIdx.x == 0)
		out[0] = in[0];
}

int
main()
{
	canary(kernel, 0, 1, same);
}
