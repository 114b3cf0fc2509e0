/* interp_expr.c: expressions as lists of operations. */
#include "kernel/interp_code.h"

#include <string.h>

gboolean
interp_is_real(KType type)
{
	return type.kind == KT_VALUE && type_is_real(type.type);
}

/* ---- slots ---- */

int
interp_slot(Compiler *c, Slot like)
{
	int slot = -1;

	for (guint i = c->spare->len; i-- > 0 && slot < 0;) {
		int n = g_array_index(c->spare, int, i);
		const Slot *s = slot_at(c->p, n);

		if (s->wide == like.wide && s->real == like.real
			&& s->may_be_unset == like.may_be_unset && s->points == like.points) {
			slot = n;
			g_array_remove_index_fast(c->spare, i);
		}
	}
	if (slot < 0) {
		slot = (int)c->p->slots->len;
		g_array_append_val(c->p->slots, like);
	}
	g_array_append_val(c->taken, slot);
	return slot;
}

void
interp_release(Compiler *c)
{
	g_array_append_vals(c->spare, c->taken->data, c->taken->len);
	g_array_set_size(c->taken, 0);
	g_hash_table_remove_all(c->memo);
}

/* One that no other statement gets. */
static int
slot_kept(Compiler *c, gboolean wide, gboolean real)
{
	const Slot like = { .wide = wide, .real = real };

	g_array_append_val(c->p->slots, like);
	return (int)c->p->slots->len - 1;
}

Op *
interp_op(Compiler *c, OpCode code, int to, int n, const int *arg)
{
	Op op = { .code = code, .to = to, .n = n };

	for (int i = 0; i < n; i++)
		op.arg[i] = arg[i];
	op.wide = to >= 0 && slot_at(c->p, to)->wide;
	g_array_append_val(c->p->ops, op);
	return &g_array_index(c->p->ops, Op, c->p->ops->len - 1);
}

static int
widened(Compiler *c, int slot)
{
	int to;

	if (slot_at(c->p, slot)->wide)
		return slot;
	to = interp_slot(c, (Slot){ .wide = TRUE });
	interp_op(c, OP_SPLAT, to, 1, &slot);
	return to;
}

/* What CODE makes of integers, all of one width. */
static int
integer_op(Compiler *c, OpCode code, int n, int *arg)
{
	gboolean wide = FALSE, unset = FALSE;
	int to;

	for (int i = 0; i < n; i++) {
		wide = wide || slot_at(c->p, arg[i])->wide;
		unset = unset || slot_at(c->p, arg[i])->may_be_unset;
	}
	for (int i = 0; i < n && wide; i++)
		arg[i] = widened(c, arg[i]);
	to = interp_slot(c, (Slot){ .wide = wide, .may_be_unset = unset });
	interp_op(c, code, to, n, arg);
	return to;
}

/* ---- leaves ---- */

static int
remembered(GHashTable *table, gconstpointer key)
{
	return GPOINTER_TO_INT(g_hash_table_lookup(table, key)) - 1;
}

static void
remember(GHashTable *table, gconstpointer key, int slot)
{
	g_hash_table_insert(table, (gpointer)key, GINT_TO_POINTER(slot + 1));
}

static int
given(Compiler *c, const KParam *param, const Expr *leaf, gboolean wide)
{
	Given g = { slot_kept(c, wide, leaf != NULL && type_is_real(leaf->type)), param, leaf };

	g_array_append_val(param != NULL ? c->p->params : c->p->leaves, g);
	return g.slot;
}

static int
param_slot(Compiler *c, const KExpr *e)
{
	int slot = remembered(c->kept, e);

	if (slot < 0) {
		slot = given(c, e->param, NULL, e->param->kind == KP_THREAD
			|| e->param->kind == KP_LANE || (e->param->kind == KP_WARP
			&& !c->p->relays));
		remember(c->kept, e, slot);
	}
	return slot;
}

/* A number of the kernel's. */
static int
number_slot(Compiler *c, const KExpr *e, gboolean real)
{
	Expr *leaf;
	int slot = real ? -1 : remembered(c->kept, e);

	if (slot >= 0)
		return slot;
	leaf = arena_make(c->p->arena, Expr);
	leaf->op = EXPR_CONST;
	leaf->type = real ? TYPE_F64 : TYPE_I64;
	if (real)
		leaf->real = (double)e->value;
	else
		leaf->integer = e->value;
	slot = given(c, NULL, leaf, real);
	if (!real)
		remember(c->kept, e, slot);
	return slot;
}

static int
leaf_slot(Compiler *c, const Expr *e)
{
	int slot = remembered(c->leaves, e);

	if (slot < 0) {
		slot = given(c, NULL, e, TRUE);
		remember(c->leaves, e, slot);
	}
	return slot;
}

/* ---- the arithmetic of cells ---- */

typedef struct {
	Compiler *c;
	const KValue *value;
	GHashTable *memo; /* Expr → slot, plus 1 */
} Cell;

static int cell_expr(Cell *cell, const Expr *e);

static int
coord_slot(Cell *cell, const Expr *e)
{
	Compiler *c = cell->c;
	const KVar *at = cell->value->at[e->coord.axis];
	int arg, to;

	if (at == NULL) {
		c->p->bad = "a coordinate that the kernel does not say";
		return leaf_slot(c, e);
	}
	arg = widened(c, c->var[at->index]);
	to = interp_slot(c, (Slot){ .wide = TRUE });
	interp_op(c, OP_COORD, to, 1, &arg)->of = &e->coord;
	return to;
}

/* What nothing else says is the step of the launch. */
static int
step_slot(Cell *cell, const Expr *e)
{
	Compiler *c = cell->c;
	const KVar *at = k_value_at(cell->value, e);
	AxisMap *later = arena_make(c->p->arena, AxisMap);
	int arg, to;

	if (at == NULL)
		return leaf_slot(c, e);
	*later = (AxisMap){ .scale = 1, .divide = 1, .offset = e->step };
	arg = widened(c, c->var[at->index]);
	to = interp_slot(c, (Slot){ .wide = TRUE });
	interp_op(c, OP_COORD, to, 1, &arg)->of = later;
	return to;
}

static int
tap_slot(Cell *cell, const Expr *e)
{
	const KExpr *to = k_value_to(cell->value, e);

	if (to != NULL)
		return interp_wide(cell->c, to, type_is_real(e->type));
	cell->c->p->bad = "a tap that the kernel has not loaded";
	return leaf_slot(cell->c, e);
}

/* The operators that are quick; OP_IR: not this one. */
static OpCode
quick_code(const Expr *e)
{
	static const OpCode codes[EXPR_N_OPS] = {
		[EXPR_ADD] = OP_REAL_ADD, [EXPR_SUB] = OP_REAL_SUB, [EXPR_MUL] = OP_REAL_MUL,
		[EXPR_NEG] = OP_REAL_NEG, [EXPR_FMA] = OP_REAL_FMA,
	};

	if (e->op == EXPR_SELECT)
		return OP_SELECT;
	if (!type_is_real(e->type) || codes[e->op] == OP_COPY)
		return OP_IR;
	return codes[e->op];
}

static int
operator_slot(Cell *cell, const Expr *e)
{
	Compiler *c = cell->c;
	int arg[K_MAX_DIMS], to;
	gboolean unset = FALSE, f32 = type_kind(e->type) == TYPE_F32;
	Op *op;

	if (e->op == EXPR_CALL || e->n_args > K_MAX_DIMS) {
		c->p->calls = TRUE;
		return leaf_slot(c, e);
	}
	for (int i = 0; i < e->n_args; i++) {
		arg[i] = cell_expr(cell, e->arg[i]);
		unset = unset || slot_at(c->p, arg[i])->may_be_unset;
	}
	if (e->op == EXPR_CONVERT && type_is_real(e->arg[0]->type) && (e->type == TYPE_F64
		|| (e->type == TYPE_F32 && type_kind(e->arg[0]->type) == TYPE_F32)))
		return arg[0];
	to = interp_slot(c, (Slot){ .wide = TRUE, .real = type_is_real(e->type),
		.may_be_unset = unset });
	op = interp_op(c, quick_code(e), to, e->n_args, arg);
	if (e->op == EXPR_CONVERT && e->type == TYPE_F32 && type_is_real(e->arg[0]->type))
		op->code = OP_ROUND;
	op->f32 = f32;
	op->of = e;
	return to;
}

static int
cell_expr(Cell *cell, const Expr *e)
{
	int slot = remembered(cell->memo, e);

	if (slot >= 0)
		return slot;
	if (expr_op_info[e->op].shape != SHAPE_LEAF)
		slot = operator_slot(cell, e);
	else if (e->op == EXPR_TAP)
		slot = tap_slot(cell, e);
	else if (e->op == EXPR_COORD)
		slot = coord_slot(cell, e);
	else if (e->op == EXPR_STEP)
		slot = step_slot(cell, e);
	else
		slot = leaf_slot(cell->c, e);
	remember(cell->memo, e, slot);
	return slot;
}

static int
value_slot(Compiler *c, const KValue *value)
{
	Cell cell = { c, value, g_hash_table_new(NULL, NULL) };
	int slot = cell_expr(&cell, value->root);

	g_hash_table_unref(cell.memo);
	return slot;
}

/* ---- the rest ---- */

void
interp_place(Compiler *c, const KExpr *e, Place *place)
{
	place->tile = e->tile->index;
	for (int i = 0; i < e->n; i++) {
		place->index[i] = interp_expr(c, e->arg[i], FALSE);
		if (e->tile->space == KS_REGISTERS && slot_at(c->p, place->index[i])->wide)
			c->p->bad = "registers whose index is not the same in all threads";
	}
}

static int
element_slot(Compiler *c, const KExpr *e)
{
	Place *place = arena_make(c->p->arena, Place);
	gboolean shared = e->tile->space == KS_SHARED;
	int to;

	interp_place(c, e, place);
	to = interp_slot(c, (Slot){ .wide = TRUE, .real = interp_is_real(e->type),
		.may_be_unset = TRUE, .points = !shared });
	interp_op(c, shared ? OP_SHARED : OP_REGISTER, to, 0, NULL)->of = place;
	return to;
}

/* TRUE if E may read what only some threads may read. */
static gboolean
reads_shared(const KExpr *e)
{
	const KExpr *to;

	if (e->op == K_ELEMENT && e->tile->space == KS_SHARED)
		return TRUE;
	for (int i = 0; e->op == K_VALUE && i < e->of->n_leaves; i++)
		if ((to = k_value_to(e->of, e->of->leaf[i])) != NULL && reads_shared(to))
			return TRUE;
	for (int i = 0; i < e->n; i++)
		if (reads_shared(e->arg[i]))
			return TRUE;
	return FALSE;
}

/* E where TEST comes to HOLDS: nowhere else is it looked at. */
static int
arm_slot(Compiler *c, const KExpr *e, gboolean real, int test, gboolean holds)
{
	const int arg[] = { test };
	int slot;

	if (!reads_shared(e))
		return interp_expr(c, e, real);
	g_hash_table_remove_all(c->memo);
	interp_op(c, OP_NARROW, -1, 1, arg)->wide = holds;
	c->p->max_depth = MAX(c->p->max_depth, c->depth + 1);
	c->depth++;
	slot = interp_expr(c, e, real);
	c->depth--;
	interp_op(c, OP_WIDEN, -1, 0, NULL);
	g_hash_table_remove_all(c->memo);
	return slot;
}

static int
select_slot(Compiler *c, const KExpr *e, gboolean real)
{
	int arg[3], to;
	gboolean wide, unset;

	arg[0] = interp_expr(c, e->arg[0], FALSE);
	arg[1] = arm_slot(c, e->arg[1], real, arg[0], TRUE);
	arg[2] = arm_slot(c, e->arg[2], real, arg[0], FALSE);
	if (!real)
		return integer_op(c, OP_SELECT, 3, arg);
	arg[0] = widened(c, arg[0]);
	wide = unset = FALSE;
	for (int i = 0; i < 3; i++) {
		wide = wide || slot_at(c->p, arg[i])->wide;
		unset = unset || slot_at(c->p, arg[i])->may_be_unset;
	}
	to = interp_slot(c, (Slot){ .wide = wide, .real = TRUE, .may_be_unset = unset });
	interp_op(c, OP_SELECT, to, 3, arg);
	return to;
}

static int
binary_slot(Compiler *c, const KExpr *e)
{
	static const OpCode codes[] = {
		[K_ADD] = OP_ADD, [K_SUB] = OP_SUB, [K_MUL] = OP_MUL, [K_DIV] = OP_DIV,
		[K_REM] = OP_REM, [K_MIN] = OP_MIN, [K_MAX] = OP_MAX, [K_LT] = OP_LT,
		[K_GE] = OP_GE, [K_AND] = OP_AND, [K_OR] = OP_OR, [K_NOT] = OP_NOT,
		[K_BIT] = OP_BIT,
	};
	int arg[2] = { interp_expr(c, e->arg[0], FALSE) };

	if (e->op == K_AND || e->op == K_OR)
		arg[1] = arm_slot(c, e->arg[1], FALSE, arg[0], e->op == K_AND);
	else if (e->n > 1)
		arg[1] = interp_expr(c, e->arg[1], FALSE);
	return integer_op(c, codes[e->op], e->n, arg);
}

static int
shuffle_slot(Compiler *c, const KExpr *e, gboolean real)
{
	int arg[] = { interp_wide(c, e->arg[0], real), interp_wide(c, e->arg[1], FALSE) }, to;

	to = interp_slot(c, (Slot){ .wide = TRUE, .real = real,
		.may_be_unset = slot_at(c->p, arg[0])->may_be_unset });
	interp_op(c, OP_SHUFFLE, to, 2, arg);
	return to;
}

static int
vote_slot(Compiler *c, const KExpr *e)
{
	int arg = interp_wide(c, e->arg[0], FALSE), to = interp_slot(c, (Slot){ .wide = TRUE });

	interp_op(c, OP_ANY, to, 1, &arg);
	return to;
}

static int
fold_slot(Compiler *c, const KExpr *e)
{
	static const KParamKind ends[] = { KP_FIRST, KP_LAST };
	const KParam end = { .kind = ends[e->fold.face], .axis = e->fold.axis,
		.grid = e->fold.grid };
	KParam extent = end;
	int arg[3] = { interp_expr(c, e->arg[0], FALSE) }, to;

	extent.kind = KP_EXTENT;
	arg[1] = given(c, arena_copy(c->p->arena, &end, sizeof end), NULL, FALSE);
	arg[2] = given(c, arena_copy(c->p->arena, &extent, sizeof extent), NULL, FALSE);
	to = interp_slot(c, (Slot){ .wide = slot_at(c->p, arg[0])->wide,
		.may_be_unset = slot_at(c->p, arg[0])->may_be_unset });
	interp_op(c, OP_FOLD, to, 3, arg)->of = e;
	return to;
}

static int
made(Compiler *c, const KExpr *e, gboolean real)
{
	switch (e->op) {
	case K_INT:
		return number_slot(c, e, real);
	case K_VAR:
		return c->var[e->var->index];
	case K_PARAM:
		return param_slot(c, e);
	case K_WIDE:
	case K_SHORT:
		return interp_expr(c, e->arg[0], FALSE);
	case K_FOLD:
		return fold_slot(c, e);
	case K_ELEMENT:
		return element_slot(c, e);
	case K_SELECT:
		return select_slot(c, e, real);
	case K_SHUFFLE:
		return shuffle_slot(c, e, real);
	case K_ANY:
		return vote_slot(c, e);
	case K_VALUE:
		return value_slot(c, e->of);
	default:
		return binary_slot(c, e);
	}
}

int
interp_expr(Compiler *c, const KExpr *e, gboolean real)
{
	gboolean plain = e->op == K_INT || e->op == K_VAR || e->op == K_PARAM;
	int slot = plain ? -1 : remembered(c->memo, e);

	if (slot < 0) {
		slot = made(c, e, real);
		if (!plain)
			remember(c->memo, e, slot);
	}
	return slot;
}

int
interp_wide(Compiler *c, const KExpr *e, gboolean real)
{
	return widened(c, interp_expr(c, e, real));
}
