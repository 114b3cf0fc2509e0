#include "plan/line.h"

/* ---- cutting ---- */

/* Wherever a line begins it goes on to the end of the box: a piece begins where the line
 * is on its way, and nowhere else. */
static gboolean
never_breaks(const Stencil *s, const Stage *stage)
{
	const Region *rest = &stage->region, *first = &stage->start_region;
	int a = stage->axis;

	if (stage->start == NULL || rest->n_guards > 0 || first->n_guards > 0)
		return FALSE;
	for (int b = 0; b < stage->grid->rank; b++)
		if (b != a && (stage->axes & AXIS_BIT(b))
			&& (!bound_at_most(rest->lo[b], first->lo[b])
			|| !bound_at_most(first->hi[b], rest->hi[b])))
			return FALSE;
	if (stage->direction > 0)
		return rest->hi[a] == first->hi[a]
			&& bound_at_most(rest->lo[a], bound_add(s->bounds, first->lo[a], 1));
	return rest->lo[a] == first->lo[a]
		&& bound_at_most(bound_add(s->bounds, first->hi[a], -1), rest->hi[a]);
}

gboolean
line_runs(const Stencil *s, const Stage *stage, Region *box)
{
	int a = stage->axis;

	if (!never_breaks(s, stage))
		return FALSE;
	if (box == NULL)
		return TRUE;
	*box = stage->start_region;
	if (stage->direction > 0)
		box->hi[a] = stage->region.hi[a];
	else
		box->lo[a] = stage->region.lo[a];
	return TRUE;
}

const char *
line_whole(const Stencil *s, const Stage *stage)
{
	if (!stage->anywhere)
		return "it may begin at the first cell only: no `anywhere`, or -fno-associative";
	if (stage->region.n_guards > 0 || stage->start_region.n_guards > 0)
		return "cells may be missing that it reads";
	if (!never_breaks(s, stage))
		return "its lines may break off where they could begin again";
	return NULL;
}

gboolean
line_restarts(const Stencil *s, const Stage *stage)
{
	return type_is_real(stage->target->type) && line_whole(s, stage) == NULL;
}

/* ---- feeding ---- */

/* What is known of a node. */
enum { READS_LINE = 1, READS_FIELDS = 2 };

typedef struct {
	const Stage *stage;
	GHashTable *kinds; /* Expr → what it reads */
	GPtrArray *feeds;
	GHashTable *taken;
} Feeding;

static gboolean
is_line(const Stage *stage, const Expr *tap)
{
	return tap->tap.field == stage->target && tap->tap.level == stage->level
		&& tap->tap.component == stage->component;
}

static int
kind_of(const Feeding *f, const Expr *e)
{
	return GPOINTER_TO_INT(g_hash_table_lookup(f->kinds, e));
}

static void
take(Feeding *f, Expr *e)
{
	if (kind_of(f, e) == READS_FIELDS && g_hash_table_add(f->taken, e))
		g_ptr_array_add(f->feeds, e);
}

/* Operands first. */
static void
find_kind(Expr *e, gpointer user)
{
	Feeding *f = user;
	int kind = e->op != EXPR_TAP ? 0 : is_line(f->stage, e) ? READS_LINE : READS_FIELDS;

	for (int i = 0; i < e->n_args; i++)
		kind |= kind_of(f, e->arg[i]);
	g_hash_table_insert(f->kinds, e, GINT_TO_POINTER(kind));
	for (int i = 0; i < e->n_args && (kind & READS_LINE); i++)
		take(f, e->arg[i]);
}

GPtrArray *
line_feeds(const Stage *stage)
{
	Feeding f = { stage, g_hash_table_new(NULL, NULL), g_ptr_array_new(),
		g_hash_table_new(NULL, NULL) };

	expr_visit((Expr *const *)&stage->value, 1, find_kind, &f);
	take(&f, stage->value);
	g_hash_table_unref(f.kinds);
	g_hash_table_unref(f.taken);
	return f.feeds;
}

typedef struct {
	Arena *arena;
	const GPtrArray *feeds;
	Expr *const *marks;
	GHashTable *built; /* Expr → what it is now */
} Marking;

static void
build(Expr *e, gpointer user)
{
	Marking *m = user;
	Expr *copy = e;

	for (guint i = 0; i < m->feeds->len; i++)
		if (g_ptr_array_index(m->feeds, i) == e) {
			g_hash_table_insert(m->built, e, m->marks[i]);
			return;
		}
	for (int a = 0; a < e->n_args; a++) {
		Expr *arg = g_hash_table_lookup(m->built, e->arg[a]);

		if (arg == e->arg[a])
			continue;
		if (copy == e) {
			copy = arena_copy(m->arena, e, sizeof *e);
			copy->arg = arena_copy(m->arena, e->arg, sizeof *e->arg * (gsize)e->n_args);
		}
		copy->arg[a] = arg;
	}
	g_hash_table_insert(m->built, e, copy);
}

Expr *
line_fed(const Stage *stage, const GPtrArray *feeds, Expr *const *marks, Arena *arena)
{
	Marking m = { arena, feeds, marks, g_hash_table_new(NULL, NULL) };
	Expr *fed;

	expr_visit((Expr *const *)&stage->value, 1, build, &m);
	fed = g_hash_table_lookup(m.built, stage->value);
	g_hash_table_unref(m.built);
	return fed;
}

/* ---- tiles ---- */

gsize
line_tile_bytes(Type type)
{
	/* a column more, so that cells of a column lie in different banks */
	return LINE_TILE * (LINE_TILE + 1) * (gsize)type_info[type_kind(type)].bytes;
}

int
line_place(const Stage *stage, const GPtrArray *feeds)
{
	for (guint i = 0; i < feeds->len; i++)
		if (type_kind(((const Expr *)g_ptr_array_index(feeds, i))->type)
			== type_kind(stage->target->type))
			return (int)i;
	return -1;
}

gsize
line_bytes(const Stage *stage, const GPtrArray *feeds)
{
	gsize bytes = line_place(stage, feeds) < 0 ? line_tile_bytes(stage->target->type) : 0;

	for (guint i = 0; i < feeds->len; i++)
		bytes += line_tile_bytes(((const Expr *)g_ptr_array_index(feeds, i))->type);
	return bytes;
}

int
line_together(gboolean rows, gboolean cut, guint feeds)
{
	if (!rows)
		return cut ? 4 : 16;
	return cut ? 8 : feeds > 1 ? 16 : LINE_TILE;
}

static void
count_tap(Expr *e, gpointer user)
{
	int *n = user;

	*n += e->op == EXPR_TAP;
}

int
line_taps(Expr *e)
{
	int n = 0;

	expr_visit(&e, 1, count_tap, &n);
	return n;
}
