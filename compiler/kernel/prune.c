/* prune.c: a lowering names what it may need; here goes what it did not. */
#include "kernel/prune.h"

typedef struct {
	GHashTable *used;  /* names and tiles that an expression asks for */
	GHashTable *asked; /* tile → how often an element of it stands anywhere */
	GHashTable *taken; /* ... as what a load fills */
} Uses;

static gboolean
fills_registers(const KStmt *s)
{
	return s->kind == KK_LOAD && s->place->op == K_ELEMENT
		&& s->place->tile->space == KS_REGISTERS;
}

static void
count_one(GHashTable *table, const KTile *tile)
{
	guint n = GPOINTER_TO_UINT(g_hash_table_lookup(table, tile));

	g_hash_table_insert(table, (gpointer)tile, GUINT_TO_POINTER(n + 1));
}

static void
mark_load(const KStmt *s, gpointer user)
{
	Uses *uses = user;

	if (fills_registers(s))
		count_one(uses->taken, s->place->tile);
}

/* TRUE if loads fill TILE, and nothing else asks for it. */
static gboolean
is_only_filled(const Uses *uses, const KTile *tile)
{
	return g_hash_table_lookup(uses->asked, tile) == g_hash_table_lookup(uses->taken, tile);
}

static void
mark(const KExpr *e, gpointer user)
{
	Uses *uses = user;
	GHashTable *used = uses->used;

	if (e->op == K_VAR)
		g_hash_table_add(used, (gpointer)e->var);
	if (e->op == K_ELEMENT) {
		g_hash_table_add(used, (gpointer)e->tile);
		count_one(uses->asked, e->tile);
	}
	for (int a = 0; a < K_AT_N && e->op == K_VALUE; a++)
		if (e->of->at[a] != NULL)
			g_hash_table_add(used, (gpointer)e->of->at[a]);
}

static gboolean
does_nothing(const KStmt *s, const Uses *uses)
{
	switch (s->kind) {
	case KK_LET:
		return !g_hash_table_contains(uses->used, s->var);
	case KK_TILE:
		return !g_hash_table_contains(uses->used, s->tile);
	case KK_FOR:
		return s->body->len == 0;
	case KK_IF:
		return s->body->len == 0 && (s->other == NULL || s->other->len == 0);
	default:
		return fills_registers(s) && is_only_filled(uses, s->place->tile);
	}
}

/* A note of nothing. */
static gboolean
is_idle_note(const GPtrArray *body, guint i)
{
	const KStmt *s = g_ptr_array_index(body, i);

	return s->kind == KK_NOTE && (i + 1 == body->len
		|| ((const KStmt *)g_ptr_array_index(body, i + 1))->kind == KK_NOTE);
}

static gboolean
drop_unused(KKernel *k, GPtrArray *body, const Uses *uses)
{
	gboolean any = FALSE;

	for (guint i = body->len; i-- > 0;) {
		if (!does_nothing(g_ptr_array_index(body, i), uses) && !is_idle_note(body, i))
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
		Uses uses = { g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL),
			g_hash_table_new(NULL, NULL) };

		again = FALSE;
		kir_visit(k, mark_load, mark, &uses);
		for (guint i = 0; i < k->lists->len; i++)
			again = drop_unused(k, g_ptr_array_index(k->lists, i), &uses) || again;
		g_hash_table_unref(uses.used);
		g_hash_table_unref(uses.asked);
		g_hash_table_unref(uses.taken);
	}
}
