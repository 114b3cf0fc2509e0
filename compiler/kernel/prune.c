/* prune.c: a lowering names what it may need; here goes what it did not. */
#include "kernel/prune.h"

static void
ignore(const KStmt *s, gpointer user)
{
	(void)s;
	(void)user;
}

static void
mark(const KExpr *e, gpointer user)
{
	GHashTable *used = user;

	if (e->op == K_VAR)
		g_hash_table_add(used, (gpointer)e->var);
	if (e->op == K_ELEMENT)
		g_hash_table_add(used, (gpointer)e->tile);
	for (int a = 0; a < IR_MAX_RANK && e->op == K_VALUE; a++)
		if (e->of->at[a] != NULL)
			g_hash_table_add(used, (gpointer)e->of->at[a]);
}

static gboolean
drop_unused(KKernel *k, GPtrArray *body, GHashTable *used)
{
	gboolean any = FALSE;

	for (guint i = body->len; i-- > 0;) {
		const KStmt *s = g_ptr_array_index(body, i);

		if ((s->kind != KK_LET || g_hash_table_contains(used, s->var))
			&& (s->kind != KK_TILE || g_hash_table_contains(used, s->tile)))
			continue;
		kir_drop(k, body, i);
		any = TRUE;
	}
	return any;
}

/* What a dropped name asked for may be the next to go. */
void
kir_prune(KKernel *k)
{
	gboolean again = TRUE;

	while (again) {
		GHashTable *used = g_hash_table_new(NULL, NULL);

		again = FALSE;
		kir_visit(k, ignore, mark, used);
		for (guint i = 0; i < k->lists->len; i++)
			again = drop_unused(k, g_ptr_array_index(k->lists, i), used) || again;
		g_hash_table_unref(used);
	}
}
