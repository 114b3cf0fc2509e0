/* weave_share.c: what threads of a block read of each other's planes.
 *
 * Before a group of maps each thread leaves what the others will read in shared memory,
 * waits for them, and takes what it reads.  Groups take turns with two halves of it, so
 * that who is late still finds what was left for him, and one barrier a group is enough.
 */
#include "base/round.h"
#include "kernel/place.h"
#include "kernel/weave.h"

static int
places_of(const WeaveGroup *g)
{
	int n = 0;

	for (int i = 0; i < g->n_planes; i++)
		n = MAX(n, g->plane[i].place + 1);
	return n;
}

/* Places of half HALF: of every second group, or of all, if those of a step take turns. */
static int
places_of_half(const Weave *w, int half)
{
	int most = 0;

	for (const WeaveGroup *g = w->group_of; g < w->group_of + w->n_groups; g++)
		if (g->number >= 0 && (w->n_sending % 2 == 1 || g->number % 2 == half))
			most = MAX(most, places_of(g));
	return most;
}

int
weave_left_of(const Weave *w)
{
	return ROUND_UP(w->reach[0][0], w->group);
}

const KTile *
weave_shared(const Weave *w, const char *want, Type type, int planes)
{
	return k_shared(w->k, w->k->body, want, type, planes, w->reach[1][0] + w->groups_y
		* w->rows + w->reach[1][1], weave_left_of(w) + w->lanes * w->vx
		+ ROUND_UP(w->reach[0][1], w->group));
}

void
weave_make_beside(Weave *w)
{
	const KTile *of_type[TYPE_N] = { NULL };
	const int places = places_of_half(w, 0) + places_of_half(w, 1);

	for (const WeaveGroup *g = w->group_of; g < w->group_of + w->n_groups; g++)
		for (int i = 0; i < g->n_planes; i++) {
			WeaveField *f = &w->field[g->plane[i].field];
			const KTile **tile = &of_type[f->source->field->type];

			if (g->plane[i].place < 0)
				continue;
			if (*tile == NULL)
				*tile = weave_shared(w, "beside", f->source->field->type, places);
			f->beside = *tile;
		}
}

/* COLUMN of row ROW from the thread's, of the plane P, which lies at LEFT. */
static const KExpr *
shared_at(const Weave *w, const WeavePlane *p, WeaveLeft left, int row, const KExpr *column)
{
	KKernel *k = w->k;
	const WeaveField *f = &w->field[p->field];

	return k_at(k, left.tile, left.first, k_add(k, weave_beside(w, f, 1, row), w->reach[1][0]),
		k_add(k, column, weave_left_of(w)));
}

/* Likewise, of the thread's columns and those around them. */
static const KExpr *
shared(const Weave *w, const WeavePlane *p, WeaveLeft left, int row, int column)
{
	return shared_at(w, p, left, row, weave_beside(w, &w->field[p->field], 0, column));
}

static const KExpr *
cell(const Weave *w, const WeavePlane *p, const KExpr *step, int row, int column)
{
	const WeaveField *f = &w->field[p->field];

	return weave_cell(w, f, weave_level(w, f, p->level, step), p->age, k_int(w->k, row),
		k_int(w->k, column));
}

static gboolean
is_asked(const Weave *w, const WeavePlane *p, int row, int column)
{
	return p->asked[weave_place(w, row, column)];
}

/* Row ROW of the thread's, or of those beside it, is read there. */
static gboolean
row_is_sent(const Weave *w, const WeavePlane *p, int row)
{
	gboolean lanes = weave_by_lanes(w, &w->field[p->field]);

	for (int c = -w->reach[0][0]; c < w->vx + w->reach[0][1]; c++)
		if (is_asked(w, p, row, c) && (row < 0 || row >= w->rows
			|| (!lanes && (c < 0 || c >= w->vx))))
			return TRUE;
	return FALSE;
}

/* Row ROW of each thread is read by some other; of images any may be. */
static gboolean
is_left(const Weave *w, const WeavePlane *p, int row)
{
	const WeaveField *f = &w->field[p->field];

	if (weave_has_ghosts(f, 1, 0) || weave_has_ghosts(f, 1, 1) || weave_ends_within(w, f))
		return TRUE;
	for (int r = -w->reach[1][0]; r < w->rows + w->reach[1][1]; r++)
		if ((r - row) % w->rows == 0 && row_is_sent(w, p, r))
			return TRUE;
	return FALSE;
}

void
weave_leave(const Weave *w, GPtrArray *body, const WeavePlane *p, WeaveLeft left,
	const KExpr *step)
{
	int group = w->field[p->field].group;

	for (int j = 0; j < w->rows; j++)
		for (int c = 0; c < w->vx && is_left(w, p, j); c += group)
			k_move(w->k, body, shared(w, p, left, j, c), cell(w, p, step, j, c),
				group);
}

static void
shuffle(const Weave *w, GPtrArray *body, const WeavePlane *p, const KExpr *step, int row,
	int column)
{
	KKernel *k = w->k;
	int away = column < 0 ? -1 : 1;
	const KExpr *from = tile_lane(k, w->lanes, away);

	k_put(k, body, cell(w, p, step, row, column), k_shuffle(k, cell(w, p, step, row, column
		- away * w->vx), from));
}

/* How many columns from C on, all beside the thread's own, are a vector of row ROW. */
static int
columns_beside(const Weave *w, const WeavePlane *p, int row, int c)
{
	const WeaveField *f = &w->field[p->field];
	int end = c >= w->vx;

	if (weave_has_ghosts(f, 0, end) || weave_by_lanes(w, f) || c % f->group != 0
		|| (c < 0 ? -c : w->vx + w->reach[0][1] - c) < f->group)
		return 1;
	for (int i = 0; i < f->group; i++)
		if (!is_asked(w, p, row, c + i))
			return 1;
	return f->group;
}

/* Row ROW of what lies beside, in vectors where columns are. */
static void
take_row(const Weave *w, GPtrArray *body, const WeavePlane *p, WeaveLeft left,
	const KExpr *step, int row)
{
	gboolean own = row >= 0 && row < w->rows;
	int group = w->field[p->field].group;

	for (int c = -w->reach[0][0]; c < w->vx + w->reach[0][1]; c++) {
		gboolean beside = c < 0 || c >= w->vx, asked = FALSE;
		int width = beside ? columns_beside(w, p, row, c) : group;

		for (int i = 0; i < width; i++)
			asked = asked || is_asked(w, p, row, c + i);
		if (asked && own && beside && weave_by_lanes(w, &w->field[p->field]))
			shuffle(w, body, p, step, row, c);
		else if (asked && (beside || !own))
			k_move(w->k, body, cell(w, p, step, row, c), shared(w, p, left, row, c),
				width);
		c += width - 1;
	}
}

/* What lies DISTANCE behind the last cell of a ragged row. */
static const KExpr *
behind(const Weave *w, GPtrArray *body, const WeavePlane *p, WeaveLeft left, int row, int distance)
{
	const WeaveField *f = &w->field[p->field];

	return f->kind[0][1] == EDGE_CONSTANT ? place_constant(w->k, f->source->boundary,
		w->plan->axis[0], 1) : k_let(w->k, body, "image", shared_at(w, p, left, row,
		weave_behind(w, f, distance)));
}

/* The thread's columns behind the last cell of a ragged row, of which only those before the end
 * have use; *ENDS: where there are such. */
static void
take_ends(const Weave *w, GPtrArray *body, GPtrArray **ends, const WeavePlane *p,
	WeaveLeft left, const KExpr *step, int row)
{
	const WeaveField *f = &w->field[p->field];

	for (int d = 1; d <= f->reach[0][1] && weave_ends_within(w, f); d++)
		for (int c = d; c < w->vx; c++) {
			const KExpr *place = cell(w, p, step, row, c);

			if (!p->behind[weave_place(w, row, c)])
				continue;
			if (*ends == NULL)
				*ends = k_if(w->k, body, w->ends);
			k_put(w->k, *ends, place, k_select(w->k, weave_ends_with(w, c - d),
				behind(w, *ends, p, left, row, d), place));
		}
}

static void
set_constants(const Weave *w, GPtrArray *body, const WeavePlane *p, const KExpr *step,
	const KExpr *z, int row)
{
	for (int c = -w->reach[0][0]; c < w->vx + w->reach[0][1]; c++)
		if ((row < 0 || row >= w->rows || c < 0 || c >= w->vx) && is_asked(w, p, row, c))
			weave_constants(w, body, p, step, z, row, c, cell(w, p, step, row, c));
}

void
weave_take(const Weave *w, GPtrArray *body, const WeaveGroup *group, const WeaveLeft *left,
	const KExpr *step, const KExpr *z)
{
	int above = -w->reach[1][0], below = w->rows + w->reach[1][1];
	GPtrArray *own = NULL, *beside = NULL;

	/* The thread's own rows wait for nothing: nvcc moves no load across the test. */
	for (int i = 0; i < group->n_planes; i++)
		for (int r = 0; r < w->rows; r++)
			take_ends(w, body, &own, &group->plane[i], left[i], step, r);
	for (int i = 0; i < group->n_planes; i++)
		for (int r = above; r < below; r++) {
			take_row(w, body, &group->plane[i], left[i], step, r);
			set_constants(w, body, &group->plane[i], step, z, r);
		}
	for (int i = 0; i < group->n_planes; i++)
		for (int r = above; r < below; r++)
			if (r < 0 || r >= w->rows)
				take_ends(w, body, &beside, &group->plane[i], left[i], step, r);
}

void
weave_exchange(const Weave *w, GPtrArray *body, const WeaveGroup *group, const KExpr *step,
	const KExpr *z)
{
	KKernel *k = w->k;
	const KExpr *half = k_binary(k, K_REM, k_add(k, k_binary(k, K_MUL, step, k_int(k,
		w->n_sending % 2)), MAX(group->number, 0)), k_int(k, 2));
	const KExpr *first = k_binary(k, K_MUL, half, k_int(k, places_of_half(w, 0)));
	WeaveLeft *left = arena_array(k->arena, WeaveLeft, group->n_planes + 1);

	for (int i = 0; i < group->n_planes; i++) {
		const WeavePlane *p = &group->plane[i];

		left[i] = (WeaveLeft){ w->field[p->field].beside, k_add(k, first, p->place) };
		if (p->place >= 0)
			weave_leave(w, body, p, left[i], step);
	}
	if (group->number >= 0)
		k_barrier(k, body);
	weave_take(w, body, group, left, step, z);
}
