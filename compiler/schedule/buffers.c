#include "schedule/buffers.h"

#include "schedule/fuse.h"

typedef struct {
	Life **life; /* by Field.index and component */
	int now;
} Lives;

static void
live(Lives *lives, const Field *field, int component)
{
	Life *life = &lives->life[field->index][component];

	if (life->first < 0)
		life->first = lives->now;
	life->last = lives->now;
}

static void
live_tap(Expr *e, gpointer user)
{
	if (e->op == EXPR_TAP)
		live(user, e->tap.field, e->tap.component);
}

/* That of all components of F. */
static Life
life_of(const Field *f, const Life *life)
{
	Life all = { -1, -1 };

	for (int c = 0; c < f->components; c++) {
		if (life[c].first >= 0 && (all.first < 0 || life[c].first < all.first))
			all.first = life[c].first;
		all.last = MAX(all.last, life[c].last);
	}
	return all;
}

static Life **
find_lives(const Schedule *sched, Arena *arena)
{
	guint n = sched->stencil->fields->len;
	Lives lives = { .life = arena_array(arena, Life *, n) };

	for (guint i = 0; i < n; i++) {
		const Field *f = g_ptr_array_index(sched->stencil->fields, i);

		lives.life[i] = arena_array(arena, Life, f->components);
		for (int c = 0; c < f->components; c++)
			lives.life[i][c] = (Life){ -1, -1 };
	}
	for (guint i = 0; i < sched->stencil->stages->len; i++) {
		const Stage *stage = g_ptr_array_index(sched->stencil->stages, i);

		lives.now = (int)i;
		if (stage->kind != STAGE_REDUCE)
			live(&lives, stage->target, stage->component);
		stage_taps(stage, live_tap, &lives);
	}
	return lives.life;
}

/* ---- launches ---- */

/* A launch that has something in memory has it from its first stage to its last. */
typedef struct {
	const Plan *plan;
	Life stages; /* of the plan */
	Life *held;  /* by Field.index */
} Holder;

static void
hold(const Holder *h, const Field *field)
{
	Life *held = &h->held[field->index];

	held->first = MIN(held->first, h->stages.first);
	held->last = MAX(held->last, h->stages.last);
}

static void
hold_tap(Expr *e, gpointer user)
{
	const Holder *h = user;

	if (e->op == EXPR_TAP && (e->tap.field->masked
		|| fuse_writer(h->plan->stages, h->plan->n_stages, e) < 0))
		hold(h, e->tap.field);
}

static void
hold_launch(const Plan *plan, Life *held)
{
	const int first = plan->stage->index;
	Holder h = { plan, { first, first }, held };

	for (int i = 0; i < plan->n_stages; i++) {
		h.stages.first = MIN(h.stages.first, plan->stages[i].stage->index);
		h.stages.last = MAX(h.stages.last, plan->stages[i].stage->index);
	}
	for (int i = 0; i < plan->n_stages; i++) {
		const Stage *stage = plan->stages[i].stage;

		if (stage->kind != STAGE_REDUCE
			&& (!plan->stages[i].passing || stage->target->masked))
			hold(&h, stage->target);
		stage_taps(stage, hold_tap, &h);
	}
}

/* When each field, by its index, is in memory: of all launches, and of those that may stand
 * in for them. */
static Life *
find_held(const Schedule *sched, Life *const *life, Arena *arena)
{
	const GPtrArray *fields = sched->stencil->fields;
	Life *held = arena_array(arena, Life, fields->len);

	for (guint i = 0; i < fields->len; i++)
		held[i] = life_of(g_ptr_array_index(fields, i), life[i]);
	for (guint i = 0; i < sched->plans->len; i++) {
		const Plan *plan = g_ptr_array_index(sched->plans, i);

		hold_launch(plan, held);
		for (plan = plan->rest; plan != NULL; plan = plan->then)
			hold_launch(plan, held);
	}
	return held;
}

/* ---- slots ---- */

typedef struct {
	Schedule *sched;
	Arena *arena;
	Life **life;       /* by Field.index and component */
	Life *held;        /* by Field.index */
	GHashTable *names; /* of the slots */
	GArray *last;      /* int, by Slot.index: the last stage that uses it so far */
} Builder;

static const char *
unique_name(const Builder *b, const char *base)
{
	const char *name = base;

	for (int n = 2; g_hash_table_contains(b->names, name); n++)
		name = arena_printf(b->arena, "%s_%d", base, n);
	return name;
}

static Slot *
add_slot(Builder *b, SlotKind kind, const Field *field, const char *base)
{
	Slot *slot = arena_make(b->arena, Slot);
	int never = -1;

	slot->kind = kind;
	slot->field = field;
	slot->name = unique_name(b, base);
	slot->index = (int)b->sched->slots->len;
	g_hash_table_add(b->names, (gpointer)slot->name);
	g_array_append_val(b->last, never);
	g_ptr_array_add(b->sched->slots, slot);
	return slot;
}

/* ---- buffers ---- */

static void
add_buffer(Builder *b, const Field *field, gboolean mask)
{
	Buffer *buffer = arena_make(b->arena, Buffer);
	const Life *held = &b->held[field->index];

	if (held->first < 0)
		return;
	*buffer = (Buffer){ field, mask, held->first, held->last, b->life[field->index], NULL };
	g_ptr_array_add(b->sched->buffers, buffer);
}

/* By the first stage; then as the fields are declared. */
static int
compare_buffers(gconstpointer a, gconstpointer b)
{
	const Buffer *p = *(Buffer *const *)a, *q = *(Buffer *const *)b;

	return p->first != q->first ? p->first - q->first
		: p->field != q->field ? p->field->index - q->field->index
		: p->mask - q->mask;
}

static gboolean
same_shape(const Field *a, const Field *b, gboolean mask)
{
	return a->grid == b->grid && a->axes == b->axes && a->components == b->components
		&& (mask || type_info[a->type].bytes == type_info[b->type].bytes);
}

/* The first slot of its shape that is free when the buffer begins: those placed
 * before began earlier. */
static void
place(Builder *b, Buffer *buffer)
{
	SlotKind kind = buffer->mask ? SLOT_MASK : SLOT_TEMP;
	const Field *field = buffer->field;

	for (guint i = 0; i < b->sched->slots->len && buffer->slot == NULL; i++) {
		Slot *slot = g_ptr_array_index(b->sched->slots, i);

		if (g_array_index(b->last, int, i) < buffer->first && slot->kind == kind
			&& same_shape(slot->field, field, buffer->mask))
			buffer->slot = slot;
	}
	if (buffer->slot == NULL)
		buffer->slot = add_slot(b, kind, field, buffer->mask
			? arena_printf(b->arena, "%s_mask", field->name) : field->name);
	g_array_index(b->last, int, buffer->slot->index) = buffer->last;
	b->sched->slot_of[field->index][buffer->mask] = buffer->slot;
}

static gboolean
has_reductions(const Schedule *sched)
{
	const GPtrArray *stages = sched->stencil->stages;

	for (guint i = 0; i < stages->len; i++)
		if (((const Stage *)g_ptr_array_index(stages, i))->kind == STAGE_REDUCE)
			return TRUE;
	return FALSE;
}

/* What stays is there from before the first stage to behind the last step. */
static void
keep_slot(Builder *b, const Field *f)
{
	Slot *slot = add_slot(b, SLOT_TEMP, f, f->name);

	g_array_index(b->last, int, slot->index) = G_MAXINT;
	b->sched->slot_of[f->index][FALSE] = slot;
}

static void
add_buffers(Builder *b)
{
	const Stencil *s = b->sched->stencil;

	for (guint i = 0; i < s->fields->len; i++) {
		const Field *f = g_ptr_array_index(s->fields, i);

		if (f->stays && f->role == FIELD_IN)
			keep_slot(b, f);
		if (f->role == FIELD_TEMP)
			add_buffer(b, f, FALSE);
		if (f->masked)
			add_buffer(b, f, TRUE);
	}
	g_ptr_array_sort(b->sched->buffers, compare_buffers);
	for (guint i = 0; i < b->sched->buffers->len; i++)
		place(b, g_ptr_array_index(b->sched->buffers, i));
}

/* What the caller has of the fields whose rows are padded, those that are of use. */
static void
add_copies(Builder *b)
{
	const Stencil *s = b->sched->stencil;

	for (guint i = 0; i < s->fields->len; i++) {
		const Field *f = g_ptr_array_index(s->fields, i);

		if (!field_is_callers(f) || b->held[i].first < 0 || !schedule_pads(b->sched, f))
			continue;
		for (int k = 0; k <= f->history; k++) {
			Slot *slot = add_slot(b, SLOT_ROWS, f, k == 0
				? arena_printf(b->arena, "%s_rows", f->name)
				: arena_printf(b->arena, "%s_tm%d_rows", f->name, k));

			slot->level = -k;
			if (k == 0)
				b->sched->rows_of[f->index] = slot;
		}
	}
}

/* What of the ring of F is not the caller's. */
static void
add_levels(Builder *b, const Field *f)
{
	int n = ring_size(f) == 1 ? 0 : schedule_may_sweep(b->sched->stencil) ? f->history + 1
		: schedule_ring(b->sched, f) - f->history - 1;

	for (int i = 1; i <= n; i++) {
		Slot *slot = add_slot(b, SLOT_LEVEL, f, i == 1
			? arena_printf(b->arena, "%s_next", f->name)
			: arena_printf(b->arena, "%s_next%d", f->name, i));

		slot->level = i;
		if (i == 1)
			b->sched->slot_of[f->index][FALSE] = slot;
	}
}

void
schedule_buffers(Schedule *sched, Arena *arena)
{
	const Stencil *s = sched->stencil;
	Life **life = find_lives(sched, arena);
	Builder b = { sched, arena, life, find_held(sched, life, arena),
		g_hash_table_new(g_str_hash, g_str_equal),
		g_array_new(FALSE, FALSE, sizeof(int)) };

	sched->slot_of = arena_alloc(arena, sizeof *sched->slot_of * (gsize)s->fields->len);
	sched->rows_of = arena_array(arena, Slot *, s->fields->len);
	for (guint i = 0; i < s->fields->len; i++)
		add_levels(&b, g_ptr_array_index(s->fields, i));
	add_buffers(&b);
	if (has_reductions(sched))
		add_slot(&b, SLOT_PARTIALS, NULL, "partials");
	if (s->until.condition != NULL)
		add_slot(&b, SLOT_PROGRESS, NULL, "progress");
	add_copies(&b);
	g_hash_table_unref(b.names);
	g_array_unref(b.last);
}
