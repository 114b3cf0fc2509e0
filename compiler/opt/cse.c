/* cse.c: equal values are one node.
 *
 * Nodes are hash-consed, so what is left to find is a + b beside b + a: the
 * operands stay in the order of the first of them.  Equal boundaries become one
 * as well.  Boundaries, externs and nodes that nothing uses are dropped, and
 * nodes are numbered anew in the order of a walk over the stencil.  A second
 * run changes nothing.
 */
#include "opt/opt.h"

typedef struct {
	GHashTable *first;    /* node with sorted operands → the first node equal to it */
	GHashTable *boundary; /* Boundary → the one to use */
	GHashTable *memo;
	GHashTable *externs;  /* those called */
	GPtrArray *boundaries; /* those in use */
} Cse;

static gboolean
commutes(ExprOp op)
{
	static const gboolean yes[EXPR_N_OPS] = {
		[EXPR_ADD] = TRUE, [EXPR_MUL] = TRUE, [EXPR_MIN] = TRUE, [EXPR_MAX] = TRUE,
		[EXPR_FMA] = TRUE, [EXPR_BITAND] = TRUE, [EXPR_BITOR] = TRUE, [EXPR_BITXOR] = TRUE,
		[EXPR_EQ] = TRUE, [EXPR_NE] = TRUE, [EXPR_AND] = TRUE, [EXPR_OR] = TRUE,
	};

	return yes[op];
}

Expr *
opt_sorted(Stencil *s, Expr *e)
{
	Expr *arg[3];

	if (!commutes(e->op) || e->arg[0]->id <= e->arg[1]->id)
		return e;
	for (int i = 0; i < e->n_args; i++)
		arg[i] = e->arg[i];
	arg[0] = e->arg[1];
	arg[1] = e->arg[0];
	return expr_with_args(s, e, arg);
}

/* E, or the first node that only differs in the order of two operands. */
static Expr *
first_like(Stencil *s, Cse *cse, Expr *e)
{
	Expr *sorted = opt_sorted(s, e), *first = g_hash_table_lookup(cse->first, sorted);

	if (first == NULL)
		g_hash_table_insert(cse->first, sorted, first = e);
	return first;
}

static Expr *
cse_node(Stencil *s, Expr *e, gpointer user)
{
	Cse *cse = user;
	Expr like = *e;

	if (e->op == EXPR_CALL)
		g_hash_table_add(cse->externs, e->callee);
	if (commutes(e->op))
		return first_like(s, cse, e);
	if (e->op != EXPR_TAP || e->tap.boundary == NULL)
		return e;
	like.tap.boundary = g_hash_table_lookup(cse->boundary, e->tap.boundary);
	if (!g_ptr_array_find(cse->boundaries, like.tap.boundary, NULL))
		g_ptr_array_add(cse->boundaries, like.tap.boundary);
	return expr_node(s, &like);
}

static void
rewrite(Stencil *s, Cse *cse, Expr **root)
{
	*root = expr_rewrite(s, *root, cse_node, cse, cse->memo);
}

static void
cse_other(Stencil *s, Stage *stage, Expr **root, gpointer cse)
{
	if (stage == NULL)
		rewrite(s, cse, root);
}

/* Finds the boundary to use for each, their values being done. */
static void
merge_boundaries(Stencil *s, Cse *cse)
{
	GPtrArray *old = s->boundaries;

	s->boundaries = g_ptr_array_new();
	for (guint i = 0; i < old->len; i++)
		g_hash_table_insert(cse->boundary, old->pdata[i],
			boundary_node(s, old->pdata[i]));
	g_ptr_array_unref(old);
}

static void
cse_region(Stencil *s, Cse *cse, Region *region)
{
	int n = 0;

	for (int i = 0; i < region->n_guards; i++) {
		Expr *guard = expr_rewrite(s, region->guard[i], cse_node, cse, cse->memo);
		int k = 0;

		while (k < n && region->guard[k] != guard)
			k++;
		if (k == n)
			region->guard[n++] = guard;
	}
	region->n_guards = n;
}

static void
keep_used(Stencil *s, Cse *cse)
{
	guint n = 0;

	g_ptr_array_unref(s->boundaries);
	s->boundaries = g_ptr_array_ref(cse->boundaries);
	for (guint i = 0; i < s->boundaries->len; i++)
		((Boundary *)s->boundaries->pdata[i])->index = (int)i;
	for (guint i = 0; i < s->externs->len; i++) {
		Extern *x = s->externs->pdata[i];

		if (g_hash_table_contains(cse->externs, x)) {
			x->index = (int)n;
			s->externs->pdata[n++] = x;
		}
	}
	g_ptr_array_set_size(s->externs, (gint)n);
}

/* ---- renumbering ---- */

static void
collect_root(Stencil *s, Stage *stage, Expr **root, gpointer roots)
{
	(void)s;
	(void)stage;
	g_ptr_array_add(roots, *root);
}

static void
collect_guards(GPtrArray *roots, const Region *region)
{
	for (int i = 0; i < region->n_guards; i++)
		g_ptr_array_add(roots, region->guard[i]);
}

static void
number_node(Expr *e, gpointer user)
{
	Stencil *s = user;

	e->id = s->n_exprs++;
	g_hash_table_add(s->pool, e);
}

static void
renumber(Stencil *s)
{
	GPtrArray *roots = g_ptr_array_new();

	for (guint i = 0; i < s->scalars->len; i++) {
		const Scalar *scalar = s->scalars->pdata[i];

		if (scalar->init != NULL)
			g_ptr_array_add(roots, scalar->init);
	}
	for (guint i = 0; i < s->tables->len; i++) {
		const Table *table = s->tables->pdata[i];

		for (int k = 0; table->init != NULL && k < table->size; k++)
			g_ptr_array_add(roots, table->init[k]);
	}
	opt_roots(s, collect_root, roots);
	for (guint i = 0; i < s->stages->len; i++) {
		const Stage *stage = s->stages->pdata[i];

		collect_guards(roots, &stage->region);
		collect_guards(roots, &stage->start_region);
	}
	s->n_exprs = 0;
	g_hash_table_remove_all(s->pool);
	expr_visit((Expr *const *)roots->pdata, (int)roots->len, number_node, s);
	g_ptr_array_unref(roots);
}

void
opt_cse(Stencil *s)
{
	Cse cse = {
		g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL),
		g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL),
		g_ptr_array_new(),
	};

	opt_roots(s, cse_other, &cse);
	merge_boundaries(s, &cse);
	for (guint i = 0; i < s->stages->len; i++) {
		Stage *stage = s->stages->pdata[i];
		Expr **root[2];
		int n = stage_roots(stage, root);

		for (int k = 0; k < n; k++)
			rewrite(s, &cse, root[k]);
		cse_region(s, &cse, &stage->region);
		cse_region(s, &cse, &stage->start_region);
	}
	keep_used(s, &cse);
	renumber(s);
	g_hash_table_unref(cse.first);
	g_hash_table_unref(cse.boundary);
	g_hash_table_unref(cse.memo);
	g_hash_table_unref(cse.externs);
	g_ptr_array_unref(cse.boundaries);
}
