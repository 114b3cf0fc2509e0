/* test-factor.c: coefficients that come several times multiply a sum; rows that are
 * multiples of one another are multiples of the same sum. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/outer.h"
#include "ir/verify.h"
#include "opt/opt.h"
#include "scheduled.h"

#define BOX "grid (z, y, x); const float w[0..3] = { 0.2, 0.05, 0.03, 0.0125 };" \
	"stencil s(inout float u) %s { u[t+1] = sum[k in -1..1, j in -1..1, i in -1..1](" \
	" w[abs(k) + abs(j) + abs(i)] * u[z+k, y+j, x+i]); }"

#define PRODUCT "grid (y, x); const float a[-1..1] = %s; const float b[-1..1] = %s;" \
	"stencil s(inout float u, in float f) associative {" \
	" u[t+1] = sum[j in -1..1, i in -1..1](a[j]*b[i] * u[y+j, x+i])%s; }"

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

/* Operations afterwards of a table that is a product; MOST: roundings of f32 that its
 * factors may be off by. */
static void
expect_product(const char *a, const char *b, const char *more, int after, double most)
{
	char *text = g_strdup_printf(PRODUCT, a, b, more);
	Factored f = factored(text, "");

	if (f.after != after || f.apart > most * 0x1p-24)
		fail_msg("%s * %s%s: %d operations, off by %g", a, b, more, f.after, f.apart);
	g_free(text);
}

/* Of three rows each: two additions and a product, and the same again. */
static void
rows_that_are_multiples_are_multiples_of_a_sum(void **state)
{
	(void)state;
	expect_product("{ 1, 2, 1 }", "{ 1, 2, 1 }", "", 12, 0);
	expect_product("{ 3, 5, 7 }", "{ 1, 2, 1 }", "", 14, 0);
	expect_product("{ 1, -2, 1 }", "{ -0.5, 1, -0.5 }", "", 12, 0);
	expect_product("{ 1, 0, -1 }", "{ 1, 2, 1 }", "", 12, 0); /* 0 times what may be NaN */
	expect_product("{ 0.1, 0.3, 0.7 }", "{ 0.3, 0.9, 0.1 }", "", 17, 3 * 0.63);
	expect_product("{ 1, 2, 1 }", "{ 1, 2, 1 }", " + 0.1*f + 0.3*f[y-1]", 16, 0);
	expect_product("{ 2, 2, 6 }", "{ 1, 4, 1 }", " + u[y-2] - 5*u[x-3] + 1", 16, 0);
}

static void
whole_numbers_are_exact(void **state)
{
	const gint64 table[] = { 6, -10, 0, 9, -15, 0, 0, 0, 0, -3, 5, 0 };
	gint64 column[4], row[3], other[G_N_ELEMENTS(table)];

	(void)state;
	assert_true(outer_integers(4, 3, table, column, row));
	for (int r = 0; r < 4; r++)
		for (int c = 0; c < 3; c++)
			assert_int_equal(column[r] * row[c], table[r * 3 + c]);
	assert_int_equal(ABS(row[0]), 3);
	for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
		memcpy(other, table, sizeof table);
		other[i]++;
		assert_false(outer_integers(4, 3, other, column, row));
	}
}

/* TABLE of COLUMNS columns, one of its numbers changed by APART roundings. */
static gboolean
is_outer(Type type, int columns, double *table, int n, int place, double apart, double *off)
{
	double unit = type == TYPE_F32 ? 0x1p-24 : 0x1p-53, column[8], row[8];
	double was = table[place];
	gboolean fine;

	table[place] = type_round(type, was * (1 + apart * unit));
	fine = outer_reals(type, n / columns, columns, table, 3, column, row);
	*off = 0;
	for (int i = 0; i < n && fine; i++) {
		assert_true(column[i / columns] == type_round(type, column[i / columns]));
		assert_true(row[i % columns] == type_round(type, row[i % columns]));
		*off = fmax(*off, fabs(fma(column[i / columns], row[i % columns], -table[i]))
			/ fabs(table[i]) / unit);
	}
	table[place] = was;
	return fine;
}

/* Three roundings at most, and none where that can be. */
static void
products_that_were_rounded_are_found_again(void **state)
{
	static const Type types[] = { TYPE_F32, TYPE_F64 };

	(void)state;
	for (int n = 0; n < 2; n++)
		for (int seed = 1; seed < 400; seed++) {
			double a[4], b[5], table[20], off;
			Type type = types[n];

			for (int i = 0; i < 9; i++)
				*(i < 4 ? &a[i] : &b[i - 4]) = type_round(type,
					sin(seed * 10 + i));
			for (int i = 0; i < 20; i++)
				table[i] = type_round(type, a[i / 5] * b[i % 5]);
			assert_true(is_outer(type, 5, table, 20, 7, 0, &off));
			assert_true(off <= 3);
			assert_false(is_outer(type, 5, table, 20, seed % 20, 16, &off));
			assert_false(is_outer(type, 5, table, 20, seed % 20, -16, &off));
			for (int i = 0; i < 20; i++)
				table[i] = (1 + (seed + i / 5) % 7) * ldexp(2 + seed % (i % 5 + 1),
					-5);
			assert_true(is_outer(type, 5, table, 20, 0, 0, &off));
			assert_true(off == 0);
		}
}

static void
numbers_that_are_far_apart_are_left(void **state)
{
	double table[] = { 1, 0x1p20, 0x1p20, 0x1p40 }, column[2], row[2];

	(void)state;
	assert_true(outer_reals(TYPE_F32, 2, 2, table, 0, column, row));
	table[1] *= 2;
	table[3] *= 2;
	assert_false(outer_reals(TYPE_F32, 2, 2, table, 0, column, row));
	table[0] = NAN;
	assert_false(outer_reals(TYPE_F32, 2, 2, table, 0, column, row));
	table[0] = INFINITY;
	assert_false(outer_reals(TYPE_F32, 2, 2, table, 0, column, row));
}

/* The middle of { 1, 2, 1 } by { 1, 2, 1 } is another: equal coefficients are left, which
 * alone take fewer operations, but share nothing with the cells above and below. */
static void
tables_that_are_nearly_products_are_none(void **state)
{
	static const struct {
		const char *middle;
		int after;
		double most;
	} row[] = {
		{ "4", 12, 0 }, { "4.0000005", 13, 3 * 4 }, { "4.000004", 10, 0 }, { "-4", 10, 0 },
		{ "0", 10, 0 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(row); i++) {
		char *text = g_strdup_printf("grid (y, x); const float w[-1..1, -1..1] ="
			" { { 1, 2, 1 }, { 2, %s, 2 }, { 1, 2, 1 } };"
			"stencil s(in float a, out float b) associative {"
			" b = sum[j in -1..1, i in -1..1](w[j, i] * a[y+j, x+i]); }",
			row[i].middle);
		Factored f = factored(text, "");

		if (f.after != row[i].after || f.apart > row[i].most * 0x1p-24)
			fail_msg("%s: %d operations, off by %g", row[i].middle, f.after, f.apart);
		g_free(text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_coefficients_multiply_a_sum),
		cmocka_unit_test(all_others_stay),
		cmocka_unit_test(rows_that_are_multiples_are_multiples_of_a_sum),
		cmocka_unit_test(whole_numbers_are_exact),
		cmocka_unit_test(products_that_were_rounded_are_found_again),
		cmocka_unit_test(numbers_that_are_far_apart_are_left),
		cmocka_unit_test(tables_that_are_nearly_products_are_none),
	};

	return cmocka_run_group_tests_name("factor", tests, NULL, NULL);
}
