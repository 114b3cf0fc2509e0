/* replace.c: expressions with parts replaced. */
#include "ir/replace.h"

typedef struct {
	Arena *arena;
	GHashTable *marks; /* Expr → what stands for it */
	GHashTable *built; /* Expr → what it is now */
} Replace;

Expr *
expr_mark(Arena *arena, const Expr *leaf, Type type)
{
	Expr *mark = arena_copy(arena, leaf, sizeof *leaf);

	mark->type = type;
	mark->name = NULL;
	return mark;
}

/* Operands first. */
static void
build(Expr *e, gpointer user)
{
	Replace *r = user;
	Expr *copy = e, *mark = g_hash_table_lookup(r->marks, e);

	if (mark != NULL) {
		g_hash_table_insert(r->built, e, mark);
		return;
	}
	for (int a = 0; a < e->n_args; a++) {
		Expr *arg = g_hash_table_lookup(r->built, e->arg[a]);

		if (arg == e->arg[a])
			continue;
		if (copy == e) {
			copy = arena_copy(r->arena, e, sizeof *e);
			copy->arg = arena_copy(r->arena, e->arg, sizeof *e->arg * (gsize)e->n_args);
		}
		copy->arg[a] = arg;
	}
	g_hash_table_insert(r->built, e, copy);
}

Expr *
expr_replace_all(Arena *arena, Expr *root, GHashTable *marks)
{
	Replace r = { arena, marks, g_hash_table_new(NULL, NULL) };
	Expr *replaced;

	expr_visit(&root, 1, build, &r);
	replaced = g_hash_table_lookup(r.built, root);
	g_hash_table_unref(r.built);
	return replaced;
}

Expr *
expr_replace(Arena *arena, Expr *root, Expr *part, Expr *mark)
{
	GHashTable *marks = g_hash_table_new(NULL, NULL);
	Expr *replaced;

	g_hash_table_insert(marks, part, mark);
	replaced = expr_replace_all(arena, root, marks);
	g_hash_table_unref(marks);
	return replaced;
}
