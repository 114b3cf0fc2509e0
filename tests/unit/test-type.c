/* Types: ranges, widening, and rounding to the real types, against the values
 * that the formats have by definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "ir/ir.h"

/* The value of BITS, a 16-bit format with EXPONENT bits of exponent. */
static double
decode(unsigned bits, int exponent_bits)
{
	int mantissa_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
	int exponent = (int)(bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
	double mantissa = (double)(bits & ((1u << mantissa_bits) - 1)), v;

	if (exponent == (1 << exponent_bits) - 1)
		v = mantissa != 0 ? (double)NAN : (double)INFINITY;
	else if (exponent == 0)
		v = ldexp(mantissa, 1 - bias - mantissa_bits);
	else
		v = ldexp(mantissa + ldexp(1, mantissa_bits), exponent - bias - mantissa_bits);
	return bits & 0x8000 ? -v : v;
}

static void
assert_same(double got, double want)
{
	if (isnan(want)) {
		assert_true(isnan(got));
		return;
	}
	if (got != want || signbit(got) != signbit(want))
		fail_msg("%a instead of %a", got, want);
}

/* Every value stays; what is between two neighbours goes to the nearer one, the
 * middle to the one with an even last bit; beyond the last is infinite. */
static void
check_format(Type type, int exponent_bits)
{
	unsigned infinite = ((1u << exponent_bits) - 1) << (15 - exponent_bits);

	for (unsigned bits = 0; bits < 65536; bits++)
		assert_same(type_round(type, decode(bits, exponent_bits)),
			decode(bits, exponent_bits));
	for (unsigned bits = 0; bits < infinite; bits++) {
		double lo = decode(bits, exponent_bits);
		double hi = decode(bits + 1, exponent_bits);
		double end = bits + 1 < infinite ? hi : 2 * lo - decode(bits - 1, exponent_bits);
		double middle = lo + (end - lo) / 2;

		for (int sign = 1; sign >= -1; sign -= 2) {
			assert_same(type_round(type, sign * middle), sign * (bits % 2 ? hi : lo));
			assert_same(type_round(type, sign * nextafter(middle, 0)), sign * lo);
			assert_same(
				type_round(type, sign * nextafter(middle, INFINITY)), sign * hi);
		}
	}
	assert_same(type_round(type, 1e300), INFINITY);
	assert_same(type_round(type, -1e300), -(double)INFINITY);
	assert_same(type_round(type, 5e-324), 0.0);
	assert_same(type_round(type, -5e-324), -0.0);
}

static void
f16_rounds_once_to_nearest_even(void **state)
{
	(void)state;
	check_format(TYPE_F16, 5);
	/* twice, by way of f32, would give 1.0 */
	assert_same(type_round(TYPE_F16, 1 + 0x1p-11 + 0x1p-40), 1 + 0x1p-10);
}

static void
bf16_rounds_once_to_nearest_even(void **state)
{
	(void)state;
	check_format(TYPE_BF16, 8);
	assert_same(type_round(TYPE_BF16, 1 + 0x1p-8 + 0x1p-40), 1 + 0x1p-7);
}

static void
f32_and_f64_round(void **state)
{
	(void)state;
	assert_same(type_round(TYPE_F32, 0.1), 0x1.99999ap-4);
	assert_same(type_round(TYPE_F32, 1 + 0x1p-24), 1.0);
	assert_same(type_round(TYPE_F32, 1 + 3 * 0x1p-24), 1 + 0x1p-22);
	assert_same(type_round(TYPE_F32, 1e39), INFINITY);
	assert_same(type_round(TYPE_F32, 0x1p-150), 0.0);
	assert_same(type_round(TYPE_F32, 0x1.8p-149), 0x1p-148);
	assert_same(type_round(TYPE_F64, 0.1), 0.1);
	assert_true(isnan(type_round(TYPE_F32, NAN)));
}

static void
ranges_are_those_of_c(void **state)
{
	(void)state;
	assert_int_equal(type_min(TYPE_BOOL), 0);
	assert_int_equal(type_max(TYPE_BOOL), 1);
	assert_int_equal(type_min(TYPE_I8), INT8_MIN);
	assert_int_equal(type_max(TYPE_U8), UINT8_MAX);
	assert_int_equal(type_min(TYPE_I16), INT16_MIN);
	assert_int_equal(type_max(TYPE_U16), UINT16_MAX);
	assert_int_equal(type_min(TYPE_I32), INT32_MIN);
	assert_int_equal(type_max(TYPE_I32), INT32_MAX);
	assert_true(type_min(TYPE_I64) == INT64_MIN && type_max(TYPE_I64) == INT64_MAX);
}

/* Row: from; column: to; in the order of types.def. */
static void
widening_follows_the_language(void **state)
{
	static const char *const yes[TYPE_N] = {
		[TYPE_BOOL] = "11111111111",
		[TYPE_U8]   = "01011111111",
		[TYPE_I8]   = "00101111111",
		[TYPE_U16]  = "00010111111",
		[TYPE_I16]  = "00001111111",
		[TYPE_I32]  = "00000111111",
		[TYPE_I64]  = "00000011111",
		[TYPE_F16]  = "00000001011",
		[TYPE_BF16] = "00000000111",
		[TYPE_F32]  = "00000000011",
		[TYPE_F64]  = "00000000001",
	};

	(void)state;
	for (int from = 0; from < TYPE_N; from++)
		for (int to = 0; to < TYPE_N; to++)
			if (type_widens((Type)from, (Type)to) != (yes[from][to] == '1'))
				fail_msg("%s to %s", type_info[from].name, type_info[to].name);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(f16_rounds_once_to_nearest_even),
		cmocka_unit_test(bf16_rounds_once_to_nearest_even),
		cmocka_unit_test(f32_and_f64_round),
		cmocka_unit_test(ranges_are_those_of_c),
		cmocka_unit_test(widening_follows_the_language),
	};

	return cmocka_run_group_tests_name("type", tests, NULL, NULL);
}
