/* driven.c: parts of a value that the step alone decides. */
#include "kernel/driven.h"

#include "analyze/cost.h"
#include "analyze/uniform.h"
#include "kernel/where.h"

typedef struct {
	GHashTable *uniform; /* Expr: the same for all cells */
	GHashTable *timed;   /* of these, another at each step */
	GPtrArray *parts;    /* of these the largest that take long; one may be in another */
	Expr *tap;           /* some one */
} Search;

/* Operands come first. */
static void
see(Expr *e, gpointer user)
{
	Search *s = user;
	const gboolean uniform = g_hash_table_contains(s->uniform, e);
	gboolean timed = e->op == EXPR_STEP;

	if (e->op == EXPR_TAP)
		s->tap = e;
	for (int i = 0; i < e->n_args; i++)
		timed = timed || g_hash_table_contains(s->timed, e->arg[i]);
	if (uniform && timed)
		g_hash_table_add(s->timed, e);
	for (int i = 0; i < e->n_args && !uniform; i++)
		if (g_hash_table_contains(s->timed, e->arg[i]) && expr_has(e->arg[i], cost_branches)
			&& !g_ptr_array_find(s->parts, e->arg[i], NULL))
			g_ptr_array_add(s->parts, e->arg[i]);
}

/* The caller's; NULL: the step decides nothing.  *TAP: one of the stage's. */
static GPtrArray *
find_parts(const Stage *stage, Expr **tap)
{
	Search s;

	if (!when_is_asked(stage))
		return NULL;
	s = (Search){ uniform_nodes(stage->value, FALSE), g_hash_table_new(NULL, NULL),
		g_ptr_array_new(), NULL };
	expr_visit(&stage->value, 1, see, &s);
	g_hash_table_unref(s.uniform);
	g_hash_table_unref(s.timed);
	*tap = s.tap;
	if (s.tap == NULL) /* nothing to make a mark of */
		g_ptr_array_set_size(s.parts, 0);
	return s.parts;
}

GHashTable *
driven_table(const Plan *plan)
{
	for (int i = 0; i < plan->n_stages; i++)
		if (when_is_asked(plan->stages[i].stage))
			return g_hash_table_new(NULL, NULL);
	return NULL;
}

void
driven_load(KKernel *k, GPtrArray *body, const Stage *stage, int steps, GHashTable *known)
{
	Expr *tap;
	GPtrArray *parts = known != NULL ? find_parts(stage, &tap) : NULL;

	for (guint i = 0; parts != NULL && i < parts->len; i++) {
		Expr *part = g_ptr_array_index(parts, i);
		const KVar *at[K_AT_N] = { NULL };
		const KExpr *step;
		const KTile *tile;
		GPtrArray *each;

		if (g_hash_table_contains(known, part)) /* another stage has it, too */
			continue;
		tile = k_registers(k, body, "drive", part->type, steps);
		each = k_over(k, body, "t", steps, &step);
		when_find(k, each, part, step, at);
		k_set(k, each, k_element(k, tile, &step), k_value(k, part, NULL, at), stage->at);
		g_hash_table_insert(known, part, (gpointer)tile);
	}
	g_clear_pointer(&parts, g_ptr_array_unref);
}

Expr *
driven_bind(KKernel *k, GPtrArray *body, const Stage *stage, const KExpr *step,
	GHashTable *known, GHashTable *bound, const KVar *at[K_AT_N])
{
	Expr *tap, *root = stage->value;
	GPtrArray *parts = known != NULL ? find_parts(stage, &tap) : NULL;
	const KExpr **to;

	if (parts == NULL)
		return root;
	to = arena_array(k->arena, const KExpr *, parts->len);
	for (guint i = 0; i < parts->len; i++)
		to[i] = k_element(k, g_hash_table_lookup(known, g_ptr_array_index(parts, i)),
			&step);
	root = k_bind_parts(k, root, tap, parts, to, bound);
	g_ptr_array_unref(parts);
	when_find(k, body, root, step, at);
	return root;
}
