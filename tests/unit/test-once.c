/* test-once.c: functions of one cell that many cells ask for are temps, and others are not. */
#include "test.h"

#include "ir/verify.h"
#include "opt/opt.h"
#include "passed.h"

#define FIVE(E) E("u") " + " E("u[x-1]") " + " E("u[x+1]") " + " E("u[y-1]") " + " E("u[y+1]")
#define POW(U) "pow(" U ", k)"
#define AMOUNT(U) "abs(pow(" U ", k))"

#define SUM "boundary q: clamp; o = sum[j in -2..2](pow(q[y+j], k));"

static void
check(const PassedRow *rows, gsize n)
{
	static Pass *const passes[] = { opt_fold, opt_contract, opt_once, NULL };

	check_passed("grid (y, x); stencil s(in float u, in float v, in u8 c, out float o, "
		"float k = 2) { boundary u: clamp; ", " }", passes, rows, n);
}

static void
what_takes_long_is_made_once(void **state)
{
	static const PassedRow rows[] = {
		{ "o = " FIVE(POW) ";", "temp f32 u_once" },
		{ "o = " FIVE(POW) ";", "u_once[y-1, x]@0" },
		{ "o = " FIVE(POW) ";",
			"box y: 0 .. ny, x: 0 .. nx\n\t\t%0 = pow f32 u[y, x] k" },
		/* with what goes with it, */
		{ "o = " FIVE(AMOUNT) ";", "= abs f32 %0\n\t\tvalue %1" },
		/* of several cells of a row fewer, */
		{ "o = pow(u[x-1], k) + pow(u, k);", "!temp" },
		/* of two fields at one cell, */
		{ "boundary v: clamp; o = pow(u[y-1], v[y-1]) + pow(u[y+1], v[y+1]) "
			"+ pow(u[y-2], v[y-2]);", "pow f32 u[y, x] v[y, x]" },
		{ "o = pow(u[y-1], v) + pow(u[y+1], v) + pow(u[y-2], v);", "!temp" },
		{ "o = pow(u[y-2], u[y-2, x+1]) + pow(u[y-1], u[y-1, x+1]) "
			"+ pow(u[y+1], u[y+1, x+1]);",
			"!temp" },
		/* of bytes, windows of roots and quotients, */
		{ "boundary c: mirror; o = sum[j in -2..2, i in -2..2]"
			"(pow(float(c[y+j, x+i]), k));", "c_once[y-2, x-2]@" },
		{ "o = sum[j in -2..2, i in -2..2](1/u[y+j, x+i]);", "div f32 1:f32 u[y, x]" },
		{ "o = sum[j in -1..1, i in -1..1](1/u[y+j, x+i]);", "!temp" },
		{ "o = sum[j in -2..2, i in -2..2](u[y+j, x+i]*u[y+j, x+i]);", "!temp" },
		/* beyond the grid it is that of what is read there, */
		{ "boundary v: constant(0); o = exp(v[y-1]) + sum[j in -2..2, i in -2..2]"
			"(exp(v[y+j, x+i]));", "%0 = exp f32 0:f32\n\t\tedges constant(%0)" },
		{ "boundary v: constant(k); o = sum[j in -2..2, i in -2..2](sqrt(v[y+j, x+i]));",
			"%0 = sqrt f32 k\n\t\tedges constant(%0)" },
		/* and cells that have nothing to read are left out */
		{ "o = pow(v[y-1], k) + pow(v, k) + pow(v[y+1], k) + pow(v[y+2], k);",
			"box y: max(1, lo.y) .. min(hi.y, ny - 2)" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

static void
a_temp_of_whole_cells_may_be_asked_for(void **state)
{
	static const PassedRow rows[] = {
		{ "temp float q = u + v; " SUM, "stage map q_once over" },
		{ "temp float q = u + u[y-1]; " SUM, "stage map q_once over" },
		{ "temp float q = u + v[y-1]; " SUM, "!once" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

static void
a_step_of_one_map_asks_for_less(void **state)
{
	static const PassedRow rows[] = {
		{ "w[t+1] = exp(w) + exp(w[x-1]) + exp(w[x+1]) + exp(w[y-1]) + exp(w[y+1]);",
			"w_once[y, x-1]@" },
		{ "w[t+1] = w + 1/w[x-1] + 1/w[x+1] + 1/w[y-1] + 1/w[y+1];", "!once" },
		{ "temp float q = w + 1; w[t+1] = q[x-1] + exp(w) + exp(w[x-1]) + exp(w[x+1]) "
			"+ exp(w[y-1]) + exp(w[y+1]);", "!once" },
	};
	static Pass *const passes[] = { opt_fold, opt_contract, opt_once, NULL };

	(void)state;
	check_passed("grid (y, x); stencil s(inout float w) { boundary w: clamp; ", " }", passes,
		rows, G_N_ELEMENTS(rows));
}

/* Those with a box have the stencil as it was. */
static void
calls_without_a_box_have_the_temp(void **state)
{
	static const char *const grids[] = { "grid (x);", "grid g (x);" };
	static Pass *const passes[] = { opt_once, NULL };

	(void)state;
	for (int named = 0; named <= 1; named++) {
		char *text = g_strdup_printf("%s stencil s(in float u%s, out float o%s, "
			"float k = 2) { boundary u: wrap; o = pow(u[x-9], k) + pow(u, k)"
			" + pow(u[x+9], k) + pow(u[x+8], k) + pow(u[x+7], k) + pow(u[x-7], k); }",
			grids[named], named ? " on g" : "", named ? " on g" : "");
		Program *p = passed(text, passes);
		const Stencil *s = g_ptr_array_index(p->stencils, 0);

		assert_int_equal(s->stages->len, 2);
		assert_int_equal(s->fields->len, 3);
		assert_int_equal(s->boxed == NULL, named);
		if (s->boxed != NULL) {
			char *why = NULL;

			assert_true(ir_verify(s->boxed, &why));
			assert_int_equal(s->boxed->stages->len, 1);
			assert_int_equal(s->boxed->fields->len, 2);
		}
		program_free(p);
		g_free(text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_takes_long_is_made_once),
		cmocka_unit_test(a_temp_of_whole_cells_may_be_asked_for),
		cmocka_unit_test(a_step_of_one_map_asks_for_less),
		cmocka_unit_test(calls_without_a_box_have_the_temp),
	};

	return cmocka_run_group_tests_name("once", tests, NULL, NULL);
}
