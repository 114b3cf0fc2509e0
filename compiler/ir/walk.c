/* walk.c: through the nodes of expressions. */
#include "ir/ir.h"

/* A node on the way down, and the next of its operands to go to. */
typedef struct {
	Expr *e;
	int next;
} Frame;

#define FEW_NODES 256 /* places, half of them to be taken; a power of 2 */

/* Nodes that were seen.  Most expressions have few, and all are walked so often that GLib's hash
 * table for each walk took a third of the compiler's time. */
typedef struct {
	const Expr *few[FEW_NODES];
	const Expr **many; /* where they are no longer few */
	guint size, n;     /* places, a power of 2; nodes */
} Seen;

/* Where E is among the places, or would be. */
static guint
seen_place(const Expr *const *places, guint size, const Expr *e)
{
	guint at = (guint)(GPOINTER_TO_SIZE(e) >> 4) & (size - 1);

	while (places[at] != NULL && places[at] != e)
		at = (at + 1) & (size - 1);
	return at;
}

static void
seen_grow(Seen *seen)
{
	const Expr **old = seen->many != NULL ? seen->many : seen->few;
	guint size = seen->size * 4;
	const Expr **many = g_new0(const Expr *, size);

	for (guint i = 0; i < seen->size; i++)
		if (old[i] != NULL)
			many[seen_place(many, size, old[i])] = old[i];
	g_free(seen->many);
	seen->many = many;
	seen->size = size;
}

/* FALSE: it was there. */
static gboolean
seen_add(Seen *seen, const Expr *e)
{
	const Expr **places = seen->many != NULL ? seen->many : seen->few;
	guint at = seen_place(places, seen->size, e);

	if (places[at] != NULL)
		return FALSE;
	places[at] = e;
	if (++seen->n > seen->size / 2)
		seen_grow(seen);
	return TRUE;
}

/* Through a graph of nodes, operands first: each of them once, and none that MEMO has. */
typedef struct {
	GArray *path;
	GHashTable *memo; /* to which the caller adds each node; NULL: SEEN has them */
	Seen seen;
} Walk;

static void
walk_to(Walk *w, Expr *e)
{
	Frame frame = { e, 0 };

	if (w->memo != NULL ? !g_hash_table_contains(w->memo, e) : seen_add(&w->seen, e))
		g_array_append_val(w->path, frame);
}

/* The next node; NULL at the end. */
static Expr *
walk_next(Walk *w)
{
	while (w->path->len > 0) {
		Frame *top = &g_array_index(w->path, Frame, w->path->len - 1);

		if (top->next < top->e->n_args) {
			walk_to(w, top->e->arg[top->next++]);
			continue;
		}

		Expr *e = top->e;

		g_array_set_size(w->path, w->path->len - 1);
		return e;
	}
	return NULL;
}

static Expr *
rewrite_node(Stencil *s, Expr *e, ExprRewrite fn, gpointer user, GHashTable *memo)
{
	Expr *few[4], **arg = few;

	if (e->n_args > (int)G_N_ELEMENTS(few))
		arg = g_new(Expr *, (gsize)e->n_args);
	for (int i = 0; i < e->n_args; i++)
		arg[i] = g_hash_table_lookup(memo, e->arg[i]);

	Expr *now = fn(s, expr_with_args(s, e, arg), user);

	if (arg != few)
		g_free(arg);
	return now;
}

Expr *
expr_rewrite(Stencil *s, Expr *root, ExprRewrite fn, gpointer user, GHashTable *memo)
{
	GHashTable *done = memo ? g_hash_table_ref(memo) : g_hash_table_new(NULL, NULL);
	Walk w = { .path = g_array_new(FALSE, FALSE, sizeof(Frame)), .memo = done };
	Expr *e;

	walk_to(&w, root);
	while ((e = walk_next(&w)) != NULL)
		g_hash_table_insert(done, e, rewrite_node(s, e, fn, user, done));
	e = g_hash_table_lookup(done, root);
	g_array_unref(w.path);
	g_hash_table_unref(done);
	return e;
}

void
expr_visit(Expr *const *roots, int n, ExprVisit fn, gpointer user)
{
	Walk w = { .path = g_array_new(FALSE, FALSE, sizeof(Frame)), .seen.size = FEW_NODES };
	Expr *e;

	for (int i = 0; i < n; i++) {
		walk_to(&w, roots[i]);
		while ((e = walk_next(&w)) != NULL)
			fn(e, user);
	}
	g_array_unref(w.path);
	g_free(w.seen.many);
}

typedef struct {
	gboolean (*is)(const Expr *e);
	gboolean any;
} Has;

static void
find_such(Expr *e, gpointer user)
{
	Has *has = user;

	has->any = has->any || has->is(e);
}

gboolean
expr_has(Expr *root, gboolean (*is)(const Expr *e))
{
	Has has = { is, FALSE };

	expr_visit(&root, 1, find_such, &has);
	return has.any;
}

void
stage_taps(const Stage *stage, ExprVisit fn, gpointer user)
{
	GPtrArray *roots = g_ptr_array_new();
	const Region *regions[] = { &stage->region, &stage->start_region };

	g_ptr_array_add(roots, stage->value);
	if (stage->kind == STAGE_SCAN && stage->start != NULL)
		g_ptr_array_add(roots, stage->start);
	for (gsize r = 0; r < G_N_ELEMENTS(regions); r++)
		for (int i = 0; i < regions[r]->n_guards; i++)
			g_ptr_array_add(roots, regions[r]->guard[i]);
	expr_visit((Expr *const *)roots->pdata, (int)roots->len, fn, user);
	g_ptr_array_unref(roots);
}

typedef struct {
	TapTest *is;
	gconstpointer user;
	gboolean any;
} TapSearch;

static void
find_such_tap(Expr *e, gpointer user)
{
	TapSearch *s = user;

	s->any = s->any || (e->op == EXPR_TAP && s->is(e, s->user));
}

gboolean
expr_has_tap(Expr *root, TapTest *is, gconstpointer user)
{
	TapSearch s = { is, user, FALSE };

	expr_visit(&root, 1, find_such_tap, &s);
	return s.any;
}

gboolean
stage_has_tap(const Stage *stage, TapTest *is, gconstpointer user)
{
	TapSearch s = { is, user, FALSE };

	stage_taps(stage, find_such_tap, &s);
	return s.any;
}
