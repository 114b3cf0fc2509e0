/* timing.c: seconds between two places of the context's stream. */
#include "internal.h"

#ifdef STENCIL_HAVE_CUDA
#include <stdlib.h>

#include "gpu.h"

struct stencil_timer {
	stencil_context *ctx;
	cudaEvent_t start, stop;
	int running;
};

static void
events_destroy(stencil_timer *timer)
{
	if (timer->start != NULL)
		forget(cudaEventDestroy(timer->start));
	if (timer->stop != NULL)
		forget(cudaEventDestroy(timer->stop));
}

stencil_status
stencil_timer_create(stencil_context *ctx, stencil_timer **made)
{
	int previous;
	stencil_timer *timer;
	stencil_status status;

	*made = NULL;
	status = stencil_enter(ctx, &previous);
	if (status != STENCIL_OK)
		return status;
	timer = calloc(1, sizeof *timer);
	if (timer == NULL) {
		status = stencil_fail(ctx, STENCIL_OUT_OF_MEMORY, "no memory for a timer");
	} else {
		timer->ctx = ctx;
		status = CUDA(ctx, cudaEventCreate, &timer->start);
		if (status == STENCIL_OK)
			status = CUDA(ctx, cudaEventCreate, &timer->stop);
	}
	if (status == STENCIL_OK) {
		*made = timer;
	} else if (timer != NULL) {
		events_destroy(timer);
		free(timer);
	}
	stencil_leave(ctx, previous);
	return status;
}

/* Which device is current does not matter to events. */
void
stencil_timer_destroy(stencil_timer *timer)
{
	if (timer == NULL)
		return;
	events_destroy(timer);
	free(timer);
}

static stencil_status
record(stencil_timer *timer, cudaEvent_t event)
{
	return CUDA(timer->ctx, cudaEventRecord, event, timer->ctx->stream);
}

stencil_status
stencil_timer_start(stencil_timer *timer)
{
	int previous;
	stencil_status status = stencil_enter(timer->ctx, &previous);

	if (status != STENCIL_OK)
		return status;
	status = record(timer, timer->start);
	timer->running = status == STENCIL_OK;
	stencil_leave(timer->ctx, previous);
	return status;
}

static stencil_status
elapsed(stencil_timer *timer, double *seconds)
{
	float milliseconds = 0;
	stencil_status status = record(timer, timer->stop);

	if (status == STENCIL_OK)
		status = CUDA(timer->ctx, cudaEventSynchronize, timer->stop);
	if (status == STENCIL_OK)
		status = CUDA(timer->ctx, cudaEventElapsedTime,
			&milliseconds, timer->start, timer->stop);
	*seconds = (double)milliseconds / 1000;
	return status;
}

stencil_status
stencil_timer_stop(stencil_timer *timer, double *seconds)
{
	int previous;
	stencil_status status;

	*seconds = 0;
	if (!timer->running)
		return stencil_fail(timer->ctx, STENCIL_BAD_ARGUMENT, "the timer was not started");
	status = stencil_enter(timer->ctx, &previous);
	if (status != STENCIL_OK)
		return status;
	timer->running = 0;
	status = elapsed(timer, seconds);
	stencil_leave(timer->ctx, previous);
	return status;
}

#endif
