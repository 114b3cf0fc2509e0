/* The context and what belongs to it, on the emulation's GPUs: every call of
 * CUDA fails in turn, and what was taken is given back.
 *
 * cudaMallocHost and cudaFreeHost are wrapped (-Wl,--wrap=...) to be counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "stencil_emu.h"
#include "stencilrt.h"

/* Pinned memory: as much is given back as was taken. */

cudaError_t __real_cudaMallocHost(void **memory, size_t bytes);
cudaError_t __real_cudaFreeHost(void *memory);
cudaError_t __wrap_cudaMallocHost(void **memory, size_t bytes);
cudaError_t __wrap_cudaFreeHost(void *memory);

static int pinned;

cudaError_t
__wrap_cudaMallocHost(void **memory, size_t bytes)
{
	cudaError_t error = __real_cudaMallocHost(memory, bytes);

	pinned += error == cudaSuccess;
	return error;
}

cudaError_t
__wrap_cudaFreeHost(void *memory)
{
	pinned--;
	return __real_cudaFreeHost(memory);
}

static stencil_context *
make(int device)
{
	stencil_context *ctx;

	if (stencil_context_create(&ctx, device) != STENCIL_OK)
		fail_msg("%s", stencil_last_error());
	return ctx;
}

static int
current_device(void)
{
	int device = -1;

	assert_int_equal(cudaGetDevice(&device), cudaSuccess);
	return device;
}

static void
assert_says(const char *text, const char *words)
{
	if (strstr(text, words) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", text, words);
}

/* ---- devices ---- */

static void
devices_are_counted_and_described(void **unused)
{
	stencil_device_info info;
	int count = -1;

	(void)unused;
	assert_int_equal(stencil_device_count(&count), STENCIL_OK);
	assert_int_equal(count, 2);
	assert_int_equal(stencil_device_query(1, &info), STENCIL_OK);
	assert_int_equal(info.major * 10 + info.minor, 90);
	assert_int_equal(info.multiprocessors, 132);
	assert_int_equal(info.threads_per_block, 1024);
	assert_int_equal(info.threads_per_sm, 2048);
	assert_int_equal(info.blocks_per_sm, 32);
	assert_int_equal(info.warp_size, 32);
	assert_int_equal(info.registers_per_sm, 65536);
	assert_int_equal(info.registers_per_block, 65536);
	assert_int_equal(info.shared_per_sm, 228 << 10);
	assert_int_equal(info.shared_per_block, 48 << 10);
	assert_int_equal(info.shared_per_block_optin, 227 << 10);
	assert_true(info.memory > 0 && info.l2 > 0 && info.clock_khz > 0);
	assert_true(info.memory_clock_khz > 0 && info.bus_bits > 0);
	assert_true(strlen(info.name) > 0);
	assert_int_equal(stencil_device_query(2, &info), STENCIL_BAD_ARGUMENT);
	assert_says(stencil_last_error(), "no device 2");
}

static void
without_a_gpu_there_is_no_context(void **unused)
{
	stencil_context *ctx = (stencil_context *)1;
	stencil_device_info info;
	int count = -1;

	(void)unused;
	stencil_emu_set_devices(0);
	assert_int_equal(stencil_device_count(&count), STENCIL_OK);
	assert_int_equal(count, 0);
	assert_int_equal(stencil_context_create(&ctx, 0), STENCIL_NO_DEVICE);
	assert_null(ctx);
	assert_says(stencil_last_error(), "cudaErrorNoDevice");
	assert_int_equal(stencil_device_query(0, &info), STENCIL_NO_DEVICE);
	stencil_emu_fail(1, cudaErrorInsufficientDriver, 0);
	assert_int_equal(stencil_device_count(&count), STENCIL_OK);
	assert_int_equal(cudaGetLastError(), cudaSuccess);
	assert_says(stencil_last_error(), "the driver is for CUDA ");
	stencil_emu_fail(1, cudaErrorInsufficientDriver, 1);
	assert_int_equal(stencil_context_create(&ctx, 0), STENCIL_NO_DEVICE);
	assert_says(stencil_last_error(), "there is no driver for a GPU");
	stencil_emu_fail(0, 0, 0);
	stencil_emu_set_devices(2);
	assert_int_equal(stencil_context_create(&ctx, 2), STENCIL_BAD_ARGUMENT);
	assert_int_equal(stencil_context_create(&ctx, -1), STENCIL_BAD_ARGUMENT);
}

static void
the_current_device_stays(void **unused)
{
	stencil_context *ctx;
	stencil_timer *timer;
	void *memory;
	double seconds;
	int previous;

	(void)unused;
	assert_int_equal(cudaSetDevice(0), cudaSuccess);
	ctx = make(1);
	assert_int_equal(current_device(), 0);
	assert_int_equal(stencil_context_device(ctx), 1);
	assert_int_equal(stencil_malloc(ctx, &memory, 100), STENCIL_OK);
	assert_int_equal(stencil_fill(ctx, memory, 1, 100), STENCIL_OK);
	stencil_free(ctx, memory);
	assert_int_equal(stencil_context_reserve(ctx, 100), STENCIL_OK);
	assert_int_equal(stencil_context_reserve(ctx, 200), STENCIL_OK);
	assert_int_equal(stencil_context_set_stream(ctx, cudaStreamLegacy), STENCIL_OK);
	assert_int_equal(stencil_context_set_allocator(ctx, NULL, NULL, NULL), STENCIL_OK);
	assert_int_equal(stencil_context_synchronize(ctx), STENCIL_OK);
	assert_int_equal(stencil_timer_create(ctx, &timer), STENCIL_OK);
	assert_int_equal(stencil_timer_start(timer), STENCIL_OK);
	assert_int_equal(stencil_timer_stop(timer, &seconds), STENCIL_OK);
	stencil_timer_destroy(timer);
	assert_int_equal(current_device(), 0);
	assert_int_equal(stencil_enter(ctx, &previous), STENCIL_OK);
	assert_int_equal(current_device(), 1);
	stencil_leave(ctx, previous);
	assert_int_equal(current_device(), 0);
	stencil_context_destroy(ctx);
	assert_int_equal(current_device(), 0);
}

/* ---- memory ---- */

static void
what_goes_up_comes_down(void **unused)
{
	stencil_context *ctx = make(0);
	int to[100], from[100];
	void *memory;

	(void)unused;
	for (int i = 0; i < 100; i++)
		to[i] = i * i;
	assert_int_equal(stencil_malloc(ctx, &memory, sizeof to), STENCIL_OK);
	assert_int_equal(stencil_upload(ctx, memory, to, sizeof to), STENCIL_OK);
	assert_int_equal(stencil_download(ctx, from, memory, sizeof from), STENCIL_OK);
	assert_memory_equal(to, from, sizeof to);
	assert_int_equal(stencil_fill(ctx, memory, 0xff, sizeof to), STENCIL_OK);
	assert_int_equal(stencil_download(ctx, from, memory, sizeof from), STENCIL_OK);
	assert_int_equal(from[99], -1);
	stencil_free(ctx, memory);

	assert_int_equal(stencil_malloc(ctx, &memory, 0), STENCIL_OK);
	assert_null(memory);
	assert_int_equal(stencil_upload(ctx, NULL, NULL, 0), STENCIL_OK);
	assert_int_equal(stencil_fill(ctx, NULL, 0, 0), STENCIL_OK);
	assert_int_equal(stencil_upload(ctx, NULL, to, 4), STENCIL_BAD_ARGUMENT);
	assert_int_equal(stencil_fill(ctx, NULL, 0, 4), STENCIL_BAD_ARGUMENT);
	stencil_free(ctx, NULL);
	stencil_context_destroy(ctx);
	assert_int_equal(stencil_emu_statistics().allocations, 0);
}

static void
no_context_is_an_error_not_a_fault(void **unused)
{
	void *memory;
	stencil_timer *timer;

	(void)unused;
	assert_int_equal(stencil_malloc(NULL, &memory, 4), STENCIL_BAD_ARGUMENT);
	assert_int_equal(stencil_scratch(NULL, 4, &memory), STENCIL_BAD_ARGUMENT);
	assert_int_equal(stencil_mail_memory(NULL, 4, &memory), STENCIL_BAD_ARGUMENT);
	assert_int_equal(stencil_context_synchronize(NULL), STENCIL_BAD_ARGUMENT);
	assert_int_equal(stencil_timer_create(NULL, &timer), STENCIL_BAD_ARGUMENT);
	assert_says(stencil_error(NULL), "no context");
	assert_null(stencil_context_stream(NULL));
	assert_int_equal(stencil_context_device(NULL), -1);
	stencil_context_destroy(NULL);
	stencil_timer_destroy(NULL);
}

/* ---- scratch memory ---- */

typedef struct {
	char *base;
	int allocated, released;
	size_t shift;
} Pool;

static void *
pool_allocate(void *user, size_t bytes)
{
	Pool *pool = user;

	if (bytes > 1 << 20)
		return NULL;
	pool->allocated++;
	pool->base = aligned_alloc(256, (bytes + 511) / 256 * 256);
	return pool->base + pool->shift;
}

static void
pool_release(void *user, void *memory)
{
	Pool *pool = user;

	pool->released++;
	assert_ptr_equal(memory, pool->base + pool->shift);
	free(pool->base);
}

static void
scratch_memory_stays_and_grows(void **unused)
{
	stencil_context *ctx = make(0);
	void *first, *same, *larger;

	(void)unused;
	assert_int_equal(stencil_context_reserve(ctx, 1000), STENCIL_OK);
	stencil_emu_fail(0, 0, 0);
	assert_int_equal(stencil_scratch(ctx, 1000, &first), STENCIL_OK);
	assert_int_equal(stencil_scratch(ctx, 10, &same), STENCIL_OK);
	assert_ptr_equal(first, same);
	assert_int_equal(stencil_emu_calls(), 0);
	assert_int_equal(stencil_scratch(ctx, 5000, &larger), STENCIL_OK);
	assert_int_equal((uintptr_t)larger % 256, 0);
	memset(larger, 1, 5000);
	assert_int_equal(stencil_emu_statistics().allocations, 1);
	assert_int_equal(stencil_scratch(ctx, 0, &same), STENCIL_OK);
	stencil_context_destroy(ctx);
	assert_int_equal(stencil_emu_statistics().allocations, 0);
}

static void
scratch_memory_comes_from_the_callers_allocator(void **unused)
{
	stencil_context *ctx = make(0);
	Pool pool = { 0 }, crooked = { .shift = 8 };
	void *memory;

	(void)unused;
	assert_int_equal(stencil_context_set_allocator(ctx, pool_allocate, NULL, &pool),
		STENCIL_BAD_ARGUMENT);
	assert_int_equal(stencil_scratch(ctx, 100, &memory), STENCIL_OK);
	assert_int_equal(stencil_context_set_allocator(ctx, pool_allocate, pool_release, &pool),
		STENCIL_OK);
	assert_int_equal(stencil_emu_statistics().allocations, 0);
	assert_int_equal(stencil_scratch(ctx, 100, &memory), STENCIL_OK);
	assert_ptr_equal(memory, pool.base);
	assert_int_equal(stencil_scratch(ctx, 1000, &memory), STENCIL_OK);
	assert_int_equal(pool.allocated, 2);
	assert_int_equal(pool.released, 1);
	assert_int_equal(stencil_scratch(ctx, 2 << 20, &memory), STENCIL_OUT_OF_MEMORY);
	assert_null(memory);
	assert_says(stencil_error(ctx), "2097152 bytes");
	assert_int_equal(stencil_scratch(ctx, 10, &memory), STENCIL_OK);
	assert_int_equal(stencil_context_set_allocator(ctx, pool_allocate, pool_release, &crooked),
		STENCIL_OK);
	assert_int_equal(pool.released, pool.allocated);
	assert_int_equal(stencil_scratch(ctx, 10, &memory), STENCIL_BAD_ARGUMENT);
	assert_says(stencil_error(ctx), "aligned");
	assert_int_equal(crooked.released, 1);
	crooked.shift = 0;
	assert_int_equal(stencil_scratch(ctx, 10, &memory), STENCIL_OK);
	stencil_context_destroy(ctx);
	assert_int_equal(crooked.released, crooked.allocated);
}

static void
mail_is_apart_from_scratch_memory(void **unused)
{
	stencil_context *ctx = make(0);
	void *scratch, *mail, *same, *larger;

	(void)unused;
	assert_int_equal(stencil_scratch(ctx, 1000, &scratch), STENCIL_OK);
	assert_int_equal(stencil_mail_memory(ctx, 500, &mail), STENCIL_OK);
	assert_int_equal((uintptr_t)mail % 256, 0);
	memset(scratch, 1, 1000);
	memset(mail, 2, 500);
	assert_int_equal(((char *)scratch)[999], 1);
	assert_int_equal(stencil_mail_memory(ctx, 10, &same), STENCIL_OK);
	assert_ptr_equal(same, mail);
	assert_int_equal(stencil_mail_memory(ctx, 5000, &larger), STENCIL_OK);
	memset(larger, 3, 5000);
	assert_int_equal(stencil_scratch(ctx, 1000, &same), STENCIL_OK);
	assert_ptr_equal(same, scratch);
	assert_int_equal(((char *)scratch)[0], 1);
	assert_int_equal(stencil_emu_statistics().allocations, 2);
	assert_int_equal(stencil_context_set_allocator(ctx, NULL, NULL, NULL), STENCIL_OK);
	assert_int_equal(stencil_emu_statistics().allocations, 0);
	assert_int_equal(stencil_mail_memory(ctx, 10, &mail), STENCIL_OK);
	stencil_context_destroy(ctx);
	assert_int_equal(stencil_emu_statistics().allocations, 0);
}

/* ---- stream, posts, timer ---- */

static void
the_stream_can_be_the_callers(void **unused)
{
	stencil_context *ctx = make(0);
	void *own = stencil_context_stream(ctx);
	cudaStream_t stream;

	(void)unused;
	assert_non_null(own);
	assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
	assert_int_equal(stencil_context_set_stream(ctx, stream), STENCIL_OK);
	assert_ptr_equal(stencil_context_stream(ctx), stream);
	assert_int_equal(stencil_context_set_stream(ctx, NULL), STENCIL_OK);
	assert_ptr_equal(stencil_context_stream(ctx), own);
	assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
	stencil_context_destroy(ctx);
}

static void
counts_arrive(void **unused)
{
	enum { N = 200 };
	stencil_context *ctx = make(0);
	int64_t sent[N], got[N] = { 0 };
	void *memory;

	(void)unused;
	for (int i = 0; i < N; i++)
		sent[i] = (int64_t)i << 33;
	assert_int_equal(stencil_malloc(ctx, &memory, sizeof sent), STENCIL_OK);
	assert_int_equal(stencil_upload(ctx, memory, sent, sizeof sent), STENCIL_OK);
	for (int i = 0; i < N; i++) {
		assert_int_equal(stencil_post_count(ctx, (int64_t *)memory + i, &got[i]),
			STENCIL_OK);
		if (i == 0)
			stencil_emu_fail(0, 0, 0);
	}

	/* Device, copy, delivery: only the first takes memory. */
	assert_int_equal(stencil_emu_calls(), 3 * (N - 1));
	assert_int_equal(stencil_context_synchronize(ctx), STENCIL_OK);
	assert_memory_equal(got, sent, sizeof sent);
	assert_int_equal(pinned, 1);
	stencil_free(ctx, memory);
	stencil_context_destroy(ctx);
	assert_int_equal(pinned, 0);
}

static void
a_timer_wants_to_be_started(void **unused)
{
	stencil_context *ctx = make(0);
	stencil_timer *timer;
	double seconds = -1;

	(void)unused;
	assert_int_equal(stencil_timer_create(ctx, &timer), STENCIL_OK);
	assert_int_equal(stencil_timer_stop(timer, &seconds), STENCIL_BAD_ARGUMENT);
	assert_true(seconds == 0);
	assert_int_equal(stencil_timer_start(timer), STENCIL_OK);
	assert_int_equal(stencil_timer_stop(timer, &seconds), STENCIL_OK);
	assert_true(seconds >= 0 && seconds < 60);
	assert_int_equal(stencil_timer_stop(timer, &seconds), STENCIL_BAD_ARGUMENT);
	stencil_timer_destroy(timer);
	stencil_context_destroy(ctx);
}

/* ---- errors ---- */

static void *
fail_elsewhere(void *text)
{
	assert_string_equal(stencil_last_error(), "");
	stencil_fail(NULL, STENCIL_IO_ERROR, "%s", (const char *)text);
	assert_string_equal(stencil_last_error(), text);
	return NULL;
}

static void
errors_belong_to_their_context_or_thread(void **unused)
{
	stencil_context *a = make(0), *b = make(1);
	char word[] = "elsewhere";
	pthread_t thread;

	(void)unused;
	assert_string_equal(stencil_error(a), "");
	assert_int_equal(stencil_fail(a, STENCIL_REQUIRE_FAILED, "of %s", "a"),
		STENCIL_REQUIRE_FAILED);
	stencil_fail(b, STENCIL_BAD_ARGUMENT, "of b");
	stencil_fail(NULL, STENCIL_BAD_FILE, "of the thread");
	assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, word), 0);
	pthread_join(thread, NULL);
	assert_string_equal(stencil_error(a), "of a");
	assert_string_equal(stencil_error(b), "of b");
	assert_string_equal(stencil_last_error(), "of the thread");
	stencil_fail(a, STENCIL_BAD_ARGUMENT, "again: %s", stencil_error(a));
	assert_string_equal(stencil_error(a), "again: of a");
	assert_string_equal(stencil_status_name(STENCIL_BAD_FILE), "bad file");
	assert_string_equal(stencil_status_name((stencil_status)99), "unknown status");
	stencil_context_destroy(a);
	stencil_context_destroy(b);
}

static void
an_error_of_cuda_is_named_and_forgotten(void **unused)
{
	stencil_context *ctx = make(0);
	void *memory;

	(void)unused;
	stencil_emu_fail(2, cudaErrorLaunchFailure, 0);
	assert_int_equal(stencil_malloc(ctx, &memory, 8), STENCIL_CUDA_ERROR);
	assert_null(memory);
	assert_says(stencil_error(ctx), "cudaMalloc: ");
	assert_says(stencil_error(ctx), "cudaErrorLaunchFailure");
	assert_int_equal(cudaGetLastError(), cudaSuccess);
	stencil_emu_fail(0, 0, 0);
	assert_int_equal(stencil_malloc(ctx, &memory, (size_t)1 << 60), STENCIL_OUT_OF_MEMORY);
	assert_int_equal(stencil_malloc(ctx, &memory, 8), STENCIL_OK);
	stencil_free(ctx, memory);
	assert_int_equal(stencil_check_cuda(ctx, 0, "nothing"), STENCIL_OK);
	assert_int_equal(stencil_check_cuda(ctx, cudaErrorNoDevice, "x"), STENCIL_NO_DEVICE);
	stencil_context_destroy(ctx);
}

/* CUDA takes its time to say what the clocks are: one call of a sweep asks, the next does not. */
static void
the_rate_of_memory_is_asked_once(void **unused)
{
	stencil_context *ctx = make(0);
	stencil_device_info info;
	double rate = 0, again = 0;

	(void)unused;
	assert_int_equal(stencil_device_query(0, &info), STENCIL_OK);
	stencil_emu_fail(3, cudaErrorLaunchFailure, 0);
	assert_int_equal(stencil_memory_rate(ctx, &rate), STENCIL_CUDA_ERROR);
	stencil_emu_fail(0, 0, 0);
	assert_int_equal(stencil_memory_rate(ctx, &rate), STENCIL_OK);
	assert_float_equal((float)(rate * info.clock_khz * info.multiprocessors),
		(float)info.memory_clock_khz * 2 * (float)info.bus_bits / 8, 1e3F);
	stencil_emu_fail(1, cudaErrorLaunchFailure, 1);
	assert_int_equal(stencil_memory_rate(ctx, &again), STENCIL_OK);
	assert_int_equal(stencil_emu_calls(), 0);
	assert_true(again >= rate && again <= rate);
	stencil_emu_fail(0, 0, 0);
	stencil_context_destroy(ctx);
}

/* Some of everything, on device 1; stops at the first failure, after so many
 * CALLS. */
static stencil_status
use_everything(uint64_t *calls)
{
	stencil_context *ctx = NULL;
	stencil_timer *timer = NULL;
	cudaStream_t stream = NULL;
	void *memory = NULL, *scratch, *mail;
	int64_t count[2] = { 41, 0 };
	double seconds;
	stencil_status status = stencil_context_create(&ctx, 1);

	if (status == STENCIL_OK)
		status = stencil_malloc(ctx, &memory, 64);
	if (status == STENCIL_OK)
		status = stencil_scratch(ctx, 100, &scratch);
	if (status == STENCIL_OK)
		status = stencil_mail_memory(ctx, 100, &mail);
	if (status == STENCIL_OK)
		status = stencil_timer_create(ctx, &timer);
	if (status == STENCIL_OK)
		status = stencil_timer_start(timer);
	if (status == STENCIL_OK)
		status = stencil_upload(ctx, memory, count, 8);
	if (status == STENCIL_OK)
		status = stencil_post_count(ctx, memory, &count[1]);
	if (status == STENCIL_OK && cudaStreamCreate(&stream) != cudaSuccess)
		status = stencil_fail(ctx, STENCIL_CUDA_ERROR, "cudaStreamCreate");
	if (status == STENCIL_OK)
		status = stencil_context_set_stream(ctx, stream);
	if (status == STENCIL_OK)
		status = stencil_scratch(ctx, 1000, &scratch);
	if (status == STENCIL_OK)
		status = stencil_timer_stop(timer, &seconds);
	if (status == STENCIL_OK)
		status = stencil_context_set_stream(ctx, NULL);
	if (status == STENCIL_OK)
		status = stencil_context_set_allocator(ctx, NULL, NULL, NULL);
	if (status == STENCIL_OK)
		assert_int_equal(count[1], 41);
	else if (ctx != NULL)
		assert_says(stencil_error(ctx), "cuda");
	else
		assert_says(stencil_last_error(), "cuda");

	*calls = stencil_emu_calls();

	/* A GPU that is well again is of use again, and gives everything back. */
	stencil_emu_fail(0, 0, 0);
	if (ctx != NULL) {
		assert_int_equal(stencil_context_set_stream(ctx, NULL), STENCIL_OK);
		assert_int_equal(stencil_scratch(ctx, 3000, &scratch), STENCIL_OK);
	}
	stencil_timer_destroy(timer);
	stencil_free(ctx, memory);
	stencil_context_destroy(ctx);
	if (stream != NULL)
		cudaStreamDestroy(stream);
	return status;
}

static void
every_call_of_cuda_may_fail(void **unused)
{
	uint64_t calls, failures = 0;

	(void)unused;
	assert_int_equal(cudaSetDevice(0), cudaSuccess);
	stencil_emu_fail(0, 0, 0);
	assert_int_equal(use_everything(&calls), STENCIL_OK);
	assert_true(calls > 40);
	for (uint64_t n = 1; n <= calls; n++) {
		uint64_t made;

		stencil_emu_fail(n, cudaErrorLaunchFailure, 0);
		failures += use_everything(&made) != STENCIL_OK;
		assert_int_equal(cudaSetDevice(0), cudaSuccess);
		assert_int_equal(stencil_emu_statistics().allocations, 0);
		assert_int_equal(pinned, 0);
	}

	/* The others give something back, and nobody could be told. */
	assert_true(failures > calls / 2);
}

/* After a fault CUDA refuses everything; that must end, too. */
static void
a_lost_gpu_is_left_in_peace(void **unused)
{
	for (int n = 1; n < 40; n++) {
		stencil_context *ctx;
		stencil_timer *timer;
		void *memory;
		int64_t count;
		double seconds;

		(void)unused;
		stencil_emu_fail((uint64_t)n, cudaErrorIllegalAddress, 1);
		if (stencil_context_create(&ctx, 0) == STENCIL_OK) {
			(void)stencil_malloc(ctx, &memory, 64);
			if (stencil_timer_create(ctx, &timer) == STENCIL_OK) {
				(void)stencil_timer_start(timer);
				(void)stencil_post_count(ctx, memory, &count);
				(void)stencil_timer_stop(timer, &seconds);
			}

			stencil_status status = stencil_context_synchronize(ctx);

			assert_int_equal(status != STENCIL_OK, stencil_emu_calls() >= (uint64_t)n);
			stencil_timer_destroy(timer);
			stencil_context_destroy(ctx);
		}
		stencil_emu_fail(0, 0, 0);
		cudaDeviceReset();
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_are_counted_and_described),
		cmocka_unit_test(without_a_gpu_there_is_no_context),
		cmocka_unit_test(the_current_device_stays),
		cmocka_unit_test(what_goes_up_comes_down),
		cmocka_unit_test(no_context_is_an_error_not_a_fault),
		cmocka_unit_test(scratch_memory_stays_and_grows),
		cmocka_unit_test(scratch_memory_comes_from_the_callers_allocator),
		cmocka_unit_test(mail_is_apart_from_scratch_memory),
		cmocka_unit_test(the_stream_can_be_the_callers),
		cmocka_unit_test(counts_arrive),
		cmocka_unit_test(a_timer_wants_to_be_started),
		cmocka_unit_test(errors_belong_to_their_context_or_thread),
		cmocka_unit_test(an_error_of_cuda_is_named_and_forgotten),
		cmocka_unit_test(the_rate_of_memory_is_asked_once),
		cmocka_unit_test(every_call_of_cuda_may_fail),
		cmocka_unit_test(a_lost_gpu_is_left_in_peace),
	};

	stencil_emu_set_devices(2);
	return cmocka_run_group_tests_name("context", tests, NULL, NULL);
}
