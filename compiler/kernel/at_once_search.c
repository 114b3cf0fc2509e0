/* at_once_search.c: which roots and quotients are taken of all cells at once. */
#include "kernel/at_once.h"

/* Functions that several loops ask for; of fewer nvcc works each out once, in fewer registers
 * (`march`, GCells/s, left to it and shared: of five functions 73, 120, of three 17.6, 24.0 and
 * 39.0, 36.3, of one of nine loops 43.7, 40.6). */
#define FEW 3

/* ---- functions ---- */

static gboolean
is_one(const Expr *e)
{
	return e->op == EXPR_CONST && e->real == 1.0;
}

static gboolean
is_inverse_root(const Expr *e)
{
	return e->op == EXPR_DIV && is_one(e->arg[0]) && e->arg[1]->op == EXPR_SQRT;
}

const char *
at_once_function(Expr *e, int *n, Expr *operand[2])
{
	const gboolean divides = e->op == EXPR_DIV && !expr_is_power_of_two(e->arg[1])
		&& e->arg[0] != e->arg[1];
	const gboolean ratio = divides && expr_is_ratio(e);
	const char *name = e->op == EXPR_SQRT ? "stencil_roots" : e->op == EXPR_RSQRT
		|| is_inverse_root(e) ? "stencil_inverse_roots" : "stencil_inverses";

	if (e->type != TYPE_F32 ? !ratio : e->op != EXPR_SQRT && e->op != EXPR_RSQRT && !divides)
		return NULL;
	*n = 1;
	operand[1] = NULL;
	operand[0] = e->arg[divides];
	if (is_inverse_root(e))
		operand[0] = operand[0]->arg[0];
	if (divides && !is_one(e->arg[0])) {
		operand[0] = e->arg[0];
		operand[1] = e->arg[1];
		*n = expr_has(e->arg[1], expr_is_own) ? 2 : 1;
		name = expr_is_of_few_bits(e->arg[1]) ? "stencil_shares" : "stencil_quotients";
	}
	/* narrower ones are made wider by the operation itself */
	return operand[0]->type != e->type || (operand[1] != NULL && operand[1]->type != e->type)
		? NULL : name;
}

/* ---- which of a value ---- */

typedef struct {
	GHashTable *always; /* Expr that all cells compute, or nearly all */
	GHashTable *inner;  /* roots that all who ask for them take the inverse of */
	GHashTable *left;   /* functions that are left to nvcc */
	Expr *found;
} Search;

static gboolean
is_tap(const Expr *e)
{
	return e->op == EXPR_TAP;
}

/* The operand of a choice that but the cells at one place do not take; 0: none is known. */
static int
usual_arm(const Expr *e)
{
	const Expr *test = e->arg[0];

	if (expr_op_info[e->op].shape != SHAPE_SELECT || (test->op != EXPR_EQ && test->op
		!= EXPR_NE) || expr_has(e->arg[0], is_tap) || !expr_has(e->arg[0], expr_is_own))
		return 0;
	return test->op == EXPR_EQ ? 2 : 1;
}

static void
mark_always(Search *s, Expr *e)
{
	const ExprShape shape = expr_op_info[e->op].shape;
	const gboolean chosen = shape == SHAPE_SELECT || shape == SHAPE_LOGIC;

	if (!g_hash_table_add(s->always, e))
		return;
	for (int i = 0; i < e->n_args; i++)
		if (!chosen || i == 0 || i == usual_arm(e))
			mark_always(s, e->arg[i]);
}

static void
mark_inner(Expr *e, gpointer user)
{
	Search *s = user;

	for (int i = 0; i < e->n_args; i++)
		if (!is_inverse_root(e) || i != 1)
			g_hash_table_insert(s->inner, e->arg[i], e->arg[i]);
		else if (g_hash_table_lookup(s->inner, e->arg[i]) == NULL)
			g_hash_table_insert(s->inner, e->arg[i], s);
}

/* It takes no long way in cells whose choice does not take it: it is of 1 there (opt/untaken.c),
 * or it hardly ever does. */
static gboolean
is_spared(const Expr *e)
{
	const Expr *operand = e->n_args > 0 ? e->arg[e->op == EXPR_DIV] : e;

	return operand->op == EXPR_SELECT ? is_one(operand->arg[1]) || is_one(operand->arg[2])
		: e->op == EXPR_DIV && expr_is_of_few_bits(operand);
}

static void
look_at(Expr *e, gpointer user)
{
	Search *s = user;
	Expr *operand[2];
	int n;

	if (s->found == NULL && (g_hash_table_contains(s->always, e) || is_spared(e))
		&& g_hash_table_lookup(s->inner, e) != s
		&& !g_hash_table_contains(s->left, e)
		&& at_once_function(e, &n, operand) != NULL
		&& (n == 2 || expr_has(operand[0], expr_is_own)))
		s->found = e;
}

Expr *
at_once_find(Expr *root, GHashTable *left)
{
	Search s = { g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL), left, NULL };

	mark_always(&s, root);
	expr_visit(&root, 1, mark_inner, &s);
	expr_visit(&root, 1, look_at, &s);
	g_hash_table_unref(s.always);
	g_hash_table_unref(s.inner);
	return s.found;
}

/* ---- who asks for what ---- */

typedef struct {
	GHashTable *asked, *own; /* of a body, and of the one loop in it */
} Asked;

static void
note_function(Expr *e, gpointer user)
{
	Asked *a = user;
	Expr *operand[2];
	int n, before = GPOINTER_TO_INT(g_hash_table_lookup(a->asked, e));

	if (at_once_function(e, &n, operand) != NULL && g_hash_table_add(a->own, e))
		g_hash_table_insert(a->asked, e, GINT_TO_POINTER(before + 1));
}

static void
note_value(Asked *a, const KExpr *e)
{
	for (int i = 0; i < e->n; i++)
		note_value(a, e->arg[i]);
	if (e->op == K_VALUE)
		expr_visit(&e->of->root, 1, note_function, a);
}

static void
note_loop(Asked *a, const GPtrArray *body)
{
	for (guint i = 0; i < body->len; i++) {
		const KStmt *s = g_ptr_array_index(body, i);

		if (s->value != NULL)
			note_value(a, s->value);
		if (s->body != NULL)
			note_loop(a, s->body);
	}
}

static gboolean
is_asked_once(gpointer function, gpointer loops, gpointer user)
{
	(void)function;
	(void)user;
	return GPOINTER_TO_INT(loops) < 2;
}

GHashTable *
at_once_left(const KKernel *k, const GPtrArray *body)
{
	GHashTable *asked = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < body->len && k->plan->strategy == STRATEGY_MARCH; i++) {
		const KStmt *s = g_ptr_array_index(body, i);
		Asked a = { asked, g_hash_table_new(NULL, NULL) };

		if (s->kind == KK_FOR && s->unrolled)
			note_loop(&a, s->body);
		g_hash_table_unref(a.own);
	}
	g_hash_table_foreach_remove(asked, is_asked_once, NULL);
	if (g_hash_table_size(asked) >= FEW)
		g_hash_table_remove_all(asked);
	return asked;
}
