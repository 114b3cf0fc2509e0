/* nudge.h: makes a host build of a program whose exp, sin, pow, ... are off by
 * their budget: compiled with `-include nudge.h`, each such call gives its value
 * moved by NUDGE_ULP up or down, as a hash of the value and the seed says; whose scans
 * begin anew, where they say what they are anywhere, at about one cell of NUDGE_PIECE; and whose
 * reductions add in another order, as they do on a device.
 *
 * How far the cells of a few such builds (one per seed) lie from those of the
 * true one shows how the program passes rounding on: the bound of compare.h.
 */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
extern uint64_t stencil_nudge_seed;
#ifdef __cplusplus
}
#endif

enum { NUDGE_ULP = 4, NUDGE_PIECE = 32 };

static inline int
nudge_up(uint64_t bits)
{
	bits = (bits ^ stencil_nudge_seed) * 0x9e3779b97f4a7c15u;
	return ((bits ^ (bits >> 29)) * 0xbf58476d1ce4e5b9u) >> 63 != 0;
}

static inline int
nudge_restarts(uint64_t i)
{
	i = (i ^ (stencil_nudge_seed << 32)) * 0x9e3779b97f4a7c15u;
	return ((i ^ (i >> 29)) * 0xbf58476d1ce4e5b9u) >> 32 < (UINT64_C(1) << 32) / NUDGE_PIECE;
}

static inline int
nudge_chunks(void)
{
	static const int chunks[] = { 2, 3, 4, 5, 7, 13, 29, 127 };

	return chunks[stencil_nudge_seed % (sizeof chunks / sizeof chunks[0])];
}

#define STENCIL_CHUNKS nudge_chunks()
#define STENCIL_RESTARTS(i) nudge_restarts((uint32_t)(i))

static inline float
nudge_f32(float v)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof v);
	if (!isfinite(v) || (bits & 0x7fffffff) <= NUDGE_ULP)
		return v;
	bits = nudge_up(bits) ? bits + NUDGE_ULP : bits - NUDGE_ULP;
	memcpy(&v, &bits, sizeof v);
	return v;
}

static inline double
nudge_f64(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof v);
	if (!isfinite(v) || (bits & 0x7fffffffffffffffu) <= NUDGE_ULP)
		return v;
	bits = nudge_up(bits) ? bits + NUDGE_ULP : bits - NUDGE_ULP;
	memcpy(&v, &bits, sizeof v);
	return v;
}

#ifndef STENCIL_NUDGE_ORDER /* a device that has the host's functions: what is not in its order */
#define cbrt(...) nudge_f64(cbrt(__VA_ARGS__))
#define cbrtf(...) nudge_f32(cbrtf(__VA_ARGS__))
#define exp(...) nudge_f64(exp(__VA_ARGS__))
#define expf(...) nudge_f32(expf(__VA_ARGS__))
#define exp2(...) nudge_f64(exp2(__VA_ARGS__))
#define exp2f(...) nudge_f32(exp2f(__VA_ARGS__))
#define log(...) nudge_f64(log(__VA_ARGS__))
#define logf(...) nudge_f32(logf(__VA_ARGS__))
#define log2(...) nudge_f64(log2(__VA_ARGS__))
#define log2f(...) nudge_f32(log2f(__VA_ARGS__))
#define sin(...) nudge_f64(sin(__VA_ARGS__))
#define sinf(...) nudge_f32(sinf(__VA_ARGS__))
#define cos(...) nudge_f64(cos(__VA_ARGS__))
#define cosf(...) nudge_f32(cosf(__VA_ARGS__))
#define tan(...) nudge_f64(tan(__VA_ARGS__))
#define tanf(...) nudge_f32(tanf(__VA_ARGS__))
#define asin(...) nudge_f64(asin(__VA_ARGS__))
#define asinf(...) nudge_f32(asinf(__VA_ARGS__))
#define acos(...) nudge_f64(acos(__VA_ARGS__))
#define acosf(...) nudge_f32(acosf(__VA_ARGS__))
#define atan(...) nudge_f64(atan(__VA_ARGS__))
#define atanf(...) nudge_f32(atanf(__VA_ARGS__))
#define atan2(...) nudge_f64(atan2(__VA_ARGS__))
#define atan2f(...) nudge_f32(atan2f(__VA_ARGS__))
#define sinh(...) nudge_f64(sinh(__VA_ARGS__))
#define sinhf(...) nudge_f32(sinhf(__VA_ARGS__))
#define cosh(...) nudge_f64(cosh(__VA_ARGS__))
#define coshf(...) nudge_f32(coshf(__VA_ARGS__))
#define tanh(...) nudge_f64(tanh(__VA_ARGS__))
#define tanhf(...) nudge_f32(tanhf(__VA_ARGS__))
#define pow(...) nudge_f64(pow(__VA_ARGS__))
#define powf(...) nudge_f32(powf(__VA_ARGS__))
#define hypot(...) nudge_f64(hypot(__VA_ARGS__))
#define hypotf(...) nudge_f32(hypotf(__VA_ARGS__))
#endif
