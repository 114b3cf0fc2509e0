/* planner.c: a plan for every stage, by the strategy that is asked for or the first
 * that suits it.
 */
#include "choose/facts.h"
#include "choose/limits.h"
#include "choose/model.h"

#include <string.h>

#include "kernel/steps.h"

const Block no_block = { NULL, NULL };

const Planning *const plannings[STRATEGY_N] = {
	[STRATEGY_NAIVE] = &planning_naive,
	[STRATEGY_SHARED] = &planning_shared,
	[STRATEGY_MARCH] = &planning_march,
	[STRATEGY_STRIP] = &planning_strip,
	[STRATEGY_CHAIN] = &planning_chain,
	[STRATEGY_TILE] = &planning_tile,
	[STRATEGY_STREAM] = &planning_stream,
	[STRATEGY_STREAM_REGISTERS] = &planning_stream_registers,
	[STRATEGY_ACCUMULATE] = &planning_accumulate,
	[STRATEGY_AN5D] = &planning_an5d,
	[STRATEGY_WEAVE] = &planning_weave,
	[STRATEGY_QUILT] = &planning_quilt,
};

/* Those that are taken where nobody asks for one, the best first. */
static const StrategyId usual[] = {
	STRATEGY_CHAIN, STRATEGY_STRIP, STRATEGY_TILE, STRATEGY_WEAVE, STRATEGY_QUILT,
	STRATEGY_STREAM_REGISTERS, STRATEGY_ACCUMULATE, STRATEGY_MARCH, STRATEGY_NAIVE,
};

void
set_axes(Plan *plan)
{
	const Stage *s = plan->stage;

	plan->n_axes = 0;
	for (int a = s->grid->rank; a-- > 0;)
		if ((s->axes & AXIS_BIT(a)) && !(s->kind == STAGE_SCAN && s->axis == a))
			plan->axis[plan->n_axes++] = a;
}

void
set_threads(Plan *plan, const int *threads)
{
	for (int i = 0; i < IR_MAX_RANK; i++) {
		plan->threads[i] = i < plan->n_axes ? threads[i] : 1;
		plan->cells[i] = 1;
	}
}

void
set_cells(Plan *plan, const int *cells)
{
	for (int i = 0; i < IR_MAX_RANK; i++)
		plan->cells[i] = i < plan->n_axes ? cells[i] : 1;
}

gboolean
cells_suit(const Planner *p, const Plan *plan, int n)
{
	int columns = plan->cells[0];

	if (columns <= MAX_COLUMNS && (columns & (columns - 1)) == 0 && n <= MAX_UNROLLED)
		return TRUE;
	diag_error(p->diag, plan->stage->at, "strategy '%s' cannot compute '%s' with %dx%d cells a "
		"thread: of a row it takes 1, 2, 4, 8, 16 or %d, and of a plane at most %d",
		strategies[plan->strategy].name, plan->name, columns, plan->cells[1], MAX_COLUMNS,
		MAX_UNROLLED);
	diag_help(p->diag, "write cells=4x2");
	return FALSE;
}

gboolean
layers_suit(const Planner *p, const Plan *plan)
{
	if (plan->threads[2] == 1)
		return TRUE;
	diag_error(p->diag, plan->stage->at, "strategy '%s' walks along %s with '%s': a block has "
		"one layer of threads there, not %d", strategies[plan->strategy].name,
		plan_walks_along(plan), plan->name, plan->threads[2]);
	diag_help(p->diag, "write threads=32x8");
	return FALSE;
}

gboolean
row_suits(const Planner *p, const Plan *plan)
{
	if (plan->n_axes > 2 || plan->threads[1] == 1)
		return layers_suit(p, plan);
	diag_error(p->diag, plan->stage->at, "strategy '%s' walks along %s with '%s': a "
		"block has one row of threads, not %d", strategies[plan->strategy].name,
		plan->stage->grid->axis[plan->axis[1]], plan->name, plan->threads[1]);
	diag_help(p->diag, "write threads=256");
	return FALSE;
}

gboolean
refuse_shared(const Planner *p, const Plan *plan, const char *what, const char *block,
	const char *help)
{
	const char *where = p->request->arch;
	const gsize limit = shared_limit(p);

	if (limit < arch_shared_limit(where))
		where = p->request->device->title;
	diag_error(p->diag, plan->stage->at, "strategy '%s' cannot compute '%s': its %s take %"
		G_GSIZE_FORMAT " bytes of shared memory%s, and %s has %" G_GSIZE_FORMAT,
		strategies[plan->strategy].name, plan->name, what, plan->shared, block,
		where != NULL ? where : "the device", limit);
	diag_help(p->diag, "%s%s", help, p->request->arch == NULL
		? ", or name the device (--arch=sm_90)" : "");
	return FALSE;
}

gboolean
refuse_planes(const Planner *p, const Plan *plan, const char *instead)
{
	return refuse_shared(p, plan, "planes", arena_printf(p->arena,
		" for a block of %dx%d threads of %dx%d cells", plan->threads[0],
		plan->threads[1], plan->cells[0], plan->cells[1]), arena_printf(p->arena,
		"ask for a smaller block (--set %s.threads=16x8), or for %s", plan->name,
		instead));
}

const char *
tiles_lack(const Plan *plan, const TileShape *s)
{
	if (plan->threads[0] * plan->threads[1] % WARP != 0)
		return "its threads are no whole warps of " G_STRINGIFY(WARP);
	if (s->why != NULL)
		return s->why;
	if (!s->whole)
		return "its rows wrap, and go on in the midst of them";
	return s->images ? NULL : "what it reads beyond the grid is not at hand";
}

gboolean
refuse_tiles(const Planner *p, const Plan *plan, const TileShape *s, const char *threads,
	const char *cells)
{
	const char *help = remedy_text(p, plan, threads, cells);

	diag_error(p->diag, plan->stage->at, "strategy '%s' cannot compute '%s' by %d step%s with "
		"blocks of %dx%d threads and %dx%d cells each: %s",
		strategies[plan->strategy].name, plan->name, plan->time, plan->time > 1 ? "s" : "",
		plan->threads[0], plan->threads[1], plan->cells[0], plan->cells[1],
		tiles_lack(plan, s));
	diag_help(p->diag, "%s", help);
	return FALSE;
}

void
set_tiles(Plan *plan, const TileShape *s)
{
	int along = plan->n_axes - 1;

	plan->inset_more = s->inset_more;
	for (int i = 0; i < along; i++) {
		plan->span[i] = s->span[i];
		plan->least[i] = s->least[i];
		memcpy(plan->rim[i], s->rim[i], sizeof s->rim[i]);
		memcpy(plan->inset[i], s->inset[i], sizeof s->inset[i]);
	}
	plan->span[along] = plan->cells[along];
	plan->least[along] = s->least[2];
	memcpy(plan->rim[along], s->rim[2], sizeof s->rim[2]);
	plan->warm = along == 2 ? s->warm : 0;
}

gboolean
measure_tiles(const Planner *p, Plan *plan, const TileShape *s,
	Lowering *lower, KCount *count)
{
	KKernel *k;

	if (tiles_lack(plan, s) != NULL)
		return FALSE;
	set_tiles(plan, s);
	k = lower(p->arena, plan);
	plan->shared = k->shared;
	*count = kir_count_free(k);
	return TRUE;
}

void
add_stages(const Planner *p, Plan *plan, const Plan *const *more, guint n)
{
	int all = plan->n_stages;
	PlanStage *stages;

	for (guint i = 0; i < n; i++)
		all += more[i]->n_stages;
	stages = arena_array(p->arena, PlanStage, all);
	memcpy(stages, plan->stages, sizeof *stages * (gsize)plan->n_stages);
	for (guint i = 0; i < n; i++)
		for (int k = 0; k < more[i]->n_stages; k++)
			stages[plan->n_stages++] = more[i]->stages[k];
	plan->stages = stages;
}

void
set_span(Plan *plan)
{
	for (int i = 0; i < IR_MAX_RANK; i++)
		plan->span[i] = plan->threads[i] * plan->cells[i];
}

void
set_derived(Plan *plan)
{
	if (plan->span[0] == 0)
		set_span(plan);
	if (plan->width == 0)
		plan->width = plan->cells[0];
}

gboolean
plan_has_makers(const Planner *p, const Plan *plan)
{
	GPtrArray *makers = stencil_makers(p->s);
	gboolean all = (guint)plan->n_stages == makers->len;

	for (int i = 0; i < plan->n_stages && all; i++)
		all = g_ptr_array_find(makers, plan->stages[i].stage, NULL);
	g_ptr_array_unref(makers);
	return all;
}

const char *
stages_refuse(const Plan *plan, StrategyId id)
{
	if (strategies[id].steps || plan->n_stages == 1 || plannings[id]->crowded != NULL)
		return NULL;
	if (id != STRATEGY_NAIVE)
		return "a launch of this strategy has one stage";
	return plan->stage->kind == STAGE_MAP ? cells_refuse(plan) : NULL;
}

const char *
launch_refuses(const Planner *p, const Plan *plan, StrategyId id)
{
	const char *why = plannings[id]->refuses(p, plan->stage);

	if (why == NULL)
		why = stages_refuse(plan, id);
	if (why == NULL)
		why = walk_refuses(plan, id);
	if (why != NULL || !strategies[id].steps)
		return why;
	if (!p->s->stepped)
		return pipe_by_refuses(p->s, plan->stages, plan->n_stages, id);
	return plan_has_makers(p, plan) ? NULL : "its launch has not all maps of a step";
}

/* ID may make the single steps beside PLAN, where these are FOR_LACK of registers, or reach far. */
static gboolean
may_make_rest(const Planner *alone, const Plan *plan, StrategyId id, gboolean for_lack)
{
	return plan->n_stages == 1 && launch_refuses(alone, plan, id) == NULL
		&& (for_lack || plannings[id]->suits(alone, plan, &no_block));
}

/* Plans REST, single steps beside the several of PLAN, whose words do not mean them: where these
 * reach far, by what would be taken for them alone. */
static gboolean
plan_single(const Planner *p, const Plan *plan, Plan *rest)
{
	static const StrategyId far[] = { STRATEGY_STREAM_REGISTERS, STRATEGY_ACCUMULATE };
	const gboolean lacks = plan->strategy == STRATEGY_STRIP && march_overflows(p, rest);
	PlanRequest request = *p->request;
	const Planner alone = { p->s, &request, p->arena, p->diag };

	request.file = NULL;
	request.settings = NULL;
	for (gsize i = 0; i < G_N_ELEMENTS(far) && (lacks || plan->strategy == STRATEGY_QUILT);
		i++)
		if (may_make_rest(&alone, plan, far[i], lacks))
			return plannings[far[i]]->plan(&alone, rest, &no_block);
	return planning_march.plan(&alone, rest, &no_block);
}

gboolean
plan_rest(const Planner *p, Plan *plan)
{
	Plan *rest;

	if (plan_is_chained(plan)) /* it is known */
		return TRUE;
	rest = arena_copy(p->arena, plan, sizeof *plan);
	plan->rest = rest;
	rest->time = 1;
	if (plan->planes) {
		set_axes(rest);
		rest->planes = FALSE;
		rest->warm = 0;
	}
	rest->feed = FEED_HALO;
	rest->held = FALSE;
	rest->window = FALSE;
	rest->streaming = FALSE;
	rest->shared = 0;
	rest->blocks = 1;
	if (!plan_single(p, plan, rest))
		return FALSE;
	rest->width = rest->cells[0];
	set_span(rest);
	return TRUE;
}

/* What ID makes of several steps a sweep, if these are asked for; NULL: it makes them itself, or
 * none.  A launch that has not all maps of a step is none of them. */
static const TilePoint *
point_of(const Planner *p, const Plan *plan, StrategyId id)
{
	const char *time = wish(p, plan->name, "time");
	const TilePoint *point = plannings[id]->tile;

	return point != NULL && plan->n_axes >= point->axes && time != NULL
		&& strcmp(time, "1") != 0
		&& point_refuses(p, plan->stage, id) == NULL ? point : NULL;
}

gboolean
launch_may_step(const Planner *p, const Plan *plan, StrategyId id)
{
	return point_of(p, plan, id) != NULL || (strategies[id].steps
		&& plannings[id]->refuses(p, plan->stage) == NULL);
}

/* What becomes of the steps of a sweep that are asked for. */
typedef enum { STEPS_SERVED, STEPS_TOO_MANY, STEPS_IGNORED, STEPS_N } Steps;

static Steps
try_steps(const Planner *p, const Plan *plan, const Block *block, StrategyId id)
{
	Plan tried = *plan;
	gboolean fine;

	if (p->request->time == 0 || (p->request->time == 1 && !p->s->stepped))
		return STEPS_SERVED;
	diag_mute(p->diag);
	fine = plan_between(p, &tried, block, id, NULL);
	fine = diag_unmute(p->diag) == 0 && fine;
	if (tried.time == 0)
		return p->request->time == 1 ? STEPS_SERVED : STEPS_IGNORED;
	return p->request->time == 1 ? STEPS_IGNORED : fine ? STEPS_SERVED : STEPS_TOO_MANY;
}

/* FOUND gets the first strategies that do that with the steps, of those that serve the stage and
 * suit it, or do not suit it as well as others. */
static void
find_strategies(const Planner *p, const Plan *plan, const Block *block, gboolean suited,
	StrategyId found[STEPS_N])
{
	for (gsize i = 0; i < G_N_ELEMENTS(usual) && found[STEPS_SERVED] == STRATEGY_N; i++) {
		Steps steps;

		if (suited && usual[i] != STRATEGY_NAIVE && facts_is_narrow(plan))
			continue;
		if (launch_refuses(p, plan, usual[i]) != NULL
			|| (suited && !plannings[usual[i]]->suits(p, plan, block)))
			continue;
		steps = try_steps(p, plan, block, usual[i]);
		if (found[steps] == STRATEGY_N)
			found[steps] = usual[i];
	}
}

/* The first that serves the stage, the block and the steps that are asked for, whether or not
 * it is what suits them best; else one for which they are too many and that says so; else one
 * that makes single steps. */
static StrategyId
usual_strategy(const Planner *p, const Plan *plan, const Block *block)
{
	StrategyId found[] = { STRATEGY_N, STRATEGY_N, STRATEGY_N };

	find_strategies(p, plan, block, TRUE, found);
	if (p->request->time > 1)
		find_strategies(p, plan, block, FALSE, found);
	for (gsize i = 0; i + 1 < G_N_ELEMENTS(found); i++)
		if (found[i] != STRATEGY_N)
			return found[i];
	return found[STEPS_IGNORED];
}

gboolean
request_is_open(const PlanRequest *r)
{
	return r->strategy == NULL && r->time == 0 && r->file == NULL
		&& (r->settings == NULL || r->settings->len == 0);
}

/* FALSE: ID is not what is asked for, as nothing is, and finds no plan; PLAN is as before. */
static gboolean
finds_plan(const Planner *p, Plan *plan, StrategyId id)
{
	Plan tried = *plan;
	gboolean fine;

	diag_mute(p->diag);
	fine = plan_between(p, &tried, &no_block, id, NULL);
	fine = diag_unmute(p->diag) == 0 && fine;
	if (fine)
		*plan = tried;
	return fine;
}

/* Where ID, which is usual here, finds no plan: the next one that suits the launch. */
static StrategyId
next_strategy(const Planner *p, const Plan *plan, StrategyId id)
{
	gsize i = 0;

	while (i < G_N_ELEMENTS(usual) && usual[i] != id)
		i++;
	for (i++; i < G_N_ELEMENTS(usual); i++)
		if (launch_refuses(p, plan, usual[i]) == NULL
			&& plannings[usual[i]]->suits(p, plan, &no_block))
			return usual[i];
	return plannings[id]->instead;
}

/* FALSE, and reported: the wish is none. */
static gboolean
set_store(const Planner *p, Plan *plan)
{
	int store = wish_name(p, plan, "store", store_name, 2);

	plan->streaming = store > 0;
	return store >= 0;
}

/* Planes are asked to lie in shared memory, which is not said to what stands in. */
static gboolean
shares_planes(const Planner *p, const Plan *plan)
{
	const char *text = wish(p, plan->name, "exchange");

	return text != NULL && strcmp(text, exchange_name[EXCHANGE_SHARED]) == 0;
}

/* Says how TAKEN, which nobody named, came to refuse the block that is asked for. */
static void
note_strategy(const Planner *p, const Plan *plan, const Block *asked, StrategyId taken)
{
	const char *what = asked->cells == NULL ? "threads" : asked->threads == NULL ? "cells"
		: "threads and cells";

	if (usual_strategy(p, plan, &no_block) == taken)
		diag_note(p->diag, (Span){ 0 }, "nobody named a strategy: '%s' is the usual one "
			"here", strategies[taken].name);
	else
		diag_note(p->diag, (Span){ 0 }, "nobody named a strategy: the usual one here has "
			"%s of its own, and '%s' is taken where they are asked for", what,
			strategies[taken].name);
}

/* What a strategy may leave as it is: it may have been another's. */
static void
forget_words(Plan *plan)
{
	plan->load = LOAD_DIRECT;
	plan->width = 0;
	plan->piece = 0;
	memset(plan->span, 0, sizeof plan->span);
	plan->edges = EDGES_GUARD;
	plan->exchange = EXCHANGE_L1;
	plan->held = FALSE;
	plan->window = FALSE;
	plan->persistent = 0;
	plan->inset_more = 0;
	plan->warm = 0;
	plan->alone = FALSE;
	plan->planes = FALSE;
}

/* The strategy *ID, or that of *POINT, gives way to one that does not refuse the launch, which has
 * a block of its own.  FALSE, and reported: there is none. */
static gboolean
stand_in(const Planner *p, Plan *plan, Block *block, StrategyId *id, const TilePoint **point)
{
	const char *why;

	while ((why = launch_refuses(p, plan, *point != NULL ? STRATEGY_AN5D : *id)) != NULL) {
		if (plan->why == NULL)
			plan->why = why;
		if (*id == STRATEGY_NAIVE) {
			diag_error(p->diag, plan->stage->at, "no strategy computes '%s' and what "
				"shares its launch: %s", plan->name, why);
			return FALSE;
		}
		*id = plannings[*id]->instead;
		*point = NULL;
		if (shares_planes(p, plan))
			plan->exchange = EXCHANGE_SHARED;
		if (*id != STRATEGY_NAIVE)
			*block = no_block;
	}
	return TRUE;
}

gboolean
plan_launch(const Planner *p, Plan *plan)
{
	const gboolean open = request_is_open(p->request);
	const char *name = wish_strategy(p, plan->name);
	const TilePoint *point;
	int given[2][IR_MAX_RANK];
	Block block;
	StrategyId id;
	Plan bare;

	if (!wish_block(p, plan, "threads", "32x8", MAX_THREADS, MAX_LAYERS, given[0],
		&block.threads)
		|| !wish_block(p, plan, "cells", "4x1x8", MAX_CELLS, MAX_CELLS, given[1],
		&block.cells))
		return FALSE;
	set_axes(plan);
	if (!walk_set(p, plan) || !set_store(p, plan))
		return FALSE;
	forget_words(plan);
	id = name != NULL ? strategy_find(name) : usual_strategy(p, plan, &block);
	if (id == STRATEGY_N) {
		diag_error(p->diag, plan->stage->at, "there is no strategy '%s'", name);
		diag_help(p->diag, "stencilc --print-strategies lists them");
		return FALSE;
	}
	point = name != NULL ? point_of(p, plan, id) : NULL;
	if (!stand_in(p, plan, &block, &id, &point))
		return FALSE;
	if (id == STRATEGY_NAIVE)
		set_axes(plan); /* it walks along none */
	bare = *plan;
	while (open && id != STRATEGY_NAIVE && !finds_plan(p, plan, id))
		id = next_strategy(p, plan, id);
	if ((!open || id == STRATEGY_NAIVE) && !plan_between(p, plan, &block, id, point)) {
		if (name == NULL && (block.threads != NULL || block.cells != NULL))
			note_strategy(p, &bare, &block, id);
		return FALSE;
	}
	set_derived(plan);
	if (limits_are_broken(p, plan, name == NULL && plan->n_stages == 1 ? limits_use(p)
		: USE_KNOWN))
		plan_smaller(p, &bare, plan, &block, id, point, name == NULL);
	return limits_suit(p, plan);
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
		PlanStage alone;

		if (s->kind != STAGE_REDUCE && s->target->components > 1)
			base = arena_printf(p->arena, "%s_%d", base, s->component);
		plan->name = base;
		for (int n = 2; !g_hash_table_add(taken, (gpointer)plan->name); n++)
			plan->name = arena_printf(p->arena, "%s_%d", base, n);
		alone = (PlanStage){ s, plan->name, FALSE };
		plan->n_stages = 1;
		plan->stages = arena_copy(p->arena, &alone, sizeof alone);
	}
	g_hash_table_unref(taken);
}

/* What only looks at the steps goes behind what makes them, if several may be one sweep: it
 * finds what it reads at the end of a step, too. */
static void
look_last(const Planner *p, GPtrArray *plans)
{
	GPtrArray *makers = stencil_makers(p->s), *order = g_ptr_array_new();
	const Stage *first = makers->len > 0 ? g_ptr_array_index(makers, 0) : NULL;
	gboolean *looks = stencil_looks(p->s);

	for (int last = 0; last <= 1; last++)
		for (guint i = 0; i < plans->len; i++)
			if (looks[i] == last)
				g_ptr_array_add(order, g_ptr_array_index(plans, i));
	if (first != NULL && makers->len < plans->len && first->kind == STAGE_MAP
		&& steps_refuse(p->s, first, first->grid->rank, STEPS_TEMPS) == NULL)
		memcpy(plans->pdata, order->pdata, plans->len * sizeof *plans->pdata);
	g_free(looks);
	g_ptr_array_unref(order);
	g_ptr_array_unref(makers);
}

/* What is taken for PLAN, or for its stage alone, where nobody asks for a strategy. */
static StrategyId
served_by(const Planner *p, const Plan *plan)
{
	PlanRequest request = *p->request;
	const Planner open = { p->s, &request, p->arena, p->diag };
	StrategyId id;

	request.strategy = NULL;
	request.settings = NULL;
	request.file = NULL;
	id = usual_strategy(&open, plan, &no_block);
	return id != STRATEGY_N ? id : STRATEGY_NAIVE;
}

/* FALSE, and reported: no launch is what is asked for. */
static gboolean
some_is_wanted(const Planner *p, const GPtrArray *plans)
{
	const Plan *first = NULL; /* that makes steps */
	gboolean *looks = stencil_looks(p->s), wanted = plans->len == 0;
	const char *name;
	StrategyId instead;

	for (guint i = plans->len; i-- > 0;) {
		const Plan *plan = g_ptr_array_index(plans, i);

		wanted = wanted || plan->why == NULL;
		if (first == NULL || (plan->stage->kind != STAGE_REDUCE
			&& !looks[plan->stage->index]))
			first = plan;
	}
	g_free(looks);
	if (wanted)
		return TRUE;
	instead = served_by(p, first);
	name = wish_strategy(p, first->name);
	diag_error(p->diag, p->s->at, "strategy '%s' cannot serve any stage of '%s': %s",
		name != NULL ? name : strategies[STRATEGY_NAIVE].name, p->s->name, first->why);
	note_looks(p->s, p->diag);
	diag_help(p->diag, "name no strategy, or use '%s'", strategies[instead].name);
	return FALSE;
}

/* What the launch asks of the device that it finds. */
static void
set_memory(const Planner *p, Plan *plan)
{
	Prediction out;

	if (plan->inset_more > 0 && p->request->device != NULL
		&& predict(p->request->device, plan, p->arena, &out) == NULL)
		plan->whole_below = out.whole_below;
}

/* All kernels for rows that are no whole vectors. */
static gboolean
complete_any(const Planner *p, Plan *plan)
{
	const gboolean fine = plan_lapped(p, plan);

	plan_alone_any(p, plan);
	return fine;
}

gboolean
plan_complete(const Planner *p, Plan *plan)
{
	set_memory(p, plan);
	plan_cells_any(p, plan);
	return plan_rows(p, plan) && plan_fewer(p, plan) && plan_slim(p, plan)
		&& plan_turned(p, plan) && plan_loose(p, plan) && complete_any(p, plan)
		&& plan_layout(p, plan);
}

GPtrArray *
named_plans(const Planner *p)
{
	GPtrArray *plans = g_ptr_array_new();

	for (guint i = 0; i < p->s->stages->len; i++) {
		Plan *plan = arena_make(p->arena, Plan);

		plan->stage = g_ptr_array_index(p->s->stages, i);
		g_ptr_array_add(plans, plan);
	}
	name_plans(p, plans);
	return plans;
}

GPtrArray *
plan_stencil(const Planner *p)
{
	GPtrArray *plans = named_plans(p);
	gboolean fine = TRUE;

	look_last(p, plans);
	for (guint i = 0; i < plans->len; i++)
		fine = words_suit(p, g_ptr_array_index(plans, i))
			&& plan_launch(p, g_ptr_array_index(plans, i)) && fine;
	if (fine)
		model_plans(p, plans, FALSE);
	fine = fine && (p->request->apart || group_plans(p, plans));
	fine = fine && some_is_wanted(p, plans);
	if (fine) {
		model_plans(p, plans, TRUE);
		share_cells(p, plans);
	}
	for (guint i = 0; i < plans->len && fine; i++)
		fine = plan_complete(p, g_ptr_array_index(plans, i));
	if (!fine) {
		g_ptr_array_unref(plans);
		return NULL;
	}
	return plans;
}

GPtrArray *
choose_plans(const Stencil *s, const PlanRequest *request, Arena *arena, Diag *diag)
{
	const Planner p = { s, request, arena, diag };

	return s->planar != NULL && !request->apart ? plan_in_layout(&p) : plan_stencil(&p);
}
