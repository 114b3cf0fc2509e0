/* stream_deal.c: planes of rows that lie anywhere, read as vectors.
 *
 * A warp is a stretch of a row.  What its threads have of the next plane its lanes load one
 * behind the other, wherever the row begins, and turn it round in shared memory before it joins
 * their queues; what they make goes back in the same way.  The halo comes cell by cell.  The last
 * block of a row ends with it, so that all own columns are there.
 */
#include "kernel/stream.h"

gboolean
stream_may_deal(const Stream *s)
{
	const March *m = &s->m;

	for (guint i = 0; i < m->sources->len; i++) {
		const Field *f = m->blocks[i].source->field;

		if (f->axes != 7 || !march_may_deal_field(m, f))
			return FALSE;
	}
	return march_may_deal_field(m, m->stage->target) && m->parts[0].far->len == 0
		&& m->plan->threads[0] == WARP;
}

void
stream_deal_begin(Stream *s)
{
	March *m = &s->m;
	KKernel *k = m->k;
	const int turned[] = { m->plan->threads[1], m->py, WARP * m->px };

	m->lane = k_let(k, k->setup, "lane", k_param(k, (KParam){ .kind = KP_LANE }));
	march_deal_lanes(m);
	march_deal_results(m);
	march_deal_tiles(m, k->body);
	for (guint i = 0; i < m->sources->len; i++) {
		const Field *f = m->blocks[i].source->field;

		s->flows[i].dealt = k_make_tile(k, k->body, arena_printf(k->arena, "%s_dealt",
			f->name), f->type, KS_SHARED, 3, turned);
	}
}

/* ---- what comes ---- */

/* The lane's cell NUMBER of the row Y. */
static Piece
dealt_piece(const Stream *s, const Flow *f, const KExpr *y, int number)
{
	const March *m = &s->m;
	const Field *field = f->block->source->field;
	KKernel *k = m->k;
	Piece p = { .width = 1 };

	p.y = k_let(k, k->setup, m->stage->grid->axis[m->y], y);
	p.start = k_keep(k, k->setup, arena_printf(k->arena, "%s_from", field->name),
		place_sum(k, stream_row(s, f, p.y), place_offset(k, field, FALSE, m->x,
		m->x_lane)));
	p.beyond = stream_beyond_sides(s, f, &p);
	if (number > 0)
		p.beside = k_wide(k, k_int(k, number * WARP));
	return p;
}

Piece
stream_dealt_piece(const Stream *s, const Flow *f, int row, int number)
{
	return dealt_piece(s, f, k_add(s->m.k, s->m.y0, row), number);
}

/* Rows of the block's cells. */
static int
rows_of(const Stream *s)
{
	return s->m.plan->threads[1] * s->m.py;
}

/* Turns of each warp for rows above and below the block. */
static int
row_turns(const Stream *s, const Flow *f)
{
	const int warps = s->m.plan->threads[1];

	return (f->above + f->below + warps - 1) / warps * s->m.px;
}

/* Cells beside the block's columns. */
static int
n_beside(const Stream *s, const Flow *f)
{
	return (f->before + f->behind)
		* (rows_of(s) + (f->corners ? f->above + f->below : 0));
}

int
stream_dealt_turns(const Stream *s, const Flow *f)
{
	const int threads = WARP * s->m.plan->threads[1];

	return row_turns(s, f) + (n_beside(s, f) + threads - 1) / threads;
}

static const KExpr *
y_of(const Stream *s, const Flow *f, const KExpr *row)
{
	return k_binary(s->m.k, K_ADD, s->y_block, k_add(s->m.k, row, -f->above));
}

/* Of a row of the halo, by a warp. */
static HaloPiece
of_row(const Stream *s, const Flow *f, int turn)
{
	const int warps = s->m.plan->threads[1], rows = f->above + f->below;
	const int first = turn / s->m.px * warps, number = turn % s->m.px;
	KKernel *k = s->m.k;
	const KExpr *n = k_add(k, s->m.warp, first);
	HaloPiece h = { .there = NULL };

	if (first + warps > rows)
		h.there = k_let(k, k->setup, "is_row", k_binary(k, K_LT, n, k_int(k, rows)));
	h.row = k_let(k, k->setup, "halo_row", stream_skip(k, n, f->above, rows_of(s)));
	h.column = k_add(k, s->m.lane, f->own + number * WARP);
	h.piece = dealt_piece(s, f, y_of(s, f, h.row), number);
	return h;
}

/* Beside the block, cell by cell. */
static HaloPiece
of_side(const Stream *s, const Flow *f, int turn)
{
	const int sides = f->before + f->behind, threads = WARP * s->m.plan->threads[1];
	KKernel *k = s->m.k;
	const KExpr *n = k_let(k, k->setup, "piece", k_add(k, s->thread, turn * threads)), *column;
	HaloPiece h = { .there = NULL };

	if ((turn + 1) * threads > n_beside(s, f))
		h.there = k_let(k, k->setup, "is_piece", k_binary(k, K_LT, n,
			k_int(k, n_beside(s, f))));
	h.row = k_let(k, k->setup, "halo_row", k_add(k, k_binary(k, K_DIV, n, k_int(k, sides)),
		f->corners ? 0 : f->above));
	column = stream_skip(k, k_binary(k, K_REM, n, k_int(k, sides)), f->before,
		WARP * s->m.px);
	h.column = k_let(k, k->setup, "halo_column", k_add(k, column, f->own - f->before));
	h.piece = stream_piece(s, f, k_binary(k, K_ADD, s->x_block, k_add(k, h.column, -f->own)),
		y_of(s, f, h.row), 1);
	return h;
}

HaloPiece
stream_dealt_halo(const Stream *s, const Flow *f, int turn)
{
	const int rows = row_turns(s, f);

	return turn < rows ? of_row(s, f, turn) : of_side(s, f, turn - rows);
}

/* ---- and is turned round ---- */

static const KExpr *
dealt_at(const Stream *s, const Flow *f, int row, const KExpr *column)
{
	return k_at(s->m.k, f->dealt, s->m.warp, k_int(s->m.k, row), column);
}

/* The own rows at the place NUMBER (stream_own_spot) go where the warp turns them round, as its
 * lanes loaded them; */
static void
put_rows(const Stream *s, GPtrArray *body, const Flow *f, int number)
{
	KKernel *k = s->m.k;

	for (int j = 0; j < s->m.py; j++) {
		const Spot from = stream_own_spot(s, f, number, j, 0);

		for (int i = 0; i < s->m.px; i++)
			k_move(k, body, dealt_at(s, f, j, k_add(k, s->m.lane, i * WARP)),
				spot_element(k, &from, i), 1);
	}
}

/* and come back as each thread's own. */
static void
take_rows(const Stream *s, GPtrArray *body, const Flow *f, int number)
{
	KKernel *k = s->m.k;

	for (int j = 0; j < s->m.py; j++) {
		const Spot to = stream_own_spot(s, f, number, j, 0);

		for (int i = 0; i < s->m.px; i += f->width)
			k_move(k, body, spot_element(k, &to, i), dealt_at(s, f, j, k_add(k,
				k_binary(k, K_MUL, s->m.lane, k_int(k, s->m.px)), i)), f->width);
	}
}

void
stream_deal_queue(const Stream *s, GPtrArray *body, const Flow *f)
{
	const int planes = f->block->planes;

	for (int n = 0; n < planes; n++) {
		const Plane plane = stream_plane(s, body, f, s->z_first,
			n + march_reach(f->block->source, s->m.z, FALSE));

		for (int i = 0; i < s->m.py * s->m.px; i++) {
			const Piece piece = stream_dealt_piece(s, f, i / s->m.px, i % s->m.px);
			const Spot to = stream_own_spot(s, f, n, i / s->m.px, i % s->m.px);

			stream_load(s, body, f, &piece, &plane, &to);
		}
	}
	for (int n = 0; n < planes; n++) { /* all of them are asked for */
		put_rows(s, body, f, n);
		k_sync(s->m.k, body);
		take_rows(s, body, f, n);
		k_sync(s->m.k, body);
	}
}

void
stream_turn_round(const Stream *s, GPtrArray *body)
{
	const Flow *end = s->flows + s->m.sources->len;

	for (const Flow *f = s->flows; f < end; f++)
		put_rows(s, body, f, f->block->planes);
	k_sync(s->m.k, body);
	for (const Flow *f = s->flows; f < end; f++)
		take_rows(s, body, f, f->block->planes);
}
