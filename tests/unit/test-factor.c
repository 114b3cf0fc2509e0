/* test-factor.c: coefficients that come several times multiply a sum. */
#include "test.h"

#include <math.h>

#include "analyze/analyze.h"
#include "ir/verify.h"
#include "opt/opt.h"
#include "scheduled.h"

#define BOX "grid (z, y, x); const float w[0..3] = { 0.2, 0.05, 0.03, 0.0125 };" \
	"stencil s(inout float u) %s { u[t+1] = sum[k in -1..1, j in -1..1, i in -1..1](" \
	" w[abs(k) + abs(j) + abs(i)] * u[z+k, y+j, x+i]); }"

typedef struct {
	int before, after; /* operations of a cell */
	double apart;      /* the most that a coefficient has changed by */
} Factored;

static double
coefficient_of(const Linear *form, const Expr *tap)
{
	double sum = 0;

	for (int i = 0; i < form->n; i++)
		if (form->term[i].tap == tap)
			sum += form->term[i].value;
	return sum;
}

static Factored
factored(const char *text, const char *clause)
{
	char *program = g_strdup_printf(text, clause), *why = NULL;
	Scheduled *t = scheduled_new(program, "naive", NULL, NULL, NULL);
	Stage *stage = g_ptr_array_index(t->s->stages, 0);
	Field *field = g_ptr_array_index(t->s->fields, 0);
	Linear *old, *new;
	Factored f = { 0 };

	opt_fold(t->s);
	f.before = cost_of(stage).flops;
	old = linear_form(stage, field);
	opt_factor(t->s);
	if (!ir_verify(t->s, &why))
		fail_msg("%s", why);
	f.after = cost_of(stage).flops;
	new = linear_form(stage, field);
	assert_int_equal(old->n, new->n);
	for (int i = 0; i < old->n; i++)
		f.apart = fmax(f.apart, fabs(coefficient_of(new, old->term[i].tap)
			- old->term[i].value));
	linear_free(old);
	linear_free(new);
	scheduled_free(t);
	g_free(program);
	return f;
}

static void
expect(const char *text, const char *clause, int before, int after)
{
	Factored f = factored(text, clause);

	assert_int_equal(f.before, before);
	assert_int_equal(f.after, after);
	assert_true(f.apart == 0);
}

/* 26 additions and a product for each of the four classes. */
static void
equal_coefficients_multiply_a_sum(void **state)
{
	(void)state;
	expect(BOX, "associative", 53, 30);
	expect("grid (x); stencil s(in float a, out float b) %s {"
		" b = 0.5*a[x-1] - 0.25*a - 0.5*a[x+1] + 0.5*a[x+2]; }", "associative", 7, 5);
	expect("grid (x); stencil s(in double a, out double b) %s {"
		" b = 3*(0.5*a[x-1] + (a + 0.5*a[x+1])); }", "associative", 5, 4);
}

static void
all_others_stay(void **state)
{
	(void)state;
	expect(BOX, "", 53, 53);
	expect("grid (x); stencil s(in float a, out float b) %s {"
		" b = 0.5*a[x-1] - 0.25*a + 0.75*a[x+1]; }", "associative", 5, 5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_coefficients_multiply_a_sum),
		cmocka_unit_test(all_others_stay),
	};

	return cmocka_run_group_tests_name("factor", tests, NULL, NULL);
}
