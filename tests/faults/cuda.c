/* cuda.c: every CUDA call, and every allocation of host memory, fails in turn, for
 * each stencil that this is linked with.  TAP.
 *
 * Whatever fails: a status and one line that names the call, or results that are
 * right; the context goes on where the GPU does, and refuses where it does not;
 * nothing is left behind.  CUDA is the emulation, memory goes by --wrap.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "problem.h"
#include "stencil_emu.h"

enum { STEPS = 4, LEAST_CALLS = 30 };

static const struct {
	cudaError_t code;
	stencil_status status;
} errors[] = {
	{ cudaErrorMemoryAllocation, STENCIL_OUT_OF_MEMORY },
	{ cudaErrorLaunchOutOfResources, STENCIL_CUDA_ERROR },
	{ cudaErrorLaunchFailure, STENCIL_CUDA_ERROR },
	{ cudaErrorIllegalAddress, STENCIL_CUDA_ERROR },
	{ cudaErrorInvalidDevice, STENCIL_CUDA_ERROR },
	{ cudaErrorNoDevice, STENCIL_NO_DEVICE },
	{ cudaErrorInsufficientDriver, STENCIL_NO_DEVICE },
};
enum { N_ERRORS = sizeof errors / sizeof errors[0] };

/* ---- allocations ---- */

static struct {
	unsigned long made, fail_at; /* allocations so far; the one that fails, 0: none */
	long live;
	int paused;                  /* in a kernel: that memory is the emulation's own */
} memory;

static int
may_allocate(void)
{
	return memory.paused || ++memory.made != memory.fail_at;
}

static void *
allocated(void *block)
{
	__atomic_fetch_add(&memory.live, block != NULL, __ATOMIC_RELAXED);
	return block;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
int __real_posix_memalign(void **block, size_t alignment, size_t bytes);
void __real_free(void *block);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
int __wrap_posix_memalign(void **block, size_t alignment, size_t bytes);
void __wrap_free(void *block);
cudaError_t __real_stencil_emu_launch(const cudaLaunchConfig_t *config, const void *kernel,
	void (*invoke)(void *call), void *call);
cudaError_t __wrap_stencil_emu_launch(const cudaLaunchConfig_t *config, const void *kernel,
	void (*invoke)(void *call), void *call);

void *
__wrap_malloc(size_t bytes)
{
	return may_allocate() ? allocated(__real_malloc(bytes)) : NULL;
}

void *
__wrap_calloc(size_t n, size_t bytes)
{
	return may_allocate() ? allocated(__real_calloc(n, bytes)) : NULL;
}

void *
__wrap_realloc(void *block, size_t bytes)
{
	if (!may_allocate())
		return NULL;
	return block == NULL ? allocated(__real_realloc(block, bytes))
		: __real_realloc(block, bytes);
}

int
__wrap_posix_memalign(void **block, size_t alignment, size_t bytes)
{
	int failed = !may_allocate() || __real_posix_memalign(block, alignment, bytes) != 0;

	allocated(failed ? NULL : *block);
	return failed;
}

void
__wrap_free(void *block)
{
	__atomic_fetch_sub(&memory.live, block != NULL, __ATOMIC_RELAXED);
	__real_free(block);
}

cudaError_t
__wrap_stencil_emu_launch(const cudaLaunchConfig_t *config, const void *kernel,
	void (*invoke)(void *call), void *call)
{
	cudaError_t error;

	memory.paused = 1;
	error = __real_stencil_emu_launch(config, kernel, invoke, call);
	memory.paused = 0;
	return error;
}

/* ---- what is tried ---- */

/* All that one try holds. */
typedef struct {
	const stencil_description *what;
	const Sizes *sizes;
	stencil_context *ctx;
	Problem *problem;
	stencil_timer *timer;
	cudaStream_t stream;
	char text[1024]; /* of the failure */
} Try;

static void *
take(void *user, size_t bytes)
{
	void *block = NULL;

	(void)user;
	if (cudaMalloc(&block, bytes) != cudaSuccess)
		(void)cudaGetLastError();
	return block;
}

static void
give(void *user, void *block)
{
	(void)user;
	if (cudaFree(block) != cudaSuccess)
		(void)cudaGetLastError();
}

static stencil_status
make_problem(Try *t)
{
	ProblemOptions options = { .seed = 1, .scale = 0.1, .ctx = t->ctx };

	t->problem = problem_new(t->what, t->sizes, &options);
	return t->problem != NULL ? STENCIL_OK : STENCIL_CUDA_ERROR;
}

/* One call from the start, up to what came out. */
static stencil_status
call(Try *t)
{
	static int64_t done;
	stencil_status status = problem_reset_device(t->problem);

	if (status == STENCIL_OK)
		status = problem_call_device(t->problem, STEPS, &done);
	if (status == STENCIL_OK)
		status = problem_download(t->problem);
	return status;
}

/* Everything that a program does with the library. */
static stencil_status
use(Try *t)
{
	double seconds;
	stencil_status status = stencil_context_create(&t->ctx, 1);

	if (status != STENCIL_OK)
		return status;
	status = make_problem(t);
	if (status == STENCIL_OK)
		status = stencil_context_reserve(t->ctx, 64);
	if (status == STENCIL_OK)
		status = stencil_timer_create(t->ctx, &t->timer);
	if (status == STENCIL_OK)
		status = stencil_timer_start(t->timer);
	if (status == STENCIL_OK)
		status = stencil_context_set_stream(t->ctx, t->stream);
	if (status == STENCIL_OK)
		status = call(t);
	if (status == STENCIL_OK)
		status = stencil_context_set_stream(t->ctx, NULL);
	if (status == STENCIL_OK)
		status = stencil_context_set_allocator(t->ctx, take, give, NULL);
	if (status == STENCIL_OK)
		status = call(t);
	if (status == STENCIL_OK)
		status = stencil_context_set_allocator(t->ctx, NULL, NULL, NULL);
	if (status == STENCIL_OK)
		status = stencil_timer_stop(t->timer, &seconds);
	return status;
}

/* A failure's text is the context's, or the thread's where there is none or the
 * runner has passed it on. */
static void
keep_text(Try *t)
{
	const char *text = t->ctx != NULL ? stencil_error(t->ctx) : "";

	snprintf(t->text, sizeof t->text, "%s", *text != '\0' ? text : stencil_last_error());
}

static int
same_arrays(const Problem *a, const Problem *b)
{
	for (int i = 0; i < a->n_arrays; i++)
		if (memcmp(a->arrays[i].seen, b->arrays[i].seen,
			layout_bytes(&a->arrays[i].layout)) != 0)
			return 0;
	return 1;
}

static void
forget(Try *t)
{
	stencil_timer_destroy(t->timer);
	if (t->problem != NULL)
		problem_free(t->problem);
	stencil_context_destroy(t->ctx);
	t->timer = NULL;
	t->problem = NULL;
	t->ctx = NULL;
}

/* ---- what must hold ---- */

typedef struct {
	Try right;               /* nothing fails: what must come out */
	unsigned long calls, allocations;
	long live;
	stencil_emu_stats held;
	unsigned failures;       /* tries that gave a status */
} Sweep;

static int checked, wrong;

static void
complain(const Try *t, unsigned long n, const char *what)
{
	wrong++;
	printf("# %s, no. %lu: %s (\"%s\")\n", t->what->name, n, what, t->text);
}

static void
check_text(const Try *t, unsigned long n, const char *name)
{
	if (strstr(t->text, "the allocator of the context") == NULL
		&& (strstr(t->text, "cuda") == NULL || strstr(t->text, name) == NULL))
		complain(t, n, "the message names no call, or not what happened");
	if (strchr(t->text, '\n') != NULL)
		complain(t, n, "the message is no line");
}

/* The same context works as if nothing had been. */
static void
check_again(const Sweep *s, Try *t, unsigned long n)
{
	stencil_status status = STENCIL_OK;

	if (t->ctx == NULL)
		return;
	if (t->problem == NULL)
		status = make_problem(t);
	if (status == STENCIL_OK)
		status = call(t);
	keep_text(t);
	if (status != STENCIL_OK)
		complain(t, n, "the context is of no use any more");
	else if (!same_arrays(t->problem, s->right.problem))
		complain(t, n, "the next call's results are wrong");
}

static void
check_refused(Try *t, unsigned long n, const char *name)
{
	if (t->ctx == NULL || t->problem == NULL)
		return;
	if (call(t) == STENCIL_OK)
		complain(t, n, "a call to a lost GPU is fine");
	keep_text(t);
	check_text(t, n, name);
}

static void
check_nothing_left(const Sweep *s, const Try *t, unsigned long n)
{
	stencil_emu_stats now = stencil_emu_statistics();

	if (now.allocations != s->held.allocations || now.streams != s->held.streams
		|| now.events != s->held.events || now.pinned != s->held.pinned)
		complain(t, n, "memory, a stream or an event of CUDA is left");
	if (memory.live != s->live)
		complain(t, n, "memory is left");
}

/* The N-th call fails; LOST: and all others after it. */
static void
try_call(Sweep *s, unsigned long n, int error, int lost)
{
	Try t = { .what = s->right.what, .sizes = s->right.sizes, .stream = s->right.stream };
	const char *name = cudaGetErrorName(errors[error].code);
	stencil_status status;

	checked++;
	stencil_emu_fail(n, errors[error].code, lost);
	status = use(&t);
	keep_text(&t);
	if (status != STENCIL_OK) {
		s->failures++;
		check_text(&t, n, name);
		if (t.problem != NULL && status != errors[error].status
			&& !(status == STENCIL_OUT_OF_MEMORY && strstr(t.text, "allocator")))
			complain(&t, n, "it has another status");
	} else if (!same_arrays(t.problem, s->right.problem)) {
		complain(&t, n, "fine, but the results are wrong");
	}
	if (!lost && cudaPeekAtLastError() != cudaSuccess)
		complain(&t, n, "CUDA's last error is left for the next caller");
	if (lost)
		check_refused(&t, n, name);
	else
		check_again(s, &t, n);
	forget(&t);
	stencil_emu_fail(0, 0, 0);
	cudaSetDevice(0);
	check_nothing_left(s, &t, n);
}

static void
try_allocation(Sweep *s, unsigned long n)
{
	Try t = { .what = s->right.what, .sizes = s->right.sizes, .stream = s->right.stream };
	stencil_status status;

	checked++;
	memory.made = 0;
	memory.fail_at = n;
	status = use(&t);
	memory.fail_at = 0;
	keep_text(&t);
	s->failures += status != STENCIL_OK;
	if (status == STENCIL_OK && !same_arrays(t.problem, s->right.problem))
		complain(&t, n, "fine, but the results are wrong");
	if (status != STENCIL_OK && strstr(t.text, "memory") == NULL
		&& strstr(t.text, "the allocator of the context") == NULL)
		complain(&t, n, "the message does not say that memory ran out");
	check_again(s, &t, n);
	forget(&t);
	cudaSetDevice(0);
	check_nothing_left(s, &t, n);
}

/* ---- TAP ---- */

static int number;

static void
answer(const char *what, const char *how, unsigned long swept, unsigned failures)
{
	static int before;
	const char *idle = failures < swept / 2 ? " (and hardly any was noticed)" : "";

	printf("%sok %d - %s: %s: %lu, %u of them end in a status%s\n",
		wrong > before || *idle != '\0' ? "not " : "", ++number, what, how, swept,
		failures, idle);
	wrong += *idle != '\0';
	before = wrong;
}

static void
sweep(const stencil_description *what)
{
	static const int64_t extents[] = { 5, 7, 9 }, volume[] = { 5, 19, 32 };
	char how[128];
	Sizes sizes = sizes_unknown();
	Sweep s = { .right = { .what = what, .sizes = &sizes } };

	sizes_fill(&sizes, what, what->grids[0].rank == 3 ? volume : extents);
	sizes_derive(&sizes, what);
	cudaSetDevice(0);
	cudaStreamCreate(&s.right.stream);
	/* Twice: what the emulation keeps for itself is there afterwards. */
	for (int i = 0; i < 2; i++) {
		forget(&s.right);
		memory.made = 0;
		stencil_emu_fail(0, 0, 0);
		if (use(&s.right) != STENCIL_OK) {
			keep_text(&s.right);
			complain(&s.right, 0, "nothing fails, and yet");
			return;
		}
		s.calls = (unsigned long)stencil_emu_calls();
		s.allocations = memory.made;
	}
	s.live = memory.live;
	s.held = stencil_emu_statistics();
	if (s.calls < LEAST_CALLS)
		complain(&s.right, 0, "there are too few calls to be all of them");
	for (int lost = 0; lost <= 1; lost++) {
		for (int e = 0; e < N_ERRORS; e++) {
			s.failures = 0;
			for (unsigned long n = 1; n <= s.calls; n++)
				try_call(&s, n, e, lost);
			snprintf(how, sizeof how, "CUDA calls fail by %s%s",
				cudaGetErrorName(errors[e].code), lost ? " for ever" : "");
			answer(what->name, how, s.calls, s.failures);
		}
	}
	s.failures = 0;
	for (unsigned long n = 1; n <= s.allocations; n++)
		try_allocation(&s, n);
	answer(what->name, "allocations fail", s.allocations, s.failures);
	forget(&s.right);
	cudaStreamDestroy(s.right.stream);
}

int
main(void)
{
	stencil_emu_set_devices(2);
	stencil_emu_set_threads(1);
	printf("1..%d\n", stencil_n_descriptions * (2 * N_ERRORS + 1));
	for (int i = 0; i < stencil_n_descriptions; i++)
		sweep(&stencil_descriptions[i]);
	printf("# %d faults, %d findings\n", checked, wrong);
	return wrong > 0;
}
