/* march_edges.c: which blocks ask where the grid ends.
 *
 * guard: all of them, cell by cell. split: those that reach an edge; the others run by a text
 * of their own, which knows of none. overwrite: no block asks what is beyond the grid, nor
 * which cells keep what they were, and those that reach there then compute all of theirs once
 * more.
 *
 * Rows that begin anywhere are split whatever the plan says.  A thread at the end of one has
 * vectors, too: it takes cells of the thread before with its own, and does not store them.
 * Where there is no such, or these must not be read any more, it takes its own one by one.
 */
#include "kernel/march.h"

/* The first cell of the block along the plan's axis NUMBER. */
static const KExpr *
block_start(const March *m, int number)
{
	const Plan *plan = m->plan;
	KKernel *k = m->k;
	int axis = plan->axis[number];

	return k_let(k, k->setup, arena_printf(k->arena, "%s_block", m->stage->grid->axis[axis]),
		k_binary(k, K_ADD, k_param(k, (KParam){ .kind = KP_CELLS_LO, .axis = axis }),
		k_binary(k, K_MUL, k_param(k, (KParam){ .kind = KP_BLOCK, .axis = number }),
		march_block_span(m, number))));
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
	return face == 0 ? b->left : b->columns - b->left - m->px;
}

/* All that is loaded around the block of N cells from FIRST on along AXIS is in the grid. */
static const KExpr *
reads_inside(const March *m, int axis, const KExpr *first, int n)
{
	KKernel *k = m->k;
	const KExpr *test = NULL;

	for (guint i = 0; i < m->sources->len; i++) {
		const Block *b = &m->blocks[i];
		const Field *f = b->source->field;
		KParam lo = { .kind = KP_FIRST, .axis = axis, .grid = f->grid }, hi = lo;
		int below = loaded_beside(m, b, axis, 0), above = loaded_beside(m, b, axis, 1);

		hi.kind = KP_LAST;
		if (!(f->axes & AXIS_BIT(axis)))
			continue;
		if (below > 0)
			test = k_and(k, test, k_binary(k, K_GE, k_add(k, first, -below),
				k_param(k, lo)));
		if (above > 0)
			test = k_and(k, test, k_binary(k, K_GE, k_param(k, hi), k_add(k, first,
				n - 1 + above)));
	}
	return test;
}

/* All its cells are there, and computed by all stages. */
static const KExpr *
stores_inside(const March *m, int axis, const KExpr *first, int n)
{
	KKernel *k = m->k;
	const KExpr *end = k_add(k, first, n), *test;
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

/* The same for all threads of a block. */
static const KExpr *
is_inside(const March *m)
{
	const Plan *plan = m->plan;
	const KExpr *test = NULL;

	for (int i = 0; i < plan->n_axes; i++) {
		int axis = plan->axis[i], n = plan->threads[i] * plan->cells[i];
		const KExpr *first = block_start(m, i);

		test = k_and(m->k, test, reads_inside(m, axis, first, n));
		test = k_and(m->k, test, stores_inside(m, axis, first, n));
	}
	return k_let(m->k, m->k->setup, "is_inside", test);
}

/* A walk of its own in LIST. */
static void
walk_in(const March *like, GPtrArray *list, gboolean inside, gboolean plain)
{
	March m = *like;
	KKernel *k = m.k;
	GPtrArray *body = k->body, *before = k_begin_setup(k);

	m.common = before;
	m.inside = inside;
	m.plain = plain;
	march_gather(&m);
	k->body = list;
	march_walk(&m);
	k->body = body;
	k_end_setup(k, list, before);
	march_free(&m);
}

/* No cell is read where one is stored: other threads may read what a thread reads. */
static gboolean
may_share_cells(const March *m)
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

/* The thread's cells in LIST, one after another. */
static void
walk_cells(const March *like, GPtrArray *list)
{
	March m = *like;
	KKernel *k = m.k;
	int axes[] = { m.x, m.y };
	const KExpr **first[] = { &m.x0, &m.y0 };

	for (int i = (int)G_N_ELEMENTS(axes); i-- > 0;) {
		KParam hi = { .kind = KP_CELLS_HI, .axis = axes[i] };
		KVar *var;

		if (axes[i] < 0)
			continue;
		var = k_new_var(k, m.stage->grid->axis[axes[i]], (KType){ KT_I32, TYPE_I32 });
		list = k_for(k, list, var, *first[i], k_binary(k, K_MIN, k_add(k, *first[i],
			i == 0 ? m.px : m.py), k_param(k, hi)), 1, FALSE);
		*first[i] = k_var(k, var);
	}
	m.x_load = m.x0;
	m.vector = m.anywhere = FALSE;
	m.single = TRUE;
	walk_in(&m, list, FALSE, FALSE);
}

/* What may reach an edge of rows that begin anywhere, in LIST. */
static void
walk_ends(const March *like, GPtrArray *list)
{
	March m = *like;
	KKernel *k = m.k;
	const KExpr *lo = k_param(k, (KParam){ .kind = KP_CELLS_LO, .axis = m.x });
	const KExpr *hi = k_param(k, (KParam){ .kind = KP_CELLS_HI, .axis = m.x });
	gboolean shares = may_share_cells(&m);
	GPtrArray *vectors;

	if (shares) {
		m.x_own = m.x0;
		m.x0 = m.x_load = k_let(k, list, arena_printf(k->arena, "%s_there",
			m.stage->grid->axis[m.x]), k_binary(k, K_MIN, m.x0, k_add(k, hi, -m.px)));
	}
	vectors = k_if(k, list, k_binary(k, K_GE, hi, k_add(k, shares ? lo : m.x0, m.px)));
	walk_cells(like, k_else(k, list));
	walk_in(&m, vectors, FALSE, FALSE);
}

void
march_edges(const March *m)
{
	KKernel *k = m->k;
	March only = *m;
	Edges edges = m->plan->edges;
	const KExpr *inside;
	GPtrArray *list;

	if (m->anywhere && m->plan->threads[0] % WARP != 0) {
		walk_ends(m, k->body);
		return;
	}
	if (m->anywhere) /* where warps that are whole put their vectors together */
		edges = EDGES_SPLIT;
	if (edges == EDGES_GUARD) {
		march_walk(&only);
		return;
	}
	inside = is_inside(m);
	if (edges == EDGES_SPLIT) {
		list = k_if(k, k->body, inside);
		walk_in(m, list, TRUE, FALSE);
		list = k_else(k, k->body);
		if (m->anywhere)
			walk_ends(m, list);
		else
			walk_in(m, list, FALSE, FALSE);
		return;
	}
	only.plain = TRUE;
	march_walk(&only);
	walk_in(m, k_if(k, k->body, k_not(k, inside)), FALSE, FALSE);
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
