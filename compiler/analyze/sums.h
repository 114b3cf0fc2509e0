/* sums.h: sums, and least and largest values, taken apart and put together again.
 *
 * A sum's terms are gathered by what they read (their part: a plane, say), the parts in
 * order; within a part, terms with one coefficient are added before they are multiplied.
 * A part that comes again among the others (`plain') is made by itself where that takes
 * fewer operations, else it goes on with the sum so far.  Lines of terms, a part's or
 * smaller ones, whose factors are multiples of one another become a factor times the same
 * sum (sum_outer.c), where that takes fewer operations if that sum is made but once.
 *
 * Sums of integers, and of what is least or largest, are the same in any order.
 */
#pragma once

#include "ir/ir.h"

typedef struct {
	gboolean reals;   /* sums of reals may be regrouped, too */
	gboolean fuses;   /* products are contracted into fmas */
	gboolean sparing; /* only where that saves products, and nothing has to be shared */
	gboolean apart;   /* parts that come again are made by themselves, whatever that takes */
	int parts;
	/* The part of LEAF, from 0; -1: it is the same in all of them. */
	int (*part)(const Expr *leaf, gpointer user);
	/* The line of ATOM; below 0: it is of none.  NULL: lines are parts. */
	gint64 (*line)(const Expr *atom, gpointer user);
	/* What E and the like of it in other lines have in common. */
	Expr *(*plain)(Stencil *pool, Expr *e, gpointer user);
	gpointer user;
} SumRules;

/* ROOT in that order; new nodes are POOL's. */
Expr *sums_regroup(Stencil *pool, Expr *root, const SumRules *rules);
