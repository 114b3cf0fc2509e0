/* sum_terms.c: terms with one factor are added before they are multiplied. */
#include "analyze/sum_terms.h"

Expr *
sum_negated(Stencil *pool, Expr *e)
{
	if (e->op == EXPR_CONST)
		return type_is_real(e->type) ? expr_real(pool, e->at, e->type, -e->real)
			: expr_unary(pool, e->at, EXPR_NEG, type_kind(e->type), e);
	return e->op == EXPR_NEG ? e->arg[0] : expr_unary(pool, e->at, EXPR_NEG,
		type_kind(e->type), e);
}

Expr *
sum_plus(const SumMaker *m, Expr *so_far, Expr *e, gboolean minus)
{
	if (so_far == NULL)
		return minus ? sum_negated(m->pool, e) : e;
	return expr_binary(m->pool, e->at, minus ? EXPR_SUB : EXPR_ADD, m->type, so_far, e);
}

/* Terms of one part with one factor: what they multiply. */
static Expr *
add_atoms(const SumMaker *m, const GPtrArray *terms, gboolean minus)
{
	Expr *all = NULL;
	GHashTable *done = g_hash_table_new(NULL, NULL);

	for (int sign = 0; sign < 2; sign++) /* one that is not subtracted comes first */
		for (guint i = 0; i < terms->len; i++) {
			const SumTerm *first = g_ptr_array_index(terms, i);
			Expr *row = NULL;
			gboolean down = first->minus != minus;

			if (g_hash_table_contains(done, first) || down != (sign == 1))
				continue;
			for (guint k = i; k < terms->len; k++) {
				SumTerm *t = g_ptr_array_index(terms, k);

				if (t->minus != first->minus || t->row != first->row
					|| g_hash_table_contains(done, t))
					continue;
				row = sum_plus(m, row, t->atom, FALSE);
				g_hash_table_add(done, t);
			}
			all = sum_plus(m, all, row, down);
		}
	g_hash_table_unref(done);
	return all;
}

/* SO_FAR (NULL: 0) and FACTOR times SUM, or less. */
static Expr *
add_product(const SumMaker *m, Expr *so_far, Expr *factor, Expr *sum, gboolean minus)
{
	if (factor == NULL)
		return sum_plus(m, so_far, sum, minus);
	if (!m->rules->fuses || !type_is_real(m->type) || so_far == NULL)
		return sum_plus(m, so_far, expr_binary(m->pool, sum->at, EXPR_MUL, m->type, factor,
			sum), minus);
	return expr_ternary(m->pool, sum->at, EXPR_FMA, m->type, minus ? sum_negated(m->pool,
		factor) : factor, sum, so_far);
}

/* The classes of a part's terms: of each its terms. */
static GPtrArray *
classes_of(GArray *terms, int part)
{
	GPtrArray *classes = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	GHashTable *known = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < terms->len; i++) {
		SumTerm *t = &g_array_index(terms, SumTerm, i);
		GPtrArray *class = g_hash_table_lookup(known, t->factor);

		if (t->part != part)
			continue;
		if (class == NULL) {
			class = g_ptr_array_new();
			g_hash_table_insert(known, t->factor, class);
			g_ptr_array_add(classes, class);
		}
		g_ptr_array_add(class, t);
	}
	g_hash_table_unref(known);
	return classes;
}

Expr *
sum_part(const SumMaker *m, Expr *so_far, GArray *terms, int part, int *products)
{
	GPtrArray *classes = classes_of(terms, part);

	*products = 0;
	for (guint i = 0; i < classes->len; i++) {
		const GPtrArray *class = g_ptr_array_index(classes, i);
		const SumTerm *first = g_ptr_array_index(class, 0);
		gboolean minus = TRUE;

		for (guint k = 0; k < class->len; k++)
			minus = minus && ((const SumTerm *)g_ptr_array_index(class, k))->minus;
		so_far = add_product(m, so_far, first->factor, add_atoms(m, class, minus), minus);
		++*products;
	}
	g_ptr_array_unref(classes);
	return so_far;
}

int
sum_saved_products(GArray *terms, int parts)
{
	int saved = 0;

	for (int part = 0; part < parts; part++) {
		GPtrArray *classes = classes_of(terms, part);

		for (guint i = 0; i < classes->len; i++) {
			const GPtrArray *class = g_ptr_array_index(classes, i);
			const SumTerm *first = g_ptr_array_index(class, 0);

			saved += first->factor != NULL ? (int)class->len - 1 : 0;
		}
		g_ptr_array_unref(classes);
	}
	return saved;
}

Expr *
sum_plain(const SumMaker *m, Expr *e)
{
	return e != NULL && m->rules->plain != NULL
		? m->rules->plain(m->pool, e, m->rules->user) : e;
}
