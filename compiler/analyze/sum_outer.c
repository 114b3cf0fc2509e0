/* sum_outer.c: tables of factors that are products of two vectors: sums of sums.
 *
 * Where the factors of several lines of terms (planes, rows) are multiples of one another,
 * each line becomes one term: its own factor times a sum that is the same, plain, for all
 * of them, and is made once where lines share what they read.
 *
 * Integers have to be exact.  A real factor may be off by as much as three roundings: so
 * far apart are two vectors, each value rounded, and the rounded table of their products,
 * if the vectors are found again by dividing.  That is no more than what the sum loses by
 * its own roundings: a term goes through ROWS + COLUMNS of them, and not ROWS * COLUMNS,
 * which is what the bound of a sum in any order counts.  Tables that are too small for
 * that have to be as near as the difference.
 */
#include <math.h>

#include "analyze/outer.h"
#include "analyze/sum_terms.h"

#define MOST_APART 3

/* Terms of one line that read the same field. */
typedef struct {
	gint64 number;
	const Expr *source; /* some tap */
	GArray *at;         /* where they stand among the terms */
	GHashTable *place;  /* plain atom → which of them, and 1 */
	gboolean twice, grouped;
} Line;

typedef struct {
	const SumMaker *maker;
	GArray *terms;
	GPtrArray *lines;
	gboolean real;
} Outer;

/* ---- lines ---- */

typedef struct {
	const Expr *tap;
	gboolean mixed;
} Seen;

static gboolean
same_source(const Expr *a, const Expr *b)
{
	return a->tap.field == b->tap.field && a->tap.component == b->tap.component
		&& a->tap.level == b->tap.level;
}

static void
find_source(Expr *e, gpointer user)
{
	Seen *s = user;

	if (e->op != EXPR_TAP)
		return;
	s->mixed = s->mixed || (s->tap != NULL && !same_source(s->tap, e));
	s->tap = e;
}

static gboolean
is_number(const SumTerm *t)
{
	return t->factor == NULL || t->factor->op == EXPR_CONST;
}

static Line *
line_of(const Outer *o, gint64 number, const Expr *source)
{
	Line *new;

	for (guint i = 0; i < o->lines->len; i++) {
		Line *l = g_ptr_array_index(o->lines, i);

		if (l->number == number && same_source(l->source, source))
			return l;
	}
	new = g_new0(Line, 1);
	new->number = number;
	new->source = source;
	new->at = g_array_new(FALSE, FALSE, sizeof(int));
	new->place = g_hash_table_new(NULL, NULL);
	g_ptr_array_add(o->lines, new);
	return new;
}

static void
free_line(gpointer data)
{
	Line *l = data;

	g_array_unref(l->at);
	g_hash_table_unref(l->place);
	g_free(l);
}

static void
find_lines(const Outer *o)
{
	const SumRules *rules = o->maker->rules;

	for (int i = 0; i < (int)o->terms->len; i++) {
		const SumTerm *t = &g_array_index(o->terms, SumTerm, i);
		Seen s = { NULL, FALSE };
		gint64 number = t->part;
		Expr *plain;
		Line *l;

		if (!is_number(t))
			continue;
		expr_visit(&t->atom, 1, find_source, &s);
		if (rules->line != NULL && s.tap != NULL)
			number = rules->line(t->atom, rules->user);
		if (s.tap == NULL || s.mixed || number < 0)
			continue;
		l = line_of(o, number, s.tap);
		plain = sum_plain(o->maker, t->atom);
		g_array_append_val(l->at, i);
		l->twice = l->twice || !g_hash_table_insert(l->place, plain,
			GINT_TO_POINTER((int)l->at->len));
	}
}

/* ---- lines that are multiples ---- */

/* Their factors as a table; what stands in a column reads the same, plain. */
typedef struct {
	int rows, columns;
	Line **line;
	int *at;            /* [row][column]: which term */
	double *real, *column, *row;
	gint64 *integer, *integer_column, *integer_row;
} Factors;

static void
table_new(Factors *t, int rows, int columns)
{
	gsize n = (gsize)(rows * columns);

	*t = (Factors){ rows, columns, g_new(Line *, (gsize)rows), g_new(int, n),
		g_new(double, n), g_new(double, (gsize)rows), g_new(double, (gsize)columns),
		g_new(gint64, n), g_new(gint64, (gsize)rows), g_new(gint64, (gsize)columns) };
}

static void
table_free(Factors *t)
{
	g_free(t->line);
	g_free(t->at);
	g_free(t->real);
	g_free(t->column);
	g_free(t->row);
	g_free(t->integer);
	g_free(t->integer_column);
	g_free(t->integer_row);
}

/* FALSE: it does not read what the first line reads. */
static gboolean
set_row(const Outer *o, Factors *t, int r, Line *line)
{
	GHashTableIter it;
	gpointer plain, place;

	t->line[r] = line;
	g_hash_table_iter_init(&it, t->line[0]->place);
	while (g_hash_table_iter_next(&it, &plain, &place)) {
		int c = GPOINTER_TO_INT(place) - 1, k = r * t->columns + c;
		int here = GPOINTER_TO_INT(g_hash_table_lookup(line->place, plain)) - 1;
		const SumTerm *term;

		if (here < 0)
			return FALSE;
		t->at[k] = g_array_index(line->at, int, here);
		term = &g_array_index(o->terms, SumTerm, t->at[k]);
		if (o->real)
			t->real[k] = (term->factor != NULL ? term->factor->real : 1)
				* (term->minus ? -1 : 1);
		else
			t->integer[k] = (term->factor != NULL ? term->factor->integer : 1)
				* (term->minus ? -1 : 1);
	}
	return TRUE;
}

static gboolean
is_outer(const Outer *o, Factors *t, int most)
{
	if (!o->real)
		return outer_integers(t->rows, t->columns, t->integer, t->integer_column,
			t->integer_row);
	return outer_reals(o->maker->type, t->rows, t->columns, t->real, most, t->column, t->row);
}

static gboolean
are_multiples(const Outer *o, Line *a, Line *b)
{
	gboolean fine = b->at->len == a->at->len && !b->twice && !b->grouped
		&& same_source(a->source, b->source);
	Factors pair;

	if (!fine)
		return FALSE;
	table_new(&pair, 2, (int)a->at->len);
	fine = set_row(o, &pair, 0, a) && set_row(o, &pair, 1, b)
		&& is_outer(o, &pair, MOST_APART);
	table_free(&pair);
	return fine;
}

/* ---- sums of sums ---- */

static double
size_in_row(const Outer *o, const Factors *t, int c)
{
	return o->real ? fabs(t->row[c]) : fabs((double)t->integer_row[c]);
}

/* As many factors as the row has. */
static int
products_of(const Outer *o, const Factors *t)
{
	int n = 0;

	for (int c = 0; c < t->columns; c++) {
		gboolean new = TRUE;

		for (int k = 0; k < c; k++)
			new = new && size_in_row(o, t, k) != size_in_row(o, t, c);
		n += new;
	}
	return n;
}

static gboolean
has_one(const Outer *o, const Factors *t)
{
	for (int c = 0; c < t->columns; c++)
		if (size_in_row(o, t, c) == 1)
			return TRUE;
	return FALSE;
}

/* A sum of all lines with only one factor costs no more than the lines apart, even where
 * nothing is shared, if it comes without one product. */
static gboolean
pays(const Outer *o, const Factors *t)
{
	int products = products_of(o, t);

	return products + t->rows < products * t->rows
		&& (!o->maker->rules->sparing || has_one(o, t));
}

/* |NUMBER|; NULL: 1. */
static void
set_factor(const Outer *o, SumTerm *t, Span at, double real, gint64 integer)
{
	Type type = o->maker->type;

	t->minus = o->real ? real < 0 : integer < 0;
	if (o->real)
		t->factor = fabs(real) == 1 ? NULL : expr_real(o->maker->pool, at, type,
			fabs(real));
	else
		t->factor = ABS(integer) == 1 ? NULL : expr_int(o->maker->pool, at, type,
			ABS(integer));
}

static int
first_of(const Factors *t, int r)
{
	int first = t->at[r * t->columns];

	for (int c = 1; c < t->columns; c++)
		first = MIN(first, t->at[r * t->columns + c]);
	return first;
}

/* The terms of row R become one, which stands where their first was. */
static void
replace_row(const Outer *o, const Factors *t, int r, gboolean *gone)
{
	GArray *inner = g_array_new(FALSE, FALSE, sizeof(SumTerm));
	int first = first_of(t, r), unused;
	SumTerm *place = &g_array_index(o->terms, SumTerm, first), all = *place;

	for (int one = 1; one >= 0; one--) /* without a product first */
		for (int c = 0; c < t->columns; c++) {
			int at = t->at[r * t->columns + c];
			SumTerm term = g_array_index(o->terms, SumTerm, at);

			if ((size_in_row(o, t, c) == 1) != (one == 1))
				continue;
			set_factor(o, &term, term.atom->at, t->row[c], t->integer_row[c]);
			term.part = 0;
			g_array_append_val(inner, term);
			gone[at] = at != first;
		}
	all.atom = sum_part(o->maker, NULL, inner, 0, &unused);
	all.row = G_MAXINT64;
	set_factor(o, &all, all.atom->at, t->column[r], t->integer_column[r]);
	*place = all;
	g_array_unref(inner);
}

/* FALSE: FIRST has no multiples, or they are not worth it. */
static gboolean
group(const Outer *o, guint first, gboolean *gone)
{
	GPtrArray *like = g_ptr_array_new();
	Line *base = g_ptr_array_index(o->lines, first);
	gboolean fine = TRUE;
	Factors t;

	g_ptr_array_add(like, base);
	for (guint i = first + 1; i < o->lines->len; i++)
		if (are_multiples(o, base, g_ptr_array_index(o->lines, i)))
			g_ptr_array_add(like, g_ptr_array_index(o->lines, i));
	table_new(&t, (int)like->len, (int)base->at->len);
	for (int r = 0; r < t.rows; r++)
		set_row(o, &t, r, g_ptr_array_index(like, r));
	fine = t.rows > 1 && is_outer(o, &t, CLAMP(t.rows * t.columns - t.rows - t.columns, 0,
		MOST_APART)) && pays(o, &t);
	for (int r = 0; r < t.rows && fine; r++) {
		t.line[r]->grouped = TRUE;
		replace_row(o, &t, r, gone);
	}
	table_free(&t);
	g_ptr_array_unref(like);
	return fine;
}

gboolean
sum_outer(const SumMaker *m, GArray *terms)
{
	Outer o = { m, terms, g_ptr_array_new_with_free_func(free_line), type_is_real(m->type) };
	gboolean *gone = g_new0(gboolean, terms->len), any = FALSE;
	guint left = 0;

	find_lines(&o);
	for (guint i = 0; i < o.lines->len; i++) {
		const Line *l = g_ptr_array_index(o.lines, i);

		if (!l->grouped && !l->twice && l->at->len > 1)
			any = group(&o, i, gone) || any;
	}
	for (guint i = 0; i < terms->len; i++)
		if (!gone[i])
			g_array_index(terms, SumTerm, left++) = g_array_index(terms, SumTerm, i);
	g_array_set_size(terms, left);
	g_free(gone);
	g_ptr_array_unref(o.lines);
	return any;
}
