/* plan_scan.c: how many threads share a line of a scan, and how its cells come. */
#include "choose/facts.h"

#include <math.h>

#include "choose/limits.h"
#include "plan/line.h"

#define MANY_THREADS (1 << 17) /* where no device says how many it holds */
#define LEAST_PIECE 64 /* cells */
#define START_SHARE 8  /* a piece reads so many times what its first value does */
#define MAX_BLOCKS 32  /* of a multiprocessor */
#define ROOMY_THREADS 1024 /* of a multiprocessor: of 64 registers each */
#define MAX_PIECE (1 << 30)
#define MAX_FEEDS 6    /* of a scan; of several, by fewer warps of a block, */
#define MOST_FEEDS 12  /* so many */
#define SM_REGISTERS 65536 /* where no device says how many it has */
#define TILE_REGISTERS 96  /* of a lane, beside what it has read of a tile */
#define MOST_TAPS 3        /* of rows, by nvcc's spills for four */
#define LINE_REGISTERS 64  /* of a thread, beside what it has read of cells ahead, */
#define LEAST_LOADS 8      /* which are so many at least, and so many of those that are there */
#define LINE_THREADS 256   /* of a multiprocessor: fewer have as many registers as there are */
#define LEAST_TILES 2      /* of a line, of as many cells as are read ahead */
#define MOST_AHEAD 32      /* by itself; */
#define WISHED_AHEAD 64    /* if it is asked for */
#define SHARED_USUAL 49152 /* bytes of a block: more would leave few blocks */

/* Threads for lines side by side; for a single line, for its pieces. */
static const Shape line_shape[IR_MAX_RANK + 1] = {
	{ { 64, 1, 1 } }, { { 64, 1, 1 } }, { { 32, 4, 1 } }, { { 32, 4, 1 } },
};

/* ---- pieces ---- */

/* The least cells of a piece of scan S. */
static gint64
least_piece(const Stage *s)
{
	return START_SHARE * line_taps(s->start) / MAX(line_taps(s->value) - 1, 1);
}

/* As many cells as leave the device with enough threads, but so many that what is read for
 * the first of them hardly counts; 0: all, as there are lines enough. */
static int
usual_piece(const Planner *p, const Plan *plan)
{
	const int scans = line_scans(plan->stages, plan->n_stages);
	const Stage *s = plan->stage;
	const Device *d = p->request->device;
	double threads = d != NULL ? (double)d->sms * d->sm_threads : MANY_THREADS, lines = 1;
	gint64 extent = facts_extent(s->grid, s->axis), least = 0, cells;

	for (int i = 0; i < plan->n_axes; i++)
		lines *= (double)facts_extent(s->grid, plan->axis[i]);
	for (int i = 0; i < scans; i++)
		least = MAX(least, least_piece(plan->stages[i].stage));
	cells = (gint64)((double)extent * lines / threads);
	cells = MAX(MAX(cells, least), LEAST_PIECE);
	cells = (cells + LINE_TILE - 1) / LINE_TILE * LINE_TILE;
	return lines >= threads || cells >= extent ? 0 : (int)MIN(cells, MAX_PIECE);
}

/* TRUE if a wish for KEY names the launch. */
static gboolean
is_asked(const Planner *p, const Plan *plan, const char *key)
{
	return wish(p, plan->name, key) != NULL && wish_names(p, plan->name);
}

/* Why lines cannot be cut; NULL: all of the launch's can. */
static const char *
why_whole(const Planner *p, const Plan *plan)
{
	const int scans = line_scans(plan->stages, plan->n_stages);
	const char *why = NULL;

	for (int i = 0; i < scans && why == NULL; i++)
		why = line_whole(p->s, plan->stages[i].stage);
	return why;
}

static gboolean
plan_piece(const Planner *p, Plan *plan)
{
	const char *whole = why_whole(p, plan);

	if (whole == NULL) {
		int usual = usual_piece(p, plan);

		plan->piece = wish(p, plan->name, "piece") == NULL ? usual
			: wish_number(p, plan, "piece", MAX_PIECE, usual);
		return plan->piece > 0 || wish(p, plan->name, "piece") == NULL;
	}
	if (!is_asked(p, plan, "piece"))
		return TRUE;
	diag_error(p->diag, plan->stage->at, "the lines of '%s' cannot be cut: %s", plan->name,
		whole);
	return FALSE;
}

/* ---- tiles ---- */

/* Why lines do not come as tiles of shared memory; NULL: they can. */
static const char *
why_direct(const Planner *p, const Plan *plan, const GPtrArray *feeds)
{
	const Stage *s = plan->stage;
	const int scans = line_scans(plan->stages, plan->n_stages);

	if (s->axis != s->grid->rank - 1 || plan->n_axes == 0)
		return "threads side by side read cells side by side";
	for (int i = 0; i < scans; i++)
		if (plan->stages[i].stage->region.n_guards > 0
			|| plan->stages[i].stage->start_region.n_guards > 0)
			return "cells may be missing that it reads";
	if (feeds->len > (scans > 1 ? MOST_FEEDS : MAX_FEEDS)
		|| plan->shared > MIN(SHARED_USUAL, shared_limit(p)))
		return "too much would have to be brought";
	if (plan->threads[0] % LINE_TILE != 0)
		return "a block has no whole warps of lines";
	return NULL;
}

/* The tiles of all warps of a block. */
static gsize
tiles_of(const Plan *plan, const GPtrArray *feeds)
{
	const int scans = line_scans(plan->stages, plan->n_stages);
	int threads = plan_threads(plan);

	return (gsize)(threads / LINE_TILE) * (line_bytes(plan->stages, scans, feeds)
		+ LINE_DONE * (gsize)scans);
}

/* A block has fewer warps, so that their tiles take no more than leaves several blocks beside each
 * other. */
static void
spare_warps(const Planner *p, Plan *plan, const GPtrArray *feeds)
{
	const gsize most = MIN(SHARED_USUAL, shared_limit(p));

	while (plan->n_axes > 0 && tiles_of(plan, feeds) > most
		&& threads_halve(plan, plan->threads))
		;
}

static gboolean
plan_load(const Planner *p, Plan *plan, gboolean free)
{
	int load = wish_name(p, plan, "load", load_name, LOAD_N);
	GPtrArray *feeds = line_feeds(plan->stages, line_scans(plan->stages, plan->n_stages));
	const char *why;
	gboolean fine;

	if (free && plan_brings_lines(plan)
		&& (load == LOAD_REMAP || wish(p, plan->name, "load") == NULL))
		spare_warps(p, plan, feeds);
	plan->shared = tiles_of(plan, feeds);
	why = why_direct(p, plan, feeds);
	g_ptr_array_unref(feeds);
	fine = load >= 0 && !(load == LOAD_REMAP && why != NULL && is_asked(p, plan, "load"));
	if (load >= 0 && !fine) {
		diag_error(p->diag, plan->stage->at, "'%s' cannot be loaded by load=remap: %s",
			plan->name, why);
		diag_help(p->diag, "write load=direct");
	}
	plan->load = why == NULL && (load == LOAD_REMAP || wish(p, plan->name, "load") == NULL)
		? LOAD_REMAP : LOAD_DIRECT;
	if (plan->load == LOAD_DIRECT)
		plan->shared = 0;
	return fine;
}

/* ---- what is read ahead ---- */

/* Blocks of lines that are not cut. */
static double
line_blocks(const Plan *plan)
{
	double blocks = 1;

	for (int i = 0; i < plan->n_axes; i++)
		blocks *= ceil((double)facts_extent(plan->stage->grid, plan->axis[i])
			/ plan->threads[i]);
	return blocks;
}

/* Threads of a multiprocessor, all lines being on their way at once; no more than registers leave
 * enough of. */
static int
threads_of_sm(const Planner *p, const Plan *plan)
{
	const Device *d = p->request->device;
	const int threads = plan_threads(plan);

	return d == NULL ? ROOMY_THREADS : (int)CLAMP(ceil(line_blocks(plan) / d->sms) * threads,
		LINE_THREADS, ROOMY_THREADS);
}

/* Registers of a thread for cells ahead, where it takes so many OTHERS. */
static int
spare_registers(const Planner *p, const Plan *plan, int others)
{
	const Device *d = p->request->device;
	const int all = (d != NULL ? d->sm_registers : SM_REGISTERS) / threads_of_sm(p, plan);

	return MIN(all, d != NULL ? d->thread_registers : all) - others;
}

/* As many cells ahead as registers hold beside as many that are there; 0: none. */
static int
usual_ahead(const Planner *p, const Plan *plan)
{
	const Stage *s = plan->stage;
	const int loads = line_loads(plan, plan->n_stages);
	const int most = MAX(spare_registers(p, plan, LINE_REGISTERS) / 2, LEAST_LOADS);
	int cells = MOST_AHEAD;

	while (cells > 1 && (cells * loads > most
		|| cells * LEAST_TILES > facts_extent(s->grid, s->axis)))
		cells /= 2;
	return loads > 0 && cells > 1 ? cells : 0;
}

/* Taps that a lane reads for a cell. */
static int
tile_taps(const Plan *plan)
{
	GPtrArray *feeds = line_feeds(plan->stages, line_scans(plan->stages, plan->n_stages));
	int taps = 0;

	for (guint i = 0; i < feeds->len; i++)
		taps += line_taps(g_ptr_array_index(feeds, i));
	g_ptr_array_unref(feeds);
	return taps;
}

/* The next tile comes while the lanes go along one, where registers hold it, and the places of its
 * rows. */
static int
tile_ahead(const Planner *p, const Plan *plan)
{
	const int scans = line_scans(plan->stages, plan->n_stages);
	const int registers = LINE_TILE * line_loads(plan, scans);

	return plan->piece == 0 && registers > 0 && tile_taps(plan) <= MOST_TAPS
		&& registers <= spare_registers(p, plan, TILE_REGISTERS) ? LINE_TILE : 0;
}

/* Why cells come one after the other; NULL: those that come next may come ahead. */
static const char *
why_in_turn(const Planner *p, const Plan *plan)
{
	if (plan->load == LOAD_REMAP)
		return "its rows come as tiles";
	if (plan->piece > 0)
		return "there are threads enough where lines are cut";
	for (int i = 0; i < line_scans(plan->stages, plan->n_stages); i++)
		if (!line_goes_on(p->s, plan->stages[i].stage))
			return "its lines may break off";
	return line_loads(plan, plan->n_stages) == 0 ? "it reads nothing but its lines" : NULL;
}

static gboolean
plan_ahead(const Planner *p, Plan *plan)
{
	const char *why = why_in_turn(p, plan);

	plan->ahead = plan->load == LOAD_REMAP ? tile_ahead(p, plan) : 0;
	if (why != NULL && is_asked(p, plan, "ahead"))
		diag_error(p->diag, plan->stage->at, "cells of '%s' cannot be read ahead: %s",
			plan->name, why);
	if (why != NULL)
		return !is_asked(p, plan, "ahead");
	if (wish(p, plan->name, "ahead") == NULL) {
		plan->ahead = usual_ahead(p, plan);
		return TRUE;
	}
	plan->ahead = wish_number(p, plan, "ahead", WISHED_AHEAD, 1);
	return plan->ahead > 0;
}

/* ---- blocks ---- */

/* Of lines that are cut, and come by tiles, or whose tiles come ahead, a multiprocessor has so
 * many, and of several that are one or the other: by itself nvcc might spill for more than there
 * are.  Else 1. */
static int
usual_blocks(const Planner *p, const Plan *plan)
{
	const Stage *s = plan->stage;
	const Device *d = p->request->device;
	const int threads = plan_threads(plan);
	const gboolean several = plan->n_stages > 1, rows = plan->load == LOAD_REMAP;
	const int roomy = several ? ROOMY_THREADS / 2 : ROOMY_THREADS;
	double blocks;

	if (d == NULL || (several ? !rows && plan->piece > 0
		: !rows || (plan->piece == 0 && plan->ahead == 0)))
		return 1;
	blocks = line_blocks(plan);
	if (plan->piece > 0)
		blocks *= ceil((double)facts_extent(s->grid, s->axis) / plan->span[plan->n_axes]);
	blocks = MAX(ceil(blocks / d->sms), 2);
	if (several)
		blocks = MIN(blocks, MAX(roomy / threads, 2));
	return blocks * threads <= roomy ? (int)blocks : 1;
}

gboolean
plan_scan(const Planner *p, Plan *plan, const Block *block)
{
	const int *threads = block->threads != NULL ? block->threads
		: line_shape[plan->n_axes].threads;
	int last = plan->n_axes; /* the pieces' */

	set_threads(plan, threads);
	if (!plan_piece(p, plan))
		return FALSE;
	if (last == 0 && plan->piece > 0)
		plan->threads[0] = threads[0];
	if (!plan_load(p, plan, block->threads == NULL) || !plan_ahead(p, plan))
		return FALSE;
	for (int i = 0; i < IR_MAX_RANK; i++)
		plan->span[i] = plan->threads[i] * (i == last ? MAX(plan->piece, 1) : 1);
	plan->blocks = wish_number(p, plan, "blocks", MAX_BLOCKS, blocks_spare(p, plan,
		usual_blocks(p, plan)));
	return plan->blocks > 0;
}
