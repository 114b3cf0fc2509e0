/* stream_face.c: what threads at the faces of x read beyond them, from what they have of a row. */
#include "kernel/place.h"
#include "kernel/stream.h"

/* What lies beyond FACE, where a thread begins (0) or ends (1) MORE vectors away from it. */
typedef struct {
	const Stream *s;
	const Flow *f;
	int face, more;
} Beside;

/* The column of the block that is DISTANCE beyond the face; within it, if that is negative. */
static int
column_at(const Beside *b, int distance)
{
	int px = b->s->m.px, away = b->more * px + distance;

	return b->f->block->left + (b->face == 0 ? -away : px - 1 + away);
}

static int
image_of(const Beside *b, int distance)
{
	return column_at(b, -place_image(stream_edge(b->f, b->s->m.x, b->face), distance));
}

/* Some cell reads the column's vector: all of that is there then. */
static gboolean
is_at_hand(const Stream *s, const Flow *f, int plane, int row, int column)
{
	const Block *b = f->block;
	const int part[] = { 0, b->left, b->left + s->m.px, b->columns };

	for (int i = 0; i < 3; i++)
		for (int c = part[i]; c < part[i + 1] && column >= part[i] && column < part[i + 1];
			c++)
			if (b->needed[march_place(b, plane, row, c)])
				return TRUE;
	return FALSE;
}

/* The row reads the column and would not have what that stands for. */
static gboolean
lacks(const Beside *b, int plane, int row, int distance)
{
	return is_at_hand(b->s, b->f, plane, row, column_at(b, distance))
		&& !is_at_hand(b->s, b->f, plane, row, image_of(b, distance));
}

gboolean
stream_has_images(const Stream *s, const Flow *f, int face)
{
	const EdgeKind kind = stream_edge(f, s->m.x, face);
	const int reach = stream_beyond(s, f, face);
	Beside b = { s, f, face, 0 };

	if (!s->m.vector || f->piece == 1 || !f->shared
		|| (kind != EDGE_CLAMP && kind != EDGE_REFLECT && kind != EDGE_MIRROR))
		return FALSE;
	for (; b.more * s->m.px < reach; b.more++)
		for (int d = 1; d <= reach - b.more * s->m.px; d++)
			for (int i = 0; i < f->block->planes * f->block->rows; i++)
				if (lacks(&b, i / f->block->rows, i % f->block->rows, d))
					return FALSE;
	return TRUE;
}

/* The thread is where B says. */
static const KExpr *
is_there(const Beside *b)
{
	const March *m = &b->s->m;
	KKernel *k = m->k;
	const KExpr *outermost = k_add(k, m->x0, b->face == 0 ? -b->more * m->px
		: (b->more + 1) * m->px - 1);

	return k_let(k, k->setup, "at_face", k_equal(k, outermost, place_inward(k,
		m->stage->grid, m->x, b->face, 0)));
}

static const KExpr *
place_at(const Flow *f, KKernel *k, int plane, int row, int column)
{
	return k_at(k, f->block->tile, k_int(k, plane), k_int(k, row), k_int(k, column), k_int(k,
		0));
}

static void
set_row(const Beside *b, GPtrArray *body, int plane, int row)
{
	KKernel *k = b->s->m.k;
	const int reach = stream_beyond(b->s, b->f, b->face) - b->more * b->s->m.px;

	for (int d = 1; d <= reach; d++) {
		const KExpr *to = place_at(b->f, k, plane, row, column_at(b, d));

		if (b->f->block->needed[march_place(b->f->block, plane, row, column_at(b, d))])
			k_put(k, body, to, k_select(k, is_there(b), place_at(b->f, k, plane, row,
				image_of(b, d)), to));
	}
}

void
stream_set_images(const Stream *s, GPtrArray *body, const Flow *f)
{
	for (int face = 0; face < 2; face++) {
		Beside b = { s, f, face, 0 };

		for (; f->images[face] && b.more * s->m.px < stream_beyond(s, f, face); b.more++)
			for (int i = 0; i < f->block->planes * f->block->rows; i++)
				set_row(&b, body, i / f->block->rows, i % f->block->rows);
	}
}
