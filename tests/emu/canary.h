/* canary.h: one launch of a canary's kernel, and its cells against what they
 * should be.
 *
 * A canary is a kernel with a bug where BUG is defined, and none where it is
 * not.  Its "run:" lines say what the bug has to look like (see run).
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

#include "stencil_shared.cuh"

#ifdef BUG
enum { bug = 1 };
#else
enum { bug = 0 };
#endif

/* So few that TSan remembers every thread: some keep no more than 256. */
enum { BLOCK = 64, BLOCKS = 2, CELLS = BLOCK * BLOCKS };

static inline unsigned
cell()
{
	return blockIdx.x * blockDim.x + threadIdx.x;
}

typedef void Kernel(const float *in, float *out);

/* What cell I of the input holds. */
static inline float
input(unsigned i)
{
	return (float)(5 * i % 101);
}

/* Runs KERNEL with SHARED floats of shared memory, in clusters of CLUSTER; exits
 * with 1 if a cell is not what EXPECT says, or CUDA fails. */
static inline void
canary(Kernel *kernel, unsigned shared, unsigned cluster, float (*expect)(unsigned i))
{
	float *in, *out, result[CELLS];
	cudaLaunchAttribute attribute = {};
	cudaLaunchConfig_t config = {};
	cudaError_t error;
	int wrong = 0;

	for (unsigned i = 0; i < CELLS; i++)
		result[i] = input(i);
	cudaMalloc(&in, sizeof result);
	cudaMalloc(&out, sizeof result);
	cudaMemcpy(in, result, sizeof result, cudaMemcpyHostToDevice);
	attribute.id = cudaLaunchAttributeClusterDimension;
	attribute.val.clusterDim = { cluster, 1, 1 };
	config.gridDim = dim3(BLOCKS);
	config.blockDim = dim3(BLOCK);
	config.dynamicSmemBytes = shared * sizeof(float);
	config.attrs = &attribute;
	config.numAttrs = cluster > 1;
	error = cudaLaunchKernelEx(&config, kernel, in, out);
	cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
	cudaFree(in);
	cudaFree(out);
	if (error != cudaSuccess) {
		fprintf(stderr, "launch: %s\n", cudaGetErrorString(error));
		exit(1);
	}
	for (unsigned i = 0; i < CELLS; i++)
		wrong += !(result[i] == expect(i));
	if (wrong) {
		fprintf(stderr, "%d wrong cells\n", wrong);
		exit(1);
	}
}

/* ---- what most kernels compute ---- */

static inline float
mirrored(unsigned i)
{
	return input(i / BLOCK * BLOCK + BLOCK - 1 - i % BLOCK);
}

static inline float
same(unsigned i)
{
	return input(i);
}

static inline float
of_next_block(unsigned i)
{
	return input((i + BLOCK) % CELLS);
}
