/* plan_shared.c: blocks whose tiles and halos fit the shared memory. */
#include "choose/limits.h"

#include "plan/tile.h"

#define MAX_SHAPES 6

/* They are tried in order. */
static const Shape shared_shapes[IR_MAX_RANK + 1][MAX_SHAPES] = {
	{ { { 1, 1, 1 } } },
	{ { { 256, 1, 1 } }, { { 128, 1, 1 } }, { { 64, 1, 1 } }, { { 32, 1, 1 } } },
	{ { { 32, 8, 1 } }, { { 16, 8, 1 } }, { { 16, 4, 1 } }, { { 8, 4, 1 } } },
	{ { { 32, 4, 4 } }, { { 16, 4, 4 } }, { { 8, 4, 4 } }, { { 8, 4, 2 } },
	  { { 4, 4, 2 } }, { { 4, 2, 2 } } },
};

static const char *
refuses(const Planner *p, const Stage *stage)
{
	GPtrArray *tiles = stage_tiles(stage, p->arena);
	gboolean none = tiles->len == 0;

	g_ptr_array_unref(tiles);
	if (stage->kind == STAGE_SCAN)
		return "a scan walks along its lines";
	if (stage->kind == STAGE_REDUCE)
		return "a reduction reads every cell once";
	if (none)
		return "no tap of this grid is off its cell";
	return NULL;
}

static gsize
tile_bytes_of(Plan *plan, const GPtrArray *tiles, const int *threads)
{
	int block[IR_MAX_RANK] = { 1, 1, 1 };

	set_threads(plan, threads);
	for (int i = 0; i < plan->n_axes; i++)
		block[plan->axis[i]] = plan->threads[i];
	return tiles_bytes(tiles, block, NULL);
}

/* The first block that fits; else the last one tried, and FALSE. */
static gboolean
find_block(Plan *plan, const GPtrArray *tiles, const int *threads, gsize limit)
{
	const Shape *shapes = shared_shapes[plan->n_axes];

	for (int i = 0; i < MAX_SHAPES; i++) {
		if (threads == NULL && shapes[i].threads[0] == 0)
			return FALSE;
		plan->shared = tile_bytes_of(plan, tiles, threads != NULL ? threads
			: shapes[i].threads);
		if (plan->shared <= limit || threads != NULL)
			break;
	}
	return plan->shared <= limit;
}

/* There is no other way: a block's tiles are loaded in one go. */
static gboolean
is_remapped(const Planner *p, Plan *plan)
{
	int load = wish_name(p, plan, "load", load_name, LOAD_N);

	plan->load = LOAD_REMAP;
	if (load != LOAD_DIRECT || wish(p, plan->name, "load") == NULL)
		return load >= 0;
	diag_error(p->diag, plan->stage->at, "strategy 'shared' cannot load '%s' by load=direct: "
		"its threads are numbered anew over tile and halo", plan->name);
	diag_help(p->diag, "write load=remap, or ask for strategy 'stream'");
	return FALSE;
}

static gboolean
plan_shared(const Planner *p, Plan *plan, const Block *block)
{
	gsize limit = shared_limit(p);
	GPtrArray *tiles = stage_tiles(plan->stage, p->arena);
	gboolean fits = find_block(plan, tiles, block->threads, limit);

	g_ptr_array_unref(tiles);
	plan->strategy = STRATEGY_SHARED;
	plan->streaming = FALSE;
	if (!is_remapped(p, plan))
		return FALSE;
	if (fits)
		return TRUE;
	return refuse_shared(p, plan, "tiles", arena_printf(p->arena, " for a block of %dx%dx%d",
		plan->threads[0], plan->threads[1], plan->threads[2]), arena_printf(p->arena,
		"ask for a smaller block (--set %s.threads=8x4), or for strategy 'naive'",
		plan->name));
}

const Planning planning_shared = { refuses, plan_shared, NULL, STRATEGY_NAIVE, NULL, NULL };
