/* sum_terms.h: the terms of a sum, and sums of them (sums.c). */
#pragma once

#include "analyze/sums.h"

typedef struct {
	Expr *atom, *factor; /* FACTOR NULL: 1 */
	gboolean minus;
	int part;
	gint64 row;          /* of what it reads: such atoms are added first */
} SumTerm;

/* New nodes are POOL's. */
typedef struct {
	Stencil *pool;
	const SumRules *rules;
	Type type;           /* of the sum */
} SumMaker;

/* -E. */
Expr *sum_negated(Stencil *pool, Expr *e);

/* SO_FAR (NULL: 0) and E, or less. */
Expr *sum_plus(const SumMaker *m, Expr *so_far, Expr *e, gboolean minus);

/* SO_FAR (NULL: 0) and the terms of PART, those with one factor being added first;
 * *PRODUCTS: how many factors there are. */
Expr *sum_part(const SumMaker *m, Expr *so_far, GArray *terms, int part, int *products);

/* Products that adding first saves. */
int sum_saved_products(GArray *terms, int parts);

/* E as the like of it in other parts. */
Expr *sum_plain(const SumMaker *m, Expr *e);

/* Lines of terms that are multiples of one another become a factor times the same sum of
 * each (sum_outer.c); TRUE: there are some. */
gboolean sum_outer(const SumMaker *m, GArray *terms);
