/* packed.h: which bytes of a kernel stay together in the words that they were loaded as.
 *
 * Where loops over the cells of a row read them, and these go by pairs (analyze/pair.h): the
 * values of a cell and of the one two behind it are computed as the halves of one word, what
 * is made of them after that one by one.  Results stay together, too, if they are pairs to
 * the end.
 */
#pragma once

#include "kernel/kir.h"

#define PACKED_WORD 4 /* bytes */

typedef struct {
	Arena *arena;
	int *column;      /* of a vector in the tile, by KTile.index; -1: there is none */
	gboolean *packed; /* by KTile.index: loaded, and read by such loops, nothing else; or
	                   * set by them, all of it by pairs, and stored */
	GPtrArray *loops; /* KStmt: those */
} Packed;

/* NULL: KIR has no such bytes. */
Packed *packed_of(const KKernel *kir, Arena *arena);
void packed_free(Packed *p);

/* TRUE if KIR has some, and all of its results are. */
gboolean packed_to_the_end(const KKernel *kir);

/* Words of a row of TILE (0: it is not packed), and bytes of them before its first column. */
int packed_words(const Packed *p, const KTile *tile);
int packed_before(const Packed *p, const KTile *tile);

/* TRUE if S, a loop over the cells of a row, goes by pairs; what such a loop does, and what it
 * computes. */
gboolean packed_takes(const Packed *p, const KStmt *s);
const KStmt *packed_set(const KStmt *loop);
const KValue *packed_value(const KStmt *loop);

/* The element that TAP of VALUE means, COLUMN behind the loop's variable; NULL: it is none of a
 * loaded row that is packed. */
const KExpr *packed_byte(const Packed *p, const KValue *value, const Expr *tap, int *column);
