/* choice.h: the decisions that a random program is made of.
 *
 * Every decision is a small number, and 0 is the simplest.  They are recorded,
 * with the spans of them that make up a part of the program, so that another
 * program can be made from a changed record: a span left out, one put in the
 * place of another, numbers made smaller.  That is how a failure is shrunk.
 */
#pragma once

#include <glib.h>

/* Decisions BEGIN to END (not included) make one thing of kind LABEL. */
typedef struct {
	int label;
	guint begin, end;
} Span;

typedef struct {
	guint64 state;       /* of the chance that decides where nothing is replayed */
	const GArray *given; /* guint32: decisions to follow, then zeros; NULL: chance */
	GArray *made;        /* guint32 */
	GArray *spans;       /* Span, in the order of their beginnings */
	GArray *open;        /* guint: spans that have not ended */
} Choices;

/* SEED decides where GIVEN is NULL. */
Choices *choices_new(guint64 seed, const GArray *given);
void choices_free(Choices *c);

/* From 0 to N-1. */
int choices_below(Choices *c, int n);

void choices_begin(Choices *c, int label);
void choices_end(Choices *c);
