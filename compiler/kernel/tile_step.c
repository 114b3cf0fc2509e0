/* tile_step.c: a step of a tile: rows and columns from beside, values, rims. */
#include "kernel/place.h"
#include "kernel/tile.h"
#include "kernel/tile_place.h"

const KExpr *
tile_queued(const TileCode *t, const KExpr *step, const KExpr *plane, const KExpr *row,
	const KExpr *column)
{
	return k_at(t->k, t->queue, k_add(t->k, step, t->history), plane, k_add(t->k, row,
		t->reach[1][0]), k_add(t->k, column, t->reach[0][0]));
}

static const KExpr *
queued_at(const TileCode *t, const KExpr *step, int plane, int row, int column)
{
	return tile_queued(t, step, k_int(t->k, plane), k_int(t->k, row), k_int(t->k, column));
}

const KExpr *
tile_param(const TileCode *t, KParamKind kind, int number)
{
	return k_param(t->k, (KParam){ .kind = kind, .axis = t->plan->axis[number],
		.grid = t->stage->grid });
}

gboolean
tile_is_needed(const TileCode *t, int plane, int row, int column)
{
	return t->needed[tile_place_number(t, plane, row, column)];
}

/* ---- rows beside a thread's own ---- */

void
tile_slots(TileCode *t, GPtrArray *body)
{
	KKernel *k = t->k;

	for (int age = 0; age < MIN(t->depth, t->planes); age++)
		t->slot[t->planes - 1 - age] = t->depth == 1 ? k_int(k, 0) : k_let(k, body, "slot",
			k_binary(k, K_REM, k_add(k, t->turn, (t->depth - age) % t->depth),
			k_int(k, t->depth)));
}

/* In shared memory each thread has its first rows, then its last ones: AT counts
 * from the first of them. */
static const KExpr *
element_beside(const TileCode *t, const KExpr *step, int plane, int at, int column)
{
	return k_at(t->k, t->beside, step, t->slot[plane], k_add(t->k, t->row, at), k_add(t->k,
		t->column, column));
}

static void
leave_row(const TileCode *t, GPtrArray *body, const KExpr *step, int row, int at)
{
	int newest = t->planes - 1;

	for (int c = 0; c < t->vx; c += t->group)
		k_move(t->k, body, element_beside(t, step, newest, at, c),
			queued_at(t, step, newest, row, c), t->group);
}

/* What the threads above and below will ask the newest plane for. */
static void
leave_rows(const TileCode *t, GPtrArray *body, const KExpr *step)
{
	int above = t->reach[1][0], below = t->reach[1][1];

	if (t->shares) {
		tile_share_leave(t, body, step);
		return;
	}
	for (int i = 0; i < below; i++)
		leave_row(t, body, step, i, i);
	for (int i = 0; i < above; i++)
		leave_row(t, body, step, t->rows - above + i, below + i);
}

static gboolean
row_is_needed(const TileCode *t, int plane, int row)
{
	for (int c = -t->reach[0][0]; c < t->vx + t->reach[0][1]; c++)
		if (tile_is_needed(t, plane, row, c))
			return TRUE;
	return FALSE;
}

static void
take_row(const TileCode *t, GPtrArray *body, const KExpr *step, int plane, int row, int at)
{
	if (row_is_needed(t, plane, row))
		for (int c = 0; c < t->vx; c += t->group)
			k_move(t->k, body, queued_at(t, step, plane, row, c),
				element_beside(t, step, plane, at, c), t->group);
}

static void
take_rows(const TileCode *t, GPtrArray *body, const KExpr *step)
{
	int above = t->reach[1][0], below = t->reach[1][1];

	if (t->shares) {
		tile_share_take(t, body, step);
		return;
	}
	for (int plane = 0; plane < t->planes; plane++) {
		for (int i = 1; i <= above; i++)
			take_row(t, body, step, plane, -i, -i);
		for (int i = 0; i < below; i++)
			take_row(t, body, step, plane, t->rows + i, above + below + i);
	}
}

/* ---- columns beside them ---- */

static void
shuffle_column(const TileCode *t, GPtrArray *body, const KExpr *step, int plane, int row,
	int column)
{
	KKernel *k = t->k;
	int away = column < 0 ? -1 : 1;
	const KExpr *from = tile_lane(k, t->lanes, away);

	if (tile_is_needed(t, plane, row, column))
		k_put(k, body, queued_at(t, step, plane, row, column), k_shuffle(k, queued_at(t,
			step, plane, row, column - away * t->vx), from));
}

/* Of rows FIRST to END; what is shared comes with the rows. */
static void
shuffle_columns(const TileCode *t, GPtrArray *body, const KExpr *step, int first, int end)
{
	for (int plane = 0; plane < t->planes && !t->shares; plane++)
		for (int row = first; row < end; row++) {
			for (int i = 1; i <= t->reach[0][0]; i++)
				shuffle_column(t, body, step, plane, row, -i);
			for (int i = 0; i < t->reach[0][1]; i++)
				shuffle_column(t, body, step, plane, row, t->vx + i);
		}
}

/* ---- values ---- */

int
tile_past_plane(const TileCode *t, int before)
{
	return t->planes - 1 - (before + 1) * t->lag;
}

/* What the cell itself was before. */
static void
bind_past(const TileCode *t, GHashTable *bound, const KExpr *step, const KExpr *row,
	const KExpr *column)
{
	for (guint i = 0; i < t->sources->len; i++) {
		const KSource *s = g_ptr_array_index(t->sources, i);

		for (guint n = 0; n < s->taps->len && s->level < 0; n++)
			g_hash_table_insert(bound, g_ptr_array_index(s->taps, n),
				(gpointer)tile_queued(t, k_add(t->k, step, s->level), k_int(t->k,
				tile_past_plane(t, -s->level)), row, column));
	}
}

/* What a tap reads at STEP, of a cell of plane PLANE; FIRST: the first of the grid.  NULL: that
 * is not at hand. */
static const KExpr *
tapped(const TileCode *t, const Expr *tap, const KExpr *step, int plane, gboolean first,
	const KExpr *row, const KExpr *column)
{
	KKernel *k = t->k;
	const AxisMap *map = tap->tap.map;
	const int *axis = t->plan->axis;
	EdgeKind kind = t->kind[2][0];
	int z = map[axis[2]].offset;

	if (first && z < 0 && kind == EDGE_CONSTANT)
		return t->outside;
	if (first && z < 0)
		z = place_image(kind, -z);
	if (plane + z >= t->planes)
		return NULL;
	return tile_queued(t, step, k_int(k, plane + z), k_add(k, row, map[axis[1]].offset),
		k_add(k, column, map[axis[0]].offset));
}

/* EXPR, which reads what is at hand, for a cell of plane PLANE and of the thread. */
static const KExpr *
value(const TileCode *t, Expr *expr, const KExpr *step, int plane, gboolean first,
	const KExpr *row, const KExpr *column)
{
	KKernel *k = t->k;
	GHashTable *bound = g_hash_table_new(NULL, NULL);

	for (guint n = 0; n < t->source->taps->len; n++) {
		Expr *tap = g_ptr_array_index(t->source->taps, n);
		const KExpr *read = tapped(t, tap, step, plane, first, row, column);

		if (read != NULL)
			g_hash_table_insert(bound, tap, (gpointer)read);
	}
	bind_past(t, bound, step, row, column);
	if (t->cut.mark != NULL)
		g_hash_table_insert(bound, t->cut.mark, (gpointer)tile_queued(t, step, k_int(k, 0),
			row, column));
	return k_value(k, expr, bound, NULL);
}

const KExpr *
tile_ahead(const TileCode *t, const KTile *ahead, const KExpr *slot, const KExpr *row,
	const KExpr *column)
{
	return k_at(t->k, ahead, slot, k_binary(t->k, K_ADD, t->row_ahead, row), k_binary(t->k,
		K_ADD, t->column, column));
}

/* What a cell of the plane that is computed was at the step before: cells that nobody
 * computes are as they came. */
static const KExpr *
before(const TileCode *t, GPtrArray *body, const KExpr *step, const KExpr *row,
	const KExpr *column)
{
	KKernel *k = t->k;
	const KExpr *slot;

	if (t->sums == NULL)
		return tile_queued(t, step, k_int(k, t->planes - 1 - t->lag), row, column);
	slot = k_binary(k, K_MUL, k_add(k, step, 1), k_int(k, t->lag));
	slot = k_binary(k, K_SUB, k_add(k, t->turn, t->ahead->size[0]), slot);
	slot = k_let(k, body, "slot_kept", k_binary(k, K_REM, slot, k_int(k, t->ahead->size[0])));
	return k_let(k, body, "was", tile_ahead(t, t->ahead, slot, row,
		column));
}

/* The cells keep what they were at the step before, where TEST holds; NULL: anyway. */
static void
keep(const TileCode *t, GPtrArray *body, const KExpr *step, const KExpr *row,
	const KExpr *column, const KExpr *test)
{
	KKernel *k = t->k;
	const KExpr *to = tile_queued(t, k_add(k, step, 1), k_int(k, t->planes - 1), row, column);
	const KExpr *kept = before(t, body, step, row, column);

	k_put(k, body, to, test != NULL ? k_select(k, test, kept, to) : kept);
}

/* Row, or column, I of the thread lies beyond END of the region. */
static const KExpr *
beyond(const TileCode *t, int number, int end, int i)
{
	return place_uncomputed(t->k, t->stage->grid, t->plan->axis[number], NULL, end, k_add(t->k,
		t->at[number], i));
}

/* Cells of the last row's thread that are computed.  Where tiles begin with whole vectors they
 * are as many in all of them: a kernel for each number is worth while where sums are kept
 * (tests/bench/RESULTS.md), and where more than what is left of the rows goes by it. */
static const KExpr *
left_over(const TileCode *t)
{
	KKernel *k = t->k;

	if (t->sums == NULL || t->vx != t->group || t->plan->behind)
		return k_let(k, k->setup, "left_over", k_binary(k, K_REM, k_binary(k, K_SUB,
			tile_param(t, KP_REGION_HI, 0), t->tile_at[0]), k_int(k, t->vx)));
	k->endings = t->vx;
	return k_param(k, (KParam){ .kind = KP_LEFT_OVER, .axis = t->plan->axis[0] });
}

/* The column I of a thread is the one that stays at the end of a ragged row: which that is is
 * the same for all rows of a tile, and what lies behind it is nobody's. */
static const KExpr *
ends_here(const TileCode *t, int i)
{
	return k_equal(t->k, left_over(t), k_int(t->k, i));
}

/* A grid begins with a thread's first cells and ends with its last ones, and its rim
 * is as wide as a step reaches: what lies within that of the thread's ends is asked
 * for, of as many threads as that are.  A ragged row ends anywhere. */
static void
keep_end(const TileCode *t, GPtrArray *body, const KExpr *step, int number, int end)
{
	KKernel *k = t->k;
	int n = number == 0 ? t->vx : t->rows, reach = t->reach[number][end];
	gboolean anywhere = number == 0 && end == 1 && t->plan->ragged;

	for (int r = 0; r < (anywhere ? n : MIN(reach, n)); r++) {
		int i = end == 0 ? r : n - 1 - r;
		const KExpr *other, *test = k_let(k, k->setup, "kept", beyond(t, number, end, i));
		GPtrArray *each = anywhere && reach == 1 ? k_if(k, body, ends_here(t, i)) : body;

		each = k_over(k, each, number == 0 ? "j" : "i", number == 0 ? t->rows : t->vx,
			&other);
		keep(t, each, step, number == 0 ? other : k_int(k, i), number == 0 ? k_int(k, i)
			: other, test);
	}
}

gboolean
tile_keeps(const TileCode *t, int number, int end)
{
	return t->kind[number][end] == EDGE_KEEP && t->reach[number][end] > 0;
}

/* Some step of this turn computes a plane beyond the region, or less than what it
 * reads within; NULL: there is no end to the region. */
static const KExpr *
near_ends(const TileCode *t, const KExpr *z, gboolean ghosts)
{
	KKernel *k = t->k;
	const KExpr *near = NULL;

	if (ghosts ? tile_has_ghosts(t, 2, 0) : t->kind[2][0] == EDGE_KEEP)
		near = k_binary(k, K_LT, k_add(k, z, -t->lag * t->time),
			k_add(k, tile_param(t, KP_REGION_LO, 2), ghosts ? t->reach[2][0] : 0));
	if (ghosts ? tile_has_ghosts(t, 2, 1) : t->kind[2][1] == EDGE_KEEP)
		near = k_or(k, near, k_binary(k, K_GE, k_add(k, z, -t->lag),
			k_add(k, tile_param(t, KP_REGION_HI, 2), ghosts ? -t->reach[2][1] : 0)));
	return near;
}

GPtrArray *
tile_where(KKernel *k, GPtrArray *body, const KExpr *outer, const KExpr *test)
{
	return test == outer ? body : k_if(k, body, test);
}

static void
keep_rim(const TileCode *t, GPtrArray *body, const KExpr *step, const KExpr *z, const KExpr *q)
{
	KKernel *k = t->k;
	const KExpr *lo = tile_param(t, KP_REGION_LO, 2), *hi = tile_param(t, KP_REGION_HI, 2);
	const KExpr *near = near_ends(t, z, FALSE), *any = k_or(k, t->edges, near), *j, *i;
	GPtrArray *rim, *plane;

	if (any == NULL)
		return;
	rim = k_if(k, body, any);
	if (near != NULL) {
		plane = k_if(k, tile_where(k, rim, any, near), k_binary(k, K_OR,
			k_binary(k, K_LT, q, lo), k_binary(k, K_GE, q, hi)));
		plane = k_over_cells(k, plane, t->rows, t->vx, &j, &i);
		keep(t, plane, step, j, i, NULL);
	}
	for (int n = 0; n < 4; n++)
		if (tile_keeps(t, n / 2, n % 2))
			keep_end(t, rim, step, n / 2, n % 2);
}

static void
compute(const TileCode *t, GPtrArray *body, const KExpr *step)
{
	const KExpr *j, *i;
	GPtrArray *each = k_over_cells(t->k, body, t->rows, t->vx, &j, &i);

	k_set(t->k, each, tile_queued(t, k_add(t->k, step, 1), k_int(t->k, t->planes - 1), j, i),
		value(t, t->cut.rest, step, t->planes - 1 - t->lag, FALSE, j, i), t->stage->at);
}

/* What the cells of plane PLANE have of their oldest one. */
static void
keep_part(const TileCode *t, GPtrArray *body, const KExpr *step, int plane, gboolean first)
{
	KKernel *k = t->k;
	const KExpr *j, *i;
	GPtrArray *each = k_over_cells(k, body, t->rows, t->vx, &j, &i);

	k_set(k, each, tile_queued(t, step, k_int(k, 0), j, i), value(t, t->cut.part, step, plane,
		first, j, i), t->stage->at);
}

void
tile_begin_part(const TileCode *t, GPtrArray *body, const KExpr *step)
{
	keep_part(t, body, step, t->planes - 1 - t->lag, TRUE);
}

/* Or what the next one to be computed has of it is kept. */
void
tile_move_on(const TileCode *t, GPtrArray *body, const KExpr *step)
{
	KKernel *k = t->k;
	int kept = t->cut.part != NULL;
	const KExpr *p, *j, *i;
	GPtrArray *each;

	if (kept)
		keep_part(t, body, step, t->planes - t->lag, FALSE);
	each = k_over(k, body, "p", t->planes - 1 - kept, &p);
	p = k_add(k, p, kept);
	each = k_over_cells(k, each, t->rows, t->vx, &j, &i);
	k_put(k, each, tile_queued(t, step, p, j, i), tile_queued(t, step, k_add(k, p, 1), j, i));
}

/* ---- the whole ---- */

static void
bring_columns(const TileCode *t, GPtrArray *body, const KExpr *step, int first, int end)
{
	shuffle_columns(t, body, step, first, end);
	tile_fill_columns(t, body, step, first, end);
}

/* The sums of STEP, PLANE being the newest.  Rows in the middle of a thread need none of those
 * beside: where the barrier has two halves, they are what is done in between. */
static void
add_up(const TileCode *t, GPtrArray *body, const KExpr *step, const KExpr *z,
	const KExpr *plane)
{
	KKernel *k = t->k;
	int above = t->reach[1][0], below = t->reach[1][1], rows = t->rows;
	int first = t->gate != NULL ? MIN(above, rows) : rows, end = MAX(rows - below, first);
	const KExpr *near = tile_sums_near(t, z);

	tile_sums_begin(t, body);
	if (near != NULL)
		tile_sums_outside(t, k_if(k, body, near), step, plane);
	leave_rows(t, body, step);
	if (t->gate != NULL) {
		k_arrive(k, body, t->gate);
		bring_columns(t, body, step, 0, rows);
		tile_sums_pairs(t, body, step, 0, rows);
		if (first < end)
			tile_sums_rows(t, body, step, plane, near, first, end);
		k_await(k, body, t->gate, k_let(k, body, "parity", k_binary(k, K_REM,
			k_binary(k, K_ADD, k_binary(k, K_MUL, t->turn, k_int(k, t->time)), step),
			k_int(k, 2))));
	} else {
		k_barrier(k, body);
		if (!t->shares) {
			bring_columns(t, body, step, 0, rows);
			tile_sums_pairs(t, body, step, 0, rows);
		}
	}
	take_rows(t, body, step);
	if (t->shares)
		tile_sums_pairs(t, body, step, 0, rows);
	bring_columns(t, body, step, -above, 0);
	bring_columns(t, body, step, rows, rows + below);
	tile_fill_rows(t, body, step);
	tile_sums_pairs(t, body, step, -above, 0);
	tile_sums_pairs(t, body, step, rows, rows + below);
	if (first > 0)
		tile_sums_rows(t, body, step, plane, near, 0, first);
	if (end < rows)
		tile_sums_rows(t, body, step, plane, near, end, rows);
}

/* The values of STEP, Q being their plane and Z the newest. */
static void
gather(const TileCode *t, GPtrArray *body, const KExpr *step, const KExpr *z, const KExpr *q)
{
	KKernel *k = t->k;
	const KExpr *near = near_ends(t, z, TRUE);
	const KExpr *any = t->shares ? near : k_or(k, t->faces, near);

	if (t->early) {
		leave_rows(t, body, step);
		k_barrier(k, body);
	}
	take_rows(t, body, step);
	if (!t->early)
		leave_rows(t, body, step);
	if (t->gate != NULL)
		k_arrive(k, t->time == 1 ? body : k_if(k, body, k_binary(k, K_GE, step,
			k_int(k, t->time - 1))), t->gate);
	shuffle_columns(t, body, step, -t->reach[1][0], t->rows + t->reach[1][1]);
	if (any != NULL)
		tile_fill_ghosts(t, k_if(k, body, any), any, near, step, q);
	compute(t, body, step);
}

void
tile_step(const TileCode *t, GPtrArray *body, const KExpr *step, const KExpr *z)
{
	KKernel *k = t->k;
	const KExpr *q = k_let(k, body, "q", k_binary(k, K_SUB, z, k_binary(k, K_MUL,
		k_add(k, step, 1), k_int(k, t->lag))));

	if (t->sums != NULL)
		add_up(t, body, step, z, k_add(k, q, t->lag));
	else
		gather(t, body, step, z, q);
	keep_rim(t, body, step, z, q);
	if (t->planes > 1 && t->sums == NULL && !t->plan->held) /* what is older is read no more */
		tile_move_on(t, body, k_add(k, step, -t->history));
}
