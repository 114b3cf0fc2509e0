/* test-nudge.c: associative sums are given to the function that moves them. */
#include "test.h"

#include <string.h>

#include "ir/verify.h"
#include "opt/opt.h"
#include "scheduled.h"

/* What the first stage of a stencil over u and v assigns, its sums moved; the rest is not. */
typedef struct {
	Scheduled *t;
	Expr *before, *after;
} Moved;

static Moved
moved(const char *type, const char *clause, const char *value)
{
	char *text = g_strdup_printf("grid (x); stencil s(inout %s u, in %s v) %s { u[t+1] = %s; }",
		type, type, clause, value), *why = NULL;
	Moved m = { .t = scheduled_new(text, "naive", NULL, NULL, NULL) };
	Stage *stage = g_ptr_array_index(m.t->s->stages, 0);

	for (const OptPass *pass = opt_passes; pass->name != NULL; pass++)
		pass->run(m.t->s);
	m.before = stage->value;
	opt_nudge(m.t->s);
	m.after = stage->value;
	if (!ir_verify(m.t->s, &why))
		fail_msg("%s", why);
	g_free(text);
	return m;
}

/* E moves SUM by N + 1 roundings of its magnitude. */
static void
assert_moves(const Expr *e, const Expr *sum, double n)
{
	assert_int_equal(e->op, EXPR_CALL);
	assert_string_equal(e->callee->header, "runner/nudge-sums.h");
	assert_ptr_equal(e->arg[0], sum);
	assert_int_equal(e->arg[1]->op, EXPR_MUL);
	assert_true(e->arg[1]->arg[1]->real == n + 1);
}

static void
a_sum_is_moved_by_its_operations(void **state)
{
	Moved m = moved("float", "associative", "0.5*u[x-1] - 0.25*u[x+1] + u");

	(void)state;
	assert_moves(m.after, m.before, 4);
	assert_string_equal(m.after->callee->name, "stencil_nudge_f32");
	scheduled_free(m.t);
	m = moved("double", "associative", "u[x-1] + u[x+1] + u");
	assert_moves(m.after, m.before, 2);
	assert_string_equal(m.after->callee->name, "stencil_nudge_f64");
	scheduled_free(m.t);
}

static void
count_differences(Expr *e, gpointer user)
{
	*(int *)user += e->op == EXPR_SUB || e->op == EXPR_NEG
		|| (e->op == EXPR_CONST && e->real < 0);
}

static void
its_magnitude_does_not_cancel(void **state)
{
	Moved m = moved("float", "associative", "2*u - v - 0.25*(u[x-1] - u[x+1])");
	int before = 0, after = 0;

	(void)state;
	expr_visit(&m.before, 1, count_differences, &before);
	expr_visit(&m.after->arg[1], 1, count_differences, &after);
	assert_true(before > 0);
	assert_int_equal(after, 0);
	scheduled_free(m.t);
}

static void
what_comes_out_alike_stays(void **state)
{
	static const char *const values[] = { "u + v", "u*v", "-u", "max(u, v)", "sqrt(u + v)" };
	Moved m = moved("float", "", "u[x-1] + u[x+1] + u");

	(void)state;
	assert_ptr_equal(m.before, m.after);
	scheduled_free(m.t);
	for (gsize i = 0; i < G_N_ELEMENTS(values); i++) {
		m = moved("float", "associative", values[i]);
		assert_ptr_equal(m.before, m.after);
		scheduled_free(m.t);
	}
}

static void
operands_of_others_are_moved_by_themselves(void **state)
{
	Moved m = moved("float", "associative", "sqrt(u[x-1] + u[x+1] + u) + v");

	(void)state;
	assert_int_equal(m.after->op, EXPR_ADD);
	for (int i = 0; i < 2; i++) {
		const Expr *before = m.before->arg[i], *after = m.after->arg[i];

		if (before->op == EXPR_SQRT)
			assert_moves(after->arg[0], before->arg[0], 2);
		else
			assert_ptr_equal(after, before);
	}
	scheduled_free(m.t);
}

/* Where fewer digits are stored, one of them. */
static void
narrow_stores_may_round_the_other_way(void **state)
{
	Moved m = moved("f16", "associative", "f16(u[x-1] + u[x+1] + u)");
	const Expr *call = m.after->arg[0], *reach;

	(void)state;
	assert_int_equal(m.after->op, EXPR_CONVERT);
	assert_int_equal(call->op, EXPR_CALL);
	reach = call->arg[1];
	assert_int_equal(reach->op, EXPR_ADD);
	assert_true(reach->arg[1]->arg[1]->real == 32768);
	scheduled_free(m.t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sum_is_moved_by_its_operations),
		cmocka_unit_test(its_magnitude_does_not_cancel),
		cmocka_unit_test(what_comes_out_alike_stays),
		cmocka_unit_test(operands_of_others_are_moved_by_themselves),
		cmocka_unit_test(narrow_stores_may_round_the_other_way),
	};

	return cmocka_run_group_tests_name("nudge", tests, NULL, NULL);
}
