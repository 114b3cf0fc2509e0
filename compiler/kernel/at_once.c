/* at_once.c: loops over cells, divided at roots and quotients. */
#include "kernel/at_once.h"

#include "ir/replace.h"
#include "kernel/prune.h"

#define MOST_TURNS 16    /* of a loop: each is a register of every operand */
#define MOST_CELLS 32    /* of a loop over rows of them */
#define MOST_FUNCTIONS 12 /* of a loop, each of which counts for */
#define WEIGHT 3          /* so many, or, if it is a quotient by a constant, */
#define SHARE_WEIGHT 2

/* ---- of a loop ---- */

typedef struct {
	KKernel *k;
	GHashTable *left;      /* to nvcc, of the body that the loop is in */
	GPtrArray *known;      /* of the loops beside it (at_once_known) */
	AtOnce of;
	guint at;              /* of the statement in the loop that asks for the function */
	const KExpr *value;    /* which it is in */
	const Expr *tap;       /* that value's, some one: marks are made of it */
	GHashTable *renamed;   /* KVar of the loop → KExpr in the loop of operands */
	GPtrArray *before;     /* its body */
	gboolean fits;
	gboolean turns;        /* the operands of all cells are not the same */
	gboolean divided;      /* some loop is */
} Division;

static void look_at_expr(Division *d, const KExpr *e);

static void
look_at_leaf(Division *d, const KValue *of, const Expr *leaf)
{
	const KExpr *to = k_value_to(of, leaf);

	if (leaf->op == EXPR_COORD || leaf->op == EXPR_RESULT)
		d->fits = FALSE;
	if (to != NULL)
		look_at_expr(d, to);
}

/* What E is made from can be found in the loop of operands. */
static void
look_at_expr(Division *d, const KExpr *e)
{
	const KExpr *let;

	for (int i = 0; i < e->n; i++)
		look_at_expr(d, e->arg[i]);
	if (e->op == K_SHUFFLE || e->op == K_ANY)
		d->fits = FALSE;
	if (e->op == K_ELEMENT)
		g_ptr_array_add(d->of.read, (gpointer)e);
	if (e->op == K_VAR && (e->var == d->of.loop->var
		|| (d->of.rows != NULL && e->var == d->of.rows->var)))
		d->turns = TRUE;
	if (e->op == K_VAR && (let = at_once_let(&d->of, e->var)) != NULL)
		look_at_expr(d, let);
	for (int i = 0; e->op == K_VALUE && i < e->of->n_leaves; i++)
		look_at_leaf(d, e->of, e->of->leaf[i]);
}

static gboolean
is_apart_from_sets(const Division *d)
{
	for (guint i = 0; i < d->of.loop->body->len; i++) {
		const KStmt *s = g_ptr_array_index(d->of.loop->body, i);

		for (guint r = 0; s->kind == KK_SET && r < d->of.read->len; r++)
			if (!at_once_apart(&d->of, g_ptr_array_index(d->of.read, r), s->place,
				i >= d->at))
				return FALSE;
	}
	return TRUE;
}

/* ---- the loop of operands ---- */

static const KExpr *renamed(Division *d, const KExpr *e);

typedef struct {
	Division *division;
	const KValue *of;
	GHashTable *bound; /* Expr → KExpr, renamed */
} Leaves;

static void
rename_leaf(Expr *leaf, gpointer user)
{
	Leaves *l = user;
	const KExpr *to = k_value_to(l->of, leaf);

	if (to != NULL)
		g_hash_table_insert(l->bound, leaf, (gpointer)renamed(l->division, to));
}

/* ROOT, a part of VALUE, in the loop of operands. */
static const KExpr *
renamed_value(Division *d, const KValue *value, Expr *root)
{
	Leaves l = { d, value, g_hash_table_new(NULL, NULL) };

	expr_visit(&root, 1, rename_leaf, &l);
	return k_value(d->k, root, l.bound, value->at);
}

static const KExpr *
renamed(Division *d, const KExpr *e)
{
	const KExpr *arg[K_MAX_DIMS] = { NULL }, *let;

	if (e->op == K_VAR && g_hash_table_contains(d->renamed, e->var))
		return g_hash_table_lookup(d->renamed, e->var);
	if (e->op == K_VAR && (let = at_once_let(&d->of, e->var)) != NULL) {
		let = k_let(d->k, d->before, e->var->want, renamed(d, let));
		g_hash_table_insert(d->renamed, (gpointer)e->var, (gpointer)let);
		return let;
	}
	if (e->op == K_VALUE)
		return renamed_value(d, e->of, e->of->root);
	for (int i = 0; i < e->n; i++)
		arg[i] = renamed(d, e->arg[i]);
	return k_with(d->k, e, arg);
}

/* ---- what is left ---- */

static void
copy_bound(gpointer leaf, gpointer to, gpointer table)
{
	g_hash_table_insert(table, leaf, to);
}

/* E with NEW instead of OLD, a value. */
static const KExpr *
with_value(KKernel *k, const KExpr *e, const KExpr *old, const KExpr *new)
{
	const KExpr *arg[K_MAX_DIMS] = { NULL };

	if (e == old)
		return new;
	for (int i = 0; i < e->n; i++)
		arg[i] = with_value(k, e->arg[i], old, new);
	return e->op == K_VALUE ? e : k_with(k, e, arg);
}

static const KExpr *
element_of(KKernel *k, const KTile *tile, const KExpr *i)
{
	return k_at(k, tile, i);
}

/* The function, of N marks that stand for its operands. */
static Expr *
applied(const Division *d, int n, Expr *const operand[2], Expr *const mark[2])
{
	Arena *arena = d->k->arena;
	Expr *e;

	if (n == 1)
		return expr_replace(arena, d->of.function, operand[0], mark[0]);
	e = arena_copy(arena, d->of.function, sizeof *e);
	e->arg = arena_copy(arena, (Expr *[]){ mark[0], mark[1] }, 2 * sizeof *e->arg);
	return e;
}

/* The value with its function replaced by TO. */
static const KExpr *
rest_of(const Division *d, Expr *mark, const KExpr *to)
{
	const KValue *v = d->value->of;
	GHashTable *bound = g_hash_table_new(NULL, NULL);

	if (v->bound != NULL)
		g_hash_table_foreach(v->bound, copy_bound, bound);
	g_hash_table_insert(bound, mark, (gpointer)to);
	return k_value(d->k, expr_replace(d->k->arena, v->root, d->of.function, mark), bound,
		v->at);
}

/* S keeps as it is what the operands were made from, too. */
static gboolean
keeps_operand(const Division *d, const KStmt *s)
{
	const KValue *v = s->kind == KK_SET && s->value->op == K_VALUE ? s->value->of : NULL;
	const KExpr *to = v != NULL ? k_value_to(v, v->root) : NULL;

	return to != NULL && to->op == K_VAR && to->var->type.kind == KT_VALUE
		&& to->var->type.type == TYPE_F32 && g_hash_table_contains(d->renamed, to->var);
}

/* nvcc would rather work it out anew behind the long form's branch than keep it. */
static void
hold_operands(const Division *d)
{
	for (guint i = 0; i < d->of.loop->body->len; i++) {
		KStmt *s = g_ptr_array_index(d->of.loop->body, i);

		s->held = s->held || keeps_operand(d, s);
	}
}

/* Cell TURN of row ROW, which is NULL if there is but one. */
static const KExpr *
cell_of(const Division *d, const KExpr *row, const KExpr *turn)
{
	return row == NULL ? turn : k_binary(d->k, K_ADD, k_binary(d->k, K_MUL, row,
		k_int(d->k, d->of.loop->to->value)), turn);
}

/* Opens a loop as LOOP is in BODY, for operands. */
static GPtrArray *
loop_of_operands(Division *d, GPtrArray *body, const KStmt *loop, const KExpr **turn)
{
	body = k_over(d->k, body, loop->var->want, (int)loop->to->value, turn);
	g_hash_table_insert(d->renamed, (gpointer)loop->var, (gpointer)*turn);
	return body;
}

/* ASKS takes its function from where it is KNOWN. */
static void
take_from(const Division *d, KStmt *asks, const AtOnce *known)
{
	const KExpr *row = d->of.rows != NULL ? k_var(d->k, d->of.rows->var) : NULL;
	const KExpr *from = known->one != NULL ? known->one : element_of(d->k, known->tile,
		cell_of(d, row, k_var(d->k, d->of.loop->var)));
	Expr *result = expr_mark(d->k->arena, d->tap, d->of.function->type);

	asks->value = with_value(d->k, asks->value, d->value, rest_of(d, result, from));
}

/* To be put before the loop: the operands of all turns, and the function of them. */
static GPtrArray *
divide(Division *d, KStmt *asks)
{
	KKernel *k = d->k;
	GPtrArray *fresh = g_ptr_array_new(), *each;
	GHashTable *bound = g_hash_table_new(NULL, NULL);
	const Type type = d->of.function->type;
	const gint64 rows = d->of.rows != NULL ? d->of.rows->to->value : 1;
	int turns = (int)(rows * d->of.loop->to->value), n;
	const KTile *tile[2];
	/* what all cells are divided by may ask which step it is */
	const KVar *at[K_AT_N] = { [K_AT_STEP] = d->value->of->at[K_AT_STEP] };
	Expr *operand[2], *mark[2];
	const KExpr *row = NULL, *i;

	at_once_function(d->of.function, &n, operand);
	for (int o = 0; o < n; o++)
		tile[o] = k_registers(k, fresh, o == 0 ? "all" : "by", type, turns);
	d->before = d->of.rows == NULL ? fresh : loop_of_operands(d, fresh, d->of.rows, &row);
	d->before = loop_of_operands(d, d->before, d->of.loop, &i);
	for (int o = 0; o < n; o++)
		k_set(k, d->before, element_of(k, tile[o], cell_of(d, row, i)),
			renamed_value(d, d->value->of, operand[o]), asks->at);
	each = k_over(k, fresh, d->of.loop->var->want, turns, &i);
	for (int o = 0; o < n; o++) {
		mark[o] = expr_mark(k->arena, d->tap, type);
		g_hash_table_insert(bound, mark[o], (gpointer)element_of(k, tile[o], i));
	}
	k_set(k, each, element_of(k, tile[0], i), k_value(k, applied(d, n, operand, mark), bound,
		at), asks->at);
	kir_last(fresh)->at_once = TRUE;
	hold_operands(d);
	d->of.tile = tile[0];
	return fresh;
}

/* Likewise, of what is the same for all turns: its value. */
static GPtrArray *
take_once(Division *d)
{
	GPtrArray *fresh = g_ptr_array_new();

	d->before = fresh;
	d->of.one = k_let(d->k, fresh, "alike", renamed_value(d, d->value->of, d->of.function));
	return fresh;
}

/* ---- loops ---- */

static void
look_for_value(Division *d, const KExpr *e)
{
	for (int i = 0; i < e->n && d->value == NULL; i++)
		look_for_value(d, e->arg[i]);
	if (d->value != NULL || e->op != K_VALUE || (d->of.function = at_once_find(e->of->root,
		d->left)) == NULL)
		return;
	d->tap = NULL;
	for (int i = 0; i < e->of->n_leaves; i++)
		if (e->of->leaf[i]->op == EXPR_TAP)
			d->tap = e->of->leaf[i];
	if (d->tap != NULL)
		d->value = e;
	d->of.value = e->of;
}

/* Rows are taken together where there is little else to do meanwhile; where many blocks run, floats
 * need no more than a row (GCells/s, row by row and together: `march`, doubles by 7 181, 242,
 * sobel's roots 914, 753; `tile`, by 7 of floats 900, 1171, of doubles 315, 357). */
static gboolean
gains_by_rows(const Division *d)
{
	return d->of.function->type == TYPE_F64 || d->k->plan->strategy == STRATEGY_TILE;
}

static void
look_at_operand(Expr *leaf, gpointer user)
{
	Division *d = user;

	look_at_leaf(d, d->value->of, leaf);
}

/* TRUE if D, where it says, can be. */
static gboolean
can_divide(Division *d)
{
	Expr *operand[2];
	int n;

	d->fits = d->of.rows == NULL || gains_by_rows(d);
	d->turns = FALSE;
	d->of.tile = NULL;
	d->of.one = NULL;
	g_ptr_array_set_size(d->of.read, 0);
	at_once_function(d->of.function, &n, operand);
	expr_visit(operand, n, look_at_operand, d);
	return d->fits && is_apart_from_sets(d);
}

/* The statements to put before the loop, or the loop over its rows: none, if another loop has asked
 * for the same. */
static GPtrArray *
divide_at(Division *d, KStmt *asks)
{
	const AtOnce *known = at_once_same(d->known, &d->of);
	GPtrArray *fresh = known != NULL ? g_ptr_array_new() : d->turns ? divide(d, asks)
		: take_once(d);

	if (known == NULL)
		at_once_keep(d->known, &d->of);
	take_from(d, asks, known != NULL ? known : &d->of);
	d->divided = TRUE;
	return fresh;
}

/* Likewise; NULL: it stays whole. */
static GPtrArray *
divide_once(Division *d)
{
	GPtrArray *fresh = NULL;

	d->of.read = g_ptr_array_new();
	d->renamed = g_hash_table_new(NULL, NULL);
	for (d->at = 0; d->at < d->of.loop->body->len && fresh == NULL; d->at++) {
		KStmt *s = g_ptr_array_index(d->of.loop->body, d->at);

		d->value = NULL;
		if (s->kind == KK_SET || s->kind == KK_LET)
			look_for_value(d, s->value);
		if (d->value != NULL && can_divide(d))
			fresh = divide_at(d, s);
	}
	g_ptr_array_unref(d->of.read);
	g_hash_table_unref(d->renamed);
	return fresh;
}

static gboolean
is_counted(const KStmt *s, gint64 most)
{
	return s->kind == KK_FOR && s->unrolled && !s->at_once && s->step == 1
		&& s->from->op == K_INT && s->from->value == 0 && s->to->op == K_INT
		&& s->to->value >= 2 && s->to->value <= most;
}

static gboolean
is_over_cells(const KStmt *s)
{
	if (!is_counted(s, MOST_TURNS))
		return FALSE;
	for (guint i = 0; i < s->body->len; i++) {
		const KStmt *t = g_ptr_array_index(s->body, i);

		if (t->kind != KK_LET && t->kind != KK_SET && t->kind != KK_NOTE)
			return FALSE;
	}
	return TRUE;
}

/* The loop over cells that a loop over rows of them has nothing besides; NULL: it has. */
static const KStmt *
cells_of_rows(const KStmt *rows)
{
	const KStmt *cells = is_counted(rows, MOST_CELLS) && rows->body->len == 1
		? g_ptr_array_index(rows->body, 0) : NULL;

	return cells != NULL && is_over_cells(cells)
		&& rows->to->value * cells->to->value <= MOST_CELLS ? cells : NULL;
}

static int
weight_of(const Expr *function)
{
	return function->op == EXPR_DIV && expr_is_of_few_bits(function->arg[1])
		? SHARE_WEIGHT : WEIGHT;
}

/* Statement AT of BODY, a loop over CELLS or over rows of them; gives how many come before it. */
static guint
divide_loop(Division *d, GPtrArray *body, guint at, const KStmt *cells)
{
	const KStmt *loop = g_ptr_array_index(body, at);
	const guint before = body->len;
	GPtrArray *fresh;

	d->of.loop = cells;
	d->of.rows = loop == cells ? NULL : loop;
	for (int n = 0; n < MOST_FUNCTIONS && (fresh = divide_once(d)) != NULL;
		n += weight_of(d->of.function)) {
		for (guint f = 0; f < fresh->len; f++)
			g_ptr_array_insert(body, (gint)at++, g_ptr_array_index(fresh, f));
		g_ptr_array_unref(fresh);
	}
	return body->len - before;
}

static gboolean divide_body(KKernel *k, GPtrArray *body);

/* Unrolled, a loop's loops are of the body that it is in, of which some are LEFT. */
static gboolean
divide_loops(KKernel *k, GPtrArray *body, GHashTable *left)
{
	Division d = { .k = k, .left = left, .known = at_once_known() };
	gboolean any = FALSE;

	for (guint i = 0; i < body->len; i++) {
		const KStmt *s = g_ptr_array_index(body, i);
		const KStmt *cells = is_over_cells(s) ? s : s->kind == KK_FOR ? cells_of_rows(s)
			: NULL;

		if (cells != NULL)
			i += divide_loop(&d, body, i, cells);
		if (s->kind == KK_FOR && s->unrolled) {
			if (s != cells)
				any = divide_loops(k, s->body, left) || any;
		} else {
			any = (s->body != NULL && divide_body(k, s->body)) || any;
			any = (s->other != NULL && divide_body(k, s->other)) || any;
		}
		at_once_forget(d.known, s);
	}
	g_ptr_array_unref(d.known);
	return any || d.divided;
}

static gboolean
divide_body(KKernel *k, GPtrArray *body)
{
	GHashTable *left = at_once_left(k, body);
	gboolean any = divide_loops(k, body, left);

	g_hash_table_unref(left);
	return any;
}

void
kir_at_once(KKernel *k)
{
	if (divide_body(k, k->body))
		kir_prune(k);
}
