/* verify.h: what the parts of the verifier share; private. */
#pragma once

#include "ir/ir.h"

/* What leaves an expression may have, besides constants. */
typedef enum {
	LEAF_SCALARS = 1 << 0, /* and table elements */
	LEAF_EXTENTS = 1 << 1,
	LEAF_RESULTS = 1 << 2,
	LEAF_CELL = 1 << 3,    /* taps, coordinates, the step */
} LeafSet;

typedef struct {
	const Stencil *s;
	char *why;             /* the first thing found */
	char *where;           /* what is being looked at */
	GHashTable *assigned;  /* keys of verify_key: by the stages so far */
	GHashTable *computed;  /* Result: by the stages so far */
	const Stage *stage;    /* NULL: none */
	gboolean in_start;
	LeafSet leaves;
} Verify;

/* Says what is wrong, if nothing was wrong before. */
void verify_fail(Verify *v, const char *format, ...) G_GNUC_PRINTF(2, 3);

#define VERIFY(v, condition, ...) \
	G_STMT_START { if (!(condition)) verify_fail(v, __VA_ARGS__); } G_STMT_END

gboolean verify_listed(const GPtrArray *list, gconstpointer item);

/* For the table of what is assigned. */
gpointer verify_key(const Field *f, int component, int level);

/* An expression, in the stage and with the leaves that V says. */
void verify_expr(Verify *v, Expr *root);
