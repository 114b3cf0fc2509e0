/* test-flow.c: in which order the parts of a cell's value are computed. */
#include "test.h"

#include "emit/flow.h"
#include "opt/opt.h"
#include "passed.h"

static Program *
program_of(const char *outs, const char *body)
{
	static Pass *const passes[] = { opt_fold, opt_contract, opt_cse, NULL };
	char *text = g_strdup_printf("grid (y, x); stencil s(in float u, in float w, in u8 a, %s,"
		" float k) { boundary u, w, a: clamp; %s }", outs, body);
	Program *program = passed(text, passes);

	g_free(text);
	return program;
}

/* Of all stages; to be freed. */
static GPtrArray *
values_of(const Program *program)
{
	const Stencil *s = g_ptr_array_index(program->stencils, 0);
	GPtrArray *values = g_ptr_array_new();

	for (guint i = 0; i < s->stages->len; i++)
		g_ptr_array_add(values, ((const Stage *)g_ptr_array_index(s->stages, i))->value);
	return values;
}

static GPtrArray *
order_of(const GPtrArray *values)
{
	return flow_order((Expr *const *)values->pdata, (int)values->len);
}

typedef struct {
	ExprOp op;
	GHashTable *done, *waiting;
} Uses;

static void
find_waiting(Expr *e, gpointer user)
{
	Uses *uses = user;

	for (int i = 0; i < e->n_args; i++)
		if (e->arg[i]->op == uses->op && g_hash_table_contains(uses->done, e->arg[i])
			&& !g_hash_table_contains(uses->done, e))
			g_hash_table_add(uses->waiting, e->arg[i]);
}

/* The most OPs that are kept at a time for those that use them; operands come first. */
static guint
most_waiting(const GPtrArray *order, const GPtrArray *values, ExprOp op)
{
	guint most = 0;
	Uses uses = { op, g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL) };

	for (guint i = 0; i < order->len; i++) {
		Expr *e = g_ptr_array_index(order, i);

		for (int k = 0; k < e->n_args; k++)
			assert_true(g_hash_table_contains(uses.done, e->arg[k]));
		assert_true(g_hash_table_add(uses.done, e));
		g_hash_table_remove_all(uses.waiting);
		expr_visit((Expr *const *)values->pdata, (int)values->len, find_waiting, &uses);
		most = MAX(most, g_hash_table_size(uses.waiting));
	}
	for (guint i = 0; i < values->len; i++)
		assert_true(g_hash_table_contains(uses.done, values->pdata[i]));
	g_hash_table_unref(uses.done);
	g_hash_table_unref(uses.waiting);
	return most;
}

static void
keeps(const char *outs, const char *body, ExprOp op, guint ops)
{
	Program *program = program_of(outs, body);
	GPtrArray *values = values_of(program), *order = order_of(values);
	guint most;

	assert_non_null(order);
	most = most_waiting(order, values, op);
	if (most > ops)
		fail_msg("%s: %u of op %d wait at a time, of %u", body, most, op, ops);
	g_ptr_array_unref(order);
	g_ptr_array_unref(values);
	program_free(program);
}

#define WEIGHT "exp(-k*(u[y+j, x+i] - u)*(u[y+j, x+i] - u))"
#define AROUND "j in -2..2, i in -2..2"

static void
terms_do_not_wait_for_each_other(void **state)
{
	(void)state;
	keeps("out float v", "v = sum[" AROUND "](" WEIGHT "*w[y+j, x+i]);", EXPR_EXP, 2);
	/* a sum of the same, behind it, goes along with it */
	keeps("out float v", "v = sum[" AROUND "](" WEIGHT "*w[y+j, x+i])"
		" / sum[" AROUND "](" WEIGHT ");", EXPR_EXP, 2);
	keeps("out float v", "v = sum[" AROUND "](" WEIGHT "*w[y+j, x+i])"
		" - 3*sum[" AROUND "](" WEIGHT "*u[y+j, x+i]) + sum[" AROUND "](" WEIGHT ");",
		EXPR_EXP, 2);
}

static void
nor_for_those_of_other_values(void **state)
{
	(void)state;
	keeps("out float v, out float m", "v = sum[" AROUND "](" WEIGHT "*w[y+j, x+i]);"
		" m = sum[" AROUND "](" WEIGHT ");", EXPR_EXP, 2);
	/* without anything that takes long: cells, and what is made of each for all sums */
	keeps("out i32 v[3], out u8 m", "for (b in 0..2) {"
		" v[b] = sum[" AROUND "](a[y+j, x+i]/85 == b ? 1 : 0); }"
		" m = u8(max[" AROUND "](i32(a[y+j, x+i])));", EXPR_TAP, 3);
	keeps("out i32 v[3], out u8 m", "for (b in 0..2) {"
		" v[b] = sum[" AROUND "](a[y+j, x+i]/85 == b ? 1 : 0); }"
		" m = u8(max[" AROUND "](i32(a[y+j, x+i])));", EXPR_DIV, 2);
	/* a sum of cells does not run ahead of one that makes more of them */
	keeps("out float v, out float m", "v = sum[" AROUND "](u[y+j, x+i]);"
		" m = sum[" AROUND "](u[y+j, x+i]*k*w[y+j, x+i]);", EXPR_TAP, 4);
	/* differences from one cell do not all come with it */
	keeps("out float v, out float m", "v = sum[" AROUND "]((u[y+j, x+i] - u)"
		"*(u[y+j, x+i] - u)); m = sum[" AROUND "]((u[y+j, x+i] - u)*w);", EXPR_SUB, 2);
}

static void
what_takes_no_time_is_left_as_it_is(void **state)
{
	Program *program = program_of("out float v",
		"v = exp(u[x-1]) + exp(u[x+1]) + u/w + u[y-1]*w[y+1];");
	GPtrArray *values = values_of(program);

	(void)state;
	assert_null(order_of(values));
	g_ptr_array_unref(values);
	program_free(program);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(terms_do_not_wait_for_each_other),
		cmocka_unit_test(nor_for_those_of_other_values),
		cmocka_unit_test(what_takes_no_time_is_left_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
