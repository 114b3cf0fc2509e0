/* interpret-plan.c: the words of a plan, drawn by chance, and which of them have been
 * seen.
 */
#include "interpret.h"

#include <stdio.h>
#include <string.h>

#include "choose/planner.h"
#include "kernel/steps.h"

/* ---- drawing ---- */

static const char *const blocks[] = {
	"32x4", "32x1", "32x2", "64x1", "16x2", "16x4", "16x8", "8x4", "8x8", "4x8", "4x4", "8x2",
	"16x1", "2x2", "1x1", "64x2", "32x8", "5x3",
};
static const char *const tiles[] = { "8x8", "16x8", "8x16", "4x16", "16x6", "12x8", "32x8" };
static const char *const whole_warps[] = { "8x4", "16x8", "4x16", "32x2" };
/* Of whole warps along a row, by rank. */
static const char *const wide_blocks[][3] = { { "32", "64", "128" }, { "32x4", "64x1", "32x1" },
	{ "32x2", "32x1", "64x2" } };
static const char *const few_cells[][3] = { { "2", "4", "8" }, { "2x1", "4x2", "8x3" },
	{ "2x1x2", "4x1x3", "2x2x1" } };
static const char *const columns[] = { "4", "2", "8", "1", "16" };
static const char *const feeds[] = { "halo", "direct", "prefetch", "async", "bulk" };
static const char *const edges[] = { "guard", "overwrite", "split" };
static const char *const stores[] = { "plain", "streaming" };
static const char *const walks[] = { "no", "fill", "3" };
static const char *const loads[] = { "direct", "remap" };
static const char *const exchanges[] = { "l1", "shuffle", "shared" };
static const char *const forms[] = { "gather", "scatter" };
static const char *const barriers[] = { "full", "split" };
static const char *const holds[] = { "registers", "shared" };
static const char *const buffers[] = { "ping-pong", "window" };

#define ANY(c, list) list[below(c, G_N_ELEMENTS(list))]

static void
put(GPtrArray *plan, const char *key, const char *value)
{
	g_ptr_array_add(plan, g_strdup_printf("%s=%s", key, value));
}

static void
put_number(GPtrArray *plan, Chance *c, const char *key, int most)
{
	g_ptr_array_add(plan, g_strdup_printf("%s=%d", key, between(c, 1, most)));
}

/* A word that is not always said. */
static gboolean
said(Chance *c)
{
	return chance(c, 60);
}

static void
put_cells(GPtrArray *plan, Chance *c, StrategyId id)
{
	int columns_n = below(c, G_N_ELEMENTS(columns)), rows = between(c, 1, 3);
	int third = between(c, 1, chance(c, 50) ? 4 : 12);

	if (id == STRATEGY_STRIP || id == STRATEGY_AN5D)
		rows = between(c, 1, 40);
	else if (id == STRATEGY_TILE)
		rows = between(c, 1, 6);
	else if (id == STRATEGY_WEAVE || id == STRATEGY_QUILT)
		columns_n = below(c, 3);
	g_ptr_array_add(plan, g_strdup_printf("cells=%sx%dx%d", columns[columns_n],
		rows, third));
}

gboolean
may_sweep(const Stencil *s)
{
	const Stage *first = s->stages->len > 0 ? g_ptr_array_index(s->stages, 0) : NULL;

	return first != NULL && steps_refuse(s, first, first->grid->rank, STEPS_TEMPS) == NULL;
}

/* Likewise a chain of warps; it may still be refused. */
static gboolean
may_chain(const Stencil *s)
{
	const Stage *first = g_ptr_array_index(s->stages, 0);

	return may_sweep(s) && first->grid->rank == 2 && s->stages->len == 1;
}

static gboolean
may_be(const Stencil *s, StrategyId id)
{
	const Planner p = { s, NULL, s->arena, NULL };

	return plannings[id]->refuses(&p, g_ptr_array_index(s->stages, 0)) == NULL;
}

/* Of several steps of a volume. */
static StrategyId
choose_volume(const Stencil *s, Chance *c)
{
	gboolean weaves = chance(c, 30);
	Chance apart = *c; /* what it draws changes nothing else */

	if (may_be(s, STRATEGY_QUILT) && chance(&apart, 40))
		return STRATEGY_QUILT;
	if (may_be(s, STRATEGY_WEAVE) && (weaves || !may_be(s, STRATEGY_TILE)))
		return STRATEGY_WEAVE;
	return may_be(s, STRATEGY_TILE) ? STRATEGY_TILE : STRATEGY_MARCH;
}

/* Nothing is stepped, and the first stage may begin a pipe. */
static gboolean
may_pipe(const Stencil *s)
{
	return !s->stepped && may_be(s, STRATEGY_STRIP);
}

/* Of several steps of a plane, or a line. */
static StrategyId
choose_plane(const Stencil *s, Chance *c)
{
	if (chance(c, 25) && may_be(s, STRATEGY_AN5D))
		return STRATEGY_AN5D;
	return chance(c, 25) && may_be(s, STRATEGY_STREAM) ? STRATEGY_STREAM : STRATEGY_STRIP;
}

/* What has kernels to run; strip and tile where they may serve. */
static StrategyId
choose_strategy(const Stencil *s, Chance *c)
{
	int rank = ((const Stage *)g_ptr_array_index(s->stages, 0))->grid->rank;
	gboolean sweeps = may_sweep(s);
	Chance apart = *c; /* what it draws changes nothing else */
	StrategyId id;

	if (may_pipe(s) && chance(&apart, 50))
		return STRATEGY_STRIP;
	if (sweeps && chance(c, 70))
		return rank > 2 ? choose_volume(s, &apart) : choose_plane(s, &apart);
	do {
		id = (StrategyId)below(c, STRATEGY_ACCUMULATE);
	} while (id == STRATEGY_NAIVE || id == STRATEGY_SHARED || (!sweeps
		&& (id == STRATEGY_STRIP || id == STRATEGY_TILE)));
	return id >= STRATEGY_STREAM && chance(&apart, 50) ? STRATEGY_ACCUMULATE : id;
}

static gboolean
has(const GPtrArray *plan, const char *word)
{
	gboolean found = FALSE;

	for (guint i = 0; i < plan->len; i++)
		found = found || strcmp(g_ptr_array_index(plan, i), word) == 0;
	return found;
}

/* As many steps as each of some warps makes alike, of as many columns as they reach over. */
static void
put_chain(GPtrArray *plan, Chance *c)
{
	int warps = between(c, 2, chance(c, 80) ? 4 : 8), steps = between(c, 1, 3);

	put(plan, "strategy", strategies[STRATEGY_CHAIN].name);
	g_ptr_array_add(plan, g_strdup_printf("threads=32x%d", warps));
	g_ptr_array_add(plan, g_strdup_printf("time=%d", warps * steps));
	g_ptr_array_add(plan, g_strdup_printf("cells=%dx%d", between(c, 2, 9),
		between(c, 1, 30)));
	put_number(plan, c, "slot", chance(c, 80) ? 4 : 16);
	put_number(plan, c, "ahead", chance(c, 80) ? 3 : 8);
	put_number(plan, c, "unroll", chance(c, 70) ? 4 : 16);
	if (said(c))
		put_number(plan, c, "blocks", 4);
	if (warps * steps > 2 && said(c))
		put_number(plan, c, "fewer", MIN(warps * steps - 1, 4));
}

/* Bands of rows, some of which are too low for two buffers, with a cell a thread. */
static void
put_bands(GPtrArray *plan, Chance c)
{
	g_ptr_array_add(plan, g_strdup_printf("threads=%dx%d", 8*between(&c, 1, 8),
		between(&c, 1, chance(&c, 70) ? 4 : 10)));
	g_ptr_array_add(plan, g_strdup_printf("cells=1x%d", between(&c, 1, 40)));
	put(plan, "buffer", ANY(&c, buffers));
}

static void
drop(GPtrArray *plan, const char *prefix)
{
	for (guint i = plan->len; i-- > 0;)
		if (g_str_has_prefix(g_ptr_array_index(plan, i), prefix))
			g_ptr_array_remove_index(plan, i);
}

/* Nothing of a line is on its way. */
static void
drop_rows(GPtrArray *plan)
{
	drop(plan, "ahead=");
	drop(plan, "unroll=");
	drop(plan, "feed=");
}

/* What has no say where the planes' halo is fed apart. */
static void
put_load(GPtrArray *plan, Chance *c)
{
	const char *load = ANY(c, loads);

	if (has(plan, "feed=halo"))
		load = loads[LOAD_DIRECT];
	put(plan, "load", load);
}

/* Planes that the copy engine brings, to whole warps. */
static void
put_bulk(GPtrArray *plan, Chance c, StrategyId id)
{
	gboolean planes = id == STRATEGY_STREAM || id == STRATEGY_STREAM_REGISTERS
		|| (id == STRATEGY_ACCUMULATE && has(plan, "exchange=shared"));

	if (!planes || has(plan, "load=remap") || !chance(&c, 35))
		return;
	drop(plan, "feed=");
	drop(plan, "threads=");
	put(plan, "feed", feeds[FEED_BULK]);
	put(plan, "threads", ANY(&c, whole_warps));
}

/* Planes lie where they are exchanged; sums of them are never held there. */
static void
put_hold(GPtrArray *plan, Chance *c, StrategyId id)
{
	if ((has(plan, "exchange=shared") || id == STRATEGY_AN5D) && !has(plan, "form=scatter")
		&& !has(plan, "exchange=l1") && !has(plan, "exchange=shuffle"))
		put(plan, "hold", ANY(c, holds));
}

/* Planes that are shared, of threads across that are no part of a warp always; a cell of a row
 * each, now and then. */
static void
put_weave(GPtrArray *plan, Chance c)
{
	drop(plan, "exchange=");
	if (chance(&c, 40))
		put(plan, "exchange", "shared");
	if (!chance(&c, 30))
		return;
	drop(plan, "cells=");
	g_ptr_array_add(plan, g_strdup_printf("cells=1x%dx%d", between(&c, 1, 3),
		between(&c, 1, 12)));
}

/* Drawn of nothing else: what there was before stays as it was. */
static void
put_store(GPtrArray *plan, Chance c)
{
	below(&c, 97);
	put(plan, "store", ANY(&c, stores));
}

/* Likewise: rows that lie anywhere are dealt out among the lanes of a warp. */
static void
put_rows(GPtrArray *plan, Chance c, StrategyId id, int rank)
{
	below(&c, 89);
	if ((id != STRATEGY_MARCH && id != STRATEGY_ACCUMULATE && id != STRATEGY_STREAM_REGISTERS)
		|| !chance(&c, 40))
		return;
	put(plan, "rows", rows_dealt);
	drop(plan, "persistent=");
	if (chance(&c, 60)) {
		drop(plan, "threads=");
		drop(plan, "cells=");
		put(plan, "threads", ANY(&c, wide_blocks[rank - 1]));
		put(plan, "cells", ANY(&c, few_cells[rank - 1]));
	}
}

GPtrArray *
random_plan(const Stencil *s, Chance *c)
{
	GPtrArray *plan = g_ptr_array_new_with_free_func(g_free);
	Chance apart = chance_new(c->state, 0, 0); /* others draw from a copy of C */
	StrategyId id = choose_strategy(s, c);
	int rank = ((const Stage *)g_ptr_array_index(s->stages, 0))->grid->rank;

	if (may_chain(s) && chance(&apart, 45)) {
		put_chain(plan, &apart);
		return plan;
	}
	put(plan, "strategy", strategies[id].name);
	if (id == STRATEGY_STREAM && rank == 2)
		put_bands(plan, *c);
	else if (id == STRATEGY_STRIP && rank > 1)
		g_ptr_array_add(plan, g_strdup_printf("threads=32x%d", between(c, 1, 4)));
	else if (id == STRATEGY_AN5D || id == STRATEGY_STRIP)
		g_ptr_array_add(plan, g_strdup_printf("threads=%d", 32*between(c, 1, 4)));
	else if (said(c))
		put(plan, "threads", id == STRATEGY_WEAVE || id == STRATEGY_QUILT ? ANY(c, tiles)
			: ANY(c, blocks));
	if (said(c) && !(id == STRATEGY_STREAM && rank == 2))
		put_cells(plan, c, id);
	if (said(c))
		put_number(plan, c, "time", id == STRATEGY_WEAVE || id == STRATEGY_QUILT ? 3 : 5);
	if (said(c))
		put_number(plan, c, "ahead", chance(c, 70) ? 3 : 8);
	if (said(c))
		put_number(plan, c, "unroll", chance(c, 70) ? 4 : 16);
	if (said(c))
		put(plan, "feed", feeds[below(c, FEED_BULK)]);
	if (said(c))
		put(plan, "exchange", exchanges[below(c, id == STRATEGY_ACCUMULATE
			|| id == STRATEGY_TILE || id == STRATEGY_AN5D ? EXCHANGE_N
			: EXCHANGE_SHARED)]);
	if (said(c))
		put(plan, "form", ANY(c, forms));
	if (said(c))
		put(plan, "barrier", ANY(c, barriers));
	if (said(c))
		put_number(plan, c, "blocks", 4);
	if (chance(c, 30))
		put_number(plan, c, "stages", (int)s->stages->len);
	apart = *c;
	put_load(plan, &apart);
	put(plan, "persistent", ANY(&apart, walks));
	put(plan, "edges", ANY(&apart, edges));
	if (id == STRATEGY_WEAVE)
		put_weave(plan, apart);
	put_hold(plan, &apart, id);
	put_bulk(plan, apart, id);
	put_store(plan, apart);
	put_rows(plan, apart, id, rank);
	if (chance(&apart, 70)) /* of lines that may be cut, whatever the strategy of maps */
		put_number(plan, &apart, "piece", 40);
	if (has(plan, "time=3") || has(plan, "time=5"))
		put(plan, "fewer", "2");
	if (id == STRATEGY_STRIP && rank == 1)
		drop_rows(plan);
	if (id == STRATEGY_STRIP && !s->stepped) {
		drop(plan, "time=");
		drop(plan, "fewer=");
	}
	return plan;
}

/* ---- counting ---- */

typedef enum { WORD_VARIANT, WORD_FEED, WORD_LOAD, WORD_WALK, WORD_EDGES, WORD_STORE, WORD_EXCHANGE,
	WORD_FORM, WORD_BARRIER, WORD_HOLD, WORD_BUFFER, WORD_COLUMNS, WORD_WARPS, WORD_TIME,
	WORD_SLOT, WORD_AHEAD, WORD_UNROLL, WORD_BLOCKS, WORD_STAGES, WORD_ROWS, WORD_N } Word;

#define MANY 17 /* and more */

static const struct {
	const char *name;
	const char *const *value; /* NULL: numbers */
	int n;
} words[WORD_N] = {
	[WORD_VARIANT] = { "variant", (const char *const[]){ "tiled", "ragged", "fewer",
		"slim", "turned", "loose", "wide", "lapped", "any" }, VARIANT_N },
	[WORD_FEED] = { "feed", feeds, FEED_N },
	[WORD_LOAD] = { "load", loads, LOAD_N },
	[WORD_WALK] = { "persistent", walks, 3 },
	[WORD_EDGES] = { "edges", edges, EDGES_N },
	[WORD_STORE] = { "store", stores, 2 },
	[WORD_EXCHANGE] = { "exchange", exchanges, EXCHANGE_N },
	[WORD_FORM] = { "form", forms, 2 },
	[WORD_BARRIER] = { "barrier", barriers, 2 },
	[WORD_HOLD] = { "hold", holds, 2 },
	[WORD_BUFFER] = { "buffer", buffers, 2 },
	[WORD_COLUMNS] = { "columns", NULL, MANY },
	[WORD_WARPS] = { "warps", NULL, MANY },
	[WORD_TIME] = { "time", NULL, MANY },
	[WORD_SLOT] = { "slot", NULL, MANY },
	[WORD_AHEAD] = { "ahead", NULL, MANY },
	[WORD_UNROLL] = { "unroll", NULL, MANY },
	[WORD_BLOCKS] = { "blocks", NULL, MANY },
	[WORD_STAGES] = { "stages", NULL, MANY },
	[WORD_ROWS] = { "rows", (const char *const[]){ "as they lie", "dealt" }, 2 },
};

static int counts[STRATEGY_N][WORD_N][MANY], all[STRATEGY_N];

/* What a strategy has to be seen with. */
static const struct {
	StrategyId strategy;
	Word word;
	int from, to;
} wanted[] = {
	{ STRATEGY_MARCH, WORD_VARIANT, VARIANT_WIDE, VARIANT_ANY },
	{ STRATEGY_MARCH, WORD_EXCHANGE, 0, EXCHANGE_SHUFFLE },
	{ STRATEGY_MARCH, WORD_STAGES, 1, 3 },
	{ STRATEGY_MARCH, WORD_WALK, 0, 2 },
	{ STRATEGY_MARCH, WORD_EDGES, 0, EDGES_N - 1 },
	{ STRATEGY_MARCH, WORD_STORE, 0, 1 },
	{ STRATEGY_MARCH, WORD_ROWS, 0, 1 },
	{ STRATEGY_STRIP, WORD_VARIANT, VARIANT_TILED, VARIANT_FEWER },
	{ STRATEGY_STRIP, WORD_VARIANT, VARIANT_LOOSE, VARIANT_LOOSE },
	{ STRATEGY_STRIP, WORD_TIME, 1, 5 },
	{ STRATEGY_STRIP, WORD_AHEAD, 1, 3 },
	{ STRATEGY_CHAIN, WORD_VARIANT, VARIANT_TILED, VARIANT_RAGGED },
	{ STRATEGY_CHAIN, WORD_WARPS, 2, 4 },
	{ STRATEGY_CHAIN, WORD_TIME, 2, 4 },
	{ STRATEGY_CHAIN, WORD_SLOT, 1, 4 },
	{ STRATEGY_CHAIN, WORD_AHEAD, 1, 3 },
	{ STRATEGY_CHAIN, WORD_UNROLL, 1, 4 },
	{ STRATEGY_CHAIN, WORD_BLOCKS, 1, 4 },
	{ STRATEGY_TILE, WORD_VARIANT, VARIANT_TILED, VARIANT_SLIM },
	{ STRATEGY_TILE, WORD_TIME, 1, 4 },
	{ STRATEGY_TILE, WORD_AHEAD, 1, 3 },
	{ STRATEGY_TILE, WORD_FORM, 0, 1 },
	{ STRATEGY_TILE, WORD_BARRIER, 0, 1 },
	{ STRATEGY_TILE, WORD_EXCHANGE, EXCHANGE_SHUFFLE, EXCHANGE_SHARED },
	{ STRATEGY_TILE, WORD_HOLD, 0, 1 },
	{ STRATEGY_WEAVE, WORD_VARIANT, VARIANT_TILED, VARIANT_RAGGED },
	{ STRATEGY_WEAVE, WORD_TIME, 1, 3 },
	{ STRATEGY_WEAVE, WORD_AHEAD, 1, 3 },
	{ STRATEGY_WEAVE, WORD_EXCHANGE, EXCHANGE_SHUFFLE, EXCHANGE_SHARED },
	{ STRATEGY_WEAVE, WORD_COLUMNS, 1, 2 },
	{ STRATEGY_WEAVE, WORD_STAGES, 1, 2 },
	{ STRATEGY_QUILT, WORD_VARIANT, VARIANT_TILED, VARIANT_RAGGED },
	{ STRATEGY_AN5D, WORD_VARIANT, VARIANT_TILED, VARIANT_TILED },
	{ STRATEGY_AN5D, WORD_TIME, 1, 4 },
	{ STRATEGY_AN5D, WORD_HOLD, 0, 1 },
	{ STRATEGY_ACCUMULATE, WORD_VARIANT, VARIANT_WIDE, VARIANT_ANY },
	{ STRATEGY_ACCUMULATE, WORD_EXCHANGE, 0, EXCHANGE_SHARED },
	{ STRATEGY_ACCUMULATE, WORD_ROWS, 0, 1 },
	{ STRATEGY_STREAM, WORD_VARIANT, VARIANT_TILED, VARIANT_TILED },
	{ STRATEGY_STREAM, WORD_VARIANT, VARIANT_FEWER, VARIANT_FEWER },
	{ STRATEGY_STREAM, WORD_VARIANT, VARIANT_WIDE, VARIANT_WIDE },
	{ STRATEGY_STREAM, WORD_VARIANT, VARIANT_ANY, VARIANT_ANY },
	{ STRATEGY_STREAM, WORD_TIME, 1, 4 },
	{ STRATEGY_STREAM, WORD_BUFFER, 0, 1 },
	{ STRATEGY_STREAM, WORD_FEED, 0, FEED_N - 1 },
	{ STRATEGY_STREAM, WORD_LOAD, 0, LOAD_N - 1 },
	{ STRATEGY_STREAM, WORD_AHEAD, 1, 3 },
	{ STRATEGY_STREAM, WORD_UNROLL, 1, 4 },
	{ STRATEGY_STREAM, WORD_BLOCKS, 1, 4 },
	{ STRATEGY_STREAM_REGISTERS, WORD_VARIANT, VARIANT_WIDE, VARIANT_WIDE },
	{ STRATEGY_STREAM_REGISTERS, WORD_VARIANT, VARIANT_ANY, VARIANT_ANY },
	{ STRATEGY_STREAM_REGISTERS, WORD_FEED, 0, FEED_N - 1 },
	{ STRATEGY_STREAM_REGISTERS, WORD_LOAD, 0, LOAD_N - 1 },
	{ STRATEGY_STREAM_REGISTERS, WORD_AHEAD, 1, 3 },
};

void
count_plan(const Plan *plan, Variant variant)
{
	const int value[WORD_N] = {
		[WORD_VARIANT] = (int)variant, [WORD_FEED] = (int)plan->feed,
		[WORD_LOAD] = (int)plan->load, [WORD_EDGES] = (int)plan->edges,
		[WORD_STORE] = plan->streaming, [WORD_ROWS] = plan->deals,
		[WORD_WALK] = plan->persistent == PERSISTENT_FILL ? 1 : plan->persistent > 0 ? 2
			: 0,
		[WORD_EXCHANGE] = (int)plan->exchange, [WORD_FORM] = plan->scatter,
		[WORD_BARRIER] = plan->split, [WORD_HOLD] = plan->held,
		[WORD_BUFFER] = plan->window,
		[WORD_COLUMNS] = plan->cells[0], [WORD_WARPS] = plan->threads[1],
		[WORD_TIME] = plan->time, [WORD_SLOT] = plan->slot, [WORD_AHEAD] = plan->ahead,
		[WORD_UNROLL] = plan->unroll, [WORD_BLOCKS] = plan->blocks,
		[WORD_STAGES] = plan->n_stages,
	};

	all[plan->strategy]++;
	for (Word w = 0; w < WORD_N; w++)
		counts[plan->strategy][w][CLAMP(value[w], 0, MANY - 1)]++;
}

static void
print_word(StrategyId id, Word w)
{
	printf("# %s, %s:", strategies[id].name, words[w].name);
	for (int i = 0; i < words[w].n; i++)
		if (words[w].value != NULL)
			printf(" %s %d", words[w].value[i], counts[id][w][i]);
		else if (counts[id][w][i] > 0)
			printf(" %d: %d", i, counts[id][w][i]);
	printf("\n");
}

int
print_counts(void)
{
	int missing = 0;

	for (StrategyId id = 0; id < STRATEGY_N; id++) {
		if (all[id] == 0)
			continue;
		printf("# %s: %d kernels\n", strategies[id].name, all[id]);
		for (Word w = 0; w < WORD_N; w++)
			print_word(id, w);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(wanted); i++)
		for (int v = wanted[i].from; v <= wanted[i].to; v++) {
			StrategyId id = wanted[i].strategy;
			Word w = wanted[i].word;

			if (counts[id][w][v] > 0)
				continue;
			missing++;
			if (words[w].value != NULL)
				printf("# never seen: %s with %s=%s\n", strategies[id].name,
					words[w].name, words[w].value[v]);
			else
				printf("# never seen: %s with %s=%d\n", strategies[id].name,
					words[w].name, v);
		}
	return missing;
}
