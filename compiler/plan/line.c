#include "plan/line.h"

#include "ir/replace.h"

#define CUT_LOADS 32   /* of several stages, that a thread waits for at a time, */
#define WHOLE_LOADS 96 /* and where there are few threads */

/* ---- cutting ---- */

gboolean
line_goes_on(const Stencil *s, const Stage *stage)
{
	const Region *rest = &stage->region, *first = &stage->start_region;
	int a = stage->axis;

	if (stage->start == NULL)
		return rest->n_guards == 0;
	if (rest->n_guards > 0 || first->n_guards > 0)
		return FALSE;
	return stage->direction > 0
		? bound_at_most(rest->lo[a], bound_add(s->bounds, first->lo[a], 1))
		: bound_at_most(bound_add(s->bounds, first->hi[a], -1), rest->hi[a]);
}

/* Wherever a line begins it goes on to the end of the box: a piece begins where the line
 * is on its way, and nowhere else. */
static gboolean
never_breaks(const Stencil *s, const Stage *stage)
{
	const Region *rest = &stage->region, *first = &stage->start_region;
	int a = stage->axis;

	if (stage->start == NULL)
		return FALSE;
	for (int b = 0; b < stage->grid->rank; b++)
		if (b != a && (stage->axes & AXIS_BIT(b))
			&& (!bound_at_most(rest->lo[b], first->lo[b])
			|| !bound_at_most(first->hi[b], rest->hi[b])))
			return FALSE;
	return line_goes_on(s, stage) && (stage->direction > 0 ? rest->hi[a] == first->hi[a]
		: rest->lo[a] == first->lo[a]);
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

typedef struct {
	const Stage *stage;
	Expr *value; /* NULL: none */
} Before;

static void
find_before(Expr *e, gpointer user)
{
	Before *b = user;
	const Stage *s = b->stage;

	if (e->op == EXPR_TAP && stage_writes(s, e) && e->tap.boundary != NULL)
		b->value = e->tap.boundary->value[s->axis][s->direction < 0];
}

Expr *
line_before(const Stage *stage)
{
	Before before = { stage, NULL };

	if (stage->start == NULL)
		expr_visit(&stage->value, 1, find_before, &before);
	return before.value;
}

/* ---- feeding ---- */

/* What is known of a node. */
enum { READS_LINE = 1, READS_FIELDS = 2 };

typedef struct {
	const PlanStage *stages; /* N, all of which go along their lines together */
	int n;
	GHashTable *kinds; /* Expr → what it reads */
	GPtrArray *feeds;
	GHashTable *taken;
	int loads;
} Feeding;

static gboolean
is_line(const Feeding *f, const Expr *tap)
{
	for (int i = 0; i < f->n; i++)
		if (stage_writes(f->stages[i].stage, tap))
			return TRUE;
	return FALSE;
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
	int kind = e->op != EXPR_TAP ? 0 : is_line(f, e) ? READS_LINE : READS_FIELDS;

	for (int i = 0; i < e->n_args; i++)
		kind |= kind_of(f, e->arg[i]);
	g_hash_table_insert(f->kinds, e, GINT_TO_POINTER(kind));
	for (int i = 0; i < e->n_args && (kind & READS_LINE); i++)
		take(f, e->arg[i]);
}

/* Of scans FIRST to END - 1. */
static GPtrArray *
feeds_of(const PlanStage *stages, int n, int first, int end)
{
	Feeding f = { stages, n, g_hash_table_new(NULL, NULL), g_ptr_array_new(),
		g_hash_table_new(NULL, NULL), 0 };

	for (int i = first; i < end; i++) {
		expr_visit(&stages[i].stage->value, 1, find_kind, &f);
		take(&f, stages[i].stage->value);
	}
	g_hash_table_unref(f.kinds);
	g_hash_table_unref(f.taken);
	return f.feeds;
}

int
line_scans(const PlanStage *stages, int n)
{
	int scans = 0;

	while (scans < n && stages[scans].stage->kind == STAGE_SCAN)
		scans++;
	return scans;
}

GPtrArray *
line_feeds(const PlanStage *stages, int n)
{
	return feeds_of(stages, n, 0, n);
}

GPtrArray *
line_own_feeds(const PlanStage *stages, int n, int at)
{
	return feeds_of(stages, n, at, at + 1);
}

Expr *
line_fed(const Stage *stage, const GPtrArray *feeds, Expr *const *marks, Arena *arena)
{
	GHashTable *by_feed = g_hash_table_new(NULL, NULL);
	Expr *fed;

	for (guint i = 0; i < feeds->len; i++)
		g_hash_table_insert(by_feed, g_ptr_array_index(feeds, i), marks[i]);
	fed = expr_replace_all(arena, stage->value, by_feed);
	g_hash_table_unref(by_feed);
	return fed;
}

/* ---- tiles ---- */

gsize
line_tile_bytes(Type type)
{
	/* a column more, so that cells of a column lie in different banks */
	return LINE_TILE * (LINE_TILE + 1) * (gsize)type_info[type_kind(type)].bytes;
}

static gboolean
asks_for(const PlanStage *stages, int n, int at, const Expr *feed)
{
	GPtrArray *own = line_own_feeds(stages, n, at);
	gboolean asks = g_ptr_array_find(own, feed, NULL);

	g_ptr_array_unref(own);
	return asks;
}

/* Scan AT asks for FEED, and none behind it. */
static gboolean
asks_last(const PlanStage *stages, int n, int at, const Expr *feed)
{
	for (int later = at + 1; later < n; later++)
		if (asks_for(stages, n, later, feed))
			return FALSE;
	return asks_for(stages, n, at, feed);
}

int
line_place(const PlanStage *stages, int n, const GPtrArray *feeds, int at)
{
	for (guint i = 0; i < feeds->len; i++) {
		const Expr *feed = g_ptr_array_index(feeds, i);

		if (type_kind(feed->type) == type_kind(stages[at].stage->target->type)
			&& asks_last(stages, n, at, feed))
			return (int)i;
	}
	return -1;
}

gsize
line_bytes(const PlanStage *stages, int n, const GPtrArray *feeds)
{
	gsize bytes = 0;

	for (int i = 0; i < n; i++)
		if (line_place(stages, n, feeds, i) < 0)
			bytes += line_tile_bytes(stages[i].stage->target->type);
	for (guint i = 0; i < feeds->len; i++)
		bytes += line_tile_bytes(((const Expr *)g_ptr_array_index(feeds, i))->type);
	return bytes;
}

static void
count_load(Expr *e, gpointer user)
{
	Feeding *f = user;

	if (e->op == EXPR_TAP && !is_line(f, e))
		f->loads += type_info[e->type].bytes > 4 ? 2 : 1;
}

int
line_loads(const Plan *plan, int n)
{
	Feeding f = { .stages = plan->stages, .n = plan->n_stages };
	Expr **roots = g_new(Expr *, (gsize)n);

	for (int i = 0; i < n; i++)
		roots[i] = plan->stages[i].stage->value;
	expr_visit(roots, n, count_load, &f);
	g_free(roots);
	return f.loads;
}

gboolean
line_maps_load(const Plan *plan)
{
	return line_loads(plan, plan->n_stages)
		> line_loads(plan, line_scans(plan->stages, plan->n_stages));
}

/* Rows of a tile. */
static int
rows_together(const Plan *plan)
{
	GPtrArray *feeds = line_feeds(plan->stages, line_scans(plan->stages, plan->n_stages));
	const guint n = feeds->len;

	g_ptr_array_unref(feeds);
	return plan->piece > 0 || n > 4 ? 8 : n > 1 ? 16 : LINE_TILE;
}

int
line_together(const Plan *plan)
{
	const gboolean cut = plan->piece > 0;
	int cells = cut ? 4 : 16, loads;

	if (plan->load == LOAD_REMAP)
		return rows_together(plan);
	if (plan->ahead > 0)
		return plan->ahead;
	loads = line_loads(plan, plan->n_stages);
	while (plan->n_stages > 1 && cells > 2 && cells * loads > (cut ? CUT_LOADS : WHOLE_LOADS))
		cells /= 2;
	return cells;
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
