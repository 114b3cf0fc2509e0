/* test-unread.c: what nobody reads is not made, and what is read is. */
#include "test.h"

#include <string.h>

#include "ir/read.h"
#include "ir/verify.h"
#include "opt/opt.h"
#include "sema.h"

/* Of the last stencil: the targets of the stages that are left, and after a bar the temps. */
static char *
left_of(const char *text)
{
	char *ir = ir_of(text), *why = NULL;
	Program *p = ir_read(ir, NULL);
	GString *left = g_string_new(NULL);
	Stencil *s;

	assert_non_null(p);
	s = g_ptr_array_index(p->stencils, p->stencils->len - 1);
	opt_unread(s);
	for (guint i = 0; i < s->stages->len; i++) {
		const Stage *stage = g_ptr_array_index(s->stages, i);

		assert_int_equal(stage->index, i);
		g_string_append_printf(left, "%s%s", i ? " " : "", stage->kind == STAGE_REDUCE
			? stage->result->name : stage->target->name);
		if (stage->kind != STAGE_REDUCE && stage->target->components > 1)
			g_string_append_printf(left, ".%d", stage->component);
	}
	g_string_append(left, " |");
	for (guint i = 0; i < s->fields->len; i++) {
		const Field *f = g_ptr_array_index(s->fields, i);

		assert_int_equal(f->index, i);
		if (f->role == FIELD_TEMP)
			g_string_append_printf(left, " %s", f->name);
	}
	assert_true(ir_verify(s, &why));
	program_free(p);
	g_free(ir);
	return g_string_free(left, FALSE);
}

static void
only_what_is_read_is_made(void **state)
{
	static const struct {
		const char *body, *left;
	} rows[] = {
		{ "temp float a = u[x-1]; temp float b = u[x+1]; v = b[x-1];", "b v most | b" },
		/* read by what nobody reads */
		{ "temp float a = u[x-1]; temp float b = a[x+1]; v = u;", "v most |" },
		/* by itself alone */
		{ "temp float a; scan (x) a = a[x-1] + u from u; v = u;", "v most |" },
		{ "temp float a[3]; a[0] = u; a[1] = u[x-1]; a[2] = a[1] + a[0]; v = a[1];",
			"a.1 v most | a" },
		{ "temp float a = u; boundary a: wrap; temp float b = a[x-1]; v = u;", "v most |" },
		{ "temp float a = u[x-1]; v = u; most = max[grid](a);", "a v most | a" },
		/* a called stencil's other result */
		{ "temp float a, b; two(u, a, b); v = b;", "b v most | b" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *text = g_strdup_printf("grid (x); stencil two(in float p, out float q,"
			" out float r) { q = p[x-1]; r = p[x+1]; }"
			"stencil s(in float u, out float v, result float most) { %s%s }",
			rows[i].body, strstr(rows[i].body, "most") ? ""
			: " most = max[grid](u);"), *left;

		left = left_of(text);
		assert_string_equal(left, rows[i].left);
		g_free(left);
		g_free(text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_is_read_is_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
