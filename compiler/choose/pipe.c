/* pipe.c: stages that read around a cell what others make, as one launch, where nothing is
 * stepped: pipelines.
 *
 * Launches that come one after the other become one of `strip` or, in a volume of which planes
 * read others, of `weave`, as many as it can serve: what only its stages read never leaves its
 * registers.  The launches that it stands for remain for rows that do not fit.
 */
#include "choose/facts.h"
#include "choose/limits.h"
#include "choose/model.h"
#include "choose/predict.h"

#include <string.h>

#include "analyze/cost.h"
#include "kernel/source.h"
#include "kernel/steps.h"
#include "schedule/fuse.h"

#define LOOSE_BLOCKS 3 /* that run at once: nvcc would take a few registers more, and it were two */
#define LOOSE_WORDS 128 /* at hand in a lane, at most, where they leave it enough of them */
#define LOOSE_AHEAD 5  /* rows on their way to shared memory, where whole vectors go another way */
#define LEAST_COLUMNS 2
#define PIPE_GAIN 1.2  /* against what is predicted of launches that read far: by measurement; */
#define LONE_GAIN 1.1    /* where it is one launch alone, */
#define NARROW_GAIN 0.8  /* of cells that launches take by twos, */
#define SPACE_GAIN WHOLE /* and of `weave`, likewise */
#define MOST_WORDS 384
#define MOST_WORSE 2   /* pipes that save less than the one before, until none more is tried */
#define MOST_STAGES 64 /* of a launch that nobody has asked for */

typedef struct {
	const Planner *p;
	Schedule *sched;
	GPtrArray *plans;
	guint at;      /* the first launch */
	GPtrArray *parts; /* what stands for it and those behind it; NULL: that is not known yet */
	double *seconds;  /* of the first so many parts, as predicted; -1: they are not */
	StrategyId by; /* that is asked for; STRATEGY_N: none is */
} Pipe;

/* ---- what may be one ---- */

const char *
pipe_by_refuses(const Stencil *s, const PlanStage *stages, int n, StrategyId id)
{
	const int rank = stages[0].stage->grid->rank;
	const char *why;

	if (id != STRATEGY_STRIP && (id != STRATEGY_WEAVE || rank < IR_MAX_RANK))
		return "it makes no steps";
	why = pipe_refuses(s, stages, n, rank);
	return why == NULL && id == STRATEGY_STRIP && rank == IR_MAX_RANK
		? planes_refuse(s, stages, n) : why;
}

/* What makes the stages of ALL where nobody says it. */
static StrategyId
usual_pipe(const Planner *p, const Plan *all)
{
	return all->stage->grid->rank == IR_MAX_RANK && planes_refuse(p->s, all->stages,
		all->n_stages) != NULL ? STRATEGY_WEAVE : STRATEGY_STRIP;
}

static const Plan *
launch(const Pipe *pipe, guint i)
{
	return g_ptr_array_index(pipe->plans, pipe->at + i);
}

/* ALL, the first launch, gets the stages of the first N. */
static void
set_stages(const Pipe *pipe, guint n, Plan *all)
{
	add_stages(pipe->p, all, (const Plan *const *)&pipe->plans->pdata[pipe->at + 1], n - 1);
	fuse_mark_passing(pipe->sched, (PlanStage *)all->stages, all->n_stages);
}

static const char *
pipe_why_not(const Pipe *pipe, const Plan *all)
{
	const StrategyId by = pipe->by != STRATEGY_N ? pipe->by : usual_pipe(pipe->p, all);
	const char *why = pipe_by_refuses(pipe->p->s, all->stages, all->n_stages, by);

	if (why == NULL && !parameters_suit(pipe->p, all))
		why = "the launch would need too many parameters";
	return why;
}

/* The N PLANS from FIRST on, as nobody asks for anything: nvcc would spill for some of them. */
static GPtrArray *
sound_parts(const Planner *p, const GPtrArray *plans, guint first, guint n)
{
	PlanRequest request = *p->request;
	const Planner open = { p->s, &request, p->arena, p->diag };
	GPtrArray *parts = g_ptr_array_new();

	request.file = NULL;
	request.settings = NULL;
	request.strategy = NULL;
	for (guint i = first; i < first + n; i++)
		g_ptr_array_add(parts, (gpointer)model_sound(&open, g_ptr_array_index(plans, i)));
	return parts;
}

/* Those, and how long they take. */
static void
know_parts(Pipe *pipe, guint n)
{
	const Planner *p = pipe->p;
	const Device *d = p->request->device;

	pipe->parts = sound_parts(p, pipe->plans, pipe->at, n);
	pipe->seconds = arena_array(p->arena, double, n + 1);
	for (guint i = 0; i < n; i++) {
		Prediction part;
		const gboolean known = pipe->seconds[i] >= 0 && d != NULL && predict(d,
			g_ptr_array_index(pipe->parts, i), p->arena, &part) == NULL;

		pipe->seconds[i + 1] = known ? pipe->seconds[i] + part.seconds : -1;
	}
}

/* What stands for ALL, the first N launches: the same whether the pipe is asked for or not. */
static const Plan *
rest_of(const Pipe *pipe, guint n, const Plan *all)
{
	const Planner *p = pipe->p;
	GPtrArray *plans, *parts;
	const Plan *rest;

	if (pipe->parts != NULL)
		return launch_rest(p, pipe->parts, 0, n);
	plans = group_unasked(p, pipe->sched, all->stages, all->n_stages);
	parts = sound_parts(p, plans, 0, plans->len);
	rest = launch_rest(p, parts, 0, parts->len);
	g_ptr_array_unref(plans);
	g_ptr_array_unref(parts);
	return rest;
}

/* The first N launches as one; NULL: they are none, and it is said why. */
static Plan *
pipe_of(const Pipe *pipe, guint n)
{
	const Planner *p = pipe->p;
	Plan *all = arena_copy(p->arena, launch(pipe, 0), sizeof *all);

	set_stages(pipe, n, all);
	all->rest = rest_of(pipe, n, all);
	memset(all->span, 0, sizeof all->span);
	all->why = NULL;
	return plan_launch(p, all) ? all : NULL;
}

static void
replace(const Pipe *pipe, guint n, Plan *all)
{
	if (n > 1)
		g_ptr_array_remove_range(pipe->plans, pipe->at + 1, n - 1);
	pipe->plans->pdata[pipe->at] = all;
}

/* ---- as asked ---- */

/* STRATEGY_N: none that makes pipes. */
static StrategyId
asked_pipe(const Planner *p, const Plan *first)
{
	const char *name = wish_strategy(p, first->name);
	const StrategyId id = name != NULL ? strategy_find(name) : STRATEGY_N;

	return id != STRATEGY_N && strategies[id].steps
		&& launch_refuses(p, first, id) == NULL ? id : STRATEGY_N;
}

gboolean
asks_for_pipe(const Planner *p, const Plan *first)
{
	return !p->s->stepped && asked_pipe(p, first) != STRATEGY_N;
}

static gboolean
is_possible(const Pipe *pipe, guint n)
{
	Plan all = *launch(pipe, 0);

	set_stages(pipe, n, &all);
	return pipe_why_not(pipe, &all) == NULL;
}

/* How many launches might be one, none of which asks for a plan of its own. */
static guint
n_open(const Pipe *pipe)
{
	const guint left = pipe->plans->len - pipe->at;
	guint n = 1;

	while (n < left && !plan_is_chained(launch(pipe, n))
		&& !wish_names(pipe->p, launch(pipe, n)->name))
		n++;
	return n;
}

/* The most launches, N or fewer, that are one pipe.  Where some are none, fewer may be one and
 * more, too: what reads nothing from memory is one together with what does. */
static guint
n_possible(const Pipe *pipe, guint n)
{
	while (n > 1 && !is_possible(pipe, n))
		n--;
	return n;
}

/* FALSE, and reported: the stages that are named are no pipe. */
static gboolean
names_suit(const Pipe *pipe, guint n)
{
	const Plan *first = launch(pipe, 0);
	Plan named = *first;
	const char *why;

	set_stages(pipe, n, &named);
	why = pipe_why_not(pipe, &named);
	if (why == NULL)
		return TRUE;
	diag_error(pipe->p->diag, first->stage->at, "strategy '%s' cannot compute '%s' in one "
		"launch: %s", strategies[pipe->by].name, wish(pipe->p, first->name, "stages"), why);
	diag_help(pipe->p->diag, "name fewer stages, or leave it away");
	return FALSE;
}

gboolean
pipe_as_asked(const Planner *p, Schedule *sched, GPtrArray *plans, guint at)
{
	const Pipe pipe = { p, sched, plans, at, NULL, NULL, asked_pipe(p, g_ptr_array_index(plans,
		at)) };
	Wanted wanted;
	Plan *all;
	guint n;

	if (!wish_stages(p, plans, at, &wanted))
		return FALSE;
	n = wanted.exactly ? (guint)wanted.most
		: n_possible(&pipe, MIN((guint)wanted.most, n_open(&pipe)));
	if (wanted.exactly && !names_suit(&pipe, n))
		return FALSE;
	if (n == 1)
		return TRUE;
	all = pipe_of(&pipe, n);
	if (all == NULL)
		return FALSE;
	replace(&pipe, n, all);
	return TRUE;
}

/* ---- by itself ---- */

/* A stage reads around a cell what another of the launch makes. */
static gboolean
is_pipe(const Pipe *pipe, guint n)
{
	Plan all = *launch(pipe, 0);

	set_stages(pipe, n, &all);
	for (int i = launch(pipe, 0)->n_stages; i < all.n_stages; i++)
		if (fuse_refuses(all.stages, i, all.stages[i].stage, pipe->p->arena) != NULL)
			return TRUE;
	return FALSE;
}

/* Sums of cells above and below in a plane: a thread of `march' has all of them before it computes,
 * and there are few threads then. */
static gboolean
adds_rows(const Plan *plan)
{
	gboolean plain = plan->strategy == STRATEGY_MARCH && plan->n_axes == 2
		&& facts_narrowest(plan) >= LEAST_COPY;
	int rows = 0;

	for (int i = 0; i < plan->n_stages && plain; i++) {
		const Stage *stage = plan->stages[i].stage;

		plain = cost_long(stage) == COST_SHORT;
		for (int end = 0; end < 2; end++)
			rows = MAX(rows, stage_reach(stage, plan->axis[1], end));
	}
	return plain && rows > 0;
}

/* Each launch has something in common with the others. */
static gboolean
is_one(const Pipe *pipe, guint n)
{
	Plan all = *launch(pipe, 0);
	GHashTable **touched;
	gboolean one;

	set_stages(pipe, n, &all);
	touched = g_new(GHashTable *, (gsize)all.n_stages);
	for (int i = 0; i < all.n_stages; i++)
		touched[i] = fuse_touched(all.stages[i].stage);
	one = fuse_pays(touched, all.n_stages);
	for (int i = 0; i < all.n_stages; i++)
		g_hash_table_unref(touched[i]);
	g_free(touched);
	return one;
}

/* By the fewest cells of a lane, which takes all registers with what the first N launches have
 * at hand. */
static gboolean
is_too_much(const Pipe *pipe, guint n)
{
	Plan all = *launch(pipe, 0);

	set_stages(pipe, n, &all);
	if (usual_pipe(pipe->p, &all) != STRATEGY_STRIP)
		return FALSE;
	all.strategy = STRATEGY_STRIP;
	all.time = 1;
	all.feed = FEED_DIRECT;
	all.cells[0] = LEAST_COLUMNS;
	return strip_shape(&all, pipe->p->arena).words > MOST_WORDS;
}

/* What the model, where there is one, has ALL, the first N launches, take less than GAIN times what
 * stands for it; 0 or less: it is not faster. */
static double
saves(const Pipe *pipe, guint n, const Plan *all, double gain)
{
	const Planner *p = pipe->p;
	const Device *d = p->request->device;
	Prediction whole;
	double seconds;

	if (d == NULL)
		return n > 1 ? G_MAXDOUBLE : 0;
	if (pipe->parts != NULL)
		seconds = pipe->seconds[n];
	else if (rest_seconds(d, all->rest, p->arena, &seconds) == 0)
		return 0;
	return predict(d, all, p->arena, &whole) == NULL ? gain * seconds - whole.seconds : 0;
}

/* What is asked of N launches as one, ALL by BY. */
static double
gain_of(const Plan *all, guint n, StrategyId by)
{
	if (by != STRATEGY_STRIP)
		return SPACE_GAIN;
	if (plan_widest(all) < LEAST_COPY)
		return NARROW_GAIN;
	return n == 1 ? LONE_GAIN : PIPE_GAIN;
}

/* The first N launches as one, which saves *SECONDS; NULL: none does. */
static Plan *
faster_pipe(const Pipe *pipe, guint n, double *seconds)
{
	const Planner *p = pipe->p;
	Plan *all;
	StrategyId by;

	if (!is_possible(pipe, n) || !(n > 1 ? is_one(pipe, n) && is_pipe(pipe, n)
		: adds_rows(launch(pipe, 0))) || is_too_much(pipe, n))
		return NULL;
	diag_mute(p->diag);
	all = pipe_of(pipe, n);
	if (diag_unmute(p->diag) > 0 || all == NULL)
		return NULL;
	by = usual_pipe(p, all);
	if (all->strategy != by) /* which what breaks a limit is not */
		return NULL;
	*seconds = saves(pipe, n, all, gain_of(all, n, by));
	return *seconds > 0 ? all : NULL;
}

/* The first launches, MOST or fewer, as one that saves most, which has *N of them; NULL: none
 * saves any.  Those of fewer save less, but where lanes of a strip have registers for it. */
static Plan *
best_pipe(const Pipe *pipe, guint most, guint *n)
{
	Plan *best = NULL;
	double least = 0;
	int worse = 0;

	for (guint i = most; i > 1 && worse < MOST_WORSE; i--) {
		double seconds;
		Plan *all = faster_pipe(pipe, i, &seconds);

		worse += best != NULL;
		if (all == NULL || seconds <= least)
			continue;
		best = all;
		least = seconds;
		*n = i;
		worse = all->strategy == STRATEGY_STRIP ? 0 : MOST_WORSE;
	}
	return best;
}

/* How many launches have no more stages than one that nobody asks for. */
static guint
n_few(const Pipe *pipe)
{
	const guint open = n_open(pipe);
	int stages = 0;
	guint n = 0;

	while (n < open && (stages += launch(pipe, n)->n_stages) <= MOST_STAGES)
		n++;
	return n;
}

void
pipe_if_faster(const Planner *p, Schedule *sched, GPtrArray *plans, guint at)
{
	Pipe pipe = { p, sched, plans, at, NULL, NULL, STRATEGY_N };
	const Plan *first = launch(&pipe, 0);
	double seconds;
	Plan *all;
	guint n;

	if (!launch_is_open(p, first) || launch_refuses(p, first, usual_pipe(p, first)) != NULL)
		return;
	n = n_few(&pipe);
	if (request_is_open(p->request))
		know_parts(&pipe, n);
	all = best_pipe(&pipe, n, &n);
	if (all == NULL && n > 0)
		all = faster_pipe(&pipe, n = 1, &seconds);
	if (all != NULL)
		replace(&pipe, n, all);
	g_clear_pointer(&pipe.parts, g_ptr_array_unref);
}

/* ---- rows that begin and end anywhere ---- */

/* Cells come one by one, by copies to shared memory where they are large enough for such. */
static gboolean
set_loose(const Planner *p, Plan *loose)
{
	const Feed feed = loose->feed;
	StripShape s;

	loose->ragged = TRUE;
	loose->feed = loose->n_axes > 1 ? FEED_ASYNC : FEED_DIRECT;
	s = strip_shape(loose, p->arena);
	if (s.copy < LEAST_COPY) {
		loose->feed = FEED_DIRECT;
		s = strip_shape(loose, p->arena);
	}
	if (loose->feed != feed)
		loose->ahead = loose->feed == FEED_ASYNC ? LOOSE_AHEAD : 1;
	loose->blocks = s.words <= LOOSE_WORDS ? LOOSE_BLOCKS : 1;
	loose->shared = strip_shape(loose, p->arena).shared;
	return loose->shared <= shared_limit(p);
}

gboolean
plan_loose(const Planner *p, Plan *plan)
{
	Plan *loose = arena_copy(p->arena, plan, sizeof *plan);

	if (!p->s->stepped && ((plan->strategy == STRATEGY_STRIP && set_loose(p, loose))
		|| (plan->strategy == STRATEGY_WEAVE && weave_loosen(p, loose))))
		plan->loose = loose;
	return TRUE;
}
