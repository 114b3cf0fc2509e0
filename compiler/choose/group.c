/* group.c: which stages share a launch. */
#include "choose/limits.h"
#include "choose/model.h"
#include "choose/predict.h"

#include <string.h>

#include "plan/line.h"
#include "schedule/fuse.h"

#define MANY_JOINED 32 /* of a launch that grows by more than a stage at a time */

typedef struct {
	const Planner *p;
	GPtrArray *plans;
	Schedule *sched;  /* with a launch for every stage */
	GHashTable **touched; /* by each stage */
	gboolean *looks;      /* by the index of a stage: it only looks at the steps */
	gboolean *crowded;    /* likewise: a launch had no registers for it by as wide vectors */
	const Stage *lacking; /* it had none for this one when it was last tried; NULL: it had */
	gboolean whole;       /* a launch of all others is to make several steps a sweep */
} Grouper;

static const Plan *
plan_at(const Grouper *g, guint i)
{
	return i < g->plans->len ? g_ptr_array_index(g->plans, i) : NULL;
}

/* Launches that make the steps: the first ones, where there are several steps a sweep. */
static guint
n_making(const Grouper *g)
{
	guint n = 0;

	while (n < g->plans->len && !g->looks[plan_at(g, n)->stage->index])
		n++;
	return n;
}

gboolean
stages_are_next(const GPtrArray *plans, guint at, char **names)
{
	for (; *names != NULL; names++, at++)
		if (at >= plans->len || strcmp(((const Plan *)g_ptr_array_index(plans, at))->name,
			*names) != 0)
			return FALSE;
	return TRUE;
}

gboolean
wish_stages(const Planner *p, const GPtrArray *plans, guint at, Wanted *wanted)
{
	const Plan *plan = g_ptr_array_index(plans, at);
	const char *text = wish(p, plan->name, "stages");
	char **names;

	*wanted = (Wanted){ G_MAXINT, FALSE };
	if (text == NULL)
		return TRUE;
	if (g_ascii_isdigit(*text)) {
		wanted->most = wish_number(p, plan, "stages", (int)p->s->stages->len, 1);
		return wanted->most > 0;
	}
	names = g_strsplit(text, "+", -1);
	wanted->exactly = stages_are_next(plans, at, names) && *names != NULL;
	wanted->most = (int)g_strv_length(names);
	g_strfreev(names);
	if (wanted->exactly)
		return TRUE;
	diag_error(p->diag, plan->stage->at, "'%s' is no list of the stages from '%s' on", text,
		plan->name);
	diag_help(p->diag, "write stages=u+v+w, the first ones first, or a number");
	return FALSE;
}

static gboolean
are_reductions(const Plan *plan, const Plan *next)
{
	return plan->stage->kind == STAGE_REDUCE && next->stage->kind == STAGE_REDUCE;
}

/* NEXT may go along the lines of PLAN: another scan, or a map that nobody asks anything for. */
static gboolean
may_share_lines(const Grouper *g, const Plan *plan, const Plan *next)
{
	if (plan->stage->kind != STAGE_SCAN || next->n_stages > 1)
		return FALSE;
	return next->stage->kind == STAGE_SCAN || (next->stage->kind == STAGE_MAP
		&& next->time == 0 && launch_is_open(g->p, next));
}

/* Maps are asked for by what makes several of one step, or by nothing else. */
static gboolean
takes_several(const Grouper *g, const Plan *plan)
{
	return plan->strategy == STRATEGY_NAIVE || plan->strategy == STRATEGY_MARCH
		|| (plan->time == 0 && wish_strategy(g->p, plan->name) == NULL);
}

/* Whether a launch of what PLAN has, and of NEXT, is worth a look. */
static gboolean
may_join(const Grouper *g, const Plan *plan, const Plan *next, const Wanted *wanted)
{
	const gboolean alike = g->looks[plan->stage->index] == g->looks[next->stage->index];

	if (are_reductions(plan, next) || may_share_lines(g, plan, next))
		return alike;
	if (wanted->exactly && takes_several(g, plan) && next->n_stages == 1
		&& !wish_names(g->p, next->name))
		return alike && plan->stage->kind == STAGE_MAP && next->stage->kind == STAGE_MAP;
	return plan->stage->kind != STAGE_SCAN && plannings[plan->strategy]->crowded != NULL
		&& next->strategy == plan->strategy && (alike || !g->whole);
}

/* Scans A and B begin and end at the same cells, which both compute. */
static gboolean
same_lines(const Stencil *s, const Stage *a, const Stage *b)
{
	Region box[2];

	if (line_runs(s, a, &box[0]) && line_runs(s, b, &box[1]))
		return fuse_same_region(a, &box[0], &box[1]);
	return fuse_same_lines(a, b);
}

static gboolean
is_around(const Expr *tap, gconstpointer field)
{
	for (int a = 0; tap->tap.field == field && a < tap->tap.field->grid->rank; a++)
		if (tap->tap.map[a].offset != 0)
			return TRUE;
	return FALSE;
}

/* Maps of a plane that read around their cell what STAGE makes may have it in registers, by a
 * launch that begins with it (pipe.c). */
static gboolean
begins_pipe(const Grouper *g, const Stage *stage)
{
	for (guint i = 0; stage->grid->rank < 3 && i < g->p->s->stages->len; i++) {
		const Stage *by = g_ptr_array_index(g->p->s->stages, i);

		if (by->kind == STAGE_MAP && stage_has_tap(by, is_around, stage->target))
			return TRUE;
	}
	return FALSE;
}

/* What is against one launch of lines that all go along; NULL: nothing, as it is predicted to be
 * no slower. */
static const char *
lines_suffer(const Grouper *g, const Plan *both, const Plan *plan, const Plan *next)
{
	const Device *d = g->p->request->device;
	Prediction whole, first, second;

	if (next->stage->kind == STAGE_MAP
		&& !fuse_reads(plan->stages, plan->n_stages, next->stage))
		return "it reads nothing that the launch makes";
	if (next->stage->kind == STAGE_MAP && begins_pipe(g, next->stage))
		return "maps behind it read it around their cell";
	if (next->stage->kind == STAGE_SCAN && !same_lines(g->p->s, plan->stage, next->stage))
		return "its lines have other cells";
	if (plan->load == LOAD_REMAP && both->load != LOAD_REMAP)
		return "its rows would not fit beside the launch's";
	if (plan->piece > 0 && both->piece == 0)
		return "lines of the launch are cut, and its own cannot be";
	if (plan->piece == 0 && next->piece > 0)
		return "its lines are cut, and those of the launch cannot be";
	if (d == NULL || predict(d, plan, g->p->arena, &first) != NULL
		|| predict(d, next, g->p->arena, &second) != NULL)
		return NULL;
	if (predict(d, both, g->p->arena, &whole) != NULL
		|| whole.registers > d->thread_registers)
		return "a thread would need too many registers";
	return whole.seconds > first.seconds + second.seconds
		? "one launch is predicted to take longer" : NULL;
}

/* BOTH, planned; NULL: it cannot be. */
static Plan *
joined(const Grouper *g, Plan *both, const Plan *next)
{
	if (are_reductions(both, next))
		return both;
	fuse_mark_passing(g->sched, (PlanStage *)both->stages, both->n_stages);
	both->why = NULL;
	return plan_launch(g->p, both) ? both : NULL;
}

/* What is against NEXT in a launch that begins with the first N stages of BOTH, whatever its plan;
 * NULL: nothing. */
static const char *
stage_refuses(const Grouper *g, const Plan *both, int n, const Plan *next, const Wanted *wanted)
{
	const char *why = fuse_refuses(both->stages, n, next->stage, g->p->arena);

	if (why != NULL)
		return why;
	if (n >= wanted->most)
		return "the launch has the stages that are asked for";
	if (are_reductions(both, next) && n >= PLAN_MOST_RESULTS)
		return "a thread would keep too many results";
	if (next->stage->kind == STAGE_SCAN && n >= PLAN_MOST_LINES)
		return "a thread would go along too many lines";
	return wish_names(g->p, next->name) ? "a plan of its own is asked for" : NULL;
}

/* What is against BOTH, PLAN with what ends with NEXT, and nobody asks for; NULL: nothing. */
static const char *
launch_suffers(Grouper *g, const Plan *both, const Plan *plan, const Plan *next)
{
	const Planning *planning = plannings[plan->strategy];
	const char *why = NULL;

	if (both->time == 0 && planning->crowded != NULL)
		why = planning->crowded(g->p, both, plan);
	if (why != NULL)
		g->lacking = next->stage;
	if (both->stage->kind == STAGE_SCAN)
		why = lines_suffer(g, both, plan, next);
	if (why == NULL && limits_are_broken(g->p, both, limits_use(g->p)))
		why = "the device has not enough of what a block would take";
	return why;
}

/* PLAN with the N plans NEXT, of a stage each; NULL: they must not share a launch, and *WHY says
 * why not, if it is worth a word. */
static const Plan *
join(Grouper *g, const Plan *plan, const Plan *const *next, int n, const Wanted *wanted,
	const char **why)
{
	Plan *both = arena_copy(g->p->arena, plan, sizeof *plan); /* no plan yet */

	add_stages(g->p, both, next, (guint)n);
	*why = NULL;
	g->lacking = NULL;
	for (int i = 0; i < n && *why == NULL; i++) {
		if (!may_join(g, plan, next[i], wanted))
			return NULL;
		*why = stage_refuses(g, both, plan->n_stages + i, next[i], wanted);
	}
	if (*why == NULL && plan->strategy == STRATEGY_NAIVE && plan->stage->kind == STAGE_MAP)
		*why = cells_refuse(both);
	if (*why == NULL && !parameters_suit(g->p, both))
		*why = "the launch would need too many parameters";
	both = *why == NULL ? joined(g, both, next[n - 1]) : NULL;
	if (both != NULL && !wanted->exactly)
		*why = launch_suffers(g, both, plan, next[n - 1]);
	return *why == NULL ? both : NULL;
}

/* Stages, more than N, of a launch from plan AT on, stage FIRST, each of which reads what others
 * do: N and one or, as long as any waits for one that reads what it writes, those that come next;
 * 0: none of them brings all together. */
static int
next_paying(const Grouper *g, guint at, int first, int n)
{
	const Plan *next;
	int most = 0, until = -1, last = -1;

	while ((most <= n || until > last) && (next = plan_at(g, at + (guint)most)) != NULL) {
		last = next->stage->index;
		until = MAX(until, fuse_last_use(g->sched, next->stage));
		most++;
	}
	return fuse_paying(&g->touched[first], n + 1, most);
}

/* The launch BOTH moves less than its stages apart, or nobody asks that of it. */
static gboolean
gains(const Grouper *g, const Plan *both, int first, const Wanted *wanted)
{
	return wanted->exactly || both->time > 0 || both->stage->kind == STAGE_SCAN
		|| fuse_pays(&g->touched[first], both->n_stages);
}

/* How many stages are to join PLAN, of plan AT and those behind it, at once: STEP, if there are so
 * many that gain by it, or the next one, if it may be that all make several steps; 0: none. */
static int
n_joining(const Grouper *g, const Plan *plan, guint at, int first, const Wanted *wanted, int step)
{
	int n = plan->n_stages, next = n;

	if (plan_at(g, at + (guint)n) == NULL || !gains(g, plan, first, wanted))
		return 0;
	if (wanted->exactly || plan->time > 0 || plan->stage->kind == STAGE_SCAN)
		return 1;
	while (next > 0 && next < plan->n_stages + step) {
		next = next_paying(g, at, first, next);
		n = MAX(n, next);
	}
	return n > plan->n_stages ? n - plan->n_stages : g->p->s->stepped;
}

/* Why the stage of NEXT, of which the launch of PLAN does not gain, is none of its stages; NULL: it
 * is not worth a word. */
static const char *
why_behind(const Grouper *g, const Plan *plan, const Plan *next, const Wanted *wanted)
{
	const char *why;

	if (next == NULL || !may_join(g, plan, next, wanted))
		return NULL;
	why = stage_refuses(g, plan, plan->n_stages, next, wanted);
	return why != NULL ? why : "it reads nothing that the launch does";
}

/* The launch of plan AT and those that come next, as far as all gain by it, which they do
 * where all of them make several steps in one sweep; *WHY: what keeps the one behind out.
 * Where they are many, as many more are tried at once, then fewer, as each is planned anew. */
static const Plan *
best_launch(Grouper *g, guint at, const Wanted *wanted, const char **why)
{
	const Plan *best = plan_at(g, at), *plan = best;
	int first = 0; /* stages before it */
	int n, step = 1;
	gboolean fewer = FALSE;

	for (guint i = 0; i < at; i++)
		first += plan_at(g, i)->n_stages;
	while ((n = n_joining(g, plan, at, first, wanted, step)) > 0) {
		const Plan *both = join(g, plan, (const Plan *const *)&g->plans->pdata[at
			+ (guint)plan->n_stages], n, wanted, why);

		if (both == NULL && step == 1)
			break;
		fewer = fewer || both == NULL;
		plan = both != NULL ? both : plan;
		if (both != NULL && gains(g, both, first, wanted))
			best = both;
		step = fewer ? MAX(step / 2, 1) : plan->n_stages < MANY_JOINED ? 1 : step * 2;
	}
	if (n > 0 && g->lacking != NULL)
		g->crowded[g->lacking->index] = TRUE;
	if (best != plan || n == 0 || (n > 1 && g->lacking == NULL))
		*why = why_behind(g, best, plan_at(g, at + (guint)best->n_stages), wanted);
	return best;
}

/* The stages that come next join launch AT, until one does not. */
static gboolean
grow(Grouper *g, guint at)
{
	Wanted wanted = { G_MAXINT, FALSE };
	const char *why;
	const Plan *best;
	Plan *next = NULL;

	if (!g->whole && !wish_stages(g->p, g->plans, at, &wanted))
		return FALSE;
	best = best_launch(g, at, &wanted, &why);
	g->plans->pdata[at] = (gpointer)best;
	if (best->n_stages > 1)
		g_ptr_array_remove_range(g->plans, at + 1, (guint)best->n_stages - 1);
	if (at + 1 < g->plans->len)
		next = g_ptr_array_index(g->plans, at + 1);
	if (next != NULL)
		next->apart = why;
	if (!wanted.exactly || best->n_stages == wanted.most)
		return TRUE;
	diag_error(g->p->diag, next->stage->at, "'%s' cannot share the launch of '%s': %s",
		next->name, best->name, why != NULL ? why
		: "only strategies 'march' and 'naive' compute several stages together");
	return FALSE;
}

static Grouper
grouper_of(const Planner *p, GPtrArray *plans, Schedule *sched)
{
	Grouper g = { p, plans, sched, NULL, stencil_looks(p->s), NULL, NULL, FALSE };

	g.crowded = arena_array(p->arena, gboolean, p->s->stages->len);
	g.touched = arena_array(p->arena, GHashTable *, plans->len + 1);
	for (guint i = 0; i < plans->len; i++)
		g.touched[i] = fuse_touched(plan_at(&g, i)->stage);
	return g;
}

/* N: plans that it began with. */
static void
release(Grouper *g, guint n)
{
	for (guint i = 0; i < n; i++)
		g_hash_table_unref(g->touched[i]);
	g_free(g->looks);
}

/* The launches of the N stages where SETTINGS are all that is asked. */
static GPtrArray *
grouped(const Planner *p, Schedule *sched, const PlanStage *stages, int n,
	const GPtrArray *settings)
{
	PlanRequest request = *p->request;
	const Planner own = { p->s, &request, p->arena, p->diag };
	GPtrArray *plans = g_ptr_array_new();
	Grouper g;

	request.file = NULL;
	request.settings = settings;
	request.strategy = NULL;
	request.model = CHOOSER_OURS; /* a paper's kernels stand in for no launch */
	for (int i = 0; i < n; i++) {
		const PlanStage alone = { stages[i].stage, stages[i].name, FALSE };
		Plan plan = { .stage = alone.stage, .name = alone.name, .n_stages = 1,
			.stages = arena_copy(p->arena, &alone, sizeof alone) };

		g_ptr_array_add(plans, arena_copy(p->arena, &plan, sizeof plan));
		plan_launch(&own, g_ptr_array_index(plans, i));
	}
	model_plans(&own, plans, FALSE);
	g = grouper_of(&own, plans, sched);
	for (guint i = 0; i < plans->len; i++)
		grow(&g, i);
	release(&g, (guint)n);
	return plans;
}

GPtrArray *
group_unasked(const Planner *p, Schedule *sched, const PlanStage *stages, int n)
{
	return grouped(p, sched, stages, n, NULL);
}

/* ---- what has no registers for whole vectors ---- */

/* What may be part of a launch of `march`: maps of single steps, that each come once. */
static gboolean
may_be_march(const Plan *plan)
{
	return plan->stage->kind == STAGE_MAP && plan->time == 0
		&& (plan->strategy == STRATEGY_MARCH
		|| plan->strategy == STRATEGY_STREAM_REGISTERS);
}

/* PLAN is of what a launch had no registers for, or by what makes one stage whatever it takes. */
static gboolean
is_kept_apart(const Grouper *g, const Plan *plan)
{
	return plan->strategy != STRATEGY_MARCH || g->crowded[plan->stage->index];
}

/* How many launches from AT on make the same cells and may be fewer; 0: none is kept apart. */
static guint
run_of(const Grouper *g, guint at)
{
	const Stage *first = plan_at(g, at)->stage;
	gboolean apart = FALSE;
	guint n = 0;

	for (const Plan *plan; (plan = plan_at(g, at + n)) != NULL; n++) {
		if (!may_be_march(plan) || plan->stage->grid != first->grid
			|| plan->stage->axes != first->axes)
			break;
		apart = apart || is_kept_apart(g, plan);
	}
	return apart ? n : 0;
}

/* Nothing is asked for but `march`, and one step a sweep. */
static gboolean
may_be_narrower(const Planner *p)
{
	PlanRequest request = *p->request;

	request.time = MAX(request.time - 1, 0);
	if (request.strategy != NULL && strategy_find(request.strategy) == STRATEGY_MARCH)
		request.strategy = NULL;
	return request.device != NULL && request_is_open(&request);
}

/* The stages of PLANS by COLUMNS cells of a row of a thread; NULL: these are no fewer launches. */
static GPtrArray *
by_columns(const Grouper *g, const GPtrArray *plans, int columns)
{
	const Planner *p = g->p;
	const Plan *first = g_ptr_array_index(plans, 0);
	GPtrArray *settings = g_ptr_array_new(), *fresh;
	GArray *stages = g_array_new(FALSE, FALSE, sizeof(PlanStage));

	for (guint i = 0; i < plans->len; i++) {
		const Plan *plan = g_ptr_array_index(plans, i);

		g_array_append_vals(stages, plan->stages, (guint)plan->n_stages);
	}
	g_ptr_array_add(settings, "strategy=march");
	g_ptr_array_add(settings, first->n_axes < 3 ? arena_printf(p->arena, "cells=%dx1", columns)
		: arena_printf(p->arena, "cells=%dx1x%d", columns, MIN(first->cells[2], 8)));
	fresh = grouped(p, g->sched, (const PlanStage *)(void *)stages->data, (int)stages->len,
		settings);
	g_ptr_array_unref(settings);
	g_array_unref(stages);
	if (fresh->len < plans->len)
		return fresh;
	g_ptr_array_unref(fresh);
	return NULL;
}

/* PLANS, or fewer launches of the same, which are faster where launches read the same again and
 * again, though each thread moves fewer cells at once. */
static GPtrArray *
take_narrower(const Grouper *g, GPtrArray *plans)
{
	const Plan *first = g_ptr_array_index(plans, 0);
	const int whole = first->strategy == STRATEGY_MARCH; /* vectors have been tried */
	double least = launches_seconds(g->p, plans) * WHOLE;

	for (int columns = first->cells[0] >> whole; columns > 0 && plans->len > 1; columns /= 2) {
		GPtrArray *fresh = by_columns(g, plans, columns);
		double seconds = fresh != NULL ? launches_seconds(g->p, fresh) : 0;

		if (seconds > 0 && (least == 0 || seconds < least)) {
			g_ptr_array_unref(plans);
			plans = g_ptr_array_ref(fresh);
			least = seconds;
		}
		if (fresh != NULL)
			g_ptr_array_unref(fresh);
	}
	return plans;
}

/* Of N launches from AT on; returns how many they are. */
static guint
narrow_run(const Grouper *g, guint at, guint n)
{
	GPtrArray *plans = g->plans, *run = g_ptr_array_new();

	for (guint i = 0; i < n; i++)
		g_ptr_array_add(run, g_ptr_array_index(plans, at + i));
	run = take_narrower(g, run);
	g_ptr_array_remove_range(plans, at, n);
	n = run->len;
	for (guint i = 0; i < n; i++)
		g_ptr_array_insert(plans, (gint)(at + i), g_ptr_array_index(run, i));
	g_ptr_array_unref(run);
	return n;
}

static void
narrow_runs(const Grouper *g)
{
	for (guint at = 0; at < g->plans->len; at++) {
		guint n = run_of(g, at);

		if (n > 1)
			at += narrow_run(g, at, n) - 1;
	}
}

/* ---- what launches themselves take ---- */

/* PLAN and all stages of NEXT; NULL: they must not share a launch. */
static const Plan *
both_launches(Grouper *g, const Plan *plan, const Plan *next)
{
	static const Wanted any = { G_MAXINT, FALSE };
	const char *why;

	const Plan **each = arena_array(g->p->arena, const Plan *, next->n_stages);

	for (int i = 0; i < next->n_stages; i++) {
		Plan one = *next;

		one.stage = next->stages[i].stage;
		one.name = next->stages[i].name;
		one.n_stages = 1;
		one.stages = &next->stages[i];
		each[i] = arena_copy(g->p->arena, &one, sizeof one);
	}
	return join(g, plan, each, next->n_stages, &any, &why);
}

/* PLAN with NEXT, which reads nothing that it does; NULL: the time of a launch is not worth it,
 * as it is where the grid is small for the GPU. */
static const Plan *
without_launch(Grouper *g, const Plan *plan, const Plan *next)
{
	const Device *d = g->p->request->device;
	Prediction apart[2], cost;
	const Plan *both;
	double seconds, most;

	if (!may_be_march(plan) || plan->strategy != STRATEGY_MARCH || !may_be_march(next)
		|| g->looks[plan->stage->index] != g->looks[next->stage->index]
		|| predict(d, plan, g->p->arena, &apart[0]) != NULL
		|| predict(d, next, g->p->arena, &apart[1]) != NULL)
		return NULL;
	seconds = apart[0].seconds + apart[1].seconds;
	most = apart[0].overhead + apart[1].overhead - (1 - WHOLE) * seconds;
	both = most > 0 ? both_launches(g, plan, next) : NULL;
	return both != NULL && predict(d, both, g->p->arena, &cost) == NULL
		&& cost.overhead < most && cost.seconds < WHOLE * seconds ? both : NULL;
}

static void
save_launches(Grouper *g)
{
	for (guint at = 0; plan_at(g, at + 1) != NULL;) {
		const Plan *both = without_launch(g, plan_at(g, at), plan_at(g, at + 1));

		if (both == NULL) {
			at++;
			continue;
		}
		g->plans->pdata[at] = (gpointer)both;
		g_ptr_array_remove_index(g->plans, at + 1);
	}
}

gboolean
group_plans(const Planner *p, GPtrArray *plans)
{
	Grouper g = grouper_of(p, plans, schedule_new(p->s, plans, p->arena));
	const guint n = plans->len;
	gboolean fine = TRUE;

	g.whole = wants_whole(p, plans, n_making(&g));
	for (guint i = 0; i < plans->len && fine; i++)
		fine = asks_for_pipe(p, plan_at(&g, i)) ? pipe_as_asked(p, g.sched, plans, i)
			: grow(&g, i);
	for (guint i = 0; i < plans->len && fine && !p->s->stepped; i++)
		pipe_if_faster(p, g.sched, plans, i);
	if (fine && may_be_narrower(p))
		narrow_runs(&g);
	if (g.whole && fine)
		fine = join_whole(p, plans, n_making(&g));
	if (fine && may_be_narrower(p))
		save_launches(&g);
	schedule_free(g.sched);
	release(&g, n);
	return fine;
}
