/* test-planar.c: what is stepped and interleaved has a twin with planar fields. */
#include "test.h"

#include <string.h>

#include "ir/verify.h"
#include "opt/opt.h"
#include "passed.h"

static Pass *const planar[] = { opt_planar, NULL };

/* The fields of the twin of BODY's stencil that are planar there only, in order; "none": it has
 * no twin. */
static char *
unlaced(const char *params, const char *body)
{
	char *text = g_strdup_printf("grid (y, x); grid side (y, x); stencil s(%s) { %s }",
		params, body);
	Program *p = passed(text, planar);
	Stencil *s = g_ptr_array_index(p->stencils, 0);
	GString *names = g_string_new(s->planar == NULL ? "none" : "");
	char *why = NULL;

	if (s->planar != NULL)
		assert_true(ir_verify(s->planar, &why));
	for (guint i = 0; i < s->fields->len && s->planar != NULL; i++) {
		const Field *f = g_ptr_array_index(s->fields, i);
		const Field *now = g_ptr_array_index(s->planar->fields, i);

		assert_string_equal(f->name, now->name);
		assert_false(f->unlaced);
		assert_int_equal(now->unlaced, f->interleaved && !now->interleaved);
		if (now->unlaced)
			g_string_append_printf(names, "%s%s", names->len > 0 ? " " : "", f->name);
	}
	program_free(p);
	g_free(text);
	return g_string_free(names, FALSE);
}

static void
what_is_stepped_is_unlaced(void **state)
{
	static const struct {
		const char *params, *body, *names;
	} rows[] = {
		{ "inout f32 u[2] interleaved", "for (c in 0..1) { u[c, t+1] = u[c, x-1]; }", "u" },
		{ "inout f32 u[2], in f32 k[2] interleaved",
			"for (c in 0..1) { u[c, t+1] = u[c, x-1]*k[1-c]; }", "k" },
		{ "inout f32 u[2] interleaved, in f32 k[2] interleaved on (x)",
			"for (c in 0..1) { u[c, t+1] = u[c, x-1]*k[1-c]; }", "u" },
		{ "inout f32 u[2] interleaved, in f32 k[2] interleaved on side",
			"for (c in 0..1) { u[c, t+1] = u[c, x-1]*k[c, y/2, x/2]; }", "u" },
		{ "inout f32 u[2] interleaved, out f32 v[2] interleaved, result f32 most",
			"for (c in 0..1) { u[c, t+1] = u[c, t-1]; v[c] = u[c]; }"
			" most = max[grid](u[1, t+1]);", "u v" },
		/* nothing is gained */
		{ "inout f32 u, in f32 k[2] interleaved, result f32 most",
			"u[t+1] = u[x-1]; most = max[grid](u[t+1]*k[1]);", "none" },
		{ "inout f32 u[2]", "for (c in 0..1) { u[c, t+1] = u[c, x-1]; }", "none" },
		{ "inout f32 u[1] interleaved", "u[0, t+1] = u[0, x-1];", "none" },
		{ "in f32 u[2] interleaved, out f32 v[2] interleaved",
			"for (c in 0..1) { v[c] = u[c, x-1]; }", "none" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *names = unlaced(rows[i].params, rows[i].body);

		assert_string_equal(names, rows[i].names);
		g_free(names);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_stepped_is_unlaced),
	};

	return cmocka_run_group_tests_name("planar", tests, NULL, NULL);
}
