/* test-rows.c: what several windows take of each row is a temp, and what one takes is not. */
#include "test.h"

#include "ir/verify.h"
#include "opt/opt.h"
#include "passed.h"

#define WINDOW(J, I, U) "sum[j in " J ", i in " I "](" U ")"
#define SEVEN(U) WINDOW("-3..3", "-3..3", U)
#define FIVE(U) WINDOW("-2..2", "-2..2", U)
#define U "u[y+j, x+i]"
#define V "v[y+j, x+i]"
#define C "c[y+j, x+i]"
#define MADE "stage map u_row over (y, x) associative\n\t\t"
#define BOTH "o = " SEVEN(U) "/" SEVEN(U "*" U) ";"

static void
check(const char *clauses, const PassedRow *rows, gsize n)
{
	static Pass *const passes[] = { opt_fold, opt_contract, opt_rows, NULL };
	char *head = g_strdup_printf("grid (y, x); stencil s(in float u, in float v, in u8 c, "
		"out float o, float k = 2) %s { ", clauses);

	check_passed(head, " }", passes, rows, n);
	g_free(head);
}

static void
several_windows_have_their_rows_made_once(void **state)
{
	static const PassedRow rows[] = {
		{ "boundary u: clamp; " BOTH, "temp f32 u_row" },
		{ "boundary u: clamp; " BOTH, "temp f32 u_row2" },
		{ "boundary u: clamp; " BOTH, "u_row[y-3, x]@" },
		{ "boundary u: clamp; " BOTH, "u_row2[y+3, x]@" },
		/* of two fields, */
		{ "boundary u, v: mirror; o = " SEVEN(U) "/" SEVEN(V) ";", "temp f32 v_row" },
		/* also at one cell, */
		{ "boundary u, v: mirror; o = " SEVEN(U) "/" SEVEN(U "*" V) ";",
			"temp f32 u_row2" },
		/* of tables that are a product, */
		{ "boundary u: clamp; o = " SEVEN("(5 - j*j/3)*(4 - i*i/3)*" U) "/" SEVEN(U) ";",
			"temp f32 u_row2" },
		/* what is largest and least, too */
		{ "boundary u: clamp; o = max[j in -3..3, i in -3..3](" U ") - min[j in -3..3, "
			"i in -3..3](" U ");", "temp f32 u_row2" },
		{ "boundary c: clamp; o = max[j in -5..5, i in -5..5](" C ") - min[j in -5..5, "
			"i in -5..5](" C ");", "temp i32 c_row2" },
	};

	(void)state;
	check("associative", rows, G_N_ELEMENTS(rows));
}

static void
beyond_the_grid_it_is_what_is_read_there(void **state)
{
	static const PassedRow rows[] = {
		{ "boundary u: y constant(k), x clamp; " BOTH,
			"edges constant(%5)/constant(%5) clamp" },
		{ BOTH, MADE "box y: 0 .. ny, x: 3 .. nx - 3" },
		{ "boundary u: x.lo keep, x.hi clamp, y clamp; " BOTH,
			MADE "box y: 0 .. ny, x: 3 .. nx\n" },
	};

	(void)state;
	check("associative", rows, G_N_ELEMENTS(rows));
}

static void
others_stay_as_they_are(void **state)
{
	static const PassedRow rows[] = {
		/* one window, */
		{ "boundary u: clamp; o = " SEVEN(U) ";", "!temp" },
		/* small ones, */
		{ "boundary u: clamp; o = " WINDOW("-1..1", "-1..1", U) "/"
			WINDOW("-1..1", "-1..1", U "*" U) ";", "!temp" },
		/* such as take more registers than there are, */
		{ "boundary u: clamp; o = " WINDOW("-30..30", "-2..2", U) "/"
			WINDOW("-30..30", "-2..2", U "*" U) ";", "!temp" },
		/* rows that have nothing in common, */
		{ "boundary u: clamp; o = " SEVEN("(i + 5*j + i*i*j)*" U) "/"
			SEVEN("(2*i + j*j*i + j)*" U) ";", "!temp" },
		/* of fields that end differently with the grid, */
		{ "boundary u: clamp; boundary v: mirror; o = " SEVEN(U "*" V) "/"
			SEVEN(U "*" U "*" V) ";", "!temp" },
		{ "boundary u: clamp; boundary v: mirror; o = " SEVEN(U "*v[y+j, x]") "/"
			SEVEN(U "*" U "*v[y+j, x]") ";", "!temp" },
		/* what is least and largest of few bytes, which others take by twos, */
		{ "boundary c: clamp; o = max[j in -3..3, i in -3..3](" C ") - min[j in -3..3, "
			"i in -3..3](" C ");", "!temp" },
		/* of an axis that is no row */
		{ "boundary u: clamp; o = " WINDOW("-3..3", "-3..3", "u[x+7*j+i]") "/"
			WINDOW("-3..3", "-3..3", "u[x+7*j+i]*u[x+7*j+i]") ";", "!temp" },
	};

	(void)state;
	check("associative", rows, G_N_ELEMENTS(rows));
}

static void
sums_as_written_stay_so(void **state)
{
	static const PassedRow rows[] = {
		{ "boundary u: clamp; " BOTH, "!temp" },
		{ "boundary c: clamp; int n = " FIVE(C) "; int q = " FIVE(C "*" C) "; o = n + k*q;",
			"temp i32 c_row2" },
	};

	(void)state;
	check("", rows, G_N_ELEMENTS(rows));
}

static void
steps_have_none(void **state)
{
	static Pass *const passes[] = { opt_fold, opt_contract, opt_rows, NULL };
	static const PassedRow rows[] = {
		{ "u[t+1] = " SEVEN(U) "/" SEVEN(U "*" U) ";", "!temp" },
	};

	(void)state;
	check_passed("grid (y, x); stencil s(inout float u, float k = 2) associative { boundary "
		"u: clamp; ", " }", passes, rows, G_N_ELEMENTS(rows));
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(several_windows_have_their_rows_made_once),
		cmocka_unit_test(beyond_the_grid_it_is_what_is_read_there),
		cmocka_unit_test(others_stay_as_they_are),
		cmocka_unit_test(sums_as_written_stay_so),
		cmocka_unit_test(steps_have_none),
	};

	return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
