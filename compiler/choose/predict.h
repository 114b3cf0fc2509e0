/* predict.h: how long a launch takes, before anybody has compiled it.
 *
 * The kernel is lowered and counted (kernel/count.h); the device file says how fast a
 * processor issues, computes and moves.  What takes longest decides, and the others
 * hide behind it more or less; waves that are not full, planes that a walk goes
 * through before its own, and barriers come on top.  `naive' and `shared' have no kernel IR:
 * their instructions are estimated from the stage.
 */
#pragma once

#include "plan/device.h"
#include "plan/plan.h"
#include "plan/resources.h"

/* What may take longest. */
typedef enum {
	CEILING_DRAM,
	CEILING_LATENCY,    /* of memory: too few bytes are on their way */
	CEILING_L2,
	CEILING_SHARED,     /* what moves between registers and shared memory or first cache */
	CEILING_ISSUE,
	CEILING_ARITHMETIC,
	CEILING_N
} Ceiling;

extern const char *const ceiling_name[CEILING_N];

typedef struct {
	double seconds;         /* a cell and step */
	double ceiling[CEILING_N];  /* likewise, if there were nothing else */
	double least;           /* likewise, and what is read were read once, at the copy rate */
	double overhead;        /* likewise, of barriers and launches */
	double conflicts;       /* part of CEILING_SHARED: lanes that wait for a bank */
	Ceiling limit;            /* the largest of CEILING */
	double bytes, ideal;    /* of memory, a cell and step; and of one step a sweep at best,
	                         * over the steps */
	double fetched;         /* that blocks read, a cell of a sweep, halos each time */
	double halos;           /* bytes a cell and step if all of that came from memory: (9) of
	                         * Krotkiewski and Dabrowski */
	double redundancy;      /* cells that are computed for each that is stored */
	double walk;            /* planes stored, of those that a walk goes through */
	gint64 chunks, planes;  /* walks beside each other that the last axis is cut into as the
	                         * launch will, and what each stores of it; 0: none */
	double waves;           /* rounds of blocks that run at once */
	double full;            /* how full they are */
	double whole_below;     /* Plan's, of a plan with inset_more */
	Residency residency;
	int registers;          /* of a thread: an estimate */
	gint64 shared;          /* bytes of a block */
	int code;               /* instructions, about */
} Prediction;

/* Fills *OUT.  NULL; or why PLAN is nothing to run on D, in words and figures, or
 * nothing that the model knows.  Text is in ARENA. */
const char *predict(const Device *d, const Plan *plan, Arena *arena, Prediction *out);

/* What a block takes: what is known of its plan; or, besides, its registers by the estimate. */
typedef enum { USE_KNOWN, USE_ESTIMATED } BlockUse;

/* Why a block of PLAN is too large for D, in words and figures; NULL: it is not, or not by
 * what USE says of it.  Text is in ARENA. */
const char *predict_refuses(const Device *d, const Plan *plan, BlockUse use, Arena *arena);

/* Blocks of PLAN that D has room for beside each other, whatever nvcc makes of them. */
int predict_blocks(const Device *d, const Plan *plan);

/* What of PLAN a table shows: "tile, threads 16x16, cells 4x5, 4 steps". */
char *predict_label(const Plan *plan);
