#include "scheduled.h"

#include <string.h>

#include "choose/choose.h"
#include "sema.h"

static GPtrArray *
settings_of(const char *text, char ***words, int *time)
{
	GPtrArray *list = g_ptr_array_new();

	*words = g_strsplit(text != NULL ? text : "", " ", -1);
	for (char **it = *words; *it != NULL; it++)
		if (g_str_has_prefix(*it, "--time="))
			*time = (int)g_ascii_strtoll(*it + strlen("--time="), NULL, 10);
		else if (**it != '\0')
			g_ptr_array_add(list, *it);
	return list;
}

Scheduled *
scheduled_new(const char *text, const char *strategy, const char *arch, const char *settings,
	const char *plan)
{
	Scheduled *t = g_new0(Scheduled, 1);
	char *ir = ir_of(text), **words;
	PlanRequest request = { .arch = arch, .strategy = strategy };
	Diag *diag = diag_new();
	GError *error = NULL;
	const Source source = { "p.plan", NULL, plan, plan != NULL ? strlen(plan) : 0 };
	GPtrArray *list = settings_of(settings, &words, &request.time);

	request.settings = list;
	t->arena = arena_new();
	t->said = g_string_new(NULL);
	diag_set_sink(diag, t->said);
	t->program = ir_read(ir, &error);
	if (t->program == NULL)
		g_error("%s\n%s", error->message, ir);
	t->s = g_ptr_array_index(t->program->stencils, 0);
	if (plan != NULL) {
		request.source = &source;
		request.file = plan_read(&source, diag);
	}
	t->plans = choose_plans(t->s, &request, t->arena, diag);
	if (t->plans != NULL) {
		t->sched = schedule_new(t->s, t->plans, t->arena);
		if (t->program->stencils->len == 1
			&& plan_check_request(&request, t->program, &t->plans, diag))
			choose_check_time(&request, t->program, &t->plans, diag);
	}
	if (request.file != NULL)
		g_key_file_unref(request.file);
	diag_free(diag);
	g_ptr_array_unref(list);
	g_strfreev(words);
	g_free(ir);
	return t;
}

void
scheduled_free(Scheduled *t)
{
	schedule_free(t->sched);
	if (t->plans != NULL)
		g_ptr_array_unref(t->plans);
	program_free(t->program);
	arena_free(t->arena);
	g_string_free(t->said, TRUE);
	g_free(t);
}

char *
scheduled_plan(const Scheduled *t)
{
	GString *out = g_string_new(NULL);

	plan_print(t->s, t->plans, out);
	return g_string_free(out, FALSE);
}

static gboolean
fits(const ScheduledRow *r)
{
	Scheduled *t = scheduled_new(r->program, r->strategy, r->arch, r->settings, NULL);
	char *plan = t->plans != NULL ? scheduled_plan(t) : g_strdup("");
	const gboolean lacks = *r->expected == '!';
	const char *expected = r->expected + lacks;
	const gboolean fine = (strstr(plan, expected) != NULL
		|| strstr(t->said->str, expected) != NULL) != lacks;

	if (!fine)
		g_printerr("%s\nis not of: %s\n%s%s\n", r->expected, r->program, plan,
			t->said->str);
	g_free(plan);
	scheduled_free(t);
	return fine;
}

gboolean
scheduled_fit(const ScheduledRow *rows, gsize n)
{
	gboolean fine = TRUE;

	for (gsize i = 0; i < n; i++)
		fine = fits(&rows[i]) && fine;
	return fine;
}
