/* at_once.c: loops over cells, divided at roots and quotients. */
#include "kernel/at_once.h"

#include "kernel/prune.h"
#include "kernel/replace.h"

#define MOST_TURNS 16    /* of a loop: each is a register of every operand */
#define MOST_CELLS 32    /* of a loop over rows of them */
#define MOST_FUNCTIONS 4 /* of a loop */

static void
find_tap(Expr *e, gpointer user)
{
	const Expr **tap = user;

	if (e->op == EXPR_TAP)
		*tap = e;
}

/* ---- of a loop ---- */

typedef struct {
	KKernel *k;
	GHashTable *asked;     /* of the body that the loop is in */
	const KStmt *loop;
	const KStmt *rows;     /* that have nothing else, and are taken together; or NULL */
	guint at;              /* of the statement in the loop that asks for the function */
	const KExpr *value;    /* which it is in */
	Expr *function;
	GPtrArray *read;       /* elements (KExpr) that the operands are made from */
	GHashTable *renamed;   /* KVar of the loop → KExpr in the loop of operands */
	GPtrArray *before;     /* its body */
	gboolean fits;
} Division;

/* What VAR stands for, if the loop says so; NULL: it comes from outside. */
static const KExpr *
let_in(const Division *d, const KVar *var)
{
	for (guint i = 0; i < d->loop->body->len; i++) {
		const KStmt *s = g_ptr_array_index(d->loop->body, i);

		if (s->kind == KK_LET && s->var == var)
			return s->value;
	}
	return NULL;
}

typedef struct {
	Division *division;
	const KValue *of;
	void (*visit)(Division *d, const KExpr *e);
	GHashTable *bound; /* Expr → KExpr, renamed */
} Leaves;

static void
look_at_leaf(Expr *leaf, gpointer user)
{
	Leaves *l = user;
	const KExpr *to = l->of->bound != NULL ? g_hash_table_lookup(l->of->bound, leaf) : NULL;

	if (leaf->op == EXPR_COORD || leaf->op == EXPR_RESULT)
		l->division->fits = FALSE;
	if (to != NULL)
		l->visit(l->division, to);
}

/* What E is made from can be found in the loop of operands. */
static void
look_at_expr(Division *d, const KExpr *e)
{
	Leaves l = { d, NULL, look_at_expr, NULL };
	const KExpr *let;

	for (int i = 0; i < e->n; i++)
		look_at_expr(d, e->arg[i]);
	if (e->op == K_SHUFFLE || e->op == K_ANY)
		d->fits = FALSE;
	if (e->op == K_ELEMENT)
		g_ptr_array_add(d->read, (gpointer)e);
	if (e->op == K_VAR && (let = let_in(d, e->var)) != NULL)
		look_at_expr(d, let);
	if (e->op == K_VALUE) {
		l.of = e->of;
		expr_visit(&e->of->root, 1, look_at_leaf, &l);
	}
}

/* E without the number that is added to it. */
static const KExpr *
apart(const KExpr *e, gint64 *number)
{
	gboolean sum = e->op == K_ADD && e->arg[1]->op == K_INT;

	*number = sum ? e->arg[1]->value : e->op == K_INT ? e->value : 0;
	return sum ? e->arg[0] : e->op == K_INT ? NULL : e;
}

static gboolean
asks_for(const KExpr *e, const KVar *var)
{
	if (e->op == K_VAR && e->var == var)
		return TRUE;
	for (int i = 0; i < e->n; i++)
		if (asks_for(e->arg[i], var))
			return TRUE;
	return FALSE;
}

/* The loop that BASE is the turn of; NULL: of none. */
static const KStmt *
turn_of(const Division *d, const KExpr *base)
{
	return base->op != K_VAR ? NULL : base->var == d->loop->var ? d->loop
		: d->rows != NULL && base->var == d->rows->var ? d->rows : NULL;
}

static gboolean
asks_for_turn(const Division *d, const KExpr *e)
{
	return asks_for(e, d->loop->var) || (d->rows != NULL && asks_for(e, d->rows->var));
}

/* What operands read of A is not yet what a turn sets of B, if the operands of all turns
 * come first; LATER: the turn itself sets it after it has read. */
static gboolean
is_apart(const Division *d, const KExpr *a, const KExpr *b, gboolean later)
{
	gboolean own_cell = FALSE, own_row = d->rows == NULL;

	if (a->tile != b->tile)
		return TRUE;
	for (int i = 0; i < a->n; i++) {
		gint64 at, other;
		const KExpr *base = apart(a->arg[i], &at);

		if (base != apart(b->arg[i], &other))
			continue;
		if ((base == NULL || !asks_for_turn(d, base)) && at != other)
			return TRUE;
		if (base != NULL && at == other) {
			own_cell = own_cell || turn_of(d, base) == d->loop;
			own_row = own_row || (d->rows != NULL && turn_of(d, base) == d->rows);
		}
	}
	return later && own_cell && own_row;
}

static gboolean
is_apart_from_sets(const Division *d)
{
	for (guint i = 0; i < d->loop->body->len; i++) {
		const KStmt *s = g_ptr_array_index(d->loop->body, i);

		for (guint r = 0; s->kind == KK_SET && r < d->read->len; r++)
			if (!is_apart(d, g_ptr_array_index(d->read, r), s->place, i >= d->at))
				return FALSE;
	}
	return TRUE;
}

/* ---- the loop of operands ---- */

static const KExpr *renamed(Division *d, const KExpr *e);

static void
rename_leaf(Expr *leaf, gpointer user)
{
	Leaves *l = user;
	const KExpr *to = l->of->bound != NULL ? g_hash_table_lookup(l->of->bound, leaf) : NULL;

	if (to != NULL)
		g_hash_table_insert(l->bound, leaf, (gpointer)renamed(l->division, to));
}

/* ROOT, a part of VALUE, in the loop of operands. */
static const KExpr *
renamed_value(Division *d, const KValue *value, Expr *root)
{
	Leaves l = { d, value, NULL, g_hash_table_new(NULL, NULL) };

	expr_visit(&root, 1, rename_leaf, &l);
	return k_value(d->k, root, l.bound, value->at);
}

static const KExpr *
renamed(Division *d, const KExpr *e)
{
	const KExpr *arg[K_MAX_DIMS] = { NULL }, *let;

	if (e->op == K_VAR && g_hash_table_contains(d->renamed, e->var))
		return g_hash_table_lookup(d->renamed, e->var);
	if (e->op == K_VAR && (let = let_in(d, e->var)) != NULL) {
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
	return k_element(k, tile, (const KExpr *const[]){ i });
}

/* FUNCTION of the operands that MARK stands for. */
static Expr *
applied(const Division *d, int n, Expr *const operand[2], Expr *const mark[2])
{
	Arena *arena = d->k->arena;
	Expr *e;

	if (n == 1)
		return expr_replace(arena, d->function, operand[0], mark[0]);
	e = arena_copy(arena, d->function, sizeof *e);
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
	return k_value(d->k, expr_replace(d->k->arena, v->root, d->function, mark), bound, v->at);
}

/* S keeps as it is what the operands were made from, too. */
static gboolean
keeps_operand(const Division *d, const KStmt *s)
{
	const KValue *v = s->kind == KK_SET && s->value->op == K_VALUE ? s->value->of : NULL;
	const KExpr *to = v != NULL && v->bound != NULL ? g_hash_table_lookup(v->bound, v->root)
		: NULL;

	return to != NULL && to->op == K_VAR && to->var->type.kind == KT_VALUE
		&& to->var->type.type == TYPE_F32 && g_hash_table_contains(d->renamed, to->var);
}

/* nvcc would rather work it out anew behind the long form's branch than keep it. */
static void
hold_operands(const Division *d)
{
	for (guint i = 0; i < d->loop->body->len; i++) {
		KStmt *s = g_ptr_array_index(d->loop->body, i);

		s->held = s->held || keeps_operand(d, s);
	}
}

/* Cell TURN of row ROW, which is NULL if there is but one. */
static const KExpr *
cell_of(const Division *d, const KExpr *row, const KExpr *turn)
{
	return row == NULL ? turn : k_binary(d->k, K_ADD, k_binary(d->k, K_MUL, row,
		k_int(d->k, d->loop->to->value)), turn);
}

/* Opens a loop as LOOP is in BODY, for operands. */
static GPtrArray *
loop_of_operands(Division *d, GPtrArray *body, const KStmt *loop, const KExpr **turn)
{
	body = k_over(d->k, body, loop->var->want, (int)loop->to->value, turn);
	g_hash_table_insert(d->renamed, (gpointer)loop->var, (gpointer)*turn);
	return body;
}

/* To be put before the loop: the operands of all turns, and the function of them. */
static GPtrArray *
divide(Division *d, KStmt *asks)
{
	KKernel *k = d->k;
	GPtrArray *fresh = g_ptr_array_new(), *each;
	GHashTable *bound = g_hash_table_new(NULL, NULL);
	const Type type = d->function->type;
	int turns = (int)(d->loop->to->value * (d->rows != NULL ? d->rows->to->value : 1)), n;
	const Expr *tap = NULL;
	const KTile *tile[2];
	/* what all cells are divided by may ask which step it is */
	const KVar *at[K_AT_N] = { [K_AT_STEP] = d->value->of->at[K_AT_STEP] };
	Expr *operand[2], *mark[2], *result;
	const KExpr *row = NULL, *i;

	at_once_function(d->function, &n, operand);
	expr_visit(&d->value->of->root, 1, find_tap, &tap);
	for (int o = 0; o < n; o++) {
		tile[o] = k_new_tile(k, o == 0 ? "all" : "by", (KType){ KT_VALUE, type },
			KS_REGISTERS, 1, &turns);
		k_tile(k, fresh, tile[o]);
	}
	d->before = d->rows == NULL ? fresh : loop_of_operands(d, fresh, d->rows, &row);
	d->before = loop_of_operands(d, d->before, d->loop, &i);
	for (int o = 0; o < n; o++)
		k_set(k, d->before, element_of(k, tile[o], cell_of(d, row, i)),
			renamed_value(d, d->value->of, operand[o]), asks->at);
	each = k_over(k, fresh, d->loop->var->want, turns, &i);
	for (int o = 0; o < n; o++) {
		mark[o] = expr_mark(k->arena, tap, type);
		g_hash_table_insert(bound, mark[o], (gpointer)element_of(k, tile[o], i));
	}
	k_set(k, each, element_of(k, tile[0], i), k_value(k, applied(d, n, operand, mark), bound,
		at), asks->at);
	k_at_once(fresh);
	hold_operands(d);
	result = expr_mark(k->arena, tap, type);
	row = d->rows != NULL ? k_var(k, d->rows->var) : NULL;
	asks->value = with_value(k, asks->value, d->value, rest_of(d, result, element_of(k,
		tile[0], cell_of(d, row, k_var(k, d->loop->var)))));
	return fresh;
}

/* ---- loops ---- */

static void
look_for_value(Division *d, const KExpr *e)
{
	const Expr *tap = NULL;

	for (int i = 0; i < e->n && d->value == NULL; i++)
		look_for_value(d, e->arg[i]);
	if (d->value != NULL || e->op != K_VALUE || (d->function = at_once_find(e->of->root,
		d->asked)) == NULL)
		return;
	expr_visit(&e->of->root, 1, find_tap, &tap);
	if (tap != NULL)
		d->value = e;
}

/* Rows are taken together where there is little else to do meanwhile; where many blocks run, floats
 * need no more than a row (GCells/s, row by row and together: `march`, doubles by 7 181, 242,
 * sobel's roots 914, 753; `tile`, by 7 of floats 900, 1171, of doubles 315, 357). */
static gboolean
gains_by_rows(const Division *d)
{
	return d->function->type == TYPE_F64 || d->k->plan->strategy == STRATEGY_TILE;
}

/* TRUE if D, where it says, can be. */
static gboolean
can_divide(Division *d)
{
	Leaves l = { d, d->value->of, look_at_expr, NULL };
	Expr *operand[2];
	int n;

	d->fits = d->rows == NULL || gains_by_rows(d);
	g_ptr_array_set_size(d->read, 0);
	at_once_function(d->function, &n, operand);
	expr_visit(operand, n, look_at_leaf, &l);
	return d->fits && is_apart_from_sets(d);
}

/* The statements to put before the loop, or before ROWS; NULL: it stays whole. */
static GPtrArray *
divide_once(KKernel *k, const KStmt *rows, const KStmt *loop, GHashTable *asked)
{
	Division d = { .k = k, .loop = loop, .rows = rows, .asked = asked,
		.read = g_ptr_array_new(), .renamed = g_hash_table_new(NULL, NULL) };
	GPtrArray *fresh = NULL;

	for (d.at = 0; d.at < loop->body->len && fresh == NULL; d.at++) {
		KStmt *s = g_ptr_array_index(loop->body, d.at);

		d.value = NULL;
		if (s->kind == KK_SET || s->kind == KK_LET)
			look_for_value(&d, s->value);
		if (d.value != NULL && can_divide(&d))
			fresh = divide(&d, s);
	}
	g_ptr_array_unref(d.read);
	g_hash_table_unref(d.renamed);
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

static gboolean divide_body(KKernel *k, GPtrArray *body);

/* Statement AT of BODY, a loop over CELLS or over rows of them; gives how many come before it. */
static guint
divide_loop(KKernel *k, GPtrArray *body, guint at, const KStmt *cells, GHashTable *asked)
{
	const KStmt *loop = g_ptr_array_index(body, at), *rows = loop == cells ? NULL : loop;
	const guint before = body->len;
	GPtrArray *fresh;

	for (int n = 0; n < MOST_FUNCTIONS && (fresh = divide_once(k, rows, cells,
		asked)) != NULL; n++) {
		for (guint f = 0; f < fresh->len; f++)
			g_ptr_array_insert(body, (gint)at++, g_ptr_array_index(fresh, f));
		g_ptr_array_unref(fresh);
	}
	return body->len - before;
}

/* Unrolled, a loop's loops are of the body that it is in, which has ASKED. */
static gboolean
divide_loops(KKernel *k, GPtrArray *body, GHashTable *asked)
{
	gboolean any = FALSE;

	for (guint i = 0; i < body->len; i++) {
		const KStmt *s = g_ptr_array_index(body, i);
		const KStmt *cells = is_over_cells(s) ? s : s->kind == KK_FOR ? cells_of_rows(s)
			: NULL;
		guint fresh = cells != NULL ? divide_loop(k, body, i, cells, asked) : 0;

		i += fresh;
		any = any || fresh > 0;
		if (s->kind == KK_FOR && s->unrolled) {
			if (s != cells)
				any = divide_loops(k, s->body, asked) || any;
		} else {
			any = (s->body != NULL && divide_body(k, s->body)) || any;
			any = (s->other != NULL && divide_body(k, s->other)) || any;
		}
	}
	return any;
}

static gboolean
divide_body(KKernel *k, GPtrArray *body)
{
	GHashTable *asked = at_once_asked(body);
	gboolean any = divide_loops(k, body, asked);

	g_hash_table_unref(asked);
	return any;
}

void
kir_at_once(KKernel *k)
{
	if (divide_body(k, k->body))
		kir_prune(k);
}
