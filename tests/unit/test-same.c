/* test-same.c: temps that are the same everywhere are not made, and others are. */
#include "test.h"

#include "opt/opt.h"
#include "passed.h"

static void
check(const PassedRow *rows, gsize n)
{
	static Pass *const passes[] = { opt_fold, opt_contract, opt_same, NULL };

	check_passed("grid (x); stencil s(in float u, out float v, float k = 2,"
		" result float most) {", " most = max[grid](u); }", passes, rows, n);
}

static void
what_is_the_same_everywhere_is_read_where_it_is_used(void **state)
{
	static const PassedRow rows[] = {
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
	static const PassedRow rows[] = {
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
	static const PassedRow rows[] = {
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
