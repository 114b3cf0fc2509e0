/* schedule.c: stages to launches. */
#include "schedule/schedule.h"

#include "ir/look.h"
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

/* Only fields of the stage's cells are read, or such as vary along some of the axes only. */
static void
look_at_tap(Expr *e, gpointer user)
{
	Sweep *sweep = user;
	const Field *f = e->op == EXPR_TAP ? e->tap.field : sweep->stage->target;

	for (int a = 0; a < f->grid->rank && e->op == EXPR_TAP; a++)
		sweep->far = sweep->far || ABS(e->tap.map[a].offset) > PAST_REACH;
	sweep->several = sweep->several || f != sweep->stage->target;
	sweep->may = sweep->may && f->grid == sweep->stage->grid
		&& (f->axes & ~sweep->stage->axes) == 0;
}

/* Temps may be made on the way.  In a volume several fields are stepped together only where they
 * are read nearby. */
static gboolean
stage_may_sweep(const Stage *stage, const Grid *grid, gboolean several)
{
	const Field *f = stage->target; /* NULL: a reduction */
	Sweep sweep = { stage, several, FALSE, stage->kind == STAGE_MAP && stage->grid == grid
		&& (f->stepped || f->role == FIELD_TEMP) };

	if (sweep.may)
		expr_visit(&stage->value, 1, look_at_tap, &sweep);
	return sweep.may && (grid->rank < 3 || !sweep.several || !sweep.far);
}

gboolean
schedule_may_sweep(const Stencil *s)
{
	GPtrArray *makers = stencil_makers(s);
	const Stage *first = makers->len > 0 ? g_ptr_array_index(makers, 0) : NULL;
	gboolean may = first != NULL && stencil_steps_between(s) > 1;

	for (guint i = 0; i < makers->len && may; i++)
		may = stage_may_sweep(g_ptr_array_index(makers, i), first->grid, makers->len > 1);
	g_ptr_array_unref(makers);
	return may;
}

gboolean
schedule_has_sweeps(const Schedule *sched)
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

	return r > 1 && schedule_has_sweeps(sched) ? 2 * (r - 1) : r;
}

int
schedule_skips(const Schedule *sched, const Field *field)
{
	return schedule_has_sweeps(sched) ? field->history : 0;
}

/* The grid of the first launch that wants it; the least number of steps of all. */
static void
find_padding(Schedule *sched)
{
	Padding *padding = &sched->padding;

	for (guint i = 0; i < sched->launches->len; i++) {
		const Launch *l = g_ptr_array_index(sched->launches, i);

		if (padding->grid == NULL && l->plan->padded)
			*padding = (Padding){ l->stage->grid, TRUE, l->stage->grid->rank - 1, 1,
				l->plan->from, 0, FALSE };
		if (!schedule_pads_for(sched, l))
			continue;
		for (const Plan *plan = l->plan; plan != NULL; plan = plan->rest)
			padding->width = MAX(padding->width, plan->width);
		padding->from = MIN(padding->from, l->plan->from);
		padding->ferries = l->plan->ferries;
		padding->beside = MAX(padding->beside, l->plan->beside);
	}
}

/* That of what is brought into planar copies, if rows need not be padded; where these pay. */
static void
find_copies(Schedule *sched)
{
	Padding *padding = &sched->padding;

	for (guint i = 0; i < sched->stencil->fields->len && padding->grid == NULL; i++) {
		const Field *f = g_ptr_array_index(sched->stencil->fields, i);

		if (f->unlaced)
			*padding = (Padding){ f->grid, FALSE, f->grid->rank - 1, 1, 1, 0, FALSE };
	}
	for (guint i = sched->launches->len; i-- > 0;) {
		const Plan *plan = ((const Launch *)g_ptr_array_index(sched->launches, i))->plan;

		if (plan->layout == LAYOUT_PLANAR && (plan->rest != NULL || plan->from > 1))
			padding->from = plan->from;
	}
}

static gboolean
all_look(const Plan *plan, const gboolean *looks)
{
	gboolean all = TRUE;

	for (int i = 0; i < plan->n_stages; i++)
		all = all && looks[plan->stages[i].stage->index];
	return all;
}

static void
add_launch(Schedule *sched, const Plan *plan, gboolean part, const gboolean *looks, Arena *arena)
{
	Launch *l = arena_make(arena, Launch);

	l->plan = plan;
	l->stage = plan->stage;
	l->tested_only = all_look(plan, looks);
	l->part = part;
	g_ptr_array_add(sched->launches, l);
}

Schedule *
schedule_new(const Stencil *s, GPtrArray *plans, Arena *arena)
{
	Schedule *sched = g_new0(Schedule, 1);
	gboolean *looks = stencil_looks(s);

	sched->stencil = s;
	sched->name = s->name;
	sched->plans = plans;
	sched->launches = g_ptr_array_new();
	sched->buffers = g_ptr_array_new();
	sched->slots = g_ptr_array_new();
	for (guint i = 0; i < plans->len; i++) {
		const Plan *plan = g_ptr_array_index(plans, i), *rest = plan->rest;

		add_launch(sched, plan, FALSE, looks, arena);
		for (rest = rest != NULL ? rest->then : NULL; rest != NULL; rest = rest->then)
			add_launch(sched, rest, TRUE, looks, arena);
	}
	g_free(looks);
	find_padding(sched);
	if (s->unlaced)
		find_copies(sched);
	schedule_buffers(sched, arena);
	return sched;
}

static void
free_beside(Schedule *beside)
{
	if (beside != NULL)
		g_ptr_array_unref(beside->plans);
	schedule_free(beside);
}

void
schedule_free(Schedule *sched)
{
	if (sched == NULL)
		return;
	free_beside(sched->direct);
	free_beside(sched->boxed);
	free_beside(sched->first);
	g_ptr_array_unref(sched->launches);
	g_ptr_array_unref(sched->buffers);
	g_ptr_array_unref(sched->slots);
	g_free(sched);
}

Schedule *
schedule_beside(const Stencil *s, GPtrArray *plans, const char *name, Arena *arena)
{
	Schedule *sched = plans != NULL ? schedule_new(s, plans, arena) : NULL;

	if (sched != NULL)
		sched->name = name;
	return sched;
}

void
schedule_each(const Schedule *sched, ScheduleVisit fn, gpointer user)
{
	if (sched->first != NULL)
		schedule_each(sched->first, fn, user);
	if (sched->boxed != NULL)
		schedule_each(sched->boxed, fn, user);
	if (sched->direct != NULL)
		schedule_each(sched->direct, fn, user);
	fn(sched, user);
}

const Slot *
schedule_slot(const Schedule *sched, const Field *field, gboolean mask)
{
	return sched->slot_of[field->index][mask];
}

/* The slot of LEVEL among those of a field that begin with FIRST (NULL: there are none) and go
 * BY one level from one to the next. */
static const Slot *
find_slot(const Schedule *sched, const Slot *first, int by, int level)
{
	const int at = first != NULL ? first->index + (level - first->level)*by : -1;
	const Slot *slot;

	if (at < 0 || at >= (int)sched->slots->len)
		return NULL;
	slot = g_ptr_array_index(sched->slots, at);
	return slot->kind == first->kind && slot->field == first->field && slot->level == level
		? slot : NULL;
}

const Slot *
schedule_level(const Schedule *sched, const Field *field, int n)
{
	const Slot *first = sched->slot_of[field->index][FALSE];

	return first != NULL && first->kind == SLOT_LEVEL ? find_slot(sched, first, 1, n) : NULL;
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
	return field->unlaced || (sched->padding.rows && field->grid == sched->padding.grid
		&& (field->axes & AXIS_BIT(sched->padding.axis)));
}

gboolean
schedule_pads_for(const Schedule *sched, const Launch *l)
{
	return l->plan->padded && l->stage->grid == sched->padding.grid;
}

const Slot *
schedule_copy(const Schedule *sched, const Field *field, int level)
{
	return find_slot(sched, sched->rows_of[field->index], -1, level);
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

gboolean
schedule_copies(const Schedule *sched, const Slot *slot, gboolean back)
{
	const Field *f = slot->field;
	const gboolean ferried = sched->padding.ferries && slot->kind == SLOT_ROWS
		&& ring_size(f) > 1 && slot->level == (back ? 0 : -f->history);

	return slot->kind == SLOT_ROWS && !ferried && (!back || schedule_writes(sched, f));
}
