/* sums.c: sums taken apart, and put together part by part. */
#include "analyze/sums.h"

typedef struct {
	Expr *atom, *factor; /* FACTOR NULL: 1 */
	gboolean minus;
	int part;
	gint64 row;          /* of what it reads: such atoms are added first */
} Term;

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

static gboolean
is_pick(const Expr *e)
{
	return e->op == EXPR_MIN || e->op == EXPR_MAX;
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

	if (is_pick(e)) {
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
negated(const Regroup *r, Expr *e)
{
	Stencil *s = r->pool;

	if (e->op == EXPR_CONST)
		return type_is_real(e->type) ? expr_real(s, e->at, e->type, -e->real)
			: expr_unary(s, e->at, EXPR_NEG, type_kind(e->type), e);
	return e->op == EXPR_NEG ? e->arg[0] : expr_unary(s, e->at, EXPR_NEG, type_kind(e->type),
		e);
}

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
	Term t = { become(r, o->e), o->factor, o->minus, last_part(r, o->e), row_of(o->e) };

	if (t.part < 0) /* with the last ones: nothing is to be kept for it */
		t.part = r->rules->parts - 1;
	if (t.factor != NULL && t.factor->op == EXPR_CONST && type_is_real(t.factor->type)
		&& t.factor->real < 0) {
		t.factor = negated(r, t.factor);
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
		Term t = { product, o->factor, o->minus, MAX(last_part(r, a), last_part(r, b)),
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

static Expr *
plus(const Regroup *r, Type type, Expr *a, Expr *b, gboolean minus)
{
	if (a == NULL)
		return minus ? negated(r, b) : b;
	return expr_binary(r->pool, b->at, minus ? EXPR_SUB : EXPR_ADD, type, a, b);
}

/* Terms of one part with one factor: what they multiply. */
static Expr *
add_atoms(const Regroup *r, Type type, const GPtrArray *terms, gboolean minus)
{
	Expr *all = NULL;
	GHashTable *done = g_hash_table_new(NULL, NULL);

	for (int sign = 0; sign < 2; sign++) /* one that is not subtracted comes first */
		for (guint i = 0; i < terms->len; i++) {
			const Term *first = g_ptr_array_index(terms, i);
			Expr *row = NULL;
			gboolean down = first->minus != minus;

			if (g_hash_table_contains(done, first) || down != (sign == 1))
				continue;
			for (guint k = i; k < terms->len; k++) {
				Term *t = g_ptr_array_index(terms, k);

				if (t->minus != first->minus || t->row != first->row
					|| g_hash_table_contains(done, t))
					continue;
				row = plus(r, type, row, t->atom, FALSE);
				g_hash_table_add(done, t);
			}
			all = plus(r, type, all, row, down);
		}
	g_hash_table_unref(done);
	return all;
}

/* SO_FAR (NULL: 0) and FACTOR times SUM, or less. */
static Expr *
add_product(const Regroup *r, Type type, Expr *so_far, Expr *factor, Expr *sum, gboolean minus)
{
	if (factor == NULL)
		return plus(r, type, so_far, sum, minus);
	if (!r->rules->fuses || !type_is_real(type) || so_far == NULL)
		return plus(r, type, so_far, expr_binary(r->pool, sum->at, EXPR_MUL, type, factor,
			sum), minus);
	return expr_ternary(r->pool, sum->at, EXPR_FMA, type, minus ? negated(r, factor) : factor,
		sum, so_far);
}

/* The classes of a part's terms: of each its terms. */
static GPtrArray *
classes_of(GArray *terms, int part)
{
	GPtrArray *classes = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	GHashTable *known = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < terms->len; i++) {
		Term *t = &g_array_index(terms, Term, i);
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

/* SO_FAR (NULL: 0) and a part. */
static Expr *
add_part(const Regroup *r, Type type, Expr *so_far, GArray *terms, int part, int *products)
{
	GPtrArray *classes = classes_of(terms, part);

	*products = 0;
	for (guint i = 0; i < classes->len; i++) {
		const GPtrArray *class = g_ptr_array_index(classes, i);
		const Term *first = g_ptr_array_index(class, 0);
		gboolean minus = TRUE;

		for (guint k = 0; k < class->len; k++)
			minus = minus && ((const Term *)g_ptr_array_index(class, k))->minus;
		so_far = add_product(r, type, so_far, first->factor, add_atoms(r, type, class,
			minus), minus);
		++*products;
	}
	g_ptr_array_unref(classes);
	return so_far;
}

static Expr *
plain_of(const Regroup *r, Expr *e)
{
	return e != NULL && r->rules->plain != NULL ? r->rules->plain(r->pool, e, r->rules->user)
		: e;
}

/* Products that adding first saves. */
static int
saved_products(GArray *terms, int parts)
{
	int saved = 0;

	for (int part = 0; part < parts; part++) {
		GPtrArray *classes = classes_of(terms, part);

		for (guint i = 0; i < classes->len; i++) {
			const GPtrArray *class = g_ptr_array_index(classes, i);
			const Term *first = g_ptr_array_index(class, 0);

			saved += first->factor != NULL ? (int)class->len - 1 : 0;
		}
		g_ptr_array_unref(classes);
	}
	return saved;
}

/* NULL: it stays as it is. */
static Expr *
regroup_sum(const Regroup *r, Expr *sum)
{
	GArray *terms = g_array_new(FALSE, FALSE, sizeof(Term));
	Type type = type_kind(sum->type);
	int n = r->rules->parts, *products = g_new0(int, (gsize)n), unused;
	Expr **alone = g_new0(Expr *, (gsize)n), *all = NULL;

	take_apart(r, sum, terms);
	if (r->rules->sparing && saved_products(terms, n) == 0)
		n = 0;
	for (int part = 0; part < n && n > 1; part++)
		alone[part] = plain_of(r, add_part(r, type, NULL, terms, part, &products[part]));
	for (int part = 0; part < n; part++) {
		int users = 0;

		for (int k = 0; k < n && alone[part] != NULL; k++)
			users += alone[k] == alone[part];
		if (users > 1 && products[part] + users < users * products[part])
			all = plus(r, type, all, add_part(r, type, NULL, terms, part, &unused),
				FALSE);
		else
			all = add_part(r, type, all, terms, part, &unused);
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
		Term t = { become(r, e), NULL, FALSE, MAX(last_part(r, e), 0), row_of(e) };

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
	GArray *terms = g_array_new(FALSE, FALSE, sizeof(Term));
	GHashTable *done = g_hash_table_new(NULL, NULL);
	Expr *all = NULL;

	gather_picks(r, root, terms);
	for (int part = 0; part < r->rules->parts; part++) {
		Expr *here = NULL;

		for (guint i = 0; i < terms->len; i++) {
			const Term *first = &g_array_index(terms, Term, i);
			Expr *row = NULL;

			if (first->part != part || g_hash_table_contains(done, first))
				continue;
			for (guint k = i; k < terms->len; k++) {
				Term *t = &g_array_index(terms, Term, k);

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
		else if (is_pick(e) && !r->rules->sparing)
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
