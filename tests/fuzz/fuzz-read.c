/* fuzz-read.c: the reader of printed IR and the reader of plans.
 *
 * The text of a program, then, behind a byte 0x1e, a plan for it.  What is read
 * and verified must print as what reads the same; a plan is followed or refused,
 * and what follows one is printed.
 */
#include <string.h>

#include "choose/choose.h"
#include "tests/fuzz/fuzz.h"

#define SEPARATOR 0x1e

static gboolean
is_sound(const Program *program)
{
	gboolean sound = TRUE;

	for (guint i = 0; i < program->stencils->len; i++) {
		char *why = NULL;

		sound = ir_verify(g_ptr_array_index(program->stencils, i), &why) && sound;
		g_free(why);
	}
	return sound;
}

static void
plan_all(const Program *program, GKeyFile *file, const Source *source, Arena *arena, Diag *diag)
{
	PlanRequest request = { .arch = "sm_90", .file = file, .source = source };
	guint n = program->stencils->len;
	GPtrArray **plans = arena_array(arena, GPtrArray *, n);
	gboolean planned = TRUE;

	for (guint i = 0; i < n; i++) {
		plans[i] = choose_plans(
			g_ptr_array_index(program->stencils, i), &request, arena, diag);
		planned = planned && plans[i];
	}
	if (planned && plan_check_request(&request, program, plans, diag))
		fuzz_make(program, plans);
	for (guint i = 0; i < n; i++)
		if (plans[i])
			g_ptr_array_unref(plans[i]);
}

static void
follow_plan(const Program *program, const char *text)
{
	Arena *arena = arena_new();
	Diag *diag = diag_new();
	GString *said = g_string_new(NULL);
	const Source source = { "it.plan", NULL, text, strlen(text) };
	GKeyFile *file;

	diag_set_sink(diag, said);
	file = plan_read(&source, diag);
	if (file != NULL) {
		plan_all(program, file, &source, arena, diag);
		g_key_file_unref(file);
	}
	diag_free(diag);
	g_string_free(said, TRUE);
	arena_free(arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = g_strndup((const char *)data, size);
	char *plan = strchr(text, SEPARATOR);
	GError *error = NULL;
	Program *program;

	if (plan)
		*plan++ = '\0';
	program = ir_read(text, &error);
	g_clear_error(&error);
	if (program && is_sound(program)) {
		fuzz_print_and_read(program);
		if (plan)
			follow_plan(program, plan);
	}
	if (program)
		program_free(program);
	g_free(text);
	fuzz_forget_names();
	return 0;
}
