/* emu_atomic.h: CUDA's atomics as the compiler's, relaxed as on a GPU.
 *
 * Inline, so that TSan sees them as atomics in the user's own code.
 */
#ifndef STENCIL_EMU_ATOMIC_H
#define STENCIL_EMU_ATOMIC_H

#include <stdint.h>
#include <string.h>

#include "emu_device.h"

/* Replaces *AT by change(*AT) in one step; gives what was there. */
template <typename T, typename Change>
static inline T
stencil_emu_update(T *at, Change change)
{
	T old, changed;

	stencil_emu_atomic(at, sizeof *at);
	__atomic_load(at, &old, __ATOMIC_RELAXED);
	do
		changed = change(old);
	while (!__atomic_compare_exchange(at, &old, &changed, true, __ATOMIC_RELAXED,
		__ATOMIC_RELAXED));
	return old;
}

#define STENCIL_EMU_ATOMIC(T, name, expression) \
	static inline T \
	name(T *at, T value) \
	{ \
		return stencil_emu_update(at, [value](T old) -> T { return expression; }); \
	}

#define STENCIL_EMU_ATOMIC_ADD(T) \
	STENCIL_EMU_ATOMIC(T, atomicAdd, (T)(old + value))

#define STENCIL_EMU_ATOMIC_INTEGER(T) \
	STENCIL_EMU_ATOMIC(T, atomicMin, value < old ? value : old) \
	STENCIL_EMU_ATOMIC(T, atomicMax, value > old ? value : old) \
	STENCIL_EMU_ATOMIC(T, atomicAnd, old & value) \
	STENCIL_EMU_ATOMIC(T, atomicOr, old | value) \
	STENCIL_EMU_ATOMIC(T, atomicXor, old ^ value) \
	static inline T \
	atomicCAS(T *at, T expected, T desired) \
	{ \
		stencil_emu_atomic(at, sizeof *at); \
		__atomic_compare_exchange(at, &expected, &desired, false, __ATOMIC_RELAXED, \
			__ATOMIC_RELAXED); \
		return expected; \
	}

STENCIL_EMU_ATOMIC_ADD(unsigned)
STENCIL_EMU_ATOMIC_ADD(unsigned long long)
STENCIL_EMU_ATOMIC_ADD(float)
STENCIL_EMU_ATOMIC_ADD(double)
STENCIL_EMU_ATOMIC_INTEGER(int)
STENCIL_EMU_ATOMIC_INTEGER(unsigned)
STENCIL_EMU_ATOMIC_INTEGER(long long)
STENCIL_EMU_ATOMIC_INTEGER(unsigned long long)

static inline int
atomicAdd(int *at, int value)
{
	stencil_emu_atomic(at, sizeof *at);
	return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
}

static inline int
atomicSub(int *at, int value)
{
	stencil_emu_atomic(at, sizeof *at);
	return __atomic_fetch_sub(at, value, __ATOMIC_RELAXED);
}

STENCIL_EMU_ATOMIC(unsigned, atomicSub, old - value)
STENCIL_EMU_ATOMIC(unsigned, atomicInc, old >= value ? 0 : old + 1)
STENCIL_EMU_ATOMIC(unsigned, atomicDec, old == 0 || old > value ? value : old - 1)
STENCIL_EMU_ATOMIC(int, atomicExch, (void(old), value))
STENCIL_EMU_ATOMIC(unsigned, atomicExch, (void(old), value))
STENCIL_EMU_ATOMIC(unsigned long long, atomicExch, (void(old), value))
STENCIL_EMU_ATOMIC(float, atomicExch, (void(old), value))

#undef STENCIL_EMU_ATOMIC_ADD
#undef STENCIL_EMU_ATOMIC_INTEGER
#undef STENCIL_EMU_ATOMIC

#endif
