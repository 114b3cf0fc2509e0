/* test-same.c: temps that are the same everywhere are not made, and others are. */
#include "test.h"

#include <string.h>

#include "ir/read.h"
#include "ir/verify.h"
#include "opt/opt.h"
#include "sema.h"

/* What BODY is after the passes up to this one. */
static char *
after(const char *body)
{
	char *text = g_strdup_printf("grid (x); stencil s(in float u, out float v, float k = 2,"
		" result float most) { %s most = max[grid](u); }", body);
	char *ir = ir_of(text), *why = NULL;
	Program *p = ir_read(ir, NULL);
	GString *out = g_string_new(NULL);
	Stencil *s;

	assert_non_null(p);
	s = g_ptr_array_index(p->stencils, 0);
	opt_fold(s);
	opt_contract(s);
	opt_same(s);
	assert_true(ir_verify(s, &why));
	ir_print_stencil(s, out);
	program_free(p);
	g_free(ir);
	g_free(text);
	return g_string_free(out, FALSE);
}

typedef struct {
	const char *body, *expected; /* "!...": is not to be there */
} Row;

static void
check(const Row *rows, gsize n)
{
	for (gsize i = 0; i < n; i++) {
		char *text = after(rows[i].body);
		const gboolean lacks = *rows[i].expected == '!';

		if ((strstr(text, rows[i].expected + lacks) != NULL) == lacks)
			fail_msg("row %d: %s\n%s", (int)i, rows[i].expected, text);
		g_free(text);
	}
}

static void
what_is_the_same_everywhere_is_read_where_it_is_used(void **state)
{
	static const Row rows[] = {
		{ "temp float a[2]; a[0] = 0; a[1] = a[0] + u; v = a[1];", "!a[0]" },
		{ "temp float a[2]; a[0] = 0; a[1] = a[0] + u; v = a[1];",
		  "add f32 0:f32 u[x]" },
		{ "temp float a[3]; a[0] = 1; a[1] = a[0] + k; a[2] = a[1]*2; v = a[2] + u;",
			"!temp" },
		{ "temp i16 a; a = 3; v = float(a) + u;", "add f32 3:f32 u[x]" },
		{ "temp float a = k*k; v = a + u;", "!temp" },
		{ "temp float a = size(x); boundary a: clamp; v = a[x+1]*u;", "!temp" },
		{ "temp float a = 3; boundary a: constant(3); v = a[x-1] + u;", "!temp" },
		{ "temp float a = 3; v = a[x-1] + u;", "box x: max(1, lo.x) .. hi.x" },
		/* the others of its components are made */
		{ "temp float a[2]; a[0] = 0; a[1] = u; v = a[1, x-1] + a[0];",
		  "temp f32 a[0..1]" },
		{ "temp float a[2]; a[0] = 0; a[1] = u; v = a[1, x-1] + a[0];", "!a[0, x]" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

static void
what_is_not_the_same_everywhere_is_made(void **state)
{
	static const Row rows[] = {
		{ "temp float a = u; v = a;", "temp f32 a" },
		{ "temp float a = float(x); v = a;", "temp f32 a" },
		{ "temp float a = 3; boundary a: constant(0); v = a[x-1];", "temp f32 a" },
		{ "temp float a = 3; boundary a: x.hi constant(k); v = a[x+1];", "temp f32 a" },
		{ "temp float a; scan (x) a = 2*a[x-1] from 1; v = a;", "temp f32 a" },
		/* not at every cell: what reads it is not computed there */
		{ "temp i32 a = 0*i32(u[x-1]); v = float(a);", "temp i32 a" },
		/* the call asks for an extent */
		{ "temp float a = 3; boundary a: wrap; v = a[x-1];", "temp f32 a" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

/* A product is rounded where it is stored, and is none of what reads it. */
static void
values_are_what_was_stored(void **state)
{
	static const Row rows[] = {
		{ "temp float a = k*k; v = a + u;", "!fma" },
		{ "temp float a = 1; v = u*k + a*u[x];", "fma f32" },
		{ "temp i16 a = i16(k); v = float(a) + u;", "convert i16 k" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_the_same_everywhere_is_read_where_it_is_used),
		cmocka_unit_test(what_is_not_the_same_everywhere_is_made),
		cmocka_unit_test(values_are_what_was_stored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
