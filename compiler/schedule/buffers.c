#include "schedule/buffers.h"

#include <string.h>

void
stage_taps(const Stage *stage, ExprVisit fn, gpointer user)
{
	GPtrArray *roots = g_ptr_array_new();
	const Region *regions[] = { &stage->region, &stage->start_region };

	g_ptr_array_add(roots, stage->value);
	if (stage->kind == STAGE_SCAN && stage->start != NULL)
		g_ptr_array_add(roots, stage->start);
	for (gsize r = 0; r < G_N_ELEMENTS(regions); r++)
		for (int i = 0; i < regions[r]->n_guards; i++)
			g_ptr_array_add(roots, regions[r]->guard[i]);
	expr_visit((Expr *const *)roots->pdata, (int)roots->len, fn, user);
	g_ptr_array_unref(roots);
}

typedef struct {
	const Field *field;
	gboolean found;
} Search;

static void
find_tap(Expr *e, gpointer user)
{
	Search *s = user;

	if (e->op == EXPR_TAP && e->tap.field == s->field)
		s->found = TRUE;
}

static gboolean
uses(const Stage *stage, const Field *field)
{
	Search s = { field, FALSE };

	if (stage->kind != STAGE_REDUCE && stage->target == field)
		return TRUE;
	stage_taps(stage, find_tap, &s);
	return s.found;
}

static const char *
unique_name(const Schedule *sched, Arena *arena, const char *base)
{
	const char *name = base;

	for (int n = 2;; n++) {
		gboolean taken = FALSE;

		for (guint i = 0; i < sched->slots->len; i++)
			taken = taken
				|| strcmp(((Slot *)g_ptr_array_index(sched->slots, i))->name,
				name) == 0;
		if (!taken)
			return name;
		name = arena_printf(arena, "%s_%d", base, n);
	}
}

static Slot *
add_slot(Schedule *sched, Arena *arena, SlotKind kind, const Field *field, const char *base)
{
	Slot *slot = arena_make(arena, Slot);

	slot->kind = kind;
	slot->field = field;
	slot->name = unique_name(sched, arena, base);
	slot->index = (int)sched->slots->len;
	g_ptr_array_add(sched->slots, slot);
	return slot;
}

/* A buffer of FIELD that is alive while launches of one step use it; NULL where
 * none does. */
static Buffer *
add_buffer(Schedule *sched, Arena *arena, const Field *field, gboolean mask)
{
	Buffer *b = arena_make(arena, Buffer);

	b->field = field;
	b->mask = mask;
	b->first = -1;
	for (guint i = 0; i < sched->launches->len; i++) {
		const Launch *l = g_ptr_array_index(sched->launches, i);

		if (!uses(l->stage, field))
			continue;
		if (b->first < 0)
			b->first = (int)i;
		b->last = (int)i;
	}
	if (b->first < 0)
		return NULL;
	g_ptr_array_add(sched->buffers, b);
	return b;
}

static gboolean
same_shape(const Field *a, const Field *b, gboolean mask)
{
	return a->grid == b->grid && a->axes == b->axes && a->components == b->components
		&& (mask || type_info[a->type].bytes == type_info[b->type].bytes);
}

/* TRUE if nothing that SLOT holds is alive between FIRST and LAST. */
static gboolean
is_free(const Schedule *sched, const Slot *slot, const Buffer *b)
{
	for (guint i = 0; i < sched->buffers->len; i++) {
		const Buffer *other = g_ptr_array_index(sched->buffers, i);

		if (other->slot == slot && other->first <= b->last && b->first <= other->last)
			return FALSE;
	}
	return TRUE;
}

static void
place(Schedule *sched, Arena *arena, Buffer *b)
{
	SlotKind kind = b->mask ? SLOT_MASK : SLOT_TEMP;

	for (guint i = 0; i < sched->slots->len && b->slot == NULL; i++) {
		Slot *slot = g_ptr_array_index(sched->slots, i);

		if (slot->kind == kind && same_shape(slot->field, b->field, b->mask)
			&& is_free(sched, slot, b))
			b->slot = slot;
	}
	if (b->slot == NULL)
		b->slot = add_slot(sched, arena, kind, b->field, b->mask
			? arena_printf(arena, "%s_mask", b->field->name) : b->field->name);
}

void
schedule_buffers(Schedule *sched, Arena *arena)
{
	const Stencil *s = sched->stencil;

	for (guint i = 0; i < s->fields->len; i++) {
		const Field *f = g_ptr_array_index(s->fields, i);

		if (ring_size(f) > 1)
			add_slot(sched, arena, SLOT_LEVEL, f,
				arena_printf(arena, "%s_next", f->name));
	}
	for (guint i = 0; i < s->fields->len; i++) {
		const Field *f = g_ptr_array_index(s->fields, i);

		for (int mask = 0; mask < 2; mask++) {
			Buffer *b = NULL;

			if (mask ? f->masked : f->role == FIELD_TEMP)
				b = add_buffer(sched, arena, f, mask);
			if (b != NULL)
				place(sched, arena, b);
		}
	}
	for (guint i = 0; i < sched->launches->len; i++) {
		const Launch *l = g_ptr_array_index(sched->launches, i);

		if (l->stage->kind == STAGE_REDUCE
			&& schedule_special(sched, SLOT_PARTIALS) == NULL)
			add_slot(sched, arena, SLOT_PARTIALS, NULL, "partials");
	}
	if (s->until.condition != NULL)
		add_slot(sched, arena, SLOT_PROGRESS, NULL, "progress");
}
