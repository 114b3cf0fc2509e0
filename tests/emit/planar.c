/* planar.c: interleaved fields are brought into planar copies where the steps are many and there
 * is memory, which is what tells; the result is the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planar.h"

typedef planar_args Args;
#define WORKSPACE planar_workspace
#include "copies.h"

enum { NY = 5, MOST = 2048, FEW = 3, MANY = 40 };
enum { COPIES = 3000 }; /* bytes of the workspace that only copies take */
enum { PLANE = NY * 64 }; /* elements of a component of rows of up to 64 cells */

static int32_t u[MOST], was[MOST], k[MOST];

/* What the grid becomes, of rows of NX cells that are PITCH elements apart. */
static void
expect(int nx, int pitch, int steps)
{
	static int32_t next[MOST];

	for (int t = 0; t < steps; t++) {
		memcpy(next, was, sizeof was);
		for (int y = 0; y < NY; y++)
			for (int x = 0; x < nx; x++) {
				const int32_t *a = was + y * pitch + 2 * x;
				const int32_t *by = k + 2 * (y * nx + x);

				if (x > 0 && x < nx - 1)
					next[y * pitch + 2 * x] = (a[0] + by[1] * (a[-1] - a[2]))
						& 1023;
				if (x > 0 && y < NY - 1)
					next[y * pitch + 2 * x + 1] = (a[1] + by[0] * (a[-2]
						- a[pitch + 1])) & 1023;
			}
		memcpy(was, next, sizeof was);
	}
}

static void
set_args(Args *a, int nx, int pitch, int steps)
{
	planar_args_init(a);
	a->ny = NY;
	a->nx = nx;
	a->u = u;
	a->k = k;
	a->u_pitch = pitch;
	a->steps = steps;
	for (int i = 0; i < MOST; i++) {
		u[i] = was[i] = i * 37 % 101;
		k[i] = 1 + i % 3;
	}
}

#ifdef DEVICE
static int
runs(const Args *a, int copied)
{
	int fine;

	largest = 0;
	stencil_context_set_allocator(context, take, give, NULL);
	fine = planar(context, a) == STENCIL_OK
		&& stencil_context_synchronize(context) == STENCIL_OK;
	expect((int)a->nx, (int)(a->u_pitch > 0 ? a->u_pitch : 2 * a->nx), (int)a->steps);
	return fine && memcmp(u, was, sizeof u) == 0
		&& (a->workspace != NULL || copied == (largest >= COPIES));
}

static int
is_copied(const int32_t *memory)
{
	return memory[5 * PLANE + 2] == k[5];
}

static void
run_all(void)
{
	say(1, fits(37, 0, MANY, 1), "many steps: planar copies");
	say(2, fits(37, 0, FEW, 0), "a few steps: as they are");
	say(3, fits(64, 0, MANY, 1), "whole vectors: planar copies, too");
	say(4, fits(64, 0, 0, 0), "no step");
	say(5, fits(64, 131, MANY, 1), "an odd pitch");
	say(6, fits(1, 3, MANY, 1), "rows of a cell");
	say(7, fits_into(37, MANY, 0), "the caller's workspace");
	say(8, fits_into(37, MANY, 1), "one that has no room for copies");
	denied = COPIES;
	say(9, fits(37, 0, MANY, 0), "no memory for copies: as they are");
	denied = 1;
	stencil_context_set_allocator(context, take, give, NULL);
	Args a;

	set_args(&a, 37, 0, MANY);
	say(10, planar(context, &a) == STENCIL_OUT_OF_MEMORY && memcmp(u, was, sizeof u) == 0,
		"no memory at all");
	denied = 0;
}
#else
static size_t
asked(int nx)
{
	Args a;

	set_args(&a, nx, 0, 0);
	return WORKSPACE(&a);
}

static int
is_right(int nx)
{
	Args a;

	set_args(&a, nx, 0, MANY);
	expect(nx, 2 * nx, MANY);
	return planar_host(&a) == STENCIL_OK && memcmp(u, was, sizeof u) == 0;
}

static void
run_all(void)
{
	say(1, asked(64) == NY * 64 * 8, "the host asks for a buffer");
	say(2, is_right(37), "and needs no copies");
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
