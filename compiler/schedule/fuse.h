/* fuse.h: which stages may share a launch, and whether they gain by it.
 *
 * A launch computes its stages cell by cell, all of them at a cell before the
 * next; threads know nothing of each other.  So a stage may read what one before
 * it in the launch writes at its own cell only, from a register, and no stage
 * may write where another of the launch reads memory.  A scan may read what one before it made of
 * the last cell of their lines, too.
 */
#pragma once

#include "schedule/schedule.h"

/* Which of the N stages writes what TAP reads in this step; -1: none does. */
int fuse_writer(const PlanStage *stages, int n, const Expr *tap);

/* TRUE if STAGE reads what one of the N stages writes in this step. */
gboolean fuse_reads(const PlanStage *stages, int n, const Stage *stage);

/* TRUE if TAP reads the cell that STAGE is at, whichever that is. */
gboolean fuse_is_own_cell(const Stage *stage, const Expr *tap);

/* TRUE if STAGE is a scan, and TAP reads the cell before its own along its line. */
gboolean fuse_is_cell_before(const Stage *stage, const Expr *tap);

/* TRUE if A and B, regions of STAGE's grid and axes, are one box. */
gboolean fuse_same_region(const Stage *stage, const Region *a, const Region *b);

/* TRUE if the boxes of cells that A and B, of one grid and axes, compute are equal. */
gboolean fuse_same_box(const Stage *a, const Stage *b);

/* TRUE if A and B, scans of one grid and axes, begin and go on at the same cells. */
gboolean fuse_same_lines(const Stage *a, const Stage *b);

/* Why STAGE cannot join a launch of the N stages, which come right before it; NULL:
 * it can.  What the launch has in memory lies apart (schedule/buffers.c); stages of one
 * kind that a strategy can serve together are for the planner to choose. */
const char *fuse_refuses(const PlanStage *stages, int n, const Stage *stage, Arena *arena);

/* What STAGE reads and writes: components of fields at a level, interleaved ones as one.
 * To be freed. */
GHashTable *fuse_touched(const Stage *stage);

/* TRUE if each of N stages (what they touch) reads what others have in registers: no
 * launches of fewer stages would move as little. */
gboolean fuse_pays(GHashTable *const *touched, int n);

/* The fewest that do, of LEAST stages or more; 0: not by the first MOST, either. */
int fuse_paying(GHashTable *const *touched, int least, int most);

/* The index of the last stage that reads the temp that STAGE writes; -1: it writes none. */
int fuse_last_use(const Schedule *sched, const Stage *stage);

/* Which of the N stages, all that a launch has, are not to be stored. */
void fuse_mark_passing(const Schedule *sched, PlanStage *stages, int n);
