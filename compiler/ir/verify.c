/* verify.c: the rules that hold for a stencil between any two passes. */
#include "ir/verify.h"

#include <string.h>

void
verify_fail(Verify *v, const char *format, ...)
{
	va_list args;

	if (v->why != NULL)
		return;
	va_start(args, format);

	char *what = g_strdup_vprintf(format, args);

	va_end(args);
	v->why = g_strdup_printf("%s: %s", v->where, what);
	g_free(what);
}

gboolean
verify_listed(const GPtrArray *list, gconstpointer item)
{
	for (guint i = 0; i < list->len; i++)
		if (list->pdata[i] == item)
			return TRUE;
	return FALSE;
}

gpointer
verify_key(const Field *f, int component, int level)
{
	gsize key = (gsize)f->index * 2 + (level == 1);

	return GSIZE_TO_POINTER((key << 32) + (gsize)component + 1);
}

static void G_GNUC_PRINTF(2, 3)
look_at(Verify *v, const char *format, ...)
{
	va_list args;

	g_free(v->where);
	va_start(args, format);
	v->where = g_strdup_vprintf(format, args);
	va_end(args);
}

/* ---- declarations ---- */

static void
verify_grid(Verify *v, const Grid *g, int index)
{
	const Grid *base = g->base;
	guint steps = 0;

	look_at(v, "grid %s", g->name ? g->name : "(default)");
	VERIFY(v, g->index == index, "index %d instead of %d", g->index, index);
	VERIFY(v, g->rank >= 1 && g->rank <= IR_MAX_RANK, "rank %d", g->rank);
	VERIFY(v, g->multiply >= 1 && g->divide >= 1 && (g->multiply == 1 || g->divide == 1),
		"bad ratio");
	VERIFY(v, base != NULL || (g->multiply == 1 && g->divide == 1), "a ratio without a base");
	VERIFY(v, (g->name == NULL) == (g == v->s->default_grid), "the default grid has no name");
	if (v->why != NULL)
		return;
	for (int a = 0; a < g->rank; a++)
		VERIFY(v, g->axis[a] != NULL && g->fixed[a] >= 0 && g->typical[a] >= 0,
			"axis %d", a);
	if (base != NULL)
		VERIFY(v, verify_listed(v->s->grids, base) && base->rank == g->rank, "bad base");
	while (v->why == NULL && base != NULL) {
		VERIFY(v, ++steps <= v->s->grids->len, "it is its own base");
		base = base->base;
	}
}

/* The product of SIZE; 0 if one of them is none. */
static gint64
count_of(int n, const gint64 *size)
{
	gint64 product = 1;

	for (int i = 0; i < n; i++) {
		if (size[i] < 1)
			return 0;
		product *= size[i];
	}
	return product;
}

static void
verify_field(Verify *v, const Field *f, int index)
{
	look_at(v, "field %s", f->name ? f->name : "(none)");
	VERIFY(v, f->index == index, "index %d instead of %d", f->index, index);
	VERIFY(v, f->grid != NULL && verify_listed(v->s->grids, f->grid),
		"its grid is not the stencil's");
	if (v->why != NULL)
		return;
	VERIFY(v, f->axes != 0 && f->axes < AXIS_BIT(f->grid->rank), "axes that its grid has not");
	VERIFY(v, f->n_dims >= 0 && f->n_dims <= IR_MAX_DIMS, "%d dimensions", f->n_dims);
	VERIFY(v, v->why != NULL || count_of(f->n_dims, f->dim_size) == f->components,
		"%d components", f->components);
	VERIFY(v, !f->interleaved || f->n_dims > 0, "interleaved without components");
	VERIFY(v, !f->unlaced || (v->s->unlaced && !f->interleaved && f->role != FIELD_TEMP),
		"unlaced where it cannot be");
	VERIFY(v, f->role == FIELD_INOUT || (f->history == 0 && !f->stepped),
		"levels of a field that has none");
	VERIFY(v, f->history >= 0, "history %d", f->history);
	VERIFY(v, !f->masked || f->role == FIELD_OUT || f->role == FIELD_TEMP,
		"a mask of a field that needs none");
	for (int i = 0; i < index; i++)
		VERIFY(v, g_strcmp0(f->name, ((Field *)v->s->fields->pdata[i])->name) != 0,
			"two fields of this name");
}

static void
verify_init(Verify *v, Expr *init, Type type)
{
	VERIFY(v, init != NULL && init->op == EXPR_CONST && init->type == type,
		"an initial value that is no constant of the type");
	v->leaves = 0;
	if (v->why == NULL)
		verify_expr(v, init);
}

static void
verify_scalars(Verify *v)
{
	for (guint i = 0; i < v->s->scalars->len; i++) {
		const Scalar *x = v->s->scalars->pdata[i];

		look_at(v, "scalar %s", x->name);
		VERIFY(v, x->index == (int)i, "index %d", x->index);
		if (x->init != NULL)
			verify_init(v, x->init, x->type);
	}
	for (guint i = 0; i < v->s->tables->len; i++) {
		const Table *t = v->s->tables->pdata[i];

		look_at(v, "table %s", t->name);
		VERIFY(v, t->index == (int)i, "index %d", t->index);
		VERIFY(v, count_of(t->n_dims, t->dim_size) == t->size, "size %d", t->size);
		for (int k = 0; t->init != NULL && v->why == NULL && k < t->size; k++)
			verify_init(v, t->init[k], t->type);
	}
	for (guint i = 0; i < v->s->results->len; i++) {
		const Result *r = v->s->results->pdata[i];

		look_at(v, "result %s", r->name);
		VERIFY(v, r->index == (int)i, "index %d", r->index);
	}
	for (guint i = 0; i < v->s->externs->len; i++) {
		const Extern *x = v->s->externs->pdata[i];

		look_at(v, "extern %s", x->name);
		VERIFY(v, x->index == (int)i, "index %d", x->index);
	}
}

static void
verify_boundaries(Verify *v)
{
	for (guint i = 0; i < v->s->boundaries->len; i++) {
		const Boundary *b = v->s->boundaries->pdata[i];

		look_at(v, "boundary @%u", i);
		VERIFY(v, b->index == (int)i, "index %d", b->index);
		v->leaves = LEAF_SCALARS | LEAF_EXTENTS;
		for (int k = 0; k < 2 * IR_MAX_RANK && v->why == NULL; k++) {
			Expr *value = b->value[k / 2][k % 2];

			VERIFY(v, (value != NULL) == (b->kind[k / 2][k % 2] == EDGE_CONSTANT),
				"a value is for constant faces");
			if (value != NULL)
				verify_expr(v, value);
		}
	}
}

static void
verify_needs(Verify *v)
{
	for (guint i = 0; i < v->s->needs->len; i++) {
		const EdgeNeed *n = v->s->needs->pdata[i];

		look_at(v, "need %u", i);
		VERIFY(v, verify_listed(v->s->fields, n->field),
			"a field that is not the stencil's");
		VERIFY(v, n->kind == EDGE_WRAP || n->kind == EDGE_REFLECT || n->kind == EDGE_MIRROR,
			"a %s edge needs nothing", edge_name[n->kind]);
		VERIFY(v, v->why != NULL || (n->axis >= 0 && n->axis < n->field->grid->rank),
			"axis %d", n->axis);
		VERIFY(v, n->reach != NULL, "no reach");
	}
}

static void
verify_condition(Verify *v, Expr *condition, LeafSet leaves)
{
	v->leaves = leaves;
	verify_expr(v, condition);
	VERIFY(v, v->why != NULL || condition->type == TYPE_BOOL, "a condition that is no bool");
}

/* ---- stages ---- */

static void
verify_region(Verify *v, const Region *region)
{
	const Stage *stage = v->stage;
	const Bound *zero = bound_const(v->s->bounds, 0);

	for (int a = 0; a < stage->grid->rank && v->why == NULL; a++) {
		if (!(stage->axes & AXIS_BIT(a)))
			continue;
		if (region->lo[a] == NULL || region->hi[a] == NULL) {
			verify_fail(v, "no bounds along %s", stage->grid->axis[a]);
			return;
		}
		VERIFY(v, bound_at_most(zero, region->lo[a]), "may start below 0 along %s",
			stage->grid->axis[a]);
		VERIFY(v, bound_at_most(region->hi[a],
			bound_extent(v->s->bounds, stage->grid, a)),
			"may end beyond the grid along %s", stage->grid->axis[a]);
	}
	for (int i = 0; i < region->n_guards && v->why == NULL; i++) {
		Expr *guard = region->guard[i];

		VERIFY(v, guard != NULL && guard->op == EXPR_TAP, "a guard that is no tap");
		if (v->why == NULL)
			verify_expr(v, guard);
	}
}

static void
verify_reduce(Verify *v)
{
	const Stage *stage = v->stage;
	gboolean logic = stage->reduce == REDUCE_ANY || stage->reduce == REDUCE_ALL;

	VERIFY(v, stage->result != NULL && verify_listed(v->s->results, stage->result),
		"a result that is not the stencil's");
	VERIFY(v, !g_hash_table_contains(v->computed, stage->result), "%s is computed twice",
		stage->result->name);
	VERIFY(v, stage->start == NULL, "a reduction has no start");
	VERIFY(v, stage->axes != 0 && stage->axes < AXIS_BIT(stage->grid->rank),
		"axes that its grid has not");
	VERIFY(v, stage->value != NULL && (!logic || stage->value->type == TYPE_BOOL),
		"%s of something that is no bool", reduce_name[stage->reduce]);
}

static void
verify_assignment(Verify *v)
{
	const Stage *stage = v->stage;
	const Field *f = stage->target;

	if (f == NULL || !verify_listed(v->s->fields, f)) {
		verify_fail(v, "a target that is not the stencil's");
		return;
	}
	VERIFY(v, f->role != FIELD_IN, "%s is read only", f->name);
	VERIFY(v, stage->component >= 0 && stage->component < f->components,
		"%s has no component %d", f->name, stage->component);
	VERIFY(v, stage->level == (f->role == FIELD_INOUT), "%s is assigned at level %d", f->name,
		stage->level);
	VERIFY(v, f->role != FIELD_INOUT || (f->stepped && v->s->stepped),
		"%s is assigned, but not stepped", f->name);
	VERIFY(v, stage->grid == f->grid && stage->axes == f->axes,
		"%s is on another grid, or has other axes", f->name);
	VERIFY(v, stage->value != NULL && stage->value->type == f->type,
		"the value has not the type of %s", f->name);
	VERIFY(v, stage->start == NULL || stage->start->type == f->type,
		"the start has not the type of %s", f->name);
	VERIFY(v, !g_hash_table_contains(v->assigned,
		verify_key(f, stage->component, stage->level)), "%s is assigned twice", f->name);
}

static void
verify_scan(Verify *v)
{
	const Stage *stage = v->stage;

	VERIFY(v, stage->axis >= 0 && stage->axis < stage->grid->rank
		&& (stage->axes & AXIS_BIT(stage->axis)), "a scan along an axis that it has not");
	VERIFY(v, stage->direction == 1 || stage->direction == -1, "direction %d",
		stage->direction);
	VERIFY(v, !stage->anywhere || stage->start != NULL, "anywhere without a start");
}

static void
verify_stage(Verify *v, Stage *stage, int index)
{
	look_at(v, "stage %d", index);
	v->stage = stage;
	VERIFY(v, stage->index == index, "index %d", stage->index);
	if (stage->grid == NULL || !verify_listed(v->s->grids, stage->grid)) {
		verify_fail(v, "a grid that is not the stencil's");
		return;
	}
	if (stage->kind == STAGE_REDUCE)
		verify_reduce(v);
	else
		verify_assignment(v);
	if (stage->kind == STAGE_SCAN)
		verify_scan(v);
	else
		VERIFY(v, stage->start == NULL && !stage->anywhere, "a start of no scan");
	if (v->why != NULL)
		return;
	v->leaves = LEAF_SCALARS | LEAF_EXTENTS | LEAF_RESULTS | LEAF_CELL;
	verify_expr(v, stage->value);
	verify_region(v, &stage->region);
	if (stage->start != NULL && v->why == NULL) {
		v->in_start = TRUE;
		verify_expr(v, stage->start);
		verify_region(v, &stage->start_region);
		v->in_start = FALSE;
	}
	if (stage->kind == STAGE_REDUCE)
		g_hash_table_add(v->computed, stage->result);
	else
		g_hash_table_add(v->assigned,
			verify_key(stage->target, stage->component, stage->level));
	v->stage = NULL;
}

/* Every component of an out of the caller's and of a stepped field is assigned. */
static void
verify_complete(Verify *v)
{
	for (guint i = 0; i < v->s->fields->len; i++) {
		const Field *f = v->s->fields->pdata[i];

		look_at(v, "field %s", f->name);
		for (int c = 0; c < f->components; c++)
			VERIFY(v, ((f->role != FIELD_OUT || f->stays) && !f->stepped)
				|| g_hash_table_contains(v->assigned, verify_key(f, c, f->stepped)),
				"component %d is never assigned", c);
	}
}

static void
verify_stencil(Verify *v)
{
	const Stencil *s = v->s;

	for (guint i = 0; i < s->grids->len && v->why == NULL; i++)
		verify_grid(v, s->grids->pdata[i], (int)i);
	for (guint i = 0; i < s->fields->len && v->why == NULL; i++)
		verify_field(v, s->fields->pdata[i], (int)i);
	if (v->why == NULL)
		verify_scalars(v);
	if (v->why == NULL)
		verify_boundaries(v);
	if (v->why == NULL)
		verify_needs(v);
	for (guint i = 0; i < s->requires->len && v->why == NULL; i++) {
		look_at(v, "require %u", i);
		verify_condition(v, ((Require *)s->requires->pdata[i])->condition,
			LEAF_SCALARS | LEAF_EXTENTS);
	}
	for (guint i = 0; i < s->stages->len && v->why == NULL; i++)
		verify_stage(v, s->stages->pdata[i], (int)i);
	if (v->why == NULL)
		verify_complete(v);
	if (v->why == NULL && s->until.condition != NULL) {
		look_at(v, "until");
		VERIFY(v, s->until.every >= 1, "every %d steps", (int)s->until.every);
		verify_condition(v, s->until.condition,
			LEAF_SCALARS | LEAF_EXTENTS | LEAF_RESULTS);
	}
}

gboolean
ir_verify(const Stencil *s, char **why)
{
	Verify v = {
		.s = s, .where = g_strdup(s->name),
		.assigned = g_hash_table_new(NULL, NULL), .computed = g_hash_table_new(NULL, NULL),
	};

	verify_stencil(&v);
	g_hash_table_unref(v.assigned);
	g_hash_table_unref(v.computed);
	g_free(v.where);
	if (why != NULL)
		*why = v.why;
	else
		g_free(v.why);
	return v.why == NULL;
}
