/* until.c: the run stops where it is to, and says so. */
#include <stdio.h>

#include "until.h"

enum { NY = 5, NX = 33 };

#ifdef DEVICE
static stencil_context *context;
#define CALL(a) halve(context, (a))
#define WAIT() stencil_context_synchronize(context)
#else
#define CALL(a) halve_host(a)
#define WAIT() 0
#endif

static float u[NY * NX], most;
static int64_t cells, done;
static uint8_t tiny;

/* u is 1 everywhere; after n steps it is 2^-n, less than 0.1 from 4 on. */
static int
run(int64_t steps)
{
	halve_args a;

	halve_args_init(&a);
	a.ny = NY;
	a.nx = NX;
	a.u = u;
	a.most = &most;
	a.cells = &cells;
	a.tiny = &tiny;
	a.steps = steps;
	a.steps_done = &done;
	for (int i = 0; i < NY * NX; i++)
		u[i] = 1;
	most = -1;
	cells = -1;
	tiny = 7;
	done = -1;
	return CALL(&a) == STENCIL_OK && WAIT() == STENCIL_OK;
}

static int
all_are(float value)
{
	for (int i = 0; i < NY * NX; i++)
		if (u[i] != value)
			return 0;
	return 1;
}

static void
say(int n, int fine, const char *what)
{
	printf("%sok %d - %s\n", fine ? "" : "not ", n, what);
}

int
main(void)
{
#ifdef DEVICE
	if (stencil_context_create(&context, 0) != STENCIL_OK)
		return 99;
#endif
	printf("1..5\n");
	say(1, run(100) && done == 6 && all_are(0.015625f) && most == 0.015625f && cells == NY * NX
		&& tiny == 1, "stops at the first test that holds");
	say(2, run(5) && done == 5 && all_are(0.03125f) && most == 0.03125f && tiny == 1,
		"a limit between two tests: the results are of the last step");
	say(3, run(1) && done == 1 && all_are(0.5f) && most == 0.5f && tiny == 0, "one step");
	say(4, run(6) && done == 6 && all_are(0.015625f), "the limit is where the test holds");
	say(5, run(0) && done == 0 && all_are(1) && most == -1 && cells == -1 && tiny == 7,
		"no step leaves the results alone");
#ifdef DEVICE
	stencil_context_destroy(context);
#endif
	return 0;
}
