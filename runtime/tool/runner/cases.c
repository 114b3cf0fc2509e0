#include "cases.h"

#include <stdio.h>
#include <string.h>

/* Extents by rank, slowest axis first in the last places: one cell thick along
 * each axis, smaller than a block, a block, one more than a block, primes; the last
 * LARGE have more than one strip of a warp, or tile, of rows of whole vectors, and others. */
typedef struct { int64_t extent[STENCIL_MAX_RANK]; } Pattern;

static const Pattern patterns_1[] = {
	{{ 1, 1, 17 }}, {{ 1, 1, 1 }}, {{ 1, 1, 2 }}, {{ 1, 1, 31 }}, {{ 1, 1, 5 }},
	{{ 1, 1, 257 }}, {{ 1, 1, 64 }}, {{ 1, 1, 97 }}, {{ 1, 1, 1021 }}, {{ 1, 1, 4099 }},
	{{ 1, 1, 4194301 }},
};
static const Pattern patterns_2[] = {
	{{ 1, 17, 31 }}, {{ 1, 1, 1 }}, {{ 1, 1, 97 }}, {{ 1, 97, 1 }}, {{ 1, 2, 5 }},
	{{ 1, 5, 2 }}, {{ 1, 9, 80 }}, {{ 1, 31, 17 }}, {{ 1, 9, 33 }}, {{ 1, 5, 67 }},
	{{ 1, 67, 97 }}, {{ 1, 40, 832 }}, {{ 1, 37, 797 }},
	{{ 1, 2053, 4099 }},
};
static const Pattern patterns_3[] = {
	{{ 17, 19, 31 }}, {{ 1, 1, 1 }}, {{ 1, 17, 31 }}, {{ 17, 1, 31 }}, {{ 17, 31, 1 }},
	{{ 2, 5, 67 }}, {{ 5, 2, 3 }}, {{ 13, 7, 144 }}, {{ 5, 9, 33 }}, {{ 31, 5, 17 }},
	{{ 7, 11, 97 }}, {{ 17, 31, 67 }}, {{ 7, 83, 96 }}, {{ 9, 83, 93 }},
	{{ 131, 263, 515 }},
};
/* The last of a table leaves no GPU idle, and is there for that only. */
static const struct {
	const Pattern *pattern;
	int n, n_quick;
} patterns[] = {
	{ patterns_1, (int)(sizeof patterns_1 / sizeof *patterns_1) - 1, 6 },
	{ patterns_2, (int)(sizeof patterns_2 / sizeof *patterns_2) - 1, 9 },
	{ patterns_3, (int)(sizeof patterns_3 / sizeof *patterns_3) - 1, 7 },
};

/* What a layout is made of; 0 is the plain one. */
enum { PITCHED = 1, SHIFTED = 2, BOXED = 4, OWN_WORKSPACE = 8, N_LAYOUTS = 16 };

static const int64_t steps_of[][CASE_MAX_CALLS] = {
	{ 1, 2 }, { 3, 1 }, { 2, 2 }, { 0, 1 }, { 7, 2 }, { 2, 3 }, { 1, 1 },
	{ 23, 6 }, { 9, 2 },
};
enum {
	N_STEPS = (int)(sizeof steps_of / sizeof *steps_of),
	MANY_STEPS = N_STEPS - 2, /* whole sweeps, and some left; of large sizes only: of lines
	                           * and planes, and of volumes, where sweeps make fewer */
	LARGE = 2,
	DEAR = 3,                  /* these and one more */
};

static int
rank_of(const stencil_description *d)
{
	int rank = 1;

	for (int g = 0; g < d->n_grids; g++)
		if (d->grids[g].rank > rank)
			rank = d->grids[g].rank;
	return rank;
}

/* 1 if an extent of GRID is left to choose. */
static int
grid_is_open(const stencil_description *d, const Sizes *known, int grid)
{
	for (int a = 0; a < d->grids[grid].rank; a++)
		if (sizes_is_free(d, grid, a) && known->extent[grid][a] == 0)
			return 1;
	return 0;
}

static int
count_open_grids(const stencil_description *d, const Sizes *known)
{
	int n = 0;

	for (int g = 0; g < d->n_grids; g++)
		n += grid_is_open(d, known, g);
	return n;
}

/* Places in the tables; gives 0 where there are no more. */
typedef struct { int size, layout, steps; } Choice;

static int
many_steps(const stencil_description *d)
{
	return MANY_STEPS + (rank_of(d) == 3);
}

/* Size and layout of case I: every size plain, and with another layout; but of the last ones,
 * where they are dear, by turns one is plain and the next is not. */
static void
choose_layout_in_turn(const Cases *cases, int i, int turn, Choice *chosen)
{
	const int n_cheap = patterns[rank_of(cases->what) - 1].n - DEAR, past = i - 2 * n_cheap;
	const int once = cases->large_once && past >= 0;

	chosen->size = once ? n_cheap + past : i / 2;
	chosen->layout = (once ? past + turn : i) % 2 == 0 ? 0
		: 1 + (chosen->size + turn) % (N_LAYOUTS - 1);
}

/* Layouts and steps take turns.  Where the turn begins is another place for every name, so that
 * over many programs every pair of a size, a part of a layout and a number of steps occurs. */
static int
choose_covering(const Cases *cases, int n_sizes, int i, Choice *chosen)
{
	const stencil_description *d = cases->what;
	unsigned turn = 0;

	for (const char *s = d->name; *s != '\0'; s++)
		turn = (turn * 31 + (unsigned char)*s) % ((N_LAYOUTS - 1) * MANY_STEPS);
	choose_layout_in_turn(cases, i, (int)turn, chosen);
	chosen->steps = (i + (int)turn / (N_LAYOUTS - 1)) % MANY_STEPS;
	if (chosen->size >= patterns[rank_of(d) - 1].n - LARGE) {
		if (cases->few_steps)
			chosen->steps = 0;
		else if (chosen->layout == 0)
			chosen->steps = many_steps(d);
	}
	return chosen->size < n_sizes;
}

/* Layouts of a size that the user chose: any two parts of them occur together, one without the
 * other, and neither, and what vectors can serve with one part only; in a hurry the plainest,
 * and the other end. */
static int
choose_layout(const Cases *cases, int i, Choice *chosen)
{
	static const int every_pair[] = {
		0, PITCHED, BOXED,
		SHIFTED | BOXED | OWN_WORKSPACE, PITCHED | BOXED | OWN_WORKSPACE,
		PITCHED | SHIFTED | OWN_WORKSPACE, PITCHED | SHIFTED | BOXED,
	};
	static const int ends[] = { 0, N_LAYOUTS - 1 };
	const int quick = cases->set == CASES_QUICK;
	const int n = quick ? (int)(sizeof ends / sizeof *ends)
		: (int)(sizeof every_pair / sizeof *every_pair);

	if (i >= n)
		return 0;
	*chosen = (Choice){ 0, quick ? ends[i] : every_pair[i], i % N_STEPS };
	return 1;
}

/* Large sizes, plain, many steps. */
static int
choose_large(const stencil_description *d, int i, Choice *chosen)
{
	*chosen = (Choice){ patterns[rank_of(d) - 1].n - LARGE + i, 0, many_steps(d) };
	return i < LARGE;
}

static int
choose_filling(const stencil_description *d, int i, Choice *chosen)
{
	*chosen = (Choice){ patterns[rank_of(d) - 1].n, 0, many_steps(d) };
	return i == 0;
}

/* Every size in every layout with every number of steps, if D has any. */
static int
choose_product(const stencil_description *d, int n_sizes, int i, Choice *chosen)
{
	int n_steps = d->steps >= 0 ? N_STEPS : 1;

	chosen->steps = i % n_steps;
	chosen->layout = i / n_steps % N_LAYOUTS;
	chosen->size = i / n_steps / N_LAYOUTS;
	return chosen->size < n_sizes;
}

static void
choose_sizes(const Cases *cases, const Pattern *pattern, Sizes *sizes)
{
	const stencil_description *d = cases->what;

	*sizes = cases->known;
	sizes_fill(sizes, d, pattern->extent);
	for (int g = 0; cases->factor > 1 && g < d->n_grids; g++)
		for (int a = 0; a < d->grids[g].rank; a++)
			if ((cases->grid < 0 || cases->grid == g) && sizes_is_free(d, g, a)
			    && cases->known.extent[g][a] == 0)
				sizes->extent[g][a] *= cases->factor;
	sizes_derive(sizes, d);
}

static void
make_case(const Cases *cases, const Choice *chosen, Case *c)
{
	const stencil_description *d = cases->what;

	memset(c, 0, sizeof *c);
	choose_sizes(cases, &patterns[rank_of(d) - 1].pattern[chosen->size], &c->sizes);
	c->pitched = (chosen->layout & PITCHED) != 0;
	c->shifted = (chosen->layout & SHIFTED) != 0;
	c->boxed = (chosen->layout & BOXED) != 0 && d->box >= 0;
	c->own_workspace = (chosen->layout & OWN_WORKSPACE) != 0;
	c->t0 = d->t0 >= 0 ? chosen->layout : 0;
	c->n_calls = cases->steps >= 0 || cases->set == CASES_FILLING ? 1 : CASE_MAX_CALLS;
	memcpy(c->steps, steps_of[chosen->steps], sizeof c->steps);
	if (cases->steps >= 0)
		c->steps[0] = cases->steps;
}

int
case_get(const Cases *cases, int i, Case *c)
{
	const stencil_description *d = cases->what;
	int rank = rank_of(d), fixed = count_open_grids(d, &cases->known) == 0;
	int n = fixed ? 1 : cases->set == CASES_QUICK ? patterns[rank - 1].n_quick
		: patterns[rank - 1].n;
	Choice chosen;

	if (!(cases->set == CASES_ALL ? choose_product(d, n, i, &chosen)
		: fixed ? choose_layout(cases, i, &chosen)
		: cases->set == CASES_LARGE ? choose_large(d, i, &chosen)
		: cases->set == CASES_FILLING ? choose_filling(d, i, &chosen)
		: choose_covering(cases, n, i, &chosen)))
		return 0;
	make_case(cases, &chosen, c);
	return 1;
}

/* Each grid by itself, then all: what is refused may be one grid that is too small
 * beside another.  The largest sizes of the table have the best chances. */
int
case_grow(Cases *cases, int i, Case *c)
{
	static const int64_t factors[] = { 2, 4, 16 };
	enum { N_FACTORS = (int)(sizeof factors / sizeof *factors) };
	const stencil_description *d = cases->what;
	int open = count_open_grids(d, &cases->known), ways = open > 1 ? open + 1 : open, way;

	if (i >= ways * N_FACTORS)
		return 0;
	cases->factor = factors[i / ways];
	cases->grid = -1;
	way = i % ways;
	for (int g = 0; way < open && cases->grid < 0; g++)
		if (grid_is_open(d, &cases->known, g) && way-- == 0)
			cases->grid = g;
	make_case(cases, &(Choice){ patterns[rank_of(d) - 1].n - 1, 0, 0 }, c);
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
