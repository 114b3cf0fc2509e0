/* flow.c: sums as soon as their terms are there. */
#include "emit/flow.h"

#include "analyze/cost.h"

#define MANY 8   /* that take long */
#define LEVELS 4 /* from a value to the sum that it is a term of, at most */

typedef struct {
	GPtrArray *order;
	GHashTable *height; /* Expr → levels below it */
	GHashTable *users;  /* Expr → GPtrArray */
	GHashTable *done;
	GHashTable *late;   /* those with something that takes long in them */
	int longs;
	gboolean several;   /* values, which may have sums of the same terms */
} Flow;

/* How far a node of the path has been followed: its highest operand, then the others. */
typedef struct {
	Expr *e;
	int next; /* -1: the highest */
} Step;

gboolean
flow_is_part(const Expr *e)
{
	return e->op == EXPR_ADD || e->op == EXPR_SUB || e->op == EXPR_FMA || e->op == EXPR_MIN
		|| e->op == EXPR_MAX;
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

static gboolean
is_leaf(const Expr *e)
{
	return expr_op_info[e->op].shape == SHAPE_LEAF;
}

/* PART of a sum adds a cell as it is, or times what is the same for all. */
static gboolean
adds_cell(const Expr *part)
{
	return is_leaf(part->arg[1]) && (part->op != EXPR_FMA || is_leaf(part->arg[0]));
}

/* Nothing of E is missing but leaves; of a sum of several values, which is not to go on before the
 * others, no cell that is not loaded for them. */
static gboolean
is_ready(const Flow *f, const Expr *e)
{
	const gboolean waits = f->several && flow_is_part(e) && adds_cell(e);

	for (int i = 0; i < e->n_args; i++)
		if (!(is_leaf(e->arg[i]) && !(waits && e->arg[i]->op == EXPR_TAP))
			&& !g_hash_table_contains(f->done, e->arg[i]))
			return FALSE;
	return TRUE;
}

static gboolean is_next_term(const Flow *f, const Expr *e, int levels);

/* What PART of a sum adds its term to. */
static const Expr *
so_far(const Expr *part)
{
	return part->arg[part->op == EXPR_FMA ? 2 : 0];
}

/* A sum that USER is a part of waits for E, or for what USER makes of it, and for nothing else. */
static gboolean
goes_on(const Flow *f, const Expr *user, const Expr *e, int levels)
{
	if (!flow_is_part(user))
		return levels > 0 && is_next_term(f, user, levels - 1);
	return so_far(user) == e ? !flow_is_part(user->arg[1])
		: g_hash_table_contains(f->done, so_far(user));
}

/* All that is made of E is the next term of some sum. */
static gboolean
is_next_term(const Flow *f, const Expr *e, int levels)
{
	const GPtrArray *users = g_hash_table_lookup(f->users, e);

	for (guint i = 0; users != NULL && i < users->len; i++)
		if (!goes_on(f, g_ptr_array_index(users, i), e, levels))
			return FALSE;
	return users != NULL;
}

/* E is a part of a sum that goes on, or goes on from more than a cell: it is no mere difference. */
static gboolean
is_running(const Flow *f, const Expr *e)
{
	const GPtrArray *users = g_hash_table_lookup(f->users, e);
	gboolean runs = !is_leaf(so_far(e));

	for (guint i = 0; users != NULL && i < users->len && !runs; i++) {
		const Expr *user = g_ptr_array_index(users, i);

		runs = flow_is_part(user) && so_far(user) == e;
	}
	return runs;
}

/* E is a sum, or a term of one, of what takes long or others sum up, too. */
static gboolean
is_of_sum(const Flow *f, const Expr *e)
{
	const gboolean late = g_hash_table_contains(f->late, e);

	if (late && (flow_is_part(e) || e->op == EXPR_MUL))
		return TRUE;
	return f->several && (flow_is_part(e) ? is_running(f, e) : is_next_term(f, e, LEVELS));
}

/* Likewise, and all of it is there. */
static gboolean
comes_along(const Flow *f, const Expr *e)
{
	return is_of_sum(f, e) && is_ready(f, e);
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
flow_order(Expr *const *roots, int n)
{
	Flow f = { g_ptr_array_new(), g_hash_table_new(NULL, NULL), g_hash_table_new_full(NULL,
		NULL, NULL, (GDestroyNotify)g_ptr_array_unref), g_hash_table_new(NULL, NULL),
		g_hash_table_new(NULL, NULL), 0, n > 1 };

	expr_visit(roots, n, measure, &f);
	for (int i = 0; i < n && (f.longs >= MANY || f.several); i++)
		follow(&f, roots[i]);
	g_hash_table_unref(f.height);
	g_hash_table_unref(f.users);
	g_hash_table_unref(f.done);
	g_hash_table_unref(f.late);
	if (f.order->len > 0)
		return f.order;
	g_ptr_array_unref(f.order);
	return NULL;
}
