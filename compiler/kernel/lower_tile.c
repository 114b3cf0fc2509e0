/* lower_tile.c: several steps in one sweep over a volume, block by block.
 *
 * A block owns a tile of a plane, each thread some columns and rows of it, and walks
 * through a chunk of planes.  All its steps go on at once: the plane that comes in
 * passes through the queue of the first step, what this completes through that of
 * the next, and so on; what the last one gives is stored.  Columns beside a thread's
 * own come from the lanes beside it, rows from shared memory, where every thread
 * leaves its outer ones; or all of that from there (tile_share.c).  A step is a plane
 * behind the one before it, so rows that are asked for have been left in an earlier turn,
 * and one barrier a turn is enough; where a step asks the newest plane too, each needs its
 * own.
 *
 * What a cell was itself before the step before is still in that one's queue; what it was
 * before the first step comes in as late as that asks for it.
 *
 * Tiles and chunks overlap by what the steps reach, and the overlap is computed
 * twice.  The first and the last tile end where the grid does, and store up to there.
 */
#include "kernel/tile.h"

#include "base/round.h"
#include "kernel/at_once.h"
#include "kernel/place.h"
#include "kernel/prune.h"
#include "kernel/tile_place.h"

/* ---- shape ---- */

static int
queue_rows(const TileCode *t)
{
	return t->reach[1][0] + t->rows + t->reach[1][1];
}

static int
queue_columns(const TileCode *t)
{
	return t->reach[0][0] + t->vx + t->reach[0][1];
}

static int
n_places(const TileCode *t)
{
	return t->planes * queue_rows(t) * queue_columns(t);
}

int
tile_place_number(const TileCode *t, int plane, int row, int column)
{
	return (plane * queue_rows(t) + row + t->reach[1][0]) * queue_columns(t) + column
		+ t->reach[0][0];
}

gboolean *
tile_asked(const TileCode *t, Arena *arena, int least)
{
	const int *axis = t->plan->axis;
	gboolean *asked = arena_array(arena, gboolean, n_places(t));

	for (guint n = 0; n < t->source->taps->len; n++) {
		const AxisMap *map = ((const Expr *)g_ptr_array_index(t->source->taps, n))->tap.map;
		int plane = t->sums != NULL ? t->planes - 1
			: t->planes - 1 - t->lag + map[axis[2]].offset;

		for (int j = 0; j < t->rows && map[axis[0]].offset >= least; j++)
			for (int i = 0; i < t->vx; i++)
				asked[tile_place_number(t, plane, j + map[axis[1]].offset,
					i + map[axis[0]].offset)] = TRUE;
	}
	return asked;
}

static void
find_needed(TileCode *t, Arena *arena)
{
	t->asked = tile_asked(t, arena, -t->reach[0][0]);
	t->needed = arena_copy(arena, t->asked, sizeof *t->asked * (gsize)n_places(t));
	for (int n = 0; n < t->rows * t->vx && t->plan->held; n++) /* cells that stay */
		t->needed[tile_place_number(t, t->planes - 1 - t->lag, n / t->vx, n % t->vx)]
			= TRUE;
}

/* The oldest and the newest plane, from the one that is computed, that what is shared is
 * needed of: by taps, or as images of what lies beyond the grid. */
static void
find_beside(const TileCode *t, int *oldest, int *newest)
{
	int rows = queue_rows(t), columns = queue_columns(t);

	*oldest = *newest = 0;
	for (int n = 0; n < n_places(t); n++) {
		int row = n / columns % rows - t->reach[1][0];
		int column = n % columns - t->reach[0][0];
		int plane = n / columns / rows - (t->planes - 1 - t->lag);
		gboolean shared = t->shares ? tile_shares(t, n / columns / rows, row, column)
			: row < 0 || row >= t->rows;

		if (!t->needed[n] || !shared)
			continue;
		*oldest = MIN(*oldest, plane);
		*newest = MAX(*newest, plane);
	}
}

static void
set_kinds(TileCode *t)
{
	const Boundary *b = t->source->boundary;

	for (int n = 0; n < 6; n++) {
		int number = n / 2, end = n % 2, axis = t->plan->axis[number];
		gboolean reaches = t->reach[number][0] > 0 || t->reach[number][1] > 0;

		t->kind[number][end] = b != NULL && reaches ? b->kind[axis][end] : EDGE_KEEP;
	}
}

/* What does not depend on where a block is; tile_release is the end of it. */
static void
tile_measure(TileCode *t, Arena *arena, const Plan *plan)
{
	const TileCut whole = { NULL, plan->stage->value, NULL }; /* planes are read once more */
	int oldest, newest;

	*t = (TileCode){ .flat = plan->n_axes == 2, .stage = plan->stage,
		.shares = plan->exchange == EXCHANGE_SHARED };
	t->plan = plan = tile_in_space(arena, plan);
	t->vx = plan->cells[0];
	t->rows = plan->cells[1];
	t->lanes = plan->threads[0];
	t->groups = plan->threads[1];
	t->time = plan->time;
	t->group = MIN(t->vx, VECTOR_BYTES / type_info[plan->stage->target->type].bytes);
	t->far = g_ptr_array_new();
	t->sources = stage_sources(plan->stage, plan->axis[0], arena, t->far);
	for (guint i = 0; i < t->sources->len && (t->source == NULL || t->source->level < 0); i++)
		t->source = g_ptr_array_index(t->sources, i);
	t->history = plan->stage->target->history;
	for (int n = 0; n < IR_MAX_RANK; n += t->flat ? 2 : 1) {
		t->reach[n][0] = -t->source->lo[plan->axis[n]];
		t->reach[n][1] = t->source->hi[plan->axis[n]];
	}
	set_kinds(t);
	t->sums = plan->scatter ? tile_sums_new(plan, arena) : NULL;
	t->lag = t->sums != NULL ? t->reach[2][1] : MAX(t->reach[2][1], 1);
	t->planes = MAX(t->lag + t->reach[2][0], t->history > 0 ? (t->history + 1) * t->lag : 0)
		+ 1;
	t->cut = t->history > 0 || plan->held || t->sums != NULL ? whole : tile_cut(t, arena);
	find_needed(t, arena);
	if (tile_holds_images(t))
		tile_need_images(t, arena);
	find_beside(t, &oldest, &newest);
	t->early = t->sums != NULL || newest == t->lag;
	t->depth = t->sums != NULL ? 1 : t->lag - oldest + 1;
	t->depth += t->early && t->time == 1;
}

static void
tile_release(TileCode *t)
{
	g_ptr_array_unref(t->sources);
	g_ptr_array_unref(t->far);
}

/* Cells at END of a tile along axis NUMBER that another tile stores. */
static int
halo(const TileCode *t, int number, int end)
{
	int reach = t->reach[number][end] * t->time;

	return number == 0 ? ROUND_UP(reach, t->group) : reach;
}

/* Why threads cannot get what lies beside their own cells; NULL: they can. */
static const char *
lacks_beside(const TileCode *t, Arena *arena)
{
	const int rows = MAX(t->reach[1][0], t->reach[1][1]);

	if (t->shares)
		return NULL;
	if (WARP % t->lanes != 0)
		return arena_printf(arena, "a row of %d threads is no part of a warp", t->lanes);
	if (rows > t->rows)
		return arena_printf(arena, "it reads %d rows beside its own, and the thread there "
			"has %d", rows, t->rows);
	return lanes_lack(arena, MAX(t->reach[0][0], t->reach[0][1]), t->vx);
}

/* Why S is no tile; NULL: it is one. */
static const char *
lacks(const TileCode *t, const TileShape *s, Arena *arena)
{
	const char *why = lacks_beside(t, arena);

	if (why == NULL)
		why = shape_lacks_planes(arena, t->flat, t->planes, TILE_PLANES);
	if (why == NULL)
		why = shape_lacks_copies(arena, t->group, t->stage->target);
	return why != NULL ? why : shape_lacks_cells(s, arena);
}

TileShape
tile_shape(const Plan *plan, Arena *arena)
{
	TileShape s;
	TileCode t;

	tile_measure(&t, arena, plan);
	s.least[0] = t.lanes * t.vx;
	s.least[1] = t.groups * t.rows;
	s.least[2] = tile_wraps(&t, 2) ? MAX(t.reach[2][0], t.lag) * t.time : 0;
	for (int n = 0; n < 6; n++)
		s.rim[n / 2][n % 2] = t.kind[n / 2][n % 2] != EDGE_KEEP ? 0 : n / 2 == 2 ? -1
			: t.reach[n / 2][n % 2];
	for (int n = 0; n < 2; n++) {
		s.span[n] = s.least[n] - halo(&t, n, 0) - halo(&t, n, 1);
		s.inset[n][0] = tile_wraps(&t, n) ? 0 : halo(&t, n, 0);
		s.inset[n][1] = tile_wraps(&t, n) ? 0 : halo(&t, n, 1);
	}
	shape_meets_at_sectors(&s, plan);
	s.warm = (t.reach[2][0] + t.lag) * t.time;
	s.why = lacks(&t, &s, arena);
	s.whole = !tile_wraps(&t, 0) || t.vx == t.group;
	s.images = tile_holds_images(&t);
	s.ends = tile_may_end_within(&t);
	tile_release(&t);
	return s;
}

/* ---- where a block is ---- */

/* Whether the warp has cells beyond the region, where those of both axes stay by fewer
 * instructions than another test takes; or at a face, by axis. */
static void
set_edges(TileCode *t)
{
	KKernel *k = t->k;
	const KExpr *beyond = NULL;

	for (int number = 0; number < 2; number++) {
		const KExpr *at_face = NULL;

		for (int end = 0; end < 2; end++) {
			if (tile_keeps(t, number, end))
				beyond = k_or(k, beyond, end == 0
					? k_binary(k, K_LT, t->at[number],
					tile_param(t, KP_REGION_LO, number))
					: k_binary(k, K_LT, tile_param(t, KP_REGION_HI, number),
					k_add(k, t->at[number], t->plan->cells[number])));
			if (tile_has_ghosts(t, number, end))
				at_face = k_or(k, at_face, tile_at_face(t, number, end));
		}
		if (at_face == NULL)
			continue;
		t->face[number] = k_let(k, k->setup, "face", k_any(k, at_face));
		t->faces = k_or(k, t->faces, t->face[number]);
	}
	if (beyond != NULL)
		t->edges = k_let(k, k->setup, "edges", k_any(k, beyond));
	if (t->faces != NULL)
		t->faces = k_let(k, k->setup, "faces", t->faces);
}

/* ---- planes in, planes out ---- */

typedef struct {
	const TileCode *t;
	const KExpr *pitch; /* elements from row to row */
	const KExpr *here;  /* elements from the field's first to the thread's own, in a plane */
	const KExpr **row_in; /* likewise, to where each row is read */
	const KExpr *from[2], *to[2]; /* what the tile stores */
	const KExpr *row_from, **row_to; /* of it the thread's rows; up to none, by column */
	Chunk chunk;         /* its planes */
} Walk;

static const KExpr *
element_ahead(const TileCode *t, const KTile *ahead, const KExpr *slot, int row, int column)
{
	return tile_ahead(t, ahead, slot, k_int(t->k, row), k_int(t->k, column));
}

/* Elements to Q along axis NUMBER, or to where the grid goes on with it. */
static const KExpr *
landed(const TileCode *t, int number, const KExpr *q)
{
	const gboolean may[2] = { number == 2, number == 2 };

	return place_landed(t->k, t->source->field, t->plan->axis[number], tile_wraps(t, number)
		? t->source->boundary : NULL, may, q);
}

/* Plane Z of LEVEL of the input, or the one that the grid has nearest to it. */
static void
fetch_level(const Walk *w, GPtrArray *body, int level, const KExpr *z, const KExpr *slot)
{
	const TileCode *t = w->t;
	KKernel *k = t->k;
	const KTile *ahead = level == 0 ? t->ahead : t->past[-level];
	const KArray from = { t->source->field, level, FALSE, FALSE };
	const KExpr *start = landed(t, 2, k_let(k, body, "z_in", z));
	gboolean apart = tile_wraps(t, 1); /* rows do not follow each other */

	start = k_let(k, body, "start", apart ? start : place_sum(k, start, w->row_in[0]));
	for (int j = 0; j < t->rows; j++) {
		const KExpr *row = k_binary(k, K_ADD, start, apart ? w->row_in[j] : k_binary(k,
			K_MUL, k_int(k, j), w->pitch));

		for (int c = 0; c < t->vx; c += t->group)
			k_fetch(k, body, element_ahead(t, ahead, slot, j, c), from, k_add(k, row,
				c), t->group);
	}
}

/* Plane Z of the input, and those that are asked for then of what was there before. */
static void
fetch_plane(const Walk *w, GPtrArray *body, const KExpr *z, const KExpr *slot)
{
	const TileCode *t = w->t;

	fetch_level(w, body, 0, z, slot);
	for (int before = 1; before <= t->history; before++)
		fetch_level(w, body, -before, k_add(t->k, z, -t->lag), slot);
	k_commit(t->k, body);
}

/* The plane that will be asked for last of those on their way. */
static void
fetch_ahead(const Walk *w, GPtrArray *body, const KExpr *z, const KExpr *slots)
{
	KKernel *k = w->t->k;
	int ahead = w->t->plan->ahead - 1;

	fetch_plane(w, body, k_add(k, z, ahead), k_let(k, body, "slot_in", k_binary(k, K_REM,
		k_add(k, w->t->turn, ahead), slots)));
}

/* Where each row of the thread is read, in a plane. */
static void
set_rows(Walk *w)
{
	const TileCode *t = w->t;
	KKernel *k = t->k;
	const KExpr *column = landed(t, 0, t->at[0]);

	w->row_in = arena_array(k->arena, const KExpr *, t->rows);
	for (int j = 0; j < t->rows; j++)
		w->row_in[j] = k_let(k, k->setup, "row_in", place_sum(k, t->flat ? NULL
			: landed(t, 1, k_add(k, t->at[1], j)), column));
}

static void
take_plane(const Walk *w, GPtrArray *body, const KExpr *slot)
{
	const TileCode *t = w->t;
	KKernel *k = t->k;

	for (int before = 0; before <= t->history; before++) {
		int plane = before == 0 ? t->planes - 1 : tile_past_plane(t, before);

		for (int j = 0; j < t->rows; j++)
			for (int c = 0; c < t->vx; c += t->group)
				k_move(k, body, tile_queued(t, k_int(k, -before), k_int(k, plane),
					k_int(k, j), k_int(k, c)), element_ahead(t, before == 0
					? t->ahead : t->past[before], slot, j, c), t->group);
	}
}

/* What is complete, as it was BEFORE the last step. */
static void
store_plane(const Walk *w, GPtrArray *body, const KExpr *z, int before)
{
	const TileCode *t = w->t;
	KKernel *k = t->k;
	const Field *f = t->stage->target;
	const KExpr *q = k_let(k, body, "z_out", k_add(k, z, -t->lag * t->time));
	GPtrArray *stored = k_if(k, body, k_binary(k, K_GE, q, w->chunk.first));
	const KExpr *start = k_let(k, stored, "start", place_sum(k, place_offset(k, f, FALSE,
		t->plan->axis[2], q), w->here));

	for (int c = 0; c < t->vx; c += t->group)
		for (int j = 0; j < t->rows; j++) {
			const KExpr *test = k_and(k, t->flat ? NULL : k_binary(k, K_GE,
				k_int(k, j), w->row_from), k_binary(k, K_LT, k_int(k, j),
				w->row_to[c / t->group]));

			k_store(k, k_if(k, stored, test), (KArray){ f, t->history + 1 - before,
				FALSE, TRUE }, k_add(k, k_binary(k, K_ADD, start, k_binary(k,
				K_MUL, k_int(k, j), w->pitch)), c), tile_queued(t, k_int(k,
				t->time - before), k_int(k, t->planes - 1 - before * t->lag),
				k_int(k, j), k_int(k, c)), t->group, t->stage->at);
		}
}

/* Which rows of the thread its tile stores, by group of columns. */
static void
set_stored(Walk *w)
{
	const TileCode *t = w->t;
	KKernel *k = t->k;
	const KExpr *to = k_binary(k, K_SUB, w->to[1], t->at[1]);

	w->row_from = k_let(k, k->setup, "row_from", k_binary(k, K_SUB, w->from[1], t->at[1]));
	w->row_to = arena_array(k->arena, const KExpr *, t->vx / t->group);
	for (int c = 0; c < t->vx; c += t->group) {
		const KExpr *x = k_add(k, t->at[0], c);

		w->row_to[c / t->group] = k_let(k, k->setup, "row_to", k_select(k,
			k_within(k, x, w->from[0], w->to[0]), to, k_int(k, 0)));
	}
}

/* ---- the whole ---- */

/* Planes of the input on their way. */
static const KTile *
make_ahead(const TileCode *t, const char *want, int planes)
{
	return tile_planes(t->k, want, t->stage->target->type, t->group, (const int[]){
		planes, t->groups * t->rows, t->lanes * t->vx }, &t->shape, halo(t, 0, 0),
		t->at[0], t->column);
}

static void
make_tiles(TileCode *t)
{
	KKernel *k = t->k;
	const Type type = t->stage->target->type;
	const char *name = t->stage->target->name;
	int above = t->reach[1][0], below = t->reach[1][1];
	int kept = t->sums != NULL ? t->lag * t->time : 0; /* planes for cells that stay */
	int shared_rows = (above + below) * t->groups + above + below;
	int shared_columns = t->lanes * t->vx;
	const KExpr *s, *p, *j, *i;
	GPtrArray *each;

	if (t->shares)
		tile_share_size(t, &shared_rows, &shared_columns);
	t->queue = k_registers(k, k->body, name, type, t->time + 1 + t->history, t->planes,
		queue_rows(t), queue_columns(t));
	if (above + below > 0 || t->shares)
		t->beside = k_shared(k, k->body, arena_printf(k->arena, "%s_beside", name), type,
			t->time, t->depth, shared_rows, shared_columns);
	t->ahead = make_ahead(t, arena_printf(k->arena, "%s_ahead", name), t->plan->ahead + kept);
	t->past = arena_array(k->arena, const KTile *, t->history + 1);
	for (int before = 1; before <= t->history; before++)
		t->past[before] = make_ahead(t, arena_printf(k->arena, "%s_tm%d_ahead", name,
			before), t->plan->ahead + kept);
	each = k_over(k, k->body, "s", t->time + t->history, &s);
	s = k_add(k, s, -t->history);
	each = k_over(k, each, "p", t->planes, &p);
	each = k_over_cells(k, each, t->rows, t->vx, &j, &i);
	k_put(k, each, tile_queued(t, s, p, j, i), k_int(k, 0));
}

static void
set_block(TileCode *t, Walk *w)
{
	KKernel *k = t->k;
	const KExpr *thread[2];

	t->shape = tile_shape(k->plan, k->arena);
	for (int n = 0; n < 2; n++) {
		const TilePlace p = tile_place(k, t->stage->grid, &t->shape, n,
			halo(t, n, 0), tile_wraps(t, n));

		w->from[n] = p.from;
		w->to[n] = p.to;
		t->tile_at[n] = p.tile;
		t->at[n] = p.at;
		thread[n] = t->flat && n == 1 ? k_int(k, 0)
			: k_param(k, (KParam){ .kind = KP_THREAD, .axis = n });
	}
	t->column = k_let(k, k->setup, "column", k_binary(k, K_MUL, thread[0], k_int(k, t->vx)));
	t->row = k_let(k, k->setup, "row_beside", k_add(k, k_binary(k, K_MUL, thread[1], k_int(k,
		t->reach[1][0] + t->reach[1][1])), t->reach[1][0]));
	t->row_ahead = k_let(k, k->setup, "row_ahead", k_binary(k, K_MUL, thread[1],
		k_int(k, t->rows)));
	w->here = k_let(k, k->setup, "here", place_sum(k, t->flat ? NULL : place_offset(k,
		t->source->field, FALSE, t->plan->axis[1], t->at[1]), place_offset(k,
		t->source->field, FALSE, t->plan->axis[0], t->at[0])));
	set_rows(w);
	set_stored(w);
	w->pitch = t->flat ? k_int(k, 0) : place_stride(k, t->stage->target, FALSE,
		t->plan->axis[1]);
	set_edges(t);
	w->chunk = chunk_of(k, tile_param(t, KP_CELLS_LO, 2), tile_param(t, KP_CELLS_HI, 2),
		k_param(k, (KParam){ .kind = KP_BLOCK, .axis = t->flat ? 1 : 2 }),
		(const char *const[]){ "first", "last" }, TRUE);
}

/* The planes that the chunk's steps reach; those before the rim are nobody's
 * business. */
static const KExpr *
first_plane(const TileCode *t, const Walk *w)
{
	KKernel *k = t->k;
	const KExpr *rim = k_add(k, tile_param(t, KP_REGION_LO, 2), -t->reach[2][0]);
	const KExpr *first = k_add(k, w->chunk.first, -t->reach[2][0] * t->time);

	return tile_wraps(t, 2) ? first : k_binary(k, K_MAX, first, k_binary(k, K_MIN, rim,
		w->chunk.first));
}

/* What is done in the turn of plane Z. */
static void
one_turn(const Walk *w, GPtrArray *walk, const KExpr *z)
{
	const TileCode *t = w->t;
	KKernel *k = t->k;
	const KExpr *slots = k_int(k, t->ahead->size[0]), *step;
	GPtrArray *each;

	k_note(k, walk, "the plane of this turn");
	if (t->plan->ahead == 1)
		fetch_ahead(w, walk, z, slots);
	k_wait(k, walk, MAX(t->plan->ahead - 2, 0));
	take_plane(w, walk, k_let(k, walk, "slot_out", k_binary(k, K_REM, t->turn, slots)));
	k_note(k, walk, "one of a later turn is asked for");
	if (t->plan->ahead > 1) /* what is there already does not wait for where the next one is */
		fetch_ahead(w, walk, z, slots);
	if (t->gate != NULL && !t->early)
		k_await(k, walk, t->gate, k_let(k, walk, "parity", k_binary(k, K_REM,
			k_add(k, t->turn, 1), k_int(k, 2))));
	k_note(k, walk, "the steps, each behind the one before");
	each = k_over(k, walk, "s", t->time, &step);
	tile_step(t, each, step, z);
	k_note(k, walk, "what is complete is stored");
	for (int before = 0; before <= t->history; before++)
		store_plane(w, walk, z, before);
	for (int before = t->history; before > 0; before--)
		tile_move_on(t, walk, k_int(k, t->time - before));
	if (!t->early && t->gate == NULL)
		k_barrier(k, walk);
}

KKernel *
lower_tile(Arena *arena, const Plan *plan)
{
	TileCode t;
	Walk w = { .t = &t };
	KKernel *k = kir_new(arena, plan);
	const KExpr *from, *z;
	GPtrArray *walk;

	tile_measure(&t, arena, plan);
	t.k = k;
	k->width = t.group;
	set_block(&t, &w);
	if (t.cut.part != NULL && t.kind[2][0] == EDGE_CONSTANT)
		t.outside = k_let(k, k->setup, "outside", place_constant(k, t.source->boundary,
			t.plan->axis[2], 0));
	k->edges_first = !t.flat && (t.edges != NULL || t.faces != NULL);
	make_tiles(&t);
	if (plan->split && (!t.early || (t.sums != NULL && !t.shares)))
		t.gate = k_gate(k, k->body);
	from = k_let(k, k->body, "from", first_plane(&t, &w));
	k_note(k, k->body, "planes on their way before the first turn");
	for (int a = 0; a < plan->ahead - 1; a++)
		fetch_plane(&w, k->body, k_add(k, from, a), k_int(k, a));
	k_note(k, k->body, "a plane a turn through all steps");
	walk = chunk_walk(k, &w.chunk, from, t.lag * t.time, t.plan->axis[2], &t.turn, &z);
	tile_slots(&t, walk);
	one_turn(&w, walk, z);
	k_wait(k, k->body, 0);
	tile_release(&t);
	kir_prune(k);
	kir_at_once(k);
	return k;
}

const char *
tile_scatter_refuses(const Plan *plan, Arena *arena, gboolean *pays)
{
	TileCode t;
	const char *why = NULL;

	tile_measure(&t, arena, plan);
	*pays = t.early;
	if (t.history > 0)
		why = "it reads what was there before the last step";
	else if (tile_sums_new(t.plan, arena) == NULL)
		why = "it is not associative, or no sum of cells times numbers";
	else if (!tile_sums_hold_constants(&t))
		why = "what is constant beyond its rows is not what lies beyond its planes";
	tile_release(&t);
	return why;
}
