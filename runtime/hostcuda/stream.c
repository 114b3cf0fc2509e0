/* stream.c: streams and events.  Work is done when it is given, so a stream has
 * nothing left to wait for and an event is a time. */
#include <stdlib.h>
#include <time.h>

#include "emu.h"

enum { ALIVE = 0x5354524d, GONE = 0x444f4e45 };

struct CUstream_st {
	int magic;
};

struct CUevent_st {
	int magic;
	bool timed, recorded;
	struct timespec at;
};

static bool
is_stream(cudaStream_t stream)
{
	return stream == NULL || stream == cudaStreamLegacy || stream == cudaStreamPerThread
		|| stream->magic == ALIVE;
}

static bool
is_event(cudaEvent_t event)
{
	return event && event->magic == ALIVE;
}

/* For a call that only has to find its stream alive. */
static cudaError_t
touch(cudaStream_t stream)
{
	cudaError_t error = emu_enter();

	if (error != cudaSuccess)
		return error;
	return emu_leave(is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t
cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
	cudaError_t error = emu_enter();

	(void)priority;
	if (error != cudaSuccess)
		return error;
	if (stream == NULL || flags > cudaStreamNonBlocking)
		return emu_leave(cudaErrorInvalidValue);
	*stream = malloc(sizeof **stream);
	if (*stream == NULL)
		return emu_leave(cudaErrorMemoryAllocation);
	(*stream)->magic = ALIVE;
	emu_count(&(stencil_emu_stats){ .streams = 1 });
	return emu_leave(cudaSuccess);
}

cudaError_t
cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
	return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t
cudaStreamCreate(cudaStream_t *stream)
{
	return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t
cudaStreamDestroy(cudaStream_t stream)
{
	cudaError_t error = emu_enter();

	if (stream == NULL || stream == cudaStreamLegacy || stream == cudaStreamPerThread
		|| !is_stream(stream))
		return emu_leave(cudaErrorInvalidResourceHandle);
	stream->magic = GONE;
	emu_count(&(stencil_emu_stats){ .streams = (uint64_t)-1 });
	free(stream);
	return error;
}

cudaError_t
cudaStreamSynchronize(cudaStream_t stream)
{
	return touch(stream);
}

cudaError_t
cudaStreamQuery(cudaStream_t stream)
{
	return touch(stream);
}

cudaError_t
cudaDeviceSynchronize(void)
{
	return touch(NULL);
}

cudaError_t
cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
	cudaError_t error = touch(stream);

	(void)flags;
	if (error != cudaSuccess)
		return error;
	return emu_leave(is_event(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t
cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user)
{
	cudaError_t error = touch(stream);

	if (error != cudaSuccess)
		return error;
	if (function == NULL)
		return emu_leave(cudaErrorInvalidValue);
	function(user);
	return cudaSuccess;
}

cudaError_t
cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *user,
	unsigned flags)
{
	cudaError_t error = touch(stream);

	if (error != cudaSuccess)
		return error;
	if (callback == NULL || flags)
		return emu_leave(cudaErrorInvalidValue);
	callback(stream, cudaSuccess, user);
	return cudaSuccess;
}

cudaError_t
cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
	cudaError_t error = emu_enter();

	if (error != cudaSuccess)
		return error;
	if (event == NULL)
		return emu_leave(cudaErrorInvalidValue);
	*event = calloc(1, sizeof **event);
	if (*event == NULL)
		return emu_leave(cudaErrorMemoryAllocation);
	(*event)->magic = ALIVE;
	emu_count(&(stencil_emu_stats){ .events = 1 });
	(*event)->timed = !(flags & cudaEventDisableTiming);
	return emu_leave(cudaSuccess);
}

cudaError_t
cudaEventCreate(cudaEvent_t *event)
{
	return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t
cudaEventDestroy(cudaEvent_t event)
{
	cudaError_t error = emu_enter();

	if (!is_event(event))
		return emu_leave(cudaErrorInvalidResourceHandle);
	event->magic = GONE;
	emu_count(&(stencil_emu_stats){ .events = (uint64_t)-1 });
	free(event);
	return error;
}

cudaError_t
cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	cudaError_t error = touch(stream);

	if (error != cudaSuccess)
		return error;
	if (!is_event(event))
		return emu_leave(cudaErrorInvalidResourceHandle);
	clock_gettime(CLOCK_MONOTONIC, &event->at);
	event->recorded = true;
	return cudaSuccess;
}

static cudaError_t
touch_event(cudaEvent_t event)
{
	cudaError_t error = emu_enter();

	if (error != cudaSuccess)
		return error;
	return emu_leave(is_event(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t
cudaEventSynchronize(cudaEvent_t event)
{
	return touch_event(event);
}

cudaError_t
cudaEventQuery(cudaEvent_t event)
{
	return touch_event(event);
}

cudaError_t
cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
	cudaError_t error = touch_event(start);
	double seconds, rest;

	if (error != cudaSuccess)
		return error;
	if (milliseconds == NULL)
		return emu_leave(cudaErrorInvalidValue);
	if (!is_event(end) || !start->timed || !end->timed || !start->recorded || !end->recorded)
		return emu_leave(cudaErrorInvalidResourceHandle);
	seconds = difftime(end->at.tv_sec, start->at.tv_sec);
	rest = (double)(end->at.tv_nsec - start->at.tv_nsec);
	*milliseconds = (float)(seconds * 1e3 + rest * 1e-6);
	return cudaSuccess;
}
