/* weave_ghost.c: what the maps of a volume read beyond the grid.
 *
 * Planes beyond it are filled from those that stand for them before anybody reads them, or
 * leaves them for others; what lies beyond its rows and columns is read in shared memory
 * where its image is.  So what several faces have in common is right, too.
 */
#include "kernel/place.h"
#include "kernel/weave.h"

gboolean
weave_has_ghosts(const WeaveField *f, int number, int end)
{
	return place_has_ghosts(f->reach[number], f->kind[number], end);
}

int
weave_reaches(const WeaveField *f, int number, int end, int d)
{
	return place_towards(f->reach[number], f->kind[number], end, d);
}

gboolean
weave_by_lanes(const Weave *w, const WeaveField *f)
{
	return w->shuffles && !weave_has_ghosts(f, 0, 0) && !weave_has_ghosts(f, 0, 1);
}

/* Where the cell AT is in the tile; beyond END, what is read instead. */
static const KExpr *
folded(const Weave *w, const WeaveField *f, int number, int end, const KExpr *at,
	const char *want)
{
	KKernel *k = w->k;
	EdgeKind kind = f->kind[number][end];
	const KExpr *q = k_fold(k, at, kind == EDGE_CONSTANT ? EDGE_CLAMP : kind, end, w->grid,
		w->plan->axis[number]);

	return k_let(k, k->setup, want, k_binary(k, K_SUB, q, w->tile_at[number]));
}

const KExpr *
weave_beside(const Weave *w, const WeaveField *f, int number, int i)
{
	int end = i >= w->plan->cells[number];

	if ((i >= 0 && !end) || !weave_has_ghosts(f, number, end))
		return k_add(w->k, number == 0 ? w->column : w->row, i);
	return folded(w, f, number, end, k_add(w->k, w->at[number], i), number == 0
		? "column_beside" : "row_beside");
}

/* ---- rows that end anywhere in a thread's columns ---- */

gboolean
weave_ends_within(const Weave *w, const WeaveField *f)
{
	return w->plan->ragged && weave_has_ghosts(f, 0, 1);
}

const KExpr *
weave_behind(const Weave *w, const WeaveField *f, int distance)
{
	return folded(w, f, 0, 1, k_add(w->k, weave_param(w, KP_LAST, 0), distance),
		"column_behind");
}

const KExpr *
weave_ends_with(const Weave *w, int column)
{
	KKernel *k = w->k;
	const KExpr *last = k_let(k, k->setup, "last_column", k_binary(k, K_SUB, weave_param(w,
		KP_LAST, 0), w->at[0]));

	return k_equal(k, last, k_int(k, column));
}

/* ---- planes ---- */

/* The plane AGE behind the newest of FIELD at LEVEL. */
static const KExpr *
plane_at(const Weave *w, int field, int level, int age, const KExpr *step, const KExpr *z)
{
	KKernel *k = w->k;
	const WeaveField *f = &w->field[field];

	return k_add(k, k_binary(k, K_SUB, z, k_binary(k, K_MUL, weave_level(w, f, level, step),
		k_int(k, w->radius))), -f->lag - age);
}

/* What TAP reads, if that is the plane DISTANCE beyond END. */
static void
fill_plane(const Weave *w, GPtrArray *body, const MapTap *tap, const KExpr *step,
	const KExpr *z, int end, int distance)
{
	KKernel *k = w->k;
	const WeaveField *f = &w->field[tap->field];
	EdgeKind kind = f->kind[2][end];
	int from = distance + place_image(kind, distance);
	const KExpr *level = weave_level(w, f, tap->level, step);
	const KExpr *q = plane_at(w, tap->field, tap->level, tap->age, step, z), *row, *column;
	const KExpr *at = place_inward(k, w->grid, w->plan->axis[2], end, -distance);
	GPtrArray *each = k_if(k, body, k_equal(k, q, at));

	each = k_over_cells(k, each, w->rows, w->vx, &row, &column);
	k_put(k, each, weave_cell(w, f, level, tap->age, row, column),
		kind == EDGE_CONSTANT ? place_constant(k, f->source->boundary, w->plan->axis[2],
		end) : weave_cell(w, f, level, tap->age + (end == 0 ? -from : from), row, column));
}

/* An earlier tap of the group reads the same, as far away. */
static gboolean
is_filled(const Weave *w, const WeaveGroup *group, const MapTap *tap)
{
	for (const MapTap *other = w->maps.tap; other < tap; other++)
		if (other->stage >= group->first && other->field == tap->field
			&& other->level == tap->level && other->age == tap->age
			&& other->d[2] == tap->d[2])
			return TRUE;
	return FALSE;
}

void
weave_fill_planes(const Weave *w, GPtrArray *body, const WeaveGroup *group, const KExpr *step,
	const KExpr *z)
{
	for (const MapTap *tap = w->maps.tap; tap < w->maps.tap + w->maps.n_taps; tap++) {
		int end = tap->d[2] > 0;

		if (tap->stage >= group->first && tap->stage < group->end && tap->d[2] != 0
			&& weave_has_ghosts(&w->field[tap->field], 2, end)
			&& !is_filled(w, group, tap))
			for (int d = 1; d <= ABS(tap->d[2]); d++)
				fill_plane(w, body, tap, step, z, end, d);
	}
}

/* ---- constants ---- */

void
weave_constants(const Weave *w, GPtrArray *body, const WeavePlane *p, const KExpr *step,
	const KExpr *z, int row, int column, const KExpr *place)
{
	KKernel *k = w->k;
	const WeaveField *f = &w->field[p->field];
	const KExpr *at[] = { k_add(k, w->at[0], column), k_add(k, w->at[1], row),
		plane_at(w, p->field, p->level, p->age, step, z) };
	gboolean beyond[3][2] = { { column < 0, column >= w->vx }, { row < 0, row >= w->rows },
		{ TRUE, TRUE } };

	for (int n = 0; n < 6; n++) { /* the slowest axis last */
		int number = n / 2, end = n % 2, axis = w->plan->axis[number];
		Way way = { w->grid, axis, f->source->boundary, { TRUE, TRUE }, TRUE };
		const KExpr *test;

		if (!beyond[number][end] || !weave_has_ghosts(f, number, end)
			|| f->kind[number][end] != EDGE_CONSTANT)
			continue;
		test = k_let(k, number < 2 ? k->setup : body, "beyond", place_beyond(k, &way, end,
			at[number]));
		k_put(k, body, place, k_select(k, test, place_constant(k, f->source->boundary, axis,
			end), place));
	}
}
