/* emu_warp.h: warp-wide shuffles, votes and __syncwarp.
 *
 * Every thread the mask names has to come to the same operation with the same
 * mask, and a shuffle may only read one of them; anything else is reported.
 * (A thread that has ended may be named, as on a GPU, but not read.)
 */
#ifndef STENCIL_EMU_WARP_H
#define STENCIL_EMU_WARP_H

#include <stdint.h>
#include <string.h>

#include "emu_device.h"

typedef enum {
	STENCIL_EMU_SHUFFLE,
	STENCIL_EMU_SHUFFLE_UP,
	STENCIL_EMU_SHUFFLE_DOWN,
	STENCIL_EMU_SHUFFLE_XOR,
	STENCIL_EMU_BALLOT,
	STENCIL_EMU_SYNCWARP
} stencil_emu_warp_op;

#ifdef __cplusplus
extern "C" {
#endif

/* The value the operation gives this thread.  A vote's VALUE is 0 or 1 and its
 * result the ballot; OPERAND is a shuffle's lane or distance. */
uint64_t stencil_emu_warp(stencil_emu_warp_op op, unsigned mask, uint64_t value, int operand,
	int width, const char *file, int line);
unsigned stencil_emu_active_mask(void);

#ifdef __cplusplus
}

template <typename T>
static inline T
stencil_emu_shuffle(stencil_emu_warp_op op, unsigned mask, T value, int operand, int width,
	const char *file, int line)
{
	static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
	uint64_t bits = 0;

	memcpy(&bits, &value, sizeof value);
	bits = stencil_emu_warp(op, mask, bits, operand, width, file, line);
	memcpy(&value, &bits, sizeof value);
	return value;
}

#define STENCIL_EMU_SHUFFLES(name, op, operand_type) \
	template <typename T> \
	static inline T \
	name(unsigned mask, T value, operand_type operand, int width = 32, STENCIL_EMU_SITE) \
	{ \
		return stencil_emu_shuffle(op, mask, value, (int)operand, width, file, line); \
	}
STENCIL_EMU_SHUFFLES(__shfl_sync, STENCIL_EMU_SHUFFLE, int)
STENCIL_EMU_SHUFFLES(__shfl_up_sync, STENCIL_EMU_SHUFFLE_UP, unsigned)
STENCIL_EMU_SHUFFLES(__shfl_down_sync, STENCIL_EMU_SHUFFLE_DOWN, unsigned)
STENCIL_EMU_SHUFFLES(__shfl_xor_sync, STENCIL_EMU_SHUFFLE_XOR, int)
#undef STENCIL_EMU_SHUFFLES

static inline unsigned
__ballot_sync(unsigned mask, int predicate, STENCIL_EMU_SITE)
{
	return (unsigned)stencil_emu_warp(STENCIL_EMU_BALLOT, mask, predicate != 0, 0, 32, file,
		line);
}

static inline int
__any_sync(unsigned mask, int predicate, STENCIL_EMU_SITE)
{
	return __ballot_sync(mask, predicate, file, line) != 0;
}

static inline int
__all_sync(unsigned mask, int predicate, STENCIL_EMU_SITE)
{
	return __ballot_sync(mask, !predicate, file, line) == 0;
}

static inline void
__syncwarp(unsigned mask = 0xffffffffu, STENCIL_EMU_SITE)
{
	stencil_emu_warp(STENCIL_EMU_SYNCWARP, mask, 0, 0, 32, file, line);
}

static inline unsigned
__activemask()
{
	return stencil_emu_active_mask();
}
#endif

#endif
