/* lower_stream.c: a block walks along the stream, planes in shared memory. */
#include "kernel/stream.h"

#include "kernel/at_once.h"
#include "kernel/count.h"
#include "kernel/prune.h"

#define CROWDED 200 /* registers, counted: there are few more than those of one plane */
#define FEW_TOGETHER 2

StreamReads
stream_reads(const Stage *stage, int x, int y)
{
	GPtrArray *far = g_ptr_array_new(), *sources;
	Arena *arena = arena_new();
	StreamReads reads = { 0 };

	sources = stage_sources(stage, x, arena, far);
	reads.sources = (int)sources->len;
	reads.far = (int)far->len;
	for (guint i = 0; i < sources->len; i++) {
		const KSource *source = g_ptr_array_index(sources, i);

		if (!stream_has_neighbours(source, x, y))
			continue;
		reads.beside++;
		reads.points += stream_reads_points(source, x, y);
	}
	g_ptr_array_unref(sources);
	g_ptr_array_unref(far);
	arena_free(arena);
	return reads;
}

const char *
stream_refuses(const Stage *stage)
{
	const char *why = march_refuses(stage);

	if (why == NULL && (stage->grid->rank != 3 || stage->axes != 7))
		why = "its grid has not three axes";
	if (why == NULL && stream_reads(stage, 2, 1).beside == 0)
		why = "no cell reads beside itself in a plane";
	return why;
}

/* ---- places in registers ---- */

/* Cells of a block of places that are made at once: from COLUMN of ROW of PLANE, or
 * there of the thread's cell CELL. */
typedef struct {
	int plane, row, column, cell, width;
} Group;

typedef gboolean Wanted(const Stream *s, const Flow *f, int plane, int row, int column);
typedef void MakeGroup(const Stream *s, GPtrArray *body, const Flow *f, const Group *g,
	const KExpr *z);

static void
make_row_vectors(const Stream *s, GPtrArray *body, const Flow *f, Group g, const KExpr *z,
	Wanted *wanted, MakeGroup *make)
{
	const Block *b = f->block;
	const int part[] = { 0, b->left, b->left + s->m.px, b->columns };

	for (int i = 0; i < 3; i++) {
		gboolean any = FALSE;

		for (int c = part[i]; c < part[i + 1]; c++)
			any = any || wanted(s, f, g.plane, g.row, c);
		g.width = MIN(f->width, part[i + 1] - part[i]);
		for (g.column = part[i]; any && g.column < part[i + 1]; g.column += g.width)
			make(s, body, f, &g, z);
	}
}

/* The wanted places of F, the cells' own plane being at Z. */
static void
make_places(const Stream *s, GPtrArray *body, const Flow *f, const KExpr *z, Wanted *wanted,
	MakeGroup *make)
{
	const Block *b = f->block;
	Group g = { .width = 1 };

	for (g.plane = 0; g.plane < b->planes; g.plane++)
		for (g.row = 0; g.row < b->rows; g.row++) {
			if (s->m.vector) {
				make_row_vectors(s, body, f, g, z, wanted, make);
				continue;
			}
			for (g.column = 0; g.column < b->columns; g.column++)
				for (g.cell = 0; g.cell < s->m.px && wanted(s, f, g.plane, g.row,
					g.column); g.cell++)
					make(s, body, f, &g, z);
		}
}

static Spot
spot_of(const Stream *s, const Flow *f, const Group *g)
{
	KKernel *k = s->m.k;

	return (Spot){ f->block->tile, { k_int(k, g->plane), k_int(k, g->row),
		k_int(k, g->column), k_int(k, g->cell) } };
}

/* Columns from the thread's first one. */
static int
distance_of(const Stream *s, const Flow *f, const Group *g)
{
	return s->m.vector ? g->column - f->block->left : g->column + g->cell * s->m.step
		+ march_reach(f->block->source, s->m.x, FALSE);
}

/* Planes from the cells' own to plane NUMBER of the block. */
static int
plane_distance(const Stream *s, const Flow *f, int number)
{
	return number + march_reach(f->block->source, s->m.z, FALSE);
}

/* From memory. */
static void
load_group(const Stream *s, GPtrArray *body, const Flow *f, const Group *g, const KExpr *z)
{
	Plane plane = stream_plane(s, body, f, z, plane_distance(s, f, g->plane));
	Piece piece = stream_piece(s, f, k_add(s->m.k, s->m.x0, distance_of(s, f, g)),
		k_add(s->m.k, s->m.y0, g->row + march_reach(f->block->source, s->m.y, FALSE)),
		g->width);
	Spot to = spot_of(s, f, g);

	stream_load(s, body, f, &piece, &plane, &to);
}

/* The slot of the plane of the block's number PLANE. */
static const KExpr *
slot_of(const Stream *s, GPtrArray *body, const Flow *f, int plane)
{
	KKernel *k = s->m.k;

	return k_let(k, body, "slot", k_binary(k, K_REM, k_add(k, s->turn, plane - f->first),
		k_int(k, f->slots)));
}

/* The thread's first row and column in a shared plane, but for the halo. */
static const KExpr *
own_row(const Stream *s)
{
	KKernel *k = s->m.k;

	return k_let(k, k->setup, "own_row", k_binary(k, K_MUL, s->ty, k_int(k, s->m.py)));
}

static const KExpr *
own_column(const Stream *s)
{
	KKernel *k = s->m.k;

	return k_let(k, k->setup, "own_column", k_binary(k, K_MUL, s->tx,
		k_int(k, s->m.vector ? s->m.px : 1)));
}

/* From shared memory. */
static void
take_group(const Stream *s, GPtrArray *body, const Flow *f, const Group *g, const KExpr *z)
{
	KKernel *k = s->m.k;
	const KExpr *from = k_at(k, f->planes, slot_of(s, body, f, g->plane), k_add(k, own_row(s),
		g->row), k_add(k, own_column(s), f->own + distance_of(s, f, g)));
	Spot to = spot_of(s, f, g);

	(void)z;
	k_move(k, body, spot_element(k, &to, 0), from, g->width);
}

static gboolean
fills_queue(const Stream *s, const Flow *f, int plane, int row, int column)
{
	(void)s;
	return march_fills_queue(f->block, plane, row, column);
}

static gboolean
comes_in(const Stream *s, const Flow *f, int plane, int row, int column)
{
	(void)s;
	return march_comes_in(f->block, plane, row, column);
}

static gboolean
is_queued(const Stream *s, const Flow *f, int plane, int row, int column)
{
	return stream_is_own(s, f, row, column) ? !(f->whole && plane == f->newest)
		: stream_is_handed_on(f, plane, row, column);
}

/* ---- planes in shared memory ---- */

/* The thread's own cells of a row, as they go to shared memory and come from there. */
static int
own_vectors(const Stream *s, const Flow *f)
{
	return s->m.px / f->width;
}

/* Columns from the thread's first one to its piece NUMBER. */
static int
piece_distance(const Stream *s, const Flow *f, int number)
{
	return number * f->width * (s->m.vector ? 1 : s->m.step);
}

static Piece
own_piece(const Stream *s, const Flow *f, int row, int number)
{
	KKernel *k = s->m.k;

	return stream_piece(s, f, k_add(k, s->m.x0, piece_distance(s, f, number)),
		k_add(k, s->m.y0, row), f->width);
}

/* Where it is in shared memory. */
static const KExpr *
own_place(const Stream *s, const Flow *f, const KExpr *slot, int row, int number)
{
	KKernel *k = s->m.k;

	return k_at(k, f->planes, slot, k_add(k, own_row(s), f->above + row), k_add(k,
		own_column(s), f->own + piece_distance(s, f, number)));
}

/* The own column of the plane of the number HELD among those on their way. */
static Spot
next_spot(const Stream *s, const Flow *f, int held, int row, int cell)
{
	return (Spot){ f->next, { k_int(s->m.k, held * s->m.py + row), k_int(s->m.k, cell) } };
}

/* The own column at the place NUMBER of the queue. */
static Spot
queue_spot(const Stream *s, const Flow *f, int number, int row, int cell)
{
	const KSource *source = f->block->source;
	int column = s->m.vector ? f->block->left + cell : -march_reach(source, s->m.x, FALSE);
	Group g = { number, row - march_reach(source, s->m.y, FALSE), column, cell, 1 };

	return spot_of(s, f, &g);
}

Spot
stream_own_spot(const Stream *s, const Flow *f, int number, int row, int cell)
{
	return f->queue && number < f->block->planes ? queue_spot(s, f, number, row, cell)
		: next_spot(s, f, 0, row, cell);
}

typedef void (*LoadPart)(const Stream *s, GPtrArray *body, const Flow *f, const Piece *piece,
	const Plane *plane, const Spot *to);

/* PART of loading the own column in the plane DZ from Z into the place HELD of what comes next. */
static void
load_next(const Stream *s, GPtrArray *body, const Flow *f, const KExpr *z, int dz, int held,
	LoadPart part)
{
	Plane plane = stream_plane(s, body, f, z, dz);

	for (int j = 0; j < s->m.py; j++)
		for (int i = 0; i < s->m.px / f->piece; i++) {
			Piece piece = s->m.deals ? stream_dealt_piece(s, f, j, i)
				: own_piece(s, f, j, i);
			Spot to = next_spot(s, f, held, j, i * f->piece);

			part(s, body, f, &piece, &plane, &to);
		}
}

/* Puts the own column into SLOT: from place NUMBER of the queue, or, behind its end,
 * what comes next. */
static void
give_own(const Stream *s, GPtrArray *body, const Flow *f, const KExpr *slot, int number)
{
	KKernel *k = s->m.k;

	for (int j = 0; j < s->m.py; j++)
		for (int i = 0; i < own_vectors(s, f); i++) {
			Spot from = stream_own_spot(s, f, number, j, i * f->width);

			k_move(k, body, own_place(s, f, slot, j, i), spot_element(k, &from, 0),
				f->width);
		}
}

static GPtrArray *
where_there(const Stream *s, GPtrArray *body, const HaloPiece *h)
{
	return h->there != NULL ? k_if(s->m.k, body, h->there) : body;
}

static Spot
halo_spot(const Stream *s, const Flow *f, int held, int turn)
{
	return (Spot){ f->halo, { k_int(s->m.k, held * stream_turns(s, f) + turn),
		k_int(s->m.k, 0) } };
}

/* A piece of PLANE straight into its place TO; by way of BY where it is not in memory as
 * it is read. */
static void
fetch_piece(const Stream *s, GPtrArray *body, const Flow *f, const Piece *piece,
	const Plane *plane, const Spot *by, const KExpr *to)
{
	KKernel *k = s->m.k;
	const KExpr *made = stream_is_made(s, body, piece, plane);

	if (made != NULL) {
		GPtrArray *apart = k_if(k, body, made);

		stream_load(s, apart, f, piece, plane, by);
		k_move(k, apart, to, spot_element(k, by, 0), f->piece);
		body = k_else(k, body);
	}
	stream_fetch(s, body, f, piece, plane, to);
}

/* The thread's part of the block's plane NUMBER, or of its halo, into SLOT. */
static void
fetch_plane(const Stream *s, GPtrArray *body, const Flow *f, const KExpr *z, int number,
	const KExpr *slot)
{
	KKernel *k = s->m.k;
	Plane plane = stream_plane(s, body, f, z, plane_distance(s, f, number));

	if (f->bulk) {
		stream_bring(s, body, f, &plane, slot);
		return;
	}
	for (int j = 0; j < s->m.py && f->async && !f->remap; j++)
		for (int i = 0; i < own_vectors(s, f); i++) {
			Piece piece = own_piece(s, f, j, i);
			Spot by = next_spot(s, f, 0, j, i * f->width);

			fetch_piece(s, body, f, &piece, &plane, &by, own_place(s, f, slot, j, i));
		}
	for (int turn = 0; turn < stream_turns(s, f); turn++) {
		HaloPiece h = stream_halo(s, f, turn);
		Spot by = halo_spot(s, f, 0, turn);

		fetch_piece(s, where_there(s, body, &h), f, &h.piece, &plane, &by,
			k_at(k, f->planes, slot, h.row, h.column));
	}
}

/* Likewise its halo. */
static void
load_halo(const Stream *s, GPtrArray *body, const Flow *f, const KExpr *z, int dz, int held,
	LoadPart part)
{
	Plane plane = stream_plane(s, body, f, z, dz);

	for (int turn = 0; turn < stream_turns(s, f); turn++) {
		HaloPiece h = stream_halo(s, f, turn);
		Spot to = halo_spot(s, f, held, turn);

		part(s, where_there(s, body, &h), f, &h.piece, &plane, &to);
	}
}

static void
give_halo(const Stream *s, GPtrArray *body, const Flow *f, const KExpr *slot)
{
	KKernel *k = s->m.k;

	for (int turn = 0; turn < stream_turns(s, f); turn++) {
		HaloPiece h = stream_halo(s, f, turn);
		Spot from = halo_spot(s, f, 0, turn);

		k_move(k, where_there(s, body, &h), k_at(k, f->planes, slot, h.row, h.column),
			spot_element(k, &from, 0), f->piece);
	}
}

/* ---- the walk ---- */

/* What is there before the first plane, but for what is fetched. */
static void
fill(const Stream *s, GPtrArray *body, const Flow *f)
{
	KKernel *k = s->m.k;
	const KExpr *z = s->z_first;

	k_tile(k, body, f->block->tile);
	if (!f->shared) {
		make_places(s, body, f, z, march_stands(&s->m, f->block) ? comes_in : fills_queue,
			load_group);
		return;
	}
	if (f->planes != NULL)
		k_tile(k, body, f->planes);
	k_tile(k, body, f->next);
	k_tile(k, body, f->halo);
	if (s->m.deals)
		stream_deal_queue(s, body, f);
	else if (f->queue)
		make_places(s, body, f, z, is_queued, load_group);
	for (int p = f->first; p <= (f->whole ? f->newest : f->last) && !f->async; p++) {
		const KExpr *slot = k_int(k, p - f->first);

		if (!f->fetches)
			load_halo(s, body, f, z, plane_distance(s, f, p), 0, stream_load);
		if (!f->queue && !f->whole)
			load_next(s, body, f, z, plane_distance(s, f, p), 0, stream_load);
		if (!f->whole)
			give_own(s, body, f, slot, f->queue ? p : 0);
		if (!f->fetches)
			give_halo(s, body, f, slot);
	}
}

/* Planes from the cells' own to the one that is on its way into registers. */
static int
next_distance(const Stream *s, const Flow *f)
{
	return plane_distance(s, f, f->queue ? f->block->planes : f->incoming);
}

/* What comes through registers HELD planes after the next one of Z: no plane behind those
 * that the block reads. */
static void
load_held(const Stream *s, GPtrArray *body, const Flow *f, const KExpr *z, int held)
{
	KKernel *k = s->m.k;
	int back = f->held > 1;

	if (back)
		z = k_let(k, body, "ahead", k_binary(k, K_MIN, k_add(k, z, held + 1), k_binary(k,
			K_ADD, s->z_first, k_add(k, s->turns, -1))));
	if (!f->whole)
		load_next(s, body, f, z, next_distance(s, f) - back, held, stream_ask);
	if (!f->fetches)
		load_halo(s, body, f, z, plane_distance(s, f, f->incoming) - back, held,
			stream_ask);
}

/* The cells of the plane Z are computed: what has been asked for first is there. */
static void
settle(const Stream *s, GPtrArray *body, const Flow *f, const KExpr *z)
{
	if (!f->whole)
		load_next(s, body, f, z, next_distance(s, f), 0, stream_settle);
	if (!f->fetches)
		load_halo(s, body, f, z, plane_distance(s, f, f->incoming), 0, stream_settle);
}

/* Those that are asked for at no turn. */
static void
load_first(const Stream *s, GPtrArray *body)
{
	for (const Flow *f = s->flows; f < s->flows + s->m.sources->len; f++)
		for (int held = 0; f->shared && held < f->held - 1; held++)
			load_held(s, body, f, s->z_first, held);
}

/* The planes that the first one's cells read are a group, those ahead of them one each. */
static void
fetch_first(const Stream *s, GPtrArray *body)
{
	for (int ahead = 0; ahead < s->lead; ahead++) {
		for (guint i = 0; i < s->m.sources->len; i++) {
			const Flow *f = &s->flows[i];
			int last = f->incoming - s->lead + ahead;

			for (int p = ahead == 0 ? f->first : last; p <= last && f->fetches; p++)
				fetch_plane(s, body, f, s->z_first, p,
					k_int(s->m.k, p - f->first));
		}
		if (s->waits)
			k_commit(s->m.k, body);
	}
}

/* Planes from the first one that is in shared memory to the newest that a cell reads. */
static int
depth(const Flow *f)
{
	return f->newest - f->first;
}

static void
await_first(const Stream *s, GPtrArray *body)
{
	for (const Flow *f = s->flows; f < s->flows + s->m.sources->len; f++)
		for (int n = 0; n < depth(f) && f->bulk; n++)
			stream_await(s, body, f, k_int(s->m.k, n));
}

/* Where there were fewer planes than are fetched ahead. */
static void
await_last(const Stream *s, GPtrArray *body)
{
	KKernel *k = s->m.k;

	if (s->waits)
		k_wait(k, body, 0);
	for (const Flow *f = s->flows; f < s->flows + s->m.sources->len; f++)
		for (int n = 0; n < s->lead && f->bulk; n++)
			stream_await(s, k_if(k, body, k_binary(k, K_GE, k_int(k, n), s->turns)), f,
				k_int(k, depth(f) + n));
}

/* On its way while the cells of the plane Z are computed. */
static void
ask(const Stream *s, GPtrArray *body, const Flow *f, const KExpr *z)
{
	KKernel *k = s->m.k;

	load_held(s, body, f, z, f->held - 1);
	if (!f->fetches)
		return;
	/* nothing is on its way at the end */
	body = k_if(k, body, k_binary(k, K_LT, k_add(k, s->turn, s->lead), s->turns));
	fetch_plane(s, body, f, z, f->incoming, slot_of(s, body, f, f->incoming));
}

static void
give(const Stream *s, GPtrArray *body, const Flow *f)
{
	const KExpr *slot;

	if (f->planes == NULL)
		return;
	slot = slot_of(s, body, f, f->incoming);
	if (!f->whole)
		give_own(s, body, f, slot, f->incoming);
	if (!f->fetches)
		give_halo(s, body, f, slot);
}

/* The newest place of the queue, out of shared memory. */
static void
take_own(const Stream *s, GPtrArray *body, const Flow *f)
{
	KKernel *k = s->m.k;
	const KExpr *slot = slot_of(s, body, f, f->newest);

	for (int j = 0; j < s->m.py; j++)
		for (int i = 0; i < own_vectors(s, f); i++) {
			Spot to = queue_spot(s, f, f->newest, j, i * f->width);

			k_move(k, body, spot_element(k, &to, 0), own_place(s, f, slot, j, i),
				f->width);
		}
}

static void
end_queue(const Stream *s, GPtrArray *body, const Flow *f)
{
	KKernel *k = s->m.k;

	for (int j = 0; j < s->m.py; j++)
		for (int i = 0; i < s->m.px; i++) {
			Spot to = queue_spot(s, f, f->block->planes - 1, j, i);
			Spot from = next_spot(s, f, 0, j, i);

			k_put(k, body, spot_element(k, &to, 0), spot_element(k, &from, 0));
		}
}

/* Rows of TILE that are on their way come EACH rows nearer. */
static void
shift_rows(const Stream *s, GPtrArray *body, const Flow *f, const KTile *tile, int each)
{
	KKernel *k = s->m.k;
	const KExpr *n, *i, *to[K_MAX_DIMS] = { NULL }, *from[K_MAX_DIMS] = { NULL };

	body = k_over(k, body, "n", (f->held - 1) * each, &n);
	body = k_over(k, body, "i", tile->size[1], &i);
	to[0] = n;
	from[0] = k_add(k, n, each);
	to[1] = from[1] = i;
	k_put(k, body, k_element(k, tile, to), k_element(k, tile, from));
}

static void
shift_held(const Stream *s, GPtrArray *body, const Flow *f)
{
	if (!f->whole)
		shift_rows(s, body, f, f->next, s->m.py);
	if (stream_turns(s, f) > 0)
		shift_rows(s, body, f, f->halo, stream_turns(s, f));
}

static void
one_plane(Stream *s, GPtrArray *body)
{
	March *m = &s->m;
	const KExpr *z = k_let(m->k, body, m->stage->grid->axis[m->z], k_binary(m->k, K_ADD,
		s->z_first, s->turn));
	const Flow *end = s->flows + m->sources->len;

	m->zvar = z->var;
	if (m->scatter != NULL)
		march_scatter_turn(m, body, z, s->z_done);
	for (const Flow *f = s->flows; f < end; f++)
		if (!f->shared && !march_stands(m, f->block))
			make_places(s, body, f, f->block->late ? k_var(m->k, m->zvar) : z,
				comes_in, load_group);
	if (s->waits)
		k_wait(m->k, body, s->lead - 1);
	for (const Flow *f = s->flows; f < end; f++)
		if (f->bulk)
			stream_await(s, body, f, k_add(m->k, s->turn, depth(f)));
	k_barrier(m->k, body);
	k_note(m->k, body, "what comes next is asked for");
	for (const Flow *f = s->flows; f < end; f++)
		if (f->shared)
			ask(s, body, f, z);
	if (s->waits)
		k_commit(m->k, body);
	k_note(m->k, body, "what the cells read, from shared memory");
	for (const Flow *f = s->flows; f < end; f++) {
		if (f->whole && f->queue)
			take_own(s, body, f);
		if (!f->shared)
			continue;
		make_places(s, body, f, z, stream_is_shared, take_group);
		stream_set_images(s, body, f);
	}
	k_note(m->k, body, "the cells");
	march_compute(m, body);
	k_note(m->k, body, "what has come goes to shared memory");
	for (const Flow *f = s->flows; f < end; f++)
		if (f->shared)
			settle(s, body, f, z);
	if (m->deals)
		stream_turn_round(s, body);
	for (const Flow *f = s->flows; f < end; f++)
		if (f->shared && !f->async)
			give(s, body, f);
	k_note(m->k, body, "what is kept moves on");
	march_shift(m, body);
	for (const Flow *f = s->flows; f < end; f++)
		if (f->shared && f->queue && !f->whole)
			end_queue(s, body, f);
	for (const Flow *f = s->flows; f < end; f++)
		if (f->shared && f->held > 1)
			shift_held(s, body, f);
}

static const KExpr *
thread_along(const Stream *s, int number)
{
	return s->m.plan->threads[number] == 1 ? k_int(s->m.k, 0)
		: k_param(s->m.k, (KParam){ .kind = KP_THREAD, .axis = number });
}

static void
set_places(Stream *s)
{
	March *m = &s->m;
	KKernel *k = m->k;
	const Grid *grid = m->stage->grid;

	m->x0 = m->x_load = march_first_cell(m, 0, grid->axis[m->x]);
	m->y0 = march_first_cell(m, 1, grid->axis[m->y]);
	s->z_done = march_first_cell(m, 2, arena_printf(k->arena, "%s_first", grid->axis[m->z]));
	s->z_first = m->scatter == NULL ? s->z_done : k_let(k, k->setup, "z_read",
		k_add(k, s->z_done, m->scatter->lo));
	s->x_block = k_let(k, k->setup, "x_block", march_block_start(m, 0));
	s->y_block = k_let(k, k->setup, "y_block", march_block_start(m, 1));
	s->tx = thread_along(s, 0);
	s->ty = thread_along(s, 1);
	s->thread = k_let(k, k->setup, "thread", k_binary(k, K_ADD, k_binary(k, K_MUL, s->ty,
		k_int(k, m->plan->threads[0])), s->tx));
}

/* Planes a turn: nvcc has places of several of them at a time in registers. */
static int
together(KKernel *k, int wanted)
{
	KCount count;

	kir_prune(k);
	count = kir_count(k);
	return count_registers(&count) > CROWDED ? MIN(wanted, FEW_TOGETHER) : wanted;
}

/* NULL: its rows cannot be dealt out. */
static KKernel *
lowered(Arena *arena, const Plan *plan, gboolean vector, gboolean deals)
{
	Stream s = { .m = { .stage = plan->stage, .plan = plan, .vector = vector, .deals = deals,
		.laps = deals } };
	KKernel *k = s.m.k = kir_new(arena, plan);
	GPtrArray *walk;

	stream_gather(&s);
	if (deals && !stream_may_deal(&s)) {
		march_free(&s.m);
		kir_free(k);
		return NULL;
	}
	k->width = vector && !deals ? s.m.px : 1;
	set_places(&s);
	if (deals)
		stream_deal_begin(&s);
	k_note(k, k->body, "planes that the first cells read");
	for (guint i = 0; i < s.m.sources->len; i++) {
		stream_open(&s, k->body, &s.flows[i]);
		fill(&s, k->body, &s.flows[i]);
	}
	fetch_first(&s, k->body);
	await_first(&s, k->body);
	if (s.m.scatter != NULL)
		march_scatter_begin(&s.m, k->body);
	s.turns = k_binary(k, K_MIN, k_binary(k, K_SUB, k_param(k, (KParam){ .kind = KP_CELLS_HI,
		.axis = s.m.z }), s.z_done), march_block_span(&s.m, 2));
	k_note(k, k->body, "one plane after the other");
	/* nvcc 13.0 takes the lesser of two numbers for a multiple of 3 and 5, and unrolls so
	 * many turns without asking where the last one is (tests/nvcc/turns.tap) */
	s.turns = k_keep(k, k->body, "planes", k_add(k, s.turns, s.m.scatter != NULL
		? s.m.scatter->planes - 1 : 0));
	load_first(&s, k->body);
	walk = k_walk(k, k->body, "plane", k_int(k, 0), s.turns, &s.turn);
	one_plane(&s, walk);
	kir_last(k->body)->together = together(k, plan->unroll);
	await_last(&s, k->body);
	march_free(&s.m);
	kir_prune(k);
	kir_at_once(k);
	return k;
}

KKernel *
lower_stream(Arena *arena, const Plan *plan, gboolean vector)
{
	return lowered(arena, plan, vector, FALSE);
}

KKernel *
lower_stream_dealt(Arena *arena, const Plan *plan)
{
	return lowered(arena, plan, TRUE, TRUE);
}

gsize
stream_shared(const Plan *plan, Arena *arena)
{
	gsize most = 0;

	for (int vector = 0; vector < 2; vector++) {
		Stream s = { .m = { .stage = plan->stage, .plan = plan, .vector = vector != 0 } };

		s.m.k = kir_new(arena, plan);
		stream_gather(&s);
		for (guint i = 0; i < s.m.sources->len; i++)
			stream_open(&s, s.m.k->body, &s.flows[i]);
		most = MAX(most, s.m.k->shared);
		march_free(&s.m);
		kir_free(s.m.k);
	}
	return most;
}
