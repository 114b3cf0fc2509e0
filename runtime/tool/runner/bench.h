/* bench.h: what the bench measured, and how the files of it share the work. */
#pragma once

#include "bench-device.h"
#include "problem.h"
#include "runner.h"
#include "times.h"

/* Bytes per second, read and write counted; 0: not measured. */
typedef struct {
	double driver, vectors, halo;
} BenchCopies;

typedef enum {
	CHECK_NONE,      /* not asked for, or there is nothing to compare with */
	CHECK_SAME,      /* every cell has the same bits */
	CHECK_ROUNDED,   /* some differ by no more than they may */
	CHECK_WRONG
} CheckVerdict;

typedef struct {
	CheckVerdict verdict;
	const char *with;   /* "the reference", "the host" */
	char sizes[128];
	int64_t steps, cells;
	unsigned long long differ, beyond;
	double greatest;
} BenchCheck;

typedef struct {
	const RunnerOptions *options;
	const stencil_description *what;
	stencil_context *ctx;     /* NULL: on the host */
	Problem *problem;
	double scale;             /* of random scalars */
	int64_t steps;            /* of a call */
	int64_t calls;            /* of a repetition */
	int64_t done;             /* steps_done of the last call; -1: it has none */
	double *seconds;          /* of each repetition */
	double clock_mhz;         /* of a multiprocessor, behind the last repetition; 0: unknown */
	unsigned long long not_finite;
	BenchCopies copies;
	BenchCheck check;
} Bench;

/* ---- bench-copy.c ---- */

/* Copies as much as the stencil moves, within reason; the median of as many
 * repetitions. */
stencil_status bench_measure_copies(const Bench *bench, BenchCopies *copies);

/* ---- bench-check.c ---- */

/* Compares one call with the stencil's reference, at full size; where none is
 * linked with the host, at a small one.  Fills BENCH's check. */
stencil_status bench_check(Bench *bench);

/* Infinite cells and NaNs of the fields that were written, on the device. */
stencil_status bench_not_finite(const Bench *bench, unsigned long long *n);

/* ---- bench-say.c ---- */

/* One object of JSON on one line. */
void bench_say(const Bench *bench);

/* ---- bench.c ---- */

/* The options of a problem of this bench, all memory on the device. */
ProblemOptions bench_problem_options(const Bench *bench);
stencil_status bench_device_failed(const Bench *bench, stencil_status status);
