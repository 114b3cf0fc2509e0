/* linear.c: finding the linear form of a stage in one field.
 *
 * Weights are handed down from the root: the weight of a node is the sum over
 * its uses of the user's weight times what the user multiplies it by.  A tap's
 * weight is its coefficient.  One pass over the DAG in each direction, whatever
 * is shared in it.
 */
#include "analyze/linear.h"

typedef struct {
	Linear *form;
	GPtrArray *order;    /* Expr: copies, operands first */
	GHashTable *original; /* copy of a tap → the tap */
	GHashTable *depends; /* set of copies that read the field */
	GHashTable *weight;  /* copy → Expr */
	gboolean failed;
} Search;

/* ---- coefficients: sums and products, sorted so that equal ones are one ---- */

static Expr *
number(Search *f, double v)
{
	return expr_real(f->form->pool, (Span){ 0 }, TYPE_F64, v);
}

static Expr *
as_number(Search *f, Expr *e)
{
	if (e->op != EXPR_CONST)
		return e;
	return number(f, type_is_real(e->type) ? e->real : (double)e->integer);
}

static gboolean
is_number(const Expr *e, double v)
{
	return e->op == EXPR_CONST && e->real == v;
}

static Expr *
opposite(Search *f, Expr *a)
{
	a = as_number(f, a);
	if (a->op == EXPR_CONST)
		return number(f, -a->real);
	return a->op == EXPR_NEG ? a->arg[0]
		: expr_unary(f->form->pool, (Span){ 0 }, EXPR_NEG, TYPE_F64, a);
}

/* A op B, OP being +, * or /; signs are moved out of products. */
static Expr *
combine(Search *f, ExprOp op, Expr *a, Expr *b)
{
	a = as_number(f, a);
	b = as_number(f, b);

	gboolean swap = op != EXPR_DIV && a->id > b->id;

	if (a->op == EXPR_CONST && b->op == EXPR_CONST)
		return number(f, op == EXPR_ADD ? a->real + b->real
			: op == EXPR_MUL ? a->real * b->real : a->real / b->real);
	if (op != EXPR_ADD) {
		if (is_number(b, 1))
			return a;
		if (is_number(a, 1) && op == EXPR_MUL)
			return b;
		if (is_number(a, -1) || a->op == EXPR_NEG)
			return opposite(f, combine(f, op, opposite(f, a), b));
		if (is_number(b, -1) || b->op == EXPR_NEG)
			return opposite(f, combine(f, op, a, opposite(f, b)));
	}
	return expr_binary(f->form->pool, (Span){ 0 }, op, TYPE_F64, swap ? b : a, swap ? a : b);
}

/* ---- up: a copy of the value, and which nodes read the field ---- */

static Expr *
copy_node(Stencil *pool, Expr *e, gpointer user)
{
	Search *f = user;
	Expr *copy = expr_node(pool, e);

	if (e->op == EXPR_TAP)
		g_hash_table_insert(f->original, copy, e);
	return copy;
}

static void
mark(Expr *e, gpointer user)
{
	Search *f = user;
	gboolean reads = e->op == EXPR_TAP && e->tap.field == f->form->field;

	for (int i = 0; i < e->n_args && !reads; i++)
		reads = g_hash_table_contains(f->depends, e->arg[i]);
	if (reads)
		g_hash_table_add(f->depends, e);
	g_ptr_array_add(f->order, e);
}

static gboolean
reads_field(const Search *f, const Expr *e)
{
	return g_hash_table_contains(f->depends, e);
}

/* ---- down: weights ---- */

static void
add_weight(Search *f, Expr *e, Expr *weight)
{
	Expr *old = g_hash_table_lookup(f->weight, e);

	g_hash_table_insert(f->weight, e, old ? combine(f, EXPR_ADD, old, weight) : weight);
}

static void
add_rest(Search *f, Expr *e, Expr *weight)
{
	Expr *part = combine(f, EXPR_MUL, weight, e), *rest = f->form->rest;

	f->form->rest = rest ? combine(f, EXPR_ADD, rest, part) : part;
}

static void
hand_to_factors(Search *f, Expr *a, Expr *b, Expr *weight)
{
	if (reads_field(f, a) && reads_field(f, b))
		f->failed = TRUE;
	else if (reads_field(f, b))
		add_weight(f, b, combine(f, EXPR_MUL, weight, a));
	else
		add_weight(f, a, combine(f, EXPR_MUL, weight, b));
}

/* Sums of integers may wrap, so of integers only a tap converts exactly. */
static gboolean
converts_exactly(const Expr *e)
{
	const Expr *a = e->arg[0];

	if (type_is_real(a->type))
		return type_widens(a->type, e->type);
	if (a->op != EXPR_TAP)
		return FALSE;
	if (!type_is_real(e->type))
		return type_widens(a->type, e->type);
	return e->type == TYPE_F64 ? a->type != TYPE_I64
		: e->type == TYPE_F32 && type_info[a->type].bytes <= 2;
}

/* E reads the field and is no tap: hands its weight to its operands. */
static void
hand_down(Search *f, Expr *e, Expr *weight)
{
	Expr **arg = e->arg;

	switch ((int)e->op) {
	case EXPR_ADD:
		add_weight(f, arg[0], weight);
		add_weight(f, arg[1], weight);
		break;
	case EXPR_SUB:
		add_weight(f, arg[0], weight);
		add_weight(f, arg[1], opposite(f, weight));
		break;
	case EXPR_NEG:
		add_weight(f, arg[0], opposite(f, weight));
		break;
	case EXPR_MUL:
		hand_to_factors(f, arg[0], arg[1], weight);
		break;
	case EXPR_FMA:
		add_weight(f, arg[2], weight);
		if (reads_field(f, arg[0]) || reads_field(f, arg[1]))
			hand_to_factors(f, arg[0], arg[1], weight);
		else
			add_rest(f, combine(f, EXPR_MUL, arg[0], arg[1]), weight);
		break;
	case EXPR_DIV:
		if (!type_is_real(e->type) || reads_field(f, arg[1]))
			f->failed = TRUE;
		else
			add_weight(f, arg[0], combine(f, EXPR_DIV, weight, arg[1]));
		break;
	case EXPR_CONVERT:
		if (converts_exactly(e))
			add_weight(f, arg[0], weight);
		else
			f->failed = TRUE;
		break;
	default:
		f->failed = TRUE;
	}
}

static void
note_kind(Expr *e, gpointer user)
{
	CoefficientKind *kind = user;

	if (e->op == EXPR_TAP || e->op == EXPR_COORD)
		*kind = COEFFICIENT_VARYING;
	else if (e->op != EXPR_CONST)
		*kind = MAX(*kind, COEFFICIENT_RUN_TIME);
}

static void
add_term(Search *f, Expr *tap, Expr *weight)
{
	Linear *form = f->form;
	LinearTerm *t = &form->term[form->n++];

	*t = (LinearTerm){ g_hash_table_lookup(f->original, tap), weight,
		COEFFICIENT_CONSTANT, 0 };
	expr_visit(&weight, 1, note_kind, &t->kind);
	if (weight->op == EXPR_CONST)
		t->value = weight->real;
	else
		t->kind = MAX(t->kind, COEFFICIENT_RUN_TIME);
	form->kind = MAX(form->kind, t->kind);
}

/* Every user of a node comes before the node. */
static void
hand_all_down(Search *f)
{
	for (guint i = f->order->len; i-- > 0 && !f->failed;) {
		Expr *e = f->order->pdata[i], *weight = g_hash_table_lookup(f->weight, e);

		if (weight == NULL)
			continue;
		if (!reads_field(f, e))
			add_rest(f, e, weight);
		else if (e->op == EXPR_TAP)
			add_term(f, e, weight);
		else
			hand_down(f, e, weight);
	}
}

static void
reverse_terms(Linear *form)
{
	for (int i = 0, k = form->n - 1; i < k; i++, k--) {
		LinearTerm t = form->term[i];

		form->term[i] = form->term[k];
		form->term[k] = t;
	}
}

Linear *
linear_form(const Stage *stage, Field *field)
{
	Linear *form = g_new0(Linear, 1);
	Search f = {
		form, g_ptr_array_new(), g_hash_table_new(NULL, NULL),
		g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL), FALSE,
	};
	Expr *root = stage->value;

	form->field = field;
	form->pool = stencil_new("linear");
	if (root->op == EXPR_CONVERT && type_is_real(root->type)
	    && type_is_real(root->arg[0]->type))
		root = root->arg[0]; /* what is stored may be rounded */
	root = expr_rewrite(form->pool, root, copy_node, &f, NULL);
	expr_visit(&root, 1, mark, &f);
	form->term = g_new0(LinearTerm, f.order->len);
	g_hash_table_insert(f.weight, root, number(&f, 1));
	hand_all_down(&f);
	reverse_terms(form);
	g_ptr_array_unref(f.order);
	g_hash_table_unref(f.original);
	g_hash_table_unref(f.depends);
	g_hash_table_unref(f.weight);
	if (!f.failed)
		return form;
	linear_free(form);
	return NULL;
}

void
linear_free(Linear *form)
{
	if (form == NULL)
		return;
	stencil_free(form->pool);
	g_free(form->term);
	g_free(form);
}
