/* kir_stmt.c: building kernels: statements; and going through them. */
#include "kernel/kir.h"

static const KType type_i32 = { KT_I32, TYPE_I32 };

/* A name in a body. */
typedef struct {
	const GPtrArray *body;
	const KExpr *value;
	const KVar *var;
} Let;

static guint
hash_let(gconstpointer let)
{
	const Let *l = let;

	return g_direct_hash(l->body) * 31 + l->value->id;
}

static gboolean
same_let(gconstpointer one, gconstpointer other)
{
	const Let *a = one, *b = other;

	return a->body == b->body && a->value == b->value;
}

GHashTable *
kir_lets(void)
{
	return g_hash_table_new(hash_let, same_let);
}

KStmt *
kir_add(KKernel *k, GPtrArray *body, KStmtKind kind)
{
	KStmt *s = arena_make(k->arena, KStmt);

	s->kind = kind;
	g_ptr_array_add(body, s);
	return s;
}

KStmt *
kir_last(GPtrArray *body)
{
	return g_ptr_array_index(body, body->len - 1);
}

static GPtrArray *
new_body(KKernel *k)
{
	GPtrArray *body = g_ptr_array_new();

	g_ptr_array_add(k->lists, body);
	return body;
}

void
kir_drop(KKernel *k, GPtrArray *body, guint i)
{
	const KStmt *s = g_ptr_array_index(body, i);
	const Let like = { body, s->value, NULL };

	if (s->kind == KK_LET)
		g_hash_table_remove(k->lets, &like);
	g_ptr_array_remove_index(body, i);
}

void
k_note(KKernel *k, GPtrArray *body, const char *text)
{
	kir_add(k, body, KK_NOTE)->text = text;
}

/* TRUE if naming it would only repeat it. */
static gboolean
is_plain(const KExpr *e)
{
	return e->op == K_INT || e->op == K_VAR;
}

static const KExpr *
let(KKernel *k, GPtrArray *body, const char *want, const KExpr *value, gboolean kept)
{
	const Let like = { body, value, NULL }, *known;
	Let *fresh;
	KStmt *s;
	KVar *var;

	if (is_plain(value))
		return value;
	known = g_hash_table_lookup(k->lets, &like);
	if (known != NULL)
		return k_var(k, known->var);
	s = kir_add(k, body, KK_LET);
	s->var = var = k_new_var(k, want, value->type);
	s->value = value;
	var->kept = kept;
	fresh = arena_copy(k->arena, &like, sizeof like);
	fresh->var = var;
	g_hash_table_add(k->lets, fresh);
	return k_var(k, var);
}

const KExpr *
k_let(KKernel *k, GPtrArray *body, const char *want, const KExpr *value)
{
	return let(k, body, want, value, FALSE);
}

const KExpr *
k_keep(KKernel *k, GPtrArray *body, const char *want, const KExpr *value)
{
	return let(k, body, want, value, TRUE);
}

const KExpr *
k_lane(KKernel *k, const char *want, const KExpr *lane, int distance)
{
	return k_let(k, k->setup, want, k_binary(k, K_REM, k_add(k, lane, distance < 0
		? WARP + distance : distance), k_int(k, WARP)));
}

void
k_set(KKernel *k, GPtrArray *body, const KExpr *place, const KExpr *value, Span at)
{
	KStmt *s = kir_add(k, body, KK_SET);

	s->place = place;
	s->value = value;
	s->at = at;
}

void
k_put(KKernel *k, GPtrArray *body, const KExpr *place, const KExpr *value)
{
	k_set(k, body, place, value, (Span){ 0 });
}

void
k_load(KKernel *k, GPtrArray *body, const KExpr *place, KArray array, const KExpr *index,
	int width)
{
	KStmt *s = kir_add(k, body, KK_LOAD);

	s->place = place;
	s->array = arena_copy(k->arena, &array, sizeof array);
	s->index = index;
	s->width = width;
}

void
k_store(KKernel *k, GPtrArray *body, KArray array, const KExpr *index, const KExpr *value,
	int width, Span at)
{
	KStmt *s = kir_add(k, body, KK_STORE);

	s->array = arena_copy(k->arena, &array, sizeof array);
	s->index = index;
	s->value = value;
	s->width = width;
	s->once = k->plan->streaming;
	s->at = at;
}

GPtrArray *
k_for(KKernel *k, GPtrArray *body, const KVar *var, const KExpr *from, const KExpr *to, int step,
	gboolean unrolled)
{
	KStmt *s = kir_add(k, body, KK_FOR);

	s->var = var;
	s->from = from;
	s->to = to;
	s->step = step;
	s->unrolled = unrolled;
	s->body = new_body(k);
	return s->body;
}

GPtrArray *
k_walk(KKernel *k, GPtrArray *body, const char *want, const KExpr *from, const KExpr *to,
	const KExpr **value)
{
	const KVar *var = k_new_var(k, want, type_i32);

	*value = k_var(k, var);
	return k_for(k, body, var, from, to, 1, FALSE);
}

GPtrArray *
k_over(KKernel *k, GPtrArray *body, const char *want, int n, const KExpr **value)
{
	const KVar *var;

	*value = k_int(k, 0);
	if (n == 1)
		return body;
	var = k_new_var(k, want, type_i32);
	*value = k_var(k, var);
	return k_for(k, body, var, k_int(k, 0), k_int(k, n), 1, TRUE);
}

GPtrArray *
k_over_cells(KKernel *k, GPtrArray *body, int rows, int columns, const KExpr **row,
	const KExpr **column)
{
	return k_over(k, k_over(k, body, "j", rows, row), "i", columns, column);
}

GPtrArray *
k_if(KKernel *k, GPtrArray *body, const KExpr *value)
{
	KStmt *s = kir_add(k, body, KK_IF);

	s->value = value;
	s->body = new_body(k);
	return s->body;
}

GPtrArray *
k_else(KKernel *k, GPtrArray *body)
{
	return kir_last(body)->other = new_body(k);
}

GPtrArray *
k_begin_setup(KKernel *k)
{
	GPtrArray *before = k->setup;

	k->setup = new_body(k);
	return before;
}

void
k_end_setup(KKernel *k, GPtrArray *body, GPtrArray *before)
{
	for (guint i = 0; i < k->setup->len; i++)
		g_ptr_array_insert(body, (int)i, g_ptr_array_index(k->setup, i));
	g_ptr_array_set_size(k->setup, 0);
	k->setup = before;
}

void
k_leave(KKernel *k, GPtrArray *body, const KExpr *value)
{
	kir_add(k, body, KK_LEAVE)->value = value;
}

/* ---- walking ---- */

typedef struct {
	KStmtVisit on_stmt;
	KExprVisit on_expr;
	gpointer user;
} Walk;

static void
visit_expr(const KExpr *e, const Walk *w)
{
	if (e == NULL)
		return;
	for (int i = 0; i < e->n; i++)
		visit_expr(e->arg[i], w);
	for (int i = 0; e->op == K_VALUE && i < e->of->n_leaves; i++)
		visit_expr(k_value_to(e->of, e->of->leaf[i]), w);
	w->on_expr(e, w->user);
}

static void
visit_body(const GPtrArray *body, const Walk *w)
{
	for (guint i = 0; body != NULL && i < body->len; i++) {
		const KStmt *s = g_ptr_array_index(body, i);
		const KExpr *parts[] = { s->place, s->value, s->index, s->from, s->to };

		w->on_stmt(s, w->user);
		for (gsize p = 0; p < G_N_ELEMENTS(parts) && w->on_expr != NULL; p++)
			visit_expr(parts[p], w);
		visit_body(s->body, w);
		visit_body(s->other, w);
	}
}

void
kir_visit(const KKernel *k, KStmtVisit on_stmt, KExprVisit on_expr, gpointer user)
{
	const Walk w = { on_stmt, on_expr, user };

	visit_body(k->setup, &w);
	visit_body(k->body, &w);
}
