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
#else
#define STENCIL_TOGETHER_FN static __device__ __forceinline__
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

STENCIL_TOGETHER_FN uint32_t
stencil_nearest(uint32_t least, uint32_t bits)
{
	return bits < least ? bits : least;
}

/* V / D, D positive and Y its inverse, correctly rounded.  A zero keeps its sign.  USUAL
 * stays what it is where that holds. */
STENCIL_TOGETHER_FN float
stencil_short_quotient(float v, float d, float y, bool &usual)
{
	const float q = v * y;

	usual &= (fabsf(v) <= 0x1p60f) & ((fabsf(v) >= 0x1p-60f) | (v == 0.0f));
	return fmaf(-fmaf(d, q, -v), y, q);
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

STENCIL_TOGETHER_FN bool
stencil_divides(float d)
{
	return (fabsf(d) >= 0x1p-60f) & (fabsf(d) <= 0x1p60f);
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

/* All moved down by one; LAST becomes the last. */
template <int n, typename T>
STENCIL_TOGETHER_FN void
stencil_rotate(T (&v)[n], T last)
{
	STENCIL_UNROLL
	for (int i = 0; i < n - 1; i++)
		v[i] = v[i + 1];
	v[n - 1] = last;
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

STENCIL_TOGETHER_FN bool
stencil_all(const bool (&usual)[4])
{
	return __builtin_expect((usual[0] & usual[1]) & (usual[2] & usual[3]), 1);
}

/* How far beyond its range V may be, or GIVEN for it; at most RANGE where the short form
 * holds. */
#define STENCIL_FAR_ROOT(v, given) stencil_root_bits(v), STENCIL_LEAST_ROOT
#define STENCIL_FAR_INVERSE(v, given) stencil_inverse_bits(v), STENCIL_LEAST_INVERSE
#define STENCIL_FAR_INVERSE_ROOT(v, given) stencil_root_bits(given), 0

/* The long form's text is there once: the cells go round, and what it gives with them. */
#define STENCIL_TOGETHER_OF_ONE(NAME, SHORT, FAR, RANGE, LONG) \
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
	if (stencil_beyond(far, RANGE)) { \
		STENCIL_UNROLL_BY(1) \
		for (int turn = 0; turn < n; turn++) { \
			stencil_rotate(given, LONG); \
			stencil_rotate(v, v[0]); \
		} \
	} \
	stencil_copy_cells(v, given); \
}

STENCIL_TOGETHER_OF_ONE(stencil_roots, stencil_refined_root, STENCIL_FAR_ROOT,
	STENCIL_MOST_ROOT - STENCIL_LEAST_ROOT, sqrtf(v[0]))
STENCIL_TOGETHER_OF_ONE(stencil_inverses, stencil_refined_inverse, STENCIL_FAR_INVERSE,
	STENCIL_MOST_INVERSE - STENCIL_LEAST_INVERSE, 1.0f / v[0])
STENCIL_TOGETHER_OF_ONE(stencil_inverse_roots, stencil_refined_inverse_root,
	STENCIL_FAR_INVERSE_ROOT, STENCIL_MOST_INVERSE_ROOT, 1.0f / sqrtf(v[0]))
#undef STENCIL_FAR_ROOT
#undef STENCIL_FAR_INVERSE
#undef STENCIL_FAR_INVERSE_ROOT
#undef STENCIL_TOGETHER_OF_ONE

/* By what is the same for all, the long way: GIVEN becomes V / BY. */
template <int n, typename T>
STENCIL_TOGETHER_FN void
stencil_divide_all(T (&given)[n], T (&v)[n], T by)
{
	STENCIL_UNROLL_BY(1)
	for (int turn = 0; turn < n; turn++) {
		stencil_rotate(given, v[0] / by);
		stencil_rotate(v, v[0]);
	}
}

/* By a constant whose odd part is an integer N below 2^40, so that no quotient lies nearer to the
 * middle between two numbers than 1/(2N) units of its last place.  The inverse is taken towards
 * zero, so that a zero keeps its sign, and what it is off by is taken up, too: together they are
 * off by less than 2^-50 units, unless that part of a product is too small to be a number. */
#define STENCIL_LEAST_SHARE 0x07b00000u /* 2^-900: the upper half of its bits */

template <int n>
STENCIL_TOGETHER_FN void
stencil_shares(double (&v)[n], double by)
{
	const double near = 1.0 / by;
	const double y = fma(-near, by, 1.0) < 0 ? stencil_f64_of_bits(stencil_f64_bits(near) - 1)
		: near;
	const double off = fma(-y, by, 1.0) / by;
	uint32_t least[4] = { ~0u, ~0u, ~0u, ~0u };
	double given[n];

	STENCIL_UNROLL
	for (int i = 0; i < n; i++) {
		/* nothing is as large as a zero is then */
		const uint64_t bits = (stencil_f64_bits(v[i]) & 0x7fffffffffffffffu) - 1;

		given[i] = fma(v[i], y, v[i] * off);
		least[i % 4] = stencil_nearest(least[i % 4], (uint32_t)(bits >> 32));
	}
	if (__builtin_expect(stencil_nearest(stencil_nearest(least[0], least[1]),
		stencil_nearest(least[2], least[3])) < STENCIL_LEAST_SHARE, 0))
		stencil_divide_all(given, v, by);
	stencil_copy_cells(v, given);
}

/* By what is the same for all. */
template <int n>
STENCIL_TOGETHER_FN void
stencil_quotients(float (&v)[n], float by)
{
	const float d = fabsf(by), y = 1.0f / d;
	bool usual[4] = { stencil_divides(d), true, true, true };
	float given[n];

	STENCIL_UNROLL
	for (int i = 0; i < n; i++)
		given[i] = stencil_short_quotient(stencil_turned(v[i], by), d, y,
			usual[i % 4]);
	if (!stencil_all(usual))
		stencil_divide_all(given, v, by);
	stencil_copy_cells(v, given);
}

#define STENCIL_LEAST_RATIO 0x07b00000u /* 2^-900: the upper half of its bits */
#define STENCIL_MOST_RATIO 0x78300000u  /* 2^900 */

/* V / D, D positive and Y its inverse, correctly rounded.  What V * Y is off by makes it one of the
 * two numbers around the quotient, and what that is off by the nearer of them (Markstein).  A zero
 * keeps its sign. */
STENCIL_TOGETHER_FN double
stencil_short_ratio(double v, double d, double y)
{
	const double q = v * y, near = fma(-fma(d, q, -v), y, q);

	return fma(-fma(d, near, -v), y, near);
}

template <int n>
STENCIL_TOGETHER_FN void
stencil_quotients(double (&v)[n], double by)
{
	const double d = fabs(by), y = 1.0 / d;
	const bool divides = (d >= 0x1p-60) & (d <= 0x1p60);
	uint32_t far[4] = { 0, 0, 0, 0 };
	double given[n];

	STENCIL_UNROLL
	for (int i = 0; i < n; i++) {
		const uint32_t bits = v[i] == 0 ? STENCIL_LEAST_RATIO
			: (uint32_t)(stencil_f64_bits(v[i]) >> 32) & 0x7fffffffu;

		given[i] = stencil_short_ratio(stencil_turned(v[i], by), d, y);
		far[i % 4] = stencil_farthest(far[i % 4], bits, STENCIL_LEAST_RATIO);
	}
	if (!divides | stencil_beyond(far, STENCIL_MOST_RATIO - STENCIL_LEAST_RATIO))
		stencil_divide_all(given, v, by);
	stencil_copy_cells(v, given);
}

/* By BY, which is no longer what it was. */
template <int n>
STENCIL_TOGETHER_FN void
stencil_quotients(float (&v)[n], float (&by)[n])
{
	bool usual[4] = { true, true, true, true };
	float given[n];

	STENCIL_UNROLL
	for (int i = 0; i < n; i++) {
		const float d = fabsf(by[i]);

		usual[i % 4] &= stencil_divides(d);
		given[i] = stencil_short_quotient(stencil_turned(v[i], by[i]), d,
			stencil_refined_inverse(d), usual[i % 4]);
	}
	if (!stencil_all(usual)) {
		STENCIL_UNROLL_BY(1)
		for (int turn = 0; turn < n; turn++) {
			stencil_rotate(given, v[0] / by[0]);
			stencil_rotate(v, v[0]);
			stencil_rotate(by, by[0]);
		}
	}
	stencil_copy_cells(v, given);
}

#endif
