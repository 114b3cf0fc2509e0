/* gpu.h: calls of CUDA's run-time, each checked. */
#ifndef STENCIL_GPU_H
#define STENCIL_GPU_H

#include <cuda_runtime_api.h>

#include "internal.h"

/* The status of one call; a failure's text is in CTX and names the call. */
#define CUDA(ctx, function, ...) \
	stencil_check_cuda(ctx, (int)function(__VA_ARGS__), #function)

/* A failure that nobody can be told of, and that is not to be blamed on the
 * next call either. */
static inline void
forget(cudaError_t code)
{
	if (code != cudaSuccess)
		(void)cudaGetLastError();
}

#endif
