/* Constant folding: a table worked out by hand, random integers against 128-bit
 * arithmetic, conversions against rounding done on integers, and everything
 * against the functions that generated code calls for the same operators. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "../../runtime/device/stencil_ops.h"
#include "ir-make.h"
#include "opt/fold.h"
#include "opt/opt.h"

static gboolean
same_real(double a, double b)
{
	return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static gint64
int_op(ExprOp op, Type kind, gint64 a, gint64 b)
{
	FoldValue v = { 0 };

	assert_true(fold_value(op, kind, (Type[]){ kind, kind },
		(FoldValue[]){ { .integer = a }, { .integer = b } }, &v));
	return v.integer;
}

static double
real_op(ExprOp op, Type kind, double a, double b, double c)
{
	FoldValue v = { 0 };

	assert_true(fold_value(op, kind, (Type[]){ kind, kind, kind },
		(FoldValue[]){ { .real = a }, { .real = b }, { .real = c } }, &v));
	return v.real;
}

static gint64
int_of(Type to, Type from, double a)
{
	return fold_convert(to, from, (FoldValue){ .real = a }).integer;
}

/* ---- integers ---- */

static void
integers_as_worked_out_by_hand(void **state)
{
	static const struct {
		ExprOp op;
		Type kind;
		gint64 a, b, want;
	} row[] = {
		{ EXPR_ADD, TYPE_I32, INT32_MAX, 1, INT32_MIN },
		{ EXPR_SUB, TYPE_I32, INT32_MIN, 1, INT32_MAX },
		{ EXPR_MUL, TYPE_I32, 65536, 65536, 0 },
		{ EXPR_MUL, TYPE_I32, INT32_MIN, -1, INT32_MIN },
		{ EXPR_DIV, TYPE_I32, 7, 0, 0 },
		{ EXPR_REM, TYPE_I32, 7, 0, 7 },
		{ EXPR_DIV, TYPE_I32, -7, 2, -3 },
		{ EXPR_REM, TYPE_I32, -7, 2, -1 },
		{ EXPR_DIV, TYPE_I32, INT32_MIN, -1, INT32_MIN },
		{ EXPR_REM, TYPE_I32, INT32_MIN, -1, 0 },
		{ EXPR_DIV, TYPE_I64, INT64_MIN, -1, INT64_MIN },
		{ EXPR_REM, TYPE_I64, INT64_MIN, -1, 0 },
		{ EXPR_ADD, TYPE_I64, INT64_MAX, 1, INT64_MIN },
		{ EXPR_SHL, TYPE_I32, 1, 31, INT32_MIN },
		{ EXPR_SHL, TYPE_I32, 1, 32, 1 },
		{ EXPR_SHL, TYPE_I32, 3, -1, INT32_MIN },
		{ EXPR_SHL, TYPE_I64, 1, 32, 1LL << 32 },
		{ EXPR_SHR, TYPE_I32, -8, 1, -4 },
		{ EXPR_SHR, TYPE_I64, INT64_MIN, 63, -1 },
		{ EXPR_SHR, TYPE_I64, -8, 64, -8 },
		{ EXPR_ABS, TYPE_I32, INT32_MIN, 0, INT32_MIN },
		{ EXPR_NEG, TYPE_I32, INT32_MIN, 0, INT32_MIN },
		{ EXPR_SIGN, TYPE_I32, -9, 0, -1 },
		{ EXPR_BITNOT, TYPE_I32, 5, 0, -6 },
		{ EXPR_MIN, TYPE_I64, -1, 1, -1 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(row); i++)
		if (int_op(row[i].op, row[i].kind, row[i].a, row[i].b) != row[i].want)
			fail_msg("%s(%lld, %lld)", expr_op_info[row[i].op].spelling,
				(long long)row[i].a, (long long)row[i].b);
}

/* V modulo 2^BITS, the representative that is a signed integer. */
static gint64
wrapped(__int128 v, int bits)
{
	__int128 size = (__int128)1 << bits;

	v %= size;
	if (v < 0)
		v += size;
	return (gint64)(v >= size / 2 ? v - size : v);
}

static gint64
random_integer(GRand *r, int bits)
{
	guint64 v = ((guint64)g_rand_int(r) << 32) | g_rand_int(r);

	v >>= g_rand_int_range(r, 0, 64);
	if (g_rand_boolean(r))
		v = 0 - v;
	return wrapped((gint64)v, bits);
}

static void
integers_wrap_like_wide_arithmetic(void **state)
{
	GRand *r = g_rand_new_with_seed(3);

	(void)state;
	for (int round = 0; round < 200000; round++) {
		int bits = round % 2 ? 32 : 64;
		Type kind = bits == 32 ? TYPE_I32 : TYPE_I64;
		__int128 a = random_integer(r, bits), b = random_integer(r, bits);
		gint64 x = (gint64)a, y = (gint64)b;
		__int128 power = (__int128)1 << (int)(((b % bits) + bits) % bits);

		assert_true(int_op(EXPR_ADD, kind, x, y) == wrapped(a + b, bits));
		assert_true(int_op(EXPR_SUB, kind, x, y) == wrapped(a - b, bits));
		assert_true(int_op(EXPR_MUL, kind, x, y) == wrapped(a * b, bits));
		assert_true(int_op(EXPR_DIV, kind, x, y) == (b == 0 ? 0 : wrapped(a / b, bits)));
		assert_true(int_op(EXPR_REM, kind, x, y) == (b == 0 ? x : wrapped(a % b, bits)));
		assert_true(int_op(EXPR_SHL, kind, x, y) == wrapped(a * power, bits));
		assert_true(int_op(EXPR_SHR, kind, x, y)
			== (gint64)((a - (((a % power) + power) % power)) / power));
		assert_true(int_op(EXPR_BITXOR, kind, x, y) == (x ^ y));
		assert_true(int_op(EXPR_LT, kind, x, y) == (a < b));
	}
	g_rand_free(r);
}

/* ---- reals ---- */

static void
reals_as_worked_out_by_hand(void **state)
{
	double tiny = 0x1p-149, nan = NAN;

	(void)state;
	assert_true(real_op(EXPR_ADD, TYPE_F32, 16777216, 1, 0) == 16777216);
	assert_true(real_op(EXPR_ADD, TYPE_F64, 16777216, 1, 0) == 16777217);
	assert_true(real_op(EXPR_MUL, TYPE_F32, 1e30f, 1e30f, 0) == (double)INFINITY);
	assert_true(real_op(EXPR_DIV, TYPE_F32, 1, 3, 0) == 0x1.555556p-2);
	assert_true(real_op(EXPR_DIV, TYPE_F32, tiny, 2, 0) == 0);
	assert_true(real_op(EXPR_SQRT, TYPE_F32, 2, 0, 0) == 0x1.6a09e6p+0);
	assert_true(isnan(real_op(EXPR_SQRT, TYPE_F64, -1, 0, 0)));
	/* 1 + 2^-12 squared is 1 + 2^-11 + 2^-24: a tie that only an fma sees beyond */
	assert_true(real_op(EXPR_FMA, TYPE_F32, 1 + 0x1p-12, 1 + 0x1p-12, 0x1p-60)
		== 1 + 0x1p-11 + 0x1p-23);
	assert_true(real_op(EXPR_FMA, TYPE_F32, 1 + 0x1p-12, 1 + 0x1p-12, 0) == 1 + 0x1p-11);
	assert_true(real_op(EXPR_FMA, TYPE_F64, 1 + 0x1p-30, 1 + 0x1p-30, -1 - 0x1p-29) == 0x1p-60);
	assert_true(same_real(real_op(EXPR_MIN, TYPE_F32, 0.0, -0.0, 0), -0.0));
	assert_true(same_real(real_op(EXPR_MIN, TYPE_F32, -0.0, 0.0, 0), -0.0));
	assert_true(same_real(real_op(EXPR_MAX, TYPE_F32, 0.0, -0.0, 0), 0.0));
	assert_true(same_real(real_op(EXPR_MAX, TYPE_F32, -0.0, 0.0, 0), 0.0));
	assert_true(real_op(EXPR_MIN, TYPE_F64, nan, 3, 0) == 3);
	assert_true(real_op(EXPR_MAX, TYPE_F64, -3, nan, 0) == -3);
	assert_true(isnan(real_op(EXPR_MAX, TYPE_F64, nan, nan, 0)));
	assert_true(same_real(real_op(EXPR_SIGN, TYPE_F64, -0.0, 0, 0), 0.0));
	assert_true(real_op(EXPR_SIGN, TYPE_F64, nan, 0, 0) == 0);
	assert_true(real_op(EXPR_ROUND, TYPE_F32, 2.5, 0, 0) == 3);
	assert_true(real_op(EXPR_ROUND, TYPE_F32, -2.5, 0, 0) == -3);
	assert_true(same_real(real_op(EXPR_TRUNC, TYPE_F32, -0.5, 0, 0), -0.0));
}

static float
random_float(GRand *r)
{
	static const float some[] = { 0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN,
		0x1p-149f, 0x1p-126f, 3.4e38f, 0.5f, 2.5f };
	guint32 bits = g_rand_int(r);
	float v;

	if (g_rand_int_range(r, 0, 4) == 0)
		return some[g_rand_int_range(r, 0, G_N_ELEMENTS(some))];
	if (g_rand_boolean(r)) /* of usual size */
		bits = (bits & 0x807fffff) | (guint32)g_rand_int_range(r, 110, 145) << 23;
	memcpy(&v, &bits, sizeof v);
	return v;
}

static void
f32_arithmetic_is_that_of_c(void **state)
{
	GRand *r = g_rand_new_with_seed(4);

	(void)state;
	for (int round = 0; round < 300000; round++) {
		volatile float a = random_float(r), b = random_float(r), c = random_float(r);
		volatile float sum = a + b, gap = a - b, product = a * b, ratio = a / b;

		assert_true(same_real(real_op(EXPR_ADD, TYPE_F32, a, b, 0), sum));
		assert_true(same_real(real_op(EXPR_SUB, TYPE_F32, a, b, 0), gap));
		assert_true(same_real(real_op(EXPR_MUL, TYPE_F32, a, b, 0), product));
		assert_true(same_real(real_op(EXPR_DIV, TYPE_F32, a, b, 0), ratio));
		assert_true(same_real(real_op(EXPR_SQRT, TYPE_F32, a, 0, 0), sqrtf(a)));
		assert_true(same_real(real_op(EXPR_RSQRT, TYPE_F32, a, 0, 0),
			stencil_rsqrt_f32(a)));
		assert_true(same_real(real_op(EXPR_FMA, TYPE_F32, a, b, c), fmaf(a, b, c)));
		assert_true(same_real(real_op(EXPR_MIN, TYPE_F32, a, b, 0), stencil_min_f32(a, b)));
		assert_true(same_real(real_op(EXPR_MAX, TYPE_F32, a, b, 0), stencil_max_f32(a, b)));
		assert_true(same_real(real_op(EXPR_ROUND, TYPE_F32, a, 0, 0), roundf(a)));
		assert_true(same_real(real_op(EXPR_CEIL, TYPE_F32, a, 0, 0), ceilf(a)));
	}
	g_rand_free(r);
}

/* ---- conversions ---- */

static void
conversions_as_worked_out_by_hand(void **state)
{
	FoldValue big = { .integer = (1LL << 62) + (1LL << 54) + 1 };

	(void)state;
	assert_true(int_of(TYPE_I32, TYPE_F64, 2.5) == 2);
	assert_true(int_of(TYPE_I32, TYPE_F64, 3.5) == 4);
	assert_true(int_of(TYPE_I32, TYPE_F64, -2.5) == -2);
	assert_true(int_of(TYPE_I32, TYPE_F64, 1e300) == INT32_MAX);
	assert_true(int_of(TYPE_I64, TYPE_F64, -1e300) == INT64_MIN);
	assert_true(int_of(TYPE_I64, TYPE_F64, 0x1p63) == INT64_MAX);
	assert_true(int_of(TYPE_I64, TYPE_F64, 0x1.fffffffffffffp62) == 0x7ffffffffffffc00);
	assert_true(int_of(TYPE_U8, TYPE_F32, -0.75) == 0);
	assert_true(int_of(TYPE_U8, TYPE_F32, 255.5) == 255);
	assert_true(int_of(TYPE_I8, TYPE_F32, -128.6) == -128);
	assert_true(int_of(TYPE_U16, TYPE_F32, NAN) == 0);
	assert_true(int_of(TYPE_BOOL, TYPE_F32, NAN) == 1);
	assert_true(int_of(TYPE_BOOL, TYPE_F32, -0.0) == 0);
	assert_true(int_of(TYPE_BOOL, TYPE_F32, 0.25) == 1);
	assert_true(fold_convert(TYPE_U8, TYPE_I32, (FoldValue){ .integer = 300 }).integer == 255);
	assert_true(fold_convert(TYPE_I32, TYPE_I64, (FoldValue){ .integer = INT64_MIN }).integer
		== INT32_MIN);
	assert_true(fold_convert(TYPE_BOOL, TYPE_I32, (FoldValue){ .integer = -4 }).integer == 1);
	/* by way of a double, or of a float, these would be ties */
	assert_true(fold_convert(TYPE_BF16, TYPE_I64, big).real == 0x1.02p62);
	assert_true(fold_convert(TYPE_BF16, TYPE_F64,
		(FoldValue){ .real = 1 + 0x1p-8 + 0x1p-50 }).real == 1 + 0x1p-7);
	assert_true(fold_convert(TYPE_F16, TYPE_I32, (FoldValue){ .integer = 65520 }).real
		== (double)INFINITY);
	assert_true(
		fold_convert(TYPE_F16, TYPE_I32, (FoldValue){ .integer = 65519 }).real == 65504);
}

/* V with PRECISION bits, to nearest even, worked out on integers. */
static double
round_integer(gint64 v, int precision)
{
	__int128 size = v < 0 ? -(__int128)v : v, unit = 1, rest;

	while (size / unit >= (__int128)1 << precision)
		unit *= 2;
	rest = size % unit;
	size -= rest;
	if (2 * rest > unit || (2 * rest == unit && size / unit % 2 == 1))
		size += unit;
	return v < 0 ? -(double)(size / unit) * (double)unit : (double)(size / unit) * (double)unit;
}

static void
integers_become_reals_by_one_rounding(void **state)
{
	static const struct { Type type; int precision; } row[] = {
		{ TYPE_BF16, 8 }, { TYPE_F32, 24 }, { TYPE_F64, 53 },
	};
	GRand *r = g_rand_new_with_seed(5);

	(void)state;
	for (int round = 0; round < 100000; round++) {
		gint64 v = random_integer(r, 64);

		if (round % 2) /* near a tie of a bf16 */
			v = (v / (1LL << 54) / 2) * (1LL << 54) + g_rand_int_range(r, -1, 2);
		for (gsize i = 0; i < G_N_ELEMENTS(row); i++)
			assert_true(fold_convert(row[i].type, TYPE_I64, (FoldValue){ .integer = v })
				.real == round_integer(v, row[i].precision));
	}
	g_rand_free(r);
}

#define SAME_INT(T, NAME) \
	assert_true(fold_convert(T, TYPE_F32, (FoldValue){ .real = a }).integer \
		== stencil_##NAME##_from_f32(a)); \
	assert_true(fold_convert(T, TYPE_F64, (FoldValue){ .real = d }).integer \
		== stencil_##NAME##_from_f64(d)); \
	assert_true(fold_convert(T, TYPE_I64, (FoldValue){ .integer = q }).integer \
		== stencil_##NAME##_from_i64(q)); \
	assert_true(fold_convert(T, TYPE_I32, (FoldValue){ .integer = k }).integer \
		== stencil_##NAME##_from_i32(k))

#define SAME_REAL(T, NAME) \
	assert_true(same_real(fold_convert(T, TYPE_F32, (FoldValue){ .real = a }).real, \
		stencil_##NAME##_from_f32(a))); \
	assert_true(same_real(fold_convert(T, TYPE_F64, (FoldValue){ .real = d }).real, \
		stencil_##NAME##_from_f64(d))); \
	assert_true(same_real(fold_convert(T, TYPE_I64, (FoldValue){ .integer = q }).real, \
		stencil_##NAME##_from_i64(q))); \
	assert_true(same_real(fold_convert(T, TYPE_I32, (FoldValue){ .integer = k }).real, \
		stencil_##NAME##_from_i32(k)))

static void
conversions_are_those_of_generated_code(void **state)
{
	GRand *r = g_rand_new_with_seed(6);

	(void)state;
	for (int round = 0; round < 100000; round++) {
		float a = random_float(r);
		gint64 q = random_integer(r, 64);
		gint32 k = (gint32)random_integer(r, 32);
		double d = round % 2 ? (double)a * (1 + ldexp(g_rand_double(r), -round % 50))
			: (double)q * 0x1p-20;

		SAME_INT(TYPE_BOOL, bool);
		SAME_INT(TYPE_U8, u8);
		SAME_INT(TYPE_I8, i8);
		SAME_INT(TYPE_U16, u16);
		SAME_INT(TYPE_I16, i16);
		SAME_INT(TYPE_I32, i32);
		SAME_INT(TYPE_I64, i64);
		SAME_REAL(TYPE_F16, f16);
		SAME_REAL(TYPE_BF16, bf16);
		SAME_REAL(TYPE_F32, f32);
		SAME_REAL(TYPE_F64, f64);
	}
	g_rand_free(r);
}

/* ---- expressions ---- */

static void
exact_identities_are_used(void **state)
{
	Make *m = *state;
	Expr *x = mk_use(m, m->w), *n = mk_use(m, m->k), *l = mk_use(m, m->q);
	Expr *yes = expr_int(m->s, nowhere, TYPE_BOOL, 1);
	Expr *less = mk_op(m, EXPR_LT, n, mk_i32(m, 3));
	Expr *wide = mk_op(m, EXPR_LT, x, mk_f32(m, 3));
	const struct {
		Expr *from, *to;
	} row[] = {
		{ mk_op(m, EXPR_MUL, x, mk_f32(m, 1)), x },
		{ mk_op(m, EXPR_MUL, mk_f32(m, 1), x), x },
		{ mk_op(m, EXPR_DIV, x, mk_f32(m, 1)), x },
		{ mk_op(m, EXPR_SUB, x, mk_f32(m, 0)), x },
		{ mk_op(m, EXPR_ADD, x, mk_f32(m, -0.0)), x },
		{ mk_op1(m, EXPR_NEG, mk_op1(m, EXPR_NEG, x)), x },
		{ mk_op(m, EXPR_ADD, n, mk_i32(m, 0)), n },
		{ mk_op(m, EXPR_MUL, n, mk_i32(m, 0)), mk_i32(m, 0) },
		{ mk_op(m, EXPR_SUB, n, n), mk_i32(m, 0) },
		{ mk_op(m, EXPR_BITAND, n, mk_i32(m, 0)), mk_i32(m, 0) },
		{ mk_op(m, EXPR_REM, n, mk_i32(m, 0)), n },
		{ mk_op(m, EXPR_DIV, n, mk_i32(m, 0)), mk_i32(m, 0) },
		{ mk_op(m, EXPR_SHL, n, mk_i32(m, 32)), n },
		{ mk_op1(m, EXPR_NOT, mk_op1(m, EXPR_NOT, wide)), wide },
		{ mk_op1(m, EXPR_NOT, less), mk_op(m, EXPR_GE, n, mk_i32(m, 3)) },
		{ mk_op(m, EXPR_AND, less, yes), less },
		{ mk_op(m, EXPR_OR, less, yes), yes },
		{ expr_ternary(m->s, nowhere, EXPR_SELECT, TYPE_F32, yes, x, mk_f32(m, 2)), x },
		{ expr_ternary(m->s, nowhere, EXPR_SELECT, TYPE_F32, less, x, x), x },
		{ mk_to(m, TYPE_I32, n), n },
		{ mk_to(m, TYPE_U8, mk_to(m, TYPE_I64, n)), mk_to(m, TYPE_U8, n) },
		{ mk_to(m, TYPE_F32, mk_to(m, TYPE_F64, x)), x },
		{ mk_op(m, EXPR_LT, x, x), expr_int(m->s, nowhere, TYPE_BOOL, 0) },
		{ mk_op(m, EXPR_EQ, n, n), yes },
		{ mk_op(m, EXPR_MUL, mk_f32(m, 3), mk_op(m, EXPR_ADD, mk_f32(m, 1), mk_f32(m, 2))),
			mk_f32(m, 9) },
		{ mk_op(m, EXPR_SHL, mk_i32(m, 0), l), mk_i32(m, 0) },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(row); i++)
		if (fold_expr(m->s, row[i].from) != row[i].to)
			fail_msg("row %d", (int)i);
}

static void
what_is_not_exact_stays(void **state)
{
	Make *m = *state;
	Expr *x = mk_use(m, m->w), *l = mk_use(m, m->q);
	Expr *wide = mk_op(m, EXPR_LT, x, mk_f32(m, 3));
	Expr *row[] = {
		mk_op(m, EXPR_ADD, x, mk_f32(m, 0)),
		mk_op(m, EXPR_SUB, x, mk_f32(m, -0.0)),
		mk_op(m, EXPR_MUL, x, mk_f32(m, 0)),
		mk_op(m, EXPR_SUB, x, x),
		mk_op(m, EXPR_DIV, x, x),
		mk_op(m, EXPR_EQ, x, x),
		mk_op(m, EXPR_NE, x, x),
		mk_op(m, EXPR_LE, x, x),
		mk_op(m, EXPR_GE, x, x),
		mk_op1(m, EXPR_NOT, wide),
		mk_op(m, EXPR_ADD, mk_op(m, EXPR_ADD, x, mk_f32(m, 1)), mk_f32(m, 2)),
		mk_to(m, TYPE_F32, mk_op(m, EXPR_MUL, x, x)),
		mk_to(m, TYPE_I64, mk_to(m, TYPE_F64, l)),
		mk_to(m, TYPE_F64, mk_to(m, TYPE_F32, mk_use(m, m->e))),
		mk_to(m, TYPE_F16, x),
	};

	for (gsize i = 0; i < G_N_ELEMENTS(row); i++)
		if (fold_expr(m->s, row[i]) != row[i])
			fail_msg("row %d", (int)i);
}

static void
fixed_extents_fold(void **state)
{
	Make *m = *state;
	Grid *fixed = mk_grid(m, "fixed", 2), *half = mk_grid(m, "half", 2);
	Expr like = { .op = EXPR_EXTENT, .type = TYPE_I32 };

	fixed->fixed[1] = 9;
	half->base = fixed;
	half->divide = 2;
	like.extent.grid = half;
	like.extent.axis = 1;
	assert_ptr_equal(fold_expr(m->s, expr_node(m->s, &like)), mk_i32(m, 5));
	like.extent.axis = 0;
	assert_int_equal(fold_expr(m->s, expr_node(m->s, &like))->op, EXPR_EXTENT);
}

static void
a_stage_keeps_its_type(void **state)
{
	Make *m = *state;
	Expr *h = mk_tap(m, m->h, 0, 0, 0);
	Stage *stage = mk_stage(m, m->u, mk_op(m, EXPR_MUL, h, mk_f32(m, 1)));

	opt_fold(m->s);
	assert_int_equal(stage->value->type, TYPE_F32);
	assert_ptr_equal(stage->value->arg[0], h);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_as_worked_out_by_hand),
		cmocka_unit_test(integers_wrap_like_wide_arithmetic),
		cmocka_unit_test(reals_as_worked_out_by_hand),
		cmocka_unit_test(f32_arithmetic_is_that_of_c),
		cmocka_unit_test(conversions_as_worked_out_by_hand),
		cmocka_unit_test(integers_become_reals_by_one_rounding),
		cmocka_unit_test(conversions_are_those_of_generated_code),
		cmocka_unit_test_setup_teardown(exact_identities_are_used, mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(what_is_not_exact_stays, mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(fixed_extents_fold, mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(a_stage_keeps_its_type, mk_setup, mk_teardown),
	};

	return cmocka_run_group_tests_name("fold", tests, NULL, NULL);
}
