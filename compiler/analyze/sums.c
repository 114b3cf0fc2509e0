/* sums.c: sums taken apart, and put together part by part. */
#include "analyze/sums.h"

#include "analyze/sum_terms.h"

typedef struct {
	Stencil *pool;
	const SumRules *rules;
	GHashTable *uses;    /* Expr → how often it is an operand */
	GHashTable *lo, *hi; /* Expr → the first and last part that it reads, and 1 */
	GHashTable *inner;   /* Expr: of a larger sum */
	GHashTable *now;     /* Expr → what it has become */
} Regroup;

/* ---- what the DAG is like ---- */

static void
count_uses(Expr *e, gpointer user)
{
	Regroup *r = user;

	for (int i = 0; i < e->n_args; i++) {
		guint n = GPOINTER_TO_UINT(g_hash_table_lookup(r->uses, e->arg[i]));

		g_hash_table_insert(r->uses, e->arg[i], GUINT_TO_POINTER(n + 1));
	}
}

static int
first_part(const Regroup *r, const Expr *e)
{
	return GPOINTER_TO_INT(g_hash_table_lookup(r->lo, e)) - 1;
}

static int
last_part(const Regroup *r, const Expr *e)
{
	return GPOINTER_TO_INT(g_hash_table_lookup(r->hi, e)) - 1;
}

static void
find_parts(Expr *e, gpointer user)
{
	Regroup *r = user;
	int lo = -1, hi = -1;

	if (expr_op_info[e->op].shape == SHAPE_LEAF)
		lo = hi = r->rules->part(e, r->rules->user);
	for (int i = 0; i < e->n_args; i++) {
		int first = first_part(r, e->arg[i]);

		lo = lo < 0 ? first : first < 0 ? lo : MIN(lo, first);
		hi = MAX(hi, last_part(r, e->arg[i]));
	}
	g_hash_table_insert(r->lo, e, GINT_TO_POINTER(lo + 1));
	g_hash_table_insert(r->hi, e, GINT_TO_POINTER(hi + 1));
}

static gboolean
is_free(const Regroup *r, const Expr *e)
{
	return last_part(r, e) < 0;
}

static gboolean
is_once(const Regroup *r, const Expr *e)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(r->uses, e)) == 1;
}

static gboolean
may_regroup(const Regroup *r, const Expr *e)
{
	return r->rules->reals || !type_is_real(e->type);
}

static gboolean
is_sum(const Regroup *r, const Expr *e)
{
	return (e->op == EXPR_ADD || e->op == EXPR_SUB || e->op == EXPR_FMA)
		&& may_regroup(r, e);
}

/* E, an operand of a sum, is taken apart, too. */
static gboolean
opens(const Regroup *r, const Expr *e)
{
	if (!is_once(r, e) || !may_regroup(r, e))
		return FALSE;
	if (is_sum(r, e) || e->op == EXPR_NEG)
		return TRUE;
	return e->op == EXPR_MUL && (is_free(r, e->arg[0]) || is_free(r, e->arg[1]));
}

static void
open_operand(Regroup *r, Expr *e)
{
	if (opens(r, e))
		g_hash_table_add(r->inner, e);
}

/* A sum that is multiplied goes with the others only where that brings parts together. */
static void
open_operands(Regroup *r, Expr *a, Expr *b)
{
	Expr *rest = is_free(r, a) ? b : a;

	if ((is_free(r, a) || is_free(r, b)) && is_once(r, rest) && is_sum(r, rest)
		&& first_part(r, rest) < last_part(r, rest))
		g_hash_table_add(r->inner, rest);
}

/* Marks the operands of E that are taken apart with it; its users come before it. */
static void
find_inner(Regroup *r, Expr *e)
{
	gboolean inner = g_hash_table_contains(r->inner, e);
	Expr **arg = e->arg;

	if (expr_is_extreme(e)) {
		for (int i = 0; i < 2; i++)
			if (arg[i]->op == e->op && is_once(r, arg[i]))
				g_hash_table_add(r->inner, arg[i]);
	} else if (is_sum(r, e) && e->op != EXPR_FMA) {
		open_operand(r, arg[0]);
		open_operand(r, arg[1]);
	} else if (is_sum(r, e)) {
		open_operand(r, arg[2]);
		open_operands(r, arg[0], arg[1]);
	} else if (inner && e->op == EXPR_NEG) {
		open_operand(r, arg[0]);
	} else if (inner) {
		open_operands(r, arg[0], arg[1]);
	}
}

/* ---- terms ---- */

static Expr *
times(const Regroup *r, Expr *a, Expr *b)
{
	if (a == NULL)
		return b;
	if (a->op == EXPR_CONST && b->op == EXPR_CONST && type_is_real(a->type))
		return expr_real(r->pool, a->at, type_kind(a->type), a->real * b->real);
	return expr_binary(r->pool, a->at, EXPR_MUL, type_kind(a->type), a, b);
}

static Expr *
become(const Regroup *r, Expr *e)
{
	return g_hash_table_lookup(r->now, e);
}

static gint64
row_of(const Expr *e)
{
	gint64 row = 0;

	if (e->op != EXPR_TAP)
		return G_MAXINT64;
	for (int a = 0; a + 1 < e->tap.field->grid->rank; a++)
		row = row * 4096 + (e->tap.field->axes & AXIS_BIT(a) ? e->tap.map[a].offset : 0);
	return row;
}

/* What of the sum is still to be taken apart. */
typedef struct {
	Expr *e, *factor;
	gboolean minus, product; /* of an fma, only that */
} Open;

static void
push(GArray *open, Expr *e, Expr *factor, gboolean minus)
{
	Open o = { e, factor, minus, FALSE };

	g_array_append_val(open, o);
}

static void
add_term(const Regroup *r, GArray *terms, const Open *o)
{
	SumTerm t = { become(r, o->e), o->factor, o->minus, last_part(r, o->e), row_of(o->e) };

	if (t.part < 0) /* with the last ones: nothing is to be kept for it */
		t.part = r->rules->parts - 1;
	if (t.factor != NULL && t.factor->op == EXPR_CONST && type_is_real(t.factor->type)
		&& t.factor->real < 0) {
		t.factor = sum_negated(r->pool, t.factor);
		t.minus = !t.minus;
	}
	g_array_append_val(terms, t);
}

/* FACTOR * A * B, of which one is the same everywhere. */
static void
open_product(const Regroup *r, GArray *open, GArray *terms, const Open *o, Expr *product, Expr *a,
	Expr *b)
{
	gboolean swap = !is_free(r, a);
	Expr *number = swap ? b : a, *rest = swap ? a : b;

	if (!is_free(r, number)) { /* an atom of its own */
		SumTerm t = { product, o->factor, o->minus, MAX(last_part(r, a), last_part(r, b)),
			G_MAXINT64 };

		g_array_append_val(terms, t);
		return;
	}
	number = times(r, o->factor, become(r, number));
	if (g_hash_table_contains(r->inner, rest))
		push(open, rest, number, o->minus);
	else
		add_term(r, terms, &(Open){ rest, number, o->minus, FALSE });
}

static Expr *
product_of(const Regroup *r, const Expr *e)
{
	Expr *a = become(r, e->arg[0]), *b = become(r, e->arg[1]);

	return expr_binary(r->pool, e->at, EXPR_MUL, type_kind(e->type), a, b);
}

/* From left to right, so what comes last is put down first. */
static void
take_apart(const Regroup *r, Expr *sum, GArray *terms)
{
	GArray *open = g_array_new(FALSE, FALSE, sizeof(Open));
	gboolean first = TRUE;

	push(open, sum, NULL, FALSE);
	while (open->len > 0) {
		Open o = g_array_index(open, Open, open->len - 1);
		Expr *e = o.e;

		g_array_set_size(open, open->len - 1);
		if (o.product) {
			open_product(r, open, terms, &o, product_of(r, e), e->arg[0], e->arg[1]);
			continue;
		}
		if (!first && !g_hash_table_contains(r->inner, e)) {
			add_term(r, terms, &o);
			continue;
		}
		first = FALSE;
		switch ((int)e->op) {
		case EXPR_ADD:
		case EXPR_SUB:
			push(open, e->arg[1], o.factor, o.minus != (e->op == EXPR_SUB));
			push(open, e->arg[0], o.factor, o.minus);
			break;
		case EXPR_NEG:
			push(open, e->arg[0], o.factor, !o.minus);
			break;
		case EXPR_FMA:
			o.product = TRUE;
			g_array_append_val(open, o);
			push(open, e->arg[2], o.factor, o.minus);
			break;
		default:
			open_product(r, open, terms, &o, product_of(r, e), e->arg[0], e->arg[1]);
		}
	}
	g_array_unref(open);
}

/* ---- sums ---- */

/* NULL: it stays as it is. */
static Expr *
regroup_sum(const Regroup *r, Expr *sum)
{
	GArray *terms = g_array_new(FALSE, FALSE, sizeof(SumTerm));
	const SumMaker m = { r->pool, r->rules, type_kind(sum->type) };
	int n = r->rules->parts, *products = g_new0(int, (gsize)n), unused;
	Expr **alone = g_new0(Expr *, (gsize)n), *all = NULL;
	gboolean outer;

	take_apart(r, sum, terms);
	outer = sum_outer(&m, terms);
	if (r->rules->sparing && !outer && sum_saved_products(terms, n) == 0)
		n = 0;
	for (int part = 0; part < n && n > 1; part++)
		alone[part] = sum_plain(&m, sum_part(&m, NULL, terms, part, &products[part]));
	for (int part = 0; part < n; part++) {
		int users = 0;

		for (int k = 0; k < n && alone[part] != NULL; k++)
			users += alone[k] == alone[part];
		if (users > 1 && (r->rules->apart
			|| products[part] + users < users * products[part]))
			all = sum_plus(&m, all, sum_part(&m, NULL, terms, part, &unused), FALSE);
		else
			all = sum_part(&m, all, terms, part, &unused);
	}
	g_free(alone);
	g_free(products);
	g_array_unref(terms);
	return all;
}

/* ---- least and largest values ---- */

static Expr *
pick(const Regroup *r, const Expr *like, Expr *a, Expr *b)
{
	return a == NULL ? b : expr_binary(r->pool, like->at, like->op, type_kind(like->type), a,
		b);
}

static void
gather_picks(const Regroup *r, Expr *root, GArray *terms)
{
	GPtrArray *open = g_ptr_array_new();

	g_ptr_array_add(open, root);
	while (open->len > 0) {
		Expr *e = g_ptr_array_steal_index(open, open->len - 1);
		SumTerm t = { become(r, e), NULL, FALSE, MAX(last_part(r, e), 0), row_of(e) };

		if (e != root && !g_hash_table_contains(r->inner, e)) {
			g_array_append_val(terms, t);
			continue;
		}
		g_ptr_array_add(open, e->arg[1]);
		g_ptr_array_add(open, e->arg[0]);
	}
	g_ptr_array_unref(open);
}

static Expr *
regroup_pick(const Regroup *r, Expr *root)
{
	GArray *terms = g_array_new(FALSE, FALSE, sizeof(SumTerm));
	GHashTable *done = g_hash_table_new(NULL, NULL);
	Expr *all = NULL;

	gather_picks(r, root, terms);
	for (int part = 0; part < r->rules->parts; part++) {
		Expr *here = NULL;

		for (guint i = 0; i < terms->len; i++) {
			const SumTerm *first = &g_array_index(terms, SumTerm, i);
			Expr *row = NULL;

			if (first->part != part || g_hash_table_contains(done, first))
				continue;
			for (guint k = i; k < terms->len; k++) {
				SumTerm *t = &g_array_index(terms, SumTerm, k);

				if (t->part != part || t->row != first->row
					|| g_hash_table_contains(done, t))
					continue;
				row = pick(r, root, row, t->atom);
				g_hash_table_add(done, t);
			}
			here = pick(r, root, here, row);
		}
		if (here != NULL)
			all = pick(r, root, all, here);
	}
	g_hash_table_unref(done);
	g_array_unref(terms);
	return all;
}

/* ---- all of them ---- */

static void
keep_order(Expr *e, gpointer order)
{
	g_ptr_array_add(order, e);
}

static void
regroup_node(Expr *e, gpointer user)
{
	Regroup *r = user;
	Expr *few[3], **arg = e->n_args > 3 ? g_new(Expr *, (gsize)e->n_args) : few;
	Expr *now = NULL;

	for (int i = 0; i < e->n_args; i++)
		arg[i] = become(r, e->arg[i]);
	if (!is_free(r, e) && !g_hash_table_contains(r->inner, e)) {
		if (is_sum(r, e))
			now = regroup_sum(r, e);
		else if (expr_is_extreme(e) && !r->rules->sparing)
			now = regroup_pick(r, e);
	}
	if (now == NULL)
		now = expr_with_args(r->pool, e, arg);
	g_hash_table_insert(r->now, e, now);
	if (arg != few)
		g_free(arg);
}

Expr *
sums_regroup(Stencil *pool, Expr *root, const SumRules *rules)
{
	Regroup r = { pool, rules, g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL),
		g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL),
		g_hash_table_new(NULL, NULL) };
	GHashTable *all[] = { r.uses, r.lo, r.hi, r.inner, r.now };
	GPtrArray *order = g_ptr_array_new();
	Expr *now;

	expr_visit(&root, 1, count_uses, &r);
	expr_visit(&root, 1, find_parts, &r);
	expr_visit(&root, 1, keep_order, order);
	for (guint i = order->len; i-- > 0;)
		find_inner(&r, g_ptr_array_index(order, i));
	expr_visit(&root, 1, regroup_node, &r);
	now = g_hash_table_lookup(r.now, root);
	g_ptr_array_unref(order);
	for (gsize i = 0; i < G_N_ELEMENTS(all); i++)
		g_hash_table_unref(all[i]);
	return now;
}
