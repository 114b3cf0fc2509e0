/* pipeline.c: the passes in their order, and what of them does not fit into a row of that table. */
#include "pipeline.h"

#include <string.h>
#include <time.h>

#include "choose/choose.h"
#include "choose/list.h"
#include "kernel/lower.h"
#include "kernel/verify.h"
#include "native.h"
#include "opt/opt.h"
#include "plan/parameters.h"
#include "sema/sema.h"
#include "unit.h"

/* ---- what does not fit into a row ---- */

static void
run_parse(Unit *u)
{
	GError *error = NULL;

	u->file = loader_main(u->loader, &error);
	if (!u->file)
		unit_fail_io(u, error);
}

static const AstFile *
import_file(gpointer user, const char *path, const AstFile *from, Span at)
{
	return loader_import(user, path, from, at);
}

/* --device, and what it says of --arch; or the other way round. */
static void
read_device(Unit *u)
{
	const char *wish = u->options->device;
	GError *error = NULL;

	if (!wish)
		u->device = device_for_arch(u->options->arch, u->arena, u->diag);
	else if (strcmp(wish, "native") == 0)
		u->device = native_device(u->options, u->arena, u->diag, &error);
	else
		u->device = device_find(wish, u->arena, u->diag, &error);
	if (error)
		unit_fail_io(u, error);
	else if (!u->device)
		u->failed = EXIT_ERRORS;
	else
		u->arch = u->options->arch ? u->options->arch : u->device->arch;
}

/* --size: typical extents, over the hints of the program. */
static void
apply_size(Unit *u, const OptionPair *size)
{
	gint64 extent = g_ascii_strtoll(size->value, NULL, 10);
	gboolean known = FALSE;

	for (guint i = 0; i < u->program->stencils->len; i++) {
		const Stencil *s = g_ptr_array_index(u->program->stencils, i);

		for (guint j = 0; j < s->grids->len; j++) {
			Grid *grid = g_ptr_array_index(s->grids, j);

			for (int axis = 0; axis < grid->rank; axis++) {
				if (strcmp(grid->axis[axis], size->name) != 0)
					continue;
				known = TRUE;
				if (!grid->base && grid->fixed[axis] == 0)
					grid->typical[axis] = extent;
			}
		}
	}
	if (!known && u->program->stencils->len > 0)
		diag_error(u->diag, (Span){ 0 }, "--size: no grid has an axis '%s'", size->name);
}

static void
run_sema(Unit *u)
{
	const Options *o = u->options;
	GPtrArray *defines = g_ptr_array_new();
	SemaInput in = {
		.arena = u->arena,
		.diag = u->diag,
		.load = import_file,
		.user = u->loader,
		.defines = defines,
		.associative = o->associative,
	};

	for (guint i = 0; i < o->defines->len; i++) {
		const OptionPair *pair = &g_array_index(o->defines, OptionPair, i);
		SemaDefine *define = arena_make(u->arena, SemaDefine);

		*define = (SemaDefine){ pair->name, pair->value };
		g_ptr_array_add(defines, define);
	}
	u->program = sema_run(&in, u->file);
	g_ptr_array_unref(defines);
	for (guint i = 0; u->program && i < o->sizes->len; i++)
		apply_size(u, &g_array_index(o->sizes, OptionPair, i));
	if (u->program && o->explain)
		explain_note(u);
	if (u->program && o->list_files) {
		write_list(u);
		u->done = TRUE;
	}
}

static void
run_nudge(Unit *u)
{
	for (guint i = 0; u->options->nudge_sums && i < u->program->stencils->len; i++)
		opt_nudge(g_ptr_array_index(u->program->stencils, i));
}

/* Where a strategy is named that makes no pipelines, sums are added as it adds them. */
static void
run_rows(Unit *u)
{
	const char *strategy = u->options->strategy;

	if (u->options->target != TARGET_KIND_CUDA
		|| (strategy != NULL && strategy_find(strategy) != STRATEGY_STRIP))
		return;
	for (guint i = 0; i < u->program->stencils->len; i++)
		opt_rows(g_ptr_array_index(u->program->stencils, i));
}

/* --plan, if it is given and can be read. */
static void
read_plan(Unit *u)
{
	const char *path = u->options->plan;
	GError *error = NULL;

	if (!path)
		return;
	u->request.source = source_read(u->arena, path, NULL, &error);
	if (u->request.source)
		u->request.file = plan_read(u->request.source, u->diag);
	else
		unit_fail_io(u, error);
}

/* --list-plans, in place of compiling. */
static void
list_plans(Unit *u)
{
	GString *text = g_string_new(NULL);

	u->request = (PlanRequest){ .model = u->options->model, .device = u->device,
		.arch = u->arch };
	plan_list(u->program, &u->request, u->diag, text);
	write_text(u, u->options->output ? u->options->output : "-", text);
	g_string_free(text, TRUE);
	u->done = TRUE;
}

static void
drop_plans(Unit *u)
{
	for (guint i = 0; u->plans && i < u->program->stencils->len; i++) {
		if (u->schedules[i])
			schedule_free(u->schedules[i]);
		if (u->plans[i])
			g_ptr_array_unref(u->plans[i]);
	}
}

static gboolean
is_stencil(const Unit *u, const char *name)
{
	for (guint i = 0; i < u->program->stencils->len; i++)
		if (strcmp(((const Stencil *)u->program->stencils->pdata[i])->name, name) == 0)
			return TRUE;
	return FALSE;
}

/* The usual plans of S, which is scheduled beside that of the name BY, under a name that no stencil
 * has. */
static Schedule *
schedule_usual(Unit *u, const Stencil *s, const char *by, const char *suffix)
{
	const char *name = arena_printf(u->arena, "%s_%s", by, suffix);

	while (is_stencil(u, name))
		name = arena_printf(u->arena, "%s2", name);
	return schedule_beside(s, choose_direct(s, &u->request, u->arena, u->diag), name, u->arena);
}

/* What of OF, the stencil of SCHED, comes before its steps; ANEW: what does without. */
static void
schedule_first(Unit *u, const Stencil *of, Schedule *sched, const Schedule *anew)
{
	if (sched == NULL || of->first == NULL)
		return;
	sched->first = schedule_usual(u, of->first, sched->name, "first");
	sched->anew = anew;
}

/* By PLANS of S; where these are of planar copies, another beside it, of the fields as they are;
 * and one for calls with a box, if these have a stencil of their own. */
static Schedule *
schedule_plans(Unit *u, const Stencil *s, GPtrArray *plans)
{
	const Stencil *of = choose_stencil(s, plans);
	Schedule *sched = schedule_new(of, plans, u->arena);

	if (of != s)
		sched->direct = schedule_usual(u, s, s->name, "interleaved");
	if (s->boxed != NULL)
		sched->boxed = schedule_usual(u, s->boxed, s->name, "boxed");
	schedule_first(u, s, sched, sched->boxed);
	schedule_first(u, s, sched->direct, sched->boxed);
	return sched;
}

/* The plans of each stencil; FALSE, and reported: some have none. */
static gboolean
plan_each(Unit *u)
{
	guint n = u->program->stencils->len;
	int errors = diag_errors(u->diag);

	drop_plans(u);
	u->plans = arena_array(u->arena, GPtrArray *, n);
	u->schedules = arena_array(u->arena, Schedule *, n);
	for (guint i = 0; i < n; i++)
		u->plans[i] = choose_plans(g_ptr_array_index(u->program->stencils, i), &u->request,
			u->arena, u->diag);
	return diag_errors(u->diag) == errors;
}

static gboolean
schedule_all(Unit *u)
{
	int errors = diag_errors(u->diag);

	for (guint i = 0; i < u->program->stencils->len; i++) {
		const Stencil *s = g_ptr_array_index(u->program->stencils, i);
		char *why = NULL;

		if (!u->plans[i])
			continue;
		choose_check_registers(&u->request, u->plans[i], u->arena, u->diag);
		u->schedules[i] = schedule_plans(u, s, u->plans[i]);
		if (!schedule_verify(u->schedules[i], &why))
			unit_fail_ours(u, "schedule", why);
		if (u->options->target == TARGET_KIND_CUDA)
			parameters_fit(s, u->arch, u->diag);
	}
	return diag_errors(u->diag) == errors;
}

gboolean
unit_plan(Unit *u)
{
	const gboolean planned = plan_each(u);

	return schedule_all(u) && planned;
}

/* Settings that no launch knows change nothing, either: the plans are those without them.  Where
 * launches of these would know them, but not so, it is said why. */
static gboolean
plan_as_heard(Unit *u)
{
	const PlanRequest asked = u->request;
	GPtrArray *heard, *then;

	if (!plan_each(u))
		return FALSE;
	heard = u->heard = plan_heard(&asked, u->program, u->plans);
	if (asked.settings == NULL || heard->len == asked.settings->len)
		return TRUE;
	u->request.settings = heard;
	if (!plan_each(u))
		return FALSE;
	then = plan_heard(&asked, u->program, u->plans);
	if (then->len > heard->len) {
		u->heard = plan_insisting(&asked, heard, u->program, u->plans, u->arena);
		u->request.settings = u->heard;
		g_ptr_array_unref(heard);
	}
	g_ptr_array_unref(then);
	return u->request.settings == heard || plan_each(u);
}

/* What the options ask for.  Plans are for the GPU: what the user wishes is not for the host. */
static void
read_request(Unit *u)
{
	const Options *o = u->options;
	gboolean device = o->target == TARGET_KIND_CUDA;

	u->request = (PlanRequest){ .arch = u->arch, .apart = !device };
	if (!device)
		return;
	u->request.device = u->device;
	u->request.model = o->model;
	u->request.strategy = o->strategy;
	u->request.time = o->time;
	read_plan(u);
	u->request.settings = o->settings;
}

static void
run_schedule(Unit *u)
{
	PlanRequest asked;

	if (u->options->list_plans) {
		list_plans(u);
		return;
	}
	read_request(u);
	asked = u->request;
	if (choose_may_step(&asked, u->program, u->diag) && plan_as_heard(u) && schedule_all(u)
		&& diag_errors(u->diag) == 0
		&& plan_check_request(&asked, u->program, u->plans, u->diag))
		choose_check_time(&asked, u->program, u->plans, u->diag);
}

static void
run_explain(Unit *u)
{
	if (u->options->explain && !u->failed)
		explain_run(u);
}

static void
run_check(Unit *u)
{
	if (u->options->check && !u->failed)
		check_plans(u);
}

/* ---- the order ---- */

static gboolean
must_verify(const Unit *u)
{
#ifdef STENCILC_DEBUG
	(void)u;
	return TRUE;
#else
	return u->options->verify;
#endif
}

static void
verify_variant(Unit *u, const Plan *plan, Variant variant)
{
	Arena *arena = arena_new();
	KKernel *k = lower_variant(arena, plan, variant);
	char *why = NULL;

	if (k != NULL && !u->failed && !kir_verify(k, &why))
		unit_fail_ours(u, "lower", g_strdup_printf("kernel %s: %s",
			variant_name(arena, plan, variant, plan->name), why));
	g_free(why);
	if (k != NULL)
		kir_free(k);
	arena_free(arena);
}

static void
verify_launches(const Schedule *sched, gpointer user)
{
	for (guint l = 0; l < sched->launches->len; l++) {
		const Launch *launch = g_ptr_array_index(sched->launches, l);

		for (Variant v = 0; v < VARIANT_N; v++)
			verify_variant(user, launch->plan, v);
	}
}

/* The kernels are not kept: who wants one lowers it again. */
static void
run_lower(Unit *u)
{
	for (guint i = 0; i < u->program->stencils->len && must_verify(u); i++)
		schedule_each(u->schedules[i], verify_launches, u);
}

typedef struct {
	const char *name;           /* as in --print-after=NAME */
	void (*run)(Unit *u);       /* either this */
	void (*each)(Stencil *s);   /* or this, on every stencil */
	gboolean optional;          /* -fno-NAME leaves it out */
	const char *form;           /* what there is to print afterwards */
	const char *last;           /* the forms that are final now, for --dump */
	gboolean device;            /* not of the host's functions, which are as the text says */
} Pass;

static const Pass passes[] = {
	{ "parse",    run_parse,     NULL,         FALSE, "ast",      "ast", FALSE },
	{ "sema",     run_sema,      NULL,         FALSE, "ir",       NULL, FALSE },
#define OPT_PASS(NAME) { #NAME, NULL, opt_##NAME, TRUE, "ir", NULL, FALSE },
#include "opt/passes.def"
#undef OPT_PASS
	{ "nudge",    run_nudge,     NULL,         FALSE, "ir",       "ir analysis models", FALSE },
	{ "untaken",  NULL,          opt_untaken,  TRUE,  NULL,       NULL, TRUE },
	{ "stays",    NULL,          opt_stays,    TRUE,  NULL,       NULL, TRUE },
	{ "once",     NULL,          opt_once,     TRUE,  NULL,       NULL, TRUE },
	{ "rows",     run_rows,      NULL,         TRUE,  NULL,       NULL, TRUE },
	{ "whole",    NULL,          opt_whole,    TRUE,  NULL,       NULL, TRUE },
	{ "planar",   NULL,          opt_planar,   TRUE,  NULL,       NULL, FALSE },
	{ "schedule", run_schedule,  NULL,         FALSE, "schedule", NULL, FALSE },
	{ "check",    run_check,     NULL,         FALSE, "plan",     "plan schedule", FALSE },
	{ "lower",    run_lower,     NULL,         FALSE, "kernel",   "kernel", FALSE },
	{ "explain",  run_explain,   NULL,         FALSE, NULL,       NULL, FALSE },
	{ "emit",     write_outputs, NULL,         FALSE, NULL,       NULL, FALSE },
};

/* ---- running them ---- */

static gboolean
has_word(const GPtrArray *list, const char *word)
{
	return g_ptr_array_find_with_equal_func((GPtrArray *)list, word, g_str_equal, NULL);
}

static void
verify(Unit *u, const char *pass)
{
	for (guint i = 0; u->program && i < u->program->stencils->len && !u->failed; i++) {
		const Stencil *s = g_ptr_array_index(u->program->stencils, i);
		char *why = NULL;

		if (!ir_verify(s, &why) || (s->planar != NULL && !ir_verify(s->planar, &why))
			|| (s->boxed != NULL && !ir_verify(s->boxed, &why))
			|| (s->first != NULL && !ir_verify(s->first, &why)))
			unit_fail_ours(u, pass, why);
	}
}

static void
print_after(Unit *u, const Pass *pass)
{
	GString *text;

	if (!pass->form || !has_word(u->options->print_after, pass->name))
		return;
	text = g_string_new(NULL);
	g_string_printf(text, "// after %s\n", pass->name);
	dump_form(u, pass->form, text);
	diag_say(u->diag, text->str);
	g_string_free(text, TRUE);
}

static void
dump(Unit *u, const char *form)
{
	GString *text = g_string_new(NULL);

	dump_form(u, form, text);
	if (u->options->dump_dir)
		write_dump(u, form, text);
	else
		diag_say(u->diag, text->str);
	g_string_free(text, TRUE);
}

static void
dump_last(Unit *u, const Pass *pass)
{
	char **forms = g_strsplit(pass->last ? pass->last : "", " ", -1);

	for (int i = 0; forms[i]; i++)
		if (has_word(u->options->dumps, forms[i]))
			dump(u, forms[i]);
	g_strfreev(forms);
}

void
unit_say(const Unit *u, const char *format, ...)
{
	char *text, *line;
	va_list args;

	if (!u->options->verbose)
		return;
	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	line = g_strdup_printf("stencilc: %s\n", text);
	diag_say(u->diag, line);
	g_free(line);
	g_free(text);
}

static void
run_pass(Unit *u, const Pass *pass)
{
	const gboolean here = !pass->device || u->options->target == TARGET_KIND_CUDA;
	const clock_t begun = clock();

	if (pass->optional && has_word(u->options->left_out, pass->name))
		return;
	unit_say(u, "%s", pass->name);
	if (pass->run)
		pass->run(u);
	for (guint i = 0; here && pass->each && i < u->program->stencils->len; i++)
		pass->each(g_ptr_array_index(u->program->stencils, i));
	unit_say(u, "%s took %.1f ms", pass->name, 1e3 * (double)(clock() - begun)
		/ CLOCKS_PER_SEC);
}

static void
unit_clear(Unit *u)
{
	drop_plans(u);
	g_clear_pointer(&u->heard, g_ptr_array_unref);
	if (u->request.file)
		g_key_file_unref(u->request.file);
	if (u->program)
		program_free(u->program);
	g_clear_pointer(&u->written, g_hash_table_unref);
	loader_free(u->loader);
	g_free(u->base);
	arena_free(u->arena);
}

int
pipeline_run(const Options *options, Diag *diag)
{
	Unit u = { .options = options, .diag = diag, .arena = arena_new() };

	u.loader = loader_new(u.arena, options, diag);
	u.base = options_base(options);
	read_device(&u);
	for (gsize i = 0; i < G_N_ELEMENTS(passes) && !u.failed; i++) {
		run_pass(&u, &passes[i]);
		if (!u.failed && diag_errors(diag) > 0)
			u.failed = EXIT_ERRORS;
		if (!u.failed && must_verify(&u))
			verify(&u, passes[i].name);
		if (u.failed || u.done)
			break;
		print_after(&u, &passes[i]);
		dump_last(&u, &passes[i]);
	}
	diag_flush(diag);
	unit_clear(&u);
	return u.failed;
}

void
unit_fail_io(Unit *u, GError *error)
{
	diag_error(u->diag, (Span){ 0 }, "%s", error->message);
	u->failed = EXIT_IO;
	g_error_free(error);
}

void
unit_fail_ours(Unit *u, const char *where, char *what)
{
	diag_error(u->diag, (Span){ 0 }, "internal error after '%s': %s", where, what);
	diag_help(u->diag, "this is a defect of stencilc; please report it, with the program");
	u->failed = EXIT_FAULT;
	g_free(what);
}

/* ---- names ---- */

char **
pass_names(gboolean optional)
{
	GPtrArray *names = g_ptr_array_new();

	for (gsize i = 0; i < G_N_ELEMENTS(passes); i++)
		if (optional ? passes[i].optional : passes[i].form != NULL)
			g_ptr_array_add(names, g_strdup(passes[i].name));
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

gboolean
pass_is_optional(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(passes); i++)
		if (strcmp(passes[i].name, name) == 0)
			return passes[i].optional;
	return FALSE;
}

const char *const *
pipeline_forms(void)
{
	return dump_forms();
}
