/* fewer.c: any number of steps by sweeps of several, by smaller ones and by single steps is
 * as many calls of one step: where rows are whole vectors and where they are padded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fewer.h"

enum { NY = 11, MOST = NY * 136, ARRAYS = 2 };

typedef int32_t Fields[ARRAYS][MOST];

#ifdef DEVICE
static stencil_context *context;

#define CALL(NAME, A) NAME(context, A)
#else
#define CALL(NAME, A) NAME##_host(A)
#endif

#define RUN(NAME, FIRST, SECOND) \
	static int \
	run_##NAME(Fields f, int nx, int steps) \
	{ \
		NAME##_args a; \
	\
		NAME##_args_init(&a); \
		a.ny = NY; \
		a.nx = nx; \
		a.FIRST = f[0]; \
		a.SECOND = f[1]; \
		a.steps = steps; \
		return CALL(NAME, &a) == STENCIL_OK; \
	}

RUN(five, u, u)
RUN(clamped, u, u)
RUN(wave, p, p_tm1)
RUN(pair, u, v)

static const struct {
	const char *name;
	int (*run)(Fields f, int nx, int steps);
	int most;   /* steps: two sweeps and one more */
	int arrays; /* that it changes */
} programs[] = {
	{ "five", run_five, 17, 1 },
	{ "clamped", run_clamped, 13, 1 },
	{ "wave", run_wave, 13, 2 },
	{ "pair", run_pair, 13, 2 },
};

/* Where the program has one array, it is the second one as it stands in its arguments. */
static void
fill(Fields f)
{
	for (int k = 0; k < ARRAYS; k++)
		for (int i = 0; i < MOST; i++)
			f[k][i] = (i * 37 + k * 11) % 101;
}

static int
runs(int program, Fields f, int nx, int steps)
{
	int fine = programs[program].run(f, nx, steps);

#ifdef DEVICE
	fine = fine && stencil_context_synchronize(context) == STENCIL_OK;
#endif
	return fine;
}

/* The first number of steps that goes wrong; -1: none does. */
static int
first_wrong(int program, int nx)
{
	static Fields want, got;

	fill(want);
	for (int steps = 0; steps <= programs[program].most; steps++) {
		if (steps > 0 && !runs(program, want, nx, 1))
			return steps;
		fill(got);
		if (!runs(program, got, nx, steps) || memcmp(got, want, sizeof want) != 0)
			return steps;
	}
	return -1;
}

int
main(void)
{
	static const int rows[] = { 136, 133 };
	int n = 0;

#ifdef DEVICE
	if (stencil_context_create(&context, 0) != STENCIL_OK)
		return 99;
#endif
	printf("1..%d\n", (int)(2 * sizeof programs / sizeof *programs));
	for (int p = 0; p < (int)(sizeof programs / sizeof *programs); p++)
		for (int r = 0; r < 2; r++) {
			int wrong = first_wrong(p, rows[r]);

			printf("%sok %d - %s, rows of %d\n", wrong < 0 ? "" : "not ", ++n,
				programs[p].name, rows[r]);
			if (wrong >= 0)
				printf("# %d steps\n", wrong);
		}
#ifdef DEVICE
	stencil_context_destroy(context);
#endif
	return 0;
}
