#include "emit/unit.h"

#include "ir/look.h"
#include "plan/line.h"

#include "emit/rows.h"
#include "schedule/fuse.h"

const SweepNames sweep_names[VARIANT_N] = {
	[VARIANT_TILED] = { "tiled", "fits", "whole", "inner" },
	[VARIANT_RAGGED] = { "tiled", "fits", "whole", "inner" },
	[VARIANT_FEWER] = { "fewer", "fewer_fits", "fewer_whole", "fewer_inner" },
	[VARIANT_SLIM] = { .shape = "slim" },
	[VARIANT_TURNED] = { "turned", "turned_fits", "turned_whole", "turned_inner" },
	[VARIANT_LOOSE] = { "loose", "loose_fits", "loose_whole", "loose_inner" },
};

static const char *
grid_member(Unit *u, Names *names, const Grid *g)
{
	return g->name == NULL ? names_take(names, "grid")
		: names_take(names, arena_printf(u->arena, "grid_%s", g->name));
}

/* The members of NAME_call. */
static void
name_call(Unit *u)
{
	const Stencil *s = u->s;
	Names *names = names_new(u->arena, SCOPE_MEMBERS);

	names_take(names, "box");
	names_take(names, "workspace");
	for (guint i = 0; i < s->grids->len; i++)
		u->grid[i] = grid_member(u, names, g_ptr_array_index(s->grids, i));
	for (guint i = 0; i < s->fields->len; i++) {
		const Field *f = g_ptr_array_index(s->fields, i);

		u->layout[i] = names_take(names, f->name);
		if (f->masked)
			u->mask_layout[i] = names_takef(names, "%s_mask", f->name);
	}
	for (guint i = 0; i < u->sched->slots->len; i++) {
		const Slot *slot = g_ptr_array_index(u->sched->slots, i);

		u->slot[i] = names_takef(names, "at_%s", slot->name);
	}
	names_free(names);
}

/* The names that the function itself has for what it declares. */
static void
take_own_names(Names *names)
{
	static const char *const own[] = {
		"ctx", "a", "call", "c", "device", "memory", "owned", "packed", "padded",
		"partials", "progress", "step", "stop", "done", "sweeps", "left", "by_fewer",
		"ragged", "beside", "mail", "enters", "leaves", "slot", "back",
	};

	for (gsize i = 0; i < G_N_ELEMENTS(own); i++)
		names_take(names, own[i]);
	for (Variant v = 0; v < VARIANT_N; v++) {
		const SweepNames *of = &sweep_names[v];
		const char *const all[] = { of->shape, of->fits, of->whole, of->inner };

		for (gsize i = 0; i < G_N_ELEMENTS(all) && v != VARIANT_RAGGED; i++)
			if (all[i] != NULL)
				names_take(names, all[i]);
	}
}

/* The local names of the function that runs the stencil. */
static void
name_memory(Unit *u)
{
	const Stencil *s = u->s;

	take_own_names(u->names);
	for (guint i = 0; i < s->fields->len; i++) {
		const Field *f = g_ptr_array_index(s->fields, i);

		u->pointer[i] = !field_is_callers(f) || ring_size(f) > 1 || rows_copied(u, f)
			? names_take(u->names, f->name) : unit_member(u, MEMBER_FIELD, f, 0);
		if (f->masked)
			u->mask[i] = names_takef(u->names, "%s_mask", f->name);
	}
}

/* Stage N of L runs where those do that read it. */
static gboolean
is_inside(const Launch *l, int n)
{
	return l->plan->stages[n].passing && l->stage->kind != STAGE_SCAN;
}

/* STAGE is a scan whose lines all begin, by a first value, at the edge of the grid, and go on to
 * the other: it needs no test, though the value itself could not be computed at the first cell. */
static gboolean
has_whole_lines(const Unit *u, const Stage *stage)
{
	Region box;

	return u->target == TARGET_CUDA && stage->kind == STAGE_SCAN && stage->start != NULL
		&& region_is_whole(u->s, stage, &stage->start_region)
		&& line_runs(u->s, stage, &box) && region_is_whole(u->s, stage, &box);
}

/* The box of stage N of a launch that runs over more; of equal boxes the first. */
static void
name_region(Unit *u, const Launch *l, int n)
{
	const PlanStage *all = l->plan->stages;
	const Stage *s = all[n].stage;
	int first = 0;

	if (is_inside(l, n) || !launch_is_everywhere(u, l)
		|| region_is_whole(u->s, s, &s->region) || has_whole_lines(u, s))
		return;
	while (is_inside(l, first) || has_whole_lines(u, all[first].stage)
		|| !fuse_same_box(all[first].stage, s))
		first++;
	u->region[s->index] = first < n ? u->region[all[first].stage->index]
		: names_takef(u->names, "%s_region", all[n].name);
}

/* The box where stage N of L, a scan, may begin, where the launch runs over more. */
static void
name_start(Unit *u, const Launch *l, int n)
{
	const Stage *s = l->plan->stages[n].stage;

	if (s->kind == STAGE_SCAN && s->start != NULL && launch_is_everywhere(u, l)
		&& !region_is_whole(u->s, s, &s->start_region))
		u->start[s->index] = names_takef(u->names, "%s_start", l->plan->stages[n].name);
}

/* The functions and boxes of the launches. */
static void
name_launches(Unit *u)
{
	for (guint i = 0; i < u->sched->launches->len; i++) {
		const Launch *l = g_ptr_array_index(u->sched->launches, i);
		const char *name = l->plan->name;

		u->kernel[i] = arena_printf(u->arena, "%s_k%u_%s", u->sched->name, i, name);
		u->cells[i] = names_takef(u->names, "%s_cells", name);
		u->shape[i] = names_takef(u->names, "%s_shape", name);
		for (int n = 0; n < l->plan->n_stages && !l->part; n++)
			name_region(u, l, n);
		for (int n = 0; n < l->plan->n_stages; n++)
			name_start(u, l, n);
	}
}

static gboolean
has_tiles(const Schedule *sched)
{
	for (guint i = 0; i < sched->launches->len; i++)
		if (((const Launch *)g_ptr_array_index(sched->launches, i))->plan->strategy
			!= STRATEGY_NAIVE)
			return TRUE;
	return FALSE;
}

/* One for each of LIST. */
static const char **
texts_for(const Unit *u, const GPtrArray *list)
{
	return arena_array(u->arena, const char *, list->len + 1);
}

static void
find_extreme(Expr *e, gpointer user)
{
	gboolean *found = user;

	*found = *found || (expr_is_extreme(e) && type_kind(e->type) == TYPE_I32);
}

static gboolean
has_extremes(const Stencil *s)
{
	gboolean found = FALSE;

	for (guint i = 0; i < s->stages->len && !found; i++)
		stage_taps(g_ptr_array_index(s->stages, i), find_extreme, &found);
	return found;
}

Unit *
unit_new(const Schedule *sched, Target target, const EmitOptions *o, Writer *w)
{
	Unit *u = g_new0(Unit, 1);
	const Stencil *s = sched->stencil;

	u->s = s;
	u->sched = sched;
	u->options = o;
	u->target = target;
	u->tiles = target == TARGET_CUDA && has_tiles(sched);
	u->arena = arena_new();
	u->w = w;
	u->has_extremes = has_extremes(s);
	u->members = args_members(s, u->arena);
	u->grid = texts_for(u, s->grids);
	u->layout = texts_for(u, s->fields);
	u->mask_layout = texts_for(u, s->fields);
	u->slot = texts_for(u, sched->slots);
	u->pointer = texts_for(u, s->fields);
	u->mask = texts_for(u, s->fields);
	u->kernel = texts_for(u, sched->launches);
	u->cells = texts_for(u, sched->launches);
	u->shape = texts_for(u, sched->launches);
	u->region = texts_for(u, s->stages);
	u->start = texts_for(u, s->stages);
	u->names = names_new(u->arena, SCOPE_FUNCTION);
	name_call(u);
	name_memory(u);
	name_launches(u);
	return u;
}

void
unit_free(Unit *u)
{
	g_ptr_array_unref(u->members);
	names_free(u->names);
	arena_free(u->arena);
	g_free(u);
}

gboolean
unit_is_inner(const Unit *u)
{
	return u->sched->name != u->s->name;
}

gboolean
unit_is_first(const Unit *u)
{
	for (guint i = 0; i < u->s->fields->len; i++) {
		const Field *f = g_ptr_array_index(u->s->fields, i);

		if (f->stays)
			return f->role == FIELD_OUT;
	}
	return FALSE;
}

const char *
unit_member(const Unit *u, MemberKind kind, const void *of, int number)
{
	return arena_printf(u->arena, "a->%s", args_find(u->members, kind, of, number)->name);
}

const char *
unit_extent(const Unit *u, const Grid *grid, int axis)
{
	if (grid->base == NULL && grid->fixed[axis] != 0)
		return arena_printf(u->arena, "%" G_GINT64_FORMAT, grid->fixed[axis]);
	return arena_printf(u->arena, "c->%s.extent[%d]", u->grid[grid->index], axis);
}

gboolean
fills_missing(const Unit *u, const Stage *stage)
{
	return u->tiles && stage->kind != STAGE_REDUCE && stage->target->role == FIELD_TEMP;
}

gboolean
stores_gaps(const Unit *u, const Stage *stage)
{
	return stage->target->role == FIELD_INOUT || fills_missing(u, stage);
}

gboolean
scan_is_boxed(const Unit *u, const Stage *stage, Region *box)
{
	return u->target == TARGET_CUDA && stage->kind == STAGE_SCAN
		&& stage->target->role != FIELD_INOUT && !stage->target->masked
		&& !fills_missing(u, stage) && line_runs(u->s, stage, box);
}

/* Cells that STAGE does not compute need something too. */
static gboolean
runs_everywhere(const Unit *u, const Stage *stage)
{
	if (stage->kind == STAGE_REDUCE)
		return FALSE;
	if (stage->kind == STAGE_SCAN)
		return !scan_is_boxed(u, stage, NULL);
	return stores_gaps(u, stage) || stage->target->masked;
}

const Stage *
launch_stored(const Launch *l)
{
	int i = 0;

	while (is_inside(l, i))
		i++;
	return l->plan->stages[i].stage;
}

/* Launches of A and of B would run over the same cells. */
static gboolean
same_cells(const Unit *u, const Stage *a, const Stage *b)
{
	Region box[2] = { a->region, b->region };

	scan_is_boxed(u, a, &box[0]);
	scan_is_boxed(u, b, &box[1]);
	return fuse_same_region(a, &box[0], &box[1]);
}

gboolean
launch_is_everywhere(const Unit *u, const Launch *l)
{
	const PlanStage *all = l->plan->stages;
	const Stage *first = launch_stored(l);

	if (plan_makes_steps(l->plan))
		return TRUE;
	for (int i = 0; i < l->plan->n_stages; i++)
		if (!is_inside(l, i) && (runs_everywhere(u, all[i].stage)
			|| !same_cells(u, all[i].stage, first)))
			return TRUE;
	return FALSE;
}

static gboolean
has_sweeps(const Unit *u)
{
	return u->target == TARGET_CUDA && schedule_has_sweeps(u->sched);
}

const char *
unit_done(const Unit *u)
{
	return has_sweeps(u) ? "done" : "step + 1";
}

const char *
unit_step(const Unit *u, const Stage *stage)
{
	gboolean *looks, past;

	if (!has_sweeps(u))
		return "step";
	looks = stencil_looks(u->s);
	past = stage == NULL || looks[stage->index];
	g_free(looks);
	return past ? "done - 1" : "done";
}

const char *
unit_test_due(const Unit *u)
{
	return arena_printf(u->arena, "%s %% %" G_GINT64_FORMAT " == 0", has_sweeps(u) ? "done"
		: "(step + 1)", u->s->until.every);
}

const char *
unit_tested(const Unit *u)
{
	const char *last = arena_printf(u->arena, "%s == %s", unit_done(u),
		unit_member(u, MEMBER_STEPS, NULL, 0));

	if (u->s->until.condition == NULL)
		return last;
	return arena_printf(u->arena, "%s || %s", unit_test_due(u), last);
}

int
unit_ring(const Unit *u, const Field *field)
{
	return u->target == TARGET_CUDA ? schedule_ring(u->sched, field) : ring_size(field);
}

const char *
unit_turns(const Unit *u, const Field *field, const char *steps)
{
	int skips = u->target == TARGET_CUDA ? schedule_skips(u->sched, field) : 0;

	return skips == 0 ? steps : skips == 1 ? arena_printf(u->arena, "%s + sweeps", steps)
		: arena_printf(u->arena, "%s + %d * sweeps", steps, skips);
}

const char *
unit_level(const Unit *u, const Field *field, int level)
{
	if (ring_size(field) == 1)
		return u->pointer[field->index];
	return arena_printf(u->arena, "%s[stencil_slot(%d, %s, %d)]", u->pointer[field->index],
		level, unit_turns(u, field, "step"), unit_ring(u, field));
}

const char *
unit_table(const Unit *u, const Table *table)
{
	GString *text = g_string_new("&");

	g_string_append(text, unit_member(u, MEMBER_TABLE, table, 0));
	for (int d = 0; d < table->n_dims; d++)
		g_string_append(text, "[0]");
	return arena_take(u->arena, text);
}

/* "a->k[1][2]" */
static const char *
element_place(const Unit *u, const Table *table, int index)
{
	const char *subscripts = "";

	for (int d = table->n_dims; d-- > 0; index /= (int)table->dim_size[d])
		subscripts = arena_printf(u->arena, "[%d]%s", index % (int)table->dim_size[d],
			subscripts);
	return arena_printf(u->arena, "%s%s", unit_member(u, MEMBER_TABLE, table, 0), subscripts);
}

Text
unit_leaf(const Expr *e, gpointer user)
{
	const Unit *u = user;

	switch ((int)e->op) {
	case EXPR_SCALAR:
		return load_text(u->arena, e->type, unit_member(u, MEMBER_SCALAR, e->scalar, 0));
	case EXPR_ELEMENT:
		return load_text(u->arena, e->type,
			element_place(u, e->element.table, e->element.index));
	case EXPR_RESULT:
		return load_text(u->arena, e->type, arena_printf(u->arena, "%s[0]",
			unit_member(u, MEMBER_RESULT, e->result, 0)));
	case EXPR_EXTENT:
		return (Text){ unit_extent(u, e->extent.grid, e->extent.axis), PREC_PRIMARY };
	default:
		g_assert_not_reached();
	}
}
