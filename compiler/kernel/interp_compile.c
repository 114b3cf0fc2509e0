/* interp_compile.c: a kernel's statements, made ready to run. */
#include "kernel/interp_code.h"

#include <string.h>

static GPtrArray *compile_body(Compiler *c, const GPtrArray *body);

static int
array_of(Compiler *c, const KArray *array)
{
	GArray *all = c->p->arrays;
	ArrayData data = { .array = array };

	for (guint i = 0; i < all->len; i++) {
		const KArray *other = g_array_index(all, ArrayData, i).array;

		if (other->field == array->field && other->level == array->level
			&& other->mask == array->mask && other->written == array->written)
			return (int)i;
	}
	data.type = array->mask ? TYPE_U8 : array->field->type;
	g_array_append_val(all, data);
	return (int)all->len - 1;
}

/* A variable's slot, which is its own as long as the kernel runs. */
static void
new_var(Compiler *c, Code *code, gboolean wide, gboolean real, gboolean unset)
{
	code->var = interp_slot(c, (Slot){ .wide = wide, .real = real, .may_be_unset = unset });
	g_array_set_size(c->taken, c->taken->len - 1);
	c->var[code->stmt->var->index] = code->var;
}

static void
compile_let(Compiler *c, Code *code)
{
	const KStmt *s = code->stmt;
	int value = interp_expr(c, s->value, interp_is_real(s->var->type)), before;
	const Slot from = *slot_at(c->p, value);

	before = c->var[s->var->index];
	if (before < 0)
		new_var(c, code, from.wide, from.real, from.may_be_unset);
	else
		code->var = before;
	interp_op(c, OP_COPY, code->var, 1, &value);
}

static void
compile_loop(Compiler *c, Code *code)
{
	const KStmt *s = code->stmt;
	gboolean wide;

	code->bound[0] = interp_expr(c, s->from, FALSE);
	code->bound[1] = interp_expr(c, s->to, FALSE);
	wide = slot_at(c->p, code->bound[0])->wide || slot_at(c->p, code->bound[1])->wide;
	for (int i = 0; i < 2; i++) { /* they are looked at once, or at every turn */
		int kept = interp_slot(c, (Slot){ .wide = wide });

		g_array_set_size(c->taken, c->taken->len - 1);
		if (wide && !slot_at(c->p, code->bound[i])->wide)
			interp_op(c, OP_SPLAT, kept, 1, &code->bound[i]);
		else
			interp_op(c, OP_COPY, kept, 1, &code->bound[i]);
		code->bound[i] = kept;
	}
	new_var(c, code, wide, FALSE, FALSE);
}

static void
compile_source(Compiler *c, Code *code, const KExpr *e)
{
	code->has_source = TRUE;
	interp_place(c, e, &code->source);
}

static void
compile_parts(Compiler *c, Code *code)
{
	const KStmt *s = code->stmt;

	if (s->array != NULL)
		code->array = array_of(c, s->array);
	if (s->index != NULL)
		code->index = interp_wide(c, s->index, FALSE);
	if (s->place != NULL)
		interp_place(c, s->place, &code->place);
	switch (s->kind) {
	case KK_LET:
		compile_let(c, code);
		break;
	case KK_SET:
		code->value = interp_wide(c, s->value, interp_is_real(s->place->type));
		break;
	case KK_STORE:
		if (s->width > 1)
			compile_source(c, code, s->value);
		else
			code->value = interp_wide(c, s->value, !s->array->mask
				&& type_is_real(s->array->field->type));
		break;
	case KK_MOVE:
		if (s->value->op == K_ELEMENT)
			compile_source(c, code, s->value);
		else
			code->value = interp_wide(c, s->value, interp_is_real(s->place->type));
		break;
	case KK_AWAIT:
	case KK_IF:
	case KK_LEAVE:
		code->value = interp_expr(c, s->value, FALSE);
		break;
	case KK_FOR:
		compile_loop(c, code);
		break;
	default:
		break;
	}
}

static Code *
compile_stmt(Compiler *c, const KStmt *s)
{
	Code *code = arena_make(c->p->arena, Code);
	int inner = s->kind == KK_IF || s->kind == KK_FOR;
	int kept = -1;

	code->stmt = s;
	code->from = (int)c->p->ops->len;
	compile_parts(c, code);
	if (s->kind == KK_IF) { /* the body's statements must not have its slot */
		kept = code->value;
		for (guint i = 0; i < c->taken->len; i++)
			if (g_array_index(c->taken, int, i) == kept)
				g_array_remove_index_fast(c->taken, i--);
	}
	interp_release(c);
	code->to = (int)c->p->ops->len;
	c->depth += inner;
	c->p->max_depth = MAX(c->p->max_depth, c->depth);
	if (s->body != NULL)
		code->body = compile_body(c, s->body);
	if (s->other != NULL)
		code->other = compile_body(c, s->other);
	c->depth -= inner;
	return code;
}

static GPtrArray *
compile_body(Compiler *c, const GPtrArray *body)
{
	GPtrArray *list = g_ptr_array_new();

	g_ptr_array_add(c->p->lists, list);
	for (guint i = 0; i < body->len; i++) {
		const KStmt *s = g_ptr_array_index(body, i);

		if (s->kind != KK_NOTE)
			g_ptr_array_add(list, compile_stmt(c, s));
	}
	return list;
}

/* ---- what it works on ---- */

static void
find_tile(Interp *p, const KTile *tile)
{
	TileData *t = &p->tiles[tile->index];
	gsize lanes = tile->space == KS_SHARED ? 1 : (gsize)p->n;

	if (t->tile != NULL)
		return;
	t->tile = tile;
	t->n = 1;
	for (int i = 0; i < tile->n_dims; i++)
		t->n *= tile->size[i];
	t->v = arena_array(p->arena, FoldValue, (gsize)t->n * lanes);
	t->unset = arena_array(p->arena, guint8, (gsize)t->n * lanes);
	if (tile->space == KS_SHARED)
		t->shadow = arena_array(p->arena, Shadow, t->n);
}

static void
on_stmt(const KStmt *s, gpointer user)
{
	Interp *p = user;

	if (s->tile != NULL)
		find_tile(p, s->tile);
	p->relays = p->relays || (s->kind == KK_GATE && s->tile->arrivals > 0);
}

static void
on_expr(const KExpr *e, gpointer user)
{
	if (e->op == K_ELEMENT)
		find_tile(user, e->tile);
}

static void
give_memory(Interp *p)
{
	for (guint i = 0; i < p->slots->len; i++) {
		Slot *s = slot_at(p, (int)i);
		gsize n = s->wide ? (gsize)p->n : 1;

		if (s->points)
			continue;
		s->v = arena_array(p->arena, FoldValue, n);
		if (s->may_be_unset)
			s->unset = arena_array(p->arena, guint8, n);
	}
	p->masks = arena_array(p->arena, guint8, (gsize)p->n * (gsize)(p->max_depth + 2));
	p->gone = arena_array(p->arena, guint8, p->n);
	p->committed = arena_array(p->arena, int, p->n);
	p->met = arena_array(p->arena, guint32, p->n / WARP + 1);
}

/* What never changes. */
static void
set_threads(Interp *p)
{
	for (guint i = 0; i < p->params->len; i++) {
		const Given *g = &g_array_index(p->params, Given, i);
		int below = 1;

		if (!slot_at(p, g->slot)->wide)
			continue;
		for (int a = 0; a < g->param->axis; a++)
			below *= p->threads[a];
		for (int l = 0; l < p->n; l++)
			slot_at(p, g->slot)->v[l].integer = g->param->kind == KP_LANE ? l % WARP
				: l / below % p->threads[g->param->axis];
	}
}

Interp *
interp_new(const KKernel *k)
{
	Interp *p = g_new0(Interp, 1);
	Compiler c = { .p = p };

	p->k = k;
	p->arena = arena_new();
	p->n = 1;
	for (int i = 0; i < IR_MAX_RANK; i++) {
		p->threads[i] = k->plan->threads[i];
		p->n *= p->threads[i];
	}
	p->ops = g_array_new(FALSE, FALSE, sizeof(Op));
	p->slots = g_array_new(FALSE, FALSE, sizeof(Slot));
	p->arrays = g_array_new(FALSE, FALSE, sizeof(ArrayData));
	p->params = g_array_new(FALSE, FALSE, sizeof(Given));
	p->leaves = g_array_new(FALSE, FALSE, sizeof(Given));
	p->coming = g_array_new(FALSE, FALSE, sizeof(Coming));
	p->lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	p->tiles = arena_array(p->arena, TileData, k->n_tiles + 1);
	kir_visit(k, on_stmt, on_expr, p);
	c.memo = g_hash_table_new(NULL, NULL);
	c.kept = g_hash_table_new(NULL, NULL);
	c.leaves = g_hash_table_new(NULL, NULL);
	c.spare = g_array_new(FALSE, FALSE, sizeof(int));
	c.taken = g_array_new(FALSE, FALSE, sizeof(int));
	c.var = arena_array(p->arena, int, k->n_vars + 1);
	for (int i = 0; i < k->n_vars; i++)
		c.var[i] = -1;
	p->setup = compile_body(&c, k->setup);
	p->body = compile_body(&c, k->body);
	g_hash_table_unref(c.memo);
	g_hash_table_unref(c.kept);
	g_hash_table_unref(c.leaves);
	g_array_unref(c.spare);
	g_array_unref(c.taken);
	give_memory(p);
	set_threads(p);
	if (!p->calls && !p->relays)
		return p;
	interp_free(p);
	return NULL;
}

void
interp_free(Interp *p)
{
	g_array_unref(p->ops);
	g_array_unref(p->slots);
	g_array_unref(p->arrays);
	g_array_unref(p->params);
	g_array_unref(p->leaves);
	g_array_unref(p->coming);
	g_ptr_array_unref(p->lists);
	arena_free(p->arena);
	g_free(p);
}
