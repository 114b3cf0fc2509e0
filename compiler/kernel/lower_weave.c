/* lower_weave.c: steps of several maps and fields in one sweep over a volume.
 *
 * A block owns a tile of a plane, each thread some columns and rows of it, and walks
 * through a chunk of planes.  All maps of all its steps go on at once: the planes that
 * come in are what the first map reads, what it makes is read by those after it, and so on;
 * what the last step makes is stored.  A thread has the planes of its own cells in
 * registers, as many of each field and step as are read; what it reads beside them comes
 * from the other threads (weave_share.c).  Which plane of each field a turn makes is said
 * by the fields' lags (maps.h).
 *
 * Tiles and chunks overlap by what the maps reach, on each side alone, and the overlap is
 * computed twice.  The first and the last tile end where the grid does, and store up to
 * there; where an axis wraps, the overlap is what lies at the other end.
 */
#include "kernel/weave.h"

#include "base/round.h"
#include "kernel/at_once.h"
#include "kernel/place.h"
#include "kernel/prune.h"
#include "kernel/tile_place.h"

/* What stands for places beyond the grid has to be of it, and of the tile. */
static void
see_images(const WeaveField *f, int number, int end, TileShape *s)
{
	int far = weave_has_ghosts(f, number, end)
		? place_image(f->kind[number][end], f->reach[number][end]) : -1;

	if (number < 2)
		s->images = s->images && far < s->least[number];
	else
		s->least[2] = MAX(s->least[2], far + 1);
}

/* Why S is no tile; NULL: it is one. */
static const char *
lacks(const Weave *w, const TileShape *s, Arena *arena)
{
	const char *why = w->shuffles ? lanes_lack(arena, MAX(w->reach[0][0], w->reach[0][1]),
		w->vx) : NULL;

	for (const WeaveField *f = w->field; f < w->field + w->n_fields && why == NULL; f++) {
		why = shape_lacks_planes(arena, w->flat, f->planes, WEAVE_PLANES);
		if (why == NULL && !w->loose)
			why = shape_lacks_copies(arena, f->group, f->source->field);
	}
	return why != NULL ? why : shape_lacks_cells(s, arena);
}

TileShape
weave_shape(const Plan *plan, Arena *arena)
{
	TileShape s = { .whole = TRUE, .images = TRUE };
	Weave w;

	weave_measure(&w, arena, plan);
	s.least[0] = w.lanes * w.vx;
	s.least[1] = w.groups_y * w.rows;
	s.least[2] = w.around[2] != NULL ? MAX(w.above, w.below) : 0;
	for (int n = 0; n < 6; n++)
		s.rim[n / 2][n % 2] = (n / 2 == 2 || w.once) && w.rim[n / 2][n % 2] > 0 ? -1
			: w.rim[n / 2][n % 2];
	for (int n = 0; n < 2; n++) {
		s.span[n] = s.least[n] - w.halo[n][0] - w.halo[n][1];
		for (int end = 0; end < 2; end++)
			s.inset[n][end] = w.around[n] != NULL ? 0 : w.halo[n][end];
	}
	shape_meets_at_sectors(&s, plan);
	s.chained = w.chained;
	s.warm = (w.quilt ? 0 : w.above) + w.below; /* all blocks of a quilt begin with the grid */
	s.why = lacks(&w, &s, arena);
	for (const WeaveField *f = w.field; f < w.field + w.n_fields; f++) {
		s.whole = s.whole && (w.around[0] == NULL || weave_piece(&w, f) == w.vx);
		for (int n = 0; n < 6; n++)
			see_images(f, n / 2, n % 2, &s);
	}
	weave_release(&w);
	return s;
}

const KExpr *
weave_param(const Weave *w, KParamKind kind, int number)
{
	gboolean block = kind == KP_BLOCK || kind == KP_THREAD;
	int place = w->flat && number == 2 ? 1 : number; /* among the blocks' own axes */

	return k_param(w->k, (KParam){ .kind = kind, .axis = block ? place
		: w->plan->axis[number], .grid = w->grid });
}

const KExpr *
weave_cell(const Weave *w, const WeaveField *f, const KExpr *level, int age, const KExpr *row,
	const KExpr *column)
{
	KKernel *k = w->k;
	const KExpr *index[] = { k_add(k, level, f->history), k_int(k, f->planes - 1 - age),
		k_add(k, row, w->reach[1][0]), k_add(k, column, w->reach[0][0]) };

	if (f->stage != NULL)
		return k_element(k, f->queue, index);
	index[1] = k_binary(k, K_SUB, index[1], k_binary(k, K_MUL, level, k_int(k, w->radius)));
	return k_element(k, f->queue, index + 1);
}

const KExpr *
weave_level(const Weave *w, const WeaveField *f, int level, const KExpr *step)
{
	return f->stage != NULL ? k_add(w->k, step, level) : step;
}

/* ---- where a block is ---- */

/* Whether the warp has cells across or down that some map does not compute.  A ragged row ends
 * in the last vector that there is, but not with it. */
static void
set_edges(Weave *w)
{
	KKernel *k = w->k;
	const KExpr *any = NULL;

	for (int n = 0; n < 4; n++) {
		int number = n / 2, end = n % 2;
		const KExpr *at = w->at[number], *extent, *test;
		int less = number == 0 && w->plan->ragged ? w->group - 1 : 0;

		if (w->rim[number][end] == 0 || w->once) /* nothing is kept */
			continue;
		extent = weave_param(w, KP_LAST, number);
		test = end == 0 ? k_binary(k, K_LT, at, k_int(k, w->rim[number][0]))
			: k_binary(k, K_LT, k_add(k, extent, -w->rim[number][1] - less),
			k_add(k, at, w->plan->cells[number] - 1));
		any = k_or(k, any, test);
	}
	if (any != NULL)
		w->edges = k_let(k, k->setup, "edges", k_any(k, any));
}

/* Elements to Q along axis NUMBER, or to where the grid goes on with it. */
static const KExpr *
landed(const Weave *w, const WeaveField *f, int number, const KExpr *q)
{
	const gboolean may[2] = { number == 2, number == 2 };

	return w->flat && number == 1 ? NULL : place_landed(w->k, f->source->field,
		w->plan->axis[number], w->around[number], may, q);
}

/* Where the thread's cells of F are in a plane, to be read and to be stored. */
static void
set_field_place(const Weave *w, WeaveField *f)
{
	KKernel *k = w->k;
	const Field *field = f->source->field;
	const KExpr *x = w->loose ? weave_brought_at(w, 0) : w->at[0];
	const KExpr *column = landed(w, f, 0, x);
	const KExpr *part = place_component(k, field, FALSE, f->source->component);

	f->here = k_let(k, k->setup, "here", place_sum(k, part, place_sum(k, w->flat ? NULL
		: place_offset(k, field, FALSE, w->plan->axis[1], w->at[1]), place_offset(k, field,
		FALSE, w->plan->axis[0], x))));
	f->row_in = arena_array(k->arena, const KExpr *, w->rows);
	for (int j = 0; j < w->rows && f->comes; j++)
		f->row_in[j] = k_let(k, k->setup, "row_in", place_sum(k, part, place_sum(k,
			landed(w, f, 1, k_add(k, w->at[1], j)), column)));
}

/* What is asked of rows that end anywhere. */
static void
set_ends(Weave *w)
{
	KKernel *k = w->k;
	gboolean within = FALSE;

	for (const WeaveField *f = w->field; f < w->field + w->n_fields; f++)
		within = within || weave_ends_within(w, f);
	if (within)
		w->ends = k_let(k, k->setup, "ends", k_any(k, k_binary(k, K_LT, weave_param(w,
			KP_LAST, 0), k_add(k, w->at[0], w->vx - 1))));
}

void
weave_set_block(WeaveWalk *walk)
{
	Weave *w = walk->w;
	KKernel *k = w->k;

	w->shape = weave_shape(k->plan, k->arena);
	for (int n = 0; n < 2; n++) {
		const TilePlace p = tile_place(k, w->grid, &w->shape, n, w->halo[n][0],
			w->around[n] != NULL);

		walk->from[n] = p.from;
		walk->to[n] = p.to;
		w->tile_at[n] = p.tile;
		w->at[n] = p.at;
	}
	set_ends(w);
	w->column = k_let(k, k->setup, "column", k_binary(k, K_MUL, weave_param(w, KP_THREAD, 0),
		k_int(k, w->vx)));
	w->row = w->flat ? k_int(k, 0) : k_let(k, k->setup, "row", k_binary(k, K_MUL,
		weave_param(w, KP_THREAD, 1), k_int(k, w->rows)));
	for (WeaveField *f = w->field; f < w->field + w->n_fields; f++)
		if (f->comes || f->goes)
			set_field_place(w, f);
	set_edges(w);
	walk->chunk = chunk_of(k, weave_param(w, KP_CELLS_LO, 2), weave_param(w, KP_CELLS_HI, 2),
		weave_param(w, KP_BLOCK, 2), (const char *const[]){ "first", "last" }, TRUE);
}

/* ---- planes in ---- */

const KExpr *
weave_brought(const Weave *w, int c)
{
	return k_add(w->k, weave_param(w, KP_THREAD, 0), c * w->lanes);
}

const KExpr *
weave_brought_at(const Weave *w, int c)
{
	return k_add(w->k, k_let(w->k, w->k->setup, "brought", k_binary(w->k, K_ADD,
		w->tile_at[0], weave_param(w, KP_THREAD, 0))), c * w->lanes);
}

/* Planes of F, as it was BEFORE the last step, come with what lies around the tile. */
static gboolean
is_sewn(const WeaveField *f, int before)
{
	return f->sewn && before == 0;
}

const KExpr *
weave_ahead(const Weave *w, const WeaveField *f, int before, const KExpr *slot, int row,
	int column)
{
	const gboolean sewn = is_sewn(f, before);

	return k_at(w->k, f->ahead[before], slot,
		k_add(w->k, w->row, row + (sewn ? w->reach[1][0] : 0)),
		k_add(w->k, w->column, column + (sewn ? weave_left_of(w) : 0)));
}

/* Of a loose plane on its way: row ROW from the thread's, and the column that it brings. */
static const KExpr *
brought(const Weave *w, const WeaveField *f, const KExpr *slot, int row, int c)
{
	return k_at(w->k, f->ahead[0], slot, k_add(w->k, w->row, row), weave_brought(w, c));
}

/* The plane that begins at START, loose: cells that are too small for a copy go by way of
 * registers. */
static void
bring_plane(const Weave *w, GPtrArray *body, const WeaveField *f, const KExpr *start,
	const KExpr *slot)
{
	KKernel *k = w->k;
	const Type type = f->source->field->type;
	const gboolean copied = type_info[type].bytes >= LEAST_COPY;
	const KArray from = { f->source->field, 0, FALSE, FALSE };
	const KExpr **held = arena_array(k->arena, const KExpr *, w->rows * w->vx);

	for (int n = 0; n < w->rows * w->vx; n++) {
		const int row = n / w->vx, c = n % w->vx;
		const KExpr *index = k_add(k, place_sum(k, start, f->row_in[row]), c * w->lanes);

		if (copied) {
			k_fetch(k, body, brought(w, f, slot, row, c), from, index, 1);
		} else {
			held[n] = k_register(k, body, "brought", type);
			k_load(k, body, held[n], from, index, 1);
		}
	}
	for (int n = 0; n < w->rows * w->vx && !copied; n++)
		k_move(k, body, brought(w, f, slot, n / w->vx, n % w->vx), held[n], 1);
}

const KExpr *
weave_fetch_plane(const Weave *w, GPtrArray *body, const WeaveField *f, int before, const KExpr *z,
	const KExpr *slot)
{
	KKernel *k = w->k;
	const KExpr *start = k_let(k, body, "start", landed(w, f, 2, k_let(k, body, "z_in",
		k_add(k, z, weave_late(w, f, before)))));
	const KArray from = { f->source->field, -before, FALSE, FALSE };

	if (w->loose) {
		bring_plane(w, body, f, start, slot);
		return start;
	}
	for (int j = 0; j < w->rows; j++) {
		const KExpr *row = place_sum(k, start, f->row_in[j]);

		for (int c = 0; c < w->vx; c += f->group) {
			k_fetch(k, body, weave_ahead(w, f, before, slot, j, c), from,
				k_add(k, row, c), f->group);
			if (w->quilt && !is_sewn(f, before))
				kir_last(body)->once = TRUE;
		}
	}
	return start;
}

/* The planes of the turn of plane Z, or those that the grid has nearest to them. */
static void
fetch_planes(const WeaveWalk *walk, GPtrArray *body, const KExpr *z, const KExpr *slot)
{
	const Weave *w = walk->w;

	for (const WeaveField *f = w->field; f < w->field + w->n_fields; f++)
		for (int before = 0; f->comes && before <= f->history; before++)
			weave_fetch_plane(w, body, f, before, z, slot);
	k_commit(w->k, body);
}

static void
fetch_ahead(const WeaveWalk *walk, GPtrArray *body, const KExpr *z)
{
	KKernel *k = walk->w->k;
	int ahead = walk->w->plan->ahead;

	fetch_planes(walk, body, k_add(k, z, ahead - 1), k_let(k, body, "slot_in", k_binary(k,
		K_REM, k_add(k, walk->turn, ahead - 1), k_int(k, ahead))));
}

static void
take_planes(const Weave *w, GPtrArray *body, const KExpr *slot)
{
	KKernel *k = w->k;

	for (const WeaveField *f = w->field; f < w->field + w->n_fields; f++)
		for (int n = 0; f->comes && n < (f->history + 1) * w->rows; n++) {
			int before = n / w->rows, j = n % w->rows;

			for (int c = 0; c < w->vx; c += f->group)
				k_move(k, body, weave_cell(w, f, k_int(k, -before),
					f->late[before], k_int(k, j), k_int(k, c)),
					weave_ahead(w, f, before, slot, j, c), f->group);
		}
}

/* ---- the whole ---- */

void
weave_make_field(const Weave *w, WeaveField *f)
{
	KKernel *k = w->k;
	const Type type = f->source->field->type;
	const char *name = f->source->field->name;
	int stays = f->stage == NULL;
	const int size[] = { w->time + 1 + f->history, f->planes, w->reach[1][0] + w->rows
		+ w->reach[1][1], w->reach[0][0] + w->vx + w->reach[0][1] };
	const KExpr *index[4];
	GPtrArray *each = k->body;

	if (f->source->field->components > 1)
		name = arena_printf(k->arena, "%s_%d", name, f->source->component);
	f->queue = k_make_tile(k, k->body, name, type, KS_REGISTERS, 4 - stays, size + stays);
	f->ahead = arena_array(k->arena, const KTile *, f->history + 1);
	for (int before = 0; f->comes && before <= f->history; before++) {
		const int sewn = is_sewn(f, before), rows = w->groups_y * w->rows;

		f->ahead[before] = tile_planes(k, before == 0 ? arena_printf(k->arena, "%s_ahead",
			name) : arena_printf(k->arena, "%s_tm%d_ahead", name, before), type,
			weave_piece(w, f), (const int[]){ f->slots[before], rows + sewn
			* (w->reach[1][0] + w->reach[1][1]), w->lanes * w->vx + sewn
			* (weave_left_of(w) + ROUND_UP(w->reach[0][1], w->group)) },
			&w->shape, w->halo[0][0], w->at[0], w->column);
	}
	if (!stays)
		each = k_over(k, each, "t", size[0], &index[0]);
	each = k_over(k, each, "p", f->planes, &index[1]);
	each = k_over_cells(k, each, w->rows, w->vx, &index[2], &index[3]);
	index[2] = k_add(k, index[2], w->reach[1][0]);
	index[3] = k_add(k, index[3], w->reach[0][0]);
	k_put(k, each, k_element(k, f->queue, index + stays), k_int(k, 0));
}

const KExpr *
weave_first_turn(const WeaveWalk *walk)
{
	const Weave *w = walk->w;
	KKernel *k = w->k;
	const KExpr *from = k_add(k, walk->chunk.first, -w->above);
	int lag = 0;

	for (const WeaveField *f = w->field; f < w->field + w->n_fields; f++)
		for (int before = 0; f->comes && before <= f->history; before++)
			lag = MIN(lag, MIN(f->lag, -weave_late(w, f, before)));
	return w->around[2] != NULL ? from : k_binary(k, K_MAX, from, k_add(k,
		weave_param(w, KP_FIRST, 2), lag));
}

KKernel *
lower_weave(Arena *arena, const Plan *plan)
{
	Weave w;
	WeaveWalk walk = { .w = &w };
	KKernel *k = kir_new(arena, plan);
	const KExpr *from, *z, *step;
	GPtrArray *body, *each;

	weave_measure(&w, arena, plan);
	w.k = k;
	k->width = w.loose ? 1 : w.group;
	weave_set_block(&walk);
	for (WeaveField *f = w.field; f < w.field + w.n_fields; f++)
		weave_make_field(&w, f);
	weave_make_beside(&w);
	weave_make_leaving(&w);
	weave_load_profiles(&w);
	from = k_let(k, k->body, "from", weave_first_turn(&walk));
	k_note(k, k->body, "planes on their way before the first turn");
	for (int a = 0; a < plan->ahead - 1; a++)
		fetch_planes(&walk, k->body, k_add(k, from, a), k_int(k, a));
	k_note(k, k->body, "a plane of each field a turn through all steps");
	body = chunk_walk(k, &walk.chunk, from, w.below, w.plan->axis[2], &walk.turn, &z);
	k_note(k, body, "the planes of this turn");
	if (plan->ahead == 1)
		fetch_ahead(&walk, body, z);
	k_wait(k, body, MAX(plan->ahead - 2, 0));
	if (w.loose) /* what other threads of the warp have brought */
		k_sync(k, body);
	take_planes(&w, body, k_let(k, body, "slot_out", k_binary(k, K_REM, walk.turn, k_int(k,
		plan->ahead))));
	k_note(k, body, "those of a later turn are asked for");
	if (plan->ahead > 1) /* what is there already does not wait for where the next one is */
		fetch_ahead(&walk, body, z);
	k_note(k, body, "the steps, each behind the one before");
	each = k_over(k, body, "s", w.time, &step);
	weave_step(&w, each, step, z);
	k_note(k, body, "what is complete is stored");
	for (const WeaveField *f = w.field; f < w.field + w.n_fields; f++)
		for (int before = 0; f->goes && before <= f->history; before++)
			weave_store_plane(&walk, body, f, before, z);
	k_note(k, body, "all planes move on");
	weave_move_on(&w, body);
	if (w.n_sending * w.time % 2 == 1) /* the next turn begins with the same half */
		k_barrier(k, body);
	k_wait(k, k->body, 0);
	weave_release(&w);
	kir_prune(k);
	kir_at_once(k);
	return k;
}
