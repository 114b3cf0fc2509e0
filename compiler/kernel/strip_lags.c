/* strip_lags.c: the shape of steps whose maps read what others make in the same step.
 *
 * A map that reads rows below of what an earlier one has just made is computed as many
 * rows later: its field lags behind the turn's row.  A step goes on from the one before
 * after as many rows as its maps read below, counting the lags; how many of each field
 * are held follows from who reads which of them when.
 */
#include "kernel/strip.h"

#include <string.h>

#include "base/round.h"
#include "schedule/fuse.h"

/* ---- who reads what ---- */

static int
maker_of(const Strip *s, const Stage *stage)
{
	int n = 0;

	while (s->field[n].stage != stage)
		n++;
	return n;
}

typedef struct {
	Strip *strip;
	int stage;
	GArray *taps;
} Finder;

static void
find_tap(Expr *e, gpointer user)
{
	const Finder *finder = user;
	const Strip *s = finder->strip;

	for (int n = 0; e->op == EXPR_TAP && n < s->n_fields; n++) {
		const KSource *source = s->field[n].source;
		StripTap tap = { finder->stage, n, e, s->field[n].comes ? e->tap.level : 1, 0, 0 };

		if (source->field != e->tap.field || source->component != e->tap.component
			|| s->field[n].now != NULL)
			continue;
		tap.dx = e->tap.map[s->axis[0]].offset;
		tap.dy = s->line ? 0 : e->tap.map[s->axis[1]].offset;
		g_array_append_val(finder->taps, tap);
	}
}

static void
find_taps(Strip *s)
{
	GArray *taps = g_array_new(FALSE, FALSE, sizeof(StripTap));

	s->maker = arena_array(s->k->arena, int, s->plan->n_stages);
	for (int i = 0; i < s->plan->n_stages; i++) {
		Finder finder = { s, i, taps };
		const Stage *stage = s->plan->stages[i].stage;

		s->maker[i] = maker_of(s, stage);
		expr_visit(&stage->value, 1, find_tap, &finder);
	}
	s->n_taps = (int)taps->len;
	s->tap = arena_copy(s->k->arena, taps->data, sizeof *s->tap * taps->len);
	g_array_unref(taps);
}

/* Cells that read what is missing are missing, too. */
static void
set_rims(Strip *s)
{
	for (const StripTap *tap = s->tap; tap < s->tap + s->n_taps; tap++) {
		const StripField *from = &s->field[tap->field];
		StripField *to = &s->field[s->maker[tap->stage]];

		for (int n = 0; n < 4; n++) {
			int number = n / 2, end = n % 2, *rim = &to->rim[number][end];
			int missing = from->comes ? 0 : from->rim[number][end];

			if (missing > 0 || from->kind[number][end] == EDGE_KEEP)
				*rim = MAX(*rim, from->reach[number][end] + missing);
		}
	}
}

/* ---- lags ---- */

static void
set_lags(Strip *s)
{
	s->radius = 0;
	for (const StripTap *tap = s->tap; tap < s->tap + s->n_taps; tap++) {
		const StripField *from = &s->field[tap->field];
		StripField *to = &s->field[s->maker[tap->stage]];

		if (tap->level > 0)
			to->lag = MAX(to->lag, from->lag + strip_rows_below(from, tap->dy));
	}
	for (const StripTap *tap = s->tap; tap < s->tap + s->n_taps; tap++) {
		const StripField *from = &s->field[tap->field];
		int behind;

		if (tap->level > 0 || from->stage == NULL)
			continue;
		behind = from->lag + strip_rows_below(from, tap->dy)
			- s->field[s->maker[tap->stage]].lag;
		if (behind > 0)
			s->radius = MAX(s->radius, DIV_UP(behind, 1 - tap->level));
	}
	for (int n = 0; n < s->n_fields; n++)
		if (s->field[n].stage != NULL)
			s->latest = MAX(s->latest, s->field[n].lag);
}

/* Fields that stay come in when the first step asks for them. */
static void
set_lags_of_others(Strip *s)
{
	for (const StripTap *tap = s->tap; tap < s->tap + s->n_taps; tap++) {
		StripField *from = &s->field[tap->field];
		int lag = s->radius + s->field[s->maker[tap->stage]].lag - tap->dy;

		if (from->stage == NULL)
			from->lag = MIN(from->lag, lag);
	}
}

int
strip_age(const Strip *s, const StripTap *tap)
{
	const StripField *from = &s->field[tap->field];

	return (1 - tap->level) * s->radius + s->field[s->maker[tap->stage]].lag - from->lag
		- tap->dy;
}

int
strip_lags_youngest(const Strip *s, const StripField *f)
{
	int youngest = G_MAXINT;

	for (const StripTap *tap = s->tap; tap < s->tap + s->n_taps; tap++) {
		int age = strip_age(s, tap);

		if (&s->field[tap->field] == strip_now(f) && tap->level == -f->before)
			youngest = MIN(youngest, MIN(age, age + tap->dy - strip_rows_below(f->now,
				tap->dy)));
	}
	return youngest;
}

static void
set_rows(Strip *s)
{
	for (int n = 0; n < s->n_fields; n++)
		s->field[n].rows = s->field[n].stage != NULL && s->field[n].comes ? s->radius + 1
			: 1;
	for (const StripTap *tap = s->tap; tap < s->tap + s->n_taps; tap++) {
		StripField *from = &s->field[tap->field];
		int age = strip_age(s, tap);

		if (from->stage != NULL)
			age = MAX(age, age + tap->dy + strip_rows_above(from, tap->dy));
		else
			age += (s->time - 1) * s->radius;
		from->rows = MAX(from->rows, age + 1);
	}
}

/* ---- what is computed besides ---- */

typedef enum { SIDE_LEFT, SIDE_RIGHT, SIDE_ABOVE } Side;

static int
distance(const Strip *s, const StripTap *tap, Side side)
{
	switch (side) {
	case SIDE_LEFT:  return MAX(-tap->dx, 0);
	case SIDE_RIGHT: return MAX(tap->dx, 0);
	default:    return strip_rows_above(&s->field[tap->field], tap->dy);
	}
}

/* NEED, how far beside what is stored a field has to be there, where it is made or, not
 * MADE, before that: what the maps read of it besides.  What it was before needs no more. */
static void
add_needs(const Strip *s, Side side, gboolean made, int *need)
{
	const int *after = made ? need : arena_copy(s->k->arena, need,
		sizeof *need * (gsize)s->n_fields);

	for (int i = s->n_taps - 1; i >= 0; i--) { /* the last map first */
		const StripTap *tap = &s->tap[i];
		int n = after[s->maker[tap->stage]] + distance(s, tap, side);

		if ((tap->level > 0) == made)
			need[tap->field] = MAX(need[tap->field], n);
	}
}

/* By field, before the first step. */
static int *
needs_of(const Strip *s, Side side)
{
	int *need = arena_array(s->k->arena, int, s->n_fields);

	for (int t = 0; t < s->time; t++) {
		add_needs(s, side, TRUE, need);
		add_needs(s, side, FALSE, need);
	}
	return need;
}

/* The row before that of the turn in which F first is there. */
static int
first_lag(const Strip *s, const StripField *f)
{
	return f->comes ? f->lag : s->radius + f->lag;
}

/* What is made of nothing that comes asks for cells besides by itself. */
void
strip_lags_overlap(Strip *s)
{
	const int *left = needs_of(s, SIDE_LEFT), *right = needs_of(s, SIDE_RIGHT);
	const int *above = needs_of(s, SIDE_ABOVE);

	s->halo = s->above = 0;
	for (int n = 0; n < s->n_fields; n++) {
		const StripField *f = &s->field[n], *now = f->now != NULL ? f->now : f;

		s->halo = MAX(s->halo, MAX(left[n], right[n]));
		s->above = MAX(s->above, above[now - s->field] - first_lag(s, f));
	}
	s->halo = ROUND_UP(s->halo, s->vx);
	s->below = s->radius * s->time + s->latest;
}

gboolean
strip_is_chained(const Plan *plan, const GPtrArray *passed)
{
	gboolean alike = TRUE;

	for (int i = 1; i < plan->n_stages; i++)
		alike = alike && fuse_same_box(plan->stages[0].stage, plan->stages[i].stage);
	return passed->len > 0 || !alike;
}

/* What a field was before is asked for with it. */
static void
join_past(StripField *f)
{
	for (const StripField *p = f + 1; p <= f + f->history; p++) {
		for (int n = 0; n < 4; n++) {
			int *reach = &f->reach[n / 2][n % 2];

			*reach = MAX(*reach, p->reach[n / 2][n % 2]);
		}
		if (f->boundary == NULL) {
			f->boundary = p->boundary;
			memcpy(f->kind, p->kind, sizeof f->kind);
		}
	}
}

void
strip_lags_set(Strip *s)
{
	for (int n = 0; n < s->n_fields; n++)
		join_past(&s->field[n]);
	for (int n = 0; n < s->n_fields; n++)
		s->field[n].lag = s->field[n].stage != NULL ? 0 : G_MAXINT;
	find_taps(s);
	set_rims(s);
	set_lags(s);
	set_lags_of_others(s);
	set_rows(s);
}
