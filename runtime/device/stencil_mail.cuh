/* stencil_mail.cuh: cells that the blocks of a cooperative launch send each other
 * through global memory.
 *
 * A word of mail is 4 bytes of cells, in its lower half, and the number of the turn
 * that they are of.  It is written and read as a whole, so no fence is needed: who
 * reads a word of the turn that he waits for has its cells.  Numbers of turns are at
 * least 1, in memory that was all zero.  Vectors of more than one word lie aligned to
 * two of them.
 */
#ifndef STENCIL_MAIL_CUH
#define STENCIL_MAIL_CUH

#include <stdint.h>
#include <string.h>

#include "stencil_arch.cuh"
#include "stencil_vector.cuh"

#ifdef STENCIL_EMULATED

#include "emu_device.h"

#define STENCIL_MAIL_FN static __forceinline__

#else

#define STENCIL_MAIL_FN static __device__ __forceinline__

#if STENCIL_ARCH >= 700
#define STENCIL_MAIL_ACCESS "relaxed.gpu"
#else
#define STENCIL_MAIL_ACCESS "volatile"
#endif

#endif

/* The words of N cells. */
template <typename T, int N>
struct stencil_mail_of {
	static_assert(sizeof(T) * N % 4 == 0, "mail is whole words of 4 bytes of cells");
	enum { words = sizeof(T) * N / 4 };
};

#ifdef STENCIL_EMULATED

template <int words>
STENCIL_MAIL_FN void
stencil_mail_check(const uint64_t *mail, const char *file, int line)
{
	const size_t bytes = words > 1 ? 16 : 8;

	if (reinterpret_cast<uintptr_t>(mail) % bytes)
		stencil_emu_misaligned(mail, bytes, file, line);
}

template <int words>
STENCIL_MAIL_FN void
stencil_mail_write(uint64_t *mail, const uint64_t *letter)
{
	for (int k = 0; k < words; k++)
		__atomic_store_n(mail + k, letter[k], __ATOMIC_RELAXED);
}

template <int words>
STENCIL_MAIL_FN void
stencil_mail_read(int64_t *letter, const uint64_t *mail)
{
	for (int k = 0; k < words; k++)
		letter[k] = (int64_t)__atomic_load_n(mail + k, __ATOMIC_RELAXED);
}

#else

template <int words>
STENCIL_MAIL_FN void
stencil_mail_write(uint64_t *mail, const uint64_t *letter)
{
	if (words == 1)
		asm volatile("st." STENCIL_MAIL_ACCESS ".global.b64 [%0], %1;"
			:: "l"(mail), "l"(letter[0]) : "memory");
	STENCIL_UNROLL
	for (int k = 0; k + 1 < words; k += 2)
		asm volatile("st." STENCIL_MAIL_ACCESS ".global.v2.b64 [%0], {%1, %2};"
			:: "l"(mail + k), "l"(letter[k]), "l"(letter[k + 1]) : "memory");
}

template <int words>
STENCIL_MAIL_FN void
stencil_mail_read(int64_t *letter, const uint64_t *mail)
{
	if (words == 1)
		asm volatile("ld." STENCIL_MAIL_ACCESS ".global.b64 %0, [%1];"
			: "=l"(letter[0]) : "l"(mail));
	STENCIL_UNROLL
	for (int k = 0; k + 1 < words; k += 2)
		asm volatile("ld." STENCIL_MAIL_ACCESS ".global.v2.b64 {%0, %1}, [%2];"
			: "=l"(letter[k]), "=l"(letter[k + 1]) : "l"(mail + k));
}

#endif

/* Of each word the turn is the right one. */
template <int words>
STENCIL_MAIL_FN bool
stencil_mail_is_of(const int64_t *letter, int32_t turn)
{
	bool all = true;

	STENCIL_UNROLL
	for (int k = 0; k < words; k++)
		all = all && (int32_t)(letter[k] >> 32) == turn;
	return all;
}

template <typename T, int N>
STENCIL_MAIL_FN stencil_vector<T, N>
stencil_mail_cells(const int64_t *letter)
{
	constexpr int words = stencil_mail_of<T, N>::words;
	stencil_vector<T, N> cells;
	uint32_t bits[words];

	STENCIL_UNROLL
	for (int k = 0; k < words; k++)
		bits[k] = (uint32_t)letter[k];
	memcpy(&cells, bits, sizeof cells);
	return cells;
}

template <typename T, int N>
STENCIL_MAIL_FN void
stencil_mail_pack(uint64_t *letter, const stencil_vector<T, N> &cells, int32_t turn)
{
	constexpr int words = stencil_mail_of<T, N>::words;
	uint32_t bits[words];

	memcpy(bits, &cells, sizeof cells);
	STENCIL_UNROLL
	for (int k = 0; k < words; k++)
		letter[k] = (uint64_t)(uint32_t)turn << 32 | bits[k];
}

#ifdef STENCIL_EMULATED

template <typename T, int N>
STENCIL_MAIL_FN void
stencil_post(uint64_t *mail, const stencil_vector<T, N> &v, int32_t turn, STENCIL_EMU_SITE)
{
	constexpr int words = stencil_mail_of<T, N>::words;
	uint64_t letter[words];

	stencil_mail_check<words>(mail, file, line);
	stencil_mail_pack(letter, v, turn);
	stencil_mail_write<words>(mail, letter);
}

template <typename T, int N>
STENCIL_MAIL_FN void
stencil_expect(int64_t *letter, const uint64_t *mail, STENCIL_EMU_SITE)
{
	constexpr int words = stencil_mail_of<T, N>::words;

	stencil_mail_check<words>(mail, file, line);
	stencil_mail_read<words>(letter, mail);
}

template <typename T, int N>
STENCIL_MAIL_FN void
stencil_receive(T *place, int64_t *letter, const uint64_t *mail, int32_t turn, STENCIL_EMU_SITE)
{
	constexpr int words = stencil_mail_of<T, N>::words;

	while (!stencil_mail_is_of<words>(letter, turn)) {
		stencil_emu_yield(file, line);
		stencil_mail_read<words>(letter, mail);
	}
	stencil_emu_found();
	stencil_store(place, stencil_mail_cells<T, N>(letter), file, line);
}

#else

/* Sends N cells. */
template <typename T, int N>
STENCIL_MAIL_FN void
stencil_post(uint64_t *mail, const stencil_vector<T, N> &v, int32_t turn)
{
	constexpr int words = stencil_mail_of<T, N>::words;
	uint64_t letter[words];

	stencil_mail_pack(letter, v, turn);
	stencil_mail_write<words>(mail, letter);
}

/* Asks for the words of N cells, here: who tests them later does not wait long. */
template <typename T, int N>
STENCIL_MAIL_FN void
stencil_expect(int64_t *letter, const uint64_t *mail)
{
	stencil_mail_read<stencil_mail_of<T, N>::words>(letter, mail);
}

/* Stores N cells of the turn to PLACE; asks again until they have come. */
template <typename T, int N>
STENCIL_MAIL_FN void
stencil_receive(T *place, int64_t *letter, const uint64_t *mail, int32_t turn)
{
	constexpr int words = stencil_mail_of<T, N>::words;

	while (!stencil_mail_is_of<words>(letter, turn))
		stencil_mail_read<words>(letter, mail);
	stencil_store(place, stencil_mail_cells<T, N>(letter));
}

#undef STENCIL_MAIL_ACCESS

#endif

#undef STENCIL_MAIL_FN
#endif
