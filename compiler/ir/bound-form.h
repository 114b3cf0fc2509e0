/* bound-form.h: linear forms over the atoms of bounds; private to ir/bound*.c. */
#pragma once

#include "ir/bound.h"

/* The order of the operands in a bound: by structure. */
int bound_compare(const Bound *a, const Bound *b);

static inline gboolean
bound_is_lattice(const Bound *b)
{
	return b->kind == BOUND_MIN || b->kind == BOUND_MAX;
}

/* Floor of a/d, d > 0. */
static inline gint64
bound_floor_div(gint64 a, gint64 d)
{
	return a / d - (a % d < 0);
}

typedef struct {
	const Bound *atom;
	gint64 factor;
} Term;

/* value + sum of factor*atom; sorted, no factor is 0. */
typedef struct {
	gint64 value;
	GArray *terms; /* Term */
} Form;

Form form_new(gint64 value);
Form form_of(const Bound *b, gint64 k); /* k * b */
void form_free(Form *f);

Term *form_term(const Form *f, guint i);

/* f += factor*atom, k*b, k*g */
void form_add_term(Form *f, const Bound *atom, gint64 factor);
void form_add(Form *f, const Bound *b, gint64 k);
void form_add_form(Form *f, const Form *g, gint64 k);
