/* maps.c: steps of several maps: taps, rims, lags, and what is needed besides. */
#include "kernel/maps.h"

#include "base/round.h"
#include "kernel/place.h"

/* ---- who reads what ---- */

typedef struct {
	const Maps *maps;
	int stage;
	GArray *taps; /* MapTap */
} Finder;

static void
find_tap(Expr *e, gpointer user)
{
	const Finder *finder = user;
	const Maps *m = finder->maps;

	for (int n = 0; e->op == EXPR_TAP && n < m->n_fields; n++) {
		const MapField *f = &m->field[n];
		MapTap tap = { finder->stage, n, e, f->comes ? e->tap.level : 1, { 0 }, 0, 0 };

		if (f->source == NULL || f->source->field != e->tap.field
			|| f->source->component != e->tap.component)
			continue;
		for (int i = 0; i < m->n_axes; i++)
			tap.d[i] = e->tap.map[m->plan->axis[i]].offset;
		g_array_append_val(finder->taps, tap);
	}
}

static void
find_taps(Maps *m, Arena *arena)
{
	GArray *taps = g_array_new(FALSE, FALSE, sizeof(MapTap));

	for (int i = 0; i < m->plan->n_stages; i++) {
		Finder finder = { m, i, taps };

		expr_visit(&m->plan->stages[i].stage->value, 1, find_tap, &finder);
	}
	m->n_taps = (int)taps->len;
	m->tap = arena_copy(arena, taps->data, sizeof *m->tap * taps->len);
	g_array_unref(taps);
}

static const MapField *
target_of(const Maps *m, const MapTap *tap)
{
	return &m->field[m->maker[tap->stage]];
}

/* Cells that read what is missing are missing, too. */
static void
set_rims(const Maps *m)
{
	for (const MapTap *tap = m->tap; tap < m->tap + m->n_taps; tap++) {
		const MapField *from = &m->field[tap->field], *to = target_of(m, tap);

		for (int n = 0; n < 2 * (m->walk + 1); n++) {
			int number = n / 2, end = n % 2, *rim = &to->rim[number][end];
			int missing = from->comes ? 0 : from->rim[number][end];

			if (missing > 0 || from->kind[number][end] == EDGE_KEEP)
				*rim = MAX(*rim, from->reach[number][end] + missing);
		}
	}
}

/* ---- lags ---- */

/* How far towards END of axis NUMBER lies what TAP reads, or what stands for it. */
static int
towards(const Maps *m, const MapTap *tap, int number, int end)
{
	const MapField *f = &m->field[tap->field];

	return place_towards(f->reach[number], f->kind[number], end, tap->d[number]);
}

static void
set_lags(Maps *m)
{
	m->radius = m->latest = 0;
	for (const MapTap *tap = m->tap; tap < m->tap + m->n_taps; tap++) {
		int *lag = target_of(m, tap)->lag;

		if (tap->level > 0)
			*lag = MAX(*lag, *m->field[tap->field].lag + towards(m, tap, m->walk, 1));
		m->latest = MAX(m->latest, *lag);
	}
	for (const MapTap *tap = m->tap; tap < m->tap + m->n_taps; tap++) {
		const MapField *from = &m->field[tap->field];
		int behind;

		if (tap->level > 0 || from->stays)
			continue;
		behind = *from->lag + towards(m, tap, m->walk, 1) - *target_of(m, tap)->lag;
		m->radius = MAX(m->radius, DIV_UP(MAX(behind, 0), 1 - tap->level));
	}
}

void
maps_measure(Maps *m, Arena *arena)
{
	find_taps(m, arena);
	set_rims(m);
	set_lags(m);
}

void
maps_set_ages(Maps *m)
{
	for (MapTap *tap = m->tap; tap < m->tap + m->n_taps; tap++) {
		const int behind = (1 - tap->level) * m->radius + *target_of(m, tap)->lag
			- *m->field[tap->field].lag;

		tap->age = behind - tap->d[m->walk];
		tap->least = behind - towards(m, tap, m->walk, 1);
	}
}

/* ---- what is computed besides ---- */

/* Planes that come before need not be there for those that come in later. */
static int
distance(const Maps *m, const MapTap *tap, int number, int end)
{
	if (number == m->walk)
		return towards(m, tap, number, end);
	return MAX(m->by_lanes ? (end == 0 ? -tap->d[number] : tap->d[number])
		: towards(m, tap, number, end), 0);
}

/* NEED, how far beside what is stored a field has to be there, where it is made or, not
 * MADE, before that: what the maps read of it besides. */
static void
add_needs(const Maps *m, Arena *arena, int number, int end, gboolean made, int *need)
{
	const int *after = made ? need : arena_copy(arena, need,
		sizeof *need * (gsize)m->n_fields);

	for (int i = m->n_taps - 1; i >= 0; i--) { /* the last map first */
		const MapTap *tap = &m->tap[i];
		int n = after[m->maker[tap->stage]] + distance(m, tap, number, end);

		if ((tap->level > 0) == made)
			need[tap->field] = MAX(need[tap->field], n);
	}
}

const int *
maps_needs(const Maps *m, Arena *arena, int number, int end)
{
	int *need = arena_array(arena, int, m->n_fields);

	for (int t = 0; t < m->plan->time; t++) {
		add_needs(m, arena, number, end, TRUE, need);
		add_needs(m, arena, number, end, FALSE, need);
	}
	return need;
}
