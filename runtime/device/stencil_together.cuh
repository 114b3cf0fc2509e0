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

STENCIL_TOGETHER_FN bool
stencil_has_short_root(float v)
{
	return (v >= 0x1p-101f) & (v <= 0x1.fffffep127f);
}

STENCIL_TOGETHER_FN bool
stencil_has_short_inverse(float v)
{
	return (fabsf(v) >= 0x1p-126f) & (fabsf(v) <= 0x1p126f);
}

#ifdef STENCIL_EMULATED /* they lean on how near a GPU's first guess is */

STENCIL_TOGETHER_FN float
stencil_refined_root(float v)
{
	return stencil_has_short_root(v) ? sqrtf(v) : 0.0f;
}

STENCIL_TOGETHER_FN float
stencil_refined_inverse(float v)
{
	return stencil_has_short_inverse(v) ? 1.0f / v : 0.0f;
}

#else

STENCIL_TOGETHER_FN float
stencil_refined_root(float v)
{
	float y;

	asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(v));
	const float g = v * y, h = 0.5f * y;

	return fmaf(fmaf(-g, g, v), h, g);
}

STENCIL_TOGETHER_FN float
stencil_refined_inverse(float v)
{
	float y;

	asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(v));
	return fmaf(fmaf(-v, y, 1.0f), y, y);
}

#endif

/* ---- of one cell; USUAL stays what it is where the short form holds ---- */

STENCIL_TOGETHER_FN float
stencil_short_root(float v, bool &usual)
{
	usual &= stencil_has_short_root(v);
	return stencil_refined_root(v);
}

STENCIL_TOGETHER_FN float
stencil_short_inverse(float v, bool &usual)
{
	usual &= stencil_has_short_inverse(v);
	return stencil_refined_inverse(v);
}

STENCIL_TOGETHER_FN float
stencil_short_inverse_root(float v, bool &usual)
{
	return stencil_refined_inverse(stencil_short_root(v, usual));
}

/* V / D, D positive and Y its inverse, correctly rounded.  A zero keeps its sign. */
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

STENCIL_TOGETHER_FN bool
stencil_divides(float d)
{
	return (fabsf(d) >= 0x1p-60f) & (fabsf(d) <= 0x1p60f);
}

/* ---- of N cells, in place ---- */

/* All moved down by one; LAST becomes the last. */
template <int n>
STENCIL_TOGETHER_FN void
stencil_rotate(float (&v)[n], float last)
{
	STENCIL_UNROLL
	for (int i = 0; i < n - 1; i++)
		v[i] = v[i + 1];
	v[n - 1] = last;
}

template <int n>
STENCIL_TOGETHER_FN void
stencil_copy_cells(float (&to)[n], const float (&from)[n])
{
	STENCIL_UNROLL
	for (int i = 0; i < n; i++)
		to[i] = from[i];
}

/* Four chains of tests, each of which waits for itself only. */
STENCIL_TOGETHER_FN bool
stencil_all(const bool (&usual)[4])
{
	return __builtin_expect((usual[0] & usual[1]) & (usual[2] & usual[3]), 1);
}

/* The long form's text is there once: the cells go round. */
#define STENCIL_TOGETHER_OF_ONE(NAME, SHORT, LONG) \
template <int n> \
STENCIL_TOGETHER_FN void \
NAME(float (&v)[n]) \
{ \
	bool usual[4] = { true, true, true, true }; \
	float quick[n]; \
\
	STENCIL_UNROLL \
	for (int i = 0; i < n; i++) \
		quick[i] = SHORT(v[i], usual[i % 4]); \
	if (stencil_all(usual)) { \
		stencil_copy_cells(v, quick); \
		return; \
	} \
	STENCIL_UNROLL_BY(1) \
	for (int turn = 0; turn < n; turn++) \
		stencil_rotate(v, LONG); \
}

STENCIL_TOGETHER_OF_ONE(stencil_roots, stencil_short_root, sqrtf(v[0]))
STENCIL_TOGETHER_OF_ONE(stencil_inverses, stencil_short_inverse, 1.0f / v[0])
STENCIL_TOGETHER_OF_ONE(stencil_inverse_roots, stencil_short_inverse_root, 1.0f / sqrtf(v[0]))
#undef STENCIL_TOGETHER_OF_ONE

/* By what is the same for all. */
template <int n>
STENCIL_TOGETHER_FN void
stencil_quotients(float (&v)[n], float by)
{
	const float d = fabsf(by), y = 1.0f / d;
	bool usual[4] = { stencil_divides(d), true, true, true };
	float quick[n];

	STENCIL_UNROLL
	for (int i = 0; i < n; i++)
		quick[i] = stencil_short_quotient(stencil_turned(v[i], by), d, y,
			usual[i % 4]);
	if (stencil_all(usual)) {
		stencil_copy_cells(v, quick);
		return;
	}
	STENCIL_UNROLL_BY(1)
	for (int turn = 0; turn < n; turn++)
		stencil_rotate(v, v[0] / by);
}

/* By BY, which is no longer what it was. */
template <int n>
STENCIL_TOGETHER_FN void
stencil_quotients(float (&v)[n], float (&by)[n])
{
	bool usual[4] = { true, true, true, true };
	float quick[n];

	STENCIL_UNROLL
	for (int i = 0; i < n; i++) {
		const float d = fabsf(by[i]);

		usual[i % 4] &= stencil_divides(d);
		quick[i] = stencil_short_quotient(stencil_turned(v[i], by[i]), d,
			stencil_refined_inverse(d), usual[i % 4]);
	}
	if (stencil_all(usual)) {
		stencil_copy_cells(v, quick);
		return;
	}
	STENCIL_UNROLL_BY(1)
	for (int turn = 0; turn < n; turn++) {
		stencil_rotate(v, v[0] / by[0]);
		stencil_rotate(by, by[0]);
	}
}

#endif
