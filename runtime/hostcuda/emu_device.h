/* emu_device.h: keywords, indices and barriers of emulated device code.
 *
 * Where a function takes FILE and LINE, the default is the caller's place: it
 * is what a report names.
 */
#ifndef STENCIL_EMU_DEVICE_H
#define STENCIL_EMU_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "vector_types.h"

#ifdef __cplusplus
#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#endif

#define STENCIL_EMU_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

#ifdef __cplusplus
extern "C" {
#endif

/* Of the running thread; the scheduler sets them before it gives it a turn, so
 * that to a kernel they are constants. */
#ifdef __cplusplus
#define STENCIL_EMU_BUILTIN(T, name, symbol) extern const __thread T name __asm__(#symbol)
STENCIL_EMU_BUILTIN(uint3, threadIdx, stencil_emu_thread_index);
STENCIL_EMU_BUILTIN(uint3, blockIdx, stencil_emu_block_index);
STENCIL_EMU_BUILTIN(dim3, blockDim, stencil_emu_block_extent);
STENCIL_EMU_BUILTIN(dim3, gridDim, stencil_emu_grid_extent);
#undef STENCIL_EMU_BUILTIN
#endif
extern __thread void *stencil_emu_shared;

/* __syncthreads (ID 0, THREADS 0) and named barriers.  All of the block, or
 * THREADS threads, a multiple of 32. */
void stencil_emu_barrier(int id, int threads, int waits, const char *file, int line);

/* Reports a vector access of BYTES at AT. */
void stencil_emu_misaligned(const void *at, size_t bytes, const char *file, int line);

/* Lets the others run. */
void stencil_emu_yield(const char *file, int line);
/* What a loop of these looked for is there: no deadlock, though the next one be near. */
void stencil_emu_found(void);
/* Any cluster may change BYTES at AT: by an atomic. */
void stencil_emu_atomic(const volatile void *at, size_t bytes);

#ifdef __cplusplus
}

enum { warpSize = 32 };

static inline void
__syncthreads(STENCIL_EMU_SITE)
{
	stencil_emu_barrier(0, 0, 1, file, line);
}

static inline void
__nanosleep(unsigned, STENCIL_EMU_SITE)
{
	stencil_emu_yield(file, line);
}

static inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

[[noreturn]] static inline void __trap() { __builtin_trap(); }
#endif

#endif
