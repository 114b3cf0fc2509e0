/* test-inline.c: temps that only scans read are computed there, and others are made. */
#include "test.h"

#include "opt/opt.h"
#include "passed.h"

static void
check(const PassedRow *rows, gsize n)
{
	static Pass *const passes[] = { opt_fold, opt_contract, opt_inline, NULL };

	check_passed("grid (y, x); stencil s(in float u, in u8 c, in float w on (x), out float v, "
		"out float q, float k = 2) { boundary u, c, w: clamp; ", " }", passes, rows, n);
}

#define Q " q = u;"

static void
what_only_scans_read_is_computed_there(void **state)
{
	static const PassedRow rows[] = {
		{ "temp float a = u*w; scan (x) v = v[x-1] + a from a;" Q, "!temp" },
		{ "temp float a = u*w; scan (x) v = v[x-1] + a from a;" Q, "mul f32 u[y, x] w[x]" },
		{ "temp i32 a = c; boundary a: clamp;"
			" scan (x) v = v[x-1] + float(a[x+1]) from u;" Q,
			"convert f32 c[y, x+1]@" },
		{ "temp float a = u*u; scan (y) v = v[y-1] + a from a;"
			" scan (x) q = q[x-1] + a from a;", "!temp" },
		/* of the caller's, and what is made of that */
		{ "temp float a = u*u; temp float b = a*u; scan (x) v = v[x-1] + b + a from b;" Q,
			"!temp" },
		/* of other cells, where it is read at its own */
		{ "temp float a = u[x+1]*w; scan (x) v = v[x-1] + a from a;" Q, "!temp" },
		{ "temp float a = u[x+1]*w; scan (x) v = v[x-1] + a from a;" Q,
			"mul f32 u[y, x+1]@" },
		/* what the call asks for, it still does */
		{ "temp float a = u*u; boundary a: wrap; scan (x) v = v[x-1] + a[x+2] from a;" Q,
			"need u x wrap" },
		/* and where cells are missing */
		{ "temp float a = u*u; scan (x) v = v[x-1] + a[x+2] from u;" Q, "u[y, x+2]" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

static void
what_others_read_is_made(void **state)
{
	static const PassedRow rows[] = {
		{ "temp float a = u*w; scan (x) v = v[x-1] + a from a; q = a;", "temp f32 a" },
		/* what lies beyond the grid is no product */
		{ "temp float a = u*w; boundary a: constant(1);"
			" scan (x) v = v[x-1] + a[x+1] from a;" Q, "temp f32 a" },
		{ "temp float a = u[x+1]*w; scan (x) v = v[x-1] + a[x+1] from a; boundary a: clamp;"
			Q, "temp f32 a" },
		{ "temp float a = u*x; scan (x) v = v[x-1] + a from a;" Q, "temp f32 a" },
		{ "temp float a = u/w; scan (x) v = v[x-1] + a from a;" Q, "temp f32 a" },
		{ "temp float a = sqrt(u); scan (x) v = v[x-1] + a from a;" Q, "temp f32 a" },
		{ "temp float a = k; scan (x) v = v[x-1] + a from a;" Q, "temp f32 a" },
		/* the sums need not be in memory, but for A */
		{ "temp float b, a; scan (x) b = b[x-1] + u from u; a = b*b;"
			" scan (y) v = v[y-1] + a from a;" Q, "temp f32 a" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

/* A product is rounded where it would be stored, and is no factor of what reads it. */
static void
values_are_what_was_stored(void **state)
{
	static const PassedRow rows[] = {
		{ "temp float a = u*w; scan (x) v = v[x-1] + a from a;" Q, "!fma" },
		{ "temp i16 a = i16(u); scan (x) v = v[x-1] + float(a) from u;" Q,
			"convert i16 u" },
		{ "temp f16 a = f16(u); scan (x) v = v[x-1] + a from u;" Q, "convert f16 u" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_only_scans_read_is_computed_there),
		cmocka_unit_test(what_others_read_is_made),
		cmocka_unit_test(values_are_what_was_stored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
