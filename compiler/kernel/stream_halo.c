/* stream_halo.c: which threads bring what lies around a block's cells.
 *
 * The pieces of a plane's halo are numbered: rows above and below the block, then
 * what is beside its own rows.  Thread after thread takes the next one, and they
 * take turns.
 *
 * Remapped, all pieces of a plane are numbered so, row after row, and every thread has one
 * at every turn: those beyond the last piece bring it once more, each to a place of its own
 * behind the last row, so that nothing branches.
 */
#include "kernel/stream.h"

typedef struct {
	int across;      /* pieces of a row of the block's own cells */
	int side[2];     /* before it, behind it */
	int rows;        /* of the block's cells */
	int length;      /* pieces of a row above or below */
	int outer, inner; /* pieces above and below; beside */
} Ring;

static Ring
ring_of(const Stream *s, const Flow *f)
{
	const Plan *plan = s->m.plan;
	Ring r = { plan->threads[0] * s->m.px / f->piece,
		{ f->before / f->piece, f->behind / f->piece },
		plan->threads[1] * s->m.py, 0, 0, 0 };

	if (f->remap) {
		r.length = r.across + r.side[0] + r.side[1];
		r.outer = (f->above + r.rows + f->below) * r.length;
		return r;
	}
	r.length = r.across + (f->corners ? r.side[0] + r.side[1] : 0);
	r.outer = (f->above + f->below) * r.length;
	r.inner = r.rows * (r.side[0] + r.side[1]);
	return r;
}

static int
block_threads(const Stream *s)
{
	return s->m.plan->threads[0] * s->m.plan->threads[1];
}

int
stream_turns(const Stream *s, const Flow *f)
{
	Ring r = ring_of(s, f);

	if (s->m.deals)
		return stream_dealt_turns(s, f);
	return (r.outer + r.inner + block_threads(s) - 1) / block_threads(s);
}

int
stream_rows(const Stream *s, const Flow *f)
{
	Ring r = ring_of(s, f);

	if (!f->remap)
		return f->above + r.rows + f->below;
	return (stream_turns(s, f) * block_threads(s) + r.length - 1) / r.length;
}

const KExpr *
stream_skip(KKernel *k, const KExpr *n, int limit, int add)
{
	if (limit == 0)
		return k_add(k, n, add);
	return k_select(k, k_binary(k, K_LT, n, k_int(k, limit)), n, k_add(k, n, add));
}

static void
place_outer(const Stream *s, const Flow *f, const Ring *r, const KExpr *n, HaloPiece *h)
{
	KKernel *k = s->m.k;

	h->row = k_binary(k, K_DIV, n, k_int(k, r->length));
	h->column = k_binary(k, K_REM, n, k_int(k, r->length));
	if (f->remap)
		return;
	h->row = stream_skip(k, h->row, f->above, r->rows);
	h->column = k_add(k, h->column, f->corners ? 0 : r->side[0]);
}

static void
place_inner(const Stream *s, const Flow *f, const Ring *r, const KExpr *n, HaloPiece *h)
{
	KKernel *k = s->m.k;
	const KExpr *sides = k_int(k, r->side[0] + r->side[1]);

	h->row = k_add(k, k_binary(k, K_DIV, n, sides), f->above);
	h->column = stream_skip(k, k_binary(k, K_REM, n, sides), r->side[0], r->across);
}

/* Row and column of the piece N, counted in pieces. */
static void
place_piece(const Stream *s, const Flow *f, const Ring *r, const KExpr *n, int from, int to,
	HaloPiece *h)
{
	KKernel *k = s->m.k;
	HaloPiece inner;
	const KExpr *is_outer;

	if (from < r->outer)
		place_outer(s, f, r, n, h);
	if (to <= r->outer || r->inner == 0)
		return;
	place_inner(s, f, r, k_binary(k, K_MAX, k_add(k, n, -r->outer), k_int(k, 0)), &inner);
	is_outer = k_binary(k, K_LT, n, k_int(k, r->outer));
	h->row = from < r->outer ? k_select(k, is_outer, h->row, inner.row) : inner.row;
	h->column = from < r->outer ? k_select(k, is_outer, h->column, inner.column)
		: inner.column;
}

/* The names of the place that is found; columns in cells of shared memory. */
static void
name_place(const Stream *s, const Flow *f, HaloPiece *h)
{
	KKernel *k = s->m.k;

	h->row = k_let(k, k->setup, "halo_row", h->row);
	h->column = k_let(k, k->setup, "halo_column", k_add(k, k_binary(k, K_MUL, h->column,
		k_int(k, f->piece)), f->own - f->before));
}

HaloPiece
stream_halo(const Stream *s, const Flow *f, int turn)
{
	KKernel *k = s->m.k;
	Ring r = ring_of(s, f);
	int from = turn * block_threads(s), to = from + block_threads(s), last;
	HaloPiece h = { .there = NULL }, of;
	const KExpr *n;

	if (s->m.deals)
		return stream_dealt_halo(s, f, turn);
	n = k_let(k, k->setup, "piece", k_add(k, s->thread, from));
	last = r.outer + r.inner - 1;
	if (to - 1 > last && !f->remap)
		h.there = k_let(k, k->setup, "is_piece", k_binary(k, K_LT, n,
			k_int(k, last + 1)));
	place_piece(s, f, &r, n, from, to, &h);
	name_place(s, f, &h);
	of = h;
	if (to - 1 > last && f->remap) {
		place_piece(s, f, &r, k_binary(k, K_MIN, n, k_int(k, last)), from, to, &of);
		name_place(s, f, &of);
	}
	h.piece = stream_piece(s, f, k_binary(k, K_ADD, s->x_block, k_add(k, of.column,
		-f->own)), k_binary(k, K_ADD, s->y_block, k_add(k, of.row, -f->above)),
		f->piece);
	return h;
}
