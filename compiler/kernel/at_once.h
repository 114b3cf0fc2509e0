/* at_once.h: roots and quotients of all cells of a thread at once.
 *
 * The runtime computes them exactly with one branch for all instead of one for each
 * (stencil_together.cuh).  So that it can, loops over cells are divided: first the
 * operands of all cells, then the function of all, then what is left.
 */
#pragma once

#include "kernel/kir.h"

/* ---- at_once_search.c ---- */

/* What the runtime calls the function that E is of its operands; NULL: it has none.
 * *N gets the number of those that differ between cells, OPERAND what they are, and what
 * is the same for all. */
const char *at_once_function(Expr *e, int *n, Expr *operand[2]);

/* Functions that loops of BODY ask for → how many of them do. */
GHashTable *at_once_asked(const GPtrArray *body);

/* The first function under ROOT that can be, operands first; NULL: none. */
Expr *at_once_find(Expr *root, GHashTable *asked);

/* ---- at_once.c ---- */

/* Divides K's loops. */
void kir_at_once(KKernel *k);
