/* Equal values are one node, and dead things are gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir-make.h"
#include "opt/opt.h"

static void
swapped_operands_are_the_same_value(void **state)
{
	Make *m = *state;
	static const ExprOp ops[] = { EXPR_ADD, EXPR_MUL, EXPR_MIN, EXPR_MAX };
	Expr *a = mk_tap(m, m->u, 0, 0, 1), *b = mk_tap(m, m->v, 0, 0, 0);

	for (gsize i = 0; i < G_N_ELEMENTS(ops); i++) {
		Expr *ab = mk_op(m, ops[i], b, a), *ba = mk_op(m, ops[i], a, b);
		Stage *stage = mk_stage(m, m->u, mk_op(m, EXPR_SUB, ab, ba));

		opt_cse(m->s);
		assert_ptr_equal(stage->value->arg[0], ab); /* as first written */
		assert_ptr_equal(stage->value->arg[1], ab);
		g_ptr_array_set_size(m->s->stages, 0);
	}
}

static void
differences_stay_apart(void **state)
{
	Make *m = *state;
	Expr *a = mk_tap(m, m->u, 0, 0, 1), *b = mk_tap(m, m->v, 0, 0, 0);
	Expr *ab = mk_op(m, EXPR_SUB, a, b), *ba = mk_op(m, EXPR_SUB, b, a);
	Stage *stage = mk_stage(m, m->u, mk_op(m, EXPR_ADD, ab, ba));

	opt_cse(m->s);
	assert_ptr_equal(stage->value->arg[0], ab);
	assert_ptr_equal(stage->value->arg[1], ba);
}

/* Of a cell and of the next one, squared: one difference; not where a sign is seen. */
static void
squared_differences_go_one_way_round(void **state)
{
	Make *m = *state;
	Expr *here = mk_tap(m, m->u, 0, 0, 0), *next = mk_tap(m, m->u, 0, 0, 1);
	Expr *on = mk_op(m, EXPR_SUB, next, here), *back = mk_op(m, EXPR_SUB, here, next);
	Expr *other = mk_op(m, EXPR_SUB, next, mk_tap(m, m->v, 0, 0, 0));
	Stage *squares = mk_stage(m, m->u, mk_op(m, EXPR_ADD, mk_op(m, EXPR_MUL, on, on),
		mk_op(m, EXPR_MUL, back, back)));
	Stage *amount = mk_stage(m, m->u, expr_unary(m->s, nowhere, EXPR_ABS, TYPE_F32, on));
	Stage *others = mk_stage(m, m->u, mk_op(m, EXPR_MUL, other, other)), *seen;

	opt_even(m->s);
	assert_ptr_equal(squares->value->arg[0], squares->value->arg[1]);
	assert_ptr_equal(squares->value->arg[0]->arg[0], back);
	assert_ptr_equal(amount->value->arg[0], back);
	assert_ptr_equal(others->value->arg[0], other);
	g_ptr_array_set_size(m->s->stages, 0);
	seen = mk_stage(m, m->u, mk_op(m, EXPR_ADD, mk_op(m, EXPR_MUL, on, on), on));
	opt_even(m->s);
	assert_ptr_equal(seen->value->arg[0]->arg[0], on);
}

/* (a + b) * c and c * (b + a), in two stages; and an fma's factors. */
static void
sameness_goes_up_and_across_stages(void **state)
{
	Make *m = *state;
	Expr *a = mk_tap(m, m->u, 0, 0, 1), *b = mk_tap(m, m->v, 0, 0, 0);
	Expr *c = mk_use(m, m->w);
	Stage *one = mk_stage(m, m->u, mk_op(m, EXPR_MUL, mk_op(m, EXPR_ADD, a, b), c));
	Stage *two = mk_stage(m, m->u, mk_op(m, EXPR_MUL, c, mk_op(m, EXPR_ADD, b, a)));
	Stage *three = mk_stage(m, m->u,
		expr_ternary(m->s, nowhere, EXPR_FMA, TYPE_F32, a, b, c));
	Stage *four = mk_stage(m, m->u,
		expr_ternary(m->s, nowhere, EXPR_FMA, TYPE_F32, b, a, c));
	Stage *five = mk_stage(m, m->u,
		expr_ternary(m->s, nowhere, EXPR_FMA, TYPE_F32, a, c, b));

	opt_cse(m->s);
	assert_ptr_equal(one->value, two->value);
	assert_ptr_equal(three->value, four->value);
	assert_ptr_not_equal(three->value, five->value);
}

static Expr *
edge_tap(Make *m, int x, Boundary *b)
{
	Expr like = *mk_tap(m, m->u, 0, 0, x);

	like.tap.boundary = b;
	return expr_node(m->s, &like);
}

static void
equal_boundaries_are_merged_and_unused_ones_dropped(void **state)
{
	Make *m = *state;
	Expr *x = mk_use(m, m->w), *y = mk_use(m, m->w2);
	Boundary b = { .kind = { { EDGE_CONSTANT } }, .value = { { mk_op(m, EXPR_ADD, x, y) } } };
	Boundary *unused, *first, *second;
	Stage *stage;

	unused = boundary_node(m->s, &(Boundary){ .kind = { { EDGE_WRAP } } });
	first = boundary_node(m->s, &b);
	b.value[0][0] = mk_op(m, EXPR_ADD, y, x);
	second = boundary_node(m->s, &b);
	stage = mk_stage(m, m->u,
		mk_op(m, EXPR_SUB, edge_tap(m, -1, second), edge_tap(m, -1, first)));
	stage->region.n_guards = 2;
	stage->region.guard = (Expr *[]){ edge_tap(m, -1, first), edge_tap(m, -1, second) };
	assert_ptr_not_equal(first, second);
	opt_cse(m->s);
	assert_int_equal(m->s->boundaries->len, 1);
	assert_ptr_not_equal(m->s->boundaries->pdata[0], unused);
	assert_ptr_equal(stage->value->arg[0], stage->value->arg[1]);
	assert_int_equal(stage->region.n_guards, 1);
	assert_ptr_equal(stage->region.guard[0], stage->value->arg[0]);
}

static void
live_nodes_are_numbered_without_gaps(void **state)
{
	Make *m = *state;
	Expr *a = mk_tap(m, m->u, 0, 0, 1), *dead = mk_tap(m, m->u, 0, 2, 1);
	Expr *b = mk_tap(m, m->v, 0, 0, 0), *sum = mk_op(m, EXPR_ADD, a, b);

	mk_op(m, EXPR_ADD, dead, b);
	mk_stage(m, m->u, sum);
	opt_cse(m->s);
	assert_int_equal(m->s->n_exprs, 3);
	assert_int_equal(g_hash_table_size(m->s->pool), 3);
	assert_int_equal(a->id, 0);
	assert_int_equal(sum->id, 2);
	assert_ptr_equal(mk_op(m, EXPR_ADD, a, b), sum); /* the pool still finds it */
}

static void
externs_that_nobody_calls_are_dropped(void **state)
{
	Make *m = *state;
	Type f32 = TYPE_F32;
	Extern gone = { .name = "gone", .type = TYPE_F32, .n_params = 1, .param = &f32 };
	Extern kept = { .name = "kept", .type = TYPE_F32, .n_params = 1, .param = &f32 };
	Expr *x = mk_use(m, m->w);
	Expr like = { .op = EXPR_CALL, .type = TYPE_F32, .n_args = 1, .arg = &x, .callee = &kept };

	kept.index = 1;
	g_ptr_array_add(m->s->externs, &gone);
	g_ptr_array_add(m->s->externs, &kept);
	mk_stage(m, m->u, expr_node(m->s, &like));
	opt_cse(m->s);
	assert_int_equal(m->s->externs->len, 1);
	assert_ptr_equal(m->s->externs->pdata[0], &kept);
	assert_int_equal(kept.index, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			swapped_operands_are_the_same_value, mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(differences_stay_apart, mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(
			squared_differences_go_one_way_round, mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(
			sameness_goes_up_and_across_stages, mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(
			equal_boundaries_are_merged_and_unused_ones_dropped, mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(
			live_nodes_are_numbered_without_gaps, mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(
			externs_that_nobody_calls_are_dropped, mk_setup, mk_teardown),
	};

	return cmocka_run_group_tests_name("cse", tests, NULL, NULL);
}
