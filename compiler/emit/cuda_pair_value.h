/* cuda_pair_value.h: what of a value two cells of a row compute in one word.
 *
 * Sums of bytes, least and greatest ones, quotients by a constant: a pair has those of a
 * cell and of the one two columns behind it in its halves.  What several rows give to a
 * column is put together before the columns are, so that cells beside each other share it:
 * integers may be added in any order.
 */
#pragma once

#include "emit/names.h"
#include "analyze/pair.h"
#include "kernel/kir.h"

/* Where the byte lies that a tap means. */
typedef struct {
	const char *row; /* "img_r[0][j + 1]" */
	int words;       /* of it */
	int column;      /* that of the first cell, from the loop's on */
	gboolean is_signed;
} PairByte;

/* TRUE if TAP is a byte of packed ones; BYTE: where. */
typedef gboolean PairPlace(const KValue *value, const Expr *tap, PairByte *byte, gpointer user);

typedef struct {
	const char *name, *text;
	int n; /* of its elements; 0: it is one word */
} PairName;

/* What is computed one by one in the end has this for the halves of a pair. */
typedef struct {
	Expr *leaf;
	const char *pair;
	Range range;
} PairLeaf;

typedef struct {
	GArray *columns;   /* PairName: to be made before the loop over the row's cells */
	const char *index; /* of their elements */
	GArray *pairs;     /* PairName: in the loop */
	GArray *leaves;    /* PairLeaf */
	const char *whole; /* the value, where it is a pair; NULL: it is ROOT */
	Expr *root;
} PairSplit;

/* VAR: the name of the loop's variable.  WHOLE: the value is a pair, of bytes, and these
 * are the lower ones of its halves. */
PairSplit *pair_split(Arena *arena, Names *names, const KValue *value, const char *var,
	gboolean whole, PairPlace *place, gpointer user);
void pair_split_free(PairSplit *split);
