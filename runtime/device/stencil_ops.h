/* stencil_ops.h: what the operators of the stencil language mean, as functions.
 *
 * Generated code, for the GPU and for the host, writes an operator of C where C
 * means exactly what the language means, and one of these where it does not:
 * integers wrap, division by zero is defined, conversions saturate.  The same
 * text is C11, C++17 and CUDA, and gives the same bits in all three (a NaN is a
 * NaN; its payload is not promised).
 *
 * Values stand in their compute kind: bool, u8, i8, u16, i16 and i32 in an
 * int32_t, i64 in an int64_t, f16, bf16 and f32 in a float, f64 in a double.
 *
 *   stencil_OP_K(a, b)     an operator in the kind K
 *   stencil_T_from_K(v)    the language's T(v): v of the kind K, made a value of T
 *   stencil_T_load(bits)   what is stored, as a value; for bool, f16 and bf16
 *   stencil_T_store(v)     and back
 *   stencil_fast_OP_f32    for -ffast-math: approximate on the GPU
 *
 * To be compiled without contraction (-ffp-contract=off, -fmad=false) and
 * without the host compiler's -ffast-math.
 */
#ifndef STENCIL_OPS_H
#define STENCIL_OPS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define STENCIL_FN static __host__ __device__ __forceinline__
#else
#define STENCIL_FN static inline
#endif

/* ---- integers ---- */

/* Arithmetic wraps: it is done in U, the unsigned twin of T.  a/0 is 0 and a%0
 * is a.  A shift's count is taken modulo the width.  floor_div and floor_mod
 * are for indices: their b is at least 1. */
#define STENCIL_INTEGERS(K, T, U, BITS) \
STENCIL_FN T stencil_neg_##K(T a) { return (T)(0 - (U)a); } \
STENCIL_FN T stencil_add_##K(T a, T b) { return (T)((U)a + (U)b); } \
STENCIL_FN T stencil_sub_##K(T a, T b) { return (T)((U)a - (U)b); } \
STENCIL_FN T stencil_mul_##K(T a, T b) { return (T)((U)a * (U)b); } \
STENCIL_FN T stencil_div_##K(T a, T b) \
{ return b == 0 ? 0 : b == -1 ? stencil_neg_##K(a) : a / b; } \
STENCIL_FN T stencil_rem_##K(T a, T b) \
{ return b == 0 ? a : b == -1 ? 0 : a % b; } \
STENCIL_FN T stencil_shl_##K(T a, int64_t n) { return (T)((U)a << (n & (BITS - 1))); } \
STENCIL_FN T stencil_shr_##K(T a, int64_t n) { return a >> (n & (BITS - 1)); } \
STENCIL_FN T stencil_abs_##K(T a) { return a < 0 ? stencil_neg_##K(a) : a; } \
STENCIL_FN T stencil_sign_##K(T a) { return (a > 0) - (a < 0); } \
STENCIL_FN T stencil_min_##K(T a, T b) { return b < a ? b : a; } \
STENCIL_FN T stencil_max_##K(T a, T b) { return a < b ? b : a; } \
STENCIL_FN T stencil_floor_div_##K(T a, T b) { return a / b - (a % b < 0); } \
STENCIL_FN T stencil_floor_mod_##K(T a, T b) { return a % b + (a % b < 0 ? b : 0); }

STENCIL_INTEGERS(i32, int32_t, uint32_t, 32)
STENCIL_INTEGERS(i64, int64_t, uint64_t, 64)
#undef STENCIL_INTEGERS

/* ---- the bits of a real ---- */

STENCIL_FN uint32_t
stencil_f32_bits(float v)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof bits);
	return bits;
}

STENCIL_FN float
stencil_f32_of_bits(uint32_t bits)
{
	float v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

STENCIL_FN uint64_t
stencil_f64_bits(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	return bits;
}

STENCIL_FN double
stencil_f64_of_bits(uint64_t bits)
{
	double v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

/* How large V is: its upper half, which is a float in the same order, but for the largest, which
 * are none. */
STENCIL_FN float
stencil_f64_size(double v)
{
	return fabsf(stencil_f32_of_bits((uint32_t)(stencil_f64_bits(v) >> 32)));
}

/* ---- what a GPU has an instruction for, and its meaning elsewhere ----
 *
 * min and max: a NaN is ignored, -0 < +0.
 * i32_from, i64_from: to the nearest, ties to even; saturated; NaN gives 0.
 * f16_store, bf16_store: likewise to the nearest; overflow is infinite; a NaN
 * is 0x7fff.  */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

/* Not fminf and its like: nvcc folds those of constants, and takes +0 for -0. */
#define STENCIL_MIN_MAX(OP, K, T, REG) \
STENCIL_FN T stencil_##OP##_##K(T a, T b) \
{ T r; asm(#OP "." #K " %0, %1, %2;" : "=" REG(r) : REG(a), REG(b)); return r; }

STENCIL_MIN_MAX(min, f32, float, "f")
STENCIL_MIN_MAX(max, f32, float, "f")
STENCIL_MIN_MAX(min, f64, double, "d")
STENCIL_MIN_MAX(max, f64, double, "d")
#undef STENCIL_MIN_MAX

/* What nvcc makes of a / b before it branches, but for what it branches on: where A is zero, too,
 * which is often. */
STENCIL_FN double
stencil_div_f64(double a, double b)
{
	const float least = 0x1p-50f, most = 0x1p50f; /* the upper halves of 2^-407 and 2^393 */
	const float a_size = stencil_f64_size(a), b_size = stencil_f64_size(b);
	const bool fits = (b_size >= least) & (b_size <= most);
	double y, off, q;

	asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(b));
	y = stencil_f64_of_bits(stencil_f64_bits(y) | 1);
	off = fma(-b, y, 1.0);
	y = fma(fma(off, off, off), y, y);
	y = fma(fma(-b, y, 1.0), y, y);
	q = a * y;
	q = fma(fma(-b, q, a), y, q);
	if (!(fits & (a_size >= least) & (a_size <= most)))
		q = fits & (a == 0) ? a * y : a / b;
	return q;
}

/* Only the 32-bit conversion has 0 for a NaN. */
STENCIL_FN int32_t stencil_i32_from_f32(float v) { return __float2int_rn(v); }
STENCIL_FN int32_t stencil_i32_from_f64(double v) { return v != v ? 0 : __double2int_rn(v); }
STENCIL_FN int64_t stencil_i64_from_f32(float v) { return v != v ? 0 : __float2ll_rn(v); }
STENCIL_FN int64_t stencil_i64_from_f64(double v) { return v != v ? 0 : __double2ll_rn(v); }

STENCIL_FN float
stencil_f16_load(uint16_t bits)
{
	float v;

	asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(bits));
	return v;
}

STENCIL_FN uint16_t
stencil_f16_store(float v)
{
	uint16_t bits;

	asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(v));
	return bits;
}

STENCIL_FN uint16_t
stencil_bf16_store(float v)
{
	uint16_t bits;

	asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(v));
	return bits;
}

#else

STENCIL_FN double stencil_div_f64(double a, double b) { return a / b; }

#define STENCIL_MIN_MAX(K, T, BITS) \
STENCIL_FN T stencil_min_##K(T a, T b) \
{ return a < b || b != b || (a == b && stencil_##K##_bits(a) >> (BITS - 1)) ? a : b; } \
STENCIL_FN T stencil_max_##K(T a, T b) \
{ return a > b || b != b || (a == b && stencil_##K##_bits(b) >> (BITS - 1)) ? a : b; }

STENCIL_MIN_MAX(f32, float, 32)
STENCIL_MIN_MAX(f64, double, 64)
#undef STENCIL_MIN_MAX

STENCIL_FN int32_t
stencil_i32_from_f64(double v)
{
	if (v != v)
		return 0;
	return v >= INT32_MAX ? INT32_MAX : v <= INT32_MIN ? INT32_MIN : (int32_t)rint(v);
}

STENCIL_FN int64_t
stencil_i64_from_f64(double v)
{
	if (v != v)
		return 0;
	return v >= 0x1p63 ? INT64_MAX : v <= -0x1p63 ? INT64_MIN : (int64_t)rint(v);
}

STENCIL_FN int32_t stencil_i32_from_f32(float v) { return stencil_i32_from_f64(v); }
STENCIL_FN int64_t stencil_i64_from_f32(float v) { return stencil_i64_from_f64(v); }

STENCIL_FN float
stencil_f16_load(uint16_t bits)
{
	uint32_t sign = (uint32_t)(bits & 0x8000) << 16, rest = bits & 0x7fff;

	if (rest >= 0x7c00) /* infinite, NaN */
		return stencil_f32_of_bits(sign | 0x7f800000 | rest << 13);
	if (rest >= 0x0400) /* normal: another bias of the exponent */
		return stencil_f32_of_bits(sign | (rest + (112 << 10)) << 13);
	return stencil_f32_of_bits(sign | stencil_f32_bits((float)rest * 0x1p-24f));
}

STENCIL_FN uint16_t
stencil_f16_store(float v)
{
	uint32_t sign = stencil_f32_bits(v) >> 16 & 0x8000, rest = stencil_f32_bits(v) & 0x7fffffff;

	if (v != v)
		return 0x7fff;
	if (rest >= 0x477ff000) /* 65520: half way from the largest to the next */
		return (uint16_t)(sign | 0x7c00);
	if (rest < 0x38800000) /* subnormal: beside 0.5 the last place is that of a f16 */
		return (uint16_t)(sign | (stencil_f32_bits(stencil_f32_of_bits(rest) + 0.5f)
			- stencil_f32_bits(0.5f)));
	rest += 0x0fff + (rest >> 13 & 1);
	return (uint16_t)(sign | ((rest >> 13) - (112 << 10)));
}

STENCIL_FN uint16_t
stencil_bf16_store(float v)
{
	uint32_t bits = stencil_f32_bits(v);

	return v != v ? 0x7fff : (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#endif

STENCIL_FN float
stencil_bf16_load(uint16_t bits)
{
	return stencil_f32_of_bits((uint32_t)bits << 16);
}

/* A byte that a caller made may be true without being 1. */
STENCIL_FN int32_t stencil_bool_load(uint8_t byte) { return byte != 0; }
STENCIL_FN uint8_t stencil_bool_store(int32_t v) { return v != 0; }

/* ---- reals ---- */

STENCIL_FN float stencil_sign_f32(float a) { return (float)((a > 0) - (a < 0)); }
STENCIL_FN double stencil_sign_f64(double a) { return (a > 0) - (a < 0); }
/* Quotients and roots of zeros take ten times as long on a GPU as others do, and zeros are often
 * many: another number takes their place.  Where that of a zero is zero, 2^-24 has a quotient, too,
 * that is no infinity. */
STENCIL_FN float
stencil_div_f32(float a, float b)
{
	const float q = (a == 0 ? 0x1p-24f : a) / b;

	return a == 0 ? a * q : q;
}

STENCIL_FN float
stencil_sqrt_f32(float a)
{
	const float root = sqrtf(a == 0 ? 1 : a);

	return a == 0 ? a : root;
}

STENCIL_FN double
stencil_sqrt_f64(double a)
{
	const double root = sqrt(a == 0 ? 1 : a);

	return a == 0 ? a : root;
}

STENCIL_FN float stencil_rsqrt_f32(float a) { return 1.0f / sqrtf(a); }
STENCIL_FN double stencil_rsqrt_f64(double a) { return 1.0 / sqrt(a); }
STENCIL_FN float stencil_fma_f32(float a, float b, float c) { return fmaf(a, b, c); }
STENCIL_FN double stencil_fma_f64(double a, double b, double c) { return fma(a, b, c); }

/* ---- conversions to integers: saturated ---- */

STENCIL_FN int32_t stencil_bool_from_i32(int32_t v) { return v != 0; }
STENCIL_FN int32_t stencil_bool_from_i64(int64_t v) { return v != 0; }
STENCIL_FN int32_t stencil_bool_from_f32(float v) { return v != 0; }
STENCIL_FN int32_t stencil_bool_from_f64(double v) { return v != 0; }

STENCIL_FN int32_t stencil_i32_from_i32(int32_t v) { return v; }
STENCIL_FN int64_t stencil_i64_from_i32(int32_t v) { return v; }
STENCIL_FN int64_t stencil_i64_from_i64(int64_t v) { return v; }

STENCIL_FN int32_t
stencil_i32_from_i64(int64_t v)
{
	return (int32_t)stencil_min_i64(stencil_max_i64(v, INT32_MIN), INT32_MAX);
}

#define STENCIL_NARROW(T, LO, HI) \
STENCIL_FN int32_t stencil_##T##_from_i32(int32_t v) \
{ return stencil_min_i32(stencil_max_i32(v, LO), HI); } \
STENCIL_FN int32_t stencil_##T##_from_i64(int64_t v) \
{ return stencil_##T##_from_i32(stencil_i32_from_i64(v)); } \
STENCIL_FN int32_t stencil_##T##_from_f32(float v) \
{ return stencil_##T##_from_i32(stencil_i32_from_f32(v)); } \
STENCIL_FN int32_t stencil_##T##_from_f64(double v) \
{ return stencil_##T##_from_i32(stencil_i32_from_f64(v)); }

STENCIL_NARROW(u8, 0, 255)
STENCIL_NARROW(i8, -128, 127)
STENCIL_NARROW(u16, 0, 65535)
STENCIL_NARROW(i16, -32768, 32767)
#undef STENCIL_NARROW

/* ---- conversions to reals: rounded once, to the nearest, ties to even ---- */

STENCIL_FN float stencil_f32_from_i32(int32_t v) { return (float)v; }
STENCIL_FN float stencil_f32_from_i64(int64_t v) { return (float)v; }
STENCIL_FN float stencil_f32_from_f32(float v) { return v; }
STENCIL_FN float stencil_f32_from_f64(double v) { return (float)v; }
STENCIL_FN double stencil_f64_from_i32(int32_t v) { return v; }
STENCIL_FN double stencil_f64_from_i64(int64_t v) { return (double)v; }
STENCIL_FN double stencil_f64_from_f32(float v) { return v; }
STENCIL_FN double stencil_f64_from_f64(double v) { return v; }

/* V rounded to odd: exact, or that neighbour whose last bit is set.  Rounding
 * the result again, to at least two bits less, is rounding V once. */
STENCIL_FN float
stencil_f32_odd_from_f64(double v)
{
	float near = (float)v;
	uint32_t bits = stencil_f32_bits(near);

	if (v != v || near == v || (bits & 1))
		return near;
	return stencil_f32_of_bits(fabs(v) > fabs((double)near) ? bits + 1 : bits - 1);
}

STENCIL_FN float
stencil_f16_from_f32(float v)
{
	return stencil_f16_load(stencil_f16_store(v));
}

STENCIL_FN float
stencil_f16_from_f64(double v)
{
	return stencil_f16_from_f32(stencil_f32_odd_from_f64(v));
}

/* From 2^17 on all is infinite, up to there a float is exact. */
STENCIL_FN float
stencil_f16_from_i32(int32_t v)
{
	return stencil_f16_from_f32((float)stencil_min_i32(stencil_max_i32(v, -0x20000), 0x20000));
}

STENCIL_FN float
stencil_f16_from_i64(int64_t v)
{
	return stencil_f16_from_i32(stencil_i32_from_i64(v));
}

STENCIL_FN float
stencil_bf16_from_f32(float v)
{
	return stencil_bf16_load(stencil_bf16_store(v));
}

STENCIL_FN float
stencil_bf16_from_f64(double v)
{
	return stencil_bf16_from_f32(stencil_f32_odd_from_f64(v));
}

STENCIL_FN float
stencil_bf16_from_i32(int32_t v)
{
	return stencil_bf16_from_f64(v);
}

/* Of a large V the last 12 bits become one, which says whether there were any:
 * that much a double holds exactly, and a bf16 does not ask for more. */
STENCIL_FN float
stencil_bf16_from_i64(int64_t v)
{
	if (v < -0x20000000000000 || v > 0x20000000000000)
		v = (v & ~(int64_t)0xfff) | (v & 0xfff ? 0x800 : 0);
	return stencil_bf16_from_f64((double)v);
}

/* ---- -ffast-math ---- */
#ifdef __CUDA_ARCH__

STENCIL_FN float stencil_fast_div_f32(float a, float b) { return __fdividef(a, b); }
STENCIL_FN float stencil_fast_rsqrt_f32(float a) { return rsqrtf(a); }
STENCIL_FN float stencil_fast_exp_f32(float a) { return __expf(a); }
STENCIL_FN float stencil_fast_log_f32(float a) { return __logf(a); }
STENCIL_FN float stencil_fast_log2_f32(float a) { return __log2f(a); }
STENCIL_FN float stencil_fast_sin_f32(float a) { return __sinf(a); }
STENCIL_FN float stencil_fast_cos_f32(float a) { return __cosf(a); }
STENCIL_FN float stencil_fast_tan_f32(float a) { return __tanf(a); }
STENCIL_FN float stencil_fast_pow_f32(float a, float b) { return __powf(a, b); }

STENCIL_FN float
stencil_fast_sqrt_f32(float a)
{
	float root;

	asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(a));
	return root;
}

STENCIL_FN float
stencil_fast_exp2_f32(float a)
{
	float power;

	asm("ex2.approx.f32 %0, %1;" : "=f"(power) : "f"(a));
	return power;
}

#else

STENCIL_FN float stencil_fast_div_f32(float a, float b) { return a / b; }
STENCIL_FN float stencil_fast_sqrt_f32(float a) { return sqrtf(a); }
STENCIL_FN float stencil_fast_rsqrt_f32(float a) { return 1.0f / sqrtf(a); }
STENCIL_FN float stencil_fast_exp_f32(float a) { return expf(a); }
STENCIL_FN float stencil_fast_exp2_f32(float a) { return exp2f(a); }
STENCIL_FN float stencil_fast_log_f32(float a) { return logf(a); }
STENCIL_FN float stencil_fast_log2_f32(float a) { return log2f(a); }
STENCIL_FN float stencil_fast_sin_f32(float a) { return sinf(a); }
STENCIL_FN float stencil_fast_cos_f32(float a) { return cosf(a); }
STENCIL_FN float stencil_fast_tan_f32(float a) { return tanf(a); }
STENCIL_FN float stencil_fast_pow_f32(float a, float b) { return powf(a, b); }

#endif
#endif
