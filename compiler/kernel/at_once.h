/* at_once.h: roots and quotients of all cells of a thread at once.
 *
 * The runtime computes them exactly with one branch for all instead of one for each
 * (stencil_together.cuh).  So that it can, loops over cells are divided: first the
 * operands of all cells, then the function of all, then what is left.
 */
#pragma once

#include "kernel/kir.h"

/* A function of all cells of a loop. */
typedef struct {
	const KStmt *loop;
	const KStmt *rows;   /* that have nothing else, and are taken together; or NULL */
	const KValue *value; /* that asks for it */
	Expr *function;
	GPtrArray *read;     /* elements (KExpr) that the operands are made from */
	const KTile *tile;   /* which has it; or */
	const KExpr *one;    /* the value that all cells have; both NULL: not yet */
} AtOnce;

/* ---- at_once_search.c ---- */

/* What the runtime calls the function that E is of its operands; NULL: it has none.
 * *N gets the number of those that differ between cells, OPERAND what they are, and what
 * is the same for all. */
const char *at_once_function(Expr *e, int *n, Expr *operand[2]);

/* Functions of K's BODY that nvcc had better see whole; the caller's. */
GHashTable *at_once_left(const KKernel *k, const GPtrArray *body);

/* The first function under ROOT that can be, and is not LEFT, operands first; NULL: none. */
Expr *at_once_find(Expr *root, GHashTable *left);

/* ---- at_once_shared.c ---- */

/* What VAR stands for, if A's loop says so; NULL: it comes from outside. */
const KExpr *at_once_let(const AtOnce *a, const KVar *var);

/* What operands of A READ is not yet what a turn has SET, if the operands of all turns come
 * first; LATER: the turn itself sets it after it has read. */
gboolean at_once_apart(const AtOnce *a, const KExpr *read, const KExpr *set, gboolean later);

/* Functions of a body's loops (AtOnce) that registers have; the caller's. */
GPtrArray *at_once_known(void);
void at_once_keep(GPtrArray *known, const AtOnce *a);

/* What of KNOWN another loop has asked for as A does; NULL: none has. */
const AtOnce *at_once_same(const GPtrArray *known, const AtOnce *a);

/* Of what is KNOWN that which S may make something else. */
void at_once_forget(GPtrArray *known, const KStmt *s);

/* ---- at_once.c ---- */

/* Divides K's loops. */
void kir_at_once(KKernel *k);
