/* test-flow.c: in which order the parts of a cell's value are computed. */
#include "test.h"

#include "emit/flow.h"
#include "opt/opt.h"
#include "passed.h"

static Program *
program_of(const char *body)
{
	static Pass *const passes[] = { opt_fold, opt_contract, opt_cse, NULL };
	char *text = g_strdup_printf("grid (y, x); stencil s(in float u, in float w, out float v,"
		" float k) { boundary u, w: clamp; %s }", body);
	Program *program = passed(text, passes);

	g_free(text);
	return program;
}

static Expr *
value_of(const Program *program)
{
	const Stencil *s = g_ptr_array_index(program->stencils, 0);
	const Stage *stage = g_ptr_array_index(s->stages, s->stages->len - 1);

	return stage->value;
}

typedef struct {
	GHashTable *done, *waiting;
} Uses;

static void
find_waiting(Expr *e, gpointer user)
{
	Uses *uses = user;

	for (int i = 0; i < e->n_args; i++)
		if (e->arg[i]->op == EXPR_EXP && g_hash_table_contains(uses->done, e->arg[i])
			&& !g_hash_table_contains(uses->done, e))
			g_hash_table_add(uses->waiting, e->arg[i]);
}

/* The most functions that are kept at a time for those that use them; operands come first. */
static guint
most_waiting(const GPtrArray *order, Expr *root)
{
	guint most = 0;
	Uses uses = { g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL) };

	for (guint i = 0; i < order->len; i++) {
		Expr *e = g_ptr_array_index(order, i);

		for (int k = 0; k < e->n_args; k++)
			assert_true(g_hash_table_contains(uses.done, e->arg[k]));
		assert_true(g_hash_table_add(uses.done, e));
		g_hash_table_remove_all(uses.waiting);
		expr_visit(&root, 1, find_waiting, &uses);
		most = MAX(most, g_hash_table_size(uses.waiting));
	}
	assert_ptr_equal(g_ptr_array_index(order, order->len - 1), root);
	g_hash_table_unref(uses.done);
	g_hash_table_unref(uses.waiting);
	return most;
}

static void
keeps(const char *body, guint functions)
{
	Program *program = program_of(body);
	Expr *root = value_of(program);
	GPtrArray *order = flow_order(root);
	guint most;

	assert_non_null(order);
	most = most_waiting(order, root);
	if (most > functions)
		fail_msg("%s: %u functions wait at a time, of %u", body, most, functions);
	g_ptr_array_unref(order);
	program_free(program);
}

#define WEIGHT "exp(-k*(u[y+j, x+i] - u)*(u[y+j, x+i] - u))"
#define AROUND "j in -2..2, i in -2..2"

static void
terms_do_not_wait_for_each_other(void **state)
{
	(void)state;
	keeps("v = sum[" AROUND "](" WEIGHT "*w[y+j, x+i]);", 2);
	/* a sum of the same, behind it, goes along with it */
	keeps("v = sum[" AROUND "](" WEIGHT "*w[y+j, x+i]) / sum[" AROUND "](" WEIGHT ");", 2);
	keeps("v = sum[" AROUND "](" WEIGHT "*w[y+j, x+i]) - 3*sum[" AROUND "](" WEIGHT
		"*u[y+j, x+i]) + sum[" AROUND "](" WEIGHT ");", 2);
}

static void
what_takes_no_time_is_left_as_it_is(void **state)
{
	Program *program = program_of("v = exp(u[x-1]) + exp(u[x+1]) + u/w + u[y-1]*w[y+1];");

	(void)state;
	assert_null(flow_order(value_of(program)));
	program_free(program);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(terms_do_not_wait_for_each_other),
		cmocka_unit_test(what_takes_no_time_is_left_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
