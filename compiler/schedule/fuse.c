/* fuse.c: stages that share a launch. */
#include "schedule/fuse.h"

#include "plan/line.h"

int
fuse_writer(const PlanStage *stages, int n, const Expr *tap)
{
	while (n-- > 0 && !stage_writes(stages[n].stage, tap))
		;
	return n;
}

typedef struct {
	const PlanStage *stages; /* N of them */
	int n;
} Written;

static gboolean
is_written(const Expr *tap, gconstpointer user)
{
	const Written *w = user;

	return fuse_writer(w->stages, w->n, tap) >= 0;
}

gboolean
fuse_reads(const PlanStage *stages, int n, const Stage *stage)
{
	return stage_has_tap(stage, is_written, &(Written){ stages, n });
}

/* TAP reads the cell that lies as many cells along AXIS from STAGE's own as OFFSET says. */
static gboolean
is_cell_at(const Stage *stage, const Expr *tap, int axis, int offset)
{
	const Field *f = tap->tap.field;

	if (f->grid != stage->grid || f->axes != stage->axes)
		return FALSE;
	for (int a = 0; a < f->grid->rank; a++) {
		const AxisMap *m = &tap->tap.map[a];

		if ((f->axes & AXIS_BIT(a)) && (!axis_map_is_offset(m) || m->axis != a
			|| m->offset != (a == axis ? offset : 0)))
			return FALSE;
	}
	return TRUE;
}

gboolean
fuse_is_own_cell(const Stage *stage, const Expr *tap)
{
	return is_cell_at(stage, tap, 0, 0);
}

gboolean
fuse_is_cell_before(const Stage *stage, const Expr *tap)
{
	return stage->kind == STAGE_SCAN
		&& is_cell_at(stage, tap, stage->axis, -stage->direction);
}

gboolean
fuse_same_region(const Stage *stage, const Region *a, const Region *b)
{
	for (int i = 0; i < stage->grid->rank; i++)
		if ((stage->axes & AXIS_BIT(i)) && (a->lo[i] != b->lo[i] || a->hi[i] != b->hi[i]))
			return FALSE;
	return TRUE;
}

gboolean
fuse_same_box(const Stage *a, const Stage *b)
{
	return fuse_same_region(a, &a->region, &b->region);
}

gboolean
fuse_same_lines(const Stage *a, const Stage *b)
{
	return fuse_same_box(a, b) && (a->start == NULL) == (b->start == NULL)
		&& (a->start == NULL || fuse_same_region(a, &a->start_region, &b->start_region));
}

/* ---- what may not be ---- */

typedef struct {
	const PlanStage *stages; /* N of a launch, and one that would join it */
	int n;
	const Stage *stage;
	Arena *arena;
	const char *why;
} Join;

static const char *
what(const Join *j, const Field *f, int component)
{
	return f->components > 1 ? arena_printf(j->arena, "'%s[%d]'", f->name, component)
		: arena_printf(j->arena, "'%s'", f->name);
}

/* TAP reads what a scan of the launch made of the cell before: a thread still has it, and what is
 * before the first cell is the same for both, or nobody's. */
static gboolean
is_carried_on(const Join *j, const Expr *tap)
{
	const Stage *scan = j->stages[fuse_writer(j->stages, j->n, tap)].stage;
	const Expr *before;

	if (scan->kind != STAGE_SCAN || !fuse_is_cell_before(j->stage, tap))
		return FALSE;
	if (j->stage->start != NULL)
		return scan->start != NULL;
	before = line_before(scan);
	return before != NULL && tap->tap.boundary != NULL
		&& tap->tap.boundary->value[scan->axis][scan->direction < 0] == before;
}

/* The joining stage reads, at other cells, what the launch writes. */
static void
check_read(Expr *e, gpointer user)
{
	Join *j = user;

	if (j->why == NULL && e->op == EXPR_TAP && fuse_writer(j->stages, j->n, e) >= 0
		&& !fuse_is_own_cell(j->stage, e) && !is_carried_on(j, e))
		j->why = arena_printf(j->arena, "it reads other cells of %s",
			what(j, e->tap.field, e->tap.component));
}

/* The first value of the joining scan reads other cells, which are there only on the way. */
static void
check_start(Expr *e, gpointer user)
{
	Join *j = user;

	if (j->why == NULL && e->op == EXPR_TAP && fuse_writer(j->stages, j->n, e) >= 0
		&& !fuse_is_own_cell(j->stage, e))
		j->why = arena_printf(j->arena, "it begins with other cells of %s",
			what(j, e->tap.field, e->tap.component));
}

/* A stage of the launch reads what the joining one writes after it. */
static void
check_written(Expr *e, gpointer user)
{
	Join *j = user;

	if (j->why == NULL && e->op == EXPR_TAP && stage_writes(j->stage, e))
		j->why = arena_printf(j->arena, "it writes %s, which is read before",
			what(j, e->tap.field, e->tap.component));
}

/* The joining stage asks for what the launch finds out. */
static void
check_result(Expr *e, gpointer user)
{
	Join *j = user;

	for (int i = 0; i < j->n && j->why == NULL && e->op == EXPR_RESULT; i++)
		if (j->stages[i].stage->kind == STAGE_REDUCE
			&& j->stages[i].stage->result == e->result)
			j->why = arena_printf(j->arena, "it asks for '%s'", e->result->name);
}

/* Why STAGE cannot follow lines that the launch goes along, cell by cell: scans first, then maps
 * of what these make. */
static const char *
line_refuses(const PlanStage *stages, int n, const Stage *stage)
{
	const Stage *first = stages[0].stage;

	for (int i = 0; i < stage->region.n_guards + stage->start_region.n_guards; i++) {
		const Expr *guard = i < stage->region.n_guards ? stage->region.guard[i]
			: stage->start_region.guard[i - stage->region.n_guards];

		if (guard->tap.field->masked && fuse_writer(stages, n, guard) >= 0)
			return "cells may be missing that it reads";
	}
	if (stage->kind != STAGE_SCAN)
		return NULL;
	if (stage->axis != first->axis)
		return "it scans along another axis";
	if (stage->direction != first->direction)
		return "it scans the other way";
	return stages[n - 1].stage->kind != STAGE_SCAN ? "maps of the launch come before it"
		: NULL;
}

const char *
fuse_refuses(const PlanStage *stages, int n, const Stage *stage, Arena *arena)
{
	Join j = { stages, n, stage, arena, NULL };

	if (stage->grid != stages[0].stage->grid)
		return "it runs over another grid";
	if (stage->kind == STAGE_REDUCE && !fuse_same_box(stages[0].stage, stage))
		return "it reads other cells of the grid";
	if (stage->axes != stages[0].stage->axes)
		return "it runs along other axes";
	stage_taps(stage, check_read, &j);
	if (stage->start != NULL)
		expr_visit(&stage->start, 1, check_start, &j);
	expr_visit(&stage->value, 1, check_result, &j);
	for (int i = 0; i < n; i++)
		stage_taps(stages[i].stage, check_written, &j);
	if (j.why == NULL && stages[0].stage->kind == STAGE_SCAN)
		j.why = line_refuses(stages, n, stage);
	return j.why;
}

/* ---- what is gained ---- */

/* A component of a field at a level, as a number.  Interleaved ones come and go
 * together. */
static gpointer
touched(const Field *f, int component, int level)
{
	gsize levels = (gsize)f->history + 2, place = f->interleaved ? 0 : (gsize)component;

	return GSIZE_TO_POINTER(((place * levels + (gsize)(level + f->history)) << 20)
		+ (gsize)f->index + 1);
}

static void
touch(Expr *e, gpointer user)
{
	if (e->op == EXPR_TAP)
		g_hash_table_add(user, touched(e->tap.field, e->tap.component, e->tap.level));
}

GHashTable *
fuse_touched(const Stage *stage)
{
	GHashTable *all = g_hash_table_new(NULL, NULL);

	stage_taps(stage, touch, all);
	if (stage->kind != STAGE_REDUCE)
		g_hash_table_add(all, touched(stage->target, stage->component, stage->level));
	return all;
}

/* What stage N touches becomes OWNER's, the first of its group; returns how many groups it joins
 * to one, which are then its own. */
static int
join_groups(GHashTable *touched, GHashTable *owner, int *first, int n)
{
	GHashTableIter it;
	gpointer key, known;
	int joined = 0;

	first[n] = n;
	g_hash_table_iter_init(&it, touched);
	while (g_hash_table_iter_next(&it, &key, NULL)) {
		int by = n;

		if (g_hash_table_lookup_extended(owner, key, NULL, &known))
			by = GPOINTER_TO_INT(known);
		while (first[by] != by)
			by = first[by];
		joined += by != n;
		first[by] = n;
		g_hash_table_insert(owner, key, GINT_TO_POINTER(n));
	}
	return joined;
}

int
fuse_paying(GHashTable *const *of, int least, int most)
{
	GHashTable *owner = g_hash_table_new(NULL, NULL);
	int *first = g_new(int, (gsize)most + 1), groups = 0, n = 0;

	while (n < most && !(n >= least && groups == 1)) {
		groups += 1 - join_groups(of[n], owner, first, n);
		n++;
	}
	g_free(first);
	g_hash_table_unref(owner);
	return n >= least && groups == 1 ? n : 0;
}

gboolean
fuse_pays(GHashTable *const *of, int n)
{
	return fuse_paying(of, n, n) == n;
}

/* ---- temps ---- */

/* The stages of a step from the first that uses what STAGE makes to the last; NULL: it is no
 * temp. */
static const Life *
life_of(const Schedule *sched, const Stage *stage)
{
	for (guint i = 0; i < sched->buffers->len; i++) {
		const Buffer *b = g_ptr_array_index(sched->buffers, i);

		if (b->field == stage->target && !b->mask)
			return &b->life[stage->component];
	}
	return NULL;
}

int
fuse_last_use(const Schedule *sched, const Stage *stage)
{
	const Life *life = life_of(sched, stage);

	return life != NULL ? life->last : -1;
}

void
fuse_mark_passing(const Schedule *sched, PlanStage *stages, int n)
{
	gboolean any = FALSE; /* is stored */

	for (int i = 0; i < n; i++) {
		const Life *life = life_of(sched, stages[i].stage);

		stages[i].passing = n > 1 && life != NULL
			&& life->first >= stages[0].stage->index
			&& life->last <= stages[n - 1].stage->index;
		any = any || !stages[i].passing;
	}
	stages[n - 1].passing = stages[n - 1].passing && any;
}
