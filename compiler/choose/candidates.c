/* candidates.c: words that a plan might have, tried one set after the other. */
#include "choose/candidates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose/facts.h"
#include "choose/model.h"
#include "kernel/lower.h"
#include "kernel/source.h"

#define MAX_WORDS 4
#define LEAST_COLUMNS 4 /* of a strip's lane */
#define PROMISING 0.6 /* of a plan's cells are stored: others may do better */
#define MANY_ROWS 12  /* around a cell */
#define IDLE 0.5      /* of the blocks that run at once there are: what is measured was larger */

/* What becomes of them: they may be chosen; there are none but where processors are idle, where a
 * thread of the usual plan has no registers for a vector, where cells are narrow (else kernels for
 * rows that lie anywhere do as much), where strips hold one step, or where all that is usual is too
 * large for the device; no GPU has shown them to gain anything; nor has one, and they are of what
 * is no step. */
typedef enum {
	CHOSEN, CHOSEN_IDLE, CHOSEN_NARROWER, CHOSEN_NARROW, CHOSEN_SINGLE, CHOSEN_INSTEAD, LISTED,
	LISTED_ONCE,
} SpaceUse;

/* Sets of words for a launch that nobody has said them of. */
typedef struct {
	StrategyId strategy;
	int rank;            /* of the launch: axes; 0: any */
	SpaceUse use;
	const char *words[MAX_WORDS]; /* "key=value/value/value": each with each */
} Space;

static const Space spaces[] = {
	{ STRATEGY_STRIP, 2, CHOSEN, { "time=2/4/6/8/10/12", "feed=direct" } },
	{ STRATEGY_STRIP, 2, CHOSEN_IDLE, { "cells=@x32/@x16" } },
	{ STRATEGY_STRIP, 2, LISTED, { "time=4/8/10/12", "feed=async" } },
	{ STRATEGY_STRIP, 1, CHOSEN, { "time=4/8/12/16/24" } },
	{ STRATEGY_STRIP, 1, LISTED, { "time=32" } },
	{ STRATEGY_STRIP, 2, LISTED_ONCE, { "feed=direct/async", "cells=4x16/8x16/8x32" } },
	{ STRATEGY_TILE, 3, CHOSEN, { "threads=16x16/32x8", "time=4/3/2",
		"cells=%x6x32/%x5x32/%x4x32/%x3x32" } },
	{ STRATEGY_CHAIN, 2, LISTED, { "threads=32x4", "time=8/12/16/20" } },
	{ STRATEGY_CHAIN, 2, LISTED, { "threads=32x8", "time=8/16" } },
	{ STRATEGY_WEAVE, 3, CHOSEN, { "time=4/1" } },
	{ STRATEGY_WEAVE, 3, CHOSEN, { "time=3/2", "cells=%x3x32" } },
	{ STRATEGY_WEAVE, 3, LISTED, { "time=4/3/2", "cells=%x3x32/%x2x32/%x1x32" } },
	{ STRATEGY_WEAVE, 2, LISTED, { "" } },
	{ STRATEGY_STREAM_REGISTERS, 3, CHOSEN, { "threads=16x8/16x16", "cells=%x1x40/%x2x40" } },
	{ STRATEGY_STREAM_REGISTERS, 3, CHOSEN_NARROWER, { "threads=16x8", "cells=2x1x80" } },
	{ STRATEGY_STREAM_REGISTERS, 3, LISTED, { "threads=16x8/16x16", "load=remap" } },
	{ STRATEGY_ACCUMULATE, 3, CHOSEN, { "exchange=l1/shared" } },
	{ STRATEGY_ACCUMULATE, 2, CHOSEN_NARROW, { "cells=4x16/8x16" } },
	{ STRATEGY_ACCUMULATE, 2, CHOSEN_SINGLE, { "" } },
	{ STRATEGY_ACCUMULATE, 2, LISTED, { "" } },
	{ STRATEGY_STREAM, 3, CHOSEN, { "threads=16x8/16x16" } },
	{ STRATEGY_STREAM, 2, LISTED, { "threads=32x16/64x16", "time=2/4" } },
	{ STRATEGY_MARCH, 3, CHOSEN, { "cells=%x2x4/%x1x4/%x1x16/%x2x8" } },
	{ STRATEGY_MARCH, 2, CHOSEN, { "cells=%x1/%x2/%x4" } },
	{ STRATEGY_ACCUMULATE, 2, CHOSEN_INSTEAD, { "cells=2x16/4x16/8x16" } },
	{ STRATEGY_MARCH, 3, CHOSEN_INSTEAD, { "cells=8x1x4/4x1x4" } },
	{ STRATEGY_MARCH, 2, CHOSEN_INSTEAD, { "cells=8x1/4x1" } },
	{ STRATEGY_MARCH, 2, CHOSEN_INSTEAD, { "cells=%x1/8x1/4x2/4x1/2x1", "edges=split" } },
	{ STRATEGY_MARCH, 1, CHOSEN, { "" } },
	{ STRATEGY_MARCH, 0, LISTED, { "persistent=fill" } },
	{ STRATEGY_MARCH, 0, LISTED, { "edges=split" } },
	{ STRATEGY_MARCH, 0, LISTED, { "store=streaming" } },
	{ STRATEGY_SHARED, 0, CHOSEN, { "" } },
	{ STRATEGY_NAIVE, 0, CHOSEN, { "" } },
};

typedef struct {
	Planner p;
	const Device *d;
	const Plan *plan;    /* that the launch has */
	GHashTable *known;   /* texts of plans */
	gboolean refused[STRATEGY_N]; /* it is said why */
	double gain;         /* that is asked for */
	const Prediction *own; /* of PLAN; NULL: there is none */
	GPtrArray *out;
} Search;

/* All that tells PLAN from others: rows and what is left of the steps are added at the end. */
static char *
text_of(const Stencil *s, const Plan *plan)
{
	GPtrArray *one = g_ptr_array_new();
	GString *text = g_string_new(NULL);
	Plan bare = *plan;

	bare.fewer = NULL;
	bare.slim = NULL;
	bare.turned = NULL;
	bare.paddable = FALSE;
	bare.layout = LAYOUT_ANY;
	g_ptr_array_add(one, &bare);
	plan_print(s, one, text);
	g_ptr_array_unref(one);
	return g_string_free(text, FALSE);
}

static Candidate *
add_candidate(Search *s, const char *words, const Plan *plan, const char *killed)
{
	Candidate *c = arena_make(s->p.arena, Candidate);

	c->words = arena_strdup(s->p.arena, words);
	c->plan = plan;
	c->killed = killed != NULL || plan == NULL ? killed
		: predict(s->d, plan, s->p.arena, &c->cost);
	c->chosen = plan == s->plan;
	g_ptr_array_add(s->out, c);
	return c;
}

/* What of PLAN is not what is asked for; NULL: nothing. */
static const char *
is_against(const Search *s, const Plan *plan)
{
	const char *steps = wish(&s->p, plan->name, "time");

	if (steps == NULL || !s->p.s->stepped
		|| (plan->time > 0) == (strcmp(steps, "1") != 0))
		return NULL;
	return arena_printf(s->p.arena, "time: it makes %s, and %s is asked for",
		plan->time > 0 ? "several steps a sweep" : "one step a sweep", steps);
}

/* What settings say of steps, and of the cells of a thread across the walk. */
typedef struct {
	int time;            /* the plan's, where nothing is said */
	int columns, rows;
	gboolean cells;      /* these are known, or that there are no fewer */
} Said;

static Said
what_is_said(const Search *s, const Space *space, const GPtrArray *settings)
{
	PlanRequest request = *s->p.request;
	const Planner p = { s->p.s, &request, s->p.arena, s->p.diag };
	const char *time, *cells;
	Said said = { 1, MIN(LEAST_COLUMNS, VECTOR_BYTES
		/ type_info[s->plan->stage->target->type].bytes), 1,
		space->strategy != STRATEGY_CHAIN };

	request.settings = settings;
	time = wish(&p, s->plan->name, "time");
	cells = wish(&p, s->plan->name, "cells");
	if (strategies[space->strategy].steps)
		said.time = MAX(time != NULL ? atoi(time) : s->plan->time, 1);
	if (space->strategy == STRATEGY_TILE)
		said.cells = cells != NULL
			&& sscanf(cells, "%dx%d", &said.columns, &said.rows) == 2;
	return said;
}

/* Registers for the planes, or rows, that a walk through several steps keeps at the very
 * least; 0: it is none, or nothing is said of it. */
static int
least_registers(const Search *s, const Said *said)
{
	const Plan *plan = s->plan;
	int bytes = type_info[plan->stage->target->type].bytes;
	int along = plan->axis[MAX(plan->n_axes - 1, 0)];

	return said->time > 1 && said->cells ? stage_breadth(plan->stage, along) * said->columns
		* said->rows * said->time * MAX(bytes / 4, 1) : 0;
}

/* FALSE: it cannot gain enough.  No plan moves less than a cell's bytes in all its steps; and
 * steps of a tile that are not more than before save no more than a part. */
static gboolean
is_promising(const Search *s, const Space *space, const Said *said)
{
	double gain = space->use >= LISTED ? MAX(s->gain, LISTED_GAIN) : s->gain;
	double wanted = s->own != NULL ? s->own->seconds / gain : 0;
	int steps = MAX(s->plan->time, 1);

	if (s->gain <= 0 || s->own == NULL)
		return TRUE;
	if (s->own->least * steps / said->time > wanted)
		return FALSE;
	return said->time > steps || s->own->full < PROMISING * s->own->redundancy
		|| steps == 1 || space->strategy != STRATEGY_TILE;
}

/* What reads far in a plane: the model does not know what `march` takes for it (H200, a star of
 * radius 4, GCells/s: predicted 399, measured 195, by `accumulate` 345). */
static gboolean
reads_far(const Plan *plan)
{
	return plan->strategy == STRATEGY_ACCUMULATE && plan->n_axes == 2;
}

/* The model may give PLAN the strategy ID.  Steps of several stages that share a launch are single
 * steps where they are nothing else, and go cell by cell where they would spill. */
static gboolean
may_change(const Plan *plan, StrategyId id)
{
	if (id == STRATEGY_MARCH && reads_far(plan))
		return FALSE;
	return plan->strategy == id || plan->n_stages == 1 || id == STRATEGY_MARCH
		|| (id == STRATEGY_NAIVE && model_heavy(plan) > 0);
}

/* The launch with SETTINGS besides what is asked for. */
static void
try_settings(Search *s, const Space *space, const char *words, GPtrArray *settings)
{
	const Said said = what_is_said(s, space, settings);
	int least = least_registers(s, &said);
	const char *why;
	const Plan *plan;

	if (!is_promising(s, space, &said))
		return;
	if (least > s->d->thread_registers) {
		add_candidate(s, words, NULL, arena_printf(s->p.arena, "registers: at least %d of "
			"a thread, of %d", least, s->d->thread_registers));
		return;
	}
	plan = plan_quietly(&s->p, s->plan, settings, &why);
	if (plan == NULL)
		add_candidate(s, words, NULL, why);
	else if (g_hash_table_add(s->known, text_of(s->p.s, plan)))
		add_candidate(s, words, plan, is_against(s, plan))->listed
			= space->use >= LISTED || !may_change(s->plan, space->strategy);
}

/* TRUE if the user says what KEY is. */
static gboolean
is_asked_for(const Search *s, const char *key)
{
	return wish(&s->p, s->plan->name, key) != NULL;
}

/* VALUE of KEY, with a vector's cells for each `%', and the plan's for `@'; of steps as many, at
 * most, as go well with the tests of `until`.  A chain takes multiples of its warps only. */
static char *
value_text(const Search *s, const Space *space, const char *key, const char *value)
{
	int bytes = type_info[s->plan->stage->target->type].bytes;
	const gboolean own = strchr(value, '@') != NULL;
	char *vector, **parts, *text;

	if (strcmp(key, "time") == 0 && space->strategy != STRATEGY_CHAIN)
		return g_strdup_printf("%d", steps_between(s->p.s, atoi(value)));
	vector = g_strdup_printf("%d", own ? s->plan->cells[0]
		: CLAMP(VECTOR_BYTES / bytes, 2, space->strategy == STRATEGY_MARCH ? 16 : 8));
	parts = g_strsplit(value, own ? "@" : "%", -1);
	text = g_strjoinv(vector, parts);
	g_strfreev(parts);
	g_free(vector);
	return text;
}

/* Each value of the words from N on, with those before them. */
static void
try_words(Search *s, const Space *space, int n, GPtrArray *settings, const char *said)
{
	const char *word = n < MAX_WORDS ? space->words[n] : NULL, *equals;
	char *key, **values;

	if (word == NULL) {
		try_settings(s, space, said, settings);
		return;
	}
	equals = strchr(word, '=');
	key = g_strndup(word, equals != NULL ? (gsize)(equals - word) : 0);
	if (equals == NULL || is_asked_for(s, key)) {
		try_words(s, space, n + 1, settings, said);
		g_free(key);
		return;
	}
	values = g_strsplit(equals + 1, "/", -1);
	for (char **value = values; *value != NULL; value++) {
		char *text = value_text(s, space, key, *value);
		char *more = g_strdup_printf("%s %s=%s", said, key, text);

		settings_add(&s->p, settings, s->plan, key, text);
		try_words(s, space, n + 1, settings, more);
		g_ptr_array_remove_index(settings, settings->len - 1);
		g_free(more);
		g_free(text);
	}
	g_strfreev(values);
	g_free(key);
}

/* What the launches of single steps would reach that the plan, which is chained, stands for. */
static const char *
why_apart(const Search *s)
{
	static const char *const why = "stages read other cells of what the launch makes";
	double seconds;
	const int n = rest_seconds(s->d, s->plan->rest, s->p.arena, &seconds);

	if (n == 0)
		return why;
	return arena_printf(s->p.arena, "%s; %sin %d launches, %.1f GCells/s are predicted", why,
		s->p.s->stepped ? "by single steps, " : "", n, 1e-9 / seconds);
}

/* Why no plan of ID serves the launch. */
static const char *
why_not(const Search *s, StrategyId id)
{
	const Plan *plan = s->plan;
	gboolean steps = strategies[id].steps;

	if (stages_refuse(plan, id) != NULL)
		return stages_refuse(plan, id);
	for (int i = 0; i < plan->n_stages; i++) {
		const char *why = plannings[id]->refuses(&s->p, plan->stages[i].stage);

		if (why != NULL)
			return why;
	}
	if (steps && !s->p.s->stepped)
		return plan_is_chained(plan) ? NULL
			: "no stage of the launch reads around a cell what another makes";
	if (steps)
		return plan_has_makers(&s->p, plan) ? NULL
			: "its launch has not all maps of a step";
	return plan_is_chained(plan) ? why_apart(s) : NULL;
}

/* Few walks through steps, of a grid that is small for them. */
static gboolean
is_idle(const Search *s)
{
	return s->own != NULL && strategies[s->plan->strategy].steps && s->own->waves <= 1
		&& s->own->full < IDLE;
}

/* The usual plan has too many registers, or goes cell by cell for that, where there are two at
 * least of a vector. */
static gboolean
lacks_registers(const Search *s)
{
	const Plan *plan = s->plan;

	return (s->own == NULL || (plan->strategy == STRATEGY_MARCH && plan->cells[0] == 1))
		&& 2 * type_info[plan->stage->target->type].bytes < VECTOR_BYTES;
}

static gboolean
reads_narrow(const Expr *tap, gconstpointer user)
{
	(void)user;
	return type_info[tap->tap.field->type].bytes <= NARROW_BYTES;
}

static gboolean
is_whole(const Expr *e)
{
	return expr_op_info[e->op].shape != SHAPE_LEAF && cost_kind(e) == COST_INTEGER;
}

/* Sums of narrow cells, each of which `march` has in a register of its own.  Not the least and
 * largest, of which two are in one (H200, GCells/s by `march` and so: 9 x 9 bytes 939, 382); of
 * whole numbers those of many rows (11 x 11 bytes 273, 279; 15 x 15 92, 238). */
static gboolean
is_narrow_sum(const Plan *plan)
{
	Expr *value = plan->stage->value;

	return expr_has_tap(value, reads_narrow, NULL) && !expr_has(value, expr_is_extreme)
		&& (!expr_has(value, is_whole)
		|| stage_breadth(plan->stage, plan->axis[1]) >= MANY_ROWS);
}

/* Whether SPACE is looked at for what is asked of the candidates. */
static gboolean
is_weighed(const Search *s, const Space *space)
{
	if ((space->use == CHOSEN_IDLE && (!is_idle(s) || s->plan->strategy != space->strategy))
		|| (space->use == CHOSEN_NARROWER && !lacks_registers(s))
		|| (space->use == CHOSEN_NARROW && !is_narrow_sum(s->plan))
		|| (space->use == CHOSEN_SINGLE && !plan_is_single_strip(s->plan)))
		return FALSE;
	return s->gain <= 0 || (space->use <= CHOSEN_INSTEAD
		&& may_change(s->plan, space->strategy));
}

static void
try_space(Search *s, const Space *space)
{
	const char *name = strategies[space->strategy].name, *why = why_not(s, space->strategy);
	GPtrArray *settings;

	if (why != NULL) {
		if (s->plan->strategy != space->strategy && !s->refused[space->strategy])
			add_candidate(s, name, NULL, why);
		s->refused[space->strategy] = TRUE;
		return;
	}
	if (strategies[space->strategy].steps
		&& (space->use == LISTED_ONCE) != plan_is_once(s->plan))
		return;
	if ((space->rank > 0 && space->rank != s->plan->n_axes) || !is_weighed(s, space))
		return;
	settings = settings_copy(s->p.request);
	settings_add(&s->p, settings, s->plan, "strategy", name);
	try_words(s, space, 0, settings, name);
	g_ptr_array_unref(settings);
}

/* The plan is too large for the device, or goes cell by cell for that, as all do that might be
 * chosen. */
static gboolean
is_too_large(const Search *s)
{
	const Plan *plan = s->plan;

	for (guint i = 0; i < s->out->len; i++) {
		const Candidate *c = g_ptr_array_index(s->out, i);

		if (c->killed == NULL && !c->listed && (plan->n_stages > 1
			|| !plan_is_of(c->plan, FAMILY_CELLS)))
			return FALSE;
	}
	return !facts_is_narrow(plan);
}

/* Of much that a cell computes nvcc keeps too much for several cells of a thread, but for sums of
 * planes one after the other. */
static gboolean
holds_heavy(const Search *s, const Space *space)
{
	return s->plan->n_stages > 1 || model_heavy(s->plan) == 0
		|| space->strategy == STRATEGY_ACCUMULATE;
}

/* What may stand INSTEAD of those that are too large, the first of these that is not; or the
 * others. */
static void
try_spaces(Search *s, gboolean instead)
{
	for (gsize i = 0; i < G_N_ELEMENTS(spaces); i++)
		if ((spaces[i].use == CHOSEN_INSTEAD) == instead
			&& (!instead || (is_too_large(s) && holds_heavy(s, &spaces[i]))))
			try_space(s, &spaces[i]);
}

static int
compare(gconstpointer a, gconstpointer b)
{
	const Candidate *x = *(const Candidate *const *)a, *y = *(const Candidate *const *)b;

	if ((x->killed != NULL) != (y->killed != NULL))
		return x->killed != NULL ? 1 : -1;
	return x->cost.seconds < y->cost.seconds ? -1 : x->cost.seconds > y->cost.seconds;
}

GPtrArray *
candidates_of(const Stencil *s, const PlanRequest *request, const Device *d, const Plan *plan,
	double gain, Arena *arena)
{
	Search search = {
		.p = { s, request, arena, diag_new() }, .d = d, .plan = plan, .gain = gain,
		.out = g_ptr_array_new(),
	};
	const Candidate *own;

	search.known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_hash_table_add(search.known, text_of(s, plan));
	add_candidate(&search, strategies[plan->strategy].name, plan, NULL);
	own = g_ptr_array_index(search.out, 0);
	search.own = own->killed == NULL ? &own->cost : NULL;
	if (plan->stage->kind == STAGE_MAP && wish_strategy(&search.p, plan->name) == NULL) {
		try_spaces(&search, FALSE);
		try_spaces(&search, TRUE);
	}
	g_ptr_array_sort(search.out, compare);
	g_hash_table_unref(search.known);
	diag_free(search.p.diag);
	return search.out;
}
