/* contract.c: the language's rule for fused multiply-adds.
 *
 * Afterwards a real product that was used once in its statement, as an operand
 * of + or -, is part of an fma; of two such products the left one is rounded.
 * Uses are counted in the DAG as it came, over all roots of the stage.  A
 * product under a conversion, or negated, is left alone.
 */
#include "opt/opt.h"

typedef struct {
	Stencil *s;
	GHashTable *uses; /* Expr → how often it is an operand or a root */
	GHashTable *now;  /* Expr → what it has become */
} Contraction;

static void
count_use(GHashTable *uses, Expr *e)
{
	guint n = GPOINTER_TO_UINT(g_hash_table_lookup(uses, e));

	g_hash_table_insert(uses, e, GUINT_TO_POINTER(n + 1));
}

static void
count_operands(Expr *e, gpointer uses)
{
	for (int i = 0; i < e->n_args; i++)
		count_use(uses, e->arg[i]);
}

/* TRUE if E, an operand as it came, is a product to be contracted. */
static gboolean
is_product(const Contraction *c, const Expr *e)
{
	return e->op == EXPR_MUL && type_is_real(e->type)
		&& GPOINTER_TO_UINT(g_hash_table_lookup(c->uses, e)) == 1;
}

static Expr *
negated(Stencil *s, Expr *e)
{
	if (e->op == EXPR_CONST)
		return expr_real(s, e->at, e->type, -e->real);
	return e->op == EXPR_NEG ? e->arg[0]
				 : expr_unary(s, e->at, EXPR_NEG, type_kind(e->type), e);
}

/* PRODUCT + ADDEND in place of E. */
static Expr *
fused(Stencil *s, const Expr *e, const Expr *product, gboolean negate, Expr *addend)
{
	Expr *arg[] = { product->arg[0], product->arg[1], addend };
	Expr like = *e;

	if (negate) {
		int i = arg[1]->op == EXPR_CONST;

		arg[i] = negated(s, arg[i]);
	}
	like.op = EXPR_FMA;
	like.n_args = 3;
	like.arg = arg;
	return expr_node(s, &like);
}

/* What E becomes, its operands having become A and B. */
static Expr *
contract_sum(const Contraction *c, const Expr *e, Expr *a, Expr *b)
{
	gboolean minus = e->op == EXPR_SUB;

	if (is_product(c, e->arg[1]))
		return fused(c->s, e, b, minus, a);
	if (is_product(c, e->arg[0]))
		return fused(c->s, e, a, FALSE, minus ? negated(c->s, b) : b);
	return NULL;
}

static void
contract_node(Expr *e, gpointer user)
{
	Contraction *c = user;
	Expr *few[3], **arg = e->n_args > 3 ? g_new(Expr *, (gsize)e->n_args) : few, *now = NULL;

	for (int i = 0; i < e->n_args; i++)
		arg[i] = g_hash_table_lookup(c->now, e->arg[i]);
	if (e->op == EXPR_ADD || e->op == EXPR_SUB)
		now = contract_sum(c, e, arg[0], arg[1]);
	if (now == NULL)
		now = expr_with_args(c->s, e, arg);
	g_hash_table_insert(c->now, e, now);
	if (arg != few)
		g_free(arg);
}

/* The roots of one statement. */
static void
contract_roots(Stencil *s, Expr **root[], int n)
{
	Contraction c = { s, g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL) };
	Expr *old[2];

	for (int i = 0; i < n; i++) {
		old[i] = *root[i];
		count_use(c.uses, old[i]);
	}
	expr_visit(old, n, count_operands, c.uses);
	expr_visit(old, n, contract_node, &c);
	for (int i = 0; i < n; i++)
		*root[i] = g_hash_table_lookup(c.now, old[i]);
	g_hash_table_unref(c.uses);
	g_hash_table_unref(c.now);
}

static void
contract_other(Stencil *s, Stage *stage, Expr **root, gpointer user)
{
	(void)user;
	if (stage == NULL)
		contract_roots(s, &root, 1);
}

void
opt_contract(Stencil *s)
{
	for (guint i = 0; i < s->stages->len; i++) {
		Expr **root[2];

		contract_roots(s, root, stage_roots(s->stages->pdata[i], root));
	}
	opt_roots(s, contract_other, NULL);
}
