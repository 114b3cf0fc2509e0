/* rows.c: rows are padded where they are no whole vectors, the steps are many and there
 * is memory, which is what tells; the result is the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

typedef rows_args Args;
#define WORKSPACE rows_workspace
#include "copies.h"

enum { NY = 5, MOST = 2048, FEW = 3, MANY = 40 };
enum { COPIES = 1500 }; /* bytes of the workspace that only copies take */

static int32_t u[MOST], was[MOST], c[MOST];

/* What one row of NX cells becomes. */
static void
expect(int32_t *row, int nx, int steps)
{
	static int32_t next[MOST];

	for (int t = 0; t < steps; t++) {
		memcpy(next, row, (size_t)nx * sizeof *row);
		for (int x = 1; x < nx - 1; x++)
			next[x] = (row[x] + c[x] * (row[x - 1] - row[x + 1])) & 1023;
		memcpy(row, next, (size_t)nx * sizeof *row);
	}
}

static void
set_args(Args *a, int nx, int pitch, int steps)
{
	rows_args_init(a);
	a->ny = NY;
	a->nx = nx;
	a->u = u;
	a->c = c;
	a->u_pitch = pitch;
	a->steps = steps;
	for (int i = 0; i < MOST; i++) {
		u[i] = was[i] = i * 37 % 101;
		c[i] = 1 + i % 3;
	}
}

#ifdef DEVICE
static int
runs(const Args *a, int copied)
{
	const int pitch = (int)(a->u_pitch > 0 ? a->u_pitch : a->nx);
	int fine;

	largest = 0;
	stencil_context_set_allocator(context, take, give, NULL);
	fine = rows(context, a) == STENCIL_OK && stencil_context_synchronize(context) == STENCIL_OK;
	for (int y = 0; y < NY; y++)
		expect(was + y * pitch, (int)a->nx, (int)a->steps);
	return fine && memcmp(u, was, sizeof u) == 0
		&& (a->workspace != NULL || copied == (largest >= COPIES));
}

static int
is_copied(const int32_t *memory)
{
	return memory[2 * NY * 64] == c[0];
}

static void
run_all(void)
{
	say(1, fits(37, 0, MANY, 1), "odd rows and many steps: padded");
	say(2, fits(37, 0, FEW, 0), "a few steps: as they are");
	say(3, fits(64, 0, MANY, 0), "whole vectors: as they are");
	say(4, fits(64, 65, MANY, 1), "whole vectors at an odd pitch: padded");
	say(5, fits(2, 3, MANY, 1), "rows of two cells");
	say(6, fits_into(37, MANY, 0), "the caller's workspace");
	say(7, fits_into(37, MANY, 1), "one that has no room for copies");
	denied = COPIES;
	say(8, fits(37, 0, MANY, 0), "no memory for copies: as they are");
	denied = 1;
	stencil_context_set_allocator(context, take, give, NULL);
	Args a;

	set_args(&a, 37, 0, MANY);
	say(9, rows(context, &a) == STENCIL_OUT_OF_MEMORY && memcmp(u, was, sizeof u) == 0,
		"no memory at all");
	denied = 0;
}
#else
static size_t
asked(int nx, int pitch)
{
	Args a;

	set_args(&a, nx, pitch, 0);
	return WORKSPACE(&a);
}

static int
is_right(int nx)
{
	Args a;

	set_args(&a, nx, 0, MANY);
	for (int y = 0; y < NY; y++)
		expect(was + y * nx, nx, MANY);
	return rows_host(&a) == STENCIL_OK && memcmp(u, was, sizeof u) == 0;
}

static void
run_all(void)
{
	say(1, asked(64, 0) == NY * 64 * 4, "whole vectors: a buffer");
	say(2, asked(37, 0) == 2 * NY * 256 + 256, "odd rows: two padded buffers and c");
	say(3, asked(64, 65) == 2 * NY * 256 + 256, "likewise at an odd pitch");
	say(4, is_right(37), "the host needs no copies");
}
#endif

int
main(void)
{
#ifdef DEVICE
	if (stencil_context_create(&context, 0) != STENCIL_OK)
		return 99;
	printf("1..9\n");
	run_all();
	stencil_context_destroy(context);
#else
	printf("1..4\n");
	run_all();
#endif
	return 0;
}
