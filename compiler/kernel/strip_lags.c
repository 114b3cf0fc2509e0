/* strip_lags.c: the shape of steps whose maps read what others make in the same step (maps.h):
 * how many rows of each field are held follows from who reads which of them when.
 */
#include "kernel/strip.h"

#include <string.h>

#include "base/round.h"
#include "schedule/fuse.h"

static int
maker_of(const Strip *s, const Stage *stage)
{
	int n = 0;

	while (s->field[n].stage != stage)
		n++;
	return n;
}

/* What a field was before is read by the name that it has now; a line has no rows. */
static void
measure_maps(Strip *s)
{
	Arena *arena = s->k->arena;
	int *maker = arena_array(arena, int, s->plan->n_stages);
	MapField *of = arena_array(arena, MapField, s->n_fields);

	for (int i = 0; i < s->plan->n_stages; i++)
		maker[i] = maker_of(s, s->plan->stages[i].stage);
	for (int n = 0; n < s->n_fields; n++) {
		StripField *f = &s->field[n];

		of[n] = (MapField){ f->now == NULL ? f->source : NULL, f->comes, f->stage == NULL,
			f->reach, f->kind, f->rim, &f->lag };
	}
	s->maps = arena_make(arena, Maps);
	*s->maps = (Maps){ .plan = s->plan, .n_axes = s->line ? 1 : 2, .walk = 1, .by_lanes = TRUE,
		.field = of, .n_fields = s->n_fields, .maker = maker };
	maps_measure(s->maps, arena);
	s->radius = s->maps->radius;
	s->latest = s->maps->latest;
}

/* Fields that stay come in when the first step asks for them. */
static void
set_lags_of_others(Strip *s)
{
	for (const MapTap *tap = s->maps->tap; tap < s->maps->tap + s->maps->n_taps; tap++) {
		StripField *from = &s->field[tap->field];
		int lag = s->radius + s->field[s->maps->maker[tap->stage]].lag - tap->d[1];

		if (from->stage == NULL)
			from->lag = MIN(from->lag, lag);
	}
}

int
strip_lags_youngest(const Strip *s, const StripField *f)
{
	int youngest = G_MAXINT;

	for (const MapTap *tap = s->maps->tap; tap < s->maps->tap + s->maps->n_taps; tap++)
		if (&s->field[tap->field] == strip_now(f) && tap->level == -f->before)
			youngest = MIN(youngest, MIN(tap->age, tap->least));
	return youngest;
}

static void
set_rows(Strip *s)
{
	for (int n = 0; n < s->n_fields; n++)
		s->field[n].rows = s->field[n].stage != NULL && s->field[n].comes ? s->radius + 1
			: 1;
	for (const MapTap *tap = s->maps->tap; tap < s->maps->tap + s->maps->n_taps; tap++) {
		StripField *from = &s->field[tap->field];
		int age = tap->age;

		if (from->stage != NULL)
			age = MAX(age, age + tap->d[1] + strip_rows_above(from, tap->d[1]));
		else
			age += (s->time - 1) * s->radius;
		from->rows = MAX(from->rows, age + 1);
	}
}

/* ---- what is computed besides ---- */

/* The row before that of the turn in which F first is there. */
static int
first_lag(const Strip *s, const StripField *f)
{
	return f->comes ? f->lag : s->radius + f->lag;
}

static gboolean
some_go_around(const Strip *s)
{
	for (const StripField *f = s->field; f < s->field + s->n_fields; f++)
		if (strip_goes_around(f))
			return TRUE;
	return FALSE;
}

/* What is made of nothing that comes asks for cells besides by itself; what a field was before
 * asks for no more than it.  A warp that has moved back has fewer columns behind those that it
 * stores, and where rows go around it needs as many there as any. */
void
strip_lags_overlap(Strip *s)
{
	const int *left = maps_needs(s->maps, s->k->arena, 0, 0);
	const int *right = maps_needs(s->maps, s->k->arena, 0, 1);
	const int *above = maps_needs(s->maps, s->k->arena, 1, 0);
	const int back = s->once && some_go_around(s) ? s->vx - 1 : 0;

	s->halo = s->above = 0;
	for (int n = 0; n < s->n_fields; n++) {
		const StripField *f = &s->field[n], *now = f->now != NULL ? f->now : f;

		s->halo = MAX(s->halo, MAX(left[n], right[n] + back));
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
	measure_maps(s);
	set_lags_of_others(s);
	maps_set_ages(s->maps);
	set_rows(s);
}
