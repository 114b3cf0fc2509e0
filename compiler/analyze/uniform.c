#include "analyze/uniform.h"

/* Operands come first. */
static void
see(Expr *e, gpointer user)
{
	GHashTable *uniform = user;

	if (e->op == EXPR_CALL || expr_is_own(e))
		return;
	for (int i = 0; i < e->n_args; i++)
		if (!g_hash_table_contains(uniform, e->arg[i]))
			return;
	g_hash_table_add(uniform, e);
}

GHashTable *
uniform_nodes(Expr *root)
{
	GHashTable *uniform = g_hash_table_new(NULL, NULL);

	expr_visit(&root, 1, see, uniform);
	return uniform;
}
