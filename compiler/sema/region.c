/* region.c: which cells a stage computes (language, section 5).
 *
 * Every tap of the text counts, so this runs before anything is simplified.  A
 * tap says along each axis in which interval of cells it can be read; where
 * all intervals are known as bounds the stage computes their box.  Where the
 * missing cells of a source are not seen as an interval (they lie behind wrap,
 * reflect, mirror or constant, and other taps do not keep the stage from there),
 * the tap becomes a guard and its field keeps a mask.
 */
#include "sema/internal.h"

#include <string.h>

#define FAR G_GINT64_CONSTANT(0x80000000) /* beyond every coordinate */

typedef struct {
	Sema *s;
	Stage *stage;
	Region *region;    /* of the cells that may read; NULL: all of the grid */
	GPtrArray *guards; /* taps, of which no interval says where they can be read */
} Reader;

/* One tap along one axis of its field. */
typedef struct {
	int axis;
	const AxisMap *map;
	const Bound *extent;  /* of the field's grid */
	const Bound *end;     /* one past the last cell that the stage reaches */
	gboolean leaves[2];   /* may reach outside, below and above */
	EdgeKind kind[2];
} Reach;

/* The cell of the field that CELL, of the stage, reaches along that axis. */
static const Bound *
reached(const Reader *r, const AxisMap *m, const Bound *cell)
{
	BoundTable *t = r->s->st->bounds;
	const Bound *base = bound_floor(t, bound_add(t, bound_scale(t, cell, m->scale), m->shift),
		m->divide);

	return bound_add(t, base, m->offset);
}

static Reach
reach_of(const Reader *r, const Expr *tap, int a)
{
	BoundTable *t = r->s->st->bounds;
	const Slot *slot = slot_final((const Slot *)(const void *)tap->tap.boundary);
	Field *f = tap->tap.field;
	const AxisMap *m = &tap->tap.map[a];
	const Bound *lo = r->region != NULL ? r->region->lo[m->axis] : bound_const(t, 0);
	const Bound *hi = r->region != NULL ? r->region->hi[m->axis]
		: bound_extent(t, r->stage->grid, m->axis);
	Reach reach = { .axis = a, .map = m, .extent = bound_extent(t, f->grid, a) };

	reach.end = bound_add(t, reached(r, m, bound_add(t, hi, -1)), 1);
	reach.leaves[0] = m->offset < 0
		&& !bound_at_most(bound_const(t, 0), reached(r, m, lo));
	reach.leaves[1] = !bound_at_most(reach.end, reach.extent);
	reach.kind[0] = slot->face.kind[a][0];
	reach.kind[1] = slot->face.kind[a][1];
	return reach;
}

/* Along all axes that its field has; gives their number. */
static int
reaches_of(const Reader *r, const Expr *tap, Reach reach[IR_MAX_RANK])
{
	const Field *f = tap->tap.field;
	int n = 0;

	for (int a = 0; a < f->grid->rank; a++)
		if (f->axes & AXIS_BIT(a))
			reach[n++] = reach_of(r, tap, a);
	return n;
}

/* The first cell from which the tap reaches coordinate C or higher. */
static const Bound *
first_that_reaches(const Reader *r, const AxisMap *m, const Bound *c)
{
	BoundTable *t = r->s->st->bounds;
	const Bound *first = bound_scale(t, bound_add(t, c, -m->offset), m->divide);

	return bound_ceil(t, bound_add(t, first, -m->shift), m->scale);
}

/* Only cells from which it reaches C or higher, or below C. */
static void
at_least(Reader *r, const AxisMap *m, const Bound *c)
{
	const Bound **lo = &r->region->lo[m->axis];

	*lo = bound_max(r->s->st->bounds, *lo, first_that_reaches(r, m, c));
}

static void
below(Reader *r, const AxisMap *m, const Bound *c)
{
	const Bound **hi = &r->region->hi[m->axis];

	*hi = bound_min(r->s->st->bounds, *hi, first_that_reaches(r, m, c));
}

/* No cell at all unless SMALL < LARGE. */
static void
only_if_less(Reader *r, int axis, const Bound *small, const Bound *large)
{
	BoundTable *t = r->s->st->bounds;
	const Bound *room = bound_sum(t, large, bound_scale(t, small, -1));

	if (bound_at_most(bound_add(t, small, 1), large))
		return;
	r->region->hi[axis] = bound_min(t, r->region->hi[axis], bound_max(t, bound_const(t, 0),
		bound_scale(t, room, FAR)));
}

/* SOURCE has all cells along that axis. */
static gboolean
is_full(Reader *r, const Component *source, const Reach *reach)
{
	return bound_at_most(source->lo[reach->axis], bound_const(r->s->st->bounds, 0))
		&& bound_at_most(reach->extent, source->hi[reach->axis]);
}

/* TRUE if an interval along the axis says from where the cells of SOURCE can be read. */
static gboolean
interval_says(Reader *r, const Component *source, const Reach *reach)
{
	BoundTable *t = r->s->st->bounds;
	const Bound *last = bound_add(t, reach->extent, -1);
	int a = reach->axis;

	if (is_full(r, source, reach))
		return TRUE;
	for (int side = 0; side < 2; side++)
		if (reach->leaves[side] && reach->kind[side] != EDGE_KEEP
			&& reach->kind[side] != EDGE_CLAMP)
			return FALSE;
	/* a clamped tap reaches the end cell: is it known whether that is there? */
	if (reach->leaves[0] && reach->kind[0] == EDGE_CLAMP
		&& !bound_at_most(source->lo[a], bound_const(t, 0))
		&& !bound_at_most(bound_const(t, 1), source->lo[a]))
		return FALSE;
	if (reach->leaves[1] && reach->kind[1] == EDGE_CLAMP
		&& !bound_at_most(reach->extent, source->hi[a])
		&& !bound_at_most(source->hi[a], last))
		return FALSE;
	return TRUE;
}

static gboolean
box_says(Reader *r, const Component *source, const Expr *tap)
{
	gboolean full = TRUE, constant = FALSE;
	Reach reach[IR_MAX_RANK];
	int n = reaches_of(r, tap, reach);

	if (!source->boxed)
		return FALSE;
	for (const Reach *along = reach; along < reach + n; along++) {
		full = full && is_full(r, source, along);
		for (int side = 0; side < 2; side++)
			constant = constant
				|| (along->leaves[side] && along->kind[side] == EDGE_CONSTANT);
		if (!interval_says(r, source, along))
			return FALSE;
	}
	return full || !constant;
}

/* Only the cells of SOURCE's box can be read. */
static void
restrict_to_box(Reader *r, const Component *source, const Expr *tap)
{
	BoundTable *t = r->s->st->bounds;
	Reach reach[IR_MAX_RANK];
	int n = reaches_of(r, tap, reach);

	for (const Reach *along = reach; along < reach + n; along++) {
		const Bound *lo = source->lo[along->axis], *hi = source->hi[along->axis];

		if (!bound_at_most(lo, bound_const(t, 0))) {
			at_least(r, along->map, lo);
			if (along->leaves[1] && along->kind[1] == EDGE_CLAMP)
				only_if_less(r, along->map->axis, lo, along->extent);
		}
		if (!bound_at_most(along->extent, hi)) {
			below(r, along->map, hi);
			if (along->leaves[0] && along->kind[0] == EDGE_CLAMP)
				only_if_less(r, along->map->axis, bound_const(t, 0), hi);
		}
	}
}

/* The component that an earlier stage computed, or NULL: every cell is there. */
static const Component *
source_of(const Sema *s, const Expr *tap)
{
	const Field *f = tap->tap.field;
	const FieldInfo *info = g_ptr_array_index(s->infos, (guint)f->index);

	return f->role == FIELD_OUT || f->role == FIELD_TEMP ? &info->component[tap->tap.component]
							     : NULL;
}

static gboolean
is_own_target(const Stage *stage, const Expr *tap)
{
	return stage->kind == STAGE_SCAN && stage_writes(stage, tap);
}

static void
read_tap(Expr *tap, gpointer user)
{
	Reader *r = user;
	const Component *source;
	Reach reach[IR_MAX_RANK];
	int n;

	if (tap->op != EXPR_TAP || is_own_target(r->stage, tap))
		return;
	n = reaches_of(r, tap, reach);
	for (const Reach *along = reach; along < reach + n; along++) {
		if (along->leaves[0] && along->kind[0] == EDGE_KEEP)
			at_least(r, along->map, bound_const(r->s->st->bounds, 0));
		if (along->leaves[1] && along->kind[1] == EDGE_KEEP)
			below(r, along->map, along->extent);
	}
	source = source_of(r->s, tap);
	if (!source)
		return;
	if (box_says(r, source, tap))
		restrict_to_box(r, source, tap);
	else
		g_ptr_array_add(r->guards, tap);
}

/* Guards that the other taps keep from where no interval would say it are none. */
static void
settle_guards(Reader *r)
{
	for (guint i = 0; i < r->guards->len;) {
		const Expr *tap = g_ptr_array_index(r->guards, i);
		const Component *source = source_of(r->s, tap);

		if (!box_says(r, source, tap)) {
			i++;
			continue;
		}
		restrict_to_box(r, source, tap);
		g_ptr_array_remove_index(r->guards, i);
		i = 0; /* it may keep those before it, too */
	}
}

/* The caller's compute box limits the caller's fields on the default grid. */
static gboolean
limited_by_box(const Stencil *st, const Stage *stage)
{
	return stage->kind != STAGE_REDUCE && !stage->carry && stage->target->role != FIELD_TEMP
		&& stage->grid == st->default_grid;
}

static void
make_region(Sema *s, Stage *stage, Expr *value, Region *region)
{
	BoundTable *t = s->st->bounds;
	Reader r = { s, stage, region, g_ptr_array_new() };

	for (int a = 0; a < stage->grid->rank; a++) {
		region->lo[a] = bound_const(t, 0);
		region->hi[a] = bound_extent(t, stage->grid, a);
	}
	if (limited_by_box(s->st, stage))
		for (int a = 0; a < stage->grid->rank; a++)
			if (stage->axes & AXIS_BIT(a)) {
				region->lo[a] = bound_max(t, region->lo[a], bound_box(t, a, FALSE));
				region->hi[a] = bound_min(t, region->hi[a], bound_box(t, a, TRUE));
			}
	expr_visit(&value, 1, read_tap, &r);
	settle_guards(&r);
	region->n_guards = (int)r.guards->len;
	region->guard = arena_array(s->st->arena, Expr *, MAX(region->n_guards, 1));
	for (int i = 0; i < region->n_guards; i++) {
		region->guard[i] = g_ptr_array_index(r.guards, (guint)i);
		region->guard[i]->tap.field->masked = TRUE;
	}
	g_ptr_array_unref(r.guards);
}

/* ---- what later stages find ---- */

static void
set_box(Component *k, const Region *region)
{
	k->boxed = region->n_guards == 0;
	memcpy(k->lo, region->lo, sizeof k->lo);
	memcpy(k->hi, region->hi, sizeof k->hi);
}

/* A scan computes its first cell and those after it up to one that cannot be
 * computed.  That is a box where every line starts at the same place and none
 * breaks off before the end. */
static void
scan_box(Sema *s, Stage *stage, Component *k)
{
	BoundTable *t = s->st->bounds;
	const Region *rest = &stage->region;
	const Region *first = stage->start ? &stage->start_region : rest;
	int a = stage->axis;
	gboolean up = stage->direction > 0;
	const Bound *extent = bound_extent(t, stage->grid, a);
	const Bound *lo = first->lo[a], *hi = first->hi[a];

	set_box(k, rest);
	k->boxed = rest->n_guards == 0 && first->n_guards == 0;
	for (int b = 0; b < stage->grid->rank; b++)
		if (b != a)
			k->boxed = k->boxed && rest->lo[b] == first->lo[b]
				&& rest->hi[b] == first->hi[b];
	if (!stage->start) { /* the first cell of the grid, or none */
		k->boxed = k->boxed
			&& (up ? bound_at_most(lo, bound_const(t, 0)) : bound_at_most(extent, hi));
		return;
	}
	/* there is a first cell, and the next one is where the recurrence can go on */
	k->boxed = k->boxed && bound_at_most(bound_add(t, lo, 1), hi);
	if (up) {
		k->boxed = k->boxed && bound_at_most(rest->lo[a], bound_add(t, lo, 1));
		k->lo[a] = lo;
		k->hi[a] = bound_max(t, rest->hi[a], bound_add(t, lo, 1));
	} else {
		k->boxed = k->boxed && bound_at_most(bound_add(t, hi, -1), rest->hi[a]);
		k->lo[a] = bound_min(t, rest->lo[a], bound_add(t, hi, -1));
		k->hi[a] = hi;
	}
}

static void
remember(Sema *s, Stage *stage)
{
	FieldInfo *info;

	if (stage->kind == STAGE_REDUCE)
		return;
	info = g_ptr_array_index(s->infos, (guint)stage->target->index);
	if (stage->kind == STAGE_SCAN)
		scan_box(s, stage, &info->component[stage->component]);
	else
		set_box(&info->component[stage->component], &stage->region);
}

/* ---- scans that read by the boundary at their first cell ---- */

typedef struct {
	Sema *s;
	Stage *stage;
	gboolean bad;
} FirstCell;

static void
find_own_tap(Expr *e, gpointer user)
{
	FirstCell *f = user;
	const Slot *slot;

	if (e->op != EXPR_TAP || !is_own_target(f->stage, e))
		return;
	slot = slot_final((const Slot *)(const void *)e->tap.boundary);
	f->bad = slot->face.kind[f->stage->axis][f->stage->direction > 0 ? 0 : 1] != EDGE_CONSTANT;
}

static void
check_first_cell(Sema *s, Stage *stage)
{
	FirstCell f = { s, stage, FALSE };

	if (stage->kind != STAGE_SCAN || stage->start)
		return;
	expr_visit(&stage->value, 1, find_own_tap, &f);
	if (!f.bad)
		return;
	diag_error(s->diag, stage->at, "the first cell of this scan has no value");
	diag_note(s->diag, stage->at,
		"there '%s' is read outside the grid, where nothing is known yet",
		stage->target->name);
	diag_help(s->diag, "write `from e`, `anywhere e`, or `boundary %s: constant(e)`",
		stage->target->name);
}

/* ---- least extents, and taps of images that nobody thought of ---- */

typedef struct {
	Sema *s;
	Stage *stage;
} Needs;

static void
add_need(Sema *s, const Expr *tap, int a, EdgeKind kind, const Bound *reach)
{
	EdgeNeed *need;

	for (guint i = 0; i < s->st->needs->len; i++) {
		need = g_ptr_array_index(s->st->needs, i);
		if (need->field == tap->tap.field && need->axis == a && need->kind == kind) {
			need->reach = bound_max(s->st->bounds, need->reach, reach);
			return;
		}
	}
	need = arena_make(s->st->arena, EdgeNeed);
	*need = (EdgeNeed){ tap->tap.field, a, reach, kind, tap->at };
	g_ptr_array_add(s->st->needs, need);
}

static void
warn_image(Sema *s, const Expr *tap, int a, int side)
{
	Field *f = tap->tap.field;
	FieldInfo *info = g_ptr_array_index(s->infos, (guint)f->index);
	const Slot *slot = slot_final((const Slot *)(const void *)tap->tap.boundary);

	if (f->type != TYPE_U8 || slot->set[a][side] || info->warned_edge)
		return;
	info->warned_edge = TRUE;
	diag_warn(s->diag, WARN_EDGE, tap->at,
		"'%s' is read outside along '%s' and has no boundary: "
		"cells at the edge are not computed",
		f->name, f->grid->axis[a]);
	diag_help(s->diag, "write `boundary %s: clamp;`, or `keep` if that is meant", f->name);
}

static void
find_needs(Expr *tap, gpointer user)
{
	Needs *n = user;
	BoundTable *t = n->s->st->bounds;
	Reader r = { .s = n->s, .stage = n->stage };
	Reach reach[IR_MAX_RANK];
	int axes;

	if (tap->op != EXPR_TAP || is_own_target(n->stage, tap))
		return;
	axes = reaches_of(&r, tap, reach);
	for (int i = 0; i < 2 * axes; i++) {
		const Reach *along = &reach[i / 2];
		EdgeKind kind = along->kind[i % 2];

		if (!along->leaves[i % 2])
			continue;
		warn_image(n->s, tap, along->axis, i % 2);
		if (kind == EDGE_WRAP || kind == EDGE_REFLECT || kind == EDGE_MIRROR)
			add_need(n->s, tap, along->axis, kind, i % 2 == 0
				? bound_const(t, -along->map->offset)
				: bound_sum(t, along->end, bound_scale(t, along->extent, -1)));
	}
}

/* ---- taps get their final boundaries ---- */

static Boundary *
final_boundary(Sema *s, Stage *stage, Expr *tap)
{
	const Slot *slot = slot_final((const Slot *)(const void *)tap->tap.boundary);
	Reader r = { .s = s, .stage = stage };
	Reach reach[IR_MAX_RANK];
	int n = reaches_of(&r, tap, reach);
	gboolean needed = FALSE;
	Boundary like = slot->face;

	for (const Reach *along = reach; along < reach + n; along++)
		for (int side = 0; side < 2; side++)
			needed = needed || (along->leaves[side] && along->kind[side] != EDGE_KEEP);
	return needed ? boundary_node(s->st, &like) : NULL;
}

typedef struct {
	Sema *s;
	Stage *stage;
} Finish;

static Expr *
finish_tap(Stencil *st, Expr *e, gpointer user)
{
	Finish *f = user;
	Expr like;

	if (e->op != EXPR_TAP)
		return e;
	like = *e;
	like.tap.boundary = final_boundary(f->s, f->stage, e);
	return expr_node(st, &like);
}

static void
finish_stage(Sema *s, Stage *stage)
{
	Finish f = { s, stage };
	GHashTable *memo = g_hash_table_new(NULL, NULL);
	Region *regions[2] = { &stage->region, &stage->start_region };

	stage->value = expr_rewrite(s->st, stage->value, finish_tap, &f, memo);
	if (stage->start)
		stage->start = expr_rewrite(s->st, stage->start, finish_tap, &f, memo);
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < regions[k]->n_guards; i++)
			regions[k]->guard[i] =
				expr_rewrite(s->st, regions[k]->guard[i], finish_tap, &f, memo);
	g_hash_table_destroy(memo);
}

/* Gives every stage its regions and every tap its boundary. */
void
sema_regions(Sema *s)
{
	GPtrArray *stages = s->st->stages;

	for (guint i = 0; i < stages->len; i++) {
		Stage *stage = g_ptr_array_index(stages, i);
		Expr *roots[2] = { stage->value, stage->start };
		Needs needs = { s, stage };

		check_first_cell(s, stage);
		make_region(s, stage, stage->value, &stage->region);
		if (stage->start)
			make_region(s, stage, stage->start, &stage->start_region);
		remember(s, stage);
		expr_visit(roots, stage->start ? 2 : 1, find_needs, &needs);
	}
	for (guint i = 0; i < stages->len; i++)
		finish_stage(s, g_ptr_array_index(stages, i));
}
