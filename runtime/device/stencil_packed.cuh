/* stencil_packed.cuh: bytes that stay four to a word, and sums of two cells in one.
 *
 * A pair is LOW + 65536 * HIGH modulo 2^32, of a cell and the one two columns behind it:
 * adding, subtracting and multiplying by a number does both at once, also where one of them
 * is negative.  What takes pairs that are not negative says so.
 */
#ifndef STENCIL_PACKED_CUH
#define STENCIL_PACKED_CUH

#include "stencil_vector.cuh"

#ifdef STENCIL_EMULATED
#define STENCIL_PACKED_FN static inline
#else
#define STENCIL_PACKED_FN static __device__ __forceinline__
#endif

/* Bytes A, B, C and D, the lowest first, of SECOND:FIRST. */
template <int a, int b, int c, int d>
STENCIL_PACKED_FN uint32_t
stencil_packed_pick(uint32_t first, uint32_t second)
{
#ifdef STENCIL_EMULATED
	const uint64_t all = (uint64_t)second << 32 | first;

	return (uint32_t)((all >> 8 * a & 0xff) | (all >> 8 * b & 0xff) << 8
		| (all >> 8 * c & 0xff) << 16 | (all >> 8 * d & 0xff) << 24);
#else
	return __byte_perm(first, second, a | b << 4 | c << 8 | d << 12);
#endif
}

/* Of the words of a row every other byte: the even ones of word N / 2, or its odd ones. */
template <int words>
STENCIL_PACKED_FN uint32_t
stencil_packed_half(const uint32_t (&row)[words], int n)
{
	return n % 2 == 0 ? row[n / 2] & 0xff00ff : stencil_packed_pick<1, 4, 3, 4>(row[n / 2], 0);
}

/* Likewise of bytes that have a sign, 128 more than they are. */
template <int words>
STENCIL_PACKED_FN uint32_t
stencil_packed_half_signed(const uint32_t (&row)[words], int n)
{
	return stencil_packed_half(row, n) ^ 0x800080;
}

/* The pair of COLUMN out of such halves, or of what was made of them, not negative. */
template <int n>
STENCIL_PACKED_FN uint32_t
stencil_pair_at(const uint32_t (&half)[n], int column)
{
	const int at = column / 4 * 2 + column % 2;

	return column % 4 < 2 ? half[at] : stencil_packed_pick<2, 3, 4, 5>(half[at], half[at + 2]);
}

/* The lower bytes of PAIR's halves to COLUMN and the one two behind it: after the word's
 * even columns come its odd ones. */
template <int words>
STENCIL_PACKED_FN void
stencil_packed_put(uint32_t (&row)[words], int column, uint32_t pair)
{
	row[column / 4] = column % 2 == 0 ? pair
		: stencil_packed_pick<0, 4, 2, 6>(row[column / 4], pair);
}

template <int words>
STENCIL_PACKED_FN int32_t
stencil_packed_at(const uint32_t (&row)[words], int column)
{
	return (int32_t)(row[column / 4] >> 8 * (column % 4) & 0xff);
}

template <int words>
STENCIL_PACKED_FN int32_t
stencil_packed_at_signed(const uint32_t (&row)[words], int column)
{
	return (int8_t)stencil_packed_at(row, column);
}

/* Cells COLUMN and behind it, COLUMN being a word's first. */
template <typename T, int n, int words>
STENCIL_PACKED_FN stencil_vector<T, n>
stencil_packed_vector(const uint32_t (&row)[words], int column)
{
	stencil_vector<T, n> value;

	memcpy(&value, &row[column / 4], n);
	return value;
}

template <int words>
STENCIL_PACKED_FN void
stencil_packed_set(uint32_t (&row)[words], int column, uint8_t value)
{
	const int bits = 8 * (column % 4);

	row[column / 4] = (row[column / 4] & ~(0xffu << bits)) | (uint32_t)value << bits;
}

template <int words, typename T, int n>
STENCIL_PACKED_FN void
stencil_packed_set(uint32_t (&row)[words], int column, const stencil_vector<T, n> &value)
{
	if (n % 4 == 0 && column % 4 == 0) {
		memcpy(&row[column / 4], &value, n);
		return;
	}
	STENCIL_UNROLL
	for (int e = 0; e < n; e++)
		stencil_packed_set(row, column + e, (uint8_t)value.at[e]);
}

/* All of a row, COLUMN being the first. */
template <int words, typename T, int n>
STENCIL_PACKED_FN void
stencil_packed_set(uint32_t (&row)[words], int column, const stencil_row<T, n> &value)
{
	static_assert(sizeof row == sizeof value, "a row is as long as what is loaded");

	(void)column;
	memcpy(row, &value, sizeof row);
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

/* ---- of pairs that are not negative ---- */

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

/* What is less than ZERO goes up by UP, but not beyond it: a quotient that is rounded down
 * afterwards is rounded to ZERO's. */
STENCIL_PACKED_FN uint32_t
stencil_pair_up(uint32_t pair, uint32_t up, uint32_t zero)
{
#ifdef STENCIL_EMULATED
	return stencil_pair_max(pair, stencil_pair_min(pair + up, zero));
#else
	return stencil_pair_max(pair, __viaddmin_u16x2(pair, up, zero));
#endif
}

/* Of pairs below 32768: a mask has the uppermost bit of a half set where that holds for it, and
 * no other.  Nothing is borrowed from one half by the other. */
#define STENCIL_PAIR_MASK 0x80008000u

STENCIL_PACKED_FN uint32_t
stencil_pair_equal(uint32_t a, uint32_t b)
{
	return (STENCIL_PAIR_MASK - (a ^ b)) & STENCIL_PAIR_MASK;
}

STENCIL_PACKED_FN uint32_t
stencil_pair_less(uint32_t a, uint32_t b)
{
	return ~((a | STENCIL_PAIR_MASK) - b) & STENCIL_PAIR_MASK;
}

STENCIL_PACKED_FN uint32_t
stencil_pair_not(uint32_t mask)
{
	return mask ^ STENCIL_PAIR_MASK;
}

STENCIL_PACKED_FN uint32_t
stencil_pair_ones(uint32_t mask)
{
	return mask >> 15;
}

STENCIL_PACKED_FN uint32_t
stencil_pair_select(uint32_t mask, uint32_t a, uint32_t b)
{
	const uint32_t all = (mask << 1) - (mask >> 15);

	return (a & all) | (b & ~all);
}

template <int bits>
STENCIL_PACKED_FN uint32_t
stencil_pair_shift(uint32_t pair)
{
	return pair >> bits & (0xffffu >> bits) * 0x10001;
}

/* Bits 24 to 31 of the products with FACTOR: quotients, where the factor is made so. */
STENCIL_PACKED_FN uint32_t
stencil_pair_divide(uint32_t pair, uint32_t factor)
{
#ifdef STENCIL_EMULATED
	const uint32_t low = (uint32_t)((uint64_t)(pair << 16) * factor >> 32);
	const uint32_t high = (uint32_t)((uint64_t)pair * factor >> 32);
#else
	const uint32_t low = __umulhi(pair << 16, factor), high = __umulhi(pair, factor);
#endif

	return stencil_packed_pick<1, 2, 5, 2>(low, high);
}

#undef STENCIL_PAIR_MASK
#undef STENCIL_PACKED_FN
#endif
