/* interp.h: the kernel IR, carried out: what a kernel does, and whether it may.
 *
 * The threads of a block go in step, statement by statement, those that a condition
 * leaves out idle; where warps wait for one another those of a warp do, each warp going as
 * far as it gets.  Blocks come one after the other; those that pass cells to each other
 * all run at once, some as far ahead of others as they get.  That is one order of many
 * that a device may take, so what another order could change is not done but reported:
 *
 *   - an element that is used before it is written (copying it is no use of it);
 *   - an index beyond its tile, an address beyond its memory, a vector at no multiple
 *     of its width;
 *   - an element of shared memory that two threads reach, one of them to write it,
 *     with no barrier between;
 *   - one that a copy under way is to write, before that has been waited for;
 *   - an element of memory that two threads write, or one thread reads and another
 *     writes, in one launch;
 *   - a barrier, a shuffle or a vote that some threads do not come to, a gate that
 *     never opens, or opens for another turn than the one that is waited for;
 *   - what the copy engine moves before it has been shown, or what is written before the
 *     engine has taken it; one of its copies that nobody waits for;
 *   - a word of the mail that is posted twice, or before the last turn's has been received;
 *     one that is received as other cells than were posted; one that never comes.
 *
 * Values are exact: of the type of each expression, by the operators of opt/fold.h.
 */
#pragma once

#include "kernel/kir.h"
#include "opt/fold.h"

/* The memory that an array of the kernel means. */
typedef struct {
	void *at;              /* where index 0 lies */
	gint64 first, end;     /* the elements that are its own: FIRST <= index < END */
} InterpMemory;

/* What a launch gives its kernel. */
typedef struct {
	int blocks[IR_MAX_RANK];
	/* Anything but blocks, threads and lanes. */
	gint64 (*param)(const KParam *param, gpointer user);
	InterpMemory (*memory)(const KArray *array, gpointer user);
	/* A scalar, an element of a table, a result, an extent, a step. */
	FoldValue (*leaf)(const Expr *leaf, gpointer user);
	gpointer user;
} InterpLaunch;

typedef struct Interp Interp;

/* K, made ready to run any number of times; NULL: it calls functions of the user's. */
Interp *interp_new(const KKernel *k);
void interp_free(Interp *p);

/* FALSE: *WHY says which statement of which thread does what it must not; to be freed.
 * Memory is then left as it is at that point. */
gboolean interp_run(Interp *p, const InterpLaunch *launch, char **why);

/* Elements of memory that the last run has read, each as often as it did. */
gint64 interp_reads(const Interp *p);
