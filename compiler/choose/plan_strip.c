/* plan_strip.c: several steps a sweep, as many as registers and columns allow. */
#include "choose/limits.h"
#include "choose/work.h"

#include <string.h>

#include "analyze/cost.h"
#include "kernel/lower.h"
#include "kernel/source.h"
#include "kernel/steps.h"
#include "kernel/where.h"
#include "plan/resources.h"

#define MAX_TURN 2000 /* operations of a loop's turn, */
#define MAX_PIPE_TURN 1200 /* and of a pipe's that makes as many rows as it has at hand, or some: */
#define SOME_TOGETHER 3   /* by measurement (tests/bench/RESULTS.md) */
#define MAX_SOME 2000
#define SOME_STAGES 16
#define FEW_STEPS 4
#define FAR_STEPS 2
#define PLANES_REACH 2 /* of steps of a volume's planes: for others blocks of planes do better */
#define LEAST_CELLS 4 /* of a lane that nobody has asked for, */
#define PIPE_CELLS 2  /* and of a pipe's, which may read from any lane, where it has no room else */
#define LEAST_STORED 0.25 /* of what a warp computes, if nobody asks for so many steps */
#define STRIP_REGISTERS 224 /* of 32 bits, for what a thread keeps; of 255 */
#define MANY_REGISTERS 168  /* likewise, where it keeps more than one field, */
#define UNROLLED_REGISTERS 196 /* for which nvcc does not spill where turns are made at once, */
#define STAGE_REGISTERS 15   /* so many less for each stage, of several, */
#define DOUBLE_REGISTERS 172 /* likewise, of doubles beside one that stays, */
#define FIELD_REGISTERS 8    /* so many less for each field */

/* Of one axis only the first. */
static const char *const strip_feeds[] = { "direct", "async" };

/* Why the steps do not go plane by plane; NULL: they do. */
static const char *
step_planes_refuse(const Planner *p)
{
	GPtrArray *makers = stencil_makers(p->s);
	PlanStage *stages = arena_array(p->arena, PlanStage, makers->len + 1);
	const char *why;

	for (guint i = 0; i < makers->len; i++) {
		const Stage *stage = g_ptr_array_index(makers, i);

		stages[i] = (PlanStage){ stage, NULL, stage->kind != STAGE_REDUCE
			&& stage->target->role == FIELD_TEMP };
	}
	why = planes_refuse(p->s, stages, (int)makers->len);
	g_ptr_array_unref(makers);
	return why;
}

static const char *
refuses(const Planner *p, const Stage *stage)
{
	const PlanStage alone = { stage, NULL, FALSE };
	const char *why;

	if (!p->s->stepped)
		return pipe_by_refuses(p->s, &alone, 1, STRATEGY_STRIP);
	why = steps_refuse(p->s, stage, stage->grid->rank, STEPS_TEMPS);
	return why == NULL && stage->grid->rank == IR_MAX_RANK ? step_planes_refuse(p) : why;
}

/* How far the launch's stages read beside a cell. */
static int
plan_radius(const Plan *plan)
{
	int radius = 0;

	for (int i = 0; i < plan->n_stages; i++)
		radius = MAX(radius, stage_radius(plan->stages[i].stage));
	return radius;
}

/* Cells of a lane: 32 bytes of registers. */
static int
strip_vector(const Plan *plan)
{
	int bytes = 0;

	for (int i = 0; i < plan->n_stages; i++)
		bytes = MAX(bytes,
			type_info[type_kind(plan->stages[i].stage->target->type)].bytes);
	return 32 / bytes;
}

/* CELLS of a lane, or more, if what they read beyond the grid is at hand only so. */
static int
enough_cells(const Planner *p, const Plan *plan, int cells)
{
	Plan tried = *plan;

	for (int n = cells; n <= MAX(strip_vector(plan), cells); n *= 2) {
		set_cells(&tried, (const int[]){ n, 64, 1 });
		tried.time = 1;
		if (strip_shape(&tried, p->arena).images)
			return n;
	}
	return cells;
}

/* What does well, by measurement: tests/bench/RESULTS.md. */
typedef struct {
	int cells, time, ops;
	gboolean light, heavy;
} Usual;

#define LIGHT 6    /* operations of a cell that leave registers for more steps, where sums are */
#define LIGHT_ROWS 2
#define LIGHT_STEPS 10
#define PLANES_STEPS 9 /* where a plane's place takes registers, too: of 10 nvcc spills */
#define PAST_STEPS 12 /* where steps read what was there before the last one: in narrow lanes,
                       * as a sweep moves twice as much */
#define CHAINED_STEPS 10 /* where one stage of a step reads what another made */
#define TEMPS_STEPS 6 /* and where it makes temps */
#define MAX_BLOCKS 32 /* of a multiprocessor */
#define TAKEN 2    /* times the registers that are counted: nvcc takes fewer */
#define FETCHED 7  /* rows on their way to shared memory; to registers it is one or two */

#define FAR 4

/* Steps of narrow lanes, and of wide ones, by how far a step reaches. */
static const int by_reach[2][FAR + 1] = { { 8, 8, 3, 2, 2 }, { 8, 8, 4, 3, 2 } };

/* What the launch makes first takes two words. */
static gboolean
is_wide(const Plan *plan)
{
	return type_info[plan->stage->target->type].bytes > 4;
}

/* All that the launch makes takes less than a word. */
static gboolean
is_narrow(const Plan *plan)
{
	return plan_widest(plan) < 4;
}

static Usual
find_usual(const Planner *p, const Plan *plan)
{
	int radius = MAX(plan_radius(plan), 1), vector = strip_vector(plan);
	Usual u = { vector, by_reach[vector > 4][MIN(radius, FAR)], 0, FALSE, FALSE };

	for (int n = 0; n < plan->n_stages; n++) {
		const Cost cost = cost_of(plan->stages[n].stage);
		const CostLong lasts = cost_long(plan->stages[n].stage);

		u.heavy = u.heavy || lasts != COST_SHORT;
		if (lasts == COST_TOGETHER)
			u.time = MIN(u.time, 6);
		if (lasts == COST_HEAVY && vector / 2 >= radius) {
			u.cells = vector / 2;
			u.time = MIN(u.time, 4);
		}
		u.ops += cost_all(cost.ops);
		/* where its columns are takes as many registers as they do */
		if (where_is_asked(plan->stages[n].stage) && vector / 2 >= radius)
			u.cells = vector / 2;
	}
	u.light = radius == 1 && u.ops <= LIGHT && u.cells == 8 && plan->n_stages == 1
		&& type_is_real(plan->stage->target->type);
	if (plan->stage->target->history > 0 && radius == 1 && vector <= 8 && !u.heavy) {
		u.cells = vector / 2;
		u.time = vector == 8 ? PAST_STEPS : u.time;
	}
	if (!p->s->stepped && !u.heavy && !is_narrow(plan))
		u.cells = vector / 2;
	if (p->s->stepped && plan->n_stages > 1 && vector / 2 >= radius) {
		gboolean wide = is_wide(plan) && plan->n_stages == 2
			&& !plan_is_chained(plan);

		u.cells = wide ? vector : vector / 2;
		u.time = wide ? MIN(u.time, 4) : !plan_is_chained(plan) ? MIN(u.time, 6)
			: plan_n_stored(plan) < plan->n_stages ? MIN(u.time, TEMPS_STEPS)
			: radius == 1 && vector == 8 && !u.heavy ? CHAINED_STEPS : u.time;
	}
	u.cells = enough_cells(p, plan, u.cells);
	return u;
}

/* nvcc spills. */
static gboolean
is_heavy_turn(const Plan *plan, const StripShape *s)
{
	return is_wide(plan) && s->fields > 1 && !s->chained;
}

static gboolean
has_functions(const Plan *plan)
{
	gboolean has = FALSE;

	for (int i = 0; i < plan->n_stages; i++)
		has = has || cost_long(plan->stages[i].stage) == COST_HEAVY;
	return has;
}

/* Rows of a turn that saves moves, if not all of them: a pipe's, where its text is short enough. */
static int
some_together(const Planner *p, const Plan *plan, const Usual *u, const StripShape *s)
{
	return !p->s->stepped && s->turn >= SOME_TOGETHER && plan->n_stages <= SOME_STAGES
		&& u->ops * plan->cells[0] * SOME_TOGETHER <= MAX_SOME && !has_functions(plan)
		? SOME_TOGETHER : 1;
}

/* A turn of as many rows as a queue has moves none of them; where its text is longer
 * than the instruction cache likes, or of several fields of doubles, the moves are cheaper. */
static int
usual_unroll(const Planner *p, const Plan *plan, const Usual *u, const StripShape *s)
{
	return !u->heavy && s->turn <= MAX_TOGETHER && !is_heavy_turn(plan, s)
		&& u->ops * plan->cells[0] * plan->time * s->turn
		<= (p->s->stepped ? MAX_TURN : MAX_PIPE_TURN) ? s->turn
		: some_together(p, plan, u, s);
}

/* Rows come through shared memory where that can be; where a pipe has nothing else to do than to
 * wait for them, through registers. */
static Feed
usual_feed(const Planner *p, const Plan *plan, const Usual *u, const StripShape *s)
{
	const gsize limit = shared_limit(p);
	gsize block = (gsize)(plan->threads[0] * plan->threads[1] * s->row * (FETCHED + 1));

	if (!p->s->stepped && !u->heavy && !is_narrow(plan))
		return FEED_DIRECT;
	return s->copy >= LEAST_COPY && block <= limit ? FEED_ASYNC : FEED_DIRECT;
}

static gboolean
refuse_copies(const Planner *p, const Plan *plan)
{
	diag_error(p->diag, plan->stage->at, "strategy 'strip' cannot compute '%s' with "
		"feed=async: a copy takes %d bytes at least, and %d cells of a row are fewer",
		plan->name, LEAST_COPY, plan->cells[0]);
	diag_help(p->diag, "write more cells (cells=4x64), or feed=direct");
	return FALSE;
}

/* Why PLAN is no strip of S; NULL: it is one. */
static const char *
lacks(const Planner *p, const Plan *plan, const StripShape *s)
{
	if (plan->n_axes == 1 ? plan->threads[0] % WARP != 0 : plan->threads[0] != WARP)
		return "it takes warps of " G_STRINGIFY(WARP) " threads";
	if (!s->images)
		return "what it reads beyond the grid is not at hand";
	if (s->columns <= 0)
		return "no cells of a warp's row are left to store";
	return s->hops ? NULL : lanes_lack(p->arena, plan_radius(plan), plan->cells[0]);
}

/* WHY: it lacks something. */
static gboolean
refuse_shape(const Planner *p, const Plan *plan, const char *why)
{
	const gboolean line = plan->n_axes == 1;
	const char *help = remedy_text(p, plan, line ? "128" : "32x4", line ? "16" : "8x64");

	diag_error(p->diag, plan->stage->at, "strategy 'strip' cannot compute '%s' by %d step%s "
		"with %d threads and %d cells each in a row: %s", plan->name, plan->time,
		plan->time > 1 ? "s" : "", plan->threads[0], plan->cells[0], why);
	diag_help(p->diag, "%s", help);
	return FALSE;
}

/* Blocks of a plane each: steps are of all planes, what is made once of any. */
static void
set_planes(const Planner *p, Plan *plan, const StripShape *s)
{
	if (!plan->planes)
		return;
	plan->span[2] = 1;
	plan->rim[2][0] = plan->rim[2][1] = p->s->stepped ? 0 : -1;
	plan->warm = s->warm;
}

/* FALSE: there is no such strip. */
static gboolean
measure(const Planner *p, Plan *plan)
{
	StripShape s = strip_shape(plan, p->arena);
	const char *why;

	memcpy(plan->least, s.least, sizeof s.least);
	plan->least_ragged = s.least_ragged;
	memcpy(plan->rim, s.rim, sizeof s.rim);
	plan->span[0] = s.span;
	plan->span[1] = plan->cells[1];
	set_planes(p, plan, &s);
	plan->shared = s.shared;
	if (plan->feed == FEED_ASYNC && s.copy < LEAST_COPY)
		return refuse_copies(p, plan);
	why = lacks(p, plan, &s);
	return why == NULL || refuse_shape(p, plan, why);
}

static int
counted_registers(const Planner *p, const Plan *plan)
{
	const KCount count = kir_count_free(lower_strip(p->arena, plan));

	return count_registers(&count);
}

static int
most_registers(const Planner *p, const Plan *plan)
{
	const StripShape s = strip_shape(plan, p->arena);

	return registers_kept(p, plan, s.fields < 2 ? STRIP_REGISTERS
		: strip_has_guests(plan, &s) ? DOUBLE_REGISTERS - FIELD_REGISTERS * s.fields
		: MANY_REGISTERS);
}

/* A warp stores some of its columns, PART of them at least. */
static gboolean
stores(const Planner *p, const Plan *plan, double part)
{
	const int columns = strip_shape(plan, p->arena).columns;

	return columns > 0 && columns >= part * plan->threads[0] * plan->cells[0];
}

#define ROWS 64      /* of a chunk, at least, that nobody asks for */
#define PIPE_ROWS 16 /* of a pipe, whose chunks take few besides: it is made of pictures, too, */
#define PIPE_PART 6  /* where that many times these */
#define PIPE_WORDS 168 /* of 32 bits, that a lane has at hand, at most, where fewer cells do */
#define STRIP_STEPS 16
#define LINE_STEPS 32
#define LINE_FEW 8
#define LINE_OPS 6  /* of a cell of each field that is stored */
#define SHORT_LINE (1 << 17) /* cells that run at once */
#define LINE_PART 3 /* that nobody asks for take up 3/32 of a warp's cells on each side, at most */

/* What is no step is made once. */
static int
most_steps(const Planner *p, int most)
{
	return p->s->stepped ? most : 1;
}

/* Likewise, whatever is said of steps; 0, and reported: they cannot be as many. */
static int
wish_steps(const Planner *p, const Plan *plan, int most, int usual)
{
	return p->s->stepped ? wish_number(p, plan, "time", most, usual) : 1;
}

/* It is said to be: most of its time launches take (tests/bench/RESULTS.md). */
static gboolean
is_short_line(const Plan *plan)
{
	const Grid *g = plan->stage->grid;
	const gint64 cells = MAX(g->fixed[plan->axis[0]], g->typical[plan->axis[0]]);

	return cells > 0 && cells <= SHORT_LINE;
}

/* Steps of a line, so many of MOST: where they are long for what they move, fewer, which waste
 * less. */
static int
line_steps(const Planner *p, const Plan *plan, int most)
{
	const int ops = find_usual(p, plan).ops / MAX(plan_n_stored(plan), 1);

	if (is_short_line(plan))
		return most;
	return ops > 2 * LINE_OPS ? most / 4 : ops > LINE_OPS ? most / 2 : most;
}

/* Steps of a line that nobody asks for: as many as leave a warp enough of its cells. */
static int
usual_line(const Planner *p, const Plan *plan)
{
	const int part = LINE_PART * plan->cells[0];
	Plan tried = *plan;

	tried.time = line_steps(p, plan, MIN(part / MAX(plan_radius(plan), 1), most_steps(p,
		LINE_STEPS)));
	while (tried.time > 1 && strip_shape(&tried, p->arena).columns < WARP * plan->cells[0]
		- 2 * part)
		tried.time--;
	return MAX(tried.time, 1);
}

/* Cells of a lane that nobody has asked for, at least, for which REGISTERS are too many. */
static int
least_cells(const Planner *p, const Plan *plan, int registers)
{
	const Device *d = p->request->device;

	if (p->s->stepped)
		return MAX(LEAST_CELLS, plan_radius(plan) + 1);
	return d != NULL && registers + uncounted_registers(plan) > d->thread_registers
		? PIPE_CELLS : LEAST_CELLS;
}

/* Half the cells of a lane; where they are too few to be copied, rows come to registers. */
static void
halve_cells(const Planner *p, Plan *plan)
{
	plan->cells[0] /= 2;
	if (plan->feed != FEED_ASYNC || wish(p, plan->name, "feed") != NULL
		|| strip_shape(plan, p->arena).copy >= LEAST_COPY)
		return;
	plan->feed = FEED_DIRECT;
	if (wish(p, plan->name, "ahead") == NULL)
		plan->ahead = 1;
}

/* Fewer steps, but rather narrower vectors than less than FEW_STEPS, or FAR_STEPS where they
 * reach far, where nobody has asked for them.  What a lane of a line keeps hardly depends on
 * steps: narrower ones make as many as usual again. */
static gboolean
spare_registers(const Planner *p, Plan *plan, const Block *block, int registers)
{
	const gboolean line = plan->n_axes == 1;
	const int few = line ? LINE_FEW : plan_radius(plan) > 2 ? FAR_STEPS : FEW_STEPS;
	gboolean fewer = plan->time > 1 && wish(p, plan->name, "time") == NULL;
	Plan half = *plan;
	gboolean narrower;

	half.cells[0] /= 2;
	narrower = block->cells == NULL && half.cells[0] >= least_cells(p, plan, registers)
		&& stores(p, &half, 0);

	if (fewer && (plan->time > few || !narrower)) {
		plan->time--;
	} else if (narrower) {
		halve_cells(p, plan);
		if (fewer && line)
			plan->time = usual_line(p, plan);
	} else {
		return FALSE;
	}
	return TRUE;
}

/* As many as shared memory allows, where registers would do for them whatever nvcc takes: it
 * knows nothing of shared memory, and might spill for blocks that never run.  Else 0. */
static int
usual_blocks(const Planner *p, const Plan *plan, int registers)
{
	const BlockNeeds needs = { plan->threads[0] * plan->threads[1], TAKEN * registers,
		(gint64)plan->shared };
	Residency r;

	if (p->request->device == NULL || plan->shared == 0)
		return 0;
	r = residency_granted(p->request->device, &needs);
	return r.allowed[LIMIT_SHARED] == r.blocks ? r.blocks : 0;
}

/* All cells of a warp at once: a lane holds little but them, and takes twice as many. */
static gboolean
set_line(const Planner *p, Plan *plan, const Block *block)
{
	const int cells = MIN(2 * strip_vector(plan), MAX_COLUMNS);

	set_threads(plan, block->threads != NULL ? block->threads : (const int[]){ 128 });
	set_cells(plan, block->cells != NULL ? block->cells : &cells);
	plan->time = wish_steps(p, plan, LINE_STEPS, usual_line(p, plan));
	plan->ahead = wish_number(p, plan, "ahead", 1, 1);
	plan->unroll = wish_number(p, plan, "unroll", 1, 1);
	plan->feed = FEED_DIRECT;
	return wish_name(p, plan, "feed", strip_feeds, 1) == 0;
}

/* Rows of a chunk, and no more cells of a lane than there are registers for. */
static StripShape
set_pipe(const Planner *p, Plan *plan)
{
	StripShape s = strip_shape(plan, p->arena);

	while (s.words > PIPE_WORDS && plan->cells[0] / 2 >= LEAST_CELLS) {
		plan->cells[0] /= 2;
		s = strip_shape(plan, p->arena);
	}
	plan->cells[1] = CLAMP(PIPE_PART * s.warm, PIPE_ROWS, ROWS);
	return s;
}

/* Vectors of cells, of which a warp stores what the steps leave of its columns. */
static gboolean
set_strip(const Planner *p, Plan *plan, const Block *block)
{
	const Usual u = find_usual(p, plan);
	int feed = wish_name(p, plan, "feed", strip_feeds, G_N_ELEMENTS(strip_feeds));
	StripShape s;

	set_threads(plan, block->threads != NULL ? block->threads : (const int[]){ 32, 4, 1 });
	set_cells(plan, block->cells != NULL ? block->cells : (const int[]){ u.cells, ROWS, 1 });
	plan->time = wish_steps(p, plan, STRIP_STEPS, u.time);
	s = strip_shape(plan, p->arena);
	if (!p->s->stepped && block->cells == NULL)
		s = set_pipe(p, plan);
	if (p->s->stepped && u.light && s.turn <= LIGHT_ROWS && wish(p, plan->name, "time") == NULL)
		plan->time = plan->planes ? PLANES_STEPS : LIGHT_STEPS;
	while (plan->time > 1 && wish(p, plan->name, "time") == NULL
		&& !stores(p, plan, LEAST_STORED))
		plan->time--;
	plan->feed = feed == 1 ? FEED_ASYNC : wish(p, plan->name, "feed") != NULL ? FEED_DIRECT
		: usual_feed(p, plan, &u, &s);
	plan->ahead = wish_number(p, plan, "ahead", 15, plan->feed == FEED_ASYNC ? FETCHED
		: plan->cells[0] > 4 ? 2 : 1);
	plan->unroll = wish_number(p, plan, "unroll", MAX_TOGETHER, usual_unroll(p, plan,
		&u, &s));
	return feed >= 0;
}

/* Where a turn of all rows would spill. */
static int
fewer_together(const Planner *p, const Plan *plan)
{
	const Usual u = find_usual(p, plan);
	const StripShape s = strip_shape(plan, p->arena);

	return some_together(p, plan, &u, &s);
}

/* One map of narrow cells, of which registers hold a single step: others do better, if nobody asks
 * for strips (H200, sums of 11 x 11 bytes, GCells/s: 179, by `accumulate` 300). */
static gboolean
is_lone_step(const Planner *p, const Plan *plan)
{
	return plan_is_single_strip(plan) && is_narrow(plan) && request_is_open(p->request);
}

static gboolean
plan_strip(const Planner *p, Plan *plan, const Block *block)
{
	gboolean line = plan->n_axes == 1;
	int registers;

	plan->strategy = STRATEGY_STRIP;
	plan->planes = plan->n_axes == IR_MAX_RANK;
	plan->n_axes = MIN(plan->n_axes, 2);
	if (!(line ? set_line : set_strip)(p, plan, block))
		return FALSE;
	if (plan->time == 0 || plan->ahead == 0 || plan->unroll == 0
		|| !cells_suit(p, plan, plan->cells[0]) || !measure(p, plan))
		return FALSE;
	if (plan->shared > shared_limit(p))
		return refuse_shared(p, plan, "rows on their way", "", "write fewer rows "
			"(ahead=3), or feed=direct");
	while ((registers = counted_registers(p, plan)) > most_registers(p, plan)
		&& spare_registers(p, plan, block, registers))
		if (!measure(p, plan))
			return FALSE;
	if (wish(p, plan->name, "unroll") == NULL && plan->n_stages > 1
		&& registers > UNROLLED_REGISTERS - STAGE_REGISTERS * plan->n_stages)
		plan->unroll = fewer_together(p, plan);
	if (is_lone_step(p, plan) || !plan_rest(p, plan))
		return FALSE;
	plan->blocks = wish_number(p, plan, "blocks", MAX_BLOCKS, MAX(usual_blocks(p, plan,
		registers), 1));
	return plan->blocks > 0;
}

static gboolean
is_past_of_others(const Expr *tap, gconstpointer plan)
{
	const Plan *of = plan;

	for (int i = 0; i < of->n_stages; i++)
		if (of->stages[i].stage->target == tap->tap.field
		    && of->stages[i].stage->component == tap->tap.component)
			return FALSE;
	return tap->tap.level < 0;
}

/* What a field was before is at hand where the launch steps it. */
static gboolean
reads_past_of_others(const Plan *plan)
{
	gboolean any = FALSE;

	for (int i = 0; i < plan->n_stages && !any; i++)
		any = stage_has_tap(plan->stages[i].stage, is_past_of_others, plan);
	return any;
}

/* Where what is read beyond the grid is at hand. */
static gboolean
suits(const Planner *p, const Plan *plan, const Block *block)
{
	Plan tried = *plan;
	StripShape shape;

	tried.strategy = STRATEGY_STRIP;
	tried.planes = plan->n_axes == IR_MAX_RANK;
	tried.n_axes = MIN(plan->n_axes, 2);
	if (tried.planes && p->s->stepped && plan_radius(plan) > PLANES_REACH)
		return FALSE;
	if (block->threads != NULL || block->cells != NULL || reads_past_of_others(plan))
		return FALSE;
	set_cells(&tried, (const int[]){ find_usual(p, plan).cells, 64, 1 });
	tried.time = 1;
	shape = strip_shape(&tried, p->arena);
	if (plan_radius(plan) > strip_vector(plan) && !shape.hops)
		return FALSE;
	return shape.images && shape.columns > 0 && (!shape.chained || plan->rest != NULL);
}

const Planning planning_strip = { refuses, plan_strip, suits, STRATEGY_MARCH, NULL, NULL };
