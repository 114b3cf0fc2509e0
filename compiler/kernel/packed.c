#include "kernel/packed.h"

#include "analyze/pair.h"
#include "base/round.h"

#define WORD PACKED_WORD

static gboolean
is_bytes(const KTile *t)
{
	if (t->space != KS_REGISTERS || t->type.kind != KT_VALUE
		|| (t->type.type != TYPE_U8 && t->type.type != TYPE_I8))
		return FALSE;
	return t->n_dims == 3 || (t->n_dims == 2 && t->size[1] % WORD == 0);
}

/* What loops set, the other tiles being loaded. */
static gboolean
is_result(const KTile *t)
{
	return t->n_dims == 2;
}

/* The cells of a row, each one value. */
static gboolean
is_row(const KStmt *s)
{
	const KStmt *set;
	const KExpr *place;

	if (s->kind != KK_FOR || !s->unrolled || s->step != 1 || s->from->op != K_INT
		|| s->to->op != K_INT || s->from->value != 0 || s->to->value % WORD != 0
		|| s->body->len != 1)
		return FALSE;
	set = g_ptr_array_index(s->body, 0);
	if (set->kind != KK_SET || set->value->op != K_VALUE)
		return FALSE;
	place = set->place;
	return place->n > 0 && place->arg[place->n - 1]->op == K_VAR
		&& place->arg[place->n - 1]->var == s->var;
}

const KStmt *
packed_set(const KStmt *loop)
{
	return g_ptr_array_index(loop->body, 0);
}

const KValue *
packed_value(const KStmt *loop)
{
	return packed_set(loop)->value->of;
}

static void
find_tile(const KStmt *s, gpointer user)
{
	Packed *p = user;

	if (s->kind == KK_TILE)
		p->packed[s->tile->index] = is_bytes(s->tile);
}

/* What is read otherwise is not packed. */
static void
see_element(Packed *p, const KExpr *e)
{
	if (e == NULL)
		return;
	if (e->op == K_ELEMENT)
		p->packed[e->tile->index] = FALSE;
	for (int i = 0; i < e->n; i++)
		see_element(p, e->arg[i]);
}

static void
see_load(Packed *p, const KStmt *s)
{
	const KExpr *place = s->place, *last = place->n > 0 ? place->arg[place->n - 1] : NULL;

	see_element(p, s->index);
	if (last == NULL || last->op != K_INT || is_result(place->tile))
		see_element(p, place);
	else if (s->width >= WORD)
		p->column[place->tile->index] = (int)last->value;
}

/* What a store takes may be packed, a vector of words or a byte. */
static void
see_store(Packed *p, const KStmt *s)
{
	see_element(p, s->index);
	if (s->value->op != K_ELEMENT || !is_result(s->value->tile)
		|| (s->width > 1 && s->width % WORD != 0))
		see_element(p, s->value);
}

/* A loop over a row takes what is loaded as it is, but results one by one. */
static void
see_row(Packed *p, const KStmt *s)
{
	GHashTable *bound = packed_value(s)->bound;
	GHashTableIter iter;
	gpointer tap, to;

	g_ptr_array_add(p->loops, (gpointer)s);
	if (bound == NULL)
		return;
	g_hash_table_iter_init(&iter, bound);
	while (g_hash_table_iter_next(&iter, &tap, &to)) {
		const KExpr *e = to;

		if (e->op != K_ELEMENT || is_result(e->tile))
			see_element(p, e);
	}
}

/* Where cells keep what they were: one of two bytes of rows, which are taken one by one. */
static gboolean
see_kept(Packed *p, const KStmt *s)
{
	const KExpr *value = s->value;

	if (s->kind != KK_SET || value->op != K_SELECT || value->arg[1] != s->place
		|| (value->arg[2]->op != K_ELEMENT && value->arg[2]->op != K_INT)
		|| !is_result(s->place->tile))
		return FALSE;
	see_element(p, value->arg[0]);
	return TRUE;
}

static void
see_value(Packed *p, const KExpr *e)
{
	GHashTableIter iter;
	gpointer tap, to;

	if (e == NULL)
		return;
	if (e->op != K_VALUE || e->of->bound == NULL) {
		see_element(p, e);
		return;
	}
	g_hash_table_iter_init(&iter, e->of->bound);
	while (g_hash_table_iter_next(&iter, &tap, &to))
		see_element(p, to);
}

static void
see_body(Packed *p, const GPtrArray *body)
{
	for (guint i = 0; i < body->len; i++) {
		const KStmt *s = g_ptr_array_index(body, i);
		const KExpr *const parts[] = { s->place, s->value, s->index, s->from, s->to };

		if (is_row(s)) {
			see_row(p, s);
		} else if (s->kind == KK_LOAD) {
			see_load(p, s);
		} else if (s->kind == KK_STORE) {
			see_store(p, s);
		} else if (!see_kept(p, s)) {
			for (gsize n = 0; n < G_N_ELEMENTS(parts); n++)
				see_value(p, parts[n]);
			if (s->body != NULL)
				see_body(p, s->body);
			if (s->other != NULL)
				see_body(p, s->other);
		}
	}
}

/* ---- where a byte lies ---- */

int
packed_before(const Packed *p, const KTile *tile)
{
	return is_result(tile) ? 0 : (WORD - p->column[tile->index] % WORD) % WORD;
}

int
packed_words(const Packed *p, const KTile *tile)
{
	return p == NULL || !p->packed[tile->index] ? 0
		: DIV_UP(packed_before(p, tile) + tile->size[tile->n_dims - 1], WORD);
}

/* How far behind a loop's variable E is; FALSE: it is something else. */
static gboolean
is_column(const KExpr *e, int *column)
{
	*column = 0;
	if (e->op == K_VAR)
		return TRUE;
	if (e->op != K_ADD || e->arg[0]->op != K_VAR || e->arg[1]->op != K_INT)
		return FALSE;
	*column = (int)e->arg[1]->value;
	return TRUE;
}

const KExpr *
packed_byte(const Packed *p, const KValue *value, const Expr *tap, int *column)
{
	const KExpr *e = k_value_to(value, tap);

	return e != NULL && e->op == K_ELEMENT && !is_result(e->tile) && p->packed[e->tile->index]
		&& is_column(e->arg[2], column) ? e : NULL;
}

/* ---- all of them ---- */

typedef struct {
	const Packed *packed;
	const KValue *value;
} Leaves;

static gboolean
is_byte(const Expr *tap, gpointer user)
{
	const Leaves *l = user;
	int column;

	return packed_byte(l->packed, l->value, tap, &column) != NULL;
}

/* What LOOP sets is pairs to the end. */
static gboolean
sets_pairs(const Packed *p, const KStmt *loop)
{
	const KTile *tile = packed_set(loop)->place->tile;
	Leaves leaves = { p, packed_value(loop) };
	PairLook look;
	gboolean whole;

	if (!is_result(tile) || tile->size[1] != loop->to->value)
		return FALSE;
	pair_look_begin(&look, is_byte, &leaves);
	whole = pair_is_whole(&look, leaves.value->root, tile->type.type);
	pair_look_end(&look);
	return whole;
}

/* A result is packed where every loop that sets it has pairs of it. */
static void
settle_results(Packed *p, const KKernel *kir)
{
	gboolean *set = arena_array(p->arena, gboolean, kir->n_tiles + 1);

	for (guint i = 0; i < p->loops->len; i++) {
		const KStmt *loop = g_ptr_array_index(p->loops, i);
		const int tile = packed_set(loop)->place->tile->index;

		set[tile] = TRUE;
		p->packed[tile] = p->packed[tile] && sets_pairs(p, loop);
	}
	for (int i = 0; i < kir->n_tiles; i++)
		p->packed[i] = p->packed[i] && (set[i] || p->column[i] >= 0);
}

/* Most kernels have none, and are asked often. */
static gboolean
has_bytes(const GPtrArray *body)
{
	for (guint i = 0; body != NULL && i < body->len; i++) {
		const KStmt *s = g_ptr_array_index(body, i);

		if ((s->kind == KK_TILE && is_bytes(s->tile)) || has_bytes(s->body)
			|| has_bytes(s->other))
			return TRUE;
	}
	return FALSE;
}

Packed *
packed_of(const KKernel *kir, Arena *arena)
{
	Packed *p;
	gboolean any = FALSE;

	if (!has_bytes(kir->setup) && !has_bytes(kir->body))
		return NULL;
	p = g_new0(Packed, 1);
	p->arena = arena;
	p->packed = arena_array(arena, gboolean, kir->n_tiles + 1);
	p->column = arena_array(arena, int, kir->n_tiles + 1);
	p->loops = g_ptr_array_new();
	for (int i = 0; i < kir->n_tiles; i++)
		p->column[i] = -1;
	kir_visit(kir, find_tile, NULL, p);
	see_body(p, kir->setup);
	see_body(p, kir->body);
	for (int i = 0; i < kir->n_tiles; i++)
		any = any || (p->packed[i] && p->column[i] >= 0);
	if (any && p->loops->len > 0) {
		settle_results(p, kir);
		return p;
	}
	packed_free(p);
	return NULL;
}

void
packed_free(Packed *p)
{
	if (p == NULL)
		return;
	g_ptr_array_unref(p->loops);
	g_free(p);
}

static gboolean
sets_bytes(const Packed *p)
{
	for (guint i = 0; i < p->loops->len; i++) {
		const KStmt *set = packed_set(g_ptr_array_index(p->loops, i));

		if (!p->packed[set->place->tile->index])
			return FALSE;
	}
	return TRUE;
}

gboolean
packed_to_the_end(const KKernel *kir)
{
	Arena *arena = arena_new();
	Packed *p = packed_of(kir, arena);
	const gboolean all = p != NULL && sets_bytes(p);

	packed_free(p);
	arena_free(arena);
	return all;
}

gboolean
packed_takes(const Packed *p, const KStmt *s)
{
	return p != NULL && g_ptr_array_find(p->loops, s, NULL);
}
