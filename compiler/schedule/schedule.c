/* schedule.c: stages to launches. */
#include "schedule/schedule.h"

#include "schedule/buffers.h"

const char *const slot_kind_name[] = { "level", "temp", "mask", "partials", "progress", "rows" };

int
ring_size(const Field *field)
{
	return field->role == FIELD_INOUT && field->stepped ? field->history + 2 : 1;
}

int
ring_slot(int level, gint64 step, int r)
{
	return (int)(((-level - step) % r + r) % r);
}

typedef struct {
	const Stage *stage;
	gboolean several; /* fields are stepped or read */
	gboolean far;     /* a tap is farther away than PAST_REACH */
	gboolean may;
} Sweep;

/* Only fields of the stage's cells are read. */
static void
look_at_tap(Expr *e, gpointer user)
{
	Sweep *sweep = user;
	const Field *f = e->op == EXPR_TAP ? e->tap.field : sweep->stage->target;

	for (int a = 0; a < f->grid->rank && e->op == EXPR_TAP; a++)
		sweep->far = sweep->far || ABS(e->tap.map[a].offset) > PAST_REACH;
	sweep->several = sweep->several || f != sweep->stage->target;
	sweep->may = sweep->may && f->grid == sweep->stage->grid && f->axes == sweep->stage->axes;
}

/* In a volume several fields are stepped together only where they are read nearby. */
static gboolean
stage_may_sweep(const Stage *stage, const Grid *grid, gboolean several)
{
	Sweep sweep = { stage, several, FALSE, stage->kind == STAGE_MAP && stage->grid == grid
		&& stage->target->stepped };

	if (sweep.may)
		expr_visit((Expr *const *)&stage->value, 1, look_at_tap, &sweep);
	return sweep.may && (grid->rank == 2 || !sweep.several || !sweep.far);
}

gboolean
schedule_may_sweep(const Stencil *s)
{
	const Stage *first = s->stages->len > 0 ? g_ptr_array_index(s->stages, 0) : NULL;
	gboolean may = first != NULL && s->until.condition == NULL && !s->uses_step
		&& (first->grid->rank == 2 || first->grid->rank == 3);

	for (guint i = 0; i < s->stages->len && may; i++)
		may = stage_may_sweep(g_ptr_array_index(s->stages, i), first->grid,
			s->stages->len > 1);
	return may;
}

/* TRUE if some launch is such a sweep. */
static gboolean
has_sweeps(const Schedule *sched)
{
	for (guint i = 0; i < sched->plans->len; i++)
		if (((const Plan *)g_ptr_array_index(sched->plans, i))->rest != NULL)
			return TRUE;
	return FALSE;
}

int
schedule_ring(const Schedule *sched, const Field *field)
{
	int r = ring_size(field);

	return r > 1 && has_sweeps(sched) ? 2 * (r - 1) : r;
}

int
schedule_skips(const Schedule *sched, const Field *field)
{
	return has_sweeps(sched) ? field->history : 0;
}

typedef struct {
	const Result *result;
	gboolean found;
} Search;

static void
find_result(Expr *e, gpointer user)
{
	Search *s = user;

	if (e->op == EXPR_RESULT && e->result == s->result)
		s->found = TRUE;
}

/* TRUE if a stage reads RESULT while the steps go on. */
static gboolean
is_read(const Stencil *s, const Result *result)
{
	Search search = { result, FALSE };

	for (guint i = 0; i < s->stages->len; i++)
		stage_taps(g_ptr_array_index(s->stages, i), find_result, &search);
	return search.found;
}

/* The grid of the first launch that wants it; the least number of steps of all. */
static void
find_padding(Schedule *sched)
{
	Padding *padding = &sched->padding;

	for (guint i = 0; i < sched->launches->len; i++) {
		const Launch *l = g_ptr_array_index(sched->launches, i);

		if (padding->grid == NULL && l->plan->padded)
			*padding = (Padding){ l->stage->grid, l->stage->grid->rank - 1, 1,
				l->plan->from };
		if (!schedule_pads_for(sched, l))
			continue;
		for (const Plan *plan = l->plan; plan != NULL; plan = plan->rest)
			padding->width = MAX(padding->width, plan->width);
		padding->from = MIN(padding->from, l->plan->from);
	}
}

static void
add_launch(Schedule *sched, const Plan *plan, gboolean part, Arena *arena)
{
	Launch *l = arena_make(arena, Launch);

	l->plan = plan;
	l->stage = plan->stage;
	l->tested_only = l->stage->kind == STAGE_REDUCE && sched->stencil->stepped
		&& !is_read(sched->stencil, l->stage->result);
	l->part = part;
	g_ptr_array_add(sched->launches, l);
}

Schedule *
schedule_new(const Stencil *s, GPtrArray *plans, Arena *arena)
{
	Schedule *sched = g_new0(Schedule, 1);

	sched->stencil = s;
	sched->plans = plans;
	sched->launches = g_ptr_array_new();
	sched->buffers = g_ptr_array_new();
	sched->slots = g_ptr_array_new();
	for (guint i = 0; i < plans->len; i++) {
		const Plan *plan = g_ptr_array_index(plans, i), *rest = plan->rest;

		add_launch(sched, plan, FALSE, arena);
		for (rest = rest != NULL ? rest->then : NULL; rest != NULL; rest = rest->then)
			add_launch(sched, rest, TRUE, arena);
	}
	find_padding(sched);
	schedule_buffers(sched, arena);
	return sched;
}

void
schedule_free(Schedule *sched)
{
	if (sched == NULL)
		return;
	g_ptr_array_unref(sched->launches);
	g_ptr_array_unref(sched->buffers);
	g_ptr_array_unref(sched->slots);
	g_free(sched);
}

const Slot *
schedule_slot(const Schedule *sched, const Field *field, gboolean mask)
{
	return sched->slot_of[field->index][mask];
}

const Slot *
schedule_level(const Schedule *sched, const Field *field, int n)
{
	for (guint i = 0; i < sched->slots->len; i++) {
		const Slot *slot = g_ptr_array_index(sched->slots, i);

		if (slot->kind == SLOT_LEVEL && slot->field == field && slot->level == n)
			return slot;
	}
	return NULL;
}

const Slot *
schedule_special(const Schedule *sched, SlotKind kind)
{
	for (guint i = 0; i < sched->slots->len; i++) {
		const Slot *slot = g_ptr_array_index(sched->slots, i);

		if (slot->kind == kind)
			return slot;
	}
	return NULL;
}

gboolean
schedule_pads(const Schedule *sched, const Field *field)
{
	return sched->padding.grid != NULL && field->grid == sched->padding.grid
		&& (field->axes & AXIS_BIT(sched->padding.axis));
}

gboolean
schedule_pads_for(const Schedule *sched, const Launch *l)
{
	return l->plan->padded && l->stage->grid == sched->padding.grid;
}

const Slot *
schedule_copy(const Schedule *sched, const Field *field, int level)
{
	for (guint i = 0; i < sched->slots->len; i++) {
		const Slot *slot = g_ptr_array_index(sched->slots, i);

		if (slot->kind == SLOT_ROWS && slot->field == field && slot->level == level)
			return slot;
	}
	return NULL;
}

gboolean
schedule_writes(const Schedule *sched, const Field *field)
{
	for (guint i = 0; i < sched->stencil->stages->len; i++) {
		const Stage *s = g_ptr_array_index(sched->stencil->stages, i);

		if (s->kind != STAGE_REDUCE && s->target == field)
			return field->role != FIELD_TEMP;
	}
	return FALSE;
}
