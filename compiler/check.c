/* check.c: --check: a plan whose kernels do not spill registers.
 *
 * nvcc compiles the output.  Where a kernel spills, its launch gets the best of the
 * candidates that are said to need fewer registers, or else one of the same strategy
 * that asks for less, as often as TRIES says; what was asked for stays.  In the end the
 * plan with the least spilling is taken.
 */
#include "unit.h"

#include <string.h>

#include "choose/candidates.h"
#include "emit/emit.h"
#include "kernel/lower.h"
#include "nvcc.h"

#define TRIES 8

/* A launch whose kernel spills. */
typedef struct {
	const Stencil *s;
	const Plan *plan;
	int bytes;  /* of the launch that spills most */
	int total;  /* of all */
	int known;  /* kernels that nvcc has spoken of */
} Spill;

/* ---- what nvcc says ---- */

/* The run ends with CODE because of WHY. */
static void
fail(Unit *u, int code, const char *why)
{
	diag_error(u->diag, (Span){ 0 }, "--check: %s", why);
	if (code == EXIT_IO)
		diag_help(u->diag, "leave --check away, or name a compiler (NVCC)");
	u->failed = code;
}

/* What nvcc makes of the output as it would be; NULL: reported. */
static GPtrArray *
compile(Unit *u)
{
	const Options *o = u->options;
	char *output, *header;
	NvccInput in = {
		.program = o->nvcc, .arch = u->arch, .datadir = o->datadir,
		.source = u->file->source->name, .include = o->include, .base = u->base,
		.seconds = o->check_seconds,
	};
	GError *error = NULL;
	GPtrArray *uses;

	write_texts(u, &output, &header);
	in.output = output;
	in.header = header;
	uses = nvcc_uses(&in, &error);
	g_free(output);
	g_free(header);
	if (uses == NULL) {
		fail(u, g_error_matches(error, NVCC_ERROR, NVCC_ERROR_TEXT) ? EXIT_ERRORS : EXIT_IO,
			error->message);
		g_error_free(error);
	}
	return uses;
}

static const KernelUse *
use_named(const GPtrArray *uses, const char *name)
{
	for (guint i = 0; i < uses->len; i++) {
		const KernelUse *use = g_ptr_array_index(uses, i);

		if (strcmp(use->name, name) == 0)
			return use;
	}
	return NULL;
}

/* Bytes that the kernels of a launch spill; those of its rest are not its own.  *KNOWN grows by
 * the kernels that USES has. */
static int
launch_spill(const Unit *u, const GPtrArray *uses, const Plan *plan, const char *kernel, int *known)
{
	int bytes = 0;

	for (Variant v = 0; v < VARIANT_N; v++) {
		const char *name = variant_name(u->arena, plan, v, kernel);
		const KernelUse *use = use_named(uses, name);

		if (use == NULL)
			continue;
		++*known;
		unit_say(u, "check: %s: %d registers, %d bytes of spilling", name, use->registers,
			use->spill);
		if (variant_plan(plan, v) == plan || v == VARIANT_LAPPED)
			bytes += use->spill;
	}
	return bytes;
}

static void
look_at(const Unit *u, const GPtrArray *uses, const Stencil *s, const Schedule *sched, Spill *worst)
{
	GPtrArray *names = emit_kernel_names(sched);

	for (guint i = 0; i < sched->launches->len; i++) {
		const Launch *launch = g_ptr_array_index(sched->launches, i);
		int bytes = launch_spill(u, uses, launch->plan, g_ptr_array_index(names, i),
			&worst->known);

		if (launch->part) /* of a rest */
			continue;
		worst->total += bytes;
		if (bytes > worst->bytes) {
			worst->bytes = bytes;
			worst->s = s;
			worst->plan = launch->plan;
		}
	}
	g_ptr_array_unref(names);
}

/* FALSE, and reported: nvcc cannot be asked. */
static gboolean
find_spill(Unit *u, Spill *worst)
{
	GPtrArray *uses = compile(u);
	guint launches = 0;

	*worst = (Spill){ 0 };
	if (uses == NULL)
		return FALSE;
	for (guint i = 0; i < u->program->stencils->len; i++) {
		look_at(u, uses, u->schedules[i]->stencil, u->schedules[i], worst);
		launches += u->schedules[i]->launches->len;
	}
	g_ptr_array_unref(uses);
	if (launches == 0 || worst->known > 0)
		return TRUE;
	fail(u, EXIT_IO, "the compiler says nothing of the kernels: is it nvcc?");
	return FALSE;
}

/* ---- the next plan ---- */

/* What of a plan is made smaller, the first that can be. */
typedef enum { LESS_TIME, LESS_COLUMNS, LESS_ROWS, LESS_N } Less;

typedef struct {
	Less less[LESS_N];
	int n;
} Smaller;

static const Smaller smaller[STRATEGY_N] = {
	[STRATEGY_MARCH] = { { LESS_ROWS, LESS_COLUMNS }, 2 },
	[STRATEGY_STRIP] = { { LESS_TIME, LESS_COLUMNS }, 2 },
	[STRATEGY_CHAIN] = { { LESS_COLUMNS }, 1 },
	[STRATEGY_TILE] = { { LESS_TIME, LESS_ROWS }, 2 },
	[STRATEGY_AN5D] = { { LESS_TIME }, 1 },
	[STRATEGY_WEAVE] = { { LESS_TIME, LESS_ROWS }, 2 },
	[STRATEGY_QUILT] = { { LESS_ROWS }, 1 },
	[STRATEGY_STREAM] = { { LESS_ROWS, LESS_COLUMNS }, 2 },
	[STRATEGY_STREAM_REGISTERS] = { { LESS_ROWS, LESS_COLUMNS }, 2 },
	[STRATEGY_ACCUMULATE] = { { LESS_COLUMNS }, 1 },
};

static const Smaller *
smaller_of(const Plan *plan)
{
	static const Smaller band = { { LESS_TIME }, 1 }; /* its threads have a cell each */

	return plan_has_bands(plan) ? &band : &smaller[plan->strategy];
}

static gboolean
make_less(Less less, const Plan *plan, GKeyFile *file, const char *group)
{
	int cells[IR_MAX_RANK], time = plan->time - MAX(plan->time / 4, 1);
	char *text;

	memcpy(cells, plan->cells, sizeof cells);
	if (less == LESS_TIME && time >= 1) {
		g_key_file_set_integer(file, group, "time", time);
		return TRUE;
	}
	if (less == LESS_TIME || cells[less == LESS_ROWS] <= 1)
		return FALSE;
	if (less == LESS_ROWS)
		cells[1] -= MAX(cells[1] / 4, 1);
	else
		cells[0] /= 2;
	text = g_strdup_printf("%dx%dx%d", cells[0], cells[1], cells[2]);
	g_key_file_set_string(file, group, "cells", text);
	g_free(text);
	return TRUE;
}

static char *
plans_text(const Unit *u)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < u->program->stencils->len; i++)
		plan_print(g_ptr_array_index(u->program->stencils, i), u->plans[i], text);
	return g_string_free(text, FALSE);
}

static GKeyFile *
key_file_of(const char *text)
{
	GKeyFile *file = g_key_file_new();

	g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, NULL);
	return file;
}

/* Plans by what TEXT, a key file, says. */
static gboolean
plan_by(Unit *u, const char *text)
{
	gboolean fine;

	if (u->request.file != NULL)
		g_key_file_unref(u->request.file);
	u->request.file = key_file_of(text);
	diag_mute(u->diag);
	fine = unit_plan(u);
	return diag_unmute(u->diag) == 0 && fine;
}

/* The words of the plans as they are. */
static char *
words_now(const Unit *u)
{
	return u->request.file != NULL ? g_key_file_to_data(u->request.file, NULL, NULL)
		: g_strdup("");
}

/* What is tried for a launch. */
typedef struct {
	Unit *u;
	const char *asked;  /* the user's words, a key file; */
	GHashTable *known;  /* texts of plans that were tried */
	char *group;        /* of the launch; */
	char *words;        /* all words of before */
} Trial;

/* With FILE's words; FALSE: it cannot be, or was tried before. */
static gboolean
try_words(const Trial *t, GKeyFile *file)
{
	char *words = g_key_file_to_data(file, NULL, NULL);
	gboolean found = plan_by(t->u, words)
		&& g_hash_table_add(t->known, plans_text(t->u));

	g_free(words);
	return found;
}

/* FILE gets the words of PLAN, but for what only says how it came about. */
static void
copy_words(const Trial *t, const Stencil *s, const Plan *plan, GKeyFile *file)
{
	static const char *const said[] = { "apart", "shared", "why", NULL };
	GPtrArray *one = g_ptr_array_new();
	GString *text = g_string_new(NULL);
	GKeyFile *from;
	char **keys;

	g_ptr_array_add(one, (gpointer)plan);
	plan_print(s, one, text);
	from = key_file_of(text->str);
	keys = g_key_file_get_keys(from, t->group, NULL, NULL);
	for (char **key = keys; key != NULL && *key != NULL; key++) {
		char *value = g_key_file_get_value(from, t->group, *key, NULL);

		if (!g_strv_contains(said, *key))
			g_key_file_set_value(file, t->group, *key, value);
		g_free(value);
	}
	g_strfreev(keys);
	g_key_file_unref(from);
	g_string_free(text, TRUE);
	g_ptr_array_unref(one);
}

/* The registers that the model thinks a launch takes; G_MAXINT: it does not know. */
static int
registers_of(const Unit *u, const Plan *plan)
{
	Prediction cost;

	return predict(u->device, plan, u->arena, &cost) == NULL ? cost.registers : G_MAXINT;
}

/* The best candidate that has not been tried and needs fewer registers. */
static gboolean
try_candidates(const Trial *t, const Stencil *s, const Plan *plan)
{
	PlanRequest request = t->u->request;
	int registers = registers_of(t->u, plan);
	GPtrArray *candidates;
	gboolean found = FALSE;

	request.file = key_file_of(t->asked);
	candidates = candidates_of(s, &request, t->u->device, plan, 0, t->u->arena);
	g_key_file_unref(request.file);
	for (guint i = 0; i < candidates->len && !found; i++) {
		const Candidate *c = g_ptr_array_index(candidates, i);
		GKeyFile *file;

		if (c->plan == NULL || c->killed != NULL || c->cost.registers >= registers
			|| (c->listed && c->plan->strategy != plan->strategy))
			continue;
		file = key_file_of(t->words);
		copy_words(t, s, c->plan, file);
		found = try_words(t, file);
		g_key_file_unref(file);
	}
	g_ptr_array_unref(candidates);
	return found;
}

/* The same strategy, with less to do for a thread. */
static gboolean
try_less(const Trial *t, const Plan *plan)
{
	gboolean found = FALSE;

	for (int i = 0; i < smaller_of(plan)->n && !found; i++) {
		GKeyFile *file = key_file_of(t->words);

		g_key_file_set_string(file, t->group, "strategy",
			strategies[plan->strategy].name);
		found = make_less(smaller_of(plan)->less[i], plan, file, t->group)
			&& try_words(t, file);
		g_key_file_unref(file);
	}
	return found;
}

/* Another plan for the launch that spills; FALSE: there is none, and the plans are as
 * they were. */
static gboolean
try_another(Unit *u, const char *asked, GHashTable *known, const Spill *spill)
{
	const Plan plan = *spill->plan;
	Trial t = { u, asked, known, g_strdup_printf("%s.%s", spill->s->name, plan.name),
		words_now(u) };
	gboolean found = try_candidates(&t, spill->s, &plan) || try_less(&t, &plan);

	if (!found)
		plan_by(u, t.words);
	g_free(t.words);
	g_free(t.group);
	return found;
}

void
check_plans(Unit *u)
{
	GHashTable *known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	char *asked = words_now(u), *best = words_now(u);
	int least = G_MAXINT;
	Spill spill;

	g_hash_table_add(known, plans_text(u));
	for (int i = 0; i < TRIES && find_spill(u, &spill); i++) {
		if (spill.total < least) {
			least = spill.total;
			g_free(best);
			best = words_now(u);
		}
		if (spill.total == 0)
			break;
		unit_say(u, "check: '%s' spills, another plan is tried", spill.plan->name);
		if (!try_another(u, asked, known, &spill))
			break;
	}
	if (!u->failed && least > 0) {
		plan_by(u, best);
		diag_warn(u->diag, WARN_SPILL, (Span){ 0 }, "--check: %d bytes of registers spill, "
			"and no other plan that was tried spills less", least);
	}
	g_hash_table_unref(known);
	g_free(asked);
	g_free(best);
}
