/* bench.c: one stencil, timed on random data: warm-up, repetitions, clock. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SCALES = 6, LEAST_STEPS = 100, TRIAL_STEPS = 10, SPIN_CLOCKS = 1000000 };
static const double next_scale = 0.125;
/* A repetition lasts at least so long, in seconds, unless its steps are given. */
static const double least_seconds = 0.010;

stencil_status
bench_device_failed(const Bench *bench, stencil_status status)
{
	return stencil_fail(NULL, status, "%s", stencil_error(bench->ctx));
}

ProblemOptions
bench_problem_options(const Bench *bench)
{
	const RunnerOptions *o = bench->options;

	return (ProblemOptions){
		.seed = o->seed, .scale = bench->scale, .ctx = bench->ctx,
		.n_set = o->set.n, .set = o->set.item,
		.fill = bench->ctx != NULL ? bench_fill : NULL,
	};
}

/* ---- a repetition ---- */

static stencil_status
calls_on_host(Bench *bench, double *seconds)
{
	stencil_status status = STENCIL_OK;
	double start;

	problem_reset_host(bench->problem);
	start = times_now();
	for (int64_t i = 0; status == STENCIL_OK && i < bench->calls; i++)
		status = problem_call_host(bench->problem, bench->what->host, bench->steps,
			&bench->done);
	*seconds = times_now() - start;
	return status;
}

/* The clock: so many of them, right behind the work.  Nothing in the emulation. */
static stencil_status
measure_clock(Bench *bench, stencil_timer *timer)
{
	double seconds = 0;
	stencil_status status = stencil_timer_start(timer);

	if (status == STENCIL_OK)
		status = bench_spin(bench->ctx, SPIN_CLOCKS);
	if (status == STENCIL_OK)
		status = stencil_timer_stop(timer, &seconds);
	bench->clock_mhz = !bench->options->emulated && seconds > 0
		? SPIN_CLOCKS / seconds * 1e-6 : 0;
	return status;
}

static stencil_status
calls_on_device(Bench *bench, stencil_timer *work, stencil_timer *clock, double *seconds)
{
	stencil_status status = stencil_timer_start(work);

	for (int64_t i = 0; status == STENCIL_OK && i < bench->calls; i++)
		status = problem_start_device(bench->problem, bench->what->device, bench->steps,
			&bench->done);
	if (status == STENCIL_OK && clock != NULL)
		status = measure_clock(bench, clock);
	if (status == STENCIL_OK)
		status = stencil_timer_stop(work, seconds);
	return status;
}

/* The data anew, and then the calls; CLOCK: it is measured behind them, and the
 * time is of no use. */
static stencil_status
repetition(Bench *bench, int clock, double *seconds)
{
	stencil_timer *work = NULL, *other = NULL;
	stencil_status status;

	if (bench->ctx == NULL)
		return calls_on_host(bench, seconds);
	status = problem_reset_device(bench->problem);
	if (status != STENCIL_OK)
		return status;
	status = stencil_timer_create(bench->ctx, &work);
	if (status == STENCIL_OK && clock)
		status = stencil_timer_create(bench->ctx, &other);
	if (status == STENCIL_OK)
		status = calls_on_device(bench, work, other, seconds);
	stencil_timer_destroy(work);
	stencil_timer_destroy(other);
	return status == STENCIL_OK ? status : bench_device_failed(bench, status);
}

/* ---- how much to do ---- */

static stencil_status
choose_sizes(const Bench *bench, Sizes *sizes)
{
	static const int64_t gpu[] = { 1 << 26, 8192, 512 };

	*sizes = sizes_unknown();
	stencil_status status = sizes_parse(sizes, bench->what, bench->options->size);
	if (status == STENCIL_OK) {
		sizes_fill_usual(sizes, bench->what, bench->options, gpu, 1);
		sizes_derive(sizes, bench->what);
	}
	return status;
}

/* Steps of a call and calls of a repetition, going by a short trial. */
static stencil_status
choose_work(Bench *bench)
{
	int stepped = bench->what->steps >= 0, given = bench->options->steps >= 0;
	double seconds = 0;
	stencil_status status;

	bench->calls = 1;
	bench->steps = !stepped ? 0 : given ? bench->options->steps : TRIAL_STEPS;
	status = repetition(bench, 0, &seconds);
	if (status == STENCIL_OK)
		status = repetition(bench, 0, &seconds);
	if (status != STENCIL_OK || seconds <= 0)
		return status;
	double more = least_seconds / seconds;
	if (!stepped)
		bench->calls = more > 1 ? (int64_t)more + 1 : 1;
	else if (!given)
		bench->steps = TRIAL_STEPS * more > LEAST_STEPS
			? (int64_t)(TRIAL_STEPS * more) + 1 : LEAST_STEPS;
	return STENCIL_OK;
}

/* ---- the whole ---- */

static stencil_status
measure(Bench *bench)
{
	const RunnerOptions *o = bench->options;
	stencil_status status = choose_work(bench);
	double seconds;

	for (int i = 0; status == STENCIL_OK && i < o->warmup; i++)
		status = repetition(bench, 0, &seconds);
	for (int i = 0; status == STENCIL_OK && i < o->repeat; i++)
		status = repetition(bench, 0, &bench->seconds[i]);
	if (status != STENCIL_OK || bench->ctx == NULL)
		return status;
	bench_watch(1);
	status = repetition(bench, 1, &seconds);
	bench_watch(0);
	return status == STENCIL_OK ? bench_not_finite(bench, &bench->not_finite) : status;
}

static stencil_status
measure_scaled(Bench *bench, const Sizes *sizes)
{
	ProblemOptions o = bench_problem_options(bench);
	stencil_status status = STENCIL_OK;

	o.why = &status;
	if (bench->problem != NULL)
		problem_free(bench->problem);
	bench->problem = problem_new(bench->what, sizes, &o);
	return bench->problem != NULL ? measure(bench) : status;
}

/* Where a program requires something of its scalars, or blows up, they are made
 * smaller. */
static stencil_status
measure_all(Bench *bench)
{
	Sizes sizes;
	stencil_status status = choose_sizes(bench, &sizes);

	if (status != STENCIL_OK)
		return status;
	bench->scale = 1;
	for (int i = 0; i < MAX_SCALES; i++, bench->scale *= next_scale) {
		bench->not_finite = 0;
		status = measure_scaled(bench, &sizes);
		if (status != STENCIL_REQUIRE_FAILED
		    && (status != STENCIL_OK || bench->not_finite == 0))
			break;
	}
	if (status == STENCIL_OK)
		status = bench_measure_copies(bench, &bench->copies);
	if (status == STENCIL_OK && !bench->options->no_check)
		status = bench_check(bench);
	return status;
}

static int
bench_one(const RunnerOptions *options, const stencil_description *what, stencil_context *ctx)
{
	Bench bench = { .options = options, .what = what, .ctx = ctx, .done = -1 };
	stencil_status status = STENCIL_OUT_OF_MEMORY;

	if ((ctx == NULL && what->host == NULL) || (ctx != NULL && what->device == NULL)
	    || (ctx != NULL && bench_fill == NULL)) {
		status = stencil_fail(NULL, STENCIL_NO_DEVICE,
			"was linked without its functions for that device");
		return runner_trouble(what->name, status);
	}
	bench.seconds = calloc((size_t)options->repeat, sizeof *bench.seconds);
	if (bench.seconds != NULL)
		status = measure_all(&bench);
	if (status == STENCIL_OK)
		bench_say(&bench);
	if (bench.problem != NULL)
		problem_free(bench.problem);
	free(bench.seconds);
	if (status != STENCIL_OK)
		return runner_trouble(what->name, status);
	return bench.check.verdict == CHECK_WRONG ? EXIT_WRONG : EXIT_FINE;
}

int
runner_bench(const RunnerOptions *options)
{
	stencil_context *ctx = NULL;
	int worst = EXIT_FINE;

	if (options->stencil != NULL && runner_pick(options) == NULL)
		return EXIT_USAGE;
	if (!options->on_host) {
		stencil_status status = stencil_context_create(&ctx, 0);

		if (status != STENCIL_OK)
			return runner_trouble("the device", status);
	}
	for (int i = 0; i < stencil_n_descriptions; i++) {
		const stencil_description *what = &stencil_descriptions[i];

		if (options->stencil != NULL && strcmp(options->stencil, what->name) != 0)
			continue;
		int code = bench_one(options, what, ctx);
		worst = code > worst ? code : worst;
	}
	stencil_context_destroy(ctx);
	return worst;
}
