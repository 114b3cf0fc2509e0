/* work.c: instructions of a warp, by kind. */
#include "choose/work.h"

#include <math.h>

#include "analyze/shape.h"
#include "choose/facts.h"
#include "kernel/banks.h"
#include "kernel/count.h"
#include "kernel/lower.h"
#include "kernel/place.h"
#include "kernel/source.h"
#include "schedule/fuse.h"

#define OTHER_REGISTERS 26 /* of addresses and what is on its way, beside those counted, */
#define STRIP_REGISTERS 44 /* in a strip, where rows come before they are needed, */
#define DOUBLE_REGISTERS 52 /* likewise, of doubles beside one that stays, */
#define TILE_REGISTERS 32  /* in a tile, */
#define STREAM_REGISTERS 22 /* where planes are shared, if few come from turn to turn, */
#define MUCH_CARRIED 116
#define PLANES_FOUND 30    /* of which nvcc finds so many, */
#define SOURCE_REGISTERS 4 /* and of each field that has some: by nvcc's reports */
#define LITERAL_MOVES 2    /* to make a double of the text that is not free: every turn, by SASS */
#define APART 0.65         /* of a line's time, for a lane that has one of its own */
#define NAIVE_REGISTERS 24 /* and of a thread of one cell, beside two a tap */
#define NAIVE_LOADS 40     /* of whose registers are counted, at most */
#define NAIVE_TAP 6        /* instructions of an address, with its boundary */
#define NAIVE_CELL 24      /* of a cell's own coordinates */
#define NAIVE_STAGE 6      /* and of a stage behind the first, which knows them */
#define SHARED_CELL 170    /* to find a cell of tile and halo: 64-bit divisions */

/* Instructions of an operation, where it is not one: what nvcc makes of precise
 * division and roots, about, by sm_90's SASS; of integers it makes one of two. */
static const struct {
	double narrow, wide; /* 32 bits, 64 bits */
	double rare;         /* and those of a long form, which few operands take */
} instructions[COST_N] = {
	[COST_ADD] = { 1, 1, 0 }, [COST_MUL] = { 1, 1, 0 }, [COST_FMA] = { 1, 1, 0 },
	[COST_DIV] = { 10, 16, 20 }, [COST_SHARE] = { 4, 4, 20 }, [COST_RATIO] = { 9, 9, 20 },
	[COST_ROOT] = { 12, 18, 20 }, [COST_EXP] = { 10, 60, 0 },
	[COST_POWER] = { 100, 260, 0 }, [COST_SPECIAL] = { 25, 60, 0 },
	[COST_SIMPLE] = { 1, 1, 0 }, [COST_INTEGER] = { 0.5, 2, 0 },
	[COST_QUOTIENT] = { 30, 80, 0 },
	[COST_CHOOSE] = { 0.5, 1, 0 }, [COST_CONVERT] = { 1, 2, 0 }, [COST_CALL] = { 20, 40, 0 },
};

typedef struct {
	const Device *d;
	const Plan *plan;
	gboolean wide;  /* values of 64 bits */
	gboolean exact; /* divisions are by powers of two: multiplications */
	int bytes;      /* of a value */
	int apart;      /* values of a row from a cell to the next, where vectors have all */
	double copies;  /* of a walk's moves, those that are left */
} Weigher;

static gboolean
is_division(const Expr *e)
{
	return e->op == EXPR_DIV && type_is_real(e->type) && !expr_is_power_of_two(e->arg[1])
		&& !expr_is_of_few_bits(e->arg[1]) && !expr_is_ratio(e);
}

static void
see_field(Weigher *w, const Field *f)
{
	if (w->plan->strategy == STRATEGY_MARCH)
		w->apart = MAX(w->apart, place_apart(f, w->plan->axis[0]));
}

static void
find_apart(Expr *e, gpointer user)
{
	if (e->op == EXPR_TAP)
		see_field(user, e->tap.field);
}

static void
set_weigher(Weigher *w)
{
	const Plan *plan = w->plan;
	Arena *arena = arena_new();
	int reach = 0, turn;

	w->exact = TRUE;
	w->apart = 1;
	for (int i = 0; i < plan->n_stages; i++) {
		const Stage *s = plan->stages[i].stage;

		see_field(w, s->target);
		expr_visit(&s->value, 1, find_apart, w);
		w->exact = w->exact && !expr_has(s->value, is_division);
		reach = MAX(reach, stage_radius(s));
	}
	w->bytes = plan_widest(plan);
	w->wide = w->bytes == 8;
	turn = 2 * reach + 1;
	if (plan_is_of(plan, FAMILY_STRIPS))
		turn = strip_shape(plan, arena).turn;
	w->copies = plan->unroll > 1 && plan->unroll % turn == 0 ? 0 : 1.0 / MAX(plan->unroll, 1);
	arena_free(arena);
}

/* Operations a turn of a multiprocessor; a warp's where the device does not say. */
static double
rate_of(double rate)
{
	return rate > 0 ? rate : WARP;
}

static void
add_operations(const Weigher *w, const int ops[COST_N], Work *work)
{
	double real = rate_of(w->wide ? w->d->fp64 : w->d->fp32), lanes = 0, whole = 0;

	for (CostKind i = 0; i < COST_N; i++) {
		double each = i == COST_DIV && w->exact ? 1 : w->wide ? instructions[i].wide
			: instructions[i].narrow;

		work->issued += ops[i] * each;
		work->rare += each > 1 ? ops[i] * instructions[i].rare : 0;
		if (i == COST_INTEGER || i == COST_CHOOSE || i == COST_CONVERT)
			whole += ops[i] * each;
		else
			lanes += ops[i] * each;
	}
	work->arithmetic += w->d->warp * (lanes / real + whole / rate_of(w->d->int32));
}

/* What N accesses to memory of vectors of WIDTH values move: neighbours of a vector lie
 * as far apart as vectors do, and take as long, and those that are a line apart less than it. */
static double
moved_by(const Weigher *w, int n, int width, gboolean vectors)
{
	int apart = vectors ? MAX(width, w->plan->cells[0] * w->apart) : width;

	return n * MAX((double)w->d->warp * MIN(apart * w->bytes, APART * w->d->line), w->d->line);
}

static void
add_tally(const Weigher *w, const KTally *t, Work *work)
{
	int halves = w->wide ? 2 : 1; /* registers of a value */

	work->issued += halves * (t->shuffles + t->selects + t->moves * w->copies) + t->shared
		+ t->barriers + t->integer + t->branches;
	for (int i = 0; i < K_WIDTHS; i++) {
		work->issued += t->loads[i] + t->stores[i];
		work->moved += moved_by(w, t->loads[i] + t->stores[i], 1 << i, TRUE);
	}
	work->moved += (double)t->wavefronts * BANKS_BYTES;
	work->conflicts += (double)t->conflicts * BANKS_BYTES;
	work->moved += (double)t->shuffles * halves * w->d->line;
	work->barriers += t->barriers;
	add_operations(w, t->ops, work);
}

static int
registers_on_their_way(const Plan *plan, Arena *arena)
{
	StripShape s;

	if (plan->strategy != STRATEGY_STRIP)
		return 0;
	s = strip_shape(plan, arena);
	return strip_has_guests(plan, &s) ? DOUBLE_REGISTERS : 0;
}

int
uncounted_registers(const Plan *plan)
{
	return plan_is_of(plan, FAMILY_STRIPS) ? STRIP_REGISTERS
		: plan_is_of(plan, FAMILY_TILES) || plan->strategy == STRATEGY_WEAVE
		? TILE_REGISTERS : OTHER_REGISTERS;
}

/* What comes from shared memory is asked for when it is needed, as nvcc orders it: by its reports
 * half of it is held at a time, and less where that would be too much. */
static int
registers_of_planes(const Device *d, const Plan *plan, const KCount *count)
{
	const int sources = stream_reads(plan->stage, plan->axis[0], plan->axis[1]).sources;
	const int registers = (count->held + count->carried) / 2 + count->names
		+ STREAM_REGISTERS + SOURCE_REGISTERS * sources;

	return registers <= d->thread_registers + PLANES_FOUND
		? MIN(registers, d->thread_registers) : registers;
}

/* What the cells of a thread have in common: by nvcc's reports a third of what becomes of narrow
 * cells is held at a time.  Of planes that are added up each is counted where a value asks for
 * it; and a sixth of all comes to that. */
static int
registers_shared(const Plan *plan, const KCount *count, Arena *arena)
{
	if (plan->strategy == STRATEGY_MARCH && plan->n_stages == 1)
		return count->changed / 3;
	if (plan->strategy != STRATEGY_ACCUMULATE || plan->n_axes != 2
		|| !accumulate_shares(plan, arena))
		return 0;
	return (count_registers(count) - count->again) / 6 - count->again;
}

/* Of COUNT, in all. */
static int
registers_of(const Device *d, const Plan *plan, const KCount *count, Arena *arena)
{
	if ((plan->strategy == STRATEGY_STREAM || plan->strategy == STRATEGY_STREAM_REGISTERS)
		&& plan->n_axes == IR_MAX_RANK && count->carried <= MUCH_CARRIED)
		return registers_of_planes(d, plan, count);
	return count_registers(count) + uncounted_registers(plan)
		+ registers_on_their_way(plan, arena) + registers_shared(plan, count, arena);
}

/* The kernel of whole vectors, several steps at once if the plan does; a lone cell is one. */
static KKernel *
counted_kernel(Arena *arena, const Plan *plan)
{
	return lower_variant(arena, plan, plan_sweeps(plan) ? VARIANT_TILED
		: plan->cells[0] > 1 ? VARIANT_WIDE : VARIANT_ANY);
}

/* Of the least and greatest of a pair nvcc makes one instruction: in planes (H200, 5 x 5 bytes:
 * 1374 GCells/s; predicted 846, and so 1306); of volumes it is not measured. */
static int
spared_by_pairs(const Plan *plan, const KCount *count)
{
	return plan->n_axes == 2 && count->turns == 0 ? count->extremes / 2 : 0;
}

/* Instructions of a turn, or of all there is, for doubles that are part of the text. */
static double
literal_moves(const Plan *plan, const KCount *count)
{
	return (double)LITERAL_MOVES * MAX(count->literals - FREE_LITERALS, 0)
		/ MAX(plan->unroll, 1);
}

static gboolean
count_kernel(const Weigher *w, WarpWork *out)
{
	Arena *arena = arena_new();
	KKernel *k = counted_kernel(arena, w->plan);
	KCount count;

	if (k != NULL) {
		double rows = w->plan->strategy == STRATEGY_CHAIN ? w->plan->slot
			: plan_has_bands(w->plan) ? w->plan->threads[1] : 1;

		count = kir_count(k);
		count.once[LANES_ALL].ops[COST_INTEGER] -= spared_by_pairs(w->plan, &count);
		for (KLanes lanes = LANES_ALL; lanes <= LANES_SOME; lanes++) {
			add_tally(w, &count.once[lanes], &out->once);
			add_tally(w, &count.turn[lanes], &out->turn);
		}
		add_tally(w, &count.due, &out->due);
		(count.turns > 0 ? &out->turn : &out->once)->issued += literal_moves(w->plan,
			&count);
		out->idle = count.idle;
		out->turn.issued /= rows;
		out->turn.arithmetic /= rows;
		out->turn.moved /= rows;
		out->turn.conflicts /= rows;
		out->turns = count.turns;
		out->registers = registers_of(w->d, w->plan, &count, arena);
		out->counted = TRUE;
		out->code = count.code;
		kir_free(k);
	}
	arena_free(arena);
	return k != NULL;
}

typedef struct {
	const Plan *plan;
	int at;
	GHashTable *seen; /* taps */
	int n;
} Loads;

static void
count_load(Expr *e, gpointer user)
{
	Loads *l = user;

	l->n += e->op == EXPR_TAP && fuse_writer(l->plan->stages, l->at, e) < 0
		&& g_hash_table_add(l->seen, e);
}

/* Taps of the stage that L is AT of which nothing is in registers so far. */
static int
loads_of(Loads *l)
{
	l->n = 0;
	expr_visit(&l->plan->stages[l->at].stage->value, 1, count_load, l);
	return l->n;
}

Cost
work_cost(const Plan *plan)
{
	GPtrArray *values = g_ptr_array_new();
	Cost cost;

	for (int i = 0; i < plan->n_stages; i++)
		g_ptr_array_add(values, plan->stages[i].stage->value);
	cost = cost_together((Expr *const *)values->pdata, (int)values->len);
	g_ptr_array_unref(values);
	return cost;
}

/* A thread of one cell: every tap a load, or an access of shared memory after a
 * tile has been brought there. */
static void
estimate(const Weigher *w, WarpWork *out)
{
	const Plan *plan = w->plan;
	gboolean tiles = plan->strategy == STRATEGY_SHARED;
	Loads l = { plan, 0, g_hash_table_new(NULL, NULL), 0 };
	const Cost cost = work_cost(plan);

	out->registers = NAIVE_REGISTERS;
	for (; l.at < plan->n_stages; l.at++) {
		const int loads = loads_of(&l), stores = !plan->stages[l.at].passing;

		out->once.issued += (l.at == 0 ? NAIVE_CELL : NAIVE_STAGE)
			+ loads * (tiles ? 2 : NAIVE_TAP) + stores;
		out->once.moved += moved_by(w, loads + stores, 1, FALSE);
		out->registers += (MIN(loads, NAIVE_LOADS) + (l.at > 0)) * (w->wide ? 2 : 1);
	}
	g_hash_table_unref(l.seen);
	add_operations(w, cost.ops, &out->once);
	if (tiles) {
		double loads = (double)plan->shared / w->bytes
			/ plan_threads(plan);

		out->once.issued += SHARED_CELL * loads;
		out->once.moved += 2 * loads * w->d->line;
		out->once.barriers = 1;
	}
	out->code = (int)out->once.issued;
}

void
work_of(const Device *d, const Plan *plan, WarpWork *out)
{
	Weigher w = { .d = d, .plan = plan };

	*out = (WarpWork){ .turns = 0 };
	set_weigher(&w);
	if (plan_is_of(plan, FAMILY_CELLS) || !count_kernel(&w, out))
		estimate(&w, out);
}

int
axes_across(const Plan *plan)
{
	return MAX(plan->n_axes - 1, 1);
}

/* ---- operations ---- */

static int
operations(const KTally t[2], gboolean integers)
{
	return cost_operations(t[LANES_ALL].ops, integers)
		+ cost_operations(t[LANES_SOME].ops, integers);
}

/* Of a thread in a turn of its walk, a cell as often as there are steps of it; without a walk,
 * of all its cells. */
static double
cells_at_once(const Plan *plan, const KCount *count)
{
	double cells = plan->time;

	if (!plan_makes_steps(plan))
		return MAX(count->cells, 1);
	for (int i = 0; i < axes_across(plan); i++)
		cells *= plan->cells[i];
	return plan->strategy == STRATEGY_CHAIN ? cells * plan->slot / plan->threads[1] : cells;
}

double
work_operations(const Plan *plan, gboolean integers)
{
	Arena *arena = arena_new();
	KKernel *k = lower_variant(arena, plan, plan_makes_steps(plan) ? VARIANT_TILED
		: VARIANT_WIDE);
	double n = -1;

	if (k == NULL)
		k = lower_variant(arena, plan, VARIANT_ANY);
	if (k != NULL) {
		const KCount count = kir_count(k);

		n = (operations(count.turns > 0 ? count.turn : count.once, integers)
			+ cost_operations(count.due.ops, integers))
			/ cells_at_once(k->plan, &count);
		kir_free(k);
	}
	arena_free(arena);
	return n;
}

/* ---- bytes ---- */

double
computed_cells(const Plan *plan, int i)
{
	/* the warps of a strip lie side by side */
	int beside = plan->strategy == STRATEGY_STRIP && i == 0 ? plan->threads[1] : 1;

	return (double)plan->threads[i] * plan->cells[i] * beside;
}

typedef struct {
	const Device *d;
	const Plan *plan;
	double planes, warm;
	GHashTable *seen;  /* texts: field, component, level */
	CellTraffic *out;
} Tracer;

static gboolean
is_new(const Tracer *t, const Field *field, int component, int level)
{
	return g_hash_table_add(t->seen, g_strdup_printf("%d %d %d", field->index, component,
		level));
}

/* Cells that a block reads along axis I of the plan, for each that it stores. */
static double
amplified(const Tracer *t, int i, const Shape *shape, int bytes)
{
	const Plan *plan = t->plan;
	int axis = plan->axis[i], last = plan->n_axes - 1;
	int reach = shape->reach[axis][0] + shape->reach[axis][1];
	double own = MAX(plan->span[i], 1), sector = (double)t->d->sector / bytes;

	if (plan_sweeps(plan) && i < axes_across(plan))
		return computed_cells(plan, i) / own;
	if (i == last && i > 0 && plan->cells[i] > 1)
		return (t->planes + MAX(t->warm, reach)) / t->planes;
	if (i == 0 && reach > 0) /* whole sectors on both sides */
		return (own + 2 * ceil(reach / 2.0 / sector) * sector) / own;
	return (own + reach) / own;
}

/* SET gets the taps of the stages behind number N that read the same field. */
static void
add_later(const Tracer *t, int n, TapSet *set)
{
	for (int i = n + 1; i < t->plan->n_stages; i++) {
		GPtrArray *sets = footprint_tap_sets(t->plan->stages[i].stage);

		for (guint k = 0; k < sets->len; k++) {
			const TapSet *more = g_ptr_array_index(sets, k);

			if (more->field != set->field || more->component != set->component
				|| more->level != set->level)
				continue;
			set->tap = g_renew(Expr *, set->tap, (gsize)(set->n + more->n));
			for (int m = 0; m < more->n; m++)
				set->tap[set->n++] = more->tap[m];
		}
		g_ptr_array_unref(sets);
	}
}

/* SET of stage N: of a finer grid others may read other cells. */
static void
add_source(const Tracer *t, int n, TapSet *set)
{
	const Stage *stage = t->plan->stages[n].stage;
	const Shape shape = shape_of(set);
	double bytes, fetched;

	if (!is_new(t, set->field, set->component, set->level))
		return;
	if (!set->plain)
		add_later(t, n, set);
	bytes = fetched = footprint_read(stage, set);
	for (int i = 0; i < t->plan->n_axes; i++)
		fetched *= amplified(t, i, &shape, type_info[set->field->type].bytes);
	t->out->read += bytes;
	t->out->fetched += fetched;
}

/* Several steps a sweep read and write all levels of what STAGE steps, whether a step asks
 * for each of them or not. */
static void
add_levels(const Tracer *t, const Stage *stage)
{
	const Shape own = { .reach = { { 0 } } };
	const Field *f = stage->target;
	double bytes = type_info[f->type].bytes;

	for (int level = -f->history; level < 0; level++) {
		double fetched = bytes;

		t->out->written += footprint_written(stage);
		if (!is_new(t, f, stage->component, level))
			continue;
		for (int i = 0; i < t->plan->n_axes; i++)
			fetched *= amplified(t, i, &own, type_info[f->type].bytes);
		t->out->read += bytes;
		t->out->fetched += fetched;
	}
}

void
traffic_of(const Device *d, const Plan *plan, double planes, double warm, CellTraffic *out)
{
	Tracer t = { d, plan, planes, warm, NULL, out };

	t.seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	*out = (CellTraffic){ .read = 0 };
	for (int i = 0; i < plan->n_stages; i++) {
		const Stage *s = plan->stages[i].stage;
		GPtrArray *sets = footprint_tap_sets(s);

		if (s->kind == STAGE_SCAN) /* its line goes from cell to cell in a register */
			is_new(&t, s->target, s->component, s->level);
		for (guint k = 0; k < sets->len; k++)
			add_source(&t, i, g_ptr_array_index(sets, k));
		g_ptr_array_unref(sets);
		is_new(&t, s->target, s->component, s->level);
		if (!plan->stages[i].passing)
			out->written += footprint_written(s);
		if (plan->time > 1)
			add_levels(&t, s);
	}
	g_hash_table_unref(t.seen);
}
