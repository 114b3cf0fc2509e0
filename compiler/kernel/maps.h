/* maps.h: steps of several maps: who reads what of whom, what nobody can compute for that, how far
 * each field lags, and how much of it is needed besides what is stored.
 *
 * Along the walk a map that reads ahead of what an earlier one has just made is computed as many
 * planes (of a plane: rows) later: its field lags behind the turn's plane.  A step goes on from
 * the one before after as many planes as its maps read ahead, counting the lags.
 */
#pragma once

#include "kernel/source.h"

/* What a stage reads of a field. */
typedef struct {
	int stage, field;
	const Expr *tap;
	int level;           /* 1: made in the same step, by a stage before; 0, -1 ...: there
	                      * before it */
	int d[3];            /* by axis of the plan */
	int age;             /* planes that the one it reads is behind the newest of its level; of
	                      * one that stays, in the first step */
	int least;           /* likewise, of those that may stand for it */
} MapTap;

/* A component of a field; what is known of it lies with its owner. */
typedef struct {
	const KSource *source;  /* NULL: no map reads it by this name */
	gboolean comes, stays;  /* it is there before the step; no stage makes its next level */
	const int (*reach)[2];  /* how far it is read beside a cell, by axis */
	const EdgeKind (*kind)[2]; /* what is read beyond the faces, likewise */
	int (*rim)[2];          /* cells at each end that its stage does not compute, at most */
	int *lag;               /* planes that its newest one is behind the turn's */
} MapField;

typedef struct {
	const Plan *plan;
	int n_axes, walk;    /* of those of the plan that are read along; the one walked along */
	gboolean by_lanes;   /* what is read beyond a row is made of what lies at its end */
	MapField *field;
	int n_fields;
	const int *maker;    /* the field of a stage */
	MapTap *tap;         /* those of a stage before those of the next */
	int n_taps;
	int radius;          /* planes that a step is behind the one before */
	int latest;          /* the largest lag */
} Maps;

/* From what M has down to MAKER the rest, but for the ages; and the rims and lags of what is
 * stepped, which are 0 so far. */
void maps_measure(Maps *m, Arena *arena);

/* The ages of its taps, all lags being set. */
void maps_set_ages(Maps *m);

/* How far beside what is stored, at END of axis NUMBER, a field has to be there before the first
 * step: by field. */
const int *maps_needs(const Maps *m, Arena *arena, int number, int end);
