/* copy.c: the same stencil, of other fields. */
#include "opt/opt.h"

typedef struct {
	Field *const *field; /* by Field.index */
	GHashTable *done;    /* Expr: Expr */
} Copying;

static Expr *
copy_tap(Stencil *s, Expr *e, gpointer user)
{
	const Copying *c = user;
	Expr like = *e;

	if (e->op != EXPR_TAP)
		return e;
	like.tap.field = c->field[e->tap.field->index];
	return like.tap.field == e->tap.field ? e : expr_node(s, &like);
}

static Expr *
copy_value(Stencil *s, Expr *root, Copying *c)
{
	return expr_rewrite(s, root, copy_tap, c, c->done);
}

static void
copy_guards(Stencil *s, Region *region, Copying *c)
{
	Expr **guard = arena_array(s->arena, Expr *, region->n_guards + 1);

	for (int i = 0; i < region->n_guards; i++)
		guard[i] = copy_value(s, region->guard[i], c);
	region->guard = guard;
}

static Stage *
copy_stage(Stencil *s, const Stage *like, Copying *c)
{
	Stage *stage = arena_copy(s->arena, like, sizeof *like);

	if (stage->kind != STAGE_REDUCE)
		stage->target = c->field[stage->target->index];
	stage->value = copy_value(s, stage->value, c);
	if (stage->start != NULL)
		stage->start = copy_value(s, stage->start, c);
	copy_guards(s, &stage->region, c);
	copy_guards(s, &stage->start_region, c);
	return stage;
}

Stencil *
opt_copy(Stencil *s, Field *const *field)
{
	Stencil *copy = arena_copy(s->arena, s, sizeof *s);
	Copying c = { field, g_hash_table_new(NULL, NULL) };

	copy->fields = g_ptr_array_new();
	copy->stages = g_ptr_array_new();
	copy->needs = g_ptr_array_new();
	for (guint i = 0; i < s->fields->len; i++)
		g_ptr_array_add(copy->fields, field[i]);
	for (guint i = 0; i < s->stages->len; i++)
		g_ptr_array_add(copy->stages, copy_stage(copy, g_ptr_array_index(s->stages, i),
			&c));
	for (guint i = 0; i < s->needs->len; i++) {
		EdgeNeed *need = arena_copy(s->arena, g_ptr_array_index(s->needs, i), sizeof *need);

		need->field = field[need->field->index];
		g_ptr_array_add(copy->needs, need);
	}
	g_hash_table_unref(c.done);
	return copy;
}
