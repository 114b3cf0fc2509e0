/* distinct.h: what of a kernel's values is computed once, though several of them have it.
 *
 * Stages of a launch share what is the same expression (opt/cse.c) of the same registers; and
 * what no cell has to do with, a thread has once.
 */
#pragma once

#include "analyze/cost.h"
#include "kernel/kir.h"

typedef struct Distinct Distinct;

typedef struct {
	int cell[COST_N];   /* operations of each cell, */
	int thread[COST_N]; /* and of none; */
	int extremes;       /* of each cell's: least and greatest of whole numbers */
	int literals;       /* constants of 64 bits that no instruction has room for */
	GPtrArray *changed; /* Expr: conversions of what registers hold, which cells share */
} DistinctOps;

/* What LEAF of V stands for, the same number for the same; 0: something of its own. */
typedef guint64 DistinctLeaf(const KValue *v, Expr *leaf, gpointer user);

Distinct *distinct_new(void);
void distinct_free(Distinct *d);

/* Of V, but for what values that were asked for before have, too; the second time for V, as the
 * first.  SINGLY: cells have them one by one. */
const DistinctOps *distinct_ops(Distinct *d, const KValue *v, gboolean singly, DistinctLeaf *leaf,
	gpointer user);

/* TRUE, the first time: byte BYTE of what has the number LEAF, or what begins there, becomes TYPE,
 * for all that ask for it. */
gboolean distinct_change(Distinct *d, guint64 leaf, int byte, Type type);
