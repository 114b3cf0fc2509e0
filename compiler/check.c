/* check.c: --check: a plan whose kernels do not spill registers.
 *
 * nvcc compiles the output.  Where a kernel spills, its launch gets the next plan
 * that asks for less, as often as TRIES says; what was asked for stays.  In the end
 * the plan with the least spilling is taken.
 */
#include "unit.h"

#include <string.h>

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
} Spill;

/* ---- what nvcc says ---- */

static void G_GNUC_PRINTF(2, 3)
say(const Unit *u, const char *format, ...)
{
	char *text, *line;
	va_list args;

	if (!u->options->verbose)
		return;
	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	line = g_strdup_printf("stencilc: check: %s\n", text);
	diag_say(u->diag, line);
	g_free(line);
	g_free(text);
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
		gboolean text = error->domain == G_MARKUP_ERROR;

		diag_error(u->diag, (Span){ 0 }, "--check: %s", error->message);
		if (!text)
			diag_help(u->diag, "leave --check away, or name a compiler (NVCC)");
		u->failed = text ? EXIT_ERRORS : EXIT_IO;
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

/* Bytes that the kernels of a launch spill; those of its rest are not its own. */
static int
launch_spill(const Unit *u, const GPtrArray *uses, const Plan *plan, const char *kernel)
{
	int bytes = 0;

	for (Variant v = 0; v < VARIANT_N; v++) {
		const char *name = variant_name(u->arena, plan, v, kernel);
		const KernelUse *use = use_named(uses, name);

		if (use == NULL)
			continue;
		say(u, "%s: %d registers, %d bytes of spilling", name, use->registers, use->spill);
		if (variant_plan(plan, v) == plan)
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
		int bytes = launch_spill(u, uses, launch->plan, g_ptr_array_index(names, i));

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

	*worst = (Spill){ 0 };
	if (uses == NULL)
		return FALSE;
	for (guint i = 0; i < u->program->stencils->len; i++)
		look_at(u, uses, g_ptr_array_index(u->program->stencils, i), u->schedules[i],
			worst);
	g_ptr_array_unref(uses);
	return TRUE;
}

/* ---- the next plan ---- */

/* What of a plan is made smaller, the first that can be. */
typedef enum { LESS_TIME, LESS_COLUMNS, LESS_ROWS, LESS_N } Less;

static const struct {
	Less less[LESS_N];
	int n;
} smaller[STRATEGY_N] = {
	[STRATEGY_MARCH] = { { LESS_ROWS, LESS_COLUMNS }, 2 },
	[STRATEGY_STRIP] = { { LESS_TIME, LESS_COLUMNS }, 2 },
	[STRATEGY_TILE] = { { LESS_TIME, LESS_ROWS }, 2 },
	[STRATEGY_STREAM] = { { LESS_ROWS, LESS_COLUMNS }, 2 },
	[STRATEGY_STREAM_REGISTERS] = { { LESS_ROWS, LESS_COLUMNS }, 2 },
};

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

/* Plans by what TEXT, a key file, says. */
static gboolean
plan_by(Unit *u, const char *text)
{
	gboolean fine;

	if (u->request.file != NULL)
		g_key_file_unref(u->request.file);
	u->request.file = g_key_file_new();
	g_key_file_load_from_data(u->request.file, text, strlen(text), G_KEY_FILE_NONE, NULL);
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

/* Another plan for the launch that spills; FALSE: there is none, and the plans are as
 * they were. */
static gboolean
try_less(Unit *u, const Spill *spill)
{
	char *group = g_strdup_printf("%s.%s", spill->s->name, spill->plan->name);
	char *words = words_now(u), *before = plans_text(u);
	const Plan plan = *spill->plan;
	gboolean found = FALSE;

	for (int i = 0; i < smaller[plan.strategy].n && !found; i++) {
		GKeyFile *file = g_key_file_new();
		char *text, *after;

		g_key_file_load_from_data(file, words, strlen(words), G_KEY_FILE_NONE, NULL);
		g_key_file_set_string(file, group, "strategy", strategies[plan.strategy].name);
		if (make_less(smaller[plan.strategy].less[i], &plan, file, group)) {
			text = g_key_file_to_data(file, NULL, NULL);
			found = plan_by(u, text);
			after = found ? plans_text(u) : NULL;
			found = found && strcmp(before, after) != 0;
			g_free(after);
			g_free(text);
		}
		g_key_file_unref(file);
	}
	if (!found)
		plan_by(u, words);
	g_free(before);
	g_free(words);
	g_free(group);
	return found;
}

void
check_plans(Unit *u)
{
	char *best = words_now(u);
	int least = G_MAXINT;
	Spill spill;

	for (int i = 0; i < TRIES && find_spill(u, &spill); i++) {
		if (spill.total < least) {
			least = spill.total;
			g_free(best);
			best = words_now(u);
		}
		if (spill.total == 0)
			break;
		say(u, "'%s' spills, another plan is tried", spill.plan->name);
		if (!try_less(u, &spill))
			break;
	}
	if (!u->failed && least > 0) {
		plan_by(u, best);
		diag_warn(u->diag, WARN_SPILL, (Span){ 0 }, "--check: %d bytes of registers spill, "
			"and no other plan that was tried spills less", least);
	}
	g_free(best);
}
