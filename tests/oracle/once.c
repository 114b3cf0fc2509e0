/* once.c: roots of what lies around a cell, one by one: not a bit may change if they are shared. */
// programs: once.st
#include "oracle.h"

#include "once.h"

enum { NY = 9, NX = 11, CELLS = NY * NX };

static const float k = 5.75f;
static float u[CELLS], o[CELLS];

static void
fill(void)
{
	for (int i = 0; i < CELLS; i++) {
		u[i] = (float)((i * 7919) % 1009) / 64.0f;
		o[i] = -1;
	}
}

/* What is read at (Y, X); less than 0: nothing is. */
static float
framed_at(int y, int x)
{
	if (y < 0)
		return k;
	if (x >= NX)
		return 2;
	return u[(y >= NY ? NY - 1 : y) * NX + (x < 0 ? -x : x)];
}

static float
kept_at(int y, int x)
{
	if (x >= NX)
		return -1;
	return k * u[(y < 0 ? -1 - y : y >= NY ? 2 * NY - 1 - y : y) * NX + (x < 0 ? x + NX : x)];
}

/* Whether o is the sum of the roots of what AT says, and kept where that is nothing. */
static int
sums_up(float (*at)(int y, int x))
{
	for (int y = 0; y < NY; y++)
		for (int x = 0; x < NX; x++) {
			float sum = 0;
			int there = 1;

			for (int j = -2; j <= 2; j++)
				for (int i = -2; i <= 2; i++) {
					const float value = at(y + j, x + i);

					there = there && value >= 0;
					sum = j == -2 && i == -2 ? sqrtf(value)
						: sum + sqrtf(value);
				}
			if (o[y * NX + x] != (there ? sum : -1))
				return 0;
		}
	return 1;
}

/* Every stencil has arguments of the same kind. */
#define CALL(NAME) \
	static int \
	calls_##NAME(void) \
	{ \
		NAME##_args a; \
		int fine; \
		fill(); \
		NAME##_args_init(&a); \
		a.ny = NY; \
		a.nx = NX; \
		a.u = u; \
		a.o = o; \
		a.k = k; \
		a.workspace_size = NAME##_workspace(&a); \
		a.workspace = malloc(a.workspace_size + 1); \
		fine = a.workspace_size >= CELLS * sizeof *u && NAME##_host(&a) == STENCIL_OK; \
		free(a.workspace); \
		return fine; \
	}

CALL(framed)
CALL(kept)

int
main(void)
{
	check(calls_framed(), "the roots of one stencil are a field of their own");
	check(sums_up(framed_at), "they are of what is read beyond constants, a clamp, a mirror");
	check(calls_kept(), "and those of another, which are of products");
	check(sums_up(kept_at), "beyond a reflection and a wrap, and where cells are kept");
	return check_done();
}
