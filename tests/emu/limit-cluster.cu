/* A cluster that the grid is no multiple of.
 *
 * run: none => launch: Invalid cluster size
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
	canary(kernel, 0, bug ? 3 : 2, same);
}
