/* Expressions: one node for equal contents, and walks over deep DAGs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "ir-make.h"

static void
equal_contents_are_one_node(void **state)
{
	Make *m = *state;
	Span here = { NULL, 3, 4, 3, 5 };
	Expr *a = mk_tap(m, m->u, 0, 0, 1), *b = mk_use(m, m->w);
	Expr *sum = mk_op(m, EXPR_ADD, a, b);

	assert_ptr_equal(mk_tap(m, m->u, 0, 0, 1), a);
	assert_ptr_equal(expr_binary(m->s, here, EXPR_ADD, TYPE_F32, a, b), sum);
	assert_int_equal(sum->at.line, 0);
	assert_ptr_not_equal(mk_op(m, EXPR_ADD, b, a), sum);
	assert_ptr_not_equal(mk_tap(m, m->v, 0, 0, 1), a);
	assert_ptr_not_equal(mk_tap(m, m->u, 0, 1, 0), a);
	assert_ptr_not_equal(mk_f32(m, 0.0), mk_f32(m, -0.0));
	assert_ptr_equal(mk_f32(m, NAN), mk_f32(m, -(double)NAN));
	assert_ptr_not_equal(mk_i32(m, 1), expr_int(m->s, nowhere, TYPE_I64, 1));
	assert_true(mk_f32(m, 0.1)->real == (double)0.1f);
}

static void
maps_of_axes_that_a_field_lacks_do_not_count(void **state)
{
	Make *m = *state;
	Field *line = mk_field(m, "line", FIELD_IN, TYPE_F32, m->grid);
	Expr *a;

	line->axes = AXIS_BIT(2);
	a = mk_tap(m, line, 0, 0, 1);
	assert_ptr_equal(mk_tap(m, line, 5, 0, 1), a);
	assert_ptr_not_equal(mk_tap(m, line, 0, 0, 2), a);
}

static void
equal_boundaries_are_one(void **state)
{
	Make *m = *state;
	Boundary clamp = { .kind = { { EDGE_CLAMP, EDGE_CLAMP } } };
	Boundary constant = { .kind = { { EDGE_CONSTANT, EDGE_CLAMP } },
		.value = { { mk_f32(m, 1), NULL } } };
	Boundary *a = boundary_node(m->s, &clamp), *b = boundary_node(m->s, &constant);

	assert_ptr_not_equal(a, b);
	clamp.value[0][0] = mk_f32(m, 2); /* means nothing there */
	assert_ptr_equal(boundary_node(m->s, &clamp), a);
	assert_int_equal(b->index, 1);
	assert_int_equal(m->s->boundaries->len, 2);
}

static void
same_operands_give_the_same_node(void **state)
{
	Make *m = *state;
	Expr *a = mk_use(m, m->w), *b = mk_use(m, m->w2), *e = mk_op(m, EXPR_SUB, a, b);

	assert_ptr_equal(expr_with_args(m->s, e, (Expr *[]){ a, b }), e);
	assert_ptr_equal(expr_with_args(m->s, e, (Expr *[]){ b, a }), mk_op(m, EXPR_SUB, b, a));
}

/* ---- walks ---- */

enum { DEEP = 200000 };

static Expr *
deep_sum(Make *m)
{
	Expr *e = mk_use(m, m->w);

	for (int i = 0; i < DEEP; i++)
		e = mk_op(m, EXPR_ADD, e, mk_use(m, m->w2));
	return e;
}

static void
count(Expr *e, gpointer user)
{
	(void)e;
	++*(int *)user;
}

static Expr *
swap_scalar(Stencil *s, Expr *e, gpointer user)
{
	Make *m = user;

	(void)s;
	return e->op == EXPR_SCALAR && e->scalar == m->w ? mk_f32(m, 7) : e;
}

static void
deep_dags_are_walked_without_recursion(void **state)
{
	Make *m = *state;
	Expr *deep = deep_sum(m), *now;
	int n = 0;

	expr_visit(&deep, 1, count, &n);
	assert_int_equal(n, DEEP + 2);
	now = expr_rewrite(m->s, deep, swap_scalar, m, NULL);
	for (int i = 0; i < DEEP; i++)
		now = now->arg[0];
	assert_ptr_equal(now, mk_f32(m, 7));
}

/* 2^60 paths, 61 nodes. */
static void
shared_nodes_are_visited_once(void **state)
{
	Make *m = *state;
	Expr *e = mk_use(m, m->w), *now;
	int n = 0;

	for (int i = 0; i < 60; i++)
		e = mk_op(m, EXPR_ADD, e, e);
	expr_visit(&e, 1, count, &n);
	assert_int_equal(n, 61);
	now = expr_rewrite(m->s, e, swap_scalar, m, NULL);
	n = 0;
	expr_visit((Expr *[]){ now, e }, 2, count, &n);
	assert_int_equal(n, 122);
}

/* Also those that came before there were many. */
static void
many_nodes_are_visited_once(void **state)
{
	Make *m = *state;
	Expr *few = mk_op(m, EXPR_ADD, mk_use(m, m->w), mk_f32(m, 3)), *deep = deep_sum(m);
	int n = 0, again = 0;

	expr_visit((Expr *[]){ few, deep }, 2, count, &n);
	expr_visit((Expr *[]){ few, deep, few }, 3, count, &again);
	assert_true(n > DEEP);
	assert_int_equal(again, n);
}

static void
check_order(Expr *e, gpointer user)
{
	GHashTable *seen = user;

	for (int i = 0; i < e->n_args; i++)
		assert_true(g_hash_table_contains(seen, e->arg[i]));
	assert_true(g_hash_table_add(seen, e));
}

static void
operands_are_visited_first(void **state)
{
	Make *m = *state;
	Expr *a = mk_tap(m, m->u, 0, 0, 0), *b = mk_op(m, EXPR_MUL, a, mk_use(m, m->w));
	Expr *c = mk_op(m, EXPR_ADD, b, a), *d = mk_op(m, EXPR_SUB, c, b);
	GHashTable *seen = g_hash_table_new(NULL, NULL);

	expr_visit((Expr *[]){ d, c, a }, 3, check_order, seen);
	assert_int_equal(g_hash_table_size(seen), 5);
	g_hash_table_unref(seen);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(equal_contents_are_one_node, mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(maps_of_axes_that_a_field_lacks_do_not_count,
			mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(equal_boundaries_are_one, mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(same_operands_give_the_same_node,
			mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(deep_dags_are_walked_without_recursion,
			mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(shared_nodes_are_visited_once,
			mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(many_nodes_are_visited_once, mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(operands_are_visited_first, mk_setup, mk_teardown),
	};

	return cmocka_run_group_tests_name("ir", tests, NULL, NULL);
}
