/* kir.c: building kernels: expressions, names, tiles. */
#include "kernel/kir.h"

#include <string.h>

#include "base/round.h"
#include "ir/replace.h"

/* ---- one node for what is the same ---- */

static guint
mixed(guint hash, gsize more)
{
	return (hash ^ (guint)more ^ (guint)((guint64)more >> 32))*0x9e3779b1u;
}

static guint
hash_node(gconstpointer node)
{
	const KExpr *e = node;
	guint hash = mixed(0, e->op);

	for (int i = 0; i < e->n; i++)
		hash = mixed(hash, e->arg[i]->id);
	switch (e->op) {
	case K_INT:
		return mixed(hash, (gsize)e->value);
	case K_VAR:
		return mixed(hash, (gsize)e->var->index);
	case K_PARAM:
		return mixed(mixed(mixed(hash, (gsize)e->param->kind), (gsize)e->param->axis),
			(gsize)e->param->field);
	case K_ELEMENT:
		return mixed(hash, (gsize)e->tile->index);
	default:
		return hash;
	}
}

static gboolean
same_param(const KParam *a, const KParam *b)
{
	return a->kind == b->kind && a->axis == b->axis && a->grid == b->grid
		&& a->field == b->field && a->made == b->made && a->stage == b->stage;
}

static gboolean
same_node(gconstpointer one, gconstpointer other)
{
	const KExpr *a = one, *b = other;

	if (a->op != b->op || a->n != b->n)
		return FALSE;
	for (int i = 0; i < a->n; i++)
		if (a->arg[i] != b->arg[i])
			return FALSE;
	switch (a->op) {
	case K_INT:
		return a->value == b->value;
	case K_VAR:
		return a->var->index == b->var->index;
	case K_PARAM:
		return same_param(a->param, b->param);
	case K_FOLD:
		return a->fold.edge == b->fold.edge && a->fold.face == b->fold.face
			&& a->fold.grid == b->fold.grid && a->fold.axis == b->fold.axis;
	case K_ELEMENT:
		return a->tile->index == b->tile->index;
	default:
		return TRUE;
	}
}

KKernel *
kir_new(Arena *arena, const Plan *plan)
{
	KKernel *k = arena_make(arena, KKernel);

	k->arena = arena;
	k->plan = plan;
	k->stage = plan->stage;
	k->lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	k->tables = g_ptr_array_new_with_free_func((GDestroyNotify)g_hash_table_unref);
	k->pool = g_hash_table_new(hash_node, same_node);
	k->lets = kir_lets();
	k->setup = g_ptr_array_new();
	k->body = g_ptr_array_new();
	k->width = 1;
	g_ptr_array_add(k->lists, k->setup);
	g_ptr_array_add(k->lists, k->body);
	return k;
}

void
kir_free(KKernel *k)
{
	g_ptr_array_unref(k->lists);
	g_ptr_array_unref(k->tables);
	g_hash_table_unref(k->pool);
	g_hash_table_unref(k->lets);
}

/* ---- expressions ---- */

static const KType type_i32 = { KT_I32, TYPE_I32 }, type_i64 = { KT_I64, TYPE_I64 },
	type_bool = { KT_BOOL, TYPE_BOOL };

/* The one node like LIKE. */
static const KExpr *
node(KKernel *k, const KExpr *like)
{
	KExpr *e = g_hash_table_lookup(k->pool, like);

	if (e == NULL) {
		e = arena_copy(k->arena, like, sizeof *like);
		e->id = k->n_exprs++;
		if (e->op == K_PARAM)
			e->param = arena_copy(k->arena, like->param, sizeof *like->param);
		g_hash_table_add(k->pool, e);
	}
	return e;
}

const KExpr *
k_int(KKernel *k, gint64 value)
{
	KExpr e = { .op = K_INT, .type = type_i32, .value = value };

	return node(k, &e);
}

const KExpr *
k_var(KKernel *k, const KVar *var)
{
	KExpr e = { .op = K_VAR, .type = var->type, .var = var };

	return node(k, &e);
}

const KExpr *
k_param(KKernel *k, KParam like)
{
	gboolean wide = like.kind == KP_STRIDE || like.kind == KP_COMPONENT;
	KExpr e = { .op = K_PARAM, .type = wide ? type_i64 : type_i32, .param = &like };

	return node(k, &e);
}

static gboolean
is_int(const KExpr *e, gint64 value)
{
	return e->op == K_INT && e->value == value;
}

const KExpr *
kir_apart(const KExpr *e, gint64 *number)
{
	gboolean sum = e->op == K_ADD && e->arg[1]->op == K_INT;

	*number = sum ? e->arg[1]->value : e->op == K_INT ? e->value : 0;
	return sum ? e->arg[0] : e->op == K_INT ? NULL : e;
}

gint64
kir_number(KOp op, gint64 a, gint64 b)
{
	switch ((int)op) {
	case K_ADD: return a + b;
	case K_SUB: return a - b;
	case K_MUL: return a * b;
	case K_DIV: return b != 0 ? a / b : 0;
	case K_REM: return b != 0 ? a % b : 0;
	case K_MIN: return MIN(a, b);
	case K_MAX: return MAX(a, b);
	case K_LT:  return a < b;
	case K_GE:  return a >= b;
	case K_AND: return a != 0 && b != 0;
	case K_OR:  return a != 0 || b != 0;
	case K_BIT: return a >> (b & 63) & 1;
	default:    g_assert_not_reached();
	}
}

const KExpr *
k_binary(KKernel *k, KOp op, const KExpr *a, const KExpr *b)
{
	gboolean truth = op == K_LT || op == K_GE || op == K_AND || op == K_OR
		|| op == K_BIT;
	KExpr e = { .op = op, .n = 2, .arg = { a, b } };

	if (a->op == K_INT && b->op == K_INT && op != K_AND && op != K_OR)
		return k_int(k, kir_number(op, a->value, b->value));
	if ((op == K_ADD || op == K_SUB || op == K_MUL || op == K_DIV)
		&& is_int(b, op == K_ADD || op == K_SUB ? 0 : 1))
		return a;
	if ((op == K_ADD && is_int(a, 0)) || (op == K_MUL && is_int(a, 1)))
		return b;
	if (op == K_MUL && (is_int(a, 0) || is_int(b, 0)))
		return k_int(k, 0);
	if (op == K_ADD && b->op == K_INT && a->op == K_ADD && a->arg[1]->op == K_INT)
		return k_add(k, a->arg[0], a->arg[1]->value + b->value);
	e.type = truth ? type_bool : a->type.kind == KT_I64 || b->type.kind == KT_I64 ? type_i64
		: type_i32;
	return node(k, &e);
}

const KExpr *
k_add(KKernel *k, const KExpr *a, gint64 c)
{
	return k_binary(k, K_ADD, a, k_int(k, c));
}

const KExpr *
k_not(KKernel *k, const KExpr *a)
{
	KExpr e = { .op = K_NOT, .type = type_bool, .n = 1, .arg = { a } };

	return node(k, &e);
}

/* B is one of the tests that A is made of. */
static gboolean
has_test(const KExpr *a, const KExpr *b)
{
	while (a->op == K_AND && a->arg[1] != b)
		a = a->arg[0];
	return a == b || a->op == K_AND;
}

const KExpr *
k_and(KKernel *k, const KExpr *a, const KExpr *b)
{
	if (a == NULL)
		return b;
	return b == NULL || has_test(a, b) ? a : k_binary(k, K_AND, a, b);
}

const KExpr *
k_or(KKernel *k, const KExpr *a, const KExpr *b)
{
	return a == NULL ? b : b == NULL ? a : k_binary(k, K_OR, a, b);
}

const KExpr *
k_equal(KKernel *k, const KExpr *a, const KExpr *b)
{
	return k_and(k, k_binary(k, K_GE, a, b), k_binary(k, K_GE, b, a));
}

const KExpr *
k_within(KKernel *k, const KExpr *e, const KExpr *from, const KExpr *to)
{
	return k_and(k, k_binary(k, K_GE, e, from), k_binary(k, K_LT, e, to));
}

const KExpr *
k_wide(KKernel *k, const KExpr *a)
{
	KExpr e = { .op = K_WIDE, .type = type_i64, .n = 1, .arg = { a } };

	return a->type.kind == KT_I64 ? a : node(k, &e);
}

const KExpr *
k_short(KKernel *k, const KExpr *a)
{
	KExpr e = { .op = K_SHORT, .type = type_i32, .n = 1, .arg = { a } };

	return a->type.kind == KT_I32 ? a : node(k, &e);
}

const KExpr *
k_fold(KKernel *k, const KExpr *q, EdgeKind edge, int face, const Grid *grid, int axis)
{
	KExpr e = { .op = K_FOLD, .type = type_i64, .n = 1, .arg = { q },
		.fold = { edge, face, grid, axis } };

	return node(k, &e);
}

const KExpr *
k_element(KKernel *k, const KTile *tile, const KExpr *const *index)
{
	KExpr e = { .op = K_ELEMENT, .type = tile->type, .n = tile->n_dims, .tile = tile };

	for (int i = 0; i < tile->n_dims; i++)
		e.arg[i] = index[i];
	return node(k, &e);
}

const KExpr *
k_select(KKernel *k, const KExpr *c, const KExpr *a, const KExpr *b)
{
	KExpr e = { .op = K_SELECT, .type = a->type, .n = 3, .arg = { c, a, b } };

	return node(k, &e);
}

const KExpr *
k_shuffle(KKernel *k, const KExpr *value, const KExpr *lane)
{
	KExpr e = { .op = K_SHUFFLE, .type = value->type, .n = 2, .arg = { value, lane } };

	return node(k, &e);
}

const KExpr *
k_any(KKernel *k, const KExpr *test)
{
	KExpr e = { .op = K_ANY, .type = type_bool, .n = 1, .arg = { test } };

	return test->op == K_INT ? test : node(k, &e);
}

const KExpr *
k_with(KKernel *k, const KExpr *e, const KExpr *const *arg)
{
	switch (e->op) {
	case K_INT:
	case K_VAR:
	case K_PARAM:
	case K_VALUE:
		return e->op == K_INT ? k_int(k, e->value) : e->op == K_PARAM
			? k_param(k, *e->param) : e;
	case K_NOT:
		return k_not(k, arg[0]);
	case K_SHORT:
		return k_short(k, arg[0]);
	case K_WIDE:
		return k_wide(k, arg[0]);
	case K_FOLD:
		return k_fold(k, arg[0], e->fold.edge, e->fold.face, e->fold.grid, e->fold.axis);
	case K_ELEMENT:
		return k_element(k, e->tile, arg);
	case K_SELECT:
		return k_select(k, arg[0], arg[1], arg[2]);
	case K_SHUFFLE:
		return k_shuffle(k, arg[0], arg[1]);
	case K_ANY:
		return k_any(k, arg[0]);
	default:
		return k_binary(k, e->op, arg[0], arg[1]);
	}
}

Expr *
k_bind_parts(KKernel *k, Expr *root, const Expr *leaf, const GPtrArray *parts,
	const KExpr *const *to, GHashTable *bound)
{
	GHashTable *marks = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < parts->len; i++) {
		Expr *part = g_ptr_array_index(parts, i);
		Expr *mark = expr_mark(k->arena, leaf, part->type);

		g_hash_table_insert(marks, part, mark);
		g_hash_table_insert(bound, mark, (gpointer)to[i]);
	}
	if (parts->len > 0)
		root = expr_replace_all(k->arena, root, marks);
	g_hash_table_unref(marks);
	return root;
}

static void
add_leaf(Expr *e, gpointer leaves)
{
	if (expr_op_info[e->op].shape == SHAPE_LEAF)
		g_ptr_array_add(leaves, e);
}

/* They are asked for over and over, by each pass and for each cell. */
static void
set_leaves(KKernel *k, KValue *value)
{
	GPtrArray *leaves = g_ptr_array_new();

	expr_visit(&value->root, 1, add_leaf, leaves);
	value->n_leaves = (int)leaves->len;
	value->leaf = arena_copy(k->arena, leaves->pdata, leaves->len * sizeof *leaves->pdata);
	g_ptr_array_unref(leaves);
}

const KExpr *
k_value(KKernel *k, Expr *root, GHashTable *bound, const KVar *const *at)
{
	KValue *value = arena_make(k->arena, KValue);
	KExpr *e = arena_make(k->arena, KExpr);

	value->root = root;
	value->bound = bound;
	set_leaves(k, value);
	for (int a = 0; a < K_AT_N && at != NULL; a++)
		value->at[a] = at[a];
	if (bound != NULL)
		g_ptr_array_add(k->tables, bound);
	*e = (KExpr){ .op = K_VALUE, .type = { KT_VALUE, root->type }, .of = value };
	e->id = k->n_exprs++;
	return e;
}

const KExpr *
k_value_to(const KValue *v, const Expr *leaf)
{
	return v->bound != NULL ? g_hash_table_lookup(v->bound, leaf) : NULL;
}

const KVar *
k_value_at(const KValue *v, const Expr *leaf)
{
	if (leaf->op == EXPR_COORD)
		return v->at[leaf->coord.axis];
	return leaf->op == EXPR_STEP ? v->at[K_AT_STEP] : NULL;
}

int
k_tile_elements(const KTile *tile)
{
	int n = 1;

	for (int i = 0; i < tile->n_dims; i++)
		n *= tile->size[i];
	return n;
}

KVar *
k_new_var(KKernel *k, const char *want, KType type)
{
	KVar *var = arena_make(k->arena, KVar);

	*var = (KVar){ want, type, k->n_vars++, FALSE };
	return var;
}

static gsize
element_bytes(KType type)
{
	return type.kind == KT_VALUE ? (gsize)type_info[type.type].bytes
		: type.kind == KT_I64 ? 8 : 4;
}

KTile *
k_new_tile(KKernel *k, const char *want, KType type, KSpace space, int n_dims, const int *size)
{
	KTile *tile = arena_make(k->arena, KTile);
	gsize bytes = element_bytes(type);

	*tile = (KTile){ want, type, space, n_dims, { 0 }, k->n_tiles++, 0, 0 };
	for (int i = 0; i < n_dims; i++) {
		tile->size[i] = size[i];
		bytes *= (gsize)size[i];
	}
	if (space == KS_SHARED) {
		tile->at = ROUND_UP(k->shared, SHARED_ALIGN);
		k->shared = tile->at + bytes;
	}
	return tile;
}

void
k_tile(KKernel *k, GPtrArray *body, const KTile *tile)
{
	kir_add(k, body, KK_TILE)->tile = tile;
}

const KTile *
k_make_tile(KKernel *k, GPtrArray *body, const char *want, Type type, KSpace space, int n_dims,
	const int *size)
{
	const KTile *tile = k_new_tile(k, want, (KType){ KT_VALUE, type }, space, n_dims, size);

	k_tile(k, body, tile);
	return tile;
}

const KExpr *
k_register(KKernel *k, GPtrArray *body, const char *want, Type type)
{
	return k_element(k, k_make_tile(k, body, want, type, KS_REGISTERS, 0, NULL), NULL);
}

const KTile *
k_led_tile(KKernel *k, GPtrArray *body, const char *want, KType type, int n_dims, const int *size,
	const KExpr *lead, int most)
{
	const KTile *tile = k_new_tile(k, want, type, KS_SHARED, n_dims, size);
	KStmt *s = kir_add(k, body, KK_TILE);

	s->tile = tile;
	s->value = lead;
	if (lead != NULL)
		k->shared += (gsize)most * element_bytes(type);
	return tile;
}
