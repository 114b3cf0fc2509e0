/* stencil_anywhere.cuh: vectors at any address.
 *
 * The machine moves vectors that are aligned to their size.  One that is not is put
 * together from the two that it lies in; a warp that stores a stretch of them stores the
 * aligned ones in between, each made of what two lanes have.
 */
#ifndef STENCIL_ANYWHERE_CUH
#define STENCIL_ANYWHERE_CUH

#include "stencil_vector.cuh"
#include "stencil_warp.cuh"

#ifdef STENCIL_EMULATED
#define STENCIL_ANYWHERE_FN static inline
#else
#define STENCIL_ANYWHERE_FN static __device__ __forceinline__
#endif

/* How what is stored here is: nobody reads it again for a while, or as usual. */
enum { STENCIL_STAYS, STENCIL_ONCE };

/* A row that is asked for, and not looked at. */
template <typename T, int n>
struct stencil_asked {
#ifdef STENCIL_EMULATED
	stencil_row<T, n> row;
#else
	stencil_vector<unsigned, 4> part[2];
	unsigned past;
#endif
};

/* The low word of HIGH:LOW after a shift to the right by BITS, less than 32. */
STENCIL_ANYWHERE_FN unsigned
stencil_funnel(unsigned low, unsigned high, unsigned bits)
{
#ifdef STENCIL_EMULATED
	return bits == 0 ? low : low >> bits | high << (32 - bits);
#else
	return __funnelshift_r(low, high, bits);
#endif
}

/* Words that begin PAST bytes, fewer than four, behind the first of FROM. */
template <int words>
STENCIL_ANYWHERE_FN void
stencil_slide_bytes(unsigned (&word)[words], const unsigned (&from)[words + 1], unsigned past)
{
	STENCIL_UNROLL
	for (int i = 0; i < words; i++)
		word[i] = stencil_funnel(from[i], from[i + 1], 8 * past);
}

/* The first N words become those that begin BYTES behind them, BYTES being less than a
 * vector of N. */
template <int n>
STENCIL_ANYWHERE_FN void
stencil_slide(unsigned (&word)[2 * n], unsigned bytes)
{
	STENCIL_UNROLL
	for (int step = n / 2; step > 0; step /= 2) {
		STENCIL_UNROLL
		for (int i = 0; i < 2 * n - step; i++)
			word[i] = bytes & 4u * (unsigned)step ? word[i + step] : word[i];
	}
	STENCIL_UNROLL
	for (int i = 0; i < n; i++)
		word[i] = stencil_funnel(word[i], word[i + 1], 8 * (bytes % 4));
}

/* The words from FIRST on, and those of the lane behind: as many as VALUE has and one more.
 * FIRST grows by what AHEAD, in bytes, has of steps.  It is the same in all lanes of a warp:
 * to branch takes less than to select. */
template <int words, int first = 0, int step = words / 2>
STENCIL_ANYWHERE_FN void
stencil_take_words(unsigned (&word)[words + 1], const unsigned (&value)[words], unsigned ahead)
{
	if constexpr (step == 0) {
		STENCIL_UNROLL
		for (int i = 0; i <= words; i++)
			word[i] = first + i < words ? value[(first + i) % words] : stencil_shuffle(
				value[(first + i) % words], (stencil_lane() + 1) % 32);
	} else if (ahead & 4u * step) {
		stencil_take_words<words, first + step, step / 2>(word, value, ahead);
	} else {
		stencil_take_words<words, first, step / 2>(word, value, ahead);
	}
}

/* Byte LANE of what the last lane has, for lanes of which it has as many. */
template <int words>
STENCIL_ANYWHERE_FN char
stencil_last_byte(const stencil_vector<unsigned, words> &value)
{
	const unsigned lane = stencil_lane();
#ifdef STENCIL_EMULATED
	unsigned mine = 0;

	for (int i = 0; i < words; i++) {
		const unsigned last = stencil_shuffle(value.at[i], 31);

		mine = lane / 4 == (unsigned)i ? last : mine;
	}
	return (char)(mine >> 8 * (lane % 4));
#else
	__shared__ stencil_vector<unsigned, words> last[32]; /* of each warp */
	const unsigned warp = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y
		* threadIdx.z)) / 32;

	__syncwarp();
	if (lane == 31)
		last[warp] = value;
	__syncwarp();
	return ((const char *)&last[warp])[lane % (4 * words)];
#endif
}

template <int how, typename T, int n>
STENCIL_ANYWHERE_FN void
stencil_store_whole(T *to, const stencil_vector<T, n> &value)
{
	if constexpr (how == STENCIL_ONCE)
		stencil_store_once(to, value);
	else
		stencil_store_global(to, value);
}

template <int how, typename T>
STENCIL_ANYWHERE_FN void
stencil_store_element(T *to, T value)
{
	if constexpr (how == STENCIL_ONCE)
		stencil_put_once(to, value);
	else
		*to = value;
}

/* All lanes of a warp, PAST bytes behind an aligned vector each: the aligned ones between
 * the first and the last lane's, each from two lanes.  What is left at the two ends, if it is
 * asked for, makes one more vector, which the last lane has then: each lane stores a byte of
 * it. */
template <int how, int words>
STENCIL_ANYWHERE_FN void
stencil_store_warp(char *to, const unsigned (&value)[words], unsigned past, bool ends)
{
	constexpr unsigned size = 4 * words;
	const unsigned lane = stencil_lane(), ahead = (size - past) % size;
	stencil_vector<unsigned, words> aligned;
	unsigned around[words + 1], word[words];
	char last;

	stencil_take_words<words>(around, value, ahead);
	stencil_slide_bytes(word, around, ahead % 4);
	memcpy(&aligned, word, size);
	if (lane < 31)
		stencil_store_whole<how>((unsigned *)(to + ahead), aligned);
	if (!ends)
		return;
	last = stencil_last_byte(aligned);
	to = to - lane * (size - 1) + ahead;
	if (lane < size)
		to[lane + ahead < size ? 31 * (int)size : -(int)size] = last;
}

template <int how = STENCIL_STAYS, typename T, int n>
STENCIL_ANYWHERE_FN void
stencil_store_anywhere(T *to, const stencil_vector<T, n> &value)
{
	STENCIL_UNROLL
	for (int i = 0; i < n; i++)
		stencil_store_element<how>(to + i, value.at[i]);
}

#ifdef STENCIL_EMULATED

template <typename T, int n>
STENCIL_ANYWHERE_FN stencil_vector<T, n>
stencil_load_anywhere(const T *from)
{
	constexpr int words = sizeof(stencil_vector<T, n>) / 4;
	stencil_vector<T, n> value;

	for (int i = 0; i < n; i++)
		value.at[i] = from[i];
	if constexpr (words > 0 && sizeof(T) < 4) { /* what the machine does with those around */
		const unsigned past = (uintptr_t)from % 4;
		unsigned around[words + 1] = { 0 }, word[words];

		memcpy((char *)around + past, &value, sizeof value);
		stencil_slide_bytes(word, around, past);
		memcpy(&value, word, sizeof value);
	} else if constexpr (words > 0) {
		const unsigned past = (uintptr_t)from % sizeof(stencil_vector<T, n>);
		unsigned word[2 * words] = { 0 };

		memcpy((char *)word + past, &value, sizeof value);
		stencil_slide<words>(word, past);
		memcpy(&value, word, sizeof value);
	}
	return value;
}

template <typename T, int n>
STENCIL_ANYWHERE_FN stencil_vector<T, n>
stencil_load_ends(const T *from)
{
	return stencil_load_anywhere<T, n>(from);
}

template <typename T, int n>
STENCIL_ANYWHERE_FN stencil_row<T, n>
stencil_load_around(const T *from)
{
	stencil_row<T, n> value = { { 0 } };

	for (int i = 0; i < n; i++)
		value.at[i] = from[i];
	return value;
}

/* What the last lane has not asked for is not what it should be. */
template <typename T, int n>
STENCIL_ANYWHERE_FN stencil_asked<T, n>
stencil_ask_around(const T *from)
{
	stencil_asked<T, n> value = { stencil_load_around<T, n>(from) };
	const int there = 32 - (int)((uintptr_t)from % 16);

	for (int i = 0; i < n && stencil_lane() == 31; i++)
		if ((i + 1) * (int)sizeof(T) > there)
			memset(&value.row.at[i], 0xa5, sizeof(T));
	return value;
}

template <typename T, int n>
STENCIL_ANYWHERE_FN stencil_row<T, n>
stencil_take_around(const stencil_asked<T, n> &asked)
{
	return asked.row;
}

template <int how = STENCIL_STAYS, typename T, int n>
STENCIL_ANYWHERE_FN void
stencil_store_stretch(T *to, const stencil_vector<T, n> &value)
{
	stencil_store_anywhere<how>(to, value);
}

template <int how = STENCIL_STAYS, typename T, int n>
STENCIL_ANYWHERE_FN void
stencil_store_lanes(T *to, const stencil_vector<T, n> &value, bool ends = true)
{
	const uintptr_t size = sizeof value, first = (uintptr_t)(to - stencil_lane() * n);
	const uintptr_t whole = (first + size - 1) / size * size; /* 31 of them from here on */

	for (int i = 0; i < n; i++)
		if (ends || size < 4 || ((uintptr_t)(to + i) >= whole
			&& (uintptr_t)(to + i) < whole + 31 * size))
			stencil_store_element<how>(to + i, value.at[i]);
}

#else

/* All of the vectors around is read: there have to be as many elements behind. */
template <typename T, int n>
STENCIL_ANYWHERE_FN stencil_vector<T, n>
stencil_load_anywhere(const T *from)
{
	constexpr int size = sizeof(stencil_vector<T, n>), words = size / 4;
	stencil_vector<T, n> value;

	if constexpr (words == 0) {
		STENCIL_UNROLL
		for (int i = 0; i < n; i++)
			value.at[i] = from[i];
	} else if constexpr (sizeof(T) < 4) { /* to select words takes longer than to load them */
		const unsigned past = (unsigned)(uintptr_t)from % 4;
		const unsigned *at = (const unsigned *)((const char *)from - past);
		unsigned around[words + 1], word[words];

		STENCIL_UNROLL
		for (int i = 0; i <= words; i++)
			around[i] = at[i];
		stencil_slide_bytes(word, around, past);
		memcpy(&value, word, sizeof value);
	} else {
		typedef typename stencil_word<size>::type Word;
		const unsigned past = (unsigned)(uintptr_t)from % size;
		const Word *at = (const Word *)((const char *)from - past);
		unsigned word[2 * words];
		Word part[2];

		part[0] = part[1] = at[0];
		if (past != 0)
			part[1] = at[1];
		memcpy(word, part, sizeof word);
		stencil_slide<words>(word, past);
		memcpy(&value, word, sizeof value);
	}
	return value;
}

/* A row of narrow elements: the words that it lies in are there. */
template <typename T, int n>
STENCIL_ANYWHERE_FN stencil_row<T, n>
stencil_load_around(const T *from)
{
	static_assert(sizeof(T) < 4, "cells that a word holds several of");
	constexpr int words = sizeof(stencil_row<T, n>) / 4;
	constexpr int loaded = (4 - sizeof(T) + n * sizeof(T) + 3) / 4;
	const unsigned past = (unsigned)(uintptr_t)from % 4;
	const unsigned *at = (const unsigned *)((const char *)from - past);
	unsigned around[words + 1] = { 0 }, word[words];
	stencil_row<T, n> value;

	STENCIL_UNROLL
	for (int i = 0; i < loaded; i++)
		around[i] = at[i];
	stencil_slide_bytes(word, around, past);
	memcpy(&value, word, sizeof value);
	return value;
}

/* Such a row by the vectors that it lies in, where the lanes' own cells are one vector each:
 * what it has of a third is in the next lane's, and the last lane does not get it. */
template <typename T, int n>
STENCIL_ANYWHERE_FN stencil_asked<T, n>
stencil_ask_around(const T *from)
{
	static_assert(n * sizeof(T) < 32, "three vectors");
	const unsigned past = (unsigned)(uintptr_t)from % 16;
	const unsigned *at = (const unsigned *)((const char *)from - past);
	stencil_asked<T, n> value;

	value.part[0] = stencil_load<unsigned, 4>(at);
	value.part[1] = stencil_load<unsigned, 4>(at + 4);
	value.past = past;
	return value;
}

/* Words that begin PAST bytes, and FIRST words, behind the first of PART.  PAST is the same in
 * all lanes. */
template <int words, int first = 0, int step = 2>
STENCIL_ANYWHERE_FN void
stencil_take_parts(unsigned (&word)[words], const stencil_vector<unsigned, 4> (&part)[2],
	unsigned past)
{
	if constexpr (step == 0) {
		unsigned around[words + 1];

		STENCIL_UNROLL
		for (int i = 0; i <= words; i++)
			around[i] = first + i < 8 ? part[(first + i) / 4 % 2].at[(first + i) % 4]
				: stencil_shuffle(part[1].at[(first + i) % 4],
				(stencil_lane() + 1) % 32);
		stencil_slide_bytes(word, around, past % 4);
	} else if (past & 4u * step) {
		stencil_take_parts<words, first + step, step / 2>(word, part, past);
	} else {
		stencil_take_parts<words, first, step / 2>(word, part, past);
	}
}

/* A lane tells where the rows begin, so that the compiler below knows that it is the same for
 * all. */
template <typename T, int n>
STENCIL_ANYWHERE_FN stencil_row<T, n>
stencil_take_around(const stencil_asked<T, n> &asked)
{
	unsigned word[sizeof(stencil_row<T, n>) / 4];
	stencil_row<T, n> value;

	stencil_take_parts(word, asked.part, stencil_shuffle(asked.past, 0));
	memcpy(&value, word, sizeof value);
	return value;
}

/* A vector with nothing behind: what is left of the last word comes by elements. */
template <typename T, int n>
STENCIL_ANYWHERE_FN stencil_vector<T, n>
stencil_load_ends(const T *from)
{
	constexpr int size = sizeof(stencil_vector<T, n>), words = size / 4;
	stencil_vector<T, n> value;

	if constexpr (words == 0 || sizeof(T) >= 4) {
		STENCIL_UNROLL
		for (int i = 0; i < n; i++)
			value.at[i] = from[i];
	} else {
		const unsigned past = (unsigned)(uintptr_t)from % 4;
		const char *at = (const char *)from - past;
		unsigned around[words + 1], word[words];

		STENCIL_UNROLL
		for (int i = 0; i < words; i++)
			around[i] = ((const unsigned *)at)[i];
		around[words] = 0;
		STENCIL_UNROLL
		for (unsigned i = 0; i + sizeof(T) < 4; i += sizeof(T))
			if (i < past) {
				typedef typename stencil_word<sizeof(T)>::type Part;

				around[words] |= (unsigned)*(const Part *)(at + size + i) << 8 * i;
			}
		stencil_slide_bytes(word, around, past);
		memcpy(&value, word, sizeof value);
	}
	return value;
}

/* Element N of a vector. */
template <typename T, int words>
STENCIL_ANYWHERE_FN T
stencil_element(const unsigned (&word)[words], int n)
{
	T value;

	if constexpr (sizeof(T) < 4) {
		const unsigned rest = word[n * (int)sizeof(T) / 4] >> 8 * (n * sizeof(T) % 4);

		memcpy(&value, &rest, sizeof value);
	} else {
		memcpy(&value, &word[n * (int)sizeof(T) / 4], sizeof value);
	}
	return value;
}

/* The lanes of a warp that come here together store side by side.  The vector stays in
 * words: the compiler takes it apart for good where its elements are asked for. */
template <int how = STENCIL_STAYS, typename T, int n>
STENCIL_ANYWHERE_FN void
stencil_store_stretch(T *to, const stencil_vector<T, n> &value)
{
	constexpr unsigned size = sizeof(stencil_vector<T, n>);
	const unsigned past = (unsigned)(uintptr_t)to % size;

	if constexpr (size >= 4) {
		stencil_vector<unsigned, size / 4> whole;

		memcpy(&whole, &value, size);
		if (past == 0) {
			stencil_store_whole<how>((unsigned *)to, whole);
		} else if (__activemask() == STENCIL_ALL_LANES) {
			stencil_store_warp<how>((char *)to, whole.at, past, true);
		} else {
			STENCIL_UNROLL
			for (int i = 0; i < n; i++)
				stencil_store_element<how>(to + i, stencil_element<T>(whole.at,
					i));
		}
	} else if (past == 0) {
		stencil_store_whole<how>(to, value);
	} else {
		stencil_store_anywhere<how>(to, value);
	}
}

/* Likewise all of them, without a branch: what several rows store is on its way together.  A
 * lane tells where their vectors begin, so that the compiler below knows that it is the same
 * for all.  Not ENDS: others store what is left at the two ends. */
template <int how = STENCIL_STAYS, typename T, int n>
STENCIL_ANYWHERE_FN void
stencil_store_lanes(T *to, const stencil_vector<T, n> &value, bool ends = true)
{
	constexpr unsigned size = sizeof(stencil_vector<T, n>);

	if constexpr (size >= 4) {
		unsigned word[size / 4];

		memcpy(word, &value, size);
		stencil_store_warp<how>((char *)to, word, stencil_shuffle((unsigned)(uintptr_t)to
			% size, 0), ends);
	} else {
		stencil_store_stretch<how>(to, value);
	}
}

#endif

#undef STENCIL_ANYWHERE_FN
#endif
