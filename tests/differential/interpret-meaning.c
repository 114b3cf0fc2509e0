/* interpret-meaning.c: what a stage means, cell by cell: no kernels, no plans. */
#include "interpret.h"

#include <string.h>

FoldValue
leaf_value(const World *w, const Expr *leaf)
{
	FoldValue v = { 0 };

	switch ((int)leaf->op) {
	case EXPR_CONST:
		if (type_is_real(leaf->type))
			v.real = leaf->real;
		else
			v.integer = leaf->integer;
		return v;
	case EXPR_SCALAR:
		return w->scalar[leaf->scalar->index];
	case EXPR_ELEMENT:
		return w->table[leaf->element.table->index][leaf->element.index];
	case EXPR_RESULT:
		return w->result[leaf->result->index];
	case EXPR_EXTENT:
		v.integer = w->extent[leaf->extent.grid->index][leaf->extent.axis];
		return v;
	case EXPR_STEP:
		v.integer = (gint32)(w->step + leaf->step);
		return v;
	default:
		g_assert_not_reached();
	}
}

/* An expression as a list, operands first. */
typedef struct {
	const World *w;
	GPtrArray *nodes;
	GHashTable *number;
	FoldValue *value;
	int (*arg)[4];
} Meaning;

static void
add_node(Expr *e, gpointer user)
{
	Meaning *m = user;

	g_hash_table_insert(m->number, e, GINT_TO_POINTER((int)m->nodes->len));
	g_ptr_array_add(m->nodes, e);
}

static void
meaning_new(Meaning *m, const World *w, Expr *root)
{
	m->w = w;
	m->nodes = g_ptr_array_new();
	m->number = g_hash_table_new(NULL, NULL);
	expr_visit(&root, 1, add_node, m);
	m->value = g_new0(FoldValue, m->nodes->len);
	m->arg = g_malloc0_n(m->nodes->len, sizeof *m->arg);
	for (guint i = 0; i < m->nodes->len; i++) {
		const Expr *e = g_ptr_array_index(m->nodes, i);

		for (int a = 0; a < e->n_args && a < 4; a++)
			m->arg[i][a] = GPOINTER_TO_INT(g_hash_table_lookup(m->number, e->arg[a]));
	}
}

static void
meaning_free(Meaning *m)
{
	g_ptr_array_unref(m->nodes);
	g_hash_table_unref(m->number);
	g_free(m->value);
	g_free(m->arg);
}

static FoldValue value_at(Meaning *m, const gint64 *cell);

/* A value that is the same everywhere. */
static FoldValue
constant_value(const World *w, Expr *e)
{
	Meaning m;
	FoldValue v;

	meaning_new(&m, w, e);
	v = value_at(&m, NULL);
	meaning_free(&m);
	return v;
}

static gint64
mapped(const AxisMap *map, const gint64 *cell)
{
	gint64 q = map->scale * cell[map->axis] + map->shift;

	return (q >= 0 ? q / map->divide : -((-q + map->divide - 1) / map->divide)) + map->offset;
}

/* Where a tap that has left at FACE of an axis of N cells reads. */
static gint64
brought_back(EdgeKind kind, int face, gint64 q, gint64 n)
{
	switch (kind) {
	case EDGE_CLAMP:   return face == 0 ? 0 : n - 1;
	case EDGE_REFLECT: return face == 0 ? -1 - q : 2 * n - 1 - q;
	case EDGE_MIRROR:  return face == 0 ? -q : 2 * n - 2 - q;
	case EDGE_WRAP:    return face == 0 ? q + n : q - n;
	default:           return -1;
	}
}

static FoldValue
tap_value(const World *w, const Expr *tap, const gint64 *cell)
{
	const Field *f = tap->tap.field;
	const Layout *l = &w->layout[f->index];
	gint64 at = tap->tap.component * l->component;

	for (int a = 0; a < f->grid->rank; a++) {
		gint64 n = w->extent[f->grid->index][a], q;
		int face;

		if (!(f->axes & AXIS_BIT(a)))
			continue;
		q = mapped(&tap->tap.map[a], cell);
		face = q < 0 ? 0 : q >= n ? 1 : -1;
		if (face >= 0 && tap->tap.boundary->kind[a][face] == EDGE_CONSTANT)
			return constant_value(w, tap->tap.boundary->value[a][face]);
		if (face >= 0)
			q = brought_back(tap->tap.boundary->kind[a][face], face, q, n);
		g_assert(q >= 0 && q < n);
		at += q * l->stride[a];
	}
	return element_load(f->type, buffer_of(w, f, tap->tap.level)->data, at);
}

static FoldValue
node_value(Meaning *m, guint i, const gint64 *cell)
{
	const Expr *e = g_ptr_array_index(m->nodes, i);
	FoldValue arg[4], v = { 0 };
	Type type[4];

	if (e->op == EXPR_TAP)
		return tap_value(m->w, e, cell);
	if (e->op == EXPR_COORD) {
		v.integer = (gint32)mapped(&e->coord, cell);
		return v;
	}
	if (expr_op_info[e->op].shape == SHAPE_LEAF)
		return leaf_value(m->w, e);
	for (int a = 0; a < e->n_args; a++) {
		arg[a] = m->value[m->arg[i][a]];
		type[a] = e->arg[a]->type;
	}
	fold_value(e->op, e->type, type, arg, &v);
	return v;
}

static FoldValue
value_at(Meaning *m, const gint64 *cell)
{
	for (guint i = 0; i < m->nodes->len; i++)
		m->value[i] = node_value(m, i, cell);
	return m->value[m->nodes->len - 1];
}

/* ---- cells ---- */

static gint64
target_at(const World *w, const Stage *stage, const gint64 *cell)
{
	const Layout *l = &w->layout[stage->target->index];
	gint64 at = stage->component * l->component;

	for (int a = 0; a < stage->target->grid->rank; a++)
		if (stage->target->axes & AXIS_BIT(a))
			at += cell[a] * l->stride[a];
	return at;
}

/* The next cell of a box from LO to HI; FALSE: there is none. */
static gboolean
step_on(gint64 *cell, const gint64 *lo, const gint64 *hi)
{
	for (int a = IR_MAX_RANK; a-- > 0;) {
		if (++cell[a] < hi[a])
			return TRUE;
		cell[a] = lo[a];
	}
	return FALSE;
}

/* What a cell that is not computed becomes. */
static void
missing_means(const World *w, const Stage *stage, gint64 at)
{
	const Field *f = stage->target;
	void *data = buffer_of(w, f, stage->level)->data;

	if (f->role == FIELD_INOUT)
		element_store(f->type, data, at, element_load(f->type, buffer_of(w, f, 0)->data,
			at));
	else if (f->role == FIELD_TEMP)
		element_store(f->type, data, at, (FoldValue){ 0 });
}

void
stage_means(const World *w, const Stage *stage, gboolean everywhere)
{
	const Field *f = stage->target;
	gint64 lo[IR_MAX_RANK] = { 0 }, hi[IR_MAX_RANK] = { 1, 1, 1 }, cell[IR_MAX_RANK];
	gint64 first[IR_MAX_RANK] = { 0 }, end[IR_MAX_RANK] = { 1, 1, 1 };
	Meaning m;

	for (int a = 0; a < stage->grid->rank; a++) {
		if (!(stage->axes & AXIS_BIT(a)))
			continue;
		lo[a] = bound_at(w, stage->region.lo[a]);
		hi[a] = bound_at(w, stage->region.hi[a]);
		first[a] = everywhere ? 0 : lo[a];
		end[a] = everywhere ? w->extent[stage->grid->index][a] : hi[a];
		if (first[a] >= end[a])
			return;
	}
	meaning_new(&m, w, stage->value);
	memcpy(cell, first, sizeof cell);
	do {
		gint64 at = target_at(w, stage, cell);
		gboolean in = TRUE;

		for (int a = 0; a < IR_MAX_RANK; a++)
			in = in && cell[a] >= lo[a] && cell[a] < hi[a];
		if (in)
			element_store(f->type, buffer_of(w, f, stage->level)->data, at,
				value_at(&m, cell));
		else
			missing_means(w, stage, at);
	} while (step_on(cell, first, end));
	meaning_free(&m);
}

void
stage_ages(const World *w, const Stage *stage)
{
	const Field *f = stage->target;
	gint64 lo[IR_MAX_RANK] = { 0 }, hi[IR_MAX_RANK] = { 1, 1, 1 }, cell[IR_MAX_RANK] = { 0 };

	for (int a = 0; a < stage->grid->rank; a++)
		hi[a] = stage->axes & AXIS_BIT(a) ? w->extent[stage->grid->index][a] : 1;
	do {
		gint64 at = target_at(w, stage, cell);

		for (int level = -f->history; level <= 0; level++)
			element_store(f->type, buffer_of(w, f, level)->data, at, element_load(
				f->type, buffer_of(w, f, level + 1)->data, at));
	} while (step_on(cell, lo, hi));
}
