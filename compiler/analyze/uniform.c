#include "analyze/uniform.h"

typedef struct {
	GHashTable *nodes;
	gboolean all_steps;
} Uniform;

/* Operands come first. */
static void
see(Expr *e, gpointer user)
{
	const Uniform *u = user;

	if (e->op == EXPR_CALL || expr_is_own(e) || (u->all_steps && e->op == EXPR_STEP))
		return;
	for (int i = 0; i < e->n_args; i++)
		if (!g_hash_table_contains(u->nodes, e->arg[i]))
			return;
	g_hash_table_add(u->nodes, e);
}

GHashTable *
uniform_nodes(Expr *root, gboolean all_steps)
{
	Uniform u = { g_hash_table_new(NULL, NULL), all_steps };

	expr_visit(&root, 1, see, &u);
	return u.nodes;
}
