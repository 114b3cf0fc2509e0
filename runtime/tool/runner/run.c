/* run.c: one stencil on given or generated data, timed. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "problem.h"
#include "runner.h"
#include "times.h"
#include "value.h"

/* Scalars without a default are made smaller where the program refuses them. */
enum { MAX_SCALES = 6, DEFAULT_STEPS = 10 };
static const double next_scale = 0.125;

typedef struct {
	const RunnerOptions *options;
	const stencil_description *what;
	stencil_context *ctx;  /* NULL: on the host */
	Problem *problem;
	int64_t steps;
	int64_t done;          /* steps_done; -1: the stencil has none */
	double *seconds;       /* of each repetition, sorted at the end */
	Input *inputs;         /* in the order of options->in */
} Run;

/* ---- sizes and data ---- */

static stencil_status
read_inputs(Run *run, Sizes *sizes)
{
	const TextList *in = &run->options->in;

	for (int i = 0; i < in->n; i++) {
		const char *path = NULL;
		int level;
		const stencil_field_description *f = files_field(run->what, in->item[i], &level,
			&path);
		stencil_status status = f == NULL ? STENCIL_BAD_ARGUMENT
			: stencil_array_read(&run->inputs[i].array, path);

		run->inputs[i].path = path;
		if (status == STENCIL_OK)
			status = files_extents(run->what, f, &run->inputs[i], sizes);
		if (status != STENCIL_OK)
			return status;
	}
	return STENCIL_OK;
}

static stencil_status
choose_sizes(Run *run, Sizes *sizes)
{
	static const int64_t gpu[] = { 1 << 24, 4096, 256 };
	const RunnerOptions *o = run->options;
	const stencil_description *d = run->what;

	*sizes = sizes_unknown();
	stencil_status status = sizes_parse(sizes, d, o->size);
	if (status == STENCIL_OK)
		status = read_inputs(run, sizes);
	if (status != STENCIL_OK)
		return status;
	sizes_fill_usual(sizes, d, o, gpu, 2);
	sizes_derive(sizes, d);
	return STENCIL_OK;
}

/* Levels that have a file of their own after those that share one. */
static stencil_status
load_inputs(Run *run)
{
	const TextList *in = &run->options->in;
	stencil_status status = STENCIL_OK;

	for (int own = 0; own <= 1; own++)
		for (int i = 0; status == STENCIL_OK && i < in->n; i++) {
			const char *path;
			int level;
			const stencil_field_description *f = files_field(run->what, in->item[i],
				&level, &path);

			if ((level > 0) == own)
				status = files_load(run->problem, f, level, &run->inputs[i]);
		}
	return status;
}

/* What is computed would be lost if there were no place for it. */
static stencil_status
check_outputs(const Run *run)
{
	const TextList *out = &run->options->out;
	stencil_status status = STENCIL_OK;

	for (int i = 0; status == STENCIL_OK && i < out->n; i++) {
		const char *path;
		int level;
		const stencil_field_description *f = files_field(run->what, out->item[i], &level,
			&path);

		status = f == NULL ? STENCIL_BAD_ARGUMENT
			: files_check(run->problem, f, level, path);
	}
	return status;
}

/* ---- running ---- */

static stencil_status
device_failed(const Run *run, stencil_status status)
{
	return stencil_fail(NULL, status, "%s", stencil_error(run->ctx));
}

static stencil_status
timed_call(Run *run, int64_t steps, double *seconds)
{
	stencil_status status;

	if (run->ctx == NULL) {
		double start;

		problem_reset_host(run->problem);
		start = times_now();
		status = problem_call_host(run->problem, run->what->host, steps, &run->done);
		*seconds = times_now() - start;
		return status;
	}
	stencil_timer *timer;
	status = problem_reset_device(run->problem);
	if (status != STENCIL_OK)
		return status;
	if (stencil_timer_create(run->ctx, &timer) != STENCIL_OK)
		return device_failed(run, STENCIL_CUDA_ERROR);
	status = stencil_timer_start(timer);
	if (status == STENCIL_OK)
		status = problem_call_device(run->problem, steps, &run->done);
	if (status == STENCIL_OK)
		status = stencil_timer_stop(timer, seconds);
	stencil_timer_destroy(timer);
	return status == STENCIL_OK ? status : device_failed(run, status);
}

static stencil_status
timed_calls(Run *run)
{
	double warm;
	stencil_status status = STENCIL_OK;

	/* Code is loaded and scratch memory found before the clock starts. */
	if (run->ctx != NULL || run->options->repeat > 1)
		status = timed_call(run, run->steps > 1 ? 1 : run->steps, &warm);
	for (int i = 0; status == STENCIL_OK && i < run->options->repeat; i++)
		status = timed_call(run, run->steps, &run->seconds[i]);
	times_sort(run->seconds, run->options->repeat);
	return status;
}

static stencil_status
run_scaled(Run *run, const Sizes *sizes, double scale)
{
	stencil_status status = STENCIL_OK;
	ProblemOptions o = {
		.seed = run->options->seed, .scale = scale, .ctx = run->ctx, .why = &status,
		.n_set = run->options->set.n, .set = run->options->set.item,
	};

	if (run->problem != NULL)
		problem_free(run->problem);
	run->problem = problem_new(run->what, sizes, &o);
	if (run->problem == NULL)
		return status;
	status = check_outputs(run);
	if (status == STENCIL_OK)
		status = load_inputs(run);
	return status == STENCIL_OK ? timed_calls(run) : status;
}

/* ---- what came out ---- */

/* Ctrl-C comes before a file is begun, or once it is whole: whichever thread it comes to. */
static volatile sig_atomic_t interrupt;

static void
note_interrupt(int number)
{
	interrupt = number;
}

/* To HANDLER with all that are not ignored. */
static void
handle_interrupts(void (*handler)(int))
{
	static const int interrupts[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM };
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART }, before;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof interrupts / sizeof *interrupts; i++)
		if (sigaction(interrupts[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(interrupts[i], &action, NULL);
}

static void
hold_interrupts(void)
{
	handle_interrupts(note_interrupt);
}

static void
release_interrupts(void)
{
	handle_interrupts(SIG_DFL);
	if (interrupt != 0)
		raise(interrupt);
}

static stencil_status
save_outputs(Run *run)
{
	const TextList *out = &run->options->out;
	stencil_status status = run->ctx != NULL ? problem_download(run->problem) : STENCIL_OK;

	for (int i = 0; status == STENCIL_OK && i < out->n; i++) {
		const char *path;
		int level;
		const stencil_field_description *f = files_field(run->what, out->item[i], &level,
			&path);

		hold_interrupts();
		status = files_save(run->problem, f, level, run->ctx != NULL, path);
		release_interrupts();
	}
	return status;
}

static double
median(const Run *run)
{
	return times_median(run->seconds, run->options->repeat);
}

/* Cells computed per second, in units of 1e9, all steps counted. */
static double
rate(const Run *run)
{
	const stencil_description *d = run->what;
	int64_t steps = d->steps < 0 ? 1 : run->done >= 0 ? run->done : run->steps;
	double cells = (double)sizes_cells(&run->problem->sizes, d, d->default_grid);

	return median(run) > 0 ? cells * (double)steps / median(run) * 1e-9 : 0;
}

/* The value of the result ARRAY, to the last digit; QUOTE is around what is no number. */
static void
say_result(const Run *run, const Array *array, const char *quote)
{
	void *memory = run->ctx != NULL ? array->seen : array->host;
	const void *at = layout_row(&array->layout, memory, 0);
	const double value = value_get(array->layout.type, at, 0);

	if (!value_is_real(array->layout.type))
		printf("%lld", (long long)value_integer(array->layout.type, at, 0));
	else if (isfinite(value))
		printf("%.17g", value);
	else
		printf("%s%s%s", quote, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf", quote);
}

static void
say_text(const Run *run, const char *device, const char *sizes)
{
	const RunnerOptions *o = run->options;
	const Problem *p = run->problem;

	printf("%s on %s, %s", run->what->name, device, sizes);
	if (run->what->steps >= 0)
		printf(", %lld steps", (long long)(run->done >= 0 ? run->done : run->steps));
	printf(": %.6g s, %.4g GCells/s", median(run), rate(run));
	if (o->repeat > 1)
		printf(" (median of %d, %.6g to %.6g s)", o->repeat, run->seconds[0],
			run->seconds[o->repeat - 1]);
	putchar('\n');
	for (int i = 0; i < p->n_arrays; i++) {
		if (p->arrays[i].result == NULL)
			continue;
		printf("%s = ", p->arrays[i].result->name);
		say_result(run, &p->arrays[i], "");
		putchar('\n');
	}
	for (int i = 0; i < o->out.n; i++) {
		int length = (int)strcspn(o->out.item[i], "=");

		printf("%.*s is in %s\n", length, o->out.item[i], o->out.item[i] + length + 1);
	}
}

static void
say_json(const Run *run, const char *device, const char *sizes)
{
	const RunnerOptions *o = run->options;
	const Problem *p = run->problem;
	const char *comma = "";

	printf("{\"stencil\": \"%s\", \"device\": ", run->what->name);
	runner_json_string(device);
	printf(", \"size\": \"%s\", \"steps\": %lld, \"gcells_per_s\": %.6g, \"seconds\": [", sizes,
		(long long)(run->done >= 0 ? run->done : run->steps), rate(run));
	for (int i = 0; i < o->repeat; i++)
		printf("%s%.9g", i == 0 ? "" : ", ", run->seconds[i]);
	printf("], \"results\": {");
	for (int i = 0; i < p->n_arrays; i++) {
		if (p->arrays[i].result == NULL)
			continue;
		printf("%s\"%s\": ", comma, p->arrays[i].result->name);
		say_result(run, &p->arrays[i], "\"");
		comma = ", ";
	}
	printf("}, \"outputs\": {");
	for (int i = 0; i < o->out.n; i++) {
		size_t length = strcspn(o->out.item[i], "=");

		printf("%s\"%.*s\": ", i == 0 ? "" : ", ", (int)length, o->out.item[i]);
		runner_json_string(o->out.item[i] + length + 1);
	}
	printf("}}\n");
}

static void
say(const Run *run)
{
	char sizes[256];
	stencil_device_info info;
	const char *device = run->options->emulated ? "the emulation" : "the CPU";

	if (run->ctx != NULL && !run->options->emulated
	    && stencil_device_query(stencil_context_device(run->ctx), &info) == STENCIL_OK)
		device = info.name;
	sizes_print(&run->problem->sizes, run->what, sizes, sizeof sizes);
	(run->options->json ? say_json : say_text)(run, device, sizes);
}

static stencil_status
run_all(Run *run)
{
	stencil_status status = STENCIL_REQUIRE_FAILED;
	double scale = 1;
	Sizes sizes;

	if (!run->options->on_host) {
		status = stencil_context_create(&run->ctx, 0);
		if (status != STENCIL_OK)
			return status;
	}
	status = choose_sizes(run, &sizes);
	if (status != STENCIL_OK)
		return status;
	status = STENCIL_REQUIRE_FAILED;
	for (int i = 0; status == STENCIL_REQUIRE_FAILED && i < MAX_SCALES; i++) {
		status = run_scaled(run, &sizes, scale);
		scale *= next_scale;
	}
	if (status == STENCIL_OK)
		status = save_outputs(run);
	if (status == STENCIL_OK)
		say(run);
	return status;
}

/* The program's own number of steps, or a few. */
static int64_t
choose_steps(const RunnerOptions *options, const stencil_description *what)
{
	if (what->steps < 0)
		return 0;
	if (options->steps >= 0)
		return options->steps;
	return what->default_steps > 0 ? what->default_steps : DEFAULT_STEPS;
}

int
runner_run(const RunnerOptions *options)
{
	Run run = { .options = options, .done = -1 };
	stencil_status status = STENCIL_OUT_OF_MEMORY;

	run.what = runner_pick(options);
	if (run.what == NULL)
		return EXIT_USAGE;
	run.steps = choose_steps(options, run.what);
	run.seconds = calloc((size_t)options->repeat, sizeof *run.seconds);
	run.inputs = calloc((size_t)options->in.n + 1, sizeof *run.inputs);
	if (run.seconds != NULL && run.inputs != NULL)
		status = run_all(&run);
	else
		stencil_fail(NULL, status, "no memory for %d repetitions", options->repeat);
	for (int i = 0; run.inputs != NULL && i < options->in.n; i++)
		stencil_array_free(&run.inputs[i].array);
	if (run.problem != NULL)
		problem_free(run.problem);
	stencil_context_destroy(run.ctx);
	free(run.seconds);
	free(run.inputs);
	return status == STENCIL_OK ? EXIT_FINE : runner_trouble(run.what->name, status);
}
