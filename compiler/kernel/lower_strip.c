/* lower_strip.c: several steps in one sweep over a plane, warp by warp.
 *
 * A warp owns a strip of columns, VX side by side in each lane, and walks down a
 * chunk of rows.  All its steps go on at once: a row that comes in passes through
 * the queue of the first step, the row this completes through that of the next,
 * and so on; what the last one gives is stored.  Columns beside a lane's own come
 * from the lanes beside it.  Strips and chunks overlap by what the steps reach, and
 * the overlap is computed twice, so no warp waits for another.
 *
 * The grid begins with a lane's first column and ends with a lane's last one.  What a
 * step reads beyond it is made anew for each: columns first, then rows with the columns
 * beside them, so that corners are right.  Where an axis wraps, the overlap is what
 * lies there: the other end, which goes through the steps like all the rest.
 */
#include "kernel/lower.h"

#include "kernel/place.h"

#define VECTOR_BYTES 16
#define WARP 32

typedef struct {
	KKernel *k;
	const Plan *plan;
	const Stage *stage;
	const KSource *source;
	int x, y;           /* axes of the grid */
	int vx, time, radius, left, right;
	EdgeKind kind[2][2]; /* what it reads beyond the faces, across and down */
	int halo;           /* columns of a strip, on each side, that it does not store */
	int group;          /* columns that one instruction moves */
	const KTile *queue; /* [step][row][column]; the last step's holds what is stored */
	const KTile *ahead; /* rows on their way, in registers: [row][column] */
	const KTile *ring;  /* ... in shared memory: [warp][row % slots][column]; or NULL */
	const KExpr *fetched[WARP]; /* where a group begins that the lane brings there */
	const KExpr *x0, *top; /* the lane's first column, the chunk's first row */
	const KExpr *column[WARP]; /* where a group of the lane's columns begins */
	GPtrArray *sources, *far;
} Strip;

static const KType index_type = { KT_I32, TYPE_I32 };

/* ---- shape ---- */

static int
round_up(int n, int to)
{
	return (n + to - 1) / to * to;
}

static void
set_kinds(Strip *s)
{
	const Boundary *b = s->source->boundary;

	for (int n = 0; n < 4; n++)
		s->kind[n / 2][n % 2] = b != NULL ? b->kind[n / 2 == 0 ? s->x : s->y][n % 2]
			: EDGE_KEEP;
}

static void
set_shape(Strip *s)
{
	const Stage *stage = s->stage;

	s->x = s->plan->axis[0];
	s->y = s->plan->axis[1];
	s->vx = s->plan->cells[0];
	s->time = s->plan->time;
	s->far = g_ptr_array_new();
	s->sources = stage_sources(stage, s->x, s->k->arena, s->far);
	s->source = g_ptr_array_index(s->sources, 0);
	s->left = -s->source->lo[s->x];
	s->right = s->source->hi[s->x];
	s->radius = stage_radius(stage);
	set_kinds(s);
	s->group = MIN(s->vx, VECTOR_BYTES / type_info[stage->target->type].bytes);
	s->halo = round_up(s->radius * s->time, s->vx);
}

static gboolean
wraps(const Strip *s, int number)
{
	return s->kind[number][0] == EDGE_WRAP;
}

/* Boundaries that a lane serves from its own cells. */
static gboolean
has_ghosts(const Strip *s, int number, int end)
{
	EdgeKind kind = s->kind[number][end];
	int axis = number == 0 ? s->x : s->y;

	return stage_reach(s->stage, axis, end) > 0 && kind != EDGE_KEEP && kind != EDGE_WRAP;
}

/* Where the place DISTANCE beyond a face is read instead, from the outermost one. */
static int
image(EdgeKind kind, int distance)
{
	return kind == EDGE_MIRROR ? distance : kind == EDGE_REFLECT ? distance - 1 : 0;
}

StripShape
strip_shape(const Plan *plan, Arena *arena)
{
	Strip s = { .plan = plan, .stage = plan->stage };
	StripShape shape = { .images = TRUE };

	s.k = kir_new(arena, plan);
	set_shape(&s);
	shape.columns = WARP * s.vx - 2 * s.halo;
	shape.least[0] = wraps(&s, 0) ? s.halo : 0;
	shape.least[1] = wraps(&s, 1) ? s.radius * s.time : 0;
	for (int n = 0; n < 4; n++) {
		int end = n % 2, reach = stage_reach(s.stage, plan->axis[n / 2], end);

		shape.rim[n / 2][end] = s.kind[n / 2][end] != EDGE_KEEP ? 0 : n < 2 ? reach : -1;
		if (n < 2 && has_ghosts(&s, 0, end) && image(s.kind[0][end], reach) >= s.vx)
			shape.images = FALSE;
	}
	g_ptr_array_unref(s.sources);
	g_ptr_array_unref(s.far);
	kir_free(s.k);
	return shape;
}

gsize
strip_shared(const Plan *plan)
{
	if (plan->feed != FEED_ASYNC)
		return 0;
	return (gsize)(plan->threads[1] * (plan->ahead + 1) * WARP * plan->cells[0]
		* type_info[plan->stage->target->type].bytes);
}

/* ---- pieces ---- */

static const KExpr *
param(const Strip *s, KParamKind kind, int axis)
{
	return k_param(s->k, (KParam){ .kind = kind, .axis = axis, .grid = s->stage->grid });
}

/* ROW counts from the oldest. */
static const KExpr *
queued(const Strip *s, const KExpr *step, int row, const KExpr *column)
{
	const KExpr *index[] = { step, k_int(s->k, row), column };

	return k_element(s->k, s->queue, index);
}

/* Where row Y of the input begins, or the nearest one of the grid. */
static const KExpr *
row_start(const Strip *s, GPtrArray *body, const KExpr *y)
{
	KKernel *k = s->k;
	Way way = { s->stage->grid, s->y, wraps(s, 1) ? s->source->boundary : NULL,
		{ TRUE, TRUE }, TRUE };
	const KExpr *land = place_land(k, &way, k_let(k, body, "y_in", y));

	return k_let(k, body, "row", place_offset(k, s->source->field, FALSE, s->y, land));
}

/* Row Y of the input into row ROW of what is on its way. */
static void
load_row(const Strip *s, GPtrArray *body, const KExpr *y, int row)
{
	KKernel *k = s->k;
	const KExpr *start = row_start(s, body, y);

	for (int g = 0; g < s->vx / s->group; g++) {
		const KExpr *index[] = { k_int(k, row), k_int(k, g * s->group) };

		k_load(k, body, k_element(k, s->ahead, index), (KArray){ s->source->field, 0,
			FALSE, FALSE }, place_sum(k, start, s->column[g]), s->group);
	}
}

/* The place of the lane's columns from COLUMN on, of row NUMBER of the chunk. */
static const KExpr *
slot(const Strip *s, GPtrArray *body, const KExpr *number, const KExpr *column)
{
	KKernel *k = s->k;
	const KExpr *index[] = { param(s, KP_THREAD, 1), k_let(k, body, "slot",
		k_binary(k, K_REM, number, k_int(k, s->ring->size[1]))), column };

	return k_element(k, s->ring, index);
}

/* Row Y of the input, NUMBER of the chunk, to its slot; lanes side by side bring what
 * lies side by side. */
static void
fetch_row(const Strip *s, GPtrArray *body, const KExpr *y, const KExpr *number)
{
	KKernel *k = s->k;
	const KExpr *start = row_start(s, body, y), *lane = param(s, KP_LANE, 0);

	for (int g = 0; g < s->vx / s->group; g++)
		k_fetch(k, body, slot(s, body, number, k_binary(k, K_MUL, k_add(k, lane,
			g * WARP), k_int(k, s->group))), (KArray){ s->source->field, 0, FALSE,
			FALSE }, place_sum(k, start, s->fetched[g]), s->group);
	k_commit(k, body);
}

/* Row Y, NUMBER of the chunk, out of its slot; one more is sent for, to the slot of the
 * row before, which all lanes have read. */
static void
take_fetched(const Strip *s, GPtrArray *body, const KExpr *y, const KExpr *number)
{
	KKernel *k = s->k;
	const KExpr *lane = param(s, KP_LANE, 0);
	int ahead = s->plan->ahead;

	k_wait(k, body, ahead - 1);
	k_sync(k, body);
	for (int g = 0; g < s->vx / s->group; g++)
		k_move(k, body, queued(s, k_int(k, 0), 2 * s->radius, k_int(k, s->left
			+ g * s->group)), slot(s, body, number, k_add(k, k_binary(k, K_MUL, lane,
			k_int(k, s->vx)), g * s->group)), s->group);
	fetch_row(s, body, k_add(k, y, ahead), k_add(k, number, ahead));
}

/* Likewise where rows wait in registers. */
static void
take_loaded(const Strip *s, GPtrArray *body, const KExpr *y)
{
	KKernel *k = s->k;
	const KExpr *i, *n;
	GPtrArray *each = k_over(k, body, "i", s->vx, &i);
	int ahead = s->plan->ahead;

	k_set(k, each, queued(s, k_int(k, 0), 2 * s->radius, k_add(k, i, s->left)),
		k_element(k, s->ahead, (const KExpr *const[]){ k_int(k, 0), i }), (Span){ 0 });
	if (ahead > 1) {
		each = k_over(k, body, "a", ahead - 1, &n);
		each = k_over(k, each, "i", s->vx, &i);
		k_set(k, each, k_element(k, s->ahead, (const KExpr *const[]){ n, i }),
			k_element(k, s->ahead, (const KExpr *const[]){ k_add(k, n, 1), i }),
			(Span){ 0 });
	}
	load_row(s, body, k_add(k, y, ahead), ahead - 1);
}

/* Whether row ROW is asked for columns beside the lane's own; ROW < 0: some row is. */
static gboolean
is_used(const Strip *s, int row, int side)
{
	for (guint t = 0; t < s->source->taps->len; t++) {
		const Expr *tap = g_ptr_array_index(s->source->taps, t);
		int dx = tap->tap.map[s->x].offset;

		if ((row < 0 || tap->tap.map[s->y].offset + s->radius == row)
			&& (side == 0 ? dx < 0 : dx > 0))
			return TRUE;
	}
	return FALSE;
}

/* A lane's columns begin, or end, where the grid does; or lie beyond it. */
static const KExpr *
at_face(const Strip *s, int side)
{
	KKernel *k = s->k;

	return k_let(k, k->setup, "at_face", side == 0
		? k_binary(k, K_GE, param(s, KP_FIRST, s->x), s->x0)
		: k_binary(k, K_GE, k_add(k, s->x0, s->vx - 1), param(s, KP_LAST, s->x)));
}

/* What row ROW of STEP has DISTANCE beyond the face that a lane's columns end at. */
static const KExpr *
ghost_column(const Strip *s, const KExpr *step, int row, int side, int distance)
{
	KKernel *k = s->k;
	int from = image(s->kind[0][side], distance);

	if (s->kind[0][side] == EDGE_CONSTANT)
		return k_value(k, s->source->boundary->value[s->x][side], NULL, NULL);
	return queued(s, step, row, k_int(k, s->left + (side == 0 ? from : s->vx - 1 - from)));
}

/* The columns beside the lane's own that row ROW of STEP is asked for; those of any row
 * where it may stand for one beyond the grid. */
static void
shuffle_row(const Strip *s, GPtrArray *body, const KExpr *step, int row, gboolean inside)
{
	KKernel *k = s->k;
	const KExpr *lane = param(s, KP_LANE, 0);
	gboolean stands = !inside && (has_ghosts(s, 1, 0) || has_ghosts(s, 1, 1));

	for (int side = 0; side < 2; side++)
		for (int d = 1; is_used(s, stands ? -1 : row, side)
			&& d <= (side ? s->right : s->left); d++) {
			int dx = side ? s->vx - 1 + d : -d, away = side ? 1 : -1;
			const KExpr *to = queued(s, step, row, k_int(k, s->left + dx));
			const KExpr *from = k_let(k, k->setup, side ? "next_lane" : "last_lane",
				k_binary(k, K_REM, k_add(k, lane, side ? 1 : WARP - 1),
				k_int(k, WARP)));

			k_set(k, body, to, k_shuffle(k, queued(s, step, row, k_int(k,
				s->left + dx - away * s->vx)), from), (Span){ 0 });
			if (has_ghosts(s, 0, side))
				k_set(k, body, to, k_select(k, at_face(s, side),
					ghost_column(s, step, row, side, d), to), (Span){ 0 });
		}
}

/* What lies beyond END when the step computes a row M before it: from the rows at hand,
 * with the columns beside them. */
static void
fill_rows(const Strip *s, GPtrArray *body, const KExpr *step, int end, int m)
{
	KKernel *k = s->k;
	EdgeKind kind = s->kind[1][end];
	int outermost = end == 0 ? s->radius - m : s->radius + m, reach = stage_reach(s->stage,
		s->y, end);

	for (int d = 1; d <= reach - m; d++) {
		int ghost = end == 0 ? outermost - d : outermost + d, from = image(kind, d);
		const KExpr *c, *value;
		GPtrArray *each = k_over(k, body, "c", s->left + s->vx + s->right, &c);

		value = kind == EDGE_CONSTANT ? k_value(k, s->source->boundary->value[s->y][end],
			NULL, NULL) : queued(s, step, end == 0 ? outermost + from
			: outermost - from, c);
		k_set(k, each, queued(s, step, ghost, c), value, (Span){ 0 });
	}
}

/* The row that a step computes of the turn that takes in row Y. */
static const KExpr *
row_of(const Strip *s, const KExpr *step, const KExpr *y)
{
	KKernel *k = s->k;

	return k_binary(k, K_SUB, y, k_binary(k, K_MUL, k_add(k, step, 1),
		k_int(k, s->radius)));
}

static void
fill_ghosts(const Strip *s, GPtrArray *body, const KExpr *step, const KExpr *y)
{
	KKernel *k = s->k;

	for (int end = 0; end < 2; end++)
		for (int m = 0; has_ghosts(s, 1, end) && m < stage_reach(s->stage, s->y, end);
			m++) {
			const KExpr *q = k_let(k, body, "q", row_of(s, step, y));
			const KExpr *at = k_add(k, param(s, end == 0 ? KP_FIRST : KP_LAST, s->y),
				end == 0 ? m : -m);

			fill_rows(s, k_if(k, body, k_and(k, k_binary(k, K_GE, q, at),
				k_binary(k, K_GE, at, q))), step, end, m);
		}
}

/* The value of the column I of a lane, one step on from STEP. */
static const KExpr *
value(const Strip *s, const KExpr *step, const KExpr *i)
{
	KKernel *k = s->k;
	GHashTable *bound = g_hash_table_new(NULL, NULL);

	for (guint t = 0; t < s->source->taps->len; t++) {
		Expr *tap = g_ptr_array_index(s->source->taps, t);

		g_hash_table_insert(bound, tap, (gpointer)queued(s, step,
			tap->tap.map[s->y].offset + s->radius,
			k_add(k, i, s->left + tap->tap.map[s->x].offset)));
	}
	return k_value(k, s->stage->value, bound, NULL);
}

static const KExpr *
within(const Strip *s, const KExpr *q, int axis)
{
	return k_binary(s->k, K_AND, k_binary(s->k, K_GE, q, param(s, KP_REGION_LO, axis)),
		k_binary(s->k, K_LT, q, param(s, KP_REGION_HI, axis)));
}

static const KExpr *
either(KKernel *k, const KExpr *a, const KExpr *b)
{
	return a == NULL ? b : k_binary(k, K_OR, a, b);
}

/* Cells that are not computed keep what they were: at the ends of a lane's columns,
 * which is where the grid begins and ends. */
static void
keep_columns(const Strip *s, GPtrArray *body, const KExpr *step)
{
	KKernel *k = s->k;
	const KExpr *next = k_add(k, step, 1);
	int newest = 2 * s->radius, here = s->radius;

	for (int c = 0; c < s->vx; c++) {
		const KExpr *at = k_int(k, s->left + c), *x = k_add(k, s->x0, c), *kept = NULL;

		if (c < s->left && s->kind[0][0] == EDGE_KEEP)
			kept = k_binary(k, K_LT, x, param(s, KP_REGION_LO, s->x));
		if (c >= s->vx - s->right && s->kind[0][1] == EDGE_KEEP)
			kept = either(k, kept, k_binary(k, K_GE, x, param(s, KP_REGION_HI,
				s->x)));
		if (kept == NULL)
			continue;
		k_set(k, body, queued(s, next, newest, at), k_select(k, k_let(k, k->setup, "kept",
			kept), queued(s, step, here, at), queued(s, next, newest, at)),
			(Span){ 0 });
	}
}

/* Likewise whole rows. */
static void
keep_row(const Strip *s, GPtrArray *body, const KExpr *step, const KExpr *y)
{
	KKernel *k = s->k;
	const KExpr *i;
	GPtrArray *row;

	row = k_if(k, body, k_not(k, k_let(k, body, "in_row", within(s, k_let(k, body, "q",
		row_of(s, step, y)), s->y))));
	row = k_over(k, row, "i", s->vx, &i);
	k_set(k, row, queued(s, k_add(k, step, 1), 2 * s->radius, k_add(k, i, s->left)),
		queued(s, step, s->radius, k_add(k, i, s->left)), (Span){ 0 });
}

static void
one_step(const Strip *s, GPtrArray *body, const KExpr *step, const KExpr *y, gboolean inside)
{
	KKernel *k = s->k;
	const KExpr *i, *row, *column;
	GPtrArray *each;

	for (int r = 0; r <= 2 * s->radius; r++)
		shuffle_row(s, body, step, r, inside);
	if (!inside)
		fill_ghosts(s, body, step, y);
	each = k_over(k, body, "i", s->vx, &i);
	k_set(k, each, queued(s, k_add(k, step, 1), 2 * s->radius, k_add(k, i, s->left)),
		value(s, step, i), s->stage->at);
	keep_columns(s, body, step);
	if (!inside && (s->kind[1][0] == EDGE_KEEP || s->kind[1][1] == EDGE_KEEP))
		keep_row(s, body, step, y);
	each = k_over(k, body, "r", 2 * s->radius, &row);
	each = k_over(k, each, "c", s->vx, &column);
	column = k_add(k, column, s->left);
	k_set(k, each, k_element(k, s->queue, (const KExpr *const[]){ step, row, column }),
		k_element(k, s->queue, (const KExpr *const[]){ step, k_add(k, row, 1), column }),
		(Span){ 0 });
}

static void
store_row(const Strip *s, GPtrArray *stored, const KExpr *q)
{
	KKernel *k = s->k;
	const Field *f = s->stage->target;
	const KExpr *row, *strip_end;

	row = k_let(k, stored, "row_out", place_offset(k, f, FALSE, s->y, q));
	strip_end = k_binary(k, K_MIN, k_add(k, k_binary(k, K_SUB, s->x0, k_binary(k, K_MUL,
		param(s, KP_LANE, 0), k_int(k, s->vx))), WARP * s->vx - s->halo),
		param(s, KP_CELLS_HI, s->x));
	strip_end = k_let(k, k->setup, "strip_end", strip_end);
	for (int g = 0; g < s->vx / s->group; g++) {
		int c = g * s->group;
		const KExpr *x = k_add(k, s->x0, c), *lane = k_add(k, k_binary(k, K_MUL,
			param(s, KP_LANE, 0), k_int(k, s->vx)), c);
		const KExpr *mine = k_let(k, k->setup, "stores", k_and(k, k_binary(k, K_GE, lane,
			k_int(k, s->halo)), k_binary(k, K_LT, x, strip_end)));

		k_store(k, k_if(k, stored, mine), (KArray){ f, 1, FALSE, TRUE },
			place_sum(k, row, s->column[g]), queued(s, k_int(k, s->time),
			2 * s->radius, k_int(k, s->left + c)), s->group, s->stage->at);
	}
}

/* ---- the whole ---- */

/* Where the group of columns from X on begins, or the nearest one of the grid. */
static const KExpr *
group_start(const Strip *s, const KExpr *x)
{
	KKernel *k = s->k;
	const Grid *grid = s->stage->grid;
	const KExpr *at = x;

	for (int face = 0; face < 2 && wraps(s, 0); face++)
		at = k_fold(k, at, EDGE_WRAP, face, grid, s->x);
	at = k_fold(k, at, EDGE_CLAMP, 0, grid, s->x);
	at = k_fold(k, k_add(k, at, s->group - 1), EDGE_CLAMP, 1, grid, s->x);
	return k_let(k, k->setup, "column", place_offset(k, s->source->field, FALSE, s->x,
		k_add(k, at, 1 - s->group)));
}

static void
set_columns(Strip *s, int stored)
{
	KKernel *k = s->k;
	const KExpr *lane = param(s, KP_LANE, 0), *first = k_binary(k, K_MUL,
		param(s, KP_BLOCK, 0), k_int(k, s->plan->threads[1]));

	first = k_binary(k, K_ADD, first, param(s, KP_THREAD, 1));
	first = k_binary(k, K_ADD, param(s, KP_CELLS_LO, s->x),
		k_binary(k, K_MUL, first, k_int(k, stored)));
	first = k_let(k, k->setup, "strip", first);
	k_leave(k, k->setup, k_binary(k, K_GE, first, param(s, KP_CELLS_HI, s->x)));
	first = k_let(k, k->setup, "first", k_add(k, first, -s->halo));
	s->x0 = k_let(k, k->setup, s->stage->grid->axis[s->x], k_binary(k, K_ADD, first,
		k_binary(k, K_MUL, lane, k_int(k, s->vx))));
	for (int g = 0; g < s->vx / s->group; g++) {
		s->column[g] = group_start(s, k_add(k, s->x0, g * s->group));
		if (s->plan->feed == FEED_ASYNC)
			s->fetched[g] = group_start(s, k_binary(k, K_ADD, first, k_binary(k,
				K_MUL, k_add(k, lane, g * WARP), k_int(k, s->group))));
	}
}

/* The row Y of the input through all steps.  INSIDE: every step computes its row, and
 * the last one's is stored. */
static void
one_row(const Strip *s, GPtrArray *body, const KExpr *y, gboolean inside)
{
	KKernel *k = s->k;
	const KExpr *step, *q;
	GPtrArray *each;

	if (s->ring != NULL)
		take_fetched(s, body, y, k_let(k, body, "number", k_binary(k, K_SUB, y,
			k_add(k, s->top, -s->radius * s->time))));
	else
		take_loaded(s, body, y);
	each = k_over(k, body, "t", s->time, &step);
	one_step(s, each, step, y, inside);
	q = k_let(k, body, "y_out", k_add(k, y, -s->radius * s->time));
	store_row(s, inside ? body : k_if(k, body, k_binary(k, K_GE, q, s->top)), q);
}

/* The rows that are on their way before the first. */
static void
send_first(Strip *s)
{
	const KType type = { KT_VALUE, s->source->field->type };
	KKernel *k = s->k;
	int ahead = s->plan->ahead, reach = s->radius * s->time;

	if (s->plan->feed == FEED_ASYNC)
		s->ring = k_new_tile(k, "ring", type, KS_SHARED, 3, (const int[]){
			s->plan->threads[1], ahead + 1, WARP * s->vx });
	else
		s->ahead = k_new_tile(k, "ahead", type, KS_REGISTERS, 2, (const int[]){ ahead,
			s->vx });
	k_tile(k, k->body, s->ring != NULL ? s->ring : s->ahead);
	for (int a = 0; a < ahead; a++)
		if (s->ring != NULL)
			fetch_row(s, k->body, k_add(k, s->top, a - reach), k_int(k, a));
		else
			load_row(s, k->body, k_add(k, s->top, a - reach), a);
}

static void
walk(const Strip *s, const KExpr *from, const KExpr *to, gboolean inside)
{
	KKernel *k = s->k;
	const KVar *row = k_new_var(k, s->stage->grid->axis[s->y], index_type);

	one_row(s, k_for(k, k->body, row, from, to, 1, FALSE), k_var(k, row), inside);
	if (inside)
		k_together(k->body, s->plan->unroll);
	else
		k_rare(k->body);
}

/* The rows of the chunk, and those that its steps reach: all of the work is done
 * where nothing needs to be asked. */
static void
walk_down(const Strip *s, const KExpr *bottom)
{
	KKernel *k = s->k;
	int reach = s->radius * s->time;
	const KExpr *from, *to = k_add(k, bottom, reach), *inside_from, *inside_to;

	from = k_add(k, s->top, -reach);
	inside_from = wraps(s, 1) ? s->top : k_binary(k, K_MAX, s->top, k_add(k, param(s,
		KP_REGION_LO, s->y), has_ghosts(s, 1, 0) ? s->radius : 0));
	inside_from = k_let(k, k->body, "inside_from", k_binary(k, K_MIN, k_add(k, inside_from,
		reach), to));
	inside_to = wraps(s, 1) ? to : k_binary(k, K_MIN, k_add(k, param(s, KP_REGION_HI, s->y),
		has_ghosts(s, 1, 1) ? 0 : s->radius), to);
	inside_to = k_let(k, k->body, "inside_to", k_binary(k, K_MAX, inside_from, inside_to));
	walk(s, from, inside_from, FALSE);
	walk(s, inside_from, inside_to, TRUE);
	walk(s, inside_to, to, FALSE);
}

KKernel *
lower_strip(Arena *arena, const Plan *plan)
{
	Strip s = { .plan = plan, .stage = plan->stage };
	KKernel *k = s.k = kir_new(arena, plan);
	const KExpr *rows = k_param(k, (KParam){ .kind = KP_ROWS }), *bottom, *c, *t, *n;
	GPtrArray *each;

	set_shape(&s);
	k->width = s.vx;
	set_columns(&s, WARP * s.vx - 2 * s.halo);
	s.top = k_let(k, k->setup, "top", k_binary(k, K_ADD, param(&s, KP_CELLS_LO, s.y),
		k_binary(k, K_MUL, param(&s, KP_BLOCK, 1), rows)));
	k_leave(k, k->setup, k_binary(k, K_GE, s.top, param(&s, KP_CELLS_HI, s.y)));
	bottom = k_let(k, k->setup, "bottom", k_binary(k, K_MIN, k_binary(k, K_ADD, s.top, rows),
		param(&s, KP_CELLS_HI, s.y)));
	s.queue = k_new_tile(k, s.stage->target->name, (KType){ KT_VALUE, s.stage->target->type },
		KS_REGISTERS, 3, (const int[]){ s.time + 1, 2 * s.radius + 1,
		s.left + s.vx + s.right });
	k_tile(k, k->body, s.queue);
	each = k_over(k, k->body, "t", s.time, &t);
	each = k_over(k, each, "r", 2 * s.radius + 1, &n);
	each = k_over(k, each, "c", s.left + s.vx + s.right, &c);
	k_set(k, each, k_element(k, s.queue, (const KExpr *const[]){ t, n, c }), k_int(k, 0),
		(Span){ 0 });
	send_first(&s);
	walk_down(&s, bottom);
	if (s.ring != NULL)
		k_wait(k, k->body, 0);
	g_ptr_array_unref(s.sources);
	g_ptr_array_unref(s.far);
	return k;
}
