/* tile_share.c: planes of a step that lie in shared memory whole (`exchange=shared`).
 *
 * Each thread leaves all its cells of the newest plane there; those that have what is
 * read beyond the grid leave it there too, around the tile.  So a thread reads the places
 * beside its own cells where they are, and does not ask where the grid ends; with
 * `hold=shared` its own cells of older planes as well.
 */
#include "kernel/tile.h"

#include "base/round.h"

static int
left_of(const TileCode *t)
{
	return ROUND_UP(t->reach[0][0], t->group);
}

void
tile_share_size(const TileCode *t, int *rows, int *columns)
{
	*rows = t->reach[1][0] + t->groups * t->rows + t->reach[1][1];
	*columns = left_of(t) + t->lanes * t->vx + ROUND_UP(t->reach[0][1], t->group);
}

/* ROW and COLUMN count from the thread's first cell. */
static const KExpr *
shared(const TileCode *t, const KExpr *step, int plane, int row, int column)
{
	return k_at(t->k, t->beside, step, t->slot[plane], k_add(t->k, t->row_ahead, t->reach[1][0]
		+ row), k_add(t->k, t->column, left_of(t) + column));
}

static const KExpr *
own(const TileCode *t, const KExpr *step, int plane, int row, int column)
{
	return tile_queued(t, step, k_int(t->k, plane), k_int(t->k, row), k_int(t->k, column));
}

/* ---- places beyond the grid ---- */

/* A place beyond an end of a row, or of a column, of the tile. */
typedef struct {
	int ghost, from; /* from the thread's first cell: it, and the cell that is read there */
	gboolean constant;
	const Expr *value;
	const KExpr *test; /* of the thread that has the cell */
} Beyond;

typedef struct {
	Beyond *beyond;
	int n, number;
} List;

/* Thread I along axis NUMBER; the outermost ones at either end take one test. */
static const KExpr *
is_thread(const TileCode *t, int number, int i)
{
	KKernel *k = t->k;
	const KExpr *thread = k_param(k, (KParam){ .kind = KP_THREAD, .axis = number });
	const KExpr *after = i > 0 ? k_binary(k, K_GE, thread, k_int(k, i)) : NULL;
	int threads = number == 0 ? t->lanes : t->groups;

	return i == threads - 1 && after != NULL ? after
		: k_and(k, after, k_binary(k, K_GE, k_int(k, i), thread));
}

static void
add_beyond(const TileCode *t, int end, int distance, int image, gpointer user)
{
	List *list = user;
	int number = list->number, n = number == 0 ? t->vx : t->rows;
	int threads = number == 0 ? t->lanes : t->groups;
	int cell = end == 0 ? image % n : n - 1 - image % n;
	int thread = end == 0 ? image / n : threads - 1 - image / n;
	Beyond *b = &list->beyond[list->n++];

	*b = (Beyond){ .from = cell, .ghost = end == 0 ? cell - image - distance
		: cell + image + distance, .constant = t->kind[number][end] == EDGE_CONSTANT,
		.test = k_and(t->k, tile_at_face(t, number, end), is_thread(t, number, thread)) };
	if (b->constant)
		b->value = t->source->boundary->value[t->plan->axis[number]][end];
}

static List
list_beyond(const TileCode *t, int number)
{
	List list = { arena_array(t->k->arena, Beyond, t->reach[number][0] + t->reach[number][1]),
		0, number };

	tile_over_ghosts(t, number, add_beyond, &list);
	return list;
}

/* Some thread asks for a place beside its own cells along both axes. */
static gboolean
has_corners(const TileCode *t)
{
	for (int plane = 0; plane < t->planes; plane++)
		for (int row = -t->reach[1][0]; row < t->rows + t->reach[1][1]; row++)
			for (int c = -t->reach[0][0]; c < t->vx + t->reach[0][1]; c++)
				if ((row < 0 || row >= t->rows) && (c < 0 || c >= t->vx)
					&& tile_is_needed(t, plane, row, c))
					return TRUE;
	return FALSE;
}

static const KExpr *
held_constant(const TileCode *t, GPtrArray *body, const Expr *value)
{
	const KExpr *place = k_register(t->k, body, "beyond", t->queue->type.type);

	k_put(t->k, body, place, k_value(t->k, (Expr *)value, NULL, NULL));
	return place;
}

/* What lies beyond a row, and beyond a column, of which either may be NULL: what the latter
 * says goes before the former. */
static void
leave_ghost(const TileCode *t, GPtrArray *body, const KExpr *step, const Beyond *x,
	const Beyond *y, int other)
{
	const Beyond *constant = y != NULL && y->constant ? y : x != NULL && x->constant ? x : NULL;
	int newest = t->planes - 1;
	int row = y != NULL ? y->from : other, column = x != NULL ? x->from : other;

	k_move(t->k, body, shared(t, step, newest, y != NULL ? y->ghost : row, x != NULL ? x->ghost
		: column), constant != NULL ? held_constant(t, body, constant->value)
		: own(t, step, newest, row, column), 1);
}

static void
leave_ghosts(const TileCode *t, GPtrArray *body, const KExpr *step)
{
	const List x = list_beyond(t, 0), y = list_beyond(t, 1);
	gboolean corners = has_corners(t);

	for (int a = 0; a < x.n; a++) {
		GPtrArray *here = k_if(t->k, body, x.beyond[a].test);

		for (int row = 0; row < t->rows; row++)
			leave_ghost(t, here, step, &x.beyond[a], NULL, row);
		for (int b = 0; b < y.n && corners; b++)
			leave_ghost(t, k_if(t->k, here, y.beyond[b].test), step, &x.beyond[a],
				&y.beyond[b], 0);
	}
	for (int b = 0; b < y.n; b++) {
		GPtrArray *here = k_if(t->k, body, y.beyond[b].test);

		for (int c = 0; c < t->vx; c++)
			leave_ghost(t, here, step, NULL, &y.beyond[b], c);
	}
}

/* ---- all places ---- */

void
tile_share_leave(const TileCode *t, GPtrArray *body, const KExpr *step)
{
	int newest = t->planes - 1;

	for (int row = 0; row < t->rows; row++)
		for (int c = 0; c < t->vx; c += t->group)
			k_move(t->k, body, shared(t, step, newest, row, c), own(t, step, newest,
				row, c), t->group);
	if (t->faces != NULL)
		leave_ghosts(t, k_if(t->k, body, t->faces), step);
}

gboolean
tile_shares(const TileCode *t, int plane, int row, int column)
{
	gboolean mine = row >= 0 && row < t->rows && column >= 0 && column < t->vx;

	return !mine || (t->plan->held && plane < t->planes - 1);
}

static gboolean
is_asked(const TileCode *t, int plane, int row, int column)
{
	return tile_is_needed(t, plane, row, column) && tile_shares(t, plane, row, column);
}

/* Cells between a thread's first column and its last one come by groups. */
static void
take_between(const TileCode *t, GPtrArray *body, const KExpr *step, int plane, int row)
{
	for (int c = 0; c < t->vx; c += t->group) {
		gboolean asked = FALSE;

		for (int i = 0; i < t->group; i++)
			asked = asked || is_asked(t, plane, row, c + i);
		if (asked)
			k_move(t->k, body, own(t, step, plane, row, c), shared(t, step, plane,
				row, c), t->group);
	}
}

static void
take_one(const TileCode *t, GPtrArray *body, const KExpr *step, int plane, int row, int column)
{
	if (is_asked(t, plane, row, column))
		k_move(t->k, body, own(t, step, plane, row, column), shared(t, step, plane, row,
			column), 1);
}

void
tile_share_take(const TileCode *t, GPtrArray *body, const KExpr *step)
{
	for (int plane = 0; plane < t->planes; plane++)
		for (int row = -t->reach[1][0]; row < t->rows + t->reach[1][1]; row++) {
			for (int c = -t->reach[0][0]; c < 0; c++)
				take_one(t, body, step, plane, row, c);
			take_between(t, body, step, plane, row);
			for (int c = t->vx; c < t->vx + t->reach[0][1]; c++)
				take_one(t, body, step, plane, row, c);
		}
}
