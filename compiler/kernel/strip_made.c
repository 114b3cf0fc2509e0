/* strip_made.c: a step of a strip whose maps read what others make in the same step.
 *
 * Maps go in their order; those that read nothing of one another are made together.  A
 * field lags behind the turn's row (maps.h), so maps differ in the row that they
 * are at.
 */
#include "kernel/place.h"
#include "kernel/strip.h"

typedef struct {
	const Strip *s;
	GPtrArray *body;
	const KExpr *step, *y;
	Near near;
	GHashTable *beside; /* the first columns beside rows that have them, on either side */
} Step;

static StripField *
target_of(const Strip *s, int stage)
{
	return &s->field[s->maps->maker[stage]];
}

/* Where the queue of F has what it is after the step (LEVEL 1), before it (0), and so on. */
static const KExpr *
level_of(const Step *p, const StripField *f, int level)
{
	return k_add(p->s->k, p->step, f->history + level);
}

/* The cell COLUMN of the lane in the row AGE behind the newest of F. */
static const KExpr *
cell(const Strip *s, const StripField *f, const KExpr *level, int age, const KExpr *column)
{
	KKernel *k = s->k;

	return k_at(k, f->queue, level, k_int(k, f->rows - 1 - age), k_add(k, column,
		f->beside[0]));
}

static const KExpr *
tapped(const Step *p, const MapTap *tap, const KExpr *column)
{
	const Strip *s = p->s;
	KKernel *k = s->k;
	const StripField *f = &s->field[tap->field];
	const KExpr *turns;
	int age = tap->age;

	column = k_add(k, column, tap->d[0]);
	if (f->stage != NULL)
		return cell(s, f, level_of(p, f, tap->level), age, column);
	turns = k_binary(k, K_MUL, k_binary(k, K_SUB, k_int(k, s->time - 1), p->step),
		k_int(k, s->radius));
	return k_at(k, f->queue, k_add(k, turns, f->rows - 1 - age - (s->time - 1) * s->radius),
		k_add(k, column, f->beside[0]));
}

/* ---- beside and beyond ---- */

/* The row that the stage's step computes in this turn. */
static const KExpr *
row_at(const Step *p, int lag)
{
	KKernel *k = p->s->k;
	const KExpr *steps = k_binary(k, K_MUL, k_add(k, p->step, 1), k_int(k, p->s->radius));

	return k_add(k, k_binary(k, K_SUB, p->y, steps), -lag);
}

static const KExpr *
row_of(const Step *p, int lag)
{
	return k_let(p->s->k, p->body, "q", row_at(p, lag));
}

static void
widen(const Step *p, const StripField *f, int level, int age, int side)
{
	const Strip *s = p->s;
	const KExpr *at = level_of(p, f, level);
	const KExpr *beside = cell(s, f, at, age, k_int(s->k, side ? s->vx : -1));

	if (g_hash_table_add(p->beside, (gpointer)beside))
		strip_beside(s, p->body, f, at, f->rows - 1 - age, side);
}

/* The taps of FIELD at LEVEL by stages from FIRST to LAST that LAG so much. */
typedef struct {
	int field, first, last, lag, level;
} Readers;

static gboolean
reads(const Strip *s, const Readers *r, const MapTap *tap)
{
	return tap->field == r->field && tap->level == r->level && tap->stage >= r->first
		&& tap->stage <= r->last && target_of(s, tap->stage)->lag == r->lag;
}

/* How far they read up (END 0) or down. */
static int
reach_of(const Strip *s, const Readers *r, int end)
{
	int reach = 0;

	for (const MapTap *tap = s->maps->tap; tap < s->maps->tap + s->maps->n_taps; tap++)
		if (reads(s, r, tap))
			reach = MAX(reach, end == 0 ? -tap->d[1] : tap->d[1]);
	return reach;
}

/* Whether one of them reads beside its own columns, in the row AGE; in any, if that is
 * less than 0. */
static gboolean
read_beside(const Strip *s, const Readers *r, int age, int side)
{
	for (const MapTap *tap = s->maps->tap; tap < s->maps->tap + s->maps->n_taps; tap++)
		if (reads(s, r, tap) && (age < 0 || tap->age == age)
			&& (side == 0 ? tap->d[0] < 0 : tap->d[0] > 0))
			return TRUE;
	return FALSE;
}

/* Rows that stand for others beyond the grid may be any that are at hand. */
static void
widen_rows(const Step *p, const Readers *r)
{
	const StripField *f = &p->s->field[r->field];
	gboolean stands = strip_has_ghost_rows(f, p->near);

	for (int age = f->rows - 1; age >= 0; age--)
		for (int side = 0; side < 2; side++)
			if (read_beside(p->s, r, stands ? -1 : age, side))
				widen(p, f, r->level, age, side);
}

/* What lies DISTANCE beyond END, and M rows more beyond that of the readers, whose own is
 * AGE behind the newest. */
static void
fill_row(const Step *p, GPtrArray *body, const Readers *r, int age, int end, int m, int distance)
{
	const Strip *s = p->s;
	const StripField *f = &s->field[r->field];
	KKernel *k = s->k;
	const KExpr *c, *level = level_of(p, f, r->level), *value;
	int away = end == 0 ? 1 : -1, from = place_image(f->kind[1][end], distance);

	body = k_over(k, body, "c", f->beside[0] + s->vx + f->beside[1], &c);
	c = k_add(k, c, -f->beside[0]);
	value = f->kind[1][end] == EDGE_CONSTANT ? place_constant(k, f->boundary, s->axis[1], end)
		: cell(s, f, level, age + away * (m - from), c);
	k_put(k, body, cell(s, f, level, age + away * (m + distance), c), value);
}

static void
fill_rows(const Step *p, const Readers *r, int end)
{
	const Strip *s = p->s;
	KKernel *k = s->k;
	const StripField *f = &s->field[r->field];
	int reach = reach_of(s, r, end);
	int age = (1 - r->level) * s->radius + r->lag - f->lag;

	if (!strip_has_ghosts(f, 1, end))
		return;
	for (int m = 0; m < reach; m++) {
		const KExpr *q = row_of(p, r->lag);
		const KExpr *at = place_inward(k, s->grid, s->axis[1], end, m);
		int first = strip_first_ghost(f, end, m, reach);
		GPtrArray *body = first <= reach - m ? k_if(k, p->body, k_equal(k, q, at)) : NULL;

		for (int d = first; d <= reach - m; d++)
			fill_row(p, body, r, age, end, m, d);
	}
}

/* Whether a stage from FIRST on, before STAGE, is at the same row. */
static gboolean
has_twin(const Strip *s, int first, int stage)
{
	for (int i = first; i < stage; i++)
		if (target_of(s, i)->lag == target_of(s, stage)->lag)
			return TRUE;
	return FALSE;
}

/* What the stages read of FIELD at LEVEL, their own rows and those beyond the grid. */
static void
prepare_rows(const Step *p, int field, int level, int first, int last)
{
	const Strip *s = p->s;

	for (int i = first; i <= last; i++) {
		const Readers r = { field, first, last, target_of(s, i)->lag, level };

		if (has_twin(s, first, i))
			continue;
		widen_rows(p, &r);
		for (int end = (int)p->near; end < 2; end++)
			fill_rows(p, &r, end);
	}
}

static void
prepare(const Step *p, int first, int last)
{
	const Strip *s = p->s;
	gboolean *asked = g_new0(gboolean, (gsize)s->n_fields); /* of many, these are few */

	for (const MapTap *tap = s->maps->tap; tap < s->maps->tap + s->maps->n_taps; tap++)
		if (tap->stage >= first && tap->stage <= last)
			asked[tap->field] = s->field[tap->field].stage != NULL;
	for (int n = 0; n < s->n_fields; n++)
		for (int level = -s->field[n].history; level <= 1 && asked[n]; level++)
			prepare_rows(p, n, level, first, last);
	g_free(asked);
}

/* ---- values ---- */

static void
compute(const Step *p, int stage)
{
	const Strip *s = p->s;
	KKernel *k = s->k;
	const Stage *of = s->plan->stages[stage].stage;
	const StripField *f = target_of(s, stage);
	CellValue v = strip_value(s, p->body, of, p->step, row_at(p, f->lag));

	for (const MapTap *tap = s->maps->tap; tap < s->maps->tap + s->maps->n_taps; tap++)
		if (tap->stage == stage)
			g_hash_table_insert(v.bound, (gpointer)tap->tap, (gpointer)tapped(p, tap,
				v.column));
	k_set(k, v.each, cell(s, f, level_of(p, f, 1), 0, v.column), k_value(k, v.value,
		v.bound, v.at), of->at);
}

/* ---- cells that stay ---- */

/* As in strip_step.c, in the stage's own region. */
static void
keep_columns(const Step *p, int stage)
{
	const Strip *s = p->s;
	KKernel *k = s->k;
	const Stage *of = s->plan->stages[stage].stage;
	const StripField *f = target_of(s, stage);

	for (int i = 0; i < s->vx; i++) {
		const int c = strip_column(s, i);
		const KExpr *at = k_int(k, c), *next = cell(s, f, level_of(p, f, 1), 0, at);
		const KExpr *kept = strip_kept(s, of, c);

		if (kept != NULL)
			k_put(k, p->body, next, k_select(k, k_let(k, k->setup, "kept", kept),
				cell(s, f, level_of(p, f, 0), s->radius, at), next));
	}
}

static void
keep_row(const Step *p, int stage)
{
	const Strip *s = p->s;
	KKernel *k = s->k;
	const Stage *of = s->plan->stages[stage].stage;
	const StripField *f = target_of(s, stage);
	const KExpr *q = row_of(p, f->lag), *i;
	GPtrArray *row = k_if(k, p->body, k_not(k, k_let(k, p->body, "in_row",
		place_computed(k, s->grid, s->axis[1], of, q))));

	row = k_over(k, row, "i", s->vx, &i);
	k_put(k, row, cell(s, f, level_of(p, f, 1), 0, i), cell(s, f, level_of(p, f, 0), s->radius,
		i));
}

/* ---- the step ---- */

/* The last of the stages from FIRST on that read nothing of one another. */
static int
last_apart(const Strip *s, int first)
{
	int last = s->plan->n_stages - 1;

	for (const MapTap *tap = s->maps->tap; tap < s->maps->tap + s->maps->n_taps; tap++) {
		if (tap->level > 0 && tap->stage > first && tap->stage <= last
			&& s->field[tap->field].stage != NULL) {
			int maker = first;

			while (maker < tap->stage && s->maps->maker[maker] != tap->field)
				maker++;
			if (maker < tap->stage)
				last = tap->stage - 1;
		}
	}
	return last;
}

void
strip_made_step(const Strip *s, GPtrArray *body, const KExpr *step, const KExpr *y, Near near)
{
	const Step p = { s, body, step, y, near, g_hash_table_new(NULL, NULL) };
	gboolean rows = near != NEAR_NONE && (s->keep[1][0] > 0 || s->keep[1][1] > 0);

	for (int first = 0, last; first < s->plan->n_stages; first = last + 1) {
		last = last_apart(s, first);
		prepare(&p, first, last);
		for (int i = first; i <= last; i++)
			compute(&p, i);
		for (int i = first; i <= last; i++) {
			if (!target_of(s, i)->comes)
				continue;
			keep_columns(&p, i);
			if (rows)
				keep_row(&p, i);
		}
	}
	g_hash_table_unref(p.beside);
	strip_move_rows(s, body, step, 0);
}
