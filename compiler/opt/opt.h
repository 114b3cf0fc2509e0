/* opt.h: the passes over the IR.  Each works in place; most of them on every expression of
 * a stencil: values and starts of stages, conditions, values of boundaries. */
#pragma once

#include "ir/ir.h"

/* Constants are folded (fold.h).  What a stage assigns keeps its type. */
void opt_fold(Stencil *s);

/* Temps that nobody reads are not made, nor are those that only they read (unread.c). */
void opt_unread(Stencil *s);

/* Terms of associative sums with one coefficient are added first, tables that are the
 * product of two vectors become sums of sums (factor.c).  Wants folded expressions, before
 * products are contracted. */
void opt_factor(Stencil *s);

/* Differences that are squared, or of which the amount is taken, go one way round, so that
 * cells can share them (even.c).  Wants products that are not yet contracted. */
void opt_even(Stencil *s);

/* Products used once are contracted into fmas (language, Order and fusing).
 * Wants folded expressions. */
void opt_contract(Stencil *s);

/* Temps that are the same everywhere are not made (same.c).  Wants contracted products. */
void opt_same(Stencil *s);

/* Temps that are a few operations, and that only scans read, are not made (inline.c).  Wants
 * contracted products. */
void opt_inline(Stencil *s);

/* Scans along the same lines come one after the other (order.c). */
void opt_order(Stencil *s);

/* Equal values become one node: operands of commutative operators are put in
 * order, equal boundaries are one; what nothing uses is gone, and the rest is
 * numbered in the order in which it is printed. */
void opt_cse(Stencil *s);

/* Associative sums are moved as far as another order may (nudge.c): what --nudge-sums asks for.
 * Wants contracted products; nothing may come after it. */
void opt_nudge(Stencil *s);

/* Roots and quotients of an arm that a choice does not take are of 1 there (untaken.c). */
void opt_untaken(Stencil *s);

/* What the steps make anew, and is always the same, a stencil beside this one makes before the
 * first of them, Stencil.first, for calls of many steps without a box (stays.c).  After it come
 * only these: */
void opt_stays(Stencil *s);

/* What takes long of one cell, and many cells around it ask for, becomes a temp of calls without a
 * box: those with one get a stencil beside this one, Stencil.boxed (once.c). */
void opt_once(Stencil *s);

/* What windows take of each row becomes a temp of calls without a box, where a pipeline in a plane
 * has several: likewise (rows.c). */
void opt_rows(Stencil *s);

/* Calls of the whole grid ask no cell whether it is there, if only a box may leave some out: those
 * with a box get a stencil beside this one, Stencil.boxed (whole.c). */
void opt_whole(Stencil *s);

/* What is stepped, if interleaved fields have to do with it, gets a stencil of planar ones beside
 * it: Stencil.planar (planar.c).  Nothing may come after it. */
void opt_planar(Stencil *s);

/* E, if it commutes with its operands in the order in which they were made. */
Expr *opt_sorted(Stencil *s, Expr *e);

/* The stages as they stand: after some have come or gone. */
void opt_number_stages(Stencil *s);

/* All cells of GRID. */
Region opt_whole_region(const Stencil *s, Grid *grid);

/* "OF_WHAT", or with a number, that no field of S has. */
const char *opt_free_name(const Stencil *s, const char *of, const char *what);

/* A value that several cells ask for: what becomes a temp (temps.c). */
typedef struct {
	Expr *home;         /* of a stage's own cell */
	const Stage *stage; /* the first that asks for it */
	guint ready;        /* behind so many stages is what it is made of */
	Region region;      /* where it can be computed */
	gboolean associative;
	GPtrArray *members; /* Expr: what stages ask for, each once, */
	GPtrArray *taps;    /* and of each a tap of the cell whose value it is */
} OptValue;

/* The field "X_WHAT" of V and the stage that makes it, behind those that make fields from number
 * FIRST on; all stages read that. */
void opt_make_temp(Stencil *s, const OptValue *v, const char *what, guint first);

/* What lies beyond the grid taps A and B read by the same map of it. */
gboolean opt_same_edges(const Expr *a, const Expr *b);

/* STAGE is a map that makes all cells of a temp. */
gboolean opt_makes_temp(const Stencil *s, const Stage *stage);

/* S of other fields, by Field.index: its lists of fields, stages and needs are its own, all else is
 * shared (copy.c). */
Stencil *opt_copy(Stencil *s, Field *const *field);

typedef struct {
	const char *name;
	void (*run)(Stencil *s);
} OptPass;

/* In the order in which they run; the last has no name. */
extern const OptPass opt_passes[];

/* FN over every expression of S that its DAGs hang on: of stages (the stage is
 * given), then of conditions and boundaries (NULL is given). */
typedef void (*OptRoot)(Stencil *s, Stage *stage, Expr **root, gpointer user);
void opt_roots(Stencil *s, OptRoot fn, gpointer user);
