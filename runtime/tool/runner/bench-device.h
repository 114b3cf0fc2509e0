/* bench-device.h: what the bench has a device do besides the stencil: data made
 * and compared where they are, copies to measure by, the clock.
 *
 * bench-device.cu is compiled with the kernels, so that a runner that only
 * serves the CPU does without: then bench_fill is null.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stencilrt.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && !defined(__cplusplus)
#define BENCH_OPTIONAL __attribute__((weak))
#else
#define BENCH_OPTIONAL
#endif

/* N elements of random data: reals from -1 to 1, integers of all sizes. */
stencil_status bench_fill(stencil_context *ctx, void *memory, stencil_type type, int64_t n,
	uint64_t seed) BENCH_OPTIONAL;

typedef struct {
	unsigned long long differ;     /* elements whose bits do; NaNs are all the same */
	unsigned long long beyond;     /* of these: by more than they may */
	unsigned long long not_finite; /* elements of A that are infinite or NaN */
	double greatest;               /* difference of two reals */
} BenchDifference;

/* Compares N elements; they may differ by BOUND, times the largest of A from BENCH_AROUND before
 * to as many behind where that is more than 1. */
enum { BENCH_AROUND = 32 };
stencil_status bench_compare(stencil_context *ctx, const void *a, const void *b,
	stencil_type type, int64_t n, double bound, BenchDifference *difference) BENCH_OPTIONAL;

/* Device to device, by the driver; 16 bytes a thread; and block by block, with a
 * halo of one cell around each, through shared memory: FROM and TO are nz × ny × nx
 * floats (Krotkiewski & Dabrowski's measure).  None of them waits. */
stencil_status bench_copy(stencil_context *ctx, void *to, const void *from,
	size_t bytes) BENCH_OPTIONAL;
stencil_status bench_copy_vectors(stencil_context *ctx, void *to, const void *from,
	size_t bytes) BENCH_OPTIONAL;
stencil_status bench_copy_halo(stencil_context *ctx, float *to, const float *from, int nz, int ny,
	int nx) BENCH_OPTIONAL;

/* Passes the time for so many clocks of a multiprocessor; does not wait.  The
 * emulation has no clock: then it is over at once. */
stencil_status bench_spin(stencil_context *ctx, int64_t clocks) BENCH_OPTIONAL;

enum { BENCH_MAX_KERNELS = 256 };

/* A kernel as it was launched; nothing in the emulation. */
typedef struct {
	char name[128];
	int registers, local_bytes;    /* of a thread */
	size_t shared_bytes;           /* of a block */
	int threads, blocks_per_sm;
	int64_t blocks, launches;
} BenchKernel;

/* Notes every launch from now on, or from now on none. */
void bench_watch(int on) BENCH_OPTIONAL;
/* What was launched between; *N kernels. */
const BenchKernel *bench_kernels(int *n) BENCH_OPTIONAL;

#ifdef __cplusplus
}
#endif
