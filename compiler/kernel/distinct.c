#include "kernel/distinct.h"

#include <string.h>

#include "analyze/uniform.h"

#define MOST_ARGS 3 /* of an operator; functions are not looked into */

typedef struct {
	const Expr *e;           /* NULL: a leaf */
	guint64 arg[MOST_ARGS];  /* numbers; of a leaf what it stands for */
} Key;

struct Distinct {
	GHashTable *numbers; /* Key → number */
	GHashTable *known;   /* KValue → DistinctOps */
	guint next;
};

/* Of one value. */
typedef struct {
	Distinct *d;
	const KValue *v;
	gboolean singly;
	DistinctLeaf *leaf;
	gpointer user;
	GHashTable *uniform; /* Expr */
	GHashTable *number;  /* Expr → number */
	DistinctOps *out;
} Numbering;

static guint
key_hash(gconstpointer p)
{
	const Key *k = p;
	guint64 hash = (guint64)GPOINTER_TO_SIZE(k->e);

	for (int i = 0; i < MOST_ARGS; i++)
		hash = (hash ^ k->arg[i]) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
	return (guint)(hash >> 32);
}

static gboolean
key_equal(gconstpointer p, gconstpointer q)
{
	const Key *a = p, *b = q;

	for (int i = 0; i < MOST_ARGS; i++)
		if (a->arg[i] != b->arg[i])
			return FALSE;
	return a->e == b->e;
}

static void
ops_free(gpointer p)
{
	DistinctOps *ops = p;

	g_ptr_array_unref(ops->changed);
	g_free(ops);
}

Distinct *
distinct_new(void)
{
	Distinct *d = g_new0(Distinct, 1);

	d->numbers = g_hash_table_new_full(key_hash, key_equal, g_free, NULL);
	d->known = g_hash_table_new_full(NULL, NULL, NULL, ops_free);
	return d;
}

void
distinct_free(Distinct *d)
{
	g_hash_table_unref(d->numbers);
	g_hash_table_unref(d->known);
	g_free(d);
}

/* TRUE if it is new. */
static gboolean
number_of(Distinct *d, const Key *key, guint *number)
{
	gpointer known = g_hash_table_lookup(d->numbers, key);

	*number = known != NULL ? GPOINTER_TO_UINT(known) : ++d->next;
	if (known == NULL)
		g_hash_table_insert(d->numbers, g_memdup2(key, sizeof *key),
			GUINT_TO_POINTER(*number));
	return known == NULL;
}

static gboolean
changes_leaf(const Numbering *n, const Expr *e)
{
	return e->n_args == 1 && cost_kind(e) == COST_CONVERT
		&& expr_op_info[e->arg[0]->op].shape == SHAPE_LEAF
		&& n->leaf(n->v, e->arg[0], n->user) != 0;
}

/* Operands come first. */
static void
see(Expr *e, gpointer user)
{
	Numbering *n = user;
	Key key = { e, { 0 } };
	guint number;
	gboolean fresh;

	if (expr_op_info[e->op].shape == SHAPE_LEAF) {
		key.arg[0] = n->leaf(n->v, e, n->user);
		if (key.arg[0] != 0)
			key.e = NULL;
	}
	for (int i = 0; i < e->n_args && i < MOST_ARGS; i++)
		key.arg[i] = GPOINTER_TO_UINT(g_hash_table_lookup(n->number, e->arg[i]));
	fresh = number_of(n->d, &key, &number);
	g_hash_table_insert(n->number, e, GUINT_TO_POINTER(number));
	if (!fresh)
		return;
	n->out->literals += expr_is_long(e);
	if (g_hash_table_contains(n->uniform, e)) {
		cost_add_op(e, n->out->thread);
		return;
	}
	if (changes_leaf(n, e)) {
		g_ptr_array_add(n->out->changed, e);
		return;
	}
	cost_add_op(e, n->out->cell);
	n->out->extremes += expr_is_extreme(e) && !type_is_real(e->type);
	if (n->singly)
		cost_add_quotient(e, n->out->cell);
}

const DistinctOps *
distinct_ops(Distinct *d, const KValue *v, gboolean singly, DistinctLeaf *leaf, gpointer user)
{
	DistinctOps *out = g_hash_table_lookup(d->known, v);
	Numbering n = { d, v, singly, leaf, user, NULL, NULL, NULL };

	if (out != NULL) {
		memset(out->thread, 0, sizeof out->thread);
		out->literals = 0;
		return out;
	}
	n.out = out = g_new0(DistinctOps, 1);
	out->changed = g_ptr_array_new();
	n.uniform = uniform_nodes(v->root, FALSE);
	n.number = g_hash_table_new(NULL, NULL);
	expr_visit(&v->root, 1, see, &n);
	g_hash_table_insert(d->known, (gpointer)v, out);
	g_hash_table_unref(n.uniform);
	g_hash_table_unref(n.number);
	return out;
}

gboolean
distinct_change(Distinct *d, guint64 leaf, int byte, Type type)
{
	const Key key = { NULL, { leaf, 1 + (guint64)type, (guint64)byte } };
	guint number;

	return number_of(d, &key, &number);
}
