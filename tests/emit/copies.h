/* copies.h: what programs that count a context's memory for copies share.
 *
 * Before it they say what Args and WORKSPACE, the function, are of theirs.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stencilrt.h"

static void
say(int n, int fine, const char *what)
{
	printf("%sok %d - %s\n", fine ? "" : "not ", n, what);
}

/* The program's: rows of NX cells that are PITCH elements apart, 0: side by side. */
static void set_args(Args *a, int nx, int pitch, int steps);

#ifdef DEVICE
static stencil_context *context;
static size_t largest, denied; /* bytes asked for at once; from which there are none */

static void *
take(void *user, size_t bytes)
{
	void *memory = NULL;

	(void)user;
	if (denied > 0 && bytes >= denied)
		return NULL;
	largest = bytes > largest ? bytes : largest;
	return posix_memalign(&memory, 256, bytes) == 0 ? memory : NULL;
}

static void
give(void *user, void *memory)
{
	(void)user;
	free(memory);
}

/* Likewise: TRUE if the call's result is right, and memory was taken for copies as COPIED says. */
static int runs(const Args *a, int copied);

/* Likewise: MEMORY, behind u's two buffers, has the copy of what is only read. */
static int is_copied(const int32_t *memory);

static int
fits(int nx, int pitch, int steps, int copied)
{
	Args a;

	set_args(&a, nx, pitch, steps);
	return runs(&a, copied);
}

/* With memory of the caller's, SPARED bytes less than asked for. */
static int
fits_into(int nx, int steps, size_t spared)
{
	Args a;
	void *memory;
	int fine;

	set_args(&a, nx, 0, steps);
	a.workspace_size = WORKSPACE(&a) - spared;
	if (posix_memalign(&memory, 256, a.workspace_size) != 0)
		return 0;
	memset(memory, 0xa5, a.workspace_size);
	a.workspace = memory;
	fine = runs(&a, 0) && is_copied(memory) == (spared == 0);
	free(memory);
	return fine;
}
#endif
