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
	case KK_POST:
	case KK_RECEIVE:
		code->bound[1] = interp_wide(c, s->to, FALSE);
		if (s->kind == KK_RECEIVE)
			compile_source(c, code, s->value);
		break;
	case KK_SEND:
	case KK_BRING:
		if (s->to != NULL)
			code->bound[1] = interp_expr(c, s->to, FALSE);
		interp_place(c, s->value, &code->source);
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

	code->stmt = s;
	code->from = (int)c->p->ops->len;
	compile_parts(c, code);
	if (s->kind == KK_IF) { /* the body's statements must not have its slot */
		for (guint i = 0; i < c->taken->len; i++)
			if (g_array_index(c->taken, int, i) == code->value)
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
give_tile_memory(const Interp *p, TileData *t)
{
	gboolean shared = t->tile->space == KS_SHARED;
	gsize n = (gsize)t->n * (shared ? 1 : (gsize)p->n);

	t->v = arena_array(p->arena, FoldValue, n);
	t->unset = arena_array(p->arena, guint8, n);
	if (!shared)
		return;
	t->shadow = arena_array(p->arena, Shadow, t->n);
	t->others = arena_array(p->arena, Event, t->n * p->crew_size);
}

static void
find_tile(Interp *p, const KTile *tile)
{
	TileData *t = &p->tiles[tile->index];

	if (t->tile != NULL)
		return;
	t->tile = tile;
	t->n = k_tile_elements(tile);
	give_tile_memory(p, t);
}

static void
look_at_mail(Interp *p, const KStmt *s)
{
	KType type = s->place->type;
	int bytes = s->width * (type.kind == KT_VALUE ? type_info[type.type].bytes : 0);

	if (p->k->mail == 0)
		p->bad = "mail, where the kernel has none";
	else if (s->kind != KK_EXPECT && (bytes % MAIL_BYTES != 0 || bytes < MAIL_BYTES
		|| bytes > LARGEST_COPY))
		p->bad = "mail of cells that are no whole words, or too many";
}

static void
find_relay(const KStmt *s, gpointer user)
{
	Interp *p = user;

	if (s->kind == KK_POST || s->kind == KK_EXPECT || s->kind == KK_RECEIVE)
		look_at_mail(p, s);
	p->relays = p->relays || s->kind == KK_BRING || s->kind == KK_SEND
		|| (s->kind == KK_GATE && s->tile->arrivals > 0);
}

/* How many threads go in step. */
static void
set_threads(Interp *p)
{
	p->n = 1;
	p->crew_size = 1;
	for (int i = 0; i < IR_MAX_RANK; i++) {
		p->threads[i] = p->k->plan->threads[i];
		p->n *= p->threads[i];
	}
	kir_visit(p->k, find_relay, NULL, p);
	if (!p->relays)
		return;
	if (p->k->mail > 0)
		p->bad = "mail between blocks whose warps go by themselves";
	if (p->n % WARP != 0)
		p->bad = "warps that go by themselves, in blocks that are not whole warps";
	p->crew_size = (p->n + WARP - 1) / WARP;
	p->n = WARP;
}

static void
on_stmt(const KStmt *s, gpointer user)
{
	Interp *p = user;

	if (s->tile != NULL)
		find_tile(p, s->tile);
	if (s->kind == KK_GATE) {
		p->tiles[s->tile->index].first_gate = p->n_gates;
		p->n_gates += p->tiles[s->tile->index].n;
	}
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
	p->frames = arena_array(p->arena, Frame, p->max_depth + 3);
}

/* What never changes. */
static void
set_numbers(Interp *p)
{
	for (guint i = 0; i < p->params->len; i++) {
		const Given *g = &g_array_index(p->params, Given, i);
		Slot *s = slot_at(p, g->slot);
		int below = 1;

		for (int a = 0; a < g->param->axis; a++)
			below *= p->threads[a];
		for (int l = 0; l < (s->wide ? p->n : 1); l++)
			if (g->param->kind == KP_LANE)
				s->v[l].integer = l % WARP;
			else if (g->param->kind == KP_WARP)
				s->v[l].integer = warp_of(p, l);
			else if (g->param->kind == KP_THREAD)
				s->v[l].integer = (p->first + l) / below
					% p->threads[g->param->axis];
	}
}

void
interp_own_memory(Interp *p)
{
	const GArray *slots = p->slots;
	const TileData *tiles = p->tiles;

	p->slots = g_array_new(FALSE, FALSE, sizeof(Slot));
	g_array_append_vals(p->slots, slots->data, slots->len);
	p->tiles = arena_copy(p->arena, tiles, sizeof *tiles * (gsize)(p->k->n_tiles + 1));
	for (int i = 0; i < p->k->n_tiles; i++)
		if (tiles[i].tile != NULL && tiles[i].tile->space != KS_SHARED)
			give_tile_memory(p, &p->tiles[i]);
	p->coming = g_array_new(FALSE, FALSE, sizeof(Coming));
	give_memory(p);
	set_numbers(p);
}

/* How often the lanes of each warp have met. */
static void
give_meetings(Interp *p)
{
	p->met = arena_array(p->arena, guint32, p->n * p->crew_size / WARP + 1);
}

void
interp_own_block(Interp *p)
{
	interp_own_memory(p);
	for (int i = 0; i < p->k->n_tiles; i++)
		if (p->tiles[i].shadow != NULL)
			give_tile_memory(p, &p->tiles[i]);
	give_meetings(p);
}

Interp *
interp_new(const KKernel *k)
{
	Interp *p = g_new0(Interp, 1);
	Compiler c = { .p = p };

	p->k = k;
	p->arena = arena_new();
	set_threads(p);
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
	give_meetings(p);
	give_memory(p);
	set_numbers(p);
	if (p->relays)
		interp_crew_new(p);
	else if (k->mail > 0)
		interp_mail_new(p);
	if (!p->calls)
		return p;
	interp_free(p);
	return NULL;
}

void
interp_free(Interp *p)
{
	if (p->crew != NULL)
		interp_crew_free(p);
	if (p->mail != NULL)
		interp_mail_free(p);
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
