/* lower_strip.c: several steps in one sweep over a plane, or a line, warp by warp.
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
 *
 * Where rows end within a vector the warps in whose columns they do so have moved back: the row
 * ends with a lane's last column all the same, and all warps walk as one.  Only where such a one
 * takes its rows, and stores them, its columns lie across vectors, and are moved one by one (as
 * those of all warps are where rows begin anywhere, too).  Where a lane has so many values that
 * registers do not hold what that takes, all warps ask their columns whether a row ends there.
 *
 * Several fields may be stepped together, each from what all of them were before the
 * step; or from what others are after it (strip_lags.c).  A field that only is read comes
 * in once; its rows wait for the last step that asks for them.
 *
 * A step may read what fields were before the step before it: their rows have gone through
 * that one's queue and only stay there longer.  What was before the first step comes in
 * beside the rest, later, and the last times of such a field are stored.
 *
 * A temp has a queue like a field, but neither comes in nor is stored.  Of a line a warp has
 * all cells of its part at once: its rows are one, and nothing lags.
 */
#include "kernel/strip.h"

#include "base/round.h"
#include "kernel/at_once.h"
#include "kernel/driven.h"
#include "kernel/place.h"

/* ---- shape ---- */

gboolean
strip_has_ghosts(const StripField *f, int number, int end)
{
	return place_has_ghosts(f->reach[number], f->kind[number], end);
}

gboolean
strip_has_ghost_rows(const StripField *f, Near near)
{
	gboolean has = FALSE;

	for (int end = (int)near; end < 2; end++)
		has = has || strip_has_ghosts(f, 1, end);
	return has;
}

/* Columns beside those of a constant are its own, too, and would come to be the row's before. */
int
strip_first_ghost(const StripField *f, int end, int m, int reach)
{
	const int *beside = strip_now(f)->beside;

	if (f->kind[1][end] == EDGE_CONSTANT && beside[0] + beside[1] > 0)
		return 1;
	return end == 1 ? reach - m : m == 0 ? 1 : reach + 1;
}

int
strip_rows_below(const StripField *f, int dy)
{
	return place_towards(f->reach[1], f->kind[1], 1, dy);
}

int
strip_rows_above(const StripField *f, int dy)
{
	return place_towards(f->reach[1], f->kind[1], 0, dy);
}

int
strip_vector(const Strip *s, const StripField *f)
{
	return MIN(s->vx, VECTOR_BYTES / type_info[f->source->field->type].bytes);
}

static StripField
field_of(const Strip *s, const KSource *source)
{
	const Boundary *b = source->boundary;
	StripField f = { .source = source, .boundary = b, .before = -source->level,
		.comes = source_comes(s->plan, source),
		.goes = source_goes(s->plan, source) };

	if (source->level == 0)
		f.stage = source_maker(s->plan, source);
	f.history = f.stage != NULL ? source->field->history : 0;
	for (int n = 0; n < 4; n++) {
		int number = n / 2, end = n % 2, axis = s->axis[number];
		gboolean there = number == 0 || !s->line;

		f.kind[number][end] = b != NULL && there ? b->kind[axis][end] : EDGE_KEEP;
		f.reach[number][end] = !there ? 0 : end == 0 ? -source->lo[axis]
			: source->hi[axis];
	}
	f.group = s->loose ? 1 : strip_vector(s, &f);
	f.rows = f.stage != NULL ? 2 * s->radius + 1
		: (s->time - 1) * s->radius + f.reach[1][0] + f.reach[1][1] + 1;
	f.lag = f.stage != NULL ? 0 : s->radius - f.reach[1][1];
	return f;
}

/* Those that are read or stepped and come from memory, or do not, each with what it was before;
 * the first of them is F.  Where the next one is. */
static StripField *
list_fields(Strip *s, StripField *f, gboolean coming)
{
	guint n_sources = s->sources->len;

	for (guint i = 0; i < n_sources; i++) {
		const KSource *source = g_ptr_array_index(s->sources, i);
		StripField *now = f;

		if (source->level != 0 || source_comes(s->plan, source) != coming)
			continue;
		*f++ = field_of(s, source);
		for (int before = 1; before <= now->history; before++) {
			*f = field_of(s, source_get(s->sources, s->k->arena, source->field,
				source->component, -before, NULL));
			f++->now = now;
		}
	}
	return f;
}

/* ---- what fields were before ---- */

/* How far back the rows are that a map reads of P: of the newest, and of the oldest. */
static int
youngest(const Strip *s, const StripField *p)
{
	if (s->maps != NULL)
		return strip_lags_youngest(s, p);
	return p->source->taps->len == 0 ? G_MAXINT : (p->before + 1) * s->radius
		- MAX(p->reach[1][1], strip_rows_below(p, -p->reach[1][0]));
}

static int
oldest(const Strip *s, const StripField *p)
{
	return (p->before + 1) * s->radius + MAX(p->reach[1][0], strip_rows_above(p,
		p->reach[1][1]));
}

/* It comes in when a step first asks for it, or to be stored. */
static void
set_entry(const Strip *s, StripField *p)
{
	int age = MIN(s->time + p->before, p->now->history) * s->radius;

	for (const StripField *f = p; f - p <= p->now->history - p->before; f++)
		age = MIN(age, youngest(s, f));
	p->lag = p->now->lag + age - p->before * s->radius;
	p->rows = p->now->rows - age;
}

/* Its queue has room for the rows that wait, and for all columns. */
static void
set_past(const Strip *s, StripField *f)
{
	StripField *end = f + f->history + 1;

	f->rows = MAX(f->rows, f->history * s->radius + 1);
	for (const StripField *p = f; p < end; p++) {
		if (p != f && s->maps == NULL && p->source->taps->len > 0)
			f->rows = MAX(f->rows, oldest(s, p) + 1);
		for (int side = 0; side < 2; side++)
			f->beside[side] = MAX(f->beside[side], p->reach[0][side]);
	}
	for (StripField *p = f + 1; p < end; p++)
		set_entry(s, p);
}

/* What comes in before the others comes in for more rows. */
static void
set_overlap(Strip *s)
{
	s->above = 0;
	for (int n = 0; n < s->n_fields; n++)
		s->above = MAX(s->above, s->radius * s->time - s->field[n].lag);
	s->below = s->radius * s->time;
	s->halo = ROUND_UP(s->beside * s->time, s->vx);
}

/* What all fields together make of the ends of the grid.  What is made once is stored where it
 * is computed, and nothing is kept. */
static void
set_ends(Strip *s)
{
	for (const StripField *f = s->field; f < s->field + s->n_fields; f++)
		for (int n = 0; n < 4; n++) {
			int number = n / 2, end = n % 2, reach = f->reach[number][end];

			if (f->kind[number][end] == EDGE_KEEP && !s->once)
				s->keep[number][end] = MAX(s->keep[number][end], reach);
			if (!s->once || f->goes)
				s->keep[number][end] = MAX(s->keep[number][end],
					f->rim[number][end]);
			if (f->kind[number][end] == EDGE_WRAP && strip_is_stepped(f) && reach > 0)
				s->around[number] = f->boundary;
		}
	if (s->plan->ragged && s->keep[0][1] > 0)
		s->keep[0][1] = MIN(s->vx, s->keep[0][1] + s->plan->width - 1);
}

/* Warps move back, but where registers hardly hold what a lane has. */
static gboolean
moves_back(const Strip *s)
{
	return s->plan->strategy == STRATEGY_STRIP && (s->chained || s->line
		|| !strip_has_many(s));
}

/* How far the stages reach. */
static void
set_reach(Strip *s)
{
	for (int n = 0; n < 2 * s->plan->n_stages; n++) {
		const Stage *stage = s->plan->stages[n / 2].stage;

		s->radius = MAX(s->radius, stage_reach(stage, s->axis[1], n % 2));
		s->beside = MAX(s->beside, stage_reach(stage, s->axis[0], n % 2));
	}
	s->radius = MAX(s->radius, MIN(s->beside, 1));
}

/* What they read and make; PASSED: taps of what others make in the same step. */
static void
list_sources(Strip *s, GPtrArray *passed)
{
	const Plan *plan = s->plan;
	Arena *arena = s->k->arena;

	s->far = g_ptr_array_new();
	s->sources = sources_new();
	for (int i = 0; i < plan->n_stages; i++)
		source_add_stage(s->sources, plan, i, s->axis[0], arena, s->far, passed);
	for (int i = 0; i < plan->n_stages; i++) {
		const Stage *stage = plan->stages[i].stage;

		for (int before = 0; before <= stage->target->history; before++)
			source_get(s->sources, arena, stage->target, stage->component, -before,
				NULL);
	}
	source_add_passed(s->sources, arena, passed);
	s->profiles = profile_split(s->sources, s->far, plan->stage);
	s->driven = driven_table(plan);
	s->n_fields = (int)s->sources->len;
	s->field = arena_array(arena, StripField, s->sources->len);
	s->n_coming = (int)(list_fields(s, s->field, TRUE) - s->field);
	list_fields(s, s->field + s->n_coming, FALSE);
}

/* How many rows of each are at hand, and what is computed besides. */
static void
set_rows(Strip *s)
{
	if (s->line || s->chained)
		strip_lags_set(s);
	for (int i = 0; i < s->n_fields; i++)
		if (s->field[i].now == NULL)
			set_past(s, &s->field[i]);
	if (s->maps != NULL)
		strip_lags_overlap(s);
	else
		set_overlap(s);
}

void
strip_set_shape(Strip *s, KKernel *k, const Plan *plan)
{
	GPtrArray *passed = g_ptr_array_new();

	*s = (Strip){ .k = k, .plan = plan, .grid = plan->stage->grid, .vx = plan->cells[0],
		.time = plan->time, .axis = { plan->axis[0], plan->axis[1], plan->axis[2] },
		.line = plan->n_axes == 1, .once = plan_is_once(plan) };
	s->loose = s->once && plan->ragged;
	set_reach(s);
	list_sources(s, passed);
	s->chained = s->once || strip_is_chained(plan, passed);
	s->hops = plan->strategy == STRATEGY_STRIP && (s->chained || s->line);
	s->backs = plan->ragged && moves_back(s);
	if (s->backs)
		s->plan = plan_ending(k->arena, plan, FALSE);
	set_rows(s);
	set_ends(s);
	strip_sums_set(s);
	g_ptr_array_unref(passed);
}

void
strip_release(Strip *s)
{
	scatter_free(s->sums);
	g_ptr_array_unref(s->sources);
	g_ptr_array_unref(s->far);
	g_clear_pointer(&s->profiles, g_hash_table_unref);
	g_clear_pointer(&s->driven, g_hash_table_unref);
}

/* Cells of rows that may end within a vector, COLUMNS being those that a warp stores: none that
 * moves back has columns before the grid. */
static int
least_ragged(const Strip *s, int columns)
{
	const int before = DIV_UP(s->halo + s->vx - 1, MAX(columns, 1)); /* warps before it */

	return WARP * s->vx - s->halo + (before - 1) * columns + s->vx;
}

/* What a step needs of the grid's ends, and whether lanes have what lies beyond. */
static void
add_ends(const Strip *s, StripShape *shape)
{
	for (int n = 0; n < 4; n++) {
		int number = n / 2, end = n % 2, cells = s->keep[number][end];

		shape->rim[number][end] = cells > 0 && (number == 1 || s->once) ? -1 : cells;
	}
	for (const StripField *f = s->field; f < s->field + s->n_fields; f++)
		for (int end = 0; end < 2; end++)
			if (strip_has_ghosts(f, 0, end) && !s->hops
				&& place_image(f->kind[0][end], f->reach[0][end]) >= s->vx)
				shape->images = FALSE;
}

/* What a lane holds of F. */
static void
add_registers(const Strip *s, const StripField *f, StripShape *shape)
{
	if (f->stage != NULL)
		shape->turn = MAX(shape->turn, f->rows);
	if (f->now == NULL)
		shape->words += f->rows * (f->beside[0] + s->vx + f->beside[1])
			* DIV_UP(type_info[f->source->field->type].bytes, 4);
}

/* How rows of F come and go. */
static void
add_memory(const Strip *s, const StripField *f, const Plan *plan, StripShape *shape)
{
	const int bytes = type_info[f->source->field->type].bytes;

	if (f < s->field + s->n_coming) {
		shape->row += s->vx * bytes;
		shape->copy = MIN(shape->copy, f->group * bytes);
		if (plan->feed == FEED_ASYNC)
			shape->shared += (gsize)(plan->threads[1] * (plan->ahead + 1) * WARP
				* s->vx * bytes);
	}
	if (f->goes && s->loose)
		shape->shared += (gsize)ROUND_UP(strip_warps(plan) * WARP * s->vx * bytes,
			SHARED_ALIGN);
}

StripShape
strip_shape(const Plan *plan, Arena *arena)
{
	StripShape shape = { .images = TRUE, .copy = VECTOR_BYTES };
	KKernel *k = kir_new(arena, plan);
	Strip s;

	strip_set_shape(&s, k, plan);
	shape.fields = s.n_coming;
	shape.chained = s.chained;
	shape.hops = s.hops;
	shape.radius = s.radius;
	shape.needless = strip_sums_needless(&s);
	shape.columns = WARP * s.vx - 2 * s.halo;
	shape.span = strip_warps(plan) * shape.columns;
	shape.warm = s.above + s.below;
	shape.least[0] = s.around[0] != NULL ? s.halo : 0;
	shape.least_ragged = moves_back(&s) ? least_ragged(&s, shape.columns) : 0;
	shape.least[1] = s.around[1] != NULL ? MAX(s.above, s.below) : 0;
	add_ends(&s, &shape);
	for (const StripField *f = s.field; f < s.field + s.n_fields; f++) {
		add_registers(&s, f, &shape);
		add_memory(&s, f, plan, &shape);
	}
	strip_release(&s);
	kir_free(k);
	return shape;
}

/* ---- pieces ---- */

const KExpr *
strip_param(const Strip *s, KParamKind kind, int number)
{
	gboolean block = kind == KP_BLOCK || kind == KP_THREAD || kind == KP_LANE;

	return k_param(s->k, (KParam){ .kind = kind, .axis = block ? number : s->axis[number],
		.grid = s->grid });
}

const KExpr *
strip_near(const Strip *s, const StripField *f, const KExpr *step, int dy, const KExpr *column)
{
	KKernel *k = s->k;
	const StripField *now = strip_now(f);
	const KExpr *index[] = { k_add(k, step, now->history - f->before), k_int(k, now->rows - 1
		+ dy - (f->before + 1) * s->radius), k_add(k, column, now->beside[0]) };

	if (now->stage != NULL)
		return k_element(k, now->queue, index);
	index[1] = k_binary(k, K_MUL, k_binary(k, K_SUB, k_int(k, s->time - 1), step),
		k_int(k, s->radius));
	index[1] = k_add(k, index[1], dy + f->reach[1][0]);
	return k_element(k, f->queue, index + 1);
}

static Profiles
profiles_at(const Strip *s, const KExpr *q)
{
	if (s->plane != NULL)
		return (Profiles){ { s->grid, 3, { s->axis[0], s->axis[2], s->axis[1] }, { s->x0,
			s->plane, q }, { s->around[0] != NULL, FALSE, s->around[1] != NULL } },
			{ s->vx, 1 }, TRUE };
	return (Profiles){ { s->grid, s->line ? 1 : 2, { s->axis[0], s->axis[1] }, { s->x0, q },
		{ s->around[0] != NULL, s->around[1] != NULL } }, { s->vx, 1 }, !s->line };
}

/* What does not vary along the walk. */
static void
load_profiles(Strip *s)
{
	const Profiles p = profiles_at(s, NULL);

	cell_values_begin(s->k, s->plan, &p, s->profiles, s->driven);
}

CellValue
strip_value(const Strip *s, GPtrArray *body, const Stage *stage, const KExpr *step, const KExpr *q)
{
	const Profiles p = profiles_at(s, q);

	return cell_value(s->k, body, stage, step, &p, s->profiles, s->driven);
}

/* ---- the whole ---- */

static int
most_history(const Strip *s)
{
	int most = 0;

	for (const StripField *f = s->field; f < s->field + s->n_fields; f++)
		most = MAX(most, f->history);
	return most;
}

/* The row Y of the input through all steps.  Where none of them is NEAR an end every step computes
 * its row, and the last one's is stored. */
static void
one_row(const Strip *s, GPtrArray *body, const KExpr *y, Near near)
{
	KKernel *k = s->k;
	const gboolean inside = near == NEAR_NONE;
	const KExpr *step, *q;
	GPtrArray *each;

	k_note(k, body, "a row comes");
	strip_take_rows(s, body, y);
	k_note(k, body, "each step makes one of its own");
	each = k_over(k, body, "t", s->time, &step);
	if (s->maps != NULL)
		strip_made_step(s, each, step, y, near);
	else
		strip_step(s, each, step, y, near);
	k_note(k, body, "the last one's is stored");
	q = k_let(k, body, "y_out", k_add(k, y, -s->radius * s->time));
	strip_store_row(s, inside || s->latest > 0 ? body : k_if(k, body, k_binary(k, K_GE, q,
		s->chunk.first)), q, inside);
	k_note(k, body, "all rows move on");
	for (int n = 0; n <= most_history(s); n++)
		strip_move_rows(s, body, k_int(k, s->time + n), s->maps != NULL ? n : n + 1);
}

static void
walk(const Strip *s, const KExpr *from, const KExpr *to, Near near)
{
	KKernel *k = s->k;
	const KExpr *row;
	GPtrArray *each = k_walk(k, k->body, s->grid->axis[s->axis[1]], from, to, &row);

	one_row(s, each, row, near);
	if (near == NEAR_NONE)
		kir_last(k->body)->together = s->plan->unroll;
	else
		kir_last(k->body)->rare = TRUE;
}

/* Rows that a step reads beyond END, and makes itself. */
static int
ghost_rows(const Strip *s, int end)
{
	int rows = 0;

	for (const StripField *f = s->field; f < s->field + s->n_fields; f++)
		if (strip_is_stepped(f) && strip_has_ghosts(f, 1, end))
			rows = MAX(rows, MAX(s->radius, f->reach[1][end]));
	return rows;
}

/* The row from which on, or before which, all stages compute. */
static const KExpr *
region_end(const Strip *s, int end)
{
	KKernel *k = s->k;
	const KExpr *all = NULL;

	for (int i = 0; i < (s->maps != NULL ? s->plan->n_stages : 1); i++) {
		const KExpr *at = place_region(k, s->grid, s->axis[1], s->maps != NULL
			? s->plan->stages[i].stage : NULL, end);

		all = all == NULL ? at : k_binary(k, end == 0 ? K_MAX : K_MIN, all, at);
	}
	return all;
}

/* The rows of the chunk, and those that its steps reach: all of the work is done
 * where nothing needs to be asked. */
static void
walk_down(const Strip *s)
{
	KKernel *k = s->k;
	gboolean wraps = s->around[1] != NULL;
	const KExpr *top = s->chunk.first;
	const KExpr *from = k_add(k, top, -s->above), *to = k_add(k, s->chunk.end, s->below);
	const KExpr *inside_from, *inside_to;

	inside_from = wraps ? top : k_binary(k, K_MAX, top, k_add(k, region_end(s, 0),
		ghost_rows(s, 0)));
	inside_from = k_let(k, k->body, "inside_from", k_binary(k, K_MIN, k_add(k, inside_from,
		s->below), to));
	inside_to = k_add(k, to, -s->latest);
	if (!wraps)
		inside_to = k_binary(k, K_MIN, k_add(k, region_end(s, 1), s->radius
			- ghost_rows(s, 1)), inside_to);
	inside_to = k_let(k, k->body, "inside_to", k_binary(k, K_MAX, inside_from, inside_to));
	k_note(k, k->body, "rows before those that all steps compute");
	walk(s, from, inside_from, NEAR_BOTH);
	k_note(k, k->body, "these: nothing need be asked");
	walk(s, inside_from, inside_to, NEAR_NONE);
	k_note(k, k->body, "rows behind them");
	walk(s, inside_to, to, NEAR_LAST);
}

void
strip_make_queue(Strip *s, StripField *f)
{
	KKernel *k = s->k;
	int columns = f->beside[0] + s->vx + f->beside[1], stays = f->stage == NULL;
	const int size[] = { f->history + s->time + 1, f->rows, columns };
	int cleared = s->maps != NULL ? size[0] : size[0] - 1;
	const KExpr *index[3];
	GPtrArray *each = k->body;

	if (f->now != NULL) /* it is in that one's */
		return;
	f->queue = k_make_tile(k, k->body, f->source->field->name, f->source->field->type,
		KS_REGISTERS, 3 - stays, size + stays);
	if (!stays)
		each = k_over(k, each, "t", cleared, &index[0]);
	each = k_over(k, each, "r", f->rows, &index[1]);
	each = k_over(k, each, "c", columns, &index[2]);
	k_put(k, each, k_element(k, f->queue, index + stays), k_int(k, 0));
	if (s->sums != NULL)
		strip_sums_begin(s);
}

/* All of a line, whose cells are all at hand. */
static void
make_line(const Strip *s)
{
	KKernel *k = s->k;
	const KExpr *step;
	GPtrArray *each;

	strip_load_line(s);
	each = k_over(k, k->body, "t", s->time, &step);
	strip_made_step(s, each, step, k_int(k, 0), NEAR_NONE);
	strip_store_row(s, k->body, k_int(k, 0), TRUE);
}

void
strip_set_chunk(Strip *s, gboolean may_be_none)
{
	s->chunk = chunk_of(s->k, strip_param(s, KP_CELLS_LO, 1), strip_param(s, KP_CELLS_HI, 1),
		strip_param(s, KP_BLOCK, 1), (const char *const[]){ "top", "bottom" }, may_be_none);
}

/* The block's plane, one that what is made once is stored in. */
static void
set_plane(Strip *s)
{
	KKernel *k = s->k;
	const Stage *stored = NULL;

	if (!s->plan->planes)
		return;
	s->plane = k_let(k, k->setup, s->grid->axis[s->axis[2]], k_binary(k, K_ADD,
		strip_param(s, KP_CELLS_LO, 2), strip_param(s, KP_BLOCK, 2)));
	for (int i = 0; i < s->plan->n_stages && s->once; i++)
		if (!s->plan->stages[i].passing)
			stored = s->plan->stages[i].stage;
	for (int end = 0; end < 2 && stored != NULL; end++)
		k_leave(k, k->setup, place_uncomputed(k, s->grid, s->axis[2], stored, end,
			s->plane));
}

gboolean
strip_has_guests(const Plan *plan, const StripShape *s)
{
	return type_info[plan->stage->target->type].bytes > 4
		&& s->fields > plan->n_stages;
}

KKernel *
lower_strip(Arena *arena, const Plan *plan)
{
	Strip s;
	KKernel *k = kir_new(arena, plan);

	strip_set_shape(&s, k, plan);
	k->width = s.loose ? 1 : s.vx;
	k->told_end = s.backs;
	set_plane(&s);
	strip_set_columns(&s, WARP * s.vx - 2 * s.halo);
	if (!s.line)
		strip_set_chunk(&s, TRUE);
	for (int i = 0; i < s.n_fields; i++)
		strip_make_queue(&s, &s.field[i]);
	if (s.loose)
		strip_make_leaving(&s);
	load_profiles(&s);
	if (s.line) {
		make_line(&s);
	} else {
		strip_send_first(&s);
		walk_down(&s);
	}
	if (plan->feed == FEED_ASYNC)
		k_wait(k, k->body, 0);
	strip_release(&s);
	kir_at_once(k);
	return k;
}
