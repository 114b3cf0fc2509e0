/* The emulated run-time of CUDA: memory, errors, devices, streams, limits of a
 * launch.  What kernels do is tests/emu. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

#include "emu_async.h"
#include "emu_device.h"
#include "stencil_emu.h"

/* cudaLaunchKernelEx is C++; this is what it calls. */
cudaError_t stencil_emu_launch(const cudaLaunchConfig_t *config, const void *kernel,
	void (*invoke)(void *call), void *call);

#define assert_ok(call) assert_int_equal(call, cudaSuccess)

static int
set_up(void **state)
{
	(void)state;
	stencil_emu_set_devices(1);
	stencil_emu_fail(0, 0, 0);
	stencil_emu_statistics_clear();
	return 0;
}

/* ---- memory ---- */

static void
new_memory_is_full_of_nans_and_aligned(void **state)
{
	unsigned char *memory;

	(void)state;
	assert_ok(cudaMalloc((void **)&memory, 1001));
	assert_int_equal((uintptr_t)memory % 256, 0);
	for (int i = 0; i < 1001; i++)
		assert_int_equal(memory[i], 0xff);
	assert_ok(cudaFree(memory));
}

static void
no_bytes_are_no_memory(void **state)
{
	void *memory = state;

	assert_ok(cudaMalloc(&memory, 0));
	assert_null(memory);
	assert_ok(cudaFree(NULL));
}

static void
memory_runs_out(void **state)
{
	size_t left, total;
	void *memory = state;

	assert_ok(cudaMemGetInfo(&left, &total));
	assert_int_equal(cudaMalloc(&memory, left + 1), cudaErrorMemoryAllocation);
	assert_null(memory);
	assert_int_equal(cudaGetLastError(), cudaErrorMemoryAllocation);
}

static void
only_what_was_allocated_is_freed_and_once(void **state)
{
	char *memory, *host, local;

	(void)state;
	assert_ok(cudaMalloc((void **)&memory, 64));
	assert_ok(cudaMallocHost((void **)&host, 64));
	assert_int_equal(cudaFree(memory + 1), cudaErrorInvalidValue);
	assert_int_equal(cudaFree(&local), cudaErrorInvalidValue);
	assert_int_equal(cudaFree(host), cudaErrorInvalidValue);
	assert_int_equal(cudaFreeHost(memory), cudaErrorInvalidValue);
	assert_ok(cudaFree(memory));
	assert_ok(cudaFreeHost(host));
	assert_int_equal(cudaFree(memory), cudaErrorInvalidValue);
	assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
	assert_int_equal(cudaGetLastError(), cudaSuccess);
}

static void
copies_go_there_and_back(void **state)
{
	int there[6] = { 1, 2, 3, 4, 5, 6 }, back[6] = { 0 };
	void *a, *b;

	(void)state;
	assert_ok(cudaMalloc(&a, sizeof there));
	assert_ok(cudaMalloc(&b, sizeof there));
	assert_ok(cudaMemcpy(a, there, sizeof there, cudaMemcpyHostToDevice));
	assert_ok(cudaMemcpyAsync(b, a, sizeof there, cudaMemcpyDeviceToDevice, NULL));
	assert_ok(cudaMemcpy(back, b, sizeof there, cudaMemcpyDefault));
	assert_memory_equal(there, back, sizeof there);
	assert_ok(cudaMemset(b, 0, 4));
	assert_ok(cudaMemcpy2D(back, 8, b, 12, 8, 2, cudaMemcpyDeviceToHost));
	assert_int_equal(back[0], 0);
	assert_int_equal(back[1], 2);
	assert_int_equal(back[2], 4);
	assert_int_equal(back[3], 5);
	assert_ok(cudaFree(a));
	assert_ok(cudaFree(b));
}

static void
copies_stay_within_a_block_and_their_direction(void **state)
{
	char host[64] = { 0 };
	char *memory;

	(void)state;
	assert_ok(cudaMalloc((void **)&memory, 64));
	assert_int_equal(cudaMemcpy(memory, host, 65, cudaMemcpyHostToDevice),
		cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpy(memory + 1, host, 64, cudaMemcpyHostToDevice),
		cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpy(host, memory, 64, cudaMemcpyHostToDevice),
		cudaErrorInvalidValue);
	assert_int_equal(cudaMemcpy(host, host, 64, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
	assert_int_equal(cudaMemset(host, 0, 64), cudaErrorInvalidValue);
	assert_int_equal(cudaMemset(memory, 0, 65), cudaErrorInvalidValue);
	assert_int_equal(cudaMemset2D(memory, 32, 0, 33, 1), cudaErrorInvalidPitchValue);
	assert_ok(cudaMemset2D(memory, 33, 0, 31, 2));
	assert_ok(cudaMemset(memory, 0, 64));
	assert_ok(cudaFree(memory));
}

static void
pointers_are_known(void **state)
{
	cudaPointerAttributes attributes;
	char *memory, host[8];

	(void)state;
	assert_ok(cudaMalloc((void **)&memory, 64));
	assert_ok(cudaPointerGetAttributes(&attributes, memory + 63));
	assert_int_equal(attributes.type, cudaMemoryTypeDevice);
	assert_ok(cudaPointerGetAttributes(&attributes, host));
	assert_int_equal(attributes.type, cudaMemoryTypeUnregistered);
	assert_ok(cudaHostRegister(host, sizeof host, cudaHostRegisterDefault));
	assert_ok(cudaPointerGetAttributes(&attributes, host));
	assert_int_equal(attributes.type, cudaMemoryTypeHost);
	assert_ok(cudaHostUnregister(host));
	assert_ok(cudaFree(memory));
}

/* ---- errors ---- */

static void
the_nth_call_fails(void **state)
{
	void *memory = NULL;
	int device;

	(void)state;
	stencil_emu_fail(2, cudaErrorLaunchFailure, 0);
	assert_ok(cudaGetDevice(&device));
	assert_int_equal(cudaMalloc(&memory, 8), cudaErrorLaunchFailure);
	assert_null(memory);
	assert_ok(cudaMalloc(&memory, 8));
	assert_int_equal(cudaPeekAtLastError(), cudaErrorLaunchFailure);
	assert_int_equal(cudaGetLastError(), cudaErrorLaunchFailure);
	assert_int_equal(cudaGetLastError(), cudaSuccess);
	assert_int_equal(stencil_emu_calls(), 3);
	assert_ok(cudaFree(memory));
}

static void
a_lost_device_stays_lost(void **state)
{
	void *memory;

	assert_ok(cudaMalloc(&memory, 8));
	stencil_emu_fail(1, cudaErrorIllegalAddress, 1);
	assert_int_equal(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
	assert_int_equal(cudaMemset(memory, 0, 8), cudaErrorIllegalAddress);
	assert_int_equal(cudaGetLastError(), cudaErrorIllegalAddress);
	assert_int_equal(cudaGetLastError(), cudaErrorIllegalAddress);
	assert_int_equal(cudaFree(memory), cudaErrorIllegalAddress);
	assert_int_equal(stencil_emu_statistics().allocations, 0);
	set_up(state);
	assert_ok(cudaDeviceSynchronize());
}

static void
errors_have_names(void **state)
{
	(void)state;
	assert_string_equal(cudaGetErrorName(cudaErrorNoDevice), "cudaErrorNoDevice");
	assert_string_equal(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
	assert_string_equal(cudaGetErrorName((cudaError_t)12345), "unrecognized error code");
}

/* ---- devices ---- */

static void
there_are_as_many_devices_as_wanted(void **state)
{
	cudaDeviceProp prop;
	int count, value;

	(void)state;
	stencil_emu_set_devices(3);
	assert_ok(cudaGetDeviceCount(&count));
	assert_int_equal(count, 3);
	assert_ok(cudaSetDevice(2));
	assert_ok(cudaGetDevice(&value));
	assert_int_equal(value, 2);
	assert_int_equal(cudaSetDevice(3), cudaErrorInvalidDevice);
	assert_ok(cudaSetDevice(0));
	assert_ok(cudaGetDeviceProperties(&prop, 1));
	assert_ok(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 1));
	assert_int_equal(value, prop.multiProcessorCount);
	assert_int_equal(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
	assert_int_equal(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
	assert_ok(cudaDeviceDisablePeerAccess(1));
}

static void
there_can_be_no_device(void **state)
{
	int count = -1;

	(void)state;
	stencil_emu_set_devices(0);
	assert_int_equal(cudaGetDeviceCount(&count), cudaErrorNoDevice);
	assert_int_equal(count, 0);
	assert_int_equal(cudaSetDevice(0), cudaErrorNoDevice);
	assert_int_equal(cudaMalloc((void **)&count, 8), cudaErrorNoDevice);
}

/* ---- streams and events ---- */

static void
add_one(void *count)
{
	++*(int *)count;
}

static void
streams_run_at_once(void **state)
{
	cudaStream_t stream;
	cudaEvent_t start, end;
	float milliseconds = -1;
	int count = 0;

	(void)state;
	assert_ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	assert_ok(cudaEventCreate(&start));
	assert_ok(cudaEventCreate(&end));
	assert_int_equal(cudaEventElapsedTime(&milliseconds, start, end),
		cudaErrorInvalidResourceHandle);
	assert_ok(cudaEventRecord(start, stream));
	assert_ok(cudaLaunchHostFunc(stream, add_one, &count));
	assert_int_equal(count, 1);
	assert_ok(cudaEventRecord(end, stream));
	assert_ok(cudaStreamWaitEvent(NULL, end, 0));
	assert_ok(cudaEventElapsedTime(&milliseconds, start, end));
	assert_true(milliseconds >= 0);
	assert_ok(cudaEventDestroy(start));
	assert_ok(cudaEventDestroy(end));
	assert_ok(cudaStreamSynchronize(stream));
	assert_ok(cudaStreamDestroy(stream));
	assert_int_equal(cudaStreamDestroy(NULL), cudaErrorInvalidResourceHandle);
}

/* ---- launches ---- */

static void
count_thread(void *count)
{
	__atomic_fetch_add((int *)count, 1, __ATOMIC_RELAXED);
}

typedef struct {
	dim3 grid, block;
	size_t shared;
	unsigned cluster;
	cudaError_t error;
} LaunchCase;

static const LaunchCase launches[] = {
	{ { 3, 2, 1 }, { 5, 2, 2 }, 0, 1, cudaSuccess },
	{ { 1, 1, 1 }, { 1024, 1, 1 }, 48 << 10, 1, cudaSuccess },
	{ { 8, 1, 1 }, { 32, 1, 1 }, 0, 8, cudaSuccess },
	{ { 1, 1, 1 }, { 1025, 1, 1 }, 0, 1, cudaErrorInvalidConfiguration },
	{ { 1, 1, 1 }, { 32, 33, 1 }, 0, 1, cudaErrorInvalidConfiguration },
	{ { 1, 1, 1 }, { 1, 1, 65 }, 0, 1, cudaErrorInvalidConfiguration },
	{ { 0, 1, 1 }, { 32, 1, 1 }, 0, 1, cudaErrorInvalidConfiguration },
	{ { 1, 65536, 1 }, { 1, 1, 1 }, 0, 1, cudaErrorInvalidConfiguration },
	{ { 1, 1, 65536 }, { 1, 1, 1 }, 0, 1, cudaErrorInvalidConfiguration },
	{ { 1, 1, 1 }, { 32, 1, 1 }, (48 << 10) + 1, 1, cudaErrorInvalidValue },
	{ { 16, 1, 1 }, { 32, 1, 1 }, 0, 16, cudaErrorInvalidClusterSize },
	{ { 5, 1, 1 }, { 32, 1, 1 }, 0, 2, cudaErrorInvalidClusterSize },
};

static cudaError_t
launch(const LaunchCase *c, const void *kernel, int *count)
{
	cudaLaunchAttribute cluster = { .id = cudaLaunchAttributeClusterDimension };
	cudaLaunchConfig_t config = {
		.gridDim = c->grid, .blockDim = c->block, .dynamicSmemBytes = c->shared,
		.attrs = &cluster, .numAttrs = c->cluster > 1,
	};

	cluster.val.clusterDim.x = c->cluster;
	cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
	return stencil_emu_launch(&config, kernel, count_thread, count);
}

static void
launches_have_limits(void **state)
{
	for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
		const LaunchCase *c = &launches[i];
		uint64_t blocks = (uint64_t)c->grid.x * c->grid.y * c->grid.z;
		uint64_t threads = blocks * c->block.x * c->block.y * c->block.z;
		int count = 0;

		assert_int_equal(launch(c, state, &count), c->error);
		assert_int_equal(count, c->error == cudaSuccess ? (int)threads : 0);
	}
	(void)cudaGetLastError();
}

static void
attributes_of_a_kernel_move_its_limits(void **state)
{
	static const LaunchCase shared = { { 1, 1, 1 }, { 1, 1, 1 }, 200 << 10, 1, cudaSuccess };
	static const LaunchCase cluster = { { 16, 1, 1 }, { 1, 1, 1 }, 0, 16, cudaSuccess };
	static const char kernel = 'k';
	int count = 0;

	(void)state;
	assert_int_equal(launch(&shared, &kernel, &count), cudaErrorInvalidValue);
	assert_int_equal(cudaFuncSetAttribute(&kernel,
		cudaFuncAttributeMaxDynamicSharedMemorySize, 228 << 10), cudaErrorInvalidValue);
	assert_ok(cudaFuncSetAttribute(&kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
		200 << 10));
	assert_ok(launch(&shared, &kernel, &count));
	assert_int_equal(launch(&cluster, &kernel, &count), cudaErrorInvalidClusterSize);
	assert_ok(cudaFuncSetAttribute(&kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
	assert_ok(launch(&cluster, &kernel, &count));
	(void)cudaGetLastError();
}

static void
launches_are_counted(void **state)
{
	stencil_emu_stats sum;
	int count = 0;

	assert_ok(launch(&launches[0], state, &count));
	assert_ok(launch(&launches[1], state, &count));
	sum = stencil_emu_statistics();
	assert_int_equal(sum.launches, 2);
	assert_int_equal(sum.blocks, 7);
	assert_int_equal(sum.threads, 6 * 20 + 1024);
	assert_int_equal(sum.shared_bytes, 48 << 10);
}

/* Where the stacks of threads that have begun are; all of them wait once if they are to. */
typedef struct { uintptr_t lowest, highest; int waits; } Stacks;

static void
say_where(void *argument)
{
	Stacks *stacks = argument;
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	stacks->lowest = here < stacks->lowest ? here : stacks->lowest;
	stacks->highest = here > stacks->highest ? here : stacks->highest;
	if (stacks->waits)
		stencil_emu_barrier(0, 0, 1, __FILE__, __LINE__);
}

static void
threads_have_stacks_of_their_own_where_they_wait(void **state)
{
	const cudaLaunchConfig_t config = { .gridDim = { 1, 1, 1 }, .blockDim = { 64, 1, 1 } };
	const uintptr_t room = 1 << 20;

	for (int waits = 0; waits < 2; waits++) {
		Stacks stacks = { UINTPTR_MAX, 0, waits };

		assert_ok(stencil_emu_launch(&config, state, say_where, &stacks));
		assert_int_equal(stacks.highest - stacks.lowest >= 63 * room, waits);
		assert_int_equal(stacks.highest == stacks.lowest, !waits);
	}
}

static void
a_launch_can_fail_too(void **state)
{
	int count = 0;

	stencil_emu_fail(1, cudaErrorLaunchOutOfResources, 0);
	assert_int_equal(launch(&launches[0], state, &count), cudaErrorLaunchOutOfResources);
	assert_int_equal(count, 0);
}

/* ---- cooperative launches ---- */

/* Blocks whose threads come out of turn N once all blocks have come to it. */
typedef struct {
	unsigned threads, turns;
	unsigned come[8];
} Meeting;

static void
meet(void *argument)
{
	Meeting *meeting = argument;

	for (unsigned turn = 0; turn < meeting->turns; turn++) {
		__atomic_fetch_add(&meeting->come[turn], 1, __ATOMIC_RELAXED);
		while (__atomic_load_n(&meeting->come[turn], __ATOMIC_RELAXED) < meeting->threads)
			stencil_emu_yield(__FILE__, __LINE__);
	}
}

static cudaError_t
cooperate(dim3 grid, unsigned threads, unsigned cluster, void (*kernel)(void *), void *argument)
{
	static const char name = 'k';
	cudaLaunchAttribute attribute[2] = {
		{ .id = cudaLaunchAttributeCooperative },
		{ .id = cudaLaunchAttributeClusterDimension },
	};
	cudaLaunchConfig_t config = {
		.gridDim = grid, .blockDim = { threads, 1, 1 },
		.attrs = attribute, .numAttrs = cluster > 1 ? 2 : 1,
	};

	attribute[0].val.cooperative = 1;
	attribute[1].val.clusterDim.x = cluster;
	attribute[1].val.clusterDim.y = attribute[1].val.clusterDim.z = 1;
	return stencil_emu_launch(&config, &name, kernel, argument);
}

static void
blocks_of_a_cooperative_launch_run_at_once(void **state)
{
	static const stencil_emu_order orders[] = {
		STENCIL_EMU_REVERSE, STENCIL_EMU_SHUFFLED, STENCIL_EMU_FORWARD
	};
	int value = 0;

	(void)state;
	assert_ok(cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, 0));
	assert_int_equal(value, 1);
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		Meeting meeting = { .threads = 3 * 2 * 2 * 256, .turns = 8 };

		stencil_emu_set_order(orders[i], 5);
		assert_ok(cooperate((dim3){ 3, 2, 2 }, 256, 1, meet, &meeting));
		assert_int_equal(meeting.come[7], meeting.threads);
	}
	assert_int_equal(stencil_emu_statistics().blocks, 3 * 12);
}

static void
cooperative_launches_have_limits(void **state)
{
	int count = 0, active;

	assert_ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, state, 2, 0));
	assert_ok(cooperate((dim3){ 132, (unsigned)active, 1 }, 2, 1, count_thread, &count));
	assert_int_equal(count, 132 * active * 2);
	assert_int_equal(cooperate((dim3){ 132 * (unsigned)active + 1, 1, 1 }, 2, 1, count_thread,
		&count), cudaErrorCooperativeLaunchTooLarge);
	assert_int_equal(cooperate((dim3){ 53, 5, 1 }, 1024, 1, count_thread, &count),
		cudaErrorCooperativeLaunchTooLarge);
	assert_string_equal(cudaGetErrorName(cudaGetLastError()),
		"cudaErrorCooperativeLaunchTooLarge");
	assert_int_equal(cooperate((dim3){ 4, 1, 1 }, 32, 2, count_thread, &count),
		cudaErrorNotSupported);
	assert_int_equal(count, 132 * active * 2);
	(void)cudaGetLastError();
}

static void
wait_in_vain(void *never)
{
	while (*(volatile int *)never == 0)
		stencil_emu_yield(__FILE__, __LINE__);
}

static void
find_again_and_again(void *count)
{
	for (int i = 0; i < *(int *)count; i++) {
		stencil_emu_yield(__FILE__, __LINE__);
		stencil_emu_found();
	}
}

/* The exit status of a process that does this. */
static int
status_of_launch(dim3 grid, void (*kernel)(void *), int value)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		close(STDERR_FILENO);
		_exit(cooperate(grid, 256, 1, kernel, &value) != cudaSuccess);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void
who_waits_in_vain_is_told_so(void **state)
{
	(void)state;
	assert_int_equal(status_of_launch((dim3){ 12, 1, 1 }, wait_in_vain, 0), STENCIL_EMU_STATUS);
	assert_int_equal(status_of_launch((dim3){ 12, 1, 1 }, wait_in_vain, 1), 0);
	assert_int_equal(status_of_launch((dim3){ 1, 1, 1 }, find_again_and_again, 20000), 0);
}

/* What a cluster has, where there is none. */
static void
ask_for_rank(void *rank)
{
	*(unsigned *)rank = stencil_emu_cluster_rank();
}

static void
blocks_of_a_cooperative_launch_are_no_cluster(void **state)
{
	(void)state;
	assert_int_equal(status_of_launch((dim3){ 2, 1, 1 }, ask_for_rank, 0), STENCIL_EMU_STATUS);
}

static void
touch(void *closed)
{
	*(volatile int *)closed = 1;
}

static void
mine(int number)
{
	(void)number;
	_exit(7);
}

/* The status of a process whose kernel touches what nobody may. */
static int
fault_status(void (*handler)(int number))
{
	static const char kernel = 'k';
	cudaLaunchConfig_t config = {
		.gridDim = { 2, 1, 1 }, .blockDim = { 2, 1, 1 }
	};
	void *closed = mmap(NULL, 1 << 16, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int status, count = 0;
	pid_t child;

	assert_ptr_not_equal(closed, MAP_FAILED);
	child = fork();
	if (child == 0) {
		/* Once before, and still there the second time. */
		signal(SIGSEGV, handler);
		stencil_emu_launch(&config, &kernel, count_thread, &count);
		stencil_emu_launch(&config, &kernel, touch, closed);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	munmap(closed, 1 << 16);
	return status;
}

static void
a_fault_of_another_kind_goes_on_as_before(void **state)
{
	int status = fault_status(SIG_DFL);

	(void)state;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSEGV);
	status = fault_status(mine);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
}

static void
signals_are_the_programs_own_between_launches(void **state)
{
	void (*before)(int number) = signal(SIGSEGV, mine);
	int count = 0;
	stack_t stack, after;

	assert_int_equal(sigaltstack(NULL, &stack), 0);
	assert_ok(launch(&launches[0], state, &count));
	assert_ptr_equal(signal(SIGSEGV, before), mine);
	assert_int_equal(sigaltstack(NULL, &after), 0);
	assert_ptr_equal(after.ss_sp, stack.ss_sp);
	assert_int_equal(after.ss_flags, stack.ss_flags);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(new_memory_is_full_of_nans_and_aligned, set_up),
		cmocka_unit_test_setup(no_bytes_are_no_memory, set_up),
		cmocka_unit_test_setup(memory_runs_out, set_up),
		cmocka_unit_test_setup(only_what_was_allocated_is_freed_and_once, set_up),
		cmocka_unit_test_setup(copies_go_there_and_back, set_up),
		cmocka_unit_test_setup(copies_stay_within_a_block_and_their_direction, set_up),
		cmocka_unit_test_setup(pointers_are_known, set_up),
		cmocka_unit_test_setup(the_nth_call_fails, set_up),
		cmocka_unit_test_setup(a_lost_device_stays_lost, set_up),
		cmocka_unit_test_setup(errors_have_names, set_up),
		cmocka_unit_test_setup(there_are_as_many_devices_as_wanted, set_up),
		cmocka_unit_test_setup(there_can_be_no_device, set_up),
		cmocka_unit_test_setup(streams_run_at_once, set_up),
		cmocka_unit_test_setup(launches_have_limits, set_up),
		cmocka_unit_test_setup(attributes_of_a_kernel_move_its_limits, set_up),
		cmocka_unit_test_setup(launches_are_counted, set_up),
		cmocka_unit_test_setup(threads_have_stacks_of_their_own_where_they_wait, set_up),
		cmocka_unit_test_setup(a_launch_can_fail_too, set_up),
		cmocka_unit_test_setup(blocks_of_a_cooperative_launch_run_at_once, set_up),
		cmocka_unit_test_setup(cooperative_launches_have_limits, set_up),
		cmocka_unit_test_setup(who_waits_in_vain_is_told_so, set_up),
		cmocka_unit_test_setup(blocks_of_a_cooperative_launch_are_no_cluster, set_up),
		cmocka_unit_test_setup(a_fault_of_another_kind_goes_on_as_before, set_up),
		cmocka_unit_test_setup(signals_are_the_programs_own_between_launches, set_up),
	};

	return cmocka_run_group_tests_name("hostcuda", tests, NULL, NULL);
}
