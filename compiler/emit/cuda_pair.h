/* cuda_pair.h: bytes, two cells of a row at a time, where they are packed (kernel/packed.h). */
#pragma once

#include "emit/kernel.h"
#include "kernel/kir.h"

typedef struct Pairs Pairs;

/* The text of an expression; of an element of packed bytes that of its row. */
typedef const char *PairText(const KExpr *e, gpointer user);

/* NULL: KIR has no such cells. */
Pairs *pairs_new(const KKernel *kir, Kernel *k, PairText *text, gpointer user);
void pairs_free(Pairs *p);

/* Words of a row of the tile; 0: it is not of packed bytes. */
int pairs_words(const Pairs *p, const KTile *tile);

/* What functions of packed bytes want of E, an element: "img_r[0][j], i + 3"; NULL: it is
 * not one of them. */
const char *pairs_place(const Pairs *p, const KExpr *e);

/* TRUE if S, a loop over the cells of a row, goes by pairs. */
gboolean pairs_take(const Pairs *p, const KStmt *s);

/* All of it, its value (packed_value) being entered. */
void pairs_print(Pairs *p, const KStmt *loop);

/* Meanwhile: the variable that means the cell two behind; NULL: none does. */
const KVar *pairs_second(const Pairs *p);

/* And what is printed for TAP, which stands for half of a pair; NULL: it does not. */
const char *pairs_half(const Pairs *p, const Expr *tap);
