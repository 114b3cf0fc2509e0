/* march_load.c: how what a thread reads gets into its registers. */
#include "kernel/march.h"

#include "analyze/cost.h"

enum {
	ROWS_ASKED = 6,       /* that two vectors each are under way of */
	THREADS_ASKING = 896, /* a processor has 73 registers for each */
	MUCH_ASKED = 26       /* operations of a cell: for a median's 30 nvcc spilled 1516 bytes */
};

/* The multiple of N that is not greater. */
static int
round_down(int value, int n)
{
	return value < 0 ? -((n - 1 - value) / n * n) : value / n * n;
}

static const KExpr *
element(const March *m, const Row *row, int column, const KExpr *cell)
{
	KKernel *k = m->k;
	const KExpr *index[K_MAX_DIMS] = { march_plane(m, row->block, row->plane),
		k_int(k, row->number), k_int(k, column), cell };

	return k_element(k, row->block->tile, index);
}

/* The row's COLUMN is among those to be made. */
static gboolean
is_wanted(const Row *row, int column)
{
	return row->wanted(row->block, row->plane, row->number, column);
}

gboolean
march_may_leave(const March *m, int axis)
{
	return !m->inside || (m->moved && !m->amid && axis == m->x);
}

Way
march_way(const March *m, const KSource *s, int axis, gboolean low, gboolean high, gboolean far)
{
	gboolean may = march_may_leave(m, axis);

	return (Way){ s->field->grid, axis, m->plain ? NULL : s->boundary,
		{ low && may, high && may }, far };
}

/* What columns beyond a face read. */
static EdgeKind
edge_of(const March *m, const KSource *s, int face)
{
	return !march_may_leave(m, m->x) || m->plain || s->boundary == NULL ? EDGE_KEEP
		: s->boundary->kind[m->x][face];
}

/* "row", "row_m1", "row_p2" */
static const char *
distance_name(const March *m, const char *base, int d)
{
	if (d == 0)
		return base;
	return arena_printf(m->k->arena, "%s_%c%d", base, d < 0 ? 'm' : 'p', ABS(d));
}

static const char *
field_name(const March *m, const KSource *s, const char *what, int d)
{
	return distance_name(m, arena_printf(m->k->arena, "%s_%s", s->field->name, what), d);
}

/* Where the plane at distance DZ from that of the cells begins. */
static const KExpr *
plane_start(const March *m, GPtrArray *body, const KSource *s, int dz, const KExpr *z,
	Way *way, const KExpr **q)
{
	const KExpr *start;

	if (m->z < 0 || !(s->field->axes & AXIS_BIT(m->z)))
		return NULL;
	/* by sums a source comes with all planes, also those that only others are read at */
	*way = m->scatter != NULL
		? march_way(m, s, m->z, m->scatter->lo < 0, m->scatter->hi > 0, TRUE)
		: march_way(m, s, m->z, dz < 0, dz > 0, s->strays[m->z][dz > 0]);
	*q = k_let(m->k, body, distance_name(m, m->stage->grid->axis[m->z], dz),
		k_add(m->k, z, dz));
	start = place_offset(m->k, s->field, FALSE, m->z, place_land(m->k, way, *q));
	return k_let(m->k, body, field_name(m, s, "plane", dz), start);
}

/* Where the row at distance P from the thread's first one begins; before the walk. */
static const KExpr *
row_start(const March *m, const KSource *s, int p, Way *way, const KExpr **q)
{
	GPtrArray *body = m->k->setup;
	KKernel *k = m->k;
	const KExpr *start;

	if (m->y < 0 || !(s->field->axes & AXIS_BIT(m->y)))
		return NULL;
	*way = march_way(m, s, m->y, p < 0, p > 0, s->strays[m->y][p > 0]);
	*q = k_add(k, m->y0, p);
	if (p > s->hi[m->y] && !m->inside) /* of a row that may not be there */
		*q = k_binary(k, K_MIN, *q, k_add(k, k_param(k, (KParam){ .kind = KP_CELLS_HI,
			.axis = m->y }), s->hi[m->y] - 1));
	*q = k_let(k, body, distance_name(m, m->stage->grid->axis[m->y], p), *q);
	start = place_offset(k, s->field, FALSE, m->y, place_land(k, way, *q));
	return k_let(k, body, field_name(m, s, "row", p), start);
}

/* The cell that has COLUMN, relative to the thread's first one. */
static int
cell_of(const Block *b, int column)
{
	return round_down(column - b->left, b->apart) / b->apart;
}

/* Which of its columns that is. */
static int
component_of(const Block *b, int column)
{
	return column - march_column(b, cell_of(b, column), 0);
}

/* X and where it lies are found out in NAMES. */
static void
load_named(const March *m, const Row *row, GPtrArray *names, const KExpr *place, const KExpr *x,
	int dx, gboolean low, gboolean high)
{
	const KSource *s = row->block->source;
	Way way = march_way(m, s, m->x, low, high, TRUE);
	const KExpr *at;

	x = k_let(m->k, names, distance_name(m, m->stage->grid->axis[m->x], dx), x);
	at = k_let(m->k, names, field_name(m, s, "column", dx),
		place_offset(m->k, s->field, FALSE, m->x, place_land(m->k, &way, x)));
	k_load(m->k, row->body, place, (KArray){ s->field, s->level, FALSE, FALSE },
		k_add(m->k, place_sum(m->k, row->start, at), row->component), 1);
}

static void
load_one(const March *m, const Row *row, const KExpr *place, const KExpr *x, int dx, gboolean low,
	gboolean high)
{
	load_named(m, row, m->k->setup, place, x, dx, low, high);
}

/* What PLACE, DX beside column X of the thread, reads at constant faces. */
static void
set_edges(const March *m, const Row *row, const KExpr *place, const KExpr *x, int dx)
{
	Way way = march_way(m, row->block->source, m->x, dx < 0, dx > 0, TRUE), ways[IR_MAX_RANK];
	const KExpr *q[IR_MAX_RANK];

	if (place_beyond(m->k, &way, dx > 0, x) != NULL)
		x = k_let(m->k, m->k->setup, distance_name(m, m->stage->grid->axis[m->x], dx), x);
	ways[0] = way;
	q[0] = x;
	for (int w = 0; w < row->n_ways; w++) {
		ways[w + 1] = row->way[w];
		q[w + 1] = row->q[w];
	}
	place_constants(m->k, row->body, row->n_ways + 1, ways, q, place);
}

/* X is beyond the face of S's grid on that SIDE. */
static const KExpr *
beyond(const March *m, const KSource *s, int side, const KExpr *x)
{
	return place_outside(m->k, s->field->grid, m->x, side, x);
}

static void
load_column(const March *m, const Row *row, int column, gboolean low, gboolean high)
{
	int dx = cell_of(row->block, column);
	Row inner = *row;

	inner.component = component_of(row->block, column);
	load_one(m, &inner, element(m, row, column, NULL), k_add(m->k, m->x_load, dx), dx, low,
		high);
}

/* COLUMN of a walk, in a block at the face on that SIDE, the outermost one being OUTER beside the
 * thread's: a walk that holds sums has no registers for what few blocks ask for. */
static void
load_at_face(const March *m, const Row *row, int column, int outer, int side)
{
	int dx = cell_of(row->block, column);
	const KExpr *x = k_keep(m->k, row->fix[side], arena_printf(m->k->arena, "%s_outer",
		m->stage->grid->axis[m->x]), k_add(m->k, m->x_load, outer));
	Row inner = *row;

	inner.body = row->fix[side];
	inner.component = component_of(row->block, column);
	load_named(m, &inner, inner.body, element(m, row, column, NULL), k_add(m->k, x,
		dx - outer), dx, side == 0, side == 1);
}

/* Some cell reads the column, now or when it has gone on in the queue; of a field that is not
 * interleaved that is as good as sure. */
static gboolean
is_asked(const Row *row, int column)
{
	const Block *b = row->block;

	return b->apart == 1 || b->needed[march_place(b, row->plane, row->number, column)]
		|| march_fills_queue(b, row->plane, row->number, column);
}

/* Column COLUMN, and the WIDTH - 1 behind it, all in one vector, which is within
 * the grid or beyond it as a whole. */
static void
load_vector(const March *m, const Row *row, int column, int width)
{
	const Block *b = row->block;
	const KSource *s = b->source;
	KKernel *k = m->k;
	int first = column - b->left; /* where it is what lies in whole vectors of cells */
	int cells = b->apart > 1 ? m->px : width;
	int dx = b->apart > 1 ? round_down(first, b->own) / b->apart : first, outer;
	gboolean low = first < 0, high = first >= b->own, own = !low && !high;
	EdgeKind edge = own ? EDGE_KEEP : edge_of(m, s, high);
	Boundary wraps = { .kind = { { EDGE_KEEP } } };
	Way way = march_way(m, s, m->x, low, high || (own && m->shuffles), TRUE);
	const KExpr *at = k_add(k, m->x_load, dx), *x;

	wraps.kind[m->x][high] = edge == EDGE_WRAP ? EDGE_WRAP : EDGE_KEEP;
	way.boundary = &wraps;
	if (!own)
		at = k_let(k, k->setup, distance_name(m, m->stage->grid->axis[m->x], dx), at);
	if (way.may[1])
		at = k_add(k, at, cells - 1);
	at = place_land(k, &way, at);
	if (way.may[1])
		at = k_add(k, at, 1 - cells);
	if (!row->beyond) {
		at = k_let(k, k->setup, field_name(m, s, "column", dx),
			place_offset(k, s->field, FALSE, m->x, at));
		k_load(k, row->body, element(m, row, column, NULL),
			(KArray){ s->field, s->level, FALSE, FALSE },
			k_add(k, place_sum(k, row->start, at), first - dx * b->apart), width);
		return;
	}
	if (edge == EDGE_KEEP || edge == EDGE_WRAP || edge == EDGE_CONSTANT)
		return;
	outer = b->apart > 1 ? (high ? m->px - 1 + s->hi[m->x] : s->lo[m->x])
		: high ? b->columns - b->left - width : -b->left;
	if (row->fix[high] == NULL) { /* where the outermost of them is */
		x = k_let(k, k->setup, distance_name(m, m->stage->grid->axis[m->x], outer),
			k_add(k, m->x_load, outer));
		row->fix[high] = k_if(k, row->body, k_let(k, k->setup, "beyond",
			beyond(m, s, high, x)));
	}
	for (int i = 0; i < width; i++) {
		Row inner = *row;

		inner.body = row->fix[high];
		if (!is_asked(row, column + i))
			continue;
		if (m->scatter != NULL && m->y < 0)
			load_at_face(m, row, column + i, outer, high);
		else
			load_column(m, &inner, column + i, low, high);
	}
}

/* X, or the last column that a computed cell reads. */
static const KExpr *
not_past(const March *m, const KExpr *x, int reach)
{
	if (m->inside || m->laps)
		return x;
	return k_binary(m->k, K_MIN, x, k_add(m->k, k_param(m->k, (KParam){
		.kind = KP_CELLS_HI, .axis = m->x }), reach - 1));
}

/* Columns FIRST to LAST as vectors of at most WIDTH. */
static void
load_columns(const March *m, const Row *row, int first, int last, int width)
{
	const Block *b = row->block;

	for (int c = first; c <= last; c += width) {
		if (width > 1)
			load_vector(m, row, c, width);
		else
			load_column(m, row, c, c < b->left, c >= b->left + b->own || m->shuffles);
	}
}

/* A thread's own columns, all of which are there, as vectors that lie anywhere. */
static void
load_anywhere(const March *m, const Row *row, int width)
{
	const KSource *s = row->block->source;
	KKernel *k = m->k;

	for (int i = 0; i < m->px; i += width) {
		const KExpr *at = k_let(k, k->setup, field_name(m, s, "column", i),
			place_offset(k, s->field, FALSE, m->x, k_add(k, m->x0, i)));

		k_load(k, row->body, element(m, row, row->block->left + i, NULL),
			(KArray){ s->field, s->level, FALSE, FALSE },
			place_sum(k, row->start, at), width);
		kir_last(row->body)->anywhere = TRUE;
		kir_last(row->body)->ends = !m->inside;
	}
}

/* Rows that are loaded once and have columns beside a thread's own come with these.  Those
 * beyond the grid are loaded again, by the threads that have them. */
static gboolean
comes_around(const March *m, const Block *b)
{
	return m->moved && march_stands(m, b) && b->columns > m->px
		&& place_is_dense(b->source->field, m->x)
		&& type_info[b->source->field->type].bytes < WORD_BYTES;
}

/* They come as two vectors each, all before one is looked at: a thread's own cells are one.  Of
 * what the last lane does not get, its last cell alone is made: no other lane stores that. */
static gboolean
comes_asked(const March *m, const Block *b)
{
	int bytes = type_info[b->source->field->type].bytes, rows = 0;

	for (guint i = 0; i < m->sources->len; i++)
		if (comes_around(m, &m->blocks[i]))
			rows += m->blocks[i].rows;
	return rows <= ROWS_ASKED && m->px * bytes == VECTOR_BYTES
		&& b->columns <= m->px + 2;
}

static int
operations_of_cell(const March *m)
{
	int operations = 0;

	for (int i = 0; i < m->plan->n_stages; i++) {
		const Cost cost = cost_of(m->plan->stages[i].stage);

		operations += cost_all(cost.ops);
	}
	return operations;
}

/* Whether all rows, those that come once beside those that come as two vectors, and what cells make
 * of them leave so many blocks their registers. */
static gboolean
leaves_blocks(const March *m)
{
	int vectors = 0;

	for (guint i = 0; i < m->sources->len; i++)
		vectors += m->blocks[i].rows * (comes_around(m, &m->blocks[i]) ? 2 : 1);
	return vectors <= 2 * ROWS_ASKED && operations_of_cell(m) <= MUCH_ASKED;
}

/* A thread's cells are one vector of every target. */
static gboolean
stores_stretches(const March *m)
{
	for (int i = 0; i < m->plan->n_stages; i++)
		if (m->px * type_info[m->parts[i].stage->target->type].bytes > VECTOR_BYTES)
			return FALSE;
	return TRUE;
}

/* What the lane behind has of a row, the last lane has to load, if it stores what that is for:
 * where blocks lap each other, the one beside does. */
static const KExpr *
none_behind(const March *m)
{
	KKernel *k = m->k;
	const KExpr *lane = k_param(k, (KParam){ .kind = KP_LANE });
	const KExpr *last = k_binary(k, K_GE, lane, k_int(k, WARP - 1));

	return m->row_ends != NULL && stores_stretches(m) ? k_and(k, m->row_ends, last) : last;
}

static void
load_around(const March *m, const Row *row)
{
	const Block *b = row->block;
	const KSource *s = b->source;
	const gboolean asked = comes_asked(m, b), lacks = asked && b->columns > m->px + 1;
	KKernel *k = m->k;
	KStmt *load;

	if (!row->beyond) {
		k_load(k, row->body, element(m, row, 0, NULL),
			(KArray){ s->field, s->level, FALSE, FALSE }, place_sum(k, row->start,
			k_let(k, k->setup, field_name(m, s, "around", -b->left), place_offset(k,
			s->field, FALSE, m->x, k_add(k, m->x_load, -b->left)))), b->columns);
		load = kir_last(row->body);
		load->anywhere = load->around = TRUE;
		load->asked = asked;
		if (asked && leaves_blocks(m))
			k->blocks = THREADS_ASKING / plan_threads(m->plan);
		return;
	}
	for (int c = 0; c < b->columns; c++) {
		int dx = c - b->left;
		gboolean low = dx < 0, high = dx >= m->px, behind = asked && c > m->px;
		EdgeKind edge = edge_of(m, s, high);
		Row inner = *row;

		if (!behind && ((!low && !high) || edge == EDGE_KEEP || edge == EDGE_CONSTANT))
			continue;
		if (row->fix[!low] == NULL) /* a row ends with its last lane */
			row->fix[!low] = k_if(k, row->body, lacks && !low
				? k_let(k, k->setup, "alone", none_behind(m))
				: k_let(k, k->setup, "beyond", beyond(m, s, high, k_add(k,
				m->x_load, high ? b->columns - b->left - 1 : -b->left))));
		inner.body = row->fix[!low];
		load_one(m, &inner, element(m, row, c, NULL), k_add(k, m->x_load, dx), dx, low,
			high);
	}
}

/* The lane DISTANCE away, around the warp. */
static const KExpr *
lane_at(const March *m, int distance)
{
	return k_lane(m->k, distance_name(m, "lane", distance), m->lane, distance);
}

const KExpr *
march_no_lane(const March *m, int distance, const KExpr *out)
{
	KKernel *k = m->k;
	const KExpr *test = distance < 0 ? k_binary(k, K_LT, m->lane, k_int(k, -distance))
		: k_binary(k, K_GE, m->lane, k_int(k, WARP - distance));

	if (out != NULL)
		test = k_binary(k, K_OR, test, out);
	return k_let(k, k->setup, distance < 0 ? "leftmost" : "rightmost", test);
}

/* A column on SIDE (0: before, 1: behind) may lie beyond a face that gives it a
 * value; NULL: no such face. */
static const KExpr *
out_of_grid(const March *m, const KSource *s, int side, const KExpr *x)
{
	return edge_of(m, s, side) == EDGE_KEEP ? NULL : beyond(m, s, side, x);
}

/* Columns FIRST to LAST beside a thread's own, from the lanes beside it; those at
 * the ends of the warp and of the grid load. */
static void
shuffle_columns(const March *m, const Row *row, int first, int last, int width)
{
	const Block *b = row->block;
	KKernel *k = m->k;
	int side = first >= b->left, outer = (side ? last : first) - b->left;
	int lanes = side ? outer / m->px : -((-outer + m->px - 1) / m->px);
	const KExpr *ends = march_no_lane(m, lanes, out_of_grid(m, b->source, side,
		k_add(k, m->x_load, outer)));
	GPtrArray *fix[2] = { NULL, NULL };
	Row inner = *row;

	if (row->turn == TURN_ENDS) {
		inner.body = k_if(k, row->body, ends);
		load_columns(m, &inner, first, last, width);
		inner.fix = fix;
		inner.beyond = TRUE;
		if (width > 1)
			load_columns(m, &inner, first, last, width);
		return;
	}
	for (int c = first; c <= last; c++) {
		int dx = c - b->left, away = dx < 0 ? -((-dx + m->px - 1) / m->px) : dx / m->px;
		const KExpr *place = element(m, row, c, NULL), *value = k_shuffle(k,
			element(m, row, b->left + dx - away * m->px, NULL),
			lane_at(m, away));

		value = k_let(k, row->body, "beside", value);
		k_put(k, row->body, place, k_select(k, ends, place, value));
	}
}

/* What a column reads at constant faces. */
static void
set_column(const March *m, const Row *row, int column, gboolean own)
{
	int dx = cell_of(row->block, column);

	if (is_asked(row, column))
		set_edges(m, row, element(m, row, column, NULL), k_add(m->k, m->x_load, dx),
			own ? 0 : dx);
}

static void
load_row_vectors(const March *m, const Row *row)
{
	const Block *b = row->block;
	const struct { int first, n; } part[] = {
		{ 0, b->left }, { b->left, b->own },
		{ b->left + b->own, b->columns - b->left - b->own },
	};
	int width = b->apart > 1 || place_is_dense(b->source->field, m->x)
		? march_vector(m, b->source->field) : 1;

	if (row->turn == TURN_LOADS && comes_around(m, b)) {
		load_around(m, row);
		return;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(part); i++) {
		int group = MIN(width, part[i].n), last = part[i].first + part[i].n - 1;
		gboolean any = FALSE, lanes = i != 1 && b->shuffles;
		gboolean own = i == 1 && m->anywhere;

		for (int c = part[i].first; c <= last; c++)
			any = any || is_wanted(row, c);
		if (m->anywhere && i != 1)
			group = 1;
		if (!any || (row->beyond && (i == 1 || group == 1)))
			continue;
		if (row->turn == TURN_EDGES)
			for (int c = part[i].first; c <= last; c++)
				set_column(m, row, c, i == 1);
		else if (lanes && row->turn != TURN_LOADS)
			shuffle_columns(m, row, part[i].first, last, group);
		else if (own && row->turn == TURN_LOADS)
			load_anywhere(m, row, group);
		else if (!lanes && row->turn == TURN_LOADS)
			load_columns(m, row, part[i].first, last, group);
	}
}

/* Where cell I of a thread loads, its cells lying apart. */
static const KExpr *
cell_column(const March *m, const KSource *s, int i)
{
	KKernel *k = m->k;
	const KExpr *x = k_add(k, m->x0, i * m->step);
	int reach = m->shuffles ? march_reach(s, m->x, TRUE) : 0;

	if (i == 0 && !m->shuffles)
		return x;
	return k_let(k, k->setup, arena_printf(k->arena, "x%d", i), not_past(m, x, reach));
}

static void
load_cell(const March *m, const Row *row, int c, int i)
{
	const KSource *s = row->block->source;
	const KExpr *place = element(m, row, c, k_int(m->k, i));
	int dx = c + march_reach(s, m->x, FALSE);

	if (m->laps)
		march_lap_load(m, row, place, i, dx);
	else
		load_one(m, row, place, k_add(m->k, cell_column(m, s, i), dx), dx, dx < 0,
			dx > 0 || m->shuffles);
}

/* Column C of cell I's: in another lane, of the same turn or the next one. */
static void
shuffle_cell(const March *m, const Row *row, int c, int i)
{
	const KSource *s = row->block->source;
	KKernel *k = m->k;
	int low = march_reach(s, m->x, FALSE), dx = c + low, next = i + (dx < 0 ? -1 : 1);
	gboolean chained = next >= 0 && next < m->px;
	const KExpr *lane = lane_at(m, dx), *wraps = march_no_lane(m, dx, NULL), *ends, *value;
	const KExpr *place = element(m, row, c, k_int(k, i));
	Row inner = *row;

	ends = m->laps ? NULL : out_of_grid(m, s, dx > 0, k_add(k, cell_column(m, s, i),
		dx));
	if (!chained)
		ends = march_no_lane(m, dx, ends);
	else if (ends != NULL)
		ends = k_let(k, k->setup, "beyond", ends);
	if (row->turn == TURN_ENDS) {
		if (ends == NULL)
			return;
		inner.body = k_if(k, row->body, ends);
		load_cell(m, &inner, c, i);
		return;
	}
	value = k_let(k, row->body, "beside", k_shuffle(k, element(m, row, -low,
		k_int(k, i)), lane));
	if (chained)
		value = k_select(k, wraps, k_let(k, row->body, "beside", k_shuffle(k,
			element(m, row, -low, k_int(k, next)), lane)), value);
	k_put(k, row->body, place, ends != NULL ? k_select(k, ends, place, value) : value);
}

/* The first and the last lanes of a warp load what lies beside its cells. */
static void
load_ends(const March *m, const Row *row)
{
	const Block *b = row->block;
	int own = -march_reach(b->source, m->x, FALSE), last = b->columns - 1 - own;

	for (int d = 1; d <= MAX(own, last); d++) {
		const KExpr *place[2] = { NULL, NULL };

		for (int side = 0; side < 2; side++) {
			int c = side ? own + d : own - d;

			if (d <= (side ? last : own) && is_wanted(row, c))
				place[side] = element(m, row, c, k_int(m->k, side ? m->px - 1
					: 0));
		}
		if (place[0] != NULL || place[1] != NULL)
			march_lap_ends(m, row, d, place[0], place[1]);
	}
}

static void
load_row_cells(const March *m, const Row *row)
{
	const Block *b = row->block;
	const Turn turn = row->turn;
	int own = -march_reach(b->source, m->x, FALSE);

	if (m->laps && b->shuffles && turn == TURN_ENDS) {
		load_ends(m, row);
		return;
	}
	for (int c = 0; c < b->columns; c++)
		for (int i = 0; i < m->px && is_wanted(row, c); i++) {
			gboolean lanes = c != own && b->shuffles;
			gboolean passed = m->laps && lanes && i != (c < own ? 0 : m->px - 1);

			if (turn == TURN_EDGES && !passed)
				set_edges(m, row, element(m, row, c, k_int(m->k, i)),
					k_add(m->k, cell_column(m, b->source, i), c - own),
					m->laps && march_lap_within(m, i, c - own) ? 0 : c - own);
			else if (lanes && (turn == TURN_ENDS || turn == TURN_LANES))
				shuffle_cell(m, row, c, i);
			else if (!lanes && turn == TURN_LOADS)
				load_cell(m, row, c, i);
		}
}

/* Those of the plane that Z is of the cells: ROW with what is common to all of its rows. */
static void
load_rows(const March *m, Row row, const KExpr *z)
{
	const Block *b = row.block;
	const KSource *s = b->source;
	gboolean started = FALSE;
	GPtrArray *fix[2] = { NULL, NULL };

	row.fix = fix;
	for (row.number = 0; row.number < b->rows; row.number++) {
		int n = 0;
		gboolean any = FALSE;
		const KExpr *at;

		for (int c = 0; c < b->columns; c++)
			any = any || is_wanted(&row, c);
		if (!any)
			continue;
		at = row_start(m, s, row.number + march_reach(s, m->y, FALSE), &row.way[n],
			&row.q[n]);
		if (at != NULL)
			n++;
		if (!started)
			row.origin = plane_start(m, row.body, s, row.plane
				+ march_reach(s, m->z, FALSE), z, &row.way[IR_MAX_RANK - 1],
				&row.q[IR_MAX_RANK - 1]);
		started = TRUE;
		if (row.origin != NULL) {
			row.way[n] = row.way[IR_MAX_RANK - 1];
			row.q[n] = row.q[IR_MAX_RANK - 1];
			n++;
		}
		row.n_ways = n;
		row.line = place_sum(m->k, at, place_component(m->k, s->field, FALSE,
			s->component));
		row.start = place_sum(m->k, row.origin, row.line);
		(m->deals ? march_deal_row : m->vector ? load_row_vectors : load_row_cells)(m,
			&row);
	}
}

/* What lies beyond a face comes in one branch for all rows. */
void
march_load_plane(const March *m, GPtrArray *body, const KExpr *z, const Block *b, int plane,
	MarchWanted *wanted, Turn turn)
{
	Row row = { .block = b, .plane = plane, .wanted = wanted, .turn = turn, .body = body };

	load_rows(m, row, z);
	row.beyond = TRUE;
	if (m->vector && !m->deals && turn == TURN_LOADS)
		load_rows(m, row, z);
}

gboolean
march_fills_queue(const Block *b, int plane, int row, int column)
{
	int first, last;

	return b->kept[march_place(b, 0, row, column)] && march_span(b, row, column, &first, &last)
		&& plane >= first && plane < last;
}

gboolean
march_comes_in(const Block *b, int plane, int row, int column)
{
	int first, last;

	if (!b->needed[march_place(b, plane, row, column)])
		return FALSE;
	return !b->kept[march_place(b, 0, row, column)]
		|| (march_span(b, row, column, &first, &last) && plane == last);
}

