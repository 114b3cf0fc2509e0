#include "cases.h"

#include <stdio.h>
#include <string.h>

/* Extents by rank, slowest axis first in the last places: one cell thick along
 * each axis, smaller than a block, a block, one more than a block, primes. */
typedef struct { int64_t extent[STENCIL_MAX_RANK]; } Pattern;

static const Pattern patterns_1[] = {
	{{ 1, 1, 17 }}, {{ 1, 1, 1 }}, {{ 1, 1, 2 }}, {{ 1, 1, 31 }}, {{ 1, 1, 5 }},
	{{ 1, 1, 257 }}, {{ 1, 1, 64 }}, {{ 1, 1, 97 }}, {{ 1, 1, 1021 }}, {{ 1, 1, 4099 }},
};
static const Pattern patterns_2[] = {
	{{ 1, 17, 31 }}, {{ 1, 1, 1 }}, {{ 1, 1, 97 }}, {{ 1, 97, 1 }}, {{ 1, 2, 5 }},
	{{ 1, 5, 2 }}, {{ 1, 8, 32 }}, {{ 1, 31, 17 }}, {{ 1, 9, 33 }}, {{ 1, 5, 67 }},
	{{ 1, 67, 97 }}, {{ 1, 64, 128 }}, {{ 1, 37, 293 }},
};
static const Pattern patterns_3[] = {
	{{ 17, 19, 31 }}, {{ 1, 1, 1 }}, {{ 1, 17, 31 }}, {{ 17, 1, 31 }}, {{ 17, 31, 1 }},
	{{ 2, 5, 67 }}, {{ 5, 2, 3 }}, {{ 8, 8, 32 }}, {{ 5, 9, 33 }}, {{ 31, 5, 17 }},
	{{ 17, 31, 67 }}, {{ 19, 23, 97 }},
};
static const struct {
	const Pattern *pattern;
	int n, n_quick;
} patterns[] = {
	{ patterns_1, (int)(sizeof patterns_1 / sizeof *patterns_1), 6 },
	{ patterns_2, (int)(sizeof patterns_2 / sizeof *patterns_2), 9 },
	{ patterns_3, (int)(sizeof patterns_3 / sizeof *patterns_3), 7 },
};

/* Every size is tried with the first and one of the others; a size that the user
 * chose with all. */
static const struct { int pitched, shifted, boxed, own_workspace; } layouts[] = {
	{ 0, 0, 0, 0 }, { 1, 1, 1, 1 }, { 1, 0, 0, 1 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 },
	{ 1, 1, 0, 0 },
};
enum { N_LAYOUTS = (int)(sizeof layouts / sizeof *layouts) };

static const int64_t steps_of[][CASE_MAX_CALLS] = {
	{ 1, 2 }, { 3, 1 }, { 2, 2 }, { 0, 1 }, { 7, 2 }, { 2, 3 }, { 1, 1 },
};
enum { N_STEPS = (int)(sizeof steps_of / sizeof *steps_of) };

static int
rank_of(const stencil_description *d)
{
	int rank = 1;

	for (int g = 0; g < d->n_grids; g++)
		if (d->grids[g].rank > rank)
			rank = d->grids[g].rank;
	return rank;
}

/* 1 if no extent is left to choose. */
static int
sizes_are_known(const stencil_description *d, const Sizes *known)
{
	for (int g = 0; g < d->n_grids; g++)
		for (int a = 0; a < d->grids[g].rank; a++)
			if (sizes_is_free(d, g, a) && known->extent[g][a] == 0)
				return 0;
	return 1;
}

int
case_get(const stencil_description *d, const Sizes *known, int64_t steps, int quick, int i,
	Case *c)
{
	int rank = rank_of(d), fixed = sizes_are_known(d, known);
	int n = quick ? patterns[rank - 1].n_quick : patterns[rank - 1].n;
	int size = fixed ? 0 : i / 2;
	int layout = fixed ? i : i % 2 == 0 ? 0 : 1 + size % (N_LAYOUTS - 1);

	if (fixed ? i >= N_LAYOUTS : size >= n)
		return 0;
	memset(c, 0, sizeof *c);
	c->sizes = *known;
	sizes_fill(&c->sizes, d, patterns[rank - 1].pattern[size].extent);
	sizes_derive(&c->sizes, d);
	c->pitched = layouts[layout].pitched;
	c->shifted = layouts[layout].shifted;
	c->boxed = layouts[layout].boxed && d->box >= 0;
	c->own_workspace = layouts[layout].own_workspace;
	c->t0 = d->t0 >= 0 ? layout : 0;
	c->n_calls = steps >= 0 ? 1 : CASE_MAX_CALLS;
	memcpy(c->steps, steps_of[i % N_STEPS], sizeof c->steps);
	if (steps >= 0)
		c->steps[0] = steps;
	return 1;
}

void
case_print(const Case *c, const stencil_description *d, char *text, size_t room)
{
	char sizes[256];
	size_t used;

	sizes_print(&c->sizes, d, sizes, sizeof sizes);
	used = (size_t)snprintf(text, room, "%s", sizes);
	for (int i = 0; d->steps >= 0 && i < c->n_calls && used < room; i++)
		used += (size_t)snprintf(text + used, room - used, "%s%lld",
			i == 0 ? ", steps " : "+", (long long)c->steps[i]);
	if (c->t0 != 0 && used < room)
		used += (size_t)snprintf(text + used, room - used, ", t0=%lld", (long long)c->t0);
	if (used < room)
		snprintf(text + used, room - used, "%s%s%s%s", c->pitched ? ", pitch" : "",
			c->shifted ? ", unaligned" : "", c->boxed ? ", box" : "",
			c->own_workspace ? ", own workspace" : "");
}
