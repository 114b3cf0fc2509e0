/* entry.c: calls entry() with every kind of bad argument; says, as TAP, whether
 * each is refused with the right words and nothing has been written.
 *
 * With DEVICE it is the GPU's function that is called, else the host's.
 */
#include <stdio.h>
#include <string.h>

#include "entry.h"

enum { NY = 7, NX = 9, PITCH = 11, SIZE = NY * PITCH + 4 };

#ifdef DEVICE
static stencil_context *context;
#define CALL(a) entry(context, (a))
#define MESSAGE() stencil_error(context)
#else
#define CALL(a) entry_host(a)
#define MESSAGE() stencil_last_error()
#endif

/* All memory of a call is in one block, so that any write shows. */
static struct {
	float u[SIZE], u_tm1[SIZE], k[SIZE], l[SIZE], f[NX], most, after;
	_Alignas(16) unsigned char workspace[16384];
} memory, before;

static void
good(entry_args *a)
{
	entry_args_init(a);
	a->ny = NY;
	a->nx = NX;
	a->u = memory.u;
	a->u_tm1 = memory.u_tm1;
	a->k = memory.k;
	a->l = memory.l;
	a->f = memory.f;
	a->most = &memory.most;
	a->steps = 3;
}

#define CASE(NAME, text, ...) static void NAME(entry_args *a) { __VA_ARGS__; }
#include "entry.def"
#undef CASE

static const struct {
	const char *name;
	void (*spoil)(entry_args *a);
	const char *message; /* NULL: the call is fine */
} cases[] = {
#define CASE(NAME, text, ...) { #NAME, NAME, text },
#include "entry.def"
#undef CASE
};

static void
fill(void)
{
	float *cell = (float *)&memory;

	memset(&memory, 0, sizeof memory);
	for (size_t i = 0; i < offsetof(__typeof__(memory), workspace) / sizeof *cell; i++)
		cell[i] = (float)(i % 17) - 8;
	before = memory;
}

static int
try(int i)
{
	entry_args a;
	stencil_status status;

	fill();
	good(&a);
	cases[i].spoil(&a);
	status = CALL(&a);
	if (cases[i].message == NULL) {
		if (status != STENCIL_OK)
			printf("# %s\n", MESSAGE());
		return status == STENCIL_OK;
	}
	if (status == STENCIL_OK || strstr(MESSAGE(), cases[i].message) == NULL) {
		printf("# status %d: %s\n# wanted: %s\n", status,
			status != STENCIL_OK ? MESSAGE() : "", cases[i].message);
		return 0;
	}
	if (memcmp(&memory, &before, sizeof memory) != 0) {
		printf("# something was written\n");
		return 0;
	}
	return 1;
}

/* Nothing between the rows is written, and no step means no write at all. */
static int
rows_and_no_steps(void)
{
	entry_args a;
	int fine = 1;

	fill();
	good(&a);
	a.u_pitch = PITCH;
	fine &= CALL(&a) == STENCIL_OK && memcmp(memory.u, before.u, sizeof memory.u) != 0;
	for (int y = 0; y < NY; y++)
		for (int x = NX; x < PITCH; x++)
			fine &= memory.u[y * PITCH + x] == before.u[y * PITCH + x];
	fine &= memory.after == before.after && memory.most != before.most;
	fill();
	good(&a);
	a.steps = 0;
	return fine && CALL(&a) == STENCIL_OK && memcmp(&memory, &before, sizeof memory) == 0;
}

int
main(void)
{
	const int n = (int)(sizeof cases / sizeof *cases);
	int failed = 0;

#ifdef DEVICE
	if (stencil_context_create(&context, 0) != STENCIL_OK)
		return 99;
#endif
	printf("1..%d\n", n + 2);
	for (int i = 0; i <= n; i++) {
		int fine = i < n ? try(i) : rows_and_no_steps();

		failed += !fine;
		printf("%sok %d - %s\n", fine ? "" : "not ", i + 1,
			i < n ? cases[i].name : "rows_and_no_steps");
	}
	failed += CALL(NULL) == STENCIL_OK;
	printf("%sok %d - no arguments\n", failed > n ? "not " : "", n + 2);
#ifdef DEVICE
	stencil_context_destroy(context);
#endif
	return failed != 0;
}
