/* lower_band.c: several steps in one sweep over a plane, a band of rows at a time (`stream` on two
 * axes; Rawat et al., section 4.1 and Algorithm 1).
 *
 * A block has a strip of columns and walks down a chunk of the plane, by as many rows a turn as
 * it has rows of threads.  The new rows of what was there before the first step come to shared
 * memory; then each step makes as many rows, some rows behind those that it reads, a cell a
 * thread; what the last one makes is stored.  Each step has a barrier, behind which the next one
 * reads.
 *
 * Rows stay in a window of each step, which goes round, or in two buffers that take turns: steps
 * of even number are in one, the others in the other.  There a row takes the place of one that
 * nobody reads any more: of the same row two steps earlier, or of another one some turns ago.
 * A band has to be high enough for that (needed_rows).
 *
 * Strips and chunks overlap by what the steps reach.  What is made there of cells that are not
 * at hand is nobody's; but it is read where the row that is at hand lies nearest.
 */
#include "kernel/lower.h"
#include "kernel/place.h"
#include "kernel/prune.h"
#include "kernel/source.h"
#include "kernel/tile_place.h"

typedef struct {
	KKernel *k;
	const Plan *plan;
	const Stage *stage;
	GPtrArray *sources, *far;
	const KSource *source;
	int reach[2][2];      /* of a step, by axis of the plan: x, y */
	EdgeKind kind[2][2];  /* what it reads beyond the faces */
	int lag;              /* rows that a step's newest is behind that of the one before, */
	int back;             /* and that its oldest asks for above itself */
	int threads[2];
	int buffers, rows;    /* of shared memory; of each */
	const KTile *kept;    /* shared: [buffer][row][column] */
	const KExpr *next;    /* the thread's cell of the rows that come in the next turn */
	const KTile *near;    /* what a cell reads: [row][column] */
	const KExpr *cell;    /* what becomes of it */
	const KExpr *x;       /* the thread's column, */
	const KExpr *down;    /* its row of a band, */
	const KExpr *across;  /* elements to that column, */
	const KExpr *stores;  /* whether the strip stores it, */
	const KExpr *inner;   /* and whether its cells are computed, as far as that goes; NULL: they
	                       * are */
	const KExpr **column; /* in shared memory, by distance, */
	const KExpr **beyond[2]; /* and whether it lies beyond an end of the row; NULL: never */
	const KExpr *from;    /* the first row of the walk */
	Chunk chunk;          /* what it stores */
} Band;

static gboolean
wraps(const Band *b, int number)
{
	return b->kind[number][0] == EDGE_WRAP;
}

/* What lies beyond that end is read from elsewhere in the grid, or is a number. */
static gboolean
has_ghosts(const Band *b, int number, int end)
{
	return place_has_ghosts(b->reach[number], b->kind[number], end);
}

/* ---- shape ---- */

/* Rows within the grid that are read instead of those beyond END, from the outermost one. */
static int
image_reach(const Band *b, int end)
{
	return has_ghosts(b, 1, end) ? place_image(b->kind[1][end], b->reach[1][end]) : 0;
}

static void
measure(Band *b, Arena *arena, const Plan *plan)
{
	*b = (Band){ .plan = plan, .stage = plan->stage, .far = g_ptr_array_new() };
	b->sources = stage_sources(plan->stage, plan->axis[0], arena, b->far);
	b->source = g_ptr_array_index(b->sources, 0);
	for (int n = 0; n < 2; n++) {
		const Boundary *boundary = b->source->boundary;
		int axis = plan->axis[n];

		b->threads[n] = plan->threads[n];
		b->reach[n][0] = -b->source->lo[axis];
		b->reach[n][1] = b->source->hi[axis];
		for (int end = 0; end < 2; end++)
			b->kind[n][end] = boundary != NULL && b->reach[n][0] + b->reach[n][1] > 0
				? boundary->kind[axis][end] : EDGE_KEEP;
	}
	b->lag = MAX(b->reach[1][1], image_reach(b, 0));
	b->back = MAX(b->reach[1][0], image_reach(b, 1));
	if (!plan->window) /* what a step makes leaves what the one after still reads */
		b->lag = MAX(b->lag, b->back);
	b->buffers = plan->window ? plan->time : 2;
	b->rows = plan->window ? b->threads[1] + b->lag + b->back : 2 * b->threads[1];
}

static void
release(Band *b)
{
	g_ptr_array_unref(b->sources);
	g_ptr_array_unref(b->far);
}

/* Rows that a band has to have for two buffers.  When step S + 1 reads, the oldest row that it
 * asks for is (S + 1) LAG + BACK rows behind the first new one of what comes in; in its buffer
 * the steps S, S - 2 and so on, down to the first two, have new rows by then, a band of each: a
 * buffer of two bands has room for all of them if the oldest row is no more than a band behind
 * the first new one of the earliest. */
static int
needed_rows(const Band *b)
{
	int earlier = (b->plan->time - 1) / 2 * 2; /* steps: of the last one, in its buffer */

	return (earlier + 1) * b->lag + b->back;
}

/* Columns at END of a strip that another strip stores. */
static int
halo(const Band *b, int end)
{
	return b->reach[0][end] * b->plan->time;
}

BandShape
band_shape(const Plan *plan, Arena *arena)
{
	BandShape s = { .needed = 0 };
	TileShape *t = &s.tile;
	Band b;

	measure(&b, arena, plan);
	for (int n = 0; n < 2; n++)
		for (int end = 0; end < 2; end++)
			t->rim[n == 0 ? 0 : 2][end] = b.kind[n][end] != EDGE_KEEP ? 0 : -1;
	t->least[0] = b.threads[0];
	t->least[2] = wraps(&b, 1) ? MAX(b.back, b.lag) * plan->time : 0;
	t->span[0] = b.threads[0] - halo(&b, 0) - halo(&b, 1);
	for (int end = 0; end < 2; end++)
		t->inset[0][end] = wraps(&b, 0) ? 0 : halo(&b, end);
	shape_meets_at_sectors(t, plan);
	t->warm = (b.back + b.lag) * plan->time;
	t->span[1] = 1;
	t->why = shape_lacks_cells(t, arena);
	s.rows = b.rows;
	s.needed = needed_rows(&b);
	s.lag = b.lag;
	release(&b);
	return s;
}

/* ---- where a block and its threads are ---- */

static const KExpr *
param(const Band *b, KParamKind kind, int number)
{
	return k_param(b->k, (KParam){ .kind = kind, .axis = b->plan->axis[number],
		.grid = b->stage->grid });
}

/* The way along axis NUMBER to what a step reads. */
static Way
way_of(const Band *b, int number)
{
	return (Way){ b->stage->grid, b->plan->axis[number], b->source->boundary,
		{ has_ghosts(b, number, 0), has_ghosts(b, number, 1) }, FALSE };
}

/* Elements from the origin to where Q along axis NUMBER comes from.  Strips end with the grid;
 * what lies below it is nobody's. */
static const KExpr *
landed(const Band *b, int number, const KExpr *q)
{
	const gboolean may[2] = { FALSE, number == 1 };

	return place_landed(b->k, b->source->field, b->plan->axis[number], wraps(b, number)
		? b->source->boundary : NULL, may, q);
}

/* The columns of a strip that threads read: those at its ends, whose cells are nobody's, read the
 * last one that there is. */
static void
set_columns(Band *b, const KExpr *strip)
{
	KKernel *k = b->k;
	const Way way = way_of(b, 0);
	int left = b->reach[0][0], n = left + 1 + b->reach[0][1];
	const KExpr *thread = k_param(k, (KParam){ .kind = KP_THREAD, .axis = 0 });

	b->column = arena_array(k->arena, const KExpr *, n);
	for (int end = 0; end < 2; end++)
		b->beyond[end] = arena_array(k->arena, const KExpr *, n);
	for (int i = 0; i < n; i++) {
		int distance = i - left, end = distance > 0;
		const KExpr *x = k_add(k, b->x, distance), *at = k_add(k, thread, distance);

		if (distance != 0 && has_ghosts(b, 0, end))
			at = k_binary(k, K_SUB, k_let(k, k->setup, "x_read", k_short(k,
				place_land(k, &way, x))), strip);
		if (distance != 0)
			at = k_binary(k, K_MIN, k_binary(k, K_MAX, at, k_int(k, 0)),
				k_int(k, b->threads[0] - 1));
		b->column[i] = k_let(k, k->setup, "column", at);
		for (int face = 0; face < 2 && distance != 0; face++) {
			b->beyond[face][i] = face == end ? place_beyond(k, &way, face, x) : NULL;
			if (b->beyond[face][i] != NULL)
				b->beyond[face][i] = k_let(k, k->setup, "beyond",
					b->beyond[face][i]);
		}
	}
}

/* Q is within the region along axis NUMBER, where what lies beyond it is kept; NULL: all is. */
static const KExpr *
is_computed(const Band *b, int number, const KExpr *q)
{
	KKernel *k = b->k;
	const KExpr *test = NULL;

	if (b->kind[number][0] == EDGE_KEEP)
		test = k_binary(k, K_GE, q, param(b, KP_REGION_LO, number));
	if (b->kind[number][1] == EDGE_KEEP)
		test = k_and(k, test, k_binary(k, K_LT, q, param(b, KP_REGION_HI, number)));
	return test;
}

static void
set_strip(Band *b)
{
	KKernel *k = b->k;
	const BandShape s = band_shape(b->plan, k->arena);
	const TilePlace p = tile_place(k, b->stage->grid, &s.tile, 0, halo(b, 0), wraps(b, 0));

	b->x = p.at;
	b->down = k_param(k, (KParam){ .kind = KP_THREAD, .axis = 1 });
	b->across = k_let(k, k->setup, "across", landed(b, 0, b->x));
	b->stores = k_let(k, k->setup, "stores", k_within(k, b->x, p.from, p.to));
	b->inner = is_computed(b, 0, b->x);
	if (b->inner != NULL)
		b->inner = k_let(k, k->setup, "inner", b->inner);
	set_columns(b, k_let(k, k->setup, "strip", p.tile));
}

/* The rows of the block, and those before them that its steps need. */
static void
set_chunk(Band *b)
{
	KKernel *k = b->k;

	b->chunk = chunk_of(k, param(b, KP_CELLS_LO, 1), param(b, KP_CELLS_HI, 1),
		k_param(k, (KParam){ .kind = KP_BLOCK, .axis = 1 }),
		(const char *const[]){ "first", "end" }, TRUE);
	b->from = k_add(k, b->chunk.first, -b->back * b->plan->time);
	if (!wraps(b, 1))
		b->from = k_binary(k, K_MAX, b->from, param(b, KP_FIRST, 1));
	b->from = k_let(k, k->setup, "from", b->from);
}

static void
make_tiles(Band *b)
{
	KKernel *k = b->k;
	const Type type = b->stage->target->type;
	const char *name = b->stage->target->name;

	b->kept = k_shared(k, k->body, arena_printf(k->arena, "%s_rows", name), type, b->buffers,
		b->rows, b->threads[0]);
	b->next = k_register(k, k->body, arena_printf(k->arena, "%s_next", name), type);
	b->near = k_registers(k, k->body, arena_printf(k->arena, "%s_near", name), type,
		b->reach[1][0] + 1 + b->reach[1][1], b->reach[0][0] + 1 + b->reach[0][1]);
	b->cell = k_register(k, k->body, name, type);
}

/* ---- rows ---- */

/* A row of the walk, counted from its first one. */
typedef struct {
	const KExpr *row, *slot; /* in a buffer */
} Line;

static Line
line_of(const Band *b, GPtrArray *body, const KExpr *row)
{
	KKernel *k = b->k;

	return (Line){ row, k_let(k, body, "slot", k_binary(k, K_REM, row, k_int(k, b->rows))) };
}

/* Its place along y. */
static const KExpr *
place_of(const Band *b, const Line *line)
{
	return k_binary(b->k, K_ADD, b->from, line->row);
}

/* The line that is read for the one at DISTANCE from LINE: within the grid and the walk.  That one
 * behind LINE is not before the first goes without saying; but nvcc is told so, and takes a
 * remainder by a power of two as a mask. */
static Line
line_read(const Band *b, GPtrArray *body, const Line *line, int distance)
{
	KKernel *k = b->k;
	const Way way = way_of(b, 1);
	const KExpr *row = k_add(k, line->row, distance);

	if (distance == 0)
		return *line;
	if (has_ghosts(b, 1, distance > 0))
		row = k_binary(k, K_SUB, k_let(k, body, "q_read", k_short(k, place_land(k, &way,
			k_add(k, place_of(b, line), distance)))), b->from);
	return line_of(b, body, k_binary(k, K_MAX, row, k_int(k, 0)));
}

/* A cell of STEP in shared memory. */
static const KExpr *
kept(const Band *b, const KExpr *step, const Line *line, const KExpr *column)
{
	KKernel *k = b->k;
	const KExpr *buffer = b->plan->window ? step : k_binary(k, K_REM, step, k_int(k, 2));

	return k_at(k, b->kept, buffer, line->slot, column);
}

/* The thread's own. */
static const KExpr *
own(const Band *b, const KExpr *step, const Line *line)
{
	return kept(b, step, line, b->column[b->reach[0][0]]);
}

/* The thread's cell of the row at Y comes. */
static void
load_row(const Band *b, GPtrArray *body, const KExpr *y)
{
	KKernel *k = b->k;

	k_load(k, body, b->next, (KArray){ b->source->field, 0, FALSE, FALSE }, k_binary(k, K_ADD,
		landed(b, 1, y), b->across), 1);
	kir_last(body)->early = TRUE;
}

/* ---- cells ---- */

static const KExpr *
near(const Band *b, int row, int column)
{
	return k_at(b->k, b->near, k_int(b->k, row + b->reach[1][0]), k_int(b->k, column
		+ b->reach[0][0]));
}

/* What lies beyond END of axis NUMBER, where BEYOND is known and holds, is a number. */
static void
take_constant(const Band *b, GPtrArray *body, const KExpr *place, int number, int end,
	const KExpr *beyond)
{
	KKernel *k = b->k;
	const Boundary *boundary = b->source->boundary;

	if (beyond != NULL)
		k_put(k, body, place, k_select(k, beyond, place_constant(k, boundary,
			b->plan->axis[number], end), place));
}

/* The taps at DISTANCE from LINE, those that are NEEDED by column; what columns have beyond their
 * ends goes before what rows have. */
static void
take_row(const Band *b, GPtrArray *body, const KExpr *step, const Line *line, int distance,
	const gboolean *needed)
{
	KKernel *k = b->k;
	const Way way = way_of(b, 1);
	const Line from = line_read(b, body, line, distance);
	const KExpr *beyond = NULL;
	int end = distance > 0;

	if (distance != 0)
		beyond = place_beyond(k, &way, end, k_add(k, place_of(b, line), distance));
	if (beyond != NULL)
		beyond = k_let(k, body, "beyond", beyond);
	for (int c = -b->reach[0][0]; c <= b->reach[0][1]; c++) {
		int i = c + b->reach[0][0];
		const KExpr *place = near(b, distance, c);

		if (!needed[i])
			continue;
		k_move(k, body, place, kept(b, step, &from, b->column[i]), 1);
		for (int face = 0; face < 2; face++)
			take_constant(b, body, place, 0, face, b->beyond[face][i]);
		take_constant(b, body, place, 1, end, beyond);
	}
}

static void
take_near(const Band *b, GPtrArray *body, const KExpr *step, const Line *line)
{
	const int *axis = b->plan->axis;
	int columns = b->reach[0][0] + 1 + b->reach[0][1];

	for (int d = -b->reach[1][0]; d <= b->reach[1][1]; d++) {
		gboolean *needed = arena_array(b->k->arena, gboolean, columns), any = FALSE;

		for (guint n = 0; n < b->source->taps->len; n++) {
			const Expr *tap = g_ptr_array_index(b->source->taps, n);

			if (tap->tap.map[axis[1]].offset != d)
				continue;
			any = needed[b->reach[0][0] + tap->tap.map[axis[0]].offset] = TRUE;
		}
		if (any)
			take_row(b, body, step, line, d, needed);
	}
}

static void
compute(const Band *b, GPtrArray *body, const KExpr *step, const Line *line)
{
	KKernel *k = b->k;
	GHashTable *bound = g_hash_table_new(NULL, NULL);
	const int *axis = b->plan->axis;

	take_near(b, body, step, line);
	for (guint n = 0; n < b->source->taps->len; n++) {
		Expr *tap = g_ptr_array_index(b->source->taps, n);

		g_hash_table_insert(bound, tap, (gpointer)near(b, tap->tap.map[axis[1]].offset,
			tap->tap.map[axis[0]].offset));
	}
	k_set(k, body, b->cell, k_value(k, b->stage->value, bound, NULL), b->stage->at);
}

/* ---- steps ---- */

/* The row of the thread that the block is to make: of the LAST step one that it stores, of the
 * others one within the grid. */
static const KExpr *
is_made(const Band *b, const Line *line, const KExpr *q, gboolean last)
{
	KKernel *k = b->k;

	if (last)
		return k_and(k, k_within(k, q, b->chunk.first, b->chunk.end), b->stores);
	return k_and(k, k_binary(k, K_GE, line->row, k_int(k, 0)), wraps(b, 1) ? NULL
		: k_binary(k, K_GE, param(b, KP_LAST, 1), q));
}

/* The cells of the step after STEP, ROW being the thread's of what comes in. */
static void
make_step(const Band *b, GPtrArray *body, const KExpr *step, const KExpr *row, gboolean last)
{
	KKernel *k = b->k;
	const Field *f = b->stage->target;
	Line line = { k_let(k, body, "row", k_binary(k, K_SUB, row, k_binary(k, K_MUL, k_add(k,
		step, 1), k_int(k, b->lag)))), NULL };
	const KExpr *q = k_let(k, body, "q", place_of(b, &line));
	const KExpr *computed = k_and(k, b->inner, is_computed(b, 1, q));
	GPtrArray *made = k_if(k, body, is_made(b, &line, q, last));

	line = line_of(b, made, line.row);
	compute(b, computed != NULL ? k_if(k, made, computed) : made, step, &line);
	if (computed != NULL)
		k_move(k, k_else(k, made), b->cell, own(b, step, &line), 1);
	if (last)
		k_store(k, made, (KArray){ f, 1, FALSE, TRUE }, k_binary(k, K_ADD, place_offset(k,
			f, FALSE, b->plan->axis[1], q), b->across), b->cell, 1, b->stage->at);
	else
		k_move(k, made, own(b, k_add(k, step, 1), &line), b->cell, 1);
}

/* What comes in goes to shared memory, and what comes in the turn after, if there is one MORE, is
 * asked for. */
static void
bring_rows(const Band *b, GPtrArray *body, const KExpr *row, const KExpr *more)
{
	KKernel *k = b->k;
	const Line line = line_of(b, body, row);

	k_move(k, body, own(b, k_int(k, 0), &line), b->next, 1);
	load_row(b, k_if(k, body, more), k_add(k, place_of(b, &line), b->threads[1]));
}

KKernel *
lower_band(Arena *arena, const Plan *plan)
{
	KKernel *k = kir_new(arena, plan);
	const KExpr *row, *turn, *turns, *step;
	GPtrArray *walk, *each;
	Band b;

	measure(&b, arena, plan);
	b.k = k;
	k->width = 1;
	set_strip(&b);
	set_chunk(&b);
	make_tiles(&b);
	load_row(&b, k->body, k_binary(k, K_ADD, b.from, b.down));
	turns = k_add(k, k_binary(k, K_SUB, b.chunk.end, b.from), b.lag * plan->time
		+ b.threads[1] - 1);
	turns = k_let(k, k->setup, "turns", k_binary(k, K_DIV, turns, k_int(k, b.threads[1])));
	walk = k_walk(k, k->body, "turn", k_int(k, 0), turns, &turn);
	row = k_let(k, walk, "row_in", k_binary(k, K_ADD, k_binary(k, K_MUL, turn,
		k_int(k, b.threads[1])), b.down));
	k_note(k, walk, "rows come to shared memory, and the next ones are asked for");
	bring_rows(&b, walk, row, k_binary(k, K_LT, k_add(k, turn, 1), turns));
	k_barrier(k, walk);
	k_note(k, walk, "the steps, each on rows behind those of the one before");
	if (plan->time > 1) {
		each = k_over(k, walk, "s", plan->time - 1, &step);
		make_step(&b, each, step, row, FALSE);
		k_barrier(k, each);
	}
	make_step(&b, walk, k_int(k, plan->time - 1), row, TRUE);
	if ((plan->time - 1) % b.buffers == 0) /* what comes in next goes to where this is read */
		k_barrier(k, walk);
	release(&b);
	kir_prune(k);
	return k;
}
