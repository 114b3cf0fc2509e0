/* reference.h: small things that the references share. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* For every I from LO up to HI, but not HI; for every I from LO to HI. */
#define EACH(i, lo, hi) for (int64_t i = (lo); i < (hi); i++)
#define WITHIN(i, lo, hi) for (int64_t i = (lo); i <= (hi); i++)

/* Where a tap at I lands on an axis of N cells, per kind of boundary. */
static inline int64_t
clamp_at(int64_t i, int64_t n)
{
	return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static inline int64_t
reflect_at(int64_t i, int64_t n)
{
	return i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i;
}

static inline int64_t
mirror_at(int64_t i, int64_t n)
{
	return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i;
}

static inline int64_t
wrap_at(int64_t i, int64_t n)
{
	return i < 0 ? i + n : i >= n ? i - n : i;
}

static inline int
inside(int64_t i, int64_t n)
{
	return i >= 0 && i < n;
}

/* A copy of N bytes, to be freed; a reference that has no memory gives up. */
static inline void *
copy_of(const void *p, size_t n)
{
	void *copy = malloc(n + 1);

	if (!copy)
		abort();
	return memcpy(copy, p, n);
}

static inline void *
zeros(size_t n)
{
	void *p = calloc(n + 1, 1);

	if (!p)
		abort();
	return p;
}

/* Nearest integer, ties to even, saturated; 0 for NaN. */
static inline int64_t
to_integer(double v, int64_t lo, int64_t hi)
{
	if (isnan(v))
		return 0;
	v = rint(v);
	return v <= (double)lo ? lo : v >= (double)hi ? hi : (int64_t)v;
}

static inline uint8_t
to_u8(double v)
{
	return (uint8_t)to_integer(v, 0, 255);
}

/* V rounded to a real type of P bits of precision whose smallest normal number
 * is 2 to LEAST and whose largest finite exponent is MOST. */
static inline float
round_bits(float v, int p, int least, int most)
{
	int e;
	double q;

	if (v == 0 || !isfinite(v))
		return v;
	frexp(v, &e);
	q = ldexp(1, (e - 1 < least ? least : e - 1) - p + 1);
	q = rint(v / q) * q;
	return fabs(q) >= ldexp(1, most + 1) ? copysignf(INFINITY, v) : (float)q;
}

static inline float
round_f16(float v)
{
	return round_bits(v, 11, -14, 15);
}

static inline float
round_bf16(float v)
{
	return round_bits(v, 8, -126, 127);
}

static inline float
load_f16(stencil_f16 bits)
{
	int e = bits >> 10 & 31, m = bits & 1023;
	float v = e == 31 ? (m ? NAN : INFINITY)
		: e ? ldexpf((float)(m + 1024), e - 25) : ldexpf((float)m, -24);

	return bits & 0x8000 ? -v : v;
}

static inline stencil_f16
store_f16(float v)
{
	float r = fabsf(round_f16(v));
	unsigned sign = signbit(v) ? 0x8000u : 0, magnitude;

	if (isnan(v))
		return (stencil_f16)(sign | 0x7e00);
	if (isinf(r))
		return (stencil_f16)(sign | 0x7c00);
	if (r < 0x1p-14f)
		magnitude = (unsigned)ldexpf(r, 24);
	else
		magnitude = (unsigned)ldexpf(r, 10 - ilogbf(r)) + (unsigned)(ilogbf(r) + 14) * 1024;
	return (stencil_f16)(sign | magnitude);
}

static inline float
load_bf16(stencil_bf16 bits)
{
	uint32_t b = (uint32_t)bits << 16;
	float v;

	memcpy(&v, &b, sizeof v);
	return v;
}

static inline stencil_bf16
store_bf16(float v)
{
	float r = round_bf16(v);
	uint32_t b;

	memcpy(&b, &r, sizeof b);
	return (stencil_bf16)(b >> 16);
}
