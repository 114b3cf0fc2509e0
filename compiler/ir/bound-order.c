/* bound-order.c: deciding whether one bound is never above another.
 *
 * Minima and maxima are taken apart; what remains is a linear form that must
 * not be negative.  Its least value is found by putting for one atom after the
 * other what it cannot be below (above): extents are at least 1, boxes lie in
 * the default grid, a floor is close to its fraction.  The answer "yes" is
 * always right; "no" means not known.
 */
#include "ir/bound-form.h"

#define UNKNOWN G_MININT64
#define LOWER_DEPTH 10

static gint64 lower(const Form *f, int depth);

/* F without its term I. */
static Form
form_without(const Form *f, guint i)
{
	Form g = form_new(0);

	form_add_form(&g, f, 1);
	g_array_remove_index(g.terms, i);
	return g;
}

static gint64
lower_and_free(Form *f, int depth)
{
	gint64 least = lower(f, depth);

	form_free(f);
	return least;
}

/* Term I is k*floor(x/d).  A floor is at most x/d, at least (x - d + 1)/d. */
static gint64
lower_by_fraction(const Form *f, guint i, int depth)
{
	const Term *t = form_term(f, i);
	Form rest = form_without(f, i), all = form_new(0);
	gint64 d = t->atom->value;

	form_add_form(&all, &rest, d);
	form_add(&all, t->atom->arg[0], t->factor);
	if (t->factor > 0)
		all.value -= t->factor * (d - 1);
	form_free(&rest);

	gint64 least = lower_and_free(&all, depth);

	return least == UNKNOWN ? UNKNOWN : -bound_floor_div(-least, d);
}

/* The same by the least (greatest) value of the floor itself. */
static gint64
lower_by_value(const Form *f, guint i, int depth)
{
	const Term *t = form_term(f, i);
	gint64 d = t->atom->value, sign = t->factor > 0 ? 1 : -1;
	Form inner = form_of(t->atom->arg[0], sign);
	gint64 end = lower_and_free(&inner, depth);

	if (end == UNKNOWN)
		return UNKNOWN;

	Form rest = form_without(f, i);

	rest.value += t->factor * bound_floor_div(sign * end, d);
	return lower_and_free(&rest, depth);
}

/* Terms I and J are floors of x and y by the same divisor, with factors of
 * opposite signs: floor(y/d) - floor(x/d) >= floor((y - x)/d). */
static gint64
lower_by_pair(const Form *f, guint i, guint j, int depth)
{
	const Term *plus = form_term(f, i), *minus = form_term(f, j);
	gint64 k = MIN(plus->factor, -minus->factor);
	Form gap = form_of(plus->atom->arg[0], 1);

	form_add(&gap, minus->atom->arg[0], -1);

	gint64 end = lower_and_free(&gap, depth);

	if (end == UNKNOWN)
		return UNKNOWN;

	Form rest = form_new(0);

	form_add_form(&rest, f, 1);
	form_add_term(&rest, plus->atom, -k);
	form_add_term(&rest, minus->atom, k);
	rest.value += k * bound_floor_div(end, plus->atom->value);
	return lower_and_free(&rest, depth);
}

static gint64
lower_floor(const Form *f, guint i, int depth)
{
	const Term *t = form_term(f, i);
	gint64 least = MAX(lower_by_fraction(f, i, depth), lower_by_value(f, i, depth));

	for (guint j = 0; j < f->terms->len; j++) {
		const Term *o = form_term(f, j);

		if (o->atom->kind != BOUND_FLOOR || o->atom->value != t->atom->value
		    || (o->factor > 0) == (t->factor > 0))
			continue;

		gint64 pair = t->factor > 0 ? lower_by_pair(f, i, j, depth)
			: lower_by_pair(f, j, i, depth);

		least = MAX(least, pair);
	}
	return least;
}

/* Term I is a box's end: 0 <= lo <= hi <= limit. */
static gint64
lower_box(const Form *f, guint i, int depth)
{
	const Term *t = form_term(f, i);
	Form rest = form_without(f, i);
	const Bound *other = t->atom->kind == BOUND_BOX_LO ? t->atom->arg[0] : t->atom->limit;

	if (t->factor < 0) {
		if (other == NULL) {
			form_free(&rest);
			return UNKNOWN;
		}
		form_add(&rest, other, t->factor);
	}
	return lower_and_free(&rest, depth);
}

/* The first term of KIND; the number of terms if there is none. */
static guint
find_kind(const Form *f, BoundKind kind)
{
	guint i = 0;

	while (i < f->terms->len && form_term(f, i)->atom->kind != kind)
		i++;
	return i;
}

/* A constant that F is never below; UNKNOWN where none is found. */
static gint64
lower(const Form *f, int depth)
{
	gint64 least = f->value;
	guint i;

	if (depth == 0)
		return UNKNOWN;
	if ((i = find_kind(f, BOUND_FLOOR)) < f->terms->len)
		return lower_floor(f, i, depth - 1);
	if ((i = find_kind(f, BOUND_BOX_LO)) < f->terms->len)
		return lower_box(f, i, depth - 1);
	if ((i = find_kind(f, BOUND_BOX_HI)) < f->terms->len)
		return lower_box(f, i, depth - 1);
	for (i = 0; i < f->terms->len; i++) {
		const Term *t = form_term(f, i);

		if (t->atom->kind != BOUND_EXTENT || t->factor < 0)
			return UNKNOWN;
		least += t->factor;
	}
	return least;
}

gboolean
bound_at_most(const Bound *a, const Bound *b)
{
	if (a == b)
		return TRUE;
	if (a->kind == BOUND_MAX) {
		for (int i = 0; i < a->n; i++)
			if (!bound_at_most(a->arg[i], b))
				return FALSE;
		return TRUE;
	}
	if (b->kind == BOUND_MIN) {
		for (int i = 0; i < b->n; i++)
			if (!bound_at_most(a, b->arg[i]))
				return FALSE;
		return TRUE;
	}
	if (a->kind == BOUND_MIN)
		for (int i = 0; i < a->n; i++)
			if (bound_at_most(a->arg[i], b))
				return TRUE;
	if (b->kind == BOUND_MAX)
		for (int i = 0; i < b->n; i++)
			if (bound_at_most(a, b->arg[i]))
				return TRUE;
	if (bound_is_lattice(a) || bound_is_lattice(b))
		return FALSE;

	Form gap = form_of(b, 1);

	form_add(&gap, a, -1);

	gint64 least = lower_and_free(&gap, LOWER_DEPTH);

	return least != UNKNOWN && least >= 0;
}
