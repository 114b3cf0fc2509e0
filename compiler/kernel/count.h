/* count.h: what a kernel costs a thread, counted from its statements.
 *
 * The thread is a full one within the grid: all its cells are computed, and no
 * face is near.  What only some lanes of its warp do (loads at the ends of a
 * warp's row) takes the others' time too, and is counted apart.  Equal integer
 * expressions count once, outside the walk where they do not change in it, and
 * twice in 64 bits; an address costs an addition more.
 */
#pragma once

#include "analyze/cost.h"
#include "kernel/kir.h"

#define K_WIDTHS 5 /* vectors of 1, 2, 4, 8, 16 cells */

/* Instructions of a thread, more or less. */
typedef struct {
	int loads[K_WIDTHS], stores[K_WIDTHS];
	int read, written;   /* bytes */
	int shuffles;
	int shared;          /* accesses to shared memory, vectors or not */
	int wavefronts;      /* that these are for a warp (banks.h), */
	int conflicts;       /* of them, those for lanes that ask for a bank's other words */
	int unseen;          /* accesses that may have conflicts, none of which is counted */
	int barriers;
	int ops[COST_N];     /* the arithmetic of cells */
	int integer;         /* of coordinates and addresses */
	int selects, moves, branches;
} KTally;

typedef enum { LANES_ALL, LANES_SOME } KLanes;

typedef struct {
	KTally once[2];      /* by KLanes: before the walk, or all there is */
	KTally turn[2];      /* one turn of the walk, */
	KTally due;          /* what all of its turns but the first and last ones have besides, */
	int idle;            /* and how many these are */
	gint64 turns;        /* of a full thread; 0: it does not walk */
	int cells;           /* that a turn, or the kernel, stores */
	int held;            /* registers of elements, the most at a time, */
	int carried;         /* and from one turn of the walk to the next */
	int names;           /* registers of what is computed once and used after */
	int changed, again;  /* registers of what conversions of elements give, and of values that
	                      * are such, which have none of their own */
	int literals;        /* doubles that are to be made in registers, each once */
	int extremes;        /* operations of cells that are made in pairs: least and greatest */
	int code;            /* instructions, the walk once */
} KCount;

KCount kir_count(const KKernel *k);

/* Likewise of K, which was lowered for that alone and is freed. */
KCount kir_count_free(KKernel *k);

/* Registers of a thread: those of elements, and of names. */
int count_registers(const KCount *c);

/* All instructions of a tally. */
int tally_total(const KTally *t);

void kir_count_print(const KCount *c, GString *out);
