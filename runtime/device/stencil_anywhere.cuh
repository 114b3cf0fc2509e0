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

/* The word whose first bytes, as many of COUNT as it has, are those of FIRST. */
STENCIL_ANYWHERE_FN unsigned
stencil_join(unsigned first, unsigned rest, int count)
{
	unsigned mask = count >= 4 ? 0 : ~0u << 8 * (count > 0 ? count : 0);

	return (first & ~mask) | (rest & mask);
}

#ifdef STENCIL_EMULATED

template <typename T, int n>
STENCIL_ANYWHERE_FN stencil_vector<T, n>
stencil_load_anywhere(const T *from)
{
	constexpr int words = sizeof(stencil_vector<T, n>) / 4;
	const unsigned past = (uintptr_t)from % sizeof(stencil_vector<T, n>);
	stencil_vector<T, n> value;

	for (int i = 0; i < n; i++)
		value.at[i] = from[i];
	if constexpr (words > 0) { /* what the machine does with the two around it */
		unsigned word[2 * words] = { 0 };

		memcpy((char *)word + past, &value, sizeof value);
		stencil_slide<words>(word, past);
		memcpy(&value, word, sizeof value);
	}
	return value;
}

template <typename T, int n>
STENCIL_ANYWHERE_FN void
stencil_store_anywhere(T *to, const stencil_vector<T, n> &value)
{
	for (int i = 0; i < n; i++)
		to[i] = value.at[i];
}

template <typename T, int n>
STENCIL_ANYWHERE_FN void
stencil_store_stretch(T *to, const stencil_vector<T, n> &value)
{
	stencil_store_anywhere(to, value);
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

/* The bytes of WORD from FROM up to UPTO. */
template <int n>
STENCIL_ANYWHERE_FN void
stencil_store_part(char *to, const unsigned (&word)[n], int from, int upto)
{
	STENCIL_UNROLL
	for (int i = 0; i < n; i++) {
		if (from <= 4 * i && 4 * i + 4 <= upto) {
			((unsigned *)to)[i] = word[i];
		} else if (from < 4 * i + 4 && 4 * i < upto) {
			STENCIL_UNROLL
			for (int b = 0; b < 4; b++)
				if (from <= 4 * i + b && 4 * i + b < upto)
					to[4 * i + b] = (char)(word[i] >> 8 * b);
		}
	}
}

/* VALUE's bytes, turned so that they lie in words as in aligned memory, PAST being the bytes
 * by which TO is behind a multiple of their size. */
template <int words, typename Vector>
STENCIL_ANYWHERE_FN void
stencil_turn(unsigned (&turned)[words], const Vector &value, unsigned past)
{
	unsigned word[2 * words];

	memcpy(word, &value, sizeof value);
	memcpy(word + words, &value, sizeof value);
	stencil_slide<words>(word, (unsigned)sizeof value - past);
	STENCIL_UNROLL
	for (int i = 0; i < words; i++)
		turned[i] = word[i];
}

/* All lanes of a warp: the aligned vectors between the first and the last lane's, each from
 * two lanes; of what is left at the two ends, as much as one vector, each lane a byte. */
template <int words>
STENCIL_ANYWHERE_FN void
stencil_store_warp(char *at, const unsigned (&turned)[words], unsigned past)
{
	constexpr unsigned size = 4 * words;
	typedef typename stencil_word<size>::type Word;
	const unsigned lane = stencil_lane(), byte = lane % size;
	char *const first = at - (size_t)(lane * size);
	unsigned joined[words], mine = 0;

	STENCIL_UNROLL
	for (int i = 0; i < words; i++)
		joined[i] = stencil_join(stencil_shuffle_up(turned[i], 1), turned[i],
			(int)past - 4 * i);
	if (lane > 0)
		*(Word *)at = stencil_vector_bits<Word>(joined);
	STENCIL_UNROLL
	for (int i = 0; i < words; i++) {
		const unsigned end = stencil_shuffle(turned[i], byte < past ? 31 : 0);

		mine = byte / 4 == (unsigned)i ? end : mine;
	}
	if (lane < size)
		first[byte < past ? byte + 32 * size : byte] = (char)(mine >> 8 * (byte % 4));
}

/* The lanes of a warp that come here together have vectors side by side, if CHAINED. */
template <bool chained, typename T, int n>
STENCIL_ANYWHERE_FN void
stencil_store_unaligned(T *to, const stencil_vector<T, n> &value)
{
	constexpr int size = sizeof(stencil_vector<T, n>), words = size / 4;
	const unsigned past = (unsigned)(uintptr_t)to % size;
	char *const at = (char *)to - past;
	unsigned turned[words];

	if (past == 0) {
		stencil_store_global(to, value);
		return;
	}
	stencil_turn(turned, value, past);
	if (chained && __activemask() == STENCIL_ALL_LANES) {
		stencil_store_warp(at, turned, past);
		return;
	}
	stencil_store_part<words>(at, turned, (int)past, size);
	stencil_store_part<words>(at + size, turned, 0, (int)past);
}

template <typename T, int n>
STENCIL_ANYWHERE_FN void
stencil_store_anywhere(T *to, const stencil_vector<T, n> &value)
{
	if constexpr (sizeof value < 4) {
		STENCIL_UNROLL
		for (int i = 0; i < n; i++)
			to[i] = value.at[i];
	} else {
		stencil_store_unaligned<false>(to, value);
	}
}

/* The lanes of a warp that store side by side. */
template <typename T, int n>
STENCIL_ANYWHERE_FN void
stencil_store_stretch(T *to, const stencil_vector<T, n> &value)
{
	if constexpr (sizeof value < 4)
		stencil_store_anywhere(to, value);
	else
		stencil_store_unaligned<true>(to, value);
}

#endif

#undef STENCIL_ANYWHERE_FN
#endif
