#include "emit/cuda_pair.h"

#include <string.h>

#include "emit/range.h"

#define WORD 4          /* bytes */
#define MOST_NODES 2000 /* of a value; larger ones are computed one by one */

struct Pairs {
	Kernel *k;
	Arena *arena;
	PairText *text;
	gpointer user;
	int *column;      /* of a vector in the tile, by KTile.index; -1: there is none */
	gboolean *packed; /* by KTile.index: loaded, and read by such loops, nothing else */
	GPtrArray *loops; /* KStmt */
	const KVar *second;
	GHashTable *halves; /* Expr → text */
};

/* ---- which tiles and loops ---- */

static gboolean
is_bytes(const KTile *t)
{
	return t->space == KS_REGISTERS && t->type.kind == KT_VALUE && t->type.type == TYPE_U8
		&& t->n_dims == 3;
}

/* The cells of a row, each one value. */
static gboolean
is_row(const KStmt *s)
{
	const KStmt *set;
	const KExpr *place;

	if (s->kind != KK_FOR || !s->unrolled || s->step != 1 || s->from->op != K_INT
		|| s->to->op != K_INT || s->from->value != 0 || s->to->value % 2 != 0
		|| s->body->len != 1)
		return FALSE;
	set = g_ptr_array_index(s->body, 0);
	if (set->kind != KK_SET || set->value->op != K_VALUE)
		return FALSE;
	place = set->place;
	return place->n > 0 && place->arg[place->n - 1]->op == K_VAR
		&& place->arg[place->n - 1]->var == s->var;
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
	if (last == NULL || last->op != K_INT)
		see_element(p, place);
	else if (s->width >= WORD)
		p->column[place->tile->index] = (int)last->value;
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
			g_ptr_array_add(p->loops, (gpointer)s);
		} else if (s->kind == KK_LOAD) {
			see_load(p, s);
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
	for (int i = 0; i < kir->n_tiles; i++) {
		p->packed[i] = p->packed[i] && p->column[i] >= 0;
		any = any || p->packed[i];
	}
	if (any && p->loops->len > 0)
		return p;
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

/* Bytes before the tile's first column. */
static int
bytes_before(const Pairs *p, const KTile *tile)
{
	return (WORD - p->column[tile->index] % WORD) % WORD;
}

int
pairs_words(const Pairs *p, const KTile *tile)
{
	return p == NULL || !p->packed[tile->index] ? 0
		: (bytes_before(p, tile) + tile->size[2] + WORD - 1) / WORD;
}

const char *
pairs_column(const Pairs *p, const KExpr *e)
{
	int before;

	if (pairs_words(p, e->tile) == 0)
		return NULL;
	before = bytes_before(p, e->tile);
	if (e->arg[2]->op == K_INT)
		return arena_printf(p->arena, "%d", (int)e->arg[2]->value + before);
	return arena_printf(p->arena, before > 0 ? "%s + %d" : "%s", p->text(e->arg[2], p->user),
		before);
}

gboolean
pairs_take(const Pairs *p, const KStmt *s)
{
	return p != NULL && g_ptr_array_find(p->loops, s, NULL);
}

/* ---- what is computed by pairs ---- */

typedef struct {
	const Pairs *p;
	const KValue *value;
	GArray *pairs;
	GHashTable *ranges, *copies; /* Expr → Range, Expr */
	int nodes;                   /* that may still be looked at */
} Split;

/* What two neighbours have in the halves of a word. */
typedef struct {
	Expr *leaf;       /* stands for it in what is computed one by one */
	const char *text; /* of both */
	Range range;      /* of one */
} Pair;

/* A byte that a packed tile has, or another pair, how many times. */
typedef struct {
	const char *text;
	gint32 times;
} Term;

typedef struct {
	GArray *terms;
	gint64 constant;
} Sum;

static const KExpr *
packed_element(const Split *s, const Expr *tap)
{
	const KExpr *e = s->value->bound != NULL ? g_hash_table_lookup(s->value->bound, tap)
		: NULL;

	return e != NULL && e->op == K_ELEMENT && s->p->packed[e->tile->index] ? e : NULL;
}

static gboolean
is_within(Split *s, const Expr *e, gint64 lo, gint64 hi)
{
	Range r = expr_range(s->ranges, e);

	return r.lo >= lo && r.hi <= hi;
}

/* E is made of bytes by what may be done to two values in a word: the low one's carry
 * comes to the high one, and is taken out of it in the end. */
static gboolean
is_sum(Split *s, const Expr *e)
{
	if (--s->nodes < 0 || type_kind(e->type) != TYPE_I32)
		return FALSE;
	switch ((int)e->op) {
	case EXPR_CONST:
		return is_within(s, e, G_MININT16, G_MAXINT16);
	case EXPR_TAP:
		return packed_element(s, e) != NULL;
	case EXPR_CONVERT:
		return type_kind(e->arg[0]->type) == TYPE_I32 && e->type != TYPE_BOOL
			&& is_within(s, e->arg[0], type_min(e->type), type_max(e->type))
			&& is_sum(s, e->arg[0]);
	case EXPR_NEG:
		return is_sum(s, e->arg[0]);
	case EXPR_ADD:
	case EXPR_SUB:
		return is_sum(s, e->arg[0]) && is_sum(s, e->arg[1]);
	case EXPR_MUL:
		return (e->arg[0]->op == EXPR_CONST || e->arg[1]->op == EXPR_CONST)
			&& is_sum(s, e->arg[0]) && is_sum(s, e->arg[1]);
	case EXPR_MIN:
	case EXPR_MAX:
		return is_within(s, e->arg[0], 0, G_MAXUINT16)
			&& is_within(s, e->arg[1], 0, G_MAXUINT16) && is_sum(s, e->arg[0])
			&& is_sum(s, e->arg[1]);
	default:
		return FALSE;
	}
}

static void
count_taps(Expr *e, gpointer user)
{
	int *n = user;

	*n += e->op == EXPR_TAP;
}

static void
count_nodes(Expr *e, gpointer user)
{
	int *n = user;

	(void)e;
	(*n)++;
}

/* What is saved by pairs is more than what it costs to take them apart. */
static gboolean
pays(Split *s, Expr *e)
{
	int taps = 0;

	if (type_is_real(e->type) || e->op == EXPR_CONST || e->op == EXPR_TAP)
		return FALSE;
	if (!is_within(s, e, 0, G_MAXUINT16) && !is_within(s, e, G_MININT16, G_MAXINT16))
		return FALSE;
	s->nodes = MOST_NODES;
	if (!is_sum(s, e))
		return FALSE;
	expr_visit(&e, 1, count_taps, &taps);
	return taps > 2;
}

/* ---- its text ---- */

static const char *sum_text(Split *s, const Expr *e);

static void
add_term(Sum *sum, const char *text, gint64 times)
{
	Term term = { text, (gint32)times };

	for (guint i = 0; i < sum->terms->len; i++) {
		Term *t = &g_array_index(sum->terms, Term, i);

		if (strcmp(t->text, text) == 0) {
			t->times += term.times;
			return;
		}
	}
	g_array_append_val(sum->terms, term);
}

/* Adds TIMES E, modulo 2^32. */
static void
add_sum(Split *s, Sum *sum, const Expr *e, gint64 times)
{
	const Expr *a = e->n_args > 0 ? e->arg[0] : NULL, *b = e->n_args > 1 ? e->arg[1] : NULL;

	times = (gint32)(guint32)times;
	switch ((int)e->op) {
	case EXPR_CONST:
		sum->constant += times * e->integer;
		break;
	case EXPR_TAP:
		add_term(sum, arena_printf(s->p->arena, "stencil_packed_pair(%s)",
			s->p->text(packed_element(s, e), s->p->user)), times);
		break;
	case EXPR_MIN:
	case EXPR_MAX:
		add_term(sum, arena_printf(s->p->arena, "stencil_pair_%s(%s, %s)",
			e->op == EXPR_MIN ? "min" : "max", sum_text(s, a), sum_text(s, b)), times);
		break;
	case EXPR_MUL:
		if (a->op == EXPR_CONST)
			add_sum(s, sum, b, times * a->integer);
		else
			add_sum(s, sum, a, times * b->integer);
		break;
	case EXPR_NEG:
		add_sum(s, sum, a, -times);
		break;
	default:
		add_sum(s, sum, a, times);
		if (b != NULL)
			add_sum(s, sum, b, e->op == EXPR_SUB ? -times : times);
	}
}

/* Both halves at once: the constant is in both of them. */
static const char *
sum_text(Split *s, const Expr *e)
{
	Sum sum = { g_array_new(FALSE, FALSE, sizeof(Term)), 0 };
	guint32 constant;
	const char *text = NULL;

	add_sum(s, &sum, e, 1);
	constant = (guint32)sum.constant * 0x10001u;
	if (constant != 0 || sum.terms->len == 0 || g_array_index(sum.terms, Term, 0).times < 0)
		text = arena_printf(s->p->arena, "0x%08xu", constant);
	for (guint i = 0; i < sum.terms->len; i++) {
		const Term *t = &g_array_index(sum.terms, Term, i);
		const char *sign = t->times < 0 ? " - " : text != NULL ? " + " : "";
		const char *factor = ABS(t->times) == 1 ? "" : arena_printf(s->p->arena, "%uu * ",
			(guint32)ABS((gint64)t->times));

		if (t->times != 0)
			text = arena_printf(s->p->arena, "%s%s%s%s", text != NULL ? text : "",
				sign, factor, t->text);
	}
	g_array_unref(sum.terms);
	return text != NULL ? text : "0u";
}

/* ---- what is left ---- */

static void
find_tap(Expr *e, gpointer user)
{
	Expr **tap = user;

	if (e->op == EXPR_TAP && *tap == NULL)
		*tap = e;
}

/* A tap of nothing in particular: what is printed for it is the pair. */
static Expr *
leaf_for(Split *s, Expr *e)
{
	Pair pair = { NULL, sum_text(s, e), expr_range(s->ranges, e) };
	Expr *tap = NULL;

	expr_visit(&e, 1, find_tap, &tap);
	pair.leaf = arena_copy(s->p->arena, tap, sizeof *tap);
	pair.leaf->type = TYPE_I32;
	pair.leaf->name = NULL;
	g_array_append_val(s->pairs, pair);
	return pair.leaf;
}

static Expr *
split(Split *s, Expr *e)
{
	Expr *copy = g_hash_table_lookup(s->copies, e);

	if (copy != NULL)
		return copy;
	if (pays(s, e)) {
		copy = leaf_for(s, e);
	} else if (e->n_args == 0) {
		copy = e;
	} else {
		copy = arena_copy(s->p->arena, e, sizeof *e);
		copy->arg = arena_array(s->p->arena, Expr *, e->n_args);
		for (int i = 0; i < e->n_args; i++)
			copy->arg[i] = split(s, e->arg[i]);
	}
	g_hash_table_insert(s->copies, e, copy);
	return copy;
}

static Expr *
split_value(const Pairs *p, const KValue *value, GArray *pairs)
{
	Split s = { .p = p, .value = value, .pairs = pairs };
	Expr *root = value->root;
	int nodes = 0;

	expr_visit(&root, 1, count_nodes, &nodes);
	if (nodes > MOST_NODES)
		return root;
	s.ranges = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	s.copies = g_hash_table_new(NULL, NULL);
	root = split(&s, value->root);
	g_hash_table_unref(s.ranges);
	g_hash_table_unref(s.copies);
	return root;
}

/* ---- printing ---- */

const KValue *
pairs_value(const KStmt *loop)
{
	return ((const KStmt *)g_ptr_array_index(loop->body, 0))->value->of;
}

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

static void
name_pairs(const Pairs *p, const KStmt *set, GArray *pairs)
{
	for (guint i = 0; i < pairs->len; i++) {
		Pair *pair = &g_array_index(pairs, Pair, i);
		const char *name = names_take(p->k->names, "pair");

		wr_user_line(p->k->u->w, set->at, "const uint32_t %s = %s;", name, pair->text);
		expr_assume(p->k->printer, pair->leaf, pair->range.lo, pair->range.hi);
		pair->text = name;
	}
}

/* From here on the leaves stand for that HALF. */
static void
take_half(const Pairs *p, const GArray *pairs, const char *half)
{
	for (guint i = 0; i < pairs->len; i++) {
		const Pair *pair = &g_array_index(pairs, Pair, i);

		g_hash_table_insert(p->halves, pair->leaf, (gpointer)arena_printf(p->arena,
			"stencil_pair_%s%s(%s)", half, pair->range.lo < 0 ? "_signed" : "",
			pair->text));
	}
}

void
pairs_print(Pairs *p, const KStmt *loop)
{
	static const char *const half[] = { "low", "high" };
	const KStmt *set = g_ptr_array_index(loop->body, 0);
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(Pair));
	Expr *root = split_value(p, set->value->of, pairs);

	name_pairs(p, set, pairs);
	for (int h = 0; h < 2; h++) {
		p->second = h == 1 ? loop->var : NULL;
		take_half(p, pairs, half[h]);
		expr_declare(p->k->printer, p->k->u->w, &root, 1);
		wr_user_line(p->k->u->w, set->at, "%s = %s;", p->text(set->place, p->user),
			expr_text(p->k->printer, root, PREC_SELECT));
	}
	p->second = NULL;
	g_array_unref(pairs);
}
