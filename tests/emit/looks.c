/* looks.c: a run that is looked at every so many steps ends where it would if each step was
 * a call: with the same fields, the same result, and as many steps done.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "looks.h"

enum { NZ = 7, NY = 11, VOLUME_NY = 13, MOST_CELLS = 11 * 700, ARRAYS = 3, MOST_STEPS = 37 };

typedef float Fields[ARRAYS][MOST_CELLS];

#ifdef DEVICE
static stencil_context *context;

#define CALL(NAME, A) (NAME(context, A) == STENCIL_OK \
	&& stencil_context_synchronize(context) == STENCIL_OK)
#else
#define CALL(NAME, A) (NAME##_host(A) == STENCIL_OK)
#endif

/* Gives the steps that are done; -1: it fails. */
#define RUN(NAME, ...) \
	static int64_t \
	run_##NAME(Fields f, int nx, int64_t steps, float least, float *most) \
	{ \
		NAME##_args a; \
		int64_t done = -1; \
	\
		NAME##_args_init(&a); \
		__VA_ARGS__ \
		a.steps = steps; \
		a.least = least; \
		a.most = most; \
		a.steps_done = &done; \
		return CALL(NAME, &a) ? done : -1; \
	}

#define PLANE a.ny = NY; a.nx = nx; a.u = f[0];
#define VOLUME a.block_nz = NZ; a.block_ny = VOLUME_NY; a.block_nx = nx; a.u = f[0];

RUN(change3, PLANE)
RUN(change8, PLANE)
RUN(size2, PLANE)
RUN(size12, PLANE)
RUN(wave5, PLANE a.u_tm1 = f[1];)
RUN(back7, PLANE a.u_tm1 = f[1];)
RUN(pair6, PLANE a.u_tm1 = f[1]; a.v = f[2];)
RUN(tile5, VOLUME)
RUN(weave4, VOLUME a.v = f[1];)

static const struct {
	const char *name;
	int64_t (*run)(Fields f, int nx, int64_t steps, float least, float *most);
	int every, nx;
} programs[] = {
	{ "change3", run_change3, 3, 136 },
	{ "change8", run_change8, 8, 136 },
	{ "size2", run_size2, 2, 136 },
	{ "size12", run_size12, 12, 700 },
	{ "wave5", run_wave5, 5, 136 },
	{ "back7", run_back7, 7, 136 },
	{ "pair6", run_pair6, 6, 136 },
	{ "tile5", run_tile5, 5, 72 },
	{ "weave4", run_weave4, 4, 72 },
};

/* What there is after so many steps, each of them a call. */
static struct {
	Fields fields;
	float most;
} after[MOST_STEPS + 1];

static void
fill(Fields f)
{
	for (int k = 0; k < ARRAYS; k++)
		for (int i = 0; i < MOST_CELLS; i++)
			f[k][i] = (float)((i * 37 + k * 11) % 101) / 101;
}

static int
make_steps(int program, int nx)
{
	fill(after[0].fields);
	after[0].most = -1;
	for (int n = 1; n <= 3 * programs[program].every + 1; n++) {
		after[n] = after[n - 1];
		if (programs[program].run(after[n].fields, nx, 1, 0, &after[n].most) != 1)
			return 0;
	}
	return 1;
}

/* Where a run of so many steps ends: it is tested after every so many of them. */
static int
end_of(int program, int steps, float least)
{
	const int every = programs[program].every;

	for (int n = every; n < steps; n += every)
		if (after[n].most < least)
			return n;
	return steps;
}

static int
is_right(int program, int nx, int steps, float least)
{
	static Fields got;
	const int end = end_of(program, steps, least);
	float most = -1;

	fill(got);
	return programs[program].run(got, nx, steps, least, &most) == end
		&& memcmp(got, after[end].fields, sizeof got) == 0 && most == after[end].most;
}

/* Whether runs that the first test ends, the second one and none go wrong; gives the number
 * of steps of the first that does, -1: none. */
static int
first_wrong(int program, int nx)
{
	const int every = programs[program].every, some[] = { 0, every - 1, every + 1,
		3 * every + 1 };

	if (!make_steps(program, nx))
		return -2;
	for (size_t i = 0; i < sizeof some / sizeof *some; i++)
		if (!is_right(program, nx, some[i], 1e9F) || !is_right(program, nx, some[i], 0)
			|| !is_right(program, nx, some[i], after[2 * every].most * 1.0001F))
			return some[i];
	return -1;
}

int
main(void)
{
	int n = 0;

#ifdef DEVICE
	if (stencil_context_create(&context, 0) != STENCIL_OK)
		return 99;
#endif
	printf("1..%d\n", (int)(2 * sizeof programs / sizeof *programs));
	for (int p = 0; p < (int)(sizeof programs / sizeof *programs); p++)
		for (int odd = 0; odd < 2; odd++) {
			int nx = programs[p].nx - 3 * odd, wrong = first_wrong(p, nx);

			printf("%sok %d - %s, rows of %d\n", wrong == -1 ? "" : "not ", ++n,
				programs[p].name, nx);
			if (wrong != -1)
				printf("# %d steps\n", wrong);
		}
#ifdef DEVICE
	stencil_context_destroy(context);
#endif
	return 0;
}
