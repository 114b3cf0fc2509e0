/* entry.c: what a generated function does before it starts, the same for every
 * target: sizes, checks, the boxes of its launches.
 */
#include "emit/bound.h"
#include "emit/rows.h"
#include "emit/unit.h"

const char *
storage_of(const Field *field)
{
	return type_info[field->type].storage;
}

static const char *
bound_leaf(const Bound *leaf, gpointer user)
{
	const Unit *u = user;

	if (leaf->kind == BOUND_EXTENT)
		return arena_printf(u->arena, "(int64_t)%s",
			unit_extent(u, leaf->grid, leaf->axis));
	return arena_printf(u->arena, "c->box.%s[%d]", leaf->kind == BOUND_BOX_LO ? "lo" : "hi",
		leaf->axis);
}

static const char *
plain_leaf(const Bound *leaf, gpointer user)
{
	return unit_extent(user, leaf->grid, leaf->axis);
}

/* A bound as an int32_t. */
static const char *
narrow_bound(const Unit *u, const Bound *b)
{
	if (b->kind == BOUND_CONST || b->kind == BOUND_EXTENT || (b->kind == BOUND_SUM && b->n == 1
		&& b->factor[0] == 1 && b->arg[0]->kind == BOUND_EXTENT))
		return bound_text(u->arena, b, plain_leaf, (gpointer)u);
	return arena_printf(u->arena, b->kind == BOUND_SUM ? "(int32_t)(%s)" : "(int32_t)%s",
		bound_text(u->arena, b, bound_leaf, (gpointer)u));
}

/* ---- sizes ---- */

static void
emit_call_struct(Unit *u)
{
	Writer *w = u->w;

	wr_line(w, "/* What a call of %s works on, worked out from its arguments. */", u->s->name);
	wr_open(w, "typedef struct");
	for (guint i = 0; i < u->s->grids->len; i++)
		wr_line(w, "stencil_grid %s;", u->grid[i]);
	if (u->s->default_grid != NULL)
		wr_line(w, "stencil_box box;");
	for (guint i = 0; i < u->s->fields->len; i++) {
		wr_line(w, "stencil_layout %s;", u->layout[i]);
		if (u->mask_layout[i] != NULL)
			wr_line(w, "stencil_layout %s; "
				"/* a byte per cell: 1 computed, 0 missing */", u->mask_layout[i]);
	}
	for (guint i = 0; i < u->sched->slots->len; i++)
		wr_line(w, "size_t %s; /* in the workspace */", u->slot[i]);
	wr_line(w, "size_t workspace; /* bytes of it */");
	wr_close(w, arena_printf(u->arena, " %s_call;", u->sched->name));
	wr_blank(w);
}

static void
emit_grid(Unit *u, const Grid *g)
{
	const char *name = u->grid[g->index];
	GString *names = g_string_new(NULL), *extents = g_string_new(NULL);

	for (int a = 0; a < g->rank; a++) {
		const char *comma = a > 0 ? ", " : "";

		if (g->base != NULL) {
			g_string_append_printf(names, "%s\"the extent of %s along %s\"", comma,
				g->name, g->axis[a]);
			g_string_append_printf(extents, "%sstencil_derived(%s, %" G_GINT64_FORMAT
				", %" G_GINT64_FORMAT ")", comma, unit_extent(u, g->base, a),
				g->multiply, g->divide);
			continue;
		}
		if (g->fixed[a] != 0) {
			g_string_append_printf(names, "%s\"the extent along %s\"", comma,
				g->axis[a]);
			g_string_append_printf(extents, "%s%" G_GINT64_FORMAT, comma, g->fixed[a]);
			continue;
		}
		g_string_append_printf(names, "%s\"%s\"", comma,
			args_find(u->members, MEMBER_EXTENT, g, a)->name);
		g_string_append_printf(extents, "%s%s", comma, unit_member(u, MEMBER_EXTENT, g, a));
	}
	wr_line(u->w, "const char *const %s_names[] = { %s };", name, names->str);
	wr_line(u->w, "const int64_t %s_extents[] = { %s };", name, extents->str);
	wr_blank(u->w);
	wr_line(u->w, "STENCIL_TRY(stencil_measure_grid(ctx, \"%s\", &c->%s, %d, %s_names, "
		"%s_extents));", u->s->name, name, g->rank, name, name);
	g_string_free(names, TRUE);
	g_string_free(extents, TRUE);
}

static void
emit_layout(Unit *u, const Field *f)
{
	const Member *pitch = args_find(u->members, MEMBER_PITCH, f, 0);

	wr_line(u->w, "STENCIL_TRY(stencil_lay_out(ctx, \"%s\", \"%s\", &c->%s, &c->%s, %u, %d, "
		"%d, %s, sizeof(%s)));", u->s->name, f->name, u->layout[f->index],
		u->grid[f->grid->index], f->axes, f->components,
		f->interleaved || f->unlaced,
		pitch != NULL ? unit_member(u, MEMBER_PITCH, f, 0) : "0", storage_of(f));
	if (f->masked)
		wr_line(u->w, "STENCIL_TRY(stencil_lay_out(ctx, \"%s\", \"%s\", &c->%s, &c->%s, "
			"%u, %d, 0, 0, 1));", u->s->name, f->name, u->mask_layout[f->index],
			u->grid[f->grid->index], f->axes, f->components);
}

/* As much as a launch of reductions may need, whoever makes them. */
static const char *
partials_bytes(const Unit *u)
{
	int n = 0;

	for (guint i = 0; i < u->s->stages->len; i++)
		n += ((const Stage *)g_ptr_array_index(u->s->stages, i))->kind == STAGE_REDUCE;
	return n == 1 ? "STENCIL_PARTIALS * sizeof(double)" : arena_printf(u->arena,
		"%d * STENCIL_PARTIALS * sizeof(double)", MIN(n, PLAN_MOST_RESULTS));
}

static const char *
slot_bytes(const Unit *u, const Slot *slot)
{
	switch (slot->kind) {
	case SLOT_LEVEL:
	case SLOT_TEMP:
	case SLOT_ROWS:
		return arena_printf(u->arena, "c->%s.bytes", u->layout[slot->field->index]);
	case SLOT_MASK:
		return arena_printf(u->arena, "c->%s.bytes", u->mask_layout[slot->field->index]);
	case SLOT_PARTIALS:
		return partials_bytes(u);
	case SLOT_PROGRESS:
		return "sizeof(stencil_progress)";
	}
	g_assert_not_reached();
}

const char *
unit_set_aside(const Unit *u, const char *ctx, const Slot *slot)
{
	return arena_printf(u->arena, "stencil_set_aside(%s, \"%s\", %s, &c->workspace, &c->%s)",
		ctx, u->s->name, slot_bytes(u, slot), u->slot[slot->index]);
}

static void
emit_head(Unit *u, const char *function)
{
	wr_line(u->w, "static stencil_status");
	wr_line(u->w, "%s_%s(stencil_context *ctx, const %s_args *a, %s_call *c)", u->sched->name,
		function, u->s->name, u->sched->name);
	wr_body(u->w);
}

static void
emit_measure(Unit *u)
{
	Writer *w = u->w;

	wr_line(w, "/* The sizes of the grids, of the fields and of the workspace. */");
	emit_head(u, "measure");
	wr_line(w, "if (a == NULL)");
	wr_line(w, "\treturn stencil_fail(ctx, STENCIL_BAD_ARGUMENT, \"%s: no arguments\");",
		u->s->name);
	wr_blank(w);
	for (guint i = 0; i < u->s->grids->len; i++)
		if (((Grid *)g_ptr_array_index(u->s->grids, i))->base == NULL)
			emit_grid(u, g_ptr_array_index(u->s->grids, i));
	for (guint i = 0; i < u->s->grids->len; i++)
		if (((Grid *)g_ptr_array_index(u->s->grids, i))->base != NULL)
			emit_grid(u, g_ptr_array_index(u->s->grids, i));
	for (guint i = 0; i < u->s->fields->len; i++)
		emit_layout(u, g_ptr_array_index(u->s->fields, i));
	wr_line(w, "c->workspace = 0;");
	for (guint i = 0; i < u->sched->slots->len; i++) {
		const Slot *slot = g_ptr_array_index(u->sched->slots, i);

		if (slot->kind != SLOT_ROWS)
			wr_line(w, "STENCIL_TRY(%s);", unit_set_aside(u, "ctx", slot));
	}
	wr_line(w, "return STENCIL_OK;");
	wr_close(w, "");
	wr_blank(w);
}

/* ---- checks ---- */

static void
emit_ranges(Unit *u)
{
	int n = 0;

	wr_open(u->w, "const stencil_range ranges[] =");
	for (guint i = 0; i < u->members->len; i++) {
		const Member *m = g_ptr_array_index(u->members, i);
		const char *bytes, *type;
		gboolean written = TRUE;

		if (m->kind == MEMBER_FIELD || m->kind == MEMBER_HISTORY) {
			bytes = arena_printf(u->arena, "c->%s.bytes", u->layout[m->field->index]);
			type = storage_of(m->field);
			written = m->field->role == FIELD_OUT || ring_size(m->field) > 1;
		} else if (m->kind == MEMBER_RESULT) {
			type = type_info[m->result->type].storage;
			bytes = arena_printf(u->arena, "sizeof(%s)", type);
		} else {
			continue;
		}
		wr_line(u->w, "{ \"%s\", a->%s, %s, sizeof(%s), %d },", m->name, m->name, bytes,
			type, written);
		n++;
	}
	wr_line(u->w, "{ \"workspace\", a->workspace, a->workspace_size, 16, 1 },");
	wr_close(u->w, ";");
	wr_blank(u->w);
	wr_line(u->w, "STENCIL_TRY(stencil_check_ranges(ctx, \"%s\", ranges, %d + "
		"(a->workspace != NULL)));", u->s->name, n);
}

static void
emit_need(Unit *u, const EdgeNeed *need)
{
	const Grid *g = need->field->grid;
	const char *reach = bound_text(u->arena, need->reach, bound_leaf, u);

	wr_line(u->w, "STENCIL_TRY(stencil_need(ctx, \"%s\", \"%s\", \"%s\", \"%s\", %s, %s, "
		"%s%s));", u->s->name, need->field->name, g->axis[need->axis],
		edge_name[need->kind], unit_extent(u, g, need->axis), reach, reach,
		need->kind == EDGE_MIRROR ? " + 1" : "");
}

/* TEXT as it stands between quotes in C; no trigraph comes about. */
static const char *
quoted(Unit *u, const char *text)
{
	char *escaped = g_strescape(text, NULL);
	GString *safe = g_string_new(NULL);
	const char *kept;

	for (const char *p = escaped; *p != '\0'; p++) {
		if (*p == '?' && p > escaped && p[-1] == '?')
			g_string_append_c(safe, '\\');
		g_string_append_c(safe, *p);
	}
	kept = arena_take(u->arena, safe);
	g_free(escaped);
	return kept;
}

static void
emit_require(Unit *u, const Require *r)
{
	ExprStyle style = { .leaf = unit_leaf, .user = u };
	Names *names = names_new(u->arena, SCOPE_FUNCTION);
	ExprPrinter *p = expr_printer_new(u->arena, names, &style);
	const char *source = quoted(u, r->source != NULL ? r->source : "");
	const char *text = r->text != NULL ? quoted(u, r->text) : NULL;

	names_take(names, "a");
	names_take(names, "c");
	wr_body(u->w);
	expr_declare(p, u->w, &r->condition, 1);
	wr_user_line(u->w, r->at, "if (!(%s))", expr_text(p, r->condition, PREC_SELECT));
	wr_line(u->w, "\treturn stencil_fail(ctx, STENCIL_REQUIRE_FAILED, \"%s: %%s\", "
		"\"%s%s%s%s\");", u->s->name, text != NULL ? text : "", text != NULL ? " (" : "",
		source, text != NULL ? ")" : "");
	wr_close(u->w, "");
	expr_printer_free(p);
	names_free(names);
}

static void
emit_prepare(Unit *u)
{
	Writer *w = u->w;
	const Stencil *s = u->s;
	const Grid *g = s->default_grid;

	wr_line(w, "/* Everything that can be wrong with a call; nothing is written before. */");
	emit_head(u, "prepare");
	wr_line(w, "STENCIL_TRY(%s_measure(ctx, a, c));", u->sched->name);
	if (g != NULL) {
		GString *axes = g_string_new(NULL);

		for (int a = 0; a < g->rank; a++)
			g_string_append_printf(axes, "%s\"%s\"", a > 0 ? ", " : "", g->axis[a]);
		wr_blank(w);
		wr_line(w, "const char *const axes[] = { %s };", axes->str);
		wr_blank(w);
		wr_line(w, "c->box = a->box;");
		wr_line(w, "STENCIL_TRY(stencil_check_box(ctx, \"%s\", &c->box, &c->%s, %d, "
			"axes));", s->name, u->grid[g->index], g->rank);
		g_string_free(axes, TRUE);
	}
	if (s->stepped || s->uses_step)
		wr_line(w, "STENCIL_TRY(stencil_check_steps(ctx, \"%s\", %s, %s));", s->name,
			s->stepped ? unit_member(u, MEMBER_STEPS, NULL, 0) : "1",
			s->uses_step ? unit_member(u, MEMBER_T0, NULL, 0) : "0");
	for (guint i = 0; i < s->needs->len; i++)
		emit_need(u, g_ptr_array_index(s->needs, i));
	wr_blank(w);
	emit_ranges(u);
	for (guint i = 0; i < s->requires->len; i++)
		emit_require(u, g_ptr_array_index(s->requires, i));
	wr_line(w, "return STENCIL_OK;");
	wr_close(w, "");
	wr_blank(w);
}

/* ---- the functions beside the main one ---- */

static const char *
constant_text(const Unit *u, Type type, const Expr *e)
{
	if (e == NULL)
		return "0";
	return type_is_real(type) ? real_text(u->arena, type, e->real).text
		: integer_text(u->arena, type, e->integer).text;
}

static void
emit_table_default(Unit *u, const Table *t)
{
	GString *values = g_string_new(NULL);
	const char *member = unit_member(u, MEMBER_TABLE, t, 0);
	gboolean half = t->type == TYPE_F16 || t->type == TYPE_BF16;

	for (int i = 0; i < t->size; i++)
		g_string_append_printf(values, "%s%s", i > 0 ? ", " : "",
			constant_text(u, t->type, t->init[i]));
	wr_body(u->w);
	wr_line(u->w, "static const %s values[] = { %s };", half ? "float"
		: type_info[t->type].storage, values->str);
	wr_blank(u->w);
	if (half) {
		wr_line(u->w, "for (int i = 0; i < %d; i++)", t->size);
		wr_line(u->w, "\t(%s)[i] = %s;", unit_table(u, t), store_text(u->arena, t->type,
			"values[i]"));
	} else {
		wr_line(u->w, "memcpy(%s, values, sizeof values);", member);
	}
	wr_close(u->w, "");
	g_string_free(values, TRUE);
}

static void
emit_init(Unit *u)
{
	Writer *w = u->w;

	wr_line(w, "STENCIL_WEAK void");
	wr_line(w, "%s_args_init(%s_args *a)", u->s->name, u->s->name);
	wr_body(w);
	wr_line(w, "memset(a, 0, sizeof *a);");
	for (guint i = 0; i < u->s->scalars->len; i++) {
		const Scalar *v = g_ptr_array_index(u->s->scalars, i);

		if (v->init != NULL)
			wr_line(w, "%s = %s;", unit_member(u, MEMBER_SCALAR, v, 0),
				store_text(u->arena, v->type, constant_text(u, v->type, v->init)));
	}
	for (guint i = 0; i < u->s->tables->len; i++) {
		const Table *t = g_ptr_array_index(u->s->tables, i);

		if (t->init != NULL)
			emit_table_default(u, t);
	}
	if (u->s->stepped && u->s->steps != 0)
		wr_line(w, "%s = %" G_GINT64_FORMAT ";", unit_member(u, MEMBER_STEPS, NULL, 0),
			u->s->steps);
	wr_close(w, "");
	wr_blank(w);
}

/* What rows as they are take, or padded ones, or a call with a box, if that is another function. */
static void
emit_largest(Unit *u)
{
	const Schedule *sched = u->sched;
	const char *largest = "c.workspace";

	wr_line(u->w, "if (%s_measure(NULL, a, &c) != STENCIL_OK)", sched->name);
	wr_line(u->w, "\treturn 0;");
	wr_blank(u->w);
	if (sched->padding.grid != NULL) {
		wr_line(u->w, "const size_t packed = %s, padded = %s_pad(&c);",
			sched->direct == NULL ? largest
			: arena_printf(u->arena, "%s_workspace(a)", sched->direct->name),
			sched->name);
		largest = "padded > packed ? padded : packed";
	}
	if (sched->boxed != NULL) {
		wr_line(u->w, "const size_t whole = %s, boxed = %s_workspace(a);", largest,
			sched->boxed->name);
		largest = "boxed > whole ? boxed : whole";
	}
	wr_blank(u->w);
	wr_line(u->w, "return %s;", largest);
}

/* Of a program with both the device's function is the one: it never asks for less than the
 * host's (schedule/schedule.h). */
static void
emit_workspace(Unit *u)
{
	Writer *w = u->w;
	const char *name = u->sched->name;

	wr_line(w, u->target == TARGET_HOST ? "STENCIL_WEAK size_t" : unit_is_inner(u)
		? "static size_t" : "size_t");
	wr_line(w, "%s_workspace(const %s_args *a)", name, u->s->name);
	wr_body(w);
	wr_line(w, "%s_call c%s;", name, u->target == TARGET_HOST ? " = { 0 }" : " = {}");
	wr_blank(w);
	if (u->sched->padding.grid != NULL || u->sched->boxed != NULL)
		emit_largest(u);
	else
		wr_line(w, "return %s_measure(NULL, a, &c) == STENCIL_OK ? c.workspace : 0;", name);
	wr_close(w, "");
	wr_blank(w);
}

void
emit_entry(Unit *u)
{
	emit_call_struct(u);
	emit_measure(u);
	emit_pad(u);
	emit_prepare(u);
	if (!unit_is_inner(u))
		emit_init(u);
	if (!unit_is_first(u))
		emit_workspace(u);
}

/* ---- in the main function ---- */

static void
emit_ring(Unit *u, const Field *f)
{
	GString *slots = g_string_new(NULL);
	int r = unit_ring(u, f), own = f->history + 1;

	for (int k = 0; k < own; k++)
		g_string_append_printf(slots, "%s%s", k > 0 ? ", " : "", rows_pointer(u, f, -k));
	for (int n = 1; n <= r - own; n++)
		g_string_append_printf(slots, ", (%s *)stencil_at(memory, c->%s)", storage_of(f),
			u->slot[schedule_level(u->sched, f, n)->index]);
	wr_line(u->w, "%s *const %s[%d] = { %s };", storage_of(f), u->pointer[f->index], r,
		slots->str);
	g_string_free(slots, TRUE);
}

static gboolean
stores(const Plan *plan, const Field *f)
{
	for (int k = 0; k < plan->n_stages; k++)
		if (plan->stages[k].stage->target == f && !plan->stages[k].passing)
			return TRUE;
	return FALSE;
}

/* TRUE if F, which is none of the caller's, is in memory: some launch writes it, if only one of
 * single steps, or it was before them; else it only goes through registers. */
static gboolean
is_stored(const Unit *u, const Field *f)
{
	if (f->stays)
		return TRUE;
	for (guint i = 0; i < u->sched->launches->len; i++) {
		const Plan *plan = ((const Launch *)g_ptr_array_index(u->sched->launches, i))->plan;

		if (stores(plan, f))
			return TRUE;
		for (plan = plan->rest; plan != NULL; plan = plan->then)
			if (stores(plan, f))
				return TRUE;
	}
	return u->target == TARGET_HOST;
}

void
emit_buffers(Unit *u)
{
	const Slot *partials = schedule_special(u->sched, SLOT_PARTIALS);
	const Slot *progress = schedule_special(u->sched, SLOT_PROGRESS);

	for (guint i = 0; i < u->s->fields->len; i++) {
		const Field *f = g_ptr_array_index(u->s->fields, i);
		const Slot *slot = schedule_slot(u->sched, f, FALSE);
		const Slot *mask = f->masked ? schedule_slot(u->sched, f, TRUE) : NULL;

		if (ring_size(f) > 1)
			emit_ring(u, f);
		else if (rows_copied(u, f))
			emit_rows_pointer(u, f);
		else if (slot != NULL && is_stored(u, f))
			wr_line(u->w, "%s *const %s = (%s *)stencil_at(memory, c->%s);",
				storage_of(f), u->pointer[i], storage_of(f), u->slot[slot->index]);
		if (mask != NULL)
			wr_line(u->w, "uint8_t *const %s = (uint8_t *)stencil_at(memory, c->%s);",
				u->mask[i], u->slot[mask->index]);
	}
	if (u->target == TARGET_HOST)
		return;
	if (partials != NULL)
		wr_line(u->w, "void *const partials = stencil_at(memory, c->%s);",
			u->slot[partials->index]);
	if (progress != NULL)
		wr_line(u->w, "stencil_progress *const progress = (stencil_progress *)"
			"stencil_at(memory, c->%s);", u->slot[progress->index]);
}

/* A box of STAGE's grid; REGION NULL: all of it.  An axis that the stage does not
 * run along, and that of a scan if LINES, is one cell thick. */
static void
emit_box(Unit *u, const char *name, const Stage *stage, const Region *region, gboolean lines)
{
	GString *lo = g_string_new(NULL), *hi = g_string_new(NULL);

	for (int a = 0; a < IR_MAX_RANK; a++) {
		gboolean runs = a < stage->grid->rank && (stage->axes & AXIS_BIT(a))
			&& !(lines && stage->axis == a);
		const char *comma = a > 0 ? ", " : "";

		g_string_append_printf(lo, "%s%s", comma, runs && region != NULL
			? narrow_bound(u, region->lo[a]) : "0");
		g_string_append_printf(hi, "%s%s", comma, !runs ? "1" : region != NULL
			? narrow_bound(u, region->hi[a]) : unit_extent(u, stage->grid, a));
	}
	wr_line(u->w, "const stencil_cells %s = { { %s }, { %s } };", name, lo->str, hi->str);
	g_string_free(lo, TRUE);
	g_string_free(hi, TRUE);
}

/* Those of the stages that have one of their own, each once. */
static void
emit_regions(Unit *u, const Launch *l)
{
	const PlanStage *all = l->plan->stages;

	for (int i = 0; i < l->plan->n_stages; i++) {
		const char *name = u->region[all[i].stage->index];
		int before = i;

		while (before-- > 0 && u->region[all[before].stage->index] != name)
			;
		if (name != NULL && before < 0)
			emit_box(u, name, all[i].stage, &all[i].stage->region, FALSE);
	}
}

static void
emit_starts(Unit *u, const Launch *l)
{
	for (int i = 0; i < l->plan->n_stages; i++) {
		const Stage *s = l->plan->stages[i].stage;

		if (u->start[s->index] != NULL)
			emit_box(u, u->start[s->index], s, &s->start_region, FALSE);
	}
}

void
emit_boxes(Unit *u)
{
	for (guint i = 0; i < u->sched->launches->len; i++) {
		const Launch *l = g_ptr_array_index(u->sched->launches, i);
		const Stage *s = launch_stored(l);
		Region box = s->region;

		scan_is_boxed(u, s, &box);
		emit_box(u, u->cells[i], s, launch_is_everywhere(u, l) ? NULL : &box,
			s->kind == STAGE_SCAN && u->target == TARGET_HOST);
		if (!l->part)
			emit_regions(u, l);
		emit_starts(u, l);
	}
}
