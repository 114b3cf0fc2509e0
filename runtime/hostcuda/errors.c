/* errors.c: the last error of a thread, and errors made on purpose. */
#include <pthread.h>
#include <stdio.h>

#include "emu.h"

static __thread cudaError_t last_error;

static struct {
	pthread_mutex_t lock;
	uint64_t calls;
	cudaError_t lost;           /* what a lost device answers */
} state = { .lock = PTHREAD_MUTEX_INITIALIZER };

static cudaError_t
enter(bool needs_device)
{
	const EmuOptions *options = emu_options();
	cudaError_t error;

	pthread_mutex_lock(&state.lock);
	error = state.lost;
	if (error == cudaSuccess && needs_device && options->devices == 0)
		error = cudaErrorNoDevice;
	if (++state.calls == options->fail_at) {
		error = (cudaError_t)options->fail_code;
		if (options->fail_lost)
			state.lost = error;
	}
	pthread_mutex_unlock(&state.lock);
	return emu_leave(error);
}

cudaError_t
emu_enter(void)
{
	return enter(true);
}

cudaError_t
emu_enter_without_device(void)
{
	return enter(false);
}

cudaError_t
emu_leave(cudaError_t error)
{
	if (error != cudaSuccess && error != cudaErrorNotReady)
		last_error = error;
	return error;
}

void
stencil_emu_fail(uint64_t n, int code, int lost)
{
	EmuOptions *options = emu_options();

	pthread_mutex_lock(&state.lock);
	options->fail_at = n;
	options->fail_code = code ? code : cudaErrorUnknown;
	options->fail_lost = lost != 0;
	state.calls = 0;
	state.lost = cudaSuccess;
	pthread_mutex_unlock(&state.lock);
	last_error = cudaSuccess;
}

uint64_t
stencil_emu_calls(void)
{
	uint64_t calls;

	pthread_mutex_lock(&state.lock);
	calls = state.calls;
	pthread_mutex_unlock(&state.lock);
	return calls;
}

cudaError_t
cudaGetLastError(void)
{
	cudaError_t error = last_error;

	pthread_mutex_lock(&state.lock);
	last_error = state.lost;
	pthread_mutex_unlock(&state.lock);
	return error;
}

cudaError_t
cudaPeekAtLastError(void)
{
	return last_error;
}

static const struct {
	cudaError_t error;
	const char *name, *text;
} errors[] = {
#define ROW(name, number, text) { name, #name, text },
	STENCIL_EMU_ERRORS(ROW)
#undef ROW
};

const char *
cudaGetErrorName(cudaError_t error)
{
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].error == error)
			return errors[i].name;
	return "unrecognized error code";
}

const char *
cudaGetErrorString(cudaError_t error)
{
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].error == error)
			return errors[i].text;
	return "unrecognized error code";
}
