#include "emit/kernel.h"

#include <string.h>

#include "emit/rows.h"
#include "schedule/fuse.h"

static Text leaf_text(const Expr *e, gpointer user);

/* A tap of other components of what the launch writes. */
static void
find_alias(Expr *e, gpointer user)
{
	Kernel *k = user;
	const Plan *plan = k->launch->plan;

	if (e->op != EXPR_TAP || fuse_writer(plan->stages, plan->n_stages, e) >= 0)
		return;
	for (int i = 0; i < plan->n_stages; i++) {
		const Stage *s = plan->stages[i].stage;

		if (e->tap.field == s->target && e->tap.level == s->level)
			g_hash_table_add(k->aliased, (gpointer)s->target);
	}
}

static void
find_aliases(Kernel *k)
{
	const Plan *plan = k->launch->plan;

	for (int i = 0; i < plan->n_stages; i++)
		if (plan->stages[i].stage->kind != STAGE_REDUCE)
			stage_taps(plan->stages[i].stage, find_alias, k);
}

Kernel *
kernel_new(const Unit *u, int launch)
{
	Kernel *k = g_new0(Kernel, 1);
	ExprStyle style = { .leaf = leaf_text, .name = tap_name, .user = k,
		.apart = u->target == TARGET_CUDA };

	style.fast = u->options->fast_math && u->target == TARGET_CUDA;
	style.minus = u->target == TARGET_CUDA && u->has_extremes;
	k->u = u;
	k->arena = u->arena;
	k->index = launch;
	k->aliased = g_hash_table_new(NULL, NULL);
	if (launch >= 0) {
		k->launch = g_ptr_array_index(u->sched->launches, launch);
		k->stage = k->launch->stage;
		find_aliases(k);
	}
	k->names = names_new(k->arena, SCOPE_FUNCTION);
	k->printer = expr_printer_new(k->arena, k->names, &style);
	k->params = g_ptr_array_new();
	k->arrays = g_ptr_array_new();
	k->layouts = g_ptr_array_new();
	k->known = g_hash_table_new(g_str_hash, g_str_equal);
	k->known_here = g_hash_table_new(g_str_hash, g_str_equal);
	k->taps = g_hash_table_new(NULL, NULL);
	k->fixed = g_ptr_array_new();
	k->local = g_ptr_array_new();
	names_take(k->names, "cells");
	for (int a = 0; k->stage != NULL && a < k->stage->grid->rank; a++)
		k->coord[a] = names_take(k->names, k->stage->grid->axis[a]);
	return k;
}

void
kernel_free(Kernel *k)
{
	expr_printer_free(k->printer);
	names_free(k->names);
	g_ptr_array_unref(k->params);
	g_ptr_array_unref(k->arrays);
	g_ptr_array_unref(k->layouts);
	g_hash_table_unref(k->aliased);
	g_hash_table_unref(k->known);
	g_hash_table_unref(k->known_here);
	g_hash_table_unref(k->taps);
	g_ptr_array_unref(k->fixed);
	g_ptr_array_unref(k->local);
	g_free(k);
}

/* ---- parameters and locals ---- */

const char *
kernel_param(Kernel *k, const char *decl, const char *want, const char *arg)
{
	const char *key = arena_printf(k->arena, "param %s %s", decl, arg);
	const char *name = g_hash_table_lookup(k->known, key);
	Param *p;

	if (name != NULL)
		return name;
	name = names_take(k->names, want);
	p = arena_make(k->arena, Param);
	p->decl = arena_printf(k->arena, "%s%s", decl, name);
	p->arg = arg;
	g_ptr_array_add(k->params, p);
	g_hash_table_insert(k->known, (gpointer)key, (gpointer)name);
	return name;
}

const char *
kernel_local(Kernel *k, GPtrArray *list, const char *type, const char *want, const char *value)
{
	GHashTable *known = list == k->local ? k->known_here : k->known;
	const char *key = arena_printf(k->arena, "local %s", value);
	const char *name = g_hash_table_lookup(known, key);

	if (name != NULL)
		return name;
	name = names_take(k->names, want);
	g_ptr_array_add(list, arena_printf(k->arena, "const %s %s = %s;", type, name, value));
	g_hash_table_insert(known, (gpointer)key, (gpointer)name);
	return name;
}

void
kernel_leave_cell(Kernel *k)
{
	g_ptr_array_set_size(k->local, 0);
	g_hash_table_remove_all(k->known_here);
	g_hash_table_remove_all(k->taps);
	for (guint i = 0; i < k->layouts->len; i++)
		((Layout *)g_ptr_array_index(k->layouts, i))->here = NULL;
}

const char *
kernel_grid(Kernel *k, const Grid *g, const char *member, int axis)
{
	const char *want = g->name == NULL ? "grid" : arena_printf(k->arena, "grid_%s", g->name);
	const Padding *padding = &k->u->sched->padding;
	const char *arg = arena_printf(k->arena, "c->%s", k->u->grid[g->index]), *name;

	if (k->beside > 0 && g == padding->grid)
		arg = arena_printf(k->arena, k->u->sched->direct != NULL
			? "stencil_wide_grid(%s, %d, %d, %d)"
			: "stencil_wide_grid(%s, %d, %d, padded ? %d : 0)", arg, padding->axis,
			padding->width, k->beside);
	else if (k->whole > 0 && g == padding->grid)
		arg = arena_printf(k->arena, "stencil_whole_grid(%s, %d, %d)", arg, padding->axis,
			k->whole);
	name = kernel_param(k, "const stencil_grid ", want, arg);

	return arena_printf(k->arena, "%s.%s[%d]", name, member, axis);
}

const char *
kernel_extent(Kernel *k, const Grid *g, int axis)
{
	if (g->base == NULL && g->fixed[axis] != 0)
		return arena_printf(k->arena, "%" G_GINT64_FORMAT, g->fixed[axis]);
	return kernel_grid(k, g, "extent", axis);
}

const char *
kernel_limit(Kernel *k, const Grid *g, int axis, int face)
{
	return kernel_grid(k, g, face == 0 ? "first" : "last", axis);
}

const char *
kernel_fold(Kernel *k, EdgeKind kind, const Grid *g, int axis, int face, const char *from)
{
	const char *limit = kernel_limit(k, g, axis, face), *wrap = "";

	if (kind == EDGE_WRAP)
		wrap = arena_printf(k->arena, ", %s", kernel_extent(k, g, axis));
	return arena_printf(k->arena, "stencil_fold_%s_%s(%s, %s%s)", edge_name[kind],
		face == 0 ? "lo" : "hi", from, limit, wrap);
}

const char *
kernel_sizes(const Kernel *k, const int *size, int first, int end)
{
	const char *text = "";

	for (int i = first; i < end; i++)
		text = arena_printf(k->arena, "%s[%d]", text, size[i]);
	return text;
}

static const char *
level_name(Arena *arena, const Field *f, int level)
{
	if (level == 0)
		return f->name;
	if (level == 1)
		return arena_printf(arena, "%s_next", f->name);
	if (level > 1) /* of a sweep that makes all levels of a history */
		return arena_printf(arena, "%s_next%d", f->name, level);
	return arena_printf(arena, "%s_tm%d", f->name, -level);
}

/* The level of F that stages assign. */
static int
written_level(const Field *f)
{
	return f->role == FIELD_INOUT;
}

/* What lies in the caller's rows at the first step, or, MADE then, at the last one. */
static const char *
ferried(Kernel *k, gboolean made, const char *callers, const char *padded)
{
	return arena_printf(k->arena, "%s ? %s : %s", made ? "leaves" : "enters", callers, padded);
}

static gboolean
is_ferried(const Kernel *k, const Field *f)
{
	return k->ferries && rows_ferried(k->u, f);
}

static const char *
level_pointer(Kernel *k, const Field *f, int level)
{
	const char *padded = unit_level(k->u, f, level);

	if (!is_ferried(k, f))
		return padded;
	return ferried(k, level > 0, unit_member(k->u, level < 0 ? MEMBER_HISTORY : MEMBER_FIELD,
		f, MIN(level, 0)), padded);
}

Array *
kernel_array(Kernel *k, const Field *f, int level, gboolean mask, gboolean written)
{
	const char *type = mask ? "uint8_t" : storage_of(f), *want, *arg;
	gboolean alone = level != written_level(f) || !g_hash_table_contains(k->aliased, f);
	Array *a;

	for (guint i = 0; i < k->arrays->len; i++) {
		a = g_ptr_array_index(k->arrays, i);
		if (a->field == f && a->level == level && a->mask == mask && a->written == written)
			return a;
	}
	a = arena_make(k->arena, Array);
	a->field = f;
	a->level = level;
	a->mask = mask;
	a->written = written;
	want = mask ? arena_printf(k->arena, "%s_mask", f->name) : level_name(k->arena, f, level);
	arg = mask ? k->u->mask[f->index] : level_pointer(k, f, level);
	a->name = kernel_param(k, arena_printf(k->arena, "%s%s *%s",
		written ? "" : "const ", type, alone ? "__restrict__ " : ""), want, arg);
	g_ptr_array_add(k->arrays, a);
	return a;
}

static Layout *
the_layout(Kernel *k, const Field *f, gboolean mask, gboolean made)
{
	Layout *l;

	for (guint i = 0; i < k->layouts->len; i++) {
		l = g_ptr_array_index(k->layouts, i);
		if (l->field == f && l->mask == mask && l->made == made)
			return l;
	}
	l = arena_make(k->arena, Layout);
	l->field = f;
	l->mask = mask;
	l->made = made;
	l->base = mask ? arena_printf(k->arena, "%s_mask", f->name)
		: made ? level_name(k->arena, f, 1) : f->name;
	g_ptr_array_add(k->layouts, l);
	return l;
}

Layout *
kernel_layout(Kernel *k, const Field *f, gboolean mask)
{
	return the_layout(k, f, mask, FALSE);
}

Layout *
kernel_layout_made(Kernel *k, const Field *f)
{
	return the_layout(k, f, FALSE, TRUE);
}

/* ---- indices ---- */

static const char *
layout_param(Kernel *k, const Layout *l)
{
	const char *name = (l->mask ? k->u->mask_layout : k->u->layout)[l->field->index];
	const char *padded = arena_printf(k->arena, "c->%s", name);

	return kernel_param(k, "const stencil_layout ",
		arena_printf(k->arena, "%s_layout", l->base), !l->mask && is_ferried(k, l->field)
		? ferried(k, l->made, arena_printf(k->arena, "packed.%s", name), padded) : padded);
}

static gboolean
is_innermost(const Field *f, int axis)
{
	return (f->axes >> axis) == 1;
}

const char *
layout_stride(Kernel *k, Layout *l, int axis)
{
	const Field *f = l->field;

	if (is_innermost(f, axis))
		return arena_printf(k->arena, "%d", f->interleaved && !l->mask ? f->components : 1);
	if (l->stride[axis] == NULL)
		l->stride[axis] = kernel_local(k, k->fixed, "int64_t",
			arena_printf(k->arena, "%s_%s", l->base, f->grid->axis[axis]),
			arena_printf(k->arena, "%s.stride[%d]", layout_param(k, l), axis));
	return l->stride[axis];
}

void
append_offset(GString *index, const char *stride, gint64 n)
{
	gint64 size = ABS(n);

	if (n == 0)
		return;
	g_string_append(index, n < 0 ? " - " : " + ");
	if (g_ascii_isdigit(stride[0]))
		g_string_append_printf(index, "%" G_GINT64_FORMAT,
			size * g_ascii_strtoll(stride, NULL, 10));
	else if (size == 1)
		g_string_append(index, stride);
	else
		g_string_append_printf(index, "%" G_GINT64_FORMAT " * %s", size, stride);
}

void
append_product(GString *index, const char *n, const char *stride)
{
	g_string_append_printf(index, "%s%s", index->len > 0 ? " + " : "", n);
	if (strcmp(stride, "1") != 0)
		g_string_append_printf(index, " * %s", stride);
}

const char *
layout_component(Kernel *k, Layout *l)
{
	if (l->field->interleaved && !l->mask)
		return "1";
	if (l->component == NULL)
		l->component = kernel_local(k, k->fixed, "int64_t",
			arena_printf(k->arena, "%s_component", l->base),
			arena_printf(k->arena, "%s.component", layout_param(k, l)));
	return l->component;
}

/* "(y - grid.origin[0]) * u_y + (x - grid.origin[1])" */
static const char *
index_of_cell(Kernel *k, Layout *l)
{
	const Grid *g = l->field->grid;
	GString *index = g_string_new(NULL);
	const char *all;

	for (int a = 0; a < g->rank; a++) {
		const char *stride;

		if (!(l->field->axes & AXIS_BIT(a)))
			continue;
		stride = layout_stride(k, l, a);
		append_product(index, arena_printf(k->arena, "%s(%s - %s)",
			index->len == 0 && is_innermost(l->field, a) ? "(int64_t)" : "",
			k->coord[a], kernel_grid(k, g, "origin", a)), stride);
	}
	all = index->len > 0 ? arena_strdup(k->arena, index->str) : "0";
	g_string_free(index, TRUE);
	return all;
}

const char *
layout_here(Kernel *k, Layout *l, int component)
{
	GString *index;

	if (l->here == NULL)
		l->here = kernel_local(k, k->local, "int64_t",
			arena_printf(k->arena, "%s_i", l->base),
			index_of_cell(k, l));
	if (component == 0)
		return l->here;
	index = g_string_new(l->here);
	append_offset(index, layout_component(k, l), component);
	return arena_take(k->arena, index);
}

/* ---- leaves ---- */

static Text
coord_text(Kernel *k, const AxisMap *m)
{
	const char *i = k->coord[m->axis], *text = i;

	if (!axis_map_is_offset(m)) {
		if (m->scale != 1)
			text = arena_printf(k->arena, "%d * (int64_t)%s", m->scale, i);
		if (m->shift != 0)
			text = arena_printf(k->arena, "%s%s + %d", m->scale == 1 ? "(int64_t)" : "",
				text, m->shift);
		if (m->divide != 1)
			text = arena_printf(k->arena, m->scale == 1 && m->shift == 0 ? "%s / %d"
				: "(%s) / %d", text, m->divide);
		if (m->offset != 0)
			text = arena_printf(k->arena, "%s %c %d", text, m->offset < 0 ? '-' : '+',
				ABS(m->offset));
		return (Text){ arena_printf(k->arena, "(int32_t)(%s)", text), PREC_UNARY };
	}
	if (m->offset > 1) /* wraps in the last cells of the largest grid */
		return (Text){ arena_printf(k->arena, "stencil_add_i32(%s, %d)", i, m->offset),
			PREC_PRIMARY };
	if (m->offset != 0)
		return (Text){ arena_printf(k->arena, "%s %c %d", i, m->offset < 0 ? '-' : '+',
			ABS(m->offset)), PREC_ADD };
	return (Text){ i, PREC_PRIMARY };
}

/* A scalar comes as a value of its kind. */
static const char *
scalar_param(Kernel *k, const Scalar *v)
{
	return kernel_param(k, arena_printf(k->arena, "const %s ", kind_ctype(v->type)), v->name,
		load_text(k->arena, v->type, unit_member(k->u, MEMBER_SCALAR, v, 0)).text);
}

static const char *
table_param(Kernel *k, const Table *t)
{
	const char *type = type_info[t->type].storage, *from = unit_table(k->u, t), *name;

	if (k->u->target == TARGET_HOST)
		return kernel_param(k, arena_printf(k->arena, "const %s *__restrict__ ", type),
			t->name, from);
	name = kernel_param(k, arena_printf(k->arena, "const stencil_table<%s, %d> ", type,
		t->size), t->name, arena_printf(k->arena, "stencil_table<%s, %d>(%s)", type,
		t->size, from));
	return arena_printf(k->arena, "%s.v", name);
}

/* The step that the launch makes first; a launch that only looks at steps has its last. */
const char *
kernel_step(Kernel *k)
{
	const Unit *u = k->u;
	const char *first = unit_member(u, MEMBER_T0, NULL, 0);

	return kernel_param(k, "const int32_t ", "t", !u->s->uses_step ? "(int32_t)step"
		: !u->s->stepped ? arena_printf(k->arena, "(int32_t)%s", first)
		: arena_printf(k->arena, "(int32_t)(%s + %s)", first, unit_step(u, k->stage)));
}

static Text
step_text(Kernel *k, int plus)
{
	const char *t = k->step != NULL ? k->step : kernel_step(k);

	if (plus == 0)
		return (Text){ t, PREC_PRIMARY };
	return (Text){ arena_printf(k->arena, "stencil_add_i32(%s, %d)", t, plus), PREC_PRIMARY };
}

/* What a cell is told of an extent: the grid's, whatever its rows are padded to. */
static const char *
asked_extent(Kernel *k, const Grid *g, int axis)
{
	const Padding *padding = &k->u->sched->padding;

	if (k->u->target == TARGET_HOST || g != padding->grid || axis != padding->axis
		|| (g->base == NULL && g->fixed[axis] != 0))
		return kernel_extent(k, g, axis);
	return kernel_param(k, "const int32_t ", arena_printf(k->arena, "%s_cells",
		g->axis[axis]), arena_printf(k->arena, "(int32_t)%s", unit_extent(k->u, g, axis)));
}

static Text
leaf_text(const Expr *e, gpointer user)
{
	Kernel *k = user;

	switch ((int)e->op) {
	case EXPR_TAP:
		return tap_text(k, e);
	case EXPR_SCALAR:
		return (Text){ scalar_param(k, e->scalar), PREC_PRIMARY };
	case EXPR_ELEMENT:
		return load_text(k->arena, e->type, arena_printf(k->arena, "%s[%d]",
			table_param(k, e->element.table), e->element.index));
	case EXPR_RESULT:
		return load_text(k->arena, e->type, arena_printf(k->arena, "%s[0]",
			kernel_param(k, arena_printf(k->arena, "const %s *__restrict__ ",
			type_info[e->type].storage), e->result->name,
			unit_member(k->u, MEMBER_RESULT, e->result, 0))));
	case EXPR_COORD:
		return coord_text(k, &e->coord);
	case EXPR_EXTENT:
		return (Text){ asked_extent(k, e->extent.grid, e->extent.axis), PREC_PRIMARY };
	case EXPR_STEP:
		return step_text(k, e->step);
	default:
		g_assert_not_reached();
	}
}

/* ---- collecting ---- */

static void
collect(Expr *e, gpointer user)
{
	Kernel *k = user;

	if (expr_op_info[e->op].shape == SHAPE_LEAF && e->op != EXPR_CONST)
		leaf_text(e, k);
}

void
kernel_collect_expr(Kernel *k, Expr *e)
{
	expr_visit(&e, 1, collect, k);
}

static void
collect_region(Kernel *k, const Region *region, const char *name, const char *want)
{
	if (name != NULL)
		kernel_param(k, "const stencil_cells ", want, name);
	for (int i = 0; i < region->n_guards; i++)
		guard_text(k, region->guard[i]);
}

/* TRUE if there may be cells that the stage does not compute. */
static gboolean
has_gaps(Kernel *k)
{
	const Region *regions[] = { &k->stage->region, &k->stage->start_region };
	const int stage = k->stage->index;

	if (k->u->region[stage] != NULL || k->u->start[stage] != NULL)
		return TRUE;
	for (gsize r = 0; r < G_N_ELEMENTS(regions); r++)
		for (int i = 0; i < regions[r]->n_guards; i++)
			if (guard_text(k, regions[r]->guard[i]) != NULL)
				return TRUE;
	return FALSE;
}

gboolean
kernel_stores(const Kernel *k)
{
	const Plan *plan = k->launch->plan;

	for (int i = 0; i < plan->n_stages; i++)
		if (plan->stages[i].stage == k->stage)
			return !plan->stages[i].passing;
	return TRUE;
}

void
kernel_collect(Kernel *k)
{
	const Stage *s = k->stage;
	const gboolean stores = kernel_stores(k);

	if (s->kind != STAGE_REDUCE && stores)
		layout_here(k, kernel_layout(k, s->target, FALSE), s->component);
	collect_region(k, &s->region, k->u->region[s->index], "region");
	if (s->kind == STAGE_SCAN && s->start != NULL)
		collect_region(k, &s->start_region, k->u->start[s->index], "start");
	if (s->kind == STAGE_SCAN) {
		kernel_extent(k, s->grid, s->axis);
		k->before = before_text(k);
	}
	kernel_collect_expr(k, s->value);
	if (s->kind == STAGE_SCAN && s->start != NULL)
		kernel_collect_expr(k, s->start);
	if (s->kind == STAGE_REDUCE)
		return;
	if (s->target->role == FIELD_INOUT && has_gaps(k))
		kernel_array(k, s->target, 0, FALSE, FALSE);
	if (stores)
		kernel_array(k, s->target, s->level, FALSE, TRUE);
	if (stage_writes_mask(s)) {
		kernel_array(k, s->target, s->level, TRUE, TRUE);
		layout_here(k, kernel_layout(k, s->target, TRUE), s->component);
	}
}

/* ---- printing ---- */

void
kernel_lines(const Kernel *k, const GPtrArray *list)
{
	for (guint i = 0; i < list->len; i++)
		wr_line(k->u->w, "%s", (const char *)g_ptr_array_index(list, i));
}

/* Parameters stand in the order of their sort: memory that is read, memory that is
 * written, layouts, grids, boxes, values. */
static int
sort_of(const Param *p)
{
	static const char *const words[] = { "stencil_layout ", "stencil_grid ", "stencil_cells " };

	if (strchr(p->decl, '*') != NULL)
		return g_str_has_prefix(p->decl, "const ") ? 0 : 1;
	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (strstr(p->decl, words[i]) != NULL)
			return 2 + (int)i;
	return 5;
}

static const char *
listed(const Kernel *k, const char *first, gboolean declared)
{
	GString *text = g_string_new(first != NULL ? first : "");

	for (int sort = 0; sort <= 5; sort++)
		for (guint i = 0; i < k->params->len; i++) {
			const Param *p = g_ptr_array_index(k->params, i);

			if (sort_of(p) == sort)
				g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "",
					declared ? p->decl : p->arg);
		}
	if (text->len == 0 && declared)
		g_string_append(text, "void");
	return arena_take(k->arena, text);
}

const char *
kernel_signature(const Kernel *k, const char *first)
{
	return listed(k, first, TRUE);
}

const char *
kernel_arguments(const Kernel *k, const char *first)
{
	return listed(k, first, FALSE);
}
