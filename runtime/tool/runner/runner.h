/* runner.h: the program that runs the stencils it is linked with.
 *
 * It is generated code's own process: what it crashes, overruns or hangs is
 * this one.  `stencil` compiles and starts it; it can also be used by hand.
 */
#pragma once

#include "describe.h"

enum { EXIT_FINE = 0, EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_IO = 3, EXIT_MEMORY = 71 };

typedef struct {
	int n;
	const char **item;    /* room for all words of the command line */
} TextList;

typedef struct {
	const char *stencil;  /* NULL: all that are linked */
	const char *size;     /* "" : none given */
	int64_t steps;        /* -1: not given */
	uint64_t seed;
	int on_host;          /* run: NAME_host */
	int emulated;         /* the device is the emulation */
	int regroups;         /* verify: the device may take associative sums in any order */
	int guards;           /* around arrays; 0: exact allocations */
	int quick;            /* verify: small sizes only */
	int few_steps;        /* verify: no call makes many */
	int large;            /* verify: large ones only */
	int fill;             /* verify: one that leaves no GPU idle */
	int full;             /* verify: sizes x layouts x steps */
	int once;             /* verify: the first case only */
	int json;
	int verbose;          /* verify: a line per case */
	int repeat;           /* run, bench: timings */
	int warmup;           /* bench: repetitions before them */
	int no_check;         /* bench: what was computed is not compared */
	int timeout;          /* seconds; 0: none */
	TextList set, in, out;
	TextList tags;        /* bench: NAME=VALUE, members of its answer */
} RunnerOptions;

/* Each gives an EXIT_...; what it has to say is on stdout, troubles on stderr. */
int runner_verify(const RunnerOptions *options);
int runner_run(const RunnerOptions *options);
int runner_bench(const RunnerOptions *options);

/* ---- say.c ---- */

/* The stencil that OPTIONS name, or the only one; NULL after a message. */
const stencil_description *runner_pick(const RunnerOptions *options);

/* The thread's last error, on stderr; gives the exit code for STATUS. */
int runner_trouble(const char *what, stencil_status status);

/* TEXT as a string of JSON on stdout, with its quotes. */
void runner_json_string(const char *text);
