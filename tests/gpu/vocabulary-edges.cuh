/* vocabulary-edges.cuh: the part of test-vocabulary.cu that is about the order of blocks. */
#pragma once

static __global__ void
place_blocks(int group, int *out)
{
	const stencil_block at = stencil_edges_first(group);

	out[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] =
		at.x + (int)gridDim.x * (at.y + (int)gridDim.y * at.z);
}

static int
at_edge(int place, dim3 n)
{
	const int x = place % (int)n.x, y = place / (int)n.x % (int)n.y;

	return x == 0 || x == (int)n.x - 1 || y == 0 || y == (int)n.y - 1;
}

/* Places that are taken twice, or behind those of a later group or, in their own, inside ones
 * though they are at an edge; of grids without an inside, that are not where they were. */
static int
misplaced(const int *place, dim3 n, int group)
{
	const int layer = (int)(n.x * n.y), blocks = layer * (int)n.z;
	const int ordered = group > 0 && n.x > 2 && n.y > 2;
	int wrong = 0, taken[CELLS] = { 0 };

	for (int i = 0; i < blocks; i++) {
		const int in = place[i] >= 0 && place[i] < blocks;

		wrong += !in || taken[in ? place[i] : 0]++ > 0;
		if (!ordered)
			wrong += place[i] != i;
		else if (i > 0 && i % (layer * group) > 0)
			wrong += place[i] / layer / group != i / layer / group
				|| (at_edge(place[i], n) && !at_edge(place[i - 1], n));
	}
	return wrong;
}

static int
run_edges(int *out)
{
	static const dim3 grids[] = {
		{ 3, 3, 1 }, { 5, 4, 7 }, { 4, 9, 3 }, { 9, 7, 4 }, { 2, 5, 6 }, { 7, 1, 5 },
	};
	int wrong = 0, place[CELLS];

	for (const dim3 &n : grids)
		for (int group = 0; group < 5; group++) {
			const size_t bytes = n.x * n.y * n.z * sizeof(int);
			cudaLaunchConfig_t config = {};

			config.gridDim = n;
			config.blockDim = dim3(1);
			if (cudaLaunchKernelEx(&config, place_blocks, group, out) != cudaSuccess
				|| cudaMemcpy(place, out, bytes, cudaMemcpyDeviceToHost)
				!= cudaSuccess)
				return -1;
			wrong += misplaced(place, n, group);
		}
	printf("edges first: %s\n", wrong ? "wrong" : "ok");
	return wrong;
}
