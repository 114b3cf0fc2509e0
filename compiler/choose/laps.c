/* laps.c: how rows are served that begin and end anywhere, if they are no shorter than a block.
 *
 * A thread's cells are a block's width apart there, so that no vector has to lie right.  `march`
 * does so by its own threads, with as many cells as registers hold; shorter rows then have a
 * cell of a row a thread.  Where they do not hold all rows of a thread, which would then be read
 * over and over, and sums come row by row, `accumulate` walks down the plane.  In a volume it has
 * shapes for it, and shares no planes: what lies beside cells comes from other lanes.  Where what
 * a plane gives to the cells of several has parts in common, more rows have more of them.
 * `stream-registers` leaves such rows to `march`, or, if it reaches far, takes blocks of another
 * shape, whose last one does not move.
 *
 * Rows of which a cell reads many cells are dealt out among the lanes of a warp: what each reads
 * lies side by side then.
 *
 * Some are better off so where rows are whole vectors, too: boxes of doubles, a vector of which
 * is two, and what reaches further than registers hold in vectors; and what would come by planes
 * in shared memory, though all of it lies in the cell's row.
 *
 * All of it is measured: tests/bench/RESULTS.md.
 */
#include <string.h>

#include "choose/limits.h"
#include "choose/model.h"
#include "kernel/lower.h"
#include "kernel/source.h"

#define CELLS_BYTES 16 /* of a row of a thread's */
#define DOUBLE_BYTES 8
#define CHUNK 24       /* planes of a block, at least; twice as many at most */
#define MARCH_KEPT 128 /* registers of a thread, by the count */
#define ROWS_KEPT 120  /* likewise, where it walks down a plane */
#define COLUMN_KEPT 110 /* likewise, of planes in shared memory */
#define ROW_THREADS 128
#define ROW_CELLS 4
#define DEALT 6        /* cells of a row, from which on it is dealt out; */
#define DEALT_DOWN 5   /* of one that is read once, for all that it gives */
#define NEAR 4         /* cells beyond which planes in shared memory are better by columns, too */
#define CARRIED_DIVIDED 70 /* registers from plane to plane, of doubles that divide */
#define DEALT_PLANES 64 /* of a block, at least */
#define MOST_DEALT 7    /* fields: of ten, by two rows, nvcc spilled 1612 bytes */

typedef struct {
	int threads[IR_MAX_RANK];
	int rows;
	int registers; /* of a thread, by the count: else too few blocks run at once */
	gboolean shares;
} LappedShape;

static const LappedShape shapes[] = {
	{ { 32, 4, 1 }, 4, 125, TRUE },
	{ { 32, 8, 1 }, 2, 120, FALSE },
	{ { 32, 8, 1 }, 1, 120, FALSE },
};

/* FAR: what a cell loads for itself alone, which the count does not know. */
static gboolean
has_registers(const Planner *p, Plan *lapped, int far, int most)
{
	Arena *arena = arena_new();
	KKernel *k = lapped->strategy == STRATEGY_STREAM_REGISTERS
		? lower_stream(arena, lapped, FALSE) : lower_march_lapped(arena, lapped);
	gboolean has = FALSE;

	if (k != NULL) {
		const KCount count = kir_count(k);

		has = count_registers(&count) + far * lapped->cells[0] * lapped->cells[1]
			<= registers_kept(p, lapped, most);
		lapped->shared = lapped->deals ? k->shared : lapped->shared;
		kir_free(k);
	}
	arena_free(arena);
	return has;
}

/* What a plan's cells read: how many rows, and how many cells of all of them. */
typedef struct {
	GHashTable *rows, *cells; /* of their names */
	int x;
} RowReads;

static void
count_read(Expr *e, gpointer user)
{
	const RowReads *reads = user;
	GString *name;

	if (e->op != EXPR_TAP)
		return;
	name = g_string_new(NULL);
	g_string_printf(name, "%p %d %d", (const void *)e->tap.field, e->tap.level,
		e->tap.component);
	for (int a = 0; a < reads->x; a++)
		g_string_append_printf(name, " %" G_GINT64_FORMAT, (gint64)e->tap.map[a].offset);
	g_hash_table_add(reads->rows, g_strdup(name->str));
	g_string_append_printf(name, " %" G_GINT64_FORMAT, (gint64)e->tap.map[reads->x].offset);
	g_hash_table_add(reads->cells, g_string_free(name, FALSE));
}

/* Of each row that a cell reads cells of, on average. */
static int
cells_of_rows(const Plan *plan)
{
	RowReads reads = { g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL), plan->axis[0] };
	int cells;

	for (int i = 0; i < plan->n_stages; i++)
		stage_taps(plan->stages[i].stage, count_read, &reads);
	cells = (int)(g_hash_table_size(reads.cells) / MAX(g_hash_table_size(reads.rows), 1));
	g_hash_table_unref(reads.rows);
	g_hash_table_unref(reads.cells);
	return cells;
}

/* Rows are asked to be dealt out, whatever they are. */
static gboolean
asks_to_deal(const Planner *p, const Plan *plan)
{
	const char *text = wish(p, plan->name, "rows");

	return text != NULL && strcmp(text, rows_dealt) == 0;
}

/* Why the rows of DEALT cannot be dealt out, by MOST registers; NULL: they can. */
static const char *
deal_refuses(const Planner *p, Plan *dealt, int far, int most)
{
	const gsize limit = arch_shared_limit(NULL); /* which any GPU has room for */
	const gboolean has = has_registers(p, dealt, far, most);

	if (dealt->shared == 0)
		return "only cells that are words are dealt out, of rows of the grid itself, where "
			"any beside a cell is read";
	if (!has)
		return "no thread would have the registers for what it is dealt of its rows";
	return dealt->shared <= limit ? NULL : arena_printf(p->arena, "what is dealt out of its "
		"rows would take %" G_GSIZE_FORMAT " bytes of shared memory of %" G_GSIZE_FORMAT,
		dealt->shared, limit);
}

/* By the blocks of LAPPED, if cells read MUCH of rows; MOST registers. */
static void
deal_out(const Planner *p, Plan *plan, const Plan *lapped, int far, gboolean much, int most)
{
	const gboolean asked = asks_to_deal(p, plan);
	const char *why;
	Plan *dealt;

	if (!much && !asked)
		return;
	dealt = arena_copy(p->arena, lapped, sizeof *dealt);
	dealt->deals = TRUE;
	dealt->shared = 0;
	why = deal_refuses(p, dealt, far, most);
	if (why == NULL)
		plan->lapped = dealt;
	else if (asked && plan->why == NULL)
		plan->why = why;
}

/* A star in a volume: beside a vector of its cells a row has half a vector of others. */
static gboolean
reaches_two(const Plan *plan)
{
	const MarchReach reach = march_reach_of(plan);

	return plan->n_axes == IR_MAX_RANK && reach.rows == 2 && !reach.diagonal
		&& stage_reach(plan->stage, plan->axis[0], 0) == 2
		&& stage_reach(plan->stage, plan->axis[0], 1) == 2;
}

/* FALSE: its threads have fewer rows there. */
static gboolean
lap_march(const Planner *p, Plan *plan, Plan *lapped, int far)
{
	gboolean rows = plan->n_axes > 1, all;

	if (plan->cells_any > 1)
		lapped->cells[0] = plan->cells_any;
	while (lapped->cells[0] > 1 && !has_registers(p, lapped, far, MARCH_KEPT))
		lapped->cells[rows && lapped->cells[1] > 1] /= 2;
	if (lapped->cells[0] == 1)
		return FALSE;
	all = lapped->cells[0] == plan->cells[0] && lapped->cells[1] == plan->cells[1];
	lapped->always = all && reaches_two(plan);
	set_span(lapped);
	plan->lapped = lapped;
	deal_out(p, plan, lapped, far, cells_of_rows(plan) >= DEALT, MARCH_KEPT);
	return all;
}

/* Threads of a block have no plane together. */
static void
share_nothing(Plan *plan)
{
	plan->exchange = EXCHANGE_L1;
	plan->feed = FEED_HALO;
	plan->load = LOAD_DIRECT;
	plan->shared = 0;
	plan->unroll = plan->blocks = 1;
}

/* Down a plane, each row read once, by blocks of one row of threads.  All steps add up in the same
 * order. */
static void
lap_rows(const Planner *p, Plan *plan, int far)
{
	Plan *lapped = arena_copy(p->arena, plan, sizeof *plan);
	int bytes = type_info[plan->stage->target->type].bytes;
	gboolean accumulates = plan->strategy == STRATEGY_ACCUMULATE;

	if (plan->n_axes != 2 || plan->n_stages > 1 || bytes < 4
		|| (plan->ferries && plan->stage->associative && !accumulates)
		|| accumulate_refuses(plan, p->arena) != NULL)
		return;
	lapped->strategy = STRATEGY_ACCUMULATE;
	lapped->scatter = TRUE;
	lapped->warm = 0;
	share_nothing(lapped);
	lapped->always = !accumulates && (bytes == DOUBLE_BYTES
		|| march_reach_of(plan).rows > 2);
	set_threads(lapped, (const int[]){ ROW_THREADS, 1, 1 });
	set_cells(lapped, (const int[]){ ROW_CELLS, CHUNK, 1 });
	set_span(lapped);
	if (has_registers(p, lapped, far, ROWS_KEPT))
		plan->lapped = lapped;
	deal_out(p, plan, lapped, far, stage_breadth(plan->stage, plan->axis[0]) + 1
		>= DEALT_DOWN, ROWS_KEPT);
}

static void
lap_accumulate(const Planner *p, Plan *plan, Plan *lapped, int far)
{
	int along = plan->axis[IR_MAX_RANK - 1], bytes = type_info[plan->stage->target->type].bytes;
	gboolean shares = accumulate_shares(plan, p->arena);

	share_nothing(lapped);
	lapped->always = bytes == DOUBLE_BYTES;
	lapped->warm = stage_breadth(plan->stage, along);
	for (gsize i = 0; i < G_N_ELEMENTS(shapes) && plan->lapped == NULL; i++) {
		set_threads(lapped, shapes[i].threads);
		set_cells(lapped, (const int[]){ MAX(CELLS_BYTES / bytes, 2), shapes[i].rows,
			CHUNK });
		set_span(lapped);
		if ((shares || !shapes[i].shares)
			&& has_registers(p, lapped, far, shapes[i].registers))
			plan->lapped = lapped;
	}
	if (plan->lapped != NULL && asks_to_deal(p, plan)) /* it is slower so */
		deal_out(p, plan, lapped, far, TRUE, shapes[0].registers);
}

static gboolean
reads_one_row(const Plan *plan)
{
	int reach = 0;

	for (int i = 1; i < plan->n_axes; i++)
		for (int face = 0; face < 2; face++)
			reach = MAX(reach, stage_reach(plan->stage, plan->axis[i], face));
	return reach == 0;
}

/* By `march` as it would be by itself, whatever the words of the plan say of planes. */
static void
lap_stream_near(const Planner *p, Plan *plan)
{
	PlanRequest request = *p->request;
	const Planner own = { p->s, &request, p->arena, p->diag };
	GPtrArray *settings = g_ptr_array_new();
	const char *why;
	Plan *march, *lapped;

	request.file = NULL;
	settings_add(p, settings, plan, "strategy", strategies[STRATEGY_MARCH].name);
	march = plan_quietly(&own, plan, settings, &why);
	g_ptr_array_unref(settings);
	if (march == NULL || march->strategy != STRATEGY_MARCH || march->cells[0] == 1)
		return;
	plan_cells_any(p, march);
	lapped = arena_copy(p->arena, march, sizeof *march);
	lap_march(p, march, lapped, march_needs(march, p->arena).far);
	if (march->lapped == NULL)
		return;
	lapped = arena_copy(p->arena, march->lapped, sizeof *lapped);
	lapped->always = lapped->deals && reads_one_row(plan) && request_is_open(p->request);
	plan->lapped = lapped;
}

/* Two such blocks at a time have 128 registers a thread, for its columns and all else. */
static const LappedShape columns[] = {
	{ { 64, 4, 1 }, 4, COLUMN_KEPT, FALSE },
	{ { 32, 8, 1 }, 2, COLUMN_KEPT, FALSE },
	{ { 32, 8, 1 }, 1, COLUMN_KEPT, FALSE },
};

static void
lap_stream_far(const Planner *p, Plan *plan)
{
	Plan *lapped = arena_copy(p->arena, plan, sizeof *plan);

	lapped->blocks = 2;
	for (gsize i = 0; i < G_N_ELEMENTS(columns) && plan->lapped == NULL; i++) {
		set_threads(lapped, columns[i].threads);
		set_cells(lapped, (const int[]){ 1, columns[i].rows,
			plan->cells[IR_MAX_RANK - 1] });
		set_span(lapped);
		lapped->shared = stream_shared(lapped, p->arena);
		if (lapped->shared <= shared_limit(p)
			&& has_registers(p, lapped, 0, columns[i].registers))
			plan->lapped = lapped;
	}
}

/* Columns and rows of a thread whose planes are dealt out: of what reads much, and of stars that
 * reach far.  CARRIED: registers that planes leave to the next, at most, of words and of doubles:
 * nvcc finds the others (measured). */
typedef struct {
	gboolean much;
	int columns, rows, carried[2];
} DealtShape;

static const DealtShape dealt_shapes[] = {
	{ TRUE, 2, 3, { 90, 110 } }, { TRUE, 2, 2, { 140, 124 } }, { TRUE, 2, 1, { 140, 124 } },
	{ FALSE, 4, 3, { 140, 0 } }, { FALSE, 4, 2, { 140, 0 } }, { FALSE, 2, 3, { 140, 0 } },
	{ FALSE, 2, 2, { 140, 0 } }, { FALSE, 2, 1, { 140, 0 } },
};

/* FALSE: its registers do not hold what a thread has of its planes, or it may not be dealt out. */
static gboolean
may_deal_planes(const Planner *p, Plan *dealt, const DealtShape *shape)
{
	const gboolean wide = type_info[dealt->stage->target->type].bytes == DOUBLE_BYTES;
	Arena *arena = arena_new();
	KKernel *k = lower_stream_dealt(arena, dealt);
	gboolean may = FALSE;

	if (k != NULL) {
		const KCount count = kir_count(k);
		const gboolean divides = count.turn[LANES_ALL].ops[COST_DIV] > 0;

		may = count.carried <= registers_kept(p, dealt, wide && divides ? CARRIED_DIVIDED
			: shape->carried[wide]);
		dealt->shared = k->shared;
		kir_free(k);
	}
	arena_free(arena);
	return may && dealt->shared <= shared_limit(p);
}

/* Along rows and across them. */
static gboolean
reaches_far(const Plan *plan)
{
	gboolean far = TRUE;

	for (int i = 0; i < 2; i++)
		far = far && MAX(stage_reach(plan->stage, plan->axis[i], 0),
			stage_reach(plan->stage, plan->axis[i], 1)) >= FAR_STAR;
	return far;
}

/* Two rows are for so many fields as leave registers beside their addresses; three are better where
 * a thread has more to read than a star of few cells. */
static gboolean
has_rows(const Plan *plan, int rows)
{
	const int fields = stream_reads(plan->stage, plan->axis[0], plan->axis[1]).sources;

	return rows < 2 || (fields <= MOST_DEALT && (rows < 3 || fields > 1
		|| stage_radius(plan->stage) > NEAR));
}

/* Planes in shared memory, as vectors. */
static gboolean
deal_planes(const Planner *p, Plan *plan)
{
	const int along = plan->axis[IR_MAX_RANK - 1];
	const int bytes = type_info[plan->stage->target->type].bytes;
	const gboolean much = stream_reads_much(p, plan);
	Plan *dealt = arena_copy(p->arena, plan, sizeof *plan);

	if (bytes < 4 || (!much && (bytes == DOUBLE_BYTES || !reaches_far(plan))))
		return FALSE;
	dealt->deals = TRUE;
	dealt->feed = FEED_HALO;
	dealt->load = LOAD_DIRECT;
	dealt->blocks = 1;
	dealt->unroll = stream_unroll(dealt);
	dealt->warm = stage_breadth(plan->stage, along);
	set_threads(dealt, (const int[]){ 32, 4, 1 });
	for (gsize i = 0; i < G_N_ELEMENTS(dealt_shapes) && plan->lapped == NULL; i++) {
		const DealtShape *shape = &dealt_shapes[i];

		set_cells(dealt, (const int[]){ shape->columns, shape->rows, DEALT_PLANES });
		set_span(dealt);
		if (shape->much == much && has_rows(plan, shape->rows)
			&& may_deal_planes(p, dealt, shape))
			plan->lapped = dealt;
	}
	return plan->lapped != NULL;
}

/* Rows of planes are dealt out where that may be, else they come column by column, where a star
 * reaches far; those that come by themselves sooner than others. */
static void
lap_stream(const Planner *p, Plan *plan)
{
	if (plan->n_axes < IR_MAX_RANK || plan->ferries || deal_planes(p, plan)
		|| type_info[plan->stage->target->type].bytes != 4)
		return;
	if (stage_radius(plan->stage) > (plan->feed == FEED_ASYNC ? NEAR - 1 : NEAR))
		lap_stream_far(p, plan);
	else
		lap_stream_near(p, plan);
}

/* Vectors serve whole ones, but where other blocks are better off or asked for. */
static void
set_always(const Planner *p, const Plan *plan, Plan *lapped)
{
	if (lapped->deals && wish(p, plan->name, "rows") != NULL)
		lapped->always = asks_to_deal(p, plan);
}

/* Where rows are padded it makes the first step and the last one, and vectors those between. */
static const Plan *
beside_padded(const Planner *p, const Plan *plan)
{
	Plan *lapped = arena_copy(p->arena, plan->lapped, sizeof *lapped);

	lapped->ferries = plan->ferries;
	set_always(p, plan, lapped);
	lapped->always = lapped->always && !plan->ferries;
	return lapped;
}

static void
choose_lapped(const Planner *p, Plan *plan)
{
	Plan *lapped;
	int far;

	if ((plan->padded && !plan->ferries) || plan->rest != NULL || plan->persistent != 0
		|| plan->cells[0] == 1)
		return;
	lapped = arena_copy(p->arena, plan, sizeof *plan);
	switch (plan->strategy) {
	case STRATEGY_MARCH:
		far = march_needs(plan, p->arena).far;
		if (!lap_march(p, plan, lapped, far))
			lap_rows(p, plan, far);
		break;
	case STRATEGY_ACCUMULATE:
		far = march_needs(plan, p->arena).far;
		if (plan->n_axes == IR_MAX_RANK)
			lap_accumulate(p, plan, lapped, far);
		else
			lap_rows(p, plan, far);
		break;
	case STRATEGY_STREAM_REGISTERS:
		lap_stream(p, plan);
		break;
	default:
		break;
	}
	if (plan->lapped != NULL) {
		plan->lapped = beside_padded(p, plan);
		if (plan->strategy != STRATEGY_ACCUMULATE)
			plan->cells_any = 1; /* of what is shorter */
	}
}

gboolean
plan_lapped(const Planner *p, Plan *plan)
{
	choose_lapped(p, plan);
	if (!p->s->stepped && plan->rest != NULL && plan->loose == NULL) /* a pipe */
		plan->rest = rest_with(p, plan->rest, choose_lapped);
	if (asks_to_deal(p, plan) && !plan_deals_always(plan) && plan->why == NULL)
		plan->why = "it has no kernel whose warps could be dealt its rows";
	return TRUE;
}
