/* no-cuda.c: the calls that need a GPU, in a library built without CUDA. */
#include "internal.h"

#ifndef STENCIL_HAVE_CUDA
#include <string.h>

static stencil_status
refuse(stencil_context *ctx)
{
	return stencil_fail(ctx, STENCIL_NO_DEVICE, "this library was built without CUDA");
}

stencil_status
stencil_check_cuda(stencil_context *ctx, int code, const char *what)
{
	if (code == 0)
		return STENCIL_OK;
	return stencil_fail(ctx, STENCIL_CUDA_ERROR, "%s: CUDA error %d", what, code);
}

stencil_status
stencil_enter(stencil_context *ctx, int *previous)
{
	*previous = 0;
	return refuse(ctx);
}

void
stencil_leave(stencil_context *ctx, int previous)
{
	(void)ctx;
	(void)previous;
}

stencil_status
stencil_context_create(stencil_context **ctx, int device)
{
	(void)device;
	*ctx = NULL;
	return refuse(NULL);
}

void
stencil_context_destroy(stencil_context *ctx)
{
	(void)ctx;
}

stencil_status
stencil_context_set_stream(stencil_context *ctx, void *stream)
{
	(void)stream;
	return refuse(ctx);
}

void *
stencil_context_stream(const stencil_context *ctx)
{
	(void)ctx;
	return NULL;
}

int
stencil_context_device(const stencil_context *ctx)
{
	(void)ctx;
	return -1;
}

stencil_status
stencil_beside_begin(stencil_context *ctx)
{
	return refuse(ctx);
}

void
stencil_beside_turn(stencil_context *ctx)
{
	(void)ctx;
}

stencil_status
stencil_beside_end(stencil_context *ctx)
{
	return refuse(ctx);
}

stencil_status
stencil_context_synchronize(stencil_context *ctx)
{
	return refuse(ctx);
}

stencil_status
stencil_context_set_allocator(stencil_context *ctx,
	stencil_allocate_fn allocate, stencil_release_fn release, void *user)
{
	(void)allocate;
	(void)release;
	(void)user;
	return refuse(ctx);
}

stencil_status
stencil_context_reserve(stencil_context *ctx, size_t bytes)
{
	(void)bytes;
	return refuse(ctx);
}

stencil_status
stencil_scratch(stencil_context *ctx, size_t bytes, void **memory)
{
	(void)bytes;
	*memory = NULL;
	return refuse(ctx);
}

stencil_status
stencil_mail_memory(stencil_context *ctx, size_t bytes, void **memory)
{
	return stencil_scratch(ctx, bytes, memory);
}

stencil_status
stencil_memory_rate(stencil_context *ctx, double *rate)
{
	*rate = 0;
	return refuse(ctx);
}

stencil_status
stencil_malloc(stencil_context *ctx, void **memory, size_t bytes)
{
	(void)bytes;
	*memory = NULL;
	return refuse(ctx);
}

void
stencil_free(stencil_context *ctx, void *memory)
{
	(void)ctx;
	(void)memory;
}

stencil_status
stencil_upload(stencil_context *ctx, void *device, const void *host, size_t bytes)
{
	(void)device;
	(void)host;
	(void)bytes;
	return refuse(ctx);
}

stencil_status
stencil_download(stencil_context *ctx, void *host, const void *device, size_t bytes)
{
	return stencil_upload(ctx, host, device, bytes);
}

stencil_status
stencil_fill(stencil_context *ctx, void *device, int byte, size_t bytes)
{
	(void)device;
	(void)byte;
	(void)bytes;
	return refuse(ctx);
}

stencil_status
stencil_post_count(stencil_context *ctx, const int64_t *device, int64_t *host)
{
	(void)device;
	(void)host;
	return refuse(ctx);
}

stencil_status
stencil_timer_create(stencil_context *ctx, stencil_timer **timer)
{
	*timer = NULL;
	return refuse(ctx);
}

void
stencil_timer_destroy(stencil_timer *timer)
{
	(void)timer;
}

stencil_status
stencil_timer_start(stencil_timer *timer)
{
	(void)timer;
	return refuse(NULL);
}

stencil_status
stencil_timer_stop(stencil_timer *timer, double *seconds)
{
	(void)timer;
	*seconds = 0;
	return refuse(NULL);
}

stencil_status
stencil_device_count(int *count)
{
	*count = 0;
	return STENCIL_OK;
}

stencil_status
stencil_device_query(int device, stencil_device_info *info)
{
	(void)device;
	memset(info, 0, sizeof *info);
	return refuse(NULL);
}

#endif
