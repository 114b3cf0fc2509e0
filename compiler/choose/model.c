/* model.c: which model chooses, and how each of them does.
 *
 * The usual plans are set by measurement; our own model changes them where it sees a
 * gain that is worth it.  The papers' models choose a block, or a strategy, of their
 * own kernels: what comes nearest to these here.
 */
#include "choose/model.h"

#include <stdlib.h>

#include "choose/candidates.h"
#include "choose/choose.h"
#include "choose/limits.h"
#include "choose/rawat.h"
#include "choose/shapes.h"
#include "choose/work.h"

#define GAIN 1.15 /* over the usual plan, for which measurements speak; */
#define SHAPE_GAIN 1.25 /* where only the shape of a block is another, */
#define SINGLE_GAIN 1.38 /* where several steps become one, */
#define LONG 2           /* times as long as memory takes, */
#define LONG_GAIN 1.1    /* of which more is known than of others, */
#define MEMORY_GAIN 1.2  /* which only waits for memory: that is known best, */
#define PAIRS_GAIN 1      /* or computes bytes two at a time; */
#define CROWDED_GAIN 1.25 /* or blocks are fewer for more steps; */
#define STEPS_GAIN 1.13 /* where only their number is another, of reals */
#define LIGHT_LOSS 1.25 /* that a tile of cells is predicted to be slower by, and is not then */
#define WIDE_TILE_REGISTERS 240 /* of a tile's thread, whose values are of 64 bits, */
#define NARROW_TILE_REGISTERS 200 /* or of 16: with 221 it spills */
#define STRIP_REGISTERS 224 /* with more, nvcc has been seen to spill, */
#define PLANES_REGISTERS 224 /* likewise, where all planes are shared */
#define STAGE_REGISTERS 4   /* and with so many less for each stage but one */
#define MAX_LAUNCHES 32 /* of a stencil: longer ones are planned as usual */

const char *const chooser_name[CHOOSER_N + 1] = { "ours", "tabik", "jin", "rawat", NULL };

/* ---- planning once more ---- */

GPtrArray *
settings_copy(const PlanRequest *request)
{
	GPtrArray *settings = g_ptr_array_new();

	for (guint i = 0; request->settings != NULL && i < request->settings->len; i++)
		g_ptr_array_add(settings, g_ptr_array_index(request->settings, i));
	return settings;
}

void
settings_add(const Planner *p, GPtrArray *settings, const Plan *plan, const char *key,
	const char *value)
{
	g_ptr_array_add(settings, arena_printf(p->arena, "%s.%s.%s=%s", p->s->name, plan->name,
		key, value));
}

/* PLAN as it would be with SETTINGS in place of those of the request; NULL, and
 * reported, where they cannot be granted. */
static Plan *
plan_again(const Planner *p, const Plan *plan, const GPtrArray *settings)
{
	PlanRequest request = *p->request;
	Planner again = { p->s, &request, p->arena, p->diag };
	Plan *fresh = arena_make(p->arena, Plan);

	request.settings = settings;
	*fresh = (Plan){ .stage = plan->stage, .name = plan->name, .n_stages = plan->n_stages,
		.stages = plan->stages, .apart = plan->apart,
		.rest = plan_is_chained(plan) ? plan->rest : NULL };
	return plan_launch(&again, fresh) ? fresh : NULL;
}

Plan *
plan_quietly(const Planner *p, const Plan *plan, const GPtrArray *settings, const char **why)
{
	Plan *fresh;

	diag_mute(p->diag);
	fresh = plan_again(p, plan, settings);
	*why = diag_muted_error(p->diag);
	if (*why != NULL)
		*why = arena_strdup(p->arena, *why);
	return diag_unmute(p->diag) == 0 ? fresh : NULL;
}

Plan *
plan_with(const Planner *p, const Plan *plan, const Word *words, int n)
{
	GPtrArray *settings = settings_copy(p->request);
	const char *why;
	Plan *fresh;

	for (int i = 0; i < n; i++)
		settings_add(p, settings, plan, words[i].key, words[i].value);
	fresh = plan_quietly(p, plan, settings, &why);
	g_ptr_array_unref(settings);
	return fresh;
}

#define MOST_WORDS 3

/* Likewise, with a strategy, a block, and N other words, MOST_WORDS of them at most, where the
 * device takes it. */
static Plan *
plan_block(const Planner *p, const Plan *plan, const char *strategy, const int block[2],
	const Word *words, int n)
{
	const int all = block[0] * block[1];
	Word said[2 + MOST_WORDS] = { { "strategy", strategy }, { "threads",
		plan->n_axes > 1 ? block_text(p->arena, block, 2)
		: block_text(p->arena, &all, 1) } };
	Plan *fresh;

	for (int i = 0; i < n; i++)
		said[2 + i] = words[i];
	fresh = plan_with(p, plan, said, 2 + n);
	return fresh != NULL && fresh->why == NULL
		&& !limits_are_broken(p, fresh, limits_use(p)) ? fresh : NULL;
}

gboolean
model_is_free(const Planner *p, const Plan *plan)
{
	static const char *const words[] = {
		"strategy", "threads", "cells", "stream", "exchange", "feed", "load", "edges",
		"persistent", "blocks", "unroll", "slot", "ahead", "barrier", "form", "hold",
		"buffer", "rows", "store",
	};

	if (p->request->strategy != NULL)
		return FALSE;
	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (wish(p, plan->name, words[i]) != NULL && plan_knows(plan, words[i]))
			return FALSE;
	return TRUE;
}

/* ---- the models ---- */

gboolean
model_may_spill(const Candidate *c)
{
	const Plan *plan = c->plan;
	const int stages = STAGE_REGISTERS * (plan->n_stages - 1);
	const int bytes = (int)type_info[plan->stage->target->type].bytes;

	if (plan->strategy == STRATEGY_TILE)
		return (bytes == 8 && c->cost.registers > WIDE_TILE_REGISTERS)
			|| (bytes == 2 && c->cost.registers > NARROW_TILE_REGISTERS);
	if (plan->strategy == STRATEGY_STREAM)
		return c->cost.registers > PLANES_REGISTERS;
	return plan->strategy == STRATEGY_STRIP && c->cost.registers > STRIP_REGISTERS - stages;
}

/* What is only estimated is no reason to leave a kernel that is counted. */
static gboolean
is_counted(const Candidate *c)
{
	return c->killed == NULL && !plan_is_of(c->plan, FAMILY_CELLS);
}

/* Likewise, nor is one that may spill, */
static gboolean
is_sound(const Candidate *c)
{
	return is_counted(c) && !model_may_spill(c);
}

/* unless OWN, the usual plan, is as apt to: another shape of it takes as many registers. */
static gboolean
is_as_sound(const Candidate *own, const Candidate *c)
{
	return is_counted(c) && c->plan->strategy == own->plan->strategy
		&& c->plan->time == own->plan->time && c->cost.registers <= own->cost.registers;
}

/* Integers of which memory has many more than a processor computes: several steps bring nothing. */
static gboolean
computes_long(const Candidate *c)
{
	return !type_is_real(c->plan->stage->target->type)
		&& c->cost.ceiling[CEILING_ARITHMETIC] > LONG * c->cost.ceiling[CEILING_DRAM];
}

/* That of one step, in place of several. */
static double
single_gain(const Candidate *c)
{
	return march_goes_by_pairs(c->plan) ? PAIRS_GAIN : c->cost.limit == CEILING_DRAM
		? MEMORY_GAIN : computes_long(c) ? LONG_GAIN : SINGLE_GAIN;
}

double
model_gain(const Plan *usual, const Candidate *other)
{
	if (usual->strategy != other->plan->strategy)
		return usual->time > 1 && other->plan->time <= 1 ? single_gain(other) : GAIN;
	if (usual->time == other->plan->time)
		return SHAPE_GAIN;
	return type_is_real(usual->stage->target->type) ? STEPS_GAIN : GAIN;
}

static const Candidate *
chosen_of(const GPtrArray *all)
{
	const Candidate *c = NULL;

	for (guint i = 0; i < all->len && (c == NULL || !c->chosen); i++)
		c = g_ptr_array_index(all, i);
	return c;
}

/* What `march' makes of PLAN where nothing else is said, if C is not much faster: other strategies
 * have fewer shapes, and these are measured. */
static const Plan *
in_usual_shape(const Planner *p, const Plan *plan, const Candidate *c)
{
	const Word word = { "strategy", strategies[c->plan->strategy].name };
	const Plan *usual = plan_with(p, plan, &word, 1);
	Prediction cost;

	return usual != NULL && usual->time == c->plan->time
		&& predict(p->request->device, usual, p->arena, &cost) == NULL
		&& cost.seconds < SHAPE_GAIN * c->cost.seconds ? usual : c->plan;
}

int
model_heavy(const Plan *plan)
{
	const Cost cost = work_cost(plan);
	const int operations = cost_all(cost.ops);

	return (plan->n_stages > 1 ? cost_functions(cost.ops) >= COST_MOST_FUNCTIONS
		: operations >= COST_MOST_OPERATIONS) ? operations : 0;
}

/* Of ALL that nothing rules out the first that IS so; NULL: none. */
static const Candidate *
first_of(const GPtrArray *all, gboolean (*is)(const Candidate *c))
{
	for (guint i = 0; i < all->len; i++) {
		const Candidate *c = g_ptr_array_index(all, i);

		if (c->killed == NULL && is(c))
			return c;
	}
	return NULL;
}

static gboolean
is_light(const Candidate *c)
{
	return c->plan->strategy == (c->plan->n_stages > 1 ? STRATEGY_NAIVE : STRATEGY_SHARED);
}

static gboolean
is_any(const Candidate *c)
{
	(void)c;
	return TRUE;
}

/* What stands in for what has too many registers to be predicted; NULL: nothing. */
static const Candidate *
instead_of(const GPtrArray *all)
{
	gboolean (*const is[])(const Candidate *c) = { is_sound, is_light, is_any };
	const Candidate *found = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(is) && found == NULL; i++)
		found = first_of(all, is[i]);
	return found;
}

/* A cell a thread, and what lies around one stage's in shared memory: for several cells nvcc spills
 * (H200, GCells/s by `march' and so: nlmeans of 1397 operations 3.5, 10.6; bilateral of 639 3.0,
 * 2.9; one of three colours 6.7, 17.8).  NULL: that is not known to be better. */
static const Candidate *
lighter_than(const Candidate *own, const GPtrArray *all)
{
	const Candidate *c = own->plan->strategy == STRATEGY_MARCH && model_heavy(own->plan) > 0
		? first_of(all, is_light) : NULL;

	return c != NULL && c->cost.seconds < LIGHT_LOSS * own->cost.seconds ? c : NULL;
}

/* More steps of one map in strips, for which fewer blocks run at once (H200: heat2d by 4 steps 1277
 * GCells/s, by 6 of two blocks for three 791, which would be 1.19 times as fast; of several maps
 * two gained 5 and 25 % by more steps, one lost 6). */
static gboolean
crowds(const Candidate *own, const Candidate *c)
{
	return own->plan->time > 1 && c->plan->time > own->plan->time
		&& own->plan->strategy == STRATEGY_STRIP && own->plan->n_stages == 1
		&& c->plan->strategy == STRATEGY_STRIP
		&& c->cost.residency.blocks < own->cost.residency.blocks;
}

/* Both go down a plane by single steps (H200, 11 x 11 floats, GCells/s: 111 and 146, predicted 121
 * and 149; a disc of ones 333 and 270, predicted 258 and 229). */
static gboolean
are_alike(const Plan *own, const Plan *other)
{
	return plan_is_single_strip(own) && other->strategy == STRATEGY_ACCUMULATE;
}

/* C gains enough over OWN, the usual plan. */
static gboolean
gains(const Candidate *own, const Candidate *c)
{
	const double gain = MAX(model_gain(own->plan, c), crowds(own, c) ? CROWDED_GAIN : 0);

	if (are_alike(own->plan, c->plan))
		return own->cost.seconds > c->cost.seconds;
	return own->cost.seconds > (c->listed ? MAX(gain, LISTED_GAIN) : gain) * c->cost.seconds;
}

/* Of ALL the fastest that gains enough over OWN, the usual plan; of what several steps may become
 * the fastest that does; RESHAPED: of what is as sound as OWN.  NULL: none does. */
static const Candidate *
fastest_of(const GPtrArray *all, const Candidate *own, gboolean reshaped)
{
	for (guint i = 0; i < all->len; i++) {
		const Candidate *c = g_ptr_array_index(all, i);

		if (c == own || !(reshaped ? is_as_sound(own, c) : is_sound(c)))
			continue;
		if (gains(own, c))
			return c;
		if (own->plan->time <= 1)
			break;
	}
	return NULL;
}

const Plan *
model_reshaped(const Planner *p, const Plan *plan)
{
	GPtrArray *all = candidates_of(p->s, p->request, p->request->device, plan, SHAPE_GAIN,
		p->arena);
	const Candidate *own = chosen_of(all);
	const Candidate *c = own->killed == NULL ? fastest_of(all, own, TRUE) : NULL;

	g_ptr_array_unref(all);
	return c != NULL ? c->plan : NULL;
}

/* What takes the place of OWN, the usual plan; NULL: nothing. */
static const Candidate *
better_of(const GPtrArray *all, const Candidate *own)
{
	const Candidate *c;

	if (own->killed != NULL)
		return instead_of(all);
	c = lighter_than(own, all);
	for (int reshaped = 0; reshaped <= 1 && c == NULL; reshaped++)
		c = fastest_of(all, own, reshaped);
	return c;
}

static const Plan *
by_ours(const Planner *p, const Plan *plan)
{
	GPtrArray *all = candidates_of(p->s, p->request, p->request->device, plan, STEPS_GAIN,
		p->arena);
	const Candidate *c = better_of(all, chosen_of(all));
	const Plan *chosen = c == NULL ? plan : plan->strategy != STRATEGY_MARCH
		&& c->plan->strategy == STRATEGY_MARCH ? in_usual_shape(p, plan, c) : c->plan;

	g_ptr_array_unref(all);
	return chosen;
}

static const Plan *
by_shape(const Planner *p, const Plan *plan, const StencilFacts *f, ModelId model)
{
	static const char *const strategy[] = { "shared", "naive" };
	GArray *shapes = choose_shapes(model, p->request->device, f, 0);
	const Plan *chosen = NULL;

	for (gsize s = 0; s < G_N_ELEMENTS(strategy) && chosen == NULL; s++)
		for (guint i = 0; i < shapes->len && chosen == NULL; i++) {
			const ShapeChoice *c = &g_array_index(shapes, ShapeChoice, i);

			if (c->good == GOOD_ALL)
				chosen = plan_block(p, plan, strategy[s], c->block, NULL, 0);
		}
	g_array_unref(shapes);
	return chosen;
}

static const Plan *
by_tabik(const Planner *p, const Plan *plan, const StencilFacts *f)
{
	return by_shape(p, plan, f, MODEL_TABIK);
}

static const Plan *
by_jin(const Planner *p, const Plan *plan, const StencilFacts *f)
{
	return by_shape(p, plan, f, MODEL_JIN);
}

/* The steps of a sweep that are asked for, or as many as C has. */
static gboolean
has_steps(const Planner *p, const Plan *plan, const RawatChoice *c)
{
	const char *time = wish(p, plan->name, "time");

	return time == NULL || atoi(time) == c->time;
}

/* A choice of several steps a sweep is ours where blocks walk down a plane; where they do not,
 * those that are asked for are tiles of ours. */
static Plan *
plan_choice(const Planner *p, const Plan *plan, const StencilFacts *f, const RawatChoice *c)
{
	const int rows = (int)MAX(f->extent[f->rank - 1] / c->chunks, 1);
	const gboolean bands = f->rank == 2 && strategy_find(c->strategy) == STRATEGY_STREAM;
	const Word band[MOST_WORDS] = { { "cells", arena_printf(p->arena, "1x%d", rows) }, { "time",
		arena_printf(p->arena, "%d", c->time) }, { "buffer",
		buffer_name[c->keep == KEEP_WINDOW] } };
	const Word walk = { "cells", arena_printf(p->arena, "1x1x%d", rows) };

	if (strategy_find(c->strategy) == STRATEGY_N || (bands ? !has_steps(p, plan, c)
		: c->time > 1))
		return NULL;
	if (bands)
		return plan_block(p, plan, c->strategy, c->block, band, MOST_WORDS);
	return plan_block(p, plan, c->strategy, c->block, &walk, c->keep != KEEP_TILE);
}

static const Plan *
by_rawat(const Planner *p, const Plan *plan, const StencilFacts *f)
{
	GArray *all = rawat_choices(p->request->device, f, RAWAT_STEPS);
	const Plan *chosen = NULL;

	for (guint i = 0; i < all->len && chosen == NULL; i++)
		chosen = plan_choice(p, plan, f, &g_array_index(all, RawatChoice, i));
	g_array_unref(all);
	return chosen;
}

/* NULL: it has nothing to say of these. */
static const Plan *(*const papers[CHOOSER_N])(const Planner *p, const Plan *plan,
	const StencilFacts *f) = {
	[CHOOSER_TABIK] = by_tabik, [CHOOSER_JIN] = by_jin, [CHOOSER_RAWAT] = by_rawat,
};

static const Plan *
by_paper(const Planner *p, const Plan *plan)
{
	GPtrArray *stages = g_ptr_array_new();
	const StencilFacts *f;
	const Plan *chosen = NULL;

	g_ptr_array_add(stages, (gpointer)plan->stage);
	f = facts_collect(stages, p->arena);
	if (f != NULL)
		chosen = papers[p->request->model](p, plan, f);
	g_ptr_array_unref(stages);
	return chosen != NULL ? chosen : plan;
}

/* The model has something to say of it: how stages share a step's launch is measured, and other
 * cells make it worse, but for what has too many registers. */
static gboolean
is_for_model(const Planner *p, const Plan *plan)
{
	Prediction cost;

	if (plan->stage->kind != STAGE_MAP || !model_is_free(p, plan) || facts_is_narrow(plan))
		return FALSE;
	if (plan->n_stages == 1 || p->request->model != CHOOSER_OURS)
		return plan->n_stages == 1;
	return (plan->time > 0 && p->s->stepped) || model_heavy(plan) > 0
		|| predict(p->request->device, plan, p->arena, &cost) != NULL;
}

const Plan *
model_sound(const Planner *p, const Plan *plan)
{
	Prediction cost;

	return p->request->device != NULL && p->request->model == CHOOSER_OURS
		&& is_for_model(p, plan) && predict(p->request->device, plan, p->arena,
		&cost) != NULL ? by_ours(p, plan) : plan;
}

void
model_plans(const Planner *p, GPtrArray *plans, gboolean grouped)
{
	gboolean ours = p->request->model == CHOOSER_OURS;

	if (p->request->device == NULL || grouped != ours || plans->len > MAX_LAUNCHES)
		return;
	for (guint i = 0; i < plans->len; i++) {
		const Plan *plan = g_ptr_array_index(plans, i);

		if (is_for_model(p, plan))
			plans->pdata[i] = (gpointer)(ours ? by_ours(p, plan) : by_paper(p, plan));
	}
}
