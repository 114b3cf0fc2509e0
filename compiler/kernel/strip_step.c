/* strip_step.c: a step of a strip: columns from beside, what lies beyond the grid,
 * values, cells that stay.
 */
#include "kernel/strip.h"

#include "base/round.h"
#include "kernel/place.h"

#define MANY_VALUES 65 /* of 32 bits: a lane's columns in all its steps */

typedef struct {
	const Strip *strip;
	int dy, side;
} Beside;

static gboolean
is_beside(const Expr *tap, gconstpointer user)
{
	const Beside *b = user;
	const Strip *s = b->strip;
	const gint64 dx = tap->tap.map[s->axis[0]].offset;

	return !g_hash_table_contains(s->sums->marks, tap)
		&& tap->tap.map[s->axis[1]].offset + s->radius == b->dy
		&& (b->side == 0 ? dx < 0 : dx > 0);
}

/* Likewise where rows give parts of sums. */
static gboolean
is_summed(const Strip *s, int dy, int side)
{
	const Beside b = { s, dy, side };

	for (guint i = 0; i < s->sums->values->len; i++) {
		const ScatterValue *v = g_ptr_array_index(s->sums->values, i);

		if (expr_has_tap(v->value, is_beside, &b))
			return TRUE;
	}
	return FALSE;
}

/* Whether F is asked for columns beside the lane's own, DY rows below; ANY: in any row. */
static gboolean
is_used(const Strip *s, const StripField *f, gboolean any, int dy, int side)
{
	if (s->sums != NULL)
		return is_summed(s, dy, side);
	for (guint t = 0; t < f->source->taps->len; t++) {
		const Expr *tap = g_ptr_array_index(f->source->taps, t);
		int dx = tap->tap.map[s->axis[0]].offset;

		if ((any || tap->tap.map[s->axis[1]].offset == dy)
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
		? k_binary(k, K_GE, strip_param(s, KP_FIRST, 0), s->x0)
		: k_binary(k, K_GE, k_add(k, s->x0, s->vx - 1), strip_param(s, KP_LAST, 0)));
}

/* A row of a field: INDEX leads to it but for the column, which is the last one. */
typedef struct {
	const StripField *field;
	const KExpr *index[3];
	int n;
} Row;

static const KExpr *
in_row(const Strip *s, const Row *row, const KExpr *column)
{
	const KExpr *index[3];

	for (int i = 0; i < row->n; i++)
		index[i] = row->index[i];
	index[row->n] = k_add(s->k, column, strip_now(row->field)->beside[0]);
	return k_element(s->k, strip_now(row->field)->queue, index);
}

/* What a row has DISTANCE beyond the face that a lane's columns end at. */
static const KExpr *
ghost_column(const Strip *s, const Row *row, int side, int distance)
{
	const StripField *f = row->field;
	int from = place_image(f->kind[0][side], distance);

	if (f->kind[0][side] == EDGE_CONSTANT)
		return place_constant(s->k, f->boundary, s->axis[0], side);
	return in_row(s, row, k_int(s->k, side == 0 ? from : s->vx - 1 - from));
}

/* The lane DISTANCE away, around the warp. */
static const KExpr *
lane_at(const Strip *s, int distance)
{
	KKernel *k = s->k;
	const int n = ABS(distance);

	return k_lane(k, arena_printf(k->arena, n > 1 ? "%s_lane_%d" : "%s_lane", distance > 0
		? "next" : "last", n), strip_param(s, KP_LANE, 0), distance);
}

/* The column DX of a row, none of the lane's own, as the lane has it whose it is. */
static const KExpr *
of_lane(const Strip *s, const Row *row, int dx)
{
	const int lanes = dx < 0 ? -DIV_UP(-dx, s->vx) : dx / s->vx;

	return k_shuffle(s->k, in_row(s, row, k_int(s->k, dx - lanes * s->vx)), lane_at(s, lanes));
}

/* A ragged row ends within a lane, in the last vector that it would be padded to, and what is
 * read behind it is made there: where no warp moves back. */
static gboolean
ends_within(const Strip *s, const StripField *f)
{
	return s->plan->ragged && strip_has_ghosts(f, 0, 1);
}

/* Of the row, from the lane's first one on. */
static const KExpr *
last_column(const Strip *s)
{
	return k_let(s->k, s->k->setup, "last_column", k_binary(s->k, K_SUB, strip_param(s,
		KP_LAST, 0), s->x0));
}

/* It does so in the warp's columns. */
static const KExpr *
row_ends(const Strip *s)
{
	KKernel *k = s->k;
	const KExpr *last = last_column(s);

	return k_let(k, k->setup, "ends", k_any(k, k_within(k, last, k_int(k, 0),
		k_int(k, s->vx))));
}

/* The columns behind the last one of a ragged row: OWN: of the lane that has it, or beside
 * these. */
static void
fill_behind(const Strip *s, GPtrArray *body, const Row *row, gboolean own)
{
	KKernel *k = s->k;
	const StripField *f = row->field;
	const KExpr *last = last_column(s);
	GPtrArray *ends = k_if(k, body, row_ends(s));

	for (int c = MAX(s->vx - s->plan->width, 0); c < s->vx; c++)
		for (int d = 1; d <= f->reach[0][1]; d++) {
			int image = c - place_image(f->kind[0][1], d);
			const KExpr *to = in_row(s, row, k_int(k, c + d)), *value;

			if ((c + d < s->vx) != own)
				continue;
			value = f->kind[0][1] == EDGE_CONSTANT ? place_constant(k, f->boundary,
				s->axis[0], 1) : image >= 0 ? in_row(s, row, k_int(k, image))
				: k_let(k, ends, "image", of_lane(s, row, image));
			k_put(k, ends, to, k_select(k, k_within(k, last, k_int(k, c), k_int(k, c
				+ 1)), value, to));
		}
}

/* The row may end with a lane's columns, on that SIDE, and what is read beyond is made there. */
static gboolean
ends_with_lane(const Strip *s, const StripField *f, int side)
{
	return strip_has_ghosts(f, 0, side) && (side == 0 || !s->plan->ragged);
}

/* What is read beyond the face on that SIDE may lie in other lanes than the one that ends there. */
static gboolean
is_far(const Strip *s, const StripField *f, int side)
{
	return f->reach[0][side] > s->vx
		|| place_image(f->kind[0][side], f->reach[0][side]) >= s->vx;
}

/* The lane whose columns end at the face on that SIDE; of all warps near it. */
static const KExpr *
lane_of_face(const Strip *s, int side)
{
	KKernel *k = s->k;
	const KExpr *first = k_binary(k, K_SUB, s->x0, k_binary(k, K_MUL, strip_param(s, KP_LANE,
		0), k_int(k, s->vx)));
	const KExpr *away = k_binary(k, K_SUB, strip_param(s, side == 0 ? KP_FIRST : KP_LAST, 0),
		first);

	return k_let(k, k->setup, side == 0 ? "first_lane" : "final_lane", k_binary(k, K_DIV,
		k_binary(k, K_MAX, away, k_int(k, 0)), k_int(k, s->vx)));
}

/* What stands for the column DISTANCE beside the lane's own that lies beyond that face: lanes as
 * far behind it as the other is before it have it, if it is not the face's own. */
static const KExpr *
far_ghost(const Strip *s, GPtrArray *body, const Row *row, int side, int distance)
{
	KKernel *k = s->k;
	const StripField *f = row->field;
	const EdgeKind kind = f->kind[0][side];
	const int from = place_image(kind, distance);
	const KExpr *face, *lane;

	if (kind == EDGE_CONSTANT)
		return place_constant(k, f->boundary, s->axis[0], side);
	lane = face = lane_of_face(s, side);
	if (kind != EDGE_CLAMP)
		lane = k_binary(k, K_SUB, k_binary(k, K_MUL, face, k_int(k, 2)), strip_param(s,
			KP_LANE, 0));
	lane = k_add(k, lane, side == 0 ? from / s->vx : -(from / s->vx));
	lane = k_binary(k, K_MIN, k_binary(k, K_MAX, lane, k_int(k, 0)), k_int(k, WARP - 1));
	return k_let(k, body, "image", k_shuffle(k, in_row(s, row, k_int(k, side == 0
		? from % s->vx : s->vx - 1 - from % s->vx)), k_let(k, k->setup, "image_lane",
		lane)));
}

/* Of warps that are near the face. */
static void
fill_far(const Strip *s, GPtrArray *body, const Row *row, int side)
{
	KKernel *k = s->k;
	GPtrArray *near = k_if(k, body, k_let(k, k->setup, "near_face", k_any(k, at_face(s,
		side))));

	for (int d = 1; d <= row->field->reach[0][side]; d++) {
		const int dx = side ? s->vx - 1 + d : -d;
		const KExpr *to = in_row(s, row, k_int(k, dx)), *x = k_add(k, s->x0, dx);
		const KExpr *beyond = side == 0
			? k_binary(k, K_LT, x, strip_param(s, KP_FIRST, 0))
			: k_binary(k, K_LT, strip_param(s, KP_LAST, 0), x);

		k_put(k, near, to, k_select(k, k_let(k, k->setup, "beyond", beyond), far_ghost(s,
			near, row, side, d), to));
	}
}

static void
shuffle(const Strip *s, GPtrArray *body, const Row *row, int side)
{
	KKernel *k = s->k;
	const StripField *f = row->field;
	const gboolean behind = side == 1 && ends_within(s, f), ends = ends_with_lane(s, f, side);
	const gboolean far = ends && is_far(s, f, side);

	if (behind)
		fill_behind(s, body, row, TRUE);
	for (int d = 1; d <= f->reach[0][side]; d++) {
		int dx = side ? s->vx - 1 + d : -d;
		const KExpr *to = in_row(s, row, k_int(k, dx));

		k_put(k, body, to, of_lane(s, row, dx));
		if (ends && !far)
			k_put(k, body, to, k_select(k, at_face(s, side), ghost_column(s, row, side,
				d), to));
	}
	if (far)
		fill_far(s, body, row, side);
	if (behind)
		fill_behind(s, body, row, FALSE);
}

void
strip_widen(const Strip *s, GPtrArray *body, const StripField *f, int row)
{
	const Row newest = { f, { k_int(s->k, row), NULL, NULL }, 1 };

	for (int side = 0; side < 2; side++)
		shuffle(s, body, &newest, side);
}

void
strip_beside(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *level, int row,
	int side)
{
	const Row of = { f, { level, k_int(s->k, row), NULL }, 2 };

	shuffle(s, body, &of, side);
}

/* The row DY below is asked for what lies beside it, and does not bring it along. */
static gboolean
is_wanted(const Strip *s, const StripField *f, gboolean stands, int dy, int side)
{
	gboolean brought = FALSE;

	for (int below = dy + 1; below <= s->radius && s->wide && !stands; below++)
		brought = brought || is_used(s, f, FALSE, below, side);
	return !brought && is_used(s, f, stands, dy, side);
}

/* The columns beside the lane's own that each row of STEP is asked for; those of any row
 * where it may stand for one beyond the grid. */
static void
shuffle_rows(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *step, Near near)
{
	gboolean stands = strip_has_ghost_rows(f, near);
	int rows = strip_now(f)->rows;
	const KExpr *level = k_add(s->k, step, strip_now(f)->history - f->before);

	for (int n = 0; n < rows; n++) {
		const Row row = { f, { level, k_int(s->k, n), NULL }, 2 };
		int dy = (f->before + 1) * s->radius - (rows - 1 - n);

		for (int side = 0; side < 2; side++)
			if (is_wanted(s, f, stands, dy, side))
				shuffle(s, body, &row, side);
	}
}

/* What lies beyond END when the step computes a row M before it: from the rows at hand,
 * with the columns beside them. */
static void
fill_rows(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *step, int end,
	int m)
{
	KKernel *k = s->k;
	EdgeKind kind = f->kind[1][end];
	int outermost = end == 0 ? -m : m, columns = f->reach[0][0] + s->vx + f->reach[0][1];
	int reach = f->reach[1][end];

	for (int d = strip_first_ghost(f, end, m, reach); d <= reach - m; d++) {
		int ghost = end == 0 ? outermost - d : outermost + d, from = place_image(kind, d);
		const KExpr *c, *value;
		GPtrArray *each = k_over(k, body, "c", columns, &c);

		c = k_add(k, c, -f->reach[0][0]);
		value = kind == EDGE_CONSTANT ? place_constant(k, f->boundary, s->axis[1], end)
			: strip_near(s, f, step, end == 0 ? outermost + from : outermost - from, c);
		k_put(k, each, strip_near(s, f, step, ghost, c), value);
	}
}

/* The row that a step computes in the turn of row Y. */
static const KExpr *
row_of(const Strip *s, const KExpr *step, const KExpr *y)
{
	KKernel *k = s->k;

	return k_binary(k, K_SUB, y, k_binary(k, K_MUL, k_add(k, step, 1),
		k_int(k, s->radius)));
}

static void
fill_ghosts(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *step,
	const KExpr *y, Near near)
{
	KKernel *k = s->k;

	for (int end = (int)near; end < 2; end++)
		for (int m = 0; strip_has_ghosts(f, 1, end) && m < f->reach[1][end]; m++) {
			const KExpr *q = k_let(k, body, "q", row_of(s, step, y));
			const KExpr *at = place_inward(k, s->grid, s->axis[1], end, m);

			if (strip_first_ghost(f, end, m, f->reach[1][end]) > f->reach[1][end] - m)
				continue;
			fill_rows(s, k_if(k, body, k_equal(k, q, at)), f, step, end, m);
		}
}

/* ---- values ---- */

static const KExpr *
next(const Strip *s, const StripField *f, const KExpr *step, const KExpr *column)
{
	return strip_near(s, f, k_add(s->k, step, 1), s->radius, column);
}

typedef struct {
	const Strip *strip;
	const KExpr *step, *column;
	GHashTable *bound;
} Binding;

static void
bind(Expr *e, gpointer user)
{
	const Binding *b = user;
	const Strip *s = b->strip;

	for (int n = 0; e->op == EXPR_TAP && n < s->n_fields; n++) {
		const StripField *f = &s->field[n];

		if (f->source->field == e->tap.field && f->source->component == e->tap.component
			&& f->source->level == e->tap.level)
			g_hash_table_insert(b->bound, e, (gpointer)strip_near(s, f, b->step,
				e->tap.map[s->axis[1]].offset,
				k_add(s->k, b->column, e->tap.map[s->axis[0]].offset)));
	}
}

/* The values of the lane's columns, one step on from STEP, in row Q. */
static void
compute(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *step, const KExpr *q)
{
	KKernel *k = s->k;
	const Stage *stage = f->stage;
	CellValue v = strip_value(s, body, stage, step, q);
	Binding b = { s, step, v.column, v.bound };

	expr_visit(&stage->value, 1, bind, &b);
	k_set(k, v.each, next(s, f, step, v.column), k_value(k, v.value, v.bound, v.at),
		stage->at);
}

gboolean
strip_has_many(const Strip *s)
{
	int words = (type_info[s->field->source->field->type].bytes + 3) / 4;
	int fields = words > 1 ? s->n_coming : 1;

	return s->time * s->vx * words * fields >= MANY_VALUES;
}

/* A ragged row ends anywhere in a lane, and all columns ask whether it ends before them: where
 * registers are few, of one number instead of one each, the last column first (nvcc spills
 * otherwise). */
static gboolean
is_short(const Strip *s)
{
	return s->plan->ragged && strip_has_many(s);
}

int
strip_column(const Strip *s, int i)
{
	return is_short(s) ? s->vx - 1 - i : i;
}

const KExpr *
strip_kept(const Strip *s, const Stage *stage, int c)
{
	KKernel *k = s->k;
	const int x = s->axis[0];
	const KExpr *at = k_add(k, s->x0, c), *kept = NULL, *past;

	if (c < s->keep[0][0])
		kept = place_uncomputed(k, s->grid, x, stage, 0, at);
	if (c < s->vx - s->keep[0][1])
		return kept;
	past = is_short(s) ? k_binary(k, K_LT, k_let(k, k->setup, "rim", k_binary(k, K_SUB,
		place_region(k, s->grid, x, stage, 1), s->x0)), k_int(k, c + 1))
		: place_uncomputed(k, s->grid, x, stage, 1, at);
	return k_or(k, kept, past);
}

/* Cells that are not computed keep what they were: at the ends of a lane's columns,
 * which is where the grid begins and ends. */
static void
keep_columns(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *step)
{
	KKernel *k = s->k;

	for (int i = 0; i < s->vx; i++) {
		const int c = strip_column(s, i);
		const KExpr *at = k_int(k, c), *kept = strip_kept(s, NULL, c);

		if (kept == NULL)
			continue;
		k_put(k, body, next(s, f, step, at), k_select(k, k_let(k, k->setup, "kept", kept),
			s->sums != NULL ? strip_sums_kept(s, step, c) : strip_near(s, f, step, 0,
			at), next(s, f, step, at)));
	}
}

/* Likewise whole rows. */
static void
keep_row(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *step,
	const KExpr *y)
{
	KKernel *k = s->k;
	const KExpr *i, *q = k_let(k, body, "q", row_of(s, step, y));
	GPtrArray *row = k_if(k, body, k_not(k, k_let(k, body, "in_row", place_computed(k,
		s->grid, s->axis[1], NULL, q))));

	if (f->rows <= s->radius) {
		strip_sums_fetch(s, row, q, k_add(k, step, 1));
		return;
	}
	row = k_over(k, row, "i", s->vx, &i);
	k_put(k, row, next(s, f, step, i), strip_near(s, f, step, 0, i));
}

void
strip_move_rows(const Strip *s, GPtrArray *body, const KExpr *level, int history)
{
	KKernel *k = s->k;

	for (const StripField *f = s->field; f < s->field + s->n_fields; f++) {
		const KExpr *row, *column;
		GPtrArray *each;

		if (f->stage == NULL || f->rows == 1 || f->history < history)
			continue;
		each = k_over(k, body, "r", f->rows - 1, &row);
		if (s->wide) {
			each = k_over(k, each, "c", f->beside[0] + s->vx + f->beside[1], &column);
		} else {
			each = k_over(k, each, "c", s->vx, &column);
			column = k_add(k, column, f->beside[0]);
		}
		k_put(k, each, k_at(k, f->queue, level, row, column), k_at(k, f->queue, level,
			k_add(k, row, 1), column));
	}
}

void
strip_step(const Strip *s, GPtrArray *body, const KExpr *step, const KExpr *y, Near near)
{
	KKernel *k = s->k;
	const StripField *end = s->field + s->n_fields;

	for (const StripField *f = s->field; f < end; f++) {
		if (!strip_is_stepped(f))
			continue;
		shuffle_rows(s, body, f, step, near);
		fill_ghosts(s, body, f, step, y, near);
	}
	for (const StripField *f = s->field; f < end; f++) {
		const KExpr *i;
		GPtrArray *each;

		if (f->stage == NULL)
			continue;
		if (s->sums == NULL) {
			compute(s, body, f, step, row_of(s, step, y));
			continue;
		}
		each = k_over(k, body, "i", s->vx, &i);
		strip_sums_cell(s, each, next(s, f, step, i), step, i);
	}
	for (const StripField *f = s->field; f < end; f++) {
		if (f->stage == NULL)
			continue;
		keep_columns(s, body, f, step);
		if (near != NEAR_NONE && (s->keep[1][0] > 0 || s->keep[1][1] > 0))
			keep_row(s, body, f, step, y);
	}
	strip_move_rows(s, body, step, 0);
	if (s->sums != NULL)
		strip_sums_move(s, body, step);
}
