/* tile_ghost.c: what a step of a tile reads beyond the grid.
 *
 * Places of the queue that lie beyond a face get what the boundary says, from places
 * within the grid: columns first, then rows with the columns beside them, then planes
 * with all that.  So what two faces have in common is right, too.  Where planes lie in
 * shared memory, rows and columns are filled there (tile_share.c).
 */
#include "kernel/place.h"
#include "kernel/tile.h"

gboolean
tile_wraps(const TileCode *t, int number)
{
	return t->kind[number][0] == EDGE_WRAP;
}

/* Boundaries that a thread serves from its own cells. */
gboolean
tile_has_ghosts(const TileCode *t, int number, int end)
{
	return place_has_ghosts(t->reach[number], t->kind[number], end);
}

/* The index along axis NUMBER of the place DISTANCE beyond the cell I that is outermost
 * at END; and of its image. */
static int
ghost_index(int end, int i, int distance)
{
	return end == 0 ? i - distance : i + distance;
}

static int
image_index(const TileCode *t, int number, int end, int i, int distance)
{
	int d = place_image(t->kind[number][end], distance);

	return end == 0 ? i + d : i - d;
}

gboolean
tile_holds_images(const TileCode *t)
{
	for (int n = 0; n < 6; n++) {
		int number = n / 2, end = n % 2, reach = t->reach[number][end];
		int room = number == 2 ? (end == 0 ? t->lag : t->planes - 1 - t->lag)
			: t->plan->cells[number] - 1;

		if (number < 2 && t->shares)
			continue;
		if (tile_has_ghosts(t, number, end)
			&& place_image(t->kind[number][end], reach) > room)
			return FALSE;
	}
	return TRUE;
}

/* ---- rows that end anywhere ---- */

gboolean
tile_may_end_within(const TileCode *t)
{
	return !tile_has_ghosts(t, 0, 1) || (!t->shares && place_image(t->kind[0][1],
		t->reach[0][1]) <= t->reach[0][0]);
}

/* A ragged row ends with any column of a thread, or of those at hand beside it; else with the
 * last one. */
static gboolean
ends_within(const TileCode *t, int number, int end)
{
	return number == 0 && end == 1 && t->plan->ragged;
}

static int
first_end(const TileCode *t, int number, int end)
{
	return end == 0 || ends_within(t, number, end) ? 0 : t->plan->cells[number] - 1;
}

static int
last_end(const TileCode *t, int number, int end)
{
	int last = end == 0 ? 0 : t->plan->cells[number] - 1;

	return ends_within(t, number, end) ? last + t->reach[0][1] - 1 : last;
}

/* ---- which places images are of ---- */

typedef struct {
	int plane, row, column;
} Place;

static int
place_number(const TileCode *t, Place p)
{
	return tile_place_number(t, p.plane, p.row, p.column);
}

/* Calls WITH for the places of index GHOST along axis NUMBER that are NEEDED. */
typedef void (*WithPlace)(const TileCode *t, Place ghost, Place from, gpointer user);

static void
over_places(const TileCode *t, int number, int ghost, int from, const gboolean *needed,
	WithPlace with, gpointer user)
{
	Place lo = { 0, -t->reach[1][0], -t->reach[0][0] };
	Place hi = { t->planes, t->rows + t->reach[1][1], t->vx + t->reach[0][1] };

	if (number == 2) {
		lo.plane = ghost;
		hi.plane = ghost + 1;
	} else if (number == 1) {
		lo.row = ghost;
		hi.row = ghost + 1;
	} else {
		lo.column = ghost;
		hi.column = ghost + 1;
	}
	for (int p = lo.plane; p < hi.plane; p++)
		for (int r = lo.row; r < hi.row; r++)
			for (int c = lo.column; c < hi.column; c++) {
				const Place place = { p, r, c }, source = { number == 2 ? from : p,
					number == 1 ? from : r, number == 0 ? from : c };

				if (needed[place_number(t, place)])
					with(t, place, source, user);
			}
}

/* Calls WITH for every place that may lie beyond END of axis NUMBER and is NEEDED, where
 * the outermost cell has index I.  NULL: the end of a row may be anywhere. */
static void
over_ghosts(const TileCode *t, int number, int end, int i, const gboolean *needed, WithPlace with,
	gpointer user)
{
	int n = number == 2 ? t->planes : number == 1 ? t->rows + t->reach[1][1]
		: t->vx + t->reach[0][1], first = number == 2 ? 0 : -t->reach[number][0];

	for (int d = 1; d <= t->reach[number][end]; d++) {
		int ghost = ghost_index(end, i, d);

		if (ghost >= first && ghost < n)
			over_places(t, number, ghost, image_index(t, number, end, i, d),
				needed != NULL ? needed : t->behind[d - 1], with, user);
	}
}

/* The place along the stream of the plane that is computed, M from the face. */
static int
outermost_plane(const TileCode *t, int end, int m)
{
	int here = t->planes - 1 - t->lag;

	return end == 0 ? here - m : here + m;
}

static void
mark(const TileCode *t, Place ghost, Place from, gpointer user)
{
	gboolean *needed = user;

	(void)ghost;
	needed[place_number(t, from)] = TRUE;
}

/* NEEDED gets what those places are images of that lie beyond the ends of axis NUMBER and are
 * BEYOND.  Of planes, which come last, that is what taps ask for: one that is an image where a
 * face is near may lie beyond it where the face is nearer, and is not needed then. */
static void
need_images(const TileCode *t, int number, const gboolean *beyond, gboolean *needed)
{
	for (int end = 1; end >= 0; end--) {
		if (!tile_has_ghosts(t, number, end) || t->kind[number][end] == EDGE_CONSTANT
			|| (number < 2 ? t->shares : t->sums != NULL))
			continue;
		for (int m = 0; number == 2 && m < t->reach[2][end]; m++)
			over_ghosts(t, 2, end, outermost_plane(t, end, m), beyond, mark, needed);
		for (int i = first_end(t, number, end); number < 2 && i <= last_end(t, number, end);
			i++)
			over_ghosts(t, number, end, i, ends_within(t, number, end) ? NULL : beyond,
				mark, needed);
	}
}

/* Behind a row that ends anywhere a column is asked for by the cells before the end alone. */
static void
find_behind(TileCode *t, Arena *arena)
{
	t->behind = arena_array(arena, gboolean *, t->reach[0][1]);
	for (int d = 1; d <= t->reach[0][1]; d++) {
		const gboolean *asked = tile_asked(t, arena, d);

		t->behind[d - 1] = tile_asked(t, arena, d);
		need_images(t, 2, asked, t->behind[d - 1]);
		need_images(t, 1, t->behind[d - 1], t->behind[d - 1]);
	}
}

void
tile_need_images(TileCode *t, Arena *arena)
{
	find_behind(t, arena);
	need_images(t, 2, t->asked, t->needed);
	need_images(t, 1, t->needed, t->needed);
	need_images(t, 0, t->needed, t->needed);
}

/* ---- filling them ---- */

typedef struct {
	GPtrArray *body;
	const KExpr *step, *test; /* NULL: all lanes */
	int number, end;
	int from, to; /* rows, from the thread's first */
} Fill;

static const KExpr *
queued(const TileCode *t, const KExpr *step, Place p)
{
	KKernel *k = t->k;

	return tile_queued(t, step, k_int(k, p.plane), k_int(k, p.row), k_int(k, p.column));
}

static void
fill(const TileCode *t, Place ghost, Place from, gpointer user)
{
	const Fill *f = user;
	KKernel *k = t->k;
	const Boundary *b = t->source->boundary;
	const KExpr *to = queued(t, f->step, ghost), *value;

	if (ghost.row < f->from || ghost.row >= f->to)
		return;
	if (t->cut.part != NULL && ghost.plane == 0) /* see fill_planes */
		return;
	value = t->kind[f->number][f->end] != EDGE_CONSTANT ? queued(t, f->step, from)
		: place_constant(k, b, t->plan->axis[f->number], f->end);
	k_put(k, f->body, to, f->test != NULL ? k_select(k, f->test, value, to) : value);
}

const KExpr *
tile_inward(const TileCode *t, int number, int end, int inward)
{
	return place_inward(t->k, t->stage->grid, t->plan->axis[number], end, inward);
}

const KExpr *
tile_at_face(const TileCode *t, int number, int end)
{
	KKernel *k = t->k;
	const KExpr *at = t->shares ? t->tile_at[number] : t->at[number];
	int threads = number == 0 ? t->lanes : t->groups;
	int last = t->shares ? t->plan->cells[number] * threads - 1 : last_end(t, number, 1);

	return k_let(k, k->setup, "at_face", end == 0
		? k_binary(k, K_GE, tile_inward(t, number, 0, 0), at)
		: k_binary(k, K_GE, k_add(k, at, last), tile_inward(t, number, 1, 0)));
}

void
tile_over_ghosts(const TileCode *t, int number, WithGhost with, gpointer user)
{
	for (int end = 0; end < 2; end++)
		for (int d = 1; d <= t->reach[number][end] && tile_has_ghosts(t, number, end); d++)
			with(t, end, d, place_image(t->kind[number][end], d), user);
}

/* The grid ends with the thread's column I. */
static const KExpr *
at_column(const TileCode *t, int i)
{
	KKernel *k = t->k;
	const KExpr *last = k_let(k, k->setup, "last_column", k_binary(k, K_SUB, tile_inward(t, 0,
		1, 0), t->at[0]));

	return k_equal(k, last, k_int(k, i));
}

/* Beside the thread's own columns, or rows, of those FROM to TO. */
static void
fill_sides(const TileCode *t, GPtrArray *body, const KExpr *any, const KExpr *step, int number,
	int from, int to)
{
	Fill f = { .step = step, .number = number, .from = from, .to = to };

	if (t->face[number] == NULL)
		return;
	f.body = tile_where(t->k, body, any, t->face[number]);
	for (f.end = 0; f.end < 2; f.end++)
		for (int i = first_end(t, number, f.end); tile_has_ghosts(t, number, f.end)
			&& i <= last_end(t, number, f.end); i++) {
			f.test = ends_within(t, number, f.end) ? at_column(t, i)
				: tile_at_face(t, number, f.end);
			over_ghosts(t, number, f.end, i, ends_within(t, number, f.end) ? NULL
				: t->needed, fill, &f);
		}
}

static void
fill_planes(const TileCode *t, GPtrArray *body, const KExpr *step, const KExpr *q, int end)
{
	KKernel *k = t->k;
	Fill f = { .step = step, .number = 2, .end = end, .from = -t->reach[1][0],
		.to = t->rows + t->reach[1][1] };

	for (int m = 0; m < t->reach[2][end]; m++) {
		f.body = k_if(k, body, k_equal(k, q, tile_inward(t, 2, end, m)));
		over_ghosts(t, 2, end, outermost_plane(t, end, m), t->asked, fill, &f);
		if (end == 0 && t->cut.part != NULL)
			tile_begin_part(t, f.body, step);
	}
}

void
tile_fill_ghosts(const TileCode *t, GPtrArray *body, const KExpr *any, const KExpr *near,
	const KExpr *step, const KExpr *q)
{
	GPtrArray *planes;

	for (int number = 0; number < 2 && !t->shares; number++)
		fill_sides(t, body, any, step, number, -t->reach[1][0],
			t->rows + t->reach[1][1]);
	if (near == NULL)
		return;
	planes = tile_where(t->k, body, any, near);
	for (int end = 0; end < 2; end++)
		if (tile_has_ghosts(t, 2, end))
			fill_planes(t, planes, step, q, end);
}

void
tile_fill_columns(const TileCode *t, GPtrArray *body, const KExpr *step, int first, int end)
{
	if (!t->shares)
		fill_sides(t, body, NULL, step, 0, first, end);
}

void
tile_fill_rows(const TileCode *t, GPtrArray *body, const KExpr *step)
{
	if (!t->shares)
		fill_sides(t, body, NULL, step, 1, -t->reach[1][0], t->rows + t->reach[1][1]);
}
