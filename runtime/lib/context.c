/* context.c: a device, a stream and scratch memory. */
#include "internal.h"

#ifdef STENCIL_HAVE_CUDA
#include <stdint.h>
#include <stdlib.h>

#include "gpu.h"

enum { STRETCH_ALIGNMENT = 256 };

/* What CUDA says, in the words of the interface. */
static stencil_status
status_of(cudaError_t code)
{
	switch ((int)code) {
	case cudaErrorMemoryAllocation:
		return STENCIL_OUT_OF_MEMORY;
	case cudaErrorNoDevice:
	case cudaErrorInsufficientDriver:
		return STENCIL_NO_DEVICE;
	default:
		return STENCIL_CUDA_ERROR;
	}
}

/* CUDA's own memory of the error is cleared: it would be blamed on the next
 * caller who asks for it. */
stencil_status
stencil_check_cuda(stencil_context *ctx, int code, const char *what)
{
	cudaError_t error = (cudaError_t)code;

	if (error == cudaSuccess)
		return STENCIL_OK;
	(void)cudaGetLastError();
	return stencil_fail(ctx, status_of(error), "%s: %s (%s)",
		what, cudaGetErrorString(error), cudaGetErrorName(error));
}

stencil_status
stencil_enter(stencil_context *ctx, int *previous)
{
	stencil_status status;

	if (ctx == NULL)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "no context was given");
	status = CUDA(ctx, cudaGetDevice, previous);
	if (status == STENCIL_OK && *previous != ctx->device)
		status = CUDA(ctx, cudaSetDevice, ctx->device);
	return status;
}

void
stencil_leave(stencil_context *ctx, int previous)
{
	if (ctx != NULL && previous != ctx->device)
		forget(cudaSetDevice(previous));
}

/* ---- scratch memory, and mail ---- */

static stencil_status
wait(stencil_context *ctx)
{
	return CUDA(ctx, cudaStreamSynchronize, ctx->stream);
}

/* The stream has passed the last use. */
static void
stretch_release(stencil_context *ctx, Stretch *stretch)
{
	if (stretch->memory == NULL)
		return;
	if (ctx->release != NULL)
		ctx->release(ctx->user, stretch->memory);
	else
		forget(cudaFree(stretch->memory));
	*stretch = (Stretch){ NULL, 0 };
}

static stencil_status
stretch_allocate(stencil_context *ctx, Stretch *stretch, size_t bytes)
{
	void *memory = NULL;

	if (ctx->allocate == NULL) {
		stencil_status status = CUDA(ctx, cudaMalloc, &memory, bytes);

		if (status != STENCIL_OK)
			return status;
	} else {
		memory = ctx->allocate(ctx->user, bytes);
		if (memory == NULL)
			return stencil_fail(ctx, STENCIL_OUT_OF_MEMORY,
				"the allocator of the context has no %zu bytes", bytes);
		if ((uintptr_t)memory % STRETCH_ALIGNMENT != 0) {
			ctx->release(ctx->user, memory);
			return stencil_fail(ctx, STENCIL_BAD_ARGUMENT,
				"the allocator of the context gave memory not aligned to %d bytes",
				STRETCH_ALIGNMENT);
		}
	}
	*stretch = (Stretch){ memory, bytes };
	return STENCIL_OK;
}

/* Waits only where there is something to give back. */
static stencil_status
stretch_grow(stencil_context *ctx, Stretch *stretch, size_t bytes)
{
	if (stretch->memory != NULL) {
		stencil_status status = wait(ctx);

		if (status != STENCIL_OK)
			return status;
		stretch_release(ctx, stretch);
	}
	return stretch_allocate(ctx, stretch, bytes);
}

/* STRETCH is one of the context's. */
static stencil_status
stretch_reserve(stencil_context *ctx, Stretch *stretch, size_t bytes)
{
	stencil_status status;
	int previous;

	if (ctx != NULL && bytes <= stretch->size)
		return STENCIL_OK;
	status = stencil_enter(ctx, &previous);
	if (status != STENCIL_OK)
		return status;
	status = stretch_grow(ctx, stretch, bytes);
	stencil_leave(ctx, previous);
	return status;
}

stencil_status
stencil_context_reserve(stencil_context *ctx, size_t bytes)
{
	return stretch_reserve(ctx, ctx != NULL ? &ctx->scratch : NULL, bytes);
}

stencil_status
stencil_scratch(stencil_context *ctx, size_t bytes, void **memory)
{
	stencil_status status = stencil_context_reserve(ctx, bytes);

	*memory = status == STENCIL_OK ? ctx->scratch.memory : NULL;
	return status;
}

stencil_status
stencil_mail_memory(stencil_context *ctx, size_t bytes, void **memory)
{
	stencil_status status = stretch_reserve(ctx, ctx != NULL ? &ctx->mail : NULL, bytes);

	*memory = status == STENCIL_OK ? ctx->mail.memory : NULL;
	return status;
}

stencil_status
stencil_context_set_allocator(stencil_context *ctx,
	stencil_allocate_fn allocate, stencil_release_fn release, void *user)
{
	stencil_status status;
	int previous;

	if ((allocate == NULL) != (release == NULL))
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT,
			"an allocator needs both functions, or neither");
	status = stencil_enter(ctx, &previous);
	if (status != STENCIL_OK)
		return status;
	status = wait(ctx);
	if (status == STENCIL_OK) {
		stretch_release(ctx, &ctx->scratch);
		stretch_release(ctx, &ctx->mail);
		ctx->allocate = allocate;
		ctx->release = release;
		ctx->user = user;
	}
	stencil_leave(ctx, previous);
	return status;
}

/* ---- the stream ---- */

/* What is asked of STREAM from now on waits for what OTHER has to do. */
static stencil_status
follow(stencil_context *ctx, cudaStream_t stream, cudaStream_t other)
{
	cudaEvent_t event;
	stencil_status status = CUDA(ctx, cudaEventCreateWithFlags, &event, cudaEventDisableTiming);

	if (status != STENCIL_OK)
		return status;
	status = CUDA(ctx, cudaEventRecord, event, other);
	if (status == STENCIL_OK)
		status = CUDA(ctx, cudaStreamWaitEvent, stream, event, 0);
	forget(cudaEventDestroy(event));
	return status;
}

stencil_status
stencil_context_set_stream(stencil_context *ctx, void *stream)
{
	stencil_status status;
	int previous;

	status = stencil_enter(ctx, &previous);
	if (status != STENCIL_OK)
		return status;

	cudaStream_t next = stream != NULL ? (cudaStream_t)stream : ctx->own;

	/* it must not overtake what the old one still does with the scratch memory */
	if (next != ctx->stream)
		status = follow(ctx, next, ctx->stream);
	if (status == STENCIL_OK)
		ctx->stream = next;
	stencil_leave(ctx, previous);
	return status;
}

void *
stencil_context_stream(const stencil_context *ctx)
{
	return ctx != NULL ? ctx->stream : NULL;
}

stencil_status
stencil_beside_begin(stencil_context *ctx)
{
	stencil_status status = STENCIL_OK;

	if (ctx->beside == NULL)
		status = CUDA(ctx, cudaStreamCreateWithFlags, &ctx->beside, cudaStreamNonBlocking);
	return status == STENCIL_OK ? follow(ctx, ctx->beside, ctx->stream) : status;
}

void
stencil_beside_turn(stencil_context *ctx)
{
	cudaStream_t stream = ctx->stream;

	ctx->stream = ctx->beside;
	ctx->beside = stream;
}

stencil_status
stencil_beside_end(stencil_context *ctx)
{
	return follow(ctx, ctx->stream, ctx->beside);
}

int
stencil_context_device(const stencil_context *ctx)
{
	return ctx != NULL ? ctx->device : -1;
}

stencil_status
stencil_context_synchronize(stencil_context *ctx)
{
	int previous;
	stencil_status status = stencil_enter(ctx, &previous);

	if (status != STENCIL_OK)
		return status;
	status = wait(ctx);
	stencil_leave(ctx, previous);
	return status;
}

/* ---- from beginning to end ---- */

stencil_status
stencil_context_create(stencil_context **made, int device)
{
	stencil_context *ctx;
	stencil_status status;
	int previous;

	*made = NULL;
	status = rt_device_check(device);
	if (status != STENCIL_OK)
		return status;
	ctx = calloc(1, sizeof *ctx);
	if (ctx == NULL)
		return stencil_fail(NULL, STENCIL_OUT_OF_MEMORY, "no memory for a context");
	ctx->device = device;
	status = stencil_enter(ctx, &previous);
	if (status == STENCIL_OK) {
		status = CUDA(ctx, cudaStreamCreateWithFlags, &ctx->own, cudaStreamNonBlocking);
		stencil_leave(ctx, previous);
	}
	if (status != STENCIL_OK) {
		stencil_fail(NULL, status, "%s", ctx->error);
		free(ctx);
		return status;
	}
	ctx->stream = ctx->own;
	*made = ctx;
	return STENCIL_OK;
}

/* Goes on whatever fails: after a fault CUDA refuses all calls, and there is
 * nobody to tell. */
void
stencil_context_destroy(stencil_context *ctx)
{
	int previous;

	if (ctx == NULL)
		return;
	if (stencil_enter(ctx, &previous) != STENCIL_OK)
		previous = ctx->device;
	(void)wait(ctx);
	stretch_release(ctx, &ctx->scratch);
	stretch_release(ctx, &ctx->mail);
	rt_posts_free(ctx);
	if (ctx->beside != NULL)
		forget(cudaStreamDestroy(ctx->beside));
	forget(cudaStreamDestroy(ctx->own));
	stencil_leave(ctx, previous);
	free(ctx);
}

#endif
