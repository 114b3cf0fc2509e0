/* split.c: a box that takes several launches, cell by cell. */
#include <stdio.h>
#include <stdlib.h>

#include "split.h"

#ifdef DEVICE
static stencil_context *context;
#define CALL(a) split(context, (a))
#define WAIT() stencil_context_synchronize(context)
#else
#define CALL(a) split_host(a)
#define WAIT() 0
#endif

static int
inside(int64_t i, int64_t n)
{
	return (int)(i < 0 ? 0 : i < n ? i : n - 1);
}

static int
fits(int64_t nz, int64_t ny, int64_t nx)
{
	const size_t n = (size_t)(nz * ny * nx);
	int32_t *u = malloc(n * sizeof *u), *was = malloc(n * sizeof *was);
	split_args a;
	int fine;

	split_args_init(&a);
	a.nz = nz;
	a.ny = ny;
	a.nx = nx;
	a.u = u;
	a.steps = 1;
	for (size_t i = 0; i < n; i++)
		u[i] = was[i] = (int32_t)(i * 7 % 1001);
	fine = CALL(&a) == STENCIL_OK && WAIT() == STENCIL_OK;
	for (int64_t z = 0; z < nz; z++)
		for (int64_t y = 0; y < ny; y++)
			for (int64_t x = 0; x < nx; x++) {
				const int32_t want = was[(inside(z - 1, nz) * ny + y) * nx + x]
					+ 3 * was[(z * ny + inside(y + 1, ny)) * nx + x]
					- was[(z * ny + y) * nx + inside(x - 1, nx)];

				fine &= u[(z * ny + y) * nx + x] == want;
			}
	free(u);
	free(was);
	return fine;
}

int
main(void)
{
#ifdef DEVICE
	if (stencil_context_create(&context, 0) != STENCIL_OK)
		return 99;
#endif
	printf("1..3\n");
	printf("%sok 1 - along y\n", fits(1, 65537, 2) ? "" : "not ");
	printf("%sok 2 - along z\n", fits(131073, 1, 1) ? "" : "not ");
	printf("%sok 3 - in one\n", fits(2, 3, 4) ? "" : "not ");
#ifdef DEVICE
	stencil_context_destroy(context);
#endif
	return 0;
}
