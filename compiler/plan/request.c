/* request.c: wishes that nothing answers to. */
#include <string.h>

#include "plan/plan.h"

/* ---- words, and who knows them ---- */

#define OF(name) (1u << STRATEGY_##name)
#define TILES (OF(TILE) | OF(AN5D))
#define SWEEPS (TILES | OF(STRIP) | OF(CHAIN) | OF(WEAVE) | OF(QUILT))
#define STREAMS (OF(STREAM) | OF(STREAM_REGISTERS))

/* Of strategies, and whether launches that scan lines know it.  What is not here, all do. */
static const struct {
	const char *key;
	guint strategies;
	gboolean scans;
} known[] = {
	{ "turned", OF(QUILT), FALSE },
	{ "exchange", OF(MARCH) | OF(ACCUMULATE) | OF(WEAVE) | TILES, FALSE },
	{ "feed", STREAMS | OF(ACCUMULATE) | OF(STRIP) | OF(CHAIN), FALSE },
	{ "load", STREAMS | OF(ACCUMULATE) | OF(SHARED), TRUE },
	{ "edges", OF(MARCH), FALSE },
	{ "persistent", OF(MARCH), FALSE },
	{ "blocks", STREAMS | OF(ACCUMULATE) | OF(STRIP) | OF(CHAIN), TRUE },
	{ "unroll", STREAMS | OF(ACCUMULATE) | OF(STRIP) | OF(CHAIN) | OF(MARCH) | OF(QUILT)
		| TILES, FALSE },
	{ "slot", OF(CHAIN), FALSE },
	{ "time", SWEEPS | OF(STREAM), FALSE },
	{ "fewer", SWEEPS | OF(STREAM), FALSE },
	{ "slim", OF(TILE), FALSE },
	{ "beside", OF(TILE), FALSE },
	{ "ahead", SWEEPS | STREAMS | OF(ACCUMULATE), TRUE },
	{ "barrier", TILES, FALSE },
	{ "form", TILES, FALSE },
	{ "hold", TILES | OF(STREAM_REGISTERS), FALSE },
	{ "buffer", OF(STREAM), FALSE },
	{ "piece", 0, TRUE },
};

/* Of `accumulate`, what its planes do in shared memory. */
static gboolean
is_of_planes(const char *key)
{
	return strcmp(key, "feed") == 0 || strcmp(key, "load") == 0 || strcmp(key, "ahead") == 0;
}

/* Of what is stepped. */
static gboolean
is_of_steps(const char *key)
{
	return strcmp(key, "time") == 0 || strcmp(key, "fewer") == 0;
}

static gboolean
knows(const Plan *plan, int word)
{
	const char *key = known[word].key;

	if (plan->strategy == STRATEGY_ACCUMULATE && plan->exchange != EXCHANGE_SHARED
		&& is_of_planes(key))
		return FALSE;
	if ((known[word].strategies >> plan->strategy & 1) != 0)
		return !is_of_steps(key) || !plan_is_once(plan);
	return known[word].scans && plan->stage->kind == STAGE_SCAN;
}

/* KEY's number in that table; negative: every strategy knows it. */
static int
find_word(const char *key)
{
	int i = (int)G_N_ELEMENTS(known);

	while (--i >= 0 && strcmp(known[i].key, key) != 0)
		;
	return i;
}

gboolean
plan_knows(const Plan *plan, const char *key)
{
	const int word = find_word(key);

	return word < 0 || knows(plan, word);
}

static void
list_who_knows(int word, Diag *diag)
{
	GString *all = g_string_new(NULL);

	for (StrategyId id = 0; id < STRATEGY_N; id++)
		if (known[word].strategies >> id & 1)
			g_string_append_printf(all, "%s'%s'%s", all->len > 0 ? ", " : "",
				strategies[id].name, id == STRATEGY_ACCUMULATE
				&& is_of_planes(known[word].key) ? " (exchange=shared)" : "");
	if (known[word].scans)
		g_string_append_printf(all, "%slaunches that scan", all->len > 0 ? ", " : "");
	diag_help(diag, "%s is a word of: %s", known[word].key, all->str);
	g_string_free(all, TRUE);
}

/* ---- launches ---- */

/* The first LENGTH bytes of NAME. */
static gboolean
is_named(const char *name, gsize length, const char *whole)
{
	return strlen(whole) == length && strncmp(whole, name, length) == 0;
}

/* NAME, LENGTH bytes of it, is "stencil.launch", or "launch" if BRIEF. */
static gboolean
is_of(const char *name, gsize length, gboolean brief, const Stencil *s, const Plan *plan)
{
	char *full = g_strdup_printf("%s.%s", s->name, plan->name);
	gboolean same = is_named(name, length, full)
		|| (brief && is_named(name, length, plan->name));

	g_free(full);
	return same;
}

/* NAME, LENGTH bytes of it, is that of a launch which there would be, if its stage were not
 * computed by those that read it, which is said. */
static gboolean
is_spared(const char *name, gsize length, gboolean brief, const Program *p, Diag *diag)
{
	for (guint i = 0; i < p->stencils->len; i++) {
		const Stencil *s = g_ptr_array_index(p->stencils, i);

		for (guint k = 0; k < s->spared->len; k++) {
			const Plan plan = { .name = g_ptr_array_index(s->spared, k) };

			if (!is_of(name, length, brief, s, &plan))
				continue;
			diag_warn(diag, WARN_UNHEARD, (Span){ 0 }, "what is asked of '%s' is "
				"passed over: it is computed where it is read", plan.name);
			diag_help(diag, "-fno-inline has a launch make it");
			return TRUE;
		}
	}
	return FALSE;
}

typedef struct {
	int launches; /* that are meant: all of them, if none is named, */
	int knowing;  /* and which of them know the word */
} Answer;

/* Who answers to NAME (LENGTH bytes; 0: all do), and knows WORD. */
static Answer
ask_launches(const char *name, gsize length, gboolean brief, int word, const Program *p,
	GPtrArray *const *plans)
{
	Answer answer = { 0, 0 };

	for (guint i = 0; i < p->stencils->len; i++)
		for (guint k = 0; k < plans[i]->len; k++) {
			const Plan *plan = g_ptr_array_index(plans[i], k);

			if (length > 0 && !is_of(name, length, brief,
				g_ptr_array_index(p->stencils, i), plan))
				continue;
			answer.launches++;
			answer.knowing += word < 0 || knows(plan, word);
		}
	return answer;
}

/* One step a sweep is what those who do not know the word make. */
static gboolean
is_as_it_is(const char *key, const char *value)
{
	return strcmp(key, "time") == 0 && strcmp(value, "1") == 0;
}

/* Words that plans have so that people see them. */
static gboolean
is_printed_only(const char *key)
{
	static const char *const printed[] = { "apart", "shared", "why", NULL };

	return g_strv_contains(printed, key);
}

/* [[STENCIL.]LAUNCH.]KEY=VALUE */
typedef struct {
	const char *text;
	gsize named;       /* bytes of the launch's name; 0: all are meant */
	char *key;
	const char *value;
} Setting;

static Setting
read_setting(const char *text)
{
	const char *equals = strchr(text, '=');
	const gsize length = (gsize)(equals - text);
	const char *dot = g_strrstr_len(text, (gssize)length, ".");
	const gsize named = dot != NULL ? (gsize)(dot - text) : 0;
	const char *key = dot != NULL ? dot + 1 : text;

	return (Setting){ text, named, g_strndup(key, (gsize)(equals - key)), equals + 1 };
}

/* Somebody is meant, and nobody that is knows the word. */
static gboolean
is_unheard(const Setting *s, const Answer *answer)
{
	return answer->launches > 0 && (is_printed_only(s->key)
		|| (answer->knowing == 0 && !is_as_it_is(s->key, s->value)));
}

static void
warn_unheard(const Setting *s, int word, Diag *diag)
{
	if (is_printed_only(s->key)) {
		diag_warn(diag, WARN_UNHEARD, (Span){ 0 }, "--set %s is passed over: '%s' only "
			"says how a plan came out", s->text, s->key);
		return;
	}
	diag_warn(diag, WARN_UNHEARD, (Span){ 0 }, "--set %s is passed over: no launch is "
		"by a strategy that knows '%s'", s->text, s->key);
	list_who_knows(word, diag);
}

static gboolean
check_setting(const char *text, const Program *p, GPtrArray *const *plans, Diag *diag)
{
	Setting s = read_setting(text);
	const int word = find_word(s.key);
	const Answer answer = ask_launches(text, s.named, TRUE, word, p, plans);
	const gboolean fine = answer.launches > 0 || s.named == 0
		|| is_spared(text, s.named, TRUE, p, diag);

	if (!fine) {
		diag_error(diag, (Span){ 0 }, "--set %s: there is no launch of that name", text);
		diag_help(diag, "--dump=plan lists them");
	} else if (is_unheard(&s, &answer)) {
		warn_unheard(&s, word, diag);
	}
	g_free(s.key);
	return fine;
}

GPtrArray *
plan_heard(const PlanRequest *request, const Program *p, GPtrArray *const *plans)
{
	GPtrArray *heard = g_ptr_array_new();

	for (guint i = 0; request->settings != NULL && i < request->settings->len; i++) {
		char *text = g_ptr_array_index(request->settings, i);
		Setting s = read_setting(text);
		const Answer answer = ask_launches(text, s.named, TRUE, find_word(s.key), p, plans);

		if (!is_unheard(&s, &answer))
			g_ptr_array_add(heard, text);
		g_free(s.key);
	}
	return heard;
}

/* Words that give launches the strategy of PLAN, by which it knows others. */
static void
add_strategy(const Stencil *s, const Plan *plan, Arena *arena, GPtrArray *settings)
{
	g_ptr_array_add(settings, arena_printf(arena, "%s.%s.strategy=%s", s->name, plan->name,
		strategies[plan->strategy].name));
	if (plan->strategy == STRATEGY_ACCUMULATE)
		g_ptr_array_add(settings, arena_printf(arena, "%s.%s.exchange=%s", s->name,
			plan->name, exchange_name[plan->exchange]));
}

GPtrArray *
plan_insisting(const PlanRequest *request, const GPtrArray *heard, const Program *p,
	GPtrArray *const *plans, Arena *arena)
{
	GPtrArray *settings = g_ptr_array_new();

	for (guint n = 0; n < request->settings->len; n++) {
		char *text = g_ptr_array_index(request->settings, n);
		Setting s = read_setting(text);
		const gboolean lost = !g_ptr_array_find((GPtrArray *)heard, text, NULL);

		for (guint i = 0; i < p->stencils->len && lost; i++)
			for (guint k = 0; k < plans[i]->len; k++) {
				const Stencil *of = g_ptr_array_index(p->stencils, i);
				const Plan *plan = g_ptr_array_index(plans[i], k);

				if ((s.named == 0 || is_of(text, s.named, TRUE, of, plan))
					&& plan_knows(plan, s.key))
					add_strategy(of, plan, arena, settings);
			}
		g_ptr_array_add(settings, text);
		g_free(s.key);
	}
	return settings;
}

/* Warns of a word of GROUP that its launch does not know. */
static void
check_word(const PlanRequest *request, const char *group, const char *key, const Program *p,
	GPtrArray *const *plans, Diag *diag)
{
	const int word = find_word(key);
	char *value = g_key_file_get_value(request->file, group, key, NULL);

	if (!is_printed_only(key) && !is_as_it_is(key, value)
		&& ask_launches(group, strlen(group), FALSE, word, p, plans).knowing == 0) {
		diag_warn(diag, WARN_UNHEARD, plan_place(request->source, group, key),
			"%s=%s is passed over: the launch is by no strategy that knows '%s'", key,
			value, key);
		list_who_knows(word, diag);
	}
	g_free(value);
}

static gboolean
check_group(const PlanRequest *request, const char *group, const Program *p,
	GPtrArray *const *plans, Diag *diag)
{
	char **keys;

	if (ask_launches(group, strlen(group), FALSE, -1, p, plans).launches == 0) {
		if (is_spared(group, strlen(group), FALSE, p, diag))
			return TRUE;
		diag_error(diag, plan_place(request->source, group, NULL),
			"the plan has a group [%s], and there is no such launch", group);
		diag_help(diag, "--dump=plan lists them");
		return FALSE;
	}
	keys = g_key_file_get_keys(request->file, group, NULL, NULL);
	for (char **key = keys; *key != NULL; key++)
		check_word(request, group, *key, p, plans, diag);
	g_strfreev(keys);
	return TRUE;
}

gboolean
plan_check_request(const PlanRequest *request, const Program *p, GPtrArray *const *plans,
	Diag *diag)
{
	gboolean fine = TRUE;

	for (guint i = 0; request->settings != NULL && i < request->settings->len; i++)
		fine = check_setting(g_ptr_array_index(request->settings, i), p, plans, diag)
			&& fine;
	if (request->file != NULL) {
		char **groups = g_key_file_get_groups(request->file, NULL);

		for (char **it = groups; *it != NULL; it++)
			fine = check_group(request, *it, p, plans, diag) && fine;
		g_strfreev(groups);
	}
	return fine;
}
