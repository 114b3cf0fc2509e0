/* verify-expr.c: the rules that hold in expressions. */
#include <math.h>

#include "ir/verify.h"

static Type
kind_of(const Expr *e)
{
	return type_kind(e->type);
}

/* ---- leaves ---- */

static void
verify_const(Verify *v, const Expr *e)
{
	if (!type_is_real(e->type))
		VERIFY(v, e->integer >= type_min(e->type) && e->integer <= type_max(e->type),
			"constant %" G_GINT64_FORMAT " is no %s", e->integer,
			type_info[e->type].name);
	else
		VERIFY(v, isnan(e->real) || type_round(e->type, e->real) == e->real,
			"constant %.17g is no %s", e->real, type_info[e->type].name);
}

static void
verify_map(Verify *v, const AxisMap *m)
{
	VERIFY(v, m->axis >= 0 && m->axis < v->stage->grid->rank
		&& (v->stage->axes & AXIS_BIT(m->axis)), "a map of an axis that the stage has not");
	VERIFY(v, m->scale >= 1 && m->divide >= 1 && m->shift >= 0 && m->shift < m->divide,
		"a map out of its normal form");
}

/* The recurrence of a scan reads one cell back, nothing else of its target. */
static gboolean
is_step_back(const Stage *stage, const Expr *e)
{
	for (int a = 0; a < stage->grid->rank; a++) {
		const AxisMap *m = &e->tap.map[a];
		int back = a == stage->axis ? -stage->direction : 0;

		if ((stage->axes & AXIS_BIT(a)) && (m->axis != a || m->offset != back))
			return FALSE;
	}
	return TRUE;
}

static void
verify_level(Verify *v, const Expr *e)
{
	const Field *f = e->tap.field;
	const Stage *stage = v->stage;
	int level = e->tap.level;
	gboolean needs_stage = f->role == FIELD_INOUT ? level == 1 : f->role != FIELD_IN;

	VERIFY(v, f->role == FIELD_INOUT ? level <= 1 && level >= -f->history : level == 0,
		"%s has no level %d", f->name, level);
	if (!needs_stage)
		return;
	if (stage->kind == STAGE_SCAN && stage->target == f && stage->level == level
	    && stage->component == e->tap.component) {
		VERIFY(v, !v->in_start && is_step_back(stage, e),
			"%s is read elsewhere than one cell back", f->name);
		return;
	}
	VERIFY(v, g_hash_table_contains(v->assigned, verify_key(f, e->tap.component, level)),
		"%s is read before it is assigned", f->name);
}

static void
verify_boundary_of(Verify *v, const Expr *e)
{
	const Boundary *b = e->tap.boundary;

	if (b == NULL)
		return;
	VERIFY(v, verify_listed(v->s->boundaries, b), "a boundary that is not the stencil's");
	for (int a = 0; a < e->tap.field->grid->rank; a++)
		for (int side = 0; side < 2; side++)
			VERIFY(v, b->kind[a][side] != EDGE_CONSTANT
				|| b->value[a][side]->type == e->tap.field->type,
				"a boundary's value has not the type of %s", e->tap.field->name);
}

static void
verify_tap(Verify *v, const Expr *e)
{
	const Field *f = e->tap.field;

	if (f == NULL || !verify_listed(v->s->fields, f)) {
		verify_fail(v, "a tap of a field that is not the stencil's");
		return;
	}
	VERIFY(v, e->type == f->type, "a tap of %s has another type", f->name);
	VERIFY(v, e->tap.component >= 0 && e->tap.component < f->components,
		"%s has no component %d", f->name, e->tap.component);
	for (int a = 0; a < f->grid->rank; a++) {
		const AxisMap *m = &e->tap.map[a];

		if (!(f->axes & AXIS_BIT(a)))
			continue;
		verify_map(v, m);
		if (f->grid == v->stage->grid)
			VERIFY(v, m->axis == a && axis_map_is_offset(m),
				"a scaled tap of %s on its own grid", f->name);
	}
	verify_level(v, e);
	verify_boundary_of(v, e);
}

static void
verify_element(Verify *v, const Expr *e)
{
	const Table *t = e->element.table;

	if (t == NULL || !verify_listed(v->s->tables, t)) {
		verify_fail(v, "an element of a table that is not the stencil's");
		return;
	}
	VERIFY(v, e->type == t->type, "an element of %s has another type", t->name);
	VERIFY(v, e->element.index >= 0 && e->element.index < t->size,
		"%s has no element %d", t->name, e->element.index);
}

static void
verify_result(Verify *v, const Expr *e)
{
	const Result *r = e->result;

	if (r == NULL || !verify_listed(v->s->results, r)) {
		verify_fail(v, "a result that is not the stencil's");
		return;
	}
	VERIFY(v, e->type == r->type, "%s has another type", r->name);
	VERIFY(v, g_hash_table_contains(v->computed, r), "%s is read before it is computed",
		r->name);
}

static void
verify_extent(Verify *v, const Expr *e)
{
	const Grid *g = e->extent.grid;

	VERIFY(v, g != NULL && verify_listed(v->s->grids, g) && e->extent.axis >= 0
		&& e->extent.axis < g->rank, "the extent of no grid's axis");
	VERIFY(v, e->type == TYPE_I32, "an extent that is no i32");
}

static void
verify_leaf(Verify *v, const Expr *e)
{
	static const LeafSet set[EXPR_N_OPS] = {
		[EXPR_TAP] = LEAF_CELL, [EXPR_COORD] = LEAF_CELL, [EXPR_STEP] = LEAF_CELL,
		[EXPR_SCALAR] = LEAF_SCALARS, [EXPR_ELEMENT] = LEAF_SCALARS,
		[EXPR_RESULT] = LEAF_RESULTS, [EXPR_EXTENT] = LEAF_EXTENTS,
	};

	if ((set[e->op] & v->leaves) != set[e->op]) {
		verify_fail(v, "%s has no meaning here", expr_op_info[e->op].spelling);
		return;
	}
	switch ((int)e->op) {
	case EXPR_CONST:
		verify_const(v, e);
		break;
	case EXPR_TAP:
		verify_tap(v, e);
		break;
	case EXPR_SCALAR:
		VERIFY(v, e->scalar != NULL && verify_listed(v->s->scalars, e->scalar),
			"a scalar that is not the stencil's");
		VERIFY(v, v->why != NULL || e->type == e->scalar->type,
			"a scalar has another type");
		break;
	case EXPR_ELEMENT:
		verify_element(v, e);
		break;
	case EXPR_RESULT:
		verify_result(v, e);
		break;
	case EXPR_COORD:
		verify_map(v, &e->coord);
		VERIFY(v, e->type == TYPE_I32, "a coordinate that is no i32");
		break;
	case EXPR_EXTENT:
		verify_extent(v, e);
		break;
	default:
		VERIFY(v, e->type == TYPE_I32, "a step that is no i32");
	}
}

/* ---- operators ---- */

/* Operands from FIRST on are of KIND. */
static void
verify_operands(Verify *v, const Expr *e, int first, Type kind)
{
	for (int i = first; i < e->n_args; i++)
		VERIFY(v, kind_of(e->arg[i]) == kind,
			"%s: an operand of type %s where kind %s is wanted",
			expr_op_info[e->op].spelling, type_info[e->arg[i]->type].name,
			type_info[kind].name);
}

static void
verify_call(Verify *v, const Expr *e)
{
	const Extern *x = e->callee;

	if (x == NULL || !verify_listed(v->s->externs, x)) {
		verify_fail(v, "a call of a function that is not the stencil's");
		return;
	}
	VERIFY(v, e->type == x->type, "a call of %s has another type", x->name);
	VERIFY(v, e->n_args == x->n_params, "a call of %s with %d arguments", x->name, e->n_args);
	for (int i = 0; v->why == NULL && i < e->n_args; i++)
		VERIFY(v, kind_of(e->arg[i]) == type_kind(x->param[i]),
			"argument %d of %s is of another kind", i, x->name);
}

static void
verify_kind(Verify *v, const Expr *e)
{
	VERIFY(v, e->type == kind_of(e), "%s: gives %s, which is no kind",
		expr_op_info[e->op].spelling, type_info[e->type].name);
	verify_operands(v, e, 0, kind_of(e));
}

static void
verify_operator(Verify *v, const Expr *e)
{
	const ExprOpInfo *info = &expr_op_info[e->op];

	switch (info->shape) {
	case SHAPE_LEAF:
	case SHAPE_CONVERT:
		break;
	case SHAPE_CALL:
		verify_call(v, e);
		break;
	case SHAPE_REAL:
		VERIFY(v, type_is_real(e->type), "%s of integers", info->spelling);
		verify_kind(v, e);
		break;
	case SHAPE_INTEGER:
		VERIFY(v, !type_is_real(e->type), "%s of reals", info->spelling);
		verify_kind(v, e);
		break;
	case SHAPE_ARITH:
		verify_kind(v, e);
		break;
	case SHAPE_SHIFT:
		VERIFY(v, !type_is_real(e->type) && e->type == kind_of(e->arg[0])
			&& !type_is_real(e->arg[1]->type), "%s: wrong types", info->spelling);
		break;
	case SHAPE_COMPARE:
		VERIFY(v, e->type == TYPE_BOOL, "%s: gives no bool", info->spelling);
		verify_operands(v, e, 1, kind_of(e->arg[0]));
		break;
	case SHAPE_LOGIC:
		VERIFY(v, e->type == TYPE_BOOL, "%s: gives no bool", info->spelling);
		for (int i = 0; i < e->n_args; i++)
			VERIFY(v, e->arg[i]->type == TYPE_BOOL, "%s of something that is no bool",
				info->spelling);
		break;
	case SHAPE_SELECT:
		VERIFY(v, e->arg[0]->type == TYPE_BOOL, "select by something that is no bool");
		VERIFY(v, e->type == kind_of(e) || (e->type == TYPE_BOOL
			&& e->arg[1]->type == TYPE_BOOL && e->arg[2]->type == TYPE_BOOL),
			"select: gives %s, which is no kind", type_info[e->type].name);
		verify_operands(v, e, 1, kind_of(e));
		break;
	}
}

static void
verify_node(Expr *e, gpointer user)
{
	Verify *v = user;

	if (v->why != NULL)
		return;

	int arity = expr_op_info[e->op].arity;

	VERIFY(v, arity < 0 || e->n_args == arity, "%s with %d operands",
		expr_op_info[e->op].spelling, e->n_args);
	if (expr_op_info[e->op].shape == SHAPE_LEAF)
		verify_leaf(v, e);
	else if (v->why == NULL)
		verify_operator(v, e);
	VERIFY(v, g_hash_table_lookup(v->s->pool, e) == e, "a %s that is not hash-consed",
		expr_op_info[e->op].spelling);
}

/* ---- shape of the DAG ---- */

typedef struct {
	Expr *e;
	int next;
} Frame;

enum { OPEN = 1, CLOSED = 2 };

static void
enter(Verify *v, GArray *path, GHashTable *state, Expr *e)
{
	Frame frame = { e, 0 };

	if (e == NULL || (int)e->op < 0 || e->op >= EXPR_N_OPS || (int)e->type < 0
	    || e->type >= TYPE_N) {
		verify_fail(v, "an operand that is no expression");
		return;
	}

	int seen = GPOINTER_TO_INT(g_hash_table_lookup(state, e));

	VERIFY(v, seen != OPEN, "%s: an expression that contains itself",
		expr_op_info[e->op].spelling);
	if (seen != 0)
		return;
	g_hash_table_insert(state, e, GINT_TO_POINTER(OPEN));
	g_array_append_val(path, frame);
}

static void
verify_acyclic(Verify *v, Expr *root)
{
	GHashTable *state = g_hash_table_new(NULL, NULL);
	GArray *path = g_array_new(FALSE, FALSE, sizeof(Frame));

	enter(v, path, state, root);
	while (path->len > 0 && v->why == NULL) {
		Frame *top = &g_array_index(path, Frame, path->len - 1);

		if (top->next < top->e->n_args) {
			enter(v, path, state, top->e->arg[top->next++]);
			continue;
		}
		g_hash_table_insert(state, top->e, GINT_TO_POINTER(CLOSED));
		g_array_set_size(path, path->len - 1);
	}
	g_array_unref(path);
	g_hash_table_unref(state);
}

void
verify_expr(Verify *v, Expr *root)
{
	verify_acyclic(v, root);
	if (v->why == NULL)
		expr_visit(&root, 1, verify_node, v);
}
