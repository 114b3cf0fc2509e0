/* post.c: a count that a kernel left on the device comes to the host when the
 * stream has got there, without anyone waiting.
 *
 * The way is a copy into a pinned slot of the context and a host function that
 * hands it on.  A slot is taken by the thread that uses the context and given
 * back by CUDA's; after a few calls no new ones are needed.
 */
#include "internal.h"

#ifdef STENCIL_HAVE_CUDA
#include <stdatomic.h>
#include <stdbool.h>

#include "gpu.h"

enum { POSTS_PER_BLOCK = 64 };

typedef struct {
	int64_t value;
	int64_t *host;
	atomic_bool taken;
} Post;

struct PostBlock {
	PostBlock *next;
	Post post[POSTS_PER_BLOCK];
};

static stencil_status
add_block(stencil_context *ctx)
{
	void *memory;
	stencil_status status = CUDA(ctx, cudaMallocHost, &memory, sizeof(PostBlock));

	if (status != STENCIL_OK)
		return status;

	PostBlock *block = memory;

	for (int i = 0; i < POSTS_PER_BLOCK; i++)
		atomic_init(&block->post[i].taken, false);
	block->next = ctx->posts;
	ctx->posts = block;
	return STENCIL_OK;
}

/* NULL: all are under way. */
static Post *
free_post(stencil_context *ctx)
{
	for (PostBlock *block = ctx->posts; block != NULL; block = block->next)
		for (int i = 0; i < POSTS_PER_BLOCK; i++)
			if (!atomic_load_explicit(&block->post[i].taken, memory_order_acquire))
				return &block->post[i];
	return NULL;
}

static void
give_back(Post *post)
{
	atomic_store_explicit(&post->taken, false, memory_order_release);
}

static void CUDART_CB
deliver(void *user)
{
	Post *post = user;

	*post->host = post->value;
	give_back(post);
}

/* Where the delivery cannot be asked for, the copy may be under way already. */
static stencil_status
send(stencil_context *ctx, Post *post, const int64_t *device)
{
	stencil_status status = CUDA(ctx, cudaMemcpyAsync,
		&post->value, device, sizeof post->value, cudaMemcpyDeviceToHost, ctx->stream);

	if (status == STENCIL_OK) {
		status = CUDA(ctx, cudaLaunchHostFunc, ctx->stream, deliver, post);
		if (status != STENCIL_OK)
			forget(cudaStreamSynchronize(ctx->stream));
	}
	if (status != STENCIL_OK)
		give_back(post);
	return status;
}

stencil_status
stencil_post_count(stencil_context *ctx, const int64_t *device, int64_t *host)
{
	int previous;
	stencil_status status = stencil_enter(ctx, &previous);

	if (status != STENCIL_OK)
		return status;

	Post *post = free_post(ctx);

	if (post == NULL) {
		status = add_block(ctx);
		post = free_post(ctx);
	}
	if (post != NULL) {
		post->host = host;
		atomic_store_explicit(&post->taken, true, memory_order_relaxed);
		status = send(ctx, post, device);
	}
	stencil_leave(ctx, previous);
	return status;
}

void
rt_posts_free(stencil_context *ctx)
{
	for (PostBlock *block = ctx->posts, *next; block != NULL; block = next) {
		next = block->next;
		forget(cudaFreeHost(block));
	}
	ctx->posts = NULL;
}

#endif
