/* pair.h: which integers two cells can compute at once, as the halves of one word.
 *
 * Sums of bytes, least and greatest ones, quotients by a constant, what comparisons of these
 * choose: nothing that a half of 16 bits does not hold.
 */
#pragma once

#include "analyze/range.h"

#define PAIR_HALF_MAX 65535
#define PAIR_BYTE_MAX 255

/* TRUE if TAP is a byte that a pair can have. */
typedef gboolean PairTap(const Expr *tap, gpointer user);

/* What is known of the expressions of a value. */
typedef struct {
	GHashTable *ranges, *nodes; /* Expr → Range, a number */
	PairTap *tap;
	gpointer user;
} PairLook;

void pair_look_begin(PairLook *l, PairTap *tap, gpointer user);
void pair_look_end(PairLook *l);

/* ROOT is too large for being looked at. */
gboolean pair_is_large(Expr *root);

/* E can be a pair, whose halves have a sign or have none, and at least TAPS bytes are saved more
 * than it costs to take them apart. */
gboolean pair_pays(PairLook *l, Expr *e, int taps);

/* All of ROOT can, the halves being of TYPE. */
gboolean pair_is_whole(PairLook *l, Expr *root, Type type);

/* ---- how one is made ---- */

Range pair_range(PairLook *l, const Expr *e);

/* What has to be added for nothing in R to be negative; or in what is compared. */
gint64 pair_bias(Range r);
gint64 pair_common_bias(PairLook *l, const Expr *a, const Expr *b);

/* E is a conversion that changes nothing; E without such. */
gboolean pair_keeps(PairLook *l, const Expr *e);
const Expr *pair_strip(PairLook *l, const Expr *e);

/* From the least to the greatest of what the operators OP above E compare. */
Range pair_hull(PairLook *l, const Expr *e, ExprOp op);

/* A quotient by a constant, or a shift to the right. */
typedef struct {
	gint64 by, bias; /* of the dividend: a multiple of BY */
	int bits;        /* of a shift that does; -1: none, but FACTOR */
	guint32 factor;
} PairDivision;

/* FALSE: E is none that can be a pair. */
gboolean pair_divides(PairLook *l, const Expr *e, PairDivision *d);
