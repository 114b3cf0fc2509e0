#include "emit/cuda_pair.h"

#include "emit/cuda_pair_value.h"

#define WORD 4 /* bytes */

struct Pairs {
	Kernel *k;
	Arena *arena;
	PairText *text;
	gpointer user;
	int *column;      /* of a vector in the tile, by KTile.index; -1: there is none */
	gboolean *packed; /* by KTile.index: loaded, and read by such loops, nothing else; or
	                   * set by them, all of it by pairs, and stored */
	GPtrArray *loops; /* KStmt */
	const KVar *second;
	GHashTable *halves; /* Expr → text */
};

/* ---- which tiles and loops ---- */

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

static const KStmt *
set_of(const KStmt *loop)
{
	return g_ptr_array_index(loop->body, 0);
}

const KValue *
pairs_value(const KStmt *loop)
{
	return set_of(loop)->value->of;
}

static void
find_tile(const KStmt *s, gpointer user)
{
	Pairs *p = user;

	if (s->kind == KK_TILE)
		p->packed[s->tile->index] = is_bytes(s->tile);
}

static void
ignore_expr(const KExpr *e, gpointer user)
{
	(void)e;
	(void)user;
}

/* What is read otherwise is not packed. */
static void
see_element(Pairs *p, const KExpr *e)
{
	if (e == NULL)
		return;
	if (e->op == K_ELEMENT)
		p->packed[e->tile->index] = FALSE;
	for (int i = 0; i < e->n; i++)
		see_element(p, e->arg[i]);
}

static void
see_load(Pairs *p, const KStmt *s)
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
see_store(Pairs *p, const KStmt *s)
{
	see_element(p, s->index);
	if (s->value->op != K_ELEMENT || !is_result(s->value->tile)
		|| (s->width > 1 && s->width % WORD != 0))
		see_element(p, s->value);
}

/* A loop over a row takes what is loaded as it is, but results one by one. */
static void
see_row(Pairs *p, const KStmt *s)
{
	GHashTable *bound = pairs_value(s)->bound;
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

static void
see_value(Pairs *p, const KExpr *e)
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
see_body(Pairs *p, const GPtrArray *body)
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
		} else {
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

/* Bytes before the tile's first column. */
static int
bytes_before(const Pairs *p, const KTile *tile)
{
	return is_result(tile) ? 0 : (WORD - p->column[tile->index] % WORD) % WORD;
}

int
pairs_words(const Pairs *p, const KTile *tile)
{
	return p == NULL || !p->packed[tile->index] ? 0
		: (bytes_before(p, tile) + tile->size[tile->n_dims - 1] + WORD - 1) / WORD;
}

const char *
pairs_place(const Pairs *p, const KExpr *e)
{
	const char *row;
	const KExpr *last;
	int before;

	if (pairs_words(p, e->tile) == 0)
		return NULL;
	row = p->text(e, p->user);
	last = e->arg[e->n - 1];
	before = bytes_before(p, e->tile);
	if (last->op == K_INT)
		return arena_printf(p->arena, "%s, %d", row, (int)last->value + before);
	return arena_printf(p->arena, before > 0 ? "%s, %s + %d" : "%s, %s", row,
		p->text(last, p->user), before);
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

static gboolean
byte_of(const KValue *value, const Expr *tap, PairByte *byte, gpointer user)
{
	const Pairs *p = user;
	const KExpr *e = value->bound != NULL ? g_hash_table_lookup(value->bound, tap) : NULL;
	int column;

	if (e == NULL || e->op != K_ELEMENT || is_result(e->tile) || !p->packed[e->tile->index]
		|| !is_column(e->arg[2], &column))
		return FALSE;
	if (byte != NULL)
		*byte = (PairByte){ p->text(e, p->user), pairs_words(p, e->tile),
			column + bytes_before(p, e->tile), e->tile->type.type == TYPE_I8 };
	return TRUE;
}

/* ---- all of them ---- */

/* A result is packed where every loop that sets it has pairs of it. */
static void
settle_results(Pairs *p, const KKernel *kir)
{
	gboolean *set = arena_array(p->arena, gboolean, kir->n_tiles + 1);

	for (guint i = 0; i < p->loops->len; i++) {
		const KStmt *loop = g_ptr_array_index(p->loops, i);
		const KTile *tile = set_of(loop)->place->tile;

		set[tile->index] = TRUE;
		if (p->packed[tile->index] && (!is_result(tile) || tile->size[1]
			!= loop->to->value || !pair_is_whole(pairs_value(loop), tile->type.type,
			byte_of, p)))
			p->packed[tile->index] = FALSE;
	}
	for (int i = 0; i < kir->n_tiles; i++)
		p->packed[i] = p->packed[i] && (set[i] || p->column[i] >= 0);
}

Pairs *
pairs_new(const KKernel *kir, Kernel *k, PairText *text, gpointer user)
{
	Pairs *p = g_new0(Pairs, 1);
	gboolean any = FALSE;

	p->k = k;
	p->arena = k->arena;
	p->text = text;
	p->user = user;
	p->packed = arena_array(k->arena, gboolean, kir->n_tiles + 1);
	p->column = arena_array(k->arena, int, kir->n_tiles + 1);
	p->loops = g_ptr_array_new();
	p->halves = g_hash_table_new(NULL, NULL);
	for (int i = 0; i < kir->n_tiles; i++)
		p->column[i] = -1;
	kir_visit(kir, find_tile, ignore_expr, p);
	see_body(p, kir->setup);
	see_body(p, kir->body);
	for (int i = 0; i < kir->n_tiles; i++)
		any = any || (p->packed[i] && p->column[i] >= 0);
	if (any && p->loops->len > 0) {
		settle_results(p, kir);
		return p;
	}
	pairs_free(p);
	return NULL;
}

void
pairs_free(Pairs *p)
{
	if (p == NULL)
		return;
	g_ptr_array_unref(p->loops);
	g_hash_table_unref(p->halves);
	g_free(p);
}

gboolean
pairs_take(const Pairs *p, const KStmt *s)
{
	return p != NULL && g_ptr_array_find(p->loops, s, NULL);
}

/* ---- printing ---- */

const KVar *
pairs_second(const Pairs *p)
{
	return p != NULL ? p->second : NULL;
}

const char *
pairs_half(const Pairs *p, const Expr *tap)
{
	return p != NULL ? g_hash_table_lookup(p->halves, tap) : NULL;
}

/* From here on the leaves stand for that HALF. */
static void
take_half(const Pairs *p, const GArray *leaves, const char *half)
{
	for (guint i = 0; i < leaves->len; i++) {
		const PairLeaf *l = &g_array_index(leaves, PairLeaf, i);

		g_hash_table_insert(p->halves, l->leaf, (gpointer)arena_printf(p->arena,
			"stencil_pair_%s%s(%s)", half, l->range.lo < 0 ? "_signed" : "", l->pair));
	}
}

/* One cell, and then the one two behind it. */
static void
print_halves(Pairs *p, const KStmt *loop, PairSplit *split)
{
	static const char *const half[] = { "low", "high" };
	const KStmt *set = set_of(loop);

	for (guint i = 0; i < split->leaves->len; i++) {
		const PairLeaf *l = &g_array_index(split->leaves, PairLeaf, i);

		expr_assume(p->k->printer, l->leaf, l->range.lo, l->range.hi);
	}
	for (int h = 0; h < 2; h++) {
		p->second = h == 1 ? loop->var : NULL;
		take_half(p, split->leaves, half[h]);
		expr_declare(p->k->printer, p->k->u->w, &split->root, 1);
		wr_user_line(p->k->u->w, set->at, "%s = %s;", p->text(set->place, p->user),
			expr_text(p->k->printer, split->root, PREC_SELECT));
	}
	p->second = NULL;
}

/* What all columns of the rows have, before the loop over the cells. */
static void
print_columns(const Pairs *p, const PairSplit *split)
{
	Writer *w = p->k->u->w;
	const char *n = split->index;

	for (guint i = 0; i < split->columns->len; i++) {
		const PairName *c = &g_array_index(split->columns, PairName, i);

		wr_line(w, "uint32_t %s[%d];", c->name, c->n);
		wr_line(w, "STENCIL_UNROLL");
		wr_line(w, "for (int %s = 0; %s < %d; %s++)", n, n, c->n, n);
		wr_line(w, "\t%s[%s] = %s;", c->name, n, c->text);
	}
}

void
pairs_print(Pairs *p, const KStmt *loop)
{
	Writer *w = p->k->u->w;
	const KStmt *set = set_of(loop);
	const KTile *tile = set->place->tile;
	gboolean whole = pairs_words(p, tile) > 0;
	const char *i = p->text(set->place->arg[set->place->n - 1], p->user), *to;
	PairSplit *split = pair_split(p->arena, p->k->names, pairs_value(loop), i,
		whole, byte_of, p);

	print_columns(p, split);
	to = names_take(p->k->names, "word");
	wr_line(w, "STENCIL_UNROLL");
	wr_open(w, "for (int32_t %s = 0; %s < %d; %s += %d)", to, to, (int)loop->to->value, to,
		WORD);
	wr_line(w, "STENCIL_UNROLL");
	wr_open(w, "for (int32_t %s = %s; %s < %s + %d; %s++)", i, to, i, to, WORD / 2, i);
	for (guint n = 0; n < split->pairs->len; n++) {
		const PairName *pair = &g_array_index(split->pairs, PairName, n);

		wr_user_line(w, set->at, "const uint32_t %s = %s;", pair->name, pair->text);
	}
	if (whole)
		wr_user_line(w, set->at, "stencil_packed_put(%s, %s);",
			pairs_place(p, set->place), split->whole);
	else
		print_halves(p, loop, split);
	wr_close(w, "");
	wr_close(w, "");
	pair_split_free(split);
}
