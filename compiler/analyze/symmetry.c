/* symmetry.c: classes of equal coefficients, mirrors, outer products. */
#include "analyze/symmetry.h"

#include <math.h>

static void
free_class(gpointer data)
{
	CoefficientClass *c = data;

	g_free(c->term);
	g_free(c);
}

GPtrArray *
symmetry_classes(const Linear *form)
{
	GPtrArray *classes = g_ptr_array_new_with_free_func(free_class);
	GHashTable *known = g_hash_table_new(NULL, NULL);

	for (int i = 0; i < form->n; i++) {
		Expr *coefficient = form->term[i].coefficient;
		CoefficientClass *c = g_hash_table_lookup(known, coefficient);

		if (c == NULL) {
			c = g_new0(CoefficientClass, 1);
			c->coefficient = coefficient;
			g_hash_table_insert(known, coefficient, c);
			g_ptr_array_add(classes, c);
		}
		c->term = g_renew(const LinearTerm *, c->term, (gsize)c->n + 1);
		c->term[c->n++] = &form->term[i];
	}
	g_hash_table_unref(known);
	return classes;
}

/* ---- coefficients by place ---- */

/* The box that the taps lie in, and the term at each of its places. */
typedef struct {
	int lo[IR_MAX_RANK], size[IR_MAX_RANK];
	int n;
	const LinearTerm **at; /* NULL: no tap there */
} Places;

#define PLACES_MAX 65536

static int
place_of(const Places *p, const int offset[IR_MAX_RANK])
{
	int k = 0;

	for (int a = 0; a < IR_MAX_RANK; a++)
		k = k * p->size[a] + offset[a] - p->lo[a];
	return k;
}

/* The box of all taps of SET; FALSE: it is too large. */
static gboolean
measure(const TapSet *set, Places *p)
{
	gint64 n = 1;

	for (int a = 0; a < IR_MAX_RANK; a++) {
		int lo = G_MAXINT, hi = G_MININT;

		for (int i = 0; i < set->n; i++) {
			lo = MIN(lo, tap_offset(set->tap[i], a));
			hi = MAX(hi, tap_offset(set->tap[i], a));
		}
		p->lo[a] = lo;
		p->size[a] = hi - lo + 1;
		n *= p->size[a];
		if (n > PLACES_MAX)
			return FALSE;
	}
	p->n = (int)n;
	return TRUE;
}

static gboolean
places_of(const Linear *form, const TapSet *set, Places *p)
{
	gboolean once = TRUE;

	if (!set->plain || set->field != form->field || !measure(set, p))
		return FALSE;
	p->at = g_new0(const LinearTerm *, (gsize)p->n);
	for (int i = 0; i < form->n; i++) {
		const Expr *tap = form->term[i].tap;
		int offset[IR_MAX_RANK], k;

		if (tap->tap.component != set->component || tap->tap.level != set->level)
			continue;
		for (int a = 0; a < IR_MAX_RANK; a++)
			offset[a] = tap_offset(tap, a);
		k = place_of(p, offset);
		once = once && p->at[k] == NULL;
		p->at[k] = &form->term[i];
	}
	if (!once)
		g_free(p->at);
	return once;
}

gboolean
symmetry_mirror(const Linear *form, const TapSet *set, int axis)
{
	Places p;
	gboolean same;
	int stride = 1;

	if (!places_of(form, set, &p))
		return FALSE;
	for (int a = axis + 1; a < IR_MAX_RANK; a++)
		stride *= p.size[a];
	same = p.size[axis] > 1 && p.lo[axis] == -(p.lo[axis] + p.size[axis] - 1);
	for (int k = 0; k < p.n && same; k++) {
		int along = k / stride % p.size[axis];
		const LinearTerm *t = p.at[k];
		const LinearTerm *other = p.at[k + (p.size[axis] - 1 - 2 * along) * stride];

		same = (t == NULL) == (other == NULL)
			&& (t == NULL || t->coefficient == other->coefficient);
	}
	g_free(p.at);
	return same;
}

/* ---- outer products ---- */

/* a*b == c*d, the products not being rounded. */
static gboolean
same_product(double a, double b, double c, double d)
{
	double p = a * b, q = c * d;

	return p == q && fma(a, b, -p) == fma(c, d, -q);
}

static gboolean
all_constant(const Places *p)
{
	for (int k = 0; k < p->n; k++)
		if (p->at[k] != NULL && p->at[k]->kind != COEFFICIENT_CONSTANT)
			return FALSE;
	return TRUE;
}

static double
value_at(const Places *p, int place)
{
	return p->at[place] ? p->at[place]->value : 0;
}

/* TRUE if all lines along AXIS are multiples of the one through place PIVOT,
 * whose own value is not 0. */
static gboolean
lines_are_multiples(const Places *p, int axis, int pivot)
{
	int stride = 1, along;

	for (int a = axis + 1; a < IR_MAX_RANK; a++)
		stride *= p->size[a];
	along = pivot / stride % p->size[axis];
	for (int k = 0; k < p->n; k++) {
		int here = k / stride % p->size[axis];
		int on_line = pivot + (here - along) * stride; /* in the pivot's line */
		int beside = k + (along - here) * stride;      /* at the pivot's height */

		if (!same_product(value_at(p, k), value_at(p, pivot), value_at(p, on_line),
			value_at(p, beside)))
			return FALSE;
	}
	return TRUE;
}

gboolean
symmetry_separable(const Linear *form, const TapSet *set)
{
	Places p;
	int pivot = 0, wide = 0;
	gboolean product;

	if (!places_of(form, set, &p))
		return FALSE;
	if (!all_constant(&p)) {
		g_free(p.at);
		return FALSE;
	}
	while (pivot < p.n && value_at(&p, pivot) == 0)
		pivot++;
	product = pivot < p.n;
	for (int a = 0; a < IR_MAX_RANK && product; a++) {
		wide += p.size[a] > 1;
		product = lines_are_multiples(&p, a, pivot);
	}
	g_free(p.at);
	return product && wide >= 2;
}
