/* Ranges of integer expressions: they hold every value that can come up, and no C
 * operator is printed that could overflow. */
#include "test.h"

#include "analyze/range.h"
#include "ir-make.h"

/* The scalar X, kept between LO and HI. */
static Expr *
between(Make *m, Scalar *x, Range r)
{
	Expr *lo = expr_int(m->s, nowhere, x->type, r.lo);
	Expr *hi = expr_int(m->s, nowhere, x->type, r.hi);

	return mk_op(m, EXPR_MIN, mk_op(m, EXPR_MAX, mk_use(m, x), lo), hi);
}

static Range
range(const Expr *e)
{
	GHashTable *memo = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	Range r = expr_range(memo, e);

	g_hash_table_unref(memo);
	return r;
}

static gboolean
is_exact(const Expr *e)
{
	GHashTable *memo = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	gboolean exact = expr_is_exact(memo, e);

	g_hash_table_unref(memo);
	return exact;
}

#define assert_range(e, from, to) range_or_fail(e, from, to, __LINE__)

static void
range_or_fail(const Expr *e, gint64 lo, gint64 hi, int line)
{
	Range r = range(e);

	if (r.lo != lo || r.hi != hi)
		fail_msg("line %d: %" G_GINT64_FORMAT " .. %" G_GINT64_FORMAT, line, r.lo, r.hi);
}

/* What an operator gives, as the language says; small operands only. */
static gint64
value_of(ExprOp op, gint64 a, gint64 b)
{
	switch ((int)op) {
	case EXPR_NEG:    return -a;
	case EXPR_ADD:    return a + b;
	case EXPR_SUB:    return a - b;
	case EXPR_MUL:    return a * b;
	case EXPR_DIV:    return b == 0 ? 0 : a / b;
	case EXPR_REM:    return b == 0 ? a : a % b;
	case EXPR_MIN:    return MIN(a, b);
	case EXPR_MAX:    return MAX(a, b);
	case EXPR_ABS:    return ABS(a);
	case EXPR_SIGN:   return (a > 0) - (a < 0);
	case EXPR_BITNOT: return ~a;
	case EXPR_BITAND: return a & b;
	case EXPR_BITOR:  return a | b;
	case EXPR_BITXOR: return a ^ b;
	case EXPR_SHL:    return (gint32)((guint32)a << (b & 31));
	default:          return a >> (b & 31);
	}
}

/* Tight where no value within the range is missing at its ends. */
static const struct {
	ExprOp op;
	gboolean tight;
} operators[] = {
	{ EXPR_NEG, TRUE }, { EXPR_ADD, TRUE }, { EXPR_SUB, TRUE }, { EXPR_MUL, TRUE },
	{ EXPR_MIN, TRUE }, { EXPR_MAX, TRUE }, { EXPR_BITNOT, TRUE }, { EXPR_DIV, FALSE },
	{ EXPR_REM, FALSE }, { EXPR_ABS, FALSE }, { EXPR_SIGN, FALSE }, { EXPR_BITAND, FALSE },
	{ EXPR_BITOR, FALSE }, { EXPR_BITXOR, FALSE }, { EXPR_SHL, FALSE }, { EXPR_SHR, FALSE },
};

static void
check_operator(Make *m, gsize i, Range a, Range b)
{
	ExprOp op = operators[i].op;
	Expr *x = between(m, m->k, a), *y = between(m, m->k, b);
	Range r = range(expr_op_info[op].arity == 1 ? mk_op1(m, op, x) : mk_op(m, op, x, y));
	gint64 lo = G_MAXINT64, hi = G_MININT64;

	for (gint64 v = a.lo; v <= a.hi; v++)
		for (gint64 w = b.lo; w <= b.hi; w++) {
			lo = MIN(lo, value_of(op, v, w));
			hi = MAX(hi, value_of(op, v, w));
		}
	if (r.lo > lo || r.hi < hi || (operators[i].tight && (r.lo != lo || r.hi != hi)))
		fail_msg("%s of %d..%d and %d..%d is %d..%d, and not %d..%d",
			expr_op_info[op].spelling, (int)a.lo, (int)a.hi, (int)b.lo, (int)b.hi,
			(int)lo, (int)hi, (int)r.lo, (int)r.hi);
}

static void
every_value_of_small_operands_is_in_the_range(void **state)
{
	static const gint64 end[] = { -9, -4, -1, 0, 1, 3, 8 };
	Make *m = mk_new();

	(void)state;
	for (gsize op = 0; op < G_N_ELEMENTS(operators); op++)
		for (gsize i = 0; i < 49; i++)
			for (gsize k = 0; k < 49; k++) {
				Range a = { end[i / 7], end[i % 7] };
				Range b = { end[k / 7], end[k % 7] };

				if (a.lo <= a.hi && b.lo <= b.hi)
					check_operator(m, op, a, b);
			}
	mk_free(m);
}

static void
ranges_are_narrow_where_that_is_worth_it(void **state)
{
	Make *m = mk_new();
	Expr *a = between(m, m->k, (Range){ 0, 100 }), *b = between(m, m->k, (Range){ 3, 7 });
	Expr *c = between(m, m->k, (Range){ -5, 20 }), *small = between(m, m->k, (Range){ 0, 6 });

	(void)state;
	assert_range(mk_op(m, EXPR_DIV, a, b), 0, 33);
	assert_range(mk_op(m, EXPR_DIV, c, b), -1, 6);
	assert_range(mk_op(m, EXPR_DIV, a, small), 0, 100);
	assert_range(mk_op(m, EXPR_DIV, c, small), -20, 20);
	assert_range(mk_op(m, EXPR_DIV, a, c), -100, 100);
	assert_range(mk_op(m, EXPR_REM, a, b), 0, 6);
	assert_range(mk_op(m, EXPR_REM, c, b), -5, 6);
	assert_range(mk_op(m, EXPR_REM, a, small), 0, 100);
	assert_range(mk_op(m, EXPR_REM, a, between(m, m->k, (Range){ 1, 7 })), 0, 6);
	assert_range(mk_op1(m, EXPR_ABS, c), 0, 20);
	assert_range(mk_op1(m, EXPR_SIGN, c), -1, 1);
	assert_range(mk_op(m, EXPR_BITAND, a, b), 0, 7);
	assert_range(mk_op(m, EXPR_BITAND, a, small), 0, 6);
	assert_range(mk_op(m, EXPR_BITAND, small, a), 0, 6);
	assert_range(mk_op(m, EXPR_BITAND, a, c), 0, 100);
	assert_range(mk_op(m, EXPR_BITAND, c, a), 0, 100);
	assert_range(mk_op(m, EXPR_BITAND, c, c), G_MININT32, G_MAXINT32);
	assert_range(mk_op(m, EXPR_BITOR, a, b), 0, 127);
	assert_range(mk_op(m, EXPR_BITOR, small, b), 0, 7);
	assert_range(mk_op(m, EXPR_BITXOR, small, a), 0, 127);
	assert_range(mk_op(m, EXPR_BITOR, c, a), G_MININT32, G_MAXINT32);
	assert_range(mk_op(m, EXPR_BITXOR, a, c), G_MININT32, G_MAXINT32);
	assert_range(mk_op(m, EXPR_SHR, c, b), -5, 20);
	assert_range(mk_op(m, EXPR_SHR, c, between(m, m->k, (Range){ 2, 2 })), -2, 5);
	assert_range(mk_op(m, EXPR_SHL, a, between(m, m->k, (Range){ 3, 3 })), 0, 800);
	assert_range(mk_op(m, EXPR_SHL, a, b), G_MININT32, G_MAXINT32);
	assert_range(mk_op(m, EXPR_SHL, c, between(m, m->k, (Range){ 3, 3 })), G_MININT32,
		G_MAXINT32);
	assert_range(mk_op(m, EXPR_SHL, a, between(m, m->k, (Range){ 25, 25 })), G_MININT32,
		G_MAXINT32);
	assert_range(mk_op(m, EXPR_SHL, a, b), G_MININT32, G_MAXINT32);
	assert_range(mk_op(m, EXPR_LT, a, b), 0, 1);
	assert_range(expr_ternary(m->s, nowhere, EXPR_SELECT, TYPE_I32, mk_op(m, EXPR_LT, a, b), b,
		c), -5, 20);
	mk_free(m);
}

static void
what_leaves_the_kind_may_be_anything(void **state)
{
	Make *m = mk_new();
	Expr *k = mk_use(m, m->k), *q = mk_use(m, m->q), *one = mk_i32(m, 1);
	Expr *most = between(m, m->k, (Range){ 0, G_MAXINT32 - 1 });
	Expr *least = between(m, m->k, (Range){ G_MININT32 + 1, 0 });

	(void)state;
	assert_range(mk_op(m, EXPR_ADD, most, one), 1, G_MAXINT32);
	assert_range(mk_op(m, EXPR_ADD, mk_op(m, EXPR_ADD, most, one), one), G_MININT32,
		G_MAXINT32);
	assert_range(mk_op(m, EXPR_SUB, least, one), G_MININT32, -1);
	assert_range(mk_op(m, EXPR_SUB, mk_op(m, EXPR_SUB, least, one), one), G_MININT32,
		G_MAXINT32);
	assert_range(mk_op1(m, EXPR_NEG, k), G_MININT32, G_MAXINT32);
	assert_range(mk_op1(m, EXPR_NEG, least), 0, G_MAXINT32);
	assert_range(mk_op1(m, EXPR_ABS, k), G_MININT32, G_MAXINT32);
	assert_range(mk_op1(m, EXPR_ABS, least), 0, G_MAXINT32);
	assert_range(mk_op(m, EXPR_DIV, k, k), G_MININT32, G_MAXINT32);
	assert_range(mk_op(m, EXPR_MUL, q, q), G_MININT64, G_MAXINT64);
	assert_range(mk_op(m, EXPR_ADD, q, q), G_MININT64, G_MAXINT64);
	assert_range(mk_op(m, EXPR_DIV, q, q), G_MININT64, G_MAXINT64); /* by 1 */
	assert_range(mk_op1(m, EXPR_BITNOT, q), G_MININT64, G_MAXINT64);
	assert_range(mk_op1(m, EXPR_NEG, q), G_MININT64, G_MAXINT64);
	assert_range(mk_op1(m, EXPR_ABS, q), G_MININT64, G_MAXINT64);
	assert_range(mk_op1(m, EXPR_ABS, between(m, m->q, (Range){ -5, 3 })), 0, 5);
	mk_free(m);
}

static void
operators_of_c_are_printed_where_they_cannot_overflow(void **state)
{
	Make *m = mk_new();
	Expr *k = mk_use(m, m->k), *one = mk_i32(m, 1);
	Expr *most = between(m, m->k, (Range){ 0, G_MAXINT32 - 1 });
	Expr *least = between(m, m->k, (Range){ G_MININT32 + 1, 5 });
	Expr *down = between(m, m->k, (Range){ -9, -2 });
	Expr *minus = between(m, m->k, (Range){ -9, -1 });
	Expr *up = between(m, m->k, (Range){ 1, 9 }), *zero = between(m, m->k, (Range){ 0, 9 });

	(void)state;
	assert_true(is_exact(mk_op(m, EXPR_ADD, most, one)));
	assert_false(is_exact(mk_op(m, EXPR_ADD, k, one)));
	assert_true(is_exact(mk_op(m, EXPR_SUB, least, one)));
	assert_false(is_exact(mk_op(m, EXPR_SUB, k, one)));
	assert_true(is_exact(mk_op1(m, EXPR_NEG, least)));
	assert_false(is_exact(mk_op1(m, EXPR_NEG, k)));
	assert_true(is_exact(mk_op1(m, EXPR_ABS, least)));
	assert_false(is_exact(mk_op1(m, EXPR_ABS, k)));
	assert_true(is_exact(mk_op(m, EXPR_MUL, up, down)));
	assert_false(is_exact(mk_op(m, EXPR_MUL, k, down)));
	/* neither by 0, nor by -1 */
	assert_true(is_exact(mk_op(m, EXPR_DIV, k, up)));
	assert_false(is_exact(mk_op(m, EXPR_DIV, k, zero)));
	assert_true(is_exact(mk_op(m, EXPR_DIV, k, down)));
	assert_false(is_exact(mk_op(m, EXPR_DIV, k, minus)));
	assert_true(is_exact(mk_op(m, EXPR_REM, k, up)));
	assert_false(is_exact(mk_op(m, EXPR_REM, k, zero)));
	assert_true(is_exact(mk_op(m, EXPR_REM, k, down)));
	assert_false(is_exact(mk_op(m, EXPR_REM, k, minus)));
	mk_free(m);
}

/* The coordinate along x of a cell, moved. */
static Expr *
coordinate(Make *m, int scale, int offset)
{
	Expr like = { .op = EXPR_COORD, .type = TYPE_I32 };

	like.coord = (AxisMap){ 2, scale, 0, 1, offset };
	return expr_node(m->s, &like);
}

static Expr *
extent(Make *m, Grid *g)
{
	Expr like = { .op = EXPR_EXTENT, .type = TYPE_I32 };

	like.extent.grid = g;
	like.extent.axis = 2;
	return expr_node(m->s, &like);
}

static Expr *
called(Make *m, Type type)
{
	Expr *arg[] = { mk_use(m, m->k) };
	Expr like = { .op = EXPR_CALL, .type = type, .n_args = 1, .arg = arg };
	Extern *f = arena_make(m->s->arena, Extern);

	*f = (Extern){ .name = "f", .type = type, .n_params = 1 };
	like.callee = f;
	return expr_node(m->s, &like);
}

static void
leaves_have_the_range_of_what_they_are(void **state)
{
	Make *m = mk_new();
	Grid *fixed = mk_grid(m, "fixed", 3), *coarse = mk_grid(m, "coarse", 3);

	(void)state;
	fixed->fixed[2] = 640;
	coarse->base = fixed;
	coarse->divide = 2;
	coarse->fixed[2] = 320;
	assert_range(mk_i32(m, 7), 7, 7);
	assert_range(mk_tap(m, m->b, 0, 0, 0), 0, 255);
	assert_range(mk_use(m, m->k), G_MININT32, G_MAXINT32);
	assert_range(extent(m, m->grid), 1, G_MAXINT32);
	assert_range(extent(m, fixed), 640, 640);
	assert_range(coordinate(m, 1, 0), 0, G_MAXINT32 - 1);
	assert_range(coordinate(m, 1, 1), 1, G_MAXINT32);
	assert_range(coordinate(m, 1, -3), -3, G_MAXINT32 - 4);
	assert_range(coordinate(m, 1, 2), G_MININT32, G_MAXINT32);
	assert_range(coordinate(m, 2, 0), G_MININT32, G_MAXINT32);
	/* a byte that a user's function gives for a bool may be any */
	assert_range(called(m, TYPE_BOOL), 0, 255);
	assert_range(called(m, TYPE_I16), -32768, 32767);
	mk_free(m);
}

static void
conversions_between_integers_keep_what_fits(void **state)
{
	Make *m = mk_new();

	(void)state;
	assert_range(mk_to(m, TYPE_U8, between(m, m->k, (Range){ -5, 77 })), 0, 77);
	assert_range(mk_to(m, TYPE_I8, between(m, m->k, (Range){ -500, 500 })), -128, 127);
	assert_range(mk_to(m, TYPE_I64, between(m, m->k, (Range){ -5, 77 })), -5, 77);
	assert_range(mk_to(m, TYPE_U8, mk_use(m, m->w)), 0, 255);
	assert_range(mk_to(m, TYPE_BOOL, between(m, m->k, (Range){ 5, 77 })), 0, 1);
	mk_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_value_of_small_operands_is_in_the_range),
		cmocka_unit_test(ranges_are_narrow_where_that_is_worth_it),
		cmocka_unit_test(what_leaves_the_kind_may_be_anything),
		cmocka_unit_test(operators_of_c_are_printed_where_they_cannot_overflow),
		cmocka_unit_test(leaves_have_the_range_of_what_they_are),
		cmocka_unit_test(conversions_between_integers_keep_what_fits),
	};

	return cmocka_run_group_tests_name("range", tests, NULL, NULL);
}
