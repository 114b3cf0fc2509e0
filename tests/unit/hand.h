/* hand.h: kernels made statement by statement, for tests of the kernel IR. */
#pragma once

#include "test.h"

#include "kernel/kir.h"
#include "scheduled.h"

extern const KType i32, f32;

typedef struct {
	Scheduled *t;
	KKernel *k;
	const Field *a, *o;
	const KTile *r, *far; /* registers: [4]; one */
	const KExpr *lane, *x, *y;
} Hand;

/* Blocks of X by Y by Z threads; 32 by 4. */
Hand hand_of(int x, int y, int z);
Hand hand_new(void);
void hand_free(Hand *h);

/* Says what is wrong, in words that hold TEXT; NULL: nothing is.  Frees H. */
void expect(Hand *h, const char *text);

/* r[index], far. */
const KExpr *at(const Hand *h, const KExpr *index);
const KExpr *at_int(const Hand *h, int index);
const KExpr *far_value(const Hand *h);

/* a[0...] to r[index...]; value to o[0]. */
void load(const Hand *h, GPtrArray *body, int index, int width);
void use(const Hand *h, GPtrArray *body, const KExpr *value);

/* E < N */
const KExpr *below(const Hand *h, const KExpr *e, int n);
void copy(const Hand *h, GPtrArray *body, const KExpr *to, const KExpr *from);
void shuffle(const Hand *h, GPtrArray *body);
