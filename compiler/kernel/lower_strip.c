/* lower_strip.c: several steps in one sweep over a plane, warp by warp.
 *
 * A warp owns a strip of columns, VX side by side in each lane, and walks down a
 * chunk of rows.  All its steps go on at once: a row that comes in passes through
 * the queue of the first step, the row this completes through that of the next,
 * and so on; what the last one gives is stored.  Columns beside a lane's own come
 * from the lanes beside it.  Strips and chunks overlap by what the steps reach, and
 * the overlap is computed twice, so no warp waits for another.
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

static void
find_leaf(Expr *e, gpointer user)
{
	const char **why = user;

	if (e->op == EXPR_COORD || e->op == EXPR_STEP || e->op == EXPR_RESULT)
		*why = "its cells ask where they are, or when";
}

/* Why the taps of STAGE do not suit; NULL: they do. */
static const char *
taps_refuse(const Stage *stage, const GPtrArray *sources, const GPtrArray *far)
{
	const KSource *s = sources->len == 1 ? g_ptr_array_index(sources, 0) : NULL;

	if (far->len > 0 || s == NULL || s->field != stage->target || s->level != 0
		|| s->component != stage->component)
		return "it reads more than the field that it steps";
	for (int a = 0; s->boundary != NULL && a < stage->grid->rank; a++)
		for (int face = 0; face < 2; face++)
			if (s->boundary->kind[a][face] != EDGE_KEEP)
				return "only boundary 'keep' so far";
	return NULL;
}

const char *
strip_refuses(const Stencil *stencil, const Stage *stage)
{
	const char *why = march_refuses(stage);
	GPtrArray *far = g_ptr_array_new(), *sources = NULL;
	Arena *arena = arena_new();

	expr_visit((Expr *const *)&stage->value, 1, find_leaf, &why);
	if (why == NULL && (stencil->stages->len != 1 || !stage->target->stepped
		|| stage->target->history > 0 || stage->target->components > 1))
		why = "a step is more than one map of one field";
	if (why == NULL && (stencil->until.condition != NULL || stencil->uses_step))
		why = "every step counts by itself";
	if (why == NULL && (stage->grid->rank != 2 || stage->axes != 3))
		why = "its grid has not two axes";
	if (why == NULL) {
		sources = stage_sources(stage, stage->grid->rank - 1, arena, far);
		why = taps_refuse(stage, sources, far);
		g_ptr_array_unref(sources);
	}
	g_ptr_array_unref(far);
	arena_free(arena);
	return why;
}

/* ---- shape ---- */

static int
round_up(int n, int to)
{
	return (n + to - 1) / to * to;
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
	s->group = MIN(s->vx, VECTOR_BYTES / type_info[stage->target->type].bytes);
	s->halo = round_up(s->radius * s->time, s->vx);
}

int
strip_columns(const Plan *plan, Arena *arena)
{
	Strip s = { .plan = plan, .stage = plan->stage };

	s.k = kir_new(arena, plan);
	set_shape(&s);
	g_ptr_array_unref(s.sources);
	g_ptr_array_unref(s.far);
	kir_free(s.k);
	return WARP * s.vx - 2 * s.halo;
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
	Way way = { s->stage->grid, s->y, NULL, { TRUE, TRUE }, TRUE };
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

/* The columns beside the lane's own that row ROW of STEP is asked for. */
static void
shuffle_row(const Strip *s, GPtrArray *body, const KExpr *step, int row)
{
	KKernel *k = s->k;
	const KExpr *lane = param(s, KP_LANE, 0);
	gboolean used[2] = { FALSE, FALSE };

	for (guint t = 0; t < s->source->taps->len; t++) {
		const Expr *tap = g_ptr_array_index(s->source->taps, t);

		if (tap->tap.map[s->y].offset + s->radius != row)
			continue;
		used[0] = used[0] || tap->tap.map[s->x].offset < 0;
		used[1] = used[1] || tap->tap.map[s->x].offset > 0;
	}
	for (int side = 0; side < 2; side++)
		for (int d = 1; used[side] && d <= (side ? s->right : s->left); d++) {
			int dx = side ? s->vx - 1 + d : -d, away = side ? 1 : -1;
			const KExpr *from = k_let(k, k->setup, side ? "next_lane" : "last_lane",
				k_binary(k, K_REM, k_add(k, lane, side ? 1 : WARP - 1),
				k_int(k, WARP)));

			k_set(k, body, queued(s, step, row, k_int(k, s->left + dx)),
				k_shuffle(k, queued(s, step, row, k_int(k,
				s->left + dx - away * s->vx)), from), (Span){ 0 });
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

		if (c < s->left)
			kept = k_binary(k, K_LT, x, param(s, KP_REGION_LO, s->x));
		if (c >= s->vx - s->right)
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
	const KExpr *i, *q = k_binary(k, K_SUB, y, k_binary(k, K_MUL, k_add(k, step, 1),
		k_int(k, s->radius)));
	GPtrArray *row;

	row = k_if(k, body, k_not(k, k_let(k, body, "in_row", within(s, k_let(k, body, "q", q),
		s->y))));
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
		shuffle_row(s, body, step, r);
	each = k_over(k, body, "i", s->vx, &i);
	k_set(k, each, queued(s, k_add(k, step, 1), 2 * s->radius, k_add(k, i, s->left)),
		value(s, step, i), s->stage->at);
	keep_columns(s, body, step);
	if (!inside)
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
	const KExpr *at = k_fold(k, x, EDGE_CLAMP, 0, grid, s->x);

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
	inside_from = k_add(k, k_binary(k, K_MAX, s->top, param(s, KP_REGION_LO, s->y)), reach);
	inside_from = k_let(k, k->body, "inside_from", k_binary(k, K_MIN, inside_from, to));
	inside_to = k_add(k, param(s, KP_REGION_HI, s->y), s->radius);
	inside_to = k_let(k, k->body, "inside_to", k_binary(k, K_MAX, inside_from,
		k_binary(k, K_MIN, inside_to, to)));
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
