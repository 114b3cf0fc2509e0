/* copies.h: what programs that count a context's memory for copies share. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "stencilrt.h"

static void
say(int n, int fine, const char *what)
{
	printf("%sok %d - %s\n", fine ? "" : "not ", n, what);
}

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
#endif
