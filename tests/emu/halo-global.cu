/* The last cell's halo is read past the end of the field.
 *
 * run: address => AddressSanitizer: heap-buffer-overflow
 */
#include "canary.h"

static __global__ void
kernel(const float *in, float *out)
{
	float right = bug || cell() + 1 < CELLS ? in[cell() + 1] : 0;

	out[cell()] = right;
}

static float
expect(unsigned i)
{
	return i + 1 < CELLS ? input(i + 1) : 0;
}

int
main()
{
	canary(kernel, 0, 1, expect);
}
