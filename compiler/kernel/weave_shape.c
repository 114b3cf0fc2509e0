/* weave_shape.c: the shape of steps of several maps and fields over a volume (maps.h): what a tile
 * computes besides what it stores follows, for each of its sides alone, from who reads what.
 */
#include "kernel/driven.h"
#include "kernel/weave.h"
#include "kernel/profile.h"

#include "base/round.h"
#include "kernel/tile_place.h"

/* ---- fields ---- */

static void
set_ends(Weave *w, WeaveField *f)
{
	for (int n = 0; n < 6; n++) {
		int number = n / 2, end = n % 2, axis = w->plan->axis[number];
		const Boundary *b = f->source->boundary;
		int reach = end == 0 ? -f->source->lo[axis] : f->source->hi[axis];
		EdgeKind kind = b != NULL ? b->kind[axis][end] : EDGE_KEEP;

		f->reach[number][end] = reach;
		f->kind[number][end] = kind;
		if (number < 2)
			w->reach[number][end] = MAX(w->reach[number][end], reach);
		if (kind == EDGE_WRAP && reach > 0)
			w->around[number] = b;
	}
}

gboolean
weave_reads_around(const int (*reach)[2])
{
	return reach[0][0] > 0 || reach[0][1] > 0 || reach[1][0] > 0 || reach[1][1] > 0;
}

/* A field is one, at whatever level it is read. */
static void
join_levels(GPtrArray *sources, Arena *arena)
{
	for (guint i = 0; i < sources->len;) {
		const KSource *s = g_ptr_array_index(sources, i);
		KSource *now;

		if (s->level == 0) {
			i++;
			continue;
		}
		g_ptr_array_remove_index(sources, i);
		now = source_get(sources, arena, s->field, s->component, 0, s->boundary);
		for (int a = 0; a < s->field->grid->rank; a++) {
			now->lo[a] = MIN(now->lo[a], s->lo[a]);
			now->hi[a] = MAX(now->hi[a], s->hi[a]);
		}
	}
}

static void
list_fields(Weave *w, Arena *arena, GPtrArray *passed)
{
	const Plan *plan = w->plan;

	for (int i = 0; i < plan->n_stages; i++)
		source_add_stage(w->sources, plan, i, plan->axis[0], arena, w->far, passed);
	for (int i = 0; i < plan->n_stages; i++)
		source_get(w->sources, arena, plan->stages[i].stage->target,
			plan->stages[i].stage->component, 0, NULL);
	source_add_passed(w->sources, arena, passed);
	w->profiles = profile_split(w->sources, w->far, plan->stage);
	w->driven = driven_table(plan);
	join_levels(w->sources, arena);
	w->n_fields = (int)w->sources->len;
	w->field = arena_array(arena, WeaveField, w->sources->len);
	for (int i = 0; i < w->n_fields; i++) {
		WeaveField *f = &w->field[i];

		f->source = g_ptr_array_index(w->sources, (guint)i);
		f->stage = source_maker(plan, f->source);
		f->comes = source_comes(plan, f->source);
		f->goes = source_goes(plan, f->source);
		f->history = f->stage != NULL ? f->source->field->history : 0;
		f->group = MIN(w->vx, VECTOR_BYTES / type_info[f->source->field->type].bytes);
		w->group = MAX(w->group, f->group);
		set_ends(w, f);
	}
	for (int n = 0; n < 4 && w->quilt && weave_reads_around(w->reach); n++)
		w->reach[n / 2][n % 2] = MAX(w->reach[n / 2][n % 2], 1); /* see width_of */
}

/* ---- who reads what ---- */

static void
measure_maps(Weave *w, Arena *arena)
{
	int *maker = arena_array(arena, int, w->plan->n_stages);
	MapField *of = arena_array(arena, MapField, w->n_fields);

	for (int i = 0; i < w->plan->n_stages; i++)
		while (w->field[maker[i]].stage != w->plan->stages[i].stage)
			maker[i]++;
	for (int n = 0; n < w->n_fields; n++) {
		WeaveField *f = &w->field[n];

		of[n] = (MapField){ f->source, f->comes, f->stage == NULL, f->reach, f->kind,
			f->rim, &f->lag };
	}
	w->maps = (Maps){ .plan = w->plan, .n_axes = 3, .walk = 2, .field = of,
		.n_fields = w->n_fields, .maker = maker };
	maps_measure(&w->maps, arena);
	w->radius = w->maps.radius;
	w->latest = w->maps.latest;
}

/* The most of all fields. */
static void
set_rims(Weave *w)
{
	for (const WeaveField *f = w->field; f < w->field + w->n_fields; f++)
		for (int n = 0; n < 6; n++) {
			int *rim = &w->rim[n / 2][n % 2];

			*rim = MAX(*rim, f->rim[n / 2][n % 2]);
		}
}

/* Fields that stay come in when the first step asks for them. */
static void
set_lags_of_others(Weave *w)
{
	for (int n = 0; n < w->n_fields; n++)
		if (w->field[n].stage == NULL)
			w->field[n].lag = G_MAXINT;
	for (const MapTap *tap = w->maps.tap; tap < w->maps.tap + w->maps.n_taps; tap++) {
		WeaveField *from = &w->field[tap->field];
		int lag = w->radius + w->field[w->maps.maker[tap->stage]].lag
			- weave_reaches(from, 2, 1, tap->d[2]);

		if (from->stage == NULL)
			from->lag = MIN(from->lag, lag);
	}
}

/* What is stepped comes in when the first step asks for it, if only as what is kept, or when
 * one after it does. */
static void
set_planes(Weave *w, Arena *arena)
{
	for (int n = 0; n < w->n_fields; n++) {
		WeaveField *f = &w->field[n];

		f->planes = f->stage != NULL && f->comes ? MAX(f->history, 1) * w->radius + 1 : 1;
		f->late = arena_array(arena, int, f->history + 1);
		for (int before = 0; before <= f->history && f->stage != NULL; before++)
			f->late[before] = (w->quilt ? before + 1
				: MIN(before + 1, MAX(f->history, 1))) * w->radius;
	}
	for (const MapTap *tap = w->maps.tap; tap < w->maps.tap + w->maps.n_taps; tap++) {
		WeaveField *from = &w->field[tap->field];
		int waits = from->stage == NULL ? (w->time - 1) * w->radius : 0;

		from->planes = MAX(from->planes, tap->age + tap->d[2] + waits + 1
			+ weave_reaches(from, 2, 0, tap->d[2]));
		for (int before = 0; before <= MIN(-tap->level, from->history); before++)
			from->late[before] = MIN(from->late[before], tap->least);
	}
}

int
weave_late(const Weave *w, const WeaveField *f, int before)
{
	return before * w->radius - f->lag - f->late[before];
}

/* ---- what is computed besides ---- */

static void
set_overlap(Weave *w, Arena *arena)
{
	const int *above = maps_needs(&w->maps, arena, 2, 0);

	for (int n = 0; n < 4 && !w->quilt; n++) {
		const int *need = maps_needs(&w->maps, arena, n / 2, n % 2);
		int *halo = &w->halo[n / 2][n % 2];

		for (int i = 0; i < w->n_fields; i++)
			*halo = MAX(*halo, need[i]);
		if (n < 2)
			*halo = ROUND_UP(*halo, w->group);
	}
	for (int i = 0; i < w->n_fields; i++)
		for (int before = 0; w->field[i].comes && before <= w->field[i].history; before++)
			w->above = MAX(w->above, above[i] + weave_late(w, &w->field[i], before));
	w->below = w->radius * w->time + w->latest;
}

/* ---- groups ---- */

/* The first stage from FIRST + 1 on that reads what those from FIRST on make. */
static int
group_end(const Weave *w, int first)
{
	int end = w->plan->n_stages;

	for (const MapTap *tap = w->maps.tap; tap < w->maps.tap + w->maps.n_taps; tap++)
		for (int s = first; tap->level > 0 && tap->least == 0 && s < tap->stage; s++)
			if (w->maps.maker[s] == tap->field)
				end = MIN(end, MAX(tap->stage, first + 1));
	return end;
}

int
weave_place(const Weave *w, int row, int column)
{
	int columns = w->reach[0][0] + w->vx + w->reach[0][1];

	return (row + w->reach[1][0]) * columns + column + w->reach[0][0];
}

static WeavePlane *
plane_of(const Weave *w, Arena *arena, WeaveGroup *g, const MapTap *tap)
{
	int places = weave_place(w, w->rows + w->reach[1][1], -w->reach[0][0]);
	WeavePlane *p = g->plane;

	for (; p < g->plane + g->n_planes; p++)
		if (p->field == tap->field && p->level == tap->level && p->age == tap->age)
			return p;
	*p = (WeavePlane){ tap->field, tap->level, tap->age, -1,
		arena_array(arena, gboolean, places), arena_array(arena, gboolean, places) };
	g->n_planes++;
	return p;
}

/* The places of a plane that the thread's cells read through TAP; some of them through
 * shared memory. */
static gboolean
ask(const Weave *w, const WeavePlane *p, const MapTap *tap)
{
	gboolean sent = FALSE, lanes = weave_by_lanes(w, &w->field[tap->field]);

	for (int j = 0; j < w->rows; j++)
		for (int i = 0; i < w->vx; i++) {
			int row = j + tap->d[1], column = i + tap->d[0];
			int place = weave_place(w, row, column);

			p->asked[place] = TRUE;
			p->behind[place] = p->behind[place] || tap->d[0] > 0;
			sent = sent || row < 0 || row >= w->rows || (!lanes
				&& (column < 0 || column >= w->vx));
		}
	return sent;
}

static void
set_group(Weave *w, Arena *arena, WeaveGroup *g)
{
	int places = 0;

	g->plane = arena_array(arena, WeavePlane, w->maps.n_taps);
	for (const MapTap *tap = w->maps.tap; tap < w->maps.tap + w->maps.n_taps; tap++) {
		WeavePlane *p;

		if (tap->stage < g->first || tap->stage >= g->end
			|| (tap->d[0] == 0 && tap->d[1] == 0))
			continue;
		p = plane_of(w, arena, g, tap);
		if (ask(w, p, tap) && p->place < 0)
			p->place = places++;
	}
	g->number = places > 0 ? w->n_sending++ : -1;
}

static void
set_groups(Weave *w, Arena *arena)
{
	w->group_of = arena_array(arena, WeaveGroup, w->plan->n_stages);
	for (int first = 0; first < w->plan->n_stages;) {
		WeaveGroup *g = &w->group_of[w->n_groups++];

		g->first = first;
		g->end = first = group_end(w, first);
		set_group(w, arena, g);
	}
}

/* ---- planes that stay in shared memory ---- */

/* In STEP what TAP reads is taken from where its planes have come in. */
static gboolean
reads_ahead(const Weave *w, const MapTap *tap, int step)
{
	int level = step + tap->level;

	return w->field[tap->field].stage == NULL || level < 0
		|| (level == 0 && (tap->d[0] != 0 || tap->d[1] != 0));
}

int
weave_waits(const Weave *w, const MapTap *tap, int step)
{
	const WeaveField *f = &w->field[tap->field];

	return f->stage == NULL ? tap->age + step * w->radius
		: tap->age - f->late[-step - tap->level];
}

static void
set_slots(Weave *w, Arena *arena)
{
	for (int n = 0; n < w->n_fields; n++) {
		WeaveField *f = &w->field[n];

		f->slots = arena_array(arena, int, f->history + 1);
		for (int before = 0; before <= f->history; before++)
			f->slots[before] = w->plan->ahead;
	}
	if (!w->quilt)
		return;
	for (const MapTap *tap = w->maps.tap; tap < w->maps.tap + w->maps.n_taps; tap++) {
		WeaveField *f = &w->field[tap->field];

		f->sewn = f->sewn || tap->d[0] != 0 || tap->d[1] != 0;
		for (int step = 0; step < w->time; step++) {
			int *slots = f->slots + (f->stage == NULL ? 0 : MAX(-step - tap->level, 0));

			if (reads_ahead(w, tap, step))
				*slots = MAX(*slots, w->plan->ahead + weave_waits(w, tap, step));
		}
	}
}

void
weave_measure(Weave *w, Arena *arena, const Plan *plan)
{
	GPtrArray *passed = g_ptr_array_new();
	const gboolean flat = plan->n_axes == 2, once = plan_is_once(plan);
	const gboolean loose = once && plan->ragged;

	plan = tile_in_space(arena, loose ? plan_ending(arena, plan, FALSE) : plan);
	*w = (Weave){ .plan = plan, .flat = flat, .grid = plan->stage->grid,
		.vx = plan->cells[0], .rows = plan->cells[1], .lanes = plan->threads[0],
		.groups_y = plan->threads[1], .time = plan->time,
		.quilt = plan->strategy == STRATEGY_QUILT, .once = once, .loose = loose,
		.shuffles = plan->exchange == EXCHANGE_SHUFFLE };
	w->far = g_ptr_array_new();
	w->sources = sources_new();
	list_fields(w, arena, passed);
	w->chained = passed->len > 0;
	measure_maps(w, arena);
	set_rims(w);
	set_lags_of_others(w);
	maps_set_ages(&w->maps);
	set_planes(w, arena);
	set_overlap(w, arena);
	set_groups(w, arena);
	set_slots(w, arena);
	g_ptr_array_unref(passed);
}

void
weave_release(Weave *w)
{
	g_ptr_array_unref(w->sources);
	g_clear_pointer(&w->profiles, g_hash_table_unref);
	g_clear_pointer(&w->driven, g_hash_table_unref);
	g_ptr_array_unref(w->far);
}
