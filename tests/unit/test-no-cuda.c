/* The library built without CUDA: every call that needs a GPU says so, and
 * nothing else happens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "stencilrt.h"

static void
assert_refused(stencil_status status)
{
	assert_int_equal(status, STENCIL_NO_DEVICE);
	assert_non_null(strstr(stencil_last_error(), "without CUDA"));
	stencil_fail(NULL, STENCIL_OK, "%s", "");
}

static void
all_that_needs_a_gpu_is_refused(void **unused)
{
	stencil_context *ctx = (stencil_context *)1;
	stencil_timer *timer = (stencil_timer *)1;
	stencil_device_info info;
	void *memory = &info;
	int64_t count = 0;
	int previous, byte = 0;
	double seconds;

	(void)unused;
	assert_refused(stencil_context_create(&ctx, 0));
	assert_null(ctx);
	assert_refused(stencil_enter(ctx, &previous));
	assert_refused(stencil_context_set_stream(ctx, NULL));
	assert_refused(stencil_context_synchronize(ctx));
	assert_refused(stencil_context_set_allocator(ctx, NULL, NULL, NULL));
	assert_refused(stencil_context_reserve(ctx, 1));
	assert_refused(stencil_scratch(ctx, 1, &memory));
	assert_null(memory);
	memory = &info;
	assert_refused(stencil_mail_memory(ctx, 1, &memory));
	assert_null(memory);
	assert_refused(stencil_memory_rate(ctx, &seconds));
	assert_refused(stencil_malloc(ctx, &memory, 1));
	assert_refused(stencil_upload(ctx, memory, &byte, 1));
	assert_refused(stencil_download(ctx, &byte, memory, 1));
	assert_refused(stencil_fill(ctx, memory, 0, 1));
	assert_refused(stencil_post_count(ctx, &count, &count));
	assert_refused(stencil_timer_create(ctx, &timer));
	assert_null(timer);
	assert_refused(stencil_timer_start(timer));
	assert_refused(stencil_timer_stop(timer, &seconds));
	assert_refused(stencil_device_query(0, &info));
}

static void
there_are_no_devices_and_that_is_no_error(void **unused)
{
	int count = -1;

	(void)unused;
	assert_int_equal(stencil_device_count(&count), STENCIL_OK);
	assert_int_equal(count, 0);
	assert_int_equal(stencil_context_device(NULL), -1);
	assert_null(stencil_context_stream(NULL));
	assert_int_equal(stencil_check_cuda(NULL, 0, "x"), STENCIL_OK);
	assert_int_equal(stencil_check_cuda(NULL, 2, "x"), STENCIL_CUDA_ERROR);
	stencil_leave(NULL, 0);
	stencil_free(NULL, NULL);
	stencil_timer_destroy(NULL);
	stencil_context_destroy(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_needs_a_gpu_is_refused),
		cmocka_unit_test(there_are_no_devices_and_that_is_no_error),
	};

	return cmocka_run_group_tests_name("no-cuda", tests, NULL, NULL);
}
