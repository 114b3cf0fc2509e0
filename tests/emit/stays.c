/* stays.c: what is made before the steps is made in calls of many steps, of the whole grid, where
 * there is memory, which is what tells; the result is the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stays.h"

typedef stays_args Args;
#define WORKSPACE stays_workspace
#include "copies.h"

enum { NY = 6, MOST = 1024, FEW = 3, MANY = 4 };
enum { FIELD = NY * 64 * 4 }; /* bytes of one, which is as much as a step takes */

static int32_t u[MOST], was[MOST], k[MOST], j[MOST];

/* What cells from LO on become, of rows of NX that are PITCH elements apart. */
static void
expect(const Args *a, int pitch, int lo)
{
	static int32_t next[MOST];
	const int nx = (int)a->nx;

	for (int t = 0; t < a->steps; t++) {
		memcpy(next, was, sizeof was);
		for (int y = 1; y < NY; y++)
			for (int x = lo; x < nx; x++) {
				const int32_t *at = was + y * pitch + x;
				const int32_t own = k[y * nx + x];

				next[y * pitch + x] = (at[0] + at[-1] * (1000 / (1 + own * own))
					- j[y * nx + x] * at[-pitch]) & 1023;
			}
		memcpy(was, next, sizeof was);
	}
}

static void
set_args(Args *a, int nx, int pitch, int steps)
{
	stays_args_init(a);
	a->ny = NY;
	a->nx = nx;
	a->u = u;
	a->k = k;
	a->j = j;
	a->u_pitch = pitch;
	a->steps = steps;
	for (int i = 0; i < MOST; i++) {
		u[i] = was[i] = i * 37 % 101;
		k[i] = i % 13 - 6;
		j[i] = 1 + i % 3;
	}
}

#ifdef DEVICE
/* COPIED: memory is taken for more than a step needs. */
static int
runs(const Args *a, int copied)
{
	const int lo = a->box.hi[1] > 0 ? (int)a->box.lo[1] : 1;
	int fine;

	largest = 0;
	stencil_context_set_allocator(context, take, give, NULL);
	fine = stays(context, a) == STENCIL_OK
		&& stencil_context_synchronize(context) == STENCIL_OK;
	expect(a, (int)(a->u_pitch > 0 ? a->u_pitch : a->nx), lo);
	return fine && memcmp(u, was, sizeof u) == 0
		&& (a->workspace != NULL || copied == (largest > FIELD));
}

static int
is_copied(const int32_t *memory)
{
	return memory[FIELD / 4 + 70] == 1000 / (1 + k[70] * k[70]);
}

static int
fits_in_box(void)
{
	Args a;

	set_args(&a, 64, 0, MANY);
	a.box.lo[1] = 3;
	a.box.hi[0] = NY;
	a.box.hi[1] = 64;
	return runs(&a, 0);
}

/* TO: what interleaved fields become, whose steps are not of planar copies, where there are less
 * than LIMIT bytes at once; 0: there is no limit. */
static int
run_laced(int32_t *to, size_t limit)
{
	laced_args a;
	int fine;

	laced_args_init(&a);
	a.ny = NY;
	a.nx = 64;
	a.u = to;
	a.k = k;
	a.steps = MANY;
	for (int i = 0; i < 2 * FIELD / 4; i++)
		to[i] = i * 37 % 101;
	denied = limit;
	largest = 0;
	stencil_context_set_allocator(context, take, give, NULL);
	fine = laced(context, &a) == STENCIL_OK
		&& stencil_context_synchronize(context) == STENCIL_OK;
	denied = 0;
	return fine && (limit == 0 || largest < limit);
}

static int
laced_fits(void)
{
	static int32_t with[2 * FIELD / 4], without[2 * FIELD / 4];

	return run_laced(with, 0) && run_laced(without, 2 * FIELD + 1)
		&& memcmp(with, without, sizeof with) == 0;
}

static void
run_all(void)
{
	say(1, fits(64, 0, MANY, 1), "many steps: it is made before");
	say(2, fits(64, 0, FEW, 0), "a few steps: each makes it anew");
	say(3, fits(64, 0, 0, 0), "no step");
	say(4, fits(37, 41, MANY, 1), "rows that are no whole vectors");
	say(5, fits_in_box(), "a box: each step makes it anew");
	say(6, fits_into(64, MANY, 0), "the caller's workspace");
	say(7, fits_into(64, MANY, 1), "one that has no room for it");
	denied = FIELD + 1;
	say(8, fits(64, 0, MANY, 0), "no memory for it");
	denied = 1;
	stencil_context_set_allocator(context, take, give, NULL);
	Args a;

	set_args(&a, 64, 0, MANY);
	say(9, stays(context, &a) == STENCIL_OUT_OF_MEMORY && memcmp(u, was, sizeof u) == 0,
		"no memory at all");
	denied = 0;
	say(10, laced_fits(), "interleaved fields, no memory for it");
}
#else
static void
run_all(void)
{
	Args a;

	set_args(&a, 64, 0, MANY);
	say(1, WORKSPACE(&a) == FIELD, "the host asks for a buffer");
	expect(&a, 64, 1);
	say(2, stays_host(&a) == STENCIL_OK && memcmp(u, was, sizeof u) == 0,
		"and makes it anew");
}
#endif

int
main(void)
{
#ifdef DEVICE
	if (stencil_context_create(&context, 0) != STENCIL_OK)
		return 99;
	printf("1..10\n");
	run_all();
	stencil_context_destroy(context);
#else
	printf("1..2\n");
	run_all();
#endif
	return 0;
}
