/* dump.c: the inner forms of a program as text. */
#include "unit.h"

#include <string.h>

#include "analyze/analyze.h"
#include "choose/print.h"
#include "kernel/count.h"
#include "kernel/lower.h"
#include "kernel/print.h"

static void
put_ast(Unit *u, GString *out)
{
	ast_print(u->file, out);
}

static void
put_ir(Unit *u, GString *out)
{
	ir_print(u->program, out);
}

static void
put_analysis(Unit *u, GString *out)
{
	for (guint i = 0; i < u->program->stencils->len; i++)
		analysis_print(g_ptr_array_index(u->program->stencils, i), out);
}

static void
put_models(Unit *u, GString *out)
{
	for (guint i = 0; i < u->program->stencils->len; i++)
		models_print(g_ptr_array_index(u->program->stencils, i), u->device, out);
}

static void
put_plan(Unit *u, GString *out)
{
	for (guint i = 0; i < u->program->stencils->len; i++)
		plan_print(g_ptr_array_index(u->program->stencils, i), u->plans[i], out);
}

static void
put_schedule(Unit *u, GString *out)
{
	for (guint i = 0; i < u->program->stencils->len; i++)
		schedule_print(u->schedules[i], out);
}

/* FALSE: there is no such kernel. */
static gboolean
put_variant(const Plan *plan, Variant variant, GString *out)
{
	Arena *arena = arena_new();
	KKernel *k = lower_variant(arena, plan, variant);
	gboolean there = k != NULL;

	if (there) {
		const KCount count = kir_count(k);

		kir_print(k, variant_name(arena, plan, variant, plan->name), out);
		kir_count_print(&count, out);
		kir_free(k);
	}
	arena_free(arena);
	return there;
}

static void
put_launch(const Launch *launch, GString *out)
{
	gboolean any = FALSE;

	for (Variant v = 0; v < VARIANT_N; v++)
		any = (variant_serves(launch->plan, v) && put_variant(launch->plan, v, out))
			|| any;
	if (!any)
		g_string_append_printf(out, "kernel %s: %s, made from its stage\n",
			launch->plan->name, strategies[launch->plan->strategy].name);
}

static void
put_launches(const Schedule *sched, gpointer out)
{
	for (guint l = 0; l < sched->launches->len; l++)
		put_launch(g_ptr_array_index(sched->launches, l), out);
}

static void
put_kernel(Unit *u, GString *out)
{
	for (guint i = 0; i < u->program->stencils->len; i++)
		schedule_each(u->schedules[i], put_launches, out);
}

static const char *const names[] = { "ast", "ir", "analysis", "models", "plan", "schedule",
	"kernel", NULL };
static void (*const put[])(Unit *, GString *) = {
	put_ast, put_ir, put_analysis, put_models, put_plan, put_schedule,
	put_kernel,
};

const char *const *
dump_forms(void)
{
	return names;
}

void
dump_form(Unit *u, const char *name, GString *out)
{
	for (int i = 0; names[i]; i++)
		if (strcmp(names[i], name) == 0)
			put[i](u, out);
}
