/* quilt_seam.c: where tiles are sewn together.
 *
 * What lies around a tile is cut into vectors, of which each thread has some.  In planes that
 * are in memory before the sweep they are fetched from there.  What a step makes is posted by
 * the tile that stores it, as words of the mail with the turn they are of, and received by
 * those that have it around them.
 *
 * A block that has received what another posted RADIUS turns ago is less than RADIUS turns ahead
 * of it.  Each hears of all blocks beside it, those at its corners, too, and on all sides even if
 * only one is read: the last tile of a row is moved back to end with the grid, and
 * what it has around it is then owned by other blocks than before, but by none farther away,
 * where it owns as much as tiles have around them.  So twice as many planes as RADIUS are in the
 * mail at once.
 */
#include "kernel/quilt.h"

#include "base/round.h"
#include "kernel/place.h"

/* ---- the mail ---- */

static const KExpr *
extent(const Weave *w, int number)
{
	return weave_param(w, KP_EXTENT, number);
}

/* Words of a row. */
static const KExpr *
pitch(const Quilt *q)
{
	KKernel *k = q->w.k;
	const KExpr *cells = k_binary(k, K_MUL, k_binary(k, K_DIV, k_add(k, extent(&q->w, 0), 2
		* MAIL_SPARE - 1), k_int(k, MAIL_SPARE)), k_int(k, MAIL_SPARE));

	return k_let(k, k->setup, "mail_row", k_wide(k, k_binary(k, K_MUL, cells, k_int(k,
		k->mail_words))));
}

/* To a cell's first in a plane; the columns of a vector are some of a word, or words. */
static const KExpr *
word_at(const Quilt *q, const QuiltSeam *s, const KExpr *column, const KExpr *row)
{
	KKernel *k = q->w.k;
	int bytes = type_info[s->field->source->field->type].bytes;
	const KExpr *words = bytes >= MAIL_BYTES ? k_binary(k, K_MUL, column, k_int(k, bytes
		/ MAIL_BYTES)) : k_binary(k, K_MUL, k_binary(k, K_DIV, k_binary(k, K_MAX, column,
		k_int(k, 0)), k_int(k, s->field->group)), k_int(k, s->words));

	return k_binary(k, K_ADD, k_binary(k, K_MUL, k_wide(k, row), pitch(q)), k_wide(k, words));
}

/* To plane AT of LEVEL, which is one of the grid's. */
static const KExpr *
mail_plane(const Quilt *q, GPtrArray *body, const QuiltSeam *s, int level, const KExpr *at)
{
	KKernel *k = q->w.k;
	const KExpr *plane = k_add(k, k_binary(k, K_REM, at, k_int(k, q->ring)),
		(s->number * (q->w.time - 1) + level - 1) * q->ring);

	return k_let(k, body, "mail_plane", k_binary(k, K_MUL, k_wide(k, k_binary(k, K_MUL, plane,
		extent(&q->w, 1))), pitch(q)));
}

static const KExpr *
turn_of(const Quilt *q, const KExpr *at)
{
	KKernel *k = q->w.k;

	return k_binary(k, K_ADD, k_param(k, (KParam){ .kind = KP_TURN }), at);
}

/* AT is a plane that is computed. */
static GPtrArray *
if_walked(const Quilt *q, GPtrArray *body, const KExpr *at)
{
	KKernel *k = q->w.k;

	return k_if(k, body, k_within(k, at, q->walk.chunk.first, q->walk.chunk.end));
}

/* ---- what lies around a tile ---- */

typedef struct {
	int above, below, left, right; /* rows, and vectors */
	int across, down;  /* of the tile itself */
} Frame;

/* How far others have F around them at END of axis NUMBER: on all sides if on one, so that a
 * block which sends to another hears of it and does not run away. */
static int
width_of(const WeaveField *f, int number, int end)
{
	return weave_reads_around(f->reach) ? MAX(f->reach[number][end], 1) : 0;
}

static Frame
frame_of(const Weave *w, const WeaveField *f)
{
	return (Frame){ .above = width_of(f, 1, 0), .below = width_of(f, 1, 1),
		.left = DIV_UP(width_of(f, 0, 0), f->group),
		.right = DIV_UP(width_of(f, 0, 1), f->group),
		.across = w->lanes * w->vx / f->group, .down = w->groups_y * w->rows };
}

/* Number N of the vectors: row and column from the tile's first cell. */
static void
place_vector(const Weave *w, const WeaveField *f, const Frame *a, const KExpr *n,
	const KExpr **row, const KExpr **column)
{
	KKernel *k = w->k;
	int sides = a->left + a->right, wide = a->across + sides;
	int ends = (a->above + a->below) * wide;
	const KExpr *end_row = k_binary(k, K_DIV, n, k_int(k, wide));
	const KExpr *end_column = k_add(k, k_binary(k, K_REM, n, k_int(k, wide)), -a->left);
	const KExpr *other = k_binary(k, K_MAX, k_add(k, n, -ends), k_int(k, 0)), *side_row, *side;
	const KExpr *at_end = k_binary(k, K_LT, n, k_int(k, ends));

	end_row = k_select(k, k_binary(k, K_LT, end_row, k_int(k, a->above)), k_add(k, end_row,
		-a->above), k_add(k, end_row, a->down - a->above));
	side_row = k_binary(k, K_DIV, other, k_int(k, MAX(sides, 1)));
	side = k_binary(k, K_REM, other, k_int(k, MAX(sides, 1)));
	side = k_select(k, k_binary(k, K_LT, side, k_int(k, a->left)), k_add(k, side, -a->left),
		k_add(k, side, a->across - a->left));
	*row = k_let(k, k->setup, "row_around", k_select(k, at_end, end_row, side_row));
	*column = k_let(k, k->setup, "column_around", k_binary(k, K_MUL, k_select(k, at_end,
		end_column, side), k_int(k, f->group)));
}

/* FIRST is a cell of the grid: then all of its vector are. */
static const KExpr *
in_grid(const Weave *w, int number, const KExpr *first)
{
	KKernel *k = w->k;

	return k_within(k, first, k_int(k, 0), weave_param(w, KP_CELLS_HI, number));
}

static void
set_piece(const Quilt *q, QuiltSeam *s, QuiltPiece *piece, const KExpr *n, int most,
	const Frame *a)
{
	const Weave *w = &q->w;
	KKernel *k = w->k;
	const Field *field = s->field->source->field;
	const KExpr *row, *column, *at[2];

	place_vector(w, s->field, a, n, &row, &column);
	piece->place[0] = k_let(k, k->setup, "place", k_add(k, row, w->reach[1][0]));
	piece->place[1] = k_let(k, k->setup, "place", k_add(k, column, weave_left_of(w)));
	at[0] = k_binary(k, K_ADD, w->tile_at[0], column);
	at[1] = k_binary(k, K_ADD, w->tile_at[1], row);
	piece->mine = k_let(k, k->setup, "around", k_and(k, k_binary(k, K_LT, n, k_int(k, most)),
		k_and(k, in_grid(w, 0, at[0]), in_grid(w, 1, at[1]))));
	piece->element = k_let(k, k->setup, "around_at", place_sum(k, place_component(k, field,
		FALSE, s->field->source->component), place_sum(k, place_offset(k, field, FALSE,
		w->plan->axis[1], at[1]), place_offset(k, field, FALSE, w->plan->axis[0],
		at[0]))));
	if (s->number >= 0)
		piece->word = k_let(k, k->setup, "word", word_at(q, s, at[0], at[1]));
}

static void
set_pieces(const Quilt *q, QuiltSeam *s)
{
	const Weave *w = &q->w;
	KKernel *k = w->k;
	const Frame a = frame_of(w, s->field);
	int threads = w->lanes * w->groups_y;
	int sides = a.left + a.right, n = (a.above + a.below) * (a.across + sides) + a.down * sides;
	const KExpr *thread = k_let(k, k->setup, "thread", k_binary(k, K_ADD, weave_param(w,
		KP_THREAD, 0), k_binary(k, K_MUL, weave_param(w, KP_THREAD, 1), k_int(k,
		w->lanes))));

	s->n_pieces = DIV_UP(n, threads);
	s->piece = arena_array(k->arena, QuiltPiece, s->n_pieces);
	for (int i = 0; i < s->n_pieces; i++)
		set_piece(q, s, &s->piece[i], k_let(k, k->setup, "vector", k_add(k, thread, i
			* threads)), n, &a);
}

/* ---- what others have around them ---- */

/* One of the N cells from FIRST on along axis NUMBER is around the tile after this one, or the
 * one before; the last tile is moved back to end with the grid. */
static const KExpr *
is_around(const Quilt *q, const WeaveField *f, int number, const KExpr *first, int n)
{
	const Weave *w = &q->w;
	KKernel *k = w->k;
	int whole = number == 0 ? f->group : 1, span = w->shape.span[number];
	int before = ROUND_UP(width_of(f, number, 0), whole);
	int after = ROUND_UP(width_of(f, number, 1), whole);
	const KExpr *from = q->walk.from[number], *hi = weave_param(w, KP_CELLS_HI, number);
	const KExpr *next = k_let(k, k->setup, number == 0 ? "next_left" : "next_top", k_binary(k,
		K_MIN, k_add(k, from, span), k_add(k, hi, -span)));
	const KExpr *start = k_let(k, k->setup, "after", k_and(k, k_binary(k, K_LT, first, next),
		k_binary(k, K_GE, k_add(k, first, n - 1), k_add(k, next, -before))));
	const KExpr *end = k_let(k, k->setup, "before", k_and(k, k_binary(k, K_LT, k_int(k, 0),
		from), k_binary(k, K_LT, first, k_add(k, from, after))));

	return k_or(k, before > 0 ? start : k_int(k, 0), after > 0 ? end : k_int(k, 0));
}

static void
set_posted(const Quilt *q, QuiltSeam *s)
{
	const Weave *w = &q->w;
	KKernel *k = w->k;
	int vectors = w->vx / s->field->group;

	s->posted = arena_array(k->arena, const KExpr *, w->rows * vectors);
	s->word = arena_array(k->arena, const KExpr *, w->rows * vectors);
	for (int i = 0; i < w->rows * vectors; i++) {
		const KExpr *x = k_add(k, w->at[0], i % vectors * s->field->group);
		const KExpr *y = k_add(k, w->at[1], i / vectors);
		const KExpr *around = k_or(k, is_around(q, s->field, 0, x, s->field->group),
			is_around(q, s->field, 1, y, 1));

		s->posted[i] = k_let(k, k->setup, "posted", k_and(k, weave_stores(&q->walk, x,
			y), around));
		s->word[i] = k_let(k, k->setup, "word", word_at(q, s, x, y));
	}
}

/* ---- all of it ---- */

/* The field of TAP, if that is read beside a thread's cells and is not listed yet. */
static void
add_seam(Quilt *q, const MapTap *tap)
{
	const Weave *w = &q->w;
	QuiltSeam *s = &q->seam[q->n_seams];
	const WeaveField *f = &w->field[tap->field];

	if (tap->d[0] == 0 && tap->d[1] == 0)
		return;
	for (int i = 0; i < q->n_seams; i++)
		if (q->seam[i].field == f)
			return;
	*s = (QuiltSeam){ .field = f, .number = f->stage != NULL ? q->n_mailed++ : -1,
		.age = tap->age, .words = f->group * type_info[f->source->field->type].bytes
		/ MAIL_BYTES };
	q->n_seams++;
}

void
quilt_measure(Quilt *q)
{
	const Weave *w = &q->w;
	KKernel *k = w->k;

	q->seam = arena_array(k->arena, QuiltSeam, w->n_fields);
	for (const MapTap *tap = w->maps.tap; tap < w->maps.tap + w->maps.n_taps; tap++)
		add_seam(q, tap);
	k->mail_words = 1;
	for (const QuiltSeam *s = q->seam; s < q->seam + q->n_seams; s++)
		k->mail_words = MAX(k->mail_words, type_info[s->field->source->field->type].bytes
			/ MAIL_BYTES);
	q->ring = 2 * w->radius;
	k->mail = q->n_mailed * (w->time - 1) * q->ring;
	for (QuiltSeam *s = q->seam; s < q->seam + q->n_seams; s++) {
		for (int n = 0; n < 4; n++)
			k->mail_reach[n / 2] = MAX(k->mail_reach[n / 2], ROUND_UP(width_of(
				s->field, n / 2, n % 2), n < 2 ? s->field->group : 1));
		set_pieces(q, s);
		if (s->number >= 0 && w->time > 1)
			set_posted(q, s);
		s->first_letter = q->letters;
		q->letters += s->number >= 0 ? s->n_pieces * (w->time - 1) : 0;
	}
}

void
quilt_fetch_around(const Quilt *q, GPtrArray *body, const QuiltSeam *s, const KExpr *start,
	const KExpr *slot)
{
	KKernel *k = q->w.k;
	const WeaveField *f = s->field;
	const KArray from = { f->source->field, 0, FALSE, FALSE };

	for (const QuiltPiece *p = s->piece; p < s->piece + s->n_pieces; p++)
		k_fetch(k, k_if(k, body, p->mine), k_at(k, f->ahead[0], slot, p->place[0],
			p->place[1]), from, place_sum(k, start, p->element), f->group);
}

/* The plane of S that the turn of plane Z makes of LEVEL, or reads of it. */
static const KExpr *
plane_of(const Quilt *q, GPtrArray *body, const QuiltSeam *s, int level, const KExpr *z,
	gboolean read)
{
	const Weave *w = &q->w;

	return k_let(w->k, body, "q", k_add(w->k, z, -level * w->radius - s->field->lag
		- (read ? s->age : 0)));
}

/* What the turn of plane Z makes, or reads, of S at LEVEL: its plane, and that in the mail; gives
 * what is done where it is one that is computed. */
static GPtrArray *
open_plane(const Quilt *q, GPtrArray *body, const QuiltSeam *s, int level, const KExpr *z,
	gboolean read, const KExpr **at, const KExpr **plane)
{
	GPtrArray *walked;

	*at = plane_of(q, body, s, level, z, read);
	walked = if_walked(q, body, *at);
	*plane = mail_plane(q, walked, s, level, *at);
	return walked;
}

void
quilt_post(const Quilt *q, GPtrArray *body, int level, const KExpr *z)
{
	const Weave *w = &q->w;
	KKernel *k = w->k;

	for (const QuiltSeam *s = q->seam; s < q->seam + q->n_seams; s++) {
		const KExpr *at, *plane;
		GPtrArray *walked;
		int vectors = w->vx / s->field->group;

		if (s->number < 0)
			continue;
		walked = open_plane(q, body, s, level, z, FALSE, &at, &plane);
		for (int i = 0; i < w->rows * vectors; i++)
			k_post(k, k_if(k, walked, s->posted[i]), k_binary(k, K_ADD, plane,
				s->word[i]), weave_cell(w, s->field, k_int(k, level), 0, k_int(k, i
				/ vectors), k_int(k, i % vectors * s->field->group)),
				s->field->group, turn_of(q, at));
	}
}

/* Of piece I of S at LEVEL: its first word. */
static const KExpr *
letter_at(const Quilt *q, const QuiltSeam *s, int level, int i)
{
	KKernel *k = q->w.k;

	return k_at(k, q->letter, k_int(k, s->first_letter + (level - 1) * s->n_pieces + i),
		k_int(k, 0));
}

void
quilt_expect(const Quilt *q, GPtrArray *body, int level, const KExpr *z)
{
	KKernel *k = q->w.k;

	for (const QuiltSeam *s = q->seam; s < q->seam + q->n_seams; s++) {
		const KExpr *at, *plane;
		GPtrArray *walked;

		if (s->number < 0)
			continue;
		walked = open_plane(q, body, s, level, z, TRUE, &at, &plane);
		for (int i = 0; i < s->n_pieces; i++)
			k_expect(k, k_if(k, walked, s->piece[i].mine), letter_at(q, s, level, i),
				k_binary(k, K_ADD, plane, s->piece[i].word), s->words);
	}
}

WeaveLeft
quilt_sent(const Quilt *q, const QuiltSeam *s, int level, const KExpr *half)
{
	KKernel *k = q->w.k;

	return (WeaveLeft){ s->sent, k_add(k, k_binary(k, K_MUL, half, k_int(k, q->w.time - 1)),
		level - 1) };
}

void
quilt_receive(const Quilt *q, GPtrArray *body, int level, const KExpr *z, const KExpr *half)
{
	KKernel *k = q->w.k;

	for (const QuiltSeam *s = q->seam; s < q->seam + q->n_seams; s++) {
		const KExpr *at, *plane;
		GPtrArray *walked;

		if (s->number < 0)
			continue;
		walked = open_plane(q, body, s, level, z, TRUE, &at, &plane);
		for (int i = 0; i < s->n_pieces; i++) {
			const QuiltPiece *p = &s->piece[i];
			const WeaveLeft to = quilt_sent(q, s, level, half);

			k_receive(k, k_if(k, walked, p->mine), k_at(k, to.tile, to.first,
				p->place[0], p->place[1]), k_binary(k, K_ADD, plane, p->word),
				s->field->group, letter_at(q, s, level, i), turn_of(q, at));
		}
	}
}
