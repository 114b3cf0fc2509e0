/* stencil_together.cuh: roots and quotients of all cells of a thread at once.
 *
 * They are what sqrtf and / give, to the last bit.  Compiled one by one, each has a branch
 * to a long form for arguments near the ends of the range, and what follows waits for it.
 * Here the short form of all cells comes first, and one branch for all of them after.
 */
#ifndef STENCIL_TOGETHER_CUH
#define STENCIL_TOGETHER_CUH

#include "stencil_ops.h"
#include "stencil_vector.cuh"

#ifdef STENCIL_EMULATED
#define STENCIL_TOGETHER_FN static inline
#define STENCIL_TOGETHER_CONST static constexpr
#else
#define STENCIL_TOGETHER_FN static __device__ __forceinline__
#define STENCIL_TOGETHER_CONST static __host__ __device__ constexpr
#endif

/* ---- short forms; what nvcc's own are, before their branches ---- */

/* The bits of the numbers that a short form holds for; those between have bits between. */
#define STENCIL_LEAST_ROOT 0x0d000000u    /* 2^-101 */
#define STENCIL_MOST_ROOT 0x7f7fffffu     /* the largest there is */
#define STENCIL_LEAST_INVERSE 0x00800000u /* 2^-126 */
#define STENCIL_MOST_INVERSE 0x7e800000u  /* 2^126 */

/* What the short form gives for a root's inverse tells by itself: beyond this, or not a
 * number, as for infinity and all that is not positive, it need not hold. */
#define STENCIL_MOST_INVERSE_ROOT 0x58800000u /* 2^50, of 2^-100 */

STENCIL_TOGETHER_FN uint32_t
stencil_root_bits(float v)
{
	return stencil_f32_bits(v);
}

STENCIL_TOGETHER_FN uint32_t
stencil_inverse_bits(float v)
{
	return stencil_f32_bits(v) & 0x7fffffffu;
}

#ifdef STENCIL_EMULATED /* they lean on how near a GPU's first guess is */

STENCIL_TOGETHER_FN float
stencil_refined_root(float v)
{
	const bool fits = (v >= 0x1p-101f) & (v <= 0x1.fffffep127f);

	return fits ? sqrtf(v) : 0.0f;
}

STENCIL_TOGETHER_FN float
stencil_refined_inverse(float v)
{
	const bool fits = (fabsf(v) >= 0x1p-126f) & (fabsf(v) <= 0x1p126f);

	return fits ? 1.0f / v : 0.0f;
}

STENCIL_TOGETHER_FN float
stencil_refined_inverse_root(float v)
{
	const bool fits = (v >= 0x1p-101f) & (v <= 0x1.fffffep127f);

	return fits ? 1.0f / sqrtf(v) : NAN;
}

#else

STENCIL_TOGETHER_FN float
stencil_guessed_inverse_root(float v)
{
	float y;

	asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(v));
	return y;
}

/* Y is a guess of its inverse. */
STENCIL_TOGETHER_FN float
stencil_root_near(float v, float y)
{
	const float g = v * y, h = 0.5f * y;

	return fmaf(fmaf(-g, g, v), h, g);
}

STENCIL_TOGETHER_FN float
stencil_refined_root(float v)
{
	return stencil_root_near(v, stencil_guessed_inverse_root(v));
}

STENCIL_TOGETHER_FN float
stencil_refined_inverse(float v)
{
	float y;

	asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(v));
	return fmaf(fmaf(-v, y, 1.0f), y, y);
}

/* The guess that the root was made of does for its inverse, too, if what it is off by is
 * taken up to its square.  It is rounded up: off by 2^-24, as for the root before a power
 * of two, the square would be lost, and with it on which side of the middle between two
 * numbers the inverse lies.  Of all guesses off by up to 2^-22.9 none is then refined to
 * anything else (tests/unit/test-inverse-root.c). */
STENCIL_TOGETHER_FN float
stencil_refined_inverse_root(float v)
{
	const float y = stencil_guessed_inverse_root(v);
	const float off = __fmaf_ru(-stencil_root_near(v, y), y, 1.0f);

	return fmaf(__fmaf_ru(off, off, off), y, y);
}

#endif

/* ---- of one cell ---- */

/* How far BITS lie above LEAST, or what is FAR more; below it is as far as can be.  One
 * instruction. */
STENCIL_TOGETHER_FN uint32_t
stencil_farthest(uint32_t far, uint32_t bits, uint32_t least)
{
	const uint32_t above = bits - least;

	return above > far ? above : far;
}

/* V / D, D positive and Y its inverse, correctly rounded.  A zero keeps its sign. */
STENCIL_TOGETHER_FN float
stencil_short_quotient(float v, float d, float y)
{
	const float q = v * y;

	return fmaf(-fmaf(d, q, -v), y, q);
}

/* What V * Y is off by makes it one of the two numbers around the quotient, and what that is off
 * by the nearer of them (Markstein). */
STENCIL_TOGETHER_FN double
stencil_short_quotient(double v, double d, double y)
{
	const double q = v * y, near = fma(-fma(d, q, -v), y, q);

	return fma(-fma(d, near, -v), y, near);
}

/* V, its sign turned round where that of BY is set. */
STENCIL_TOGETHER_FN float
stencil_turned(float v, float by)
{
	return stencil_f32_of_bits(stencil_f32_bits(v) ^ (stencil_f32_bits(by) & 0x80000000u));
}

STENCIL_TOGETHER_FN double
stencil_turned(double v, double by)
{
	return stencil_f64_of_bits(stencil_f64_bits(v)
		^ (stencil_f64_bits(by) & 0x8000000000000000u));
}

/* ---- long forms, of all numbers; those of floats have no branch ---- */

STENCIL_TOGETHER_FN double
stencil_long_quotient(double v, double by)
{
	return v / by;
}

#ifdef STENCIL_EMULATED

STENCIL_TOGETHER_FN float
stencil_long_quotient(float v, float by)
{
	return v / by;
}

STENCIL_TOGETHER_FN float
stencil_long_root(float v)
{
	return sqrtf(v);
}

#else

/* Among doubles no quotient of floats is too large or too small, and none lies so near the middle
 * between two floats that it is rounded to that middle.  What no divisor has an inverse for, the
 * first guess of it tells. */
STENCIL_TOGETHER_FN float
stencil_long_quotient(float v, float by)
{
	const double d = fabsf(by), turned = stencil_turned(v, by);
	double guess, y, q;

	asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(guess) : "d"(d));
	y = fma(fma(-d, guess, 1.0), guess, guess);
	q = stencil_short_quotient(turned, d, y);
	return (float)(q == q ? q : turned * guess);
}

/* Of what is too small the root is that of 2^64 times as much, by 2^-32. */
STENCIL_TOGETHER_FN float
stencil_long_root(float v)
{
	const bool small = v < 0x1p-64f;
	const float root = stencil_refined_root(small ? v * 0x1p64f : v);

	return (v == 0) | (v == INFINITY) ? v : small ? root * 0x1p-32f : root;
}

#endif

STENCIL_TOGETHER_FN float
stencil_long_inverse(float v)
{
	return stencil_long_quotient(1.0f, v);
}

STENCIL_TOGETHER_FN float
stencil_long_inverse_root(float v)
{
	return stencil_long_inverse(stencil_long_root(v));
}

/* V is kept from here on, not what it was made from. */
STENCIL_TOGETHER_FN void
stencil_hold(float &v)
{
#ifdef STENCIL_EMULATED
	(void)v;
#else
	asm("" : "+f"(v));
#endif
}

/* ---- of N cells, in place ---- */

/* How many of N cells a turn of a loop takes: as many as hide what each waits for. */
STENCIL_TOGETHER_CONST int
stencil_at_a_turn(int n)
{
	return n % 4 == 0 ? 4 : n % 2 == 0 ? 2 : 1;
}

/* The cells go round: those of a turn become the last. */
template <int n, typename T>
STENCIL_TOGETHER_FN void
stencil_turn(T (&v)[n])
{
	const int k = stencil_at_a_turn(n);
	T first[k];

	STENCIL_UNROLL
	for (int i = 0; i < k; i++)
		first[i] = v[i];
	STENCIL_UNROLL
	for (int i = 0; i < n - k; i++)
		v[i] = v[i + k];
	STENCIL_UNROLL
	for (int i = 0; i < k; i++)
		v[n - k + i] = first[i];
}

template <typename T>
STENCIL_TOGETHER_FN void
stencil_turn(T &)
{
}

template <int n, typename T>
STENCIL_TOGETHER_FN void
stencil_copy_cells(T (&to)[n], const T (&from)[n])
{
	STENCIL_UNROLL
	for (int i = 0; i < n; i++)
		to[i] = from[i];
}

/* Four chains of tests, each of which waits for itself only. */
STENCIL_TOGETHER_FN bool
stencil_beyond(const uint32_t (&far)[4], uint32_t range)
{
	const uint32_t most = stencil_farthest(stencil_farthest(far[0], far[1], 0),
		stencil_farthest(far[2], far[3], 0), 0);

	return __builtin_expect(most > range, 0);
}

/* How far beyond its range V may be, or GIVEN for it; at most RANGE where the short form
 * holds. */
#define STENCIL_FAR_ROOT(v, given) stencil_root_bits(v), STENCIL_LEAST_ROOT
#define STENCIL_FAR_INVERSE(v, given) stencil_inverse_bits(v), STENCIL_LEAST_INVERSE
#define STENCIL_FAR_INVERSE_ROOT(v, given) stencil_root_bits(given), 0

/* The roots of zeros, which are often many, are what they are; whether no other of V is beyond. */
template <int n>
STENCIL_TOGETHER_FN bool
stencil_only_zeros(const float (&v)[n], float (&given)[n], uint32_t range)
{
	uint32_t far[4] = { 0, 0, 0, 0 };

	STENCIL_UNROLL
	for (int i = 0; i < n; i++) {
		given[i] = v[i] == 0 ? v[i] : given[i];
		far[i % 4] = stencil_farthest(far[i % 4], v[i] == 0 ? STENCIL_LEAST_ROOT
			: stencil_root_bits(v[i]), STENCIL_LEAST_ROOT);
	}
	return !stencil_beyond(far, range);
}

#define STENCIL_ZERO_ROOTS(v, given, range) stencil_only_zeros(v, given, range)
#define STENCIL_NO_ZEROS(v, given, range) false

/* The long form's text is there once: the cells go round, and what it gives with them. */
#define STENCIL_TOGETHER_OF_ONE(NAME, SHORT, FAR, RANGE, ZEROS, LONG) \
template <int n> \
STENCIL_TOGETHER_FN void \
NAME(float (&v)[n]) \
{ \
	uint32_t far[4] = { 0, 0, 0, 0 }; \
	float given[n]; \
\
	STENCIL_UNROLL \
	for (int i = 0; i < n; i++) { \
		given[i] = SHORT(v[i]); \
		far[i % 4] = stencil_farthest(far[i % 4], FAR(v[i], given[i])); \
	} \
	if (stencil_beyond(far, RANGE) && !ZEROS(v, given, RANGE)) { \
		STENCIL_UNROLL_BY(1) \
		for (int turn = 0; turn < n; turn += stencil_at_a_turn(n)) { \
			STENCIL_UNROLL \
			for (int i = 0; i < stencil_at_a_turn(n); i++) \
				given[i] = LONG(v[i]); \
			stencil_turn(given); \
			stencil_turn(v); \
		} \
	} \
	stencil_copy_cells(v, given); \
}

STENCIL_TOGETHER_OF_ONE(stencil_roots, stencil_refined_root, STENCIL_FAR_ROOT,
	STENCIL_MOST_ROOT - STENCIL_LEAST_ROOT, STENCIL_ZERO_ROOTS, stencil_long_root)
STENCIL_TOGETHER_OF_ONE(stencil_inverses, stencil_refined_inverse, STENCIL_FAR_INVERSE,
	STENCIL_MOST_INVERSE - STENCIL_LEAST_INVERSE, STENCIL_NO_ZEROS, stencil_long_inverse)
STENCIL_TOGETHER_OF_ONE(stencil_inverse_roots, stencil_refined_inverse_root,
	STENCIL_FAR_INVERSE_ROOT, STENCIL_MOST_INVERSE_ROOT, STENCIL_NO_ZEROS,
	stencil_long_inverse_root)
#undef STENCIL_FAR_ROOT
#undef STENCIL_FAR_INVERSE
#undef STENCIL_FAR_INVERSE_ROOT
#undef STENCIL_ZERO_ROOTS
#undef STENCIL_NO_ZEROS
#undef STENCIL_TOGETHER_OF_ONE

/* ---- quotients ---- */

/* How large V is. */
STENCIL_TOGETHER_FN float
stencil_size(float v)
{
	return fabsf(v);
}

STENCIL_TOGETHER_FN float
stencil_size(double v)
{
	return stencil_f64_size(v);
}

/* What is no number is larger than all that are. */
STENCIL_TOGETHER_FN float
stencil_larger(float a, float b)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
	float larger;

	asm("max.NaN.f32 %0, %1, %2;" : "=f"(larger) : "f"(a), "f"(b));
	return larger;
#else
	return a > b || a != a ? a : b;
#endif
}

/* The sizes of all cells, in four chains, each of which waits for itself only. */
struct stencil_sizes {
	float least[4] = { INFINITY, INFINITY, INFINITY, INFINITY };
	float most[4] = { 0, 0, 0, 0 };
};

template <typename T>
STENCIL_TOGETHER_FN void
stencil_measure(stencil_sizes &sizes, int i, T v)
{
	sizes.least[i % 4] = fminf(sizes.least[i % 4], stencil_size(v));
	sizes.most[i % 4] = stencil_larger(sizes.most[i % 4], stencil_size(v));
}

template <typename T>
STENCIL_TOGETHER_FN bool
stencil_none_below(const stencil_sizes &sizes, T least)
{
	return fminf(fminf(sizes.least[0], sizes.least[1]), fminf(sizes.least[2], sizes.least[3]))
		>= stencil_size(least);
}

template <typename T>
STENCIL_TOGETHER_FN bool
stencil_none_beyond(const stencil_sizes &sizes, T most)
{
	return stencil_larger(stencil_larger(sizes.most[0], sizes.most[1]),
		stencil_larger(sizes.most[2], sizes.most[3])) <= stencil_size(most);
}

/* Numbers in the order of their sizes, but that a zero is larger than all else. */
STENCIL_TOGETHER_FN uint32_t
stencil_rank(float v)
{
	return 2 * stencil_f32_bits(v) - 1;
}

STENCIL_TOGETHER_FN uint32_t
stencil_rank(double v)
{
	return (uint32_t)((2 * stencil_f64_bits(v) - 1) >> 32);
}

/* Some of V is smaller than LEAST and no zero, for which one asks where sizes say that there may
 * be: zeros are often many. */
template <int n, typename T>
STENCIL_TOGETHER_FN bool
stencil_any_below(const T (&v)[n], T least)
{
	uint32_t rank[4] = { ~0u, ~0u, ~0u, ~0u };

	STENCIL_UNROLL
	for (int i = 0; i < n; i++)
		rank[i % 4] = stencil_rank(v[i]) < rank[i % 4] ? stencil_rank(v[i]) : rank[i % 4];
	return (rank[0] < stencil_rank(least)) | (rank[1] < stencil_rank(least))
		| (rank[2] < stencil_rank(least)) | (rank[3] < stencil_rank(least));
}

/* What cell I is divided by, or all are. */
template <typename T>
STENCIL_TOGETHER_FN T
stencil_of_cell(const T &by, int)
{
	return by;
}

template <int n, typename T>
STENCIL_TOGETHER_FN T
stencil_of_cell(const T (&by)[n], int i)
{
	return by[i];
}

/* What the short form does not hold: GIVEN becomes V / BY. */
template <int n, typename T, typename By>
STENCIL_TOGETHER_FN void
stencil_divide(T (&given)[n], T (&v)[n], By &by)
{
	STENCIL_UNROLL_BY(1)
	for (int turn = 0; turn < n; turn += stencil_at_a_turn(n)) {
		STENCIL_UNROLL
		for (int i = 0; i < stencil_at_a_turn(n); i++)
			given[i] = stencil_long_quotient(v[i], stencil_of_cell(by, i));
		stencil_turn(given);
		stencil_turn(v);
		stencil_turn(by);
	}
}

/* 1 - A * B, exactly, of which nvcc makes a constant where A and B are: an fma it would leave. */
STENCIL_TOGETHER_FN float
stencil_rest(float a, float b)
{
	return (float)(1.0 - (double)a * (double)b);
}

STENCIL_TOGETHER_FN double
stencil_rest(double a, double b)
{
	/* the upper halves of their bits, and the lower (Dekker) */
	const double a_scaled = a * 0x1.0p27, a_upper = (a_scaled + a) - a_scaled;
	const double b_scaled = b * 0x1.0p27, b_upper = (b_scaled + b) - b_scaled;
	const double a_lower = a - a_upper, b_lower = b - b_upper, product = a * b;
	const double lost = ((a_upper * b_upper - product) + a_upper * b_lower
		+ a_lower * b_upper) + a_lower * b_lower;

	return (1.0 - product) - lost;
}

/* NEAR, or the number before it if it is more than the inverse of BY. */
STENCIL_TOGETHER_FN float
stencil_not_above_inverse(float near, float by)
{
	return stencil_rest(near, by) < 0 ? stencil_f32_of_bits(stencil_f32_bits(near) - 1) : near;
}

STENCIL_TOGETHER_FN double
stencil_not_above_inverse(double near, double by)
{
	return stencil_rest(near, by) < 0 ? stencil_f64_of_bits(stencil_f64_bits(near) - 1) : near;
}

/* By a constant whose odd part is an integer N below 2^40, or of floats below 2^20, so that no
 * quotient lies nearer to the middle between two numbers than 1/(2N) units of its last place.  The
 * inverse is taken towards zero, so that a zero keeps its sign, and what it is off by is taken up,
 * too: together they are off by less than 2^-50 units, of floats 2^-21, unless that part of a
 * product is too small to be a number. */
template <int n, typename T>
STENCIL_TOGETHER_FN void
stencil_shares(T (&v)[n], T by)
{
	const T least = fabs(by) * (sizeof(T) == 4 ? (T)0x1p-102 : (T)0x1p-960);
	const T y = stencil_not_above_inverse(1 / by, by), off = stencil_rest(y, by) / by;
	stencil_sizes sizes;
	T given[n];

	STENCIL_UNROLL
	for (int i = 0; i < n; i++) {
		given[i] = fma(v[i], y, v[i] * off);
		stencil_measure(sizes, i, v[i]);
	}
	if (__builtin_expect(!stencil_none_below(sizes, least), 0) && stencil_any_below(v, least))
		stencil_divide(given, v, by);
	stencil_copy_cells(v, given);
}

/* By what is the same for all. */
template <int n, typename T>
STENCIL_TOGETHER_FN void
stencil_quotients(T (&v)[n], T by)
{
	const T least = sizeof(T) == 4 ? (T)0x1p-60 : (T)0x1p-900, most = 1 / least;
	const T d = fabs(by), y = 1 / d;
	stencil_sizes sizes;
	bool fits = (d >= (T)0x1p-60) & (d <= (T)0x1p60);
	T given[n];

	STENCIL_UNROLL
	for (int i = 0; i < n; i++) {
		given[i] = stencil_short_quotient(stencil_turned(v[i], by), d, y);
		stencil_measure(sizes, i, v[i]);
	}
	fits &= stencil_none_beyond(sizes, most);
	if (__builtin_expect(!(fits & stencil_none_below(sizes, least)), 0)
		&& (!fits || stencil_any_below(v, least)))
		stencil_divide(given, v, by);
	stencil_copy_cells(v, given);
}

/* By BY, which is no longer what it was. */
template <int n>
STENCIL_TOGETHER_FN void
stencil_quotients(float (&v)[n], float (&by)[n])
{
	const float least = 0x1p-60f, most = 0x1p60f;
	stencil_sizes sizes, divisors;
	bool fits;
	float given[n];

	STENCIL_UNROLL
	for (int i = 0; i < n; i++) {
		const float d = fabsf(by[i]);

		given[i] = stencil_short_quotient(stencil_turned(v[i], by[i]), d,
			stencil_refined_inverse(d));
		stencil_measure(sizes, i, v[i]);
		stencil_measure(divisors, i, d);
	}
	fits = stencil_none_below(divisors, least) & stencil_none_beyond(divisors, most)
		& stencil_none_beyond(sizes, most);
	if (__builtin_expect(!(fits & stencil_none_below(sizes, least)), 0)
		&& (!fits || stencil_any_below(v, least)))
		stencil_divide(given, v, by);
	stencil_copy_cells(v, given);
}

#endif
