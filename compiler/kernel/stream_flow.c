/* stream_flow.c: what a streaming kernel keeps, and where. */
#include "kernel/stream.h"

#include "base/round.h"
#include "kernel/lower.h"

gboolean
stream_is_own(const Stream *s, const Flow *f, int row, int column)
{
	int r = row + march_reach(f->block->source, s->m.y, FALSE);
	int c = s->m.vector ? column - f->block->left
		: column + march_reach(f->block->source, s->m.x, FALSE);

	return r >= 0 && r < s->m.py && c >= 0 && c < (s->m.vector ? s->m.px : 1);
}

gboolean
stream_is_handed_on(const Flow *f, int plane, int row, int column)
{
	int first, last;

	return f->points && f->block->kept[march_place(f->block, 0, row, column)]
		&& march_span(f->block, row, column, &first, &last) && plane >= first
		&& plane < last;
}

gboolean
stream_is_shared(const Stream *s, const Flow *f, int plane, int row, int column)
{
	return f->shared && f->block->needed[march_place(f->block, plane, row, column)]
		&& !(f->queue && stream_is_own(s, f, row, column))
		&& !stream_is_handed_on(f, plane, row, column);
}

/* The points of planes behind the cells' own are there from when that was theirs. */
static gboolean
hand_on(const Stream *s, const Flow *f, int row, int column)
{
	const Block *b = f->block;
	const int centre = -march_reach(b->source, s->m.z, FALSE);
	int first, last;

	if (!f->points || !march_span(b, row, column, &first, &last) || first >= centre)
		return FALSE;
	for (int p = first; p <= MAX(centre, last); p++)
		b->needed[march_place(b, p, row, column)] = TRUE;
	return TRUE;
}

/* All planes of a thread's own column are needed, and kept where they have a queue. */
static void
complete_columns(const Stream *s, const Flow *f)
{
	const Block *b = f->block;

	for (int r = 0; r < b->rows; r++)
		for (int c = 0; c < b->columns; c++) {
			gboolean own = stream_is_own(s, f, r, c) && f->queue;

			b->kept[march_place(b, 0, r, c)] = own ? b->planes > 1
				: hand_on(s, f, r, c);
			for (int p = 0; p < b->planes && own; p++)
				b->needed[march_place(b, p, r, c)] = TRUE;
		}
}

gboolean
stream_has_neighbours(const KSource *source, int x, int y)
{
	return source->field->axes == 7 && (source->lo[x] < 0 || source->hi[x] > 0
		|| source->lo[y] < 0 || source->hi[y] > 0);
}

gboolean
stream_reads_points(const KSource *source, int x, int y)
{
	const int z = 3 - x - y;
	gboolean beside = FALSE;

	for (guint t = 0; t < source->taps->len; t++) {
		const AxisMap *a = ((const Expr *)source->taps->pdata[t])->tap.map;

		beside = beside || (a[z].offset < 0 && (a[y].offset != 0 || a[x].offset != 0));
		for (guint i = 0; i < t; i++) {
			const AxisMap *b = ((const Expr *)source->taps->pdata[i])->tap.map;

			if (a[z].offset != 0 && a[z].offset == b[z].offset
				&& (a[y].offset != b[y].offset || a[x].offset != b[x].offset))
				return FALSE;
		}
	}
	return beside;
}

static void
find_planes(const Stream *s, Flow *f)
{
	const Block *b = f->block;

	f->first = b->planes;
	f->last = -1;
	for (int p = 0; p < b->planes; p++)
		for (int r = 0; r < b->rows; r++)
			for (int c = 0; c < b->columns; c++)
				if (stream_is_shared(s, f, p, r, c)) {
					f->first = MIN(f->first, p);
					f->last = p;
				}
}

static gboolean
has_corners(const Stream *s, const KSource *source)
{
	for (guint t = 0; t < source->taps->len; t++) {
		const Expr *tap = g_ptr_array_index(source->taps, t);

		if (tap->tap.map[s->m.x].offset != 0 && tap->tap.map[s->m.y].offset != 0)
			return TRUE;
	}
	return FALSE;
}

/* Own columns begin with a whole sector where they come straight in: of sectors that lie
 * across others, a row takes twice as long to write. */
static void
share(const Stream *s, Flow *f)
{
	const KSource *source = f->block->source;
	const Plan *plan = s->m.plan;
	KKernel *k = s->m.k;
	KType type = { KT_VALUE, source->field->type };
	const char *name = f->block->tile->want;
	int bytes = f->piece * type_info[source->field->type].bytes, align;

	find_planes(s, f);
	f->fetches = (plan->feed == FEED_HALO || plan->feed >= FEED_ASYNC) && bytes >= 4
		&& f->first <= f->last;
	f->async = f->fetches && plan->feed >= FEED_ASYNC;
	f->bulk = plan->feed == FEED_BULK && bytes == LARGEST_COPY;
	f->held = plan->feed == FEED_PREFETCH ? plan->ahead : 1;
	f->remap = plan->load == LOAD_REMAP;
	f->whole = f->async || f->remap;
	f->corners = has_corners(s, source);
	f->before = ROUND_UP(-source->lo[s->m.x], f->piece);
	f->behind = ROUND_UP(source->hi[s->m.x], f->piece);
	f->above = -source->lo[s->m.y];
	f->below = source->hi[s->m.y];
	f->newest = f->queue ? f->block->planes - 1 : f->last;
	f->incoming = f->async ? f->newest + plan->ahead : f->whole ? f->newest + 1
		: f->last + 1;
	f->slots = f->incoming - f->first + 1;
	align = f->async && !f->remap && bytes == LARGEST_COPY ? SECTOR * f->piece / bytes
		: f->width;
	f->own = ROUND_UP(f->before, align);
	if (f->first <= f->last)
		f->planes = k_new_tile(k, name, type, KS_SHARED, 3, (const int[]){ f->slots,
			stream_rows(s, f),
			ROUND_UP(f->own + plan->threads[0] * s->m.px + f->behind, align) });
	f->next = k_new_tile(k, arena_printf(k->arena, "%s_next", name), type, KS_REGISTERS, 2,
		(const int[]){ f->held * s->m.py, s->m.px });
	f->halo = k_new_tile(k, arena_printf(k->arena, "%s_halo", name), type, KS_REGISTERS, 2,
		(const int[]){ f->held * MAX(stream_turns(s, f), 1), f->piece });
}

void
stream_gather(Stream *s)
{
	s->m.stays = TRUE;
	march_gather(&s->m);
	s->flows = arena_array(s->m.k->arena, Flow, s->m.sources->len + 1);
	for (guint i = 0; i < s->m.sources->len; i++) {
		Flow *f = &s->flows[i];

		f->block = &s->m.blocks[i];
		f->width = s->m.vector && place_is_dense(f->block->source->field, s->m.x)
			? march_vector(&s->m, f->block->source->field) : 1;
		f->piece = s->m.deals ? 1 : f->width;
		f->shared = s->m.deals
			|| stream_has_neighbours(f->block->source, s->m.x, s->m.y);
		f->queue = !f->shared || s->m.plan->strategy == STRATEGY_STREAM_REGISTERS;
		f->points = s->m.plan->points && f->shared && f->queue && !s->m.deals
			&& stream_reads_points(f->block->source, s->m.x, s->m.y);
		if (!march_stands(&s->m, f->block))
			complete_columns(s, f);
		for (int face = 0; face < 2; face++)
			f->images[face] = stream_has_images(s, f, face);
		if (f->shared)
			share(s, f);
		if (f->fetches)
			s->lead = f->async ? s->m.plan->ahead : 1;
		s->waits = s->waits || (f->fetches && !f->bulk);
	}
}
