/* tap.c: reading a field: which component, which time level, which cell. */
#include "sema/internal.h"

#include <stdlib.h>
#include <string.h>

/* The component of the whole field that INDEX means. */
gboolean
field_component(Ctx *c, const FieldView *view, const char *name, int n, const gint64 *index,
	Span at, int *out)
{
	gint64 k = 0;

	if (n == 0 && dims_product(&view->dims) == 1) {
		*out = view->first;
		return TRUE;
	}
	if (n != view->dims.n) {
		if (n == 0) {
			diag_error(c->s->diag, at,
				"'%s' has %" G_GINT64_FORMAT " components: say which", name,
				dims_product(&view->dims));
			diag_help(c->s->diag, "write %s[%" G_GINT64_FORMAT "], or loop over them",
				name, view->dims.lo[0]);
		} else if (view->dims.n == 0) {
			diag_error(c->s->diag, at, "component out of range: '%s' has no components",
				name);
			diag_help(c->s->diag, "an offset names its axis, as in [x+1]");
		} else
			diag_error(c->s->diag, at,
				"'%s' has %d dimension%s of components, and %d %s given", name,
				view->dims.n, view->dims.n == 1 ? "" : "s", n,
				n == 1 ? "is" : "are");
		return FALSE;
	}
	for (int i = 0; i < n; i++) {
		gint64 lo = view->dims.lo[i], hi = lo + view->dims.size[i] - 1;

		if (index[i] < lo || index[i] > hi) {
			diag_error(c->s->diag, at,
				"component %" G_GINT64_FORMAT
				" is out of the range of '%s', %" G_GINT64_FORMAT
				"..%" G_GINT64_FORMAT,
				index[i], name, lo, hi);
			return FALSE;
		}
		k = k * view->dims.size[i] + (index[i] - lo);
	}
	*out = view->first + (int)k;
	return TRUE;
}

static gboolean
tap_component(
	Ctx *c, const FieldView *view, const char *name, const Subscript *sub, Span at, int *out)
{
	if (sub->n_component == 0 && c->has_component && view->dims.n > 0) {
		*c->component_used = TRUE;
		return field_component(c, view, name, c->n_component, c->component, at, out);
	}
	return field_component(c, view, name, sub->n_component, sub->component,
		sub->n_component ? sub->component_at : at, out);
}

/* The time level, relative to t; FALSE: reported. */
static gboolean
tap_level(Ctx *c, const FieldView *view, const char *name, const Subscript *sub, Span at, int *out)
{
	Sema *s = c->s;
	int level = view->level + sub->time + c->time;

	*out = view->level;
	if (view->role != PARAM_INOUT) {
		if (sub->has_time && sub->time != 0) {
			diag_error(s->diag, sub->time_at,
				"'%s' has no time levels: only an inout field has", name);
			if (view->role == PARAM_IN)
				diag_help(s->diag, "it is the same at every time: write %s", name);
			return FALSE;
		}
		if (c->time != 0 && view->role == PARAM_OUT) {
			diag_error(s->diag, at,
				"'%s' has no time levels, and a subscript around it asks for one",
				name);
			return FALSE;
		}
		return TRUE;
	}
	if (level > 1) {
		diag_error(s->diag, sub->has_time ? sub->time_at : at,
			"there is no time level t+%d: the newest is t+1", level);
		return FALSE;
	}
	if (-level > view->info->field->history)
		view->info->field->history = -level;
	*out = level;
	return TRUE;
}

static gboolean
is_scan_target(const Ctx *c, const FieldView *view, int component, int level)
{
	const Stage *scan = c->scan;

	return scan && scan->target == view->info->field && scan->component == component
		&& scan->level == level;
}

/* Where a scan reads its target, as seen along its way. */
typedef enum { SCAN_ONE_BACK, SCAN_AHEAD, SCAN_OWN_CELL, SCAN_FAR_BACK, SCAN_BESIDE } ScanTap;

static const char *const scan_tap_text[] = {
	[SCAN_AHEAD] = "reads ahead of itself",
	[SCAN_OWN_CELL] = "reads the cell that it computes",
	[SCAN_FAR_BACK] = "reads too far back",
	[SCAN_BESIDE] = "reads beside its own line",
};

static ScanTap
scan_tap(const Stage *scan, const AxisMap *map)
{
	int back = -scan->direction * map[scan->axis].offset;

	for (int a = 0; a < scan->grid->rank; a++)
		if (a != scan->axis && (scan->axes & AXIS_BIT(a)) && map[a].offset != 0)
			return SCAN_BESIDE;
	return back == 1 ? SCAN_ONE_BACK : back > 1 ? SCAN_FAR_BACK
		: back == 0 ? SCAN_OWN_CELL : SCAN_AHEAD;
}

/* The axis along which a scan would read this tap as it is written; -1: none. */
static int
scan_other_axis(const Stage *scan, const AxisMap *map)
{
	int other = -1;

	for (int a = 0; a < scan->grid->rank; a++) {
		if (!(scan->axes & AXIS_BIT(a)) || map[a].offset == 0)
			continue;
		if (other >= 0 || a == scan->axis || abs(map[a].offset) != 1)
			return -1;
		other = a;
	}
	return other;
}

static void
help_scan_tap(Ctx *c, const char *name, const AxisMap *map, ScanTap tap)
{
	const Stage *scan = c->scan;
	const char *const *axes = c->space.decl->axis;
	const char *axis = axes[scan->axis];
	int other = scan_other_axis(scan, map);

	if (tap == SCAN_AHEAD)
		diag_help(c->s->diag, "write %s[%s%+d]; a scan that runs the other way is "
			"scan (%s%s)", name, axis, -scan->direction, axis,
			scan->direction > 0 ? "-" : "");
	else if (other >= 0)
		diag_help(c->s->diag, "a scan that reads %s[%s%+d] is scan (%s%s)", name,
			axes[other], map[other].offset, axes[other],
			map[other].offset > 0 ? "-" : "");
	else if (tap == SCAN_FAR_BACK)
		diag_help(c->s->diag, "write %s[%s%+d]; what reaches further back is several "
			"scans, one after the other, where it can be written so", name, axis,
			-scan->direction);
	else
		diag_help(c->s->diag, "write %s[%s%+d]", name, axis, -scan->direction);
}

/* The target of a scan is read one cell back along its axis, and nowhere else: taps
 * of the statement's own grid are offsets. */
static gboolean
check_scan_tap(Ctx *c, const char *name, const AxisMap *map, Span at)
{
	ScanTap tap = scan_tap(c->scan, map);

	if (tap == SCAN_ONE_BACK)
		return TRUE;
	diag_error(c->s->diag, at, "the scan %s: '%s' is known one cell back along '%s' only",
		scan_tap_text[tap], name, c->space.decl->axis[c->scan->axis]);
	help_scan_tap(c, name, map, tap);
	return FALSE;
}

/* COMPONENT as one writes it: "c[1, 0]", or NAME where there is but one. */
static const char *
component_text(const Ctx *c, const FieldView *view, const char *name, int component)
{
	int rest = component - view->first;
	const char *text = "";

	if (dims_product(&view->dims) == 1)
		return name;
	for (int i = view->dims.n - 1; i >= 0; i--) {
		int size = (int)view->dims.size[i];

		text = arena_printf(c->s->arena, "%" G_GINT64_FORMAT "%s%s",
			view->dims.lo[i] + rest % size, *text != '\0' ? ", " : "", text);
		rest /= size;
	}
	return arena_printf(c->s->arena, "%s[%s]", name, text);
}

/* What is read must have been assigned by an earlier statement. */
static gboolean
check_assigned(Ctx *c, const FieldView *view, const char *name, int component, int level, Span at)
{
	Component *k = &view->info->component[component];

	if (view->info->field->role == FIELD_IN
		|| (view->info->field->role == FIELD_INOUT && level < 1))
		return TRUE;
	if (k->assigned > 0 && k->assigned <= c->seq)
		return TRUE;
	name = component_text(c, view, name, component);
	if (level == 1)
		diag_error(c->s->diag, at, "'%s' at t+1 is read before it is written", name);
	else
		diag_error(c->s->diag, at, "'%s' is read before it is assigned", name);
	if (k->assigned > 0)
		diag_note(c->s->diag, k->at, "it is assigned here, later");
	else
		diag_note(c->s->diag, view->info->field->at,
			"no statement before this one assigns it");
	if (c->target == k)
		diag_help(c->s->diag, "a recurrence along an axis is a 'scan'; a sum of cells is "
			"sum[i in 0..2](...)");
	return FALSE;
}

/* The statement's axis that corresponds to axis A of the field's grid: the one
 * of the same name, else the one at the same place. */
static int
matching_axis(const Ctx *c, const FieldView *view, int a)
{
	const GridDecl *here = c->space.decl;

	for (int i = 0; i < here->rank; i++)
		if (here->axis[i] == view->decl->axis[a])
			return i;
	return a < here->rank ? a : -1;
}

static gboolean
unscaled(Ctx *c, const FieldView *view, const char *name, int axis, Span at)
{
	const char *there = view->decl->name ? view->decl->name : "the default grid";

	diag_error(c->s->diag, at, "'%s' is on %s%s%s: along '%s' it is read in scaled form only",
		name, view->decl->name ? "the grid '" : "", there, view->decl->name ? "'" : "",
		c->space.decl->axis[axis]);
	diag_help(c->s->diag, "write [2*%s] or [%s/2], for example", c->space.decl->axis[axis],
		c->space.decl->axis[axis]);
	return FALSE;
}

static gboolean
tap_map(Ctx *c, const FieldView *view, const char *name, const Subscript *sub, Span at,
	AxisMap *map)
{
	const Field *f = view->info->field;
	gboolean same = f->grid == c->space.grid;

	for (int a = 0; a < f->grid->rank; a++) {
		int axis = same ? a : matching_axis(c, view, a);
		AxisMap m;

		map[a] = (AxisMap){ .axis = a, .scale = 1, .divide = 1 };
		if (!(f->axes & AXIS_BIT(a)))
			continue;
		if (axis < 0 || !(c->space.axes & AXIS_BIT(axis))) {
			diag_error(c->s->diag, at,
				"'%s' varies along '%s', and this statement does not", name,
				view->decl->axis[a]);
			return FALSE;
		}
		m = c->at[axis];
		if (sub->has_map[axis] && !axis_map_compose(&sub->map[axis], &c->at[axis], &m)) {
			diag_error(c->s->diag, sub->map_at[axis],
				"these subscripts cannot be put together");
			return FALSE;
		}
		if (same && !axis_map_is_offset(&m)) {
			diag_error(c->s->diag, sub->has_map[axis] ? sub->map_at[axis] : at,
				"'%s' is on the statement's own grid and cannot be read at a "
				"scaled index",
				name);
			diag_help(c->s->diag, "scaled taps are for fields on another grid");
			return FALSE;
		}
		if (!same && axis_map_is_offset(&m))
			return unscaled(
				c, view, name, axis, sub->has_map[axis] ? sub->map_at[axis] : at);
		if (ABS(m.offset) > LIMIT_OFFSET) {
			sema_far_offset(c, at);
			return FALSE;
		}
		map[a] = m;
	}
	for (int axis = 0; axis < c->space.decl->rank; axis++) {
		gboolean varies = FALSE;

		for (int a = 0; a < f->grid->rank; a++)
			varies = varies || ((f->axes & AXIS_BIT(a))
				&& (same ? a : matching_axis(c, view, a)) == axis);
		if (sub->has_map[axis] && !varies) {
			diag_error(c->s->diag, sub->map_at[axis], "'%s' does not vary along '%s'",
				name, c->space.decl->axis[axis]);
			return FALSE;
		}
	}
	return TRUE;
}

/* The halo that a stencil declares bounds the taps of its text. */
static gboolean
check_halo(Ctx *c, const Field *f, const char *name, const AxisMap *map, Span at)
{
	for (int a = 0; a < f->grid->rank; a++) {
		int reach = abs(map[a].offset), limit = c->frame->halo[a];

		if (!(f->axes & AXIS_BIT(a)))
			continue;
		c->frame->reach[a] = MAX(c->frame->reach[a], reach);
		if (limit >= 0 && reach > limit) {
			const char *axis = c->space.decl->axis[map[a].axis];

			diag_error(c->s->diag, at,
				"the tap %s[%s%+d] reaches %d cell%s along '%s', and the halo is "
				"%d", name, axis, map[a].offset, reach, reach == 1 ? "" : "s", axis,
				limit);
			diag_note(c->s->diag, c->frame->top->halo_at, "the halo is declared here");
			return FALSE;
		}
	}
	return TRUE;
}

/* The value of a field at the cell that SUB and the calls around it name. */
Value *
expand_field(Ctx *c, FieldView *view, const char *name, const Subscript *sub, Span at)
{
	Sema *s = c->s;
	Expr like = { .op = EXPR_TAP, .type = view->info->field->type, .at = at };

	if (c->scalar_only) {
		if (g_str_equal(c->scalar_only, "a subscript")
			|| g_str_equal(c->scalar_only, "the index of a table")) {
			diag_error(
				s->diag, at, "an offset must be constant: '%s' is a field", name);
			diag_note(s->diag, (Span){ 0 },
				"subscripts are made of axes and of what is known when compiling");
		} else {
			diag_error(
				s->diag, at, "%s cannot read the field '%s'", c->scalar_only, name);
			sema_help_choice(c);
		}
		return value_error(s, at);
	}
	like.tap.field = view->info->field;
	like.tap.boundary = &view->slot->face;
	if (!tap_component(c, view, name, sub, at, &like.tap.component)
	    || !tap_level(c, view, name, sub, at, &like.tap.level)
	    || !tap_map(c, view, name, sub, at, like.tap.map))
		return value_error(s, at);
	if (is_scan_target(c, view, like.tap.component, like.tap.level)) {
		if (!check_scan_tap(c, name, like.tap.map, at))
			return value_error(s, at);
	} else if (!check_assigned(c, view, name, like.tap.component, like.tap.level, at))
		return value_error(s, at);
	if (!check_halo(c, view->info->field, name, like.tap.map, at))
		return value_error(s, at);
	g_hash_table_add(s->used, (gpointer)view->info->decl);
	return value_typed(s, at, expr_node(s->st, &like));
}
