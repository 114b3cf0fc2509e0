/* dump.c: the inner forms of a program as text. */
#include "unit.h"

#include <string.h>

#include "analyze/analyze.h"
#include "choose/print.h"

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

static const char *const names[] = { "ast", "ir", "analysis", "models", "plan", "schedule",
	NULL };
static void (*const put[])(Unit *, GString *) = {
	put_ast, put_ir, put_analysis, put_models, put_plan, put_schedule,
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
