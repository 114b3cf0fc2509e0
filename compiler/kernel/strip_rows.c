/* strip_rows.c: rows of a strip from memory, and back. */
#include "kernel/strip.h"

#include "kernel/place.h"

/* ---- columns ---- */

/* Rows end anywhere in a vector, and it is known where. */
static gboolean
ends_anywhere(const Strip *s)
{
	return s->backs || (s->plan->ragged && s->plan->ended);
}

const KExpr *
strip_row_end(const Strip *s)
{
	KKernel *k = s->k;
	const KExpr *end = k_add(k, strip_param(s, KP_LAST, 0), 1);

	if (!ends_anywhere(s))
		return end;
	return k_let(k, k->setup, "row_end", k_binary(k, K_MUL, k_binary(k, K_DIV, k_add(k, end,
		k->width - 1), k_int(k, k->width)), k_int(k, k->width)));
}

/* Cells beside a lane's own in F's rows are those at the other end. */
static gboolean
goes_around(const Strip *s, const StripField *f)
{
	return s->around[0] != NULL || strip_goes_around(f);
}

/* Where the group of columns from X on begins, or the nearest one of the grid. */
static const KExpr *
group_start(const Strip *s, const StripField *f, const KExpr *x)
{
	KKernel *k = s->k;
	const KExpr *at = x;

	for (int face = 0; face < 2 && goes_around(s, f); face++)
		at = k_fold(k, at, EDGE_WRAP, face, s->grid, s->axis[0]);
	at = k_fold(k, at, EDGE_CLAMP, 0, s->grid, s->axis[0]);
	if (ends_anywhere(s))
		at = k_binary(k, K_MIN, at, k_add(k, strip_row_end(s), -f->group));
	else
		at = k_add(k, k_fold(k, k_add(k, at, f->group - 1), EDGE_CLAMP, 1, s->grid,
			s->axis[0]), 1 - f->group);
	return k_let(k, k->setup, "column", place_offset(k, f->source->field, FALSE, s->axis[0],
		at));
}

/* Columns that the warp moves back from FIRST on, so that a row which ends there ends with a lane;
 * 0: it does, or goes on. */
static const KExpr *
moved_back(const Strip *s, const KExpr *first)
{
	KKernel *k = s->k;
	const KExpr *left = k_let(k, k->setup, "left", k_binary(k, K_SUB, k_add(k, first,
		WARP * s->vx), k_add(k, strip_param(s, KP_LAST, 0), 1)));

	return k_let(k, k->setup, "back", k_binary(k, K_REM, k_binary(k, K_MAX, left, k_int(k, 0)),
		k_int(k, s->vx)));
}

/* Where a warp has moved back its columns lie across vectors. */
static gboolean
across(const Strip *s)
{
	return s->back != NULL && !s->loose;
}

void
strip_set_columns(Strip *s, int stored)
{
	KKernel *k = s->k;
	const KExpr *lane = strip_param(s, KP_LANE, 0), *first = k_binary(k, K_MUL,
		strip_param(s, KP_BLOCK, 0), k_int(k, strip_warps(s->plan))), *whole;

	first = k_binary(k, K_ADD, first, s->line ? k_param(k, (KParam){ .kind = KP_WARP })
		: strip_param(s, KP_THREAD, 1));
	first = k_binary(k, K_ADD, strip_param(s, KP_CELLS_LO, 0),
		k_binary(k, K_MUL, first, k_int(k, stored)));
	s->first = first = k_let(k, k->setup, "strip", first);
	k_leave(k, k->setup, k_binary(k, K_GE, first, strip_param(s, KP_CELLS_HI, 0)));
	first = k_let(k, k->setup, "first", k_add(k, first, -s->halo));
	s->back = s->backs ? moved_back(s, first) : NULL;
	if (s->loose)
		first = k_let(k, k->setup, "there", k_binary(k, K_SUB, first, s->back));
	whole = k_binary(k, K_ADD, first, k_binary(k, K_MUL, lane, k_int(k, s->vx)));
	s->x0 = k_let(k, k->setup, s->grid->axis[s->axis[0]], !across(s) ? whole
		: k_binary(k, K_SUB, whole, s->back));
	for (StripField *f = s->field; f < s->field + s->n_fields; f++)
		for (int g = 0; g < s->vx / f->group && (f->comes || f->goes); g++) {
			gboolean fetched = f->comes ? s->plan->feed == FEED_ASYNC : s->loose;

			if (!fetched || (f->stage != NULL && !s->loose))
				f->column[g] = group_start(s, f, k_add(k, across(s) ? whole
					: s->x0, g * f->group));
			if (fetched)
				f->fetched[g] = group_start(s, f, k_binary(k, K_ADD, first,
					k_binary(k, K_MUL, k_add(k, lane, g * WARP),
					k_int(k, f->group))));
		}
}

/* Where they do: the other list is then for all other warps.  NULL: they never do. */
static GPtrArray *
where_across(const Strip *s, GPtrArray *body)
{
	return !across(s) ? NULL : k_if(s->k, body, k_let(s->k, s->k->setup, "lies_across",
		k_binary(s->k, K_LT, k_int(s->k, 0), s->back)));
}

/* ---- rows in ---- */

/* Beyond the grid a row of a field that stays is what its boundary says; one of a field
 * that is stepped need only be some row, except where it wraps. */
static Way
way_of(const Strip *s, const StripField *f)
{
	const Boundary *b = s->around[1] != NULL ? s->around[1]
		: !strip_is_stepped(f) ? f->boundary : NULL;

	return (Way){ s->grid, s->axis[1], b, { TRUE, TRUE }, TRUE };
}

/* Where row Y begins; of a line its component. */
static const KExpr *
place_row(const Strip *s, GPtrArray *body, const char *name, const StripField *f, const KExpr *y)
{
	KKernel *k = s->k;
	const Field *field = f->source->field;
	const KExpr *component = place_component(k, field, FALSE, f->source->component);

	if (s->plane != NULL)
		component = k_let(k, k->setup, "plane", place_sum(k, component, place_offset(k,
			field, FALSE, s->axis[2], s->plane)));
	if (s->line)
		return component;
	return k_let(k, body, name, place_sum(k, component, place_offset(k, field, FALSE,
		s->axis[1], y)));
}

const KExpr *
strip_row_start(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *y)
{
	KKernel *k = s->k;
	const Way way = way_of(s, f);

	return place_row(s, body, "row", f, s->line ? y : place_land(k, &way, k_let(k, body,
		"y_in", k_add(k, y, -f->lag))));
}

static KArray
array_of(const StripField *f)
{
	return (KArray){ f->source->field, f->source->level, FALSE, FALSE };
}

/* Where column C lies in a row, of a lane that has moved back. */
static const KExpr *
column_back(const Strip *s, const StripField *f, int c)
{
	return k_add(s->k, k_binary(s->k, K_SUB, f->column[c / f->group], s->back), c % f->group);
}

void
strip_load(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *start,
	const KExpr *const *to)
{
	KKernel *k = s->k;
	GPtrArray *one_by_one = where_across(s, body);

	for (int c = 0; c < s->vx && one_by_one != NULL; c++)
		k_load(k, one_by_one, to[c], array_of(f), place_sum(k, start, column_back(s, f,
			c)), 1);
	if (one_by_one != NULL)
		body = k_else(k, body);
	for (int g = 0; g < s->vx / f->group; g++)
		k_load(k, body, to[g * f->group], array_of(f), place_sum(k, start, f->column[g]),
			f->group);
}

/* The row of the turn of row Y into row ROW of what is on its way. */
static void
load_row(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *y, int row)
{
	KKernel *k = s->k;
	const KExpr *to[LANE_COLUMNS];

	for (int c = 0; c < s->vx; c++)
		to[c] = k_at(k, f->ahead, k_int(k, row), k_int(k, c));
	strip_load(s, body, f, strip_row_start(s, body, f, y), to);
}

/* Where row NUMBER of the chunk is in shared memory. */
static const KExpr *
slot_of(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *number)
{
	return k_let(s->k, body, "slot", k_binary(s->k, K_REM, number, k_int(s->k,
		f->ring->size[1])));
}

/* The rows of the turn of row Y, NUMBER of the chunk, to their slots; lanes side by side
 * bring what lies side by side. */
static void
fetch_rows(const Strip *s, GPtrArray *body, const KExpr *y, const KExpr *number)
{
	KKernel *k = s->k;
	const KExpr *lane = strip_param(s, KP_LANE, 0);

	for (const StripField *f = s->field; f < s->field + s->n_coming; f++) {
		const KExpr *start = strip_row_start(s, body, f, y);

		for (int g = 0; g < s->vx / f->group; g++)
			k_fetch(k, body, k_at(k, f->ring, strip_param(s, KP_THREAD, 1), slot_of(s,
				body, f, number), k_binary(k, K_MUL, k_add(k, lane, g * WARP),
				k_int(k, f->group))), array_of(f), place_sum(k, start,
				f->fetched[g]), f->group);
	}
	k_commit(k, body);
}

static const KExpr *
newest(const Strip *s, const StripField *f, const KExpr *column)
{
	KKernel *k = s->k;
	const StripField *now = strip_now(f);
	const KExpr *index[] = { k_int(k, now->history - f->before), k_int(k, f->rows - 1),
		k_add(k, column, now->beside[0]) };

	return k_element(k, now->queue, now->stage != NULL ? index : index + 1);
}

/* Row NUMBER of the chunk out of its slot, VECTOR columns at a time; BACK: so many columns before
 * the lane's own, or NULL. */
static void
take_columns(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *number, int vector,
	const KExpr *back)
{
	KKernel *k = s->k;
	const KExpr *slot = slot_of(s, body, f, number), *own = k_binary(k, K_MUL, strip_param(s,
		KP_LANE, 0), k_int(k, s->vx));

	for (int c = 0; c < s->vx; c += vector) {
		const KExpr *at = k_add(k, own, c);

		if (back != NULL) /* what nobody has brought nobody needs */
			at = k_binary(k, K_MAX, k_binary(k, K_SUB, at, back), k_int(k, 0));
		k_move(k, body, newest(s, f, k_int(k, c)), k_at(k, f->ring, strip_param(s,
			KP_THREAD, 1), slot, at), vector);
	}
}

/* The rows NUMBER of the chunk of all fields. */
static void
take_fetched(const Strip *s, GPtrArray *body, const KExpr *number)
{
	GPtrArray *one_by_one = where_across(s, body);
	const StripField *end = s->field + s->n_coming;

	for (const StripField *f = s->field; f < end && one_by_one != NULL; f++)
		take_columns(s, one_by_one, f, number, 1, s->back);
	if (one_by_one != NULL)
		body = k_else(s->k, body);
	for (const StripField *f = s->field; f < end; f++)
		take_columns(s, body, f, number, strip_vector(s, f), NULL);
}

/* Likewise where rows wait in registers. */
static void
take_loaded(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *y)
{
	KKernel *k = s->k;
	const KExpr *i, *n;
	GPtrArray *each = k_over(k, body, "i", s->vx, &i);
	int ahead = s->plan->ahead;

	k_put(k, each, newest(s, f, i), k_at(k, f->ahead, k_int(k, 0), i));
	if (ahead > 1) {
		each = k_over(k, body, "a", ahead - 1, &n);
		each = k_over(k, each, "i", s->vx, &i);
		k_put(k, each, k_at(k, f->ahead, n, i), k_at(k, f->ahead, k_add(k, n, 1), i));
	}
	load_row(s, body, f, k_add(k, y, ahead), ahead - 1);
}

/* The rows of a field that stays make room for one. */
static void
make_room(const Strip *s, GPtrArray *body, const StripField *f)
{
	KKernel *k = s->k;
	const KExpr *row, *column;
	GPtrArray *each;

	if (strip_is_stepped(f) || f->rows == 1)
		return;
	each = k_over(k, body, "r", f->rows - 1, &row);
	each = k_over(k, each, "c", f->beside[0] + s->vx + f->beside[1], &column);
	k_put(k, each, k_at(k, f->queue, row, column), k_at(k, f->queue, k_add(k, row, 1), column));
}

/* The newest row of a field that stays gets what lies beside it and beyond the grid. */
static void
complete(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *y)
{
	KKernel *k = s->k;
	const Way way = way_of(s, f);
	const KExpr *now;
	gboolean constant = FALSE;

	if (strip_is_stepped(f))
		return;
	strip_widen(s, body, f, f->rows - 1);
	for (int end = 0; end < 2; end++)
		constant = constant || (f->reach[1][end] > 0 && f->kind[1][end] == EDGE_CONSTANT);
	if (!constant)
		return;
	now = k_let(k, body, "y_now", k_add(k, y, -f->lag));
	for (int c = -f->reach[0][0]; c < s->vx + f->reach[0][1]; c++)
		place_constants(k, body, 1, &way, &now, newest(s, f, k_int(k, c)));
}

void
strip_load_line(const Strip *s)
{
	KKernel *k = s->k;
	const StripField *end = s->field + s->n_coming;

	for (const StripField *f = s->field; f < end; f++) {
		const KExpr *to[LANE_COLUMNS];

		for (int c = 0; c < s->vx; c++)
			to[c] = newest(s, f, k_int(k, c));
		strip_load(s, k->body, f, strip_row_start(s, k->body, f, NULL), to);
	}
	for (const StripField *f = s->field; f < end; f++)
		if (!strip_is_stepped(f))
			strip_widen(s, k->body, f, f->rows - 1);
}

void
strip_take_rows(const Strip *s, GPtrArray *body, const KExpr *y)
{
	KKernel *k = s->k;
	gboolean fetched = s->plan->feed == FEED_ASYNC;
	const StripField *end = s->field + s->n_coming;
	int ahead = s->plan->ahead;
	const KExpr *number = NULL;

	for (const StripField *f = s->field; f < end; f++)
		make_room(s, body, f);
	if (fetched) {
		number = k_let(k, body, "number", k_binary(k, K_SUB, y, k_add(k, s->chunk.first,
			-s->above)));
		k_wait(k, body, ahead - 1);
		k_sync(k, body);
		take_fetched(s, body, number);
	}
	for (const StripField *f = s->field; f < end && !fetched; f++)
		take_loaded(s, body, f, y);
	if (fetched) /* to the slots of the rows before, which all lanes have read */
		fetch_rows(s, body, k_add(k, y, ahead), k_add(k, number, ahead));
	for (const StripField *f = s->field; f < end; f++)
		complete(s, body, f, y);
}

void
strip_send_first(Strip *s)
{
	KKernel *k = s->k;
	int ahead = s->plan->ahead;

	for (StripField *f = s->field; f < s->field + s->n_coming; f++) {
		const Type type = f->source->field->type;
		const char *name = s->n_fields == 1 ? "" : arena_printf(k->arena, "%s_",
			f->source->field->name);

		if (s->plan->feed == FEED_ASYNC)
			f->ring = k_shared(k, k->body, arena_printf(k->arena, "%sring", name),
				type, s->plan->threads[1], ahead + 1, WARP * s->vx);
		else
			f->ahead = k_registers(k, k->body, arena_printf(k->arena, "%sahead", name),
				type, ahead, s->vx);
	}
	for (int a = 0; a < ahead; a++) {
		const KExpr *y = k_add(k, s->chunk.first, a - s->above);

		if (s->plan->feed == FEED_ASYNC)
			fetch_rows(s, k->body, y, k_int(k, a));
		for (const StripField *f = s->field; f < s->field + s->n_coming
			&& s->plan->feed != FEED_ASYNC; f++)
			load_row(s, k->body, f, y, a);
	}
}

/* ---- rows out ---- */

/* Where the stage of F computes, NUMBER being 0 across, and 1 down: the N cells from AT on. */
static const KExpr *
is_computed(const Strip *s, const StripField *f, int number, const KExpr *at, int n)
{
	return place_all_computed(s->k, s->grid, s->axis[number], f->stage, at, n);
}

/* Column C of the row that is stored, as it was BEFORE the last step. */
static const KExpr *
stored_cell(const Strip *s, const StripField *f, int before, int c)
{
	KKernel *k = s->k;

	return k_at(k, f->queue, k_int(k, s->time + f->history - before), k_int(k, f->rows - 1
		- before * s->radius), k_int(k, f->beside[0] + c));
}

/* A group of columns from C on that are MINE, of which the stage does not compute all. */
static void
store_some(const Strip *s, GPtrArray *stored, const StripField *f, KArray to, const KExpr *mine,
	const KExpr *index, int c)
{
	KKernel *k = s->k;

	stored = k_if(k, stored, mine);
	for (int i = 0; i < f->group; i++)
		k_store(k, k_if(k, stored, is_computed(s, f, 0, k_add(k, s->x0, c + i), 1)), to,
			k_add(k, index, i), stored_cell(s, f, 0, c + i), 1, f->stage->at);
}

/* What is made once may be computed in some columns only. */
static gboolean
has_rims(const Strip *s)
{
	return s->once && s->keep[0][0] + s->keep[0][1] > 0;
}

/* Launches behind this one may load what is missing in a temp, though they do not use it. */
static gboolean
is_filled(const Strip *s, const StripField *f)
{
	return s->once && f->source->field->role == FIELD_TEMP;
}

/* The column COLUMN of the warp, which is X, is stored. */
static const KExpr *
is_mine(const Strip *s, const KExpr *column, const KExpr *x, const KExpr *strip_end)
{
	KKernel *k = s->k;

	return k_and(k, k_binary(k, K_GE, column, k_int(k, s->halo)),
		k_binary(k, K_LT, x, strip_end));
}

/* The column X is stored by the warp, wherever that has moved, END being the first one that is
 * not. */
static const KExpr *
is_own(const Strip *s, const KExpr *x, const KExpr *end)
{
	return k_within(s->k, x, s->first, end);
}

/* The columns of a warp that has moved back, those of the row before STRIP_END which no other
 * stores. */
static void
store_across(const Strip *s, GPtrArray *stored, const StripField *f, KArray to, int before,
	const KExpr *row, const KExpr *strip_end)
{
	KKernel *k = s->k;
	const KExpr *end = k_let(k, k->setup, "row_stop", k_binary(k, K_MIN, strip_end, k_add(k,
		strip_param(s, KP_LAST, 0), 1)));

	for (int c = 0; c < s->vx; c++) {
		const KExpr *mine = is_own(s, k_add(k, s->x0, c), end);

		k_store(k, k_if(k, stored, mine), to, place_sum(k, row, column_back(s, f, c)),
			stored_cell(s, f, before, c), 1, f->stage->at);
	}
}

static void
store_groups(const Strip *s, GPtrArray *stored, const StripField *f, KArray to, int before,
	const KExpr *row, const KExpr *strip_end)
{
	KKernel *k = s->k;
	const KExpr *lanes = k_binary(k, K_MUL, strip_param(s, KP_LANE, 0), k_int(k, s->vx));

	for (int g = 0; g < s->vx / f->group; g++) {
		int c = g * f->group;
		const KExpr *x = k_add(k, s->x0, c), *mine = is_mine(s, k_add(k, lanes, c), x,
			strip_end);
		const KExpr *index = place_sum(k, row, f->column[g]);

		if (has_rims(s) && !is_filled(s, f)) {
			const KExpr *all = is_computed(s, f, 0, x, f->group);

			store_some(s, stored, f, to, k_let(k, k->setup, "stores_some", k_and(k,
				mine, k_not(k, all))), index, c);
			mine = k_and(k, mine, all);
		}
		k_store(k, k_if(k, stored, k_let(k, k->setup, "stores", mine)), to, index,
			stored_cell(s, f, before, c), f->group, f->stage->at);
	}
}

/* Where the columns of a loose row leave from. */
static const KExpr *
leaving(const Strip *s, const StripField *f, const KExpr *column)
{
	KKernel *k = s->k;
	const KExpr *warp = s->line ? k_let(k, k->setup, "warp", k_param(k, (KParam){
		.kind = KP_WARP })) : strip_param(s, KP_THREAD, 1); /* all lanes ask together */

	return k_at(k, f->leaving, warp, column);
}

void
strip_make_leaving(Strip *s)
{
	KKernel *k = s->k;

	for (StripField *f = s->field; f < s->field + s->n_fields; f++) {
		const Field *field = f->source->field;

		if (f->goes)
			f->leaving = k_shared(k, k->body, arena_printf(k->arena, "%s_leaving",
				field->name), field->type, strip_warps(s->plan), WARP * s->vx);
	}
}

/* A loose row: neighbours lie in lanes side by side as they are stored. */
static void
store_loose(const Strip *s, GPtrArray *stored, const StripField *f, KArray to, const KExpr *row,
	const KExpr *strip_end)
{
	KKernel *k = s->k;
	const KExpr *lane = strip_param(s, KP_LANE, 0);
	const KExpr *lanes = k_binary(k, K_MUL, lane, k_int(k, s->vx));
	const int vector = strip_vector(s, f);

	for (int c = 0; c < s->vx; c += vector)
		k_move(k, stored, leaving(s, f, k_add(k, lanes, c)), stored_cell(s, f, 0, c),
			vector);
	k_sync(k, stored);
	for (int g = 0; g < s->vx; g++) {
		const KExpr *column = k_add(k, lane, g * WARP);
		const KExpr *x = k_binary(k, K_ADD, k_binary(k, K_SUB, s->x0, lanes), column);
		const KExpr *mine = is_own(s, x, strip_end);

		if (has_rims(s) && !is_filled(s, f))
			mine = k_and(k, mine, is_computed(s, f, 0, x, 1));
		k_store(k, k_if(k, stored, k_let(k, k->setup, "stores", mine)), to,
			place_sum(k, row, f->fetched[g]), leaving(s, f, column), 1, f->stage->at);
	}
	k_sync(k, stored);
}

static void
store_field(const Strip *s, GPtrArray *stored, const StripField *f, int before, const KExpr *q,
	const KExpr *strip_end)
{
	const KArray to = { f->source->field, s->once ? f->stage->level : f->history + 1 - before,
		FALSE, TRUE };
	const KExpr *row = place_row(s, stored, "row_out", f, q);

	if (s->loose) {
		store_loose(s, stored, f, to, row, strip_end);
		return;
	}
	if (across(s)) {
		store_across(s, where_across(s, stored), f, to, before, row, strip_end);
		stored = k_else(s->k, stored);
	}
	store_groups(s, stored, f, to, before, row, strip_end);
}

/* Its cells of row Q that are not computed are 0. */
static void
fill_missing(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *q,
	gboolean inside)
{
	KKernel *k = s->k;
	const KExpr *zero = k_int(k, 0);

	for (int c = 0; c < s->vx && has_rims(s); c++)
		k_put(k, body, stored_cell(s, f, 0, c), k_select(k, k_let(k, k->setup, "computed",
			is_computed(s, f, 0, k_add(k, s->x0, c), 1)), stored_cell(s, f, 0, c),
			zero));
	if (inside || s->line || f->rim[1][0] + f->rim[1][1] == 0)
		return;
	body = k_if(k, body, k_not(k, k_let(k, body, "in_row", is_computed(s, f, 1, q, 1))));
	for (int c = 0; c < s->vx; c++)
		k_put(k, body, stored_cell(s, f, 0, c), zero);
}

/* Where the row Q of F, none of the INSIDE ones, is to be stored, if it is of the chunk. */
static GPtrArray *
of_chunk(const Strip *s, GPtrArray *body, const StripField *f, const KExpr *q, gboolean inside)
{
	KKernel *k = s->k;
	const KExpr *test = NULL;

	if (s->latest > 0 && !inside)
		test = k_within(k, q, s->chunk.first, s->chunk.end);
	if (s->once && !inside && !s->line && !is_filled(s, f))
		test = k_and(k, test, is_computed(s, f, 1, q, 1));
	return test != NULL ? k_if(k, body, test) : body;
}

void
strip_store_row(const Strip *s, GPtrArray *body, const KExpr *q, gboolean inside)
{
	KKernel *k = s->k;
	const KExpr *end = k_add(k, s->first, WARP * s->vx - 2 * s->halo);

	end = k_let(k, k->setup, "strip_end", k_binary(k, K_MIN, end, strip_param(s, KP_CELLS_HI,
		0)));
	for (const StripField *f = s->field; f < s->field + s->n_fields; f++) {
		const KExpr *at = k_add(k, q, -f->lag);
		GPtrArray *stored;

		if (f->stage == NULL || !f->goes)
			continue;
		stored = of_chunk(s, body, f, at, inside);
		if (is_filled(s, f))
			fill_missing(s, stored, f, at, inside);
		for (int before = 0; before <= f->history; before++)
			store_field(s, stored, f, before, at, end);
	}
}
