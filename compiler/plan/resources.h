/* resources.h: how many blocks of threads an SM runs at a time, what keeps it
 * from running more, and how large a block may be.
 *
 * Rawat et al., section 2.1; Tabik et al., (10) to (12); Cornwall et al.,
 * section 4.6, (1) and (2).
 */
#pragma once

#include "plan/device.h"

typedef enum { LIMIT_BLOCKS, LIMIT_THREADS, LIMIT_REGISTERS, LIMIT_SHARED, LIMIT_N } Limit;

extern const char *const limit_name[LIMIT_N];

#define LEAST_REGISTERS 16 /* of a thread: nvcc makes kernels for no fewer */

/* What a block takes of its SM. */
typedef struct {
	int threads;
	int registers; /* of a thread; 0: they are not counted */
	gint64 shared; /* bytes */
} BlockNeeds;

typedef struct {
	int allowed[LIMIT_N]; /* blocks on an SM, going by that limit alone */
	int blocks;           /* the least of them; 0: not even one */
	Limit limit;          /* the first that gives it */
	double occupancy;     /* warps that run, of those that an SM can hold: (11) */
} Residency;

/* As the papers count, amounts being shared out to the last register and byte:
 * min_b of Rawat, (10) of Tabik.  A block beyond what one block may have cannot run. */
Residency residency_exact(const Device *d, const BlockNeeds *needs);

/* As the hardware counts: in its units, with what the system takes for itself. */
Residency residency_granted(const Device *d, const BlockNeeds *needs);

/* Blocks that keep every SM busy: the least useful grid. */
int residency_min_grid(const Device *d, const Residency *r);

/* Registers that a thread may have if BLOCKS blocks of THREADS threads are to run
 * on an SM: the paper's maxrregcount. */
int register_cap(const Device *d, int threads, int blocks);

/* (12): the share of its time that a block works, IDLE being spent at barriers. */
double block_efficiency(double work, double idle);

/* ---- Cornwall et al. ---- */

/* A kernel as its compiler describes it. */
typedef struct {
	int registers;     /* of a thread: R_pt */
	int fixed_shared;  /* bytes: S_pk + S_cpb */
	int thread_shared; /* bytes of each thread: S_pt */
} KernelNeeds;

/* (1) and (2): the most threads of a block, a multiple of half a warp; 0: none. */
int cornwall_max_threads(const Device *d, const KernelNeeds *k);

/* The power of two up to that which gives an SM the most threads; of several the
 * largest, whose threads share the most.  0: none. */
int cornwall_block_threads(const Device *d, const KernelNeeds *k);

typedef enum {
	BLOCK_ROW,    /* filters along x; recurrences along y; 1:N kernels */
	BLOCK_COLUMN, /* recurrences along x */
	BLOCK_SQUARE, /* filters in the plane */
} BlockShape;

/* Width and height of a block of at most THREADS threads. */
void cornwall_shape(BlockShape shape, int threads, int block[2]);

/* Blocks along x and y that cover WIDTH x HEIGHT cells. */
void cornwall_grid(const int block[2], gint64 width, gint64 height, gint64 grid[2]);
