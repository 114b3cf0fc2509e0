/* memory.c: device memory, and copies in the order of the context's stream. */
#include "internal.h"

#ifdef STENCIL_HAVE_CUDA
#include "gpu.h"

stencil_status
stencil_malloc(stencil_context *ctx, void **memory, size_t bytes)
{
	int previous;
	stencil_status status = stencil_enter(ctx, &previous);

	*memory = NULL;
	if (status != STENCIL_OK)
		return status;
	if (bytes > 0)
		status = CUDA(ctx, cudaMalloc, memory, bytes);
	if (status != STENCIL_OK)
		*memory = NULL;
	stencil_leave(ctx, previous);
	return status;
}

/* Which device is current does not matter: an address says whose it is. */
void
stencil_free(stencil_context *ctx, void *memory)
{
	if (memory != NULL)
		(void)CUDA(ctx, cudaFree, memory);
}

/* Waits, so that the host's side is free, or filled, on return. */
static stencil_status
copy(stencil_context *ctx, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
	int previous;
	stencil_status status = stencil_enter(ctx, &previous);

	if (status != STENCIL_OK)
		return status;
	if (bytes > 0 && (to == NULL || from == NULL))
		status = stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "a copy of a null pointer");
	else if (bytes > 0)
		status = CUDA(ctx, cudaMemcpyAsync, to, from, bytes, kind, ctx->stream);
	if (status == STENCIL_OK)
		status = CUDA(ctx, cudaStreamSynchronize, ctx->stream);
	stencil_leave(ctx, previous);
	return status;
}

stencil_status
stencil_upload(stencil_context *ctx, void *device, const void *host, size_t bytes)
{
	return copy(ctx, device, host, bytes, cudaMemcpyHostToDevice);
}

stencil_status
stencil_download(stencil_context *ctx, void *host, const void *device, size_t bytes)
{
	return copy(ctx, host, device, bytes, cudaMemcpyDeviceToHost);
}

stencil_status
stencil_fill(stencil_context *ctx, void *device, int byte, size_t bytes)
{
	int previous;
	stencil_status status = stencil_enter(ctx, &previous);

	if (status != STENCIL_OK)
		return status;
	if (bytes > 0 && device == NULL)
		status = stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "a null pointer is to be filled");
	else if (bytes > 0)
		status = CUDA(ctx, cudaMemsetAsync, device, byte, bytes, ctx->stream);
	stencil_leave(ctx, previous);
	return status;
}

#endif
