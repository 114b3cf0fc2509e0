/* flow.c: sums as soon as their terms are there. */
#include "emit/flow.h"

#include "analyze/cost.h"

#define MANY 8 /* that take long */

typedef struct {
	GPtrArray *order;
	GHashTable *height; /* Expr → levels below it */
	GHashTable *users;  /* Expr → GPtrArray */
	GHashTable *done;
	GHashTable *late;   /* those with something that takes long in them */
	int longs;
} Flow;

/* How far a node of the path has been followed: its highest operand, then the others. */
typedef struct {
	Expr *e;
	int next; /* -1: the highest */
} Step;

gboolean
flow_is_part(const Expr *e)
{
	return e->op == EXPR_ADD || e->op == EXPR_SUB || e->op == EXPR_FMA;
}

static int
height_of(const Flow *f, const Expr *e)
{
	return GPOINTER_TO_INT(g_hash_table_lookup(f->height, e));
}

/* Operands come first. */
static void
measure(Expr *e, gpointer user)
{
	Flow *f = user;
	gboolean late = FALSE;
	int height = 0;

	for (int i = 0; i < e->n_args; i++) {
		GPtrArray *users = g_hash_table_lookup(f->users, e->arg[i]);

		if (users == NULL)
			g_hash_table_insert(f->users, e->arg[i], users = g_ptr_array_new());
		g_ptr_array_add(users, e);
		height = MAX(height, height_of(f, e->arg[i]) + 1);
		late = late || g_hash_table_contains(f->late, e->arg[i]);
	}
	g_hash_table_insert(f->height, e, GINT_TO_POINTER(height));
	f->longs += cost_branches(e);
	if (late || cost_branches(e))
		g_hash_table_add(f->late, e);
}

static void
put(Flow *f, Expr *e)
{
	if (g_hash_table_add(f->done, e))
		g_ptr_array_add(f->order, e);
}

/* Nothing of E is missing but leaves. */
static gboolean
is_ready(const Flow *f, const Expr *e)
{
	for (int i = 0; i < e->n_args; i++)
		if (expr_op_info[e->arg[i]->op].shape != SHAPE_LEAF
			&& !g_hash_table_contains(f->done, e->arg[i]))
			return FALSE;
	return TRUE;
}

/* E is a sum, or a term of one, of what takes long, and all of that is there. */
static gboolean
comes_along(const Flow *f, const Expr *e)
{
	return (flow_is_part(e) || e->op == EXPR_MUL) && g_hash_table_contains(f->late, e)
		&& is_ready(f, e);
}

/* E, and the sums that have all of their terms with it. */
static void
complete(Flow *f, Expr *e)
{
	guint at = f->order->len;

	put(f, e);
	for (; at < f->order->len; at++) {
		const GPtrArray *users = g_hash_table_lookup(f->users, f->order->pdata[at]);

		for (guint i = 0; users != NULL && i < users->len; i++) {
			Expr *user = g_ptr_array_index(users, i);

			if (g_hash_table_contains(f->done, user) || !comes_along(f, user))
				continue;
			for (int k = 0; k < user->n_args; k++)
				put(f, user->arg[k]);
			put(f, user);
		}
	}
}

static Expr *
highest_operand(const Flow *f, const Expr *e)
{
	Expr *best = e->arg[0];

	for (int i = 1; i < e->n_args; i++)
		if (height_of(f, e->arg[i]) > height_of(f, best))
			best = e->arg[i];
	return best;
}

/* The one to follow next; NULL: all have been. */
static Expr *
next_operand(const Flow *f, Step *step)
{
	const int i = step->next;

	if (g_hash_table_contains(f->done, step->e) || step->e->n_args == 0
		|| i >= step->e->n_args)
		return NULL;
	step->next++;
	return i < 0 ? highest_operand(f, step->e) : step->e->arg[i];
}

static void
follow(Flow *f, Expr *root)
{
	GArray *path = g_array_new(FALSE, FALSE, sizeof(Step));
	const Step first = { root, -1 };

	g_array_append_val(path, first);
	while (path->len > 0) {
		Step *step = &g_array_index(path, Step, path->len - 1);
		const Step next = { next_operand(f, step), -1 };

		if (next.e != NULL) {
			g_array_append_val(path, next);
			continue;
		}
		complete(f, step->e);
		g_array_set_size(path, path->len - 1);
	}
	g_array_unref(path);
}

GPtrArray *
flow_order(Expr *root)
{
	Flow f = { g_ptr_array_new(), g_hash_table_new(NULL, NULL), g_hash_table_new_full(NULL,
		NULL, NULL, (GDestroyNotify)g_ptr_array_unref), g_hash_table_new(NULL, NULL),
		g_hash_table_new(NULL, NULL), 0 };

	expr_visit(&root, 1, measure, &f);
	if (f.longs >= MANY)
		follow(&f, root);
	g_hash_table_unref(f.height);
	g_hash_table_unref(f.users);
	g_hash_table_unref(f.done);
	g_hash_table_unref(f.late);
	if (f.longs >= MANY)
		return f.order;
	g_ptr_array_unref(f.order);
	return NULL;
}
