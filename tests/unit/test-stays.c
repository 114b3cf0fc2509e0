/* test-stays.c: what the steps make anew, and is always the same, is made before the first. */
#include "test.h"

#include "ir/verify.h"
#include "opt/opt.h"
#include "passed.h"

static void
check(const PassedRow *rows, gsize n)
{
	static Pass *const passes[] = { opt_fold, opt_contract, opt_same, opt_inline, opt_cse,
		opt_stays, NULL };

	check_passed("grid (y, x); stencil s(inout float u, in float k, in float j, in double d, "
		"inout double w, float a = 2) { ", " }", passes, rows, n);
}

static void
what_takes_long_and_stays_comes_first(void **state)
{
	static const PassedRow rows[] = {
		{ "u[t+1] = u + u[x-1]*(a/k);", "fma f32 u[t, y, x-1] k_stays[y, x] u[t, y, x]" },
		{ "u[t+1] = u + u[x-1]*(a/k);",
			"first:\nstencil s\n\tgrid (y, x)\n\tout f32 k_stays" },
		{ "u[t+1] = u + u[x-1]*sqrt(k) - k*u;", "sqrt f32 k[y, x]\n\t\tvalue" },
		{ "u[t+1] = u + u[x-1]*exp(k) - j*u;", "exp f32 k[y, x]\n\t\tvalue" },
		/* of several fields, with what goes with it, and where the cell is */
		{ "u[t+1] = u - u[x-1]*(a*(j/k));", "mul f32 a %0\n\t\tvalue %1" },
		{ "u[t+1] = u + u[x-1]*exp(-f32(x));", "in f32 u_stays on (x)" },
		{ "u[t+1] = u + u[x-1]*(x < 3 ? 1/k : 0);", "out f32 k_stays on (y, x)" },
		/* but not what steps change, what is of the step, of no cell, or little */
		{ "u[t+1] = u + u[x-1]/k;", "!first" },
		{ "u[t+1] = u + u[x-1]*(k/(1 + u));", "!first" },
		{ "u[t+1] = u + u[x-1]*(k/(1 + f32(t)));", "!first" },
		{ "u[t+1] = u + u[x-1]*(1/a);", "!first" },
		{ "u[t+1] = u + u[x-1]*(k*k + j*j);", "!first" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

#define MEANS(K) "u[t+1] = u*(1/(" K " + " K "[x+1])) + u[x-1]*(1/(" K "[x-1] + " K ")) + k*u;"

static void
what_both_sides_ask_for_is_one_field(void **state)
{
	static const PassedRow rows[] = {
		{ MEANS("k"), "k_stays[y, x-1] " },
		{ MEANS("k"), "!k_stays2" },
		{ "boundary u, k: wrap; " MEANS("k"), "k_stays[y, x-1]@" },
		{ "boundary u, k: wrap; " MEANS("k"), "!k_stays2" },
		/* which is closed where no step asks, */
		{ MEANS("k"), "k[y, x+1]@0" },
		{ MEANS("k"), "edges clamp/clamp clamp/clamp" },
		/* unless another value lies beyond the grid, on the side that asks for it, */
		{ "boundary u, k: clamp; " MEANS("k"), "out f32 k_stays2" },
		{ "boundary u: wrap; boundary k: x.lo keep, x.hi mirror, y clamp; " MEANS("k"),
			"!k_stays2" },
		{ "boundary u: wrap; boundary k: x.lo mirror, x.hi keep, y clamp; " MEANS("k"),
			"out f32 k_stays2" },
		{ "boundary u: wrap; boundary k: x.lo wrap, x.hi clamp; " MEANS("k"),
			"out f32 k_stays2" },
		/* or it depends on where the cell is */
		{ "u[t+1] = u*(f32(x)/k) + u[x-1]*(f32(x - 1)/k[x-1]);", "out f32 k_stays2" },
		{ "u[t+1] = u*(f32(y)/k) + u[x-1]*(f32(y)/k[x-1]);", "k_stays[y, x-1] " },
		/* and goes round as a whole, or not at all; */
		{ "boundary u, k: wrap; u[t+1] = u + u[x-1]*(k[x-1]/j) - k*u - j*u;",
			"div f32 k[y, x-1]@0 j[y, x]" },
		{ "boundary u, k, j: wrap; u[t+1] = u + u[x-1]*(k[x-1]/j) - k*u - j[x+1]*u;",
			"div f32 k[y, x] j[y, x+1]@" },
		{ "u[t+1] = u + u[x-1]*(k[x-1]/j) - k*u - j*u;", "div f32 k[y, x] j[y, x+1]@" },
		/* nor are others at home in the middle than those that are the same */
		{ "u[t+1] = u*(1/(k + k[x+1])) + u[x-1]*(1/(k[x-1] + 2*k));", "out f32 k_stays2" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

static void
a_field_more_is_to_be_worth_it(void **state)
{
	static const PassedRow rows[] = {
		{ "w[t+1] = w + w[x-1]*(1/(1 + d)) - d*w;", "!first" },
		{ "w[t+1] = w + w[x-1]*(1/(1 + d)) - w;", "out f64 d_stays" },
		{ "w[t+1] = w + w[x-1]*(1/(1 + d)/(2 + d)) - d*w;", "out f64 d_stays" },
		{ "w[t+1] = w + w[x-1]*exp(d) - w*(1/(2 + d)) - d*w;", "!d_stays3" },
		{ "w[t+1] = w + w[x-1]*exp(d) - w*(1/(2 + d)) - d*w;", "out f64 d_stays" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

static void
temps_of_what_stays_come_first(void **state)
{
	static const PassedRow rows[] = {
		{ "boundary k: clamp; temp float q = exp(k - k[x-1]); boundary q: clamp; "
			"u[t+1] = u + u[x-1]*q[x-1] + u[x+1]*q[x+1];", "out f32 q" },
		{ "boundary k: clamp; temp float q = exp(k - k[x-1]); boundary q: clamp; "
			"u[t+1] = u + u[x-1]*q[x-1] + u[x+1]*q[x+1];", "in f32 q" },
		/* all their cells, though steps ask for fewer, */
		{ "temp float q = exp(k - k[x-1]); u[t+1] = u + u[x-1]*q[x-1] + u[x+1]*q[x+1];",
			"box y: 0 .. ny, x: 0 .. nx\n\t\t%0 = sub f32 k[y, x] k[y, x-1]@" },
		/* temps of temps, */
		{ "temp float q = exp(k - k[x-1]); temp float r = q[x-1]*q[x+1]; "
			"u[t+1] = u + u[x-1]*r[x-1] + u[x+1]*r[x+1];", "out f32 r" },
		/* in the order in which they are passed, whichever is made first, */
		{ "temp float r; temp float q; q = exp(k); r = q[x-1]*q[x+1]; "
			"u[t+1] = u + u[x-1]*r[x-1] + u[x+1]*q[x+1];",
			"out f32 r on (y, x)\n\tout f32 q on (y, x)\n\tin f32 k" },
		/* those components that there are, all or none */
		{ "temp float q[2]; q[1] = exp(k); u[t+1] = u + u[x-1]*q[1, x-1];",
			"out f32 q[0..1]" },
		{ "temp float q[2]; q[0] = exp(k); q[1] = exp(u); "
			"u[t+1] = u + u[x-1]*q[0, x-1] + u[x+1]*q[1, x+1];", "!first" },
		{ "temp float q = exp(u - k[x-1]); u[t+1] = u + u[x-1]*q[x-1] + u[x+1]*q[x+1];",
			"!first" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

#define TEMP "temp float q = exp(k); u[t+1] = u + u[x-1]*q[x-1] + u[x+1]*q[x+1];"

static void
calls_of_few_steps_do_without(void **state)
{
	static Pass *const passes[] = { opt_stays, NULL };
	static const struct { const char *steps; gboolean first; } rows[] = {
		{ "", TRUE }, { "steps 4", TRUE }, { "steps 3", FALSE },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *text = g_strdup_printf("grid (y, x); stencil s(inout float u, in float k) %s "
			"{ " TEMP " }", rows[i].steps);
		Program *p = passed(text, passes);
		const Stencil *s = g_ptr_array_index(p->stencils, 0);

		assert_int_equal(s->first != NULL, rows[i].first);
		assert_int_equal(s->stages->len, rows[i].first ? 1 : 2);
		if (rows[i].first) {
			const Field *q = g_ptr_array_index(s->boxed->fields, 2);

			assert_int_equal(s->boxed->stages->len, 2);
			assert_int_equal(q->role, FIELD_TEMP);
			assert_false(q->stays);
			assert_int_equal(s->first->stages->len, 1);
		}
		program_free(p);
		g_free(text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_takes_long_and_stays_comes_first),
		cmocka_unit_test(what_both_sides_ask_for_is_one_field),
		cmocka_unit_test(a_field_more_is_to_be_worth_it),
		cmocka_unit_test(temps_of_what_stays_come_first),
		cmocka_unit_test(calls_of_few_steps_do_without),
	};

	return cmocka_run_group_tests_name("stays", tests, NULL, NULL);
}
