/* strip_sums.c: a step of a strip that holds what its rows give, not the rows.
 *
 * What of a cell's value the newest row completes is made in its turn and kept until the
 * row comes that needs it (scatter.h); rows are held only as far back as that takes.  Rows
 * that nobody computes stay what they were when the sweep began: they come from memory.
 * Of columns that nobody computes, a queue holds the cells.
 */
#include "kernel/strip.h"

#include "kernel/place.h"
#include "kernel/profile.h"

static gboolean
is_one_map(const Strip *s)
{
	return s->n_fields == 1 && s->plan->n_stages == 1 && s->field->stage != NULL
		&& s->field->reach[1][1] == s->radius && !where_is_asked(s->field->stage)
		&& !when_is_asked(s->field->stage) && !profile_is_read(s->field->stage);
}

/* Ghost rows are made from rows that come later, and must not have gone by. */
static gboolean
has_ghosts(const Strip *s)
{
	return strip_has_ghosts(s->field, 1, 0) || strip_has_ghosts(s->field, 1, 1);
}

/* The fewest rows and values together; fewer than the rows that a cell reads. */
void
strip_sums_set(Strip *s)
{
	StripField *f = s->field;
	int least = 2 * s->radius + 1, kept = s->keep[0][0] + s->keep[0][1];

	if (!is_one_map(s) || has_ghosts(s))
		return;
	for (int held = 3 * kept > 2 * s->vx ? s->radius : 0; held < 2 * s->radius; held++) {
		const char *why;
		Scatter *sums = scatter_new(s->plan, s->axis[1], held, s->sources, s->k->arena,
			&why);

		if (sums != NULL && held + sums->kept < least) {
			least = held + sums->kept;
			scatter_free(s->sums);
			s->sums = sums;
			f->rows = held + 1;
		} else {
			scatter_free(sums);
		}
	}
}

gboolean
strip_sums_needless(const Strip *s)
{
	gboolean some = FALSE, shared = FALSE;

	if (!is_one_map(s) || !has_ghosts(s))
		return FALSE;
	for (int held = 0; held < 2 * s->radius; held++) {
		const char *why;
		Scatter *sums = scatter_new(s->plan, s->axis[1], held, s->sources, s->k->arena,
			&why);

		some = some || (sums != NULL && held + sums->kept <= 2 * s->radius);
		for (guint i = 0; sums != NULL && i < sums->values->len; i++)
			shared = shared || ((const ScatterValue *)g_ptr_array_index(sums->values,
				i))->named;
		scatter_free(sums);
	}
	return some && !shared;
}

static gboolean
keeps_columns(const Strip *s)
{
	return s->field->rows <= s->radius && s->keep[0][0] + s->keep[0][1] > 0;
}

static const KTile *
cleared(const Strip *s, GPtrArray *body, const char *name, const int *size, Type type)
{
	KKernel *k = s->k;
	const KTile *tile = k_make_tile(k, body, name, type, KS_REGISTERS, 3, size);
	const KExpr *index[3];

	for (int n = 0; n < 3; n++)
		body = k_over(k, body, "n", size[n], &index[n]);
	k_put(k, body, k_element(k, tile, index), k_int(k, 0));
	return tile;
}

void
strip_sums_begin(Strip *s)
{
	int edge[] = { s->time, s->radius, s->keep[0][0] + s->keep[0][1] };

	for (guint i = 0; i < s->sums->values->len; i++) {
		ScatterValue *v = g_ptr_array_index(s->sums->values, i);
		int size[] = { s->time, v->last - v->plane, s->vx };

		if (v->last > v->plane)
			v->tile = cleared(s, s->k->body, "sum", size, v->mark->type);
	}
	if (keeps_columns(s))
		s->edge = cleared(s, s->k->body, "edge", edge, s->field->source->field->type);
}

/* ---- values ---- */

/* The cell of the lane whose values are made. */
typedef struct {
	const Strip *strip;
	const KExpr *step, *column;
} Place;

static const KExpr *
read_at(const Expr *tap, gconstpointer user)
{
	const Place *p = user;
	const Strip *s = p->strip;
	const AxisMap *map = tap->tap.map;

	return strip_near(s, s->field, p->step, s->radius + map[s->axis[1]].offset,
		k_add(s->k, p->column, map[s->axis[0]].offset));
}

static const KExpr *
kept_at(const ScatterValue *v, int since, gconstpointer user)
{
	const Place *p = user;
	KKernel *k = p->strip->k;

	return k_at(k, v->tile, p->step, k_int(k, since), p->column);
}

void
strip_sums_cell(const Strip *s, GPtrArray *body, const KExpr *next, const KExpr *step,
	const KExpr *column)
{
	const Place here = { s, step, column };

	scatter_complete(s->k, body, s->sums, &(ScatterCell){ read_at, kept_at, &here }, NULL,
		next, NULL);
}

/* ---- what stays ---- */

/* The cell that column COLUMN is kept in: those at the left come first. */
static const KExpr *
edge_at(const Strip *s, const KExpr *step, int age, int column)
{
	int n = column < s->keep[0][0] ? column : column - s->vx + s->keep[0][0] + s->keep[0][1];

	return k_at(s->k, s->edge, step, k_int(s->k, age), k_int(s->k, n));
}

const KExpr *
strip_sums_kept(const Strip *s, const KExpr *step, int column)
{
	return s->edge != NULL ? edge_at(s, step, s->radius - 1, column)
		: strip_near(s, s->field, step, 0, k_int(s->k, column));
}

void
strip_sums_move(const Strip *s, GPtrArray *body, const KExpr *step)
{
	KKernel *k = s->k;

	for (int c = 0; c < s->vx && s->edge != NULL; c++) {
		if (c >= s->keep[0][0] && c < s->vx - s->keep[0][1])
			continue;
		for (int age = s->radius - 1; age > 0; age--)
			k_put(k, body, edge_at(s, step, age, c), edge_at(s, step, age - 1, c));
		k_put(k, body, edge_at(s, step, 0, c), strip_near(s, s->field, step, s->radius,
			k_int(k, c)));
	}
}

/* Column X, which may be one of the other end. */
static const KExpr *
column_start(const Strip *s, const KExpr *x)
{
	for (int face = 0; face < 2 && s->around[0] != NULL; face++)
		x = k_fold(s->k, x, EDGE_WRAP, face, s->grid, s->axis[0]);
	return place_offset(s->k, s->field->source->field, FALSE, s->axis[0], x);
}

void
strip_sums_fetch(const Strip *s, GPtrArray *body, const KExpr *q, const KExpr *next_step)
{
	KKernel *k = s->k;
	const StripField *f = s->field;
	const KArray from = { f->source->field, 0, FALSE, FALSE };
	const KExpr *row = strip_row_start(s, body, f, q), *to[LANE_COLUMNS];

	for (int c = 0; c < s->vx; c++)
		to[c] = strip_near(s, f, next_step, s->radius, k_int(k, c));
	if (f->column[0] != NULL) {
		strip_load(s, body, f, row, to);
		return;
	}
	for (int c = 0; c < s->vx; c++)
		k_load(k, body, to[c], from, place_sum(k, row, column_start(s, k_add(k, s->x0,
			c))), 1);
}
