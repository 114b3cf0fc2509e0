/* stencil_ops.h against references that share nothing with it: wide integers,
 * long doubles, and the nearest entry of a table of all f16 and bf16. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "stencil_ops.h"

typedef __int128 Wide;

/* ---- inputs ---- */

enum { N_RANDOM = 200000 };

static uint64_t
draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static double
f64_of_bits(uint64_t bits)
{
	double v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

/* Ends, zero, powers of two and their neighbours. */
static size_t
special_integers(int64_t *v, int bits)
{
	size_t n = 0;

	for (int e = 0; e < bits; e++)
		for (int d = -2; d <= 2; d++) {
			uint64_t u = ((uint64_t)1 << e) + (uint64_t)(int64_t)d;

			v[n++] = bits == 32 ? (int32_t)(uint32_t)u : (int64_t)u;
		}
	return n;
}

static const double special_reals[] = {
	0, 0.5, 1, 1.5, 2.5, 0.49999999999999994, 127.5, 128.5, 254.5, 255.5, 32767.5, 65503.99,
	65504, 65519.99, 65520, 65535.5, 131072, 16777217, 2147483646.5, 2147483647, 2147483647.5,
	2147483648,
	4503599627370495.5, 4503599627370497, 9007199254740993.0, 9223372036854774784.0,
	9223372036854775808.0, 1e19, 0x1p-24, 0x1p-25, 0x1.000001p-25, 0x1p-14, 0x1p-149, 0x1p-150,
	0x1.8p-150, 0x1p-1074, 0x1p-1022, 1e-310, FLT_MAX, DBL_MAX, 0x1.fffffefffffffp127,
	0x1.ffffffp127, HUGE_VAL, NAN
};
enum { N_SPECIAL_REALS = sizeof special_reals / sizeof special_reals[0] };

/* Case I of the reals: specials of both signs, then any bits, then magnitudes
 * around those of integers. */
static double
real_case(size_t i, uint64_t *state)
{
	if (i < 2 * N_SPECIAL_REALS)
		return i % 2 ? -special_reals[i / 2] : special_reals[i / 2];
	if (i % 2)
		return f64_of_bits(draw(state));
	return ldexp((double)(int64_t)draw(state), -(int)(draw(state) % 80));
}

/* ---- integers ---- */

static Wide
modulo(Wide a, Wide b)
{
	return (a % b + b) % b;
}

/* 2 to the power of a shift's count. */
static Wide
shift_unit(Wide count, int bits)
{
	return (Wide)1 << modulo(count, bits);
}

/* What each operator gives, for operands p and q, and what it should give
 * before it is wrapped, for the same operands a and b in many bits. */
#define INTEGER_ROWS(ROW, K) \
	ROW(neg, stencil_neg_##K(p), -a) \
	ROW(add, stencil_add_##K(p, q), a + b) \
	ROW(sub, stencil_sub_##K(p, q), a - b) \
	ROW(mul, stencil_mul_##K(p, q), a * b) \
	ROW(div, stencil_div_##K(p, q), b == 0 ? 0 : a / b) \
	ROW(rem, stencil_rem_##K(p, q), b == 0 ? a : a % b) \
	ROW(shl, stencil_shl_##K(p, q), a * shift_unit(b, bits)) \
	ROW(shr, stencil_shr_##K(p, q), \
		(a - modulo(a, shift_unit(b, bits))) / shift_unit(b, bits)) \
	ROW(abs, stencil_abs_##K(p), a < 0 ? -a : a) \
	ROW(sign, stencil_sign_##K(p), a > 0 ? 1 : a < 0 ? -1 : 0) \
	ROW(min, stencil_min_##K(p, q), a < b ? a : b) \
	ROW(max, stencil_max_##K(p, q), a > b ? a : b)

/* W modulo 2^bits, as a signed number. */
static int64_t
wrapped(Wide w, int bits)
{
	Wide modulus = (Wide)1 << bits;

	w = (w % modulus + modulus) % modulus;
	return (int64_t)(w >= modulus / 2 ? w - modulus : w);
}

static void
same_wrapped(const char *op, int64_t p, int64_t q, int bits, int64_t got, Wide reference)
{
	int64_t expected = wrapped(reference, bits);

	if (got != expected)
		fail_msg("%s_i%d(%" PRId64 ", %" PRId64 ") is %" PRId64 ", not %" PRId64,
			op, bits, p, q, got, expected);
}

#define ROW(op, got, reference) same_wrapped(#op, p, q, bits, got, reference);

static void
check_i32(int32_t p, int32_t q)
{
	Wide a = p, b = q;
	int bits = 32;

	INTEGER_ROWS(ROW, i32)
}

static void
check_i64(int64_t p, int64_t q)
{
	Wide a = p, b = q;
	int bits = 64;

	INTEGER_ROWS(ROW, i64)
}

#undef ROW

static void
integers_wrap_and_divide_as_the_language_says(void **unused)
{
	uint64_t state = 1;
	int64_t v[5 * 64];
	size_t n32 = special_integers(v, 32);

	(void)unused;
	for (size_t i = 0; i < n32; i++)
		for (size_t j = 0; j < n32; j++)
			check_i32((int32_t)v[i], (int32_t)v[j]);

	size_t n64 = special_integers(v, 64);

	for (size_t i = 0; i < n64; i++)
		for (size_t j = 0; j < n64; j++)
			check_i64(v[i], v[j]);
	for (int i = 0; i < N_RANDOM; i++) {
		uint64_t a = draw(&state), b = draw(&state) >> draw(&state) % 64;

		check_i32((int32_t)(uint32_t)a, (int32_t)(uint32_t)b);
		check_i64((int64_t)a, (int64_t)b);
	}
	assert_int_equal(stencil_div_i32(INT32_MIN, -1), INT32_MIN);
	assert_int_equal(stencil_rem_i32(INT32_MIN, -1), 0);
	assert_int_equal(stencil_shl_i32(1, 33), 2);
	assert_int_equal(stencil_shr_i32(-5, 1), -3);
	assert_int_equal(stencil_shl_i32(1, (int64_t)1 << 40), 1);
}

static void
floor_division_rounds_down(void **unused)
{
	(void)unused;
	for (int a = -40; a <= 40; a++)
		for (int b = 1; b <= 9; b++) {
			assert_int_equal(stencil_floor_div_i32(a, b), (int)floor((double)a / b));
			assert_int_equal(stencil_floor_div_i64(a, b), (int)floor((double)a / b));
			assert_int_equal(stencil_floor_mod_i32(a, b), ((a % b) + b) % b);
			assert_int_equal(stencil_floor_mod_i64(a, b), ((a % b) + b) % b);
		}
	assert_int_equal(stencil_floor_div_i64(INT64_MIN, 1), INT64_MIN);
	assert_int_equal(stencil_floor_div_i32(INT32_MIN, INT32_MAX), -2);
	assert_int_equal(stencil_floor_mod_i32(INT32_MIN, INT32_MAX), INT32_MAX - 1);
}

/* ---- conversions to integers ---- */

static Wide
saturated(Wide v, Wide lo, Wide hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

/* The nearest integer, ties to even, of a finite V of magnitude < 2^100. */
static Wide
nearest_even(long double v)
{
	long double down = floorl(v), rest = v - down;
	Wide whole = (Wide)down;

	return whole + (rest > 0.5L || (rest == 0.5L && whole % 2 != 0));
}

static Wide
integer_of_real(double v, Wide lo, Wide hi)
{
	if (isnan(v))
		return 0;
	if (fabs(v) >= 0x1p100)
		return v < 0 ? lo : hi;
	return saturated(nearest_even(v), lo, hi);
}

#define INTEGER_TYPES(ROW) \
	ROW(u8, 0, 255) ROW(i8, -128, 127) ROW(u16, 0, 65535) ROW(i16, -32768, 32767) \
	ROW(i32, INT32_MIN, INT32_MAX) ROW(i64, INT64_MIN, INT64_MAX)

#define SAME_INTEGER(call, expected, format, v) do { \
	int64_t got_ = (call), want_ = (int64_t)(expected); \
	if (got_ != want_) \
		fail_msg("%s of " format " is %" PRId64 ", not %" PRId64, #call, v, got_, want_); \
} while (0)

static void
reals_become_the_nearest_integer_or_the_end(void **unused)
{
	uint64_t state = 2;

	(void)unused;
	for (size_t i = 0; i < N_RANDOM; i++) {
		double v = real_case(i, &state);
		float f = (float)v;
		double d = (double)f;

#define ROW(T, LO, HI) \
		SAME_INTEGER(stencil_##T##_from_f64(v), integer_of_real(v, LO, HI), "%a", v); \
		SAME_INTEGER(stencil_##T##_from_f32(f), integer_of_real(f, LO, HI), "%a", d);
		INTEGER_TYPES(ROW)
#undef ROW
		SAME_INTEGER(stencil_bool_from_f64(v), !(v == 0), "%a", v);
		SAME_INTEGER(stencil_bool_from_f32(f), !(f == 0), "%a", d);
	}
}

static void
integers_saturate(void **unused)
{
	uint64_t state = 3;
	int64_t special[5 * 64];
	size_t n = special_integers(special, 64);

	(void)unused;
	for (size_t i = 0; i < N_RANDOM; i++) {
		int64_t v = i < n ? special[i] : (int64_t)draw(&state) >> draw(&state) % 64;
		int32_t w = (int32_t)(uint32_t)(uint64_t)v;

#define ROW(T, LO, HI) \
		SAME_INTEGER(stencil_##T##_from_i64(v), saturated(v, LO, HI), "%" PRId64, v); \
		SAME_INTEGER(stencil_##T##_from_i32(w), saturated(w, LO, HI), "%" PRId32, w);
		INTEGER_TYPES(ROW)
#undef ROW
		SAME_INTEGER(stencil_bool_from_i64(v), v != 0, "%" PRId64, v);
		SAME_INTEGER(stencil_bool_from_i32(w), w != 0, "%" PRId32, w);
	}
	for (int v = 0; v < 256; v++) {
		assert_int_equal(stencil_bool_load((uint8_t)v), v != 0);
		assert_int_equal(stencil_bool_store(v), v != 0);
	}
}

/* ---- f16 and bf16 ---- */

typedef struct {
	const char *name;
	int mantissa, bias;      /* bits; of the exponent */
	long double value[0x8000]; /* of the bits; the infinite one: the next power of two */
	uint16_t infinite;
} Small;

static Small f16 = { .name = "f16", .mantissa = 10, .bias = 15 };
static Small bf16 = { .name = "bf16", .mantissa = 7, .bias = 127 };

static void
small_init(Small *s)
{
	int unit = 1 << s->mantissa;

	s->infinite = (uint16_t)((2 * s->bias + 1) << s->mantissa);
	for (int bits = 0; bits <= s->infinite; bits++) {
		int exponent = bits / unit, fraction = bits % unit;

		s->value[bits] = exponent == 0 ?
			ldexpl(fraction, 1 - s->bias - s->mantissa) :
			ldexpl(unit + fraction, exponent - s->bias - s->mantissa);
	}
}

/* The bits of the value nearest to V, ties to even. */
static uint16_t
small_nearest(const Small *s, long double v)
{
	long double size = fabsl(v), middle;
	int lo = 0, hi = s->infinite;

	if (isnan(v))
		return 0x7fff;
	while (hi - lo > 1) {
		int at = (lo + hi) / 2;

		if (s->value[at] <= size)
			lo = at;
		else
			hi = at;
	}
	middle = (s->value[lo] + s->value[hi]) / 2;
	if (size > middle || (size == middle && lo % 2))
		lo = hi;
	return (uint16_t)(lo | (signbit(v) ? 0x8000 : 0));
}

static float
small_value(const Small *s, uint16_t bits)
{
	int size = bits & 0x7fff;
	float v = size == 0x7fff ? NAN : size == s->infinite ? HUGE_VALF : (float)s->value[size];

	return bits & 0x8000 ? -v : v;
}

static void
same_float(const Small *s, const char *from, long double v, float got, float expected)
{
	if (isnan(got) && isnan(expected))
		return;
	if (memcmp(&got, &expected, sizeof got) != 0)
		fail_msg("%s of the %s %La is %a, not %a",
			s->name, from, v, (double)got, (double)expected);
}

#define SMALL(T, K, v) \
	same_float(&T, #K, (long double)(v), stencil_##T##_from_##K(v), \
		small_value(&T, small_nearest(&T, (long double)(v))))

static void
check_small(double v)
{
	float f = (float)v;

	SMALL(f16, f64, v);
	SMALL(f16, f32, f);
	SMALL(bf16, f64, v);
	SMALL(bf16, f32, f);
	if (stencil_f16_store(f) != small_nearest(&f16, f))
		fail_msg("f16_store(%a) is %#x", (double)f, stencil_f16_store(f));
	if (stencil_bf16_store(f) != small_nearest(&bf16, f))
		fail_msg("bf16_store(%a) is %#x", (double)f, stencil_bf16_store(f));
}

/* Every place where rounding changes its mind: each value, each middle, and
 * their neighbours in f64 and f32. */
static void
small_reals_are_rounded_once(void **unused)
{
	const Small *all[] = { &f16, &bf16 };
	uint64_t state = 4;

	(void)unused;
	for (int k = 0; k < 2; k++)
		for (int bits = 0; bits < all[k]->infinite; bits++) {
			double at[] = {
				(double)all[k]->value[bits],
				(double)((all[k]->value[bits] + all[k]->value[bits + 1]) / 2)
			};

			for (int i = 0; i < 2; i++) {
				for (int sign = -1; sign <= 1; sign += 2) {
					float f = (float)at[i];

					check_small(sign * at[i]);
					check_small(sign * nextafter(at[i], HUGE_VAL));
					check_small(sign * nextafter(at[i], 0));
					check_small(sign * (double)nextafterf(f, HUGE_VALF));
					check_small(sign * (double)nextafterf(f, 0));
				}
			}
		}
	for (size_t i = 0; i < N_RANDOM; i++) {
		check_small(real_case(i, &state));
		check_small((double)stencil_f32_of_bits((uint32_t)draw(&state)));
	}
}

static void
integers_become_small_reals_rounded_once(void **unused)
{
	uint64_t state = 5;
	int64_t special[5 * 64];
	size_t n = special_integers(special, 64);

	(void)unused;
	for (size_t i = 0; i < N_RANDOM; i++) {
		int64_t v = i < n ? special[i] : (int64_t)draw(&state) >> draw(&state) % 64;

		/* Middles of bf16 and their neighbours. */
		if (i % 2) {
			int shift = (int)(draw(&state) % 55);

			v = (int64_t)(((draw(&state) % 128 + 128) * 2 + 1) << shift)
				+ (int64_t)(draw(&state) % 3) - 1;
			v = draw(&state) % 2 ? v : (int64_t)(0 - (uint64_t)v);
		}
		SMALL(f16, i64, v);
		SMALL(bf16, i64, v);
		SMALL(f16, i32, (int32_t)(uint32_t)(uint64_t)v);
		SMALL(bf16, i32, (int32_t)(uint32_t)(uint64_t)v);
	}
}

static void
every_stored_small_real_is_read(void **unused)
{
	(void)unused;
	for (int bits = 0; bits < 0x10000; bits++) {
		uint16_t b = (uint16_t)bits;
		float h = stencil_f16_load(b), w = stencil_bf16_load(b);

		if ((bits & 0x7fff) <= f16.infinite) {
			same_float(&f16, "bits", bits, h, small_value(&f16, b));
			assert_int_equal(stencil_f16_store(h), bits);
		} else {
			assert_true(isnan(h));
			assert_int_equal(stencil_f16_store(h), 0x7fff);
		}
		if ((bits & 0x7fff) <= bf16.infinite) {
			same_float(&bf16, "bits", bits, w, small_value(&bf16, b));
			assert_int_equal(stencil_bf16_store(w), bits);
		} else {
			assert_true(isnan(w));
			assert_int_equal(stencil_bf16_store(w), 0x7fff);
		}
	}
}

/* ---- the other reals ---- */

/* The order of all numbers but NaN: -0 < +0. */
static int
comes_before(double a, double b)
{
	return a != b ? a < b : signbit(a) && !signbit(b);
}

static void
same_double(const char *what, double a, double b, double got, double expected)
{
	if (isnan(got) && isnan(expected))
		return;
	if (memcmp(&got, &expected, sizeof got) != 0)
		fail_msg("%s(%a, %a) is %a, not %a", what, a, b, got, expected);
}

static void
check_reals(double a, double b)
{
	double min = isnan(a) ? b : isnan(b) ? a : comes_before(a, b) ? a : b;
	double max = isnan(a) ? b : isnan(b) ? a : comes_before(a, b) ? b : a;
	double sign = isnan(a) || a == 0 ? 0 : a < 0 ? -1 : 1;
	float fa = (float)a, fb = (float)b;

	same_double("min_f64", a, b, stencil_min_f64(a, b), min);
	same_double("max_f64", a, b, stencil_max_f64(a, b), max);
	same_double("sign_f64", a, b, stencil_sign_f64(a), sign);
	if ((double)fa == a && (double)fb == b) {
		same_double("min_f32", a, b, (double)stencil_min_f32(fa, fb), min);
		same_double("max_f32", a, b, (double)stencil_max_f32(fa, fb), max);
		same_double("sign_f32", a, b, (double)stencil_sign_f32(fa), sign);
	}
}

static void
min_max_and_sign_of_reals(void **unused)
{
	uint64_t state = 6;

	(void)unused;
	for (size_t i = 0; i < 2 * N_SPECIAL_REALS; i++)
		for (size_t j = 0; j < 2 * N_SPECIAL_REALS; j++) {
			double a = real_case(i, &state), b = real_case(j, &state);

			check_reals(a, b);
			check_reals((double)(float)a, (double)(float)b);
		}
	for (size_t i = 0; i < N_RANDOM; i++) {
		check_reals(real_case(i, &state), real_case(i / 3, &state));
		check_reals((double)stencil_f32_of_bits((uint32_t)draw(&state)),
			(double)stencil_f32_of_bits((uint32_t)draw(&state)));
	}
	same_double("min_f32", NAN, 1, (double)stencil_min_f32(NAN, 1), 1);
	same_double("max_f32", 1, NAN, (double)stencil_max_f32(1, NAN), 1);
	same_double("min_f32", NAN, NAN, (double)stencil_min_f32(NAN, NAN), NAN);
}

/* Both roundings, one after the other, each from a longer format. */
static void
rsqrt_is_rounded_twice(void **unused)
{
	uint64_t state = 7;

	(void)unused;
	for (int i = 0; i < N_RANDOM; i++) {
		float a = stencil_f32_of_bits((uint32_t)draw(&state) & 0x7fffffff);
		float root = (float)sqrt((double)a);

		same_double("rsqrt_f32", (double)a, 0,
			(double)stencil_rsqrt_f32(a), (double)(float)(1.0 / (double)root));
	}
	same_double("rsqrt_f32", 0, 0, (double)stencil_rsqrt_f32(-0.0f), -HUGE_VAL);
	same_double("rsqrt_f64", 0, 0, stencil_rsqrt_f64(0.0), HUGE_VAL);
	same_double("rsqrt_f64", 4, 0, stencil_rsqrt_f64(4.0), 0.5);
	same_double("rsqrt_f64", 3, 0, stencil_rsqrt_f64(3.0), 0x1.279a74590331dp-1);
	same_double("rsqrt_f64", -1, 0, stencil_rsqrt_f64(-1.0), NAN);
	same_double("fma_f64", 0, 0,
		stencil_fma_f64(0x1.0000001p0, 0x1.0000001p0, -1), 0x1.00000008p-27);
	same_double("fma_f32", 0, 0,
		(double)stencil_fma_f32(0x1.0008p0f, 0x1.0008p0f, -1), 0x1.0004p-12);
}

/* Whatever takes a zero's place is not seen: by denormals, infinities and no numbers, too. */
static void
quotients_and_roots_of_zeros_are_as_others(void **unused)
{
	uint64_t state = 11;

	(void)unused;
	for (size_t i = 0; i < N_SPECIAL_REALS; i++)
		for (int signs = 0; signs < 4; signs++) {
			double a = signs & 1 ? -0.0 : 0.0;
			float b = (float)(signs & 2 ? -special_reals[i] : special_reals[i]);

			same_double("div_f32", a, (double)b,
				(double)stencil_div_f32((float)a, b), a / (double)b);
			same_double("div_f64", a, (double)b, stencil_div_f64(a, (double)b),
				a / (double)b);
		}
	for (int i = 0; i < N_RANDOM; i++) {
		float a = stencil_f32_of_bits((uint32_t)draw(&state));
		float b = stencil_f32_of_bits((uint32_t)draw(&state));

		same_double("div_f32", (double)a, (double)b, (double)stencil_div_f32(a, b),
			(double)(float)((double)a / (double)b));
		same_double("sqrt_f32", (double)a, 0, (double)stencil_sqrt_f32(a),
			(double)(float)sqrt((double)a));
		same_double("sqrt_f64", (double)a, 0, stencil_sqrt_f64((double)a),
			sqrt((double)a));
	}
	same_double("sqrt_f32", 0, 0, (double)stencil_sqrt_f32(-0.0f), -0.0);
	same_double("sqrt_f64", 0, 0, stencil_sqrt_f64(-0.0), -0.0);
}

/* To f32 by a search among its values: the nearest by exact distances. */
static void
reals_and_integers_become_f32_rounded_once(void **unused)
{
	uint64_t state = 8;

	(void)unused;
	for (int i = 0; i < N_RANDOM; i++) {
		int64_t v = (int64_t)draw(&state) >> draw(&state) % 64;
		float f = stencil_f32_from_i64(v);
		Wide here = (Wide)(long double)f - v;
		Wide up = (Wide)(long double)nextafterf(f, HUGE_VALF) - v;
		Wide down = (Wide)(long double)nextafterf(f, -HUGE_VALF) - v;

		here = here < 0 ? -here : here;
		assert_true(here <= up && here <= -down);
		if (here != 0 && (here == up || here == -down))
			assert_int_equal(stencil_f32_bits(f) & 1, 0);
		assert_true(stencil_f64_from_i32((int32_t)v) == (double)(int32_t)v);
		assert_true(stencil_f32_from_i32((int32_t)v) == stencil_f32_from_i64((int32_t)v));
		assert_true((Wide)stencil_f64_from_i64(v >> 11) == v >> 11);
	}
}

/* Every row of the list is a function, and there is none that it forgot among
 * the conversions. */
static void
the_list_names_functions(void **unused)
{
	int n = 0;

	(void)unused;
#define OP1(name, R, A) { R (*f)(A) = stencil_##name; n += f != NULL; }
#define OP2(name, R, A, B) { R (*f)(A, B) = stencil_##name; n += f != NULL; }
#define OP3(name, R, A, B, C) { R (*f)(A, B, C) = stencil_##name; n += f != NULL; }
#include "../gpu/ops.def"
	assert_int_equal(n, 2 * 12 + 2 * 7 + 11 * 4 + 6);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_wrap_and_divide_as_the_language_says),
		cmocka_unit_test(floor_division_rounds_down),
		cmocka_unit_test(reals_become_the_nearest_integer_or_the_end),
		cmocka_unit_test(integers_saturate),
		cmocka_unit_test(small_reals_are_rounded_once),
		cmocka_unit_test(integers_become_small_reals_rounded_once),
		cmocka_unit_test(every_stored_small_real_is_read),
		cmocka_unit_test(min_max_and_sign_of_reals),
		cmocka_unit_test(rsqrt_is_rounded_twice),
		cmocka_unit_test(quotients_and_roots_of_zeros_are_as_others),
		cmocka_unit_test(reals_and_integers_become_f32_rounded_once),
		cmocka_unit_test(the_list_names_functions),
	};

	small_init(&f16);
	small_init(&bf16);
	return cmocka_run_group_tests_name("ops", tests, NULL, NULL);
}
