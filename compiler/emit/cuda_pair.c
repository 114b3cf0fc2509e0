#include "emit/cuda_pair.h"

#include "emit/cuda_pair_value.h"
#include "kernel/packed.h"

struct Pairs {
	Kernel *k;
	Arena *arena;
	PairText *text;
	gpointer user;
	Packed *packed;
	const KVar *second;
	GHashTable *halves; /* Expr → text */
};

int
pairs_words(const Pairs *p, const KTile *tile)
{
	return p == NULL ? 0 : packed_words(p->packed, tile);
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
	before = packed_before(p->packed, e->tile);
	if (last->op == K_INT)
		return arena_printf(p->arena, "%s, %d", row, (int)last->value + before);
	return arena_printf(p->arena, before > 0 ? "%s, %s + %d" : "%s, %s", row,
		p->text(last, p->user), before);
}

static gboolean
byte_of(const KValue *value, const Expr *tap, PairByte *byte, gpointer user)
{
	const Pairs *p = user;
	int column;
	const KExpr *e = packed_byte(p->packed, value, tap, &column);

	if (e == NULL)
		return FALSE;
	*byte = (PairByte){ p->text(e, p->user), pairs_words(p, e->tile), column
		+ packed_before(p->packed, e->tile), e->tile->type.type == TYPE_I8 };
	return TRUE;
}

Pairs *
pairs_new(const KKernel *kir, Kernel *k, PairText *text, gpointer user)
{
	Packed *packed = packed_of(kir, k->arena);
	Pairs *p = packed != NULL ? g_new0(Pairs, 1) : NULL;

	if (p == NULL)
		return NULL;
	*p = (Pairs){ k, k->arena, text, user, packed, NULL, g_hash_table_new(NULL, NULL) };
	return p;
}

void
pairs_free(Pairs *p)
{
	if (p == NULL)
		return;
	packed_free(p->packed);
	g_hash_table_unref(p->halves);
	g_free(p);
}

gboolean
pairs_take(const Pairs *p, const KStmt *s)
{
	return p != NULL && packed_takes(p->packed, s);
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
	const KStmt *set = packed_set(loop);

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
	const KStmt *set = packed_set(loop);
	const KTile *tile = set->place->tile;
	gboolean whole = pairs_words(p, tile) > 0;
	const char *i = p->text(set->place->arg[set->place->n - 1], p->user), *to;
	PairSplit *split = pair_split(p->arena, p->k->names, packed_value(loop), i,
		whole, byte_of, p);

	print_columns(p, split);
	to = names_take(p->k->names, "word");
	wr_line(w, "STENCIL_UNROLL");
	wr_open(w, "for (int32_t %s = 0; %s < %d; %s += %d)", to, to, (int)loop->to->value, to,
		PACKED_WORD);
	wr_line(w, "STENCIL_UNROLL");
	wr_open(w, "for (int32_t %s = %s; %s < %s + %d; %s++)", i, to, i, to, PACKED_WORD / 2, i);
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
