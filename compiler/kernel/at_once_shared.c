/* at_once_shared.c: roots and quotients that several loops over the same cells ask for. */
#include "kernel/at_once.h"

/* ---- of one loop ---- */

const KExpr *
at_once_let(const AtOnce *a, const KVar *var)
{
	for (guint i = 0; i < a->loop->body->len; i++) {
		const KStmt *s = g_ptr_array_index(a->loop->body, i);

		if (s->kind == KK_LET && s->var == var)
			return s->value;
	}
	return NULL;
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

/* The loop that VAR is the turn of; NULL: of none. */
static const KStmt *
turn_of(const AtOnce *a, const KVar *var)
{
	return var == a->loop->var ? a->loop : a->rows != NULL && var == a->rows->var ? a->rows
		: NULL;
}

static gboolean
asks_for_turn(const AtOnce *a, const KExpr *e)
{
	return asks_for(e, a->loop->var) || (a->rows != NULL && asks_for(e, a->rows->var));
}

gboolean
at_once_apart(const AtOnce *a, const KExpr *read, const KExpr *set, gboolean later)
{
	gboolean own_cell = FALSE, own_row = a->rows == NULL;

	if (read->tile != set->tile)
		return TRUE;
	for (int i = 0; i < read->n; i++) {
		gint64 at, other;
		const KExpr *base = kir_apart(read->arg[i], &at);

		if (base != kir_apart(set->arg[i], &other))
			continue;
		if ((base == NULL || !asks_for_turn(a, base)) && at != other)
			return TRUE;
		if (base != NULL && base->op == K_VAR && at == other) {
			const KStmt *loop = turn_of(a, base->var);

			own_cell = own_cell || loop == a->loop;
			own_row = own_row || (a->rows != NULL && loop == a->rows);
		}
	}
	return later && own_cell && own_row;
}

/* ---- what two loops make of the same ---- */

typedef struct {
	const AtOnce *a, *b;
	GHashTable *alike; /* Expr of a → that of b */
} Pair;

static gboolean values_alike(Pair *p, const KValue *v, Expr *e, const KValue *w, Expr *f);

/* E without what is but a name in A's loop. */
static const KExpr *
unnamed(const AtOnce *a, const KExpr *e)
{
	const KExpr *let;

	while (e->op == K_VAR && (let = at_once_let(a, e->var)) != NULL)
		e = let;
	return e;
}

static gboolean
vars_alike(const Pair *p, const KVar *v, const KVar *w)
{
	const KStmt *of_v = turn_of(p->a, v), *of_w = turn_of(p->b, w);

	return of_v == NULL ? v == w : of_w != NULL
		&& (of_v == p->a->loop) == (of_w == p->b->loop);
}

static gboolean
heads_alike(Pair *p, const KExpr *e, const KExpr *f)
{
	switch (e->op) {
	case K_INT:     return e->value == f->value;
	case K_VAR:     return vars_alike(p, e->var, f->var);
	case K_PARAM:   return e->param == f->param;
	case K_ELEMENT: return e->tile == f->tile;
	case K_VALUE:   return values_alike(p, e->of, e->of->root, f->of, f->of->root);
	case K_FOLD:    return e == f;
	default:        return TRUE;
	}
}

static gboolean
exprs_alike(Pair *p, const KExpr *e, const KExpr *f)
{
	e = unnamed(p->a, e);
	f = unnamed(p->b, f);
	if (e->op != f->op || e->n != f->n || e->type.kind != f->type.kind
		|| !heads_alike(p, e, f))
		return FALSE;
	for (int i = 0; i < e->n; i++)
		if (!exprs_alike(p, e->arg[i], f->arg[i]))
			return FALSE;
	return TRUE;
}

static gboolean
values_alike(Pair *p, const KValue *v, Expr *e, const KValue *w, Expr *f)
{
	const KExpr *to = k_value_to(v, e), *other = k_value_to(w, f);

	if (to != NULL || other != NULL)
		return to != NULL && other != NULL && exprs_alike(p, to, other);
	if (g_hash_table_lookup(p->alike, e) == f)
		return TRUE;
	if (!expr_is_alike(e, f)
		|| (e->op == EXPR_STEP && v->at[K_AT_STEP] != w->at[K_AT_STEP]))
		return FALSE;
	for (int i = 0; i < e->n_args; i++)
		if (!values_alike(p, v, e->arg[i], w, f->arg[i]))
			return FALSE;
	g_hash_table_insert(p->alike, e, f);
	return TRUE;
}

static gboolean
turns_alike(const KStmt *a, const KStmt *b)
{
	return a == NULL || b == NULL ? a == b : a->to->value == b->to->value;
}

static gboolean
is_same(const AtOnce *a, const AtOnce *b)
{
	Pair p = { a, b, NULL };
	gboolean same;

	if (!turns_alike(a->loop, b->loop) || !turns_alike(a->rows, b->rows))
		return FALSE;
	p.alike = g_hash_table_new(NULL, NULL);
	same = values_alike(&p, a->value, a->function, b->value, b->function);
	g_hash_table_unref(p.alike);
	return same;
}

/* ---- what is known ---- */

static void
free_known(gpointer p)
{
	AtOnce *a = p;

	g_ptr_array_unref(a->read);
	g_free(a);
}

GPtrArray *
at_once_known(void)
{
	return g_ptr_array_new_with_free_func(free_known);
}

void
at_once_keep(GPtrArray *known, const AtOnce *a)
{
	AtOnce *kept = g_memdup2(a, sizeof *a);

	kept->read = g_ptr_array_copy(a->read, NULL, NULL);
	g_ptr_array_add(known, kept);
}

const AtOnce *
at_once_same(const GPtrArray *known, const AtOnce *a)
{
	for (guint i = 0; i < known->len; i++) {
		const AtOnce *b = g_ptr_array_index(known, i);

		if (is_same(b, a))
			return b;
	}
	return NULL;
}

/* S, or what is in it, may change what A reads. */
static gboolean
may_change(const AtOnce *a, const KStmt *s)
{
	for (guint i = 0; i < a->read->len; i++) {
		const KExpr *read = g_ptr_array_index(a->read, i);

		if (read->tile->space != KS_REGISTERS)
			return TRUE;
		if (s->place != NULL && s->place->op == K_ELEMENT && s->place->tile == read->tile
			&& (s->kind != KK_SET || !at_once_apart(a, read, s->place, FALSE)))
			return TRUE;
	}
	for (guint i = 0; s->body != NULL && i < s->body->len; i++)
		if (may_change(a, g_ptr_array_index(s->body, i)))
			return TRUE;
	for (guint i = 0; s->other != NULL && i < s->other->len; i++)
		if (may_change(a, g_ptr_array_index(s->other, i)))
			return TRUE;
	return FALSE;
}

void
at_once_forget(GPtrArray *known, const KStmt *s)
{
	for (guint i = known->len; i-- > 0;)
		if (may_change(g_ptr_array_index(known, i), s))
			g_ptr_array_remove_index(known, i);
}
