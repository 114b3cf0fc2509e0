/* stencil_packed.cuh: bytes that stay four to a word, and sums of two cells in one.
 *
 * A pair is LOW + 65536 * HIGH modulo 2^32: adding, subtracting and multiplying by a number
 * does both at once, also where one of them is negative.
 */
#ifndef STENCIL_PACKED_CUH
#define STENCIL_PACKED_CUH

#include "stencil_vector.cuh"

#ifdef STENCIL_EMULATED
#define STENCIL_PACKED_FN static inline
#else
#define STENCIL_PACKED_FN static __device__ __forceinline__
#endif

/* Bytes LOW and HIGH of SECOND:FIRST, each in half a word. */
STENCIL_PACKED_FN uint32_t
stencil_packed_pick(uint32_t first, uint32_t second, int low, int high)
{
#ifdef STENCIL_EMULATED
	const uint64_t all = (uint64_t)second << 32 | first;

	return (uint32_t)(all >> 8 * low & 0xff) | (uint32_t)(all >> 8 * high & 0xff) << 16;
#else
	if (high < 4) /* zeros are at hand */
		return __byte_perm(first, 0, 0x4040 | low | high << 8);
	return __byte_perm(first, second, low | high << 8) & 0xff00ff;
#endif
}

/* Cells COLUMN and COLUMN + 1 of ROW. */
template <int words>
STENCIL_PACKED_FN uint32_t
stencil_packed_pair(const uint32_t (&row)[words], int column)
{
	const int word = column / 4, byte = column % 4;

	return stencil_packed_pick(row[word], byte == 3 ? row[word + 1] : 0, byte, byte + 1);
}

template <int words>
STENCIL_PACKED_FN int32_t
stencil_packed_at(const uint32_t (&row)[words], int column)
{
	return (int32_t)(row[column / 4] >> 8 * (column % 4) & 0xff);
}

template <int words>
STENCIL_PACKED_FN void
stencil_packed_set(uint32_t (&row)[words], int column, uint8_t value)
{
	const int bits = 8 * (column % 4);

	row[column / 4] = (row[column / 4] & ~(0xffu << bits)) | (uint32_t)value << bits;
}

template <int words, int n>
STENCIL_PACKED_FN void
stencil_packed_set(uint32_t (&row)[words], int column, const stencil_vector<uint8_t, n> &value)
{
	if (n % 4 == 0 && column % 4 == 0) {
		memcpy(&row[column / 4], &value, n);
		return;
	}
	STENCIL_UNROLL
	for (int e = 0; e < n; e++)
		stencil_packed_set(row, column + e, value.at[e]);
}

/* The halves of a pair: if neither is negative, or both have a sign. */
STENCIL_PACKED_FN int32_t stencil_pair_low(uint32_t pair) { return (int32_t)(pair & 0xffff); }
STENCIL_PACKED_FN int32_t stencil_pair_high(uint32_t pair) { return (int32_t)(pair >> 16); }
STENCIL_PACKED_FN int32_t stencil_pair_low_signed(uint32_t pair) { return (int16_t)pair; }

STENCIL_PACKED_FN int32_t
stencil_pair_high_signed(uint32_t pair)
{
	return (int32_t)(pair + 0x8000) >> 16;
}

/* Of pairs that are not negative. */
#ifdef STENCIL_EMULATED
#define STENCIL_PAIR_OF(op, function) \
STENCIL_PACKED_FN uint32_t stencil_pair_##op(uint32_t a, uint32_t b) \
{ \
	return (uint32_t)stencil_##op##_i32((int32_t)(a & 0xffff), (int32_t)(b & 0xffff)) \
		| (uint32_t)stencil_##op##_i32((int32_t)(a >> 16), (int32_t)(b >> 16)) << 16; \
}
#else
#define STENCIL_PAIR_OF(op, function) \
STENCIL_PACKED_FN uint32_t stencil_pair_##op(uint32_t a, uint32_t b) { return function(a, b); }
#endif

STENCIL_PAIR_OF(min, __vminu2)
STENCIL_PAIR_OF(max, __vmaxu2)
#undef STENCIL_PAIR_OF
#undef STENCIL_PACKED_FN
#endif
