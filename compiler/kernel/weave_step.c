/* weave_step.c: a step of a volume's maps: values, and cells that stay. */
#include "kernel/weave.h"
#include "kernel/cell_value.h"
#include "kernel/place.h"

/* What TAP reads for the cell at ROW and COLUMN. */
static const KExpr *
tapped(const Weave *w, const MapTap *tap, const KExpr *step, const KExpr *row,
	const KExpr *column)
{
	const WeaveField *f = &w->field[tap->field];

	return weave_cell(w, f, weave_level(w, f, tap->level, step), tap->age,
		k_add(w->k, row, tap->d[1]), k_add(w->k, column, tap->d[0]));
}

/* The cell that the stage of F makes in this turn. */
static const KExpr *
next(const Weave *w, const WeaveField *f, const KExpr *step, const KExpr *row,
	const KExpr *column)
{
	return weave_cell(w, f, k_add(w->k, step, 1), 0, row, column);
}

/* The plane that the stage of F makes in the turn of plane Z. */
static const KExpr *
plane_of(const Weave *w, const WeaveField *f, const KExpr *step, const KExpr *z)
{
	KKernel *k = w->k;
	const KExpr *done = k_binary(k, K_MUL, k_add(k, step, 1), k_int(k, w->radius));

	return k_binary(k, K_SUB, z, k_add(k, done, f->lag));
}

/* The thread's first cell in plane Q. */
static Where
first_cell(const Weave *w, const KExpr *q)
{
	const int *axis = w->plan->axis;

	return (Where){ w->grid, 3, { axis[0], axis[1], axis[2] }, { w->at[0], w->at[1], q },
		{ w->around[0] != NULL, w->around[1] != NULL, w->around[2] != NULL } };
}

static Profiles
profiles_at(const Weave *w, const KExpr *q)
{
	return (Profiles){ first_cell(w, q), { w->vx, w->rows }, TRUE };
}

void
weave_load_profiles(const Weave *w)
{
	const Profiles p = profiles_at(w, NULL);

	cell_values_begin(w->k, w->plan, &p, w->profiles, w->driven);
}

static void
compute(const Weave *w, GPtrArray *body, int stage, const KExpr *step, const KExpr *z)
{
	KKernel *k = w->k;
	const Stage *of = w->plan->stages[stage].stage;
	const Profiles p = profiles_at(w, plane_of(w, &w->field[w->maps.maker[stage]], step, z));
	CellValue v = cell_value(k, body, of, step, &p, w->profiles, w->driven);

	for (const MapTap *tap = w->maps.tap; tap < w->maps.tap + w->maps.n_taps; tap++)
		if (tap->stage == stage)
			g_hash_table_insert(v.bound, (gpointer)tap->tap, (gpointer)tapped(w, tap,
				step, v.row, v.column));
	k_set(k, v.each, next(w, &w->field[w->maps.maker[stage]], step, v.row, v.column), k_value(k,
		v.value, v.bound, v.at), of->at);
}

/* ---- cells that stay ---- */

static void
keep(const Weave *w, GPtrArray *body, const WeaveField *f, const KExpr *step, const KExpr *row,
	const KExpr *column, const KExpr *test)
{
	KKernel *k = w->k;
	const KExpr *to = next(w, f, step, row, column);
	const KExpr *was = weave_cell(w, f, step, w->radius, row, column);

	k_put(k, body, to, test != NULL ? k_select(k, test, was, to) : was);
}

/* Q lies beyond END of the region of F. */
static const KExpr *
beyond(const Weave *w, const WeaveField *f, int number, int end, const KExpr *q)
{
	return place_uncomputed(w->k, w->grid, w->plan->axis[number], f->stage, end, q);
}

/* A grid begins with a thread's first cells and ends with its last ones: what lies within
 * the rim's width of the thread's ends is asked for.  A ragged row ends anywhere. */
static void
keep_end(const Weave *w, GPtrArray *body, const WeaveField *f, const KExpr *step, int number,
	int end)
{
	KKernel *k = w->k;
	int n = number == 0 ? w->vx : w->rows, asked = MIN(w->rim[number][end], n);

	if (asked > 0 && number == 0 && end == 1 && w->plan->ragged)
		asked = n;
	for (int r = 0; r < asked; r++) {
		int i = end == 0 ? r : n - 1 - r;
		const KExpr *other, *test = k_let(k, body, "kept", beyond(w, f, number, end,
			k_add(k, w->at[number], i)));
		GPtrArray *each = k_over(k, body, number == 0 ? "j" : "i", number == 0 ? w->rows
			: w->vx, &other);

		keep(w, each, f, step, number == 0 ? other : k_int(k, i), number == 0 ? k_int(k, i)
			: other, test);
	}
}

/* What the maps of GROUP make of cells that they do not compute, by planes and by columns. */
static void
keep_group(const Weave *w, GPtrArray *body, const WeaveGroup *group, const KExpr *step,
	const KExpr *z)
{
	KKernel *k = w->k;

	for (int i = group->first; i < group->end; i++) {
		const WeaveField *f = &w->field[w->maps.maker[i]];
		const KExpr *q = k_let(k, body, "q", plane_of(w, f, step, z));
		const KExpr *off = NULL, *row, *column;
		GPtrArray *rim;

		if (!f->comes) /* nothing was there that it could keep */
			continue;
		for (int end = 0; end < 2; end++)
			if (w->rim[2][end] > 0)
				off = k_or(k, off, beyond(w, f, 2, end, q));
		if (off != NULL) {
			rim = k_over_cells(k, k_if(k, body, off), w->rows, w->vx, &row, &column);
			keep(w, rim, f, step, row, column, NULL);
		}
		if (w->edges == NULL)
			continue;
		rim = k_if(k, body, w->edges);
		for (int n = 0; n < 4; n++)
			keep_end(w, rim, f, step, n / 2, n % 2);
	}
}

/* ---- the step ---- */

void
weave_make(const Weave *w, GPtrArray *body, const WeaveGroup *group, const KExpr *step,
	const KExpr *z)
{
	for (int i = group->first; i < group->end; i++)
		compute(w, body, i, step, z);
	keep_group(w, body, group, step, z);
}

void
weave_step(const Weave *w, GPtrArray *body, const KExpr *step, const KExpr *z)
{
	for (const WeaveGroup *g = w->group_of; g < w->group_of + w->n_groups; g++) {
		weave_fill_planes(w, body, g, step, z);
		weave_exchange(w, body, g, step, z);
		weave_make(w, body, g, step, z);
	}
}

void
weave_move_on(const Weave *w, GPtrArray *body)
{
	KKernel *k = w->k;

	for (const WeaveField *f = w->field; f < w->field + w->n_fields; f++) {
		const KExpr *level = k_int(k, 0), *p, *row, *column;
		GPtrArray *each = body;

		if (f->planes == 1 || (w->quilt && f->stage == NULL))
			continue;
		if (f->stage != NULL && w->quilt) { /* what is older has no queue */
			each = k_over(k, each, "t", w->time + 1, &level);
			level = k_add(k, level, f->history);
		} else if (f->stage != NULL) {
			each = k_over(k, each, "t", w->time + 1 + f->history, &level);
		}
		each = k_over(k, each, "p", f->planes - 1, &p);
		each = k_over_cells(k, each, w->rows, w->vx, &row, &column);
		row = k_add(k, row, w->reach[1][0]);
		column = k_add(k, column, w->reach[0][0]);
		const KExpr *to[] = { level, p, row, column };
		const KExpr *from[] = { level, k_add(k, p, 1), row, column };
		int stays = f->stage == NULL;

		k_put(k, each, k_element(k, f->queue, to + stays), k_element(k, f->queue, from
			+ stays));
	}
}
