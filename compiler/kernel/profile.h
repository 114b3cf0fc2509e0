/* profile.h: fields that vary along some of the axes only, beside those that several steps of a
 * sweep read: what of them a thread's cells need comes from memory by itself, before the walk
 * where it does not vary along it, else row by row, or plane by plane.
 */
#pragma once

#include "kernel/source.h"
#include "kernel/where.h"

gboolean profile_is_field(const Stage *stage, const Field *f);

/* A tap of such, that moves with the cell. */
gboolean profile_is_tap(const Stage *stage, const Expr *tap);

gboolean profile_is_read(const Stage *stage);

/* The cells of a thread: those of WHERE's axes, of which the last is walked along, unless all are
 * there at once. */
typedef struct {
	Where where;  /* the places of a thread's first cell */
	int cells[2]; /* side by side along the first two axes */
	gboolean walks;
} Profiles;

/* Such fields are none of the SOURCES of STAGE that go through a queue.  A table for their
 * registers; NULL: neither there nor among the taps FAR from all sources is any. */
GHashTable *profile_split(GPtrArray *sources, const GPtrArray *far, const Stage *stage);

/* Into KNOWN, by the tap: the registers of what STAGE reads of such fields that do not vary
 * along the walk. */
void profile_load(KKernel *k, GPtrArray *body, const Profiles *p, const Stage *stage,
	GHashTable *known);

/* With those of KNOWN the registers of all, as they are where the walk has come to; the
 * caller's, or NULL like KNOWN. */
GHashTable *profile_load_walked(KKernel *k, GPtrArray *body, const Profiles *p,
	const Stage *stage, GHashTable *known);

/* BOUND, for the value of the cell of COLUMN and ROW of the thread: those of KNOWN. */
void profile_bind(KKernel *k, const Stage *stage, GHashTable *known, const KExpr *column,
	const KExpr *row, GHashTable *bound);
