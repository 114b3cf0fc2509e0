/* plan.c: a plan for every stage, from the tables and the user's wishes. */
#include "plan/plan.h"

#include <string.h>

#include "kernel/lower.h"
#include "plan/tile.h"

#define MAX_THREADS 1024
#define MAX_LAYERS 64   /* of threads along the third axis */
#define MAX_CELLS 65536
#define REDUCE_THREADS 256
#define VECTOR_BYTES 16
#define MARCH_REGISTERS 160 /* of 32 bits, for what a thread keeps; of 255 */

/* Blocks, innermost axis first.  A strategy tries its shapes in order. */
#define MAX_SHAPES 6
typedef struct {
	int threads[IR_MAX_RANK];
} Shape;

static const Shape naive_shape[IR_MAX_RANK + 1] = {
	{ { 1, 1, 1 } }, { { 256, 1, 1 } }, { { 32, 8, 1 } }, { { 32, 8, 1 } },
};

static const Shape line_shape[IR_MAX_RANK + 1] = { /* of the lines of a scan */
	{ { 1, 1, 1 } }, { { 64, 1, 1 } }, { { 32, 4, 1 } }, { { 32, 4, 1 } },
};

static const Shape shared_shapes[IR_MAX_RANK + 1][MAX_SHAPES] = {
	{ { { 1, 1, 1 } } },
	{ { { 256, 1, 1 } }, { { 128, 1, 1 } }, { { 64, 1, 1 } }, { { 32, 1, 1 } } },
	{ { { 32, 8, 1 } }, { { 16, 8, 1 } }, { { 16, 4, 1 } }, { { 8, 4, 1 } } },
	{ { { 32, 4, 4 } }, { { 16, 4, 4 } }, { { 8, 4, 4 } }, { { 8, 4, 2 } },
	  { { 4, 4, 2 } }, { { 4, 2, 2 } } },
};

typedef struct {
	const Stencil *s;
	const PlanRequest *request;
	Arena *arena;
	Diag *diag;
} Planner;

/* ---- what the user asks for ---- */

/* The value of KEY for the plan of that name, the finest wish first; NULL: none. */
static const char *
wish(const Planner *p, const char *name, const char *key)
{
	const char *text = NULL, *group = arena_printf(p->arena, "%s.%s", p->s->name, name);
	const char *forms[] = {
		key, arena_printf(p->arena, "%s.%s", name, key),
		arena_printf(p->arena, "%s.%s", group, key),
	};

	for (gsize f = G_N_ELEMENTS(forms); f-- > 0 && text == NULL;)
		for (guint i = 0; p->request->settings != NULL && i < p->request->settings->len;
			i++) {
			const char *it = g_ptr_array_index(p->request->settings, i);

			if (g_str_has_prefix(it, forms[f]) && it[strlen(forms[f])] == '=')
				text = it + strlen(forms[f]) + 1;
		}
	if (text == NULL && p->request->file != NULL) {
		char *value = g_key_file_get_value(p->request->file, group, key, NULL);

		if (value != NULL)
			text = arena_strdup(p->arena, value);
		g_free(value);
	}
	return text;
}

/* "16x4" as threads; those it does not name are 1.  FALSE: it is nothing like it. */
static gboolean
read_block(const char *text, int most, int layers, int *block)
{
	gint64 product = 1;

	for (int i = 0; i < IR_MAX_RANK; i++)
		block[i] = 1;
	for (int i = 0; i < IR_MAX_RANK; i++) {
		char *end;
		gint64 n;

		if (!g_ascii_isdigit(*text))
			return FALSE;
		n = g_ascii_strtoll(text, &end, 10);
		if (n < 1 || n > most)
			return FALSE;
		block[i] = (int)n;
		product *= n;
		if (*end == '\0')
			return product <= most && block[2] <= layers;
		if (*end != 'x')
			return FALSE;
		text = end + 1;
	}
	return FALSE;
}

/* ---- tables ---- */

static void
set_axes(Plan *plan)
{
	const Stage *s = plan->stage;

	plan->n_axes = 0;
	for (int a = s->grid->rank; a-- > 0;)
		if ((s->axes & AXIS_BIT(a)) && !(s->kind == STAGE_SCAN && s->axis == a))
			plan->axis[plan->n_axes++] = a;
}

static void
set_threads(Plan *plan, const int *threads)
{
	for (int i = 0; i < IR_MAX_RANK; i++) {
		plan->threads[i] = i < plan->n_axes ? threads[i] : 1;
		plan->cells[i] = 1;
	}
}

static void
set_cells(Plan *plan, const int *cells)
{
	for (int i = 0; i < IR_MAX_RANK; i++)
		plan->cells[i] = i < plan->n_axes ? cells[i] : 1;
}

static const Shape march_shape[IR_MAX_RANK + 1] = {
	{ { 1, 1, 1 } }, { { 256, 1, 1 } }, { { 32, 8, 1 } }, { { 32, 4, 1 } },
};

static void
plan_naive(Plan *plan, const int *threads)
{
	plan->strategy = STRATEGY_NAIVE;
	plan->shared = 0;
	if (plan->stage->kind == STAGE_REDUCE) {
		set_threads(plan, (const int[]){ REDUCE_THREADS, 1, 1 });
		plan->threads[0] = REDUCE_THREADS;
		plan->shared = REDUCE_THREADS * 8;
		return;
	}
	if (threads == NULL)
		threads = (plan->stage->kind == STAGE_SCAN ? line_shape : naive_shape)
			[plan->n_axes].threads;
	set_threads(plan, threads);
}

/* Why a stage has nothing to stage, whatever the block; NULL: it has. */
static const char *
nothing_to_stage(const Stage *stage, const GPtrArray *tiles)
{
	if (stage->kind == STAGE_SCAN)
		return "a scan walks along its lines";
	if (stage->kind == STAGE_REDUCE)
		return "a reduction reads every cell once";
	if (tiles->len == 0)
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

/* FALSE, and reported, where no block that may be used fits the device. */
static gboolean
plan_shared(const Planner *p, Plan *plan, const GPtrArray *tiles, const int *threads)
{
	gsize limit = arch_shared_limit(p->request->arch);

	plan->strategy = STRATEGY_SHARED;
	if (threads != NULL) {
		plan->shared = tile_bytes_of(plan, tiles, threads);
		if (plan->shared <= limit)
			return TRUE;
	} else {
		for (int i = 0; i < MAX_SHAPES; i++) {
			const Shape *shape = &shared_shapes[plan->n_axes][i];

			if (shape->threads[0] == 0)
				break;
			plan->shared = tile_bytes_of(plan, tiles, shape->threads);
			if (plan->shared <= limit)
				return TRUE;
		}
	}
	diag_error(p->diag, plan->stage->at, "strategy 'shared' cannot compute '%s': its tiles "
		"take "
		"%" G_GSIZE_FORMAT " bytes of shared memory for a block of %dx%dx%d, and %s has %"
		G_GSIZE_FORMAT, plan->name, plan->shared, plan->threads[0], plan->threads[1],
		plan->threads[2], p->request->arch != NULL ? p->request->arch : "the device",
		limit);
	diag_help(p->diag, "ask for a smaller block (--set %s.threads=8x4), or for strategy "
		"'naive'",
		plan->name);
	return FALSE;
}

/* Rows of a plane and planes of a walk that do well: tests/bench/RESULTS.md. */
static void
usual_march_cells(Plan *plan)
{
	int bytes = type_info[plan->stage->target->type].bytes, *cells = plan->cells;
	MarchReach reach = march_reach_of(plan->stage);

	cells[0] = CLAMP(VECTOR_BYTES / bytes, 2, 8);
	cells[1] = plan->n_axes < 2 ? 1 : plan->n_axes == 2 ? (reach.rows > 1 ? 4 : 2)
		: MAX(8 / cells[0], 1);
	cells[2] = plan->n_axes < 3 ? 1 : reach.diagonal ? 8 : 4;
}

/* Fewer rows, then narrower vectors, until a thread's registers hold what it keeps. */
static void
choose_march_cells(const Planner *p, Plan *plan)
{
	usual_march_cells(plan);
	while (march_registers(plan, p->arena) > MARCH_REGISTERS) {
		if (plan->n_axes > 1 && plan->cells[1] > 1)
			plan->cells[1] /= 2;
		else if (plan->cells[0] > 1)
			plan->cells[0] /= 2;
		else
			break;
	}
}

const char *const exchange_name[EXCHANGE_N] = { "l1", "shuffle" };

static gboolean
read_exchange(const Planner *p, Plan *plan)
{
	const char *text = wish(p, plan->name, "exchange");

	plan->exchange = EXCHANGE_L1;
	for (Exchange x = 0; text != NULL && x < EXCHANGE_N; x++)
		if (strcmp(text, exchange_name[x]) == 0) {
			plan->exchange = x;
			text = NULL;
		}
	if (text == NULL)
		return TRUE;
	diag_error(p->diag, plan->stage->at, "'%s' is no exchange for '%s'", text, plan->name);
	diag_help(p->diag, "write exchange=l1 or exchange=shuffle");
	return FALSE;
}

static void
set_span(Plan *plan)
{
	for (int i = 0; i < IR_MAX_RANK && plan->strategy != STRATEGY_STRIP; i++)
		plan->span[i] = plan->threads[i] * plan->cells[i];
}

static gboolean
plan_march(const Planner *p, Plan *plan, const int *threads, const int *cells)
{
	if (!read_exchange(p, plan))
		return FALSE;
	plan->strategy = STRATEGY_MARCH;
	plan->shared = 0;
	set_threads(plan, threads != NULL ? threads : march_shape[plan->n_axes].threads);
	if (plan->threads[2] > 1) {
		diag_error(p->diag, plan->stage->at, "strategy 'march' walks along %s with '%s': "
			"a block has one layer of threads there, not %d",
			plan->stage->grid->axis[plan->axis[2]], plan->name, plan->threads[2]);
		diag_help(p->diag, "write threads=32x8");
		return FALSE;
	}
	if (cells != NULL)
		set_cells(plan, cells);
	else
		choose_march_cells(p, plan);
	set_span(plan);
	return TRUE;
}

/* A number from 1 to MOST for KEY, else USUAL.  0, and reported: it is no such. */
static int
read_number(const Planner *p, const Plan *plan, const char *key, int most, int usual)
{
	const char *text = wish(p, plan->name, key);
	char *end = NULL;
	gint64 n = text != NULL ? g_ascii_strtoll(text, &end, 10) : usual;

	if (n >= 1 && n <= most && (text == NULL || *end == '\0'))
		return (int)n;
	diag_error(p->diag, plan->stage->at, "'%s' is no %s for '%s'", text, key, plan->name);
	diag_help(p->diag, "write a number from 1 to %d", most);
	return 0;
}

/* Cells of a lane: 32 bytes of registers. */
static int
strip_vector(const Stage *stage)
{
	return 32 / type_info[type_kind(stage->target->type)].bytes;
}

/* Vectors of VX cells, of which a warp stores what T steps leave of its columns. */
static gboolean
plan_strip(const Planner *p, Plan *plan, const int *threads, const int *cells)
{
	int radius = MAX(strip_radius(plan->stage), 1);

	plan->strategy = STRATEGY_STRIP;
	set_threads(plan, threads != NULL ? threads : (const int[]){ 32, 1, 1 });
	set_cells(plan, cells != NULL ? cells : (const int[]){ strip_vector(plan->stage), 64,
		1 });
	plan->time = read_number(p, plan, "time", 16, radius == 1 ? 6 : radius == 2 ? 4 : 2);
	plan->ahead = read_number(p, plan, "ahead", 8, 2);
	if (plan->time == 0 || plan->ahead == 0)
		return FALSE;
	plan->span[0] = plan->threads[1] * strip_columns(plan, p->arena);
	plan->span[1] = plan->cells[1];
	if (plan->threads[0] == 32 && plan->span[0] > 0 && plan->cells[0] >= radius)
		return TRUE;
	diag_error(p->diag, plan->stage->at, "strategy 'strip' cannot compute '%s' by %d steps "
		"with %d threads and %d cells each in a row: it takes warps of 32 threads, and %d "
		"cells of a warp's row are left to store", plan->name, plan->time, plan->threads[0],
		plan->cells[0], plan->span[0] / MAX(plan->threads[1], 1));
	diag_help(p->diag, "write threads=32x4, fewer steps (time=4), or more cells (cells=8x256)");
	return FALSE;
}

/* "4x1x8" for KEY, innermost axis first; FALSE, and reported: it is nothing like it. */
static gboolean
read_wish(const Planner *p, const Plan *plan, const char *key, const char *what,
	const char *example, int most, int layers, int *given, int **wanted)
{
	const char *text = wish(p, plan->name, key);

	*wanted = NULL;
	if (text == NULL)
		return TRUE;
	*wanted = given;
	if (read_block(text, most, layers, given))
		return TRUE;
	diag_error(p->diag, plan->stage->at, "'%s' is not a block of %s for '%s'", text, what,
		plan->name);
	diag_help(p->diag, "write %s=%s, innermost axis first, at most %d in all", key, example,
		most);
	return FALSE;
}

/* What takes one step, or rows that do not fit. */
static gboolean
plan_rest(const Planner *p, Plan *plan)
{
	Plan *rest = arena_copy(p->arena, plan, sizeof *plan);

	plan->rest = rest;
	rest->time = 1;
	return plan_march(p, rest, NULL, NULL);
}

/* The first that serves the stage, and the block that is asked for. */
static StrategyId
usual_strategy(const Planner *p, const Plan *plan, const int *threads, const int *cells)
{
	if (march_refuses(plan->stage) != NULL || (threads != NULL && threads[2] > 1))
		return STRATEGY_NAIVE;
	if (threads == NULL && cells == NULL && strip_refuses(p->s, plan->stage) == NULL
		&& strip_radius(plan->stage) <= strip_vector(plan->stage))
		return STRATEGY_STRIP;
	return STRATEGY_MARCH;
}

/* FALSE, and reported, where a wish cannot be granted. */
static gboolean
plan_stage(const Planner *p, Plan *plan)
{
	const char *name = wish(p, plan->name, "strategy");
	StrategyId id = STRATEGY_NAIVE;
	int given[2][IR_MAX_RANK], *threads, *cells;
	gboolean fine = TRUE;

	if (!read_wish(p, plan, "threads", "threads", "32x8", MAX_THREADS, MAX_LAYERS,
		given[0], &threads)
		|| !read_wish(p, plan, "cells", "cells", "4x1x8", MAX_CELLS, MAX_CELLS,
		given[1], &cells))
		return FALSE;
	if (name == NULL)
		name = p->request->strategy;
	if (name != NULL && (id = strategy_find(name)) == STRATEGY_N) {
		diag_error(p->diag, plan->stage->at, "there is no strategy '%s'", name);
		diag_help(p->diag, "stencilc --print-strategies lists them");
		return FALSE;
	}
	set_axes(plan);
	if (name == NULL)
		id = usual_strategy(p, plan, threads, cells);
	if (id == STRATEGY_SHARED) {
		GPtrArray *tiles = stage_tiles(plan->stage, p->arena);

		plan->why = nothing_to_stage(plan->stage, tiles);
		if (plan->why == NULL)
			fine = plan_shared(p, plan, tiles, threads);
		else
			plan_naive(plan, threads);
		g_ptr_array_unref(tiles);
	} else if (id == STRATEGY_STRIP) {
		plan->why = strip_refuses(p->s, plan->stage);
		if (plan->why == NULL)
			fine = plan_strip(p, plan, threads, cells) && plan_rest(p, plan);
		else if (march_refuses(plan->stage) == NULL)
			fine = plan_march(p, plan, NULL, NULL);
		else
			plan_naive(plan, NULL);
	} else if (id == STRATEGY_MARCH) {
		plan->why = march_refuses(plan->stage);
		if (plan->why == NULL)
			fine = plan_march(p, plan, threads, cells);
		else
			plan_naive(plan, threads);
	} else {
		plan_naive(plan, threads);
	}
	set_span(plan);
	return fine;
}

/* Names of the launches: what they compute. */
static void
name_plans(const Planner *p, const GPtrArray *plans)
{
	GHashTable *taken = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < plans->len; i++) {
		Plan *plan = g_ptr_array_index(plans, i);
		const Stage *s = plan->stage;
		const char *base = s->kind == STAGE_REDUCE ? s->result->name : s->target->name;

		if (s->kind != STAGE_REDUCE && s->target->components > 1)
			base = arena_printf(p->arena, "%s_%d", base, s->component);
		plan->name = base;
		for (int n = 2; !g_hash_table_add(taken, (gpointer)plan->name); n++)
			plan->name = arena_printf(p->arena, "%s_%d", base, n);
	}
	g_hash_table_unref(taken);
}

GPtrArray *
plan_stencil(const Stencil *s, const PlanRequest *request, Arena *arena, Diag *diag)
{
	Planner p = { s, request, arena, diag };
	GPtrArray *plans = g_ptr_array_new();
	gboolean fine = TRUE, wanted = FALSE;

	for (guint i = 0; i < s->stages->len; i++) {
		Plan *plan = arena_make(arena, Plan);

		plan->stage = g_ptr_array_index(s->stages, i);
		g_ptr_array_add(plans, plan);
	}
	name_plans(&p, plans);
	for (guint i = 0; i < plans->len; i++) {
		Plan *plan = g_ptr_array_index(plans, i);

		fine = plan_stage(&p, plan) && fine;
		wanted = wanted || plan->why == NULL;
	}
	if (fine && !wanted && plans->len > 0) {
		const Plan *first = g_ptr_array_index(plans, 0);

		diag_error(diag, s->at, "strategy '%s' cannot serve any stage of '%s': %s",
			request->strategy != NULL ? request->strategy
			: strategies[STRATEGY_NAIVE].name, s->name, first->why);
		diag_help(diag, "use strategy 'naive'");
		fine = FALSE;
	}
	if (!fine) {
		g_ptr_array_unref(plans);
		return NULL;
	}
	return plans;
}
