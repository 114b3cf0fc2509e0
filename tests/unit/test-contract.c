/* The contraction rule, statement by statement. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir-make.h"
#include "opt/opt.h"

typedef struct {
	Make *m;
	Expr *a, *b, *c, *d, *s;
} World;

static int
setup(void **state)
{
	World *w = g_new0(World, 1);

	w->m = mk_new();
	w->a = mk_tap(w->m, w->m->v, 0, 0, 0);
	w->b = mk_tap(w->m, w->m->v, 0, 0, 1);
	w->c = mk_tap(w->m, w->m->v, 0, 1, 0);
	w->d = mk_use(w->m, w->m->w);
	w->s = mk_tap(w->m, w->m->u, 0, 0, 0);
	*state = w;
	return 0;
}

static int
teardown(void **state)
{
	World *w = *state;

	mk_free(w->m);
	g_free(w);
	return 0;
}

static Expr *
op(World *w, ExprOp o, Expr *a, Expr *b)
{
	return mk_op(w->m, o, a, b);
}

static Expr *
mul(World *w, Expr *a, Expr *b)
{
	return mk_op(w->m, EXPR_MUL, a, b);
}

static Expr *
fma3(World *w, Expr *a, Expr *b, Expr *c)
{
	return expr_ternary(w->m->s, nowhere, EXPR_FMA, type_kind(a->type), a, b, c);
}

static Expr *
neg(World *w, Expr *a)
{
	return mk_op1(w->m, EXPR_NEG, a);
}

/* What VALUE becomes as the value of a stage. */
static Expr *
contracted(World *w, Expr *value)
{
	Stage *stage = mk_stage(w->m, w->m->u, value);

	opt_contract(w->m->s);
	g_ptr_array_set_size(w->m->s->stages, 0);
	return stage->value;
}

static void
products_in_sums_are_fused(void **state)
{
	World *w = *state;
	Expr *p = mul(w, w->a, w->b), *q = mul(w, w->c, w->d), *two = mk_f32(w->m, 2);
	const struct {
		Expr *from, *to;
	} row[] = {
		{ op(w, EXPR_ADD, w->s, p), fma3(w, w->a, w->b, w->s) },
		{ op(w, EXPR_ADD, p, w->s), fma3(w, w->a, w->b, w->s) },
		{ op(w, EXPR_SUB, w->s, p), fma3(w, neg(w, w->a), w->b, w->s) },
		{ op(w, EXPR_SUB, p, w->s), fma3(w, w->a, w->b, neg(w, w->s)) },
		/* the left one of two is rounded */
		{ op(w, EXPR_ADD, p, q), fma3(w, w->c, w->d, p) },
		{ op(w, EXPR_SUB, p, q), fma3(w, neg(w, w->c), w->d, p) },
		/* a constant takes the sign */
		{ op(w, EXPR_SUB, w->s, mul(w, two, w->a)),
			fma3(w, mk_f32(w->m, -2), w->a, w->s) },
		{ op(w, EXPR_SUB, w->s, mul(w, w->a, two)),
			fma3(w, w->a, mk_f32(w->m, -2), w->s) },
		{ op(w, EXPR_SUB, p, two), fma3(w, w->a, w->b, mk_f32(w->m, -2)) },
		{ op(w, EXPR_SUB, p, neg(w, w->s)), fma3(w, w->a, w->b, w->s) },
		/* a chain */
		{ op(w, EXPR_ADD, op(w, EXPR_ADD, p, q), mul(w, w->s, w->a)),
			fma3(w, w->s, w->a, fma3(w, w->c, w->d, p)) },
		/* inside a product */
		{ mul(w, w->d, op(w, EXPR_ADD, w->s, p)), mul(w, w->d, fma3(w, w->a, w->b, w->s)) },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(row); i++)
		if (contracted(w, row[i].from) != row[i].to)
			fail_msg("row %d", (int)i);
}

static void
other_products_stay(void **state)
{
	World *w = *state;
	Make *m = w->m;
	Expr *p = mul(w, w->a, w->b), *n = mk_use(m, m->k), *sum = op(w, EXPR_ADD, w->s, p);
	Expr *row[] = {
		p,
		op(w, EXPR_ADD, p, p),
		op(w, EXPR_SUB, sum, p),
		op(w, EXPR_MAX, sum, p),
		op(w, EXPR_ADD, w->s, mk_to(m, TYPE_F32, p)),
		op(w, EXPR_ADD, w->s, mk_to(m, TYPE_F16, p)),
		op(w, EXPR_ADD, w->s, neg(w, p)),
		op(w, EXPR_DIV, w->s, p),
		op(w, EXPR_ADD, n, mul(w, n, n)),
	};

	for (gsize i = 0; i < G_N_ELEMENTS(row); i++)
		if (contracted(w, row[i]) != row[i])
			fail_msg("row %d", (int)i);
}

/* p is used twice and rounded; then the other one may be fused, left or not. */
static void
only_the_product_used_once_is_fused(void **state)
{
	World *w = *state;
	Expr *p = mul(w, w->a, w->b), *q = mul(w, w->c, w->d);
	Expr *value = op(w, EXPR_MAX, op(w, EXPR_ADD, q, p), p);

	assert_ptr_equal(contracted(w, value), op(w, EXPR_MAX, fma3(w, w->c, w->d, p), p));
}

static void
uses_are_counted_per_statement(void **state)
{
	World *w = *state;
	Expr *p = mul(w, w->a, w->b), *sum = op(w, EXPR_ADD, w->s, p);
	Stage *one = mk_stage(w->m, w->m->u, sum), *two = mk_stage(w->m, w->m->u, p);
	Stage *scan = mk_stage(w->m, w->m->u, sum);

	scan->start = p; /* a second use in the same statement */
	opt_contract(w->m->s);
	assert_int_equal(one->value->op, EXPR_FMA);
	assert_ptr_equal(two->value, p);
	assert_ptr_equal(scan->value, sum);
}

static void
conditions_are_contracted_too(void **state)
{
	World *w = *state;
	Expr *x = mk_use(w->m, w->m->w), *y = mk_use(w->m, w->m->w2);
	Expr *sum = op(w, EXPR_ADD, x, mul(w, x, y)), *fused = fma3(w, x, y, x);
	Require require = { .condition = op(w, EXPR_LT, sum, y) };
	Boundary b = { .kind = { { EDGE_CONSTANT } }, .value = { { sum } } };
	Boundary *made = boundary_node(w->m->s, &b);

	g_ptr_array_add(w->m->s->requires, &require);
	w->m->s->until.condition = op(w, EXPR_GT, sum, y);
	opt_contract(w->m->s);
	assert_ptr_equal(require.condition, op(w, EXPR_LT, fused, y));
	assert_ptr_equal(w->m->s->until.condition, op(w, EXPR_GT, fused, y));
	assert_ptr_equal(made->value[0][0], fused);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(products_in_sums_are_fused, setup, teardown),
		cmocka_unit_test_setup_teardown(other_products_stay, setup, teardown),
		cmocka_unit_test_setup_teardown(
			only_the_product_used_once_is_fused, setup, teardown),
		cmocka_unit_test_setup_teardown(uses_are_counted_per_statement, setup, teardown),
		cmocka_unit_test_setup_teardown(conditions_are_contracted_too, setup, teardown),
	};

	return cmocka_run_group_tests_name("contract", tests, NULL, NULL);
}
