/* candidates.c: words that a plan might have, tried one set after the other. */
#include "choose/candidates.h"

#include <string.h>

#include "choose/planner.h"

#define MAX_WORDS 4

/* Sets of words for a launch that nobody has said them of. */
typedef struct {
	StrategyId strategy;
	int rank;            /* of the launch: axes; 0: any */
	const char *words[MAX_WORDS]; /* "key=value/value/value": each with each */
} Space;

static const Space spaces[] = {
	{ STRATEGY_STRIP, 2, { "", "time=2/4/6/8/10/12" } },
	{ STRATEGY_TILE, 3, { "threads=16x16/32x8", "time=4/3/2", "cells=%x6x32/%x5x32/%x4x32/%x3x32" } },
	{ STRATEGY_STREAM_REGISTERS, 3, { "threads=16x8/16x16", "cells=%x1x32/%x2x32" } },
	{ STRATEGY_STREAM, 3, { "threads=16x8/16x16" } },
	{ STRATEGY_MARCH, 3, { "cells=%x2x4/%x1x4/%x1x16/%x2x8" } },
	{ STRATEGY_MARCH, 2, { "cells=%x1/%x2/%x4" } },
	{ STRATEGY_MARCH, 1, { "" } },
	{ STRATEGY_SHARED, 0, { "" } },
	{ STRATEGY_NAIVE, 0, { "" } },
};

typedef struct {
	Planner p;           /* whose request has the words, too */
	const PlanRequest *request; /* the user's */
	const Device *d;
	const Plan *plan;    /* that the launch has */
	GString *said;
	GHashTable *known;   /* texts of plans */
	GPtrArray *out;
} Search;

static char *
text_of(const Stencil *s, const Plan *plan)
{
	GPtrArray *one = g_ptr_array_new();
	GString *text = g_string_new(NULL);

	g_ptr_array_add(one, (gpointer)plan);
	plan_print(s, one, text);
	g_ptr_array_unref(one);
	return g_string_free(text, FALSE);
}

/* The first error that was said, without the place. */
static const char *
first_error(const Search *s)
{
	static const char mark[] = "error: ";
	const char *from = strstr(s->said->str, mark);

	if (from == NULL)
		return "it is refused";
	from += strlen(mark);
	return arena_printf(s->p.arena, "%.*s", (int)strcspn(from, "\n"), from);
}

static void
add_candidate(Search *s, const char *words, const Plan *plan, const char *killed)
{
	Candidate *c = arena_make(s->p.arena, Candidate);

	c->words = arena_strdup(s->p.arena, words);
	c->plan = plan;
	c->killed = killed != NULL || plan == NULL ? killed
		: predict(s->d, plan, s->p.arena, &c->cost);
	c->chosen = plan == s->plan;
	g_ptr_array_add(s->out, c);
}

/* The launch with SETTINGS besides what is asked for. */
static void
try_settings(Search *s, const char *words, GPtrArray *settings)
{
	PlanRequest request = *s->request;
	Planner p = s->p;
	Plan *plan = arena_copy(p.arena, s->plan, sizeof *plan), *fresh;
	gboolean fine;
	char *text;

	request.settings = settings;
	p.request = &request;
	fresh = arena_make(p.arena, Plan);
	*fresh = (Plan){ .stage = plan->stage, .name = plan->name, .n_stages = plan->n_stages,
		.stages = plan->stages, .apart = plan->apart };
	g_string_truncate(s->said, 0);
	fine = plan_launch(&p, fresh);
	diag_flush(p.diag);
	if (!fine) {
		add_candidate(s, words, NULL, first_error(s));
		return;
	}
	text = text_of(p.s, fresh);
	if (g_hash_table_add(s->known, text))
		add_candidate(s, words, fresh, NULL);
}

/* TRUE if the user says what KEY is. */
static gboolean
is_asked_for(const Search *s, const char *key)
{
	Planner p = s->p;

	p.request = s->request;
	return wish(&p, s->plan->name, key) != NULL;
}

static void
add_setting(const Search *s, GPtrArray *settings, const char *key, const char *value)
{
	g_ptr_array_add(settings, arena_printf(s->p.arena, "%s.%s.%s=%s", s->p.s->name,
		s->plan->name, key, value));
}

/* Each value of the words from N on, with those before them. */
static void
try_words(Search *s, const Space *space, int n, GPtrArray *settings, const char *said)
{
	const char *word = n < MAX_WORDS ? space->words[n] : NULL, *equals;
	char *key, **values;

	if (word == NULL) {
		try_settings(s, said, settings);
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
		int bytes = type_info[s->plan->stage->target->type].bytes;
		char *vector = g_strdup_printf("%d", CLAMP(16 / bytes, 2, 8));
		char **parts = g_strsplit(*value, "%", -1), *text = g_strjoinv(vector, parts);
		char *more = g_strdup_printf("%s %s=%s", said, key, text);

		add_setting(s, settings, key, text);
		try_words(s, space, n + 1, settings, more);
		g_ptr_array_remove_index(settings, settings->len - 1);
		g_free(more);
		g_free(text);
		g_strfreev(parts);
		g_free(vector);
	}
	g_strfreev(values);
	g_free(key);
}

/* Why no plan of ID serves the launch. */
static const char *
why_not(const Search *s, StrategyId id)
{
	const Plan *plan = s->plan;

	if (plan->n_stages > 1 && plannings[id]->crowded == NULL)
		return "a launch of this strategy has one stage";
	for (int i = 0; i < plan->n_stages; i++) {
		const char *why = plannings[id]->refuses(&s->p, plan->stages[i].stage);

		if (why != NULL)
			return why;
	}
	return NULL;
}

static void
try_space(Search *s, const Space *space)
{
	const char *name = strategies[space->strategy].name, *why = why_not(s, space->strategy);
	GPtrArray *settings;

	if (why != NULL) {
		if (s->plan->strategy != space->strategy)
			add_candidate(s, name, NULL, why);
		return;
	}
	if (space->rank > 0 && space->rank != s->plan->n_axes)
		return;
	settings = g_ptr_array_new();
	for (guint i = 0; s->request->settings != NULL && i < s->request->settings->len; i++)
		g_ptr_array_add(settings, g_ptr_array_index(s->request->settings, i));
	add_setting(s, settings, "strategy", name);
	try_words(s, space, 0, settings, name);
	g_ptr_array_unref(settings);
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
	Arena *arena)
{
	Search search = {
		.p = { s, request, arena, diag_new() }, .request = request, .d = d, .plan = plan,
		.said = g_string_new(NULL), .out = g_ptr_array_new(),
	};

	search.known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	diag_set_sink(search.p.diag, search.said);
	diag_set_color(search.p.diag, COLOR_NEVER);
	g_hash_table_add(search.known, text_of(s, plan));
	add_candidate(&search, strategies[plan->strategy].name, plan, NULL);
	if (request->strategy == NULL && !is_asked_for(&search, "strategy"))
		for (gsize i = 0; i < G_N_ELEMENTS(spaces); i++)
			try_space(&search, &spaces[i]);
	g_ptr_array_sort(search.out, compare);
	g_hash_table_unref(search.known);
	g_string_free(search.said, TRUE);
	diag_free(search.p.diag);
	return search.out;
}
