/* traffic.h: what a block shape reads, writes, computes twice and keeps, by the
 * closed forms of the papers.  Numbers in parentheses are their equations.
 *
 * Blocks and extents are innermost axis first.
 */
#pragma once

#include "plan/device.h"

#define TRAFFIC_MAX_RANK 3

/* ---- Rawat et al. ---- */

/* Section 2.2: THREADS spread over RANK axes: whole warps along x, or half warps
 * where more threads find a place then, and about the same number along the others. */
void rawat_split(const Device *d, int threads, int rank, int block[TRAFFIC_MAX_RANK]);

/* Section 2.2: cells that all blocks together read, EXTENT being large. */
double rawat_global_reads(int rank, const gint64 *extent, const int *block, int radius);

/* An overlapped tile (section 3.1): TIME steps of a stencil of order RADIUS give
 * the cells TILE (B'); reads and steps before the last need more, which neighbours
 * read and compute too. */
typedef struct {
	int rank;  /* axes along which tiles overlap */
	int tile[TRAFFIC_MAX_RANK];
	int time, radius;
} Overlap;

gint64 overlap_reads(const Overlap *o);           /* of a tile */
gint64 overlap_work(const Overlap *o);            /* cell updates of a tile, all steps */
gint64 overlap_redundant_reads(const Overlap *o); /* of a tile, beyond its cells */
gint64 overlap_redundant_work(const Overlap *o);
/* V of section 4.1: redundant updates in a domain of EXTENT cells along each axis. */
double overlap_volume(const Overlap *o, const gint64 *extent);

/* Where a block keeps the planes (lines, in 2D) that a step needs (section 4). */
typedef enum {
	KEEP_TILE,       /* no streaming: the whole tile, twice if T > 1 */
	KEEP_WINDOW,     /* streaming: a sliding window in shared memory */
	KEEP_PING_PONG,  /* streaming, two buffers (Algorithm 1) */
	KEEP_REGISTERS,  /* other planes in registers (Algorithm 2) */
	KEEP_SHIFTED,    /* the same, their one point off the axis */
	KEEP_ACCUMULATE, /* partial results in registers (Algorithm 3) */
	KEEP_N
} Keep;

typedef struct {
	int plane;   /* threads of a block, across the stream */
	int depth;   /* and along it; b_y in 2D, 1 in 3D */
	int time, radius;
	int sources; /* fields and components */
	int points;  /* the most that a thread reads of another plane; 1: on its axis */
	int bytes;   /* of a value */
} KeepNeeds;

typedef struct {
	gint64 shared; /* bytes of a block */
	int registers; /* of a thread, for values of planes, in values */
} Kept;

Kept rawat_kept(Keep keep, const KeepNeeds *n);

/* Pieces into which the streamed axis is cut so that BLOCKS blocks across it
 * become at least LEAST (section 4.1); 1: serial streaming. */
int rawat_chunks(gint64 blocks, int least);

/* ---- Tabik et al. ---- */

/* A stencil that marches along z: what its blocks in the plane move. */
typedef struct {
	gint64 extent[3]; /* x, y, z */
	int halo[2];      /* H.x, H.y: of both sides together */
	int reads;        /* of shared memory, for a cell */
	int loads, stores; /* fields and components read with neighbours, and written */
	int bytes;        /* of a value */
} Sweep;

/* (1): values that blocks of BLOCK cells move, each its halo too. */
gint64 tabik_values(const gint64 extent[3], const int block[3], const int halo[3],
	gint64 coefficients);

/* (2); and (3), which it becomes without a halo along y. */
gint64 tabik_global(const Device *d, const Sweep *s, const int block[2]);

/* (4) to (9); 0 where nothing is shared. */
gint64 tabik_shared(const Device *d, const Sweep *s, const int block[2]);

/* Table II: bytes of shared memory of a block. */
gint64 tabik_shared_bytes(const Sweep *s, const int block[2]);

/* ---- Jin ---- */

/* Loads of a block of an image filter of SIZE cells: a cell at the rim of the block
 * loads its neighbourhood itself; only what lies outside (Optimization 1); block
 * and neighbourhood are loaded first (Optimization 2): Table 5.1. */
gint64 jin_loads(const int block[2], const int size[2]);
gint64 jin_loads_partial(const int block[2], const int size[2]);
gint64 jin_loads_staged(const int block[2], const int size[2]);

/* (3): transactions of a block, UNIT values each, the columns at the sides one by one. */
double jin_transactions(const int block[2], const int size[2], int unit);

/* The power of two that is the best width of a block of THREADS threads (a power of
 * two): the least (3), and of equals the squarest; at least UNIT, as (3) supposes. */
int jin_width(int threads, const int size[2], int unit);

/* Values that a warp gets in one transaction. */
int transaction_values(const Device *d, int bytes);

/* The roof: operations per second with INTENSITY operations a byte. */
double roof(double peak, double bandwidth, double intensity);

/* ---- Krotkiewski and Dabrowski ---- */

/* (5): bytes per point of a sweep that reads and writes each value once. */
double footprint_ideal(int bytes);

/* (6), (7): values that a block fetches of a plane, halo and sectors included. */
gint64 footprint_values(const Device *d, const int block[2], int radius, int bytes);

/* (8): how often the halo goes into the block, M; 0: not a whole number of times. */
int footprint_multiple(const Device *d, const int block[2], int radius, int bytes);

/* (9): bytes per point of such a block without any reuse of halos. */
double footprint_halo(const Device *d, const int block[2], int radius, int bytes);

/* Width and rows of the shape that threads take to load block and halo in M + 1
 * loads each: 48 x 4 for 32 x 6. */
void footprint_remap(const Device *d, const int block[2], int radius, int bytes, int shape[2]);

/* Section 6.2: bytes per point that a kernel in effect moves, COPY and REACHED being
 * points per second of a copy and of the kernel. */
double footprint_effective(double copy, double reached, int bytes);

/* (10): bytes per second. */
double effective_bandwidth(double points, double footprint, double seconds);
