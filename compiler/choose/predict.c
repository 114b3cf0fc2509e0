/* predict.c: the time of a sweep from its work, its bytes and its waves. */
#include "choose/predict.h"

#include <math.h>

#include "base/round.h"
#include "choose/facts.h"
#include "choose/work.h"
#include "kernel/lower.h"
#include "kernel/source.h"
#include "plan/line.h"

/* Fitted to tests/bench/RESULTS.md; tests/unit/test-predict.c says how well. */
#define COPY_SWEEP 1.0    /* of the copy rate: what a kernel of one step may reach */
#define COPY_OF_DRAM 0.88 /* of memory's rate, where nobody measured a copy's: the H200's */
#define COPY_AGAIN 0.05   /* of what blocks fetch besides their own, that memory brings again, */
#define MOST_AGAIN 1.5    /* so many times what is read at most */
#define SCHEDULERS 4      /* of a processor */
#define COPY_PARTS 0.88   /* where blocks walk over the grid, and none follows one that ends */
#define COPY_REMAP 0.76   /* where all of a plane goes through shared memory, piece by piece */
#define COPY_STEPS 0.82   /* where walks in lock step read their rows */
#define PIPES 0.85        /* of the rate of arithmetic: what a kernel of nothing else reaches */
#define WARPS_HALF 0.55   /* warps of a scheduler with which it issues in half of its clocks, */
#define WARPS_LOCKED 1.1  /* and where they wait for each other; */
#define WARPS_FULL 1.9    /* as many as hide what roots and quotients wait for, */
#define WARPS_SHARP 3.0   /* fewer of which do not */
#define BUSY 0.7          /* so much less of those that have nothing but arithmetic to do */
#define SHARPNESS 4.0     /* of the largest bound: the others hide behind it */
#define CHUNKS_WAVES 4
#define ROWS_WAVES 16     /* as in stencil_fill.h, */
#define FEW_ROWS 16       /* likewise */
#define BEARS_PARTS 18    /* bytes a clock of a processor: as in stencil_inset.h */
#define EDGES 0.18        /* waves that the slowest blocks cost: as in stencil_fill.h */
#define PART 45           /* instructions to find the next part of a box: two divisions */
#define WORD 4            /* bytes */
#define CODE 2048         /* instructions of a turn that the processor's cache holds, */
#define CODE_MISS 0.7     /* and what twice as many cost besides; */
#define LINE_CODE 10500   /* of a line, whose turns are no loop, where its second one does, */
#define LINE_MISS 1.2     /* and what an eighth more cost */
#define FOUND 20          /* registers that nvcc finds where a block leaves few of them */
#define SPILL 2           /* registers beyond the limit that nvcc still finds */

const char *const ceiling_name[CEILING_N] = {
	"memory", "latency", "second-level cache", "shared memory", "issue", "arithmetic",
};

typedef struct {
	const Device *d;
	const Plan *plan;
	Prediction *out;
	WarpWork work;
	CellTraffic traffic;
	gint64 extent[IR_MAX_RANK]; /* along the plan's axes */
	double cells;        /* of the launch */
	double blocks;       /* of it */
	double planes;       /* that a block stores along the last axis */
	double warm;         /* that it goes through besides */
	double edges;        /* waves more that its slowest ones cost */
	BandShape band;      /* of a plan that has bands */
	double resident;     /* blocks of an SM at a time */
	gboolean sectors;    /* blocks meet at whole ones */
	double together;     /* cells of a scan that a thread asks for at a time, on average */
	int warps;           /* of a block */
} Model;

static double
over(double a, double b)
{
	return ceil(a / MAX(b, 1));
}

/* ---- blocks ---- */

/* Chunks of the N planes, or rows, that COLUMNS of blocks walk over, as the launch chooses them:
 * those that are done first, of LEAST at least, and no more chunks than MOST. */
static void
fill(Model *m, double n, double least, double most, double columns, double at_once)
{
	double best = HUGE_VAL;

	for (double chunks = 1; chunks == 1 || (n / chunks >= least && chunks <= most); chunks++) {
		double planes = over(n, chunks);
		double took = (over(columns * over(n, planes), at_once) + m->edges)
			* (planes + m->warm);

		if (took < best) {
			best = took;
			m->planes = planes;
		}
	}
}

/* More chunks than fill a few waves change little. */
static void
fill_waves(Model *m, double tiles, double at_once)
{
	m->edges = plan_sweeps(m->plan) ? EDGES : 0;
	fill(m, (double)m->extent[2], m->plan->cells[2], CHUNKS_WAVES * at_once, tiles, at_once);
}

/* The longest chunks of N rows, of COLUMNS of blocks, that are so MANY at most. */
static double
rows_of(double n, double columns, double many)
{
	return over(n, floor(many / columns));
}

/* Rows of a chunk where all run at once, of LEAST at least, but where there are too few blocks for
 * the processors: as in stencil_fill.h. */
static double
fill_once(const Model *m, double n, double least, double columns, double at_once)
{
	const int each = plan_blocks_each(m->plan);
	const double rows = each > 0 ? rows_of(n, columns, (double)m->d->sms * each) : least;

	return rows < least ? MAX(rows, MIN(least, (double)FEW_ROWS / each))
		: MAX(rows_of(n, columns, at_once), least);
}

/* How far a step reaches along the walk, both ways. */
static int
walk_radius(const Plan *plan)
{
	int reach[2] = { 0, 0 }, axis = plan->axis[plan->n_axes - 1];

	for (int i = 0; i < plan->n_stages; i++)
		for (int end = 0; end < 2; end++)
			reach[end] = MAX(reach[end], stage_reach(plan->stages[i].stage, axis,
				end));
	return reach[0] + reach[1];
}

static void
count_blocks(Model *m)
{
	const Plan *plan = m->plan;
	int last = plan->n_axes - 1;
	double at_once = m->resident * m->d->sms, tiles = 1;

	if (plan->persistent > 0)
		at_once = MIN(at_once, plan->persistent);
	for (int i = 0; i < last; i++)
		tiles *= MAX(over((double)m->extent[i] - plan->inset[i][0] - plan->inset[i][1]
			- (i == 0 && !m->sectors ? plan->inset_more : 0), plan->span[i]), 1);
	if (plan->planes)
		tiles *= (double)facts_extent(plan->stage->grid, plan->axis[2]);
	m->warm = plan->warm > 0 ? plan->warm : plan_has_bands(plan) ? m->band.tile.warm
		: plan_sweeps(plan) && last > 0 ? plan->time * walk_radius(plan) : 0;
	m->planes = last >= 0 ? MIN(plan->span[last], (double)m->extent[last]) : 1;
	if (plan->planes || (last == 1 && plan->warm > 0 && !plan_sweeps(plan)))
		fill(m, (double)m->extent[1], plan->span[1], ROWS_WAVES * at_once / tiles, tiles,
			at_once);
	else if (last == 2 && (plan_sweeps(plan) || plan->warm > 0))
		fill_waves(m, tiles, at_once);
	else if (last > 0 && plan_sweeps(plan))
		m->planes = fill_once(m, (double)m->extent[last], m->planes, tiles, at_once);
	if (plan_has_bands(plan)) /* whole ones */
		m->warm = over(m->planes + m->warm, plan->threads[1]) * plan->threads[1]
			- m->planes;
	if (last > 0 && m->work.turns > 0) {
		m->out->chunks = (gint64)over((double)m->extent[last], m->planes);
		m->out->planes = (gint64)m->planes;
	}
	m->blocks = tiles * (last >= 0 ? over((double)m->extent[last], m->planes) : 1);
	m->out->waves = over(m->blocks, at_once);
	m->out->full = m->blocks / (m->out->waves * at_once);
}

/* ---- scans ---- */

#define ROWS_MAPS 8  /* of the rows of a tile, what maps read of them is on its way at a time */
#define ROWS_LOAD 0.5 /* of the time of a tile: then lanes go along it, and it is written */
#define LINE_SPARES 10 /* instructions of a lone cell that one of a line does not take, */
#define ROW_SPARES 18  /* and one that comes and goes by a tile, by nvcc's text */

/* A thread goes along a line, or a piece of one. */
static void
count_lines(Model *m)
{
	const Plan *plan = m->plan;
	const Stage *s = plan->stage;
	double line = (double)facts_extent(s->grid, s->axis), at_once;
	double cells = plan->piece > 0 ? MIN(plan->piece, line) : line;
	gboolean rows = plan->load == LOAD_REMAP;

	m->blocks = plan->piece > 0 ? over(line, plan->span[plan->n_axes]) : 1;
	for (int i = 0; i < plan->n_axes; i++)
		m->blocks *= over((double)m->extent[i], plan->threads[i]);
	m->cells *= line;
	m->planes = 1;
	m->together = line_together(plan) * (rows ? ROWS_LOAD : 1);
	m->work.once.issued -= rows ? ROW_SPARES : LINE_SPARES;
	m->work.once.issued *= cells;
	m->work.once.arithmetic *= cells;
	m->work.once.moved *= cells;
	m->resident = MIN(m->resident, over(m->blocks, m->d->sms));
	at_once = m->resident * m->d->sms;
	m->out->waves = over(m->blocks, at_once);
	m->out->full = m->blocks / (m->out->waves * at_once);
}

/* ---- times of a sweep, in seconds ---- */

/* What every SM goes through, blocks being dealt out evenly; several waves of short
 * blocks leave little idle at the end. */
static double
blocks_of_sm(const Model *m)
{
	double even = m->blocks / m->d->sms;
	double rounds = (m->out->waves + m->edges) * MIN(m->resident, ceil(even));

	return plan_sweeps(m->plan) || m->plan->persistent != 0 || m->out->waves < 3 ? rounds
		: even + 0.5 * m->resident;
}

/* Of a walk in all, or, of none, the whole. */
static double
of_walk(const Model *m, double once, double turn, double due)
{
	double rounds = m->work.turns > 0 ? m->planes + m->warm : 0;

	if (m->work.turns > 0 && m->plan->warm == 0 && !plan_sweeps(m->plan)) /* a full walk */
		rounds = (double)m->work.turns;
	return once + rounds * turn + MAX(rounds - m->work.idle, 0) * due;
}

/* What code that is not at hand costs: warps that wait for each other at every turn are never far
 * apart in it. */
static double
code_missed(const Model *m)
{
	/* a turn that is unrolled has little besides */
	const double rare = plan_sweeps(m->plan) && m->plan->unroll <= 1 ? m->work.turn.rare : 0;
	const double turn = m->work.turn.issued * MAX(m->plan->unroll, 1) + rare;

	if (plan_sweeps(m->plan) && m->plan->n_axes == 1)
		return LINE_MISS * CLAMP((m->work.once.issued / LINE_CODE - 1) * 8, 0, 1);
	return m->work.turns > 0 && m->work.turn.barriers <= 0
		? CODE_MISS * CLAMP(turn / CODE - 1, 0, 1) : 0;
}

/* Blocks that a processor has at a time, if there are as many. */
static double
blocks_beside(const Model *m)
{
	return MIN(m->resident, ceil(m->blocks / m->d->sms));
}

static double
warps_of_scheduler(const Model *m)
{
	return blocks_beside(m) * m->warps / SCHEDULERS;
}

/* Of few cells at a time: a root or a quotient is many operations, one of which waits for the
 * other. */
static gboolean
waits_for_functions(const Model *m)
{
	return plan_is_of(m->plan, FAMILY_STRIPS) && m->work.turn.rare > 0;
}

/* The part of its clocks in which a scheduler of so many warps issues, then. */
static double
eager_for_functions(double warps)
{
	return pow(1 + pow(WARPS_FULL / warps, WARPS_SHARP), -1 / WARPS_SHARP);
}

static void
bound_processor(Model *m)
{
	const Device *d = m->d;
	const Work *once = &m->work.once, *turn = &m->work.turn, *due = &m->work.due;
	double blocks = blocks_of_sm(m), hz = d->clock * 1e6;
	double running = warps_of_scheduler(m);
	/* warps of a chain wait for those before them, which mostly have been there */
	double barriers = m->plan->strategy == STRATEGY_CHAIN ? 0
		: of_walk(m, once->barriers, turn->barriers, due->barriers);
	double half = barriers > 0 && m->resident < 2 ? WARPS_LOCKED : WARPS_HALF;
	double issued = of_walk(m, once->issued, turn->issued, due->issued);
	double arithmetic = of_walk(m, once->arithmetic, turn->arithmetic, due->arithmetic);
	double busy = MIN(d->issue * arithmetic / MAX(issued, 1), 1);
	double eager = (waits_for_functions(m) ? eager_for_functions(running)
		: running / (running + half * (1 - BUSY * busy))) / (1 + code_missed(m));
	double moved = of_walk(m, once->moved, turn->moved, due->moved);

	m->out->overhead = d->launch * 1e-6;
	if (d->clock <= 0 || d->issue <= 0)
		return;
	m->out->ceiling[CEILING_ISSUE] = blocks * m->warps * issued / (d->issue * eager) / hz;
	m->out->ceiling[CEILING_ARITHMETIC] = blocks * m->warps * arithmetic / (PIPES * eager)
		/ hz;
	if (d->shared_rate > 0)
		m->out->ceiling[CEILING_SHARED] = blocks * m->warps * moved / d->shared_rate / hz;
	m->out->conflicts = of_walk(m, once->conflicts, turn->conflicts, due->conflicts)
		/ MAX(moved, 1);
	m->out->overhead += blocks / m->resident * barriers * d->barrier / hz;
}

/* Blocks walk in lock step, and what they read is asked for before its turn: those of several
 * steps, and of one that have the same kernel. */
static gboolean
is_walk(const Plan *plan)
{
	return plan_sweeps(plan) || plan_is_of(plan, FAMILY_WEAVES);
}

/* Bytes that an SM has on their way to it: of every thread's own cells of a turn, or of
 * the rows and planes that are read ahead. */
static double
bytes_in_flight(const Model *m)
{
	const Plan *plan = m->plan;
	double cells = m->resident * m->warps * m->d->warp * plan->cells[0];

	if (plan->stage->kind == STAGE_SCAN)
		return cells * m->out->full * m->together * m->traffic.read;
	if (plan->n_axes > 1 && !(plan->n_axes == 2 && m->work.turns > 0))
		cells *= plan->cells[1];
	if (is_walk(plan) || plan->feed >= FEED_PREFETCH)
		cells *= MAX(plan->ahead, 1);
	else if (plan_comes_whole(plan))
		cells *= plan->unroll;
	return cells * m->traffic.read;
}

/* What maps read where tiles are written is waited for, some rows at a time. */
static double
wait_for_maps(const Model *m)
{
	const Plan *plan = m->plan;
	const double threads = m->resident * m->warps * m->d->warp * m->out->full * m->d->sms;

	return plan->stage->kind == STAGE_SCAN && plan->load == LOAD_REMAP && line_maps_load(plan)
		? m->cells * m->d->memory_latency * 1e-9 / (threads * ROWS_MAPS) : 0;
}

/* Of the copy rate. */
static double
part_of_copy(const Plan *plan)
{
	if (is_walk(plan))
		return COPY_STEPS;
	if (plan->load == LOAD_REMAP && plan->strategy != STRATEGY_SHARED)
		return COPY_REMAP;
	return plan->persistent != 0 ? COPY_PARTS : COPY_SWEEP;
}

static void
bound_memory(Model *m)
{
	const Device *d = m->d;
	const CellTraffic *t = &m->traffic;
	double copy = d->copy_rate > 0 ? d->copy_rate : COPY_OF_DRAM * d->dram_rate;
	double again = 1 + COPY_AGAIN * (t->read > 0 ? t->fetched / t->read - 1 : 0);
	double bytes = t->read * MIN(again, MOST_AGAIN) + t->written;

	if (copy > 0) {
		m->out->ceiling[CEILING_DRAM] = m->cells * bytes
			/ (part_of_copy(m->plan) * copy * 1e9);
		m->out->least = m->cells * (t->read + t->written) / (copy * 1e9);
	}
	if (d->memory_latency > 0 && t->read > 0)
		m->out->ceiling[CEILING_LATENCY] = m->cells * t->read * d->memory_latency * 1e-9
			/ (bytes_in_flight(m) * d->sms) + wait_for_maps(m);
	if (d->l2_rate > 0)
		m->out->ceiling[CEILING_L2] = m->cells * (t->fetched + t->written)
			/ (d->l2_rate * 1e9);
	m->out->bytes = bytes / MAX(m->plan->time, 1);
	m->out->ideal = (t->read + t->written) / MAX(m->plan->time, 1);
	m->out->halos = (t->fetched + t->written) / MAX(m->plan->time, 1);
}

/* Of all its parts from FIRST on. */
static double
sweep_seconds(const Prediction *out, Ceiling first)
{
	double sum = 0;

	for (int i = (int)first; i < CEILING_N; i++)
		sum += pow(out->ceiling[i], SHARPNESS);
	return pow(sum, 1 / SHARPNESS) + out->overhead;
}

/* What a turn computes with is asked for in it, and no warp hides what it waits for itself. */
static gboolean
asks_in_turn(const Plan *plan)
{
	return plan->strategy == STRATEGY_MARCH && plan->n_axes == 3 && !plan_comes_whole(plan);
}

/* A thread asks for all that it computes with, and while a block waits only others compute: of
 * cells of a word at least. */
static gboolean
asks_before(const Plan *plan)
{
	return plan->strategy == STRATEGY_MARCH && plan->n_axes == 2
		&& facts_narrowest(plan) >= WORD;
}

/* Turns that come one after the other, each of which waits for the row that it computes with: of
 * blocks that run side by side as one. */
static double
wait_in_turns(const Model *m)
{
	const double hz = m->d->clock * 1e6, rounds = of_walk(m, 0, 1, 0);
	const double issued = of_walk(m, 0, m->work.turn.issued, m->work.due.issued);

	return blocks_of_sm(m) / blocks_beside(m) * (rounds * m->d->memory_latency * 1e-9
		+ issued / hz);
}

static gboolean
waits_in_turns(const Model *m)
{
	return m->plan->strategy == STRATEGY_ACCUMULATE && m->plan->n_axes == 2
		&& m->d->memory_latency > 0 && m->d->clock > 0;
}

static void
time_sweep(Model *m)
{
	if (m->plan->stage->kind == STAGE_SCAN)
		count_lines(m);
	else
		count_blocks(m);
	traffic_of(m->d, m->plan, m->planes, m->warm, &m->traffic);
	bound_memory(m);
	bound_processor(m);
	if (asks_in_turn(m->plan))
		m->out->ceiling[CEILING_LATENCY] += m->out->ceiling[CEILING_ISSUE]
			/ MAX(warps_of_scheduler(m), 1);
	if (asks_before(m->plan) && m->work.turns == 0)
		m->out->ceiling[CEILING_LATENCY] += m->out->ceiling[CEILING_ISSUE]
			/ MAX(blocks_beside(m), 1);
	if (waits_in_turns(m))
		m->out->ceiling[CEILING_LATENCY] = wait_in_turns(m);
}

/* Where memory would write parts of sectors for longer than a block more takes, blocks meet at
 * whole ones. */
static void
meet_at_sectors(Model *m)
{
	const Device *d = m->d;
	const double memory = m->out->ceiling[CEILING_DRAM];
	const double rest = sweep_seconds(m->out, CEILING_DRAM + 1) - d->launch * 1e-6;
	const double rate = d->dram_rate * 1e3 / (d->sms * d->clock);

	if (memory <= 0 || rest <= 0)
		return;
	m->out->whole_below = memory / rest * rate;
	m->sectors = rate * rate < m->out->whole_below * BEARS_PARTS;
	if (m->sectors)
		time_sweep(m);
}

/* ---- cells that several blocks compute ---- */

/* Cells that blocks compute across the walk, for each that they store. */
static double
redundant_across(const Plan *plan)
{
	double all = 1;

	for (int i = 0; i < axes_across(plan) && plan_sweeps(plan); i++)
		all *= computed_cells(plan, i) / plan->span[i];
	return all;
}

/* Likewise in all.  Of bands, each step begins some rows behind the one before, and the last one
 * makes nothing but what is stored. */
static double
redundancy_of(const Model *m)
{
	const double across = redundant_across(m->plan), all = m->planes + m->warm;
	double rows = 0; /* of all steps but the last one */

	if (!plan_has_bands(m->plan))
		return across * all / m->planes;
	for (int step = 1; step < m->plan->time; step++)
		rows += all - step * m->band.lag;
	return (across * rows / m->planes + 1) / m->plan->time;
}

/* All of it, for a cell and step. */
static void
conclude(Model *m)
{
	Prediction *out = m->out;
	double count = m->cells * MAX(m->plan->time, 1);

	for (int i = 0; i < CEILING_N; i++) {
		out->ceiling[i] /= count;
		if (out->ceiling[i] > out->ceiling[out->limit])
			out->limit = (Ceiling)i;
	}
	out->overhead /= count;
	out->least /= count;
	out->seconds = sweep_seconds(out, CEILING_DRAM);
}

/* ---- what cannot be ---- */

static const char *
unknown(const Plan *plan)
{
	for (int i = 0; i < plan->n_stages; i++)
		if (plan->stages[i].stage->kind == STAGE_REDUCE)
			return "the model knows no reductions";
	return NULL;
}

/* Beside each other on a processor, going by what is known of a block. */
static Residency
residency_known(const Device *d, const BlockNeeds *needs)
{
	const BlockNeeds least = { needs->threads, LEAST_REGISTERS, needs->shared };

	return residency_granted(d, &least);
}

/* Registers are to do for BLOCKS of a processor: there must be room for these. */
static const char *
refuse_blocks(const Device *d, const BlockNeeds *needs, int blocks, Arena *arena)
{
	const Residency r = residency_known(d, needs);

	if (blocks <= MAX(r.blocks, 1))
		return NULL;
	return arena_printf(arena, "blocks: %d of %d threads and %" G_GINT64_FORMAT " bytes of "
		"shared memory at a time, and the %s of a processor will do for %d", blocks,
		needs->threads, needs->shared, limit_name[r.limit], r.blocks);
}

/* What is known of a block, whatever nvcc makes of it. */
static const char *
refuse_known(const Device *d, const BlockNeeds *needs, int blocks, Arena *arena)
{
	if (needs->threads > d->block_threads)
		return arena_printf(arena, "threads: %d in a block, of %d", needs->threads,
			d->block_threads);
	if (needs->shared > d->block_shared_optin)
		return arena_printf(arena, "shared memory: %" G_GINT64_FORMAT " bytes of %d",
			needs->shared, d->block_shared_optin);
	if (needs->threads * LEAST_REGISTERS > d->block_registers)
		return arena_printf(arena, "registers: at least %d of a block, of %d",
			needs->threads * LEAST_REGISTERS, d->block_registers);
	return refuse_blocks(d, needs, blocks, arena);
}

static const char *
refuse_estimated(const Device *d, const Prediction *out, Arena *arena)
{
	const Residency *r = &out->residency;

	if (out->registers > d->thread_registers + SPILL)
		return arena_printf(arena, "registers: about %d of a thread, of %d",
			out->registers, d->thread_registers);
	if (r->blocks == 0)
		return arena_printf(arena, "%s: not one block fits a processor",
			limit_name[r->limit]);
	return NULL;
}

/* A kernel is compiled for its block, that is, for so many registers of a thread. */
static int
compiled_for(const Device *d, const BlockNeeds *needs)
{
	return MAX(d->block_registers / needs->threads / 8 * 8, LEAST_REGISTERS);
}

static BlockNeeds
known_needs(const Plan *plan)
{
	BlockNeeds needs = { 1, 0, (gint64)plan->shared };

	for (int i = 0; i < plan->n_axes && plan->stage->kind != STAGE_REDUCE; i++)
		needs.threads *= plan->threads[i];
	if (plan->stage->kind == STAGE_REDUCE
		|| (plan->stage->kind == STAGE_SCAN && plan->n_axes == 0))
		needs.threads = plan->threads[0];
	return needs;
}

/* By the registers of WORK: a kernel that is only estimated asks for one value of its cell
 * after the other where there are few. */
static void
estimate_needs(const Device *d, const WarpWork *work, BlockNeeds *needs, Prediction *out)
{
	const int most = MIN(compiled_for(d, needs), d->thread_registers);

	out->registers = work->counted ? work->registers : MIN(work->registers, most);
	needs->registers = MIN(out->registers, d->thread_registers);
	if (needs->registers <= compiled_for(d, needs) + FOUND)
		needs->registers = MIN(needs->registers, compiled_for(d, needs));
	out->residency = residency_granted(d, needs);
}

int
predict_blocks(const Device *d, const Plan *plan)
{
	const BlockNeeds needs = known_needs(plan);

	return residency_known(d, &needs).blocks;
}

const char *
predict_refuses(const Device *d, const Plan *plan, BlockUse use, Arena *arena)
{
	BlockNeeds needs = known_needs(plan);
	const char *why = refuse_known(d, &needs, plan->blocks, arena);
	Prediction out;
	WarpWork work;

	if (why != NULL || use == USE_KNOWN || unknown(plan) != NULL)
		return why;
	work_of(d, plan, &work);
	estimate_needs(d, &work, &needs, &out);
	return refuse_estimated(d, &out, arena);
}

const char *
predict(const Device *d, const Plan *plan, Arena *arena, Prediction *out)
{
	Model m = { .d = d, .plan = plan, .out = out, .cells = 1 };
	BlockNeeds needs = known_needs(plan);
	const char *why = unknown(plan);

	*out = (Prediction){ .shared = (gint64)plan->shared };
	if (why == NULL)
		why = refuse_known(d, &needs, plan->blocks, arena);
	if (why != NULL)
		return why;
	for (int i = 0; i < plan->n_axes; i++) {
		m.extent[i] = facts_extent(plan->stage->grid, plan->axis[i]);
		m.cells *= (double)m.extent[i];
	}
	if (plan->planes)
		m.cells *= (double)facts_extent(plan->stage->grid, plan->axis[2]);
	if (plan_has_bands(plan))
		m.band = band_shape(plan, arena);
	work_of(d, plan, &m.work);
	out->code = m.work.code;
	estimate_needs(d, &m.work, &needs, out);
	why = refuse_estimated(d, out, arena);
	if (why != NULL)
		return why;
	m.resident = MAX(out->residency.blocks, plan->blocks);
	if (plan->persistent != 0)
		m.work.once.issued += PART;
	if (plan->persistent > 0)
		m.resident = MIN(m.resident, over(plan->persistent, d->sms));
	m.warps = DIV_UP(needs.threads, d->warp);
	time_sweep(&m);
	if (plan->inset_more > 0)
		meet_at_sectors(&m);
	out->fetched = m.traffic.fetched;
	out->redundancy = redundancy_of(&m);
	out->walk = m.planes / (m.planes + m.warm);
	conclude(&m);
	return NULL;
}

char *
predict_label(const Plan *plan)
{
	GString *text = g_string_new(strategies[plan->strategy].name);

	g_string_append(text, ", threads");
	for (int i = 0; i < MAX(plan->n_axes, 1); i++)
		g_string_append_printf(text, "%c%d", i > 0 ? 'x' : ' ', plan->threads[i]);
	for (int i = 0; i < plan->n_axes && plan->cells[0] * plan->cells[1] * plan->cells[2] > 1;
		i++)
		g_string_append_printf(text, "%s%d", i > 0 ? "x" : ", cells ", plan->cells[i]);
	if (plan_is_turned(plan))
		g_string_append_printf(text, ", along %s",
			plan_walks_along(plan));
	if (plan->piece > 0)
		g_string_append_printf(text, ", pieces %d", plan->piece);
	if (plan->ahead > 0 && plan->stage->kind == STAGE_SCAN)
		g_string_append_printf(text, ", %d cells ahead", plan->ahead);
	if (plan->strategy != STRATEGY_CHAIN && plan_is_fed(plan) && plan->feed >= FEED_PREFETCH)
		g_string_append_printf(text, ", %s", feed_name[plan->feed]);
	if (plan->load != LOAD_DIRECT && plan->strategy != STRATEGY_SHARED)
		g_string_append_printf(text, ", %s", load_name[plan->load]);
	if (plan->edges != EDGES_GUARD)
		g_string_append_printf(text, ", %s", edges_name[plan->edges]);
	if (plan->streaming != plan_usually_streams(plan))
		g_string_append_printf(text, ", %s stores", store_name[plan->streaming]);
	if (plan->persistent == PERSISTENT_FILL)
		g_string_append(text, ", persistent");
	else if (plan->persistent > 0)
		g_string_append_printf(text, ", %d persistent", plan->persistent);
	if (plan_has_bands(plan))
		g_string_append_printf(text, ", %s", buffer_name[plan->window]);
	if (plan->time > 1)
		g_string_append_printf(text, ", %d steps", plan->time);
	if (plan->n_stages > 1)
		g_string_append_printf(text, ", %d stages", plan->n_stages);
	return g_string_free(text, FALSE);
}
