/* devices.h: GPUs by name, for the tests of the models. */
#pragma once

#include "plan/device.h"

static Arena *arena;
static Diag *diag;

static inline int
devices_setup(void **state)
{
	(void)state;
	arena = arena_new();
	diag = diag_new();
	return 0;
}

static inline int
devices_teardown(void **state)
{
	(void)state;
	diag_free(diag);
	arena_free(arena);
	return 0;
}

static inline const Device *
device(const char *name)
{
	const Device *d = device_find(name, arena, diag, NULL);

	assert_non_null(d);
	return d;
}
