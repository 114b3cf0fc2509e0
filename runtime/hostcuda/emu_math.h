/* emu_math.h: CUDA's built-in functions on single values.
 *
 * Only what rounds the same on both machines, or only moves bits; what a C
 * library has (fmaf, sqrtf, expf, ...) comes from <math.h>.
 */
#ifndef STENCIL_EMU_MATH_H
#define STENCIL_EMU_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

template <typename To, typename From>
static inline To
stencil_emu_bits(From from)
{
	static_assert(sizeof(To) == sizeof(From), "bits are moved, not converted");
	To to;

	memcpy(&to, &from, sizeof to);
	return to;
}

static inline int __float_as_int(float v) { return stencil_emu_bits<int>(v); }
static inline unsigned __float_as_uint(float v) { return stencil_emu_bits<unsigned>(v); }
static inline float __int_as_float(int v) { return stencil_emu_bits<float>(v); }
static inline float __uint_as_float(unsigned v) { return stencil_emu_bits<float>(v); }
static inline long long __double_as_longlong(double v) { return stencil_emu_bits<long long>(v); }
static inline double __longlong_as_double(long long v) { return stencil_emu_bits<double>(v); }

static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __dsqrt_rn(double a) { return sqrt(a); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }

static inline int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
static inline int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
static inline int __ffs(int v) { return __builtin_ffs(v); }
static inline int __ffsll(long long v) { return __builtin_ffsll(v); }
static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
static inline unsigned
__umulhi(unsigned a, unsigned b)
{
	return (unsigned)((uint64_t)a * b >> 32);
}
static inline unsigned long long
__umul64hi(unsigned long long a, unsigned long long b)
{
	return (unsigned long long)((unsigned __int128)a * b >> 64);
}

#define STENCIL_EMU_MIN_MAX(T) \
	static inline T min(T a, T b) { return b < a ? b : a; } \
	static inline T max(T a, T b) { return a < b ? b : a; }
STENCIL_EMU_MIN_MAX(int)
STENCIL_EMU_MIN_MAX(unsigned)
STENCIL_EMU_MIN_MAX(long)
STENCIL_EMU_MIN_MAX(unsigned long)
STENCIL_EMU_MIN_MAX(long long)
STENCIL_EMU_MIN_MAX(unsigned long long)
#undef STENCIL_EMU_MIN_MAX
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }

/* Loads and stores with a hint for the caches. */
template <typename T> static inline T __ldg(const T *at) { return *at; }
template <typename T> static inline T __ldcg(const T *at) { return *at; }
template <typename T> static inline T __ldca(const T *at) { return *at; }
template <typename T> static inline T __ldcs(const T *at) { return *at; }
template <typename T> static inline void __stcg(T *at, T value) { *at = value; }
template <typename T> static inline void __stcs(T *at, T value) { *at = value; }
template <typename T> static inline void __stwt(T *at, T value) { *at = value; }
template <typename T> static inline void __stwb(T *at, T value) { *at = value; }

#endif
