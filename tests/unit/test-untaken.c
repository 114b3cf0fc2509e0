/* test-untaken.c: roots and quotients that a choice throws away are of 1. */
#include "test.h"

#include "opt/opt.h"
#include "passed.h"

static void
check(const PassedRow *rows, gsize n)
{
	static Pass *const passes[] = { opt_fold, opt_contract, opt_cse, opt_untaken, NULL };

	check_passed("grid (x); stencil s(in float a, in float b, in double d, in int n, "
		"out float o, out double q, float h = 2) { ", " }", passes, rows, n);
}

static void
the_arm_that_is_not_taken_is_of_1(void **state)
{
	static const PassedRow rows[] = {
		{ "o = a > b ? b : sqrt(a); q = 0;", "%1 = select f32 %0 1:f32 a[x]" },
		{ "o = a > b ? sqrt(a) : b; q = 0;", "%1 = select f32 %0 a[x] 1:f32" },
		{ "o = a > b ? 1/sqrt(a) : b; q = 0;", "%1 = select f32 %0 a[x] 1:f32" },
		{ "o = a > b ? 1/sqrt(a) : b; q = 0;", "%2 = sqrt f32 %1" },
		{ "o = b != 0 ? a/b : 0; q = 0;", "%1 = select f32 %0 b[x] 1:f32" },
		{ "o = b != 0 ? a/b : 0; q = 0;", "%2 = div f32 a[x] %1" },
		{ "o = 0; q = d < 0 ? 0 : sqrt(d);", "select f64 %0 1:f64 d[x]" },
		/* and what it is made of, however far, */
		{ "o = a > b ? b : 3 - h*(1 + sqrt(a - b)); q = 0;", "select f32 %0 1:f32 %2" },
		/* by the choice that is nearest to it, */
		{ "o = a > b ? b : (a > 0 ? sqrt(a) : b); q = 0;",
			"%1 = gt bool a[x] 0:f32\n\t\t%2 = select f32 %1 a[x] 1:f32" },
		/* also where another is of it */
		{ "o = a > b ? b : sqrt(a/b); q = 0;", "%1 = select f32 %0 1:f32 b[x]\n\t\t"
			"%2 = div f32 a[x] %1\n\t\t%3 = select f32 %0 1:f32 %2" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

static void
others_stay_as_they_are(void **state)
{
	static const PassedRow rows[] = {
		/* what is asked for besides, */
		{ "float r = sqrt(a); o = a > b ? r : b*r; q = 0;", "!1:f32" },
		{ "float r = sqrt(a); o = r > b ? r : b; q = 0;", "!1:f32" },
		{ "float r = a/b; o = (a > b ? r : 0) + r; q = 0;", "!1:f32" },
		/* what is hardly ever zero, */
		{ "o = a > b ? a/(b*b + 2) : 0; q = 0;", "!1:f32" },
		{ "o = a > b ? a/3 : 0; q = 0;", "!1:f32" },
		{ "o = a > b ? a/h : 0; q = 0;", "!1:f32" },
		/* of integers, */
		{ "o = n > 3 ? float(7/n) : b; q = 0;", "!select i32" },
		/* by where the cell is */
		{ "o = x%2 == 0 ? a/b : sqrt(b); q = 0;", "!1:f32" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_arm_that_is_not_taken_is_of_1),
		cmocka_unit_test(others_stay_as_they_are),
	};

	return cmocka_run_group_tests_name("untaken", tests, NULL, NULL);
}
