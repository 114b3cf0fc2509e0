/* stencil_emu.h: what a test can ask of the emulation; C and C++.
 *
 * The environment, read once:
 *
 *   STENCIL_EMU_ORDER    forward, reverse or shuffle:SEED: the order in which
 *                        threads get their turn and blocks begin
 *   STENCIL_EMU_COPY     early: an asynchronous copy moves its bytes at once;
 *                        late: only when a wait demands them
 *   STENCIL_EMU_THREADS  clusters run at once (default: the cores; TSan: 1); a
 *                        cooperative launch is one
 *   STENCIL_EMU_STACK    bytes of a thread's stack (default 1 MiB; what is
 *                        not touched costs nothing); one used up is a report
 *   STENCIL_EMU_DEVICES  GPUs there are (default 1)
 *   STENCIL_EMU_MEMORY   bytes of a GPU's memory
 *   STENCIL_EMU_SHARED   bytes of shared memory that a block may have
 *   STENCIL_EMU_PROCESSORS  multiprocessors of a GPU (default 132)
 *   STENCIL_EMU_FAIL     N[:CODE[:lost]]: the N-th CUDA call from here fails
 *                        with cudaError_t CODE; lost: and every later one
 *   STENCIL_EMU_CLASHES  N: of every N launches of several clusters one runs them one at a
 *                        time, and two that store different values in one place are a
 *                        report (not under TSan); 1: of all launches
 *   STENCIL_EMU_ABORT    1: abort() after a report, for a debugger
 *
 * A report is one line on stderr that begins "stencilemu: error:"; the program
 * ends with status STENCIL_EMU_STATUS.
 */
#ifndef STENCIL_EMU_H
#define STENCIL_EMU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STENCIL_EMU_STATUS 86

typedef enum {
	STENCIL_EMU_FORWARD,
	STENCIL_EMU_REVERSE,
	STENCIL_EMU_SHUFFLED
} stencil_emu_order;

/* These win over the environment, from the next call or launch on. */
void stencil_emu_set_order(stencil_emu_order order, uint64_t seed);
void stencil_emu_set_late_copies(int late);
void stencil_emu_set_threads(unsigned threads);
void stencil_emu_set_devices(int count);

/* The N-th CUDA call from now fails with CODE (0: cudaErrorUnknown); LOST: so
 * does every later one.  N 0: none fails, and a lost device is well again. */
void stencil_emu_fail(uint64_t n, int code, int lost);
/* CUDA calls since the start or the last stencil_emu_fail. */
uint64_t stencil_emu_calls(void);

typedef struct {
	uint64_t launches, blocks, threads;
	uint64_t barriers;      /* of a block: counted once each time all came */
	uint64_t cluster_barriers;
	uint64_t warp_operations;
	uint64_t copies;        /* cp.async, and bulk ones */
	uint64_t copied_bytes;
	uint64_t skewed;        /* copies of 16 bytes that begin elsewhere in a sector of 32 of
	                         * shared memory than in one of the device's: brought twice */
	uint64_t switches;      /* of fibers */
	uint64_t allocations;   /* of device memory, still there */
	size_t allocated_bytes;
	uint64_t pinned, streams, events; /* blocks of host memory, ...; still there */
	size_t shared_bytes;    /* the most a block asked for */
} stencil_emu_stats;

/* Sums over all launches so far. */
stencil_emu_stats stencil_emu_statistics(void);
void stencil_emu_statistics_clear(void); /* but for what is still there */

#ifdef __cplusplus
}
#endif

#endif
