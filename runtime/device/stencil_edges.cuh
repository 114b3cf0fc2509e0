/* stencil_edges.cuh: blocks at the edges of a box before the others.
 *
 * They take longer, and who ends last says how long a launch takes: begun first, they are
 * done when the others are.  Chunks that run at once stay together, as blocks side by side
 * find in the cache what they both read.
 */
#ifndef STENCIL_EDGES_CUH
#define STENCIL_EDGES_CUH

#include <stdint.h>

typedef struct {
	int32_t x, y, z;
} stencil_block;

/* Of a rim of NX x NY blocks the one with number N. */
static __device__ __forceinline__ stencil_block
stencil_rim_block(int32_t n, int32_t nx, int32_t ny)
{
	const int32_t side = n - 2 * nx;

	if (side < 0)
		return { n % nx, n < nx ? 0 : ny - 1, 0 };
	return { side % 2 * (nx - 1), 1 + side / 2, 0 };
}

/* The block's place: of GROUP layers of blocks along z, those at the edges first.  0: where
 * the launch has it. */
static __device__ __forceinline__ stencil_block
stencil_edges_first(int32_t group)
{
	const int32_t nx = (int32_t)gridDim.x, ny = (int32_t)gridDim.y, nz = (int32_t)gridDim.z;
	stencil_block at = { (int32_t)blockIdx.x, (int32_t)blockIdx.y, (int32_t)blockIdx.z };

	if (group == 0 || nx < 3 || ny < 3)
		return at;

	const int32_t from = at.z / group * group, left = nz - from;
	const int32_t layers = left < group ? left : group;
	const int32_t rim = 2 * (nx + ny) - 4, inside = (nx - 2) * (ny - 2);
	int32_t n = at.x + nx * (at.y + ny * (at.z - from));

	if (n < rim * layers) {
		at = stencil_rim_block(n % rim, nx, ny);
		at.z = from + n / rim;
		return at;
	}
	n -= rim * layers;
	at.x = 1 + n % inside % (nx - 2);
	at.y = 1 + n % inside / (nx - 2);
	at.z = from + n / inside;
	return at;
}

#endif
