/* order.c: scans that go along the same lines, and need nothing of each other, come one after the
 * other, so that they may share a launch; and, where nothing is stepped, maps that make components
 * of a field of the same others.
 *
 * What a later scan needs, and is not there yet, comes with it, if that is maps; all else stays in
 * its order.  The meaning does: each value is assigned once, before it is read.
 */
#include "opt/opt.h"

#include <string.h>

#define MOST_TOGETHER 8 /* whose values are all there at a time */

typedef struct {
	const Stencil *s;
	gboolean *placed;   /* by the number of a stage */
	GPtrArray *order;   /* Stage */
	guint first;        /* of ORDER: the scan that others join */
	/* a search */
	const Stage *reader;
	GPtrArray *wanted;  /* Stage: not placed so far, in their order */
	gboolean fits;
} Ordering;

/* TAP of SCAN reads its own cell, or the one before it along the line. */
static gboolean
is_at_hand(const Stage *scan, const Expr *tap)
{
	for (int a = 0; a < tap->tap.field->grid->rank; a++) {
		const AxisMap *m = &tap->tap.map[a];

		if ((tap->tap.field->axes & AXIS_BIT(a)) && (!axis_map_is_offset(m)
			|| (m->offset != 0 && (a != scan->axis
			|| m->offset != -scan->direction))))
			return FALSE;
	}
	return tap->tap.field->grid == scan->grid && tap->tap.field->axes == scan->axes;
}

/* The stage that makes what LEAF of the reader is in this step; NULL: none does. */
static Stage *
maker_of(const Ordering *o, const Expr *leaf)
{
	for (guint i = 0; i < o->s->stages->len; i++) {
		Stage *stage = g_ptr_array_index(o->s->stages, i);

		if (stage == o->reader)
			continue;
		if (stage->kind == STAGE_REDUCE ? leaf->op == EXPR_RESULT
			&& leaf->result == stage->result
			: leaf->op == EXPR_TAP && stage_writes(stage, leaf))
			return stage;
	}
	return NULL;
}

/* TRUE if STAGE is one of those that come together. */
static gboolean
is_together(const Ordering *o, const Stage *stage)
{
	for (guint i = o->first; i < o->order->len; i++)
		if (g_ptr_array_index(o->order, i) == stage)
			return TRUE;
	return FALSE;
}

static void want(Ordering *o, Stage *stage);

static void
find_need(Expr *e, gpointer user)
{
	Ordering *o = user;
	Stage *maker = maker_of(o, e);

	if (maker == NULL || !o->fits)
		return;
	if (!o->placed[maker->index])
		want(o, maker);
	else if (is_together(o, maker))
		o->fits = o->reader->kind == STAGE_SCAN && e->op == EXPR_TAP
			&& is_at_hand(o->reader, e);
}

static void
find_needs(Ordering *o, const Stage *stage)
{
	const Stage *before = o->reader;

	o->reader = stage;
	stage_taps(stage, find_need, o);
	o->reader = before;
}

/* STAGE, which is not placed, comes before the scans that are together. */
static void
want(Ordering *o, Stage *stage)
{
	if (g_ptr_array_find(o->wanted, stage, NULL))
		return;
	o->fits = stage->kind == STAGE_MAP;
	if (!o->fits)
		return;
	find_needs(o, stage);
	g_ptr_array_add(o->wanted, stage);
}

/* A and B are one box, but, if OPEN, for where the lines of STAGE come from. */
static gboolean
same_box(const Stage *stage, const Region *a, const Region *b, gboolean open)
{
	for (int i = 0; i < stage->grid->rank; i++) {
		const gboolean along = open && i == stage->axis;

		if (!(stage->axes & AXIS_BIT(i)))
			continue;
		if ((a->lo[i] != b->lo[i] && !(along && stage->direction > 0))
			|| (a->hi[i] != b->hi[i] && !(along && stage->direction < 0)))
			return FALSE;
	}
	return TRUE;
}

static gboolean
are_alike(const Stage *a, const Stage *b)
{
	return b->kind == STAGE_SCAN && a->grid == b->grid && a->axes == b->axes
		&& a->axis == b->axis && a->direction == b->direction
		&& (a->start == NULL) == (b->start == NULL)
		&& same_box(a, &a->region, &b->region, a->start != NULL)
		&& (a->start == NULL || same_box(a, &a->start_region, &b->start_region, FALSE));
}

static void
place(Ordering *o, Stage *stage, guint at)
{
	o->placed[stage->index] = TRUE;
	g_ptr_array_insert(o->order, (gint)at, stage);
}

/* STAGE comes behind the scans that are together, if it may. */
static void
join(Ordering *o, Stage *stage)
{
	o->wanted = g_ptr_array_new();
	o->fits = TRUE;
	find_needs(o, stage);
	if (o->fits) {
		for (guint i = 0; i < o->wanted->len; i++)
			place(o, g_ptr_array_index(o->wanted, i), o->first++);
		place(o, stage, o->order->len);
	}
	g_ptr_array_unref(o->wanted);
}

/* ---- components ---- */

typedef struct {
	const Ordering *o;
	const GPtrArray *reads; /* what the stage that is placed reads */
	gboolean ready;         /* all that is read is there, beside what that stage makes */
	gboolean shares;        /* something that it reads */
} Sibling;

static gboolean
comes_together(const Expr *a, const Expr *b)
{
	return a->tap.field == b->tap.field && a->tap.level == b->tap.level
		&& (a->tap.component == b->tap.component || a->tap.field->interleaved);
}

static gboolean
is_among(const GPtrArray *taps, const Expr *e)
{
	for (guint i = 0; i < taps->len; i++)
		if (comes_together(g_ptr_array_index(taps, i), e))
			return TRUE;
	return FALSE;
}

/* One tap of each kind of cells that are read. */
static void
note_read(Expr *e, gpointer user)
{
	GPtrArray *reads = user;

	if (e->op == EXPR_TAP && !is_among(reads, e))
		g_ptr_array_add(reads, e);
}

static void
look_at_leaf(Expr *e, gpointer user)
{
	Sibling *b = user;
	const Stage *maker = maker_of(b->o, e);

	b->ready = b->ready && (maker == NULL || (b->o->placed[maker->index]
		&& !is_together(b->o, maker)));
	b->shares = b->shares || (e->op == EXPR_TAP && is_among(b->reads, e));
}

/* STAGE makes another component of what LIKE does, of cells that both read (READS: LIKE), and could
 * as well come right behind it. */
static gboolean
is_sibling(Ordering *o, const Stage *like, const GPtrArray *reads, const Stage *stage)
{
	Sibling b = { o, reads, TRUE, FALSE };

	if (stage->kind != STAGE_MAP || stage->target != like->target
		|| stage->level != like->level
		|| memcmp(like->region.lo, stage->region.lo, sizeof like->region.lo) != 0
		|| memcmp(like->region.hi, stage->region.hi, sizeof like->region.hi) != 0)
		return FALSE;
	o->reader = stage;
	stage_taps(stage, look_at_leaf, &b);
	return b.ready && b.shares;
}

/* What may come behind STAGE, the last that is placed, does so. */
static void
join_siblings(Ordering *o, const Stage *stage)
{
	GPtrArray *reads = g_ptr_array_new();

	stage_taps(stage, note_read, reads);
	for (guint k = (guint)stage->index + 1; k < o->s->stages->len; k++) {
		Stage *other = g_ptr_array_index(o->s->stages, k);

		if (!o->placed[k] && is_sibling(o, stage, reads, other))
			place(o, other, o->order->len);
	}
	g_ptr_array_unref(reads);
}

void
opt_order(Stencil *s)
{
	Arena *arena = arena_new();
	Ordering o = { .s = s, .order = g_ptr_array_new(),
		.placed = arena_array(arena, gboolean, s->stages->len + 1) };

	for (guint i = 0; i < s->stages->len; i++) {
		Stage *stage = g_ptr_array_index(s->stages, i);

		if (o.placed[i])
			continue;
		o.first = o.order->len;
		place(&o, stage, o.first);
		for (guint k = i + 1; k < s->stages->len && stage->kind == STAGE_SCAN
			&& o.order->len - o.first < MOST_TOGETHER; k++)
			if (!o.placed[k] && are_alike(stage, g_ptr_array_index(s->stages, k)))
				join(&o, g_ptr_array_index(s->stages, k));
		if (stage->kind == STAGE_MAP && stage->target->components > 1 && !s->stepped)
			join_siblings(&o, stage);
	}
	for (guint i = 0; i < s->stages->len; i++) {
		Stage *stage = g_ptr_array_index(o.order, i);

		s->stages->pdata[i] = stage;
		stage->index = (int)i;
	}
	g_ptr_array_unref(o.order);
	arena_free(arena);
}
