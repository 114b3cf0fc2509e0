/* march_edges.c: which blocks ask where the grid ends.
 *
 * guard: all of them, cell by cell. split: those that reach an edge; the others run by a text
 * of their own, which knows of none. overwrite: no block asks what is beyond the grid, nor
 * which cells keep what they were, and those that reach there then compute all of theirs once
 * more.
 *
 * Where blocks lap each other, all are guarded.  Vectors of rows that begin anywhere are split
 * whatever the plan says.  A block that a row ends in is moved to end there, too, and computes
 * cells of the block before once more.  Where that can not be, and at the first and the last
 * rows, a thread at the end of a row has vectors, too: it takes cells of the thread before with
 * its own, and does not store them.  Where there is no such, or these must not be read any more,
 * it takes its own one by one.
 */
#include "base/round.h"
#include "kernel/march.h"

/* The first cell of the block along the plan's axis NUMBER. */
static const KExpr *
block_start(const March *m, int number)
{
	KKernel *k = m->k;

	return k_let(k, k->setup, arena_printf(k->arena, "%s_block",
		m->stage->grid->axis[m->plan->axis[number]]), march_block_start(m, number));
}

/* Cells that threads load of B beside a block's own, below or above, along AXIS. */
static int
loaded_beside(const March *m, const Block *b, int axis, int face)
{
	if (axis == m->z && m->scatter != NULL) /* sources come with all planes */
		return face == 0 ? -m->scatter->lo : m->scatter->hi;
	if (axis != m->x || !m->vector)
		return face == 0 ? -march_reach(b->source, axis, FALSE)
			: march_reach(b->source, axis, TRUE);
	return DIV_UP(face == 0 ? b->left : b->columns - b->left - b->own, b->apart);
}

/* All that is loaded around the block of cells from FIRST to END along AXIS is in the grid, and
 * BESIDE more. */
static const KExpr *
reads_inside(const March *m, int axis, const KExpr *first, const KExpr *end, int beside)
{
	KKernel *k = m->k;
	const KExpr *test = NULL;

	for (guint i = 0; i < m->sources->len; i++) {
		const Block *b = &m->blocks[i];
		const Field *f = b->source->field;
		KParam lo = { .kind = KP_FIRST, .axis = axis, .grid = f->grid }, hi = lo;
		int below = loaded_beside(m, b, axis, 0) + beside;
		int above = loaded_beside(m, b, axis, 1) + beside;

		hi.kind = KP_LAST;
		if (!(f->axes & AXIS_BIT(axis)))
			continue;
		if (below > 0)
			test = k_and(k, test, k_binary(k, K_GE, k_add(k, first, -below),
				k_param(k, lo)));
		if (above > 0)
			test = k_and(k, test, k_binary(k, K_GE, k_param(k, hi), k_add(k, end,
				above - 1)));
	}
	return test;
}

/* Both read the same axis A of a grid, which may be left, in steps that are the same. */
static gboolean
goes_along(const Expr *tap, const Expr *other, int a)
{
	const AxisMap *m = &tap->tap.map[a], *n = &other->tap.map[a];

	return other->tap.boundary != NULL && other->tap.field->grid == tap->tap.field->grid
		&& (other->tap.field->axes & AXIS_BIT(a)) && n->axis == m->axis
		&& n->scale == m->scale && n->divide == m->divide;
}

static gint64
distance(const AxisMap *m)
{
	return (gint64)m->divide * m->offset + m->shift;
}

/* Of the far taps none that goes along with number N is further out; the first of equal ones. */
static gboolean
is_outermost(const GPtrArray *far, guint n, int a, int face)
{
	const Expr *tap = g_ptr_array_index(far, n);
	const gint64 at = distance(&tap->tap.map[a]);

	for (guint i = 0; i < far->len; i++) {
		const Expr *by = g_ptr_array_index(far, i);
		const gint64 other = distance(&by->tap.map[a]);

		if (i == n || !goes_along(tap, by, a))
			continue;
		if (face == 0 ? other < at : other > at)
			return FALSE;
		if (other == at && i < n)
			return FALSE;
	}
	return TRUE;
}

/* Likewise of the taps that are no block's, whose places are in the order of the cells'. */
static const KExpr *
far_inside(const March *m, const GPtrArray *far, int axis, const KExpr *first, const KExpr *end)
{
	KKernel *k = m->k;
	const KExpr *last = k_add(k, end, -1), *test = NULL;

	for (guint i = 0; i < far->len; i++) {
		const Expr *tap = g_ptr_array_index(far, i);
		const Field *f = tap->tap.field;

		for (int a = 0; a < f->grid->rank && tap->tap.boundary != NULL; a++) {
			const AxisMap *map = &tap->tap.map[a];
			KParam lo = { .kind = KP_FIRST, .axis = a, .grid = f->grid }, hi = lo;

			hi.kind = KP_LAST;
			if (!(f->axes & AXIS_BIT(a)) || map->axis != axis)
				continue;
			if (is_outermost(far, i, a, 0))
				test = k_and(k, test, k_binary(k, K_GE,
					place_mapped(k, map, first), k_param(k, lo)));
			if (is_outermost(far, i, a, 1))
				test = k_and(k, test, k_binary(k, K_GE, k_param(k, hi),
					place_mapped(k, map, last)));
		}
	}
	return test;
}

/* All its cells are there, and computed by all stages. */
static const KExpr *
stores_inside(const March *m, int axis, const KExpr *first, const KExpr *end)
{
	KKernel *k = m->k;
	const KExpr *test;
	int moved = m->anywhere && axis == m->x ? m->px - 1 : 0; /* with the last vector */

	test = k_binary(k, K_GE, k_param(k, (KParam){ .kind = KP_CELLS_HI, .axis = axis }),
		k_add(k, end, moved));
	for (int i = 0; i < m->plan->n_stages; i++) {
		const Part *part = &m->parts[i];
		KParam lo = { .kind = KP_REGION_LO, .axis = axis }, hi = lo;

		lo.stage = hi.stage = part->bounds != m->stage ? part->bounds : NULL;
		hi.kind = KP_REGION_HI;
		if (march_is_partial(part->stage, axis, 0))
			test = k_and(k, test, k_binary(k, K_GE, first, k_param(k, lo)));
		if (march_is_partial(part->stage, axis, 1))
			test = k_and(k, test, k_binary(k, K_GE, k_param(k, hi), end));
	}
	return test;
}

/* The axis that rows follow one another along: a row has another behind it, and one before. */
static int
rows_axis(const March *m)
{
	return m->y >= 0 ? m->y : m->z;
}

/* Where the cells of a row end that are stored. */
static const KExpr *
row_end(const March *m, int side)
{
	const KParam cells = { .kind = side ? KP_CELLS_HI : KP_CELLS_LO, .axis = m->x };
	const KParam region = { .kind = side ? KP_REGION_HI : KP_REGION_LO, .axis = m->x };

	return k_param(m->k, march_is_partial(m->stage, m->x, side) && !march_fills(m->stage)
		? region : cells);
}

/* What is written of a row are cells that are computed. */
static const KExpr *
computes_rows(const March *m)
{
	KKernel *k = m->k;
	const KExpr *test = NULL;

	for (int i = 0; i < m->plan->n_stages; i++) {
		const Part *part = &m->parts[i];

		if (!march_fills(part->stage))
			continue;
		test = k_and(k, test, march_within(m, part, m->x, row_end(m, 0)));
		test = k_and(k, test, march_within(m, part, m->x, k_add(k, row_end(m, 1), -1)));
	}
	return test;
}

/* Cells from one block of SPAN to the next.  If a row's blocks have that many more than it has,
 * they lap each other by a vector: what is left at the ends of a stretch, the block beside has
 * in a whole vector. */
static const KExpr *
blocks_apart(const March *m, int span)
{
	KKernel *k = m->k;
	const KExpr *n = k_binary(k, K_SUB, row_end(m, 1), row_end(m, 0)), *laps;

	if (m->plan->threads[0] != WARP) /* warps of a block do not lap each other */
		return k_int(k, span);
	laps = k_binary(k, K_MUL, k_binary(k, K_DIV, k_add(k, n, -1), k_int(k, span)),
		k_int(k, span - m->px));
	return k_let(k, k->setup, "apart", k_select(k, k_binary(k, K_GE, laps, k_add(k, n,
		-span)), k_int(k, span - m->px), k_int(k, span)));
}

/* Where the last block of a row begins: it ends with it, but for cells that are no whole period.
 * Of a row that is shorter than a block that is no matter. */
static const KExpr *
last_first(const March *m)
{
	KKernel *k = m->k;
	const Phase *of = &m->phase[m->x];
	const KExpr *last = k_add(k, row_end(m, 1), -m->plan->threads[0] * m->px);

	if (of->period == 1)
		return last;
	return k_let(k, k->setup, arena_printf(k->arena, "%s_last", m->stage->grid->axis[m->x]),
		k_binary(k, K_SUB, last, k_binary(k, K_REM, k_binary(k, K_MAX, k_add(k, last,
		-of->residue), k_int(k, 0)), k_int(k, of->period))));
}

/* The first cells of all threads have the residue that is counted on; NULL: it is so. */
static const KExpr *
all_in_phase(const March *m)
{
	const KExpr *test = NULL;
	KKernel *k = m->k;

	for (int i = 0; i < m->plan->n_axes; i++) {
		const int axis = m->plan->axis[i];
		const Phase *of = &m->phase[axis];
		const KExpr *first = k_param(k, (KParam){ .kind = KP_CELLS_LO, .axis = axis });

		if (of->period == 1 || (axis == m->x && !m->anywhere))
			continue; /* vectors begin where rows do */
		test = k_and(k, test, k_equal(k, k_binary(k, K_REM, first, k_int(k, of->period)),
			k_int(k, of->residue)));
	}
	return test;
}

/* Those of all stages. */
static GPtrArray *
all_far(const March *m)
{
	GPtrArray *all = g_ptr_array_new();

	for (int i = 0; i < m->plan->n_stages; i++)
		for (guint t = 0; t < m->parts[i].far->len; t++) {
			gpointer tap = g_ptr_array_index(m->parts[i].far, t);

			if (march_far_is_first(m, &m->parts[i], tap))
				g_ptr_array_add(all, tap);
		}
	return all;
}

/* The same for all threads of a block.  MOVED: wherever it begins in its rows. */
static const KExpr *
is_inside(const March *m, gboolean moved)
{
	const Plan *plan = m->plan;
	GPtrArray *far = all_far(m);
	KKernel *k = m->k;
	const KExpr *test = NULL;

	for (int i = 0; i < plan->n_axes; i++) {
		const int axis = plan->axis[i];
		const KExpr *first = block_start(m, i), *span = march_block_span(m, i);
		const KExpr *end = k_binary(k, K_ADD, first, span);

		if (moved && axis == m->x) {
			test = k_and(k, test, k_binary(k, K_GE, k_binary(k, K_SUB, row_end(m, 1),
				span), row_end(m, 0)));
			test = k_and(k, test, computes_rows(m));
			continue;
		}
		test = k_and(k, test, reads_inside(m, axis, first, end, moved
			&& axis == rows_axis(m)));
		test = k_and(k, test, far_inside(m, far, axis, first, end));
		test = k_and(k, test, stores_inside(m, axis, first, end));
	}
	g_ptr_array_unref(far);
	return k_let(m->k, m->k->setup, "is_inside", test);
}

/* A walk of its own in LIST. */
static void
walk_in(const March *like, GPtrArray *list, gboolean inside)
{
	March m = *like;
	KKernel *k = m.k;
	GPtrArray *body = k->body, *before = k_begin_setup(k);

	m.common = before;
	m.inside = inside;
	march_gather(&m);
	k->body = list;
	march_walk(&m);
	k->body = body;
	k_end_setup(k, list, before);
	march_free(&m);
}

gboolean
march_may_share(const March *m)
{
	for (int i = 0; i < m->plan->n_stages; i++) {
		const Part *part = &m->parts[i];
		const Field *to = part->stage->target;

		for (guint n = 0; n < m->sources->len; n++) {
			const KSource *s = g_ptr_array_index(m->sources, n);

			if (s->field == to && s->level == part->stage->level)
				return FALSE;
		}
		for (guint n = 0; n < part->far->len; n++) {
			const Expr *tap = g_ptr_array_index(part->far, n);

			if (tap->tap.field == to && tap->tap.level == part->stage->level)
				return FALSE;
		}
	}
	return TRUE;
}

/* Unless the caller's box says otherwise, the row's cells are all computed. */
static gboolean
computes_whole_rows(const Stage *s, int x)
{
	return (!march_is_partial(s, x, 0) || s->region.lo[x]->kind == BOUND_BOX_LO)
		&& (!march_is_partial(s, x, 1) || s->region.hi[x]->kind == BOUND_BOX_HI);
}

/* The vectors around that are read with the last ones of a row are then in memory, as the row
 * is not the last one; and nothing is written but what is computed. */
gboolean
march_may_move(const March *m)
{
	int rows = rows_axis(m);

	if (!m->anywhere || m->plan->threads[0] % WARP != 0 || rows < 0 || !march_may_share(m))
		return FALSE;
	for (guint n = 0; n < m->sources->len; n++) {
		const KSource *s = g_ptr_array_index(m->sources, n);

		if (!(s->field->axes & AXIS_BIT(rows)))
			return FALSE;
	}
	return !march_fills(m->stage) || computes_whole_rows(m->stage, m->x);
}

/* The thread's cells in LIST, one after another: of each row N. */
static void
walk_cells(const March *like, GPtrArray *list, int n)
{
	March m = *like;
	KKernel *k = m.k;
	int axes[] = { m.x, m.y };
	const KExpr **first[] = { &m.x0, &m.y0 };

	for (int i = (int)G_N_ELEMENTS(axes); i-- > 0;) {
		KParam hi = { .kind = KP_CELLS_HI, .axis = axes[i] };

		if (axes[i] < 0)
			continue;
		list = k_walk(k, list, m.stage->grid->axis[axes[i]], *first[i], k_binary(k, K_MIN,
			k_add(k, *first[i], i == 0 ? n : m.py), k_param(k, hi)), first[i]);
	}
	m.x_load = m.x0;
	m.vector = m.anywhere = m.phased = FALSE;
	m.single = TRUE;
	walk_in(&m, list, FALSE);
}

/* What is left behind the LAST block of a row, whose FIRST cell is known: its last threads'. */
static void
walk_rest(const March *like, GPtrArray *list, const KExpr *first, const KExpr *last)
{
	March m = *like;
	KKernel *k = m.k;
	const KExpr *thread = k_param(k, (KParam){ .kind = KP_THREAD, .axis = 0 });
	const int n = m.plan->threads[0];

	m.x0 = k_add(k, last, n * m.px);
	walk_cells(&m, k_if(k, list, k_and(k, k_binary(k, K_GE, first, last), k_binary(k, K_GE,
		thread, k_int(k, n - 1)))), m.phase[m.x].period - 1);
}

/* What a block of N cells from FIRST on reads of other grids along x is there; NULL: it reads none,
 * or all is there. */
static const KExpr *
reads_amid(const March *m, const KExpr *first, int n)
{
	GPtrArray *far = all_far(m);
	const KExpr *end = k_add(m->k, first, n), *test = far_inside(m, far, m->x, first, end);

	g_ptr_array_unref(far);
	return test == NULL ? NULL : k_and(m->k, test, reads_inside(m, m->x, first, end, 0));
}

/* Blocks that are moved, in LIST. */
static void
walk_moved(const March *like, GPtrArray *list)
{
	March m = *like;
	KKernel *k = m.k;
	const char *x = m.stage->grid->axis[m.x];
	int span = m.plan->threads[0] * m.px;
	const KExpr *apart = blocks_apart(&m, span), *lo = row_end(&m, 0), *first;
	const KExpr *last = last_first(&m), *amid;

	first = k_let(k, k->setup, arena_printf(k->arena, "%s_first", x), k_binary(k, K_MIN,
		k_binary(k, K_ADD, lo, k_binary(k, K_MUL, k_param(k, (KParam){ .kind = KP_BLOCK,
		.axis = 0 }), apart)), last));
	m.moved = TRUE;
	if (apart->op != K_INT)
		m.row_ends = k_let(k, k->setup, "ends", k_binary(k, K_OR, k_binary(k, K_OR,
			k_binary(k, K_GE, apart, k_int(k, span)), k_binary(k, K_GE, lo, first)),
			k_binary(k, K_GE, first, last)));
	m.x0 = m.x_load = k_let(k, k->setup, arena_printf(k->arena, "%s_there", x),
		k_binary(k, K_ADD, first, march_thread_start(&m, 0)));
	amid = reads_amid(&m, first, span);
	if (amid != NULL) {
		March far = m;

		far.amid = TRUE;
		amid = k_let(k, list, "amid", amid);
		walk_in(&far, k_if(k, list, amid), TRUE);
		walk_in(&m, k_else(k, list), TRUE);
	} else {
		walk_in(&m, list, TRUE);
	}
	if (m.phase[m.x].period > 1)
		walk_rest(like, list, first, last);
}

/* What may reach an edge of rows that begin anywhere, in LIST. */
static void
walk_ends(const March *like, GPtrArray *list)
{
	March m = *like;
	KKernel *k = m.k;
	const KExpr *lo = k_param(k, (KParam){ .kind = KP_CELLS_LO, .axis = m.x });
	const KExpr *hi = k_param(k, (KParam){ .kind = KP_CELLS_HI, .axis = m.x });
	/* the last thread's cells would begin at any residue */
	gboolean shares = march_may_share(&m) && m.phase[m.x].period == 1;
	GPtrArray *vectors;

	if (shares) {
		m.x_own = m.x0;
		m.x0 = m.x_load = k_let(k, list, arena_printf(k->arena, "%s_there",
			m.stage->grid->axis[m.x]), k_binary(k, K_MIN, m.x0, k_add(k, hi, -m.px)));
	}
	vectors = k_if(k, list, k_binary(k, K_GE, hi, k_add(k, shares ? lo : m.x0, m.px)));
	walk_cells(like, k_else(k, list), like->px);
	walk_in(&m, vectors, FALSE);
}

static void
leave_row(const March *m, GPtrArray *list)
{
	k_leave(m->k, list, k_binary(m->k, K_GE, m->x0, k_param(m->k, (KParam){
		.kind = KP_CELLS_HI, .axis = m->x })));
}

/* Blocks inside, and others; where cells have not the residues that are counted on, they come
 * one by one. */
static void
split_edges(March *m, gboolean moves)
{
	KKernel *k = m->k;
	const KExpr *phased = all_in_phase(m);
	GPtrArray *all = k->body, *list;

	if (phased != NULL) {
		all = k_if(k, k->body, k_let(k, k->setup, "in_phase", phased));
		walk_cells(m, k_else(k, k->body), m->px);
	}
	m->phased = TRUE;
	list = k_if(k, all, is_inside(m, moves));
	if (moves)
		walk_moved(m, list);
	else
		walk_in(m, list, TRUE);
	list = k_else(k, all);
	if (moves)
		leave_row(m, list);
	if (m->anywhere)
		walk_ends(m, list);
	else
		walk_in(m, list, FALSE);
}

void
march_edges(const March *m)
{
	KKernel *k = m->k;
	March only = *m;
	Edges edges = m->plan->edges;
	gboolean moves = march_may_move(m);
	const KExpr *inside;

	if (m->anywhere && m->plan->threads[0] % WARP != 0) {
		walk_ends(m, k->body);
		return;
	}
	if (m->anywhere) /* where warps that are whole put their vectors together */
		edges = EDGES_SPLIT;
	if (m->laps) /* no block may store what another one has made right */
		edges = EDGES_GUARD;
	if (edges == EDGES_GUARD) {
		march_walk(&only);
		return;
	}
	if (edges == EDGES_SPLIT) {
		split_edges(&only, moves);
		return;
	}
	inside = is_inside(m, moves);
	only.plain = TRUE;
	march_walk(&only);
	walk_in(m, k_if(k, k->body, k_not(k, inside)), FALSE);
}

/* ---- what can be computed once more ---- */

static gboolean
has_edges(const March *m, const KSource *s)
{
	for (int a = 0; a < m->stage->grid->rank; a++)
		if (source_leaves(s, a))
			return TRUE;
	return FALSE;
}

const char *
march_overwrite_refuses(const Plan *plan)
{
	Arena *arena = arena_new();
	March m = { .stage = plan->stage, .plan = plan, .vector = TRUE };
	gboolean edges = FALSE;

	m.k = kir_new(arena, plan);
	march_gather(&m);
	for (guint i = 0; i < m.sources->len; i++)
		edges = edges || has_edges(&m, g_ptr_array_index(m.sources, i));
	for (int i = 0; i < plan->n_stages; i++)
		edges = edges || !march_is_whole(plan->stages[i].stage);
	march_free(&m);
	kir_free(m.k);
	arena_free(arena);
	return edges ? NULL : "nothing is read beyond the grid, and all cells are computed";
}
